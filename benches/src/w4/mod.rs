//! Workload W4: a broad phase of moving boxes, palpate beside parry.
//!
//! `boxes_SIZE.bin` holds frames of as many boxes each, and a box is its lowest and highest corner; all numbers are
//! little-endian `f64`. In each frame a tree is brought up to date and all pairs of overlapping boxes are counted.

use std::path::Path;

use palpate::bvh::Bvh;
use palpate::math::{Aabb, Point};
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::partitioning::{Bvh as ParryBvh, BvhBuildStrategy, BvhWorkspace};

use crate::Fallible;
use crate::figures::{Figure, numbers};
use crate::parry::vector;

const FRAMES: usize = 20;
const ROUNDS: usize = 3;

/// Measures all sizes of the folder. Errors: a file is missing or has another length.
pub fn measure(folder: &Path, mut report: impl FnMut(&Figure)) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for size in ["10k", "30k", "100k"] {
        let frames = frames(&folder.join(format!("boxes_{size}.bin")))?;
        for figure in [rebuilt(size, &frames), refitted(size, &frames)] {
            report(&figure);
            figures.push(figure);
        }
    }
    Ok(figures)
}

fn frames(path: &Path) -> Fallible<Vec<Vec<Aabb>>> {
    let numbers = numbers(path)?;
    let (boxes, rest) = numbers.as_chunks::<6>();
    if boxes.is_empty() || !rest.is_empty() || boxes.len() % FRAMES != 0 {
        return Err(format!(
            "{}: {} numbers are not {FRAMES} frames of boxes",
            path.display(),
            numbers.len()
        )
        .into());
    }
    let corners =
        |&[a, b, c, d, e, f]: &[f64; 6]| Aabb { min: Point::new(a, b, c), max: Point::new(d, e, f) };
    Ok(boxes.chunks(boxes.len() / FRAMES).map(|frame| frame.iter().map(corners).collect()).collect())
}

fn parry_boxes(frame: &[Aabb]) -> Vec<ParryBox> {
    frame.iter().map(|bounds| ParryBox::new(vector(&bounds.min), vector(&bounds.max))).collect()
}

fn pairs(tree: &Bvh) -> usize {
    let mut count = 0;
    tree.self_overlap(|_, _| count += 1);
    count
}

fn parry_pairs(tree: &ParryBvh, workspace: &mut BvhWorkspace) -> usize {
    let mut count = 0;
    tree.traverse_bvtt_single_tree::<false>(workspace, &mut |_, _| count += 1);
    count
}

fn rebuilt(size: &'static str, frames: &[Vec<Aabb>]) -> Figure {
    let peer_frames: Vec<Vec<ParryBox>> = frames.iter().map(|frame| parry_boxes(frame)).collect();
    let mut tree = Bvh::default();
    let mut workspace = BvhWorkspace::default();
    let own = || {
        let count = |frame: &Vec<Aabb>| {
            tree.rebuild_fast(frame);
            pairs(&tree)
        };
        frames.iter().map(count).sum()
    };
    let peer = || {
        let count = |frame: &Vec<ParryBox>| {
            let tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, frame);
            parry_pairs(&tree, &mut workspace)
        };
        peer_frames.iter().map(count).sum()
    };
    Figure::measured(("rebuild and all pairs", size), (ROUNDS, FRAMES), own, peer)
}

/// palpate refits as its scenes do: a tree that is worn is rebuilt.
fn refitted(size: &'static str, frames: &[Vec<Aabb>]) -> Figure {
    let peer_frames: Vec<Vec<ParryBox>> = frames.iter().map(|frame| parry_boxes(frame)).collect();
    let mut tree = Bvh::build(&frames[0]);
    let mut peer_tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &peer_frames[0]);
    let mut workspace = BvhWorkspace::default();
    let own = || {
        let count = |frame: &Vec<Aabb>| {
            tree.refit(frame);
            if tree.wear() > 2.0 {
                tree.rebuild(frame);
            }
            pairs(&tree)
        };
        frames.iter().map(count).sum()
    };
    let peer = || {
        let count = |frame: &Vec<ParryBox>| {
            for (id, bounds) in (0..).zip(frame) {
                peer_tree.insert_or_update_partially(*bounds, id, 0.0);
            }
            peer_tree.refit_without_opt();
            parry_pairs(&peer_tree, &mut workspace)
        };
        peer_frames.iter().map(count).sum()
    };
    Figure::measured(("refit and all pairs", size), (ROUNDS, FRAMES), own, peer)
}
