//! The side of a detector: the concrete kind or the capability it accepts.

use crate::convex_body::ConvexBody;
use palpate_convex::Hull;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{CylinderDomain, Solid};
use palpate_geometry::{
    Capsule, Compound, ConvexCore, Cylinder, Geometry, GeometryKind, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh, downcast,
};
use palpate_math::Vector;
use std::fmt;

/// The geometries that a side accepts, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// Exactly this kind.
    Kind(GeometryKind),
    /// Everything that has vertices.
    Points,
    /// Everything that has a signed distance function.
    SignedDistance,
    /// Everything that has a support map.
    SupportMap,
    /// A mesh with a surface of triangles: a surface mesh, or a tetrahedral mesh by its boundary.
    Surface,
    /// An implicit body whose function bounds the distance, and is not only a sign.
    DistanceBound,
    /// The same for bounded bodies.
    BoundedBody,
    /// Everything convex that has a signed distance.
    ConvexSolid,
}

impl Accepts {
    /// Whether the side accepts `geometry`.
    pub fn takes(&self, geometry: &dyn Geometry) -> bool {
        match self {
            Self::Kind(kind) => geometry.kind() == *kind,
            Self::Points => geometry.as_points().is_some(),
            Self::SignedDistance => geometry.as_implicit().is_some(),
            Self::SupportMap => geometry.as_convex().is_some(),
            Self::Surface => {
                [GeometryKind::SURFACE_MESH, GeometryKind::TETRA_MESH].contains(&geometry.kind())
            }
            Self::DistanceBound => LipschitzBody::view(geometry).is_some(),
            Self::BoundedBody => BoundedLipschitzBody::view(geometry).is_some(),
            Self::ConvexSolid => ConvexSolid::view(geometry).is_some(),
        }
    }

    /// Returns the kind that represents the side in a table: the simplest one with the capability.
    pub fn kind(&self) -> GeometryKind {
        match self {
            Self::Kind(kind) => kind.clone(),
            Self::Points => GeometryKind::POINT_SET,
            Self::SignedDistance | Self::DistanceBound | Self::BoundedBody => GeometryKind::IMPLICIT,
            Self::SupportMap | Self::ConvexSolid => GeometryKind::CONVEX,
            Self::Surface => GeometryKind::SURFACE_MESH,
        }
    }
}

impl fmt::Display for Accepts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => write!(f, "{kind}"),
            Self::Points => f.write_str("a geometry with vertices"),
            Self::SignedDistance => f.write_str("a geometry with a signed distance"),
            Self::SupportMap => f.write_str("a convex geometry"),
            Self::Surface => f.write_str("a surface mesh or a tetrahedral mesh"),
            Self::DistanceBound => f.write_str("an implicit body whose function bounds the distance"),
            Self::BoundedBody => f.write_str("a bounded implicit body whose function bounds the distance"),
            Self::ConvexSolid => f.write_str("a convex geometry with a signed distance"),
        }
    }
}

/// One side of a detector. Implemented for every shape and mesh, and for the capabilities [`Points`], [`Distance`] and
/// [`AnyConvex`]; implement it for a geometry of your own in three lines.
pub trait Port: 'static {
    /// The detector's view of the geometry.
    type View<'a>: Copy;

    /// What the side accepts.
    const ACCEPTS: Accepts;

    /// Returns the view of a geometry; `None` if the side does not accept it.
    fn view(geometry: &dyn Geometry) -> Option<Self::View<'_>>;
}

macro_rules! concrete_port {
    ($($shape:ident: $kind:ident),* $(,)?) => {$(
        impl Port for $shape {
            type View<'a> = &'a $shape;
            const ACCEPTS: Accepts = Accepts::Kind(GeometryKind::$kind);

            fn view(geometry: &dyn Geometry) -> Option<&$shape> {
                downcast(geometry)
            }
        }
    )*};
}

concrete_port! {
    Compound: COMPOUND,
    ImplicitBody: IMPLICIT,
    PointSet: POINT_SET,
    LineMesh: LINE_MESH,
    SurfaceMesh: SURFACE_MESH,
    TetraMesh: TETRA_MESH,
    Plane: PLANE,
    Sphere: SPHERE,
    Capsule: CAPSULE,
    Cylinder: CYLINDER,
    OrientedBox: ORIENTED_BOX,
}

/// The capability of having vertices: point sets and all meshes.
pub struct Points;

impl Port for Points {
    type View<'a> = &'a PointSet;
    const ACCEPTS: Accepts = Accepts::Points;

    fn view(geometry: &dyn Geometry) -> Option<&PointSet> {
        geometry.as_points()
    }
}

/// The capability of having a signed distance function.
pub struct Distance;

impl Port for Distance {
    type View<'a> = &'a dyn ImplicitFunction;
    const ACCEPTS: Accepts = Accepts::SignedDistance;

    fn view(geometry: &dyn Geometry) -> Option<&dyn ImplicitFunction> {
        geometry.as_implicit()
    }
}

/// The capability of having a support map.
pub struct AnyConvex;

impl Port for AnyConvex {
    type View<'a> = ConvexBody<'a>;
    const ACCEPTS: Accepts = Accepts::SupportMap;

    fn view(geometry: &dyn Geometry) -> Option<ConvexBody<'_>> {
        ConvexBody::new(geometry)
    }
}

/// An implicit body whose function bounds the distance: it has a Lipschitz constant.
pub struct LipschitzBody;

impl Port for LipschitzBody {
    type View<'a> = &'a ImplicitBody;
    const ACCEPTS: Accepts = Accepts::DistanceBound;

    fn view(geometry: &dyn Geometry) -> Option<&ImplicitBody> {
        downcast::<ImplicitBody>(geometry.as_implicit_body().unwrap_or(geometry))
            .filter(|body| body.lipschitz().is_some())
    }
}

/// The same for bounded bodies.
pub struct BoundedLipschitzBody;

impl Port for BoundedLipschitzBody {
    type View<'a> = &'a ImplicitBody;
    const ACCEPTS: Accepts = Accepts::BoundedBody;

    fn view(geometry: &dyn Geometry) -> Option<&ImplicitBody> {
        LipschitzBody::view(geometry).filter(|body| body.is_bounded())
    }
}

/// A convex geometry with a signed distance.
pub struct ConvexSolid;

/// A convex solid: the body for its faces and its motion, and the domain of a search over its interior.
#[derive(Clone, Copy)]
pub struct ConvexSolidView<'a> {
    /// Its support map, faces and pose.
    pub body: ConvexBody<'a>,
    /// Its interior.
    pub solid: SolidView<'a>,
}

/// The domain of a search over a convex solid.
#[derive(Clone, Copy)]
pub enum SolidView<'a> {
    /// A box: six tetrahedra.
    Box {
        /// Local to world.
        pose: Pose,
        /// Half of the edge lengths, metres.
        half_extents: Vector,
        /// Its own signed distance.
        distance: Solid<'a>,
    },
    /// A rounded hull: tetrahedra.
    Hull {
        /// Local to world.
        pose: Pose,
        /// The hull, in its own frame.
        hull: &'a Hull,
        /// The radius by which it is rounded, metres.
        radius: f64,
        /// The signed distance from the bare hull.
        distance: Solid<'a>,
    },
    /// A cylinder.
    Cylinder {
        /// Its axis, radius and height.
        domain: CylinderDomain,
        /// Its own signed distance.
        distance: Solid<'a>,
    },
    /// Another curved solid: its own signed distance.
    Curved(Solid<'a>),
}

impl Port for ConvexSolid {
    type View<'a> = ConvexSolidView<'a>;
    const ACCEPTS: Accepts = Accepts::ConvexSolid;

    fn view(geometry: &dyn Geometry) -> Option<ConvexSolidView<'_>> {
        let convex = geometry.as_convex()?;
        let solid = geometry.as_implicit()?;
        let pose = *convex.pose();
        let distance =
            Solid::new(solid, geometry.bounds_at_rest()).with_oriented_bounds(solid.oriented_bounds());
        let solid = match convex.core() {
            ConvexCore::Cuboid(core) => SolidView::Box { pose, half_extents: core.half_extents, distance },
            ConvexCore::Hull(core) => {
                let distance = distance.without_radius(core.radius);
                SolidView::Hull { pose, hull: core.hull, radius: core.radius, distance }
            }
            ConvexCore::Cylinder(core) => {
                let domain = CylinderDomain::at(&pose, core.radius, core.half_length);
                SolidView::Cylinder { domain, distance }
            }
            _ => SolidView::Curved(distance),
        };
        Some(ConvexSolidView { body: ConvexBody::new(geometry)?, solid })
    }
}
