//! The law of order compares a fresh tree with a refitted one: this test checks that these trees differ.

use palpate_bvh::Bvh;
use palpate_detect::downcast;
use palpate_geometry::{Geometry, GeometryKind, LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::Aabb;
use palpate_tests::Random;
use palpate_tests::generate::generate;
use palpate_tests::laws::refitted;

/// Meshes of a kind.
const MESHES: usize = 300;

fn tree(geometry: &dyn Geometry) -> Option<&Bvh> {
    let lines = downcast::<LineMesh>(geometry).and_then(LineMesh::tree);
    let surface = downcast::<SurfaceMesh>(geometry).and_then(SurfaceMesh::tree);
    lines.or(surface).or_else(|| downcast::<TetraMesh>(geometry).and_then(TetraMesh::tree))
}

/// The cells in the order of the tree's entries.
fn order(geometry: &dyn Geometry) -> Vec<u32> {
    let mut cells = Vec::new();
    if let Some(tree) = tree(geometry) {
        tree.overlap(&Aabb::ALL, |cell| cells.push(cell));
    }
    cells
}

// Proves: REQ-ORDER
#[test]
fn a_refitted_tree_has_another_shape_than_a_fresh_one() {
    let mut random = Random::new(3);
    for kind in [GeometryKind::LINE_MESH, GeometryKind::SURFACE_MESH, GeometryKind::TETRA_MESH] {
        let mut other = 0;
        for _ in 0..MESHES {
            let shape = generate(&kind, 1.0, &mut random).expect("the kind has a generator");
            let (fresh, refitted) = (shape.prepared(), refitted(&shape, &mut random));
            other += usize::from(order(fresh.as_ref()) != order(refitted.as_ref()));
        }
        assert!(other > MESHES * 2 / 3, "{kind}: {other} of {MESHES} trees differ");
    }
}
