//! The law of order compares a fresh tree with a refitted one: here is that these are not the same tree.

use crate::all_cases::ALL;
use palpate_bvh::Bvh;
use palpate_detect::downcast;
use palpate_geometry::{Geometry, LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::Aabb;
use palpate_tests::laws::refitted;
use palpate_tests::{Random, Shape};

fn tree(geometry: &dyn Geometry) -> Option<&Bvh> {
    let lines = downcast::<LineMesh>(geometry).and_then(LineMesh::tree);
    let surface = downcast::<SurfaceMesh>(geometry).and_then(SurfaceMesh::tree);
    lines.or(surface).or_else(|| downcast::<TetraMesh>(geometry).and_then(TetraMesh::tree))
}

/// The cells in the order in which the tree holds them.
fn order(geometry: &dyn Geometry) -> Vec<u32> {
    let mut cells = Vec::new();
    if let Some(tree) = tree(geometry) {
        tree.overlap(&Aabb::ALL, |cell| cells.push(cell));
    }
    cells
}

#[test]
fn a_refitted_tree_has_another_shape_than_a_fresh_one() {
    let mut random = Random::new(3);
    for kind in ["line_mesh", "surface_mesh", "tetra_mesh"] {
        let (mut meshes, mut other) = (0, 0);
        let shapes = ALL.iter().flat_map(|cases| &cases.cases).flat_map(|case| [&case.a, &case.b]);
        let of_kind = |shape: &&Shape| shape.kind().name() == kind;
        for shape in shapes.filter(of_kind).take(300) {
            let (fresh, refitted) = (shape.prepared(), refitted(shape, &mut random));
            meshes += 1;
            other += usize::from(order(fresh.as_ref()) != order(refitted.as_ref()));
        }
        assert!(meshes == 300 && other > meshes * 2 / 3, "{kind}: {other} of {meshes} trees are others");
    }
}
