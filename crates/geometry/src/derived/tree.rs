//! Tree over a mesh's cells.

use crate::Version;
use palpate_bvh::{Bvh, Cells, Tasks};
use palpate_math::Point;

/// A tree over a mesh's cells, straight from the positions of their vertices: reused for the same version, refitted for
/// new positions, rebuilt for a new topology, and by the fast construction when refits have degraded its quality.
#[derive(Clone, Debug, Default)]
pub struct CellTree {
    tree: Option<Bvh>,
    built_for: Version,
}

/// A refitted tree is rebuilt once its expected cost has grown by this factor: by then queries cost more than skipping
/// the rebuild saves over a few steps.
const REBUILD_AT: f64 = 2.0;

impl CellTree {
    /// Updates the tree to `cells` (vertex ids) over `positions` on the threads of the caller: the same tree for any number.
    pub fn update<const N: usize>(
        &mut self,
        version: Version,
        cells: &[[u32; N]],
        positions: &[Point],
        tasks: &dyn Tasks,
    ) {
        self.update_cells(version, &Cells { ids: cells, positions: [positions] }, tasks);
    }

    /// Updates the tree to `cells` that move from the points `previous` to `positions` within the step, on the threads of the
    /// caller.
    pub fn update_swept<const N: usize>(
        &mut self,
        version: Version,
        cells: &[[u32; N]],
        [previous, positions]: [&[Point]; 2],
        tasks: &dyn Tasks,
    ) {
        self.update_cells(version, &Cells { ids: cells, positions: [previous, positions] }, tasks);
    }

    /// Updates the tree to points that move from `previous` to `positions` within the step.
    pub fn update_swept_points(&mut self, version: Version, previous: &[Point], positions: &[Point]) {
        let positions = [previous, positions];
        let rebuild = |tree: &mut Bvh, _| tree.rebuild_points(positions);
        self.update_with(version, |tree| tree.refit_points(positions), rebuild);
    }

    /// Updates the tree to the `positions` themselves: a tree over points.
    pub fn update_points(&mut self, version: Version, positions: &[Point]) {
        let positions = [positions];
        let rebuild = |tree: &mut Bvh, _| tree.rebuild_points(positions);
        self.update_with(version, |tree| tree.refit_points(positions), rebuild);
    }

    fn update_cells<const N: usize, const K: usize>(
        &mut self,
        version: Version,
        cells: &Cells<'_, N, K>,
        tasks: &dyn Tasks,
    ) {
        let rebuild = |tree: &mut Bvh, is_new| {
            if is_new {
                tree.rebuild_cells_by(cells, tasks)
            } else {
                tree.rebuild_cells_fast_by(cells, tasks)
            }
        };
        self.update_with(version, |tree| tree.refit_cells_by(cells, tasks), rebuild);
    }

    /// `rebuild` is told whether the topology is new.
    fn update_with(&mut self, version: Version, refit: impl Fn(&mut Bvh), rebuild: impl Fn(&mut Bvh, bool)) {
        if self.built_for == version {
            return;
        }
        let is_new = self.tree.is_none() || self.built_for.topology != version.topology;
        let tree = self.tree.get_or_insert_default();
        if !is_new {
            refit(tree);
        }
        if is_new || tree.wear() > REBUILD_AT {
            rebuild(tree, is_new);
        }
        self.built_for = version;
    }

    /// Follows a cut, which changed the version: removes cells, and adds those that the tree does not have. A tree that was not
    /// up to date becomes so by the next update, as if the cut had not been.
    pub(crate) fn cut<const N: usize>(
        &mut self,
        (before, after): (Version, Version),
        removed: &[u32],
        cells: &[[u32; N]],
        positions: &[Point],
    ) {
        let Some(tree) = self.tree.as_mut().filter(|_| self.built_for.topology == before.topology) else {
            return;
        };
        tree.remove_cells(removed);
        let cells = Cells { ids: cells, positions: [positions] };
        let has_new = tree.len() < cells.ids.len();
        if has_new && (!tree.add_cells(&cells) || tree.wear() > REBUILD_AT) {
            tree.rebuild_cells_fast(&cells);
            self.built_for = after;
            return;
        }
        let was_current = self.built_for == before;
        self.built_for.topology = after.topology;
        if was_current {
            self.built_for.positions = after.positions;
        }
    }

    /// Makes what the first cut would make, if the tree is up to date.
    pub(crate) fn prepare_cuts(&mut self, version: Version) {
        if let Some(tree) = self.tree.as_mut().filter(|_| self.built_for == version) {
            tree.prepare_cuts();
        }
    }

    /// Whether there is a tree that is up to date and not [prepared for cuts](Self::prepare_cuts).
    pub(crate) fn lacks_cuts(&self, version: Version) -> bool {
        self.current(version).is_some_and(|tree| !tree.is_prepared_for_cuts())
    }

    /// Returns the tree if it was built for `version`.
    pub fn current(&self, version: Version) -> Option<&Bvh> {
        if self.built_for == version { self.tree.as_ref() } else { None }
    }
}
