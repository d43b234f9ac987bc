//! The standard registry: all detectors, and iMSTK's class names for them.

use crate::pairs::*;
use crate::{DetectError, PairDetector, Registry};
use palpate_geometry::GeometryKind;
use serde_json::json;

impl Registry {
    /// All of palpate's detectors, in the order of their names' kinds, and iMSTK's class names as aliases.
    pub fn standard() -> Self {
        let mut registry = Self::new();
        register_all(&mut registry).expect("the standard detectors have different names and known aliases");
        registry
    }
}

fn register_all(registry: &mut Registry) -> Result<(), DetectError> {
    add::<ImplicitPointSet>(registry, &["ImplicitGeometryToPointSetCD"])?;
    add::<ImplicitLineMesh>(registry, &[])?;
    add::<ImplicitSurfaceMesh>(registry, &[])?;
    add::<ImplicitTetraMesh>(registry, &[])?;
    add::<ImplicitPlane>(registry, &[])?;
    add::<ImplicitSphere>(registry, &[])?;
    add::<ImplicitCapsule>(registry, &[])?;
    add::<ImplicitConvex>(registry, &[])?;
    add::<ImplicitImplicit>(registry, &[])?;
    // Before the vertex detectors: a thread is tested by its edges.
    add::<LineMeshConvex>(registry, &[])?;
    add::<PointSetPointSet>(registry, &[])?;
    add::<PointSetLineMesh>(registry, &[])?;
    add::<PointSetSurfaceMesh>(registry, &["ClosedSurfaceMeshToMeshCD", "MeshToMeshBruteForceCD"])?;
    add::<PointSetTetraMesh>(registry, &["TetraToPointSetCD"])?;
    add_planes::<PointSetPlane>(registry, "PointSetToPlaneCD", None)?;
    add::<PointSetSphere>(registry, &["PointSetToSphereCD"])?;
    add::<PointSetCapsule>(registry, &["PointSetToCapsuleCD"])?;
    add::<PointSetCylinder>(registry, &["PointSetToCylinderCD"])?;
    add::<PointSetOrientedBox>(registry, &["PointSetToOrientedBoxCD"])?;
    add::<LineMeshLineMesh>(registry, &[])?;
    add::<LineMeshSurfaceMesh>(registry, &[])?;
    add::<LineMeshTetraMesh>(registry, &["TetraToLineMeshCD"])?;
    add::<LineMeshSphere>(registry, &["LineMeshToSphereCD"])?;
    add::<LineMeshCapsule>(registry, &["LineMeshToCapsuleCD"])?;
    registry.register::<ClosedSurfaceMeshSurfaceMesh>()?;
    for alias in ["ClosedSurfaceMeshToMeshCD", "MeshToMeshBruteForceCD"] {
        // Two surfaces also fit the point detector: this meaning takes precedence. iMSTK's classes test vertices
        // only.
        let first_alone = json!({"vertices": "first", "edges": false});
        registry.alias_first(alias, ClosedSurfaceMeshSurfaceMesh::NAME, first_alone)?;
    }
    add::<SurfaceMeshSurfaceMesh>(registry, &["SurfaceMeshToSurfaceMeshCD"])?;
    // iMSTK's classes treat every surface as a sheet, keep internal edges, and report one contact for a resting
    // capsule.
    registry.register::<SurfaceMeshSphere>()?;
    for alias in ["SurfaceMeshToSphereCD", "BidirectionalSurfaceMeshToSphereCD"] {
        let sheet = json!({"sides": "two", "internal_edges": "keep"});
        registry.alias(alias, SurfaceMeshSphere::NAME, sheet)?;
    }
    registry.register::<SurfaceMeshCapsule>()?;
    let sheet = json!({"sides": "two", "internal_edges": "keep", "manifold": false});
    registry.alias("SurfaceMeshToCapsuleCD", SurfaceMeshCapsule::NAME, sheet)?;
    registry.register::<ClosedSurfaceMeshCapsule>()?;
    let solid = json!({"internal_edges": "keep", "manifold": false});
    registry.alias("ClosedSurfaceMeshToCapsuleCD", ClosedSurfaceMeshCapsule::NAME, solid)?;
    add::<SurfaceMeshTetraMesh>(registry, &[])?;
    add::<TetraMeshTetraMesh>(registry, &[])?;
    add::<TetraMeshSphere>(registry, &[])?;
    add::<TetraMeshCapsule>(registry, &[])?;
    add_planes::<PlaneSphere>(
        registry,
        "UnidirectionalPlaneToSphereCD",
        Some("BidirectionalPlaneToSphereCD"),
    )?;
    // One contact per pair under iMSTK's names.
    registry.register::<PlaneCapsule>()?;
    let one = json!({"sides": "one", "manifold": false});
    registry.alias("UnidirectionalPlaneToCapsuleCD", PlaneCapsule::NAME, one)?;
    add::<PlaneCylinder>(registry, &[])?;
    add::<PlaneOrientedBox>(registry, &[])?;
    add::<SphereSphere>(registry, &["SphereToSphereCD"])?;
    add::<SphereCapsule>(registry, &["SphereToCapsuleCD"])?;
    add::<SphereCylinder>(registry, &["SphereToCylinderCD"])?;
    add::<SphereOrientedBox>(registry, &[])?;
    registry.register::<CapsuleCapsule>()?;
    registry.alias("CapsuleToCapsuleCD", CapsuleCapsule::NAME, json!({"manifold": false}))?;
    add::<CapsuleOrientedBox>(registry, &[])?;
    add::<OrientedBoxOrientedBox>(registry, &[])?;
    // By capability, after the closed forms of the kinds.
    add::<PointSetConvex>(registry, &[])?;
    add::<SurfaceMeshConvex>(registry, &[])?;
    add::<TetraMeshConvex>(registry, &[])?;
    add::<PlaneConvex>(registry, &[])?;
    add::<ConvexConvex>(registry, &[])?;
    register_continuous(&mut *registry)?;
    registry.alias_children("CompoundCD");
    registry.refuse(
        GeometryKind::PLANE,
        GeometryKind::PLANE,
        "two half-spaces that meet overlap without end, and two sheets meet in a whole line: there is no place and no \
         depth to report",
    );
    Ok(())
}

/// The detectors of motion.
fn register_continuous(registry: &mut Registry) -> Result<(), DetectError> {
    add::<ImplicitPointSetCcd>(registry, &["ImplicitGeometryToPointSetCCD"])?;
    add::<ImplicitLineMeshCcd>(registry, &[])?;
    add::<ImplicitSurfaceMeshCcd>(registry, &[])?;
    add::<ImplicitConvexCcd>(registry, &[])?;
    add::<PointSetPointSetCcd>(registry, &[])?;
    add::<PointSetLineMeshCcd>(registry, &[])?;
    add::<PointSetSurfaceMeshCcd>(registry, &[])?;
    add::<LineMeshLineMeshCcd>(registry, &["LineMeshToLineMeshCCD"])?;
    add::<LineMeshSurfaceMeshCcd>(registry, &[])?;
    add::<SurfaceMeshSurfaceMeshCcd>(registry, &[])?;
    add::<PointSetConvexCcd>(registry, &[])?;
    add::<LineMeshConvexCcd>(registry, &[])?;
    add::<SurfaceMeshConvexCcd>(registry, &[])?;
    add::<PlaneConvexCcd>(registry, &[])?;
    add::<ConvexConvexCcd>(registry, &[])
}

/// A detector and its other names.
fn add<D: PairDetector>(registry: &mut Registry, aliases: &[&str]) -> Result<(), DetectError> {
    registry.register::<D>()?;
    add_aliases(registry, D::NAME, aliases)
}

fn add_aliases(registry: &mut Registry, detector: &str, aliases: &[&str]) -> Result<(), DetectError> {
    aliases.iter().try_for_each(|alias| registry.alias(alias, detector, json!({})))
}

/// Registers a detector against planes: iMSTK has a class for each sidedness.
fn add_planes<D: PairDetector>(
    registry: &mut Registry,
    one: &str,
    two: Option<&str>,
) -> Result<(), DetectError> {
    registry.register::<D>()?;
    registry.alias(one, D::NAME, json!({"sides": "one"}))?;
    two.map_or(Ok(()), |two| registry.alias(two, D::NAME, json!({"sides": "two"})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_detector_is_named_by_its_kinds_in_order() {
        for entry in Registry::standard().detectors() {
            let (a, b) = (entry.a.kind(), entry.b.kind());
            assert!(a.rank() <= b.rank(), "{} lists its kinds out of order", entry.name);
            let name = format!("{a}_{b}{}", if entry.continuous { "_ccd" } else { "" });
            assert!(entry.name.ends_with(&name), "{} is not named {name}", entry.name);
        }
    }

    #[test]
    fn an_alias_brings_its_settings_and_one_meaning_per_pair_of_kinds() {
        let registry = Registry::standard();
        let of = |name: &str| registry.aliases_of(name).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(of("plane_sphere"), ["UnidirectionalPlaneToSphereCD", "BidirectionalPlaneToSphereCD"]);
        assert!(of("closed_surface_mesh_surface_mesh").contains(&"ClosedSurfaceMeshToMeshCD".to_owned()));
        assert!(of("point_set_surface_mesh").contains(&"ClosedSurfaceMeshToMeshCD".to_owned()));
    }
}
