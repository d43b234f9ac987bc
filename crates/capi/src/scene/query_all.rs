//! Queries of a whole scene, in batches.

use super::query::{NO_FEATURE, feature_of, finite, points, prepare_all};
use super::{palpate_scene, with};
use crate::input::array_mut;
use crate::status::{Failure, palpate_status};
use crate::types::{palpate_feature, palpate_geometry_id};
use palpate::geometry::Pose;
use palpate::scene::Groups;

/// The surface point of a scene that is closest to a point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_closest {
    /// Metres from the surface, which includes radii; negative inside a solid, or within the radius of a cell; infinite if
    /// nothing is within reach.
    pub distance: f64,
    /// The cell or vertex that is closest, with its weights, or the number of the feature of a shape (box face 0 to 5, capsule end
    /// 0 or 1); its point is the closest surface point: world frame, metres.
    pub feature: palpate_feature,
    /// The geometry, or 0.
    pub geometry: palpate_geometry_id,
}

/// The surface points closest to `count` points, three `double` each, of all geometries no farther than `within` metres (infinite
/// for all) that a member of the groups `membership` with this `mask` would collide with; of equally near ones that of the geometry
/// added first. World frame. Errors: a kind without cells, vertices or a distance, by name. Prepares the geometries that have changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_closest(
    scene: *mut palpate_scene,
    positions: *const f64,
    count: usize,
    within: f64,
    membership: u32,
    mask: u32,
    closest: *mut palpate_closest,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (positions, closest) = (points(positions, count)?, array_mut(closest, count, "closest")?);
            if within.is_nan() {
                return Err(Failure::argument("within is NaN: wanted metres, or infinity"));
            }
            prepare_all(state)?;
            for (number, (position, out)) in positions.iter().zip(closest).enumerate() {
                let groups = Groups { membership, mask };
                let found = state.scene.closest(&finite(*position, number)?, within, groups)?;
                *out = match found {
                    Some(found) => palpate_closest {
                        distance: found.found.distance,
                        feature: feature_of(&found.found.feature, &Pose::identity()),
                        geometry: state.ids.id_of(found.geometry),
                    },
                    None => palpate_closest { distance: f64::INFINITY, feature: NO_FEATURE, geometry: 0 },
                };
            }
            Ok(())
        })
    }
}
