//! Queries of points and spheres on the organ at rest.

use palpate::bvh::{Bvh, Cells};
use palpate::geometry::{Geometry, Needs, SurfaceMesh};
use palpate::math::Point;
use palpate::math::nearest::point_triangle_distance_squared;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::glamx::DVec3;
use parry3d_f64::query::PointQuery;

use super::input::{Input, Mesh};
use crate::Fallible;
use crate::figures::Figure;
use crate::parry::{oriented, vector};

const ROUNDS: usize = 5;

/// The closest point and the signed distance of each point; counts the points inside.
pub(super) fn closest(input: &Input) -> Fallible<Figure> {
    let mut surface = SurfaceMesh::new(input.organ.vertices.clone(), input.organ.triangles.clone())?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let peer = oriented(&input.organ.vertices, &input.organ.triangles)?;
    let peer_points: Vec<DVec3> = input.points.iter().map(vector).collect();
    let is_inside = |point: &&Point| {
        surface.signed_distance(point, f64::INFINITY).is_some_and(|(signed, _)| signed.distance < 0.0)
    };
    let own = || input.points.iter().filter(is_inside).count();
    let peer =
        || peer_points.iter().filter(|point| peer.project_local_point(**point, false).is_inside).count();
    Ok(Figure::measured(("closest point, signed", input.size), (ROUNDS, input.points.len()), own, peer))
}

/// The triangles that meet each sphere; counts them.
pub(super) fn spheres(input: &Input) -> Fallible<Figure> {
    let organ = &input.organ;
    let mut tree = Bvh::default();
    tree.rebuild_cells(&Cells { ids: &organ.triangles, positions: [&organ.vertices] });
    let peer = oriented(&organ.vertices, &organ.triangles)?;
    let own = || {
        let mut count = 0;
        for (center, radius) in &input.spheres {
            tree.in_ball(center, *radius, |id, is_certain| {
                count += usize::from(is_certain || meets_sphere(organ, id, center, *radius));
            });
        }
        count
    };
    let peer = || {
        let mut count = 0;
        for (center, radius) in &input.spheres {
            let reach = ParryBox::from_half_extents(vector(center), DVec3::splat(*radius));
            let candidates = peer.bvh().intersect_aabb(&reach);
            count += candidates.filter(|&id| meets_sphere(organ, id, center, *radius)).count();
        }
        count
    };
    Ok(Figure::measured(("triangles in a sphere", input.size), (ROUNDS, input.spheres.len()), own, peer))
}

pub(super) fn meets_sphere(mesh: &Mesh, id: u32, center: &Point, radius: f64) -> bool {
    let [a, b, c] = mesh.triangles[id as usize].map(|vertex| &mesh.vertices[vertex as usize]);
    point_triangle_distance_squared(center, a, b, c) <= radius * radius
}
