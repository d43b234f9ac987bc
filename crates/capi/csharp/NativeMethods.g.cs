// Made from palpate.h; do not edit. Pointers to objects and callbacks are IntPtr; texts are UTF-8 with a final zero byte.
using System;
using System.Runtime.InteropServices;

namespace Palpate
{

/// Which differences count.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_diff_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint policy;
    [FieldOffset(8)] public double tolerance;
    [FieldOffset(16)] public double angle;
    [FieldOffset(24)] public double relative;
    [FieldOffset(32)] public double unit_tolerance;
    [FieldOffset(40)] public double same_within;
    [FieldOffset(48)] public uint allow_empty;
    [FieldOffset(52)] public uint form;
}

/// An implicit function of the host.
[StructLayout(LayoutKind.Explicit, Size = 96)]
public unsafe struct palpate_function_callbacks
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint is_distance;
    [FieldOffset(8)] public IntPtr sample;
    [FieldOffset(16)] public void* user;
    [FieldOffset(24)] public IntPtr destroy;
    [FieldOffset(32)] public double lipschitz;
    [FieldOffset(40)] public fixed double box_min[3];
    [FieldOffset(64)] public fixed double box_max[3];
    [FieldOffset(88)] public double growth;
}

/// A rigid transform from local to world coordinates.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_pose
{
    [FieldOffset(0)] public fixed double position[3];
    [FieldOffset(24)] public fixed double rotation[4];
}

/// Options of a mesh.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_mesh_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint closed;
    [FieldOffset(8)] public uint sidedness;
    [FieldOffset(12)] public uint reserved;
    [FieldOffset(16)] public double radius;
}

/// Points of the host, read during the call. All zero but `data` and `count`: `double`, without gaps, metres, right-handed.
[StructLayout(LayoutKind.Explicit, Size = 40)]
public unsafe struct palpate_points
{
    [FieldOffset(0)] public void* data;
    [FieldOffset(8)] public UIntPtr count;
    [FieldOffset(16)] public UIntPtr stride;
    [FieldOffset(24)] public uint scalar;
    [FieldOffset(28)] public uint mirror;
    [FieldOffset(32)] public double unit;
}

/// Cells of the host, read during the call: 2 vertex ids of a segment, 3 of a triangle, 4 of a tetrahedron. All zero but `data` and `count`: `uint32_t`, without gaps, in the order given.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_cells
{
    [FieldOffset(0)] public void* data;
    [FieldOffset(8)] public UIntPtr count;
    [FieldOffset(16)] public UIntPtr stride;
    [FieldOffset(24)] public uint index;
    [FieldOffset(28)] public uint is_reversed;
}

/// A convex shape of the host.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_support_callbacks
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public IntPtr support;
    [FieldOffset(16)] public void* user;
    [FieldOffset(24)] public IntPtr destroy;
}

/// Options of a proxy and of its coupling.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_proxy_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint steps;
    [FieldOffset(8)] public double reach;
    [FieldOffset(16)] public double stiffness;
    [FieldOffset(24)] public double damping;
    [FieldOffset(32)] public double angular_stiffness;
    [FieldOffset(40)] public double force_limit;
    [FieldOffset(48)] public double torque_limit;
}

/// What a tick came to.
[StructLayout(LayoutKind.Explicit, Size = 104)]
public unsafe struct palpate_tick
{
    [FieldOffset(0)] public palpate_pose pose;
    [FieldOffset(56)] public fixed double pushed[3];
    [FieldOffset(80)] public UIntPtr contacts;
    [FieldOffset(88)] public UIntPtr detections;
    [FieldOffset(96)] public uint is_outside;
    [FieldOffset(100)] public uint reserved;
}

/// Force and torque on the device, world frame.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_wrench
{
    [FieldOffset(0)] public fixed double force[3];
    [FieldOffset(24)] public fixed double torque[3];
}

/// How small the parts of a cut may be.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_blade_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public double snap;
    [FieldOffset(16)] public double least;
}

/// Where a blade passed through an edge of a mesh.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_edge_cut
{
    [FieldOffset(0)] public fixed uint edge[2];
    [FieldOffset(8)] public double weight;
    [FieldOffset(16)] public double time;
}

/// A vertex that a cut has added: a place on an edge, or the copy of a vertex.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_new_vertex
{
    [FieldOffset(0)] public fixed uint of[2];
    [FieldOffset(8)] public fixed double weights[2];
}

/// What a cut made of a mesh. The cells that it did not touch, and all vertices that there were, keep their numbers.
[StructLayout(LayoutKind.Explicit, Size = 72)]
public unsafe struct palpate_division
{
    [FieldOffset(0)] public palpate_edge_cut* cuts;
    [FieldOffset(8)] public UIntPtr cut_count;
    [FieldOffset(16)] public palpate_new_vertex* vertices;
    [FieldOffset(24)] public UIntPtr vertex_count;
    [FieldOffset(32)] public uint* removed;
    [FieldOffset(40)] public UIntPtr removed_count;
    [FieldOffset(48)] public uint* parents;
    [FieldOffset(56)] public UIntPtr cell_count;
    [FieldOffset(64)] public uint first_vertex;
    [FieldOffset(68)] public uint first_cell;
}

/// A cell that the edge of a blade passes through.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_swept_cell
{
    [FieldOffset(0)] public uint cell;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public fixed double times[2];
}

/// One side of a contact: the element, and the position of the contact on it.
[StructLayout(LayoutKind.Explicit, Size = 88)]
public unsafe struct palpate_feature
{
    [FieldOffset(0)] public uint kind;
    [FieldOffset(4)] public uint vertex_count;
    [FieldOffset(8)] public fixed uint vertices[4];
    [FieldOffset(24)] public uint cell;
    [FieldOffset(28)] public uint child;
    [FieldOffset(32)] public fixed double weights[4];
    [FieldOffset(64)] public fixed double point[3];
}

/// One contact between side A and side B of a pair. A static contact has `a.point + depth * direction == b.point`, up to rounding.
[StructLayout(LayoutKind.Explicit, Size = 232)]
public unsafe struct palpate_contact
{
    [FieldOffset(0)] public palpate_feature a;
    [FieldOffset(88)] public palpate_feature b;
    [FieldOffset(176)] public fixed double direction[3];
    [FieldOffset(200)] public double depth;
    [FieldOffset(208)] public double depth_upper;
    [FieldOffset(216)] public double time_of_impact;
    [FieldOffset(224)] public ulong id;
}

/// What two jaws hold of a tissue; everything is 0 and null if they hold nothing.
[StructLayout(LayoutKind.Explicit, Size = 96)]
public unsafe struct palpate_grasp
{
    [FieldOffset(0)] public ulong id;
    [FieldOffset(8)] public double closure;
    [FieldOffset(16)] public fixed double areas[2];
    [FieldOffset(32)] public uint* first_triangles;
    [FieldOffset(40)] public UIntPtr first_triangle_count;
    [FieldOffset(48)] public uint* second_triangles;
    [FieldOffset(56)] public UIntPtr second_triangle_count;
    [FieldOffset(64)] public uint* cells;
    [FieldOffset(72)] public UIntPtr cell_count;
    [FieldOffset(80)] public uint* pairs;
    [FieldOffset(88)] public UIntPtr pair_count;
}

/// The sizes of a shaft in a vessel.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_lumen_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public double radius;
    [FieldOffset(16)] public double margin;
    [FieldOffset(24)] public double reach;
}

/// A place on a shaft.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_shaft_place
{
    [FieldOffset(0)] public uint section;
    [FieldOffset(4)] public uint segment;
    [FieldOffset(8)] public double weight;
    [FieldOffset(16)] public double arc;
}

/// A contact of a shaft with the wall of the vessel that it is in.
[StructLayout(LayoutKind.Explicit, Size = 136)]
public unsafe struct palpate_lumen_contact
{
    [FieldOffset(0)] public palpate_shaft_place place;
    [FieldOffset(24)] public uint triangle;
    [FieldOffset(28)] public uint branch;
    [FieldOffset(32)] public fixed double weights[3];
    [FieldOffset(56)] public fixed double point[3];
    [FieldOffset(80)] public fixed double direction[3];
    [FieldOffset(104)] public double depth;
    [FieldOffset(112)] public palpate_shaft_place branch_place;
}

/// A place where a shaft passes through the surface of a tissue.
[StructLayout(LayoutKind.Explicit, Size = 112)]
public unsafe struct palpate_shaft_crossing
{
    [FieldOffset(0)] public ulong id;
    [FieldOffset(8)] public uint passing;
    [FieldOffset(12)] public uint triangle;
    [FieldOffset(16)] public fixed uint vertices[3];
    [FieldOffset(28)] public uint reserved;
    [FieldOffset(32)] public fixed double weights[3];
    [FieldOffset(56)] public palpate_shaft_place place;
    [FieldOffset(80)] public fixed double point[3];
    [FieldOffset(104)] public double cosine;
}

/// A part of a shaft in one tetrahedron.
[StructLayout(LayoutKind.Explicit, Size = 120)]
public unsafe struct palpate_shaft_stay
{
    [FieldOffset(0)] public uint cell;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public palpate_shaft_place first;
    [FieldOffset(32)] public palpate_shaft_place last;
    [FieldOffset(56)] public fixed double weights[8];
}

/// A change from one step of a shaft to the next.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_shaft_event
{
    [FieldOffset(0)] public ulong id;
    [FieldOffset(8)] public uint kind;
    [FieldOffset(12)] public uint is_allowed;
    [FieldOffset(16)] public fixed uint changed[2];
}

/// The tip of a shaft, and the surface that it may puncture.
[StructLayout(LayoutKind.Explicit, Size = 136)]
public unsafe struct palpate_shaft_tip
{
    [FieldOffset(0)] public double depth;
    [FieldOffset(8)] public double length;
    [FieldOffset(16)] public uint is_inside;
    [FieldOffset(20)] public uint cell;
    [FieldOffset(24)] public uint is_near;
    [FieldOffset(28)] public uint reserved;
    [FieldOffset(32)] public double distance;
    [FieldOffset(40)] public double cosine;
    [FieldOffset(48)] public palpate_feature feature;
}

/// How much a recording keeps.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_recorder_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint every;
    [FieldOffset(8)] public double error;
    [FieldOffset(16)] public uint single;
    [FieldOffset(20)] public uint reserved;
}

/// A pair and its contacts in the last step.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_pair_contacts
{
    [FieldOffset(0)] public ulong pair;
    [FieldOffset(8)] public ulong a;
    [FieldOffset(16)] public ulong b;
    [FieldOffset(24)] public palpate_contact* contacts;
    [FieldOffset(32)] public UIntPtr count;
    [FieldOffset(40)] public uint outcome;
    [FieldOffset(44)] public uint flags;
}

/// How the two surfaces of a pair meet. All zero but the factors, which are 1, is hard, without friction and rebound.
[StructLayout(LayoutKind.Explicit, Size = 80)]
public unsafe struct palpate_material
{
    [FieldOffset(0)] public ulong pair;
    [FieldOffset(8)] public double friction;
    [FieldOffset(16)] public double static_friction;
    [FieldOffset(24)] public double restitution;
    [FieldOffset(32)] public double rebound_speed;
    [FieldOffset(40)] public double compliance;
    [FieldOffset(48)] public double thickness;
    [FieldOffset(56)] public fixed double inverse_mass_scale[2];
    [FieldOffset(72)] public double rolling_friction;
}

/// A motion that was shortened.
[StructLayout(LayoutKind.Explicit, Size = 40)]
public unsafe struct palpate_shortened
{
    [FieldOffset(0)] public uint is_body;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public UIntPtr index;
    [FieldOffset(16)] public UIntPtr pair;
    [FieldOffset(24)] public double lost;
    [FieldOffset(32)] public double lost_turn;
}

/// A tool that did not get where the host moved it to: something that does not give way is between.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_contradiction
{
    [FieldOffset(0)] public UIntPtr tool;
    [FieldOffset(8)] public UIntPtr pair;
    [FieldOffset(16)] public double missing;
    [FieldOffset(24)] public fixed double direction[3];
}

/// What a guard has done in a step; without shortened motions, nothing. The arrays are valid until the next call with the guard.
[StructLayout(LayoutKind.Explicit, Size = 64)]
public unsafe struct palpate_guard_report
{
    [FieldOffset(0)] public palpate_shortened* shortened;
    [FieldOffset(8)] public UIntPtr shortened_count;
    [FieldOffset(16)] public palpate_contradiction* contradictions;
    [FieldOffset(24)] public UIntPtr contradiction_count;
    [FieldOffset(32)] public UIntPtr near;
    [FieldOffset(40)] public UIntPtr crossing;
    [FieldOffset(48)] public UIntPtr rounds;
    [FieldOffset(56)] public UIntPtr frozen;
}

/// The velocity of a rigid body.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_velocity
{
    [FieldOffset(0)] public fixed double linear[3];
    [FieldOffset(24)] public fixed double angular[3];
}

/// A rigid body of XPBD.
[StructLayout(LayoutKind.Explicit, Size = 144)]
public unsafe struct palpate_rigid_body
{
    [FieldOffset(0)] public palpate_pose pose;
    [FieldOffset(56)] public palpate_pose previous;
    [FieldOffset(112)] public double inverse_mass;
    [FieldOffset(120)] public fixed double inverse_inertia[3];
}

/// The host's particles and rigid bodies, which rows read and move.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_pbd_state
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public UIntPtr particle_count;
    [FieldOffset(16)] public UIntPtr body_count;
    [FieldOffset(24)] public double* particles;
    [FieldOffset(32)] public double* previous;
    [FieldOffset(40)] public double* inverse_masses;
    [FieldOffset(48)] public palpate_rigid_body* bodies;
}

/// What a geometry moves with. Particles are for PBD alone.
[StructLayout(LayoutKind.Explicit, Size = 96)]
public unsafe struct palpate_body
{
    [FieldOffset(0)] public ulong geometry;
    [FieldOffset(8)] public uint kind;
    [FieldOffset(12)] public uint index;
    [FieldOffset(16)] public fixed double center[3];
    [FieldOffset(40)] public fixed double velocity[3];
    [FieldOffset(64)] public fixed double spin[3];
    [FieldOffset(88)] public IntPtr mapping;
}

/// One row: a contact as a constraint on the gap, in metres, which a solver keeps at 0 or more.
[StructLayout(LayoutKind.Explicit, Size = 240)]
public unsafe struct palpate_pbd_row
{
    [FieldOffset(0)] public ulong pair;
    [FieldOffset(8)] public ulong id;
    [FieldOffset(16)] public fixed uint children[2];
    [FieldOffset(24)] public fixed double direction[3];
    [FieldOffset(48)] public fixed double tangents[6];
    [FieldOffset(96)] public double gap;
    [FieldOffset(104)] public fixed double multipliers[3];
    [FieldOffset(128)] public uint first_entry;
    [FieldOffset(132)] public uint entry_count;
    [FieldOffset(136)] public fixed uint bodies[2];
    [FieldOffset(144)] public fixed double body_gradients[6];
    [FieldOffset(192)] public fixed double body_turns[6];
}

/// One particle of a row.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_pbd_entry
{
    [FieldOffset(0)] public uint particle;
    [FieldOffset(4)] public uint reserved;
    [FieldOffset(8)] public double weight;
    [FieldOffset(16)] public double scale;
}

/// Settings of the rows of rigid bodies.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_rigid_settings
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint stabilization;
    [FieldOffset(8)] public uint is_pyramid;
    [FieldOffset(12)] public uint reserved;
    [FieldOffset(16)] public double step;
    [FieldOffset(24)] public double slop;
    [FieldOffset(32)] public double push_rate;
    [FieldOffset(40)] public double most_push_speed;
}

/// Centre of mass, mass and inertia of a rigid body at its present pose.
[StructLayout(LayoutKind.Explicit, Size = 104)]
public unsafe struct palpate_mass
{
    [FieldOffset(0)] public fixed double center[3];
    [FieldOffset(24)] public double inverse;
    [FieldOffset(32)] public fixed double inverse_inertia[9];
}

/// One contact as three velocity constraints: 0 the normal, 1 and 2 the tangents.
[StructLayout(LayoutKind.Explicit, Size = 456)]
public unsafe struct palpate_rigid_row
{
    [FieldOffset(0)] public ulong pair;
    [FieldOffset(8)] public ulong id;
    [FieldOffset(16)] public fixed uint children[2];
    [FieldOffset(24)] public fixed uint bodies[2];
    [FieldOffset(32)] public fixed double direction[3];
    [FieldOffset(56)] public fixed double tangents[6];
    [FieldOffset(104)] public fixed double jacobian[36];
    [FieldOffset(392)] public fixed double effective_masses[3];
    [FieldOffset(416)] public double gap;
    [FieldOffset(424)] public double target;
    [FieldOffset(432)] public fixed double impulses[3];
}

/// Holds a place of a shaft at a place in tissue in the two directions across the shaft; along it friction resists. The host keeps one for every crossing of a shaft, with the vertices and weights that the crossing had when it was new, and sets segment and weight anew in every step. In every step (or substep) `across`, `along` begin at 0.
[StructLayout(LayoutKind.Explicit, Size = 224)]
public unsafe struct palpate_sliding
{
    [FieldOffset(0)] public fixed uint tissue[4];
    [FieldOffset(16)] public fixed double weights[4];
    [FieldOffset(48)] public uint is_rigid;
    [FieldOffset(52)] public uint body;
    [FieldOffset(56)] public fixed uint particles[2];
    [FieldOffset(64)] public fixed double ends[6];
    [FieldOffset(112)] public double weight;
    [FieldOffset(120)] public double compliance;
    [FieldOffset(128)] public double friction;
    [FieldOffset(136)] public double grip;
    [FieldOffset(144)] public fixed double across[3];
    [FieldOffset(168)] public double along;
    [FieldOffset(176)] public fixed double force[3];
    [FieldOffset(200)] public fixed double offset[3];
}

/// How much a ring keeps, and when it is worth writing.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_ring_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint flags;
    [FieldOffset(8)] public double seconds;
    [FieldOffset(16)] public double depth;
    [FieldOffset(24)] public ulong bytes;
}

/// Options of a geometry in a scene.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_add_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint membership;
    [FieldOffset(8)] public uint mask;
    [FieldOffset(12)] public uint reserved;
    [FieldOffset(16)] public ulong user_data;
}

/// What `palpate_scene_debug_lines` draws.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_debug_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint shapes;
    [FieldOffset(8)] public uint boxes;
    [FieldOffset(12)] public uint contacts;
    [FieldOffset(16)] public double size;
}

/// A coloured segment.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_line
{
    [FieldOffset(0)] public fixed double ends[6];
    [FieldOffset(48)] public fixed byte color[4];
}

/// Options of a scene.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_scene_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint threads;
    [FieldOffset(8)] public IntPtr parallel_for;
    [FieldOffset(16)] public void* user;
    [FieldOffset(24)] public IntPtr destroy;
}

/// Settings of a detector. A setting means the same in every detector that has it (docs/settings.md); `PALPATE_UNSET`, or a NaN for a number, leaves it at its default. One that the pair's detector does not have is an error.
[StructLayout(LayoutKind.Explicit, Size = 48)]
public unsafe struct palpate_settings
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint manifold;
    [FieldOffset(8)] public uint internal_edges;
    [FieldOffset(12)] public uint sides;
    [FieldOffset(16)] public uint vertices;
    [FieldOffset(20)] public uint edges;
    [FieldOffset(24)] public uint coherent;
    [FieldOffset(28)] public uint accumulate;
    [FieldOffset(32)] public double tolerance;
    [FieldOffset(40)] public double breaking;
}

/// Options of a pair.
[StructLayout(LayoutKind.Explicit, Size = 40)]
public unsafe struct palpate_pair_options
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint detection;
    [FieldOffset(8)] public double margin;
    [FieldOffset(16)] public byte* detector;
    [FieldOffset(24)] public palpate_settings* settings;
    [FieldOffset(32)] public byte* settings_json;
}

/// The signed distance from a point to a solid.
[StructLayout(LayoutKind.Explicit, Size = 72)]
public unsafe struct palpate_distance
{
    [FieldOffset(0)] public double distance;
    [FieldOffset(8)] public fixed double nearest[3];
    [FieldOffset(32)] public fixed double gradient[3];
    [FieldOffset(56)] public uint feature;
    [FieldOffset(60)] public uint child;
    [FieldOffset(64)] public uint is_exact;
    [FieldOffset(68)] public uint reserved;
}

/// The cell or vertex closest to a point.
[StructLayout(LayoutKind.Explicit, Size = 96)]
public unsafe struct palpate_nearest
{
    [FieldOffset(0)] public double distance;
    [FieldOffset(8)] public palpate_feature feature;
}

/// A ray.
[StructLayout(LayoutKind.Explicit, Size = 56)]
public unsafe struct palpate_ray
{
    [FieldOffset(0)] public fixed double origin[3];
    [FieldOffset(24)] public fixed double direction[3];
    [FieldOffset(48)] public double length;
}

/// The first hit of a ray.
[StructLayout(LayoutKind.Explicit, Size = 136)]
public unsafe struct palpate_hit
{
    [FieldOffset(0)] public double distance;
    [FieldOffset(8)] public fixed double normal[3];
    [FieldOffset(32)] public palpate_feature feature;
    [FieldOffset(120)] public ulong geometry;
    [FieldOffset(128)] public uint crossing;
    [FieldOffset(132)] public uint reserved;
}

/// The surface point of a scene that is closest to a point.
[StructLayout(LayoutKind.Explicit, Size = 104)]
public unsafe struct palpate_closest
{
    [FieldOffset(0)] public double distance;
    [FieldOffset(8)] public palpate_feature feature;
    [FieldOffset(96)] public ulong geometry;
}

/// Summary of a step.
[StructLayout(LayoutKind.Explicit, Size = 24)]
public unsafe struct palpate_step_report
{
    [FieldOffset(0)] public UIntPtr pairs_run;
    [FieldOffset(8)] public UIntPtr pairs_apart;
    [FieldOffset(16)] public UIntPtr contacts;
}

/// What a step changed about a contact.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_event
{
    [FieldOffset(0)] public ulong pair;
    [FieldOffset(8)] public ulong id;
    [FieldOffset(16)] public fixed uint children[2];
    [FieldOffset(24)] public uint change;
    [FieldOffset(28)] public uint contact;
}

/// What the library was built with.
[StructLayout(LayoutKind.Explicit, Size = 32)]
public unsafe struct palpate_build_info
{
    [FieldOffset(0)] public uint struct_size;
    [FieldOffset(4)] public uint abi_version;
    [FieldOffset(8)] public byte* version;
    [FieldOffset(16)] public uint contact_size;
    [FieldOffset(20)] public uint pose_size;
    [FieldOffset(24)] public uint pointer_size;
    [FieldOffset(28)] public uint is_optimized;
}

public static unsafe class NativeMethods
{
    public const string Library = "palpate";

    /// Coordinates are `double`.
    public const int PALPATE_F64 = 0;
    /// Coordinates are `float`.
    public const int PALPATE_F32 = 1;
    /// Coordinates are right-handed, as palpate's.
    public const int PALPATE_MIRROR_NONE = 0;
    /// Coordinates are left-handed: x is negated.
    public const int PALPATE_MIRROR_X = 1;
    /// Coordinates are left-handed: y is negated, as suits Unreal.
    public const int PALPATE_MIRROR_Y = 2;
    /// Coordinates are left-handed: z is negated, as suits Unity.
    public const int PALPATE_MIRROR_Z = 3;
    /// Indices are `uint32_t`.
    public const int PALPATE_U32 = 0;
    /// Indices are `uint16_t`.
    public const int PALPATE_U16 = 1;
    /// Indices are `int32_t`; none is negative.
    public const int PALPATE_I32 = 2;
    /// Every bit of every contact counts, and the order.
    public const int PALPATE_DIFF_EXACT = 0;
    /// Ids, elements and the order count exactly, numbers by a tolerance.
    public const int PALPATE_DIFF_TOLERANCE = 1;
    /// Numbers count by a tolerance; a contact that is no farther away than `same_within` is the same one, whatever its id, its elements and its place in the order.
    public const int PALPATE_DIFF_SAME_WITHIN = 2;
    /// A report to be read: a line each for the verdict, the first and the largest difference, and every pair that differs.
    public const int PALPATE_REPORT_TEXT = 0;
    /// A report as JSON, docs/command.md.
    public const int PALPATE_REPORT_JSON = 1;
    /// A report as JUnit XML, with a test for every pair.
    public const int PALPATE_REPORT_JUNIT = 2;
    /// Inside of any of the functions.
    public const int PALPATE_UNION = 0;
    /// Inside of all of them.
    public const int PALPATE_INTERSECTION = 1;
    /// Inside of the first and outside of the others.
    public const int PALPATE_DIFFERENCE = 2;
    /// The union, its seams filled by a radius in metres: the parameter.
    public const int PALPATE_SMOOTH_UNION = 3;
    /// One function, grown by a distance in metres: the parameter.
    public const int PALPATE_OFFSET = 4;
    /// Bare points or particles: no cells.
    public const int PALPATE_POINT_SET = 0;
    /// Segments: threads, wires, needles.
    public const int PALPATE_LINE_MESH = 1;
    /// Triangles: organs, tools, cloth.
    public const int PALPATE_SURFACE_MESH = 2;
    /// Tetrahedra: soft solids.
    public const int PALPATE_TETRA_MESH = 3;
    /// Whether a surface is closed is found by its edges.
    public const int PALPATE_CLOSED_BY_EDGES = 0;
    /// The surface is a solid, even if it has holes.
    public const int PALPATE_CLOSED_YES = 1;
    /// The surface is a sheet.
    public const int PALPATE_CLOSED_NO = 2;
    /// Inside is told from outside by normals where the surface is closed and oriented, else by winding numbers.
    public const int PALPATE_SIDEDNESS_DEFAULT = 0;
    /// Inside is told from outside by the normals of faces, edges and vertices.
    public const int PALPATE_SIDEDNESS_PSEUDONORMALS = 1;
    /// Inside is told from outside by winding numbers, for dirty meshes.
    public const int PALPATE_SIDEDNESS_WINDING_NUMBER = 2;
    /// Toward the tip the shaft passes into the tissue.
    public const int PALPATE_PASSING_IN = 0;
    /// Toward the tip the shaft passes out of the tissue.
    public const int PALPATE_PASSING_OUT = 1;
    /// The tip has come near the surface, which it may puncture.
    public const int PALPATE_SHAFT_TOUCHED = 0;
    /// The tip is not near the surface any more, and has not punctured it.
    public const int PALPATE_SHAFT_LEFT = 1;
    /// The shaft has entered the tissue: a new crossing.
    public const int PALPATE_SHAFT_PUNCTURED = 2;
    /// The shaft has come out of the tissue: a new crossing.
    public const int PALPATE_SHAFT_EXITED = 3;
    /// The shaft was pulled out of a crossing, or has left it over its end.
    public const int PALPATE_SHAFT_WITHDRAWN = 4;
    /// The crossing lies in another triangle.
    public const int PALPATE_SHAFT_SLID = 5;
    /// The crossing lies on another section: the thread has followed the needle.
    public const int PALPATE_SHAFT_PASSED = 6;
    /// At rest, and not moved by contacts: also the geometries that are not listed.
    public const int PALPATE_BODY_STATIC = 0;
    /// Vertex `v` of a mesh is particle `index + v`.
    public const int PALPATE_BODY_PARTICLES = 1;
    /// A shape without vertices that is carried by the particle `index`.
    public const int PALPATE_BODY_PARTICLE = 2;
    /// Vertices are weighted sums of particles: an embedded surface, by its `mapping`.
    public const int PALPATE_BODY_MAPPED = 3;
    /// The rigid body `index`.
    public const int PALPATE_BODY_RIGID = 4;
    /// A motion that contacts do not change: `center`, `velocity`, `spin`.
    public const int PALPATE_BODY_KINEMATIC = 5;
    /// The rigid body `index`, moved by the host: the other side of a pair gives up its motion first. For a guard alone.
    public const int PALPATE_BODY_TOOL = 6;
    /// Penetration is corrected by the velocity of the bodies: simple, and adds energy.
    public const int PALPATE_BAUMGARTE = 0;
    /// Penetration is corrected by pseudo-velocities, `palpate_rigid_solve_push`: adds none.
    public const int PALPATE_SPLIT_IMPULSE = 1;
    /// Contacts at the end of the step.
    public const int PALPATE_DETECTION_STATIC = 0;
    /// First contacts of the motion from the previous state.
    public const int PALPATE_DETECTION_CONTINUOUS = 1;
    /// First contacts of the motion, then those at the end of the step.
    public const int PALPATE_DETECTION_CONTINUOUS_THEN_STATIC = 2;
    /// The ray enters, or passes a sheet from the front to the back.
    public const int PALPATE_CROSSING_ENTER = 0;
    /// The ray leaves, or passes a sheet from the back to the front.
    public const int PALPATE_CROSSING_LEAVE = 1;
    /// The ray touches an edge or a vertex.
    public const int PALPATE_CROSSING_GRAZE = 2;
    /// The ray hits nothing.
    public const int PALPATE_CROSSING_NONE = 3;
    /// A setting is not given: it has the value of the detector, or of the alias.
    public const uint PALPATE_UNSET = uint.MaxValue;
    /// Contacts on internal edges are kept or ignored as the detector does by default.
    public const int PALPATE_INTERNAL_EDGES_AS_GIVEN = 0;
    /// Contacts on internal edges are ignored: for floors and organs that bodies slide over.
    public const int PALPATE_INTERNAL_EDGES_IGNORE = 1;
    /// All contacts on edges are kept.
    public const int PALPATE_INTERNAL_EDGES_KEEP = 2;
    /// A closed surface is a solid, an open one a two-sided sheet, a plane as it was made.
    public const int PALPATE_SIDES_AS_GIVEN = 0;
    /// An open surface and a plane push to their front.
    public const int PALPATE_SIDES_ONE = 1;
    /// Pushes to the side on which the other body is.
    public const int PALPATE_SIDES_TWO = 2;
    /// The vertices and edges of both surfaces are tested.
    public const int PALPATE_VERTICES_BOTH = 0;
    /// Those of the first.
    public const int PALPATE_VERTICES_FIRST = 1;
    /// Those of the second.
    public const int PALPATE_VERTICES_SECOND = 2;
    /// No step has succeeded since the pair was added or changed.
    public const int PALPATE_OUTCOME_PENDING = 0;
    /// The two are apart: certainly no contact.
    public const int PALPATE_OUTCOME_APART = 1;
    /// The detector ran.
    public const int PALPATE_OUTCOME_RAN = 2;
    /// A work budget ran out: contacts may be missing.
    public const int PALPATE_FLAG_BUDGET_EXHAUSTED = 1;
    /// An iteration limit was reached: `depth_upper` of some contact is looser than rounding.
    public const int PALPATE_FLAG_ITERATION_LIMIT = 2;
    /// A surface is not closed: it was treated as a sheet.
    public const int PALPATE_FLAG_OPEN_SURFACE = 4;
    /// An implicit function is not a distance: depths are estimates.
    public const int PALPATE_FLAG_NOT_A_DISTANCE = 8;
    /// Only the vertices of a mesh were tested, not its edges and faces.
    public const int PALPATE_FLAG_VERTICES_ONLY = 16;
    /// Inside a surface was decided by winding numbers.
    public const int PALPATE_FLAG_WINDING_NUMBER = 32;
    /// The first impact of some contact is not proven.
    public const int PALPATE_FLAG_OPEN_IMPACT = 64;
    /// The step before had no contact with this key.
    public const int PALPATE_EVENT_BEGAN = 0;
    /// The step before had it, too.
    public const int PALPATE_EVENT_PERSISTS = 1;
    /// The step before had it, this one does not.
    public const int PALPATE_EVENT_ENDED = 2;
    /// No vertex, cell, child, body or feature.
    public const uint PALPATE_NONE = uint.MaxValue;
    /// The element of a side is a point of a shape without vertices (a sphere, a plane).
    public const int PALPATE_FEATURE_POINT = 0;
    /// The element is a vertex.
    public const int PALPATE_FEATURE_VERTEX = 1;
    /// The element is an edge, or a segment of a line mesh.
    public const int PALPATE_FEATURE_EDGE = 2;
    /// The element is a triangle.
    public const int PALPATE_FEATURE_TRIANGLE = 3;
    /// The element is a tetrahedron.
    public const int PALPATE_FEATURE_TETRAHEDRON = 4;
    /// The version of the binary interface: libraries of one version have the same functions and structs, and may have more. It is the number in the soname, `libpalpate.so.1`.
    public const int PALPATE_ABI_VERSION = 1;
    /// The call has done what it says.
    public const int PALPATE_OK = 0;
    /// A pointer is null that must not be.
    public const int PALPATE_NULL = 1;
    /// A value is not one of those that are wanted: a number that is not finite, a wrong `struct_size`, an unknown setting.
    public const int PALPATE_INVALID_ARGUMENT = 2;
    /// An id is zero, of another scene, of another type, or of something that was removed.
    public const int PALPATE_INVALID_HANDLE = 3;
    /// No detector serves the pair, or the geometry is of a kind that does not have what is asked for.
    public const int PALPATE_UNSUPPORTED = 4;
    /// An index, a count or a size is out of range.
    public const int PALPATE_OUT_OF_RANGE = 5;
    /// A buffer is too small; the count that is returned is the one that is needed. Nothing else was done.
    public const int PALPATE_BUFFER_TOO_SMALL = 6;
    /// Another thread is in a call with this object, or the call comes from a callback of a call with it.
    public const int PALPATE_BUSY = 7;
    /// A callback of the host returned an error. What the call was to change is as before it.
    public const int PALPATE_CALLBACK_FAILED = 8;
    /// A fault of palpate was caught. The object of the call refuses all further calls but the one that frees it.
    public const int PALPATE_PANIC = 9;
    /// There is nothing of this name or at this place.
    public const int PALPATE_NOT_FOUND = 10;
    /// A file cannot be read or written.
    public const int PALPATE_FILE = 11;

    /// The default options of a comparison.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_diff_options palpate_diff_options_default();

    /// Compares the contacts of two files, the baseline first: files of contacts, sessions (which are replayed) or snapshots (which are compared by the tolerances that they state). Writes how many differences count, and a report, which may be null, to be freed with `palpate_text_free`. `options` may be null. Errors: `PALPATE_FILE`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_diff(byte* baseline, byte* now, palpate_diff_options* options, ulong* count, IntPtr* report);

    /// Frees a geometry that nothing has taken over. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern void palpate_geometry_free(IntPtr geometry);

    /// Makes a compound of `count` geometries, numbered from 0. They are taken over, and freed if the call fails. Children have world coordinates, like any geometry; a compound among them is replaced by its own children.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_compound(IntPtr* children, UIntPtr count, IntPtr* geometry);

    /// The default callbacks: `sample` and the box have to be set.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_function_callbacks palpate_function_callbacks_default();

    /// Makes a function of the host. `destroy` is called when nothing uses it any more; also if this call fails, but not if `callbacks` is null or has a wrong `struct_size`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_function_callback(palpate_function_callbacks* callbacks, IntPtr* function);

    /// Frees the caller's share of a function. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern void palpate_function_free(IntPtr function);

    /// Makes the body where a function is negative, with all lengths multiplied by `scale` (greater than 0), then posed. A null pose is the identity. The function stays the caller's.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_implicit(palpate_pose* pose, double scale, IntPtr function, IntPtr* geometry);

    /// Makes a function from its JSON description, an object with one key, as `{"torus": {…}}` (docs/detect-json.md).
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_function_json(byte* json, IntPtr* function);

    /// Makes the function of a solid shape: a sphere, capsule, cylinder, box, ellipsoid, cone, hull or plane, which stays the caller's. Errors: `PALPATE_UNSUPPORTED` for another geometry.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_function_of_shape(IntPtr shape, IntPtr* function);

    /// Makes a grid of signed distances: `size` samples along x, y and z (2 or more each), the one at `origin` first, x fastest, `spacing` metres apart. `values` has `size[0] * size[1] * size[2]` numbers of the type `scalar`, which are copied.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_function_grid(double* origin, double* spacing, UIntPtr* size, void* values, uint scalar, IntPtr* function);

    /// Makes a function of others, which stay the caller's: `operation` is one of `PALPATE_UNION` … `PALPATE_OFFSET`, `parameter` what that names, else 0.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_function_combine(uint operation, IntPtr* functions, UIntPtr count, double parameter, IntPtr* function);

    /// Makes a geometry of any kind from its JSON description (docs/detect-json.md): what `palpate detect` reads, what `palpate_scene_geometry_json` writes. With a `folder` a mesh may name a file, a relative one in that folder; with null, files are refused.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_json(byte* json, byte* folder, IntPtr* geometry);

    /// The default options of a mesh.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_mesh_options palpate_mesh_options_default();

    /// Makes a mesh of `kind` (`PALPATE_POINT_SET`, `PALPATE_LINE_MESH`, `PALPATE_SURFACE_MESH` or `PALPATE_TETRA_MESH`) from copies of the arrays. `cells` may be null for a point set; `options` may be null. Errors: an index out of range, a coordinate that is not finite, a count that overflows.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_mesh(uint kind, palpate_points* vertices, palpate_cells* cells, palpate_mesh_options* options, IntPtr* geometry);

    /// Makes a ball: `center` in metres, `radius` greater than 0.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_sphere(double* center, double radius, IntPtr* geometry);

    /// Makes a capsule: a segment of `length` (0 or more) along local +y about the origin, with a radius greater than 0; metres. A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_capsule(palpate_pose* pose, double radius, double length, IntPtr* geometry);

    /// Makes a solid cylinder with its axis along local +y about the origin; metres. A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_cylinder(palpate_pose* pose, double radius, double length, IntPtr* geometry);

    /// Makes a solid cone with its axis along local +y and its tip there, about the middle of the axis; metres. A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_cone(palpate_pose* pose, double radius, double length, IntPtr* geometry);

    /// Makes a box about its origin: three half extents greater than 0, in metres. A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_box(palpate_pose* pose, double* half_extents, IntPtr* geometry);

    /// Makes an ellipsoid about its origin: three radii greater than 0, in metres. A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_ellipsoid(palpate_pose* pose, double* radii, IntPtr* geometry);

    /// Makes a half-space below `position` seen along `normal` (any length but 0), or with `two_sided` 1 a sheet without an inside.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_plane(double* position, double* normal, uint two_sided, IntPtr* geometry);

    /// Makes the convex hull of points in its local frame, grown by `radius` (0 or more, metres). A null pose is the identity.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_convex(palpate_pose* pose, palpate_points* vertices, double radius, IntPtr* geometry);

    /// The default callbacks: `support` has to be set.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_support_callbacks palpate_support_callbacks_default();

    /// Makes a convex shape of the host. Every detector of convex bodies takes it; it gets one contact point per pair, as it has no faces. A null pose is the identity. `destroy` is called when nothing uses it any more; also if this call fails, but not if `callbacks` is null or has a wrong `struct_size`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_geometry_support(palpate_pose* pose, palpate_support_callbacks* callbacks, IntPtr* geometry);

    /// The default options of a proxy.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_proxy_options palpate_proxy_options_default();

    /// Makes a proxy for a geometry at its present pose, which has to be outside of the obstacles. `options` may be null. Free it with `palpate_proxy_free`. Errors: a tool without pairs, or with a pair whose margin is below the reach.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_proxy_new(IntPtr scene, ulong tool, palpate_proxy_options* options, IntPtr* proxy);

    /// Frees a proxy. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_proxy_free(IntPtr proxy);

    /// Moves the tool toward `target` as far as it gets without entering an obstacle, and writes what that came to. Steps the scene some times.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_proxy_follow(IntPtr proxy, IntPtr scene, palpate_pose* target, palpate_tick* tick);

    /// Writes the force on the device at a pose after the last tick, `step` seconds after the one before: a spring and a damper that return no more energy than they received.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_proxy_wrench(IntPtr proxy, palpate_pose* device, double step, palpate_wrench* wrench);

    /// The default options of a blade.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_blade_options palpate_blade_options_default();

    /// Makes a blade that has cut nothing. `options` may be null. Free it with `palpate_blade_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_blade_new(palpate_blade_options* options, IntPtr* blade);

    /// Frees a blade. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_blade_free(IntPtr blade);

    /// Cuts a mesh of a scene along what the blade's edge, a row of at least two points, sweeps from `before` to `now`; both relative to the mesh as it is now. Writes what that made of it, valid until the next cut of this blade. A partial cut ends in a front, which the next one takes up. With scissors, cut with one edge and then with the other: where they meet, the second takes up the front of the first. Errors: rows of different length, a mesh that is placed by a pose; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_blade_cut(IntPtr blade, IntPtr scene, ulong mesh, palpate_points* before, palpate_points* now, palpate_division* division);

    /// Writes a pointer to the vertices at which the cut ends within the mesh, ascending, and their number; valid until the next call with the blade.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_blade_front(IntPtr blade, uint** vertices, UIntPtr* count);

    /// Ends the cut: the next one begins another.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_blade_lift(IntPtr blade);

    /// Writes a pointer to the cells of a mesh that a blade's edge passes through from `before` to `now`, in the order in which it enters them, and their number; valid until the next call of this function, or until the scene is freed. Nothing is cut.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_swept_cells(IntPtr scene, ulong mesh, palpate_points* before, palpate_points* now, palpate_swept_cell** cells, UIntPtr* count);

    /// Removes the cells of a mesh that a ball touches: centre in the world frame, radius in metres. Writes a pointer to their numbers, ascending, and how many there are; valid until the next call of this function, or until the scene is freed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_cauterize(IntPtr scene, ulong mesh, double* center, double radius, uint** removed, UIntPtr* count);

    /// Makes a tracker that has seen nothing. Free it with `palpate_grasp_tracker_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_grasp_tracker_new(IntPtr* tracker);

    /// Frees a tracker. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_grasp_tracker_free(IntPtr tracker);

    /// Looks at the contacts of two jaws (side A) with a tissue (side B), a closed surface or a tetra mesh of the scene, with Coulomb's coefficient `friction`, and writes what they hold; valid until the next call with the tracker. A grasp begins with the first opposed contacts, those whose line lies in both friction cones, and ends when there are none. The contacts may be those that `palpate_scene_contacts` returns. Errors: as `palpate_shaft_tracker_update`; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_grasp_tracker_update(IntPtr tracker, IntPtr scene, ulong tissue, palpate_contact* first, UIntPtr first_count, palpate_contact* second, UIntPtr second_count, double friction, palpate_grasp* grasp);

    /// The default options of a shaft in a vessel.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_lumen_options palpate_lumen_options_default();

    /// Makes the inside of a vessel with `branch_count` rows of points as its centreline, each from its beginning, world frame; none are allowed. Free it with `palpate_lumen_free`. Errors: a branch of fewer than two points, a coordinate that is not finite.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_lumen_new(palpate_points* branches, UIntPtr branch_count, IntPtr* lumen);

    /// Frees a lumen. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_lumen_free(IntPtr lumen);

    /// Writes a pointer to the contacts of a shaft, rows of points as of `palpate_shaft_tracker_update`, with the wall of a vessel, a closed surface of the scene whose inside is the lumen, and their number; valid until the next call with the lumen. For each segment the deepest, if it is nearer to the wall than the margin, in the order of the shaft. The contacts are one-sided: a segment whose centreline is beyond the wall, by the reach at most, is pushed back inside. Errors: as `palpate_shaft_tracker_update`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_lumen_contacts(IntPtr lumen, IntPtr scene, ulong vessel, palpate_points* sections, UIntPtr section_count, palpate_lumen_options* options, palpate_lumen_contact** contacts, UIntPtr* count);

    /// Makes a tracker to which the tip touches a surface if it is no farther from it than `touch`, metres. `turned_cells` is 0, or 1 for a mesh with cells that are turned inside out: the path is then found by looking at every cell near the shaft, some five times slower. Free it with `palpate_shaft_tracker_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_new(double touch, uint turned_cells, IntPtr* tracker);

    /// Frees a tracker. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_free(IntPtr tracker);

    /// Looks at a shaft and a tissue (a closed surface or a tetra mesh) of a scene as they are now. The shaft is `section_count` rows of points, each from its front backward: the needle from its tip, then the thread that follows it. Where a row does not begin where the one before ends, a segment joins the two. Prepares what has changed first. Errors: fewer than two points, a coordinate that is not finite, an open surface, a mesh that is placed by a pose; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_update(IntPtr tracker, IntPtr scene, ulong tissue, palpate_points* sections, UIntPtr section_count);

    /// Writes a pointer to the crossings of the last update and their number, the nearest to the tip first: the channel of the needle and of the thread behind it. Valid until the next call with the tracker that changes it.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_crossings(IntPtr tracker, palpate_shaft_crossing** crossings, UIntPtr* count);

    /// The same for the parts of the shaft in the cells of a tetra mesh, the nearest to the tip first; none for a surface.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_path(IntPtr tracker, palpate_shaft_stay** stays, UIntPtr* count);

    /// The same for what the last update changed: first of crossings, the nearest to the tip first, then of the tip.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_events(IntPtr tracker, palpate_shaft_event** events, UIntPtr* count);

    /// Writes where the tip is, and the surface near it that it may puncture.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_tip(IntPtr tracker, palpate_shaft_tip* tip);

    /// Lets the tip through the surface near it, until it has punctured it or left it: the decision is the host's, by its solver's force on the tip's contact. Does nothing if the tip is near no surface.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_allow(IntPtr tracker);

    /// Writes 1 if the surface contact at a place of the shaft is left out, else 0: inside the tissue, within `distance` (metres, along the shaft) of a crossing, and of the tip if it is allowed through. All other contacts of the shaft stay. The place is the one that a contact names: the segment of a section, and the weight of the segment's rear end. May be asked from a filter (`palpate_scene_set_filter`). Errors: no such section or segment.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_is_let_through(IntPtr tracker, uint section, uint segment, double weight, double distance, uint* is_let_through);

    /// Forgets everything but the ids that were given: the next update finds new crossings.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_shaft_tracker_reset(IntPtr tracker);

    /// Makes a reader of a scene's contacts, which every later step that succeeds publishes as long as there is one. Free it with `palpate_reader_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_reader_new(IntPtr scene, IntPtr* reader);

    /// Frees a reader. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_reader_free(IntPtr reader);

    /// Writes the contacts of all pairs in the newest finished step, in the order of the pairs, their number and the number of the step (0 before the first); valid until the next call with the reader. Never waits for the scene. `step` may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_reader_contacts(IntPtr reader, palpate_contact** contacts, UIntPtr* count, ulong* step);

    /// The default options of a recorder.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_recorder_options palpate_recorder_options_default();

    /// `palpate_recorder_new` that keeps fewer bits or fewer steps. `options` may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_recorder_new_with(IntPtr scene, byte* file, palpate_recorder_options* options, IntPtr* recorder);

    /// Starts a recording of a scene in a file that does not exist yet (HDF5, docs/recording.md). During it geometries and pairs must not be added, removed or given other settings. Errors: `PALPATE_FILE`; a shape or a function of the host.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_recorder_new(IntPtr scene, byte* file, IntPtr* recorder);

    /// Records the state of the scene after a step, at a time in seconds that must increase.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_recorder_record(IntPtr recorder, IntPtr scene, double time);

    /// Completes the file. A recorder that is freed before leaves a journal, which replays, too.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_recorder_finish(IntPtr recorder);

    /// Frees a recorder. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_recorder_free(IntPtr recorder);

    /// Opens a session with the pairs that it names, or all that have a detector. Free it with `palpate_replay_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_replay_open(byte* file, IntPtr* replay);

    /// Frees a replay. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_replay_free(IntPtr replay);

    /// Writes the number of frames.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_replay_frame_count(IntPtr replay, UIntPtr* count);

    /// Moves the geometries to a frame, from 0, finds its contacts, and writes its time in seconds and the pairs whose detectors ran; valid until the next call with the replay. `time` may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_replay_detect(IntPtr replay, UIntPtr frame, double* time, palpate_pair_contacts** pairs, UIntPtr* count);

    /// Writes the name of an object of a session with a final zero byte, and its length without that.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_replay_name(IntPtr replay, ulong geometry, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// Writes a pointer to a text, which is UTF-8 and ends with a zero byte, and its length without that; valid until it is freed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_text_get(IntPtr text, byte** bytes, UIntPtr* length);

    /// Frees a text. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern void palpate_text_free(IntPtr text);

    /// Takes a snapshot of the contacts of a recorded session: a stable text for a simulator's own tests, to be kept in a file and compared with `palpate_snapshot_compare`. Cost: one replay.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_snapshot_take(byte* file, IntPtr* snapshot);

    /// Compares two snapshots, the earlier first, and writes how many differences there are and a text with a line for each; `differences` may be null. Lengths are compared with the tolerance that the earlier one names.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_snapshot_compare(byte* before, byte* now, UIntPtr* count, IntPtr* differences);

    /// A material that is hard, without friction and rebound, for all pairs.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_material palpate_material_default();

    /// Makes a guard of nothing. Free it with `palpate_guard_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_new(IntPtr* guard);

    /// Frees a guard. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_free(IntPtr guard);

    /// Adds a geometry of a scene as a body of the guard, and writes its number, from 0. `kind` says what it moves with: `PALPATE_BODY_STATIC` (at rest where it is), `_PARTICLES` (vertex `v` of a mesh is particle `index + v`), `_RIGID` or `_TOOL` (the pose `index`; a shape is taken in its own frame, coordinates of meshes and children of a compound in the frame of the pose). Topology, sizes, and coordinates of what does not move with particles are copied. Errors: a kind of geometry that the guard does not know (an implicit body without a Lipschitz constant); particles for what is no mesh.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_add(IntPtr guard, IntPtr scene, ulong geometry, uint kind, UIntPtr index, UIntPtr* body);

    /// Gives a body another geometry, or the same one after a cut; pairs keep their distances, with the radii of the new one. Errors: as `palpate_guard_add`; another number of parts of a compound; a distance that with the new radii is not above 0. Then nothing is changed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_replace(IntPtr guard, UIntPtr body, IntPtr scene, ulong geometry);

    /// Keeps two bodies at least `distance` metres apart between their surfaces, which include their radii, or one from itself; where they are closer at the start of a step, they do not come closer. A negative distance allows radii to overlap by that much. Writes the number of the pair, from 0; `pair` may be null. Errors: a distance that with the radii of both is not above 0.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_add_pair(IntPtr guard, UIntPtr a, UIntPtr b, double distance, UIntPtr* pair);

    /// Shortens the motion of a step from `start` and `start_poses` to `particles` and `poses` such that no pair comes closer than it may: call it after the solver, with all particles (three `double` each, metres, world frame) and all poses (body to world). Every particle is then no farther from its start than it was, every body is shifted and turned no farther; what is in no pair is unchanged. `start` and `particles` may be one array, as may be `start_poses` and `poses`; `report` may be null. Errors: a place of a body that is not finite; particles or poses that a body moves with and that do not exist. Then no motion is changed, and the guard has no last step.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_hold(IntPtr guard, double* start, double* particles, UIntPtr particle_count, palpate_pose* start_poses, palpate_pose* poses, UIntPtr pose_count, palpate_guard_report* report);

    /// Writes 1 if the motion of a step is proved to need no shortening, so that `palpate_guard_hold` would change nothing, else 0. The guard then has no last step: ask before it holds. Errors: as there.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_is_free(IntPtr guard, double* start, double* particles, UIntPtr particle_count, palpate_pose* start_poses, palpate_pose* poses, UIntPtr pose_count, uint* is_free);

    /// Takes from the velocities of particles that the last `palpate_guard_hold` shortened what led against the shortening: none becomes greater. `particles` are those that it left, `velocities` of all particles, three `double` each, in another array; `step` its seconds. Errors: another number of particles than in that step, or no last step.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_slow(IntPtr guard, double* particles, double* velocities, UIntPtr particle_count, double step);

    /// The same for the velocities of all rigid bodies; those of tools are the host's, and stay. Errors: another number of bodies than in the last step, or no last step.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_guard_slow_bodies(IntPtr guard, palpate_velocity* velocities, UIntPtr count, double step);

    /// Makes a mapping of `vertex_count` vertices: those of vertex `v` are the particles and weights from `starts[v]` up to `starts[v + 1]`; `starts` has one more number than there are vertices. The weights of a vertex sum to 1. Free it with `palpate_mapping_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_mapping_new(uint* starts, UIntPtr vertex_count, uint* particles, double* weights, IntPtr* mapping);

    /// Frees a mapping. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern void palpate_mapping_free(IntPtr mapping);

    /// A state without particles and rigid bodies.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_pbd_state palpate_pbd_state_default();

    /// Makes rows for steps (or substeps) of `step` seconds, greater than 0. Free them with `palpate_pbd_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_new(double step, IntPtr* pbd);

    /// Frees rows. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_free(IntPtr pbd);

    /// Replaces the rows by those of the contacts of the scene's last step: one per contact, in the order of the pairs and of their contacts. `state` has the positions in which the contacts were found; `bodies` says what geometries move with (those not listed do not); `materials` how pairs meet. Errors: a particle or body that does not exist, a negative quantity; there are then no rows.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_gather(IntPtr pbd, IntPtr scene, palpate_pbd_state* state, palpate_body* bodies, UIntPtr body_count, palpate_material* materials, UIntPtr material_count);

    /// Starts the rows with `factor` times the multipliers that the rows of the same contacts had before the last gathering, and moves the state accordingly.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_warm_start(IntPtr pbd, palpate_pbd_state* state, double factor);

    /// Projects all rows in their order, gap and friction, `iterations` times, and moves the state.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_project(IntPtr pbd, palpate_pbd_state* state, uint iterations);

    /// Copies all rows and their particles to arrays of the host, which may be null to ask for the counts: those that are needed are written to `row_count` and `entry_count`. Errors: `PALPATE_BUFFER_TOO_SMALL` if one of both is too short; then neither is written. `state` has as many particles and bodies as when the rows were gathered.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_pbd_rows(IntPtr pbd, palpate_pbd_state* state, palpate_pbd_row* rows, UIntPtr row_capacity, UIntPtr* row_count, palpate_pbd_entry* entries, UIntPtr entry_capacity, UIntPtr* entry_count);

    /// The default settings of rows of rigid bodies.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_rigid_settings palpate_rigid_settings_default();

    /// Makes rows of rigid bodies. `settings` may be null. Free them with `palpate_rigid_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_new(palpate_rigid_settings* settings, IntPtr* rigid);

    /// Frees rows. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_free(IntPtr rigid);

    /// Replaces the rows by those of the contacts of the scene's last step: one per contact. `masses` and `velocities` are those of all `count` rigid bodies, before the solve; `bodies` says what geometries move with, `materials` how pairs meet. Errors: a body that does not exist, a negative quantity; there are then no rows.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_gather(IntPtr rigid, IntPtr scene, palpate_mass* masses, palpate_velocity* velocities, UIntPtr count, palpate_body* bodies, UIntPtr body_count, palpate_material* materials, UIntPtr material_count);

    /// Starts the rows with `factor` times the impulses of the rows of the same contacts before the last gathering, and applies them.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_warm_start(IntPtr rigid, palpate_velocity* velocities, UIntPtr count, double factor);

    /// Solves all rows in their order (projected Gauss-Seidel), each time rolling friction last, `iterations` times, and changes the velocities.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_solve(IntPtr rigid, palpate_velocity* velocities, UIntPtr count, uint iterations);

    /// The same for split impulses: `velocities` are pseudo-velocities that begin at 0 in every step, move the poses once, and are then forgotten.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_solve_push(IntPtr rigid, palpate_velocity* velocities, UIntPtr count, uint iterations);

    /// Copies all rows to an array of the host; `row_count` is set to how many there are. Errors: `PALPATE_BUFFER_TOO_SMALL`; nothing is written to `rows` then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_rigid_rows(IntPtr rigid, palpate_rigid_row* rows, UIntPtr row_capacity, UIntPtr* row_count);

    /// A sliding constraint of no weights: rigid and without friction.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_sliding palpate_sliding_default();

    /// Projects sliding constraints in their order, `iterations` times, in a step of `step` seconds, moves the state, and sets their multipliers, forces and offsets; with 0 iterations forces and offsets alone. Errors: a particle or body that is not there, a compliance, friction or grip that is negative or not finite; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_sliding_project(palpate_sliding* slidings, UIntPtr count, palpate_pbd_state* state, double step, uint iterations);

    /// The default options of a ring.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_ring_options palpate_ring_options_default();

    /// Starts to keep the last seconds of a scene; meanwhile geometries and pairs must not be added or removed. `options` may be null. Free it with `palpate_ring_free`. Errors: a shape or a function of the host.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_new(IntPtr scene, palpate_ring_options* options, IntPtr* ring);

    /// Frees a ring, and forgets what it keeps. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_free(IntPtr ring);

    /// Keeps the state of the scene after a step, at a time in seconds that must increase. Writes 1 to `fired` if the depth or the flags of the options are met, once until `palpate_ring_rearm`, else 0; it may be null. Cost: a copy of what has moved.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_record(IntPtr ring, IntPtr scene, double time, uint* fired);

    /// Lets the depth and the flags fire again.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_rearm(IntPtr ring);

    /// Writes how much is kept: steps, seconds from the first to the last, bytes. Each may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_size(IntPtr ring, UIntPtr* frames, double* seconds, UIntPtr* bytes);

    /// Writes what is kept as a session, which replays to the same contacts, and goes on keeping. An existing file is replaced. Errors: nothing was kept; `PALPATE_FILE`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_ring_write(IntPtr ring, byte* file);

    /// Adds a child to a compound, which is taken over, and freed if the call fails, and writes its number: the first of a compound's children.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add_child(IntPtr scene, ulong id, IntPtr geometry, uint* child);

    /// Removes a child of a compound. The others keep their numbers. Errors: `PALPATE_NOT_FOUND`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_remove_child(IntPtr scene, ulong id, uint child);

    /// Moves a child that has a pose: a shape, a hull, an implicit body. The pose is in the compound's coordinates.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_child_pose(IntPtr scene, ulong id, uint child, palpate_pose* pose);

    /// Moves the vertices of a child that is a mesh or a point set. Errors: as `palpate_scene_set_vertices`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_child_vertices(IntPtr scene, ulong id, uint child, palpate_points* vertices);

    /// Writes a pointer to the contacts of a pair in the last step, and their number: the library's own memory, read-only, valid until the next call that steps the scene, changes its geometries or pairs, or frees it.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_contacts(IntPtr scene, ulong pair, palpate_contact** contacts, UIntPtr* count);

    /// Writes a pair with its contacts, outcome and flags; as `palpate_scene_contacts`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_pair(IntPtr scene, ulong pair, palpate_pair_contacts* info);

    /// Writes a pointer to the pairs whose detectors ran in the last step, in the order of their ids, and their number; valid as long as the contacts of `palpate_scene_contacts`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_active_pairs(IntPtr scene, palpate_pair_contacts** pairs, UIntPtr* count);

    /// Writes the deepest contact of the last step and its pair; pair 0, and the contact as it was, if there are no contacts.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_deepest(IntPtr scene, ulong* pair, palpate_contact* contact);

    /// The default options of a geometry in a scene.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_add_options palpate_add_options_default();

    /// Adds a geometry under a name that no other of the scene has, and writes its id. The geometry is taken over, and freed if the call fails. `options` may be null. Errors: a name in use; a kind that the pairs by groups do not support.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add(IntPtr scene, byte* name, IntPtr geometry, palpate_add_options* options, ulong* id);

    /// Removes a geometry and all its pairs. Its id and theirs are not used again.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_remove(IntPtr scene, ulong id);

    /// Puts another geometry, of any kind, in the place of one. It is taken over, and freed if the call fails. Id, name, groups and pairs stay; the pairs start without memory.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_replace(IntPtr scene, ulong id, IntPtr geometry);

    /// Finds a geometry by its name. Errors: `PALPATE_NOT_FOUND`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_find(IntPtr scene, byte* name, ulong* id);

    /// Writes the name of a geometry with a final zero byte, and its length without that.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_name(IntPtr scene, ulong id, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// Writes the kind of a geometry, as `surface_mesh`, with a final zero byte, and its length without that.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_kind(IntPtr scene, ulong id, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// Writes the JSON description of a geometry in its current state (docs/detect-json.md) with a final zero byte, and its length without that: what `palpate_geometry_json` reads, bit for bit. Errors: a shape or a function of the host.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_geometry_json(IntPtr scene, ulong id, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// Moves a geometry to a pose, local to world. Shapes store it; meshes, point sets and compounds are placed: their vertices stay in their local frame, and their contacts are in the world frame. Cost: constant.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_pose(IntPtr scene, ulong id, palpate_pose* pose);

    /// Writes the pose of a geometry; the identity for a mesh that was never placed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_pose(IntPtr scene, ulong id, palpate_pose* pose);

    /// Says that a geometry rests (1) or that it may move again (0): for a host whose solver lets bodies sleep. A pair of two that sleep, or of one that sleeps and one that has not changed, keeps its contacts and is not looked at, wherever the sleeping ones are moved meanwhile.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_asleep(IntPtr scene, ulong id, uint is_asleep);

    /// Sets the host's data of a geometry.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_user_data(IntPtr scene, ulong id, ulong user_data);

    /// Writes the host's data of a geometry.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_user_data(IntPtr scene, ulong id, ulong* user_data);

    /// Sets the filter that every contact passes from the next step on; null for none. What it drops is in no list, event or count. `destroy` frees `user` with the scene, or when another filter is set; also if this call fails.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_filter(IntPtr scene, IntPtr filter, void* user, IntPtr destroy);

    /// The default options of lines.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_debug_options palpate_debug_options_default();

    /// Writes a pointer to lines that show the scene after its last step, and their number; valid until the next call of this function, or until the scene is freed. `options` may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_debug_lines(IntPtr scene, palpate_debug_options* options, palpate_line** lines, UIntPtr* count);

    /// Keeps the state of a scene: geometries with their previous states, pairs with their settings and contacts, events. What follows is the same to the bit now and whenever the state is given back; the next step costs as much as a first one. Free it with `palpate_saved_free`. The filter and the options of the scene are not part of it.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_save(IntPtr scene, IntPtr* saved);

    /// Gives a scene back a state that it has saved, any number of times. Geometries and pairs that were removed since are there again under their ids; ids that were given since are not given again. Errors: a state of another scene.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_restore(IntPtr scene, IntPtr saved);

    /// Frees a saved state. Null is allowed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern void palpate_saved_free(IntPtr saved);

    /// The default options of a scene.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_scene_options palpate_scene_options_default();

    /// Makes an empty scene with all built-in detectors. `options` may be null. Free it with `palpate_scene_free`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_new(palpate_scene_options* options, IntPtr* scene);

    /// Frees a scene with its geometries, after which its pointer and all that it has handed out must not be used. Null is allowed. Errors: `PALPATE_BUSY` if a call with it is under way: it is then not freed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_free(IntPtr scene);

    /// Makes the current vertices and poses of all geometries the previous ones, for continuous detection. Call it before moving them.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_advance(IntPtr scene);

    /// Adds the pair of two geometries, whose contacts a function of the host finds; self-contact if `b` is `a`. The function is called when the boxes of the two are within the margin and one of the two has changed. Its contacts stay in its order; each is checked (finite points, unit direction, depth, elements that the geometries have, no two with one key), and what is wrong is the error of the step, `PALPATE_CALLBACK_FAILED`, by the names of the pair and of the detector. Of the options, which may be null, `detector` is the name of the function (`own` for null) and `margin` is used; settings are refused. `destroy` frees `user` with the last use of it, which may be a saved state; also if this call fails.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add_pair_by(IntPtr scene, ulong a, ulong b, palpate_pair_options* options, IntPtr function, void* user, IntPtr destroy, ulong* pair);

    /// A static contact of two points, for a detector of the host to fill in: no vertices, cells or children, points at the origin, direction +y, depth 0.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_contact palpate_contact_default();

    /// The default options of a pair.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_pair_options palpate_pair_options_default();

    /// Adds the pair of two geometries, sides A and B of its contacts, and writes its id; self-contact if `b` is `a`. `options` may be null. Errors: `PALPATE_UNSUPPORTED` if no detector serves the pair.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add_pair(IntPtr scene, ulong a, ulong b, palpate_pair_options* options, ulong* pair);

    /// Detects the pairs of a member of one of the groups `first` (bits) with a member of one of the groups `second`, whose masks agree, now and later; all pairs for two times `UINT32_MAX`. Settings apply to the pairs whose detector has them. The pairs are in the lists of `palpate_scene_active_pairs` while they are near. `options` may be null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add_pairs_between(IntPtr scene, uint first, uint second, palpate_pair_options* options);

    /// Removes what `palpate_scene_add_pairs_between` has added.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_remove_pairs_by_groups(IntPtr scene);

    /// Removes a pair. Its id is not used again.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_remove_pair(IntPtr scene, ulong pair);

    /// Changes the margin of a pair, metres, from the next step on.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_margin(IntPtr scene, ulong pair, double margin);

    /// Replaces the settings of a pair. It starts without memory, and has no contacts until the next step.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_settings(IntPtr scene, ulong pair, palpate_settings* settings);

    /// Replaces the settings of a pair by those of a JSON object; as `palpate_scene_set_settings`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_settings_json(IntPtr scene, ulong pair, byte* json);

    /// Writes all settings of a pair as a JSON object with a final zero byte, and its length without that.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_settings_json(IntPtr scene, ulong pair, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// Writes the name of a pair's detector with a final zero byte, and its length without that.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_detector(IntPtr scene, ulong pair, byte* buffer, UIntPtr capacity, UIntPtr* length);

    /// The signed distances of `count` points, three `double` each, to a solid: a shape, a closed surface, a tetra mesh, an implicit body, or a compound of these; with geometry 0 the least to all solids of the scene, infinite without any (`palpate_scene_closest` tells whose). World frame, metres. Errors: `PALPATE_UNSUPPORTED` for a geometry without an inside. Prepares what has changed first.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_signed_distances(IntPtr scene, ulong geometry, double* positions, UIntPtr count, palpate_distance* distances);

    /// The cells of a mesh closest to `count` points, three `double` each; with `vertices` 1 the closest vertices, also of a point set. World frame, metres; bare elements, without radius or thickness.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_nearest(IntPtr scene, ulong geometry, uint vertices, double* positions, UIntPtr count, palpate_nearest* nearest);

    /// The first hits of `count` rays on a geometry, or with geometry 0 on all geometries of the scene that have a surface; of equally distant ones that of the geometry added first.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_cast_rays(IntPtr scene, ulong geometry, palpate_ray* rays, UIntPtr count, palpate_hit* hits);

    /// The surface points closest to `count` points, three `double` each, of all geometries no farther than `within` metres (infinite for all) that a member of the groups `membership` with this `mask` would collide with; of equally near ones that of the geometry added first. World frame. Errors: a kind without cells, vertices or a distance, by name. Prepares the geometries that have changed.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_closest(IntPtr scene, double* positions, UIntPtr count, double within, uint membership, uint mask, palpate_closest* closest);

    /// Settings of which none is given.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern palpate_settings palpate_settings_default();

    /// Finds the contacts of all pairs in the current state of the geometries. `report` may be null. Errors: a callback that fails, a new child of a compound that no detector serves; the contacts are then those of the last step that succeeded. Cost: a settled step does not allocate.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_step(IntPtr scene, palpate_step_report* report);

    /// Clears the memory that detectors have of earlier steps: the next step finds what a first one would. For a scene that stands for several worlds in turn. Contacts and events stay; no heap.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_forget(IntPtr scene);

    /// Turns the events of a scene on (1) or off (0, the default). All contacts of the first step after that began.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_events(IntPtr scene, uint is_on);

    /// Writes a pointer to the events of the last step, and their number; valid until the next call that steps or frees the scene. They are in the order of the pairs' ids; those of a pair in the order of its contacts, then of the contacts that ended.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_events(IntPtr scene, palpate_event** events, UIntPtr* count);

    /// Removes cells of a mesh. All others keep their numbers; a removed number is not used again until `palpate_scene_compact_cells`. Errors: a cell that is not there, or is named twice; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_remove_cells(IntPtr scene, ulong id, uint* cells, UIntPtr count);

    /// Adds vertices (may be null for none), then cells that may name them, and writes the number of the first cell and how many there are. Errors: a coordinate that is not finite, an index out of range; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_add_cells(IntPtr scene, ulong id, palpate_points* vertices, palpate_cells* cells, uint* first, uint* count);

    /// Divides a cell by a new vertex at `point`, in as many cells as it has vertices, and writes the number of the first and how many there are. Errors: a cell that is not there, a coordinate that is not finite; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_split_cell(IntPtr scene, ulong id, uint cell, double* at, uint* first, uint* count);

    /// Numbers the cells anew, without the removed ones, in the same order; the vertices keep their numbers. `map` has for each cell before its number now, or `PALPATE_NONE`; `count` is set to how many there were. With too small a map nothing is done.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_compact_cells(IntPtr scene, ulong id, uint* map, UIntPtr capacity, UIntPtr* count);

    /// Moves the vertices of a mesh or a point set; as many as it has. `double` vertices without gaps in metres are copied once, others are converted first. Errors: a count that differs, a coordinate that is not finite; nothing is changed then.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_vertices(IntPtr scene, ulong id, palpate_points* vertices);

    /// Sets the vertices of the step before, for continuous detection, where `palpate_scene_advance` is not used. Errors: as `palpate_scene_set_vertices`.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_set_previous_vertices(IntPtr scene, ulong id, palpate_points* vertices);

    /// Copies the vertices of a mesh or a point set to an array of `capacity` points, three `double` each, in its own coordinates. `count` is set to how many there are.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_vertices(IntPtr scene, ulong id, double* vertices, UIntPtr capacity, UIntPtr* count);

    /// Writes a pointer to the vertices of a mesh or a point set, three `double` each, for the host to change, and how many there are. They have their current values. `palpate_scene_unmap_vertices` takes them over; until then steps use the old ones. The pointer is valid until then, or until the geometry or the scene is gone.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_map_vertices(IntPtr scene, ulong id, double** vertices, UIntPtr* count);

    /// Moves the vertices to what the host has written to the memory of `palpate_scene_map_vertices`. Errors: `PALPATE_NOT_FOUND` without a map; a coordinate that is not finite: nothing is changed then, and the memory stays valid.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_scene_unmap_vertices(IntPtr scene, ulong id);

    /// The name of a status, as `invalid_handle`; `unknown` for a number that is none. Static.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern byte* palpate_status_name(int status);

    /// Describes the library. `info->struct_size` must be set. Errors: `PALPATE_NULL`, `PALPATE_INVALID_ARGUMENT` for a `struct_size` of another header's.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_get_build_info(palpate_build_info* info);

    /// Checks that a program can use the library: `PALPATE_CHECK_ABI()` of the header passes its own numbers. Errors: `PALPATE_INVALID_ARGUMENT` with both numbers in the text.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_check_abi(uint abi_version, uint contact_size, uint pointer_size);

    /// The text of the last call on this thread that failed: what, the value found and the value wanted; UTF-8. Empty if none has failed. The pointer is valid until the next call on this thread that fails. Never null.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern byte* palpate_last_error();

    /// Sets the function that receives every call that fails, on any thread, one at a time; null for none. `destroy` frees the `user` of a logger when another one is set. The logger must not set a logger. Any thread.
    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int palpate_set_logger(IntPtr function, void* user, IntPtr destroy);
}
}
