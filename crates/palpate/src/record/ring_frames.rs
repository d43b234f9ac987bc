//! The kept frames of a ring: states that do not change are shared, buffers are reused.

use crate::recording::{Frame, Placement, Point, SessionInfo, ShapeChange, State, TopologyChange};
use std::collections::VecDeque;
use std::sync::Arc;

/// A frame whose states may be those of the frame before.
struct Kept {
    time: f64,
    states: Vec<Arc<State>>,
    changes: Vec<TopologyChange>,
    shapes: Vec<ShapeChange>,
    placements: Vec<Placement>,
    /// Of what it does not share with the frame before it.
    bytes: usize,
}

/// The frames, the oldest first.
#[derive(Default)]
pub(super) struct RingFrames {
    frames: VecDeque<Kept>,
    /// States of dropped frames, whose memory is used again.
    spare: Vec<Arc<State>>,
    bytes: usize,
}

/// Bytes of a frame beside its states.
const FRAME_BYTES: usize = size_of::<Kept>();

impl RingFrames {
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn last_time(&self) -> Option<f64> {
        self.frames.back().map(|frame| frame.time)
    }

    pub(super) fn seconds(&self) -> f64 {
        match (self.frames.front(), self.frames.back()) {
            (Some(first), Some(last)) => last.time - first.time,
            _ => 0.0,
        }
    }

    /// Keeps a frame; its lists of changes are taken.
    pub(super) fn push(&mut self, frame: &mut Frame, info: &mut SessionInfo) {
        let mut bytes = FRAME_BYTES + size_of_val(&frame.placements[..]);
        let mut states = Vec::with_capacity(frame.states.len());
        bytes += frame.states.len() * size_of::<Arc<State>>();
        for (object, state) in frame.states.iter().enumerate() {
            let before = self.frames.back().map(|last| &last.states[object]);
            states.push(match before.filter(|before| has_same_bits(before, state)) {
                Some(before) => Arc::clone(before),
                None => {
                    bytes += bytes_of(state);
                    self.copy(state)
                }
            });
        }
        let (mut changes, mut shapes) =
            (std::mem::take(&mut frame.changes), std::mem::take(&mut frame.shapes));
        bytes += changes.iter().map(|change| 4 * change.topology.indices().len()).sum::<usize>();
        bytes += shapes.iter().map(|change| change.shape.len()).sum::<usize>();
        if self.frames.is_empty() {
            apply(info, &mut changes, &mut shapes);
        }
        self.bytes += bytes;
        let (time, placements) = (frame.time, frame.placements.clone());
        self.frames.push_back(Kept { time, states, changes, shapes, placements, bytes });
    }

    /// Drops the oldest frame: the session then begins with the next.
    pub(super) fn drop_first(&mut self, info: &mut SessionInfo) {
        let Some(first) = self.frames.pop_front() else { return };
        self.bytes -= first.bytes;
        for (object, state) in first.states.into_iter().enumerate() {
            match self.frames.front_mut() {
                // The next frame has it for its own now.
                Some(next) if Arc::ptr_eq(&next.states[object], &state) => {
                    let moved = bytes_of(&state);
                    next.bytes += moved;
                    self.bytes += moved;
                }
                _ if Arc::strong_count(&state) == 1 => self.spare.push(state),
                _ => {}
            }
        }
        self.spare.truncate(4 * info.objects.len());
        if let Some(next) = self.frames.front_mut() {
            apply(info, &mut next.changes, &mut next.shapes);
        }
    }

    /// Writes a frame to `frame`, as a writer expects it.
    pub(super) fn read(&self, number: usize, frame: &mut Frame) {
        let kept = &self.frames[number];
        frame.time = kept.time;
        frame.states.resize(kept.states.len(), State::Points(Vec::<Point>::new()));
        frame.states.iter_mut().zip(&kept.states).for_each(|(state, kept)| state.clone_from(kept));
        frame.changes.clone_from(&kept.changes);
        frame.shapes.clone_from(&kept.shapes);
        frame.placements.clone_from(&kept.placements);
    }

    /// A copy in memory of a dropped frame, if there is some of that size.
    fn copy(&mut self, state: &State) -> Arc<State> {
        let fits = |spare: &Arc<State>| spare.point_count() == state.point_count();
        let Some(at) = self.spare.iter().position(fits) else { return Arc::new(state.clone()) };
        let mut spare = self.spare.swap_remove(at);
        match (Arc::get_mut(&mut spare), state) {
            (Some(State::Points(own)), State::Points(points)) => {
                own.clear();
                own.extend_from_slice(points);
                spare
            }
            (Some(own), state) => {
                *own = state.clone();
                spare
            }
            (None, state) => Arc::new(state.clone()),
        }
    }
}

/// Makes changes those of the session's start.
fn apply(info: &mut SessionInfo, changes: &mut Vec<TopologyChange>, shapes: &mut Vec<ShapeChange>) {
    for change in changes.drain(..) {
        info.objects[change.object].topology = change.topology;
    }
    for change in shapes.drain(..) {
        info.objects[change.object].shape = Some(change.shape);
    }
}

fn bytes_of(state: &State) -> usize {
    let points = state.point_count().unwrap_or(0);
    size_of::<State>() + points * size_of::<Point>()
}

/// Whether all numbers have the same bits: -0 and 0 are replayed differently.
fn has_same_bits(one: &State, two: &State) -> bool {
    match (one, two) {
        (State::Points(one), State::Points(two)) => {
            // Most are told apart by their first or last point.
            let bits = |point: &Point| [point.x.to_bits(), point.y.to_bits(), point.z.to_bits()];
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| bits(one) == bits(two))
        }
        (State::Primitive(_), State::Primitive(_)) => one.checksum() == two.checksum() && one == two,
        _ => false,
    }
}
