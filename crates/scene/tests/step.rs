//! A step gives the same contacts as running every pair without a broad phase.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::{CollisionData, Contact, Feature};
use palpate_detect::{About, Bound, Context, PairDetector, Pool, Registry, Status};
use palpate_geometry::{
    Capsule, Cylinder, Geometry, GeometryKind, LineMesh, Needs, Plane, PointSet, Pose, Sphere, SurfaceMesh,
    Version,
};
use palpate_math::{Aabb, Point, Vector};
use palpate_scene::{GeometryId, Outcome, PairId, PairOptions, Scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The margins assigned to the pairs in turn, in metres.
const MARGINS: [f64; 3] = [0.0, 0.05, 0.4];

fn random_point(rng: &mut ChaCha8Rng, spread: f64) -> Point {
    Point::from([0; 3].map(|_| rng.random_range(-spread..spread)))
}

fn octahedron(center: &Point, radius: f64) -> SurfaceMesh {
    let corner = |axis: usize, sign: f64| {
        let mut corner = *center;
        corner[axis] += sign * radius;
        corner
    };
    let corners = [0, 1, 2].into_iter().flat_map(|axis| [corner(axis, 1.0), corner(axis, -1.0)]).collect();
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    SurfaceMesh::new(corners, triangles).unwrap()
}

/// Returns a geometry of kind number `kind`, somewhere in a cube.
fn random_geometry(rng: &mut ChaCha8Rng, kind: usize, spread: f64) -> Box<dyn Geometry> {
    let at = random_point(rng, spread);
    let pose = Pose::from(at.coords);
    let size = rng.random_range(0.1..0.4);
    let mut near = || at + random_point(rng, size).coords;
    match kind {
        0 => Box::new(Sphere::new(at, size).unwrap()),
        1 => Box::new(Capsule::new(pose, size, 2.0 * size).unwrap()),
        2 => Box::new(Cylinder::new(pose, size, size).unwrap()),
        3 => Box::new(PointSet::new((0..5).map(|_| near()).collect()).unwrap().with_radius(0.05).unwrap()),
        4 => {
            Box::new(LineMesh::polyline((0..5).map(|_| near()).collect()).unwrap().with_radius(0.05).unwrap())
        }
        5 => Box::new(octahedron(&at, size)),
        _ => Box::new(Plane::new(Point::new(0.0, -2.0 * spread + at.y, 0.0), Vector::y()).unwrap()),
    }
}

fn random_scene(rng: &mut ChaCha8Rng, count: usize, spread: f64) -> Scene {
    let mut scene = Scene::standard();
    for number in 0..count {
        let geometry = random_geometry(rng, number % 7, spread);
        scene.add_boxed(&format!("g{number}"), geometry, Default::default()).unwrap();
    }
    let bound = scene.add_all_pairs().unwrap().bound;
    for (pair, margin) in bound.into_iter().zip(MARGINS.into_iter().cycle()) {
        scene.set_margin(pair, margin).unwrap();
    }
    scene
}

/// Binds a pair's detector now: two geometries of one kind are ordered by their positions at binding.
fn bound(scene: &Scene, pair: PairId) -> Bound {
    let pair = scene.pair(pair).unwrap();
    let [a, b] = [pair.a(), pair.b()].map(|id| scene.geometry(id).unwrap());
    Registry::standard().bind(a, b, Default::default()).unwrap()
}

/// Returns the contacts of a pair without a broad phase and without memory.
fn alone(scene: &Scene, pair: PairId, bound: &mut Bound) -> CollisionData {
    let pair = scene.pair(pair).unwrap();
    let [a, b] = [pair.a(), pair.b()].map(|id| scene.geometry(id).unwrap());
    let mut out = CollisionData::new();
    bound.reset();
    bound.run(a, b, &Context::new().with_margin(pair.margin()), &mut out).unwrap();
    out
}

/// Moves all geometries except planes to random positions in the cube; meshes move as a whole.
fn move_all(scene: &mut Scene, rng: &mut ChaCha8Rng, spread: f64) {
    scene.advance();
    for id in scene.geometries() {
        let to = random_point(rng, spread).coords;
        match scene.geometry(id).unwrap().kind().name() {
            "sphere" => scene.geometry_mut::<Sphere>(id).unwrap().set_pose(Pose::from(to)).unwrap(),
            "capsule" => scene.geometry_mut::<Capsule>(id).unwrap().set_pose(Pose::from(to)).unwrap(),
            "cylinder" => scene.geometry_mut::<Cylinder>(id).unwrap().set_pose(Pose::from(to)).unwrap(),
            "point_set" => move_points(scene, id, to, PointSet::set_positions),
            "line_mesh" => move_points(scene, id, to, LineMesh::set_positions),
            "surface_mesh" => move_points(scene, id, to, SurfaceMesh::set_positions),
            _ => {}
        }
    }
}

fn move_points<G: Geometry>(
    scene: &mut Scene,
    id: GeometryId,
    to: Vector,
    set: impl Fn(&mut G, &[Point]) -> Result<(), palpate_geometry::GeometryError>,
) {
    let mesh = scene.geometry_mut::<G>(id).unwrap();
    let points = mesh.as_points().unwrap().positions();
    let shift = to - points[0].coords;
    let moved: Vec<_> = points.iter().map(|point| point + shift).collect();
    set(mesh, &moved).unwrap();
}

// Proves: REQ-CULLING
#[test]
fn culling_changes_no_contact() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut apart, mut touching) = (0, 0);
    // 10 geometries are tested pair by pair, 50 through the tree.
    for (count, spread, rounds) in [(10, 0.8, 60), (50, 2.0, 6)] {
        for _ in 0..rounds {
            let mut scene = random_scene(&mut rng, count, spread);
            let mut bounds: Vec<_> = scene.pairs().map(|pair| bound(&scene, pair)).collect();
            for _ in 0..3 {
                let report = scene.step().unwrap();
                assert_eq!(report.pairs_run + report.pairs_apart, scene.pairs().len());
                // A step prepares only what is near; here every pair runs.
                for id in scene.geometries() {
                    scene.geometry_dyn_mut(id).unwrap().prepare(Needs::all());
                }
                for (pair, bound) in scene.pairs().zip(&mut bounds) {
                    let (found, wanted) = (scene.contacts(pair).unwrap(), alone(&scene, pair, bound));
                    assert!(
                        found.same_bits(&wanted),
                        "{pair}: {} contacts, wanted {}",
                        found.len(),
                        wanted.len()
                    );
                    match scene.pair(pair).unwrap().outcome() {
                        Outcome::Apart => apart += 1,
                        Outcome::Ran(_) => touching += usize::from(!wanted.is_empty()),
                        Outcome::Pending => panic!("{pair} was left out of the step"),
                    }
                }
                move_all(&mut scene, &mut rng, spread);
            }
        }
    }
    assert!(apart > 4000 && touching > 1000, "apart {apart}, touching {touching}");
}

// Proves: REQ-CULLING
#[test]
fn pairs_touching_within_rounding_are_never_culled() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut reported = 0;
    for _ in 0..2000 {
        let (center, radii) = (random_point(&mut rng, 1.0), [0; 2].map(|_| rng.random_range(0.01..1.0)));
        let mut other = center;
        other[rng.random_range(0..3)] +=
            (radii[0] + radii[1]) * (1.0 + f64::from(rng.random_range(-2..3)) * f64::EPSILON);
        let mut scene = Scene::standard();
        let a = scene.add("a", Sphere::new(center, radii[0]).unwrap()).unwrap();
        let b = scene.add("b", Sphere::new(other, radii[1]).unwrap()).unwrap();
        let pair = scene.add_pair(a, b, PairOptions::default()).unwrap();
        scene.step().unwrap();
        let wanted = alone(&scene, pair, &mut bound(&scene, pair));
        reported += wanted.len();
        assert!(scene.contacts(pair).unwrap().same_bits(&wanted));
    }
    assert!((500..1900).contains(&reported), "{reported} of 2000 are reported as touching");
}

// Proves: REQ-SAME-ORDER
#[test]
fn threads_change_no_bit() {
    let contacts = |threads: Option<usize>| {
        let mut rng = ChaCha8Rng::seed_from_u64(13);
        let mut scene = random_scene(&mut rng, 30, 0.8);
        if let Some(threads) = threads {
            scene = scene.with_executor(Box::new(Pool::new(threads).unwrap()));
        }
        let mut all = CollisionData::new();
        for _ in 0..3 {
            scene.step().unwrap();
            all.contacts.extend(scene.all_contacts().map(|(_, contact)| contact));
            move_all(&mut scene, &mut rng, 0.8);
        }
        all
    };
    let serial = contacts(None);
    assert!(serial.len() > 100, "{} contacts", serial.len());
    for threads in [1, 2, 4] {
        assert!(serial.same_bits(&contacts(Some(threads))), "{threads} threads");
    }
}

/// A point cloud that stops providing its points after its detector was bound.
struct Spoilt {
    points: PointSet,
    spoilt: bool,
}

impl Geometry for Spoilt {
    fn kind(&self) -> GeometryKind {
        GeometryKind::new("spoilt")
    }

    fn bounds(&self) -> Aabb {
        self.points.bounds()
    }

    fn version(&self) -> Version {
        self.points.version()
    }

    fn as_points(&self) -> Option<&PointSet> {
        (!self.spoilt).then_some(&self.points)
    }
}

// Proves: REQ-STEP-ATOMIC
#[test]
fn a_failed_step_leaves_the_scene_as_before_and_the_next_one_recovers() {
    let mut scene = Scene::standard();
    let points = PointSet::new(vec![Point::origin()]).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
    let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y()).unwrap()).unwrap();
    let cloud = scene.add("cloud", Spoilt { points, spoilt: false }).unwrap();
    scene.add_pair(ball, floor, PairOptions::default()).unwrap();
    scene.add_pair(cloud, ball, PairOptions::default().with_detector("point_set_sphere")).unwrap();
    let mut reader = scene.snapshots();
    assert_eq!(scene.step().unwrap().contacts, 2);

    scene.geometry_mut::<Spoilt>(cloud).unwrap().spoilt = true;
    let error = scene.step().unwrap_err().to_string();
    assert!(error.contains("cloud:ball") && error.contains("does not accept spoilt"), "{error}");
    assert_eq!(
        (scene.all_contacts().count(), scene.steps()),
        (2, 1),
        "those of the last step that succeeded"
    );
    assert!(scene.pairs().all(|pair| matches!(scene.pair(pair).unwrap().outcome(), Outcome::Ran(_))));
    assert_eq!((reader.read().step(), reader.read().all_contacts().len()), (1, 2), "the last whole step");
    drop(reader);
    let mut reader = scene.snapshots();
    assert_eq!(
        (reader.read().step(), reader.read().all_contacts().len()),
        (1, 2),
        "a new reader sees the same"
    );

    scene.geometry_mut::<Spoilt>(cloud).unwrap().spoilt = false;
    assert_eq!(scene.step().unwrap().contacts, 2);
    assert_eq!(reader.read().step(), 2);
}

/// A detector that counts its runs and reports the count in the contact's id.
struct Counting {
    runs: u64,
}

impl PairDetector for Counting {
    type A = Sphere;
    type B = Sphere;
    type Settings = ();

    const NAME: &'static str = "counting";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "none",
        sides: "one",
        method: "counts its runs",
        cost: "O(1)",
        source: "",
    };

    fn new(_: ()) -> Self {
        Self { runs: 0 }
    }

    fn detect(&mut self, a: &Sphere, b: &Sphere, _: &Context<'_>, out: &mut CollisionData) -> Status {
        self.runs += 1;
        let sides = [a, b].map(|sphere| Feature::point(sphere.center()));
        out.push(Contact::exact(sides[0], sides[1], Vector::y(), 0.0, self.runs));
        Status::default()
    }

    fn reset(&mut self) {
        self.runs = 0;
    }
}

#[test]
fn a_culled_pair_loses_its_memory() {
    let mut registry = Registry::new();
    registry.register::<Counting>().unwrap();
    let mut scene = Scene::new(registry);
    let [a, b] = ["a", "b"].map(|name| scene.add(name, Sphere::new(Point::origin(), 1.0).unwrap()).unwrap());
    let pair = scene.add_pair(a, b, PairOptions::default()).unwrap();
    let mut runs_with_b_at = |x: f64| {
        scene.geometry_mut::<Sphere>(b).unwrap().set_center(Point::new(x, 0.0, 0.0)).unwrap();
        scene.step().unwrap();
        scene.contacts(pair).unwrap().contacts.first().map(|contact| contact.id)
    };
    let runs = [0.0, 1.0, 0.5, 9.0, 9.5, 1.0, 1.5].map(&mut runs_with_b_at);
    assert_eq!(runs, [Some(1), Some(2), Some(3), None, None, Some(1), Some(2)]);
}
