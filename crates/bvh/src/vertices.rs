//! The vertices of cells in the frame of a tree, and the frame.

use arrayvec::ArrayVec;
use palpate_math::{Aabb, Point};

use crate::Bvh;
use crate::cells::Cells;
use crate::frame::Frame;
use crate::tasks::{FEWEST_VERTICES, MOST, Tasks, bounds_of_parts, fill, run_all};

impl Bvh {
    /// Sets the bounds and the frame to those of other cells, and maps their vertices.
    pub(crate) fn set_cells<const N: usize, const K: usize>(
        &mut self,
        cells: &Cells<'_, N, K>,
        tasks: &dyn Tasks,
    ) {
        self.find_used(cells);
        self.set_vertices(&cells.positions, tasks);
    }

    /// Lists the vertices that cells have, unless they have all.
    fn find_used<const N: usize, const K: usize>(&mut self, cells: &Cells<'_, N, K>) {
        let count = cells.positions[0].len();
        let (used, marks) = (&mut self.buffers.used, &mut self.buffers.marks);
        marks.clear();
        marks.resize(count, false);
        for &id in cells.ids.as_flattened().iter().filter(|&&id| id != u32::MAX) {
            marks[id as usize] = true;
        }
        used.clear();
        self.buffers.all_used = marks.iter().all(|&mark| mark);
        if !self.buffers.all_used {
            used.extend((0..count as u32).filter(|&id| marks[id as usize]));
        }
    }

    /// Sets the bounds and the frame to those of the vertices in use.
    pub(crate) fn set_frame(&mut self, positions: &[&[Point]], tasks: &dyn Tasks) {
        self.exact.clear();
        self.bounds = Aabb::EMPTY;
        for positions in positions {
            let bounds = if self.buffers.all_used {
                finite_bounds(positions, tasks).unwrap_or_else(|| Aabb::from_points(*positions))
            } else {
                Aabb::from_points(self.buffers.used.iter().map(|&id| positions[id as usize]))
            };
            self.bounds = self.bounds.merged(&bounds);
        }
        // Which of two zeros a minimum is depends on the order of the points: with zero, neither is negative.
        for axis in 0..3 {
            self.bounds.min[axis] += 0.0;
            self.bounds.max[axis] += 0.0;
        }
        self.frame = Frame::around(&self.bounds);
    }

    /// Sets the bounds and the frame, and maps the vertices: those of each time after the other.
    pub(crate) fn set_vertices(&mut self, positions: &[&[Point]], tasks: &dyn Tasks) {
        self.set_frame(positions, tasks);
        let frame = self.frame;
        let vertices = &mut self.buffers.vertices;
        vertices.resize(positions.iter().map(|positions| positions.len()).sum(), [0.0; 4]);
        let mut rest = vertices.as_mut_slice();
        for positions in positions {
            let (places, others) = rest.split_at_mut(positions.len());
            fill(tasks, FEWEST_VERTICES, (positions, places), |position| frame.map(position));
            rest = others;
        }
    }
}

/// Returns the box around points; `None` if a coordinate is not finite.
fn finite_bounds(points: &[Point], tasks: &dyn Tasks) -> Option<Aabb> {
    let bounds = bounds_of_parts(tasks, points.len(), FEWEST_VERTICES);
    let mut parts: ArrayVec<_, MOST> =
        bounds.windows(2).map(|part| (&points[part[0]..part[1]], None)).collect();
    run_all(tasks, &mut parts, |(points, bounds)| *bounds = Aabb::from_finite(points));
    parts.into_iter().try_fold(Aabb::EMPTY, |whole, (_, bounds)| Some(whole.merged(&bounds?)))
}
