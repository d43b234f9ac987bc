//! Re-exports of the names that most programs need: `use palpate::prelude::*;`.

#[cfg(feature = "recording")]
pub use crate::record::Recorder;
pub use palpate_contact::{
    CellIndexElement, CellVertexElement, CollisionData, Contact, ElementView, Feature, FeatureKind,
    PointDirectionElement, PointIndexDirectionElement, Side,
};
#[cfg(feature = "rayon")]
pub use palpate_detect::Pool;
pub use palpate_detect::{Bound, Choice, Context, DetectError, PairDetector, Registry, Serial, Status};
pub use palpate_geometry::{
    Capsule, Compound, Cylinder, Geometry, GeometryError, GeometryKind, LineMesh, Needs, OrientedBox, Plane,
    PointSet, Pose, Sphere, SurfaceMesh, TetraMesh, pose,
};
pub use palpate_math::{Aabb, Point, Vector};
pub use palpate_scene::{
    GeometryId, Groups, Outcome, PairId, PairOptions, Scene, SceneError, Snapshot, SnapshotReader, StepReport,
};
