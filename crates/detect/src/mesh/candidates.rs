//! Candidate triangles: a box query of the tree, and the kernel's result for each triangle.

use crate::room::{self, make_room};
use crate::{Chunk, Chunks, Executor, Serial};
use palpate_convex::Memory;
use palpate_geometry::SurfaceMesh;
use palpate_math::{Aabb, Point, Vector};
use std::ops::Range;

/// The test of a body against a single triangle.
pub(crate) trait Kernel: Sync {
    /// The result for one triangle.
    type Found: Copy + Send + 'static;

    /// Triangles per chunk: about ten microseconds of work.
    const CHUNK: usize;

    /// Makes room in the memory for all that a test may need. Nothing by default.
    fn make_room(&self, _memory: &mut Memory<Vector>) {}

    /// Tests a triangle; `None` if it is beyond the contact distance.
    fn triangle(&self, triangle: u32, memory: &mut Memory<Vector>) -> Option<Self::Found>;
}

/// The least room for results: near a fine mesh there are some dozens.
const FEWEST: usize = 64;

/// Results of a chunk, and the memory of its queries.
struct ChunkScratch<F> {
    found: Vec<F>,
    memory: Memory<Vector>,
}

impl<F> Default for ChunkScratch<F> {
    fn default() -> Self {
        Self { found: Vec::new(), memory: Memory::default() }
    }
}

/// The triangles whose boxes overlap the query box, in ascending order, and the kernel's results in the same order.
/// Memory is proportional to the number of candidates.
#[derive(Debug)]
pub(crate) struct Candidates<F> {
    chunks: Chunks,
    /// The candidate triangles.
    pub(crate) ids: Vec<u32>,
    /// The kernel's results, without those that are too far.
    pub(crate) found: Vec<F>,
}

impl<F> Default for Candidates<F> {
    fn default() -> Self {
        Self { chunks: Chunks::default(), ids: Vec::new(), found: Vec::new() }
    }
}

impl<F: Copy + Send + 'static> Candidates<F> {
    /// Finds the triangles whose boxes overlap `reach` and runs the kernel on each.
    pub(crate) fn find<K: Kernel<Found = F>>(
        &mut self,
        surface: &SurfaceMesh,
        reach: &Aabb,
        kernel: &K,
        executor: &dyn Executor,
    ) {
        self.ids.clear();
        if let Some(tree) = surface.tree() {
            tree.overlap(reach, |triangle| room::push(&mut self.ids, triangle));
        }
        self.run(kernel, executor);
    }

    /// Finds the triangles that may be within `reach` of a point and runs the kernel on each.
    pub(crate) fn find_in_ball<K: Kernel<Found = F>>(
        &mut self,
        surface: &SurfaceMesh,
        (center, reach): (&Point, f64),
        kernel: &K,
        executor: &dyn Executor,
    ) {
        self.ids.clear();
        if let Some(tree) = surface.tree() {
            tree.in_ball(center, reach, |triangle, _| room::push(&mut self.ids, triangle));
        }
        self.run(kernel, executor);
    }

    /// Returns the memory of the first chunk's queries.
    pub(crate) fn memory(&mut self) -> &mut Memory<Vector> {
        let chunks = self.chunks.make_ready(&Serial, 1, |_| {});
        &mut chunks[0].scratch.get::<ChunkScratch<F>>().memory
    }

    /// Runs the kernel on the candidates, in ascending order.
    fn run<K: Kernel<Found = F>>(&mut self, kernel: &K, executor: &dyn Executor) {
        self.found.clear();
        make_room(&mut self.found, self.ids.len().max(FEWEST));
        // The chunks that as many candidates as there is room for would need: the first step with more than one chunk may
        // come late.
        let chunks = self.chunks.make_ready(executor, self.found.capacity().div_ceil(K::CHUNK), |chunk| {
            let ChunkScratch { found, memory } = chunk.scratch.get::<ChunkScratch<F>>();
            found.reserve(K::CHUNK);
            kernel.make_room(memory);
        });
        self.ids.sort_unstable();
        let (ids, found) = (&self.ids, &mut self.found);
        if ids.len() <= K::CHUNK {
            let ChunkScratch { memory, .. } = chunks[0].scratch.get::<ChunkScratch<F>>();
            found.extend(ids.iter().filter_map(|&triangle| kernel.triangle(triangle, memory)));
            return;
        }
        let job = |range: Range<usize>, chunk: &mut Chunk| {
            let ChunkScratch { found, memory } = chunk.scratch.get::<ChunkScratch<F>>();
            found.clear();
            found.extend(ids[range].iter().filter_map(|&triangle| kernel.triangle(triangle, memory)));
        };
        let join = |chunk: &mut Chunk| found.extend_from_slice(&chunk.scratch.get::<ChunkScratch<F>>().found);
        self.chunks.run_joined(executor, ids.len(), K::CHUNK, job, join);
    }
}
