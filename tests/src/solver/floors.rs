//! Flat floors whose top is the plane y = 0.

use crate::laws::solids::grid_box;
use crate::{Random, Shape};
use palpate_math::{Point, Vector};

/// A flat floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// A half-space.
    Plane,
    /// A closed slab with this many rectangles along x, y and z, two triangles each.
    Slab([u32; 3]),
    /// The same with its inner corners moved in their plane, and some of its rectangles split along the other
    /// diagonal.
    Random([u32; 3]),
    /// The top of the slab, an open surface.
    Sheet([u32; 3]),
}

impl Floor {
    /// The floor, from -`half` to `half` along x and z.
    pub fn shape(self, half: f64) -> Shape {
        let extents = Vector::new(half, 0.1, half);
        match self {
            Self::Plane => Shape::Plane { position: Point::origin(), normal: Vector::y(), two_sided: false },
            Self::Slab(n) => surface(grid_box(extents, n)),
            Self::Sheet(n) => {
                let (vertices, mut cells) = grid_box(extents, n);
                cells.retain(|ids| ids.iter().all(|&id| vertices[id as usize].y > 0.0));
                surface((vertices, cells))
            }
            Self::Random(n) => {
                let (mut vertices, mut cells) = grid_box(extents, n);
                divide_otherwise(&vertices, &mut cells);
                let mut random = Random::new(9);
                let reach = 0.3 * 2.0 * half / f64::from(n[0].max(n[2]));
                for vertex in
                    vertices.iter_mut().filter(|p| p.y > 0.0 && p.x.abs().max(p.z.abs()) < 0.999 * half)
                {
                    let shift = random.vector() * reach;
                    (vertex.x, vertex.z) = (vertex.x + shift.x, vertex.z + shift.z);
                }
                surface((vertices, cells))
            }
        }
    }
}

/// Splits every third rectangle, which is two consecutive triangles, along its other diagonal.
fn divide_otherwise(vertices: &[Point], cells: &mut [[u32; 3]]) {
    let mut random = Random::new(10);
    for pair in cells.chunks_exact_mut(2) {
        let is_top = pair.iter().flatten().all(|&id| vertices[id as usize].y > 0.0);
        if let ([[a, b, c], [_, _, d]], true) = (&*pair, is_top && random.one_in(3)) {
            let (a, b, c, d) = (*a, *b, *c, *d);
            pair.copy_from_slice(&[[a, b, d], [b, c, d]]);
        }
    }
}

/// With its top in the plane y = 0.
fn surface((mut vertices, cells): (Vec<Point>, Vec<[u32; 3]>)) -> Shape {
    let top = vertices.iter().map(|p| p.y).fold(f64::MIN, f64::max);
    vertices.iter_mut().for_each(|p| p.y -= top);
    Shape::SurfaceMesh { vertices, cells, radius: 0.0 }
}
