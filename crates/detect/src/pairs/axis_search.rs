//! A capsule's axis against all elements of a surface in reach: what the detectors of surfaces and volumes against capsules
//! share.

use crate::Context;
use crate::pairs::axis_surface::{Axis, Held, Met};
use crate::pairs::deepest::DeepestSearch;
use crate::pairs::lying_axis::{Along, Stretch};
use crate::pairs::segment_surface::segment_on_edge;
use crate::pairs::sphere_capsule::capsule_end;
use crate::pairs::surface_sides::{Role, SurfaceScratch, surface_id};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::SurfaceFeature;
use palpate_math::closest::SegmentTriangle;
use palpate_math::{Aabb, Point, rounding};

/// The capsule and the surface, and which of its elements count.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) axis: Axis<'a>,
    /// Whether internal edges are left out.
    pub(crate) outer: bool,
    /// Whether a stretch along which the axis lies is met at both its ends.
    pub(crate) manifold: bool,
}

/// The nearest elements of a surface's triangles to a capsule's axis.
#[derive(Default)]
pub(crate) struct AxisSearch {
    scratch: SurfaceScratch,
    locals: Vec<SegmentTriangle>,
    stretches: Vec<Option<Stretch>>,
    /// The ends of stretches, by id, each with the element that it ends.
    ends: Vec<(u64, u64)>,
    search: DeepestSearch,
}

/// A contact of the surface and a capsule.
pub(crate) fn contact(axis: &Axis<'_>, met: &Met, id: u64) -> Contact {
    let a = axis.surface.contact_feature(&met.place, met.on_surface);
    let b = Feature::numbered(capsule_end(met.part), met.on_body);
    Contact::exact(a, b, -met.outward, met.depth, id)
}

impl AxisSearch {
    /// Finds the triangles in reach.
    pub(crate) fn begin(&mut self, pair: &Pair<'_>, context: &Context<'_>) {
        let Axis { surface, ends, radius, .. } = pair.axis;
        let reach = radius + surface.radius() + context.margin();
        self.scratch.begin(surface, &Aabb::from_points(ends).grown(reach));
        self.locals.clear();
        self.locals.extend(self.scratch.candidates.iter().map(|&triangle| pair.axis.on_triangle(triangle)));
    }

    /// The deepest place of an axis that is partly inside of a closed surface.
    pub(crate) fn held(&mut self, pair: &Pair<'_>) -> Option<Held> {
        let crossings = self.locals.iter().filter(|local| local.pierced).map(|local| local.t);
        pair.axis.held(&mut self.search, crossings)
    }

    /// Contacts with the elements in reach; `held` is the element by which a part of the axis leaves that is inside of the
    /// solid.
    pub(crate) fn outside(
        &mut self,
        pair: &Pair<'_>,
        held: Option<SurfaceFeature>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        if pair.axis.role == Role::Front
            && let Some(met) = pair.axis.behind(self.scratch.candidates.iter().copied().zip(&self.locals))
        {
            out.push(contact(&pair.axis, &met, surface_id(met.place.feature)));
            return;
        }
        self.find_stretches(pair, held);
        let nearest_of_all = if pair.outer { self.note_passed(pair) } else { None };
        let kept = nearest_of_all.map(|index| self.element(pair, index));
        let before = out.len();
        for index in 0..self.locals.len() {
            let (triangle, local) = (self.scratch.candidates[index], self.locals[index]);
            if local.pierced && pair.axis.role == Role::Solid && held.is_some() {
                continue;
            }
            if pair.axis.is_through(triangle, &local) {
                let met = pair.axis.through(triangle, &local);
                out.push(contact(&pair.axis, &met, surface_id(met.place.feature)));
                continue;
            }
            let feature = self.element(pair, index);
            let internal = pair.outer
                && (self.goes_on_at(pair, feature, &local.point_on_triangle)
                    || kept != Some(feature) && self.scratch.passed.is_internal(feature));
            if internal || !self.scratch.first(feature) || held == Some(feature) {
                continue;
            }
            let stretch = self.stretches[index];
            if let Some(stretch) = stretch.filter(|_| pair.manifold) {
                self.push_ends(pair, &stretch, pair.outer, context, out);
                continue;
            }
            let nearest = match stretch.map(|stretch| stretch.along) {
                // In the middle, which rounding may have missed.
                Some(Along::Edge(edge)) => {
                    segment_on_edge(pair.axis.surface, edge, pair.axis.ends.each_ref())
                }
                _ => pair.axis.nearest(triangle, &local),
            };
            let met = pair.axis.beside(&nearest);
            let reported = context.reports(met.depth) && !pair.axis.hides(&nearest);
            if reported && (held.is_none() || pair.axis.is_nearest(&nearest)) {
                out.push(contact(&pair.axis, &met, surface_id(met.place.feature)));
            }
        }
        // The nearest of all is always met.
        if out.len() == before
            && pair.manifold
            && let Some(stretch) = nearest_of_all.and_then(|index| self.stretches[index])
        {
            self.push_ends(pair, &stretch, false, context, out);
        }
    }

    /// The element by which a triangle is nearest to the axis.
    fn element(&self, pair: &Pair<'_>, index: usize) -> SurfaceFeature {
        let of_triangle =
            || pair.axis.surface.feature_of(self.scratch.candidates[index], self.locals[index].feature);
        self.stretches[index].map_or_else(of_triangle, |stretch| stretch.along.element())
    }

    /// Finds where the axis lies along the surface; one that enters a solid does not.
    fn find_stretches(&mut self, pair: &Pair<'_>, held: Option<SurfaceFeature>) {
        let lies = held.is_none();
        self.stretches.clear();
        let candidates = self.scratch.candidates.iter().zip(&self.locals);
        self.stretches.extend(
            candidates.map(|(&triangle, local)| if lies { pair.axis.stretch(triangle, local) } else { None }),
        );
    }

    /// Notes which elements are passed by; which triangle is the nearest of all that count.
    fn note_passed(&mut self, pair: &Pair<'_>) -> Option<usize> {
        let mut best: Option<usize> = None;
        self.ends.clear();
        for (index, &triangle) in self.scratch.candidates.iter().enumerate() {
            let (local, stretch) = (&self.locals[index], &self.stretches[index]);
            if let Some(stretch) = stretch {
                self.scratch.passed.note(pair.axis.surface, triangle, &stretch.elements());
                let along = surface_id(stretch.along.element());
                let ends = stretch.ends.iter().filter_map(|end| end.element());
                self.ends.extend(ends.map(|end| (surface_id(end), along)));
            } else {
                let feature = pair.axis.surface.feature_of(triangle, local.feature);
                self.scratch.passed.note(pair.axis.surface, triangle, &[feature]);
            }
            let nearer = best.is_none_or(|best| local.distance_squared < self.locals[best].distance_squared);
            if nearer && !pair.axis.hides(&pair.axis.nearest(triangle, local)) {
                best = Some(index);
            }
        }
        self.ends.sort_unstable();
        self.ends.dedup();
        best
    }

    /// Whether the axis goes on to lie along another element there.
    fn goes_on(&self, end: SurfaceFeature) -> bool {
        let id = surface_id(end);
        let first = self.ends.partition_point(|&(other, _)| other < id);
        self.ends[first..].iter().take_while(|&&(other, _)| other == id).count() > 1
    }

    /// The same of a place on an element, which may be at a vertex but for rounding.
    fn goes_on_at(&self, pair: &Pair<'_>, feature: SurfaceFeature, place: &Point) -> bool {
        let SurfaceFeature::Edge(edge) = feature else { return self.goes_on(feature) };
        let surface = pair.axis.surface;
        let [start, end] = &pair.axis.ends;
        let undecided = 4.0 * rounding::length(rounding::largest_coordinate([start, end, place]));
        let at = |vertex: u32| (surface.points().positions()[vertex as usize] - place).norm() <= undecided;
        let mut ends = surface.adjacency().edges[edge as usize].into_iter();
        self.goes_on(feature) || ends.any(|vertex| self.goes_on(SurfaceFeature::Vertex(vertex)) && at(vertex))
    }

    /// The contacts at the ends of a stretch, `outer` alone if asked for: those where it does not go on along another element,
    /// and that no triangle passes by.
    fn push_ends(
        &mut self,
        pair: &Pair<'_>,
        stretch: &Stretch,
        outer: bool,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        for end in stretch.ends {
            if let Some(element) = end.element() {
                let internal = outer && (self.scratch.passed.is_internal(element) || self.goes_on(element));
                if internal || !self.scratch.first(element) {
                    continue;
                }
            }
            let (nearest, id) = pair.axis.at_end(stretch.along, end);
            let met = pair.axis.beside(&nearest);
            if context.reports(met.depth) && !pair.axis.hides(&nearest) {
                out.push(contact(&pair.axis, &met, id));
            }
        }
    }
}
