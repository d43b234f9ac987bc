//! A whole step of a scene: time per geometry, or per pair.

use super::CELLS;
use crate::inputs::organ;
use crate::parry::vector;
use crate::sample::Sample;
use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use palpate::geometry::{Pose, Sphere, SurfaceMesh};
use palpate::math::{Point, Vector};
use palpate::scene::{GeometryId, PairOptions, Scene};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::glamx::DVec3;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

/// Half of the spheres' mean distance, so that some touch.
const RADIUS: f64 = 0.3;

/// Moving spheres: every pair of them, each against its neighbours, and one tool against all.
pub fn scenes() -> Vec<Case> {
    let all = [100, 300, 1_000];
    let many = [100, 1_000, 10_000];
    let all = all.map(|size| case("all pairs of spheres", size, |size| scene(size, Pairs::All)));
    let near =
        many.map(|size| case("each sphere and 64 others", size, |size| scene(size, Pairs::Others(64))));
    let tool = many.map(|size| case("one sphere and all others", size, |size| scene(size, Pairs::Tool)));
    let group = many.map(|size| Case {
        name: "scene step",
        input: "one group of spheres",
        size,
        item: "sphere",
        make: group,
    });
    let placed = CELLS.map(|size| Case {
        name: "scene step",
        input: "rigid organ moved by pose, one sphere",
        size,
        item: "step",
        make: placed,
    });
    [&all[..], &near[..], &tool[..], &group[..], &placed[..]].concat()
}

fn case(input: &'static str, size: usize, make: Make) -> Case {
    Case { name: "scene step", input, size, item: "sphere", make }
}

/// Which spheres are paired.
#[derive(Clone, Copy)]
enum Pairs {
    All,
    /// Each with this many that follow it, in the order of the ids.
    Others(usize),
    /// The first with all others.
    Tool,
}

fn scene(size: usize, pairs: Pairs) -> Fallible<Workload> {
    let mut sample = Sample::new(12);
    let reach = (size as f64).cbrt();
    let positions: Vec<_> = (0..size).map(|_| Point::from(sample.in_ball() * 0.62 * reach)).collect();
    let mut scene = Scene::standard();
    let add = |(number, position): (usize, &Point)| {
        // The tool extends through the middle of the scene.
        let radius = if number == 0 { 3.0 * RADIUS } else { RADIUS };
        Ok(scene.add(&format!("sphere {number}"), Sphere::new(*position, radius)?)?)
    };
    let ids = positions.iter().enumerate().map(add).collect::<Fallible<Vec<_>>>()?;
    add_pairs(&mut scene, &ids, pairs)?;
    let mut forth = false;
    Ok(Workload::new(size, move || {
        forth = !forth;
        let sway = Vector::x() * if forth { 0.01 } else { 0.0 };
        scene.advance();
        for (&id, position) in ids.iter().zip(&positions) {
            scene.geometry_mut::<Sphere>(id)?.set_center(position + sway)?;
        }
        Ok(scene.step()?.contacts)
    }))
}

fn add_pairs(scene: &mut Scene, ids: &[GeometryId], pairs: Pairs) -> Fallible<()> {
    match pairs {
        Pairs::All => {
            scene.add_all_pairs()?;
        }
        Pairs::Others(count) => {
            for (number, &a) in ids.iter().enumerate() {
                for &b in ids[number + 1..].iter().take(count) {
                    scene.add_pair(a, b, PairOptions::default())?;
                }
            }
        }
        Pairs::Tool => {
            for &b in &ids[1..] {
                scene.add_pair(ids[0], b, PairOptions::default())?;
            }
        }
    }
    Ok(())
}

/// All spheres in one group, moving: boxes, tree, near pairs and their contacts. Beside it parry's tree of the same boxes,
/// built anew, and its pairs of boxes that overlap: no contacts.
fn group(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(12);
    let reach = (size as f64).cbrt();
    let positions: Vec<_> = (0..size).map(|_| Point::from(sample.in_ball() * 0.62 * reach)).collect();
    let mut scene = Scene::standard();
    let add = |(number, position): (usize, &Point)| {
        Ok(scene.add(&format!("sphere {number}"), Sphere::new(*position, RADIUS)?)?)
    };
    let ids = positions.iter().enumerate().map(add).collect::<Fallible<Vec<_>>>()?;
    scene.add_pairs_by_groups(PairOptions::default())?;
    let mut forth = false;
    let mut sway = move || {
        forth = !forth;
        Vector::x() * if forth { 0.01 } else { 0.0 }
    };
    let mut sway_of_peer = sway;
    let boxes = positions.clone();
    let workload = Workload::new(size, move || {
        let sway = sway();
        for (&id, position) in ids.iter().zip(&positions) {
            scene.geometry_mut::<Sphere>(id)?.set_center(position + sway)?;
        }
        Ok(scene.step()?.contacts)
    });
    Ok(workload.beside("Bvh::from_leaves, self pairs", move || {
        let sway = sway_of_peer();
        let leaf = |center: &Point| Aabb::from_half_extents(vector(&(center + sway)), DVec3::splat(RADIUS));
        let leaves: Vec<Aabb> = boxes.iter().map(leaf).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        let mut pairs = 0;
        tree.traverse_bvtt_single_tree::<true>(&mut Default::default(), &mut |_, _| pairs += 1);
        pairs
    }))
}

/// A rigid organ that is moved by its pose under a sphere: its tree and normals stay as they are.
fn placed(triangles: usize) -> Fallible<Workload> {
    let (positions, cells) = organ(triangles);
    let top = positions.iter().map(|position| position.y).fold(f64::MIN, f64::max);
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(positions, cells)?)?;
    let tool = scene.add("tool", Sphere::new(Point::new(0.0, top, 0.0), 0.1 * top)?)?;
    scene.add_pair(tool, organ, PairOptions::default())?;
    let mut forth = false;
    Ok(Workload::new(1, move || {
        forth = !forth;
        let sway = if forth { 1e-3 } else { 0.0 };
        scene.set_pose(organ, Pose::translation(sway, 0.0, 0.0))?;
        Ok(scene.step()?.contacts)
    }))
}
