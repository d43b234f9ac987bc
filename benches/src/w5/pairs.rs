//! The pairs of workload W5, read from a file or generated, as the geometries of both libraries.

use std::path::Path;

use palpate::contact::CollisionData;
use palpate::detect::{Choice, Context, Registry};
use palpate::geometry::{Convex, Geometry, OrientedBox, Pose, pose};
use palpate::math::{Point, Vector};
use parry3d_f64::glamx::{DPose3, DQuat, DVec3};
use parry3d_f64::shape::{ConvexPolyhedron, Cuboid, Shape};

use crate::Fallible;
use crate::figures::numbers;
use crate::parry::vectors;
use crate::sample::Sample;

/// Two bodies in both libraries, and the first pose of B; A is at the identity.
pub(super) struct Pair {
    pub(super) a: Box<dyn Geometry>,
    pub(super) b: Box<dyn Geometry>,
    pub(super) peer_a: Box<dyn Shape>,
    pub(super) peer_b: Box<dyn Shape>,
    pub(super) rotation: nalgebra::UnitQuaternion<f64>,
    pub(super) position: Vector,
}

/// Number of generated pairs.
const PAIRS: usize = 1_000;

/// Numbers in a row of boxes: half extents, rotation, position.
const BOXES: usize = 13;

/// Points of a hull.
const POINTS: usize = 32;

/// Numbers in a row of hulls: points, rotation, position.
const HULLS: usize = 6 * POINTS + 7;

/// Distance between the origins of two generated hulls, whose points are from 0.5 to 1 away from them.
const APART: f64 = 1.15;

/// The boxes of a folder, or generated ones. Errors: the file is missing or malformed.
pub(super) fn boxes(folder: Option<&Path>) -> Fallible<Vec<Pair>> {
    match folder {
        Some(folder) => rows::<BOXES>(&folder.join("boxes.bin"))?.iter().map(pair_of_boxes).collect(),
        None => {
            let mut sample = Sample::new(51);
            generated(|| {
                let mut row = [0.0; BOXES];
                row[..6].fill_with(|| sample.between(0.3, 1.0));
                let place = sample.in_ball() * 3.0;
                finish(&mut sample, &mut row, place)?;
                pair_of_boxes(&row)
            })
        }
    }
}

/// The hulls of a folder, or generated ones. Errors: the file is missing or malformed.
pub(super) fn hulls(folder: Option<&Path>) -> Fallible<Vec<Pair>> {
    match folder {
        Some(folder) => rows::<HULLS>(&folder.join("hulls.bin"))?.iter().map(pair_of_hulls).collect(),
        None => {
            let mut sample = Sample::new(52);
            generated(|| {
                let mut row = [0.0; HULLS];
                for point in row[..6 * POINTS].as_chunks_mut::<3>().0 {
                    *point = (sample.direction() * sample.between(0.5, 1.0)).into();
                }
                let place = sample.direction() * APART;
                finish(&mut sample, &mut row, place)?;
                pair_of_hulls(&row)
            })
        }
    }
}

/// Writes a random rotation and a position to the end of a row.
fn finish(sample: &mut Sample, row: &mut [f64], position: Vector) -> Fallible<()> {
    let start = row.len() - 7;
    let rotation = sample.pose_at(Point::origin())?.rotation;
    row[start] = rotation.w;
    row[start + 1..start + 4].copy_from_slice(rotation.imag().as_slice());
    row[start + 4..].copy_from_slice(position.as_slice());
    Ok(())
}

/// The first pairs of a generator that touch.
fn generated(mut make: impl FnMut() -> Fallible<Pair>) -> Fallible<Vec<Pair>> {
    let (registry, context) = (Registry::standard(), Context::new());
    let mut out = CollisionData::new();
    let mut pairs = Vec::new();
    while pairs.len() < PAIRS {
        let pair = make()?;
        registry.bind(&*pair.a, &*pair.b, Choice::default())?.run(&*pair.a, &*pair.b, &context, &mut out)?;
        if !out.is_empty() {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// The rows of a file. Errors: it cannot be read, is empty or ends within a row.
fn rows<const N: usize>(path: &Path) -> Fallible<Vec<[f64; N]>> {
    let numbers = numbers(path)?;
    let (rows, rest) = numbers.as_chunks::<N>();
    if rows.is_empty() || !rest.is_empty() {
        return Err(format!("{}: {} numbers are not rows of {N}", path.display(), numbers.len()).into());
    }
    Ok(rows.to_vec())
}

/// The pose at the end of a row.
fn pose_of(row: &[f64]) -> Fallible<Pose> {
    let end = row.last_chunk::<7>().ok_or("a row has no pose")?;
    let [w, x, y, z, position @ ..] = *end;
    Ok(pose::from_rotation(Point::from(position), pose::rotation_from_wxyz([w, x, y, z])?)?)
}

fn pair_of_boxes(row: &[f64; BOXES]) -> Fallible<Pair> {
    let [a, b] = [Vector::new(row[0], row[1], row[2]), Vector::new(row[3], row[4], row[5])];
    let pose = pose_of(row)?;
    let peer = |half: &Vector| Box::new(Cuboid::new(DVec3::new(half.x, half.y, half.z)));
    Ok(Pair {
        a: Box::new(OrientedBox::new(Pose::identity(), a)?),
        b: Box::new(OrientedBox::new(pose, b)?),
        peer_a: peer(&a),
        peer_b: peer(&b),
        rotation: pose.rotation,
        position: pose.translation.vector,
    })
}

fn pair_of_hulls(row: &[f64; HULLS]) -> Fallible<Pair> {
    let points: Vec<Point> = row[..6 * POINTS].as_chunks::<3>().0.iter().copied().map(Point::from).collect();
    let (a, b) = points.split_at(POINTS);
    let pose = pose_of(row)?;
    let peer =
        |points: &[Point]| ConvexPolyhedron::from_convex_hull(&vectors(points)).ok_or("a hull is flat");
    Ok(Pair {
        a: Box::new(Convex::new(Pose::identity(), a)?),
        b: Box::new(Convex::new(pose, b)?),
        peer_a: Box::new(peer(a)?),
        peer_b: Box::new(peer(b)?),
        rotation: pose.rotation,
        position: pose.translation.vector,
    })
}

/// A pose in parry's type.
pub(super) fn parry_pose(pose: &Pose) -> DPose3 {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    DPose3 { rotation: DQuat::from_xyzw(q.x, q.y, q.z, q.w), translation: DVec3::new(t.x, t.y, t.z) }
}
