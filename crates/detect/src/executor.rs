//! Executors: run the chunks of a parallel loop.
//!
//! A detector splits its work into chunks of a fixed size and joins their contacts in chunk order, so that the number
//! of threads affects only the time.

use crate::{Flags, room};
use palpate_bvh::{InTurn, Tasks};
use palpate_contact::{CollisionData, Contact};
use std::any::Any;
use std::ops::Range;

/// The output and scratch memory of a chunk. Owned by the detector and reused, so that a settled step does not
/// allocate.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The contacts of the chunk, in order.
    pub contacts: Vec<Contact>,
    /// Buffer for the cells found by a tree query.
    pub candidates: Vec<u32>,
    /// The flags of the chunk.
    pub flags: Flags,
    /// Buffers of the detector's own.
    pub scratch: Scratch,
}

/// Buffers of any type, one of each; created on first use, and reused in later steps.
#[derive(Debug, Default)]
pub struct Scratch {
    slots: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Returns the buffer of this type, as its last user left it. Cost: a linear search of the few types in use.
    pub fn get<T: Default + Send + 'static>(&mut self) -> &mut T {
        let known = self.slots.iter().position(|slot| slot.is::<T>());
        let index = known.unwrap_or_else(|| {
            self.slots.push(Box::new(T::default()));
            self.slots.len() - 1
        });
        self.slots[index].downcast_mut().expect("the slot of this type")
    }
}

/// Runs chunks: one after the other, on rayon's pool, or on the host's own threads.
pub trait Executor: Sync {
    /// Calls `job` once for every chunk, with its number; returns when all are done.
    fn for_each(&self, chunks: &mut [Chunk], job: &(dyn Fn(usize, &mut Chunk) + Sync));

    /// Returns the maximum number of chunks passed at a time; all of them by default. Does not affect the contacts.
    fn chunks_at_a_time(&self) -> usize {
        usize::MAX
    }

    /// Returns the threads on which a scene prepares its geometries, see
    /// [`Geometry::prepare_by`](palpate_geometry::Geometry::prepare_by); the calling one by default. Does not affect their
    /// derived data.
    fn tasks(&self) -> &dyn Tasks {
        &InTurn
    }
}

/// One chunk after the other, on the calling thread, without touching the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    fn for_each(&self, chunks: &mut [Chunk], job: &(dyn Fn(usize, &mut Chunk) + Sync)) {
        for (number, chunk) in chunks.iter_mut().enumerate() {
            job(number, chunk);
        }
    }

    /// One: its contacts are appended while they are still in the cache, and its memory is reused by the next chunk.
    fn chunks_at_a_time(&self) -> usize {
        1
    }
}

/// Returns how many chunks a loop of `needed` chunks uses, at least one.
fn chunks_at_a_time(executor: &dyn Executor, needed: usize) -> usize {
    executor.chunks_at_a_time().clamp(1, needed.max(1))
}

/// The chunks of one detector's loop.
#[derive(Debug, Default)]
pub struct Chunks {
    chunks: Vec<Chunk>,
}

impl Chunks {
    /// Runs `job` over `0..count` in ranges of `size`, appends the contacts to `out` in order, and returns the union of
    /// the flags.
    pub fn run(
        &mut self,
        executor: &dyn Executor,
        count: usize,
        size: usize,
        job: impl Fn(Range<usize>, &mut Chunk) + Sync,
        out: &mut CollisionData,
    ) -> Flags {
        room::open(&mut out.contacts);
        let join = |chunk: &mut Chunk| {
            room::make_room(&mut out.contacts, chunk.contacts.len());
            out.contacts.extend_from_slice(&chunk.contacts);
        };
        self.run_joined(executor, count, size, job, join)
    }

    /// Creates the chunks that a loop of `needed` chunks uses, each made ready by `ready`, if there are fewer. Returns
    /// all chunks, at least one.
    pub(crate) fn make_ready(
        &mut self,
        executor: &dyn Executor,
        needed: usize,
        mut ready: impl FnMut(&mut Chunk),
    ) -> &mut [Chunk] {
        let at_a_time = chunks_at_a_time(executor, needed);
        while self.chunks.len() < at_a_time {
            let mut chunk = Chunk::default();
            ready(&mut chunk);
            self.chunks.push(chunk);
        }
        &mut self.chunks
    }

    /// Runs `job` over `0..count` in ranges of `size`, hands the chunks to `join` in order, and returns the union of the
    /// flags.
    pub(crate) fn run_joined(
        &mut self,
        executor: &dyn Executor,
        count: usize,
        size: usize,
        job: impl Fn(Range<usize>, &mut Chunk) + Sync,
        mut join: impl FnMut(&mut Chunk),
    ) -> Flags {
        let needed = count.div_ceil(size);
        let at_a_time = chunks_at_a_time(executor, needed);
        self.make_ready(executor, needed, |chunk| room::open(&mut chunk.contacts));
        let mut flags = Flags::empty();
        for first in (0..needed).step_by(at_a_time) {
            let chunks = &mut self.chunks[..at_a_time.min(needed - first)];
            executor.for_each(chunks, &|number, chunk| {
                chunk.contacts.clear();
                chunk.flags = Flags::empty();
                let start = (first + number) * size;
                job(start..(start + size).min(count), chunk);
            });
            for chunk in chunks {
                join(chunk);
                flags |= chunk.flags;
            }
        }
        flags
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use palpate_contact::Feature;
    use palpate_math::{Point, Vector};

    /// The numbers below `count`, each as the id of a contact, in chunks of seven.
    pub(crate) fn numbers(executor: &dyn Executor, count: usize) -> Vec<u64> {
        let mut out = CollisionData::new();
        let side = Feature::point(Point::origin());
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            chunk.contacts.extend(range.map(|n| Contact::exact(side, side, Vector::y(), 0.0, n as u64)));
        };
        Chunks::default().run(executor, count, 7, job, &mut out);
        out.contacts.iter().map(|contact| contact.id).collect()
    }

    /// A host that takes three chunks at a time and runs the last first.
    struct LastFirst;

    impl Executor for LastFirst {
        fn for_each(&self, chunks: &mut [Chunk], job: &(dyn Fn(usize, &mut Chunk) + Sync)) {
            assert!(chunks.len() <= 3, "{} chunks at a time", chunks.len());
            chunks.iter_mut().enumerate().rev().for_each(|(number, chunk)| job(number, chunk));
        }

        fn chunks_at_a_time(&self) -> usize {
            3
        }
    }

    #[test]
    fn every_item_is_done_once_and_in_order() {
        for count in [0, 1, 7, 8, 100] {
            let wanted: Vec<u64> = (0..count as u64).collect();
            assert_eq!(numbers(&Serial, count), wanted);
            assert_eq!(numbers(&LastFirst, count), wanted);
        }
    }
}
