//! The deepest point of a sheet's triangles inside a solid: where the sheet is coarse, it is at no vertex and on no edge.
//!
//! A ball about it as large as its depth is within the solid, so no motion that separates the two is shorter.
//!
//! The part of a triangle inside is within the convex hull of where it meets the surface and of its corners inside. On a
//! cell of that, the depth is at most the distance from any triangle of the solid, a convex function, which is at most the
//! linear function through its values at the corners. The least of several is highest at a vertex of a small linear program;
//! there the search samples, which yields another triangle (cutting planes, Kelley 1960), and divides the cell where it
//! does not. The same bounds serve [segments](crate::segment::segment_penetration).

use crate::Flags;
use crate::mesh::vertex_surface::{first_within, squared_distance_to};
use crate::mesh::volume::way_out;
use crate::mesh::{Outline, PatchView};
use crate::solid::solid_edges::Looked;
use arrayvec::ArrayVec;
use palpate_contact::{Contact, IdPart};
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::nearest::point_triangle;
use palpate_math::{Aabb, Point, Vector, intersect};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most samples of a search: a dozen are typical, some hundreds for a sheet of needles through a bumpy solid.
const MOST_SAMPLES: usize = 2000;

/// The gap between bound and best sample at which the search ends, relative to half the diagonal of the solid.
const GAP: f64 = 1e-12;

/// How many gaps farther than the nearest triangle another may be and still be as near.
const GAPS_OF_A_TIE: f64 = 8.0;

/// The most triangles of the solid that bound the depth in a cell.
const BOUNDS: usize = 6;

/// The most triangles that are added to those of a cell before it is divided.
const MOST_ADDED: usize = 8;

/// The number of triangles nearest to the last samples that may bound a cell without a sample.
const SEEN: usize = 8;

/// The least part of a side of a cell at which it is divided.
const LEAST_PART: f64 = 1e-6;

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct SheetFaces {
    triangles: Vec<u32>,
    near: Vec<u32>,
    corners: Vec<Sample>,
    outline: Outline,
    cells: BinaryHeap<Cell>,
    /// The triangles nearest to the last samples.
    seen: ArrayVec<u32, SEEN>,
}

/// A point of the sheet.
#[derive(Clone, Copy, Debug)]
struct Sample {
    point: Point,
    /// Negative outside.
    depth: f64,
    /// The nearest triangle of the solid.
    triangle: u32,
}

/// A part of one of the sheet's triangles.
#[derive(Clone, Debug)]
struct Cell {
    of: u32,
    corners: [Sample; 3],
    bounds: ArrayVec<u32, BOUNDS>,
    added: usize,
    /// No point of the cell is deeper.
    upper: f64,
    /// Where the bound is attained, as weights of the corners.
    peak: Vector,
}

impl SheetFaces {
    /// Returns the deepest point of a sheet in a solid, if it is inside and deeper than `least`. The search converges within
    /// some dozen samples; where it does not, the flag says so, and there may be a deeper point.
    pub(crate) fn deepest(&mut self, looked: &Looked<'_>, least: f64) -> (Option<Contact>, Flags) {
        let bounds = looked.into.surface.tree().map_or(Aabb::EMPTY, palpate_bvh::Bvh::bounds);
        let gap = GAP * 0.5 * bounds.diagonal_length();
        let least = (least - looked.rims()).max(0.0) + gap;
        self.collect(looked, &bounds, least);
        self.cells.clear();
        self.seen.clear();
        for index in 0..self.triangles.len() {
            self.divide_triangle(looked, self.triangles[index], least);
        }
        let mut best: Option<(u32, Sample)> = None;
        for _ in 0..MOST_SAMPLES {
            let known = best.map_or(least, |(_, best)| best.depth);
            let Some(cell) = self.next_above(known + gap, looked.into.surface) else {
                let deepest = best.and_then(|(triangle, best)| contact(looked, triangle, &best, known + gap));
                return (deepest, Flags::empty());
            };
            if let Some(sample) = sample(looked, &cell.place(), cell.bounds.first().copied()) {
                if sample.depth > known {
                    best = Some((cell.of, sample));
                }
                self.refine(looked, cell, &sample);
            }
        }
        let upper = self.cells.peek().map_or(0.0, |cell| cell.upper);
        let deepest = best.and_then(|(triangle, best)| contact(looked, triangle, &best, upper));
        (deepest, Flags::ITERATION_LIMIT)
    }

    /// Removes and returns the cell with the highest bound, if it is above `known` whichever of the triangles seen last bounds it
    /// too.
    fn next_above(&mut self, known: f64, solid: &SurfaceMesh) -> Option<Cell> {
        loop {
            let mut cell = self.cells.pop().filter(|cell| cell.upper > known)?;
            let place = cell.place();
            let enough = (0.5 * (cell.upper + known)).powi(2);
            let is_lower = |&&other: &&u32| {
                !cell.bounds.contains(&other) && squared_distance_to(solid, Some(other), &place) < enough
            };
            match self.seen.iter().find(is_lower) {
                Some(&other) if cell.added < MOST_ADDED => {
                    cell.add(solid, other);
                    self.cells.push(cell);
                }
                _ => return Some(cell),
            }
        }
    }

    /// Bounds a cell by a sample at its peak, or divides it where that adds nothing.
    fn refine(&mut self, looked: &Looked<'_>, mut cell: Cell, sample: &Sample) {
        if !self.seen.contains(&sample.triangle) {
            if self.seen.is_full() {
                self.seen.pop_at(0);
            }
            self.seen.push(sample.triangle);
        }
        if cell.added == MOST_ADDED || cell.bounds.contains(&sample.triangle) {
            self.cells.extend(cell.halves(looked, sample).into_iter().flatten());
        } else {
            cell.add(looked.into.surface, sample.triangle);
            cell.upper = cell.upper.min(cell.upper_about(sample));
            self.cells.push(cell);
        }
    }

    /// Collects the triangles that may be deeper than `least`, in order.
    fn collect(&mut self, looked: &Looked<'_>, bounds: &Aabb, least: f64) {
        self.triangles.clear();
        let may_be_deeper = |cells: &Aabb| {
            let place = || looked.into.place(&cells.center(), f64::INFINITY, None);
            cells.overlaps(bounds)
                && place().is_some_and(|place| 0.5 * cells.diagonal_length() - place.distance > least)
        };
        if let Some(tree) = looked.of.surface.tree() {
            tree.search(may_be_deeper, |triangle| self.triangles.push(triangle));
        }
        self.triangles.sort_unstable();
    }

    /// Adds the cells of the convex hull of the part of a triangle inside the solid that may be deeper than `least`.
    fn divide_triangle(&mut self, looked: &Looked<'_>, triangle: u32, least: f64) -> Option<()> {
        let (sheet, solid) = (looked.of.surface, looked.into.surface);
        let corners = sheet.corners(triangle);
        self.corners.clear();
        for corner in &corners {
            let inside = sample(looked, corner, None).filter(|corner| corner.depth > 0.0);
            self.corners.extend(inside);
        }
        self.near.clear();
        solid.tree()?.overlap(&Aabb::from_points(corners), |other| self.near.push(other));
        self.near.sort_unstable();
        for &other in &self.near {
            let meeting = intersect::triangle_triangle(corners.each_ref(), solid.corners(other).each_ref());
            let ends = meeting.map(|meeting| meeting.ends).into_iter().flatten();
            self.corners.extend(ends.map(|point| Sample { point, depth: 0.0, triangle: other }));
        }
        let normal = sheet.outward(SurfaceFeature::Face(triangle));
        let view = PatchView::new(&normal, corners[0], 0.0);
        let hull = self.outline.hull(self.corners.iter().map(|corner| view.at(&corner.point)));
        for sides in hull.get(1..)?.windows(2) {
            let corners = [hull[0], sides[0], sides[1]].map(|index| self.corners[index]);
            let mut cell = Cell::new(triangle, corners, []);
            cell.bound(solid);
            if cell.upper > least {
                self.cells.push(cell);
            }
        }
        Some(())
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

impl Cell {
    /// Creates a cell that is bounded by the triangles nearest to its corners, and by others as far as there is room.
    fn new(of: u32, corners: [Sample; 3], others: impl IntoIterator<Item = u32>) -> Self {
        let mut bounds = ArrayVec::new();
        for triangle in corners.map(|corner| corner.triangle).into_iter().chain(others) {
            if !bounds.is_full() && !bounds.contains(&triangle) {
                bounds.push(triangle);
            }
        }
        Self { of, corners, bounds, added: 0, upper: f64::INFINITY, peak: Vector::zeros() }
    }

    /// Adds a bound, in the place of the highest at the peak if there is no room.
    fn add(&mut self, solid: &SurfaceMesh, triangle: u32) {
        if self.bounds.is_full() {
            let at_peak =
                |index: &usize| squared_distance_to(solid, Some(self.bounds[*index]), &self.place());
            let highest = (0..BOUNDS).max_by(|p, q| at_peak(p).total_cmp(&at_peak(q))).unwrap_or(0);
            self.bounds.remove(highest);
        }
        self.bounds.push(triangle);
        self.added += 1;
        let before = self.upper;
        self.bound(solid);
        self.upper = self.upper.min(before);
    }

    /// Computes the bound.
    fn bound(&mut self, solid: &SurfaceMesh) {
        let corners = &self.corners;
        let at_corners = |&triangle: &u32| {
            Vector::from(
                corners.map(|corner| squared_distance_to(solid, Some(triangle), &corner.point).sqrt()),
            )
        };
        let values: ArrayVec<Vector, BOUNDS> = self.bounds.iter().map(at_corners).collect();
        (self.upper, self.peak) = peak_of_least(&values);
        let by_corners = self.corners.iter().map(|corner| self.upper_about(corner));
        self.upper = by_corners.fold(self.upper, f64::min);
    }

    /// Returns the bound by a point of the cell: the depth grows by no more than the distance.
    fn upper_about(&self, sample: &Sample) -> f64 {
        let distances = self.corners.iter().map(|corner| (corner.point - sample.point).norm());
        sample.depth + distances.fold(0.0, f64::max)
    }

    /// Returns the place of the peak.
    fn place(&self) -> Point {
        let [a, b, c] = self.corners.map(|corner| corner.point);
        a + (b - a) * self.peak.y + (c - a) * self.peak.z
    }

    /// Divides the cell where the distance from the triangle nearest to its peak ceases to be linear: at a plane upright on a side
    /// of the triangle, or else in the middle of the longest side of the cell. `None` where rounding leaves no point between
    /// its ends.
    fn halves(&self, looked: &Looked<'_>, peak: &Sample) -> Option<[Self; 2]> {
        let solid = looked.into.surface;
        let (side, t) = self.kink(&solid.corners(peak.triangle)).unwrap_or_else(|| {
            let longest = |p: &usize, q: &usize| self.side(*p).norm().total_cmp(&self.side(*q).norm());
            ((0..3).max_by(longest).unwrap_or(0), 0.5)
        });
        let [from, to, aside] = [0, 1, 2].map(|k| self.corners[(side + k) % 3]);
        let middle = from.point + (to.point - from.point) * t;
        if middle == from.point || middle == to.point {
            return None;
        }
        let middle = sample(looked, &middle, Some(peak.triangle))?;
        Some([[from, middle, aside], [middle, to, aside]].map(|corners| {
            let others = [peak.triangle].into_iter().chain(self.bounds.iter().rev().copied());
            let mut half = Self::new(self.of, corners, others);
            half.bound(solid);
            half.upper = half.upper.min(self.upper);
            half
        }))
    }

    fn side(&self, k: usize) -> Vector {
        self.corners[(k + 1) % 3].point - self.corners[k].point
    }

    /// Returns where a side of the cell passes a plane upright on a side of a triangle, as the side and the parameter along it; of
    /// several the one that divides the cell most.
    fn kink(&self, triangle: &[Point; 3]) -> Option<(usize, f64)> {
        let [a, b, c] = triangle;
        let normal = (b - a).cross(&(c - a));
        let sides = (0..3).flat_map(|k| (0..3).map(move |side| (k, side)));
        let crossings = sides.filter_map(|(k, side)| {
            let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
            let aside = (q - p).cross(&normal);
            let [from, to] = [side, (side + 1) % 3].map(|end| aside.dot(&(self.corners[end].point - p)));
            let t = from / (from - to);
            let part = t.min(1.0 - t);
            (part > LEAST_PART).then(|| (part * self.side(side).norm(), side, t))
        });
        let best = crossings.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        Some((best.1, best.2))
    }
}

/// Returns the highest value of the least of linear functions over a triangle, and where it is attained, as weights of the
/// corners. Each function is given by its values at the corners. It is attained at a corner, on a side where two functions
/// are equal, or where three are.
fn peak_of_least(values: &[Vector]) -> (f64, Vector) {
    let mut best = (f64::NEG_INFINITY, Vector::x());
    let mut take = |weights: Vector| {
        let sum = weights.sum();
        let weights = weights / sum;
        if sum == 0.0 || weights.min() < 0.0 || !weights.min().is_finite() {
            return;
        }
        let least = values.iter().map(|value| value.dot(&weights)).fold(f64::INFINITY, f64::min);
        if least > best.0 {
            best = (least, weights);
        }
    };
    let corners = [Vector::x(), Vector::y(), Vector::z()];
    corners.into_iter().for_each(&mut take);
    for (i, first) in values.iter().enumerate() {
        for (j, second) in values[..i].iter().enumerate() {
            let equal = first - second;
            corners.iter().for_each(|corner| take(equal.cross(corner)));
            values[..j].iter().for_each(|third| take(equal.cross(&(first - third))));
        }
    }
    best
}

/// Samples a point of the sheet; a triangle of the solid that may be `near` it bounds the search.
fn sample(looked: &Looked<'_>, point: &Point, near: Option<u32>) -> Option<Sample> {
    let place = looked.into.place(point, f64::INFINITY, near)?;
    let triangle = looked.into.surface.owner(place.nearest.feature);
    Some(Sample { point: *point, depth: -place.distance, triangle })
}

/// Returns the contact of a point in a sheet's triangle, where no point is deeper than `upper`. Of the solid's triangles that
/// are as near as the nearest, the first by rank is the exit: rounding does not decide.
fn contact(looked: &Looked<'_>, triangle: u32, deepest: &Sample, upper: f64) -> Option<Contact> {
    let (sheet, solid, point) = (looked.of.surface, looked.into.surface, deepest.point);
    let tie = GAPS_OF_A_TIE * GAP * 0.5 * solid.tree()?.bounds().diagonal_length();
    let first = first_within(solid, &point, deepest.depth + tie, deepest.triangle);
    let nearest = solid.nearest_on(first, &point);
    let (outward, distance) = way_out(solid, &point, &nearest);
    let [a, b, c] = sheet.corners(triangle);
    let weights = point_triangle(&point, &a, &b, &c).weights;
    let own = SurfaceNearest { feature: SurfaceFeature::Face(triangle), weights, point };
    let a = looked.of.named(sheet.contact_feature(&own, point - outward * sheet.radius()));
    let cell = looked.into.volume.and_then(|mesh| mesh.holding_cell(&point));
    let b = looked.into.feature(&nearest, cell, &point, nearest.point + outward * solid.radius());
    let depth = looked.rims() + distance;
    let id = looked.id(IdPart::Triangle(triangle), IdPart::Inside(0));
    let contact = Contact::exact(a, b, outward, depth, id);
    Some(Contact { depth_upper: depth.max(looked.rims() + upper), ..contact })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{blocks, mesh};
    use crate::solid::skin::Skin;

    fn deepest(sheet: &SurfaceMesh, solid: &SurfaceMesh) -> (Option<Contact>, Flags) {
        let [of, into] = [sheet, solid].map(Skin::of_surface);
        SheetFaces::default().deepest(&Looked { of, into, second: false }, f64::MIN)
    }

    /// A triangle much larger than the box, at a quarter above its middle: all points over the middle line are as deep as the
    /// box is narrow.
    #[test]
    fn a_triangle_across_a_box_is_deepest_in_the_middle() {
        let solid = blocks(&[[[-1.0, -2.0, -4.0], [1.0, 2.0, 4.0]]]);
        let sheet = mesh(&[[-90.0, 0.5, -30.0], [50.0, 0.5, -40.0], [0.0, 0.5, 80.0]], &[[0, 2, 1]]);
        let (contact, flags) = deepest(&sheet, &solid);
        let contact = contact.unwrap();
        assert!((contact.depth - 1.0).abs() < 1e-11 && flags.is_empty(), "{contact:?}");
        assert!(contact.a.point[0].abs() < 1e-11 && contact.direction[0].abs() == 1.0, "{contact:?}");
        let beside = mesh(&[[-90.0, 2.5, -30.0], [50.0, 2.5, -40.0], [0.0, 2.5, 80.0]], &[[0, 2, 1]]);
        assert!(deepest(&beside, &solid).0.is_none());
    }

    /// A step between z = 0 and 1.5; the distances from its concave edge are not linear.
    fn step() -> SurfaceMesh {
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.9, 1.0], [0.9, 1.9], [0.0, 1.9]];
        let corners: Vec<[f64; 3]> =
            [0.0, 1.5].into_iter().flat_map(|z| outline.map(|[x, y]| [x, y, z])).collect();
        let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
        let caps = caps.into_iter().flat_map(|[a, b, c]| [[a, c, b], [a + 6, b + 6, c + 6]]);
        let walls = (0..6).map(|k| (k, (k + 1) % 6)).flat_map(|(k, n)| [[k, n, n + 6], [k, n + 6, k + 6]]);
        mesh(&corners, &caps.chain(walls).collect::<Vec<_>>())
    }

    #[test]
    fn no_point_of_a_grid_is_deeper() {
        let solid = step();
        let (mut found, mut deepest_of_all) = (0, 0.0_f64);
        for case in 0..60 {
            let wave = |k: f64| (7.3 * k + f64::from(case)).sin();
            let middle = [1.0 + wave(0.5), 0.9 + wave(0.9), 0.7 + 0.5 * wave(1.3)];
            let [first, second] = [1.0, 2.0].map(|k| [wave(k), wave(k + 0.31), wave(k + 0.73)]);
            let third: [f64; 3] = std::array::from_fn(|k| -first[k] - second[k]);
            let corners = [first, second, third].map(|way| std::array::from_fn(|k| middle[k] + 2.0 * way[k]));
            let sheet = mesh(&corners, &[[0, 1, 2]]);
            let (contact, flags) = deepest(&sheet, &solid);
            assert!(flags.is_empty(), "{case}");
            let [a, b, c] = corners.map(Point::from);
            let depth = contact.map_or(0.0, |contact| contact.depth);
            let n = 80;
            let mut most = 0.0_f64;
            for (i, j) in (0..=n).flat_map(|i| (0..=n - i).map(move |j| (i, j))) {
                let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(n));
                let point = a + (b - a) * u + (c - a) * v;
                let (signed, _) = solid.signed_distance(&point, f64::INFINITY).unwrap();
                most = most.max(-signed.distance);
            }
            let spacing = (b - a).norm().max((c - a).norm()) / f64::from(n);
            assert!(most <= depth + 1e-12 && depth <= most + spacing, "{case}: {depth} {most}");
            found += usize::from(depth > 0.1);
            deepest_of_all = deepest_of_all.max(most);
        }
        assert!(found > 20 && deepest_of_all > 0.4, "{found} {deepest_of_all}");
    }
}
