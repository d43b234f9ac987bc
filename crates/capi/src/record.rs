//! Recorded sessions: a recorder, a replay, and snapshots as text.

use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, copy_text, flag, options as read_options, options_struct, path, text};
use crate::scene::{Ids, all_pairs, palpate_pair_contacts, palpate_scene};
use crate::status::{Failure, PALPATE_OUT_OF_RANGE, palpate_status};
use crate::types::palpate_geometry_id;
use crate::wall::call;
use palpate::record::{Precision, RecordError, Recorder, RecorderOptions};
use palpate::replay::{Replay, ReplayError, ReplayOptions};
use palpate::snapshot::{SnapshotError, SnapshotOptions, session, text_differences};
use std::ffi::c_char;

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Recording(error) => Self::file(error),
            RecordError::Scene(error) => Self::from(error),
            other => Self::argument(other.to_string()),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Recording(error) => Self::file(error),
            ReplayError::Scene(error) => Self::from(error),
            ReplayError::NoSuchFrame { .. } => Self::new(PALPATE_OUT_OF_RANGE, error.to_string()),
            other => Self::argument(other.to_string()),
        }
    }
}

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Replay(error) => Self::from(*error),
            other => Self::argument(other.to_string()),
        }
    }
}

/// Records a scene step by step, so that a replay finds the same contacts, bit for bit. One call at a time.
pub struct palpate_recorder(Guarded<Option<Recorder>>);

objects! { palpate_recorder: Option<Recorder>; }

/// How much a recording keeps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_recorder_options {
    /// Set by `palpate_recorder_options_default`.
    pub struct_size: u32,
    /// Of so many recorded steps one is kept, the first; 1 by default: all.
    pub every: u32,
    /// Metres: how far a kept point may be from where it was; 0 by default: every bit is kept.
    pub error: f64,
    /// 1 to keep coordinates of points as single floats; 0 by default. `error` must be 0 then.
    pub single: u32,
    /// 0.
    pub reserved: u32,
}

impl Default for palpate_recorder_options {
    fn default() -> Self {
        Self { struct_size: size_of::<Self>() as u32, every: 1, error: 0.0, single: 0, reserved: 0 }
    }
}

options_struct! { palpate_recorder_options 24; }

/// The default options of a recorder.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_recorder_options_default() -> palpate_recorder_options {
    palpate_recorder_options::default()
}

/// `palpate_recorder_new` that keeps fewer bits or fewer steps. `options` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_recorder_new_with(
    scene: *mut palpate_scene,
    file: *const c_char,
    options: *const palpate_recorder_options,
    recorder: *mut *mut palpate_recorder,
) -> palpate_status {
    call(|| {
        let out = Out::new(recorder, "the place for the recorder")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let (scene, file) = unsafe { (enter(scene, "the scene")?, path(file, "file")?) };
        // SAFETY: by the rules of the header.
        let given = unsafe { read_options(options) }?;
        let precision = match (given.error, flag(given.single, "single")?) {
            (0.0, false) => Precision::Exact,
            (0.0, true) => Precision::Single,
            (error, false) => Precision::Within(error),
            (error, true) => {
                return Err(Failure::argument(format!(
                    "error is {error} and single is 1: wanted one of them"
                )));
            }
        };
        let options =
            RecorderOptions { precision, every: given.every as usize, ..RecorderOptions::default() };
        let made = Recorder::create_as(file, &scene.scene, options)?;
        out.put(boxed(palpate_recorder(Guarded::new("recorder", Some(made)))));
        Ok(())
    })
}

/// Starts a recording of a scene in a file that does not exist yet (HDF5, docs/recording.md). During it geometries and pairs must
/// not be added, removed or given other settings. Errors: `PALPATE_FILE`; a shape or a function of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_recorder_new(
    scene: *mut palpate_scene,
    file: *const c_char,
    recorder: *mut *mut palpate_recorder,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe { palpate_recorder_new_with(scene, file, std::ptr::null(), recorder) }
}

fn finished() -> Failure {
    Failure::argument("the recording is finished: wanted a recorder that is not")
}

/// Records the state of the scene after a step, at a time in seconds that must increase.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_recorder_record(
    recorder: *mut palpate_recorder,
    scene: *mut palpate_scene,
    time: f64,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let (mut recorder, scene) = unsafe { (enter(recorder, "the recorder")?, enter(scene, "the scene")?) };
        Ok(recorder.as_mut().ok_or_else(finished)?.record(&scene.scene, time)?)
    })
}

/// Completes the file. A recorder that is freed before leaves a journal, which replays, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_recorder_finish(recorder: *mut palpate_recorder) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let mut recorder = unsafe { enter(recorder, "the recorder") }?;
        Ok(recorder.take().ok_or_else(finished)?.finish()?)
    })
}

/// Frees a recorder. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_recorder_free(recorder: *mut palpate_recorder) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(recorder) })
}

/// A recorded session, frame by frame. One call at a time.
pub struct palpate_replay(Guarded<Session>);

/// The replay, and memory for what is handed out.
pub(crate) struct Session {
    replay: Replay,
    ids: Ids,
    views: Vec<palpate_pair_contacts>,
}

objects! { palpate_replay: Session; }

/// Opens a session with the pairs that it names, or all that have a detector. Free it with `palpate_replay_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_replay_open(
    file: *const c_char,
    replay: *mut *mut palpate_replay,
) -> palpate_status {
    call(|| {
        let out = Out::new(replay, "the place for the replay")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let file = unsafe { path(file, "file") }?;
        let replay = Replay::open(&[file], &ReplayOptions::default())?;
        let session = Session { replay, ids: Ids::new(), views: Vec::new() };
        out.put(boxed(palpate_replay(Guarded::new("replay", session))));
        Ok(())
    })
}

/// Frees a replay. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_replay_free(replay: *mut palpate_replay) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(replay) })
}

/// Writes the number of frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_replay_frame_count(
    replay: *mut palpate_replay,
    count: *mut usize,
) -> palpate_status {
    call(|| {
        let out = Out::new(count, "count")?;
        // SAFETY: by the rules of the header.
        out.put(unsafe { enter(replay, "the replay") }?.replay.frame_count());
        Ok(())
    })
}

/// Moves the geometries to a frame, from 0, finds its contacts, and writes its time in seconds and the pairs whose detectors ran;
/// valid until the next call with the replay. `time` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_replay_detect(
    replay: *mut palpate_replay,
    frame: usize,
    time: *mut f64,
    pairs: *mut *const palpate_pair_contacts,
    count: *mut usize,
) -> palpate_status {
    call(|| {
        let (out, out_count) = (Out::new(pairs, "pairs")?, Out::new(count, "count")?);
        // SAFETY: by the rules of the header.
        let mut session = unsafe { enter(replay, "the replay") }?;
        let Session { replay, ids, views } = &mut *session;
        replay.load(frame)?;
        replay.detect()?;
        if let Some(time) = Out::optional(time) {
            time.put(replay.time());
        }
        all_pairs(replay.scene(), ids, views);
        out.put(views.as_ptr());
        out_count.put(views.len());
        Ok(())
    })
}

/// Writes the name of an object of a session with a final zero byte, and its length without that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_replay_name(
    replay: *mut palpate_replay,
    geometry: palpate_geometry_id,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> palpate_status {
    call(|| {
        // SAFETY: by the rules of the header.
        let session = unsafe { enter(replay, "the replay") }?;
        let id = session.ids.geometry(geometry)?;
        let name = session.replay.scene().name(id)?;
        copy_text(name, (buffer, capacity), length)
    })
}

/// A text of palpate's. Free it with `palpate_text_free`.
pub struct palpate_text {
    text: String,
}

/// Writes a pointer to a text, which is UTF-8 and ends with a zero byte, and its length without that; valid until it is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_text_get(
    text: *const palpate_text,
    bytes: *mut *const c_char,
    length: *mut usize,
) -> palpate_status {
    call(|| {
        let (out, out_length) = (Out::new(bytes, "bytes")?, Out::new(length, "length")?);
        // SAFETY: by the rules of the header.
        let text = unsafe { text.as_ref() }.ok_or_else(|| Failure::null("text"))?;
        out.put(text.text.as_ptr().cast());
        out_length.put(text.text.len() - 1);
        Ok(())
    })
}

/// Frees a text. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_text_free(text: *mut palpate_text) {
    if !text.is_null() {
        // SAFETY: by the rules of the header it came from this library.
        drop(unsafe { Box::from_raw(text) });
    }
}

pub(crate) fn new_text(mut text: String) -> *mut palpate_text {
    text.push('\0');
    Box::into_raw(Box::new(palpate_text { text }))
}

/// Takes a snapshot of the contacts of a recorded session: a stable text for a simulator's own tests, to be kept in a file and
/// compared with `palpate_snapshot_compare`. Cost: one replay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_snapshot_take(
    file: *const c_char,
    snapshot: *mut *mut palpate_text,
) -> palpate_status {
    call(|| {
        let out = Out::new(snapshot, "the place for the text")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let taken = session(unsafe { path(file, "file") }?, &SnapshotOptions::default())?;
        out.put(new_text(taken.to_string()));
        Ok(())
    })
}

/// Compares two snapshots, the earlier first, and writes how many differences there are and a text with a line for each; `differences`
/// may be null. Lengths are compared with the tolerance that the earlier one names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_snapshot_compare(
    before: *const c_char,
    now: *const c_char,
    count: *mut usize,
    differences: *mut *mut palpate_text,
) -> palpate_status {
    call(|| {
        let out = Out::new(count, "count")?;
        // SAFETY: by the rules of the header.
        let (before, now) = unsafe { (text(before, "before")?, text(now, "now")?) };
        let found = text_differences(before, now)?;
        out.put(found.len());
        if let Some(out) = Out::optional(differences) {
            let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
            out.put(new_text(lines.join("\n")));
        }
        Ok(())
    })
}
