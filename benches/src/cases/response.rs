//! Constraint rows from contacts: time per row.

use crate::inputs::{ORGAN_RADIUS, THREAD_RADIUS, organ, organ_surface_point};
use crate::sample::Sample;
use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use nalgebra::Isometry3;
use palpate::contact::{Contact, ContactsOfPair, Feature};
use palpate::geometry::{LineMesh, SurfaceMesh};
use palpate::math::{Point, Vector};
use palpate::response::{Material, pbd, rigid};
use palpate::scene::{PairOptions, Scene};

/// The numbers of rows.
const ROWS: [usize; 3] = [100, 1_000, 10_000];

/// Iterations of a pass of the solver, so that what begins a pass counts for little.
const ITERATIONS: usize = 20;

/// Rows of position-based dynamics between two sheets, rows of rigid bodies in a stack, and re-projection beside
/// detection.
pub fn response() -> Vec<Case> {
    let sheets: [(&'static str, &'static str, Make); 4] = [
        ("pbd gather", "two sheets", |size| gather(size, 0)),
        ("pbd gather", "two sheets, a tenth new", |size| gather(size, size / 10)),
        ("pbd project", "two sheets, with friction", project),
        ("pbd reproject", "two sheets", reproject),
    ];
    let stacks: [(&'static str, &'static str, Make); 3] = [
        ("rigid gather", "stack of boxes", gather_stack),
        ("rigid jacobian", "stack of boxes", |size| matrix(size, rigid::Rows::jacobian)),
        ("rigid delassus", "stack of boxes", |size| matrix(size, rigid::Rows::delassus)),
    ];
    let solves: [(&'static str, Make); 3] = [
        ("stack at rest, warm, 20 iterations", |size| solve(size, 0.0, 300)),
        ("stack, sliding, warm, 20 iterations", |size| solve(size, 30.0, 300)),
        ("stack, falling, cold, 20 iterations", |size| solve(size, 1.0, 0)),
    ];
    let rows = sheets.into_iter().chain(stacks);
    let rows =
        rows.flat_map(|(name, input, make)| ROWS.map(|size| Case { name, input, size, item: "row", make }));
    let solves = solves.into_iter().flat_map(|(input, make)| {
        [250, 1_000].map(|size| Case { name: "rigid solve", input, size, item: "row", make })
    });
    let substep = Case {
        name: "pbd reproject",
        input: "thread on an organ, substep",
        size: 20_000,
        item: "substep",
        make: substep,
    };
    rows.chain(solves).chain([substep]).collect()
}

/// A square sheet of vertices, each a little inside a triangle of another sheet below it.
struct Sheets {
    positions: Vec<Point>,
    contacts: Vec<Contact>,
    /// The number of vertices of a sheet: the first particle of the second.
    vertices: usize,
}

impl Sheets {
    fn new(rows: usize) -> Self {
        let side = (rows as f64).sqrt().ceil() as usize;
        let sheet = |height: f64| {
            let place = move |k: usize| [(k % (side + 1)) as f64, (k / (side + 1)) as f64];
            (0..(side + 1) * (side + 1)).map(place).map(move |[x, z]| Point::new(x, height, z))
        };
        let positions: Vec<Point> = sheet(0.0).chain(sheet(0.1)).collect();
        let vertices = positions.len() / 2;
        let contact = |k: usize| {
            let corner = (k / side * (side + 1) + k % side) as u32;
            let a = Feature::vertex(corner, 0, positions[corner as usize]);
            let ids = [corner, corner + side as u32 + 1, corner + 1];
            let b =
                Feature::triangle(ids, [0.5, 0.25, 0.25], k as u32, positions[vertices + corner as usize]);
            Contact::exact(a, b, Vector::y(), 0.1, k as u64)
        };
        let contacts = (0..rows).map(contact).collect();
        Self { positions, contacts, vertices }
    }

    /// Gathers the rows of the first so many contacts.
    fn gather(&self, rows: &mut pbd::Rows) -> Fallible<usize> {
        let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &self.contacts[..] };
        let body = |side: usize| pbd::Body::Particles(self.vertices * side);
        rows.gather([list], &self.positions, body, |_| Material::with_friction(0.3))?;
        Ok(rows.len())
    }
}

/// `renewed` contacts, spread over the list, have a new id in every pass.
fn gather(size: usize, renewed: usize) -> Fallible<Workload> {
    let mut sheets = Sheets::new(size);
    let mut rows = pbd::Rows::new(0.01);
    let mut next = size as u64;
    Ok(Workload::new(size, move || {
        for contact in sheets.contacts.iter_mut().step_by(size.checked_div(renewed).unwrap_or(usize::MAX)) {
            if renewed > 0 {
                contact.id = next;
                next += 1;
            }
        }
        sheets.gather(&mut rows)
    }))
}

fn project(size: usize) -> Fallible<Workload> {
    let sheets = Sheets::new(size);
    let mut rows = pbd::Rows::new(0.01);
    sheets.gather(&mut rows)?;
    let previous = sheets.positions.clone();
    let (mut x, masses) = (sheets.positions, vec![1.0; previous.len()]);
    Ok(Workload::new(size, move || {
        rows.iter_mut().for_each(|row| row.project(&mut x, &previous, &masses));
        Ok(rows.len())
    }))
}

fn reproject(size: usize) -> Fallible<Workload> {
    let sheets = Sheets::new(size);
    let mut rows = pbd::Rows::new(0.01);
    sheets.gather(&mut rows)?;
    let mut x = sheets.positions;
    let mut sign = 1e-3;
    Ok(Workload::new(size, move || {
        sign = -sign;
        for (k, point) in x.iter_mut().enumerate().step_by(7) {
            point.y += sign * (k % 3) as f64;
        }
        rows.reproject(&x);
        Ok(rows.len())
    }))
}

/// Boxes of side one on top of each other, four contacts between each two.
struct Stack {
    masses: Vec<rigid::Mass>,
    velocities: Vec<rigid::Velocity>,
    contacts: Vec<[Contact; 4]>,
}

impl Stack {
    /// With `sliding` metres per second of random lateral velocity.
    fn new(rows: usize, sliding: f64) -> Self {
        let (pairs, mut sample) = (rows / 4, Sample::new(41));
        let mass = |k: usize| {
            let pose = Isometry3::translation(0.0, k as f64, 0.0);
            rigid::Mass::new(&pose, 1.0, &Vector::repeat(6.0))
        };
        let falling = |_| {
            let lateral = sample.in_ball() * sliding;
            let linear = Vector::new(lateral.x, -0.1, lateral.z);
            rigid::Velocity { linear, angular: Vector::zeros() }
        };
        let corners = |k: usize| {
            [0, 1, 2, 3].map(|corner: u64| {
                let [x, z] = [corner & 1, corner >> 1].map(|bit| bit as f64 - 0.5);
                let place = Feature::point(Point::new(x, k as f64 + 0.5, z));
                Contact::exact(place, place, -Vector::y(), 0.0, corner)
            })
        };
        Self {
            masses: (0..=pairs).map(mass).collect(),
            velocities: (0..=pairs).map(falling).collect(),
            contacts: (0..pairs).map(corners).collect(),
        }
    }

    fn gather(&self, rows: &mut rigid::Rows) -> Fallible<usize> {
        let lists = self.contacts.iter().enumerate().map(|(k, contacts)| ContactsOfPair {
            number: k as u64,
            geometries: [k, k + 1],
            contacts: &contacts[..],
        });
        let material = Material::with_friction(0.3);
        rows.gather(lists, &self.masses, &self.velocities, rigid::Body::Dynamic, |_| material)?;
        Ok(rows.len())
    }
}

fn gather_stack(size: usize) -> Fallible<Workload> {
    let stack = Stack::new(size, 0.0);
    let mut rows = rigid::Rows::new(rigid::Settings::new(0.01));
    Ok(Workload::new(size, move || stack.gather(&mut rows)))
}

fn matrix(size: usize, assemble: fn(&rigid::Rows, &mut rigid::Csr)) -> Fallible<Workload> {
    let stack = Stack::new(size, 0.0);
    let mut rows = rigid::Rows::new(rigid::Settings::new(0.01));
    stack.gather(&mut rows)?;
    let mut matrix = rigid::Csr::default();
    Ok(Workload::new(size, move || {
        assemble(&rows, &mut matrix);
        Ok(matrix.rows())
    }))
}

/// Projected Gauss–Seidel from the same rows and velocities in every pass, those of a step that begins after so many
/// iterations; the lowest box is static. The time is per row and iteration.
fn solve(size: usize, sliding: f64, warm: usize) -> Fallible<Workload> {
    let Stack { mut masses, mut velocities, contacts } = Stack::new(size, sliding);
    (masses[0], velocities[0]) = (rigid::Mass::infinite(), rigid::Velocity::default());
    let stack = Stack { masses, velocities: velocities.clone(), contacts };
    let mut fresh = rigid::Rows::new(rigid::Settings::new(0.01));
    stack.gather(&mut fresh)?;
    let iterate = |rows: &mut rigid::Rows, velocities: &mut [rigid::Velocity], iterations: usize| {
        for _ in 0..iterations {
            rows.iter_mut().for_each(|row| row.solve(velocities));
        }
    };
    iterate(&mut fresh, &mut velocities, warm);
    let count = fresh.len();
    let (mut rows, start) = (fresh.clone(), velocities.clone());
    Ok(Workload::new(ITERATIONS * count, move || {
        rows.clone_from(&fresh);
        velocities.copy_from_slice(&start);
        iterate(&mut rows, &mut velocities, ITERATIONS);
        Ok(count)
    }))
}

/// A thread of 500 segments wound round an organ of so many triangles, both deforming: re-projection of the rows at the
/// positions of a substep; beside it, detection there.
fn substep(triangles: usize) -> Fallible<Workload> {
    let (mut x, cells) = organ(triangles);
    let organ_vertices = x.len();
    let wound = |k: u32| {
        let (turn, height) = (0.06 * f64::from(k), 0.6 - f64::from(k) / 500.0 * 1.2);
        let across = (1.0 - height * height).sqrt();
        let direction = Vector::new(across * turn.cos(), height, across * turn.sin());
        organ_surface_point(&direction) + direction * (0.5 * THREAD_RADIUS)
    };
    x.extend((0..=500).map(wound));
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(x[..organ_vertices].to_vec(), cells)?)?;
    let thread = LineMesh::polyline(x[organ_vertices..].to_vec())?.with_radius(THREAD_RADIUS)?;
    let thread = scene.add("thread", thread)?;
    scene.add_pair(thread, organ, PairOptions::default().with_margin(THREAD_RADIUS))?;
    scene.step()?;
    let mut rows = pbd::Rows::new(0.01);
    let body = |id| pbd::Body::Particles(if id == thread { organ_vertices } else { 0 });
    rows.gather(scene.pairs_in_contact(), &x, body, |_| Material::HARD)?;
    let breathed: Vec<Point> =
        x.iter().map(|p| p + Vector::y() * (0.01 * THREAD_RADIUS * (p.x / ORGAN_RADIUS))).collect();
    let states = [x, breathed];
    let states_of_peer = states.clone();
    let (mut turn, mut turn_of_peer) = (0, 0);
    let workload = Workload::new(1, move || {
        turn = 1 - turn;
        rows.reproject(&states[turn]);
        Ok(rows.len())
    });
    Ok(workload.beside("Scene::step of palpate", move || {
        turn_of_peer = 1 - turn_of_peer;
        let x = &states_of_peer[turn_of_peer];
        let moved = [
            scene.set_positions(organ, &x[..organ_vertices]),
            scene.set_positions(thread, &x[organ_vertices..]),
        ];
        if moved.iter().any(Result::is_err) {
            return 0;
        }
        scene.step().map_or(0, |report| report.contacts)
    }))
}
