//! Crossing edges: the shortest exit of an edge from a face that it pierces, by trying all of them.

use super::distance::{OnSegments, on_segments, on_triangle};
use super::expected::{Element, Expected};
use super::features::Edge;
use super::surface::Surface;
use palpate_math::{Point, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// Tolerance for coplanar neighbouring triangles, and for a direction perpendicular to a plane, as sines.
const LEVEL: f64 = 1e-9;

/// The triangles of every edge of a surface: their corners opposite the edge and their normals.
pub(super) struct EdgeOf {
    beside: BTreeMap<[u32; 2], Vec<(Point, Vector)>>,
    ends: BTreeMap<[u32; 2], [Point; 2]>,
}

impl EdgeOf {
    pub(super) fn of(surface: &Surface) -> Self {
        let (mut beside, mut ends) = (BTreeMap::new(), BTreeMap::new());
        for (ids, corners) in &surface.triangles {
            let normal = surface.outward(corners);
            for side in 0..3 {
                let [i, j, k] = [side, (side + 1) % 3, (side + 2) % 3];
                let (edge, [p, q]) = sorted([ids[i], ids[j]], [corners[i], corners[j]]);
                beside.entry(edge).or_insert_with(Vec::new).push((corners[k], normal));
                ends.insert(edge, [p, q]);
            }
        }
        Self { beside, ends }
    }

    /// Whether the triangles of an edge are side by side in one plane.
    pub(super) fn is_flat(&self, edge: &[u32; 2]) -> bool {
        let [(corner, normal), (other, second)] = self.beside[edge][..] else { return false };
        let start = self.ends[edge][0];
        let level = |corner: Point, normal: Vector| {
            let to = corner - start;
            to.dot(&normal).abs() <= LEVEL * to.norm()
        };
        normal.dot(&second) > 0.0 && level(corner, second) && level(other, normal)
    }

    /// How far the triangles of an edge extend beyond the plane through it, as a sine: negative where all are
    /// behind. For a solid the direction must point outward.
    fn beyond(&self, edge: &[u32; 2], direction: &Vector, solid: bool) -> f64 {
        let start = self.ends[edge][0];
        let sine = |corner: &Point| (corner - start).dot(direction) / (corner - start).norm();
        let beyond = self.beside[edge].iter().map(|(corner, _)| sine(corner)).fold(-1.0, f64::max);
        let outward: Vector = self.beside[edge].iter().map(|(_, normal)| normal).sum();
        if solid { beyond.max(-outward.dot(direction)) } else { beyond }
    }
}

fn sorted([i, j]: [u32; 2], [p, q]: [Point; 2]) -> ([u32; 2], [Point; 2]) {
    if i < j { ([i, j], [p, q]) } else { ([j, i], [q, p]) }
}

/// The flat faces of a surface: coplanar adjacent triangles.
pub(super) struct Faces<'a> {
    surface: &'a Surface,
    edges: EdgeOf,
    /// For every triangle, the triangles of its face.
    members: Vec<Vec<usize>>,
}

impl<'a> Faces<'a> {
    pub(super) fn of(surface: &'a Surface) -> Self {
        let edges = EdgeOf::of(surface);
        let mut by_edge: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (index, (ids, _)) in surface.triangles.iter().enumerate() {
            for edge in edges_of(ids) {
                by_edge.entry(edge).or_default().push(index);
            }
        }
        let grown = |index: usize| {
            let mut members = vec![index];
            let mut next = 0;
            while next < members.len() {
                for edge in edges_of(&surface.triangles[members[next]].0) {
                    if edges.is_flat(&edge) {
                        let others = by_edge[&edge].iter().copied().filter(|other| !members.contains(other));
                        let others: Vec<usize> = others.collect();
                        members.extend(others);
                    }
                }
                next += 1;
            }
            members
        };
        let members = (0..surface.triangles.len()).map(grown).collect();
        Self { surface, edges, members }
    }
}

fn edges_of(ids: &[u32; 3]) -> [[u32; 2]; 3] {
    [0, 1, 2].map(|side| {
        let (i, j) = (ids[side], ids[(side + 1) % 3]);
        [i.min(j), i.max(j)]
    })
}

/// The exits of an edge from a face.
pub(super) struct Exits {
    pub(super) least: f64,
    /// The sides of the face that are closest, within the tolerance: the distance, and whether it is the only one.
    pub(super) sides: Vec<Side>,
    /// The other sides: an edge that enters beside the way out may leave over one of these.
    pub(super) farther: Vec<Side>,
}

/// A side of a face, where it is closest, and whether it is certainly so.
type Side = ([u32; 2], OnSegments, bool);

/// All exits of an edge from the face of a triangle that it pierces.
pub(super) fn exits(faces: &Faces<'_>, triangle: usize, (_, ends): &Edge, verge: f64) -> Exits {
    let members = &faces.members[triangle];
    let triangles = || members.iter().map(|&member| &faces.surface.triangles[member]);
    let mut seen = BTreeSet::new();
    let edges: Vec<[u32; 2]> = triangles().flat_map(|(ids, _)| edges_of(ids)).collect();
    let outer = edges.iter().filter(|edge| seen.insert(**edge) && !faces.edges.is_flat(edge));
    let sides: Vec<_> = outer.map(|edge| (*edge, on_segments(ends, &faces.edges.ends[edge]))).collect();
    let by_end = ends.iter().map(|end| {
        let each = triangles().map(|(_, corners)| on_triangle(end, corners).distance);
        each.fold(f64::INFINITY, f64::min)
    });
    let mut all: Vec<f64> = sides.iter().map(|(_, near)| near.distance).chain(by_end).collect();
    all.sort_by(f64::total_cmp);
    let (least, only) = (all[0], all[1] > all[0] + verge);
    let sides = sides.into_iter().map(|(edge, near)| (edge, near, only));
    let (sides, farther) = sides.partition(|(_, near, _)| near.distance <= least + verge);
    Exits { least, sides, farther }
}

/// The unit normals of the triangles that have all of these vertices.
fn normals_at<'a>(surface: &'a Surface, vertices: &'a [u32]) -> impl Iterator<Item = Vector> + Clone + 'a {
    let has = |ids: &[u32; 3]| vertices.iter().all(|vertex| ids.contains(vertex));
    surface.triangles.iter().filter(move |(ids, _)| has(ids)).map(|(_, corners)| surface.outward(corners))
}

/// Whether a triangle that has these vertices faces a direction: its normal and the direction enclose 120 degrees or more.
pub(super) fn faces(surface: &Surface, vertices: &[u32], outward: &Vector) -> bool {
    normals_at(surface, vertices).any(|normal| normal.dot(outward) <= -0.5)
}

/// Whether the normals of two triangles at a vertex enclose 45 degrees or more.
pub(super) fn is_sharp_at(surface: &Surface, vertex: u32) -> bool {
    let vertices = [vertex];
    let normals = normals_at(surface, &vertices);
    normals.clone().any(|normal| normals.clone().any(|other| normal.dot(&other) <= 0.7))
}

/// Two edges that cross, the first that of the searched body, and where.
#[derive(Clone, Debug)]
pub(super) struct Crossed {
    pub(super) edges: [[u32; 2]; 2],
    pub(super) at: [f64; 2],
    pub(super) contact: Expected,
}

/// The sides that an edge crosses by the shortest exit from a face, where both edges support their bodies. The
/// depth is that of the bare edges.
pub(super) fn crossed(
    own: &EdgeOf,
    faces: &Faces<'_>,
    (ids, _): &Edge,
    sides: &[Side],
    solids: [bool; 2],
    verge: f64,
) -> Vec<Crossed> {
    if own.is_flat(ids) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (other, near, only) in sides {
        let between = |t: f64| t > 0.0 && t < 1.0;
        if !(between(near.s) && between(near.t)) {
            continue;
        }
        let offset = near.on_second - near.on_first;
        let direction = offset / near.distance;
        let beyond =
            own.beyond(ids, &-direction, solids[0]).max(faces.edges.beyond(other, &direction, solids[1]));
        // The rounding error of the direction.
        let blur = (verge / near.distance).max(LEVEL);
        if beyond > blur && near.distance > verge {
            continue;
        }
        let contact = Expected {
            a: Element::of(*ids),
            b: Element::of(*other),
            depth: near.distance,
            direction: Some(direction),
            optional: !only || beyond > -blur || near.distance <= verge,
            ..Expected::default()
        };
        found.push(Crossed { edges: [*ids, *other], at: [near.s, near.t], contact });
    }
    found
}
