//! An axis that lies along a surface, exactly or nearly: the places that stand for the stretch.
//!
//! As over a plane, each end of the axis above a face has a contact of its own with it, along the face's normal. Where the
//! axis nearly lies along a patch of coplanar triangles, the edges and vertices that it crosses within the patch say
//! nothing more, however the patch is cut into triangles; where it leaves the patch over an edge beyond which the surface
//! falls away or stops, the stretch ends there. The parts of the axis above the single triangles are joined along the axis
//! to the stretches over whole patches. (Clipping of the incident edge against the reference face, as for box manifolds:
//! E. Catto 2015, "Contact manifolds", in one dimension.)

use crate::segment::axis_part::{Part, StretchPlace, same_normal};
use crate::segment::axis_surface::{Axis, SegmentContact};
use crate::segment::end_over_face::EndOver;
use crate::segment::segment_surface::SegmentOnSurface;
use palpate_geometry::SurfaceFeature;
use palpate_math::closest::{AboveEnd, SegmentTriangle, TriangleFeature};

/// A stretch of the axis over a patch of coplanar triangles, by the parts with which it begins and ends.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: usize,
    last: usize,
}

/// Where the axis lies along the faces of a surface.
#[derive(Debug, Default)]
pub(crate) struct Lying {
    overs: Vec<EndOver>,
    parts: Vec<Part>,
    /// The parts by triangle.
    by_triangle: Vec<(u32, usize)>,
    chains: Vec<Chain>,
}

impl Lying {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.overs.clear();
        self.parts.clear();
        self.by_triangle.clear();
        self.chains.clear();
    }

    /// Finds the faces in reach below the axis and its ends; with `joined`, patches of coplanar triangles count as one face.
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
                self.overs.extend(over.filter(|over| is_nearest || !over.is_crossed));
            }
            self.parts.extend(axis.part_over(triangle, joined));
        }
        self.keep_lowest(joined);
        let enter = |part: &Part| part.above.enter;
        self.parts.sort_unstable_by(|x, y| enter(x).total_cmp(&enter(y)).then(x.triangle.cmp(&y.triangle)));
        self.by_triangle.extend(self.parts.iter().enumerate().map(|(index, part)| (part.triangle, index)));
        self.by_triangle.sort_unstable();
        for index in 0..self.parts.len() {
            self.chain(axis, index, joined);
        }
    }

    /// Of the triangles that have one foot, the lowest stands for it, if rounding lets one of them have it.
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

    /// Joins a part to the chain that it goes on with, or begins one.
    fn chain(&mut self, axis: &Axis<'_>, index: usize, joined: bool) {
        let part = &self.parts[index];
        let goes_on = |chain: &&mut Chain| joined && self.parts[chain.last].goes_on(part, axis);
        match self.chains.iter_mut().rev().find(goes_on) {
            Some(chain) if part.above.leave > self.parts[chain.last].above.leave => chain.last = index,
            Some(_) => {}
            None => self.chains.push(Chain { first: index, last: index }),
        }
    }

    /// The ends of the axis above faces, in the order of the triangles.
    pub(crate) fn overs(&self) -> &[EndOver] {
        &self.overs
    }

    /// The part of the axis above a triangle.
    pub(crate) fn part_of(&self, triangle: u32) -> Option<&Part> {
        let index = self.by_triangle.binary_search_by_key(&triangle, |&(triangle, _)| triangle).ok()?;
        Some(&self.parts[self.by_triangle[index].1])
    }

    /// Whether the contact with an edge or a vertex is one with a face along which the axis lies, or above which it ends.
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

    /// The places at which the stretches end that are not above a face: on borders. `rises` tells whether the surface goes
    /// on above a plane from an element.
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

    /// Whether a stretch goes on to the end of the axis, which is above a face of its patch.
    fn is_above_a_face(&self, axis: &Axis<'_>, part: &Part, side: usize) -> bool {
        let foot = part.foot(axis, side as f64);
        let near = |over: &&EndOver| (over.foot - foot).norm() <= 4.0 * over.slack;
        part.above.ends[side] == AboveEnd::Segment(side)
            && self.overs.iter().filter(|over| over.end == side).any(|over| near(&over))
    }
}
