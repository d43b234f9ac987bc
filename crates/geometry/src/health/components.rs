//! Connected components of a surface, their volumes, and the consistency of their windings.

use super::Findings;
use super::disjoint_sets::DisjointSets;
use crate::derived::Adjacency;
use palpate_bvh::Bvh;
use palpate_contact::NONE;
use palpate_math::solid_angle::solid_angle;
use palpate_math::{Aabb, Point, rounding, triangle};
use std::f64::consts::PI;

/// Angles after which the search for contradicting components stops: per triangle, and of a whole surface.
const ANGLES_PER_TRIANGLE: usize = 1000;
const ANGLES_AT_LEAST: usize = 50_000_000;

/// The winding of a closed component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Counter-clockwise seen from outside: the signed volume is positive.
    Outward,
    /// Clockwise seen from outside: the signed volume is negative. Correct for a cavity, wrong for a body.
    Inward,
    /// The component is not closed, its windings disagree, or its volume is within rounding error of zero.
    Undefined,
}

/// Triangles connected by edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its lowest triangle.
    pub first_triangle: u32,
    /// Number of triangles.
    pub triangles: usize,
    /// Whether each of its edges has two triangles with consistent winding.
    pub closed: bool,
    /// Its winding.
    pub orientation: Orientation,
    /// The area, in square metres.
    pub area: f64,
    /// The signed volume, in cubic metres; 0 unless closed.
    pub volume: f64,
}

/// The components of a surface, ordered by their lowest triangles.
pub(crate) struct Components<'a> {
    pub(crate) list: Vec<Component>,
    /// Triangles, grouped by component.
    members: Vec<u32>,
    positions: &'a [Point],
    triangles: &'a [[u32; 3]],
}

impl<'a> Components<'a> {
    /// Creates the components; `edge_is_sound` tells for each edge whether it has exactly two triangles with consistent
    /// winding.
    pub(crate) fn new(
        positions: &'a [Point],
        triangles: &'a [[u32; 3]],
        adjacency: &Adjacency,
        edge_is_sound: &[bool],
    ) -> Self {
        let mut sets = DisjointSets::new(triangles.len());
        let mut first_of_edge = vec![NONE; adjacency.edges.len()];
        for (triangle, edges) in adjacency.triangle_edges.iter().enumerate() {
            for &edge in edges {
                let first = &mut first_of_edge[edge as usize];
                if *first == NONE {
                    *first = triangle as u32;
                } else {
                    sets.join(*first, triangle as u32);
                }
            }
        }
        let mut members: Vec<u32> = (0..triangles.len() as u32).collect();
        members.sort_by_cached_key(|&triangle| sets.lowest(triangle));
        let undecided = rounding::length(rounding::largest_coordinate(positions));
        let list = members
            .chunk_by(|&a, &b| sets.lowest(a) == sets.lowest(b))
            .map(|members| {
                let sound = |&triangle: &u32| {
                    adjacency.triangle_edges[triangle as usize]
                        .iter()
                        .all(|&edge| edge_is_sound[edge as usize])
                };
                measured(positions, triangles, members, members.iter().all(sound), undecided)
            })
            .collect();
        Self { list, members, positions, triangles }
    }

    /// Returns the components whose winding contradicts the others: taking as outside where the winding number of the
    /// whole surface is zero, their normals (all flipped where the signed volume of the whole is negative) do not point
    /// outward. For a closed surface without self-intersections.
    ///
    /// Stops after [`ANGLES_PER_TRIANGLE`] angles for each triangle or [`ANGLES_AT_LEAST`]: that of every component
    /// around every other is the square of their number.
    pub(crate) fn inconsistent(&self) -> Findings<u32> {
        let ranges = self.ranges();
        let boxes: Vec<Aabb> = ranges
            .iter()
            .map(|range| Aabb::from_points(self.members[range.clone()].iter().flat_map(|&t| self.corners(t))))
            .collect();
        let tree = Bvh::build(&boxes);
        let whole: f64 = self.list.iter().map(|component| component.volume).sum();
        let allowed = ANGLES_AT_LEAST.max(ANGLES_PER_TRIANGLE * self.triangles.len());
        let (mut measured, mut inconsistent) = (0, Findings::default());
        for (number, component) in self.list.iter().enumerate() {
            if measured > allowed {
                inconsistent.at_least = true;
                break;
            }
            let [place, ..] = self.corners(component.first_triangle);
            let mut around = Vec::new();
            tree.overlap(&Aabb::from_point(*place), |other| around.push(other as usize));
            measured += around.iter().map(|&other: &usize| ranges[other].len()).sum::<usize>();
            let outside: i64 = around
                .iter()
                .filter(|&&other| other != number)
                .map(|&other| self.winding(ranges[other].clone(), place))
                .sum();
            let step = if component.volume < 0.0 { -1 } else { 1 };
            let (within, without) = (outside + step != 0, outside != 0);
            let points_out = (component.volume < 0.0) == (whole < 0.0);
            if (within, without) != (points_out, !points_out) {
                inconsistent.push(number as u32);
            }
        }
        inconsistent
    }

    fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let mut start = 0;
        let ends = self.list.iter().map(|component| {
            let range = start..start + component.triangles;
            start = range.end;
            range
        });
        ends.collect()
    }

    fn corners(&self, triangle: u32) -> [&'a Point; 3] {
        self.triangles[triangle as usize].map(|id| &self.positions[id as usize])
    }

    /// Returns the winding number of the closed component of these members around `place`.
    fn winding(&self, members: std::ops::Range<usize>, place: &Point) -> i64 {
        let angle: f64 = self.members[members]
            .iter()
            .map(|&triangle| {
                let [a, b, c] = self.corners(triangle);
                solid_angle(place, a, b, c)
            })
            .sum();
        (angle / (4.0 * PI)).round() as i64
    }
}

fn measured(
    positions: &[Point],
    triangles: &[[u32; 3]],
    members: &[u32],
    closed: bool,
    undecided: f64,
) -> Component {
    let first_triangle = members[0];
    let origin = positions[triangles[first_triangle as usize][0] as usize];
    let (mut two_areas, mut six_volumes) = (0.0, 0.0);
    for &member in members {
        let [a, b, c] = triangles[member as usize].map(|id| &positions[id as usize]);
        two_areas += triangle::area_vector(a, b, c).norm();
        six_volumes += (a - origin).dot(&(b - origin).cross(&(c - origin)));
    }
    let holds = closed && six_volumes.abs() > undecided * two_areas;
    let orientation = match (holds, six_volumes > 0.0) {
        (false, _) => Orientation::Undefined,
        (true, true) => Orientation::Outward,
        (true, false) => Orientation::Inward,
    };
    Component {
        first_triangle,
        triangles: members.len(),
        closed,
        orientation,
        area: two_areas / 2.0,
        volume: if closed { six_volumes / 6.0 } else { 0.0 },
    }
}
