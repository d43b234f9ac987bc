//! Hulls as exported by CAD programs: with corners in the interior of edges or faces, and duplicates.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use palpate_convex::{ConvexHull, Hull, HullFaces, RigidTransform};
use palpate_math::Point;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) type Vector = Vector3<f64>;

/// A body by its own corners, and by these with redundant ones added, its own in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corners {
    pub(crate) essential: Vec<Vector>,
    pub(crate) all: Vec<Vector>,
}

/// The kind of body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Random points, none of them redundant.
    Random,
    /// A box cut by planes, with the midpoints of its edges and faces.
    CutBox,
    /// A prism with rings between its ends.
    RingedPrism,
    /// A box with a grid of 5 by 5 corners on each face.
    Plate,
    /// A box with corners duplicated up to rounding error.
    Doubled,
}

pub(crate) const KINDS: [Kind; 5] =
    [Kind::Random, Kind::CutBox, Kind::RingedPrism, Kind::Plate, Kind::Doubled];

/// A hull and its faces.
pub(crate) struct Body {
    pub(crate) hull: Hull,
    pub(crate) faces: HullFaces,
}

impl Body {
    pub(crate) fn new(corners: &[Vector]) -> Self {
        let points: Vec<Point> = corners.iter().copied().map(Point::from).collect();
        let found = ConvexHull::new(&points);
        // Renumber as a body does: only its own vertices, in their order.
        let number = |id: u32| found.vertices.binary_search(&id).unwrap() as u32;
        let kept = found.vertices.iter().map(|&id| corners[id as usize]).collect();
        let triangles = found.triangles.iter().map(|ids| ids.map(number)).collect();
        let hull = Hull::new(kept, triangles).unwrap();
        let faces = HullFaces::new(&hull);
        Self { hull, faces }
    }
}

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn number(&mut self) -> f64 {
        self.0.random_range(-1.0..1.0)
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        self.0.random_range(least..most)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::from_fn(|_, _| self.number())
    }

    pub(crate) fn unit(&mut self) -> Vector {
        loop {
            let vector = self.vector();
            if (0.1..1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> Matrix3<f64> {
        let axis = Unit::new_unchecked(self.unit());
        Rotation3::from_axis_angle(&axis, 3.2 * self.number()).into_inner()
    }

    /// Generates corners of a kind, rotated and translated off every lattice.
    pub(crate) fn corners(&mut self, kind: Kind) -> Corners {
        let plain = match kind {
            Kind::Random => {
                let points: Vec<Vector> = (0..4 + self.below(9)).map(|_| self.vector()).collect();
                Corners { essential: points.clone(), all: points }
            }
            Kind::CutBox => self.cut_box(),
            Kind::RingedPrism => self.ringed_prism(),
            Kind::Plate => self.plate(),
            Kind::Doubled => self.doubled(),
        };
        let (turn, shift) = (self.rotation(), self.vector() * [0.0, 1.0, 3.0][self.below(3)]);
        let baked = |points: Vec<Vector>| points.into_iter().map(|point| turn * point + shift).collect();
        Corners { essential: baked(plain.essential), all: baked(plain.all) }
    }

    fn half(&mut self) -> Vector {
        Vector::from_fn(|_, _| self.between(0.2, 1.0))
    }

    /// Cuts with planes near the corners of a box: the new corners lie on its edges, each computed from its two ends.
    fn cut_box(&mut self) -> Corners {
        let half = self.half();
        let mut faces = box_faces(&half);
        for _ in 0..1 + self.below(3) {
            let normal = self.unit();
            let reach = normal.abs().dot(&half);
            cut(&mut faces, &normal, reach * self.between(0.1, 0.8));
        }
        let mut corners = Corners::default();
        for face in &faces {
            for (k, &corner) in face.iter().enumerate() {
                if !corners.essential.contains(&corner) {
                    corners.essential.push(corner);
                    corners.all.push(corner);
                }
                let next = face[(k + 1) % face.len()];
                corners.all.push(corner + (next - corner) * self.between(0.1, 0.9));
                corners.all.push((corner + next) * 0.5);
            }
            corners.all.push(face.iter().sum::<Vector>() / face.len() as f64);
        }
        corners
    }

    fn ringed_prism(&mut self) -> Corners {
        let (count, radius, height) = (3 + self.below(8), self.between(0.2, 1.0), self.between(0.1, 1.0));
        let ring = |y: f64| {
            let angle = |k: usize| k as f64 / count as f64 * std::f64::consts::TAU;
            (0..count)
                .map(move |k| Vector::new(radius * libm::cos(angle(k)), y, radius * libm::sin(angle(k))))
        };
        let all = [-1.0, -0.5, 0.0, 0.3, 1.0].into_iter().flat_map(|part| ring(part * height)).collect();
        Corners { essential: [-height, height].into_iter().flat_map(ring).collect(), all }
    }

    fn plate(&mut self) -> Corners {
        let half = self.half();
        let mut corners = Corners::default();
        let step = |k: usize| k as f64 * 0.5 - 1.0;
        for (i, j, k) in (0..125).map(|n| (n % 5, n / 5 % 5, n / 25)) {
            let outer = [i, j, k].iter().filter(|&&index| index == 0 || index == 4).count();
            let point = Vector::new(step(i), step(j), step(k)).component_mul(&half);
            if outer == 3 {
                corners.essential.push(point);
            }
            if outer > 0 {
                corners.all.push(point);
            }
        }
        corners
    }

    fn doubled(&mut self) -> Corners {
        let half = self.half();
        let essential: Vec<Vector> = box_corners(&half).to_vec();
        let mut all = Vec::new();
        for &corner in &essential {
            all.push(corner);
            for _ in 0..self.below(3) {
                all.push(corner + self.vector() * (2.0 * f64::EPSILON));
            }
        }
        Corners { essential, all }
    }

    /// Generates a pose in which two hulls are close: face to face, or in general position; with small or large
    /// overlap.
    pub(crate) fn pose_near(
        &mut self,
        a: &[Vector],
        b: &[Vector],
        face_a: Option<Vector>,
        face_b: Option<Vector>,
    ) -> RigidTransform<Vector> {
        let toward = face_b.unwrap_or_else(|| self.unit());
        let turn = match face_a {
            // A's face onto B's, at a random rotation about its normal.
            Some(face) => {
                let onto = Rotation3::rotation_between(&face, &-toward);
                let spin = Rotation3::from_axis_angle(&Unit::new_unchecked(toward), 3.2 * self.number());
                onto.map_or_else(|| self.rotation(), |onto| (spin * onto).into_inner())
            }
            None => self.rotation(),
        };
        let middle = |points: &[Vector]| points.iter().sum::<Vector>() / points.len() as f64;
        let turned: Vec<Vector> = a.iter().map(|point| turn * point).collect();
        let low = turned.iter().map(|point| point.dot(&toward)).fold(f64::INFINITY, f64::min);
        let high = b.iter().map(|point| point.dot(&toward)).fold(f64::NEG_INFINITY, f64::max);
        let part = [0.01, 0.05, 0.2, 0.6][self.below(4)];
        let depth = part * (high - b.iter().map(|point| point.dot(&toward)).fold(f64::INFINITY, f64::min));
        let aside = self.vector() * 0.3;
        let mut shift = middle(b) - middle(&turned) + aside;
        shift += toward * (high - low - depth - shift.dot(&toward));
        RigidTransform::new(turn, shift)
    }
}

pub(crate) fn box_corners(half: &Vector) -> [Vector; 8] {
    std::array::from_fn(|k| {
        Vector::from_fn(|axis, _| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] })
    })
}

/// Returns the faces of a box by their corners, in order.
fn box_faces(half: &Vector) -> Vec<Vec<Vector>> {
    let corners = box_corners(half);
    let sides = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    sides.iter().map(|side| side.iter().map(|&k: &usize| corners[k]).collect()).collect()
}

/// Cuts off the part beyond a plane. An edge is cut at the same point for both of its faces.
fn cut(faces: &mut Vec<Vec<Vector>>, normal: &Vector, height: f64) {
    let mut rim: Vec<Vector> = Vec::new();
    for face in faces.iter_mut() {
        let mut left = Vec::new();
        for (k, &from) in face.iter().enumerate() {
            let to = face[(k + 1) % face.len()];
            let (start, end) = (from.dot(normal) - height, to.dot(normal) - height);
            if start <= 0.0 {
                left.push(from);
            }
            if (start <= 0.0) != (end <= 0.0) {
                let (p, q, s, t) = if start <= 0.0 { (from, to, start, end) } else { (to, from, end, start) };
                let crossing = p + (q - p) * (s / (s - t));
                left.push(crossing);
                if !rim.contains(&crossing) {
                    rim.push(crossing);
                }
            }
        }
        *face = left;
    }
    faces.retain(|face| face.len() > 2);
    if rim.len() > 2 {
        let middle = rim.iter().sum::<Vector>() / rim.len() as f64;
        let first = (rim[0] - middle).normalize();
        let second = normal.cross(&first);
        rim.sort_by(|p, q| {
            let angle = |at: &Vector| libm::atan2((at - middle).dot(&second), (at - middle).dot(&first));
            angle(p).total_cmp(&angle(q))
        });
        faces.push(rim);
    }
}

/// The half-spaces of a hull, by the planes of all triples of its corners: independent of the detector's rules.
pub(crate) struct HalfSpaces(Vec<(Vector, f64)>);

impl HalfSpaces {
    pub(crate) fn new(points: &[Vector]) -> Self {
        let size = points.iter().flat_map(|p| points.iter().map(move |q| (p - q).norm())).fold(0.0, f64::max);
        let mut planes: Vec<(Vector, f64)> = Vec::new();
        for i in 0..points.len() {
            for j in 0..i {
                for k in 0..j {
                    let area = (points[j] - points[i]).cross(&(points[k] - points[i]));
                    if area.norm() <= 1e-5 * size * size {
                        continue;
                    }
                    for normal in [area.normalize(), -area.normalize()] {
                        let height = normal.dot(&points[i]);
                        if points.iter().all(|point| normal.dot(point) - height <= 1e-11 * size) {
                            planes.push((normal, height));
                        }
                    }
                }
            }
        }
        Self(planes)
    }

    /// Returns how far a point is beyond the farthest of the planes.
    pub(crate) fn beyond(&self, point: &Vector) -> f64 {
        self.0.iter().map(|(normal, height)| normal.dot(point) - height).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the normal of a random plane.
    pub(crate) fn normal(&self, random: &mut Random) -> Vector {
        self.0[random.below(self.0.len())].0
    }
}
