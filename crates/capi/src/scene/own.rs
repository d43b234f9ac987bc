//! Pairs with a detector of the host.

use super::pairs::{palpate_pair_options, read};
use super::query::NO_FEATURE;
use super::{Ids, palpate_scene, with};
use crate::input::{Out, array};
use crate::status::{Failure, palpate_status};
use crate::types::{palpate_contact, palpate_geometry_id, palpate_pair_id};
use crate::user::{User, palpate_destroy_function};
use palpate::contact::{CollisionData, Contact};
use palpate::detect::{CollisionDetectionAlgorithm, Context, DetectError, Status};
use palpate::geometry::{Geometry, Needs};
use palpate::scene::OwnDetector;
use std::ffi::c_void;
use std::sync::Arc;

/// Finds the contacts of geometry `a` (side A) and `b` (`a` again for self-contact): world frame, depths of at least -`margin`.
/// Writes a pointer to them and their count, 0 before the call; the memory is the host's, and read before the step goes on. It
/// returns 0, or another number if it fails. It must not throw, and must not call palpate with the scene.
pub type palpate_detector_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        a: palpate_geometry_id,
        b: palpate_geometry_id,
        margin: f64,
        contacts: *mut *const palpate_contact,
        count: *mut usize,
    ) -> i32,
>;

type Function = unsafe extern "C" fn(
    *mut c_void,
    palpate_geometry_id,
    palpate_geometry_id,
    f64,
    *mut *const palpate_contact,
    *mut usize,
) -> i32;

/// The host's detector of one pair.
struct HostDetector {
    name: Arc<str>,
    function: Function,
    user: Arc<User>,
    sides: [palpate_geometry_id; 2],
}

impl HostDetector {
    fn append(&self, margin: f64, out: &mut CollisionData) -> Result<Status, DetectError> {
        let (mut contacts, mut count) = (std::ptr::null(), 0);
        let [a, b] = self.sides;
        // SAFETY: by the rules of the header.
        let code = unsafe { (self.function)(self.user.pointer, a, b, margin, &mut contacts, &mut count) };
        let refused = |reason| DetectError::Own { name: (*self.name).to_owned(), reason };
        if code != 0 {
            return Err(refused(format!("the host returned {code}: wanted 0")));
        }
        // SAFETY: by the rules of the header; `palpate_contact` has the layout of `Contact` (asserted in `types`), of which any
        // bits are valid.
        let found = unsafe { array::<Contact>(contacts.cast(), count, "its contacts") };
        out.contacts.extend_from_slice(found.map_err(|failure| refused(failure.text))?);
        Ok(Status::default())
    }
}

impl CollisionDetectionAlgorithm for HostDetector {
    fn name(&self) -> &str {
        &self.name
    }

    fn needs(&self) -> [Needs; 2] {
        [Needs::empty(); 2]
    }

    fn run(
        &mut self,
        _: &dyn Geometry,
        _: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        self.append(context.margin(), out)
    }

    fn run_self(
        &mut self,
        _: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        self.append(context.margin(), out)
    }

    fn reset(&mut self) {}
}

/// Adds the pair of two geometries, whose contacts a function of the host finds; self-contact if `b` is `a`. The function is
/// called when the boxes of the two are within the margin and one of the two has changed. Its contacts stay in its order; each is
/// checked (finite points, unit direction, depth, elements that the geometries have, no two with one key), and what is wrong is
/// the error of the step, `PALPATE_CALLBACK_FAILED`, by the names of the pair and of the detector. Of the options, which may be
/// null, `detector` is the name of the function (`own` for null) and `margin` is used; settings are refused. `destroy` frees
/// `user` with the last use of it, which may be a saved state; also if this call fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add_pair_by(
    scene: *mut palpate_scene,
    a: palpate_geometry_id,
    b: palpate_geometry_id,
    options: *const palpate_pair_options,
    function: palpate_detector_function,
    user: *mut c_void,
    destroy: palpate_destroy_function,
    pair: *mut palpate_pair_id,
) -> palpate_status {
    let user = Arc::new(User::new(user, destroy));
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let out = Out::new(pair, "the place for the pair")?;
            let function = function.ok_or_else(|| Failure::null("the detector"))?;
            let mut options = read(options)?;
            let name = options.detector.take().unwrap_or_else(|| "own".to_owned());
            options.own_detector = Some(own_detector(name, function, user, state.ids.number()));
            let (a, b) = (state.geometry(a)?, state.geometry(b)?);
            let id = state.scene.add_pair(a, b, options)?;
            out.put(state.ids.pair_id_of(id));
            Ok(())
        })
    }
}

/// The detector of Rust; `scene` is the number of the scene in its ids.
fn own_detector(name: String, function: Function, user: Arc<User>, scene: u64) -> OwnDetector {
    let shared: Arc<str> = name.as_str().into();
    OwnDetector::new(name, move |sides| {
        let sides = sides.map(|side| Ids::in_scene(scene, side));
        Box::new(HostDetector { name: Arc::clone(&shared), function, user: Arc::clone(&user), sides })
    })
}

/// A static contact of two points, for a detector of the host to fill in: no vertices, cells or children, points at the origin,
/// direction +y, depth 0.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_contact_default() -> palpate_contact {
    palpate_contact {
        a: NO_FEATURE,
        b: NO_FEATURE,
        direction: [0.0, 1.0, 0.0],
        depth: 0.0,
        depth_upper: 0.0,
        time_of_impact: f64::NAN,
        id: 0,
    }
}
