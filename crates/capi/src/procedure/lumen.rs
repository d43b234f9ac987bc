//! A tube in a tube: a catheter or a guidewire in a vessel.

use super::shaft_views::palpate_shaft_place;
use super::{PointRows, not_negative, surface};
use crate::arrays::palpate_points;
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, options, options_struct};
use crate::scene::palpate_scene;
use crate::status::palpate_status;
use crate::types::{PALPATE_NONE, palpate_geometry_id};
use crate::wall::call;
use palpate::procedure::{Centreline, LumenContact, LumenLimits, Shaft, ShaftPlace, lumen_contacts};

/// The inside of a vessel with its centreline. One call at a time.
pub struct palpate_lumen(Guarded<Lumen>);

/// The centreline, and memory for what is handed out.
pub(crate) struct Lumen {
    line: Centreline,
    rows: PointRows,
    found: Vec<LumenContact>,
    contacts: Vec<palpate_lumen_contact>,
}

objects! { palpate_lumen: Lumen; }

/// The sizes of a shaft in a vessel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_lumen_options {
    /// Set by `palpate_lumen_options_default`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The radius of the shaft, metres; 0 by default.
    pub radius: f64,
    /// Contacts are listed down to this distance between shaft and wall, metres; 0 by default.
    pub margin: f64,
    /// How far beyond the wall the centreline of the shaft is seen, metres; 0 by default.
    pub reach: f64,
}

impl Default for palpate_lumen_options {
    fn default() -> Self {
        Self { struct_size: size_of::<Self>() as u32, reserved: 0, radius: 0.0, margin: 0.0, reach: 0.0 }
    }
}

options_struct! { palpate_lumen_options 32; }

/// The default options of a shaft in a vessel.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_lumen_options_default() -> palpate_lumen_options {
    palpate_lumen_options::default()
}

/// A contact of a shaft with the wall of the vessel that it is in.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct palpate_lumen_contact {
    /// The place on the shaft.
    pub place: palpate_shaft_place,
    /// The triangle of the wall.
    pub triangle: u32,
    /// The branch of the centreline nearest to the point of the shaft, or `PALPATE_NONE` without branches.
    pub branch: u32,
    /// The weights of the triangle's vertices.
    pub weights: [f64; 3],
    /// The point of the wall, world frame, metres.
    pub point: [f64; 3],
    /// Unit, from the wall into the lumen: moves the shaft out of the wall.
    pub direction: [f64; 3],
    /// How deep the shaft, with its radius, is in the wall, metres; negative when it is near it only.
    pub depth: f64,
    /// The place on the branch: its `arc` is counted from the beginning of the branch.
    pub branch_place: palpate_shaft_place,
}

impl palpate_lumen_contact {
    fn of(contact: &LumenContact) -> Self {
        let line = contact.centreline;
        Self {
            place: palpate_shaft_place::of(&contact.place),
            triangle: contact.triangle,
            branch: line.map_or(PALPATE_NONE, |line| line.branch as u32),
            weights: contact.weights,
            point: contact.point.into(),
            direction: contact.direction.into(),
            depth: contact.depth,
            branch_place: palpate_shaft_place::of(&line.map_or(ShaftPlace::default(), |line| line.place)),
        }
    }
}

/// Makes the inside of a vessel with `branch_count` rows of points as its centreline, each from its beginning, world frame; none are
/// allowed. Free it with `palpate_lumen_free`. Errors: a branch of fewer than two points, a coordinate that is not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_lumen_new(
    branches: *const palpate_points,
    branch_count: usize,
    lumen: *mut *mut palpate_lumen,
) -> palpate_status {
    call(|| {
        let out = Out::new(lumen, "the place for the lumen")?;
        out.put(std::ptr::null_mut());
        let mut rows = PointRows::default();
        // SAFETY: by the rules of the header.
        unsafe { rows.read(branches, branch_count, "the centreline") }?;
        let line = Centreline::new(&rows.slices())?;
        let made = Lumen { line, rows, found: Vec::new(), contacts: Vec::new() };
        out.put(boxed(palpate_lumen(Guarded::new("lumen", made))));
        Ok(())
    })
}

/// Frees a lumen. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_lumen_free(lumen: *mut palpate_lumen) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(lumen) })
}

/// Writes a pointer to the contacts of a shaft, rows of points as of `palpate_shaft_tracker_update`, with the wall of a vessel, a
/// closed surface of the scene whose inside is the lumen, and their number; valid until the next call with the lumen. For each segment
/// the deepest, if it is nearer to the wall than the margin, in the order of the shaft. The contacts are one-sided: a segment
/// whose centreline is beyond the wall, by the reach at most, is pushed back inside. Errors: as `palpate_shaft_tracker_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_lumen_contacts(
    lumen: *mut palpate_lumen,
    scene: *mut palpate_scene,
    vessel: palpate_geometry_id,
    sections: *const palpate_points,
    section_count: usize,
    options: *const palpate_lumen_options,
    contacts: *mut *const palpate_lumen_contact,
    count: *mut usize,
) -> palpate_status {
    call(|| {
        let (out, out_count) = (Out::new(contacts, "contacts")?, Out::new(count, "count")?);
        // SAFETY: by the rules of the header.
        let given = unsafe { self::options(options) }?;
        let limits = LumenLimits {
            radius: not_negative(given.radius, "radius")?,
            margin: not_negative(given.margin, "margin")?,
            reach: not_negative(given.reach, "reach")?,
        };
        // SAFETY: by the rules of the header.
        let (mut own, mut scene) = unsafe { (enter(lumen, "the lumen")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header.
        unsafe { own.rows.read(sections, section_count, "the shaft") }?;
        scene.run(
            |state| {
                let wall = surface(state, vessel)?;
                own.run(
                    |Lumen { line, rows, found, contacts }| {
                        let shaft = Shaft::new(&rows.slices())?;
                        lumen_contacts(&shaft, wall, line, &limits, found)?;
                        contacts.clear();
                        contacts.extend(found.iter().map(palpate_lumen_contact::of));
                        out.put(contacts.as_ptr());
                        out_count.put(contacts.len());
                        Ok(())
                    },
                    |_| {},
                )
            },
            |_| {},
        )
    })
}
