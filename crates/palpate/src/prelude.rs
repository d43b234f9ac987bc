//! Re-exports of the names that most programs need: `use palpate::prelude::*;`.

#[cfg(feature = "recording")]
pub use crate::record::{RecordRing, Recorder};
pub use palpate_contact::{
    CellIndexElement, CellVertexElement, CollisionData, Contact, ContactKey, ElementView, Feature,
    FeatureKind, NONE, PointDirectionElement, PointIndexDirectionElement, Side, TransientCellIndexElement,
};
#[cfg(feature = "rayon")]
pub use palpate_detect::Pool;
pub use palpate_detect::pairs::{
    ClosedSurfaceCapsuleSettings, ClosedSurfaceMeshSettings, ConvexSettings, ConvexTolerance,
    ImplicitManifoldSettings, ImplicitPlaneSettings, ImplicitSettings, ImplicitTolerance, InternalEdges,
    LineMeshConvexSettings, LineMeshSettings, ManifoldSettings, PlaneBodySettings, PlaneSettings, PlaneSides,
    SurfaceBodySettings, SurfaceCapsuleSettings, SurfaceMeshConvexSettings, SurfaceSettings, SurfaceSides,
    TetraMeshConvexSettings, TetraMeshSettings, Vertices,
};
pub use palpate_detect::{
    About, Accepts, Bound, Choice, Context, DetectError, Detection, Executor, Flags, Order, PairDetector,
    Port, Registry, Serial, Status, downcast,
};
pub use palpate_geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryError, GeometryKind,
    ImplicitBody, LineMesh, Needs, OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
    TypedGeometry, Version, pose,
};
pub use palpate_math::{Aabb, Point, Vector};
pub use palpate_scene::{
    Change, ContactFilter, DebugLine, DebugOptions, Event, GeometryId, GeometryReader, GeometrySnapshot,
    Groups, Outcome, Pair, PairId, PairOptions, SavedScene, Scene, SceneError, Snapshot, SnapshotReader,
    StepReport, StepTimings,
};
