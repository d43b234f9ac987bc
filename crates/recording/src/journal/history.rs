//! The cells and shapes of a session frame by frame, where frames may be missing.

use super::record::{Dependencies, Survey};
use crate::frame::{ShapeChange, TopologyChange};
use crate::header::{Header, StoredShape};
use crate::session::Topology;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

/// What the frames that were read so far leave known.
pub(super) struct History {
    /// Of each object, with the first frame of each; frames are counted without those that are missing.
    pub(super) topologies: Vec<Vec<(usize, Topology)>>,
    /// The newest cells of objects of which a change was read.
    newest: BTreeMap<usize, Topology>,
    /// From which frames on the cells and shapes are that are known.
    known: Dependencies,
    /// In journals of the first layout: objects whose cells or shapes may have changed in a missing frame.
    unknown: [BTreeSet<usize>; 2],
    /// Shapes that were read since the last frame.
    shapes: Vec<ShapeChange>,
    /// Changes since the last frame that is used.
    unused_cells: BTreeSet<usize>,
    unused_shapes: BTreeMap<usize, String>,
    after_gap: bool,
    /// Frames that there were, as far as can be seen, up to the last that was read.
    seen: u64,
    /// Frames that seem to be lost since.
    doubtful: u64,
    used: usize,
    last_used: Option<u64>,
    /// Whether frames are missing between others.
    pub(super) is_interrupted: bool,
}

impl History {
    /// Begins with the cells before the first frame.
    pub(super) fn new(topologies: Vec<Topology>) -> Self {
        Self {
            topologies: topologies.into_iter().map(|topology| vec![(0, topology)]).collect(),
            newest: BTreeMap::new(),
            known: Dependencies::default(),
            unknown: Default::default(),
            shapes: Vec::new(),
            unused_cells: BTreeSet::new(),
            unused_shapes: BTreeMap::new(),
            after_gap: false,
            seen: 0,
            doubtful: 0,
            used: 0,
            last_used: None,
            is_interrupted: false,
        }
    }

    /// Frames that are lost, as far as can be seen.
    pub(super) fn lost(&self) -> u64 {
        (self.seen + self.doubtful).saturating_sub(self.used as u64)
    }

    /// Takes note of damage with which so many frames seem to be lost.
    pub(super) fn damage(&mut self, frames: u64) {
        self.doubtful += frames;
        self.after_gap = true;
        self.shapes.clear();
    }

    /// Takes note of a shape, which belongs to the next frame.
    pub(super) fn shape(&mut self, change: ShapeChange) {
        self.shapes.push(change);
    }

    /// Takes note of a frame; whether it can be used, since all that it depends on is known. A number above `greatest` is
    /// damage.
    pub(super) fn frame(&mut self, survey: Survey, header: &mut Header, greatest: u64) -> bool {
        let Survey { numbered, changes, .. } = survey;
        let number = numbered.as_ref().map_or(self.seen + self.doubtful, |&(number, _)| number);
        let numbers = self.seen..=greatest.max(self.seen);
        if !numbers.contains(&number) || !changes.iter().all(|change| self.fits(change)) {
            self.damage(1);
            return false;
        }
        if std::mem::take(&mut self.after_gap) && numbered.is_none() {
            let with_cells = |(object, history): (usize, &Vec<(usize, Topology)>)| {
                history.first().is_some_and(|(_, topology)| topology.points_per_cell() > 0).then_some(object)
            };
            self.unknown[0] = self.topologies.iter().enumerate().filter_map(with_cells).collect();
            let with_shape = header.objects.iter().enumerate().filter(|(_, object)| object.shape.is_some());
            self.unknown[1] = with_shape.map(|(object, _)| object).collect();
        }
        (self.seen, self.doubtful) = (number + 1, 0);
        for TopologyChange { object, topology } in changes {
            self.known.cells.insert(object as u32, number);
            self.unknown[0].remove(&object);
            self.newest.insert(object, topology);
            self.unused_cells.insert(object);
        }
        for ShapeChange { object, shape } in std::mem::take(&mut self.shapes) {
            let is_of_this = |of: &Dependencies| of.shapes.get(&(object as u32)) == Some(&number);
            if numbered.as_ref().is_none_or(|(_, dependencies)| is_of_this(dependencies)) {
                self.known.shapes.insert(object as u32, number);
                self.unknown[1].remove(&object);
                self.unused_shapes.insert(object, shape);
            }
        }
        let is_usable = match &numbered {
            Some((_, dependencies)) => *dependencies == self.known,
            None => self.unknown.iter().all(BTreeSet::is_empty),
        };
        if is_usable {
            self.use_frame(number, header);
        }
        is_usable
    }

    fn use_frame(&mut self, number: u64, header: &mut Header) {
        let first_frame = self.used;
        for object in std::mem::take(&mut self.unused_cells) {
            let Some(topology) = self.newest.get(&object) else { continue };
            let history = &mut self.topologies[object];
            if first_frame == 0 {
                history.clear();
            }
            history.push((first_frame, topology.clone()));
        }
        for (object, shape) in std::mem::take(&mut self.unused_shapes) {
            let stored = &mut header.objects[object];
            match first_frame {
                0 => stored.shape = Some(shape),
                _ => stored.shape_changes.push(StoredShape { first_frame: first_frame as u64, shape }),
            }
        }
        self.is_interrupted |= self.last_used.is_some_and(|last| last + 1 != number);
        self.last_used = Some(number);
        self.used += 1;
    }

    /// Whether the object is there and has cells of this kind.
    fn fits(&self, change: &TopologyChange) -> bool {
        let first = self.topologies.get(change.object).and_then(|history| history.first());
        first.is_some_and(|(_, topology)| {
            discriminant(topology) == discriminant(&change.topology) && topology.points_per_cell() > 0
        })
    }
}
