//! The contacts of a procedure: needle and thread, blade, jaws, a tube in a tube.
//!
//! All points are in the world frame. The mesh of a call must have its vertices there: one that is placed by a pose is refused.

mod blade;
mod division;
mod grasp;
mod lumen;
mod shaft;
mod shaft_views;

pub use blade::*;
pub use division::*;
pub use grasp::*;
pub use lumen::*;
pub use shaft::*;
pub use shaft_views::*;

use crate::arrays::palpate_points;
use crate::input::array;
use crate::scene::State;
use crate::status::{Failure, Outcome, PALPATE_UNSUPPORTED};
use crate::types::palpate_geometry_id;
use palpate::geometry::{Needs, SurfaceMesh, TypedGeometry};
use palpate::math::Point;
use palpate::procedure::Tissue;
use palpate::scene::GeometryId;

/// A geometry whose vertices are in the world frame. Errors: it is placed by a pose.
fn unplaced(state: &State, id: palpate_geometry_id) -> Outcome<GeometryId> {
    let id = state.geometry(id)?;
    if state.scene.placement(id)?.is_some() {
        let text = format!("{id} is placed by a pose: wanted its vertices in the world frame");
        return Err(Failure::new(PALPATE_UNSUPPORTED, text));
    }
    Ok(id)
}

/// A tissue with all that trackers need. Errors: as [`unplaced`]; another kind than a surface or a tetra mesh.
fn tissue(state: &mut State, id: palpate_geometry_id) -> Outcome<Tissue<'_>> {
    let id = unplaced(state, id)?;
    state.scene.geometry_dyn_mut(id)?.prepare(Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
    match TypedGeometry::of(state.scene.geometry(id)?) {
        TypedGeometry::SurfaceMesh(mesh) => Ok(mesh.into()),
        TypedGeometry::TetraMesh(mesh) => Ok(mesh.into()),
        _ => Err(other_kind(state, id, "a surface mesh or a tetra mesh")),
    }
}

/// A surface with its tree and normals. Errors: as [`tissue`].
fn surface(state: &mut State, id: palpate_geometry_id) -> Outcome<&SurfaceMesh> {
    let id = unplaced(state, id)?;
    state.scene.geometry_dyn_mut(id)?.prepare(Needs::TREE | Needs::NORMALS);
    match TypedGeometry::of(state.scene.geometry(id)?) {
        TypedGeometry::SurfaceMesh(mesh) => Ok(mesh),
        _ => Err(other_kind(state, id, "a surface mesh")),
    }
}

fn other_kind(state: &State, id: GeometryId, wanted: &str) -> Failure {
    let kind = state.scene.geometry(id).map_or_else(|_| "none".to_owned(), |shape| shape.kind().to_string());
    Failure::new(PALPATE_UNSUPPORTED, format!("{id} is of kind {kind}: wanted {wanted}"))
}

/// A number of 0 or more. Errors: another one, or one that is not finite.
fn not_negative(value: f64, what: &str) -> Outcome<f64> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Failure::argument(format!("{what} is {value}: wanted a number of 0 or more")))
}

/// Rows of points, one after the other.
#[derive(Default)]
struct PointRows {
    rows: Vec<Vec<Point>>,
    converted: Vec<Point>,
}

impl PointRows {
    /// Replaces the rows. Errors: as of vertices.
    ///
    /// # Safety
    /// As the rules of the header say.
    unsafe fn read(&mut self, given: *const palpate_points, count: usize, what: &str) -> Outcome {
        // SAFETY: the caller's promise.
        let given = unsafe { array(given, count, what) }?;
        self.rows.resize_with(given.len(), Vec::new);
        for (own, points) in self.rows.iter_mut().zip(given) {
            own.clear();
            // SAFETY: the caller's promise.
            let points = unsafe { points.read(what, &mut self.converted) }?;
            own.extend_from_slice(&points);
        }
        Ok(())
    }

    fn slices(&self) -> Vec<&[Point]> {
        self.rows.iter().map(Vec::as_slice).collect()
    }
}
