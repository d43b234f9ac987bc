/* palpate: collision detection for medical simulation. C99 and later; C++ programs may use palpate.hpp.
 *
 * Made from the crate palpate-capi; do not edit. Guide: docs/c.md.
 *
 * RULES, for all functions:
 *
 *   Units     metres, seconds, radians, a right-handed world frame. Rotations are unit quaternions w, x, y, z. Points are
 *             three double in a row; double arrays are aligned as double.
 *   Result    a palpate_status: PALPATE_OK (0), or what went wrong; palpate_last_error() has the text, per thread. After an
 *             error nothing has changed, unless the function says otherwise.
 *   Pointers  must be null, or point to what the function says for as long as it runs; arrays to as many items as their
 *             count. A null pointer where none is allowed is PALPATE_NULL. What a function returns through a pointer is
 *             written only on success; pointers to objects are set to null first.
 *   Objects   (palpate_scene, palpate_pbd, ...) are freed by their own _free function. A pointer that was freed must not be
 *             used. What a function takes over must not be used afterwards, also if the call fails.
 *   Ids       of geometries and pairs are 64-bit numbers of one scene, never used again; 0 is none. An id that was removed,
 *             or is of another scene, is PALPATE_INVALID_HANDLE.
 *   Options   are structs that begin with struct_size: take them from their _default function, and change fields. Later
 *             versions have more fields at the end; null is the default.
 *   Threads   an object serves one call at a time, from any thread; a second call meanwhile, also one from a callback, fails
 *             with PALPATE_BUSY and does nothing. Different objects are independent. Geometries and functions that are in
 *             no scene have no such check.
 *   Callbacks return 0, or another number for an error, which the call that led to them reports as PALPATE_CALLBACK_FAILED.
 *             They must not throw, jump out, or call palpate with the same object. They and their user data are used from
 *             any thread, and freed by their destroy function.
 *   Faults    of palpate itself (panics) are caught: the call returns PALPATE_PANIC, and the object of the call refuses all
 *             further calls but its _free function. The process lives.
 */


#ifndef PALPATE_H
#define PALPATE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Coordinates are `double`.
 */
#define PALPATE_F64 0

/**
 * Coordinates are `float`.
 */
#define PALPATE_F32 1

/**
 * Coordinates are right-handed, as palpate's.
 */
#define PALPATE_MIRROR_NONE 0

/**
 * Coordinates are left-handed: x is negated.
 */
#define PALPATE_MIRROR_X 1

/**
 * Coordinates are left-handed: y is negated, as suits Unreal.
 */
#define PALPATE_MIRROR_Y 2

/**
 * Coordinates are left-handed: z is negated, as suits Unity.
 */
#define PALPATE_MIRROR_Z 3

/**
 * Indices are `uint32_t`.
 */
#define PALPATE_U32 0

/**
 * Indices are `uint16_t`.
 */
#define PALPATE_U16 1

/**
 * Indices are `int32_t`; none is negative.
 */
#define PALPATE_I32 2

/**
 * Every bit of every contact counts, and the order.
 */
#define PALPATE_DIFF_EXACT 0

/**
 * Ids, elements and the order count exactly, numbers by a tolerance.
 */
#define PALPATE_DIFF_TOLERANCE 1

/**
 * Numbers count by a tolerance; a contact that is no farther away than `same_within` is the same one, whatever its id, its elements
 * and its place in the order.
 */
#define PALPATE_DIFF_SAME_WITHIN 2

/**
 * A report to be read: a line each for the verdict, the first and the largest difference, and every pair that differs.
 */
#define PALPATE_REPORT_TEXT 0

/**
 * A report as JSON, docs/command.md.
 */
#define PALPATE_REPORT_JSON 1

/**
 * A report as JUnit XML, with a test for every pair.
 */
#define PALPATE_REPORT_JUNIT 2

/**
 * Inside of any of the functions.
 */
#define PALPATE_UNION 0

/**
 * Inside of all of them.
 */
#define PALPATE_INTERSECTION 1

/**
 * Inside of the first and outside of the others.
 */
#define PALPATE_DIFFERENCE 2

/**
 * The union, its seams filled by a radius in metres: the parameter.
 */
#define PALPATE_SMOOTH_UNION 3

/**
 * One function, grown by a distance in metres: the parameter.
 */
#define PALPATE_OFFSET 4

/**
 * Bare points or particles: no cells.
 */
#define PALPATE_POINT_SET 0

/**
 * Segments: threads, wires, needles.
 */
#define PALPATE_LINE_MESH 1

/**
 * Triangles: organs, tools, cloth.
 */
#define PALPATE_SURFACE_MESH 2

/**
 * Tetrahedra: soft solids.
 */
#define PALPATE_TETRA_MESH 3

/**
 * Whether a surface is closed is found by its edges.
 */
#define PALPATE_CLOSED_BY_EDGES 0

/**
 * The surface is a solid, even if it has holes.
 */
#define PALPATE_CLOSED_YES 1

/**
 * The surface is a sheet.
 */
#define PALPATE_CLOSED_NO 2

/**
 * Inside is told from outside by normals where the surface is closed and oriented, else by winding numbers.
 */
#define PALPATE_SIDEDNESS_DEFAULT 0

/**
 * Inside is told from outside by the normals of faces, edges and vertices.
 */
#define PALPATE_SIDEDNESS_PSEUDONORMALS 1

/**
 * Inside is told from outside by winding numbers, for dirty meshes.
 */
#define PALPATE_SIDEDNESS_WINDING_NUMBER 2

/**
 * Toward the tip the shaft passes into the tissue.
 */
#define PALPATE_PASSING_IN 0

/**
 * Toward the tip the shaft passes out of the tissue.
 */
#define PALPATE_PASSING_OUT 1

/**
 * The tip has come near the surface, which it may puncture.
 */
#define PALPATE_SHAFT_TOUCHED 0

/**
 * The tip is not near the surface any more, and has not punctured it.
 */
#define PALPATE_SHAFT_LEFT 1

/**
 * The shaft has entered the tissue: a new crossing.
 */
#define PALPATE_SHAFT_PUNCTURED 2

/**
 * The shaft has come out of the tissue: a new crossing.
 */
#define PALPATE_SHAFT_EXITED 3

/**
 * The shaft was pulled out of a crossing, or has left it over its end.
 */
#define PALPATE_SHAFT_WITHDRAWN 4

/**
 * The crossing lies in another triangle.
 */
#define PALPATE_SHAFT_SLID 5

/**
 * The crossing lies on another section: the thread has followed the needle.
 */
#define PALPATE_SHAFT_PASSED 6

/**
 * At rest, and not moved by contacts: also the geometries that are not listed.
 */
#define PALPATE_BODY_STATIC 0

/**
 * Vertex `v` of a mesh is particle `index + v`.
 */
#define PALPATE_BODY_PARTICLES 1

/**
 * A shape without vertices that is carried by the particle `index`.
 */
#define PALPATE_BODY_PARTICLE 2

/**
 * Vertices are weighted sums of particles: an embedded surface, by its `mapping`.
 */
#define PALPATE_BODY_MAPPED 3

/**
 * The rigid body `index`.
 */
#define PALPATE_BODY_RIGID 4

/**
 * A motion that contacts do not change: `center`, `velocity`, `spin`.
 */
#define PALPATE_BODY_KINEMATIC 5

/**
 * The rigid body `index`, moved by the host: the other side of a pair gives up its motion first. For a guard alone.
 */
#define PALPATE_BODY_TOOL 6

/**
 * Penetration is corrected by the velocity of the bodies: simple, and adds energy.
 */
#define PALPATE_BAUMGARTE 0

/**
 * Penetration is corrected by pseudo-velocities, `palpate_rigid_solve_push`: adds none.
 */
#define PALPATE_SPLIT_IMPULSE 1

/**
 * Contacts at the end of the step.
 */
#define PALPATE_DETECTION_STATIC 0

/**
 * First contacts of the motion from the previous state.
 */
#define PALPATE_DETECTION_CONTINUOUS 1

/**
 * First contacts of the motion, then those at the end of the step.
 */
#define PALPATE_DETECTION_CONTINUOUS_THEN_STATIC 2

/**
 * The ray enters, or passes a sheet from the front to the back.
 */
#define PALPATE_CROSSING_ENTER 0

/**
 * The ray leaves, or passes a sheet from the back to the front.
 */
#define PALPATE_CROSSING_LEAVE 1

/**
 * The ray touches an edge or a vertex.
 */
#define PALPATE_CROSSING_GRAZE 2

/**
 * The ray hits nothing.
 */
#define PALPATE_CROSSING_NONE 3

/**
 * A setting is not given: it has the value of the detector, or of the alias.
 */
#define PALPATE_UNSET UINT32_MAX

/**
 * Contacts on internal edges are kept or ignored as the detector does by default.
 */
#define PALPATE_INTERNAL_EDGES_AS_GIVEN 0

/**
 * Contacts on internal edges are ignored: for floors and organs that bodies slide over.
 */
#define PALPATE_INTERNAL_EDGES_IGNORE 1

/**
 * All contacts on edges are kept.
 */
#define PALPATE_INTERNAL_EDGES_KEEP 2

/**
 * A closed surface is a solid, an open one a two-sided sheet, a plane as it was made.
 */
#define PALPATE_SIDES_AS_GIVEN 0

/**
 * An open surface and a plane push to their front.
 */
#define PALPATE_SIDES_ONE 1

/**
 * Pushes to the side on which the other body is.
 */
#define PALPATE_SIDES_TWO 2

/**
 * The vertices and edges of both surfaces are tested.
 */
#define PALPATE_VERTICES_BOTH 0

/**
 * Those of the first.
 */
#define PALPATE_VERTICES_FIRST 1

/**
 * Those of the second.
 */
#define PALPATE_VERTICES_SECOND 2

/**
 * No step has succeeded since the pair was added or changed.
 */
#define PALPATE_OUTCOME_PENDING 0

/**
 * The two are apart: certainly no contact.
 */
#define PALPATE_OUTCOME_APART 1

/**
 * The detector ran.
 */
#define PALPATE_OUTCOME_RAN 2

/**
 * A work budget ran out: contacts may be missing.
 */
#define PALPATE_FLAG_BUDGET_EXHAUSTED 1

/**
 * An iteration limit was reached: `depth_upper` of some contact is looser than rounding.
 */
#define PALPATE_FLAG_ITERATION_LIMIT 2

/**
 * A surface is not closed: it was treated as a sheet.
 */
#define PALPATE_FLAG_OPEN_SURFACE 4

/**
 * An implicit function is not a distance: depths are estimates.
 */
#define PALPATE_FLAG_NOT_A_DISTANCE 8

/**
 * Only the vertices of a mesh were tested, not its edges and faces.
 */
#define PALPATE_FLAG_VERTICES_ONLY 16

/**
 * Inside a surface was decided by winding numbers.
 */
#define PALPATE_FLAG_WINDING_NUMBER 32

/**
 * The first impact of some contact is not proven.
 */
#define PALPATE_FLAG_OPEN_IMPACT 64

/**
 * The step before had no contact with this key.
 */
#define PALPATE_EVENT_BEGAN 0

/**
 * The step before had it, too.
 */
#define PALPATE_EVENT_PERSISTS 1

/**
 * The step before had it, this one does not.
 */
#define PALPATE_EVENT_ENDED 2

/**
 * No vertex, cell, child, body or feature.
 */
#define PALPATE_NONE UINT32_MAX

/**
 * The element of a side is a point of a shape without vertices (a sphere, a plane).
 */
#define PALPATE_FEATURE_POINT 0

/**
 * The element is a vertex.
 */
#define PALPATE_FEATURE_VERTEX 1

/**
 * The element is an edge, or a segment of a line mesh.
 */
#define PALPATE_FEATURE_EDGE 2

/**
 * The element is a triangle.
 */
#define PALPATE_FEATURE_TRIANGLE 3

/**
 * The element is a tetrahedron.
 */
#define PALPATE_FEATURE_TETRAHEDRON 4

/**
 * The version of the binary interface: libraries of one version have the same functions and structs, and may have more. It
 * is the number in the soname, `libpalpate.so.1`.
 */
#define PALPATE_ABI_VERSION 1

/**
 * Cuts one mesh along what its edge sweeps, step by step. One call at a time.
 */
typedef struct palpate_blade palpate_blade;

/**
 * A function of space that is negative inside a body. Bodies and other functions that use it share it: free it with
 * `palpate_function_free` when it is no longer needed by the caller. Any thread.
 */
typedef struct palpate_function palpate_function;

/**
 * A geometry that is in no scene and no compound yet. Functions that take it over say so; otherwise free it
 * with `palpate_geometry_free`. One thread at a time.
 */
typedef struct palpate_geometry palpate_geometry;

/**
 * Follows what two jaws hold of one tissue. One call at a time.
 */
typedef struct palpate_grasp_tracker palpate_grasp_tracker;

/**
 * Bodies and pairs that are kept apart, whatever a solver does. One call at a time.
 */
typedef struct palpate_guard palpate_guard;

/**
 * The inside of a vessel with its centreline. One call at a time.
 */
typedef struct palpate_lumen palpate_lumen;

/**
 * Collision vertices as weighted sums of particles. Any thread; not changed once it is made.
 */
typedef struct palpate_mapping palpate_mapping;

/**
 * The rows of position-based dynamics (PBD, XPBD) of the contacts of a step. One call at a time.
 */
typedef struct palpate_pbd palpate_pbd;

/**
 * A tool that follows a target and stays outside of what its pairs are with. One call at a time; the scene belongs to the haptic
 * loop.
 */
typedef struct palpate_proxy palpate_proxy;

/**
 * Reads the contacts of a scene from another thread without waiting for its steps. One call at a time; it may outlive the scene.
 */
typedef struct palpate_reader palpate_reader;

/**
 * Records a scene step by step, so that a replay finds the same contacts, bit for bit. One call at a time.
 */
typedef struct palpate_recorder palpate_recorder;

/**
 * A recorded session, frame by frame. One call at a time.
 */
typedef struct palpate_replay palpate_replay;

/**
 * The rows of an impulse solver of the contacts of a step. One call at a time.
 */
typedef struct palpate_rigid palpate_rigid;

/**
 * Keeps the last seconds of a scene in bounded memory, and writes them on request. One call at a time.
 */
typedef struct palpate_ring palpate_ring;

/**
 * The state of a scene at a step, to go back to. Any thread; not changed once it is made.
 */
typedef struct palpate_saved palpate_saved;

/**
 * Geometries, pairs of them, and the contacts of the last step. One call at a time, from any thread; a second one meanwhile
 * fails with `PALPATE_BUSY`. Different scenes share nothing.
 */
typedef struct palpate_scene palpate_scene;

/**
 * Follows a shaft through one tissue: where it crosses the surface, the cells on its way, and what changes. Several tissues have
 * a tracker each. One call at a time.
 */
typedef struct palpate_shaft_tracker palpate_shaft_tracker;

/**
 * A text of palpate's. Free it with `palpate_text_free`.
 */
typedef struct palpate_text palpate_text;

/**
 * Which differences count.
 */
typedef struct palpate_diff_options {
    /**
     * Set by `palpate_diff_options_default`.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_DIFF_…`; `PALPATE_DIFF_EXACT` by default.
     */
    uint32_t policy;
    /**
     * Metres: of depths, and of the distance between points; 1e-9 by default.
     */
    double tolerance;
    /**
     * Radians: of the angle between directions; 1e-6 by default.
     */
    double angle;
    /**
     * Of depths: added to `tolerance`, relative to the larger depth; 0 by default.
     */
    double relative;
    /**
     * Of weights and times of impact; 1e-6 by default.
     */
    double unit_tolerance;
    /**
     * Metres: how far apart two contacts of different ids may be to be the same contact. Less than 0, the default: the larger of
     * `tolerance` and 1e-6 of the box round all points of the pair in the frame.
     */
    double same_within;
    /**
     * 1 if a baseline without a single contact is accepted; 0 by default: nothing would be verified.
     */
    uint32_t allow_empty;
    /**
     * `PALPATE_REPORT_…`: the form of the report; `PALPATE_REPORT_TEXT` by default.
     */
    uint32_t form;
} palpate_diff_options;

/**
 * What a call came to: `PALPATE_OK`, or one of the other `PALPATE_…` codes below. The text is in
 * `palpate_last_error`.
 */
typedef int32_t palpate_status;

/**
 * Writes the value of a function at a point (three coordinates, metres, the function's own frame) and its gradient (three
 * numbers). Returns 0, or another number if it fails. Called from any thread that steps a scene or queries it, also from
 * several at once; it must not throw, and must not call palpate with the scene.
 */
typedef int32_t (*palpate_sample_function)(void *user, const double *point, double *value, double *gradient);

/**
 * Frees what `user` points to; called once, when the callback is no longer needed. Null: nothing to free.
 */
typedef void (*palpate_destroy_function)(void *user);

/**
 * An implicit function of the host.
 */
typedef struct palpate_function_callbacks {
    /**
     * Set by `palpate_function_callbacks_default`.
     */
    uint32_t struct_size;
    /**
     * 1 if the value is the signed distance everywhere; 0 by default.
     */
    uint32_t is_distance;
    /**
     * The value and its gradient.
     */
    palpate_sample_function sample;
    /**
     * Passed to the callbacks.
     */
    void *user;
    /**
     * Frees `user` when nothing uses the function any more; may be null.
     */
    palpate_destroy_function destroy;
    /**
     * The number by which the value changes at most per metre; 1 for a distance. 0 if unknown: detectors that need a distance
     * refuse such a function. 1 by default.
     */
    double lipschitz;
    /**
     * The lower corner of a box around the body, the function's own frame.
     */
    double box_min[3];
    /**
     * The upper corner.
     */
    double box_max[3];
    /**
     * By how much the box has to grow per metre to contain all values up to a level: 1 (the default) for a distance, more
     * for a function that grows more slowly.
     */
    double growth;
} palpate_function_callbacks;

/**
 * A rigid transform from local to world coordinates.
 */
typedef struct palpate_pose {
    /**
     * The local origin: world frame, metres.
     */
    double position[3];
    /**
     * Unit quaternion w, x, y, z. Used bit for bit if its length is 1 within 1e-12, brought to 1 within 1e-6, and refused
     * beyond that.
     */
    double rotation[4];
} palpate_pose;

/**
 * Options of a mesh.
 */
typedef struct palpate_mesh_options {
    /**
     * Set by `palpate_mesh_options_default`.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_CLOSED_…`; for surfaces.
     */
    uint32_t closed;
    /**
     * `PALPATE_SIDEDNESS_…`; for surfaces.
     */
    uint32_t sidedness;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Radius of points and segments, thickness of surfaces; metres, 0 by default. Tetrahedra have none.
     */
    double radius;
} palpate_mesh_options;

/**
 * Points of the host, read during the call. All zero but `data` and `count`: `double`, without gaps, metres, right-handed.
 */
typedef struct palpate_points {
    /**
     * x, y, z of the first point; of any alignment. May be null if `count` is 0.
     */
    const void *data;
    /**
     * The number of points.
     */
    size_t count;
    /**
     * Bytes from one point to the next; 0 for points without gaps.
     */
    size_t stride;
    /**
     * `PALPATE_F64` or `PALPATE_F32`.
     */
    uint32_t scalar;
    /**
     * `PALPATE_MIRROR_…`: the axis that is negated.
     */
    uint32_t mirror;
    /**
     * Metres per unit: 0.01 for centimetres. 0 is read as 1.
     */
    double unit;
} palpate_points;

/**
 * Cells of the host, read during the call: 2 vertex ids of a segment, 3 of a triangle, 4 of a tetrahedron. All zero but
 * `data` and `count`: `uint32_t`, without gaps, in the order given.
 */
typedef struct palpate_cells {
    /**
     * The first vertex id of the first cell; of any alignment. May be null if `count` is 0.
     */
    const void *data;
    /**
     * The number of cells, not of indices.
     */
    size_t count;
    /**
     * Bytes from one cell to the next; 0 for cells without gaps.
     */
    size_t stride;
    /**
     * `PALPATE_U32`, `PALPATE_U16` or `PALPATE_I32`.
     */
    uint32_t index;
    /**
     * 1 to exchange the last two vertices of every cell, which turns triangles round; 0 by default. palpate wants triangles
     * counter-clockwise seen from outside, in right-handed coordinates. Mirrored vertices turn triangles round, too: those
     * that are clockwise from outside in a left-handed frame need 0.
     */
    uint32_t is_reversed;
} palpate_cells;

/**
 * Writes the point of a convex shape that is farthest along `direction` (three numbers, any length but 0); both in the
 * shape's local frame, metres. Returns 0, or another number if it fails. The same point for the same direction. Called from
 * any thread that steps a scene or queries it, also from several at once; it must not throw, and must not call palpate with
 * the scene.
 */
typedef int32_t (*palpate_support_function)(void *user, const double *direction, double *point);

/**
 * A convex shape of the host.
 */
typedef struct palpate_support_callbacks {
    /**
     * Set by `palpate_support_callbacks_default`.
     */
    uint32_t struct_size;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The support function.
     */
    palpate_support_function support;
    /**
     * Passed to the callbacks.
     */
    void *user;
    /**
     * Frees `user` when nothing uses the shape any more; may be null.
     */
    palpate_destroy_function destroy;
} palpate_support_callbacks;

/**
 * Options of a proxy and of its coupling.
 */
typedef struct palpate_proxy_options {
    /**
     * Set by `palpate_proxy_options_default`.
     */
    uint32_t struct_size;
    /**
     * The greatest number of steps in a tick; 8 by default.
     */
    uint32_t steps;
    /**
     * Metres: the greatest motion of a point of the tool between two detections; the margin of its pairs must be at least as
     * large. 0.002 by default.
     */
    double reach;
    /**
     * Newtons per metre; 500 by default.
     */
    double stiffness;
    /**
     * Newton seconds per metre; 0.2 by default.
     */
    double damping;
    /**
     * Newton metres per radian; 0 by default, for a device without torques.
     */
    double angular_stiffness;
    /**
     * Newtons: a greater force is cut to this; 5 by default.
     */
    double force_limit;
    /**
     * Newton metres: a greater torque is cut to this; 0.1 by default.
     */
    double torque_limit;
} palpate_proxy_options;

/**
 * A geometry of a scene: never reused within the scene, and never 0, which is none.
 */
typedef uint64_t palpate_geometry_id;

/**
 * What a tick came to.
 */
typedef struct palpate_tick {
    /**
     * The pose of the tool at the end of the tick.
     */
    struct palpate_pose pose;
    /**
     * How far obstacles that moved have pushed the tool's origin, metres.
     */
    double pushed[3];
    /**
     * Contacts of the tool within the margin.
     */
    size_t contacts;
    /**
     * Detections.
     */
    size_t detections;
    /**
     * 1 if the tool is outside of everything; 0 only if obstacles have closed on it.
     */
    uint32_t is_outside;
    /**
     * 0.
     */
    uint32_t reserved;
} palpate_tick;

/**
 * Force and torque on the device, world frame.
 */
typedef struct palpate_wrench {
    /**
     * Newtons.
     */
    double force[3];
    /**
     * Newton metres, about the device's origin.
     */
    double torque[3];
} palpate_wrench;

/**
 * How small the parts of a cut may be.
 */
typedef struct palpate_blade_options {
    /**
     * Set by `palpate_blade_options_default`.
     */
    uint32_t struct_size;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * A cut nearer than this to an end of an edge, as a part of the edge, goes through the vertex there; 0 to 0.5, 0.1 by default.
     */
    double snap;
    /**
     * The least length, area or volume of a part, in metres, square or cubic metres: a cut that would make a smaller one goes
     * through a vertex; 0 by default.
     */
    double least;
} palpate_blade_options;

/**
 * Where a blade passed through an edge of a mesh.
 */
typedef struct palpate_edge_cut {
    /**
     * The vertices of the edge, the lower first.
     */
    uint32_t edge[2];
    /**
     * The weight of the second vertex, 0 to 1.
     */
    double weight;
    /**
     * When the blade is there, 0 to 1.
     */
    double time;
} palpate_edge_cut;

/**
 * A vertex that a cut has added: a place on an edge, or the copy of a vertex.
 */
typedef struct palpate_new_vertex {
    /**
     * The vertices that the mesh had before; twice the same for a copy.
     */
    uint32_t of[2];
    /**
     * Their weights, which add up to 1 exactly.
     */
    double weights[2];
} palpate_new_vertex;

/**
 * What a cut made of a mesh. The cells that it did not touch, and all vertices that there were, keep their numbers.
 */
typedef struct palpate_division {
    /**
     * Where the blade passed through edges, in order of time; also where the cut was moved to a vertex.
     */
    const struct palpate_edge_cut *cuts;
    /**
     * Their number.
     */
    size_t cut_count;
    /**
     * The new vertices, from number `first_vertex` on.
     */
    const struct palpate_new_vertex *vertices;
    /**
     * Their number.
     */
    size_t vertex_count;
    /**
     * The cells that are gone, ascending.
     */
    const uint32_t *removed;
    /**
     * Their number.
     */
    size_t removed_count;
    /**
     * For each new cell, from number `first_cell` on, the one that it is part of.
     */
    const uint32_t *parents;
    /**
     * The number of new cells.
     */
    size_t cell_count;
    /**
     * The number of the first new vertex.
     */
    uint32_t first_vertex;
    /**
     * The number of the first new cell.
     */
    uint32_t first_cell;
} palpate_division;

/**
 * A cell that the edge of a blade passes through.
 */
typedef struct palpate_swept_cell {
    /**
     * The cell.
     */
    uint32_t cell;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * When the edge enters it and when it leaves it, 0 to 1: 0 if it was in it before, 1 if it is in it now.
     */
    double times[2];
} palpate_swept_cell;

/**
 * One side of a contact: the element, and the position of the contact on it.
 */
typedef struct palpate_feature {
    /**
     * One of `PALPATE_FEATURE_…`.
     */
    uint32_t kind;
    /**
     * 0 for a point, else 1 to 4.
     */
    uint32_t vertex_count;
    /**
     * Vertex ids, `PALPATE_NONE` beyond the count.
     */
    uint32_t vertices[4];
    /**
     * The cell that owns the element, of the highest dimension and the lowest number; for a shape without vertices the
     * number of its feature (box face 0 to 5, capsule end 0 or 1), or `PALPATE_NONE`.
     */
    uint32_t cell;
    /**
     * The child of a compound, or `PALPATE_NONE`.
     */
    uint32_t child;
    /**
     * Barycentric weights of the vertices, which locate the contact on the bare element, before any radius; in a
     * tetrahedron they locate the other side's point.
     */
    double weights[4];
    /**
     * The point on this side's own surface: world frame, metres.
     */
    double point[3];
} palpate_feature;

/**
 * One contact between side A and side B of a pair. A static contact has `a.point + depth * direction == b.point`, up to
 * rounding.
 */
typedef struct palpate_contact {
    /**
     * The element and the surface point of the first geometry.
     */
    struct palpate_feature a;
    /**
     * The element and the surface point of the second geometry.
     */
    struct palpate_feature b;
    /**
     * Unit vector that moves A out of B; B moves along its negative.
     */
    double direction[3];
    /**
     * Metres: zero or positive in contact, negative for a pair that is apart within the margin.
     */
    double depth;
    /**
     * A certified upper bound of the depth in metres; equals the depth where the method is exact.
     */
    double depth_upper;
    /**
     * 0 to 1 within the step for continuous detection, NaN for static detection.
     */
    double time_of_impact;
    /**
     * The same from step to step; with both children the key of the contact within its pair.
     */
    uint64_t id;
} palpate_contact;

/**
 * What two jaws hold of a tissue; everything is 0 and null if they hold nothing.
 */
typedef struct palpate_grasp {
    /**
     * The same from step to step while the jaws hold; 0 if they hold nothing.
     */
    uint64_t id;
    /**
     * How far the best pair is from slipping: the cosine of the larger angle between the line of the two contacts and their
     * normals, less that of the angle of friction. 0 on the edge of slipping, at most 1.
     */
    double closure;
    /**
     * The areas of the triangles that each jaw touches, square metres.
     */
    double areas[2];
    /**
     * The triangles of the tissue's surface that the first jaw touches, ascending.
     */
    const uint32_t *first_triangles;
    /**
     * Their number.
     */
    size_t first_triangle_count;
    /**
     * The triangles that the second jaw touches, ascending.
     */
    const uint32_t *second_triangles;
    /**
     * Their number.
     */
    size_t second_triangle_count;
    /**
     * The tetrahedra between opposed contacts, ascending; none of a surface.
     */
    const uint32_t *cells;
    /**
     * Their number.
     */
    size_t cell_count;
    /**
     * Opposed contacts, two numbers each: a contact of the first jaw, and its best of the second, by their places in the lists.
     */
    const uint32_t *pairs;
    /**
     * The number of pairs.
     */
    size_t pair_count;
} palpate_grasp;

/**
 * The sizes of a shaft in a vessel.
 */
typedef struct palpate_lumen_options {
    /**
     * Set by `palpate_lumen_options_default`.
     */
    uint32_t struct_size;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The radius of the shaft, metres; 0 by default.
     */
    double radius;
    /**
     * Contacts are listed down to this distance between shaft and wall, metres; 0 by default.
     */
    double margin;
    /**
     * How far beyond the wall the centreline of the shaft is seen, metres; 0 by default.
     */
    double reach;
} palpate_lumen_options;

/**
 * A place on a shaft.
 */
typedef struct palpate_shaft_place {
    /**
     * The section: 0 for the needle, 1 for the thread that follows it.
     */
    uint32_t section;
    /**
     * The segment within the section, from its front.
     */
    uint32_t segment;
    /**
     * The weight of the segment's rear end.
     */
    double weight;
    /**
     * The arc length from the tip, over all sections, metres.
     */
    double arc;
} palpate_shaft_place;

/**
 * A contact of a shaft with the wall of the vessel that it is in.
 */
typedef struct palpate_lumen_contact {
    /**
     * The place on the shaft.
     */
    struct palpate_shaft_place place;
    /**
     * The triangle of the wall.
     */
    uint32_t triangle;
    /**
     * The branch of the centreline nearest to the point of the shaft, or `PALPATE_NONE` without branches.
     */
    uint32_t branch;
    /**
     * The weights of the triangle's vertices.
     */
    double weights[3];
    /**
     * The point of the wall, world frame, metres.
     */
    double point[3];
    /**
     * Unit, from the wall into the lumen: moves the shaft out of the wall.
     */
    double direction[3];
    /**
     * How deep the shaft, with its radius, is in the wall, metres; negative when it is near it only.
     */
    double depth;
    /**
     * The place on the branch: its `arc` is counted from the beginning of the branch.
     */
    struct palpate_shaft_place branch_place;
} palpate_lumen_contact;

/**
 * A place where a shaft passes through the surface of a tissue.
 */
typedef struct palpate_shaft_crossing {
    /**
     * The same from step to step, while the crossing slides along the shaft and over triangles, and through cuts; never 0.
     */
    uint64_t id;
    /**
     * `PALPATE_PASSING_…`.
     */
    uint32_t passing;
    /**
     * The triangle of the surface, or of the boundary of a tetrahedral mesh.
     */
    uint32_t triangle;
    /**
     * Its vertices.
     */
    uint32_t vertices[3];
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Barycentric weights of the vertices.
     */
    double weights[3];
    /**
     * The place on the shaft.
     */
    struct palpate_shaft_place place;
    /**
     * World frame, metres.
     */
    double point[3];
    /**
     * The cosine of the angle between the shaft and the normal of the triangle: 1 where the shaft is perpendicular to the
     * surface.
     */
    double cosine;
} palpate_shaft_crossing;

/**
 * A part of a shaft in one tetrahedron.
 */
typedef struct palpate_shaft_stay {
    /**
     * The tetrahedron.
     */
    uint32_t cell;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Where the part begins on the shaft: its end nearer to the tip.
     */
    struct palpate_shaft_place first;
    /**
     * Where it ends.
     */
    struct palpate_shaft_place last;
    /**
     * Barycentric weights of the cell's vertices at both.
     */
    double weights[2][4];
} palpate_shaft_stay;

/**
 * A change from one step of a shaft to the next.
 */
typedef struct palpate_shaft_event {
    /**
     * The crossing, or 0 for an event of the tip.
     */
    uint64_t id;
    /**
     * `PALPATE_SHAFT_…`.
     */
    uint32_t kind;
    /**
     * Of a puncture 1 if the host had allowed it, else 0.
     */
    uint32_t is_allowed;
    /**
     * The triangles (slid) or the sections (passed) before and now; else `PALPATE_NONE`.
     */
    uint32_t changed[2];
} palpate_shaft_event;

/**
 * The tip of a shaft, and the surface that it may puncture.
 */
typedef struct palpate_shaft_tip {
    /**
     * How far the tip is in, along the shaft from the crossing nearest to it, metres; 0 if it is outside.
     */
    double depth;
    /**
     * The length of the shaft, metres.
     */
    double length;
    /**
     * 1 if the tip is inside, given that the rear end is outside.
     */
    uint32_t is_inside;
    /**
     * The tetrahedron that holds the tip, or `PALPATE_NONE`.
     */
    uint32_t cell;
    /**
     * 1 if the tip is outside and near the surface: the host decides whether it punctures it.
     */
    uint32_t is_near;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The distance of the tip from the surface that it is near, metres; else infinite.
     */
    double distance;
    /**
     * The cosine of the angle between the shaft's direction and the inward normal there: 1 where the tip points straight in,
     * less than 0 where it points away.
     */
    double cosine;
    /**
     * The element of the surface nearest to the tip, and the point. The surface contact of the tip has the same element.
     */
    struct palpate_feature feature;
} palpate_shaft_tip;

/**
 * How much a recording keeps.
 */
typedef struct palpate_recorder_options {
    /**
     * Set by `palpate_recorder_options_default`.
     */
    uint32_t struct_size;
    /**
     * Of so many recorded steps one is kept, the first; 1 by default: all.
     */
    uint32_t every;
    /**
     * Metres: how far a kept point may be from where it was; 0 by default: every bit is kept.
     */
    double error;
    /**
     * 1 to keep coordinates of points as single floats; 0 by default. `error` must be 0 then.
     */
    uint32_t single;
    /**
     * 0.
     */
    uint32_t reserved;
} palpate_recorder_options;

/**
 * A pair of a scene: never reused within the scene, and never 0, which is none.
 */
typedef uint64_t palpate_pair_id;

/**
 * A pair and its contacts in the last step.
 */
typedef struct palpate_pair_contacts {
    /**
     * The pair.
     */
    palpate_pair_id pair;
    /**
     * Side A of the contacts.
     */
    palpate_geometry_id a;
    /**
     * Side B; `a` again for self-contact.
     */
    palpate_geometry_id b;
    /**
     * The contacts, in an order that depends on the inputs alone. Read-only.
     */
    const struct palpate_contact *contacts;
    /**
     * Their number.
     */
    size_t count;
    /**
     * `PALPATE_OUTCOME_…`.
     */
    uint32_t outcome;
    /**
     * `PALPATE_FLAG_…`, added up.
     */
    uint32_t flags;
} palpate_pair_contacts;

/**
 * How the two surfaces of a pair meet. All zero but the factors, which are 1, is hard, without friction and rebound.
 */
typedef struct palpate_material {
    /**
     * The pair, or 0 for all pairs that have no material of their own.
     */
    palpate_pair_id pair;
    /**
     * Coulomb's coefficient of dynamic friction.
     */
    double friction;
    /**
     * The coefficient of static friction; at least `friction` is used.
     */
    double static_friction;
    /**
     * The speed of separation as a fraction of the speed of approach, 0 to 1.
     */
    double restitution;
    /**
     * Metres per second: slower approaches do not rebound.
     */
    double rebound_speed;
    /**
     * Metres per newton; 0 is hard.
     */
    double compliance;
    /**
     * Metres: the gap that is kept.
     */
    double thickness;
    /**
     * Factors on the inverse masses of side A and side B; 1 each by default.
     */
    double inverse_mass_scale[2];
    /**
     * Metres: the moment against rolling is no greater than this times the normal force; rigid bodies only.
     */
    double rolling_friction;
} palpate_material;

/**
 * A motion that was shortened.
 */
typedef struct palpate_shortened {
    /**
     * 0 for a particle, 1 for a rigid body or a tool.
     */
    uint32_t is_body;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The index of the particle, or of the pose.
     */
    size_t index;
    /**
     * The number of the pair that shortened it first.
     */
    size_t pair;
    /**
     * Metres: how far the end of the motion is from the wanted one; for a body, of its origin.
     */
    double lost;
    /**
     * Radians: the angle between the wanted rotation and that of the end; 0 for a particle.
     */
    double lost_turn;
} palpate_shortened;

/**
 * A tool that did not get where the host moved it to: something that does not give way is between.
 */
typedef struct palpate_contradiction {
    /**
     * The index of the tool's pose.
     */
    size_t tool;
    /**
     * The number of the pair that holds the tool back most.
     */
    size_t pair;
    /**
     * Metres: how far the tool, where the host wants it, is nearer to the other side of the pair than allowed.
     */
    double missing;
    /**
     * Unit, world frame: moves the tool away from the other side.
     */
    double direction[3];
} palpate_contradiction;

/**
 * What a guard has done in a step; without shortened motions, nothing. The arrays are valid until the next call with the guard.
 */
typedef struct palpate_guard_report {
    /**
     * Every motion that was shortened: particles first, then bodies, by index.
     */
    const struct palpate_shortened *shortened;
    /**
     * Their number.
     */
    size_t shortened_count;
    /**
     * Every tool that was cut short, by index.
     */
    const struct palpate_contradiction *contradictions;
    /**
     * Their number.
     */
    size_t contradiction_count;
    /**
     * Pairs of elements that could meet in the step, each of which is proved not to.
     */
    size_t near;
    /**
     * Pairs of elements that touch or cross at the start of the step: these are not guarded.
     */
    size_t crossing;
    /**
     * Passes over the pairs; 1 if nothing was shortened.
     */
    size_t rounds;
    /**
     * Pairs of elements that were put back to where they were at the start, since nothing else helped.
     */
    size_t frozen;
} palpate_guard_report;

/**
 * The velocity of a rigid body.
 */
typedef struct palpate_velocity {
    /**
     * Of the centre of mass, metres per second.
     */
    double linear[3];
    /**
     * Radians per second, world frame.
     */
    double angular[3];
} palpate_velocity;

/**
 * A rigid body of XPBD.
 */
typedef struct palpate_rigid_body {
    /**
     * From body to world. The body's origin is its centre of mass, its axes are the principal ones.
     */
    struct palpate_pose pose;
    /**
     * The pose at the start of the step.
     */
    struct palpate_pose previous;
    /**
     * One per kilogram; 0 for an immovable body.
     */
    double inverse_mass;
    /**
     * One over the principal moments, along the body's axes.
     */
    double inverse_inertia[3];
} palpate_rigid_body;

/**
 * The host's particles and rigid bodies, which rows read and move.
 */
typedef struct palpate_pbd_state {
    /**
     * Set by `palpate_pbd_state_default`.
     */
    uint32_t struct_size;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * The number of particles.
     */
    size_t particle_count;
    /**
     * The number of rigid bodies.
     */
    size_t body_count;
    /**
     * Positions of the particles, three `double` each, metres.
     */
    double *particles;
    /**
     * Positions at the start of the step, three `double` each.
     */
    const double *previous;
    /**
     * One per kilogram for each particle; 0 for one that does not move.
     */
    const double *inverse_masses;
    /**
     * The rigid bodies.
     */
    struct palpate_rigid_body *bodies;
} palpate_pbd_state;

/**
 * What a geometry moves with. Particles are for PBD alone.
 */
typedef struct palpate_body {
    /**
     * The geometry.
     */
    palpate_geometry_id geometry;
    /**
     * `PALPATE_BODY_…`.
     */
    uint32_t kind;
    /**
     * The index of a particle or of a rigid body.
     */
    uint32_t index;
    /**
     * A point of a kinematic body at the end of the step: world frame, metres.
     */
    double center[3];
    /**
     * The velocity of that point, metres per second.
     */
    double velocity[3];
    /**
     * The angular velocity of a kinematic body, radians per second, world frame.
     */
    double spin[3];
    /**
     * The mapping of an embedded surface, or null.
     */
    const struct palpate_mapping *mapping;
} palpate_body;

/**
 * One row: a contact as a constraint on the gap, in metres, which a solver keeps at 0 or more.
 */
typedef struct palpate_pbd_row {
    /**
     * The pair.
     */
    palpate_pair_id pair;
    /**
     * The `id` of the contact.
     */
    uint64_t id;
    /**
     * The children of side A and B, or `PALPATE_NONE`.
     */
    uint32_t children[2];
    /**
     * Unit direction along which the gap grows when side A moves.
     */
    double direction[3];
    /**
     * Two unit vectors that complete it to a right-handed frame.
     */
    double tangents[2][3];
    /**
     * The gap in the given state, metres.
     */
    double gap;
    /**
     * The multipliers along the direction and both tangents, kilogram metres.
     */
    double multipliers[3];
    /**
     * Where the row's particles begin in the list of entries.
     */
    uint32_t first_entry;
    /**
     * The number of its particles.
     */
    uint32_t entry_count;
    /**
     * The rigid bodies of the row, or `PALPATE_NONE`; two of them if both sides are rigid, the first of side A.
     */
    uint32_t bodies[2];
    /**
     * The gradient of the gap with respect to each body's centre of mass.
     */
    double body_gradients[2][3];
    /**
     * The gradient with respect to a rotation about it.
     */
    double body_turns[2][3];
} palpate_pbd_row;

/**
 * One particle of a row.
 */
typedef struct palpate_pbd_entry {
    /**
     * The particle.
     */
    uint32_t particle;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Its weight in the point of side A minus that in the point of side B: the gradient of the gap is `weight * direction`.
     */
    double weight;
    /**
     * The factor on its inverse mass.
     */
    double scale;
} palpate_pbd_entry;

/**
 * Settings of the rows of rigid bodies.
 */
typedef struct palpate_rigid_settings {
    /**
     * Set by `palpate_rigid_settings_default`.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_BAUMGARTE` (the default) or `PALPATE_SPLIT_IMPULSE`.
     */
    uint32_t stabilization;
    /**
     * 1 to bound each tangent by itself, for LCP solvers; 0 (the default) for Coulomb's cone.
     */
    uint32_t is_pyramid;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Seconds, greater than 0; 0.01 by default.
     */
    double step;
    /**
     * Metres of penetration that are left alone; 0 by default.
     */
    double slop;
    /**
     * The fraction of the rest that is corrected in a step; 0.2 by default.
     */
    double push_rate;
    /**
     * The greatest speed of that correction, metres per second; unlimited by default.
     */
    double most_push_speed;
} palpate_rigid_settings;

/**
 * Centre of mass, mass and inertia of a rigid body at its present pose.
 */
typedef struct palpate_mass {
    /**
     * The centre of mass: world frame, metres.
     */
    double center[3];
    /**
     * One per kilogram; 0 for an immovable body.
     */
    double inverse;
    /**
     * The inverse of the inertia about the centre of mass, world frame, row by row.
     */
    double inverse_inertia[3][3];
} palpate_mass;

/**
 * One contact as three velocity constraints: 0 the normal, 1 and 2 the tangents.
 */
typedef struct palpate_rigid_row {
    /**
     * The pair.
     */
    palpate_pair_id pair;
    /**
     * The `id` of the contact.
     */
    uint64_t id;
    /**
     * The children of side A and B, or `PALPATE_NONE`.
     */
    uint32_t children[2];
    /**
     * The rigid bodies of side A and B, or `PALPATE_NONE`.
     */
    uint32_t bodies[2];
    /**
     * Unit direction that moves A out of B.
     */
    double direction[3];
    /**
     * Two unit vectors that complete it to a right-handed frame.
     */
    double tangents[2][3];
    /**
     * The Jacobian: for each constraint and side the linear, then the angular part.
     */
    double jacobian[3][2][6];
    /**
     * Effective masses in kilograms; 0 if neither side moves.
     */
    double effective_masses[3];
    /**
     * The gap when the contact was found, less the thickness; metres.
     */
    double gap;
    /**
     * The velocity that the normal constraint has to reach, metres per second.
     */
    double target;
    /**
     * The accumulated impulses, newton seconds; 0 or more along the normal.
     */
    double impulses[3];
} palpate_rigid_row;

/**
 * Holds a place of a shaft at a place in tissue in the two directions across the shaft; along it friction resists. The host keeps one
 * for every crossing of a shaft, with the vertices and weights that the crossing had when it was new, and sets segment and weight
 * anew in every step. In every step (or substep) `across`, `along` begin at 0.
 */
typedef struct palpate_sliding {
    /**
     * The particles of the tissue; those of weight 0 are not looked at.
     */
    uint32_t tissue[4];
    /**
     * Their weights, which add up to 1.
     */
    double weights[4];
    /**
     * 0 if the ends of the segment are particles, 1 if they are points fixed in a rigid body.
     */
    uint32_t is_rigid;
    /**
     * The rigid body, if it is one.
     */
    uint32_t body;
    /**
     * The particles at the ends of the segment, if it has some.
     */
    uint32_t particles[2];
    /**
     * The ends in the body's frame, if it is of a rigid body.
     */
    double ends[2][3];
    /**
     * The weight of the segment's second end.
     */
    double weight;
    /**
     * Across the shaft, metres per newton; 0 is rigid.
     */
    double compliance;
    /**
     * Coulomb's coefficient: of the force across, how much resists along the shaft.
     */
    double friction;
    /**
     * Newtons that resist along the shaft whatever the force across.
     */
    double grip;
    /**
     * The multiplier across the shaft, kilogram metres, accumulated since the step began.
     */
    double across[3];
    /**
     * The multiplier along the shaft.
     */
    double along;
    /**
     * The force of the shaft on the tissue, newtons, world frame: set by `palpate_sliding_project`.
     */
    double force[3];
    /**
     * The offset across the shaft of the tissue's place from the shaft's, metres: set by `palpate_sliding_project`.
     */
    double offset[3];
} palpate_sliding;

/**
 * How much a ring keeps, and when it is worth writing.
 */
typedef struct palpate_ring_options {
    /**
     * Set by `palpate_ring_options_default`.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_FLAG_…`, added up: fires when a detector sets one of them; 0 by default.
     */
    uint32_t flags;
    /**
     * Seconds from the first kept step to the last; 10 by default.
     */
    double seconds;
    /**
     * Metres: fires when a contact is deeper; infinite by default.
     */
    double depth;
    /**
     * Bytes of all kept steps together: older ones are dropped first, whatever `seconds` says; 256 MiB by default.
     */
    uint64_t bytes;
} palpate_ring_options;

/**
 * Options of a geometry in a scene.
 */
typedef struct palpate_add_options {
    /**
     * Set by `palpate_add_options_default`.
     */
    uint32_t struct_size;
    /**
     * The groups that it is a member of, a bit each; the first by default.
     */
    uint32_t membership;
    /**
     * The groups that it may collide with, for pairs by groups; all by default.
     */
    uint32_t mask;
    /**
     * 0.
     */
    uint32_t reserved;
    /**
     * Anything of the host's; 0 by default.
     */
    uint64_t user_data;
} palpate_add_options;

/**
 * Decides whether a contact between geometry `a` (side A) and `b` is kept: 1 for yes, 0 for no, another number if it fails. The
 * same answer for the same contact. It must not throw, and must not call palpate with the scene.
 */
typedef int32_t (*palpate_filter_function)(void *user,
                                           palpate_geometry_id a,
                                           palpate_geometry_id b,
                                           const struct palpate_contact *contact);

/**
 * What `palpate_scene_debug_lines` draws.
 */
typedef struct palpate_debug_options {
    /**
     * Set by `palpate_debug_options_default`.
     */
    uint32_t struct_size;
    /**
     * 1 (the default) for edges of meshes, outlines of shapes, points as crosses.
     */
    uint32_t shapes;
    /**
     * 1 for the boxes of the broad phase; 0 by default.
     */
    uint32_t boxes;
    /**
     * 1 (the default) for contacts: from the point of side A to that of side B, and the way out of A.
     */
    uint32_t contacts;
    /**
     * Metres: the length of the ways out and of crosses, and half the side of what is drawn of a plane; 0.01 by default.
     */
    double size;
} palpate_debug_options;

/**
 * A coloured segment.
 */
typedef struct palpate_line {
    /**
     * Both ends, world frame, metres.
     */
    double ends[2][3];
    /**
     * Red, green, blue, opacity; 0 to 255.
     */
    uint8_t color[4];
} palpate_line;

/**
 * One task of a loop of palpate: to be called once for every index. Does not throw.
 */
typedef void (*palpate_task_function)(void *context, size_t index);

/**
 * Runs a loop on the host's threads: calls `task(context, index)` once for every index below `count`, in any order, on any
 * threads, and returns when all are done: 0, or another number if it failed. Must not throw, and must not call palpate with the
 * scene.
 */
typedef int32_t (*palpate_parallel_for_function)(void *user,
                                                 size_t count,
                                                 palpate_task_function task,
                                                 void *context);

/**
 * Options of a scene.
 */
typedef struct palpate_scene_options {
    /**
     * Set by `palpate_scene_options_default`.
     */
    uint32_t struct_size;
    /**
     * Threads of the detectors: 1 (the default) for the calling one, 0 for one per core. The contacts are the same bit for bit.
     */
    uint32_t threads;
    /**
     * The host's threads in place of palpate's own: `threads` of them, 2 or more; null by default.
     */
    palpate_parallel_for_function parallel_for;
    /**
     * Passed to `parallel_for`.
     */
    void *user;
    /**
     * Frees `user` with the scene; may be null.
     */
    palpate_destroy_function destroy;
} palpate_scene_options;

/**
 * Settings of a detector. A setting means the same in every detector that has it (docs/settings.md); `PALPATE_UNSET`, or a NaN
 * for a number, leaves it at its default. One that the pair's detector does not have is an error.
 */
typedef struct palpate_settings {
    /**
     * Set by `palpate_settings_default`.
     */
    uint32_t struct_size;
    /**
     * 1 for several points per contact area, 0 for one.
     */
    uint32_t manifold;
    /**
     * `PALPATE_INTERNAL_EDGES_…`.
     */
    uint32_t internal_edges;
    /**
     * `PALPATE_SIDES_…`.
     */
    uint32_t sides;
    /**
     * `PALPATE_VERTICES_…`.
     */
    uint32_t vertices;
    /**
     * 1 to test edges beside vertices, 0 not to.
     */
    uint32_t edges;
    /**
     * 1 to start from the contact of the last step.
     */
    uint32_t coherent;
    /**
     * 1 to keep the deepest points of up to four steps.
     */
    uint32_t accumulate;
    /**
     * The greatest gap between the bounds of a depth, relative to the size of the bodies.
     */
    double tolerance;
    /**
     * How far the anchors of an accumulated point may separate, relative to the smaller body.
     */
    double breaking;
} palpate_settings;

/**
 * Options of a pair.
 */
typedef struct palpate_pair_options {
    /**
     * Set by `palpate_pair_options_default`.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_DETECTION_…`, where no detector is named; static by default.
     */
    uint32_t detection;
    /**
     * Metres: pairs closer than this are reported too, with negative depth; 0 by default.
     */
    double margin;
    /**
     * The name of a detector or an alias, as `sphere_capsule`; null (the default) for the one of the two kinds.
     */
    const char *detector;
    /**
     * Settings as a struct, or null.
     */
    const struct palpate_settings *settings;
    /**
     * Settings as a JSON object, or null; they go before those of the struct.
     */
    const char *settings_json;
} palpate_pair_options;

/**
 * Finds the contacts of geometry `a` (side A) and `b` (`a` again for self-contact): world frame, depths of at least -`margin`.
 * Writes a pointer to them and their count, 0 before the call; the memory is the host's, and read before the step goes on. It
 * returns 0, or another number if it fails. It must not throw, and must not call palpate with the scene.
 */
typedef int32_t (*palpate_detector_function)(void *user,
                                             palpate_geometry_id a,
                                             palpate_geometry_id b,
                                             double margin,
                                             const struct palpate_contact **contacts,
                                             size_t *count);

/**
 * The signed distance from a point to a solid.
 */
typedef struct palpate_distance {
    /**
     * Metres; negative inside.
     */
    double distance;
    /**
     * The closest surface point: world frame, metres.
     */
    double nearest[3];
    /**
     * Unit gradient of the distance, outward; world frame.
     */
    double gradient[3];
    /**
     * The number of the surface feature (box face 0 to 5, capsule end 0 or 1), or `PALPATE_NONE`.
     */
    uint32_t feature;
    /**
     * The child of a compound, or `PALPATE_NONE`.
     */
    uint32_t child;
    /**
     * 1 if the distance is exact, 0 if it is a bound.
     */
    uint32_t is_exact;
    /**
     * 0.
     */
    uint32_t reserved;
} palpate_distance;

/**
 * The cell or vertex closest to a point.
 */
typedef struct palpate_nearest {
    /**
     * Metres to the bare element; 0 inside a tetrahedron; infinite if the geometry has no such element.
     */
    double distance;
    /**
     * The element, its weights and its closest point: world frame, metres.
     */
    struct palpate_feature feature;
} palpate_nearest;

/**
 * A ray.
 */
typedef struct palpate_ray {
    /**
     * World frame, metres.
     */
    double origin[3];
    /**
     * Any length but 0.
     */
    double direction[3];
    /**
     * Metres; infinite for no end.
     */
    double length;
} palpate_ray;

/**
 * The first hit of a ray.
 */
typedef struct palpate_hit {
    /**
     * Metres along the ray; infinite without a hit.
     */
    double distance;
    /**
     * Unit outward normal, world frame.
     */
    double normal[3];
    /**
     * The element hit; its point is the hit point.
     */
    struct palpate_feature feature;
    /**
     * The geometry hit, or 0.
     */
    palpate_geometry_id geometry;
    /**
     * `PALPATE_CROSSING_…`.
     */
    uint32_t crossing;
    /**
     * 0.
     */
    uint32_t reserved;
} palpate_hit;

/**
 * The surface point of a scene that is closest to a point.
 */
typedef struct palpate_closest {
    /**
     * Metres from the surface, which includes radii; negative inside a solid, or within the radius of a cell; infinite if
     * nothing is within reach.
     */
    double distance;
    /**
     * The cell or vertex that is closest, with its weights, or the number of the feature of a shape (box face 0 to 5, capsule end
     * 0 or 1); its point is the closest surface point: world frame, metres.
     */
    struct palpate_feature feature;
    /**
     * The geometry, or 0.
     */
    palpate_geometry_id geometry;
} palpate_closest;

/**
 * Summary of a step.
 */
typedef struct palpate_step_report {
    /**
     * Pairs whose detector ran.
     */
    size_t pairs_run;
    /**
     * Pairs added one by one that were apart.
     */
    size_t pairs_apart;
    /**
     * Contacts of all pairs.
     */
    size_t contacts;
} palpate_step_report;

/**
 * What a step changed about a contact.
 */
typedef struct palpate_event {
    /**
     * The pair; it may have been removed if the contact ended.
     */
    palpate_pair_id pair;
    /**
     * The `id` of the contact; with both children its key.
     */
    uint64_t id;
    /**
     * The children of side A and B, or `PALPATE_NONE`.
     */
    uint32_t children[2];
    /**
     * `PALPATE_EVENT_…`.
     */
    uint32_t change;
    /**
     * The place of the contact in the pair's list, or `PALPATE_NONE` if it ended.
     */
    uint32_t contact;
} palpate_event;

/**
 * What the library was built with.
 */
typedef struct palpate_build_info {
    /**
     * Set by the caller to `sizeof(palpate_build_info)` of its header.
     */
    uint32_t struct_size;
    /**
     * `PALPATE_ABI_VERSION` of the library.
     */
    uint32_t abi_version;
    /**
     * The version of palpate, as "0.1.0". Static.
     */
    const char *version;
    /**
     * `sizeof(palpate_contact)`.
     */
    uint32_t contact_size;
    /**
     * `sizeof(palpate_pose)`.
     */
    uint32_t pose_size;
    /**
     * `sizeof(void *)`.
     */
    uint32_t pointer_size;
    /**
     * 1 if the library was built with optimisation, 0 for a debug build.
     */
    uint32_t is_optimized;
} palpate_build_info;

/**
 * Receives the status and the text of a call that failed; the text is valid until it returns. Called on the thread of the
 * call. It must not throw.
 */
typedef void (*palpate_log_function)(void *user, palpate_status status, const char *text);

/**
 * The call has done what it says.
 */
#define PALPATE_OK 0

/**
 * A pointer is null that must not be.
 */
#define PALPATE_NULL 1

/**
 * A value is not one of those that are wanted: a number that is not finite, a wrong `struct_size`, an unknown setting.
 */
#define PALPATE_INVALID_ARGUMENT 2

/**
 * An id is zero, of another scene, of another type, or of something that was removed.
 */
#define PALPATE_INVALID_HANDLE 3

/**
 * No detector serves the pair, or the geometry is of a kind that does not have what is asked for.
 */
#define PALPATE_UNSUPPORTED 4

/**
 * An index, a count or a size is out of range.
 */
#define PALPATE_OUT_OF_RANGE 5

/**
 * A buffer is too small; the count that is returned is the one that is needed. Nothing else was done.
 */
#define PALPATE_BUFFER_TOO_SMALL 6

/**
 * Another thread is in a call with this object, or the call comes from a callback of a call with it.
 */
#define PALPATE_BUSY 7

/**
 * A callback of the host returned an error. What the call was to change is as before it.
 */
#define PALPATE_CALLBACK_FAILED 8

/**
 * A fault of palpate was caught. The object of the call refuses all further calls but the one that frees it.
 */
#define PALPATE_PANIC 9

/**
 * There is nothing of this name or at this place.
 */
#define PALPATE_NOT_FOUND 10

/**
 * A file cannot be read or written.
 */
#define PALPATE_FILE 11

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The default options of a comparison.
 */
struct palpate_diff_options palpate_diff_options_default(void);

/**
 * Compares the contacts of two files, the baseline first: files of contacts, sessions (which are replayed) or snapshots (which are
 * compared by the tolerances that they state). Writes how many differences count, and a report, which may be null, to be freed with
 * `palpate_text_free`. `options` may be null. Errors: `PALPATE_FILE`.
 */
palpate_status palpate_diff(const char *baseline,
                            const char *now,
                            const struct palpate_diff_options *options,
                            uint64_t *count,
                            struct palpate_text **report);

/**
 * Frees a geometry that nothing has taken over. Null is allowed.
 */
void palpate_geometry_free(struct palpate_geometry *geometry);

/**
 * Makes a compound of `count` geometries, numbered from 0. They are taken over, and freed if the call fails. Children have
 * world coordinates, like any geometry; a compound among them is replaced by its own children.
 */
palpate_status palpate_geometry_compound(struct palpate_geometry *const *children,
                                         size_t count,
                                         struct palpate_geometry **geometry);

/**
 * The default callbacks: `sample` and the box have to be set.
 */
struct palpate_function_callbacks palpate_function_callbacks_default(void);

/**
 * Makes a function of the host. `destroy` is called when nothing uses it any more; also if this call fails, but not if
 * `callbacks` is null or has a wrong `struct_size`.
 */
palpate_status palpate_function_callback(const struct palpate_function_callbacks *callbacks,
                                         struct palpate_function **function);

/**
 * Frees the caller's share of a function. Null is allowed.
 */
void palpate_function_free(struct palpate_function *function);

/**
 * Makes the body where a function is negative, with all lengths multiplied by `scale` (greater than 0), then posed. A null
 * pose is the identity. The function stays the caller's.
 */
palpate_status palpate_geometry_implicit(const struct palpate_pose *pose,
                                         double scale,
                                         const struct palpate_function *function,
                                         struct palpate_geometry **geometry);

/**
 * Makes a function from its JSON description, an object with one key, as `{"torus": {…}}` (docs/detect-json.md).
 */
palpate_status palpate_function_json(const char *json,
                                     struct palpate_function **function);

/**
 * Makes the function of a solid shape: a sphere, capsule, cylinder, box, ellipsoid, cone, hull or plane, which stays the
 * caller's. Errors: `PALPATE_UNSUPPORTED` for another geometry.
 */
palpate_status palpate_function_of_shape(struct palpate_geometry *shape,
                                         struct palpate_function **function);

/**
 * Makes a grid of signed distances: `size` samples along x, y and z (2 or more each), the one at `origin` first, x fastest,
 * `spacing` metres apart. `values` has `size[0] * size[1] * size[2]` numbers of the type `scalar`, which are copied.
 */
palpate_status palpate_function_grid(const double *origin,
                                     const double *spacing,
                                     const size_t *size,
                                     const void *values,
                                     uint32_t scalar,
                                     struct palpate_function **function);

/**
 * Makes a function of others, which stay the caller's: `operation` is one of `PALPATE_UNION` … `PALPATE_OFFSET`, `parameter` what
 * that names, else 0.
 */
palpate_status palpate_function_combine(uint32_t operation,
                                        const struct palpate_function *const *functions,
                                        size_t count,
                                        double parameter,
                                        struct palpate_function **function);

/**
 * Makes a geometry of any kind from its JSON description (docs/detect-json.md): what `palpate detect` reads, what
 * `palpate_scene_geometry_json` writes. With a `folder` a mesh may name a file, a relative one in that folder; with null, files
 * are refused.
 */
palpate_status palpate_geometry_json(const char *json,
                                     const char *folder,
                                     struct palpate_geometry **geometry);

/**
 * The default options of a mesh.
 */
struct palpate_mesh_options palpate_mesh_options_default(void);

/**
 * Makes a mesh of `kind` (`PALPATE_POINT_SET`, `PALPATE_LINE_MESH`, `PALPATE_SURFACE_MESH` or `PALPATE_TETRA_MESH`) from copies of
 * the arrays. `cells` may be null for a point set; `options` may be null. Errors: an index out of range, a coordinate that is
 * not finite, a count that overflows.
 */
palpate_status palpate_geometry_mesh(uint32_t kind,
                                     const struct palpate_points *vertices,
                                     const struct palpate_cells *cells,
                                     const struct palpate_mesh_options *options,
                                     struct palpate_geometry **geometry);

/**
 * Makes a ball: `center` in metres, `radius` greater than 0.
 */
palpate_status palpate_geometry_sphere(const double *center,
                                       double radius,
                                       struct palpate_geometry **geometry);

/**
 * Makes a capsule: a segment of `length` (0 or more) along local +y about the origin, with a radius greater than 0; metres.
 * A null pose is the identity.
 */
palpate_status palpate_geometry_capsule(const struct palpate_pose *pose,
                                        double radius,
                                        double length,
                                        struct palpate_geometry **geometry);

/**
 * Makes a solid cylinder with its axis along local +y about the origin; metres. A null pose is the identity.
 */
palpate_status palpate_geometry_cylinder(const struct palpate_pose *pose,
                                         double radius,
                                         double length,
                                         struct palpate_geometry **geometry);

/**
 * Makes a solid cone with its axis along local +y and its tip there, about the middle of the axis; metres. A null pose is the
 * identity.
 */
palpate_status palpate_geometry_cone(const struct palpate_pose *pose,
                                     double radius,
                                     double length,
                                     struct palpate_geometry **geometry);

/**
 * Makes a box about its origin: three half extents greater than 0, in metres. A null pose is the identity.
 */
palpate_status palpate_geometry_box(const struct palpate_pose *pose,
                                    const double *half_extents,
                                    struct palpate_geometry **geometry);

/**
 * Makes an ellipsoid about its origin: three radii greater than 0, in metres. A null pose is the identity.
 */
palpate_status palpate_geometry_ellipsoid(const struct palpate_pose *pose,
                                          const double *radii,
                                          struct palpate_geometry **geometry);

/**
 * Makes a half-space below `position` seen along `normal` (any length but 0), or with `two_sided` 1 a sheet without an inside.
 */
palpate_status palpate_geometry_plane(const double *position,
                                      const double *normal,
                                      uint32_t two_sided,
                                      struct palpate_geometry **geometry);

/**
 * Makes the convex hull of points in its local frame, grown by `radius` (0 or more, metres). A null pose is the identity.
 */
palpate_status palpate_geometry_convex(const struct palpate_pose *pose,
                                       const struct palpate_points *vertices,
                                       double radius,
                                       struct palpate_geometry **geometry);

/**
 * The default callbacks: `support` has to be set.
 */
struct palpate_support_callbacks palpate_support_callbacks_default(void);

/**
 * Makes a convex shape of the host. Every detector of convex bodies takes it; it gets one contact point per pair, as it has no
 * faces. A null pose is the identity. `destroy` is called when nothing uses it any more; also if this call fails, but not if
 * `callbacks` is null or has a wrong `struct_size`.
 */
palpate_status palpate_geometry_support(const struct palpate_pose *pose,
                                        const struct palpate_support_callbacks *callbacks,
                                        struct palpate_geometry **geometry);

/**
 * The default options of a proxy.
 */
struct palpate_proxy_options palpate_proxy_options_default(void);

/**
 * Makes a proxy for a geometry at its present pose, which has to be outside of the obstacles. `options` may be null. Free it with
 * `palpate_proxy_free`. Errors: a tool without pairs, or with a pair whose margin is below the reach.
 */
palpate_status palpate_proxy_new(struct palpate_scene *scene,
                                 palpate_geometry_id tool,
                                 const struct palpate_proxy_options *options,
                                 struct palpate_proxy **proxy);

/**
 * Frees a proxy. Null is allowed.
 */
palpate_status palpate_proxy_free(struct palpate_proxy *proxy);

/**
 * Moves the tool toward `target` as far as it gets without entering an obstacle, and writes what that came to. Steps the scene some
 * times.
 */
palpate_status palpate_proxy_follow(struct palpate_proxy *proxy,
                                    struct palpate_scene *scene,
                                    const struct palpate_pose *target,
                                    struct palpate_tick *tick);

/**
 * Writes the force on the device at a pose after the last tick, `step` seconds after the one before: a spring and a damper that
 * return no more energy than they received.
 */
palpate_status palpate_proxy_wrench(struct palpate_proxy *proxy,
                                    const struct palpate_pose *device,
                                    double step,
                                    struct palpate_wrench *wrench);

/**
 * The default options of a blade.
 */
struct palpate_blade_options palpate_blade_options_default(void);

/**
 * Makes a blade that has cut nothing. `options` may be null. Free it with `palpate_blade_free`.
 */
palpate_status palpate_blade_new(const struct palpate_blade_options *options, struct palpate_blade **blade);

/**
 * Frees a blade. Null is allowed.
 */
palpate_status palpate_blade_free(struct palpate_blade *blade);

/**
 * Cuts a mesh of a scene along what the blade's edge, a row of at least two points, sweeps from `before` to `now`; both relative to
 * the mesh as it is now. Writes what that made of it, valid until the next cut of this blade. A partial cut ends in a front, which
 * the next one takes up. With scissors, cut with one edge and then with the other: where they meet, the second takes up the front
 * of the first. Errors: rows of different length, a mesh that is placed by a pose; nothing is changed then.
 */
palpate_status palpate_blade_cut(struct palpate_blade *blade,
                                 struct palpate_scene *scene,
                                 palpate_geometry_id mesh,
                                 const struct palpate_points *before,
                                 const struct palpate_points *now,
                                 struct palpate_division *division);

/**
 * Writes a pointer to the vertices at which the cut ends within the mesh, ascending, and their number; valid until the next call
 * with the blade.
 */
palpate_status palpate_blade_front(struct palpate_blade *blade,
                                   const uint32_t **vertices,
                                   size_t *count);

/**
 * Ends the cut: the next one begins another.
 */
palpate_status palpate_blade_lift(struct palpate_blade *blade);

/**
 * Writes a pointer to the cells of a mesh that a blade's edge passes through from `before` to `now`, in the order in which it enters
 * them, and their number; valid until the next call of this function, or until the scene is freed. Nothing is cut.
 */
palpate_status palpate_scene_swept_cells(struct palpate_scene *scene,
                                         palpate_geometry_id mesh,
                                         const struct palpate_points *before,
                                         const struct palpate_points *now,
                                         const struct palpate_swept_cell **cells,
                                         size_t *count);

/**
 * Removes the cells of a mesh that a ball touches: centre in the world frame, radius in metres. Writes a pointer to their numbers,
 * ascending, and how many there are; valid until the next call of this function, or until the scene is freed.
 */
palpate_status palpate_scene_cauterize(struct palpate_scene *scene,
                                       palpate_geometry_id mesh,
                                       const double *center,
                                       double radius,
                                       const uint32_t **removed,
                                       size_t *count);

/**
 * Makes a tracker that has seen nothing. Free it with `palpate_grasp_tracker_free`.
 */
palpate_status palpate_grasp_tracker_new(struct palpate_grasp_tracker **tracker);

/**
 * Frees a tracker. Null is allowed.
 */
palpate_status palpate_grasp_tracker_free(struct palpate_grasp_tracker *tracker);

/**
 * Looks at the contacts of two jaws (side A) with a tissue (side B), a closed surface or a tetra mesh of the scene, with Coulomb's
 * coefficient `friction`, and writes what they hold; valid until the next call with the tracker. A grasp begins with the first
 * opposed contacts, those whose line lies in both friction cones, and ends when there are none. The contacts may be those that
 * `palpate_scene_contacts` returns. Errors: as `palpate_shaft_tracker_update`; nothing is changed then.
 */
palpate_status palpate_grasp_tracker_update(struct palpate_grasp_tracker *tracker,
                                            struct palpate_scene *scene,
                                            palpate_geometry_id tissue,
                                            const struct palpate_contact *first,
                                            size_t first_count,
                                            const struct palpate_contact *second,
                                            size_t second_count,
                                            double friction,
                                            struct palpate_grasp *grasp);

/**
 * The default options of a shaft in a vessel.
 */
struct palpate_lumen_options palpate_lumen_options_default(void);

/**
 * Makes the inside of a vessel with `branch_count` rows of points as its centreline, each from its beginning, world frame; none are
 * allowed. Free it with `palpate_lumen_free`. Errors: a branch of fewer than two points, a coordinate that is not finite.
 */
palpate_status palpate_lumen_new(const struct palpate_points *branches,
                                 size_t branch_count,
                                 struct palpate_lumen **lumen);

/**
 * Frees a lumen. Null is allowed.
 */
palpate_status palpate_lumen_free(struct palpate_lumen *lumen);

/**
 * Writes a pointer to the contacts of a shaft, rows of points as of `palpate_shaft_tracker_update`, with the wall of a vessel, a
 * closed surface of the scene whose inside is the lumen, and their number; valid until the next call with the lumen. For each segment
 * the deepest, if it is nearer to the wall than the margin, in the order of the shaft. The contacts are one-sided: a segment
 * whose centreline is beyond the wall, by the reach at most, is pushed back inside. Errors: as `palpate_shaft_tracker_update`.
 */
palpate_status palpate_lumen_contacts(struct palpate_lumen *lumen,
                                      struct palpate_scene *scene,
                                      palpate_geometry_id vessel,
                                      const struct palpate_points *sections,
                                      size_t section_count,
                                      const struct palpate_lumen_options *options,
                                      const struct palpate_lumen_contact **contacts,
                                      size_t *count);

/**
 * Makes a tracker to which the tip touches a surface if it is no farther from it than `touch`, metres. `turned_cells` is 0, or 1
 * for a mesh with cells that are turned inside out: the path is then found by looking at every cell near the shaft, some five
 * times slower. Free it with `palpate_shaft_tracker_free`.
 */
palpate_status palpate_shaft_tracker_new(double touch,
                                         uint32_t turned_cells,
                                         struct palpate_shaft_tracker **tracker);

/**
 * Frees a tracker. Null is allowed.
 */
palpate_status palpate_shaft_tracker_free(struct palpate_shaft_tracker *tracker);

/**
 * Looks at a shaft and a tissue (a closed surface or a tetra mesh) of a scene as they are now. The shaft is `section_count` rows of
 * points, each from its front backward: the needle from its tip, then the thread that follows it. Where a row does not begin where
 * the one before ends, a segment joins the two. Prepares what has changed first. Errors: fewer than two points, a coordinate that
 * is not finite, an open surface, a mesh that is placed by a pose; nothing is changed then.
 */
palpate_status palpate_shaft_tracker_update(struct palpate_shaft_tracker *tracker,
                                            struct palpate_scene *scene,
                                            palpate_geometry_id tissue,
                                            const struct palpate_points *sections,
                                            size_t section_count);

/**
 * Writes a pointer to the crossings of the last update and their number, the nearest to the tip first: the channel of the needle and
 * of the thread behind it. Valid until the next call with the tracker that changes it.
 */
palpate_status palpate_shaft_tracker_crossings(struct palpate_shaft_tracker *tracker,
                                               const struct palpate_shaft_crossing **crossings,
                                               size_t *count);

/**
 * The same for the parts of the shaft in the cells of a tetra mesh, the nearest to the tip first; none for a surface.
 */
palpate_status palpate_shaft_tracker_path(struct palpate_shaft_tracker *tracker,
                                          const struct palpate_shaft_stay **stays,
                                          size_t *count);

/**
 * The same for what the last update changed: first of crossings, the nearest to the tip first, then of the tip.
 */
palpate_status palpate_shaft_tracker_events(struct palpate_shaft_tracker *tracker,
                                            const struct palpate_shaft_event **events,
                                            size_t *count);

/**
 * Writes where the tip is, and the surface near it that it may puncture.
 */
palpate_status palpate_shaft_tracker_tip(struct palpate_shaft_tracker *tracker,
                                         struct palpate_shaft_tip *tip);

/**
 * Lets the tip through the surface near it, until it has punctured it or left it: the decision is the host's, by its solver's force
 * on the tip's contact. Does nothing if the tip is near no surface.
 */
palpate_status palpate_shaft_tracker_allow(struct palpate_shaft_tracker *tracker);

/**
 * Writes 1 if the surface contact at a place of the shaft is left out, else 0: inside the tissue, within `distance` (metres, along
 * the shaft) of a crossing, and of the tip if it is allowed through. All other contacts of the shaft stay. The place is the one that
 * a contact names: the segment of a section, and the weight of the segment's rear end. May be asked from a filter
 * (`palpate_scene_set_filter`). Errors: no such section or segment.
 */
palpate_status palpate_shaft_tracker_is_let_through(struct palpate_shaft_tracker *tracker,
                                                    uint32_t section,
                                                    uint32_t segment,
                                                    double weight,
                                                    double distance,
                                                    uint32_t *is_let_through);

/**
 * Forgets everything but the ids that were given: the next update finds new crossings.
 */
palpate_status palpate_shaft_tracker_reset(struct palpate_shaft_tracker *tracker);

/**
 * Makes a reader of a scene's contacts, which every later step that succeeds publishes as long as there is one. Free it with
 * `palpate_reader_free`.
 */
palpate_status palpate_reader_new(struct palpate_scene *scene,
                                  struct palpate_reader **reader);

/**
 * Frees a reader. Null is allowed.
 */
palpate_status palpate_reader_free(struct palpate_reader *reader);

/**
 * Writes the contacts of all pairs in the newest finished step, in the order of the pairs, their number and the number of the step
 * (0 before the first); valid until the next call with the reader. Never waits for the scene. `step` may be null.
 */
palpate_status palpate_reader_contacts(struct palpate_reader *reader,
                                       const struct palpate_contact **contacts,
                                       size_t *count,
                                       uint64_t *step);

/**
 * The default options of a recorder.
 */
struct palpate_recorder_options palpate_recorder_options_default(void);

/**
 * `palpate_recorder_new` that keeps fewer bits or fewer steps. `options` may be null.
 */
palpate_status palpate_recorder_new_with(struct palpate_scene *scene,
                                         const char *file,
                                         const struct palpate_recorder_options *options,
                                         struct palpate_recorder **recorder);

/**
 * Starts a recording of a scene in a file that does not exist yet (HDF5, docs/recording.md). During it geometries and pairs must
 * not be added, removed or given other settings. Errors: `PALPATE_FILE`; a shape or a function of the host.
 */
palpate_status palpate_recorder_new(struct palpate_scene *scene,
                                    const char *file,
                                    struct palpate_recorder **recorder);

/**
 * Records the state of the scene after a step, at a time in seconds that must increase.
 */
palpate_status palpate_recorder_record(struct palpate_recorder *recorder,
                                       struct palpate_scene *scene,
                                       double time);

/**
 * Completes the file. A recorder that is freed before leaves a journal, which replays, too.
 */
palpate_status palpate_recorder_finish(struct palpate_recorder *recorder);

/**
 * Frees a recorder. Null is allowed.
 */
palpate_status palpate_recorder_free(struct palpate_recorder *recorder);

/**
 * Opens a session with the pairs that it names, or all that have a detector. Free it with `palpate_replay_free`.
 */
palpate_status palpate_replay_open(const char *file,
                                   struct palpate_replay **replay);

/**
 * Frees a replay. Null is allowed.
 */
palpate_status palpate_replay_free(struct palpate_replay *replay);

/**
 * Writes the number of frames.
 */
palpate_status palpate_replay_frame_count(struct palpate_replay *replay, size_t *count);

/**
 * Moves the geometries to a frame, from 0, finds its contacts, and writes its time in seconds and the pairs whose detectors ran;
 * valid until the next call with the replay. `time` may be null.
 */
palpate_status palpate_replay_detect(struct palpate_replay *replay,
                                     size_t frame,
                                     double *time,
                                     const struct palpate_pair_contacts **pairs,
                                     size_t *count);

/**
 * Writes the name of an object of a session with a final zero byte, and its length without that.
 */
palpate_status palpate_replay_name(struct palpate_replay *replay,
                                   palpate_geometry_id geometry,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *length);

/**
 * Writes a pointer to a text, which is UTF-8 and ends with a zero byte, and its length without that; valid until it is freed.
 */
palpate_status palpate_text_get(const struct palpate_text *text,
                                const char **bytes,
                                size_t *length);

/**
 * Frees a text. Null is allowed.
 */
void palpate_text_free(struct palpate_text *text);

/**
 * Takes a snapshot of the contacts of a recorded session: a stable text for a simulator's own tests, to be kept in a file and
 * compared with `palpate_snapshot_compare`. Cost: one replay.
 */
palpate_status palpate_snapshot_take(const char *file,
                                     struct palpate_text **snapshot);

/**
 * Compares two snapshots, the earlier first, and writes how many differences there are and a text with a line for each; `differences`
 * may be null. Lengths are compared with the tolerance that the earlier one names.
 */
palpate_status palpate_snapshot_compare(const char *before,
                                        const char *now,
                                        size_t *count,
                                        struct palpate_text **differences);

/**
 * A material that is hard, without friction and rebound, for all pairs.
 */
struct palpate_material palpate_material_default(void);

/**
 * Makes a guard of nothing. Free it with `palpate_guard_free`.
 */
palpate_status palpate_guard_new(struct palpate_guard **guard);

/**
 * Frees a guard. Null is allowed.
 */
palpate_status palpate_guard_free(struct palpate_guard *guard);

/**
 * Adds a geometry of a scene as a body of the guard, and writes its number, from 0. `kind` says what it moves with:
 * `PALPATE_BODY_STATIC` (at rest where it is), `_PARTICLES` (vertex `v` of a mesh is particle `index + v`), `_RIGID` or `_TOOL` (the
 * pose `index`; a shape is taken in its own frame, coordinates of meshes and children of a compound in the frame of the pose). Topology,
 * sizes, and coordinates of what does not move with particles are copied. Errors: a kind of geometry that the guard does not know (an
 * implicit body without a Lipschitz constant); particles for what is no mesh.
 */
palpate_status palpate_guard_add(struct palpate_guard *guard,
                                 struct palpate_scene *scene,
                                 palpate_geometry_id geometry,
                                 uint32_t kind,
                                 size_t index,
                                 size_t *body);

/**
 * Gives a body another geometry, or the same one after a cut; pairs keep their distances, with the radii of the new one. Errors: as
 * `palpate_guard_add`; another number of parts of a compound; a distance that with the new radii is not above 0. Then nothing is
 * changed.
 */
palpate_status palpate_guard_replace(struct palpate_guard *guard,
                                     size_t body,
                                     struct palpate_scene *scene,
                                     palpate_geometry_id geometry);

/**
 * Keeps two bodies at least `distance` metres apart between their surfaces, which include their radii, or one from itself; where they
 * are closer at the start of a step, they do not come closer. A negative distance allows radii to overlap by that much. Writes the
 * number of the pair, from 0; `pair` may be null. Errors: a distance that with the radii of both is not above 0.
 */
palpate_status palpate_guard_add_pair(struct palpate_guard *guard,
                                      size_t a,
                                      size_t b,
                                      double distance,
                                      size_t *pair);

/**
 * Shortens the motion of a step from `start` and `start_poses` to `particles` and `poses` such that no pair comes closer than it may:
 * call it after the solver, with all particles (three `double` each, metres, world frame) and all poses (body to world). Every particle
 * is then no farther from its start than it was, every body is shifted and turned no farther; what is in no pair is unchanged.
 * `start` and `particles` may be one array, as may be `start_poses` and `poses`; `report` may be null. Errors: a place of a body that is
 * not finite; particles or poses that a body moves with and that do not exist. Then no motion is changed, and the guard has no last step.
 */
palpate_status palpate_guard_hold(struct palpate_guard *guard,
                                  const double *start,
                                  double *particles,
                                  size_t particle_count,
                                  const struct palpate_pose *start_poses,
                                  struct palpate_pose *poses,
                                  size_t pose_count,
                                  struct palpate_guard_report *report);

/**
 * Writes 1 if the motion of a step is proved to need no shortening, so that `palpate_guard_hold` would change nothing, else 0. The guard
 * then has no last step: ask before it holds. Errors: as there.
 */
palpate_status palpate_guard_is_free(struct palpate_guard *guard,
                                     const double *start,
                                     const double *particles,
                                     size_t particle_count,
                                     const struct palpate_pose *start_poses,
                                     const struct palpate_pose *poses,
                                     size_t pose_count,
                                     uint32_t *is_free);

/**
 * Takes from the velocities of particles that the last `palpate_guard_hold` shortened what led against the shortening: none becomes
 * greater. `particles` are those that it left, `velocities` of all particles, three `double` each, in another array; `step` its seconds.
 * Errors: another number of particles than in that step, or no last step.
 */
palpate_status palpate_guard_slow(struct palpate_guard *guard,
                                  const double *particles,
                                  double *velocities,
                                  size_t particle_count,
                                  double step);

/**
 * The same for the velocities of all rigid bodies; those of tools are the host's, and stay. Errors: another number of bodies than in the
 * last step, or no last step.
 */
palpate_status palpate_guard_slow_bodies(struct palpate_guard *guard,
                                         struct palpate_velocity *velocities,
                                         size_t count,
                                         double step);

/**
 * Makes a mapping of `vertex_count` vertices: those of vertex `v` are the particles and weights from `starts[v]` up to
 * `starts[v + 1]`; `starts` has one more number than there are vertices. The weights of a vertex sum to 1. Free it with
 * `palpate_mapping_free`.
 */
palpate_status palpate_mapping_new(const uint32_t *starts,
                                   size_t vertex_count,
                                   const uint32_t *particles,
                                   const double *weights,
                                   struct palpate_mapping **mapping);

/**
 * Frees a mapping. Null is allowed.
 */
void palpate_mapping_free(struct palpate_mapping *mapping);

/**
 * A state without particles and rigid bodies.
 */
struct palpate_pbd_state palpate_pbd_state_default(void);

/**
 * Makes rows for steps (or substeps) of `step` seconds, greater than 0. Free them with `palpate_pbd_free`.
 */
palpate_status palpate_pbd_new(double step, struct palpate_pbd **pbd);

/**
 * Frees rows. Null is allowed.
 */
palpate_status palpate_pbd_free(struct palpate_pbd *pbd);

/**
 * Replaces the rows by those of the contacts of the scene's last step: one per contact, in the order of the pairs and of their
 * contacts. `state` has the positions in which the contacts were found; `bodies` says what geometries move with (those not
 * listed do not); `materials` how pairs meet. Errors: a particle or body that does not exist, a negative quantity; there are
 * then no rows.
 */
palpate_status palpate_pbd_gather(struct palpate_pbd *pbd,
                                  struct palpate_scene *scene,
                                  const struct palpate_pbd_state *state,
                                  const struct palpate_body *bodies,
                                  size_t body_count,
                                  const struct palpate_material *materials,
                                  size_t material_count);

/**
 * Starts the rows with `factor` times the multipliers that the rows of the same contacts had before the last gathering, and moves
 * the state accordingly.
 */
palpate_status palpate_pbd_warm_start(struct palpate_pbd *pbd,
                                      const struct palpate_pbd_state *state,
                                      double factor);

/**
 * Projects all rows in their order, gap and friction, `iterations` times, and moves the state.
 */
palpate_status palpate_pbd_project(struct palpate_pbd *pbd,
                                   const struct palpate_pbd_state *state,
                                   uint32_t iterations);

/**
 * Copies all rows and their particles to arrays of the host, which may be null to ask for the counts: those that are needed are
 * written to `row_count` and `entry_count`. Errors: `PALPATE_BUFFER_TOO_SMALL` if one of both is too short; then neither is
 * written. `state` has as many particles and bodies as when the rows were gathered.
 */
palpate_status palpate_pbd_rows(struct palpate_pbd *pbd,
                                const struct palpate_pbd_state *state,
                                struct palpate_pbd_row *rows,
                                size_t row_capacity,
                                size_t *row_count,
                                struct palpate_pbd_entry *entries,
                                size_t entry_capacity,
                                size_t *entry_count);

/**
 * The default settings of rows of rigid bodies.
 */
struct palpate_rigid_settings palpate_rigid_settings_default(void);

/**
 * Makes rows of rigid bodies. `settings` may be null. Free them with `palpate_rigid_free`.
 */
palpate_status palpate_rigid_new(const struct palpate_rigid_settings *settings, struct palpate_rigid **rigid);

/**
 * Frees rows. Null is allowed.
 */
palpate_status palpate_rigid_free(struct palpate_rigid *rigid);

/**
 * Replaces the rows by those of the contacts of the scene's last step: one per contact. `masses` and `velocities` are those of all
 * `count` rigid bodies, before the solve; `bodies` says what geometries move with, `materials` how pairs meet. Errors: a body
 * that does not exist, a negative quantity; there are then no rows.
 */
palpate_status palpate_rigid_gather(struct palpate_rigid *rigid,
                                    struct palpate_scene *scene,
                                    const struct palpate_mass *masses,
                                    const struct palpate_velocity *velocities,
                                    size_t count,
                                    const struct palpate_body *bodies,
                                    size_t body_count,
                                    const struct palpate_material *materials,
                                    size_t material_count);

/**
 * Starts the rows with `factor` times the impulses of the rows of the same contacts before the last gathering, and applies them.
 */
palpate_status palpate_rigid_warm_start(struct palpate_rigid *rigid,
                                        struct palpate_velocity *velocities,
                                        size_t count,
                                        double factor);

/**
 * Solves all rows in their order (projected Gauss-Seidel), each time rolling friction last, `iterations` times, and changes the
 * velocities.
 */
palpate_status palpate_rigid_solve(struct palpate_rigid *rigid,
                                   struct palpate_velocity *velocities,
                                   size_t count,
                                   uint32_t iterations);

/**
 * The same for split impulses: `velocities` are pseudo-velocities that begin at 0 in every step, move the poses once, and are then
 * forgotten.
 */
palpate_status palpate_rigid_solve_push(struct palpate_rigid *rigid,
                                        struct palpate_velocity *velocities,
                                        size_t count,
                                        uint32_t iterations);

/**
 * Copies all rows to an array of the host; `row_count` is set to how many there are. Errors: `PALPATE_BUFFER_TOO_SMALL`; nothing is
 * written to `rows` then.
 */
palpate_status palpate_rigid_rows(struct palpate_rigid *rigid,
                                  struct palpate_rigid_row *rows,
                                  size_t row_capacity,
                                  size_t *row_count);

/**
 * A sliding constraint of no weights: rigid and without friction.
 */
struct palpate_sliding palpate_sliding_default(void);

/**
 * Projects sliding constraints in their order, `iterations` times, in a step of `step` seconds, moves the state, and sets their
 * multipliers, forces and offsets; with 0 iterations forces and offsets alone. Errors: a particle or body that is not there, a
 * compliance, friction or grip that is negative or not finite; nothing is changed then.
 */
palpate_status palpate_sliding_project(struct palpate_sliding *slidings,
                                       size_t count,
                                       const struct palpate_pbd_state *state,
                                       double step,
                                       uint32_t iterations);

/**
 * The default options of a ring.
 */
struct palpate_ring_options palpate_ring_options_default(void);

/**
 * Starts to keep the last seconds of a scene; meanwhile geometries and pairs must not be added or removed. `options` may be null.
 * Free it with `palpate_ring_free`. Errors: a shape or a function of the host.
 */
palpate_status palpate_ring_new(struct palpate_scene *scene,
                                const struct palpate_ring_options *options,
                                struct palpate_ring **ring);

/**
 * Frees a ring, and forgets what it keeps. Null is allowed.
 */
palpate_status palpate_ring_free(struct palpate_ring *ring);

/**
 * Keeps the state of the scene after a step, at a time in seconds that must increase. Writes 1 to `fired` if the depth or the flags
 * of the options are met, once until `palpate_ring_rearm`, else 0; it may be null. Cost: a copy of what has moved.
 */
palpate_status palpate_ring_record(struct palpate_ring *ring,
                                   struct palpate_scene *scene,
                                   double time,
                                   uint32_t *fired);

/**
 * Lets the depth and the flags fire again.
 */
palpate_status palpate_ring_rearm(struct palpate_ring *ring);

/**
 * Writes how much is kept: steps, seconds from the first to the last, bytes. Each may be null.
 */
palpate_status palpate_ring_size(struct palpate_ring *ring, size_t *frames, double *seconds, size_t *bytes);

/**
 * Writes what is kept as a session, which replays to the same contacts, and goes on keeping. An existing file is replaced. Errors:
 * nothing was kept; `PALPATE_FILE`.
 */
palpate_status palpate_ring_write(struct palpate_ring *ring,
                                  const char *file);

/**
 * Adds a child to a compound, which is taken over, and freed if the call fails, and writes its number: the first of a compound's
 * children.
 */
palpate_status palpate_scene_add_child(struct palpate_scene *scene,
                                       palpate_geometry_id id,
                                       struct palpate_geometry *geometry,
                                       uint32_t *child);

/**
 * Removes a child of a compound. The others keep their numbers. Errors: `PALPATE_NOT_FOUND`.
 */
palpate_status palpate_scene_remove_child(struct palpate_scene *scene,
                                          palpate_geometry_id id,
                                          uint32_t child);

/**
 * Moves a child that has a pose: a shape, a hull, an implicit body. The pose is in the compound's coordinates.
 */
palpate_status palpate_scene_set_child_pose(struct palpate_scene *scene,
                                            palpate_geometry_id id,
                                            uint32_t child,
                                            const struct palpate_pose *pose);

/**
 * Moves the vertices of a child that is a mesh or a point set. Errors: as `palpate_scene_set_vertices`.
 */
palpate_status palpate_scene_set_child_vertices(struct palpate_scene *scene,
                                                palpate_geometry_id id,
                                                uint32_t child,
                                                const struct palpate_points *vertices);

/**
 * Writes a pointer to the contacts of a pair in the last step, and their number: the library's own memory, read-only, valid
 * until the next call that steps the scene, changes its geometries or pairs, or frees it.
 */
palpate_status palpate_scene_contacts(struct palpate_scene *scene,
                                      palpate_pair_id pair,
                                      const struct palpate_contact **contacts,
                                      size_t *count);

/**
 * Writes a pair with its contacts, outcome and flags; as `palpate_scene_contacts`.
 */
palpate_status palpate_scene_pair(struct palpate_scene *scene,
                                  palpate_pair_id pair,
                                  struct palpate_pair_contacts *info);

/**
 * Writes a pointer to the pairs whose detectors ran in the last step, in the order of their ids, and their number; valid as
 * long as the contacts of `palpate_scene_contacts`.
 */
palpate_status palpate_scene_active_pairs(struct palpate_scene *scene,
                                          const struct palpate_pair_contacts **pairs,
                                          size_t *count);

/**
 * Writes the deepest contact of the last step and its pair; pair 0, and the contact as it was, if there are no contacts.
 */
palpate_status palpate_scene_deepest(struct palpate_scene *scene,
                                     palpate_pair_id *pair,
                                     struct palpate_contact *contact);

/**
 * The default options of a geometry in a scene.
 */
struct palpate_add_options palpate_add_options_default(void);

/**
 * Adds a geometry under a name that no other of the scene has, and writes its id. The geometry is taken over, and freed if the
 * call fails. `options` may be null. Errors: a name in use; a kind that the pairs by groups do not support.
 */
palpate_status palpate_scene_add(struct palpate_scene *scene,
                                 const char *name,
                                 struct palpate_geometry *geometry,
                                 const struct palpate_add_options *options,
                                 palpate_geometry_id *id);

/**
 * Removes a geometry and all its pairs. Its id and theirs are not used again.
 */
palpate_status palpate_scene_remove(struct palpate_scene *scene, palpate_geometry_id id);

/**
 * Puts another geometry, of any kind, in the place of one. It is taken over, and freed if the call fails. Id, name, groups and
 * pairs stay; the pairs start without memory.
 */
palpate_status palpate_scene_replace(struct palpate_scene *scene,
                                     palpate_geometry_id id,
                                     struct palpate_geometry *geometry);

/**
 * Finds a geometry by its name. Errors: `PALPATE_NOT_FOUND`.
 */
palpate_status palpate_scene_find(struct palpate_scene *scene, const char *name, palpate_geometry_id *id);

/**
 * Writes the name of a geometry with a final zero byte, and its length without that.
 */
palpate_status palpate_scene_name(struct palpate_scene *scene,
                                  palpate_geometry_id id,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/**
 * Writes the kind of a geometry, as `surface_mesh`, with a final zero byte, and its length without that.
 */
palpate_status palpate_scene_kind(struct palpate_scene *scene,
                                  palpate_geometry_id id,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/**
 * Writes the JSON description of a geometry in its current state (docs/detect-json.md) with a final zero byte, and its length
 * without that: what `palpate_geometry_json` reads, bit for bit. Errors: a shape or a function of the host.
 */
palpate_status palpate_scene_geometry_json(struct palpate_scene *scene,
                                           palpate_geometry_id id,
                                           char *buffer,
                                           size_t capacity,
                                           size_t *length);

/**
 * Moves a geometry to a pose, local to world. Shapes store it; meshes, point sets and compounds are placed: their vertices
 * stay in their local frame, and their contacts are in the world frame. Cost: constant.
 */
palpate_status palpate_scene_set_pose(struct palpate_scene *scene,
                                      palpate_geometry_id id,
                                      const struct palpate_pose *pose);

/**
 * Writes the pose of a geometry; the identity for a mesh that was never placed.
 */
palpate_status palpate_scene_pose(struct palpate_scene *scene,
                                  palpate_geometry_id id,
                                  struct palpate_pose *pose);

/**
 * Says that a geometry rests (1) or that it may move again (0): for a host whose solver lets bodies sleep. A pair of two that sleep, or
 * of one that sleeps and one that has not changed, keeps its contacts and is not looked at, wherever the sleeping ones are moved
 * meanwhile.
 */
palpate_status palpate_scene_set_asleep(struct palpate_scene *scene,
                                        palpate_geometry_id id,
                                        uint32_t is_asleep);

/**
 * Sets the host's data of a geometry.
 */
palpate_status palpate_scene_set_user_data(struct palpate_scene *scene,
                                           palpate_geometry_id id,
                                           uint64_t user_data);

/**
 * Writes the host's data of a geometry.
 */
palpate_status palpate_scene_user_data(struct palpate_scene *scene,
                                       palpate_geometry_id id,
                                       uint64_t *user_data);

/**
 * Sets the filter that every contact passes from the next step on; null for none. What it drops is in no list, event or count.
 * `destroy` frees `user` with the scene, or when another filter is set; also if this call fails.
 */
palpate_status palpate_scene_set_filter(struct palpate_scene *scene,
                                        palpate_filter_function filter,
                                        void *user,
                                        palpate_destroy_function destroy);

/**
 * The default options of lines.
 */
struct palpate_debug_options palpate_debug_options_default(void);

/**
 * Writes a pointer to lines that show the scene after its last step, and their number; valid until the next call of this function,
 * or until the scene is freed. `options` may be null.
 */
palpate_status palpate_scene_debug_lines(struct palpate_scene *scene,
                                         const struct palpate_debug_options *options,
                                         const struct palpate_line **lines,
                                         size_t *count);

/**
 * Keeps the state of a scene: geometries with their previous states, pairs with their settings and contacts, events. What follows is
 * the same to the bit now and whenever the state is given back; the next step costs as much as a first one. Free it with
 * `palpate_saved_free`. The filter and the options of the scene are not part of it.
 */
palpate_status palpate_scene_save(struct palpate_scene *scene,
                                  struct palpate_saved **saved);

/**
 * Gives a scene back a state that it has saved, any number of times. Geometries and pairs that were removed since are there again
 * under their ids; ids that were given since are not given again. Errors: a state of another scene.
 */
palpate_status palpate_scene_restore(struct palpate_scene *scene,
                                     const struct palpate_saved *saved);

/**
 * Frees a saved state. Null is allowed.
 */
void palpate_saved_free(struct palpate_saved *saved);

/**
 * The default options of a scene.
 */
struct palpate_scene_options palpate_scene_options_default(void);

/**
 * Makes an empty scene with all built-in detectors. `options` may be null. Free it with `palpate_scene_free`.
 */
palpate_status palpate_scene_new(const struct palpate_scene_options *options, struct palpate_scene **scene);

/**
 * Frees a scene with its geometries, after which its pointer and all that it has handed out must not be used. Null is allowed.
 * Errors: `PALPATE_BUSY` if a call with it is under way: it is then not freed.
 */
palpate_status palpate_scene_free(struct palpate_scene *scene);

/**
 * Makes the current vertices and poses of all geometries the previous ones, for continuous detection. Call it before moving
 * them.
 */
palpate_status palpate_scene_advance(struct palpate_scene *scene);

/**
 * Adds the pair of two geometries, whose contacts a function of the host finds; self-contact if `b` is `a`. The function is
 * called when the boxes of the two are within the margin and one of the two has changed. Its contacts stay in its order; each is
 * checked (finite points, unit direction, depth, elements that the geometries have, no two with one key), and what is wrong is
 * the error of the step, `PALPATE_CALLBACK_FAILED`, by the names of the pair and of the detector. Of the options, which may be
 * null, `detector` is the name of the function (`own` for null) and `margin` is used; settings are refused. `destroy` frees
 * `user` with the last use of it, which may be a saved state; also if this call fails.
 */
palpate_status palpate_scene_add_pair_by(struct palpate_scene *scene,
                                         palpate_geometry_id a,
                                         palpate_geometry_id b,
                                         const struct palpate_pair_options *options,
                                         palpate_detector_function function,
                                         void *user,
                                         palpate_destroy_function destroy,
                                         palpate_pair_id *pair);

/**
 * A static contact of two points, for a detector of the host to fill in: no vertices, cells or children, points at the origin,
 * direction +y, depth 0.
 */
struct palpate_contact palpate_contact_default(void);

/**
 * The default options of a pair.
 */
struct palpate_pair_options palpate_pair_options_default(void);

/**
 * Adds the pair of two geometries, sides A and B of its contacts, and writes its id; self-contact if `b` is `a`. `options` may be
 * null. Errors: `PALPATE_UNSUPPORTED` if no detector serves the pair.
 */
palpate_status palpate_scene_add_pair(struct palpate_scene *scene,
                                      palpate_geometry_id a,
                                      palpate_geometry_id b,
                                      const struct palpate_pair_options *options,
                                      palpate_pair_id *pair);

/**
 * Detects the pairs of a member of one of the groups `first` (bits) with a member of one of the groups `second`, whose masks
 * agree, now and later; all pairs for two times `UINT32_MAX`. Settings apply to the pairs whose detector has them. The pairs are
 * in the lists of `palpate_scene_active_pairs` while they are near. `options` may be null.
 */
palpate_status palpate_scene_add_pairs_between(struct palpate_scene *scene,
                                               uint32_t first,
                                               uint32_t second,
                                               const struct palpate_pair_options *options);

/**
 * Removes what `palpate_scene_add_pairs_between` has added.
 */
palpate_status palpate_scene_remove_pairs_by_groups(struct palpate_scene *scene);

/**
 * Removes a pair. Its id is not used again.
 */
palpate_status palpate_scene_remove_pair(struct palpate_scene *scene, palpate_pair_id pair);

/**
 * Changes the margin of a pair, metres, from the next step on.
 */
palpate_status palpate_scene_set_margin(struct palpate_scene *scene, palpate_pair_id pair, double margin);

/**
 * Replaces the settings of a pair. It starts without memory, and has no contacts until the next step.
 */
palpate_status palpate_scene_set_settings(struct palpate_scene *scene,
                                          palpate_pair_id pair,
                                          const struct palpate_settings *settings);

/**
 * Replaces the settings of a pair by those of a JSON object; as `palpate_scene_set_settings`.
 */
palpate_status palpate_scene_set_settings_json(struct palpate_scene *scene,
                                               palpate_pair_id pair,
                                               const char *json);

/**
 * Writes all settings of a pair as a JSON object with a final zero byte, and its length without that.
 */
palpate_status palpate_scene_settings_json(struct palpate_scene *scene,
                                           palpate_pair_id pair,
                                           char *buffer,
                                           size_t capacity,
                                           size_t *length);

/**
 * Writes the name of a pair's detector with a final zero byte, and its length without that.
 */
palpate_status palpate_scene_detector(struct palpate_scene *scene,
                                      palpate_pair_id pair,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

/**
 * The signed distances of `count` points, three `double` each, to a solid: a shape, a closed surface, a tetra mesh, an implicit
 * body, or a compound of these; with geometry 0 the least to all solids of the scene, infinite without any
 * (`palpate_scene_closest` tells whose). World frame, metres. Errors: `PALPATE_UNSUPPORTED` for a geometry without an inside.
 * Prepares what has changed first.
 */
palpate_status palpate_scene_signed_distances(struct palpate_scene *scene,
                                              palpate_geometry_id geometry,
                                              const double *positions,
                                              size_t count,
                                              struct palpate_distance *distances);

/**
 * The cells of a mesh closest to `count` points, three `double` each; with `vertices` 1 the closest vertices, also of a point set.
 * World frame, metres; bare elements, without radius or thickness.
 */
palpate_status palpate_scene_nearest(struct palpate_scene *scene,
                                     palpate_geometry_id geometry,
                                     uint32_t vertices,
                                     const double *positions,
                                     size_t count,
                                     struct palpate_nearest *nearest);

/**
 * The first hits of `count` rays on a geometry, or with geometry 0 on all geometries of the scene that have a surface; of equally
 * distant ones that of the geometry added first.
 */
palpate_status palpate_scene_cast_rays(struct palpate_scene *scene,
                                       palpate_geometry_id geometry,
                                       const struct palpate_ray *rays,
                                       size_t count,
                                       struct palpate_hit *hits);

/**
 * The surface points closest to `count` points, three `double` each, of all geometries no farther than `within` metres (infinite
 * for all) that a member of the groups `membership` with this `mask` would collide with; of equally near ones that of the geometry
 * added first. World frame. Errors: a kind without cells, vertices or a distance, by name. Prepares the geometries that have changed.
 */
palpate_status palpate_scene_closest(struct palpate_scene *scene,
                                     const double *positions,
                                     size_t count,
                                     double within,
                                     uint32_t membership,
                                     uint32_t mask,
                                     struct palpate_closest *closest);

/**
 * Settings of which none is given.
 */
struct palpate_settings palpate_settings_default(void);

/**
 * Finds the contacts of all pairs in the current state of the geometries. `report` may be null. Errors: a callback that fails, a
 * new child of a compound that no detector serves; the contacts are then those of the last step that succeeded. Cost: a settled
 * step does not allocate.
 */
palpate_status palpate_scene_step(struct palpate_scene *scene,
                                  struct palpate_step_report *report);

/**
 * Clears the memory that detectors have of earlier steps: the next step finds what a first one would. For a scene that stands for
 * several worlds in turn. Contacts and events stay; no heap.
 */
palpate_status palpate_scene_forget(struct palpate_scene *scene);

/**
 * Turns the events of a scene on (1) or off (0, the default). All contacts of the first step after that began.
 */
palpate_status palpate_scene_set_events(struct palpate_scene *scene,
                                        uint32_t is_on);

/**
 * Writes a pointer to the events of the last step, and their number; valid until the next call that steps or frees the scene.
 * They are in the order of the pairs' ids; those of a pair in the order of its contacts, then of the contacts that ended.
 */
palpate_status palpate_scene_events(struct palpate_scene *scene,
                                    const struct palpate_event **events,
                                    size_t *count);

/**
 * Removes cells of a mesh. All others keep their numbers; a removed number is not used again until
 * `palpate_scene_compact_cells`. Errors: a cell that is not there, or is named twice; nothing is changed then.
 */
palpate_status palpate_scene_remove_cells(struct palpate_scene *scene,
                                          palpate_geometry_id id,
                                          const uint32_t *cells,
                                          size_t count);

/**
 * Adds vertices (may be null for none), then cells that may name them, and writes the number of the first cell and how many
 * there are. Errors: a coordinate that is not finite, an index out of range; nothing is changed then.
 */
palpate_status palpate_scene_add_cells(struct palpate_scene *scene,
                                       palpate_geometry_id id,
                                       const struct palpate_points *vertices,
                                       const struct palpate_cells *cells,
                                       uint32_t *first,
                                       uint32_t *count);

/**
 * Divides a cell by a new vertex at `point`, in as many cells as it has vertices, and writes the number of the first and how
 * many there are. Errors: a cell that is not there, a coordinate that is not finite; nothing is changed then.
 */
palpate_status palpate_scene_split_cell(struct palpate_scene *scene,
                                        palpate_geometry_id id,
                                        uint32_t cell,
                                        const double *at,
                                        uint32_t *first,
                                        uint32_t *count);

/**
 * Numbers the cells anew, without the removed ones, in the same order; the vertices keep their numbers. `map` has for each cell
 * before its number now, or `PALPATE_NONE`; `count` is set to how many there were. With too small a map nothing is done.
 */
palpate_status palpate_scene_compact_cells(struct palpate_scene *scene,
                                           palpate_geometry_id id,
                                           uint32_t *map,
                                           size_t capacity,
                                           size_t *count);

/**
 * Moves the vertices of a mesh or a point set; as many as it has. `double` vertices without gaps in metres are copied once,
 * others are converted first. Errors: a count that differs, a coordinate that is not finite; nothing is changed then.
 */
palpate_status palpate_scene_set_vertices(struct palpate_scene *scene,
                                          palpate_geometry_id id,
                                          const struct palpate_points *vertices);

/**
 * Sets the vertices of the step before, for continuous detection, where `palpate_scene_advance` is not used. Errors: as
 * `palpate_scene_set_vertices`.
 */
palpate_status palpate_scene_set_previous_vertices(struct palpate_scene *scene,
                                                   palpate_geometry_id id,
                                                   const struct palpate_points *vertices);

/**
 * Copies the vertices of a mesh or a point set to an array of `capacity` points, three `double` each, in its own coordinates.
 * `count` is set to how many there are.
 */
palpate_status palpate_scene_vertices(struct palpate_scene *scene,
                                      palpate_geometry_id id,
                                      double *vertices,
                                      size_t capacity,
                                      size_t *count);

/**
 * Writes a pointer to the vertices of a mesh or a point set, three `double` each, for the host to change, and how many there
 * are. They have their current values. `palpate_scene_unmap_vertices` takes them over; until then steps use the old ones. The
 * pointer is valid until then, or until the geometry or the scene is gone.
 */
palpate_status palpate_scene_map_vertices(struct palpate_scene *scene,
                                          palpate_geometry_id id,
                                          double **vertices,
                                          size_t *count);

/**
 * Moves the vertices to what the host has written to the memory of `palpate_scene_map_vertices`. Errors: `PALPATE_NOT_FOUND`
 * without a map; a coordinate that is not finite: nothing is changed then, and the memory stays valid.
 */
palpate_status palpate_scene_unmap_vertices(struct palpate_scene *scene,
                                            palpate_geometry_id id);

/**
 * The name of a status, as `invalid_handle`; `unknown` for a number that is none. Static.
 */
const char *palpate_status_name(palpate_status status);

/**
 * Describes the library. `info->struct_size` must be set. Errors: `PALPATE_NULL`, `PALPATE_INVALID_ARGUMENT` for a
 * `struct_size` of another header's.
 */
palpate_status palpate_get_build_info(struct palpate_build_info *info);

/**
 * Checks that a program can use the library: `PALPATE_CHECK_ABI()` of the header passes its own numbers. Errors:
 * `PALPATE_INVALID_ARGUMENT` with both numbers in the text.
 */
palpate_status palpate_check_abi(uint32_t abi_version,
                                 uint32_t contact_size,
                                 uint32_t pointer_size);

/**
 * The text of the last call on this thread that failed: what, the value found and the value wanted; UTF-8. Empty if
 * none has failed. The pointer is valid until the next call on this thread that fails. Never null.
 */
const char *palpate_last_error(void);

/**
 * Sets the function that receives every call that fails, on any thread, one at a time; null for none. `destroy` frees the
 * `user` of a logger when another one is set. The logger must not set a logger. Any thread.
 */
palpate_status palpate_set_logger(palpate_log_function function,
                                  void *user,
                                  palpate_destroy_function destroy);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PALPATE_H */

/* Checks that the library is the one of this header: returns a palpate_status. */
#define PALPATE_CHECK_ABI() \
    palpate_check_abi(PALPATE_ABI_VERSION, (uint32_t)sizeof(palpate_contact), (uint32_t)sizeof(void *))
