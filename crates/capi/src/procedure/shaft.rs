//! A needle, and the thread behind it, followed through a tissue.

use super::PointRows;
use super::shaft_views::{
    palpate_shaft_crossing, palpate_shaft_event, palpate_shaft_stay, palpate_shaft_tip,
};
use crate::arrays::palpate_points;
use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, flag};
use crate::scene::{NO_FEATURE, feature_of, palpate_scene};
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{PALPATE_NONE, palpate_feature, palpate_geometry_id};
use crate::wall::call;
use palpate::geometry::Pose;
use palpate::procedure::{Shaft, ShaftTracker, Tissue};

/// Follows a shaft through one tissue: where it crosses the surface, the cells on its way, and what changes. Several tissues have
/// a tracker each. One call at a time.
pub struct palpate_shaft_tracker(Guarded<Tracking>);

/// The tracker, and memory for what is handed out.
pub(crate) struct Tracking {
    tracker: ShaftTracker,
    shaft: Shaft,
    /// The shaft of an update that may fail.
    next: Shaft,
    rows: PointRows,
    crossings: Vec<palpate_shaft_crossing>,
    path: Vec<palpate_shaft_stay>,
    events: Vec<palpate_shaft_event>,
    /// The element near the tip.
    near: palpate_feature,
}

objects! { palpate_shaft_tracker: Tracking; }

/// Makes a tracker to which the tip touches a surface if it is no farther from it than `touch`, metres. `turned_cells` is 0, or 1
/// for a mesh with cells that are turned inside out: the path is then found by looking at every cell near the shaft, some five
/// times slower. Free it with `palpate_shaft_tracker_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_new(
    touch: f64,
    turned_cells: u32,
    tracker: *mut *mut palpate_shaft_tracker,
) -> palpate_status {
    call(|| {
        let out = Out::new(tracker, "the place for the tracker")?;
        out.put(std::ptr::null_mut());
        let own = ShaftTracker::new(super::not_negative(touch, "touch")?);
        let tracker = if flag(turned_cells, "turned_cells")? { own.with_turned_cells() } else { own };
        let made = Tracking {
            tracker,
            shaft: Shaft::default(),
            next: Shaft::default(),
            rows: PointRows::default(),
            crossings: Vec::new(),
            path: Vec::new(),
            events: Vec::new(),
            near: NO_FEATURE,
        };
        out.put(boxed(palpate_shaft_tracker(Guarded::new("shaft tracker", made))));
        Ok(())
    })
}

/// Frees a tracker. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_free(tracker: *mut palpate_shaft_tracker) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(tracker) })
}

/// Looks at a shaft and a tissue (a closed surface or a tetra mesh) of a scene as they are now. The shaft is `section_count` rows of
/// points, each from its front backward: the needle from its tip, then the thread that follows it. Where a row does not begin where
/// the one before ends, a segment joins the two. Prepares what has changed first. Errors: fewer than two points, a coordinate that
/// is not finite, an open surface, a mesh that is placed by a pose; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_update(
    tracker: *mut palpate_shaft_tracker,
    scene: *mut palpate_scene,
    tissue: palpate_geometry_id,
    sections: *const palpate_points,
    section_count: usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut own, mut scene) = unsafe { (enter(tracker, "the tracker")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header.
        unsafe { own.rows.read(sections, section_count, "the shaft") }?;
        scene.run(
            |state| {
                let found = super::tissue(state, tissue)?;
                own.run(|own| own.update(found), |_| {})
            },
            |_| {},
        )
    })
}

impl Tracking {
    fn update(&mut self, tissue: Tissue<'_>) -> Outcome {
        self.next.set(&self.rows.slices())?;
        self.tracker.update(&self.next, tissue)?;
        std::mem::swap(&mut self.shaft, &mut self.next);
        self.crossings.clear();
        self.crossings.extend(self.tracker.crossings().iter().map(palpate_shaft_crossing::of));
        self.path.clear();
        self.path.extend(self.tracker.path().iter().map(palpate_shaft_stay::of));
        self.events.clear();
        self.events.extend(self.tracker.events().iter().filter_map(palpate_shaft_event::of));
        self.near = match self.tracker.candidate() {
            Some(near) => feature_of(&near.contact_feature(&self.shaft, tissue)?, &Pose::identity()),
            None => NO_FEATURE,
        };
        Ok(())
    }
}

/// Writes a pointer to the crossings of the last update and their number, the nearest to the tip first: the channel of the needle and
/// of the thread behind it. Valid until the next call with the tracker that changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_crossings(
    tracker: *mut palpate_shaft_tracker,
    crossings: *mut *const palpate_shaft_crossing,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { list(tracker, crossings, count, |own| &own.crossings) }
}

/// The same for the parts of the shaft in the cells of a tetra mesh, the nearest to the tip first; none for a surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_path(
    tracker: *mut palpate_shaft_tracker,
    stays: *mut *const palpate_shaft_stay,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { list(tracker, stays, count, |own| &own.path) }
}

/// The same for what the last update changed: first of crossings, the nearest to the tip first, then of the tip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_events(
    tracker: *mut palpate_shaft_tracker,
    events: *mut *const palpate_shaft_event,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { list(tracker, events, count, |own| &own.events) }
}

/// # Safety
/// As the rules of the header say.
unsafe fn list<T>(
    tracker: *mut palpate_shaft_tracker,
    values: *mut *const T,
    count: *mut usize,
    of: impl FnOnce(&Tracking) -> &Vec<T>,
) -> palpate_status {
    call(|| {
        let (out, out_count) = (Out::new(values, "the place for the list")?, Out::new(count, "count")?);
        // SAFETY: the caller's promise.
        let own = unsafe { enter(tracker, "the tracker") }?;
        let list = of(&own);
        out.put(list.as_ptr());
        out_count.put(list.len());
        Ok(())
    })
}

/// Writes where the tip is, and the surface near it that it may puncture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_tip(
    tracker: *mut palpate_shaft_tracker,
    tip: *mut palpate_shaft_tip,
) -> palpate_status {
    call(|| {
        let out = Out::new(tip, "tip")?;
        // SAFETY: by the rules of the header.
        let own = unsafe { enter(tracker, "the tracker") }?;
        let candidate = own.tracker.candidate();
        out.put(palpate_shaft_tip {
            depth: own.tracker.depth(),
            length: own.shaft.length(),
            is_inside: u32::from(own.tracker.tip_is_inside()),
            cell: own.tracker.tip_cell().unwrap_or(PALPATE_NONE),
            is_near: u32::from(candidate.is_some()),
            reserved: 0,
            distance: candidate.map_or(f64::INFINITY, |candidate| candidate.distance),
            cosine: candidate.map_or(0.0, |candidate| candidate.cosine),
            feature: own.near,
        });
        Ok(())
    })
}

/// Lets the tip through the surface near it, until it has punctured it or left it: the decision is the host's, by its solver's force
/// on the tip's contact. Does nothing if the tip is near no surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_allow(tracker: *mut palpate_shaft_tracker) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe {
        enter(tracker, "the tracker")?.tracker.allow();
        Ok(())
    })
}

/// Writes 1 if the surface contact at a place of the shaft is left out, else 0: inside the tissue, within `distance` (metres, along
/// the shaft) of a crossing, and of the tip if it is allowed through. All other contacts of the shaft stay. The place is the one that
/// a contact names: the segment of a section, and the weight of the segment's rear end. May be asked from a filter
/// (`palpate_scene_set_filter`). Errors: no such section or segment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_is_let_through(
    tracker: *mut palpate_shaft_tracker,
    section: u32,
    segment: u32,
    weight: f64,
    distance: f64,
    is_let_through: *mut u32,
) -> palpate_status {
    call(|| {
        let out = Out::new(is_let_through, "is_let_through")?;
        // SAFETY: by the rules of the header.
        let own = unsafe { enter(tracker, "the tracker") }?;
        let place = own.shaft.place_in(section, segment, weight);
        let text = || {
            format!("the shaft has no segment {segment} of section {section}: wanted one of the last update")
        };
        let place = place.ok_or_else(|| Failure::range(text()))?;
        out.put(u32::from(own.tracker.is_let_through(&place, distance)));
        Ok(())
    })
}

/// Forgets everything but the ids that were given: the next update finds new crossings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_shaft_tracker_reset(tracker: *mut palpate_shaft_tracker) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let mut own = unsafe { enter(tracker, "the tracker") }?;
        own.tracker.reset();
        own.crossings.clear();
        own.path.clear();
        own.events.clear();
        own.near = NO_FEATURE;
        Ok(())
    })
}
