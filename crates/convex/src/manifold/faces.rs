//! Support faces: the face of a body toward a direction.

use nalgebra::Vector3;

use super::cap::{self, Cap};
use super::support_face::{BoxFace, Line, SupportFace};
use super::tolerance::TIE;
use crate::face_polygon::{Corner, FacePolygon};
use crate::kept::{KeptFace, KeptPlaces};
use crate::support::{Ball, Capsule, Cone, Core, Cuboid, Cylinder, DynSupport, Ellipsoid, Extreme, NO_ID};

type Vector = Vector3<f64>;

/// A body that can return the face of its core toward a direction.
pub trait Faces: Core<Vector3<f64>> {
    /// Writes into `patch` the face whose outward normal is closest to `direction` (unit, local frame), among those
    /// that contain a support point along it. Ties, up to 1e-9, go to the lowest number.
    fn face_toward(&self, direction: Vector3<f64>, patch: &mut FacePolygon);

    /// Returns the same face as a [`SupportFace`], given the [id](Extreme::id) of a support point; writes to `patch`
    /// only for [`SupportFace::FacePolygon`].
    #[inline(always)]
    fn support_face(&self, direction: Vector3<f64>, _farthest: u32, patch: &mut FacePolygon) -> SupportFace {
        self.face_toward(direction, patch);
        SupportFace::FacePolygon
    }

    /// Returns the length of the chord through the core from a point of its surface along a unit direction, local
    /// frame, with its faces moved outward by `slack`; infinity if unknown.
    fn chord(&self, _from: Vector3<f64>, _along: Vector3<f64>, _slack: f64) -> f64 {
        f64::INFINITY
    }

    /// Returns the [`chord`](Self::chord) for two slacks.
    fn chords(&self, from: Vector3<f64>, along: Vector3<f64>, slacks: [f64; 2]) -> [f64; 2] {
        slacks.map(|slack| self.chord(from, along, slack))
    }

    /// Whether [`chord`](Self::chord) is known to be at least `length`, up to rounding error; cheaper than to compute it.
    #[inline(always)]
    fn reaches(&self, from: Vector3<f64>, along: Vector3<f64>, length: f64, slack: f64) -> bool {
        self.chord(from, along, slack) >= length
    }

    /// Writes the face of [`support_face`](Self::support_face) into `patch`, given that of the last step, which it replaces:
    /// affects only the cost.
    #[doc(hidden)]
    #[inline(always)]
    fn show_again(
        &self,
        direction: Vector3<f64>,
        farthest: u32,
        _kept: &mut KeptFace,
        patch: &mut FacePolygon,
    ) {
        self.support_face(direction, farthest, patch).show(patch);
    }

    /// The same as [`reaches`](Self::reaches), given the ends of the last steps, to which it adds this one: affects only the
    /// cost.
    #[doc(hidden)]
    #[inline(always)]
    fn reaches_again(
        &self,
        from: Vector3<f64>,
        along: Vector3<f64>,
        (length, slack): (f64, f64),
        _kept: &mut KeptPlaces,
    ) -> bool {
        self.reaches(from, along, length, slack)
    }

    /// Returns an upper bound of the distance of a point near the core, local frame, from it; zero where
    /// [`chord`](Self::chord) is conclusive, because all corners are blunt.
    fn distance_at_most(&self, _place: Vector3<f64>) -> f64 {
        0.0
    }

    /// Returns the support point along a direction, for a body queried only once.
    #[inline(always)]
    fn support_once(&self, direction: Vector3<f64>) -> Extreme<Vector3<f64>> {
        self.support(direction, NO_ID)
    }
}

/// Returns the distance along a line from a point between two parallel planes at `half` and `-half` to its exit.
fn slab_exit(from: f64, along: f64, half: f64) -> f64 {
    let to_plane = half - from * along.signum();
    if along == 0.0 { f64::INFINITY } else { (to_plane / along.abs()).max(0.0) }
}

/// Number of corner ids of a cap.
const CAP_CORNERS: u32 = cap::CORNERS as u32;

impl Faces for Ball {
    fn face_toward(&self, _direction: Vector, patch: &mut FacePolygon) {
        patch.clear();
    }
}

impl Faces for Ellipsoid {
    fn face_toward(&self, _direction: Vector, patch: &mut FacePolygon) {
        patch.clear();
    }
}

/// A shape known by its support map alone has no faces.
impl Faces for DynSupport<'_> {
    fn face_toward(&self, _direction: Vector, patch: &mut FacePolygon) {
        patch.clear();
    }
}

/// The axis: ends 0 at -y and 1 at +y.
impl Faces for Capsule {
    /// Perpendicular to the axis the core has no thickness.
    fn chord(&self, _from: Vector, _along: Vector, _slack: f64) -> f64 {
        0.0
    }

    fn face_toward(&self, _direction: Vector, patch: &mut FacePolygon) {
        patch.clear();
        if self.half_length > 0.0 {
            patch.push(Vector::new(0.0, -self.half_length, 0.0), 0, 0);
            patch.push(Vector::new(0.0, self.half_length, 0.0), 1, 1);
        }
    }
}

/// Face 2k is the positive side of axis k, 2k + 1 the negative. Corners are numbered as in the support map: bit k is
/// set on the negative side of axis k.
impl Faces for Cuboid<Vector> {
    fn chord(&self, from: Vector, along: Vector, slack: f64) -> f64 {
        let to_side = |axis: usize| slab_exit(from[axis], along[axis], self.half_extents[axis] + slack);
        to_side(0).min(to_side(1)).min(to_side(2))
    }

    /// Compares the end of the chord with the sides.
    #[inline(always)]
    fn reaches(&self, from: Vector, along: Vector, length: f64, slack: f64) -> bool {
        let (end, half) = (from + along * length, &self.half_extents);
        (end.x.abs() <= half.x + slack) & (end.y.abs() <= half.y + slack) & (end.z.abs() <= half.z + slack)
    }

    fn face_toward(&self, direction: Vector, patch: &mut FacePolygon) {
        self.support_face(direction, NO_ID, patch).show(patch);
    }

    #[inline(always)]
    fn support_face(&self, direction: Vector, _farthest: u32, _patch: &mut FacePolygon) -> SupportFace {
        // Branchless: the axis is unpredictable.
        let (x, y, z) = (direction.x.abs(), direction.y.abs(), direction.z.abs());
        let second = y > x * (1.0 + TIE);
        let third = z > (if second { y } else { x }) * (1.0 + TIE);
        let axis = (u32::from(second) | u32::from(third) << 1) & (3 ^ u32::from(third));
        let negative = [direction.x < 0.0, direction.y < 0.0, direction.z < 0.0][axis as usize];
        SupportFace::BoxFace(BoxFace { cuboid: *self, face: 2 * axis + u32::from(negative) })
    }
}

/// Features 0 and 1 are the caps at -y and +y, 2 is the wall, 3 and 4 are the rims. The wall's face is its generatrix
/// toward the direction, a cap's the regular polygon inscribed in its rim.
impl Faces for Cylinder {
    fn chord(&self, from: Vector, along: Vector, slack: f64) -> f64 {
        let to_cap = slab_exit(from.y, along.y, self.half_length + slack);
        let radius = self.radius + slack;
        // Exit through the wall: across² t² + 2 approach t = radius² - distance².
        let across = along.x * along.x + along.z * along.z;
        let approach = from.x * along.x + from.z * along.z;
        let inside = (radius * radius - (from.x * from.x + from.z * from.z)).max(0.0);
        if across <= f64::MIN_POSITIVE {
            return to_cap;
        }
        let to_wall = ((approach * approach + across * inside).sqrt() - approach) / across;
        to_cap.min(to_wall)
    }

    fn face_toward(&self, direction: Vector, patch: &mut FacePolygon) {
        self.support_face(direction, NO_ID, patch).show(patch);
    }

    #[inline(always)]
    fn support_face(&self, direction: Vector, _farthest: u32, _patch: &mut FacePolygon) -> SupportFace {
        let across = (direction.x * direction.x + direction.z * direction.z).sqrt();
        if direction.y.abs() * (1.0 + TIE) >= across {
            let up = direction.y > 0.0;
            let (height, ids) = if up { (self.half_length, CAP_CORNERS) } else { (-self.half_length, 0) };
            let [inside, rim] = if up { [1, 4] } else { [0, 3] };
            return SupportFace::Cap(Cap { radius: self.radius, height, up, ids, inside, rim });
        }
        let (x, z) = (direction.x / across * self.radius, direction.z / across * self.radius);
        let ends = [(-self.half_length, 2 * CAP_CORNERS, 3), (self.half_length, 2 * CAP_CORNERS + 1, 4)];
        let end = |(y, id, feature)| Corner { point: Vector::new(x, y, z), id, feature };
        SupportFace::Line(Line { ends: ends.map(end), feature: 2 })
    }
}

/// Features are 0 the base, 1 the apex, 2 the wall, 3 the rim. The wall's face is its generatrix from the rim to the
/// apex toward the direction; empty straight up, where all are equal.
impl Faces for Cone {
    fn chord(&self, from: Vector, along: Vector, slack: f64) -> f64 {
        let (height, slant) = (2.0 * self.half_length, (2.0 * self.half_length).hypot(self.radius));
        let to_ends = slab_exit(from.y, along.y, self.half_length + slack);
        // The wall's radius along the line: `wide + t * widening`.
        let narrowing = self.radius / height;
        let wide = narrowing * (self.half_length - from.y) + slack * (slant / height);
        let widening = -narrowing * along.y;
        // Exit through the wall: `square t² + 2 half t + inside = 0`.
        let square = widening * widening - (along.x * along.x + along.z * along.z);
        let half = wide * widening - (from.x * along.x + from.z * along.z);
        let inside = (wide * wide - (from.x * from.x + from.z * from.z)).max(0.0);
        if square >= 0.0 && half >= 0.0 {
            return to_ends;
        }
        let root = (half * half - square * inside).max(0.0).sqrt();
        let to_wall = if half > 0.0 { (half + root) / -square } else { inside / (root - half) };
        // Both are zero for a line along the wall that starts on it.
        if to_wall.is_nan() { to_ends } else { to_ends.min(to_wall) }
    }

    fn distance_at_most(&self, place: Vector) -> f64 {
        let across = (place.x * place.x + place.z * place.z).sqrt();
        let (above, radius, height) = (place.y + self.half_length, self.radius, 2.0 * self.half_length);
        if above >= 0.0 && across * height <= radius * (height - above) {
            return 0.0;
        }
        // In the half plane through the axis: distance from the base, and from the wall.
        let to_base = (across - radius).max(0.0).hypot(above);
        let (from, along) = ([across - radius, above], [-radius, height]);
        let share = (from[0] * along[0] + from[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
        let share = share.clamp(0.0, 1.0);
        to_base.min((from[0] - share * along[0]).hypot(from[1] - share * along[1]))
    }

    fn face_toward(&self, direction: Vector, patch: &mut FacePolygon) {
        self.support_face(direction, NO_ID, patch).show(patch);
    }

    #[inline(always)]
    fn support_face(&self, direction: Vector, _farthest: u32, patch: &mut FacePolygon) -> SupportFace {
        let across = (direction.x * direction.x + direction.z * direction.z).sqrt();
        let (height, radius) = (2.0 * self.half_length, self.radius);
        let slant = (height * height + radius * radius).sqrt();
        // The wall's normal leans outward by the height and upward by the radius.
        if -direction.y * slant * (1.0 + TIE) >= across * height + direction.y * radius {
            return SupportFace::Cap(Cap {
                radius,
                height: -self.half_length,
                up: false,
                ids: 0,
                inside: 0,
                rim: 3,
            });
        }
        if across <= TIE {
            patch.clear();
            return SupportFace::FacePolygon;
        }
        let rim =
            Vector::new(direction.x / across * radius, -self.half_length, direction.z / across * radius);
        let apex = Vector::new(0.0, self.half_length, 0.0);
        let ends = [
            Corner { point: rim, id: CAP_CORNERS, feature: 3 },
            Corner { point: apex, id: CAP_CORNERS + 1, feature: 1 },
        ];
        SupportFace::Line(Line { ends, feature: 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(shape: &impl Faces, direction: Vector) -> FacePolygon {
        let mut patch = FacePolygon::default();
        shape.face_toward(direction.normalize(), &mut patch);
        patch
    }

    /// Whether the winding is counter-clockwise seen from outside.
    fn turns_outward(patch: &FacePolygon) -> bool {
        let corners = patch.corners();
        (0..corners.len()).all(|k| {
            let [p, q, r] = [0, 1, 2].map(|step| corners[(k + step) % corners.len()].point);
            (q - p).cross(&(r - q)).dot(&patch.normal) > 0.0
        })
    }

    #[test]
    fn a_box_shows_the_face_it_looks_with_and_the_lowest_of_equal_ones() {
        let cuboid = Cuboid { half_extents: Vector::new(1.0, 2.0, 3.0) };
        for (direction, number) in [
            (Vector::new(2.0, 1.0, -1.0), 0),
            (Vector::new(-2.0, 1.0, -1.0), 1),
            (Vector::new(0.0, 2.0, -1.0), 2),
            (Vector::new(0.0, -2.0, -1.0), 3),
            (Vector::new(0.5, 0.5, 1.0), 4),
            (Vector::new(0.5, 0.5, -1.0), 5),
            (Vector::new(1.0, -1.0 - 1e-12, 1.0), 0),
        ] {
            let patch = patch(&cuboid, direction);
            assert_eq!((patch.feature(), patch.corners().len()), (number, 4));
            assert!(turns_outward(&patch));
            let height = patch.normal.dot(&cuboid.half_extents).abs();
            for corner in patch.corners() {
                assert_eq!(corner.point.dot(&patch.normal), height);
                assert_eq!(cuboid.vertex(corner.id), Some(corner.point));
            }
        }
    }

    #[test]
    fn a_cylinder_stands_on_its_cap_and_lies_on_its_wall() {
        let cylinder = Cylinder { radius: 2.0, half_length: 1.0 };
        for (direction, number) in [(Vector::new(0.1, 1.0, 0.0), 1), (Vector::new(0.1, -1.0, 0.0), 0)] {
            let cap = patch(&cylinder, direction);
            assert_eq!((cap.feature(), cap.corners().len()), (number, 16));
            assert!(turns_outward(&cap));
            for corner in cap.corners() {
                assert!((corner.point.xz().norm() - 2.0).abs() < 1e-15);
            }
        }
        let wall = patch(&cylinder, Vector::new(3.0, 1.0, 4.0));
        assert_eq!(wall.feature(), 2);
        let [start, end] = [wall.corners()[0].point, wall.corners()[1].point];
        assert!((start - Vector::new(1.2, -1.0, 1.6)).norm() < 1e-15);
        assert_eq!(end.y, 1.0);
    }

    /// Compares with marching in small steps along lines from points on the surface of a cone and a cylinder.
    #[test]
    fn a_chord_ends_where_the_body_does() {
        let cone = Cone { radius: 3.0, half_length: 2.0 };
        let cylinder = Cylinder { radius: 3.0, half_length: 2.0 };
        let in_cylinder = |p: &Vector| p.xz().norm() <= 3.0 && p.y.abs() <= 2.0;
        let (mut long, mut none) = (0, 0);
        for k in 0..400 {
            let [turn, up, tilt] = [0.37, 0.71, 0.53].map(|step| f64::from(k) * step);
            let y = 2.0 * up.sin();
            let radius = 3.0 * (2.0 - y) / 4.0;
            let along = Vector::new(tilt.cos() * up.cos(), tilt.sin(), tilt.cos() * up.sin());
            let on_wall = Vector::new(radius * turn.cos(), y, radius * turn.sin());
            let on_side = Vector::new(3.0 * turn.cos(), y, 3.0 * turn.sin());
            let stepped = |from: Vector, inside: &dyn Fn(&Vector) -> bool| {
                let is_in = |n: &i32| inside(&(from + along * (f64::from(*n) / 1024.0)));
                f64::from((1..8192).take_while(is_in).count() as u32) / 1024.0
            };
            for (chord, wanted) in [
                (cone.chord(on_wall, along, 0.0), stepped(on_wall, &|p| cone.distance_at_most(*p) <= 1e-12)),
                (cylinder.chord(on_side, along, 0.0), stepped(on_side, &in_cylinder)),
            ] {
                assert!((chord - wanted).abs() < 3e-3, "{k}: {chord} and {wanted}");
                long += usize::from(wanted > 0.5);
                none += usize::from(wanted == 0.0);
            }
        }
        assert!(long > 200 && none > 200, "{long} {none}");
    }

    /// Base radius 3, height 4: the wall leans as (4, 3).
    #[test]
    fn a_place_beside_a_cone_is_as_far_as_the_nearest_of_its_sides() {
        let cone = Cone { radius: 3.0, half_length: 2.0 };
        for (place, distance) in [
            ([0.0, 1.0, 0.0], 0.0),
            ([1.0, -3.0, 0.0], 1.0),
            ([0.0, -2.0, 7.0], 4.0),
            ([-6.0, -6.0, 0.0], 5.0),
            ([0.0, 3.5, 0.0], 1.5),
            ([1.5 + 0.8, 0.6, 0.0], 1.0),
        ] {
            assert!((cone.distance_at_most(Vector::from(place)) - distance).abs() < 1e-15, "{place:?}");
        }
    }

    /// Base radius 3, height 4: the wall's normal leans as (4, 3) / 5, half way to straight down lies at (1, -0.5).
    #[test]
    fn a_cone_shows_its_base_from_half_way_between_the_normals_on() {
        let cone = Cone { radius: 3.0, half_length: 2.0 };
        assert_eq!(patch(&cone, Vector::new(1.0, -0.51, 0.0)).feature(), 0);
        let wall = patch(&cone, Vector::new(1.0, -0.49, 0.0));
        assert_eq!((wall.feature(), wall.corners().len()), (2, 2));
        assert_eq!(wall.corners()[1].point, Vector::new(0.0, 2.0, 0.0));
        assert!(turns_outward(&patch(&cone, -Vector::y())));
        assert!(patch(&cone, Vector::y()).corners().is_empty());
    }
}
