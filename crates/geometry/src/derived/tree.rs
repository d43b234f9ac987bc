//! Tree over a mesh's cells.

use crate::Version;
use palpate_bvh::Bvh;
use palpate_math::{Aabb, Point};

/// A tree over the boxes of a mesh's cells: reused for the same version, refitted for new positions, rebuilt for a new
/// topology (and when refitting has degraded its quality).
#[derive(Clone, Debug, Default)]
pub struct CellTree {
    boxes: Vec<Aabb>,
    tree: Option<Bvh>,
    built_for: Version,
}

/// A refitted tree is rebuilt once its expected cost has grown by this factor: by then queries cost more than skipping
/// the rebuild saves over a few steps.
const REBUILD_AT: f64 = 2.0;

impl CellTree {
    /// Updates the tree to `cells` (vertex ids) over `positions`.
    pub fn update<const N: usize>(&mut self, version: Version, cells: &[[u32; N]], positions: &[Point]) {
        self.update_boxes(version, cells.iter().map(|ids| cell_box(ids, positions)));
    }

    /// Updates the tree to `cells` that move from the points `previous` to `positions` within the step.
    pub fn update_swept<const N: usize>(
        &mut self,
        version: Version,
        cells: &[[u32; N]],
        [previous, positions]: [&[Point]; 2],
    ) {
        let swept = |ids| cell_box(ids, previous).merged(&cell_box(ids, positions));
        self.update_boxes(version, cells.iter().map(swept));
    }

    /// Updates the tree to points that move from `previous` to `positions` within the step.
    pub fn update_swept_points(&mut self, version: Version, previous: &[Point], positions: &[Point]) {
        let swept = |(from, to): (&Point, &Point)| Aabb::from_points([*from, *to]);
        self.update_boxes(version, previous.iter().zip(positions).map(swept));
    }

    /// Updates the tree to the `positions` themselves: a tree over points.
    pub fn update_points(&mut self, version: Version, positions: &[Point]) {
        self.update_boxes(version, positions.iter().map(|position| Aabb::from_point(*position)));
    }

    fn update_boxes(&mut self, version: Version, boxes: impl Iterator<Item = Aabb>) {
        if self.built_for == version {
            return;
        }
        self.boxes.clear();
        self.boxes.extend(boxes);
        match &mut self.tree {
            Some(tree) if self.built_for.topology == version.topology => {
                tree.refit(&self.boxes);
                if tree.wear() > REBUILD_AT {
                    tree.rebuild(&self.boxes);
                }
            }
            Some(tree) => tree.rebuild(&self.boxes),
            none => *none = Some(Bvh::build(&self.boxes)),
        }
        self.built_for = version;
    }

    /// Returns the tree if it was built for `version`.
    pub fn current(&self, version: Version) -> Option<&Bvh> {
        if self.built_for == version { self.tree.as_ref() } else { None }
    }
}

fn cell_box<const N: usize>(ids: &[u32; N], positions: &[Point]) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    for &id in ids {
        bounds.include(&positions[id as usize]);
    }
    bounds
}
