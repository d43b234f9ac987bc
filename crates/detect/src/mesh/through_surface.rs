//! The exit of a convex body from a surface through which it passes deeper than the triangles are wide.
//!
//! There the least exit of a single triangle runs within the surface into the neighbouring triangle and does not separate
//! the two. Two lower bounds of the body's exit take its place; both change by no more than the body moves:
//!
//! - of the flat part of the surface around a triangle ([`FlatRegion`]): exact where that is convex;
//! - of chords of the body ([`SheetExits`]), fixed in its frame: a translation that separates the body separates its chords.

use crate::convex_body::{query_point, query_triangle_within};
use crate::mesh::convex_contact::lies_on;
use crate::mesh::deepest_point::DeepestPoint;
use crate::mesh::flat_region::{FlatRegion, may_be_flat};
use crate::mesh::sheet_exit::{SheetExits, visit_along};
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::triangle_contact::TriangleContact;
use crate::mesh::{ConvexPair, MarkSet};
use crate::room;
use palpate_convex::{Memory, Settings};
use palpate_geometry::SurfaceMesh;
use palpate_math::{Aabb, Point, Vector};

/// Directions of the chords in the body's frame: along its axes and across its corners, none of them along an edge of two
/// corners that are equally far in it.
const CHORDS: [[f64; 3]; 7] = [
    [1.0, 0.13, 0.07],
    [0.11, 1.0, 0.05],
    [0.06, 0.09, 1.0],
    [1.0, 0.93, 0.88],
    [-0.94, 1.0, 0.89],
    [0.91, -0.95, 1.0],
    [0.96, 1.0, -0.92],
];

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct ThroughSurface {
    exits: SheetExits,
    region: FlatRegion,
    /// Indices of triangles with an upper bound of the exit from their plane.
    order: Vec<(f64, usize)>,
    /// Whether the exit from the plane of a triangle is deep enough that the body may pass through the surface there.
    leads_on: bool,
    /// Triangles that a chord may pass.
    passed: Vec<u32>,
}

/// The depth, relative to the size of the body, up to which a body rests on a sheet.
const SHALLOW: f64 = 0.01;

/// The first room for triangles.
const FEW: usize = 64;

/// Halvings of a way until rounding.
const HALVINGS: usize = 50;

/// How far a place may be off the flat part, relative to the size of the body.
const OFF: f64 = 1e-10;

/// How far bodies that touch may be apart, relative to the size of the body: the error of an iterative query.
const TOUCHING: f64 = 1e-9;

/// How far a unit direction must point inward to be none along the surface: the error of an iterative query.
const INWARD: f64 = 1e-5;

/// The same of an exit over the border of a solid's face, which may lead inward by up to 45 degrees: what passes through the
/// face of a thin side is not left along that side's normal.
const MOST_INWARD: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The exit from a flat part of the surface.
#[derive(Clone, Copy, Debug, Default)]
struct FlatExit {
    depth: f64,
    /// By how much a certified upper bound of the depth exceeds it.
    error: f64,
    /// Unit; moves the body out.
    outward: Vector,
    /// Where the body leaves the surface last.
    on_surface: Point,
    /// The body's lowest point.
    lowest: Point,
}

/// The deepest exit found, and its depth.
struct Best {
    depth: f64,
    found: Option<DeepestPoint>,
}

impl Best {
    fn keep(&mut self, depth: f64, found: impl FnOnce() -> Option<DeepestPoint>) {
        if depth > self.depth
            && let Some(found) = found()
        {
            *self = Self { depth, found: Some(found) };
        }
    }
}

impl ThroughSurface {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        self.order.reserve(FEW.saturating_sub(self.order.len()));
        self.passed.reserve(FEW.saturating_sub(self.passed.len()));
        self.exits.open();
        self.region.open();
    }

    /// Exchanges the sets of what was visited for others.
    pub(crate) fn exchange(&mut self, [first, second]: [&mut MarkSet; 2]) {
        self.region.exchange(first);
        self.exits.exchange(second);
    }

    /// Sets the triangles, by their indices in `found`, whose flat parts may have an exit deeper than `least`.
    pub(crate) fn choose(
        &mut self,
        pair: &ConvexPair<'_>,
        found: &[TriangleContact],
        seeds: impl Iterator<Item = usize>,
        least: f64,
    ) {
        self.order.clear();
        self.leads_on = false;
        let surface = pair.mesh.surface;
        let Some(normals) = surface.normals() else { return };
        for index in seeds {
            let triangle = found[index].triangle;
            let is_flat = may_be_flat(surface, triangle);
            if !is_flat && self.leads_on {
                continue;
            }
            let bound = exit_from_plane(pair, triangle, normals.face(triangle)).depth;
            self.leads_on |= bound > least;
            if is_flat && bound > least {
                room::push(&mut self.order, (bound, index));
            }
        }
        self.order.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    }

    /// Returns the deepest exit, if it is deeper than `least`: of the flat parts around the chosen triangles, and of the
    /// chords; only through one part of the surface if given. `found` are the contacts of all triangles that the body
    /// overlaps, `outward` a unit direction in which it probably exits.
    pub(crate) fn deepest(
        &mut self,
        pair: &ConvexPair<'_>,
        found: &[TriangleContact],
        part: Option<u32>,
        (least, outward): (f64, Option<Vector>),
        memory: &mut Memory<Vector>,
    ) -> Option<DeepestPoint> {
        let mut best = Best { depth: least, found: None };
        let bounds = pair.body.bounds();
        // The direction, and the body's lowest point along it.
        let probable = outward.map(|outward| (outward, pair.body.map().support(&-outward)));
        self.region.clear();
        for index in 0..self.order.len() {
            let (bound, index) = self.order[index];
            let seed = &found[index];
            if bound <= best.depth {
                break;
            }
            if !self.region.was_looked_at(seed.triangle) {
                self.look_at_region(pair, &bounds, (seed, bound), probable, memory, &mut best);
            }
        }
        // Chords are needed where the exit of some triangle leads into its neighbour. A body deep in a sheet has just left such a
        // triangle, or is about to enter it.
        let is_deep = !pair.mesh.is_solid() && least > SHALLOW * pair.body.size();
        let chords = if is_deep || self.leads_on { &CHORDS[..] } else { &[] };
        // Of a body with few corners several are one.
        let mut seen = [None; CHORDS.len()];
        for (number, along) in chords.iter().enumerate() {
            let along = pair.body.turned(&Vector::from(*along).normalize());
            let chord = [-along, along].map(|direction| pair.body.map().support(&direction));
            if seen[..number].contains(&Some(chord)) {
                continue;
            }
            seen[number] = Some(chord);
            if longest_exit(pair, &chord) > best.depth {
                self.look_at_chord(pair, chord, part, &mut best);
            }
        }
        best.found
    }

    /// Keeps the exit of the flat part around a triangle if it is deeper.
    fn look_at_region(
        &mut self,
        pair: &ConvexPair<'_>,
        bounds: &Aabb,
        (seed, reach): (&TriangleContact, f64),
        probable: Option<(Vector, Point)>,
        memory: &mut Memory<Vector>,
        best: &mut Best,
    ) {
        let (surface, triangle) = (pair.mesh.surface, seed.triangle);
        let Some(normal) = self.region.find(surface, triangle, bounds, reach) else { return };
        let is_left = |&(outward, lowest): &(Vector, Point)| {
            self.region.height(surface, &lowest, &outward) <= best.depth
        };
        // A front may be left along its normal, by more than its least exit.
        let is_front = !pair.mesh.is_solid() && !is_two_sided(pair);
        if !is_front && probable.as_ref().is_some_and(is_left) {
            return;
        }
        let up = exit_from_plane(pair, triangle, normal);
        let least_wanted = if is_front { f64::NEG_INFINITY } else { best.depth };
        let exit = self.least_of_wedges(pair, bounds, [least_wanted, reach], memory).unwrap_or(up);
        let inward = if pair.mesh.is_solid() { MOST_INWARD } else { INWARD };
        let leads_inward = !is_two_sided(pair) && exit.outward.dot(&normal) < -inward;
        let exit = match (leads_inward, pair.mesh.is_solid()) {
            (false, _) => exit,
            // No solid is left inward, but no shorter way leads out of it.
            (true, true) => outward_by(pair, seed, up, &exit),
            // A front is left along its normal.
            (true, false) => up,
        };
        let region = &self.region;
        best.keep(exit.depth, || {
            let beside = !lies_on(surface, triangle, &exit.outward);
            let nearest = region.nearest(surface, &exit.on_surface, beside)?;
            let off = (nearest.point - exit.on_surface).norm();
            if off > OFF * pair.body.size() && pair.mesh.is_solid() {
                let place = seed.place.point;
                let on_body = if is_within(pair, &place) {
                    place
                } else {
                    Point::from(query_point(&place, &pair.body, memory, &pair.settings).point_b)
                };
                let beyond = beyond_border(region, surface, [on_body, exit.lowest], exit.depth);
                let beyond = beyond.or_else(|| touching(pair, region, &exit, memory))?;
                return Some(beyond.with_error(exit.error));
            }
            Some(DeepestPoint::below(nearest, exit.outward, exit.depth).with_error(exit.error))
        });
    }

    /// Returns the least exit of the wedges, if it is shorter than `reach`. Stops at the first that is no longer than
    /// `least_wanted`.
    fn least_of_wedges(
        &self,
        pair: &ConvexPair<'_>,
        bounds: &Aabb,
        [least_wanted, reach]: [f64; 2],
        memory: &mut Memory<Vector>,
    ) -> Option<FlatExit> {
        let mut least: Option<FlatExit> = None;
        for wedge in self.region.wedges() {
            // The tolerance is relative to the size of the wedge, too.
            let share = pair.body.size() / (pair.body.size() + (wedge[1] - wedge[0]).norm());
            let settings = Settings { tolerance: pair.settings.tolerance * share, ..pair.settings };
            let exit = ConvexPair { settings, ..*pair }.query_corners(wedge, bounds, 0.0, memory);
            // The plane's exit is exact: what may be as long is no shorter.
            if exit.is_some_and(|exit| exit.depth_upper >= reach) {
                continue;
            }
            let exit = exit.map_or(FlatExit::default(), |exit| FlatExit {
                depth: exit.depth_lower.max(0.0),
                error: exit.depth_upper - exit.depth_lower.max(0.0),
                outward: -exit.direction,
                on_surface: Point::from(exit.point_a),
                lowest: Point::from(exit.point_b),
            });
            if least.is_none_or(|least| exit.depth < least.depth) {
                least = Some(exit);
                if exit.depth <= least_wanted {
                    break;
                }
            }
        }
        least
    }

    /// Keeps the exit of a chord if it is deeper.
    fn look_at_chord(
        &mut self,
        pair: &ConvexPair<'_>,
        chord: [Point; 2],
        part: Option<u32>,
        best: &mut Best,
    ) {
        let (surface, passed) = (pair.mesh.surface, &mut self.passed);
        passed.clear();
        visit_along(surface, chord.each_ref(), |triangle| room::push(passed, triangle));
        self.exits.pierce_exactly(surface, chord.each_ref(), passed.iter().copied());
        let is_of_part =
            |triangle: u32| part.is_none_or(|part| surface.adjacency().part_of(triangle) == part);
        for index in 0..self.exits.count() {
            let (triangle, sense) = self.exits.piercing(index);
            if !is_of_part(triangle) {
                continue;
            }
            let (ends, most) = (chord.each_ref(), best.depth);
            let exit = if pair.mesh.is_solid() {
                self.exits.out_of_solid_above(most, surface, ends, index)
            } else {
                let may_exit = if is_two_sided(pair) { [true; 2] } else { [sense >= 0, sense <= 0] };
                self.exits.least_above(most, surface, ends, triangle, may_exit)
            };
            if let Some(exit) = exit {
                best.keep(exit.distance(), || {
                    let (nearest, _, outward) = exit.way(surface, chord.each_ref());
                    Some(DeepestPoint::below(nearest, outward, exit.distance()))
                });
            }
        }
    }
}

/// Returns an upper bound of all exits of a chord: where it pierces the surface one of its ends is as near, or the one that may exit.
fn longest_exit(pair: &ConvexPair<'_>, chord: &[Point; 2]) -> f64 {
    let share = if pair.mesh.is_solid() || is_two_sided(pair) { 0.5 } else { 1.0 };
    (chord[1] - chord[0]).norm() * share * (1.0 + OFF)
}

/// Whether the body may exit on both sides of the surface.
pub(super) fn is_two_sided(pair: &ConvexPair<'_>) -> bool {
    !pair.mesh.is_solid() && pair.mesh.sidedness == SurfaceSidedness::Sheet
}

/// Returns the exit of the body from the plane through a triangle with a unit normal, on a side on which it may exit.
fn exit_from_plane(pair: &ConvexPair<'_>, triangle: u32, normal: Vector) -> FlatExit {
    let [a, b, c] = pair.mesh.surface.corners(triangle);
    let corner = Point::from((a.coords + b.coords + c.coords) / 3.0);
    let along = |outward: Vector| {
        let lowest = pair.body.map().support(&-outward);
        let depth = (corner - lowest).dot(&outward);
        FlatExit { depth, error: 0.0, outward, on_surface: lowest + outward * depth, lowest }
    };
    let up = along(normal);
    if !is_two_sided(pair) {
        return up;
    }
    let down = along(-normal);
    if down.depth < up.depth { down } else { up }
}

/// Returns the point of a body, between one on the flat part and its lowest one, whose nearest place on the flat part is as
/// far as the body is deep: where the lowest point is beyond the border.
fn beyond_border(
    region: &FlatRegion,
    surface: &SurfaceMesh,
    [mut near, mut far]: [Point; 2],
    depth: f64,
) -> Option<DeepestPoint> {
    let distance = |point: &Point| Some((region.nearest(surface, point, true)?.point - point).norm());
    if distance(&far)? < depth {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = near + (far - near) * 0.5;
        if distance(&middle)? < depth { near = middle } else { far = middle }
    }
    let nearest = region.nearest(surface, &far, true)?;
    let outward = (nearest.point - far).try_normalize(0.0)?;
    Some(DeepestPoint::below(nearest, outward, depth))
}

/// Returns the exit with the place where the body, once moved out, touches the flat part: the closest points of a wedge and of a
/// body that lies on its side may be beyond the flat part.
fn touching(
    pair: &ConvexPair<'_>,
    region: &FlatRegion,
    exit: &FlatExit,
    memory: &mut Memory<Vector>,
) -> Option<DeepestPoint> {
    let (surface, shift) = (pair.mesh.surface, exit.outward * exit.depth);
    let reach = TOUCHING * pair.body.size();
    let met = region.triangles().iter().filter_map(|&triangle| {
        let corners = surface.corners(triangle).map(|corner| corner - shift);
        let met = query_triangle_within(&corners, &pair.body, reach, memory, &pair.settings)?;
        Some((met.depth, Point::from(met.point_a)))
    });
    let (_, place) = met.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    let nearest = region.nearest(surface, &(place + shift), true)?;
    Some(DeepestPoint::below(nearest, exit.outward, exit.depth))
}

/// Whether a point is in the body, as far as the body knows its distance: the place of a triangle's contact may miss it.
pub(super) fn is_within(pair: &ConvexPair<'_>, point: &Point) -> bool {
    let distance = pair.body.distance().map(|solid| solid.signed_distance(point).distance);
    distance.is_none_or(|distance| distance <= OFF * pair.body.size())
}

/// Returns the exit of a body from a triangle along its normal, `up`, shortened to the depth of another: from a point of the body,
/// between the one on the triangle and the lowest.
fn outward_by(pair: &ConvexPair<'_>, seed: &TriangleContact, up: FlatExit, other: &FlatExit) -> FlatExit {
    let FlatExit { depth, error, .. } = *other;
    let lowest = pair.body.map().support(&-up.outward);
    let above = if is_within(pair, &seed.place.point) {
        seed.place.point
    } else {
        // Where the plane cuts the line to the body's highest point.
        let highest = pair.body.map().support(&up.outward);
        let height = (highest - lowest).dot(&up.outward);
        lowest + (highest - lowest) * (up.depth / height.max(up.depth))
    };
    let on_body = above + (lowest - above) * (depth / up.depth).min(1.0);
    FlatExit { depth, error, on_surface: on_body + up.outward * depth, ..up }
}
