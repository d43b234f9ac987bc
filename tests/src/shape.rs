//! A geometry as plain data, which can be moved, scaled, rebuilt and serialised.

use crate::Function;
use nalgebra::UnitQuaternion;
use palpate_geometry::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryError, GeometryKind, ImplicitBody,
    LineMesh, Needs, OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use std::any::Any;

/// A geometry as plain data. Lengths in metres, world frame.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of the geometries' constructors")]
pub enum Shape {
    /// A ball.
    Sphere { center: Point, radius: f64 },
    /// A segment along local y with a radius.
    Capsule { pose: Pose, radius: f64, length: f64 },
    /// A solid cylinder along local y.
    Cylinder { pose: Pose, radius: f64, length: f64 },
    /// A half-space or a two-sided plane.
    Plane { position: Point, normal: Vector, two_sided: bool },
    /// A box.
    OrientedBox { pose: Pose, half_extents: Vector },
    /// A solid with radii along its axes.
    Ellipsoid { pose: Pose, radii: Vector },
    /// A solid cone along local y, its apex toward +y.
    Cone { pose: Pose, radius: f64, length: f64 },
    /// The convex hull of `corners`, which are in the local frame, rounded by `margin`.
    Convex { pose: Pose, corners: Vec<Point>, margin: f64 },
    /// Points.
    PointSet { vertices: Vec<Point>, radius: f64 },
    /// Segments.
    LineMesh { vertices: Vec<Point>, cells: Vec<[u32; 2]>, radius: f64 },
    /// Triangles.
    SurfaceMesh { vertices: Vec<Point>, cells: Vec<[u32; 3]>, radius: f64 },
    /// Tetrahedra.
    TetraMesh { vertices: Vec<Point>, cells: Vec<[u32; 4]> },
    /// The region where a function is negative, scaled, then posed.
    Implicit { pose: Pose, scale: f64, function: Function },
}

/// Everything that a detector may need.
pub const ALL_NEEDS: Needs = Needs::all();

impl Shape {
    /// The kind of geometry that it builds.
    pub fn kind(&self) -> GeometryKind {
        match self {
            Self::Sphere { .. } => GeometryKind::SPHERE,
            Self::Capsule { .. } => GeometryKind::CAPSULE,
            Self::Cylinder { .. } => GeometryKind::CYLINDER,
            Self::Plane { .. } => GeometryKind::PLANE,
            Self::OrientedBox { .. } => GeometryKind::ORIENTED_BOX,
            Self::Ellipsoid { .. } | Self::Cone { .. } | Self::Convex { .. } => GeometryKind::CONVEX,
            Self::PointSet { .. } => GeometryKind::POINT_SET,
            Self::LineMesh { .. } => GeometryKind::LINE_MESH,
            Self::SurfaceMesh { .. } => GeometryKind::SURFACE_MESH,
            Self::TetraMesh { .. } => GeometryKind::TETRA_MESH,
            Self::Implicit { .. } => GeometryKind::IMPLICIT,
        }
    }

    /// The geometry, unprepared.
    pub fn build(&self) -> Result<Box<dyn Geometry>, GeometryError> {
        Ok(match self.clone() {
            Self::Sphere { center, radius } => Box::new(Sphere::new(center, radius)?),
            Self::Capsule { pose, radius, length } => Box::new(Capsule::new(pose, radius, length)?),
            Self::Cylinder { pose, radius, length } => Box::new(Cylinder::new(pose, radius, length)?),
            Self::Plane { position, normal, two_sided } => {
                Box::new(Plane::new(position, normal)?.with_two_sided(two_sided))
            }
            Self::OrientedBox { pose, half_extents } => Box::new(OrientedBox::new(pose, half_extents)?),
            Self::Ellipsoid { pose, radii } => Box::new(Ellipsoid::new(pose, radii)?),
            Self::Cone { pose, radius, length } => Box::new(Cone::new(pose, radius, length)?),
            Self::Convex { pose, corners, margin } => {
                Box::new(Convex::new(pose, &corners)?.with_radius(margin)?)
            }
            Self::PointSet { vertices, radius } => Box::new(PointSet::new(vertices)?.with_radius(radius)?),
            Self::LineMesh { vertices, cells, radius } => {
                Box::new(LineMesh::new(vertices, cells)?.with_radius(radius)?)
            }
            Self::SurfaceMesh { vertices, cells, radius } => {
                Box::new(SurfaceMesh::new(vertices, cells)?.with_radius(radius)?)
            }
            Self::TetraMesh { vertices, cells } => Box::new(TetraMesh::new(vertices, cells)?),
            Self::Implicit { pose, scale, function } => {
                Box::new(ImplicitBody::new(pose, function.build()?)?.with_scale(scale)?)
            }
        })
    }

    /// The geometry, fully prepared.
    pub fn prepared(&self) -> Box<dyn Geometry> {
        let mut geometry = self.build().expect("generated shapes are valid");
        geometry.prepare(ALL_NEEDS);
        geometry
    }

    /// Moves `geometry`, which was built from this shape or from one that differs only in pose or positions, to the
    /// position of this shape.
    pub fn place(&self, geometry: &mut dyn Geometry) {
        const SAME: &str = "the geometry was built from such a shape";
        let any: &mut dyn Any = geometry;
        let placed = match self {
            Self::Sphere { center, .. } => any.downcast_mut::<Sphere>().expect(SAME).set_center(*center),
            Self::Capsule { pose, .. } => any.downcast_mut::<Capsule>().expect(SAME).set_pose(*pose),
            Self::Cylinder { pose, .. } => any.downcast_mut::<Cylinder>().expect(SAME).set_pose(*pose),
            Self::Plane { position, normal, two_sided } => {
                // A pose would round the normal, so the plane is rebuilt.
                let plane = any.downcast_mut::<Plane>().expect(SAME);
                Plane::new(*position, *normal).map(|new| *plane = new.with_two_sided(*two_sided))
            }
            Self::OrientedBox { pose, .. } => any.downcast_mut::<OrientedBox>().expect(SAME).set_pose(*pose),
            Self::Ellipsoid { pose, .. } => any.downcast_mut::<Ellipsoid>().expect(SAME).set_pose(*pose),
            Self::Cone { pose, .. } => any.downcast_mut::<Cone>().expect(SAME).set_pose(*pose),
            Self::Convex { pose, .. } => any.downcast_mut::<Convex>().expect(SAME).set_pose(*pose),
            Self::PointSet { vertices, .. } => {
                any.downcast_mut::<PointSet>().expect(SAME).set_positions(vertices)
            }
            Self::LineMesh { vertices, .. } => {
                any.downcast_mut::<LineMesh>().expect(SAME).set_positions(vertices)
            }
            Self::SurfaceMesh { vertices, .. } => {
                any.downcast_mut::<SurfaceMesh>().expect(SAME).set_positions(vertices)
            }
            Self::TetraMesh { vertices, .. } => {
                any.downcast_mut::<TetraMesh>().expect(SAME).set_positions(vertices)
            }
            Self::Implicit { pose, .. } => any.downcast_mut::<ImplicitBody>().expect(SAME).set_pose(*pose),
        };
        placed.expect("generated shapes are valid");
    }

    /// The same shape after a rigid motion.
    #[must_use]
    pub fn moved(&self, motion: &Pose) -> Self {
        let mut shape = self.clone();
        match &mut shape {
            Self::Sphere { center, .. } => *center = motion * *center,
            Self::Capsule { pose, .. }
            | Self::Cylinder { pose, .. }
            | Self::OrientedBox { pose, .. }
            | Self::Ellipsoid { pose, .. }
            | Self::Cone { pose, .. }
            | Self::Convex { pose, .. }
            | Self::Implicit { pose, .. } => {
                *pose = motion * *pose;
            }
            Self::Plane { position, normal, .. } => {
                *position = motion * *position;
                *normal = motion.rotation * *normal;
            }
            _ => {}
        }
        for vertex in shape.vertices_mut() {
            *vertex = motion * *vertex;
        }
        shape
    }

    /// The same shape shifted.
    #[must_use]
    pub fn shifted(&self, by: &Vector) -> Self {
        let mut shape = self.clone();
        match &mut shape {
            Self::Sphere { center, .. } => *center += by,
            Self::Capsule { pose, .. }
            | Self::Cylinder { pose, .. }
            | Self::OrientedBox { pose, .. }
            | Self::Ellipsoid { pose, .. }
            | Self::Cone { pose, .. }
            | Self::Convex { pose, .. }
            | Self::Implicit { pose, .. } => {
                pose.translation.vector += by;
            }
            Self::Plane { position, .. } => *position += by,
            _ => {}
        }
        for vertex in shape.vertices_mut() {
            *vertex += by;
        }
        shape
    }

    /// The same shape with every length multiplied by `factor`: exact, when `factor` is a power of two.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut shape = self.clone();
        match &mut shape {
            Self::Sphere { center, radius } => {
                center.coords *= factor;
                *radius *= factor;
            }
            Self::Capsule { pose, radius, length }
            | Self::Cylinder { pose, radius, length }
            | Self::Cone { pose, radius, length } => {
                pose.translation.vector *= factor;
                *radius *= factor;
                *length *= factor;
            }
            Self::OrientedBox { pose, half_extents } => {
                pose.translation.vector *= factor;
                *half_extents *= factor;
            }
            Self::Ellipsoid { pose, radii } => {
                pose.translation.vector *= factor;
                *radii *= factor;
            }
            Self::Convex { pose, corners, margin } => {
                pose.translation.vector *= factor;
                corners.iter_mut().for_each(|corner| corner.coords *= factor);
                *margin *= factor;
            }
            Self::Plane { position, .. } => position.coords *= factor,
            Self::PointSet { radius, .. }
            | Self::LineMesh { radius, .. }
            | Self::SurfaceMesh { radius, .. } => {
                *radius *= factor;
            }
            Self::Implicit { pose, function, .. } => {
                pose.translation.vector *= factor;
                *function = function.scaled(factor);
            }
            Self::TetraMesh { .. } => {}
        }
        for vertex in shape.vertices_mut() {
            vertex.coords *= factor;
        }
        shape
    }

    /// The vertices of a mesh or of points; none of a primitive or a hull.
    pub fn vertices(&self) -> &[Point] {
        match self {
            Self::PointSet { vertices, .. }
            | Self::LineMesh { vertices, .. }
            | Self::SurfaceMesh { vertices, .. }
            | Self::TetraMesh { vertices, .. } => vertices,
            _ => &[],
        }
    }

    /// The vertices, mutable.
    pub fn vertices_mut(&mut self) -> &mut [Point] {
        match self {
            Self::PointSet { vertices, .. }
            | Self::LineMesh { vertices, .. }
            | Self::SurfaceMesh { vertices, .. }
            | Self::TetraMesh { vertices, .. } => vertices,
            _ => &mut [],
        }
    }

    /// The radius of the points, or the thickness of the mesh; zero for primitives and tetrahedra.
    pub fn thickness(&self) -> f64 {
        match self {
            Self::PointSet { radius, .. }
            | Self::LineMesh { radius, .. }
            | Self::SurfaceMesh { radius, .. } => *radius,
            _ => 0.0,
        }
    }

    /// The rounding radius of a ball, a capsule, points or a mesh. Zero for shapes with faces of their own.
    pub fn rounding_radius(&self) -> f64 {
        match self {
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => *radius,
            Self::Convex { margin, .. } => *margin,
            _ => self.thickness(),
        }
    }

    /// The largest coordinate or length of the shape, to which tolerances are relative. A plane counts by its
    /// position.
    pub fn size(&self) -> f64 {
        let own = match self {
            Self::Sphere { center, radius } => center.coords.amax() + radius,
            Self::Capsule { pose, radius, length }
            | Self::Cylinder { pose, radius, length }
            | Self::Cone { pose, radius, length } => pose.translation.vector.amax() + radius + length,
            Self::OrientedBox { pose, half_extents } => pose.translation.vector.amax() + half_extents.norm(),
            Self::Ellipsoid { pose, radii } => pose.translation.vector.amax() + radii.amax(),
            Self::Convex { pose, corners, margin } => {
                pose.translation.vector.amax() + farthest(corners) + margin
            }
            Self::Implicit { pose, scale, function } => {
                pose.translation.vector.amax() + scale * function.reach()
            }
            Self::Plane { position, .. } => position.coords.amax(),
            _ => self.thickness(),
        };
        self.vertices().iter().fold(own, |size, vertex| size.max(vertex.coords.amax() + self.thickness()))
    }

    /// How close a search gets to the minimum of an implicit body's function, in metres.
    pub fn resolution(&self) -> f64 {
        if let Self::Implicit { scale, function, .. } = self { scale * function.resolution() } else { 0.0 }
    }

    /// Upper bound of the distance of the shape from `point`; zero for a plane.
    pub fn reach_from(&self, point: &Point) -> f64 {
        let own = match self {
            Self::Sphere { center, radius } => (center - point).norm() + radius,
            Self::Capsule { pose, radius, length }
            | Self::Cylinder { pose, radius, length }
            | Self::Cone { pose, radius, length } => {
                (pose.translation.vector - point.coords).norm() + radius + length
            }
            Self::OrientedBox { pose, half_extents } => {
                (pose.translation.vector - point.coords).norm() + half_extents.norm()
            }
            Self::Ellipsoid { pose, radii } => (pose.translation.vector - point.coords).norm() + radii.amax(),
            Self::Convex { pose, corners, margin } => {
                (pose.translation.vector - point.coords).norm() + farthest(corners) + margin
            }
            Self::Implicit { pose, scale, function } => {
                (pose.translation.vector - point.coords).norm() + scale * function.reach()
            }
            _ => 0.0,
        };
        self.vertices()
            .iter()
            .fold(own, |reach, vertex| reach.max((vertex - point).norm() + self.thickness()))
    }

    /// The position; the first vertex of a mesh.
    pub fn center(&self) -> Vector {
        match self {
            Self::Plane { position, .. } => position.coords,
            Self::Sphere { center, .. } => center.coords,
            Self::Capsule { pose, .. }
            | Self::Cylinder { pose, .. }
            | Self::OrientedBox { pose, .. }
            | Self::Ellipsoid { pose, .. }
            | Self::Cone { pose, .. }
            | Self::Convex { pose, .. }
            | Self::Implicit { pose, .. } => pose.translation.vector,
            mesh => mesh.vertices()[0].coords,
        }
    }

    /// Whether the shape is a solid.
    pub fn is_solid(&self) -> bool {
        match self {
            Self::PointSet { .. } | Self::LineMesh { .. } => false,
            Self::Plane { two_sided, .. } => !two_sided,
            Self::SurfaceMesh { cells, .. } => crate::oracle::is_closed(cells),
            _ => true,
        }
    }

    /// A unit quaternion as w, x, y, z.
    pub(crate) fn wxyz(rotation: &UnitQuaternion<f64>) -> [f64; 4] {
        [rotation.w, rotation.i, rotation.j, rotation.k]
    }
}

/// The distance of the farthest point from the origin.
fn farthest(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |most, point| most.max(point.coords.norm()))
}
