//! One thread beside several: frames, and batches of queries. Wall time.

use std::path::Path;
use std::time::Instant;

use palpate::bvh::{Bvh, Cells, InTurn, Placement, Tasks};
use palpate::detect::Pool;
use palpate::geometry::{Geometry, Needs, SurfaceMesh};
use palpate::math::Point;
use palpate::math::intersect::triangles_meet;
use serde_json::{Value, json};

use super::input::{FRAMES, Input, Mesh, Motion};
use super::queries::meets_sphere;
use crate::Fallible;
use crate::timing::median;

const ROUNDS: usize = 9;

/// Parts of a batch for each thread, so that one that is late does not hold up the others.
const PARTS: usize = 4;

/// One operation on one thread and on several.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// What was done.
    pub operation: &'static str,
    /// The size of the input, as in the names of its files.
    pub size: &'static str,
    /// Number of queries of a batch; one for a frame.
    pub batch: usize,
    /// Number of threads.
    pub threads: usize,
    /// Milliseconds of one frame or one batch on one thread: wall time, the median of the rounds.
    pub one_ms: f64,
    /// The same on all threads.
    pub ms: f64,
    /// The time on one thread divided by that on all: the median over the rounds, in each of which both were timed.
    pub faster: f64,
    /// What was found, on one thread and on all.
    pub counts: [usize; 2],
}

impl Scaling {
    /// The heading of the lines.
    pub fn heading() -> String {
        format!(
            "{:<44} {:>5} {:>7} {:>7} {:>11} {:>11} {:>7} {:>9} {:>9}",
            "operation", "size", "batch", "threads", "1 thread ms", "ms", "faster", "count", "1 thread"
        )
    }

    fn measured(
        (operation, size, batch): (&'static str, &'static str, usize),
        threads: usize,
        items: usize,
        mut find: impl FnMut(bool) -> usize,
    ) -> Self {
        let mut counts = [false, true].map(&mut find);
        let (mut ones, mut many, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut timed = |is_parallel: bool| {
                let start = Instant::now();
                counts[usize::from(is_parallel)] = find(is_parallel);
                start.elapsed().as_secs_f64() * 1e3 / items as f64
            };
            let (one, all) = (timed(false), timed(true));
            ones.push(one);
            many.push(all);
            ratios.push(one / all);
        }
        let (one_ms, ms) = (median(&mut ones), median(&mut many));
        Self { operation, size, batch, threads, one_ms, ms, faster: median(&mut ratios), counts }
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": self.operation,
            "size": self.size,
            "batch": self.batch,
            "threads": self.threads,
            "one_thread_ms": self.one_ms,
            "ms": self.ms,
            "faster": self.faster,
            "count": self.counts[1],
            "one_thread_count": self.counts[0],
        })
    }

    /// The rows as a JSON list of objects.
    pub fn json(rows: &[Self]) -> String {
        Value::Array(rows.iter().map(Self::to_json).collect()).to_string()
    }
}

impl std::fmt::Display for Scaling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:<44} {:>5} {:>7} {:>7} {:>11.5} {:>11.5} {:>7.2} {:>9} {:>9}",
            self.operation,
            self.size,
            self.batch,
            self.threads,
            self.one_ms,
            self.ms,
            self.faster,
            self.counts[1],
            self.counts[0]
        )
    }
}

/// Measures all sizes of the folder on one thread and on so many. Errors: a file is missing or malformed, the threads
/// cannot be made.
pub fn measure_threads(
    folder: &Path,
    threads: usize,
    mut report: impl FnMut(&Scaling),
) -> Fallible<Vec<Scaling>> {
    let pool = Pool::new(threads)?;
    let mut rows = Vec::new();
    for size in ["5k", "20k", "80k"] {
        let input = Input::read(folder, size)?;
        let mut surface = SurfaceMesh::new(input.organ.vertices.clone(), input.organ.triangles.clone())?;
        surface.prepare(Needs::TREE | Needs::NORMALS);
        for measured in [refitted, rebuilt, prepared] {
            let row = pool.install(|| measured(&input, &surface, &pool));
            report(&row);
            rows.push(row);
        }
        for batch in [1_000, 10_000] {
            for measured in [closest, spheres] {
                let row = pool.install(|| measured(&input, &surface, batch, &pool));
                report(&row);
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// Sums what is counted in parts of a list.
fn sum<T: Sync>(items: &[T], parts: usize, tasks: &dyn Tasks, count: impl Fn(&T) -> usize + Sync) -> usize {
    let (length, count) = (items.len().div_ceil(parts).max(1), &count);
    let mut jobs: Vec<(&[T], usize)> = items.chunks(length).map(|part| (part, 0)).collect();
    let mut closures: Vec<_> =
        jobs.iter_mut().map(|(part, sum)| move || *sum = part.iter().map(count).sum()).collect();
    let mut list: Vec<&mut (dyn FnMut() + Send)> = Vec::new();
    for closure in &mut closures {
        list.push(closure);
    }
    tasks.run(&mut list);
    jobs.iter().map(|(_, sum)| sum).sum()
}

/// The tool, whose tree is built once, and the pairs of triangles that its boxes find.
struct Tool<'a> {
    mesh: &'a Mesh,
    tree: Bvh,
    pairs: Vec<(u32, u32)>,
}

impl<'a> Tool<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let mut tree = Bvh::default();
        tree.rebuild_cells(&Cells { ids: &mesh.triangles, positions: [&mesh.vertices] });
        Self { mesh, tree, pairs: Vec::new() }
    }

    /// Counts the triangles that intersect those of the organ: the candidates on one thread, the exact tests on all.
    fn met(
        &mut self,
        (organ, vertices): (&Mesh, &[Point]),
        tree: &Bvh,
        motion: &Motion,
        tasks: &dyn Tasks,
    ) -> usize {
        let placement = Placement { rows: motion.rotation, translation: motion.translation.into() };
        self.pairs.clear();
        tree.overlap_pairs_placed(&self.tree, &placement, |a, b| self.pairs.push((a, b)));
        let meets = |&(a, b): &(u32, u32)| {
            let of_organ = organ.triangles[a as usize].map(|id| &vertices[id as usize]);
            let of_tool =
                self.mesh.triangles[b as usize].map(|id| motion.applied(&self.mesh.vertices[id as usize]));
            usize::from(triangles_meet(of_organ, of_tool.each_ref()))
        };
        sum(&self.pairs, tasks.width(), tasks, meets)
    }
}

/// Sums over the frames what a frame counts.
fn over_frames(input: &Input, frame: impl FnMut((&Vec<Point>, &Motion)) -> usize) -> usize {
    input.frames.iter().zip(&input.poses).map(frame).sum()
}

/// The threads that a row uses.
fn chosen(is_parallel: bool, pool: &Pool) -> &dyn Tasks {
    if is_parallel { pool } else { &InTurn }
}

fn refitted(input: &Input, _: &SurfaceMesh, pool: &Pool) -> Scaling {
    let organ = &input.organ;
    let mut tool = Tool::new(&input.tool);
    let mut tree = Bvh::default();
    tree.rebuild_cells(&Cells { ids: &organ.triangles, positions: [&organ.vertices] });
    let name = ("refit, tool against deforming organ", input.size, 1);
    Scaling::measured(name, pool.width(), FRAMES, |is_parallel| {
        let tasks = chosen(is_parallel, pool);
        over_frames(input, |(vertices, motion)| {
            tree.refit_cells_by(&Cells { ids: &organ.triangles, positions: [vertices] }, tasks);
            tool.met((organ, vertices), &tree, motion, tasks)
        })
    })
}

fn rebuilt(input: &Input, _: &SurfaceMesh, pool: &Pool) -> Scaling {
    let organ = &input.organ;
    let mut tool = Tool::new(&input.tool);
    let mut tree = Bvh::default();
    let name = ("rebuild, tool against deforming organ", input.size, 1);
    Scaling::measured(name, pool.width(), FRAMES, |is_parallel| {
        let tasks = chosen(is_parallel, pool);
        over_frames(input, |(vertices, motion)| {
            tree.rebuild_cells_fast_by(&Cells { ids: &organ.triangles, positions: [vertices] }, tasks);
            tool.met((organ, vertices), &tree, motion, tasks)
        })
    })
}

fn prepared(input: &Input, surface: &SurfaceMesh, pool: &Pool) -> Scaling {
    let organ = &input.organ;
    let mut tool = Tool::new(&input.tool);
    let mut surface = surface.clone();
    let name = ("prepared mesh, tool against deforming organ", input.size, 1);
    Scaling::measured(name, pool.width(), FRAMES, |is_parallel| {
        let tasks = chosen(is_parallel, pool);
        over_frames(input, |(vertices, motion)| {
            let is_moved = surface.set_positions(vertices).is_ok();
            surface.prepare_by(Needs::TREE, tasks);
            let tree = surface.tree().filter(|_| is_moved);
            tree.map_or(0, |tree| tool.met((organ, vertices), tree, motion, tasks))
        })
    })
}

/// The parts of a batch.
fn parts(is_parallel: bool, pool: &Pool) -> usize {
    if is_parallel { PARTS * pool.width() } else { 1 }
}

/// So many items of a list, which begins anew where it is too short.
fn repeated<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    items.iter().cycle().take(count).cloned().collect()
}

fn closest(input: &Input, surface: &SurfaceMesh, batch: usize, pool: &Pool) -> Scaling {
    let points = repeated(&input.points, batch);
    let is_inside = |point: &Point| {
        let found = surface.signed_distance(point, f64::INFINITY);
        usize::from(found.is_some_and(|(signed, _)| signed.distance < 0.0))
    };
    Scaling::measured(("closest point, signed", input.size, batch), pool.width(), 1, |is_parallel| {
        sum(&points, parts(is_parallel, pool), chosen(is_parallel, pool), is_inside)
    })
}

fn spheres(input: &Input, surface: &SurfaceMesh, batch: usize, pool: &Pool) -> Scaling {
    let spheres = repeated(&input.spheres, batch);
    let organ = &input.organ;
    let count = |(center, radius): &(Point, f64)| {
        let mut count = 0;
        if let Some(tree) = surface.tree() {
            tree.in_ball(center, *radius, |id, is_certain| {
                count += usize::from(is_certain || meets_sphere(organ, id, center, *radius));
            });
        }
        count
    };
    Scaling::measured(("triangles in a sphere", input.size, batch), pool.width(), 1, |is_parallel| {
        sum(&spheres, parts(is_parallel, pool), chosen(is_parallel, pool), count)
    })
}
