//! The parts of a convex polygon in the lattice's box and in its cells.

use super::facet::{Facet, Least, Stalled};
use super::facet_cell::InCell;
use super::polygon::{Divided, MOST_CORNERS, Place, Polygon};

impl Facet<'_> {
    /// Returns the coordinate of a place along an axis of the lattice.
    pub(super) fn coordinate(&self, [x, y]: &Place, axis: usize) -> f64 {
        self.plane.origin[axis] + (self.plane.axes[0][axis] * x + self.plane.axes[1][axis] * y)
    }

    /// Returns the part of a polygon in the lattice's box, if there is one, and whether there are others.
    pub(super) fn within_the_lattice(&self, mut polygon: Polygon) -> Option<(Option<Polygon>, bool)> {
        let (mut is_cut, mut parts) = (false, [Polygon::default(), Polygon::default()]);
        for axis in 0..3 {
            let last = (self.plane.grid.lattice.size[axis] - 1) as f64;
            for (plane, sign) in [(0.0, -1.0), (last, 1.0)] {
                let height = |place: &Place| sign * (self.coordinate(place, axis) - plane);
                match polygon.divide(height, &mut parts)? {
                    Divided::Below => {}
                    Divided::Above => return Some((None, true)),
                    Divided::Both => {
                        is_cut = true;
                        std::mem::swap(&mut polygon, &mut parts[0]);
                    }
                }
            }
        }
        Some((Some(polygon), is_cut))
    }

    /// Returns the part of a polygon in a cell. `room` is overwritten.
    pub(super) fn within_cell<'p>(
        &self,
        polygon: &'p Polygon,
        cell: [usize; 3],
        room: &'p mut [Polygon; 2],
    ) -> Result<Option<&'p Polygon>, Stalled> {
        let [one, two] = room;
        let (mut part, mut other, mut is_cut) = (one, two, false);
        for (axis, &first) in cell.iter().enumerate() {
            let (low, high) = (first as f64, (first + 1) as f64);
            for (plane, sign) in [(low, -1.0), (high, 1.0)] {
                let from = if is_cut { &*part } else { polygon };
                let mut heights = [0.0; MOST_CORNERS];
                let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
                for (height, corner) in heights.iter_mut().zip(&from.corners) {
                    *height = sign * (self.coordinate(corner, axis) - plane);
                    (lowest, highest) = (lowest.min(*height), highest.max(*height));
                }
                if highest <= 0.0 {
                    continue;
                }
                if lowest >= 0.0 {
                    return Ok(None);
                }
                from.cut(&heights, other).ok_or(Stalled)?;
                std::mem::swap(&mut part, &mut other);
                is_cut = true;
            }
        }
        Ok(Some(if is_cut { part } else { polygon }))
    }

    /// Searches a polygon in a cell.
    pub(super) fn search_cell(
        &self,
        cell: [usize; 3],
        polygon: &Polygon,
        least: &mut Least,
    ) -> Result<(), Stalled> {
        InCell::new(self, cell).search(polygon, least)
    }
}
