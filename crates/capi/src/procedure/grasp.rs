//! What two jaws hold of a tissue.

use super::not_negative;
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, array};
use crate::scene::palpate_scene;
use crate::status::palpate_status;
use crate::types::{palpate_contact, palpate_geometry_id};
use crate::wall::call;
use palpate::contact::Contact;
use palpate::procedure::{Grasp, GraspTracker};
use std::ptr::null;

/// Follows what two jaws hold of one tissue. One call at a time.
pub struct palpate_grasp_tracker(Guarded<Grasping>);

/// The tracker, and memory for what is handed out.
pub(crate) struct Grasping {
    tracker: GraspTracker,
    pairs: Vec<[u32; 2]>,
}

objects! { palpate_grasp_tracker: Grasping; }

/// What two jaws hold of a tissue; everything is 0 and null if they hold nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_grasp {
    /// The same from step to step while the jaws hold; 0 if they hold nothing.
    pub id: u64,
    /// How far the best pair is from slipping: the cosine of the larger angle between the line of the two contacts and their
    /// normals, less that of the angle of friction. 0 on the edge of slipping, at most 1.
    pub closure: f64,
    /// The areas of the triangles that each jaw touches, square metres.
    pub areas: [f64; 2],
    /// The triangles of the tissue's surface that the first jaw touches, ascending.
    pub first_triangles: *const u32,
    /// Their number.
    pub first_triangle_count: usize,
    /// The triangles that the second jaw touches, ascending.
    pub second_triangles: *const u32,
    /// Their number.
    pub second_triangle_count: usize,
    /// The tetrahedra between opposed contacts, ascending; none of a surface.
    pub cells: *const u32,
    /// Their number.
    pub cell_count: usize,
    /// Opposed contacts, two numbers each: a contact of the first jaw, and its best of the second, by their places in the lists.
    pub pairs: *const u32,
    /// The number of pairs.
    pub pair_count: usize,
}

const NOTHING: palpate_grasp = palpate_grasp {
    id: 0,
    closure: 0.0,
    areas: [0.0; 2],
    first_triangles: null(),
    first_triangle_count: 0,
    second_triangles: null(),
    second_triangle_count: 0,
    cells: null(),
    cell_count: 0,
    pairs: null(),
    pair_count: 0,
};

/// Makes a tracker that has seen nothing. Free it with `palpate_grasp_tracker_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_grasp_tracker_new(
    tracker: *mut *mut palpate_grasp_tracker,
) -> palpate_status {
    call(|| {
        let out = Out::new(tracker, "the place for the tracker")?;
        out.put(std::ptr::null_mut());
        let made = Grasping { tracker: GraspTracker::new(), pairs: Vec::new() };
        out.put(boxed(palpate_grasp_tracker(Guarded::new("grasp tracker", made))));
        Ok(())
    })
}

/// Frees a tracker. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_grasp_tracker_free(tracker: *mut palpate_grasp_tracker) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(tracker) })
}

/// Looks at the contacts of two jaws (side A) with a tissue (side B), a closed surface or a tetra mesh of the scene, with Coulomb's
/// coefficient `friction`, and writes what they hold; valid until the next call with the tracker. A grasp begins with the first
/// opposed contacts, those whose line lies in both friction cones, and ends when there are none. The contacts may be those that
/// `palpate_scene_contacts` returns. Errors: as `palpate_shaft_tracker_update`; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_grasp_tracker_update(
    tracker: *mut palpate_grasp_tracker,
    scene: *mut palpate_scene,
    tissue: palpate_geometry_id,
    first: *const palpate_contact,
    first_count: usize,
    second: *const palpate_contact,
    second_count: usize,
    friction: f64,
    grasp: *mut palpate_grasp,
) -> palpate_status {
    call(|| {
        let out = Out::new(grasp, "grasp")?;
        let friction = not_negative(friction, "friction")?;
        // SAFETY: by the rules of the header.
        let (mut own, mut scene) = unsafe { (enter(tracker, "the tracker")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header; `palpate_contact` has the layout of `Contact` (asserted in `types`), of which any bits
        // are valid. Copied: they may be of this scene, which is prepared below.
        let jaws: [Vec<Contact>; 2] = unsafe {
            [
                array(first.cast(), first_count, "first")?.to_vec(),
                array(second.cast(), second_count, "second")?.to_vec(),
            ]
        };
        scene.run(
            |state| {
                let found = super::tissue(state, tissue)?;
                own.run(
                    |own| {
                        own.tracker.update([&jaws[0], &jaws[1]], friction, found)?;
                        out.put(own.view());
                        Ok(())
                    },
                    |_| {},
                )
            },
            |_| {},
        )
    })
}

impl Grasping {
    fn view(&mut self) -> palpate_grasp {
        let Some(Grasp { id, triangles, areas, cells, pairs, closure }) = self.tracker.grasp() else {
            return NOTHING;
        };
        self.pairs = pairs.iter().map(|pair| pair.map(|place| place as u32)).collect();
        let [first, second] = triangles;
        palpate_grasp {
            id: id.0,
            closure: *closure,
            areas: *areas,
            first_triangles: first.as_ptr(),
            first_triangle_count: first.len(),
            second_triangles: second.as_ptr(),
            second_triangle_count: second.len(),
            cells: cells.as_ptr(),
            cell_count: cells.len(),
            pairs: self.pairs.as_ptr().cast(),
            pair_count: self.pairs.len(),
        }
    }
}
