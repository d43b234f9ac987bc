//! Convex hull body.

use super::hull_distance::HullDistance;
use super::placed::{Placed, posed, posed_geometry};
use crate::validate::{finite_points, not_negative, rigid};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_convex::{ConvexHull, Core, Hull, HullFaces, NO_ID, SupportMap};
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector, orient};

/// The convex hull of points in the local frame, rounded by a radius: all points within that distance of the hull.
/// Interior points are dropped; coplanar, collinear and coincident points are valid bodies too. Features are the hull's
/// triangles. Inside, the closest triangle is used; ties go to the lowest number.
#[derive(Clone, Debug)]
#[repr(C)] // Keeps the fields read by a query together.
pub struct Convex {
    hull: Hull,
    radius: f64,
    placed: Placed,
    faces: HullFaces,
    distance: HullDistance,
}

posed!(Convex);

impl Convex {
    /// Creates the hull of `vertices` (n × 3, local frame, metres) at `pose`. Errors: no vertices; a coordinate that is
    /// not finite, or out of [range](crate::LARGEST).
    /// Cost: n log n, once.
    pub fn new(pose: Pose, vertices: &[Point]) -> Result<Self, GeometryError> {
        rigid("the position", &pose)?;
        finite_points(vertices)?;
        if vertices.is_empty() {
            return Err(GeometryError::Empty { what: "the list of vertices".to_owned() });
        }
        let hull = compact(vertices, &ConvexHull::new(vertices));
        let kept: Vec<Point> = hull.points().iter().copied().map(Point::from).collect();
        Ok(Self::of(pose, hull, &kept))
    }

    /// The body of a hull that another body [has](Self::hull): its triangles are taken as they are, and a hull of the same
    /// vertices may have others on a face of four corners or more. Errors: a position or a vertex as [`new`](Self::new);
    /// triangles that are not the surface of a convex body.
    pub fn from_hull(pose: Pose, hull: Hull) -> Result<Self, GeometryError> {
        rigid("the position", &pose)?;
        let vertices: Vec<Point> = hull.points().iter().copied().map(Point::from).collect();
        finite_points(&vertices)?;
        if let Some(reason) = not_a_hull(&vertices, hull.triangles()) {
            return Err(GeometryError::NotClosed { what: "the hull".to_owned(), reason });
        }
        Ok(Self::of(pose, hull, &vertices))
    }

    fn of(pose: Pose, hull: Hull, vertices: &[Point]) -> Self {
        let distance = HullDistance::new(vertices, hull.triangles());
        let faces = HullFaces::new(&hull);
        Self { placed: Placed::new(pose), hull, distance, faces, radius: 0.0 }
    }

    /// Returns the body rounded by `radius` metres. Errors: a number that is not finite or negative.
    pub fn with_radius(self, radius: f64) -> Result<Self, GeometryError> {
        let radius = not_negative("the radius", radius)?;
        Ok(Self { radius, placed: self.placed.changed(), ..self })
    }

    /// Returns the hull without the radius, in the local frame.
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// Returns the hull's faces, coplanar triangles merged: numbered by a contact's `cell`.
    pub fn faces(&self) -> &HullFaces {
        &self.faces
    }

    /// Returns the rounding radius of the hull, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// Why triangles are not the surface of a convex body: every side has to be met by that of another which runs the other way
/// and does not bend up, and by Euler's formula there are two triangles less four for every vertex. Those of a body without
/// a volume are not looked at.
fn not_a_hull(vertices: &[Point], triangles: &[[u32; 3]]) -> Option<String> {
    let height = |[a, b, c]: [u32; 3], d: u32| {
        let [a, b, c, d] = [a, b, c, d].map(|id| &vertices[id as usize]);
        orient::orient3d(a, b, c, d)
    };
    let is_flat = |&face: &[u32; 3]| (0..vertices.len() as u32).all(|corner| height(face, corner) == 0.0);
    match triangles {
        // A segment or a point.
        [] if vertices.len() > 2 => return Some("it has no triangles".to_owned()),
        _ if triangles.iter().all(is_flat) => return None,
        _ => {}
    }
    if triangles.len() + 4 != 2 * vertices.len() {
        let wanted = (2 * vertices.len()).saturating_sub(4);
        return Some(format!("it has {} triangles, its vertices require {wanted}", triangles.len()));
    }
    // Every side with the corner opposite.
    let sides = triangles.iter().flat_map(|&[a, b, c]| [([a, b], c), ([b, c], a), ([c, a], b)]);
    let mut sides: Vec<([u32; 2], u32)> = sides.collect();
    sides.sort_unstable();
    for &([from, to], opposite) in &sides {
        match sides.binary_search_by_key(&[to, from], |side| side.0) {
            Err(_) => return Some(format!("the edge from vertex {from} to {to} has only one triangle")),
            Ok(other) if height([from, to, opposite], sides[other].1) > 0.0 => {
                return Some(format!("the edge from vertex {from} to {to} is not convex"));
            }
            Ok(_) => {}
        }
    }
    None
}

/// Returns the hull of its own vertices only, renumbered in order.
fn compact(points: &[Point], hull: &ConvexHull) -> Hull {
    let number =
        |id: u32| hull.vertices.binary_search(&id).expect("the triangles' corners are the hull's vertices");
    let kept = hull.vertices.iter().map(|&id| points[id as usize].coords).collect();
    let triangles = hull.triangles.iter().map(|ids| ids.map(|id| number(id) as u32)).collect();
    Hull::new(kept, triangles).expect("the vertices were checked, and the triangles name them")
}

impl Convex {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        let corners = self.hull.points().iter().map(|&vertex| pose * Point::from(vertex));
        let bounds = Aabb::from_points(corners);
        bounds.grown(self.radius + bounds.largest_coordinate() * (8.0 * f64::EPSILON))
    }
}

impl Geometry for Convex {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CONVEX
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        let mut sizes = vec![3.0, self.hull.points().len() as f64, self.radius];
        sizes.extend(self.hull.points().iter().flat_map(|vertex| vertex.iter().copied()));
        self.placed.content(&sizes)
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::FacedHull { hull: &self.hull, faces: &self.faces, radius: self.radius };
        Some(ConvexShape::new(ConvexCore::Hull(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radius == other.radius && own.hull.points() == other.hull.points());
}

impl Convex {
    /// Returns the signed distance of `point` (world frame, metres); the feature is the number of the face.
    ///
    /// Exact up to rounding error. Cost: logarithmic in the number of triangles.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(&(point - self.center()));
        let bare = self.distance.at(&Point::from(local));
        let nearest = bare.nearest.coords + bare.gradient * self.radius;
        SignedDistance {
            distance: bare.distance - self.radius,
            nearest: self.center() + rotation * nearest,
            gradient: rotation * bare.gradient,
            feature: bare.face,
        }
    }
}

impl SupportMap for Convex {
    fn support(&self, direction: &Vector) -> Point {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(direction);
        let extreme = self.hull.support(local, NO_ID);
        let bare = self.center() + rotation * extreme.point;
        if self.radius > 0.0 { bare + direction.normalize() * self.radius } else { bare }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_inside_are_dropped_and_the_support_is_the_farthest_corner() {
        let mut vertices: Vec<Point> = (0..8)
            .map(|k| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)))
            .collect();
        vertices.push(Point::new(0.5, 0.5, 0.5));
        let cube = Convex::new(Pose::translation(10.0, 0.0, 0.0), &vertices).unwrap();
        assert_eq!(cube.hull().points().len(), 8);
        assert_eq!(cube.support(&Vector::new(1.0, -1.0, 2.0)), Point::new(11.0, 0.0, 1.0));
        let rounded = cube.with_radius(0.5).unwrap();
        assert_eq!(rounded.support(&Vector::x()).x, 11.5);
        assert!(rounded.bounds().min.x <= 9.5 && rounded.bounds().max.x >= 11.5);
    }

    #[test]
    fn the_signed_distance_is_to_faces_edges_and_corners() {
        let vertices: Vec<Point> = (0..8)
            .map(|k| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) * 2.0)
            .collect();
        let cube = Convex::new(Pose::translation(10.0, 0.0, 0.0), &vertices).unwrap();
        let at = |x: f64, y: f64, z: f64| cube.signed_distance(&Point::new(x, y, z));
        assert_eq!((at(10.5, 1.0, 1.0).distance, at(10.5, 1.0, 1.0).gradient), (-0.5, -Vector::x()));
        assert_eq!(
            (at(15.0, 6.0, 1.0).distance, at(15.0, 6.0, 1.0).nearest),
            (5.0, Point::new(12.0, 2.0, 1.0))
        );
        assert_eq!(at(11.0, 2.0, 1.0).distance, 0.0);
        let rounded = cube.clone().with_radius(0.25).unwrap();
        assert_eq!(rounded.signed_distance(&Point::new(11.0, 3.0, 1.0)).distance, 0.75);
        assert_eq!(rounded.signed_distance(&Point::new(11.0, 3.0, 1.0)).nearest, Point::new(11.0, 2.25, 1.0));
    }

    #[test]
    fn a_flat_hull_a_segment_and_a_point_have_a_distance() {
        let vertices = [Point::origin(), Point::new(2.0, 0.0, 0.0), Point::new(0.0, 2.0, 0.0)];
        let distance = |count: usize, x: f64, y: f64, z: f64| {
            let body = Convex::new(Pose::identity(), &vertices[..count]).unwrap();
            let signed = body.signed_distance(&Point::new(x, y, z));
            assert!((signed.gradient.norm() - 1.0).abs() < 1e-15);
            signed.distance
        };
        assert_eq!((distance(3, 0.5, 0.5, -2.0), distance(3, 0.5, 0.5, 0.0)), (2.0, 0.0));
        assert_eq!((distance(3, -3.0, 0.5, 4.0), distance(2, 1.0, 3.0, 4.0)), (5.0, 5.0));
        assert_eq!(
            (distance(2, 1.0, 0.0, 0.0), distance(1, 0.0, 0.0, 0.0), distance(1, 0.0, 3.0, 4.0)),
            (0.0, 0.0, 5.0)
        );
    }

    /// A tetrahedron with its right angle at (10, 0, 0), rotated a quarter turn about z: its x axis is the world's y.
    #[test]
    fn the_signed_distance_is_that_of_the_posed_and_rounded_hull() {
        let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]].map(Point::from);
        let half = 0.5_f64.sqrt();
        let turn = crate::pose::rotation_from_wxyz([half, 0.0, 0.0, half]).unwrap();
        let pose = crate::pose::from_rotation(Point::new(10.0, 0.0, 0.0), turn).unwrap();
        let bare = Convex::new(pose, &corners).unwrap();
        let rounded = bare.clone().with_radius(0.5).unwrap();
        // Local (1, 1, 0.25): 0.25 above the floor.
        let inside = Point::new(9.0, 1.0, 0.25);
        for (shape, wanted) in [(&bare, -0.25), (&rounded, -0.75)] {
            let signed = shape.signed_distance(&inside);
            assert!((signed.distance - wanted).abs() < 1e-14, "{signed:?}");
            assert!((signed.gradient + Vector::z()).norm() < 1e-14);
            assert!((signed.nearest + signed.gradient * signed.distance - inside).norm() < 1e-14);
        }
        // Local (-3, 1, -4), past the edge along y.
        let beside = rounded.signed_distance(&Point::new(9.0, -3.0, -4.0));
        assert!((beside.distance - 4.5).abs() < 1e-14 && beside.feature == palpate_contact::NONE);
    }

    #[test]
    fn the_hull_of_another_body_is_taken_as_it_is() {
        // Places of a small grid, of which a multiplicative sequence takes some: faces of many corners, corners that another
        // order of insertion passes by.
        let place = |k: u64| {
            (k.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) * 48_271
                % 2_147_483_647
                % 125
        };
        let coordinates = |n: u64| [n % 5, n / 5 % 5, n / 25].map(|x| x as f64);
        let mut other = 0;
        for round in 1..3000 {
            let vertices: Vec<Point> =
                (0..40).map(|k| Point::from(coordinates(place(round * 1_000 + k)))).collect();
            let vertices = &vertices[..1 + round as usize % 40];
            let body = Convex::new(Pose::identity(), vertices).unwrap();
            let again = Convex::from_hull(Pose::identity(), body.hull().clone()).unwrap();
            assert_eq!(again.hull().triangles(), body.hull().triangles(), "{round}");
            let corners: Vec<Point> = body.hull().points().iter().copied().map(Point::from).collect();
            let anew = Convex::new(Pose::identity(), &corners).unwrap();
            other += usize::from(anew.hull().triangles() != body.hull().triangles());
        }
        assert!(other > 0, "none of the hulls needs its triangles");
        let corners: Vec<Point> =
            (0..8).map(|k| Point::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
        let cube = Convex::new(Pose::identity(), &corners).unwrap();
        let refusal = |change: fn(&mut Vec<[u32; 3]>)| {
            let mut triangles = cube.hull().triangles().to_vec();
            change(&mut triangles);
            let hull = Hull::new(cube.hull().points().to_vec(), triangles).unwrap();
            Convex::from_hull(Pose::identity(), hull).unwrap_err().to_string()
        };
        assert!(
            refusal(|triangles| triangles.truncate(11))
                .contains("it has 11 triangles, its vertices require 12")
        );
        assert!(refusal(Vec::clear).contains("it has no triangles"));
        assert!(refusal(|triangles| triangles[0] = [0; 3]).contains("only one triangle"));
        assert!(refusal(|triangles| triangles[3].swap(0, 1)).contains("only one triangle"));
        let inside_out = refusal(|triangles| triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1)));
        assert!(inside_out.contains("is not convex"), "{inside_out}");
    }

    #[test]
    fn a_triangle_a_segment_and_a_point_are_bodies() {
        for count in 1..4 {
            let vertices = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
            let body = Convex::new(Pose::identity(), &vertices[..count]).unwrap();
            assert_eq!(body.hull().points().len(), count);
        }
        let error = Convex::new(Pose::identity(), &[]).unwrap_err();
        assert!(error.to_string().contains("list of vertices is empty"), "{error}");
        let error = Convex::new(Pose::identity(), &[Point::new(1e308, 0.0, 0.0)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a coordinate of vertex 0 is 1e308: wanted 1.42724769270596e45 or less"
        );
    }
}
