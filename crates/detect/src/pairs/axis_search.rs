//! A segment with a radius (a capsule's axis, a piece of thread) against all elements of a surface in reach: what the
//! detectors of surfaces, volumes and threads share.

use crate::Context;
use crate::contact_ids::{id_of, id_of_first, surface_part};
use crate::pairs::axis_part::Part;
use crate::pairs::axis_surface::{Axis, Held, Met};
use crate::pairs::deepest::DeepestSearch;
use crate::pairs::lying_axis::Lying;
use crate::pairs::lying_edge::EdgeEnd;
use crate::pairs::segment_surface::segment_on_edge;
use crate::pairs::sphere_capsule::capsule_end;
use crate::pairs::surface_sides::Role;
use palpate_contact::{Contact, Feature, IdPart};
use palpate_geometry::SurfaceFeature;
use palpate_math::closest::SegmentTriangle;
use palpate_math::{Aabb, rounding};

/// The segment and the surface, and which of its elements count.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) axis: Axis<'a>,
    /// Whether internal edges are left out.
    pub(crate) outer: bool,
    /// Whether a stretch along which the axis lies is met at both its ends.
    pub(crate) manifold: bool,
}

/// A contact of the segment and the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) met: Met,
    /// The end of the axis that this is the contact of, where it lies along the surface.
    pub(crate) end: Option<usize>,
    /// The triangle that it is listed with, and its place among those of one.
    order: (u32, u32),
}

/// The elements by which a triangle is nearest to the axis.
#[derive(Clone, Copy, Debug)]
enum Nearest {
    /// One element, at `local`.
    One(SurfaceFeature),
    /// The axis nearly lies along an edge.
    Along(u32, [EdgeEnd; 2]),
    /// The axis nearly lies along the face; the edges over which it leaves it, if it does.
    Face([Option<u32>; 2]),
    /// The axis goes through.
    Through,
}

/// A triangle in reach.
#[derive(Clone, Copy, Debug)]
struct Near {
    triangle: u32,
    local: SegmentTriangle,
    nearest: Nearest,
}

/// The search with its memory, which is as large as the number of triangles in reach.
#[derive(Debug, Default)]
pub(crate) struct AxisSearch {
    candidates: Vec<u32>,
    locals: Vec<SegmentTriangle>,
    near: Vec<Near>,
    lying: Lying,
    /// The edges and vertices by which triangles are nearest, by id, and whether another triangle that has one is not.
    nominees: Vec<(u64, bool)>,
    found: Vec<Found>,
    keys: Vec<(u64, usize)>,
    search: DeepestSearch,
}

/// The contact of a surface and a capsule.
pub(crate) fn capsule_contact(axis: &Axis<'_>, met: &Met, id: u64) -> Contact {
    let a = axis.surface.contact_feature(&met.place, met.on_surface);
    let b = Feature::numbered(capsule_end(met.part), met.on_body);
    Contact::exact(a, b, -met.outward, met.depth, id)
}

impl Found {
    /// The id of a capsule's contact: the surface's element, and the axis' own end where it lies along the surface.
    pub(crate) fn id(&self) -> u64 {
        let of_axis = self.end.map_or(IdPart::Whole, |end| IdPart::Corner(end as u32));
        id_of(surface_part(self.met.place.feature), of_axis)
    }
}

impl Near {
    /// Whether an element of the triangle is among its nearest.
    fn has(&self, surface: &palpate_geometry::SurfaceMesh, feature: SurfaceFeature) -> bool {
        match self.nearest {
            Nearest::One(nearest) => nearest == feature,
            Nearest::Along(edge, _) => match feature {
                SurfaceFeature::Edge(other) => other == edge,
                SurfaceFeature::Vertex(vertex) => surface.adjacency().edges[edge as usize].contains(&vertex),
                SurfaceFeature::Face(_) => false,
            },
            Nearest::Face(crossed) => match feature {
                SurfaceFeature::Edge(other) => crossed.contains(&Some(other)),
                SurfaceFeature::Vertex(_) => false,
                SurfaceFeature::Face(triangle) => triangle == self.triangle,
            },
            Nearest::Through => feature == SurfaceFeature::Face(self.triangle),
        }
    }
}

impl AxisSearch {
    /// Finds the triangles in reach.
    pub(crate) fn begin(&mut self, pair: &Pair<'_>, context: &Context<'_>) {
        let Axis { surface, ends, radius, .. } = pair.axis;
        let reach = radius + surface.radius() + context.margin();
        self.candidates.clear();
        if let Some(tree) = surface.tree() {
            tree.overlap(&Aabb::from_points(ends).grown(reach), |triangle| self.candidates.push(triangle));
        }
        self.candidates.sort_unstable();
        self.locals.clear();
        self.locals.extend(self.candidates.iter().map(|&triangle| pair.axis.on_triangle(triangle)));
    }

    /// The deepest place of an axis that is partly inside of a closed surface.
    pub(crate) fn held(&mut self, pair: &Pair<'_>) -> Option<Held> {
        let crossings = self.locals.iter().filter(|local| local.pierced).map(|local| local.t);
        pair.axis.held(&mut self.search, crossings)
    }

    /// Contacts with the elements in reach, in the order of the triangles; `held` is the element by which a part of the axis
    /// leaves that is inside of the solid.
    pub(crate) fn outside(
        &mut self,
        pair: &Pair<'_>,
        held: Option<SurfaceFeature>,
        context: &Context<'_>,
    ) -> &[Found] {
        self.found.clear();
        let all = || self.candidates.iter().copied().zip(&self.locals);
        if pair.axis.role == Role::Front
            && let Some(met) = pair.axis.behind(all())
        {
            self.push(0, met, None);
            return &self.found;
        }
        self.find_near(pair, held, context);
        let kept = self.nearest_of_all(pair);
        if pair.outer {
            self.find_passed(pair);
        }
        for index in 0..self.near.len() {
            self.element(pair, index, kept, held, context);
        }
        self.along_faces(pair, context);
        self.keep_nearest(pair, kept.filter(|_| held.is_none()), context);
        self.finish();
        &self.found
    }

    fn push(&mut self, triangle: u32, met: Met, end: Option<usize>) {
        self.found.push(Found { met, end, order: (triangle, self.found.len() as u32) });
    }

    /// Names the nearest elements of the triangles in reach.
    fn find_near(&mut self, pair: &Pair<'_>, held: Option<SurfaceFeature>, context: &Context<'_>) {
        let axis = &pair.axis;
        let reach = axis.radius + axis.surface.radius() + context.margin();
        let within = |local: &SegmentTriangle| local.distance_squared.sqrt() <= reach;
        let all = || self.candidates.iter().copied().zip(&self.locals);
        let in_reach = || all().filter(|(_, local)| within(local));
        self.lying.clear();
        // One that enters a solid or goes through a sheet does not lie along it.
        let lies =
            pair.manifold && held.is_none() && !in_reach().any(|(id, local)| axis.is_through(id, local));
        if lies {
            self.lying.find(axis, in_reach(), pair.outer);
        }
        self.near.clear();
        let lying = &self.lying;
        self.near.extend(in_reach().map(|(triangle, local)| {
            let nearest = if axis.is_through(triangle, local) {
                Nearest::Through
            } else if lies {
                lying_nearest(pair, lying, triangle, local)
            } else {
                let parallel = held.is_none().then(|| axis.parallel_edge(triangle, local)).flatten();
                let nearest = axis.surface.feature_of(triangle, local.feature);
                Nearest::One(parallel.map_or(nearest, SurfaceFeature::Edge))
            };
            Near { triangle, local: *local, nearest }
        }));
    }

    /// The triangle that is the nearest of all that face the axis.
    fn nearest_of_all(&self, pair: &Pair<'_>) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (index, near) in self.near.iter().enumerate() {
            let distance = |index: usize| self.near[index].local.distance_squared;
            let nearer = best.is_none_or(|best| distance(index) < distance(best));
            if nearer && !pair.axis.hides(&pair.axis.nearest(near.triangle, &near.local)) {
                best = Some(index);
            }
        }
        best
    }

    /// Finds which of the edges and vertices that are nearest elements are so of not all of their triangles.
    fn find_passed(&mut self, pair: &Pair<'_>) {
        let surface = pair.axis.surface;
        self.nominees.clear();
        for near in &self.near {
            let mut nominate = |feature| self.nominees.push((id_of_first(surface_part(feature)), false));
            match near.nearest {
                Nearest::One(SurfaceFeature::Face(_)) | Nearest::Face(_) | Nearest::Through => {}
                Nearest::One(feature) => nominate(feature),
                Nearest::Along(edge, ends) => {
                    nominate(SurfaceFeature::Edge(edge));
                    nominate(surface.feature_of(near.triangle, near.local.feature));
                    for end in ends {
                        if let EdgeEnd::Vertex(vertex) = end {
                            nominate(SurfaceFeature::Vertex(vertex));
                        }
                    }
                }
            }
        }
        self.nominees.sort_unstable();
        self.nominees.dedup();
        if self.nominees.is_empty() {
            return;
        }
        for near in &self.near {
            for feature in elements(surface, near.triangle) {
                if !near.has(surface, feature)
                    && let Ok(nominee) = self
                        .nominees
                        .binary_search_by_key(&id_of_first(surface_part(feature)), |nominee| nominee.0)
                {
                    self.nominees[nominee].1 = true;
                }
            }
        }
    }

    /// Whether a triangle that has the element has a nearer one.
    fn is_internal(&self, pair: &Pair<'_>, feature: SurfaceFeature) -> bool {
        let found =
            || self.nominees.binary_search_by_key(&id_of_first(surface_part(feature)), |nominee| nominee.0);
        pair.outer && found().is_ok_and(|index| self.nominees[index].1)
    }

    /// The contacts of one triangle's nearest element, but for a face along which the axis lies.
    fn element(
        &mut self,
        pair: &Pair<'_>,
        index: usize,
        kept: Option<usize>,
        held: Option<SurfaceFeature>,
        context: &Context<'_>,
    ) {
        let (axis, Near { triangle, local, nearest }) = (&pair.axis, self.near[index]);
        let is_kept = |feature| kept.is_some_and(|kept| self.near[kept].has(axis.surface, feature));
        match nearest {
            Nearest::Through => self.push(triangle, axis.through(triangle, &local), None),
            Nearest::Along(edge, ends) => {
                let nearest = axis.surface.feature_of(triangle, local.feature);
                let internal = |feature| self.is_internal(pair, feature);
                if is_kept(nearest) || !internal(nearest) && !internal(SurfaceFeature::Edge(edge)) {
                    self.along_edge(pair, triangle, edge, ends, context);
                }
            }
            Nearest::One(feature) => {
                let entered = local.pierced && axis.role == Role::Solid && held.is_some();
                if entered || held == Some(feature) || !is_kept(feature) && self.is_internal(pair, feature) {
                    return;
                }
                let place = match feature {
                    // In the middle of what is parallel, which rounding may have missed.
                    SurfaceFeature::Edge(edge) => segment_on_edge(axis.surface, edge, axis.ends.each_ref()),
                    _ => axis.nearest(triangle, &local),
                };
                let met = axis.beside(&place);
                let of_a_face = || pair.outer && self.lying.is_on_a_face(axis, &place, &met);
                if context.reports(met.depth)
                    && !axis.hides(&place)
                    && (held.is_none() || axis.is_nearest(&place))
                    && !of_a_face()
                {
                    self.push(triangle, met, None);
                }
            }
            Nearest::Face(_) => {}
        }
    }

    /// The contacts at the ends of a stretch along an edge.
    fn along_edge(
        &mut self,
        pair: &Pair<'_>,
        triangle: u32,
        edge: u32,
        ends: [EdgeEnd; 2],
        context: &Context<'_>,
    ) {
        for end in ends {
            let place = pair.axis.at_edge_end(edge, end);
            let met = pair.axis.beside(&place);
            let internal = match end {
                EdgeEnd::Vertex(vertex) => {
                    pair.outer
                        && (self.is_internal(pair, SurfaceFeature::Vertex(vertex))
                            || self.goes_on_along(pair, edge, vertex))
                }
                // Past the edge's own side, above a face.
                EdgeEnd::OfAxis(end) => self.lying.overs().iter().any(|over| {
                    let edges = pair.axis.surface.adjacency().triangle_edges[over.triangle as usize];
                    over.end == end && edges.contains(&edge)
                }),
            };
            if !internal && context.reports(met.depth) && !pair.axis.hides(&place) {
                let end = if let EdgeEnd::OfAxis(end) = end { Some(end) } else { None };
                self.push(triangle, met, end);
            }
        }
    }

    /// Whether the axis goes on to lie along another edge in line with this one beyond a vertex.
    fn goes_on_along(&self, pair: &Pair<'_>, edge: u32, vertex: u32) -> bool {
        let edges = &pair.axis.surface.adjacency().edges;
        let positions = pair.axis.surface.points().positions();
        let away = |edge: u32| {
            let [from, to] = edges[edge as usize];
            positions[(from + to - vertex) as usize] - positions[vertex as usize]
        };
        let run = away(edge);
        self.near.iter().any(|near| match near.nearest {
            Nearest::Along(other, _) if other != edge && edges[other as usize].contains(&vertex) => {
                let next = away(other);
                run.dot(&next) < 0.0 && run.cross(&next).norm() <= IN_LINE * run.norm() * next.norm()
            }
            _ => false,
        })
    }

    /// The contacts of an axis that nearly lies along faces.
    fn along_faces(&mut self, pair: &Pair<'_>, context: &Context<'_>) {
        let axis = &pair.axis;
        for index in 0..self.lying.overs().len() {
            let over = self.lying.overs()[index];
            let met = over.met(axis);
            if context.reports(met.depth) {
                self.push(over.triangle, met, Some(over.end));
            }
        }
        let (near, found) = (&self.near, &mut self.found);
        let rises = |feature: SurfaceFeature, part: &Part| {
            let surface = axis.surface;
            let mut with_it = near.iter().filter(|near| {
                near.triangle != part.triangle && elements(surface, near.triangle).any(|own| own == feature)
            });
            pair.outer
                && with_it.any(|near| surface.corners(near.triangle).iter().any(|corner| part.rises(corner)))
        };
        self.lying.borders(axis, rises, |place| {
            let faces = !axis.hides(&place.met.as_nearest(axis));
            if context.reports(place.met.depth) && faces {
                let order = (place.triangle, found.len() as u32);
                found.push(Found { met: place.met, end: place.end, order });
            }
        });
    }

    /// The nearest of all is always met: where rounding lost it, here.
    fn keep_nearest(&mut self, pair: &Pair<'_>, nearest: Option<usize>, context: &Context<'_>) {
        let Some(Near { triangle, local, .. }) = nearest.map(|index| self.near[index]) else { return };
        let met = pair.axis.beside(&pair.axis.nearest(triangle, &local));
        let size = rounding::largest_coordinate(pair.axis.ends.iter().chain([&met.on_surface, &met.on_body]));
        let met_already = |found: &Found| found.met.depth >= met.depth - LOST * size;
        if context.reports(met.depth) && !self.found.iter().any(met_already) {
            self.push(triangle, met, None);
        }
    }

    /// Leaves one contact of every id, the deepest, in the order of the triangles.
    fn finish(&mut self) {
        let found = &mut self.found;
        self.keys.clear();
        self.keys.extend(found.iter().enumerate().map(|(index, found)| (found.id(), index)));
        let depth = |index: usize| found[index].met.depth;
        self.keys.sort_unstable_by(|x, y| {
            x.0.cmp(&y.0).then(depth(y.1).total_cmp(&depth(x.1))).then(x.1.cmp(&y.1))
        });
        self.keys.dedup_by_key(|key| key.0);
        if self.keys.len() < found.len() {
            self.keys.sort_unstable_by_key(|key| key.1);
            for (to, &(_, from)) in self.keys.iter().enumerate() {
                found[to] = found[from];
            }
            found.truncate(self.keys.len());
        }
        found.sort_unstable_by_key(|found| found.order);
    }
}

/// The largest sine of the angle between edges in line.
const IN_LINE: f64 = 1.0 / (1_u64 << 29) as f64;

/// What the depth of the nearest of all may be short by, relative to the coordinates: what coplanar faces may differ by.
const LOST: f64 = 1.0 / (1_u64 << 30) as f64;

/// The nearest elements of a triangle to an axis that may lie along it.
fn lying_nearest(pair: &Pair<'_>, lying: &Lying, triangle: u32, local: &SegmentTriangle) -> Nearest {
    let axis = &pair.axis;
    let along =
        || axis.along_edge(triangle, local, pair.outer).map(|(edge, ends)| Nearest::Along(edge, ends));
    let face = || lying.part_of(triangle).map(|part| Nearest::Face(part.crossed(axis)));
    let one = axis.surface.feature_of(triangle, local.feature);
    let found = if pair.outer { face().or_else(along) } else { along().or_else(face) };
    let has_end = || pair.outer || lying.overs().iter().any(|over| over.triangle == triangle);
    match (found, one) {
        (Some(nearest), _) => nearest,
        // An end above the face has its own contact.
        (None, SurfaceFeature::Face(_)) if has_end() => Nearest::Face([None; 2]),
        (None, one) => Nearest::One(one),
    }
}

/// The vertices and edges of a triangle.
fn elements(
    surface: &palpate_geometry::SurfaceMesh,
    triangle: u32,
) -> impl Iterator<Item = SurfaceFeature> + use<> {
    let vertices = surface.triangles()[triangle as usize].map(SurfaceFeature::Vertex);
    let edges = surface.adjacency().triangle_edges[triangle as usize].map(SurfaceFeature::Edge);
    vertices.into_iter().chain(edges)
}
