//! Trees over the cells of a mesh and over points, straight from positions.

use palpate_math::Point;

use crate::Bvh;
use crate::frame::{Frame, Lanes, all_larger, all_smaller};
use crate::tasks::{InTurn, Tasks};

/// Cells of `N` vertices each and the positions of the vertices at `K` times, such as the previous and the current: the
/// box of a cell contains its vertices at all of them.
///
/// All the lists of positions are equally long.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a, const N: usize, const K: usize> {
    /// The vertices of each cell. Those of three at one time are triangles to [`nearest`](Bvh::nearest) and
    /// [`in_ball`](Bvh::in_ball).
    pub ids: &'a [[u32; N]],
    /// The position of each vertex at each time.
    pub positions: [&'a [Point]; K],
}

impl Bvh {
    /// Rebuilds the tree over cells, any number of them; cell `i` is reported as number `i`. Reuses the tree's memory.
    ///
    /// A tree over cells knows no boxes in double precision: see the [crate] for what its queries report.
    ///
    /// # Panics
    /// With 2^31 cells or more, and if a cell has a vertex without a position.
    pub fn rebuild_cells<const N: usize, const K: usize>(&mut self, cells: &Cells<'_, N, K>) {
        self.rebuild_cells_by(cells, &InTurn);
    }

    /// Like [`rebuild_cells`](Self::rebuild_cells), on the threads of the caller, as far as it is divided among them: the same
    /// tree for any number.
    ///
    /// # Panics
    /// Like [`rebuild_cells`](Self::rebuild_cells).
    pub fn rebuild_cells_by<const N: usize, const K: usize>(
        &mut self,
        cells: &Cells<'_, N, K>,
        tasks: &dyn Tasks,
    ) {
        self.set_cells(cells, tasks);
        let vertices = std::mem::take(&mut self.buffers.vertices);
        self.rebuild_entries(cells.ids.len(), |id| around_if_any::<N, K>(&cells.ids[id], &vertices));
        self.buffers.vertices = vertices;
        self.order_cells(cells);
        self.remove_empty_cells(cells.ids);
    }

    /// Updates the boxes to other positions of the cells the tree was built over, and keeps the shape of the tree: each
    /// vertex is rounded once, and one pass over the cells follows. Without allocation. With a different number of
    /// cells this is [`rebuild_cells`](Self::rebuild_cells), which must be called when cells have other vertices.
    ///
    /// # Panics
    /// Like [`rebuild_cells`](Self::rebuild_cells).
    pub fn refit_cells<const N: usize, const K: usize>(&mut self, cells: &Cells<'_, N, K>) {
        self.refit_cells_by(cells, &InTurn);
    }

    /// Like [`refit_cells`](Self::refit_cells), on the threads of the caller: the same tree for any number of them.
    ///
    /// # Panics
    /// Like [`rebuild_cells`](Self::rebuild_cells).
    pub fn refit_cells_by<const N: usize, const K: usize>(
        &mut self,
        cells: &Cells<'_, N, K>,
        tasks: &dyn Tasks,
    ) {
        if cells.ids.len() != self.len() || self.buffers.cell_kind != [N, K] {
            self.rebuild_cells_by(cells, tasks);
            return;
        }
        self.set_vertices(&cells.positions, tasks);
        self.refit_ordered::<N, K>(tasks);
    }

    /// Stores the vertices of the cells in the order of the entries, in which refits and queries need them.
    pub(crate) fn order_cells<const N: usize, const K: usize>(&mut self, cells: &Cells<'_, N, K>) {
        let ordered = &mut self.buffers.cells;
        ordered.clear();
        ordered.extend(self.ids.iter().flat_map(|&id| cells.ids[id as usize]));
        self.buffers.cell_kind = [N, K];
    }

    /// Updates the boxes to the mapped vertices.
    pub(crate) fn refit_ordered<const N: usize, const K: usize>(&mut self, tasks: &dyn Tasks) {
        let vertices = std::mem::take(&mut self.buffers.vertices);
        let cells = std::mem::take(&mut self.buffers.cells);
        let kind = std::mem::take(&mut self.buffers.cell_kind);
        let (of_slot, _) = cells.as_chunks::<N>();
        self.refit_entries(tasks, |slot, _| around::<N, K>(&of_slot[slot], &vertices));
        self.buffers.vertices = vertices;
        self.buffers.cells = cells;
        self.buffers.cell_kind = kind;
    }

    /// Forgets the cells, before the tree is built over boxes or points.
    pub(crate) fn forget_cells(&mut self) {
        self.buffers.cells.clear();
        self.buffers.cell_kind = [0; 2];
    }

    /// Rebuilds the tree over points at one or several times, such as the previous and the current positions: like
    /// [`rebuild_cells`](Self::rebuild_cells) over cells of one vertex each.
    pub fn rebuild_points<const K: usize>(&mut self, positions: [&[Point]; K]) {
        self.forget_cells();
        self.buffers.used.clear();
        self.buffers.all_used = true;
        self.set_frame(&positions, &InTurn);
        let frame = self.frame;
        self.rebuild_entries(positions[0].len(), |id| around_point(&frame, &positions, id));
    }

    /// Updates the points and keeps the shape of the tree, like [`refit_cells`](Self::refit_cells).
    pub fn refit_points<const K: usize>(&mut self, positions: [&[Point]; K]) {
        let is_over_points = self.exact.is_empty() && self.buffers.cell_kind == [0; 2];
        if positions[0].len() != self.len() || !is_over_points {
            self.rebuild_points(positions);
            return;
        }
        self.set_frame(&positions, &InTurn);
        let frame = self.frame;
        self.refit_entries(&InTurn, |_, id| around_point(&frame, &positions, id));
    }
}

/// Returns the box around a cell; empty for one without vertices.
#[inline]
pub(crate) fn around_if_any<const N: usize, const K: usize>(ids: &[u32; N], vertices: &[[f32; 4]]) -> Lanes {
    if ids[0] == u32::MAX { Lanes::EMPTY } else { around::<N, K>(ids, vertices) }
}

/// Returns the box around a cell.
#[inline]
pub(crate) fn around<const N: usize, const K: usize>(ids: &[u32; N], vertices: &[[f32; 4]]) -> Lanes {
    let count = vertices.len() / K;
    let first = vertices[ids[0] as usize];
    let mut bounds = Lanes { low: first, high: first };
    for time in 0..K {
        for id in &ids[usize::from(time == 0)..] {
            let vertex = &vertices[time * count + *id as usize];
            bounds.low = all_smaller(vertex, &bounds.low);
            bounds.high = all_larger(vertex, &bounds.high);
        }
    }
    bounds
}

/// Returns the box around the places of a point.
#[inline]
fn around_point<const K: usize>(frame: &Frame, positions: &[&[Point]; K], id: usize) -> Lanes {
    let mut bounds = Lanes::EMPTY;
    for positions in positions {
        let point = frame.map(&positions[id]);
        bounds = bounds.merged(&Lanes { low: point, high: point });
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, pairs_by_brute_force};
    use palpate_math::nearest::point_triangle_distance_squared;
    use palpate_math::{Aabb, Vector};

    struct Mesh {
        name: &'static str,
        triangles: Vec<[u32; 3]>,
        positions: Vec<Point>,
    }

    impl Mesh {
        fn cells<'a>(&'a self, positions: &'a [Point]) -> Cells<'a, 3, 1> {
            Cells { ids: &self.triangles, positions: [positions] }
        }

        fn boxes(&self, positions: &[Point]) -> Vec<Aabb> {
            let around = |ids: &[u32; 3]| Aabb::from_points(ids.map(|id| positions[id as usize]));
            self.triangles.iter().map(around).collect()
        }

        /// The length to which single precision resolves positions.
        fn resolution(&self) -> f64 {
            let bounds = Aabb::from_points(&self.positions);
            (bounds.max - bounds.min).amax() * f64::from(f32::EPSILON)
        }
    }

    /// Wavy sheets of triangles, of several sizes and far away, one with vertices that no triangle has.
    fn meshes() -> Vec<Mesh> {
        let places = [
            ("one metre", 0.0, 1.0, 0),
            ("two triangles", 0.0, 1.0, 1),
            ("far", 1e7, 1.0, 0),
            ("minute", 0.0, 2.0_f64.powi(-140), 0),
            ("minute and far", 1e7, 2.0_f64.powi(-140), 0),
            ("huge", 3.0, 2.0_f64.powi(140), 0),
            ("with unused vertices", 0.0, 1.0, 2),
        ];
        let mesh = |(name, place, size, kind): (&'static str, f64, f64, u32)| {
            let side = if kind == 1 { 2 } else { 13 };
            let wave = |i: u32, j: u32| (f64::from(i) * 0.7).sin() * (f64::from(j) * 0.9).cos();
            let vertex = |i, j| {
                let local = Vector::new(f64::from(i) * 0.1, f64::from(j) * 0.1, 0.2 * wave(i, j));
                Point::from((local + Vector::repeat(place)) * size)
            };
            let mut positions: Vec<Point> =
                (0..side).flat_map(|i| (0..side).map(move |j| (i, j))).map(|(i, j)| vertex(i, j)).collect();
            let quads = (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| i * side + j));
            let triangles =
                quads.flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]]).collect();
            if kind == 2 {
                positions.push(Point::new(1e30, -1e30, 1e30));
            }
            Mesh { name, triangles, positions }
        };
        places.into_iter().map(mesh).collect()
    }

    fn moved(mesh: &Mesh, sample: &mut Sample) -> Vec<Point> {
        let used =
            Aabb::from_points(mesh.triangles.as_flattened().iter().map(|&id| mesh.positions[id as usize]));
        let size = (used.max - used.min).amax();
        mesh.positions.iter().map(|position| position + sample.vector() * (0.1 * size)).collect()
    }

    fn found(tree: &Bvh, query: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        tree.overlap(query, |id| found.push(id));
        found.sort_unstable();
        found
    }

    /// Refitted and rebuilt trees report the same: all that overlap, and nothing that is farther away than the
    /// resolution.
    #[test]
    fn queries_report_every_cell_and_hardly_more() {
        let mut sample = Sample::new(31);
        let (mut hits, mut more) = (0, 0);
        for mesh in meshes() {
            let name = mesh.name;
            let positions = moved(&mesh, &mut sample);
            let boxes = mesh.boxes(&positions);
            let [mut rebuilt, mut refitted] = [Bvh::default(), Bvh::default()];
            rebuilt.rebuild_cells(&mesh.cells(&positions));
            refitted.rebuild_cells(&mesh.cells(&mesh.positions));
            refitted.refit_cells(&mesh.cells(&positions));
            let whole = boxes.iter().fold(Aabb::EMPTY, |whole, bounds| whole.merged(bounds));
            assert_eq!((rebuilt.bounds(), refitted.bounds()), (whole, whole), "{name}");
            let slack = 4.0 * mesh.resolution().min((whole.max - whole.min).amax() * 1e-6);
            for (id, bounds) in boxes.iter().enumerate() {
                let size = (whole.max - whole.min).amax();
                let touching = Aabb { min: bounds.max, max: bounds.max + Vector::repeat(0.1 * size) };
                let near = bounds.grown(0.1 * size * sample.number().abs());
                for query in [*bounds, touching, near, Aabb::from_point(bounds.center())] {
                    let reported = found(&refitted, &query);
                    assert_eq!(reported, found(&rebuilt, &query), "{name}");
                    for (other, bounds) in (0..).zip(&boxes) {
                        let is_reported = reported.binary_search(&other).is_ok();
                        assert!(is_reported || !bounds.overlaps(&query), "{name}: {id} {other}");
                        assert!(!is_reported || bounds.grown(slack).overlaps(&query), "{name}: {id} {other}");
                        hits += usize::from(is_reported);
                        more += usize::from(is_reported && !bounds.overlaps(&query));
                    }
                }
            }
        }
        assert!(hits > 10_000 && more < hits / 100, "{hits} {more}");
    }

    /// The closest triangle: the same number from a tree over cells, refitted or not, as by brute force.
    #[test]
    fn the_nearest_cell_is_exact() {
        let mut sample = Sample::new(32);
        for mesh in meshes() {
            let positions = moved(&mesh, &mut sample);
            let boxes = mesh.boxes(&positions);
            let mut tree = Bvh::default();
            tree.rebuild_cells(&mesh.cells(&mesh.positions));
            tree.refit_cells(&mesh.cells(&positions));
            let whole = tree.bounds();
            for round in 0..200 {
                let away = if round % 4 == 0 { 1e5 } else { 1.0 };
                let off = sample.vector().component_mul(&(whole.max - whole.min)) * away;
                let point = whole.center() + off;
                let ask = |id: u32| {
                    let [a, b, c] = mesh.triangles[id as usize].map(|id| positions[id as usize]);
                    point_triangle_distance_squared(&point, &a, &b, &c)
                };
                let all = (0..boxes.len() as u32).map(|id| (id, ask(id)));
                let expected = all.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                assert_eq!(tree.nearest(&point, f64::INFINITY, ask), expected, "{}", mesh.name);
                let hint = Some(round % boxes.len() as u32);
                assert_eq!(tree.nearest_from(&point, f64::INFINITY, hint, ask), expected, "{}", mesh.name);
            }
        }
    }

    #[test]
    fn pairs_contain_those_by_brute_force() {
        let mut sample = Sample::new(33);
        let mut total = 0;
        for mesh in meshes() {
            let positions = moved(&mesh, &mut sample);
            let [here, there] = [mesh.boxes(&mesh.positions), mesh.boxes(&positions)];
            let [mut a, mut b] = [Bvh::default(), Bvh::default()];
            a.rebuild_cells(&mesh.cells(&mesh.positions));
            b.rebuild_cells(&mesh.cells(&positions));
            let mut pairs = Vec::new();
            a.overlap_pairs(&b, |first, second| pairs.push((first, second)));
            pairs.sort_unstable();
            let expected = pairs_by_brute_force(&here, &there);
            assert!(expected.iter().all(|pair| pairs.binary_search(pair).is_ok()), "{}", mesh.name);
            assert!(pairs.len() <= expected.len() + expected.len() / 20, "{}", mesh.name);
            assert!(pairs.windows(2).all(|pairs| pairs[0] != pairs[1]), "{}", mesh.name);
            total += pairs.len();
        }
        assert!(total > 1000, "{total}");
    }

    #[test]
    fn cells_at_two_times_are_swept() {
        let positions = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let after = positions.map(|position| position + Vector::new(0.0, 0.0, 4.0));
        let between = Aabb::from_point(Point::new(0.25, 0.25, 2.0));
        let mut tree = Bvh::default();
        tree.rebuild_cells(&Cells { ids: &[[0, 1, 2]], positions: [&positions, &after] });
        assert_eq!(found(&tree, &between), [0]);
        assert_eq!(tree.bounds().max.z, 4.0);
        let more = [[0, 1, 2], [0, 2, 1]];
        assert!(!tree.add_cells(&Cells { ids: &more, positions: [&after] }));
        tree.refit_cells(&Cells { ids: &[[0, 1, 2]], positions: [&after, &after] });
        assert_eq!(found(&tree, &between), [0; 0]);
    }

    #[test]
    fn points_are_cells_of_one_vertex() {
        let mut sample = Sample::new(34);
        let points: Vec<Point> = (0..400).map(|_| sample.point()).collect();
        let after: Vec<Point> = points.iter().map(|point| point + sample.vector() * 0.1).collect();
        let ids: Vec<[u32; 1]> = (0..400).map(|id| [id]).collect();
        let [mut of_points, mut of_cells] = [Bvh::default(), Bvh::default()];
        of_points.rebuild_points([&points, &after]);
        of_cells.rebuild_cells(&Cells { ids: &ids, positions: [&points, &after] });
        assert_eq!((&of_points.ids, &of_points.entries), (&of_cells.ids, &of_cells.entries));
        of_points.refit_points([&after, &after]);
        of_cells.refit_cells(&Cells { ids: &ids, positions: [&after, &after] });
        assert_eq!((&of_points.ids, &of_points.entries), (&of_cells.ids, &of_cells.entries));
        let query = Aabb::from_point(after[7]);
        assert_eq!(found(&of_points, &query), [7]);
        of_points.refit_points([&points[..9]]);
        assert_eq!(of_points.len(), 9);
        // Of whatever kind the tree was.
        of_cells.rebuild_cells(&Cells { ids: &[[0, 1, 2]], positions: [&points] });
        of_cells.refit_points([&points[7..8]]);
        let distance = |_: u32| (points[7] - after[7]).norm_squared();
        let found = of_cells.nearest(&after[7], f64::INFINITY, distance);
        assert_eq!(found, Some((0, distance(0))));
    }

    /// A refit of cells is the refit of their boxes: the same boxes in single precision, and the same nodes.
    #[test]
    fn refitting_cells_is_refitting_their_boxes() {
        let mut sample = Sample::new(35);
        for mesh in meshes() {
            let positions = moved(&mesh, &mut sample);
            let [mut of_cells, mut of_boxes] = [Bvh::default(), Bvh::build(&mesh.boxes(&mesh.positions))];
            of_cells.rebuild_cells(&mesh.cells(&mesh.positions));
            of_cells.refit_cells(&mesh.cells(&positions));
            of_boxes.refit(&mesh.boxes(&positions));
            assert_eq!(
                (&of_cells.ids, &of_cells.entries),
                (&of_boxes.ids, &of_boxes.entries),
                "{}",
                mesh.name
            );
            assert_eq!(
                (of_cells.bounds(), of_cells.wear()),
                (of_boxes.bounds(), of_boxes.wear()),
                "{}",
                mesh.name
            );
        }
    }
}
