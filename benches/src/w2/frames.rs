//! The tool against the organ, at rest and deforming; the pairs of triangles that intersect are counted.

use palpate::bvh::{Bvh, Cells, Placement};
use palpate::geometry::{Geometry, Needs, SurfaceMesh};
use palpate::math::Point;
use palpate::math::intersect::triangles_meet;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::glamx::{DMat3, DQuat, DVec3};
use parry3d_f64::math::Pose;
use parry3d_f64::partitioning::{Bvh as ParryBvh, BvhBuildStrategy, BvhNode};

use super::input::{FRAMES, Input, Mesh, Motion};
use crate::Fallible;
use crate::figures::Figure;
use crate::parry::vector;

const ROUNDS: usize = 3;

/// The tool, whose trees are built once, and the place of its vertices in the current frame.
struct Tool<'a> {
    mesh: &'a Mesh,
    tree: Bvh,
    peer_tree: ParryBvh,
}

impl<'a> Tool<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let mut tree = Bvh::default();
        tree.rebuild_cells(&Cells { ids: &mesh.triangles, positions: [&mesh.vertices] });
        let peer_tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes(mesh, &mesh.vertices));
        Self { mesh, tree, peer_tree }
    }

    /// Counts the triangles that intersect those of the organ, with the tree over the organ.
    fn met(&self, organ: (&Mesh, &[Point]), tree: &Bvh, motion: &Motion) -> usize {
        let mut count = 0;
        let placement = Placement { rows: motion.rotation, translation: motion.translation.into() };
        tree.overlap_pairs_placed(&self.tree, &placement, |a, b| {
            count += usize::from(self.meets(organ, motion, a, b));
        });
        count
    }

    fn met_by_parry(&self, organ: (&Mesh, &[Point]), tree: &ParryBvh, motion: &Motion) -> usize {
        let [x, y, z] = motion.rotation.map(DVec3::from_array);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z).transpose());
        let pose = Pose::from_parts(DVec3::from_array(motion.translation), rotation);
        let near = |a: &BvhNode, b: &BvhNode| {
            use parry3d_f64::bounding_volume::BoundingVolume;
            a.aabb().intersects(&b.aabb().transform_by(&pose))
        };
        let pairs = tree.leaf_pairs(&self.peer_tree, near);
        pairs.filter(|&(a, b)| self.meets(organ, motion, a, b)).count()
    }

    fn meets(&self, (organ, vertices): (&Mesh, &[Point]), motion: &Motion, a: u32, b: u32) -> bool {
        let of_organ = organ.triangles[a as usize].map(|id| &vertices[id as usize]);
        let of_tool =
            self.mesh.triangles[b as usize].map(|id| motion.applied(&self.mesh.vertices[id as usize]));
        triangles_meet(of_organ, of_tool.each_ref())
    }
}

fn parry_boxes(mesh: &Mesh, vertices: &[Point]) -> Vec<ParryBox> {
    mesh.triangles.iter().map(|ids| parry_box(*ids, vertices)).collect()
}

fn parry_box(ids: [u32; 3], vertices: &[Point]) -> ParryBox {
    let [a, b, c] = ids.map(|id| vector(&vertices[id as usize]));
    ParryBox::new(a.min(b).min(c), a.max(b).max(c))
}

/// The tool in all its poses against the organ at rest.
pub(super) fn at_rest(input: &Input) -> Fallible<Figure> {
    let organ = &input.organ;
    let tool = Tool::new(&input.tool);
    let mut tree = Bvh::default();
    tree.rebuild_cells(&Cells { ids: &organ.triangles, positions: [&organ.vertices] });
    let peer_tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes(organ, &organ.vertices));
    let place = (organ, organ.vertices.as_slice());
    let own = || input.poses.iter().map(|motion| tool.met(place, &tree, motion)).sum();
    let peer = || input.poses.iter().map(|motion| tool.met_by_parry(place, &peer_tree, motion)).sum();
    Ok(Figure::measured(("tool against organ, static", input.size), (ROUNDS, FRAMES), own, peer))
}

/// The frames of the organ, with the poses of the tool.
fn frames(input: &Input) -> impl Iterator<Item = (&[Point], &Motion)> {
    input.frames.iter().map(Vec::as_slice).zip(&input.poses)
}

/// The tree over the organ is refitted in each frame.
pub(super) fn refitted(input: &Input) -> Fallible<Figure> {
    let organ = &input.organ;
    let tool = Tool::new(&input.tool);
    let mut tree = Bvh::default();
    tree.rebuild_cells(&Cells { ids: &organ.triangles, positions: [&organ.vertices] });
    let mut peer_tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes(organ, &organ.vertices));
    let own = || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            tree.refit_cells(&Cells { ids: &organ.triangles, positions: [vertices] });
            tool.met((organ, vertices), &tree, motion)
        };
        frames(input).map(count).sum()
    };
    let peer = || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            for (id, ids) in (0..).zip(&organ.triangles) {
                peer_tree.insert_or_update_partially(parry_box(*ids, vertices), id, 0.0);
            }
            peer_tree.refit_without_opt();
            tool.met_by_parry((organ, vertices), &peer_tree, motion)
        };
        frames(input).map(count).sum()
    };
    Ok(Figure::measured(("refit, tool against deforming organ", input.size), (ROUNDS, FRAMES), own, peer))
}

/// The tree over the organ is rebuilt in each frame.
pub(super) fn rebuilt(input: &Input) -> Fallible<Figure> {
    let organ = &input.organ;
    let tool = Tool::new(&input.tool);
    let mut tree = Bvh::default();
    let own = || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            tree.rebuild_cells_fast(&Cells { ids: &organ.triangles, positions: [vertices] });
            tool.met((organ, vertices), &tree, motion)
        };
        frames(input).map(count).sum()
    };
    Ok(Figure::measured(
        ("rebuild, tool against deforming organ", input.size),
        (1, FRAMES),
        own,
        parry_rebuilt(input, &tool),
    ))
}

fn parry_rebuilt<'a>(input: &'a Input, tool: &'a Tool<'_>) -> impl FnMut() -> usize + 'a {
    let organ = &input.organ;
    move || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            let boxes = organ.triangles.iter().map(|ids| parry_box(*ids, vertices));
            let tree = ParryBvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
            tool.met_by_parry((organ, vertices), &tree, motion)
        };
        frames(input).map(count).sum()
    }
}

/// The organ is a surface mesh of palpate, whose positions are set and which is prepared with its tree; parry's tree
/// alone is refitted.
pub(super) fn prepared(input: &Input) -> Fallible<Figure> {
    let organ = &input.organ;
    let tool = Tool::new(&input.tool);
    let mut surface = SurfaceMesh::new(organ.vertices.clone(), organ.triangles.clone())?;
    surface.prepare(Needs::TREE);
    let mut peer_tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes(organ, &organ.vertices));
    let own = || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            let is_moved = surface.set_positions(vertices).is_ok();
            surface.prepare(Needs::TREE);
            let tree = surface.tree().filter(|_| is_moved);
            tree.map_or(0, |tree| tool.met((organ, vertices), tree, motion))
        };
        frames(input).map(count).sum()
    };
    let peer = || {
        let count = |(vertices, motion): (&[Point], &Motion)| {
            for (id, ids) in (0..).zip(&organ.triangles) {
                peer_tree.insert_or_update_partially(parry_box(*ids, vertices), id, 0.0);
            }
            peer_tree.refit_without_opt();
            tool.met_by_parry((organ, vertices), &peer_tree, motion)
        };
        frames(input).map(count).sum()
    };
    Ok(Figure::measured(
        ("prepared mesh, tool against deforming organ", input.size),
        (ROUNDS, FRAMES),
        own,
        peer,
    ))
}
