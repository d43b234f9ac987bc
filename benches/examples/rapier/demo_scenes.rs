//! The scenes of rapier's demonstrations, made anew in their sizes and layouts, some with fewer bodies. No body sleeps.

use super::Result;
use palpate_tests::Random;
use rapier3d_f64::prelude::{
    Array2, ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, Rotation, SharedShape,
    SphericalJointBuilder, Vector,
};
use std::f64::consts::{PI, TAU};

/// A scene by its name.
pub(crate) struct Demo {
    pub(crate) name: &'static str,
    pub(crate) build: fn() -> Result<PhysicsWorld>,
    /// Seconds of the run.
    pub(crate) seconds: usize,
}

/// All scenes.
pub(crate) const DEMOS: [Demo; 11] = [
    Demo { name: "primitives", build: primitives, seconds: 8 },
    Demo { name: "pyramid", build: pyramid, seconds: 8 },
    Demo { name: "wall", build: wall, seconds: 6 },
    Demo { name: "round tower", build: round_tower, seconds: 6 },
    Demo { name: "dominoes", build: dominoes, seconds: 6 },
    Demo { name: "keva tower", build: keva, seconds: 6 },
    Demo { name: "polyhedra", build: polyhedra, seconds: 8 },
    Demo { name: "compounds", build: compounds, seconds: 8 },
    Demo { name: "mesh floor", build: mesh_floor, seconds: 8 },
    Demo { name: "height field", build: height_field, seconds: 8 },
    Demo { name: "joints", build: joints, seconds: 6 },
];

/// A world with a floor whose top is at height 0.
pub(crate) fn world_with_floor(half: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let floor = RigidBodyBuilder::fixed().translation(Vector::new(0.0, -1.0, 0.0));
    world.insert(floor, ColliderBuilder::cuboid(half, 1.0, half));
    world
}

/// Adds a body that does not sleep.
pub(crate) fn add(world: &mut PhysicsWorld, place: Pose, collider: ColliderBuilder) {
    world.insert(RigidBodyBuilder::dynamic().pose(place).can_sleep(false), collider);
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vector::new(x, y, z))
}

/// Calls `add` with the places of a block of bodies, and their layers.
fn block([across, layers]: [u32; 2], [side, height]: [f64; 2], mut add: impl FnMut(u32, Pose)) {
    let middle = |k: u32| side * (f64::from(k) - f64::from(across / 2));
    for j in 0..layers {
        for (i, k) in (0..across).flat_map(|i| (0..across).map(move |k| (i, k))) {
            add(j, at(middle(i), height * f64::from(j), middle(k)));
        }
    }
}

fn primitives() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(100.0);
    block([8, 10], [3.0, 3.0], |layer, mut place| {
        let collider = match layer % 5 {
            1 => ColliderBuilder::ball(1.0),
            2 => ColliderBuilder::cylinder(1.0, 1.0),
            3 => ColliderBuilder::cone(1.0, 1.0),
            _ => ColliderBuilder::capsule_y(1.0, 1.0),
        };
        place.translation += Vector::new(-0.35, 0.0, -0.35) * f64::from(layer) + Vector::Y * 4.5;
        add(&mut world, place, collider);
    });
    Ok(world)
}

/// Square layers, each on the gaps of the one below.
pub(crate) fn pyramid_of(world: &mut PhysicsWorld, height: u32, cube: impl Fn() -> ColliderBuilder) {
    for i in 0..height {
        for (j, k) in (i..height).flat_map(|j| (i..height).map(move |k| (j, k))) {
            let of = |k: u32| f64::from(2 * k) - f64::from(i) - f64::from(height);
            add(world, at(of(k), f64::from(2 * i) + 1.0, of(j)), cube());
        }
    }
}

fn pyramid() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(200.0);
    pyramid_of(&mut world, 12, || ColliderBuilder::cuboid(1.0, 1.0, 1.0));
    Ok(world)
}

fn wall() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(200.0);
    for number in 0..6 {
        let x = 6.0 * f64::from(number);
        for (i, j) in (0..12_u32).flat_map(|i| (i..12).map(move |j| (i, j))) {
            let place = at(x, f64::from(2 * i) + 1.0, f64::from(2 * j) - f64::from(i) - 12.0);
            add(&mut world, place, ColliderBuilder::cuboid(1.0, 1.0, 1.0));
        }
    }
    Ok(world)
}

fn round_tower() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(200.0);
    let (layers, around) = (25_u32, 20_u32);
    let (step, radius) = (TAU / f64::from(around), 1.3 * f64::from(around) / PI);
    for (i, j) in (0..layers).flat_map(|i| (0..around).map(move |j| (i, j))) {
        let turn = Rotation::from_rotation_y((f64::from(i) / 2.0 + f64::from(j)) * step);
        let place = Vector::new(0.0, f64::from(2 * i) + 1.0, 0.0) + turn * (Vector::Z * radius);
        add(&mut world, Pose::from_parts(place, turn), ColliderBuilder::cuboid(1.0, 1.0, 1.0));
    }
    Ok(world)
}

fn dominoes() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(200.0);
    let (mut angle, mut radius) = (0.0_f64, 10.0);
    for number in 0..600 {
        let around = TAU * radius;
        angle += TAU * 0.4 / around;
        let turn = Rotation::from_rotation_y(angle);
        let tilt = if number == 599 { 0.2 } else { 0.0 };
        let leaning = Rotation::from_axis_angle(turn * Vector::Z, tilt) * turn;
        let place = Vector::new(angle.sin() * radius, 2.0, angle.cos() * radius);
        add(&mut world, Pose::from_parts(place, leaning), ColliderBuilder::cuboid(0.1, 2.0, 1.0));
        radius += 1.5 / around;
    }
    Ok(world)
}

/// Planks that lie crosswise in layers, in three storeys, each with a flat roof.
fn keva() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(50.0);
    let [thick, low, long] = [0.1, 0.5, 2.0];
    let mut base = 0.0;
    for (across, layers) in [(3_u32, 17_u32), (2, 13), (1, 9)] {
        let (width, many) = (2.0 * long * f64::from(across), 3 * across + 1);
        let gap = 2.0 * (long * f64::from(across) - thick) / f64::from(many - 1);
        for layer in 0..layers {
            let is_turned = layer % 2 == 1;
            let y = base + low * f64::from(2 * layer + 1);
            for (i, k) in (0..many).flat_map(|i| (0..across).map(move |k| (i, k))) {
                let (aside, along) = (gap * f64::from(i) + thick, long * f64::from(2 * k + 1));
                let (x, z) = if is_turned { (along, aside) } else { (aside, along) };
                let half = if is_turned { [long, low, thick] } else { [thick, low, long] };
                let plank = ColliderBuilder::cuboid(half[0], half[1], half[2]);
                add(&mut world, at(x - width / 2.0, y, z - width / 2.0), plank);
            }
        }
        base += 2.0 * low * f64::from(layers);
        let rows = (width / (2.0 * low)) as u32;
        for (i, k) in (0..across).flat_map(|i| (0..rows).map(move |k| (i, k))) {
            let (x, z) = (long * f64::from(2 * i + 1), low * f64::from(2 * k + 1));
            let plank = ColliderBuilder::cuboid(long, thick, low);
            add(&mut world, at(x - width / 2.0, base + thick, z - width / 2.0), plank);
        }
        base += 2.0 * thick;
    }
    Ok(world)
}

fn polyhedra() -> Result<PhysicsWorld> {
    let (mut world, mut random) = (world_with_floor(40.0), Random::new(61));
    let mut hulls = Vec::new();
    block([5, 20], [2.2, 2.2], |_, mut place| {
        let points: Vec<Vector> = (0..10).map(|_| vector(&mut random)).collect();
        place.translation.y += 4.1;
        hulls.extend(ColliderBuilder::round_convex_hull(&points, 0.1).map(|hull| (place, hull)));
    });
    hulls.into_iter().for_each(|(place, hull)| add(&mut world, place, hull));
    Ok(world)
}

/// In a cube of side two from the origin on.
fn vector(random: &mut Random) -> Vector {
    let [x, y, z] = [0.0; 3].map(|_| random.between(0.0, 2.0));
    Vector::new(x, y, z)
}

/// A bar with two upright ones, in the middle of which are the ends of the first.
fn staple([long, thick, high, raised]: [f64; 4]) -> SharedShape {
    let upright = |x: f64| (at(x, raised, 0.0), SharedShape::cuboid(thick, high, thick));
    let bar = (at(0.0, 0.0, 0.0), SharedShape::cuboid(long, thick, thick));
    SharedShape::compound(vec![bar, upright(long), upright(-long)])
}

fn compounds() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(50.0);
    block([6, 8], [2.0, 5.0], |layer, mut place| {
        place.translation.x *= 2.5;
        place.translation += Vector::new(0.3 * f64::from(layer), 4.0, 0.2 * f64::from(layer));
        add(&mut world, place, ColliderBuilder::new(staple([2.0, 0.2, 2.0, 2.0])));
    });
    Ok(world)
}

/// Six layers of bodies, each of another shape.
fn drop_all_shapes(world: &mut PhysicsWorld) {
    block([8, 6], [3.0, 3.0], |layer, mut place| {
        let collider = match layer {
            0 => ColliderBuilder::cuboid(1.0, 1.0, 1.0),
            1 => ColliderBuilder::ball(1.0),
            2 => ColliderBuilder::cylinder(1.0, 1.0),
            3 => ColliderBuilder::cone(1.0, 1.0),
            4 => ColliderBuilder::capsule_y(1.0, 1.0),
            _ => ColliderBuilder::new(staple([1.0, 0.5, 1.0, 0.0])),
        };
        place.translation.y += 4.5;
        add(world, place, collider);
    });
}

fn mesh_floor() -> Result<PhysicsWorld> {
    let mut world = PhysicsWorld::new();
    let (vertices, triangles) = hills(20, 50.0);
    let mesh = SharedShape::trimesh(vertices, triangles)?;
    world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::new(mesh));
    drop_all_shapes(&mut world);
    Ok(world)
}

fn height_field() -> Result<PhysicsWorld> {
    let mut world = PhysicsWorld::new();
    let (n, side) = (20, 100.0);
    let heights = Array2::from_fn(n + 1, n + 1, |i, j| {
        let at = |k: usize| k as f64 * side / n as f64;
        if [0, n].contains(&i) || [0, n].contains(&j) { 10.0 } else { at(i).sin() + at(j).cos() }
    });
    let field = ColliderBuilder::heightfield(heights, Vector::new(side, 1.0, side));
    world.insert(RigidBodyBuilder::fixed(), field);
    drop_all_shapes(&mut world);
    Ok(world)
}

/// A net of balls that hangs by one edge and falls over a box.
fn joints() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(50.0);
    world.insert(RigidBodyBuilder::fixed().pose(at(7.0, 6.0, 8.0)), ColliderBuilder::cuboid(4.0, 2.0, 3.0));
    let count = 16_usize;
    let mut balls = Vec::new();
    for (k, i) in (0..count).flat_map(|k| (0..count).map(move |i| (k, i))) {
        let is_fixed = i == 0 && (k % 4 == 0 || k + 1 == count);
        let body = if is_fixed { RigidBodyBuilder::fixed() } else { RigidBodyBuilder::dynamic() };
        let body = body.pose(at(k as f64, 12.0, i as f64)).can_sleep(false);
        let (ball, _) = world.insert(body, ColliderBuilder::ball(0.4));
        if i > 0 {
            let joint = SphericalJointBuilder::new().local_anchor2(-Vector::Z);
            world.insert_impulse_joint(balls[balls.len() - 1], ball, joint);
        }
        if k > 0 {
            let joint = SphericalJointBuilder::new().local_anchor2(-Vector::X);
            world.insert_impulse_joint(balls[balls.len() - count], ball, joint);
        }
        balls.push(ball);
    }
    Ok(world)
}

/// A square of `n` by `n` rectangles over `-half` to `half`, with waves and a rim; its front is up.
pub(crate) fn hills(n: u32, half: f64) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let at = |k: u32| 2.0 * half * f64::from(k) / f64::from(n);
    let is_rim = |k: u32| k == 0 || k == n;
    let height = |i, j| if is_rim(i) || is_rim(j) { 10.0 } else { at(i).sin() + at(j).cos() };
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j)));
    let vertices = vertices.map(|(i, j)| Vector::new(at(i) - half, height(i, j), at(j) - half)).collect();
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let triangles = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
        [[a, b, c], [a, c, d]]
    });
    (vertices, triangles.collect())
}
