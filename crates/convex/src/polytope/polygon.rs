//! EPA's polygon in 2D.

use nalgebra::Vector2;

use super::queue::{Queue, reserve};
use super::{Facet, Polytope};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

type Vector = Vector2<f64>;

/// An edge of the polygon, counter-clockwise.
#[derive(Clone, Copy, Debug)]
struct Edge {
    facet: Facet<Vector>,
    corners: [u32; 2],
    previous: u32,
    next: u32,
    removed: bool,
}

/// A convex polygon.
#[derive(Clone, Debug, Default)]
pub struct Polygon {
    vertices: Vec<Vertex<Vector>>,
    edges: Vec<Edge>,
    queue: Queue,
    rounding_error: f64,
}

impl Polygon {
    #[inline(always)]
    fn add_edge(&mut self, corners: [u32; 2], previous: u32, next: u32, worth: f64) {
        let [a, b] = corners.map(|corner| self.vertices[corner as usize].point);
        let along = b - a;
        let length = along.length();
        let facet = if length > 0.0 {
            let normal = Vector::new(along.y, -along.x) * (1.0 / length);
            let distance = normal.inner(a);
            Facet { normal, distance, bound: distance - self.rounding_error }
        } else {
            Facet { normal: Vector::zeros(), distance: f64::INFINITY, bound: f64::INFINITY }
        };
        let edge = self.edges.len() as u32;
        if facet.bound <= worth {
            self.queue.push(facet.bound, edge);
        }
        self.edges.push(Edge { facet, corners, previous, next, removed: false });
    }

    /// Whether a point lies outside the line of an edge, or on it up to rounding error.
    #[inline(always)]
    fn sees(&self, point: Vector, edge: &Edge) -> bool {
        point.inner(edge.facet.normal) > edge.facet.bound
    }
}

impl Polytope<Vector> for Polygon {
    fn make_room(&mut self, expansions: usize) {
        // Each adds two edges.
        let edges = 3 + 2 * expansions;
        reserve(&mut self.vertices, 3 + expansions);
        reserve(&mut self.edges, edges);
        self.queue.make_room(edges);
    }

    fn start(&mut self, simplex: &[Vertex<Vector>; 4], rounding_error: f64) -> bool {
        self.vertices.clear();
        self.edges.clear();
        self.queue.clear();
        self.rounding_error = rounding_error;
        self.vertices.extend_from_slice(&simplex[..3]);
        let (first, second) = (simplex[1].point - simplex[0].point, simplex[2].point - simplex[0].point);
        let area = first.x * second.y - first.y * second.x;
        if area < 0.0 {
            self.vertices.swap(1, 2);
        } else if area.is_nan() || area == 0.0 {
            return false;
        }
        for edge in 0..3 {
            let next = if edge == 2 { 0 } else { edge + 1 };
            let previous = if edge == 0 { 2 } else { edge - 1 };
            self.add_edge([edge, next], previous, next, f64::INFINITY);
        }
        true
    }

    fn refresh(&mut self, _place: impl FnMut([u32; 2]) -> Option<Vertex<Vector>>, _noise: f64) -> bool {
        // Rebuilding a polygon is as fast as checking one.
        false
    }

    fn least(&self) -> u32 {
        0
    }

    fn queue_all_but(&mut self, _facet: u32, _worth: f64) {}

    fn next(&mut self) -> Option<(f64, u32)> {
        loop {
            let (bound, edge) = self.queue.pop()?;
            if !self.edges[edge as usize].removed {
                return Some((bound, edge));
            }
        }
    }

    fn each_facet(&self, _each: impl FnMut(f64, [[u32; 2]; 3])) {}

    fn count(&self) -> u32 {
        self.edges.len() as u32
    }

    fn straighten(&mut self, _facet: u32) -> bool {
        // In 2D the normal's error lifts neither end by more than rounding error.
        false
    }

    fn facet(&self, facet: u32) -> Facet<Vector> {
        self.edges[facet as usize].facet
    }

    fn corner(&self, facet: u32, index: usize) -> &Vertex<Vector> {
        &self.vertices[self.edges[facet as usize].corners[index.min(1)] as usize]
    }

    fn locate(&self, start: u32, direction: Vector) -> (u32, [f64; 3]) {
        let along = Vector::new(-direction.y, direction.x);
        let share = |edge: u32| {
            let [from, to] = [0, 1].map(|index| self.corner(edge, index).point.inner(along));
            if to > from { -from / (to - from) } else { -1.0 }
        };
        let holds = |edge: &u32| {
            let Edge { facet, removed, .. } = &self.edges[*edge as usize];
            !removed && facet.normal.inner(direction) > 0.0 && (0.0..=1.0).contains(&share(*edge))
        };
        let at =
            if holds(&start) { start } else { (0..self.edges.len() as u32).find(holds).unwrap_or(start) };
        let share = share(at).clamp(0.0, 1.0);
        (at, [1.0 - share, share, 0.0])
    }

    fn expand(&mut self, facet: u32, vertex: Vertex<Vector>, worth: f64) -> bool {
        let Edge { mut previous, mut next, .. } = self.edges[facet as usize];
        self.edges[facet as usize].removed = true;
        while previous != next && self.sees(vertex.point, &self.edges[previous as usize]) {
            self.edges[previous as usize].removed = true;
            previous = self.edges[previous as usize].previous;
        }
        while next != previous && self.sees(vertex.point, &self.edges[next as usize]) {
            self.edges[next as usize].removed = true;
            next = self.edges[next as usize].next;
        }
        let apex = self.vertices.len() as u32;
        self.vertices.push(vertex);
        let first = self.edges.len() as u32;
        let start = self.edges[previous as usize].corners[1];
        let end = self.edges[next as usize].corners[0];
        if start == end {
            return false;
        }
        self.edges[previous as usize].next = first;
        self.edges[next as usize].previous = first + 1;
        self.add_edge([start, apex], previous, first + 1, worth);
        self.add_edge([apex, end], first, next, worth);
        true
    }
}
