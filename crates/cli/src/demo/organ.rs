//! The organ: a lobed, liver-like solid that breathes and yields to the tool. Metres, seconds; +y is up.

use super::motion::bump;
use super::sphere::GeodesicSphere;
use palpate::math::{Point, Vector};

/// Number of subdivisions of each icosahedron edge: gives 1002 vertices and 2000 triangles.
const CUTS: usize = 10;

/// Half the length, height and width of the ellipsoid that the shape is made from, metres.
const HALF_SIZE: [f64; 3] = [0.080, 0.042, 0.055];

/// Width of the dent: the standard deviation of its bell, metres.
const DENT_REACH: f64 = 0.013;

/// Breathing: displacement along z, expansion, and frequency.
const BREATH_SHIFT: f64 = 0.003;
const BREATH_SWELL: f64 = 0.02;
const BREATHS_PER_SECOND: f64 = 0.5;

/// A dent in the surface.
#[derive(Clone, Copy)]
pub(super) struct Dent {
    /// Its deepest point, on the undeformed organ.
    pub(super) at: Point,
    /// The displacement there, metres.
    pub(super) push: Vector,
}

/// The organ's mesh, with its vertices as directions of the unit sphere.
pub(super) struct Organ {
    sphere: GeodesicSphere,
}

impl Organ {
    pub(super) fn new() -> Self {
        Self { sphere: GeodesicSphere::new(CUTS) }
    }

    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        &self.sphere.triangles
    }

    /// The vertices at `time`, deformed by a dent.
    pub(super) fn vertices(&self, time: f64, dent: &Dent) -> Vec<Point> {
        self.sphere.directions.iter().map(|direction| dented(&surface(direction, time), dent)).collect()
    }
}

/// The breathing surface, without a dent, in a direction of the unit sphere.
pub(super) fn surface(direction: &Vector, time: f64) -> Point {
    let [x, y, z] = (*direction).into();
    // Seen from the front: a thick lobe at -x, a thin one at +x that lies a little lower, a flat underside.
    let slim = 1.0 - 0.38 * (1.0 + x) * (0.5 + 0.1 * x);
    let under = if y < 0.0 { 0.62 } else { 1.0 };
    let narrow = 1.0 - 0.22 * x;
    // The fissure between the lobes: a notch in the front edge and a groove over the top.
    let fissure = bump((x - 0.25) / 0.16);
    let notch = 1.0 - 0.20 * fissure * bump((z - 1.0) / 0.7) - 0.05 * fissure;
    let bulge = 1.0 + 0.05 * libm::sin(3.0 * x + 1.5 * z + 0.5);
    let shape = Vector::new(
        HALF_SIZE[0] * x * notch,
        HALF_SIZE[1] * y * slim * under * bulge * notch - 0.006 * (x + 0.3) * (x + 0.3),
        HALF_SIZE[2] * z * narrow * notch,
    );
    let breath = libm::sin(std::f64::consts::TAU * BREATHS_PER_SECOND * time);
    Point::from(shape * (1.0 + BREATH_SWELL * breath) + Vector::z() * (BREATH_SHIFT * breath))
}

/// The outward normal of the breathing surface, from differences along two tangents.
pub(super) fn normal(direction: &Vector, time: f64) -> Vector {
    const STEP: f64 = 1e-4;
    let side = direction.cross(&Vector::new(0.31, 0.17, 0.93)).normalize();
    let other = direction.cross(&side);
    let along = |tangent: &Vector| {
        surface(&(direction + tangent * STEP).normalize(), time)
            - surface(&(direction - tangent * STEP).normalize(), time)
    };
    let normal = along(&side).cross(&along(&other)).normalize();
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

/// A point of the organ, displaced by a dent; the tissue around it rises slightly.
pub(super) fn dented(point: &Point, dent: &Dent) -> Point {
    let q = (point - dent.at).norm_squared() / (2.0 * DENT_REACH * DENT_REACH);
    point + dent.push * (libm::exp(-q) * (1.0 - 0.3 * q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::geometry::SurfaceMesh;

    #[test]
    fn the_organ_is_a_closed_solid_of_the_stated_size() {
        let organ = Organ::new();
        let dent = Dent { at: Point::origin(), push: Vector::zeros() };
        let vertices = organ.vertices(0.0, &dent);
        assert_eq!((vertices.len(), organ.triangles().len()), (1002, 2000));
        let mesh = SurfaceMesh::new(vertices, organ.triangles().to_vec()).unwrap();
        assert!(mesh.is_closed());
        let volume: f64 = (0..2000)
            .map(|triangle| mesh.corners(triangle).map(|corner| corner.coords))
            .map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0)
            .sum();
        assert!((3e-4..6e-4).contains(&volume), "{volume} cubic metres");
    }

    #[test]
    fn normals_are_perpendicular_to_the_surface() {
        for direction in [Vector::y(), Vector::new(-0.4, 0.8, 0.3), Vector::new(0.2, 0.9, -0.4)] {
            let direction = direction.normalize();
            let n = normal(&direction, 0.3);
            let nearby = (direction + Vector::new(1e-3, 0.0, 5e-4)).normalize();
            let step = surface(&nearby, 0.3) - surface(&direction, 0.3);
            assert!(n.dot(&step).abs() < 0.02 * step.norm(), "{direction}");
        }
    }
}
