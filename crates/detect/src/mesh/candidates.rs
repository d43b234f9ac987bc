//! The first half of the engine: the triangles in reach of a body, and what a kernel finds of each.

use crate::{Chunk, Chunks, Executor};
use palpate_convex::Memory;
use palpate_geometry::SurfaceMesh;
use palpate_math::{Aabb, Vector};
use std::ops::Range;

/// What a body has to do with a single triangle.
pub(crate) trait Kernel: Sync {
    /// What there is to say of a triangle.
    type Found: Copy + Send + 'static;

    /// Triangles of a chunk: some ten microseconds of work.
    const CHUNK: usize;

    /// Puts a triangle to the kernel; `None` where it is out of reach.
    fn triangle(&self, triangle: u32, memory: &mut Memory<Vector>) -> Option<Self::Found>;
}

/// What a chunk finds, and the memory of its queries.
struct ChunkScratch<F> {
    found: Vec<F>,
    memory: Memory<Vector>,
}

impl<F> Default for ChunkScratch<F> {
    fn default() -> Self {
        Self { found: Vec::new(), memory: Memory::default() }
    }
}

/// The triangles whose boxes are in reach, ascending, and what the kernel found of them in the same order. The memory is as large as
/// the number of triangles in reach.
#[derive(Debug)]
pub(crate) struct Candidates<F> {
    chunks: Chunks,
    memory: Memory<Vector>,
    /// The triangles.
    pub(crate) ids: Vec<u32>,
    /// What was found, of those in reach.
    pub(crate) found: Vec<F>,
}

impl<F> Default for Candidates<F> {
    fn default() -> Self {
        Self { chunks: Chunks::default(), memory: Memory::default(), ids: Vec::new(), found: Vec::new() }
    }
}

impl<F: Copy + Send + 'static> Candidates<F> {
    /// Finds the triangles whose boxes meet `reach` and puts each to the kernel.
    pub(crate) fn find<K: Kernel<Found = F>>(
        &mut self,
        surface: &SurfaceMesh,
        reach: &Aabb,
        kernel: &K,
        executor: &dyn Executor,
    ) {
        self.ids.clear();
        self.found.clear();
        if let Some(tree) = surface.tree() {
            tree.overlap(reach, |triangle| self.ids.push(triangle));
        }
        self.ids.sort_unstable();
        let (ids, found) = (&self.ids, &mut self.found);
        if ids.len() <= K::CHUNK {
            found.extend(ids.iter().filter_map(|&triangle| kernel.triangle(triangle, &mut self.memory)));
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
