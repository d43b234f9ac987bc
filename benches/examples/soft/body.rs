//! What collides in a recording.

use palpate::prelude::*;

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An open surface.
    Sheet,
    /// A closed surface.
    Solid,
    /// A polyline.
    Thread,
    /// Tetrahedra.
    Block,
}

/// A body without its positions.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) kind: Kind,
    /// Triangles, of a block those of its boundary; segments of a thread have two vertices.
    pub(crate) elements: Vec<[u32; 3]>,
    /// Of a block.
    pub(crate) cells: Vec<[u32; 4]>,
}

impl Body {
    pub(crate) fn of_triangles(kind: Kind, elements: Vec<[u32; 3]>) -> Self {
        Self { kind, elements, cells: Vec::new() }
    }

    pub(crate) fn thread(points: usize) -> Self {
        let elements = (1..points as u32).map(|k| [k - 1, k, k]).collect();
        Self { kind: Kind::Thread, elements, cells: Vec::new() }
    }

    pub(crate) fn block(vertices: &[Point], cells: Vec<[u32; 4]>) -> super::Result<Self> {
        let elements = TetraMesh::new(vertices.to_vec(), cells.clone())?.boundary_triangles().to_vec();
        Ok(Self { kind: Kind::Block, elements, cells })
    }

    /// The vertices of an element.
    pub(crate) fn element(&self, number: u32) -> &[u32] {
        let ids = &self.elements[number as usize];
        if self.kind == Kind::Thread { &ids[..2] } else { ids }
    }

    pub(crate) fn segments(&self) -> Vec<[u32; 2]> {
        self.elements.iter().map(|ids| [ids[0], ids[1]]).collect()
    }
}

/// Two bodies and where their vertices are in each frame.
pub(crate) struct Recording {
    pub(crate) name: &'static str,
    pub(crate) bodies: [Body; 2],
    pub(crate) frames: Vec<[Vec<Point>; 2]>,
}

/// A square sheet of side `size` about a point, of `n` by `n` squares of two triangles.
pub(crate) fn sheet(n: u32, size: f64, middle: Point) -> (Vec<Point>, Vec<[u32; 3]>) {
    let place = |k: u32| size * (f64::from(k) / f64::from(n) - 0.5);
    let ids = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j)));
    let vertices = ids.map(|(i, j)| middle + Vector::new(place(i), 0.0, place(j))).collect();
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| i * (n + 1) + j));
    let halves = squares.flat_map(|a| [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
    (vertices, halves.collect())
}

/// Directions on a closed ball of about `triangles` triangles, wound outward.
pub(crate) fn ball(triangles: usize) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let rows = (((triangles / 4) as f64).sqrt().round() as u32).max(2);
    let around = 2 * rows;
    let ring = |i: u32| std::f64::consts::PI * f64::from(i) / f64::from(rows + 1);
    let turn = |j: u32| std::f64::consts::TAU * f64::from(j) / f64::from(around);
    let mut vertices = vec![Vector::y(), -Vector::y()];
    for (i, j) in (1..=rows).flat_map(|i| (0..around).map(move |j| (i, j))) {
        let (height, width) = (ring(i).cos(), ring(i).sin());
        vertices.push(Vector::new(width * turn(j).sin(), height, width * turn(j).cos()));
    }
    let id = |i: u32, j: u32| 2 + i * around + j % around;
    let mut elements = Vec::new();
    for j in 0..around {
        elements.push([0, id(0, j), id(0, j + 1)]);
        for i in 0..rows - 1 {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            elements.extend([[a, b, c], [a, c, d]]);
        }
        elements.push([1, id(rows - 1, j + 1), id(rows - 1, j)]);
    }
    (vertices, elements)
}
