//! Queries of points and rays, in batches.

use super::{State, palpate_scene, with};
use crate::input::{array, array_mut};
use crate::status::{Failure, Outcome, PALPATE_UNSUPPORTED, palpate_status};
use crate::types::{PALPATE_FEATURE_POINT, PALPATE_NONE, palpate_feature, palpate_geometry_id};
use palpate::contact::Feature;
use palpate::geometry::pick::{Crossing, Hit, Ray, first_hit, nearest_cell, nearest_vertex};
use palpate::geometry::{Geometry, Needs, Pose, SolidDistance, signed_distance};
use palpate::math::{Point, Vector};
use palpate::scene::{GeometryId, Groups};

/// The signed distance from a point to a solid.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_distance {
    /// Metres; negative inside.
    pub distance: f64,
    /// The closest surface point: world frame, metres.
    pub nearest: [f64; 3],
    /// Unit gradient of the distance, outward; world frame.
    pub gradient: [f64; 3],
    /// The number of the surface feature (box face 0 to 5, capsule end 0 or 1), or `PALPATE_NONE`.
    pub feature: u32,
    /// The child of a compound, or `PALPATE_NONE`.
    pub child: u32,
    /// 1 if the distance is exact, 0 if it is a bound.
    pub is_exact: u32,
    /// 0.
    pub reserved: u32,
}

/// The cell or vertex closest to a point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_nearest {
    /// Metres to the bare element; 0 inside a tetrahedron; infinite if the geometry has no such element.
    pub distance: f64,
    /// The element, its weights and its closest point: world frame, metres.
    pub feature: palpate_feature,
}

/// The ray enters, or passes a sheet from the front to the back.
pub const PALPATE_CROSSING_ENTER: u32 = 0;
/// The ray leaves, or passes a sheet from the back to the front.
pub const PALPATE_CROSSING_LEAVE: u32 = 1;
/// The ray touches an edge or a vertex.
pub const PALPATE_CROSSING_GRAZE: u32 = 2;
/// The ray hits nothing.
pub const PALPATE_CROSSING_NONE: u32 = 3;

/// A ray.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_ray {
    /// World frame, metres.
    pub origin: [f64; 3],
    /// Any length but 0.
    pub direction: [f64; 3],
    /// Metres; infinite for no end.
    pub length: f64,
}

/// The first hit of a ray.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_hit {
    /// Metres along the ray; infinite without a hit.
    pub distance: f64,
    /// Unit outward normal, world frame.
    pub normal: [f64; 3],
    /// The element hit; its point is the hit point.
    pub feature: palpate_feature,
    /// The geometry hit, or 0.
    pub geometry: palpate_geometry_id,
    /// `PALPATE_CROSSING_…`.
    pub crossing: u32,
    /// 0.
    pub reserved: u32,
}

pub(crate) fn feature_of(feature: &Feature, place: &Pose) -> palpate_feature {
    let Feature { kind, vertex_count, vertices, cell, child, weights, .. } = *feature;
    let point = (place * feature.surface_point()).coords.into();
    palpate_feature { kind, vertex_count, vertices, cell, child, weights, point }
}

/// A point without element, at the origin.
pub(crate) const NO_FEATURE: palpate_feature = palpate_feature {
    kind: PALPATE_FEATURE_POINT,
    vertex_count: 0,
    vertices: [PALPATE_NONE; 4],
    cell: PALPATE_NONE,
    child: PALPATE_NONE,
    weights: [0.0; 4],
    point: [0.0; 3],
};

/// All geometries with their trees and normals.
pub(super) fn prepare_all(state: &mut State) -> Outcome {
    let ids: Vec<GeometryId> = state.scene.geometries().collect();
    for id in ids {
        state.scene.geometry_dyn_mut(id)?.prepare(Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
    }
    Ok(())
}

/// A geometry with its trees and normals, and world from its coordinates.
fn prepared(state: &mut State, id: palpate_geometry_id) -> Outcome<(GeometryId, Pose)> {
    let id = state.geometry(id)?;
    let placement = state.scene.placement(id)?.unwrap_or_else(Pose::identity);
    state.scene.geometry_dyn_mut(id)?.prepare(Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
    Ok((id, placement))
}

/// Copies points, three `double` each.
///
/// # Safety
/// As the rules of the header say.
pub(super) unsafe fn points<'a>(points: *const f64, count: usize) -> Outcome<&'a [[f64; 3]]> {
    // SAFETY: the caller's promise.
    unsafe { array(points.cast(), count, "points") }
}

pub(super) fn finite(point: [f64; 3], place: usize) -> Outcome<Point> {
    if point.iter().all(|x| x.is_finite()) {
        return Ok(Point::from(point));
    }
    Err(Failure::argument(format!("point {place} is {point:?}: wanted finite numbers")))
}

/// Groups that every geometry passes that is in a group and has a mask.
const ALL: Groups = Groups { membership: u32::MAX, mask: u32::MAX };

const NO_DISTANCE: palpate_distance = palpate_distance {
    distance: f64::INFINITY,
    nearest: [0.0; 3],
    gradient: [0.0; 3],
    feature: PALPATE_NONE,
    child: PALPATE_NONE,
    is_exact: 1,
    reserved: 0,
};

fn distance_of(found: &SolidDistance, place: &Pose) -> palpate_distance {
    palpate_distance {
        distance: found.signed.distance,
        nearest: (place * found.signed.nearest).coords.into(),
        gradient: (place.rotation * found.signed.gradient).into(),
        feature: found.signed.feature,
        child: found.child,
        is_exact: u32::from(found.is_exact),
        reserved: 0,
    }
}

/// The signed distances of `count` points, three `double` each, to a solid: a shape, a closed surface, a tetra mesh, an implicit
/// body, or a compound of these; with geometry 0 the least to all solids of the scene, infinite without any
/// (`palpate_scene_closest` tells whose). World frame, metres. Errors: `PALPATE_UNSUPPORTED` for a geometry without an inside.
/// Prepares what has changed first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_signed_distances(
    scene: *mut palpate_scene,
    geometry: palpate_geometry_id,
    positions: *const f64,
    count: usize,
    distances: *mut palpate_distance,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (positions, distances) =
                (points(positions, count)?, array_mut(distances, count, "distances")?);
            if geometry == 0 {
                prepare_all(state)?;
                for (number, (position, out)) in positions.iter().zip(distances).enumerate() {
                    let found = state.scene.signed_distance(&finite(*position, number)?, ALL)?;
                    *out = found.map_or(NO_DISTANCE, |found| distance_of(&found.found, &Pose::identity()));
                }
                return Ok(());
            }
            let (id, place) = prepared(state, geometry)?;
            let geometry = state.scene.geometry(id)?;
            for (number, (position, out)) in positions.iter().zip(distances).enumerate() {
                let local = place.inverse_transform_point(&finite(*position, number)?);
                *out = distance_of(&signed_distance(geometry, &local)?, &place);
            }
            Ok(())
        })
    }
}

/// The cells of a mesh closest to `count` points, three `double` each; with `vertices` 1 the closest vertices, also of a point set.
/// World frame, metres; bare elements, without radius or thickness.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_nearest(
    scene: *mut palpate_scene,
    geometry: palpate_geometry_id,
    vertices: u32,
    positions: *const f64,
    count: usize,
    nearest: *mut palpate_nearest,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let vertices = crate::input::flag(vertices, "vertices")?;
            let (positions, nearest) = (points(positions, count)?, array_mut(nearest, count, "nearest")?);
            let (id, place) = prepared(state, geometry)?;
            let geometry = state.scene.geometry(id)?;
            let query = if vertices { nearest_vertex } else { nearest_cell };
            for (number, (position, out)) in positions.iter().zip(nearest).enumerate() {
                let local = place.inverse_transform_point(&finite(*position, number)?);
                *out = match query(geometry, &local) {
                    Some(found) => palpate_nearest {
                        distance: found.distance,
                        feature: feature_of(&found.feature, &place),
                    },
                    None => palpate_nearest { distance: f64::INFINITY, feature: NO_FEATURE },
                };
            }
            Ok(())
        })
    }
}

fn cast(geometry: &dyn Geometry, place: &Pose, ray: &palpate_ray) -> Outcome<Option<Hit>> {
    let (origin, direction) = (Point::from(ray.origin), Vector::from(ray.direction));
    let local = Ray::new(
        place.inverse_transform_point(&origin),
        place.rotation.inverse_transform_vector(&direction),
        ray.length,
    )?;
    Ok(first_hit(geometry, &local)?)
}

fn hit_of(found: &Hit, place: &Pose, geometry: palpate_geometry_id) -> palpate_hit {
    palpate_hit {
        distance: found.distance,
        normal: (place.rotation * found.normal).into(),
        feature: feature_of(&found.feature, place),
        geometry,
        crossing: match found.crossing {
            Crossing::Enter => PALPATE_CROSSING_ENTER,
            Crossing::Leave => PALPATE_CROSSING_LEAVE,
            Crossing::Graze => PALPATE_CROSSING_GRAZE,
        },
        reserved: 0,
    }
}

const NO_HIT: palpate_hit = palpate_hit {
    distance: f64::INFINITY,
    normal: [0.0; 3],
    feature: NO_FEATURE,
    geometry: 0,
    crossing: PALPATE_CROSSING_NONE,
    reserved: 0,
};

/// The first hits of `count` rays on a geometry, or with geometry 0 on all geometries of the scene that have a surface; of equally
/// distant ones that of the geometry added first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_cast_rays(
    scene: *mut palpate_scene,
    geometry: palpate_geometry_id,
    rays: *const palpate_ray,
    count: usize,
    hits: *mut palpate_hit,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (rays, hits) = (array(rays, count, "rays")?, array_mut(hits, count, "hits")?);
            hits.fill(NO_HIT);
            let ids = match geometry {
                0 => state.scene.geometries().map(|id| state.ids.id_of(id)).collect(),
                one => vec![one],
            };
            for one in ids {
                let (id, place) = prepared(state, one)?;
                let body = state.scene.geometry(id)?;
                for (ray, best) in rays.iter().zip(&mut *hits) {
                    match cast(body, &place, ray) {
                        Ok(Some(found)) if found.distance < best.distance => {
                            *best = hit_of(&found, &place, one)
                        }
                        Ok(_) => {}
                        // Of all geometries, those without a surface are left out.
                        Err(failure) if geometry == 0 && failure.status == PALPATE_UNSUPPORTED => break,
                        Err(failure) => return Err(failure),
                    }
                }
            }
            Ok(())
        })
    }
}
