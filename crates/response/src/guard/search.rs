//! The pairs of elements that could meet in a step.

use super::closest::{Closest, between_corners, closest};
use super::element::Element;
use super::extent::Extent;
use super::implicit;
use super::mesh::{Mesh, edge_count};
use super::moves::{Moves, Shape};
use super::near::{Near, Scratch};
use super::rigid::Place;
use super::step::{Step, When};
use palpate_math::intersect::segment_triangle;
use palpate_math::{Aabb, Point, Vector};
use std::cmp::Reverse;

/// Two parts, the distance between their surfaces, the distance they keep (radii included), and the number of their pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) parts: [usize; 2],
    pub(super) distance: f64,
    pub(super) kept: f64,
    pub(super) pair: usize,
}

/// The buffers of a search, and what it has found.
#[derive(Default)]
pub(super) struct Search {
    pub(super) near: Vec<Near>,
    /// Cells that cross at the start, and elements that touch.
    pub(super) crossing: Vec<[Element; 2]>,
    pub(super) touching: Vec<[Element; 2]>,
    /// When the last search was; 0 if there was none in this step.
    since: u32,
    pub(super) memory: Scratch,
    hits: Vec<u32>,
}

/// An element of a mesh, and its corners at the start.
type Located = (Element, [Point; 3]);

/// A cell of a mesh.
struct Cell<'a> {
    mesh: &'a Mesh,
    number: u32,
    whole: Located,
}

impl<'a> Cell<'a> {
    fn new(step: &Step<'_>, (part, mesh): (usize, &'a Mesh), number: u32) -> Self {
        let element = Element::new(part, mesh.cell(number));
        Self { mesh, number, whole: (element, step.corners(&element, When::Start)) }
    }

    /// The vertices whose first cell it is.
    fn vertices(&self) -> impl Iterator<Item = Located> {
        let (element, corners) = &self.whole;
        let one = |k: usize| (Element::new(element.part, &[element.vertices()[k]]), [corners[k]; 3]);
        self.mesh.own_vertices(self.number).map(one)
    }

    /// The edges whose first cell it is.
    fn edges(&self) -> impl Iterator<Item = Located> {
        let (element, corners) = &self.whole;
        self.mesh.own_edges(self.number).map(|[i, j]| {
            let ids = element.vertices();
            (Element::new(element.part, &[ids[i], ids[j]]), [corners[i], corners[j], corners[j]])
        })
    }
}

impl Search {
    /// Forgets the last step.
    pub(super) fn begin(&mut self) {
        self.near.clear();
        self.crossing.clear();
        self.touching.clear();
        self.since = 0;
    }

    /// Drops the copies of solids: one has been replaced.
    pub(super) fn forget_solids(&mut self) {
        self.memory.moved.forget_solids();
    }

    /// Finds the pairs of elements that the motion as it is could bring together; after the first search of a step, those that
    /// can meet since the last by what was changed. Returns whether there are new ones.
    pub(super) fn update(&mut self, step: &mut Step<'_>, extents: &[Extent], pairs: &[Parts]) -> bool {
        let known = self.near.len();
        pairs.iter().for_each(|pair| self.find(step, extents, pair));
        if self.since > 0 {
            // Of duplicates the older one stays: it has been checked, or has shortened a motion.
            self.near.sort_unstable_by_key(|near| {
                (near.pair, near.a, near.b, Reverse(near.has_held), Reverse(near.checked))
            });
            self.near.dedup_by_key(|near| (near.pair, near.a, near.b));
            for list in [&mut self.crossing, &mut self.touching] {
                list.sort_unstable();
                list.dedup();
            }
        }
        let has_found = self.near.len() > known;
        self.drop_crossing();
        self.since = step.stamps.tick();
        has_found
    }

    /// Whether the motion as it is needs no shortening. Ends at the first pair of parts that needs it.
    pub(super) fn is_free(&mut self, step: &Step<'_>, extents: &[Extent], pairs: &[Parts]) -> bool {
        pairs.iter().all(|pair| {
            self.near.clear();
            self.find(step, extents, pair);
            self.drop_crossing();
            let Self { near, memory, .. } = self;
            near.iter_mut().all(|near| near.is_apart(step, memory))
        })
    }

    /// Finds the pairs of elements of two parts.
    fn find(&mut self, step: &Step<'_>, extents: &[Extent], of: &Parts) {
        let [a, b] = of.parts;
        // What is found beside a rigid body is found for all shorter motions.
        let is_new = self.since == 0
            || (is_straight(step, of) && of.parts.iter().any(|part| step.is_part_changed(*part, self.since)));
        if !is_new || !extents[a].bounds.grown(of.kept).overlaps(&extents[b].bounds) {
            return;
        }
        match (&step.parts[a].shape, &step.parts[b].shape) {
            (Shape::Mesh(first), Shape::Mesh(second)) => {
                // The cells of the smaller ask the tree of the larger.
                let is_swapped = first.len() > second.len();
                let order = if is_swapped { [b, a] } else { [a, b] };
                let meshes: [&Mesh; 2] = if is_swapped { [second, first] } else { [first, second] };
                self.meshes(step, extents, order, meshes, of);
            }
            (Shape::Mesh(mesh), _) => self.mesh_and_whole(step, extents, (a, mesh), b, of),
            (_, Shape::Mesh(mesh)) => self.mesh_and_whole(step, extents, (b, mesh), a, of),
            _ => self.add(step, [Element::whole(a), Element::whole(b)], of),
        }
    }

    /// Whether a cell may meet what it could not before.
    fn is_new(&self, step: &Step<'_>, part: usize, vertices: &[u32]) -> bool {
        self.since == 0 || step.is_changed(part, vertices, self.since)
    }

    fn meshes(
        &mut self,
        step: &Step<'_>,
        extents: &[Extent],
        [a, b]: [usize; 2],
        [first, second]: [&Mesh; 2],
        of: &Parts,
    ) {
        let (mut hits, is_straight) = (std::mem::take(&mut self.hits), is_straight(step, of));
        // In a mesh and itself the new cells find all others.
        let asks_all = self.since == 0 || (a != b && step.is_part_changed(b, self.since));
        for cell in 0..first.len() as u32 {
            let is_new = self.is_new(step, a, first.cell(cell));
            if !is_new && !asks_all {
                continue;
            }
            let bounds = bounds_of(step, (a, first.cell(cell)), is_straight).grown(of.kept);
            if !bounds.overlaps(&extents[b].bounds) {
                continue;
            }
            let asking = Cell::new(step, (a, first), cell);
            hits.clear();
            second.overlap(&in_tree(step, extents, b, &bounds), |hit| hits.push(hit));
            hits.sort_unstable();
            for &hit in &hits {
                let ids = second.cell(hit);
                let is_asked = if a == b {
                    // Of two new cells the first finds the second. Neighbours on a thread share a vertex.
                    let is_first = hit > cell || (hit < cell && !self.is_new(step, b, ids));
                    is_first && !(first.corners == 2 && first.cell(cell).iter().any(|id| ids.contains(id)))
                } else {
                    is_new || self.is_new(step, b, ids)
                };
                if is_asked && bounds.overlaps(&bounds_of(step, (b, ids), is_straight)) {
                    let found = Cell::new(step, (b, second), hit);
                    let is_behind = a == b && hit < cell;
                    self.cells(step, if is_behind { [&found, &asking] } else { [&asking, &found] }, of);
                }
            }
        }
        self.hits = hits;
    }

    /// A mesh against a solid or a half-space.
    fn mesh_and_whole(
        &mut self,
        step: &Step<'_>,
        extents: &[Extent],
        (part, mesh): (usize, &Mesh),
        whole: usize,
        of: &Parts,
    ) {
        if let Shape::HalfSpace { .. } = step.parts[whole].shape {
            // What is above a plane with its vertices is so with its cells.
            for vertex in mesh.used() {
                if self.is_new(step, part, &[*vertex]) {
                    self.add(step, [Element::new(part, &[*vertex]), Element::whole(whole)], of);
                }
            }
            return;
        }
        let bounds = extents[whole].bounds.grown(of.kept);
        let (mut hits, is_straight) = (std::mem::take(&mut self.hits), is_straight(step, of));
        hits.clear();
        mesh.overlap(&in_tree(step, extents, part, &bounds), |hit| hits.push(hit));
        hits.sort_unstable();
        for &hit in &hits {
            let ids = mesh.cell(hit);
            if self.is_new(step, part, ids) && bounds.overlaps(&bounds_of(step, (part, ids), is_straight)) {
                self.add(step, [Element::new(part, ids), Element::whole(whole)], of);
            }
        }
        self.hits = hits;
    }

    /// The elements of two cells, each of which its first cell lists: vertices against triangles, edges against edges, and
    /// points against what they are given.
    fn cells(&mut self, step: &Step<'_>, [first, second]: [&Cell<'_>; 2], of: &Parts) {
        if is_crossing(first, second) {
            self.crossing.push([first.whole.0, second.whole.0]);
            return;
        }
        let [corners_a, corners_b] = [first.mesh.corners, second.mesh.corners];
        if corners_b == 3 || corners_a == 1 {
            first.vertices().for_each(|vertex| self.add_of_meshes(step, [&vertex, &second.whole], of));
        }
        if corners_a == 3 || (corners_b == 1 && corners_a > 1) {
            second.vertices().for_each(|vertex| self.add_of_meshes(step, [&first.whole, &vertex], of));
        }
        for edge in first.edges() {
            second.edges().for_each(|crossed| self.add_of_meshes(step, [&edge, &crossed], of));
        }
    }

    /// Keeps two elements of meshes unless they are too far apart to meet.
    fn add_of_meshes(&mut self, step: &Step<'_>, [(a, p), (b, q)]: [&Located; 2], of: &Parts) {
        if a.shares_vertex(b) || is_one_body(step, a, b) {
            return;
        }
        match between_corners([a, b], [p, q], within(step, [a, b], of)) {
            Some(found) => self.keep(step, [*a, *b], found, of),
            None => self.add(step, [*a, *b], of),
        }
    }

    /// The same of two elements of which one is a whole body.
    fn add(&mut self, step: &Step<'_>, [a, b]: [Element; 2], of: &Parts) {
        if is_one_body(step, &a, &b) {
            return;
        }
        let within = within(step, [&a, &b], of);
        if implicit::is_asked(step, [&a, &b]) {
            match implicit::start(step, [a, b], [of.kept, within], &mut self.memory.moved) {
                Ok(None) => {}
                Ok(Some((sides, need))) => self.near.push(Near::of_function(step, sides, need, of.pair)),
                Err(implicit::Touching) => self.touching.push([a, b]),
            }
            return;
        }
        let found = closest(step, [&a, &b], When::Start, within, &mut self.memory.convex);
        self.keep(step, [a, b], found, of);
    }

    fn keep(&mut self, step: &Step<'_>, elements: [Element; 2], found: Closest, of: &Parts) {
        match found {
            Closest::Touching => self.touching.push(elements),
            Closest::Beyond => {}
            Closest::Apart(normal, _) => self.near.push(Near::new(step, elements, normal, of.kept, of.pair)),
        }
    }

    /// Removes the elements of cells that cross at the start.
    fn drop_crossing(&mut self) {
        let Self { near, crossing, .. } = self;
        if !crossing.is_empty() {
            near.retain(|near| {
                let is_of = |[a, b]: &[Element; 2]| {
                    (near.a.is_of(a) && near.b.is_of(b)) || (near.a.is_of(b) && near.b.is_of(a))
                };
                !crossing.iter().any(is_of)
            });
        }
    }
}

/// Whether both parts go straight: they are of particles, or at rest.
fn is_straight(step: &Step<'_>, of: &Parts) -> bool {
    of.parts.iter().all(|part| step.parts[*part].moves.pose().is_none())
}

/// The distance at the start up to which two elements could come too near.
fn within(step: &Step<'_>, [a, b]: [&Element; 2], of: &Parts) -> f64 {
    let nearer =
        if is_straight(step, of) { step.approach(a, b) } else { step.reach_of(a) + step.reach_of(b) };
    of.kept + nearer + step.tolerance
}

/// The box around what a cell passes on its straight way, or on any way that is no longer; without the radius of its part.
fn bounds_of(step: &Step<'_>, (part, vertices): (usize, &[u32]), is_straight: bool) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    for &id in vertices {
        let start = step.position(part, id, When::Start);
        if is_straight {
            bounds.include(&start);
            bounds.include(&step.position(part, id, When::End));
        } else {
            let reach = Vector::repeat(step.reach(part, id));
            bounds.include(&(start - reach));
            bounds.include(&(start + reach));
        }
    }
    bounds.grown(step.tolerance)
}

/// Whether both elements move with one rigid body, or not at all.
fn is_one_body(step: &Step<'_>, a: &Element, b: &Element) -> bool {
    let [first, second] = [a, b].map(|element| step.parts[element.part].moves);
    match (first, second) {
        (Moves::Fixed, Moves::Fixed) => true,
        _ => first.pose().is_some() && first.pose() == second.pose(),
    }
}

/// The box, grown and in the frame of the tree of a part.
fn in_tree(step: &Step<'_>, extents: &[Extent], part: usize, bounds: &Aabb) -> Aabb {
    let grown = bounds.grown(extents[part].growth);
    match step.parts[part].moves {
        Moves::Particles(_) | Moves::Fixed => grown,
        Moves::Body(_) | Moves::Tool(_) => to_local(&grown, &step.place(part, When::Start)),
    }
}

/// A box around a box, in the frame of a body.
fn to_local(bounds: &Aabb, place: &Place) -> Aabb {
    let (center, half) = (bounds.center(), bounds.size() * 0.5);
    let center = Point::from(place.rotation.tr_mul(&(center - place.origin)));
    let half = place.rotation.abs().tr_mul(&half);
    Aabb { min: center - half, max: center + half }
}

/// Whether an edge of one cell passes through the other, a triangle, at the start of the step.
fn is_crossing(a: &Cell<'_>, b: &Cell<'_>) -> bool {
    if a.whole.0.shares_vertex(&b.whole.0) {
        return false;
    }
    [(a, b), (b, a)].into_iter().any(|(edges, triangle)| {
        let ((_, ends), (_, corners)) = (&edges.whole, &triangle.whole);
        let len = edges.mesh.corners;
        triangle.mesh.corners == 3
            && (0..edge_count(len)).any(|k| {
                let [start, end] = [ends[k], ends[(k + 1) % len]];
                are_near(&[start, end], corners)
                    && segment_triangle(&start, &end, &corners[0], &corners[1], &corners[2]).is_some()
            })
    })
}

fn are_near(edge: &[Point; 2], corners: &[Point; 3]) -> bool {
    Aabb::from_points(edge).overlaps(&Aabb::from_points(corners))
}
