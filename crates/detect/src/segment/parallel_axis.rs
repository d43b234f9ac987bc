//! Axes that are parallel or nearly parallel to a surface: the end points of the overlap.
//!
//! As over a plane, each end of the axis above a face has its own contact with the face, along the face's normal.
//! Where the axis is nearly parallel to a patch of coplanar triangles, the edges and vertices it crosses within the
//! patch add no contacts, whatever the triangulation of the patch; where it leaves the patch over an edge beyond
//! which the surface falls away or stops, the overlap ends. The parts of the axis above single triangles are joined
//! along the axis into overlaps with whole patches. (Clipping of the incident edge against the reference face, as for
//! box manifolds: E. Catto 2015, "Contact manifolds", in one dimension.)

use crate::mesh::segment_surface::SegmentOnSurface;
use crate::room;
use crate::segment::axis_part::{Part, StretchPlace, same_normal};
use crate::segment::axis_surface::{Axis, SegmentContact};
use crate::segment::end_over_face::EndOver;
use palpate_geometry::SurfaceFeature;
use palpate_math::nearest::{AboveEnd, SegmentTriangle, TriangleFeature};

/// The overlap of the axis with a patch of coplanar triangles, by its first and last part.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: usize,
    last: usize,
}

/// The overlaps of the axis with the faces of a surface.
#[derive(Debug, Default)]
pub(crate) struct Lying {
    overs: Vec<EndOver>,
    parts: Vec<Part>,
    /// Pairs of (triangle, index into `parts`), sorted.
    by_triangle: Vec<(u32, usize)>,
    chains: Vec<Chain>,
}

impl Lying {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        room::open(&mut self.overs);
        room::open(&mut self.parts);
        room::open(&mut self.by_triangle);
        room::open(&mut self.chains);
    }

    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.overs.clear();
        self.parts.clear();
        self.by_triangle.clear();
        self.chains.clear();
    }

    /// Finds the nearby faces below the axis and its ends; with `joined`, a patch of coplanar triangles counts as one
    /// face.
    pub(crate) fn find<'a>(
        &mut self,
        axis: &Axis<'_>,
        triangles: impl Iterator<Item = (u32, &'a SegmentTriangle)>,
        joined: bool,
    ) {
        let ends = if axis.ends[0] == axis.ends[1] { 1 } else { 2 };
        for (triangle, local) in triangles {
            for end in 0..ends {
                let over = axis.end_over(triangle, end, joined);
                let is_nearest = local.t == end as f64 && local.feature == TriangleFeature::Face;
                room::extend(&mut self.overs, over.filter(|over| is_nearest || !over.is_crossed));
            }
            room::extend(&mut self.parts, axis.part_over(triangle, joined));
        }
        self.keep_lowest(joined);
        let enter = |part: &Part| part.above.enter;
        self.parts.sort_unstable_by(|x, y| enter(x).total_cmp(&enter(y)).then(x.triangle.cmp(&y.triangle)));
        let numbered = self.parts.iter().enumerate();
        room::extend(&mut self.by_triangle, numbered.map(|(index, part)| (part.triangle, index)));
        self.by_triangle.sort_unstable();
        for index in 0..self.parts.len() {
            self.chain(axis, index, joined);
        }
    }

    /// Of the triangles that share a foot, keeps the lowest, if the foot is in any of them up to rounding error.
    fn keep_lowest(&mut self, joined: bool) {
        for index in 0..self.overs.len() {
            let over = self.overs[index];
            let same = |other: &EndOver| {
                let slack = 2.0 * over.slack.max(other.slack);
                let near = (over.foot - other.foot).norm() <= slack;
                joined
                    && other.kept
                    && other.end == over.end
                    && near
                    && same_normal(&over.normal, &other.normal)
            };
            let lowest = self.overs[..index].iter().position(same);
            self.overs[index].kept = lowest.is_none();
            if let Some(lowest) = lowest {
                self.overs[lowest].exact |= over.exact;
            }
        }
        self.overs.retain(|over| over.kept && over.exact);
    }

    /// Appends a part to the chain it continues, or starts a new chain.
    fn chain(&mut self, axis: &Axis<'_>, index: usize, joined: bool) {
        let part = &self.parts[index];
        let goes_on = |chain: &&mut Chain| joined && self.parts[chain.last].goes_on(part, axis);
        match self.chains.iter_mut().rev().find(goes_on) {
            Some(chain) if part.above.leave > self.parts[chain.last].above.leave => chain.last = index,
            Some(_) => {}
            None => room::push(&mut self.chains, Chain { first: index, last: index }),
        }
    }

    /// Returns the ends of the axis above faces, in triangle order.
    pub(crate) fn overs(&self) -> &[EndOver] {
        &self.overs
    }

    /// Returns the part of the axis above a triangle.
    pub(crate) fn part_of(&self, triangle: u32) -> Option<&Part> {
        let index = self.by_triangle.binary_search_by_key(&triangle, |&(triangle, _)| triangle).ok()?;
        Some(&self.parts[self.by_triangle[index].1])
    }

    /// Whether a contact with an edge or a vertex duplicates that of a face which the axis overlaps or ends above.
    pub(crate) fn is_on_a_face(
        &self,
        axis: &Axis<'_>,
        nearest: &SegmentOnSurface,
        met: &SegmentContact,
    ) -> bool {
        let place = &nearest.on_surface.point;
        let under_an_end = |over: &EndOver| (over.foot - place).norm() <= 4.0 * over.slack;
        self.overs.iter().any(under_an_end) || self.parts.iter().any(|part| part.has(axis, nearest, met))
    }

    /// Visits the end points of overlaps that are on borders and not above a face. `rises` says whether the surface
    /// continues above a plane from an element.
    pub(crate) fn borders(
        &self,
        axis: &Axis<'_>,
        rises: impl Fn(SurfaceFeature, &Part) -> bool,
        mut found: impl FnMut(StretchPlace),
    ) {
        for chain in &self.chains {
            for (side, index) in [chain.first, chain.last].into_iter().enumerate() {
                let part = &self.parts[index];
                if !self.is_above_a_face(axis, part, side)
                    && let Some(place) = part.border(axis, side)
                    && !rises(place.met.place.feature, part)
                {
                    found(place);
                }
            }
        }
    }

    /// Whether an overlap extends to the end of the axis, and that is above a face of the patch.
    fn is_above_a_face(&self, axis: &Axis<'_>, part: &Part, side: usize) -> bool {
        let foot = part.foot(axis, side as f64);
        let near = |over: &&EndOver| (over.foot - foot).norm() <= 4.0 * over.slack;
        part.above.ends[side] == AboveEnd::Segment(side)
            && self.overs.iter().filter(|over| over.end == side).any(|over| near(&over))
    }
}
