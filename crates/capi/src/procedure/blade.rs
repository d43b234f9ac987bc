//! A blade, and a cautery.

use super::division::{Kept, palpate_division};
use super::{not_negative, unplaced};
use crate::arrays::palpate_points;
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, options, options_struct};
use crate::scene::{Mesh, mesh_of, on_mesh, palpate_scene, with};
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{palpate_geometry_id, palpate_swept_cell, point};
use crate::wall::call;
use palpate::geometry::{Geometry, Needs};
use palpate::procedure::{Blade, CutLimits, Sweep, SweptCell, cauterize, swept_cells};

/// Cuts one mesh along what its edge sweeps, step by step. One call at a time.
pub struct palpate_blade(Guarded<Cutting>);

/// The blade, and memory for what is handed out.
pub(crate) struct Cutting {
    blade: Blade,
    kept: Kept,
    front: Vec<u32>,
}

objects! { palpate_blade: Cutting; }

/// How small the parts of a cut may be.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_blade_options {
    /// Set by `palpate_blade_options_default`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// A cut nearer than this to an end of an edge, as a part of the edge, goes through the vertex there; 0 to 0.5, 0.1 by default.
    pub snap: f64,
    /// The least length, area or volume of a part, in metres, square or cubic metres: a cut that would make a smaller one goes
    /// through a vertex; 0 by default.
    pub least: f64,
}

impl Default for palpate_blade_options {
    fn default() -> Self {
        let CutLimits { snap, least } = CutLimits::default();
        Self { struct_size: size_of::<Self>() as u32, reserved: 0, snap, least }
    }
}

options_struct! { palpate_blade_options 24; }

/// The default options of a blade.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_blade_options_default() -> palpate_blade_options {
    palpate_blade_options::default()
}

/// Makes a blade that has cut nothing. `options` may be null. Free it with `palpate_blade_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_blade_new(
    options: *const palpate_blade_options,
    blade: *mut *mut palpate_blade,
) -> palpate_status {
    call(|| {
        let out = Out::new(blade, "the place for the blade")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let given = unsafe { self::options(options) }?;
        let least = not_negative(given.least, "least")?;
        if !(0.0..=0.5).contains(&given.snap) {
            return Err(Failure::argument(format!("snap is {}: wanted 0 to 0.5", given.snap)));
        }
        let made = Cutting {
            blade: Blade::new(CutLimits { snap: given.snap, least }),
            kept: Kept::default(),
            front: Vec::new(),
        };
        out.put(boxed(palpate_blade(Guarded::new("blade", made))));
        Ok(())
    })
}

/// Frees a blade. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_blade_free(blade: *mut palpate_blade) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(blade) })
}

/// The sweep of a blade's edge. Errors: null, fewer than two points, rows of different length, a coordinate that is not finite.
///
/// # Safety
/// As the rules of the header say.
unsafe fn sweep(before: *const palpate_points, now: *const palpate_points) -> Outcome<Sweep> {
    // SAFETY: the caller's promise.
    unsafe {
        let before = before.as_ref().ok_or_else(|| Failure::null("before"))?.copied("points before")?;
        let now = now.as_ref().ok_or_else(|| Failure::null("now"))?.copied("points now")?;
        Ok(Sweep::new(&before, &now)?)
    }
}

/// Cuts a mesh of a scene along what the blade's edge, a row of at least two points, sweeps from `before` to `now`; both relative to
/// the mesh as it is now. Writes what that made of it, valid until the next cut of this blade. A partial cut ends in a front, which
/// the next one takes up. With scissors, cut with one edge and then with the other: where they meet, the second takes up the front
/// of the first. Errors: rows of different length, a mesh that is placed by a pose; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_blade_cut(
    blade: *mut palpate_blade,
    scene: *mut palpate_scene,
    mesh: palpate_geometry_id,
    before: *const palpate_points,
    now: *const palpate_points,
    division: *mut palpate_division,
) -> palpate_status {
    call(|| {
        let out = Out::new(division, "division")?;
        // SAFETY: by the rules of the header.
        let (mut own, mut scene) = unsafe { (enter(blade, "the blade")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header.
        let sweep = unsafe { sweep(before, now) }?;
        scene.run(
            |state| {
                let id = unplaced(state, mesh)?;
                let made = own.run(
                    |own| {
                        Ok(on_mesh!(mesh_of(state, id)?, mesh => {
                            mesh.prepare(Needs::TREE);
                            own.blade.cut(mesh, &sweep)
                        })?)
                    },
                    |_| {},
                )?;
                state.mapped.retain(|(mapped, _)| *mapped != id || made.vertices.is_empty());
                out.put(own.kept.keep(made));
                Ok(())
            },
            |_| {},
        )
    })
}

/// Writes a pointer to the vertices at which the cut ends within the mesh, ascending, and their number; valid until the next call
/// with the blade.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_blade_front(
    blade: *mut palpate_blade,
    vertices: *mut *const u32,
    count: *mut usize,
) -> palpate_status {
    call(|| {
        let (out, out_count) = (Out::new(vertices, "vertices")?, Out::new(count, "count")?);
        // SAFETY: by the rules of the header.
        let mut own = unsafe { enter(blade, "the blade") }?;
        own.front = own.blade.front();
        out.put(own.front.as_ptr());
        out_count.put(own.front.len());
        Ok(())
    })
}

/// Ends the cut: the next one begins another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_blade_lift(blade: *mut palpate_blade) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        enter(blade, "the blade")?.blade.lift();
        Ok(())
    })
}

/// Writes a pointer to the cells of a mesh that a blade's edge passes through from `before` to `now`, in the order in which it enters
/// them, and their number; valid until the next call of this function, or until the scene is freed. Nothing is cut.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_swept_cells(
    scene: *mut palpate_scene,
    mesh: palpate_geometry_id,
    before: *const palpate_points,
    now: *const palpate_points,
    cells: *mut *const palpate_swept_cell,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(cells, "cells")?, Out::new(count, "count")?);
            let (sweep, id) = (sweep(before, now)?, unplaced(state, mesh)?);
            let mut found = Vec::new();
            on_mesh!(mesh_of(state, id)?, mesh => {
                mesh.prepare(Needs::TREE);
                swept_cells(mesh, &sweep, &mut found)
            })?;
            let swept =
                |&SweptCell { cell, times }: &SweptCell| palpate_swept_cell { cell, reserved: 0, times };
            state.swept = found.iter().map(swept).collect();
            out.put(state.swept.as_ptr());
            out_count.put(state.swept.len());
            Ok(())
        })
    }
}

/// Removes the cells of a mesh that a ball touches: centre in the world frame, radius in metres. Writes a pointer to their numbers,
/// ascending, and how many there are; valid until the next call of this function, or until the scene is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_cauterize(
    scene: *mut palpate_scene,
    mesh: palpate_geometry_id,
    center: *const f64,
    radius: f64,
    removed: *mut *const u32,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (out, out_count) = (Out::new(removed, "removed")?, Out::new(count, "count")?);
            let (center, radius) = (point(center, "center")?, not_negative(radius, "radius")?);
            if !center.iter().all(|x| x.is_finite()) {
                return Err(Failure::argument("center is not finite: wanted finite coordinates"));
            }
            let id = unplaced(state, mesh)?;
            state.removed = on_mesh!(mesh_of(state, id)?, mesh => {
                mesh.prepare(Needs::TREE);
                cauterize(mesh, &center, radius)
            })?;
            out.put(state.removed.as_ptr());
            out_count.put(state.removed.len());
            Ok(())
        })
    }
}
