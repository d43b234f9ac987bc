//! Facets of a hull: coplanar triangles merged, with strictly convex outlines.
//!
//! Hulls exported by CAD programs have corners in the interior of faces and edges, and duplicate corners. Rounding
//! makes corners of them all, joined by needles with inaccurate normals. Therefore a facet is built from points, not
//! from triangles: from all points in its plane within a tolerance, of which it keeps the corners of their 2D convex
//! hull that are off the line between their neighbours by more than the tolerance.

use std::collections::HashMap;
use std::ops::Range;

use nalgebra::Vector3;
use palpate_math::Point;

use super::outline::{Outline, outline, simplified};
use super::star::Star;
use crate::support::{Core, Hull};
use crate::vector::cross;

type Vector = Vector3<f64>;

/// Tolerance for coplanar and collinear points, relative to the hull's bounding radius: some times the rounding error
/// of rotating, moving and cutting a body.
const FLAT: f64 = 64.0 * f64::EPSILON;

/// Facets narrower than this many tolerances have no usable normal.
const NARROW: f64 = 16.0;

/// A facet narrower than this, relative to its length, gets its normal from its longest side and the point farthest
/// from that instead of from its area, whose rounding error, relative to the squared length, would tilt it.
const SLENDER: f64 = 1e-5;

/// Iteration limit for refitting a plane to the points found in it, which are farther apart.
const REFITS: usize = 8;

/// A facet of a hull.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facet {
    /// Its corners, counter-clockwise seen from outside. Two for a facet that is a segment up to rounding error.
    pub(super) corners: Vec<u32>,
    /// Points of the hull on the facet that are not corners of it.
    pub(super) aside: Vec<u32>,
    /// Unit, outward; zero if the facet is degenerate.
    pub(super) normal: Vector,
}

/// The plane through three points.
struct Plane {
    normal: Vector,
    place: Vector,
    /// The distance of the third point from the longest side.
    width: f64,
    length: f64,
}

/// Computes the facets of a hull, ordered by their first triangles. Cost: `n log n`.
pub(super) fn facets(hull: &Hull) -> Vec<Facet> {
    facets_with_stars(hull, MANY)
}

/// The same, with a tree for every point at which more triangles meet than `many`.
fn facets_with_stars(hull: &Hull, many: u32) -> Vec<Facet> {
    let mut surface = Surface::new(hull, many);
    let groups = surface.groups();
    let mut triangles = vec![Vec::new(); groups.len()];
    for (triangle, &group) in (0_u32..).zip(&surface.group_of) {
        triangles[group as usize].push(triangle);
    }
    let mut order: Vec<usize> = (0..groups.len()).filter(|&group| !triangles[group].is_empty()).collect();
    order.sort_by_key(|&group| triangles[group][0]);
    order.into_iter().map(|group| surface.facet(&groups[group], &triangles[group])).collect()
}

/// The triangles of a hull, being grouped into facets.
struct Surface<'a> {
    points: Vec<Point>,
    triangles: &'a [[u32; 3]],
    /// The triangles at each point, concatenated.
    first: Vec<u32>,
    at: Vec<u32>,
    /// The neighbours of points at which many triangles meet.
    stars: HashMap<u32, Star>,
    /// Each triangle once, at the one of its corners at which the fewest meet: those of point `k` are the `k`-th range.
    owned_from: Vec<u32>,
    owned: Vec<u32>,
    tolerance: f64,
    /// The group of each triangle.
    group_of: Vec<u32>,
    /// The flood fill that last reached a point.
    reached: Vec<u32>,
    flood: u32,
}

/// The points in one plane.
struct Group {
    /// Starting with those of the first plane's triangle.
    points: Vec<u32>,
    /// Unit, outward; `None` for degenerate triangles.
    normal: Option<Vector>,
}

/// The number of triangles at a point above which their corners are put in a tree.
const MANY: u32 = 64;

/// Sorts pairs of a point and an item by the point: where the items of each of `count` points start, and all items.
fn listed(count: usize, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    let start = |point| pairs.partition_point(|&(of, _)| of < point) as u32;
    ((0..=count as u32).map(start).collect(), pairs.iter().map(|&(_, item)| item).collect())
}

/// Marks no group.
const NONE: u32 = u32::MAX;

impl<'a> Surface<'a> {
    fn new(hull: &'a Hull, many: u32) -> Self {
        let (points, triangles) = (hull.points(), hull.triangles());
        let corners = (0..).zip(triangles).flat_map(|(index, ids)| ids.map(|id| (id, index)));
        let (first, at) = listed(points.len(), corners.collect());
        let count = |id: u32| first[id as usize + 1] - first[id as usize];
        let owner = |ids: &[u32; 3]| ids.iter().copied().min_by_key(|&id| (count(id), id)).unwrap_or(ids[0]);
        let (owned_from, owned) =
            listed(points.len(), (0..).zip(triangles).map(|(index, ids)| (owner(ids), index)).collect());
        let crowded = (0..points.len() as u32).filter(|&id| count(id) > many);
        let stars = crowded.map(|id| {
            let range = first[id as usize] as usize..first[id as usize + 1] as usize;
            let corners = range.flat_map(|k| (0..3).map(move |corner| (k, corner)));
            let entry = |(k, corner): (usize, usize)| {
                let other = triangles[at[k] as usize][corner];
                (other != id).then(|| ((3 * k + corner) as u32, Point::from(points[other as usize])))
            };
            (id, Star::new(corners.filter_map(entry).collect()))
        });
        Self {
            points: points.iter().copied().map(Point::from).collect(),
            triangles,
            stars: stars.collect(),
            first,
            at,
            owned_from,
            owned,
            tolerance: FLAT * hull.bounding_radius(),
            group_of: vec![NONE; triangles.len()],
            reached: vec![0; points.len()],
            flood: 0,
        }
    }

    fn point(&self, id: u32) -> Vector {
        self.points[id as usize].coords
    }

    /// Returns the corners of the triangles at a point: three times the place of a triangle in the list, plus 0, 1 or 2.
    fn around(&self, point: u32) -> Range<u32> {
        3 * self.first[point as usize]..3 * self.first[point as usize + 1]
    }

    /// Groups the triangles: the widest first, whose planes are the most accurate, each with all triangles in its
    /// plane.
    fn groups(&mut self) -> Vec<Group> {
        let width = |triangle: &[u32; 3]| self.plane(*triangle).map_or(0.0, |plane| plane.width);
        let widths: Vec<f64> = self.triangles.iter().map(width).collect();
        let mut order: Vec<usize> = (0..widths.len()).collect();
        order.sort_by(|&x, &y| widths[y].total_cmp(&widths[x]).then(x.cmp(&y)));
        let narrow = NARROW * self.tolerance;
        let mut groups = Vec::new();
        for seed in order {
            if self.group_of[seed] != NONE {
                continue;
            }
            let wide = self.plane(self.triangles[seed]).filter(|plane| plane.width > narrow);
            let group = match wide {
                Some(plane) => self.grown(self.triangles[seed], plane),
                None => Group { points: self.triangles[seed].to_vec(), normal: None },
            };
            let number = groups.len() as u32;
            self.group_of[seed] = number;
            if let Some(normal) = group.normal {
                self.claim(&group.points, normal, number, (&widths, narrow));
            }
            groups.push(group);
        }
        groups
    }

    /// Assigns to a group all triangles between its points that face the same way, or are too narrow to have a normal.
    fn claim(&mut self, points: &[u32], normal: Vector, number: u32, (widths, narrow): (&[f64], f64)) {
        self.flood += 1;
        for &point in points {
            self.reached[point as usize] = self.flood;
        }
        // A triangle between the points is owned by one of them.
        for &point in points {
            for k in self.owned_from[point as usize]..self.owned_from[point as usize + 1] {
                let triangle = self.owned[k as usize] as usize;
                let corners = self.triangles[triangle];
                if self.group_of[triangle] == NONE
                    && corners.iter().all(|&corner| self.reached[corner as usize] == self.flood)
                    && (widths[triangle] <= narrow || self.area(corners).dot(&normal) > 0.0)
                {
                    self.group_of[triangle] = number;
                }
            }
        }
    }

    /// Returns twice the area of a triangle along its normal.
    fn area(&self, [a, b, c]: [u32; 3]) -> Vector {
        let [a, b, c] = [a, b, c].map(|id| self.point(id));
        cross(b - a, c - a)
    }

    /// Returns the plane of three points, its normal perpendicular to the longest side up to rounding; `None` if they
    /// are collinear.
    fn plane(&self, ids: [u32; 3]) -> Option<Plane> {
        let corners = ids.map(|id| self.point(id));
        let side = |k: usize| corners[(k + 1) % 3] - corners[k];
        let longest = (0..3).fold(0, |best, k| if side(k).norm() > side(best).norm() { k } else { best });
        let length = side(longest).norm();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let (along, to) = (side(longest) / length, corners[(longest + 2) % 3] - corners[longest]);
        let once = to - along * to.dot(&along);
        let across = once - along * once.dot(&along);
        let width = across.norm();
        (width > 0.0).then(|| {
            let normal = cross(along, across / width);
            Plane { normal: normal / normal.norm(), place: corners[longest], width, length }
        })
    }

    /// Collects all points in the plane of a triangle. Points farther apart define the plane more accurately, so it is
    /// refitted to them while their spread grows.
    fn grown(&mut self, seed: [u32; 3], mut plane: Plane) -> Group {
        let (mut points, mut supporting) = self.reached_in(seed, &plane);
        for _ in 0..REFITS {
            let Some(wider) = self.widest(&points, &plane) else { break };
            if wider.width * wider.length < 2.0 * plane.width * plane.length {
                break;
            }
            (points, supporting) = self.reached_in(seed, &wider);
            plane = wider;
        }
        if !supporting {
            points = seed.to_vec();
        }
        Group { points, normal: Some(plane.normal) }
    }

    /// Collects the points in a plane by a flood fill from those of a triangle, and checks that no adjacent point lies
    /// above it. The points of a convex surface above a plane are connected.
    fn reached_in(&mut self, seed: [u32; 3], plane: &Plane) -> (Vec<u32>, bool) {
        self.flood += 1;
        let (mut points, mut supporting) = (seed.to_vec(), true);
        let mut around = Vec::new();
        for point in seed {
            self.reached[point as usize] = self.flood;
        }
        let mut next = 0;
        while next < points.len() {
            let point = points[next];
            next += 1;
            around.clear();
            match self.stars.get(&point) {
                Some(star) => star.not_below(&plane.normal, &plane.place, -self.tolerance, &mut around),
                None => around.extend(self.around(point)),
            }
            for &place in &around {
                let other = self.triangles[self.at[place as usize / 3] as usize][place as usize % 3];
                if self.reached[other as usize] == self.flood {
                    continue;
                }
                let height = (self.point(other) - plane.place).dot(&plane.normal);
                supporting &= height <= self.tolerance;
                if height.abs() <= self.tolerance {
                    self.reached[other as usize] = self.flood;
                    points.push(other);
                }
            }
        }
        (points, supporting)
    }

    /// Returns the plane through three of the points that are far apart, with the same orientation.
    fn widest(&self, points: &[u32], plane: &Plane) -> Option<Plane> {
        let farthest = |off: &dyn Fn(Vector) -> f64| {
            let heights = points.iter().map(|&id| (off(self.point(id)), id));
            heights.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, id)| id)
        };
        let start = self.point(points[0]);
        let first = farthest(&|point| (point - start).norm())?;
        let from = self.point(first);
        let second = farthest(&|point| (point - from).norm())?;
        let along = (self.point(second) - from).normalize();
        let third = farthest(&|point| cross(along, point - from).norm())?;
        let found = self.plane([first, second, third])?;
        let sign = if found.normal.dot(&plane.normal) < 0.0 { -1.0 } else { 1.0 };
        Some(Plane { normal: found.normal * sign, ..found })
    }

    /// Builds the facet of a group and its triangles.
    fn facet(&self, group: &Group, triangles: &[u32]) -> Facet {
        let start = self.start(triangles);
        let Outline { mut corners, aside } = match (group.normal, &group.points[..]) {
            (Some(_), &[a, b, c]) => Outline { corners: vec![a, b, c], aside: Vec::new() },
            (Some(normal), points) => outline(&self.points, points, &normal, self.tolerance),
            (None, points) => {
                let triangle = self.triangles[triangles[0] as usize];
                simplified(&self.points, &triangle, points, self.tolerance)
            }
        };
        if let Some(first) = start.iter().find_map(|id| corners.iter().position(|corner| corner == id)) {
            corners.rotate_left(first);
        }
        let normal = group.normal.map_or(Vector::zeros(), |normal| self.normal(&corners, normal));
        Facet { corners, aside, normal }
    }

    /// Returns the start points of the boundary sides of a group of triangles, in the order of these.
    fn start(&self, triangles: &[u32]) -> Vec<u32> {
        let sides_of = |&triangle: &u32| {
            let [a, b, c] = self.triangles[triangle as usize];
            [[a, b], [b, c], [c, a]]
        };
        let sides: Vec<[u32; 2]> = triangles.iter().flat_map(sides_of).collect();
        let mut sorted = sides.clone();
        sorted.sort_unstable();
        let outer = |&&[from, to]: &&[u32; 2]| sorted.binary_search(&[to, from]).is_err();
        sides.iter().filter(outer).map(|side| side[0]).collect()
    }

    /// Returns the unit normal of a polygon, oriented like `rough`.
    fn normal(&self, corners: &[u32], rough: Vector) -> Vector {
        let start = self.point(corners[0]);
        let at = |index: usize| self.point(corners[index % corners.len()]) - start;
        let area = (0..corners.len()).fold(Vector::zeros(), |sum, k| sum + at(k).cross(&at(k + 1)));
        let length = area.norm();
        let widest = self.widest(corners, &Plane { normal: rough, place: start, width: 0.0, length: 0.0 });
        match widest {
            None => Vector::zeros(),
            Some(plane) if plane.width <= SLENDER * plane.length || !length.is_normal() => plane.normal,
            Some(_) => area / length,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::ConvexHull;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random points, points on a grid, and a double cone of many sides, turned: with corners in the interior of faces, and
    /// with points at which hundreds of triangles meet.
    #[test]
    fn the_trees_of_neighbours_change_nothing() {
        let mut rng = ChaCha8Rng::seed_from_u64(31);
        let (mut facets, mut merged) = (0, 0);
        for round in 0..150 {
            let rotation = nalgebra::Rotation3::from_euler_angles(
                rng.random_range(-3.0..3.0),
                rng.random_range(-3.0..3.0),
                rng.random_range(-3.0..3.0),
            );
            let points: Vec<Point> = (0..[40, 60, 300][round % 3])
                .map(|k| match round % 3 {
                    0 => std::array::from_fn(|_| rng.random_range(-1.0..1.0)),
                    1 => std::array::from_fn(|_| f64::from(rng.random_range(0..4))),
                    _ if k < 2 => [0.0, 0.0, 2.0 * f64::from(k) - 1.0],
                    _ => {
                        let angle = f64::from(k / 2) * 0.05;
                        [angle.cos(), angle.sin(), 0.1 * f64::from(k % 2)]
                    }
                })
                .map(|point: [f64; 3]| rotation * Point::from(point))
                .collect();
            let triangles = ConvexHull::new(&points).triangles;
            let points = points.into_iter().map(|point| point.coords).collect();
            let hull = Hull::new(points, triangles).unwrap();
            let found = facets_with_stars(&hull, 0);
            assert_eq!(found, facets_with_stars(&hull, u32::MAX), "{round}");
            assert_eq!(found, super::facets(&hull), "{round}");
            facets += found.len();
            merged += hull.triangles().len() - found.len();
        }
        assert!(facets > 5000 && merged > 2000, "{facets} {merged}");
    }
}
