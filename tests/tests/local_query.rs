//! A local query from a second thread touches no heap, while the organ deforms on the first.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use palpate_geometry::{
    Capsule, Convex, Geometry, OrientedBox, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_haptics::{Proxy, ProxyOptions};
use palpate_math::{Point, Vector};
use palpate_scene::{GeometryId, GeometryReader, Groups, PairOptions, Scene};
use palpate_tests::{Random, meshes};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// New states of the organ that the queries have to see.
const STATES: usize = 30;

/// Phases of the beat of an organ.
const PHASES: usize = 8;

/// Places of the tools.
const PLACES: usize = 5;

fn tools() -> Vec<(&'static str, Box<dyn Geometry>)> {
    let mut random = Random::new(3);
    let corners: Vec<Point> = (0..16).map(|_| Point::from(random.direction() * 0.1)).collect();
    vec![
        ("sphere", Box::new(Sphere::new(Point::origin(), 0.1).unwrap())),
        ("capsule", Box::new(Capsule::new(Pose::identity(), 0.05, 0.2).unwrap())),
        ("box", Box::new(OrientedBox::new(Pose::identity(), Vector::repeat(0.1)).unwrap())),
        ("hull", Box::new(Convex::new(Pose::identity(), &corners).unwrap())),
        ("point", Box::new(PointSet::new(vec![Point::origin()]).unwrap())),
    ]
}

/// The vertices in a phase of a beat.
fn beat(rest: &[Point], phase: usize) -> Vec<Point> {
    let size = 1.0 + 0.02 * (phase % PHASES) as f64;
    rest.iter().map(|point| point * size).collect()
}

/// A scene of its own for the queries: all tools against shared organs.
struct Local {
    scene: Scene,
    tools: Vec<GeometryId>,
}

impl Local {
    fn new(reader: GeometryReader) -> Self {
        let mut scene = Scene::standard();
        let organs = scene.add_shared(reader).unwrap();
        let mut add = |(name, tool)| {
            let tool = scene.add_boxed(name, tool, Groups::default()).unwrap();
            for &organ in &organs {
                scene.add_pair(tool, organ, PairOptions::default().with_margin(0.01)).unwrap();
            }
            tool
        };
        let tools = tools().into_iter().map(&mut add).collect();
        Self { scene, tools }
    }

    /// Queries with the tools in one of their [`PLACES`]; returns the number of contacts.
    fn query(&mut self, place: usize) -> usize {
        let along = 1.1 + 0.1 * place as f64;
        for (number, &tool) in self.tools.iter().enumerate() {
            let turn = 0.1 * number as f64;
            let pose = Pose::translation(along * turn.cos(), along * turn.sin(), 0.1);
            self.scene.set_pose(tool, pose).unwrap();
        }
        self.scene.step().unwrap().contacts
    }
}

/// Sets a flag when it is dropped, also by a panic.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

// Proves: REQ-READERS
#[test]
fn a_local_query_allocates_nothing_while_the_organ_is_stepped() {
    let (vertices, triangles) = meshes::bumpy(&mut Random::new(1), 4, 0.1);
    let mut scene = Scene::standard();
    let organ = SurfaceMesh::new(vertices.clone(), triangles).unwrap();
    let organ = scene.add("organ", organ).unwrap();
    let corners = [[0.0; 3], [1.5, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.5]].map(Point::from).to_vec();
    let volume = scene.add("volume", TetraMesh::new(corners.clone(), vec![[0, 1, 2, 3]]).unwrap()).unwrap();
    let mut local = Local::new(scene.geometry_reader(&[organ, volume]).unwrap());
    let mut step = |phase: usize| {
        scene.set_positions(organ, &beat(&vertices, phase)).unwrap();
        scene.set_positions(volume, &beat(&corners, phase)).unwrap();
        scene.step().unwrap();
    };
    // Every phase of the beat with every place of the tools: each buffer reaches its size.
    let mut contacts = 0;
    for phase in 0..2 * PHASES {
        step(phase);
        assert!(local.scene.update_shared().unwrap());
        contacts += (0..PLACES).map(|place| local.query(place)).sum::<usize>();
    }
    let is_done = AtomicBool::new(false);
    let follow = || {
        let (mut newer, mut number) = (0, 0);
        while newer < STATES {
            newer += usize::from(local.scene.update_shared().unwrap());
            number += 1;
            local.query(number % PLACES);
        }
    };
    // This thread goes on with the queries: its buffers are filled. Another one steps the organ.
    let allocations = thread::scope(|scope| {
        let done = SetWhenDropped(&is_done);
        scope.spawn(|| (0..).take_while(|_| !is_done.load(Ordering::Acquire)).for_each(&mut step));
        let measured = allocation_counter::measure(follow);
        drop(done);
        measured.count_total
    });
    assert!(contacts > 400, "{contacts} contacts");
    assert_eq!(allocations, 0);
}

/// Tools come nearer to the organ for the first time after the warm-up, through dense and bare places: the numbers of
/// candidates and contacts grow slowly to maxima that no earlier query had. Lists have room ahead for these.
#[test]
fn queries_that_find_more_than_ever_before_allocate_nothing() {
    let (vertices, triangles) = meshes::bumpy(&mut Random::new(4), 4, 0.1);
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(vertices, triangles).unwrap()).unwrap();
    let mut local = Local::new(scene.geometry_reader(&[organ]).unwrap());
    scene.step().unwrap();
    assert!(local.scene.update_shared().unwrap());
    // Where the tools are, by their distance from the organ's middle; each at a place of its own.
    let mut query = |random: &mut Random, distance: f64| {
        for &tool in &local.tools {
            let at = random.direction() * distance;
            local.scene.set_pose(tool, Pose::translation(at.x, at.y, at.z)).unwrap();
        }
        local.scene.step().unwrap().contacts
    };
    let mut random = Random::new(5);
    let warm = (0..50).map(|_| query(&mut random, 1.14)).max().unwrap();
    let (mut most, mut records) = (warm, 0);
    let measured = allocation_counter::measure(|| {
        for step in 0..2000 {
            let found = query(&mut random, 1.14 - 0.12 * f64::from(step) / 2000.0);
            records += usize::from(found > most);
            most = most.max(found);
        }
    });
    assert!(records >= 3 && 2 * most >= 3 * warm, "{records} records, {warm} to {most} contacts");
    assert_eq!(measured.count_total, 0, "{warm} to {most} contacts");
}

/// A proxy on a sphere rests on the organ wherever the organ has come to, whichever states it has seen.
#[test]
fn a_proxy_follows_the_newest_state() {
    const STEPS: u64 = 20;
    let corners = |lift: f64| {
        let corners = [[-0.1, 0.0, -0.1], [0.1, 0.0, -0.1], [0.0, 0.0, 0.1], [0.0, -0.1, 0.0]];
        corners.map(|[x, y, z]| Point::new(x, y + lift, z)).to_vec()
    };
    let mut scene = Scene::standard();
    let mesh = SurfaceMesh::new(corners(0.0), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let organ = scene.add("organ", mesh).unwrap();
    let reader = scene.geometry_reader(&[organ]).unwrap();
    let haptics = thread::spawn(move || {
        let mut local = Scene::standard();
        let tool = local.add("tool", Sphere::new(Point::new(0.0, 0.02, 0.0), 0.003).unwrap()).unwrap();
        let organ = local.add_shared(reader).unwrap()[0];
        let options = ProxyOptions::default();
        local.add_pair(tool, organ, PairOptions::default().with_margin(options.reach)).unwrap();
        let mut proxy = Proxy::new(&local, tool, options).unwrap();
        let device = Pose::translation(0.0, -0.01, 0.0);
        let mut ticks_at_rest = 0;
        while ticks_at_rest < 100 {
            local.update_shared().unwrap();
            proxy.follow(&mut local, &device).unwrap();
            ticks_at_rest += usize::from(local.shared_step(organ).unwrap() == Some(STEPS));
        }
        proxy.pose().translation.y
    });
    for step in 1..=STEPS {
        scene.set_positions(organ, &corners(5e-4 * step as f64)).unwrap();
        scene.step().unwrap();
    }
    let height = haptics.join().unwrap();
    assert!((height - 0.013).abs() < 1e-4, "{height}");
}

/// Nor does the step that publishes, once it has filled its buffers.
#[test]
fn publishing_a_deforming_organ_allocates_nothing() {
    let (vertices, triangles) = meshes::bumpy(&mut Random::new(2), 3, 0.1);
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(vertices.clone(), triangles).unwrap()).unwrap();
    let mut reader = scene.geometry_reader(&[organ]).unwrap();
    let phases: Vec<_> = (0..PHASES).map(|phase| beat(&vertices, phase)).collect();
    let mut run = |steps: usize| {
        for step in 0..steps {
            scene.set_positions(organ, &phases[step % PHASES]).unwrap();
            scene.step().unwrap();
            let there = reader.read().geometry(organ).unwrap().as_points().unwrap();
            assert_eq!(there.positions(), phases[step % PHASES]);
        }
    };
    run(PHASES);
    assert_eq!(allocation_counter::measure(|| run(32)).count_total, 0);
}
