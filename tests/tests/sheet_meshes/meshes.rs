//! Real meshes scaled to one size, closed or with a cap removed, and what the tests ask of a surface.

use super::SIZE;
use palpate_geometry::{Geometry, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_mesh_io::{Contents, read};
use palpate_tests::meshes::Triangles;
use palpate_tests::{ALL_NEEDS, Random};
use std::collections::BTreeMap;
use std::path::Path;

/// The meshes that are opened for this test.
pub(crate) const OPENED: [&str; 4] = ["liver-smooth.obj", "liver.vtk", "palm.stl", "Bunny.stl"];

/// The contents of a file, moved to the origin and scaled to [`SIZE`].
pub(crate) fn scaled(path: &Path) -> Contents {
    let mut contents = read(path).unwrap_or_else(|error| panic!("{error}"));
    let (mut low, mut high) = (Vector::repeat(f64::MAX), Vector::repeat(f64::MIN));
    for point in &contents.positions {
        (low, high) = (low.inf(&point.coords), high.sup(&point.coords));
    }
    let (middle, factor) = ((low + high) / 2.0, SIZE / (high - low).max());
    for point in &mut contents.positions {
        *point = Point::from((point.coords - middle) * factor);
    }
    contents
}

/// A surface with its trees and normals.
pub(crate) fn prepared((vertices, triangles): Triangles) -> SurfaceMesh {
    let mesh = SurfaceMesh::new(vertices, triangles).unwrap_or_else(|error| panic!("{error}"));
    let mut mesh = if mesh.is_closed() { mesh.examined() } else { mesh };
    mesh.prepare(ALL_NEEDS);
    mesh
}

/// The surface without the triangles whose centroids are beyond 70 % of its longest axis, nor vertices that
/// only they have.
pub(crate) fn without_cap((vertices, triangles): &Triangles) -> Triangles {
    let (mut low, mut high) = (Vector::repeat(f64::MAX), Vector::repeat(f64::MIN));
    for point in vertices {
        (low, high) = (low.inf(&point.coords), high.sup(&point.coords));
    }
    let axis = (high - low).imax();
    let limit = low[axis] + 0.7 * (high - low)[axis];
    let mut numbers = BTreeMap::new();
    let (mut left, mut kept) = (Vec::new(), Vec::new());
    for ids in triangles {
        let middle = ids.iter().map(|&id| vertices[id as usize][axis]).sum::<f64>() / 3.0;
        if middle <= limit {
            kept.push(ids.map(|id| {
                *numbers.entry(id).or_insert_with(|| {
                    left.push(vertices[id as usize]);
                    left.len() as u32 - 1
                })
            }));
        }
    }
    (left, kept)
}

/// The edges with one triangle.
pub(crate) fn border(mesh: &SurfaceMesh) -> Vec<[Point; 2]> {
    let mut uses: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for &[a, b, c] in mesh.triangles() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *uses.entry([from.min(to), from.max(to)]).or_default() += 1;
        }
    }
    let positions = mesh.points().positions();
    let single = uses.into_iter().filter(|&(_, count)| count == 1);
    single.map(|(ids, _)| ids.map(|id| positions[id as usize])).collect()
}

/// The distance of a point from the nearest of these segments; infinity if there are none.
pub(crate) fn distance_from(segments: &[[Point; 2]], point: &Point) -> f64 {
    let distance = |[from, to]: &[Point; 2]| {
        let along = to - from;
        let t = (point - from).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
        (from + along * t.clamp(0.0, 1.0) - point).norm()
    };
    segments.iter().map(distance).fold(f64::INFINITY, f64::min)
}

/// The unit normal of a triangle; `None` if it is flattened.
pub(crate) fn normal([a, b, c]: &[Point; 3]) -> Option<Vector> {
    let (first, second) = (b - a, c - a);
    let normal = first.cross(&second);
    let least = 1e-9 * first.norm_squared().max(second.norm_squared());
    (normal.norm() > least).then(|| normal.normalize())
}

/// Where a segment pierces a triangle for certain.
pub(crate) struct Piercing {
    /// The place.
    pub(crate) place: Point,
}

/// Where a segment pierces a triangle: both ends are off its plane by `least`, and the place is inside by a
/// millionth.
pub(crate) fn piercing([p, q]: &[Point; 2], corners: &[Point; 3], least: f64) -> Option<Piercing> {
    let [a, b, c] = corners;
    let normal = normal(corners)?;
    let heights = [p, q].map(|end| (end - a).dot(&normal));
    if heights[0] * heights[1] >= 0.0 || heights.iter().any(|height| height.abs() <= least) {
        return None;
    }
    let volume = |first: &Point, second: &Point| (q - p).dot(&(first - p).cross(&(second - p)));
    let volumes = [volume(b, c), volume(c, a), volume(a, b)];
    let sum: f64 = volumes.iter().sum();
    let is_within = volumes.iter().all(|volume| volume / sum > 1e-6);
    let t = heights[0] / (heights[0] - heights[1]);
    is_within.then(|| Piercing { place: p + (q - p) * t })
}

/// All triangles that a segment pierces for certain.
pub(crate) fn piercings(ends: &[Point; 2], mesh: &SurfaceMesh, least: f64) -> Vec<Piercing> {
    let (low, high) = (ends[0].coords.inf(&ends[1].coords), ends[0].coords.sup(&ends[1].coords));
    let triangles = (0..mesh.triangles().len() as u32).map(|triangle| mesh.corners(triangle));
    let is_near = |corners: &[Point; 3]| {
        (0..3).all(|axis| {
            corners.iter().any(|corner| corner[axis] >= low[axis])
                && corners.iter().any(|corner| corner[axis] <= high[axis])
        })
    };
    triangles.filter(is_near).filter_map(|corners| piercing(ends, &corners, least)).collect()
}

/// A place on a surface, and the normal of its triangle.
pub(crate) fn place_on(mesh: &SurfaceMesh, random: &mut Random) -> (Point, Vector) {
    loop {
        let corners = mesh.corners(random.below(mesh.triangles().len()) as u32);
        let Some(normal) = normal(&corners) else { continue };
        let [a, b, c] = corners;
        let (mut s, mut t) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
        if s + t > 1.0 {
            (s, t) = (1.0 - s, 1.0 - t);
        }
        return (a + (b - a) * s + (c - a) * t, normal);
    }
}
