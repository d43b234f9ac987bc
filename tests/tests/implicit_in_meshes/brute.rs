//! A closed mesh by brute force over all its triangles and tetrahedra.

use palpate_geometry::{Geometry, Needs, Pose, SurfaceMesh, TetraMesh};
use palpate_math::{Point, Vector};

pub(crate) struct Mesh {
    corners: Vec<Point>,
    /// Of a surface, wound outward; of tetrahedra the faces of exactly one, in either winding.
    triangles: Vec<[u32; 3]>,
    cells: Vec<[u32; 4]>,
}

impl Mesh {
    pub(crate) fn surface((corners, triangles): (Vec<Point>, Vec<[u32; 3]>)) -> Self {
        Self { corners, triangles, cells: Vec::new() }
    }

    pub(crate) fn cells((corners, cells): (Vec<Point>, Vec<[u32; 4]>)) -> Self {
        let faces = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, b, d], [a, c, d], [b, c, d]];
        let sorted = |mut face: [u32; 3]| {
            face.sort_unstable();
            face
        };
        let mut all: Vec<[u32; 3]> = cells.iter().flat_map(|cell| faces(*cell)).map(sorted).collect();
        all.sort_unstable();
        let alone = |k: &usize| {
            let same = |other: Option<&[u32; 3]>| other == Some(&all[*k]);
            !(same(all.get(k + 1)) || *k > 0 && same(all.get(k - 1)))
        };
        let triangles = (0..all.len()).filter(alone).map(|k| all[k]).collect();
        Self { corners, triangles, cells }
    }

    pub(crate) fn moved(mut self, pose: &Pose) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = pose * *corner);
        self
    }

    pub(crate) fn build(&self) -> Box<dyn Geometry> {
        let corners = self.corners.clone();
        let mut mesh: Box<dyn Geometry> = if self.cells.is_empty() {
            Box::new(SurfaceMesh::new(corners, self.triangles.clone()).expect("a surface"))
        } else {
            Box::new(TetraMesh::new(corners, self.cells.clone()).expect("tetrahedra"))
        };
        mesh.prepare(Needs::all());
        mesh
    }

    fn at<const N: usize>(&self, ids: &[u32; N]) -> [Point; N] {
        ids.map(|id| self.corners[id as usize])
    }

    /// Distance from the surface.
    pub(crate) fn distance(&self, place: &Point) -> f64 {
        self.triangles.iter().map(|ids| to_triangle(place, &self.at(ids))).fold(f64::INFINITY, f64::min)
    }

    /// Signed distance, negative inside.
    pub(crate) fn signed(&self, place: &Point) -> f64 {
        let distance = self.distance(place);
        if self.holds(place) { -distance } else { distance }
    }

    /// By the solid angle of the surface (Van Oosterom and Strackee 1983), or in any tetrahedron.
    fn holds(&self, place: &Point) -> bool {
        if self.cells.is_empty() {
            let angle = |ids: &[u32; 3]| {
                let [a, b, c] = self.at(ids).map(|corner| corner - place);
                let (x, y, z) = (a.norm(), b.norm(), c.norm());
                let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
                2.0 * a.dot(&b.cross(&c)).atan2(below)
            };
            let sum: f64 = self.triangles.iter().map(angle).sum();
            return sum.abs() > std::f64::consts::TAU;
        }
        self.cells.iter().any(|ids| {
            let [a, b, c, d] = self.at(ids);
            let volume = |p: &Point, q: &Point, r: &Point, s: &Point| (q - p).cross(&(r - p)).dot(&(s - p));
            let whole = volume(&a, &b, &c, &d);
            let parts = [
                volume(place, &b, &c, &d),
                volume(&a, place, &c, &d),
                volume(&a, &b, place, &d),
                volume(&a, &b, &c, place),
            ];
            parts.iter().all(|part| part * whole >= 0.0)
        })
    }

    pub(crate) fn farthest(&self, u: &Vector) -> f64 {
        self.corners.iter().map(|corner| corner.coords.dot(u)).fold(f64::NEG_INFINITY, f64::max)
    }

    pub(crate) fn reach(&self) -> f64 {
        self.corners.iter().map(|corner| corner.coords.amax()).fold(0.0, f64::max)
    }

    /// Both normals of every triangle.
    pub(crate) fn normals(&self) -> Vec<Vector> {
        let normal = |ids: &[u32; 3]| {
            let [a, b, c] = self.at(ids);
            (b - a).cross(&(c - a)).try_normalize(0.0)
        };
        self.triangles.iter().filter_map(normal).flat_map(|n| [n, -n]).collect()
    }
}

/// The distance from a triangle: from its plane if above it, otherwise from an edge.
fn to_triangle(place: &Point, [a, b, c]: &[Point; 3]) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let above = |from: &Point, to: &Point| normal.cross(&(to - from)).dot(&(place - from)) >= 0.0;
    if above(a, b) && above(b, c) && above(c, a) && normal.norm() > 0.0 {
        return (place - a).dot(&normal).abs() / normal.norm();
    }
    [(a, b), (b, c), (c, a)]
        .map(|(from, to)| {
            let way = to - from;
            let t = ((place - from).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
            (place - (from + way * t)).norm()
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}
