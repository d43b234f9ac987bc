//! EPA's polyhedron in 3D (van den Bergen 2001).

use nalgebra::Vector3;

use super::queue::{Queue, reserve};
use super::{Facet, Polytope};
use crate::vector::{VectorSpace, cross};
use crate::vertex::Vertex;

type Vector = Vector3<f64>;

/// The number of faces that an expansion adds, on average: a vertex of a surface of triangles has fewer than six.
const ADDED: usize = 6;

/// A triangle of the surface. Edge `i` runs from corner `i` to corner `i + 1`, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) facet: Facet<Vector>,
    pub(super) corners: [u32; 3],
    /// Across each edge: the neighbour, and the index of the edge in it.
    pub(super) across: [BoxFace; 3],
    pub(super) removed: bool,
}

/// A half-edge: four times the face, plus the edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxFace(u32);

impl BoxFace {
    #[inline(always)]
    pub(super) fn new(face: u32, edge: u32) -> Self {
        Self(face << 2 | edge)
    }

    #[inline(always)]
    pub(super) fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    #[inline(always)]
    pub(super) fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// The next edge or corner around a triangle.
pub(super) const AFTER: [usize; 4] = [1, 2, 0, 0];

/// A convex polyhedron of triangles.
#[derive(Clone, Debug, Default)]
pub struct Polyhedron {
    pub(super) vertices: Vec<Vertex<Vector>>,
    pub(super) faces: Vec<Face>,
    pub(super) queue: Queue,
    pub(super) rounding_error: f64,
    /// Half-edges still to be visited, and the horizon edges in order around the region visible from the new vertex.
    pending: Vec<BoxFace>,
    horizon: Vec<BoxFace>,
    /// Whether anything has been replaced since the start or the last warm start.
    pub(super) grown: bool,
    /// New indices of the kept elements, during a warm start.
    pub(super) renumbered: Vec<u32>,
}

impl Polyhedron {
    /// Returns the room in all lists.
    #[cfg(test)]
    pub(crate) fn room(&self) -> [usize; 6] {
        let Self { vertices, faces, queue, pending, horizon, renumbered, .. } = self;
        [
            vertices.capacity(),
            faces.capacity(),
            queue.room(),
            pending.capacity(),
            horizon.capacity(),
            renumbered.capacity(),
        ]
    }

    /// Returns the facet through three vertices.
    ///
    /// For any unit vector `n` the triangle's distance from the origin is at least the least `n · corner`: the bound
    /// needs no exact normal, which a needle does not have.
    #[inline(always)]
    pub(super) fn facet_through(&self, [a, b, c]: [Vector; 3]) -> Facet<Vector> {
        let area = cross(b - a, c - a);
        let length = area.length();
        if length.is_nan() || length <= 0.0 {
            // A degenerate triangle: its neighbours bound the same region.
            return Facet { normal: Vector::zeros(), distance: f64::INFINITY, bound: f64::INFINITY };
        }
        let normal = area * (1.0 / length);
        let (a, b, c) = (normal.inner(a), normal.inner(b), normal.inner(c));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let low = if c < low { c } else { low };
        let high = if c > high { c } else { high };
        Facet { normal, distance: high, bound: low - self.rounding_error }
    }

    #[inline(always)]
    fn add_face(&mut self, corners: [u32; 3], points: [Vector; 3], across: [BoxFace; 3], worth: f64) {
        let facet = self.facet_through(points);
        if facet.bound <= worth {
            self.queue.push(facet.bound, self.faces.len() as u32);
        }
        self.faces.push(Face { facet, corners, across, removed: false });
    }

    /// Returns the face whose plane the ray from the origin along a direction crosses first, by a linear scan.
    fn face_above(&self, direction: Vector) -> Option<u32> {
        let mut first = (f64::INFINITY, None);
        for (number, face) in self.faces.iter().enumerate().filter(|(_, face)| !face.removed) {
            let slope = face.facet.normal.inner(direction);
            if slope > 0.0 && face.facet.distance / slope < first.0 {
                first = (face.facet.distance / slope, Some(number as u32));
            }
        }
        first.1
    }

    /// Whether a face is visible from a point, across that edge.
    ///
    /// A face coplanar with the point, up to rounding error, stays if the fan's triangle over its edge has the same
    /// winding, and is removed if that would be degenerate or inverted: so a flat part of the surface changes only
    /// where it must.
    #[inline(always)]
    fn sees(&self, point: Vector, side: BoxFace) -> bool {
        let face = &self.faces[side.face()];
        let height = point.inner(face.facet.normal);
        if height <= face.facet.bound {
            return false;
        }
        if height > face.facet.distance + self.rounding_error {
            return true;
        }
        let [start, end] = [face.corners[side.edge()], face.corners[AFTER[side.edge()]]]
            .map(|corner| self.vertices[corner as usize].point);
        let edge = start - end;
        cross(edge, point - end).inner(face.facet.normal) <= self.rounding_error * edge.largest()
    }

    /// Marks every face visible from the point, by a flood fill from `face`, and lists the horizon edges.
    #[inline(always)]
    fn find_horizon(&mut self, face: u32, point: Vector) {
        self.horizon.clear();
        self.pending.clear();
        let start = &mut self.faces[face as usize];
        start.removed = true;
        let [first, second, third] = start.across;
        self.pending.extend_from_slice(&[third, second, first]);
        while let Some(side) = self.pending.pop() {
            if self.faces[side.face()].removed {
                continue;
            }
            if self.sees(point, side) {
                let neighbour = &mut self.faces[side.face()];
                neighbour.removed = true;
                let next = AFTER[side.edge()];
                let sides = [neighbour.across[AFTER[next]], neighbour.across[next]];
                self.pending.extend_from_slice(&sides);
            } else {
                self.horizon.push(side);
            }
        }
    }
}

impl Polytope<Vector> for Polyhedron {
    fn make_room(&mut self, expansions: usize) {
        let (vertices, faces) = (4 + expansions, 4 + ADDED * expansions);
        reserve(&mut self.vertices, vertices);
        reserve(&mut self.faces, faces);
        self.queue.make_room(faces);
        // At most all faces that there are at a time: fewer than two per vertex.
        reserve(&mut self.pending, 2 * vertices);
        reserve(&mut self.horizon, 2 * vertices);
        reserve(&mut self.renumbered, faces);
    }

    fn start(&mut self, simplex: &[Vertex<Vector>; 4], rounding_error: f64) -> bool {
        self.vertices.clear();
        self.faces.clear();
        self.queue.clear();
        self.rounding_error = rounding_error;
        self.vertices.extend_from_slice(simplex);
        let [a, b, c, d] = simplex.map(|vertex| vertex.point);
        let volume = cross(b - a, c - a).inner(d - a);
        if volume > 0.0 {
            self.vertices.swap(1, 2);
        } else if volume.is_nan() || volume == 0.0 {
            return false;
        }
        let side = BoxFace::new;
        for (corners, across) in [
            ([0, 1, 2], [side(1, 2), side(2, 2), side(3, 2)]),
            ([0, 3, 1], [side(3, 1), side(2, 0), side(0, 0)]),
            ([1, 3, 2], [side(1, 1), side(3, 0), side(0, 1)]),
            ([2, 3, 0], [side(2, 1), side(1, 0), side(0, 2)]),
        ] {
            let points = corners.map(|corner| self.vertices[corner as usize].point);
            self.add_face(corners, points, across, f64::INFINITY);
        }
        true
    }

    fn refresh(
        &mut self,
        place: impl FnMut([u32; 2]) -> Option<Vertex<Vector>>,
        rounding_error: f64,
    ) -> bool {
        self.rounding_error = rounding_error;
        self.carry_over(place)
    }

    fn least(&self) -> u32 {
        Self::least(self)
    }

    fn queue_all_but(&mut self, facet: u32, worth: f64) {
        Self::queue_all_but(self, facet, worth);
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(f64, u32)> {
        loop {
            let (bound, face) = self.queue.pop()?;
            if !self.faces[face as usize].removed {
                return Some((bound, face));
            }
        }
    }

    fn each_facet(&self, mut each: impl FnMut(f64, [[u32; 2]; 3])) {
        for face in self.faces.iter().filter(|face| !face.removed) {
            each(face.facet.bound, face.corners.map(|corner| self.vertices[corner as usize].ids));
        }
    }

    fn count(&self) -> u32 {
        self.faces.len() as u32
    }

    #[inline(never)]
    fn straighten(&mut self, facet: u32) -> bool {
        let corners @ [a, b, c] =
            self.faces[facet as usize].corners.map(|corner| self.vertices[corner as usize].point);
        let longest = [c - b, a - c]
            .into_iter()
            .fold(b - a, |longest, edge| if edge.squared() > longest.squared() { edge } else { longest });
        let rough = self.faces[facet as usize].facet;
        let across = rough.normal - longest * (rough.normal.inner(longest) / longest.squared());
        let normal = across * (1.0 / across.length());
        let heights = corners.map(|corner| normal.inner(corner));
        let high = heights[0].max(heights[1]).max(heights[2]);
        let bound = heights[0].min(heights[1]).min(heights[2]) - self.rounding_error;
        // A second call gains nothing: after the first only rounding error is left.
        let better = high - bound < 0.5 * (rough.distance - rough.bound);
        if better {
            self.faces[facet as usize].facet = Facet { normal, distance: high, bound };
            self.queue.push(bound, facet);
        }
        better
    }

    #[inline(always)]
    fn facet(&self, facet: u32) -> Facet<Vector> {
        self.faces[facet as usize].facet
    }

    #[inline(always)]
    fn corner(&self, facet: u32, index: usize) -> &Vertex<Vector> {
        &self.vertices[self.faces[facet as usize].corners[index] as usize]
    }

    fn locate(&self, start: u32, direction: Vector) -> (u32, [f64; 3]) {
        let faces_it = |face: &Face| !face.removed && face.facet.normal.inner(direction) > 0.0;
        let mut at = start;
        if !faces_it(&self.faces[at as usize]) {
            at = self.face_above(direction).unwrap_or(start);
        }
        for _ in 0..self.faces.len() {
            let [a, b, c] = [0, 1, 2].map(|index| self.corner(at, index).point);
            let areas = [cross(b, c), cross(c, a), cross(a, b)].map(|area| area.inner(direction));
            let least =
                (0..3).fold(0, |least, index| if areas[index] < areas[least] { index } else { least });
            // The edge after a corner with a negative weight is opposite to it.
            let next = self.faces[at as usize].across[AFTER[least]].face();
            if areas[least] >= 0.0 || !self.faces.get(next).is_some_and(faces_it) {
                let areas = areas.map(|area| area.max(0.0));
                let sum = areas[0] + areas[1] + areas[2];
                return (at, if sum > 0.0 { areas.map(|part| part / sum) } else { [1.0, 0.0, 0.0] });
            }
            at = next as u32;
        }
        (start, [1.0 / 3.0; 3])
    }

    #[inline(always)]
    fn expand(&mut self, facet: u32, vertex: Vertex<Vector>, worth: f64) -> bool {
        self.grown = true;
        self.find_horizon(facet, vertex.point);
        let count = self.horizon.len();
        if count < 3 {
            return false;
        }
        let apex = self.vertices.len() as u32;
        self.vertices.push(vertex);
        let first = self.faces.len() as u32;
        let last = count as u32 - 1;
        let mut ring_start = 0;
        let mut previous_end = 0;
        for index in 0..=last {
            let side = self.horizon[index as usize];
            let staying = &mut self.faces[side.face()];
            // The new face uses the edge in the opposite direction.
            let start = staying.corners[AFTER[side.edge()]];
            let end = staying.corners[side.edge()];
            staying.across[side.edge()] = BoxFace::new(first + index, 0);
            if index == 0 {
                ring_start = start;
            } else if start != previous_end {
                return false;
            }
            previous_end = end;
            let next = if index == last { 0 } else { index + 1 };
            let previous = if index == 0 { last } else { index - 1 };
            let points =
                [self.vertices[start as usize].point, self.vertices[end as usize].point, vertex.point];
            let across = [side, BoxFace::new(first + next, 2), BoxFace::new(first + previous, 1)];
            self.add_face([start, end, apex], points, across, worth);
        }
        previous_end == ring_start
    }
}
