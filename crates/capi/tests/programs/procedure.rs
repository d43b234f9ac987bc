//! Needle and thread, blade, cautery, jaws, a tube in a tube and sliding constraints in C and C++: what Rust finds, bit for bit.

use crate::build::{Link, compile, compilers, has, well};
use palpate::contact::NONE;
use palpate::geometry::{Geometry, Needs, Pose, Sphere, SurfaceMesh, TetraMesh};
use palpate::math::{Point, Vector};
use palpate::procedure::{
    Blade, Centreline, CutLimits, Division, Event, GraspTracker, LumenLimits, Passing, Shaft, ShaftPlace,
    ShaftTracker, Sweep, cauterize, lumen_contacts, swept_cells,
};
use palpate::response::pbd::{Positions, RigidBody, ShaftSegment, Sliding, State};
use palpate::scene::{PairOptions, Scene};
use palpate_tests::{Random, meshes};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What the programs read, and what they have to write.
#[derive(Default)]
struct Script {
    text: String,
    wanted: Vec<u64>,
}

impl Script {
    fn whole(&mut self, value: usize) {
        write!(self.text, "{value} ").unwrap();
    }

    fn number(&mut self, value: f64) {
        write!(self.text, "{:x} ", value.to_bits()).unwrap();
    }

    fn points(&mut self, points: &[Point]) {
        self.whole(points.len());
        points.iter().flat_map(|point| point.iter()).for_each(|&x| self.number(x));
    }

    fn cells<const N: usize>(&mut self, cells: &[[u32; N]]) {
        self.whole(cells.len());
        cells.iter().flatten().for_each(|&id| self.whole(id as usize));
    }

    fn put(&mut self, value: impl Into<u64>) {
        self.wanted.push(value.into());
    }

    fn put_ids(&mut self, ids: &[u32]) {
        self.wanted.extend(ids.iter().map(|&id| u64::from(id)));
    }

    fn put_list(&mut self, ids: &[u32]) {
        self.put(ids.len() as u64);
        self.put_ids(ids);
    }

    fn put_numbers<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f64>) {
        self.wanted.extend(numbers.into_iter().map(|x| x.to_bits()));
    }

    fn put_place(&mut self, place: &ShaftPlace) {
        self.put_ids(&[place.section, place.segment]);
        self.put_numbers(&[place.weight, place.arc]);
    }

    fn put_event(&mut self, event: &Event) {
        let (kind, id, allowed, changed) = match *event {
            Event::Touched(_) => (0, 0, false, [NONE; 2]),
            Event::Left => (1, 0, false, [NONE; 2]),
            Event::Punctured { id, allowed } => (2, id.0, allowed, [NONE; 2]),
            Event::Exited { id } => (3, id.0, false, [NONE; 2]),
            Event::Withdrawn { id } => (4, id.0, false, [NONE; 2]),
            Event::Slid { id, triangles } => (5, id.0, false, triangles),
            Event::Passed { id, sections } => (6, id.0, false, sections),
            _ => panic!("{event:?}"),
        };
        self.put(kind as u64);
        self.put(id);
        self.put(allowed);
        self.put_ids(&changed);
    }

    fn put_tracker(&mut self, tracker: &mut ShaftTracker, shaft: &Shaft, surface: &SurfaceMesh) {
        self.put(tracker.crossings().len() as u64);
        for crossing in tracker.crossings() {
            self.put(crossing.id.0);
            self.put(u64::from(crossing.passing == Passing::Out));
            self.put(crossing.triangle);
            self.put_ids(&crossing.vertices);
            self.put_numbers(&crossing.weights);
            self.put_place(&crossing.place);
            self.put_numbers(crossing.point.iter());
            self.put_numbers(&[crossing.cosine]);
        }
        self.put(tracker.path().len() as u64);
        for stay in tracker.path() {
            self.put(stay.cell);
            stay.places.iter().for_each(|place| self.put_place(place));
            self.put_numbers(stay.weights.iter().flatten());
        }
        self.put(tracker.events().len() as u64);
        tracker.events().iter().for_each(|event| self.put_event(event));
        self.put_numbers(&[tracker.depth(), shaft.length()]);
        self.put(tracker.tip_is_inside());
        self.put(tracker.tip_cell().unwrap_or(NONE));
        self.put(tracker.candidate().is_some());
        if let Some(candidate) = tracker.candidate().copied() {
            self.put_numbers(&[candidate.distance, candidate.cosine]);
            let nearest = surface.nearest(&shaft.tip(), f64::INFINITY).unwrap();
            let feature = surface.contact_feature(&nearest, nearest.point);
            self.put_ids(&feature.vertices[..feature.vertex_count as usize]);
            self.put_numbers(candidate.point.iter());
            tracker.allow();
        }
        for segment in 0..3 {
            let place = shaft.place_in(1, segment, 0.5).unwrap();
            self.put(tracker.is_let_through(&place, 0.05));
        }
    }

    /// A needle and its thread through the tissue while it deforms. Returns how many events there were.
    fn needle(&mut self, tissue: &mut TetraMesh) -> usize {
        const STEPS: usize = 90;
        let (rest, mut tracker, mut events) =
            (tissue.points().positions().to_vec(), ShaftTracker::new(0.06), 0);
        self.number(0.06);
        self.whole(STEPS);
        for step in 0..STEPS {
            let moved = |p: &Point| p + Vector::new(0.0, 0.03 * (0.2 * step as f64 + 3.0 * p.x).sin(), 0.0);
            let now: Vec<Point> = rest.iter().map(moved).collect();
            tissue.set_positions(&now).unwrap();
            tissue.prepare(Needs::TREE | Needs::BOUNDARY);
            self.points(&now);
            let at = |back: f64| {
                let along = 0.045 * step as f64 - 0.8 - back;
                Point::new(0.31 * along - 0.3, 1.0 - along, 0.07 * (4.0 * along).sin())
            };
            let rows = [0.0, 0.6].map(|front| [0.0, 0.2, 0.4, 0.6].map(|back| at(front + back)));
            rows.iter().for_each(|row| self.points(row));
            let shaft = Shaft::new(&[&rows[0], &rows[1]]).unwrap();
            tracker.update(&shaft, &*tissue).unwrap();
            events += tracker.events().len();
            self.put_tracker(&mut tracker, &shaft, tissue.boundary().unwrap());
        }
        events
    }

    /// Two balls that close on the tissue. Returns how often they hold it.
    fn jaws(&mut self, tissue: &TetraMesh) -> usize {
        const STEPS: usize = 6;
        let (mut scene, mut tracker, mut held) = (Scene::standard(), GraspTracker::new(), 0);
        let organ = scene.add("tissue", tissue.clone()).unwrap();
        self.whole(STEPS);
        let radius = 0.4;
        let jaws = ["first", "second"].map(|name| {
            self.number(radius);
            let jaw = scene.add(name, Sphere::new(Point::new(0.0, 9.0, 0.0), radius).unwrap()).unwrap();
            (jaw, scene.add_pair(jaw, organ, PairOptions::default()).unwrap())
        });
        for step in 0..STEPS {
            for (side, (jaw, _)) in [1.0, -1.0].into_iter().zip(jaws) {
                let place = Vector::new(0.1, side * (1.0 - 0.08 * step as f64), 0.0);
                place.iter().for_each(|&x| self.number(x));
                scene.set_pose(jaw, Pose::from(place)).unwrap();
            }
            scene.step().unwrap();
            scene.geometry_dyn_mut(organ).unwrap().prepare(Needs::TREE | Needs::BOUNDARY);
            let contacts = jaws.map(|(_, pair)| &scene.contacts(pair).unwrap().contacts[..]);
            let mesh: &TetraMesh = scene.geometry_as(organ).unwrap();
            let grasp = tracker.update(contacts, 0.5, mesh).unwrap();
            held += usize::from(grasp.is_some());
            self.put(grasp.map_or(0, |grasp| grasp.id.0));
            self.put_numbers(&[grasp.map_or(0.0, |grasp| grasp.closure)]);
            self.put_numbers(&grasp.map_or([0.0; 2], |grasp| grasp.areas));
            for jaw in 0..2 {
                self.put_list(grasp.map_or(&[], |grasp| &grasp.triangles[jaw]));
            }
            self.put_list(grasp.map_or(&[], |grasp| &grasp.cells));
            let pairs = grasp.map_or(&[][..], |grasp| &grasp.pairs);
            self.put(pairs.len() as u64);
            pairs.iter().flatten().for_each(|&place| self.put(place as u64));
        }
        held
    }

    fn put_division(&mut self, made: &Division) {
        self.put(made.cuts.len() as u64);
        for cut in &made.cuts {
            self.put_ids(&cut.edge);
            self.put_numbers(&[cut.weight, cut.time]);
        }
        self.put(made.first_vertex);
        self.put(made.vertices.len() as u64);
        for vertex in &made.vertices {
            self.put_ids(&vertex.of);
            self.put_numbers(&vertex.weights);
        }
        self.put_list(&made.removed);
        self.put(made.cells.start);
        self.put_list(&made.parents);
    }

    /// A blade drawn through the tissue, then a cautery. Returns how many cells were cut and removed.
    fn blade(&mut self, tissue: &mut TetraMesh) -> [usize; 2] {
        let limits = CutLimits { snap: 0.15, ..CutLimits::default() };
        let (mut blade, mut swept, mut cut) = (Blade::new(limits), Vec::new(), 0);
        let row =
            |x: f64| [0.9, 0.4, -0.02].map(|y| Point::new(x + 0.1 * y, y, 0.05 + 0.04 * (3.0 * x).sin()));
        self.number(limits.snap);
        self.whole(8);
        for step in 0..8 {
            let [before, now] = [0.0, 0.11].map(|more| row(-0.6 + 0.11 * f64::from(step) + more));
            self.points(&before);
            self.points(&now);
            let sweep = Sweep::new(&before, &now).unwrap();
            tissue.prepare(Needs::TREE);
            swept_cells(tissue, &sweep, &mut swept).unwrap();
            self.put(swept.len() as u64);
            for swept in &swept {
                self.put(swept.cell);
                self.put_numbers(&swept.times);
            }
            let made = blade.cut(tissue, &sweep).unwrap();
            cut += made.removed.len();
            self.put_division(&made);
            self.put_list(&blade.front());
        }
        self.put(0_u64);
        let center = Point::new(-0.7, 0.4, 0.1);
        center.iter().chain(&[0.2]).for_each(|&x| self.number(x));
        tissue.prepare(Needs::TREE);
        let removed = cauterize(tissue, &center, 0.2).unwrap();
        self.put_list(&removed);
        [cut, removed.len()]
    }

    /// A wire in a vessel. Returns how many contacts there were.
    fn tube(&mut self) -> usize {
        let (vertices, cells) = meshes::tetra_block(&mut Random::new(4), [8, 2, 2], 0.0);
        let mut block = TetraMesh::new(vertices, cells).unwrap();
        block.prepare(Needs::BOUNDARY);
        let mut vessel = block.boundary().unwrap().clone();
        vessel.prepare(Needs::TREE | Needs::NORMALS);
        self.points(vessel.points().positions());
        self.cells(vessel.triangles());
        let branches = [[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.2, 0.0, 0.0], [0.2, 0.2, 0.1]]];
        let branches = branches.map(|branch| branch.map(Point::from));
        branches.iter().for_each(|branch| self.points(branch));
        let wire: Vec<Point> = (0..40)
            .map(|k| 0.045 * f64::from(k) - 0.9)
            .map(|x| Point::new(x, 0.27 * (5.0 * x).sin(), 0.2 * (7.0 * x).cos()))
            .collect();
        self.points(&wire);
        let limits = LumenLimits { radius: 0.02, margin: 0.03, reach: 0.1 };
        [limits.radius, limits.margin, limits.reach].iter().for_each(|&x| self.number(x));
        let mut found = Vec::new();
        let line = Centreline::new(&[&branches[0], &branches[1]]).unwrap();
        lumen_contacts(&Shaft::new(&[&wire]).unwrap(), &vessel, &line, &limits, &mut found).unwrap();
        self.put(found.len() as u64);
        for contact in &found {
            let line = contact.centreline.unwrap();
            self.put_place(&contact.place);
            self.put_ids(&[contact.triangle, line.branch as u32]);
            self.put_numbers(
                contact.weights.iter().chain(contact.point.iter()).chain(contact.direction.iter()),
            );
            self.put_numbers(&[contact.depth]);
            self.put_place(&line.place);
        }
        found.len()
    }

    fn sliding(&mut self) {
        let before =
            [[1.0, 0.1, 0.0], [-0.6, 0.0, 0.8], [-0.5, 0.2, -0.7], [0.1, -1.0, 0.3], [0.3, 2.0, -0.1]];
        let before = before.map(Point::from);
        let mut now = before.map(|point| point + Vector::new(0.0, 0.01 * point.x, 0.02 * point.y));
        self.points(&now);
        self.points(&before);
        let tissue = [(0, 0.5), (1, 0.25), (2, 0.25)];
        let ends = [-0.5, 0.5].map(|y| Point::new(0.0, y, 0.0));
        let shafts = [ShaftSegment::Particles([3, 4]), ShaftSegment::Rigid { body: 0, ends }];
        let mut own = shafts.map(|shaft| {
            let mut sliding = Sliding::new(&tissue, shaft, 0.375);
            (sliding.friction, sliding.grip, sliding.compliance) = (0.3, 0.1, 1e-5);
            sliding
        });
        let mut bodies = [RigidBody::new(Pose::identity(), 2.0, Vector::repeat(30.0))];
        for _ in 0..9 {
            let mut state = State {
                particles: &mut now,
                previous: &before,
                inverse_masses: &[1.0, 1.0, 1.0, 2.0, 2.0],
                bodies: &mut bodies,
            };
            own.iter_mut().for_each(|sliding| sliding.project(&mut state, 0.01));
        }
        self.put_numbers(now.iter().flat_map(|point| point.iter()));
        let turn = bodies[0].pose.rotation;
        self.put_numbers(bodies[0].pose.translation.vector.iter());
        self.put_numbers(&[turn.w, turn.i, turn.j, turn.k]);
        let positions = Positions { particles: &now, bodies: &bodies };
        for sliding in &own {
            let (across, along) = sliding.multipliers();
            assert!(across.norm() > 1e-6 && along != 0.0, "{across} {along}");
            self.put_numbers(across.iter());
            self.put_numbers(&[along]);
            self.put_numbers(sliding.force(&positions, 0.01).iter());
            self.put_numbers(sliding.offset(&positions).iter());
        }
    }
}

/// Runs a program and compares what it writes.
fn is_the_same(program: &Path, script: &Script) {
    let [input, output] = ["txt", "out"].map(|extension| program.with_extension(extension));
    std::fs::write(&input, &script.text).unwrap();
    well(Command::new(program).arg(&input).arg(&output));
    let found = std::fs::read(&output).unwrap();
    let found: Vec<u64> = found.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes)).collect();
    let differs = found.iter().zip(&script.wanted).position(|(a, b)| a != b);
    assert_eq!((differs, found.len()), (None, script.wanted.len()), "{}", program.display());
}

// Proves: REQ-C-SAME
#[test]
fn a_procedure_in_c_and_cpp_is_that_of_rust_to_the_bit() {
    let mut script = Script::default();
    let (vertices, cells) = meshes::tetra_block(&mut Random::new(3), [6, 4, 4], 0.1);
    script.points(&vertices);
    script.cells(&cells);
    let mut tissue = TetraMesh::new(vertices, cells).unwrap();
    let events = script.needle(&mut tissue);
    let held = script.jaws(&tissue);
    let [cut, removed] = script.blade(&mut tissue);
    let contacts = script.tube();
    script.sliding();
    assert!(
        events > 8 && held >= 2 && cut > 30 && removed > 3 && contacts > 10,
        "{events} {held} {cut} {removed} {contacts}"
    );
    for (source, gcc, clang) in [("procedure.c", "gcc", "clang"), ("procedure.cpp", "g++", "clang++")] {
        for compiler in compilers(gcc, clang) {
            let name = format!("procedure-{compiler}");
            is_the_same(&compile(compiler, source, &name, Link::Shared, &[]), &script);
        }
    }
    let watched = ["-fsanitize=address,undefined"];
    is_the_same(&compile("gcc", "procedure.c", "procedure-address", Link::Static, &watched), &script);
    if has("valgrind") {
        let program = compile("gcc", "procedure.c", "procedure-valgrind", Link::Shared, &[]);
        let input = program.with_extension("txt");
        std::fs::write(&input, &script.text).unwrap();
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--leak-check=full", "--error-exitcode=9"]);
        well(command.arg(&program).arg(&input).arg(program.with_extension("out")));
    }
}
