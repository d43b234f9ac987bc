//! Threads that run along sheets and organs, and through them: every segment that pierces has a contact, at
//! any margin.

use super::meshes::without_cap;
use super::meshes::{OPENED, Piercing, border, distance_from, normal, piercings, place_on, prepared, scaled};
use super::sheets::{Division, dome, flat, half_cylinder};
use super::{MM, SIZE, end, folder, is_asked, poses};
use palpate_contact::{CollisionData, Contact, FeatureKind};
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::{Geometry, LineMesh, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_tests::{ALL_NEEDS, Random};

/// The margins that are compared with none.
const MARGINS: [f64; 3] = [0.5 * MM, 2.0 * MM, 5.0 * MM];

/// Both ends of a segment that pierces are farther than this from the plane: a micrometre of 100 mm.
const OFF: f64 = 1e-5 * SIZE;

struct Target {
    name: String,
    mesh: SurfaceMesh,
    border: Vec<[Point; 2]>,
}

fn targets(folder: &std::path::Path) -> Vec<Target> {
    let sheet = |cell: f64, division| flat(cell * MM, division, &mut Random::named("threads", 0));
    let mut meshes = vec![
        ("flat, regular".to_owned(), sheet(5.0, Division::Regular)),
        ("flat, shaken".to_owned(), sheet(3.0, Division::Shaken)),
        ("half cylinder".to_owned(), half_cylinder(sheet(4.0, Division::InTurn))),
        ("dome".to_owned(), dome(sheet(4.0, Division::Crossed))),
    ];
    for file in OPENED {
        let contents = scaled(&folder.join(file));
        let closed = (contents.positions, contents.triangles);
        meshes.push((format!("{file}, open"), without_cap(&closed)));
        meshes.push((format!("{file}, closed"), closed));
    }
    let target = |(name, triangles)| {
        let mesh = prepared(triangles);
        Target { name, border: border(&mesh), mesh }
    };
    meshes.into_iter().map(target).collect()
}

/// A thread of 40 segments of 3 to 10 mm along a surface, each vertex up to 1 mm over or under it, some
/// farther.
fn thread(Target { mesh, border, .. }: &Target, radius: f64, random: &mut Random) -> LineMesh {
    let (mut place, _) = place_on(mesh, random);
    let mut way = random.direction();
    let mut vertices = Vec::new();
    while vertices.len() <= 40 {
        let near = mesh.nearest(&place, f64::INFINITY).expect("a prepared mesh that is not empty");
        let (on, normal) = (near.point, normal_of(mesh, mesh.owner(near.feature)));
        let height = if random.one_in(6) { 5.0 } else { 1.0 } * MM;
        vertices.push(on + normal * random.between(-height, height));
        // Back to the middle from the border, along which nothing pierces for certain.
        let is_at_border = distance_from(border, &on) < 3.0 * MM;
        let along = if is_at_border { -on.coords.normalize() } else { way } + random.vector() * 0.4;
        way = (along - normal * along.dot(&normal)).try_normalize(1e-6).unwrap_or(way);
        place = on + way * random.between(3.0 * MM, 10.0 * MM);
    }
    let thread = LineMesh::polyline(vertices).and_then(|thread| thread.with_radius(radius));
    let mut thread = thread.expect("finite vertices, and a radius that is not negative");
    thread.prepare(ALL_NEEDS);
    thread
}

fn normal_of(mesh: &SurfaceMesh, triangle: u32) -> Vector {
    normal(&mesh.corners(triangle)).unwrap_or_else(Vector::y)
}

fn run(bound: &mut Bound, thread: &LineMesh, mesh: &SurfaceMesh, margin: f64) -> Vec<Contact> {
    let mut out = CollisionData::new();
    let context = Context::new().with_margin(margin);
    bound.run(thread, mesh, &context, &mut out).expect("both are prepared");
    out.contacts
}

/// The least depth through a sheet: the distance of the nearer end from it, or nothing where the segment may leave over a
/// border or a fold.
fn least_over_sheet(
    ends: &[Point; 2],
    pierced: &[Piercing],
    mesh: &SurfaceMesh,
    border: &[[Point; 2]],
) -> f64 {
    let distance =
        |end: &Point| mesh.nearest(end, f64::INFINITY).map_or(0.0, |nearest| (nearest.point - end).norm());
    let least = ends.iter().map(distance).fold(f64::INFINITY, f64::min);
    let samples = (0..=32).map(|k| ends[0] + (ends[1] - ends[0]) * (f64::from(k) / 32.0));
    let places = samples.chain(pierced.iter().map(|piercing| piercing.place));
    let from_border = places.map(|place| distance_from(border, &place)).fold(f64::INFINITY, f64::min);
    if from_border < 1.2 * least || pierced.len() > 1 { 0.0 } else { least }
}

/// The least depth in a solid: that of the deeper end.
fn least_in_solid(ends: &[Point; 2], mesh: &SurfaceMesh) -> f64 {
    let depth =
        |end: &Point| mesh.signed_distance(end, f64::INFINITY).map_or(0.0, |(signed, _)| -signed.distance);
    ends.iter().map(depth).fold(0.0, f64::max)
}

/// The deepest contact of a segment or of its vertices.
fn deepest_of(contacts: &[Contact], ids: [u32; 2]) -> Option<f64> {
    let is_of = |contact: &&Contact| match (contact.a.feature_kind(), contact.a.vertex_ids()) {
        (FeatureKind::Edge, &[p, q]) => [p, q] == ids || [q, p] == ids,
        (FeatureKind::Vertex, &[vertex]) => ids.contains(&vertex),
        _ => false,
    };
    let depths = contacts.iter().filter(is_of).map(|contact| contact.depth);
    depths.filter(|&depth| depth >= 0.0).reduce(f64::max)
}

/// What was found at one margin.
#[derive(Clone, Default)]
struct Counts {
    /// Segments that pierce for certain.
    piercing: usize,
    /// Those without a contact.
    hidden: usize,
    /// Those whose contacts are not as deep as they must be.
    shallow: usize,
    /// Contacts without a margin.
    contacts: usize,
    /// Those that are not there with the margin, or have other bits.
    lost: usize,
    /// What is wrong.
    details: Vec<String>,
}

impl Counts {
    fn judge(&mut self, target: &Target, thread: &LineMesh, contacts: &[Contact]) {
        for (cell, &ids) in thread.cells().iter().enumerate() {
            let ends = thread.segment(cell as u32);
            let pierced = piercings(&ends, &target.mesh, OFF);
            if pierced.is_empty() {
                continue;
            }
            let is_solid = target.border.is_empty();
            let least = if is_solid {
                least_in_solid(&ends, &target.mesh)
            } else {
                least_over_sheet(&ends, &pierced, &target.mesh, &target.border)
            };
            self.piercing += 1;
            let deepest = deepest_of(contacts, ids);
            match deepest {
                None => self.hidden += 1,
                Some(depth) if depth < 0.99 * least => self.shallow += 1,
                Some(_) => continue,
            }
            let count = pierced.len();
            self.details.push(format!("segment {ids:?} through {count}: {deepest:?}, wanted {least:.3e}"));
        }
    }

    fn compare(&mut self, without: &[Contact], with: &[Contact]) {
        let touching = without.iter().filter(|contact| contact.depth >= 0.0);
        for contact in touching {
            self.contacts += 1;
            if !with.iter().any(|other| other.same_bits(contact)) {
                self.lost += 1;
                let [a, b] = [contact.a.vertex_ids(), contact.b.vertex_ids()];
                self.details.push(format!("lost {a:?} with {b:?} of depth {:.3e}", contact.depth));
            }
        }
    }
}

/// Prints a line; returns the failure, if it is one.
fn verdict(name: &str, counts: &Counts) -> Option<String> {
    let Counts { piercing, hidden, shallow, contacts, lost, details } = counts;
    println!("{name:60}{piercing:9}{hidden:8}{shallow:9}{contacts:10}{lost:7}");
    (hidden + shallow + lost > 0).then(|| {
        let first: Vec<&str> = details.iter().take(3).map(String::as_str).collect();
        let of_segments = format!("of {piercing} segments {hidden} hidden, {shallow} shallow");
        format!("{name}: {of_segments}; {lost} of {contacts} contacts lost: {}", first.join("; "))
    })
}

#[test]
fn threads_through_sheets_and_organs_are_seen_at_any_margin() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    let mut failures = Vec::new();
    let heads = ["piercing", "hidden", "shallow", "contacts", "lost"];
    println!("{:60}{:>9}{:>8}{:>9}{:>10}{:>7}", "thread", heads[0], heads[1], heads[2], heads[3], heads[4]);
    for target in targets(&folder).iter().filter(|target| is_asked(&target.name)) {
        for radius in [0.0, 0.5 * MM] {
            let mut all = vec![Counts::default(); 1 + MARGINS.len()];
            for number in 0..poses().unwrap_or(5) {
                let mut random = Random::named(&format!("{} {radius}", target.name), number as u64);
                let thread = thread(target, radius, &mut random);
                let bound = registry.bind(&thread, &target.mesh, Choice::default());
                let mut bound = bound.expect("there is a detector of threads and surfaces");
                let without = run(&mut bound, &thread, &target.mesh, 0.0);
                all[0].judge(target, &thread, &without);
                for (counts, margin) in all[1..].iter_mut().zip(MARGINS) {
                    let with = run(&mut bound, &thread, &target.mesh, margin);
                    counts.judge(target, &thread, &with);
                    counts.compare(&without, &with);
                }
            }
            for (counts, margin) in all.iter().zip([0.0].into_iter().chain(MARGINS)) {
                let [radius, margin] = [radius, margin].map(|length| length / MM);
                let name = format!("{}, radius {radius} mm, margin {margin} mm", target.name);
                failures.extend(verdict(&name, counts));
            }
        }
    }
    end(&failures);
}
