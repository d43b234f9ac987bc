//! Shapes of rapier's as geometries of palpate's.

use super::Result;
use super::contacts::pose;
use palpate::prelude::*;
use rapier3d_f64::parry::shape::{ConvexPolyhedron, Shape, TypedShape};
use rapier3d_f64::prelude::{self as rapier, BoundingVolume};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A convex part of a shape, or a whole mesh.
pub(crate) struct Part {
    /// Counts the parts of all bodies.
    pub(crate) number: usize,
    /// Counts the kinds of geometries.
    pub(crate) kind: usize,
    /// A box or a hull.
    is_polyhedron: bool,
    is_hull: bool,
    /// Where it is in the shape.
    pub(crate) placed: rapier::Pose,
    /// At that place.
    pub(crate) geometry: Box<dyn Geometry>,
    /// Of a ball around it, in the shape.
    middle: rapier::Vector,
    pub(crate) radius: f64,
    /// Its box in its own frame.
    bounds: rapier::Aabb,
}

impl Part {
    /// How far any of its points has gone at most since its shape was at a place and had a [half turn](half_turn).
    pub(crate) fn way(&self, place: rapier::Vector, half: rapier::Vector, now: &rapier::Pose) -> f64 {
        // A rotation moves a unit vector by twice the distance of the quaternions at most.
        let turned = half_turn(&now.rotation);
        let real = |half: rapier::Vector| (1.0 - half.length_squared()).max(0.0).sqrt();
        let difference = (turned - half).length() + (real(turned) - real(half)).abs();
        (now.translation - place).length() + 2.0 * difference * (self.middle.length() + self.radius)
    }

    /// Whether palpate's detector of these two has a coherent search: of hulls that are rounded the cores do not overlap.
    pub(crate) fn is_coherent_with(&self, other: &Self) -> bool {
        self.is_polyhedron && other.is_polyhedron && (self.is_hull || other.is_hull)
    }

    /// Whether parry clips faces of these two, and adds the deepest point to the points of the faces.
    pub(crate) fn repeats_with(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|part| part.geometry.kind());
        let alone = [GeometryKind::PLANE, GeometryKind::SPHERE];
        let alike = [GeometryKind::ORIENTED_BOX, GeometryKind::CAPSULE];
        !(alone.contains(&a) || alone.contains(&b) || a == b && alike.contains(&a))
    }

    /// Whether it may be nearer than a distance to a part whose shape has a pose in the frame of this one's: by balls, or by boxes as well.
    pub(crate) fn may_be_near(
        &self,
        other: &Self,
        motion: &rapier::Pose,
        distance: f64,
        by_boxes: bool,
    ) -> bool {
        let reach = self.radius + other.radius + distance;
        let are_near = (*motion * other.middle - self.middle).length_squared() <= reach * reach;
        if !are_near || !by_boxes {
            return are_near;
        }
        let motion = self.placed.inverse() * *motion * other.placed;
        let overlap = |fixed: &rapier::Aabb, moved: &rapier::Aabb, motion: &rapier::Pose| {
            moved.transform_by(motion).loosened(distance).intersects(fixed)
        };
        overlap(&self.bounds, &other.bounds, &motion)
            && overlap(&other.bounds, &self.bounds, &motion.inverse())
    }
}

/// The imaginary part of a rotation's quaternion whose real part is not negative.
pub(crate) fn half_turn(rotation: &rapier::Rotation) -> rapier::Vector {
    rapier::Vector::new(rotation.x, rotation.y, rotation.z) * if rotation.w < 0.0 { -1.0 } else { 1.0 }
}

/// A shape in palpate's geometries.
pub(crate) struct Body {
    pub(crate) parts: Vec<Part>,
    /// A mesh or a plane, whose contacts are searched in its own frame.
    pub(crate) is_ground: bool,
    /// Keeps its address.
    shape: rapier::SharedShape,
}

/// The bodies of shapes by their addresses.
#[derive(Default)]
pub(crate) struct Bodies {
    bodies: HashMap<usize, Body, BuildHasherDefault<Spread>>,
    kinds: Vec<GeometryKind>,
    parts: usize,
}

/// Spreads the bits of one number.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(usize::from(byte)));
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0.rotate_left(29) ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

impl Bodies {
    /// The shapes of all colliders for which palpate has a geometry.
    pub(crate) fn of(colliders: &rapier::ColliderSet) -> Result<Self> {
        let mut bodies = Self::default();
        for (_, collider) in colliders.iter() {
            let shape = collider.shared_shape().clone();
            let key = address(&*shape);
            if !bodies.bodies.contains_key(&key)
                && let Some(body) = bodies.body(shape)?
            {
                bodies.parts += body.parts.len();
                bodies.bodies.insert(key, body);
            }
        }
        Ok(bodies)
    }

    /// The body of a shape, if it is one of these.
    pub(crate) fn get(&self, shape: &dyn Shape) -> Option<&Body> {
        self.bodies.get(&address(shape))
    }

    /// The number of kinds of geometries.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// Copies of the parts of all bodies, to be moved; those of meshes and planes are left out.
    pub(crate) fn copies(&self) -> Vec<Option<Box<dyn Geometry>>> {
        let mut copies: Vec<_> = (0..self.parts).map(|_| None).collect();
        for part in self.bodies.values().filter(|body| !body.is_ground).flat_map(|body| &body.parts) {
            copies[part.number] = part.geometry.try_clone();
        }
        copies
    }

    fn kind(&mut self, kind: &GeometryKind) -> usize {
        self.kinds.iter().position(|known| known == kind).unwrap_or_else(|| {
            self.kinds.push(kind.clone());
            self.kinds.len() - 1
        })
    }

    /// The body of a shape that is not among these.
    fn body(&mut self, shape: rapier::SharedShape) -> Result<Option<Body>> {
        let identity = rapier::Pose::IDENTITY;
        let places: Vec<(rapier::Pose, &dyn Shape)> = match shape.as_compound() {
            Some(compound) => compound.shapes().iter().map(|(placed, shape)| (*placed, &**shape)).collect(),
            None => vec![(identity, &*shape)],
        };
        let (mut parts, mut is_ground) = (Vec::new(), false);
        for (placed, part) in places {
            let geometry = match ground(part)? {
                Some(ground) => Some(ground),
                None => convex(part, placed)?,
            };
            let Some(mut geometry) = geometry else { return Ok(None) };
            is_ground |= geometry.as_convex().is_none();
            geometry.prepare(Needs::NORMALS | Needs::TREE);
            let (ball, kind) = (part.compute_bounding_sphere(&placed), geometry.kind());
            let is_hull = matches!(part.as_typed_shape(), TypedShape::ConvexPolyhedron(_));
            let is_polyhedron = is_hull || kind == GeometryKind::ORIENTED_BOX;
            let (number, kind) = (self.parts + parts.len(), self.kind(&kind));
            let (middle, radius) = (ball.center(), ball.radius());
            let bounds = part.compute_local_aabb();
            parts.push(Part {
                number,
                kind,
                is_polyhedron,
                is_hull,
                placed,
                geometry,
                middle,
                radius,
                bounds,
            });
        }
        // A mesh within a compound is left to parry.
        let is_served = !is_ground || parts.len() == 1;
        Ok(is_served.then_some(Body { parts, is_ground, shape }))
    }
}

fn address(shape: &dyn Shape) -> usize {
    std::ptr::from_ref(shape).cast::<()>().addr()
}

impl Body {
    /// Whether it is no ball.
    pub(crate) fn is_cornered(&self) -> bool {
        self.shape.as_ball().is_none()
    }

    /// Whether its contacts may have several directions.
    pub(crate) fn is_composite(&self) -> bool {
        self.parts.len() > 1 || self.shape.as_halfspace().is_none() && self.is_ground
    }
}

fn point(p: rapier::Vector) -> Point {
    Point::new(p.x, p.y, p.z)
}

fn ground(shape: &dyn Shape) -> Result<Option<Box<dyn Geometry>>> {
    Ok(match shape.as_typed_shape() {
        TypedShape::HalfSpace(half) => {
            Some(Box::new(Plane::new(Point::origin(), point(half.normal).coords)?))
        }
        TypedShape::TriMesh(mesh) => {
            let vertices = mesh.vertices().iter().copied().map(point).collect();
            Some(Box::new(SurfaceMesh::new(vertices, mesh.indices().to_vec())?))
        }
        TypedShape::HeightField(field) => {
            let (corners, triangles) = field.to_trimesh();
            Some(Box::new(welded(&corners, &triangles)?))
        }
        _ => None,
    })
}

/// A mesh whose front is up, of triangles that share no vertices.
fn welded(corners: &[rapier::Vector], triangles: &[[u32; 3]]) -> Result<SurfaceMesh> {
    let mut numbers = HashMap::new();
    let mut vertices = Vec::new();
    let ids: Vec<u32> = (corners.iter())
        .map(|corner| {
            *numbers.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                vertices.push(point(*corner));
                vertices.len() as u32 - 1
            })
        })
        .collect();
    let triangles = triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|corner| ids[corner as usize]);
        let [p, q, r] = [a, b, c].map(|id| vertices[id as usize]);
        if (q - p).cross(&(r - p)).y < 0.0 { [a, c, b] } else { [a, b, c] }
    });
    let triangles = triangles.collect();
    Ok(SurfaceMesh::new(vertices, triangles)?)
}

/// A convex geometry at a place, if palpate has one for the shape.
fn convex(shape: &dyn Shape, place: rapier::Pose) -> Result<Option<Box<dyn Geometry>>> {
    let at = pose(&place);
    let hull = |hull: &ConvexPolyhedron, radius: f64| {
        let points: Vec<Point> = hull.points().iter().copied().map(point).collect();
        Convex::new(at, &points)?.with_radius(radius)
    };
    Ok(Some(match shape.as_typed_shape() {
        TypedShape::Ball(ball) => Box::new(Sphere::new(point(place.translation), ball.radius)?),
        TypedShape::Cuboid(cuboid) => Box::new(OrientedBox::new(at, point(cuboid.half_extents).coords)?),
        TypedShape::Cylinder(cylinder) => {
            Box::new(Cylinder::new(at, cylinder.radius, 2.0 * cylinder.half_height)?)
        }
        TypedShape::Cone(cone) => Box::new(Cone::new(at, cone.radius, 2.0 * cone.half_height)?),
        // Along y: the pose of the geometry is then that of the shape.
        TypedShape::Capsule(capsule) if capsule.segment.a == -capsule.segment.b => {
            let [x, y, z] = capsule.segment.b.to_array();
            if x != 0.0 || z != 0.0 {
                return Ok(None);
            }
            Box::new(Capsule::new(at, capsule.radius, 2.0 * y.abs())?)
        }
        TypedShape::ConvexPolyhedron(polyhedron) => Box::new(hull(polyhedron, 0.0)?),
        TypedShape::RoundConvexPolyhedron(round) => Box::new(hull(&round.inner_shape, round.border_radius)?),
        _ => return Ok(None),
    }))
}
