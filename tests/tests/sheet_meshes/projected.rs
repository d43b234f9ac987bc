//! Meshes whose vertices were put on each other's surface: what is left inside are edges between them.

use super::meshes::{normal, scaled};
use super::{SIZE, end, folder, is_asked, poses};
use nalgebra::Translation3;
use palpate_contact::{CollisionData, Contact, FeatureKind};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Geometry, Pose, SurfaceMesh, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_mesh_io::Contents;
use palpate_tests::meshes::CLOSED;
use palpate_tests::{ALL_NEEDS, Random};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// An edge with a sample that is deeper than this must have a contact: 20 µm of 100 mm.
const DEEP: f64 = 2e-4 * SIZE;

/// How much less deep than the deepest sample a contact may be.
const SLACK: f64 = 1e-6 * SIZE;

/// Places on an edge, without its ends.
const SAMPLES: usize = 33;

/// An edge with a smaller sine between its normals is flat.
const FLAT: f64 = 1e-6;

/// A vertex whose normals, weighted by their angles, add up to a turn but for this part is in the middle of a
/// flat face, and no feature of the body: ten times what the detector allows.
const FLAT_VERTEX: f64 = 1e-8;

/// Pairs that are tried if no number of poses is asked for.
const FEW: [[&str; 2]; 6] = [
    ["liver-smooth.obj", "liver.vtk"],
    ["liver2.msh", "liver-smooth.obj"],
    ["malleus.obj", "liver2.msh"],
    ["palm.stl", "Bunny.stl"],
    ["genus3_decimated.obj", "palm.stl"],
    ["sphere.obj", "nut.ply"],
];

#[derive(Clone)]
enum Organ {
    Surface(Box<SurfaceMesh>),
    Tetra(Box<TetraMesh>),
}

impl Organ {
    fn read(path: &Path) -> Self {
        let Contents { positions, triangles, tetrahedra, .. } = scaled(path);
        let mut organ = if tetrahedra.is_empty() {
            let mesh = SurfaceMesh::new(positions, triangles).unwrap_or_else(|error| panic!("{error}"));
            Self::Surface(Box::new(mesh.examined()))
        } else {
            let mesh = TetraMesh::new(positions, tetrahedra).unwrap_or_else(|error| panic!("{error}"));
            Self::Tetra(Box::new(mesh))
        };
        organ.prepare();
        organ
    }

    fn prepare(&mut self) {
        match self {
            Self::Surface(mesh) => mesh.prepare(ALL_NEEDS),
            Self::Tetra(mesh) => mesh.prepare(ALL_NEEDS),
        }
    }

    fn geometry(&self) -> &dyn Geometry {
        match self {
            Self::Surface(mesh) => mesh.as_ref(),
            Self::Tetra(mesh) => mesh.as_ref(),
        }
    }

    fn positions(&self) -> &[Point] {
        match self {
            Self::Surface(mesh) => mesh.points().positions(),
            Self::Tetra(mesh) => mesh.points().positions(),
        }
    }

    /// The triangles of the surface.
    fn triangles(&self) -> &[[u32; 3]] {
        match self {
            Self::Surface(mesh) => mesh.triangles(),
            Self::Tetra(mesh) => mesh.boundary_triangles(),
        }
    }

    /// The depth of a point, negative outside, and the nearest point of the surface.
    fn depth(&self, point: &Point) -> (f64, Point) {
        let signed = match self {
            Self::Surface(mesh) => mesh.signed_distance(point, f64::INFINITY),
            Self::Tetra(mesh) => mesh.signed_distance(point, f64::INFINITY),
        };
        let (signed, _) = signed.expect("a prepared mesh that is not empty");
        (-signed.distance, signed.nearest)
    }

    fn with_positions(&self, positions: &[Point]) -> Self {
        let mut organ = self.clone();
        let set = match &mut organ {
            Self::Surface(mesh) => mesh.set_positions(positions),
            Self::Tetra(mesh) => mesh.set_positions(positions),
        };
        set.expect("as many finite positions");
        organ.prepare();
        organ
    }
}

/// How the vertices inside are put on the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// As they are: nothing is moved.
    Left,
    /// To the nearest point.
    Projected,
    /// The same, moved on by a picometre anyhow.
    ProjectedNoisy,
    /// To the nearest vertex.
    Snapped,
    /// The same, moved on by a picometre anyhow.
    SnappedNoisy,
}

impl Way {
    const ALL: [Self; 5] =
        [Self::Left, Self::Projected, Self::ProjectedNoisy, Self::Snapped, Self::SnappedNoisy];
}

/// The vertices of the surface of a mesh, each once.
fn surface_vertices(organ: &Organ) -> Vec<Point> {
    let mut ids: Vec<u32> = organ.triangles().as_flattened().to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(|id| organ.positions()[id as usize]).collect()
}

/// `a` with its vertices inside `b` on the surface of `b`.
fn put(a: &Organ, b: &Organ, way: Way, random: &mut Random) -> Organ {
    let vertices = surface_vertices(b);
    let nearest_vertex = |point: &Point| {
        let distance = |vertex: &&Point| (*vertex - point).norm_squared();
        *vertices.iter().min_by(|p, q| distance(p).total_cmp(&distance(q))).expect("a surface has vertices")
    };
    let mut moved = a.positions().to_vec();
    for point in &mut moved {
        let (depth, nearest) = b.depth(point);
        if depth > 0.0 && way != Way::Left {
            let noise = random.vector() * 1e-12;
            *point = match way {
                Way::Left | Way::Projected => nearest,
                Way::ProjectedNoisy => nearest + noise,
                Way::Snapped => nearest_vertex(point),
                Way::SnappedNoisy => nearest_vertex(point) + noise,
            };
        }
    }
    a.with_positions(&moved)
}

/// An edge of a surface.
struct Edge {
    ids: [u32; 2],
    /// The normals of its triangles, without those that are flattened.
    normals: Vec<Vector>,
    triangles: usize,
}

fn edges(organ: &Organ) -> Vec<Edge> {
    let mut edges: BTreeMap<[u32; 2], Edge> = BTreeMap::new();
    for &[a, b, c] in organ.triangles() {
        let normal = normal(&[a, b, c].map(|id| organ.positions()[id as usize]));
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let ids = [from.min(to), from.max(to)];
            let edge = edges.entry(ids).or_insert(Edge { ids, normals: Vec::new(), triangles: 0 });
            edge.normals.extend(normal);
            edge.triangles += 1;
        }
    }
    edges.into_values().collect()
}

/// The vertices that are in the middle of flat faces.
fn flat_vertices(organ: &Organ) -> Vec<bool> {
    let mut sums = vec![Vector::zeros(); organ.positions().len()];
    for ids in organ.triangles() {
        let corners = ids.map(|id| organ.positions()[id as usize]);
        let Some(normal) = normal(&corners) else { continue };
        for (k, &id) in ids.iter().enumerate() {
            let [first, second] = [1, 2].map(|step| corners[(k + step) % 3] - corners[k]);
            sums[id as usize] += normal * first.angle(&second);
        }
    }
    sums.iter().map(|sum| sum.norm() >= std::f64::consts::TAU * (1.0 - FLAT_VERTEX)).collect()
}

/// The depth of the deepest sample of an edge; none if it is outside for sure or not deep.
fn sampled_depth([p, q]: [Point; 2], b: &Organ) -> Option<f64> {
    let half = 0.5 * (q - p).norm();
    // Nothing on the edge is deeper than its middle by more than half its length.
    if b.depth(&nalgebra::center(&p, &q)).0 + half <= DEEP {
        return None;
    }
    let part = |k: usize| (k as f64 + 1.0) / (SAMPLES as f64 + 1.0);
    let depths = (0..SAMPLES).map(|k| b.depth(&(p + (q - p) * part(k))).0);
    Some(depths.fold(f64::MIN, f64::max)).filter(|&depth| depth > DEEP)
}

/// The deepest contacts of every vertex and edge of the first side.
#[derive(Default)]
struct Found {
    at_edges: HashMap<[u32; 2], f64>,
    at_vertices: HashMap<u32, f64>,
}

impl Found {
    fn of(contacts: &[Contact]) -> Self {
        let mut found = Self::default();
        for contact in contacts.iter().filter(|contact| contact.depth >= 0.0) {
            let most = match (contact.a.feature_kind(), contact.a.vertex_ids()) {
                (FeatureKind::Edge, &[p, q]) => found.at_edges.entry([p.min(q), p.max(q)]),
                (FeatureKind::Vertex, &[vertex]) => {
                    let most = found.at_vertices.entry(vertex).or_insert(contact.depth);
                    *most = most.max(contact.depth);
                    continue;
                }
                _ => continue,
            };
            let most = most.or_insert(contact.depth);
            *most = most.max(contact.depth);
        }
        found
    }

    /// The deepest contact of an edge or of its vertices.
    fn deepest(&self, ids: &[u32; 2]) -> Option<f64> {
        let at_ends = ids.iter().filter_map(|id| self.at_vertices.get(id));
        at_ends.chain(self.at_edges.get(ids)).copied().reduce(f64::max)
    }
}

/// Edges of one class of poses.
#[derive(Clone, Default)]
struct Counts {
    poses: usize,
    contacts: usize,
    /// Edges that are inside deeply.
    inside: usize,
    /// Of these, edges without any contact on them or their vertices.
    bare: usize,
    /// Edges whose contacts are all shallower than a sample.
    shallow: usize,
    /// The deepest sample of an edge of either.
    deepest: f64,
    /// Edges without a contact as deep, at a flattened triangle: not judged.
    flattened: usize,
    /// The edges that are bare or shallow.
    details: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.poses += other.poses;
        self.contacts += other.contacts;
        self.inside += other.inside;
        self.bare += other.bare;
        self.shallow += other.shallow;
        self.deepest = self.deepest.max(other.deepest);
        self.flattened += other.flattened;
        self.details.extend_from_slice(&other.details);
    }

    fn print(&self, name: &str) {
        println!(
            "{name:60}{:6}{:10}{:9}{:7}{:9}{:13.1}{:11}",
            self.poses,
            self.contacts,
            self.inside,
            self.bare,
            self.shallow,
            self.deepest / SIZE * 1e5,
            self.flattened
        );
    }
}

/// Whether an edge is one of a crease; `None` at a flattened triangle.
fn is_crease(edge: &Edge) -> Option<bool> {
    match (edge.normals.as_slice(), edge.triangles) {
        ([first, second], 2) => Some(first.cross(second).norm() > FLAT || first.dot(second) < 0.0),
        (normals, triangles) if normals.len() == triangles => Some(true),
        _ => None,
    }
}

fn count(registry: &Registry, a: &Organ, b: &Organ) -> Counts {
    let bound = registry.bind(a.geometry(), b.geometry(), Choice::default());
    let mut bound = bound.expect("there is a detector of two meshes");
    let mut out = CollisionData::new();
    bound.run(a.geometry(), b.geometry(), &Context::new(), &mut out).expect("both are prepared");
    let found = Found::of(&out.contacts);
    let flat = flat_vertices(a);
    let mut counts = Counts { poses: 1, contacts: out.len(), ..Counts::default() };
    for edge in edges(a) {
        let crease = is_crease(&edge);
        let ends = edge.ids.map(|id| a.positions()[id as usize]);
        let sampled = if crease == Some(false) { None } else { sampled_depth(ends, b) };
        let Some(sampled) = sampled else { continue };
        // Nothing on the edge is deeper than a vertex that is no feature.
        let is_as_deep = |k: usize| flat[edge.ids[k] as usize] && b.depth(&ends[k]).0 >= sampled;
        if is_as_deep(0) || is_as_deep(1) {
            continue;
        }
        let deepest = found.deepest(&edge.ids);
        let is_seen = deepest.is_some_and(|deepest| deepest >= sampled - SLACK);
        counts.inside += 1;
        if !is_seen && crease.is_none() {
            counts.flattened += 1;
        } else if !is_seen {
            counts.bare += usize::from(deepest.is_none());
            counts.shallow += usize::from(deepest.is_some());
            counts.deepest = counts.deepest.max(sampled);
            let edge = edge.ids;
            counts.details.push(format!("{edge:?} is {sampled:.4e} inside, contact {deepest:?}"));
        }
    }
    counts
}

/// `a` of three tenths of the size to all of it, turned anyhow, about a vertex of `b`.
fn posed(a: &Organ, b: &Organ, random: &mut Random) -> Organ {
    let scale = random.between(0.3, 1.0);
    let turn = Pose::from_parts(Translation3::identity(), random.rotation());
    let place = random.pick(&surface_vertices(b)) + random.vector() * (0.2 * scale * SIZE);
    let moved = a.positions().iter().map(|point| turn * (point * scale) + place.coords);
    a.with_positions(&moved.collect::<Vec<_>>())
}

/// The pairs that are tried.
fn pairs() -> Vec<[&'static str; 2]> {
    if poses().is_none() {
        return FEW.to_vec();
    }
    CLOSED.iter().flat_map(|&a| CLOSED.iter().map(move |&b| [a, b])).filter(|[a, b]| a != b).collect()
}

#[test]
fn edges_between_vertices_on_the_surface_are_seen() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    let organs: BTreeMap<_, _> =
        CLOSED.into_iter().map(|file| (file, Organ::read(&folder.join(file)))).collect();
    let mut totals: BTreeMap<Way, Counts> = BTreeMap::new();
    let mut failures = Vec::new();
    println!(
        "{:60}{:>6}{:>10}{:>9}{:>7}{:>9}{:>13}{:>11}",
        "pair", "poses", "contacts", "inside", "bare", "shallow", "deepest (µm)", "flattened"
    );
    for [first, second] in pairs() {
        let (a, b) = (&organs[first], &organs[second]);
        for way in Way::ALL.into_iter().filter(|_| is_asked(&format!("{first}:{second}"))) {
            let name = format!("{first}:{second}, {way:?}");
            let mut counts = Counts::default();
            for number in 0..poses().unwrap_or(2) {
                let mut random = Random::named(&format!("{first}:{second}"), number as u64);
                let posed = posed(a, b, &mut random);
                let mut of_pose = count(&registry, &put(&posed, b, way, &mut random), b);
                of_pose.details.iter_mut().for_each(|detail| *detail = format!("pose {number}: {detail}"));
                counts.add(&of_pose);
            }
            counts.print(&name);
            totals.entry(way).or_default().add(&counts);
            if counts.bare + counts.shallow > 0 {
                let Counts { bare, shallow, inside, details, .. } = counts;
                let first = details.into_iter().take(3).collect::<Vec<_>>().join("; ");
                let failure = format!("of {inside} edges inside {bare} are bare, {shallow} shallow");
                failures.push(format!("{name}: {failure}: {first}"));
            }
        }
    }
    for (way, counts) in &totals {
        counts.print(&format!("all, {way:?}"));
    }
    end(&failures);
}
