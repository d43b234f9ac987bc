//! The pairs of elements that could meet in a step.

use super::closest::{Closest, closest};
use super::element::Element;
use super::extent::Extent;
use super::implicit;
use super::mesh::Mesh;
use super::moves::{Moves, Shape};
use super::near::{Near, Scratch};
use super::rigid::Place;
use super::step::{Step, When};
use palpate_math::intersect::segment_triangle;
use palpate_math::{Aabb, Point, Vector};

/// Two parts, the distance they keep (radii included), and the number of their pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) parts: [usize; 2],
    pub(super) kept: f64,
    pub(super) pair: usize,
}

/// The buffers of a search, and what it has found.
#[derive(Default)]
pub(super) struct Search {
    pub(super) near: Vec<Near>,
    /// Cells that cross at the start; the number of elements that touch.
    pub(super) crossing: Vec<[Element; 2]>,
    pub(super) touching: usize,
    scope: Scope,
    /// Of the motion as it is: the number of pairs of elements that were asked, and whether one needs shortening.
    pub(super) asked: usize,
    pub(super) is_blocked: bool,
    pub(super) memory: Scratch,
    hits: Vec<u32>,
}

/// The motions that a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scope {
    /// The motion as it is.
    AsItIs,
    /// All motions to which the guard may shorten it.
    #[default]
    Shortened,
}

impl Search {
    pub(super) fn begin(&mut self, scope: Scope) {
        self.near.clear();
        self.crossing.clear();
        self.scope = scope;
        (self.touching, self.asked, self.is_blocked) = (0, 0, false);
    }

    /// Finds the pairs of elements of two parts.
    pub(super) fn find(&mut self, step: &Step<'_>, extents: &[Extent], of: &Parts) {
        let [a, b] = of.parts;
        if self.is_blocked || !extents[a].bounds.grown(of.kept).overlaps(&extents[b].bounds) {
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

    fn meshes(
        &mut self,
        step: &Step<'_>,
        extents: &[Extent],
        [a, b]: [usize; 2],
        [first, second]: [&Mesh; 2],
        of: &Parts,
    ) {
        let mut hits = std::mem::take(&mut self.hits);
        for cell in 0..first.len() as u32 {
            let bounds = self.bounds_of(step, a, first.cell(cell)).grown(of.kept);
            if self.is_blocked || !bounds.overlaps(&extents[b].bounds) {
                continue;
            }
            hits.clear();
            second.overlap(&in_tree(step, extents, b, &bounds), |hit| hits.push(hit));
            hits.sort_unstable();
            for &hit in &hits {
                let of_hit = || self.bounds_of(step, b, second.cell(hit));
                if (a != b || hit > cell) && bounds.overlaps(&of_hit()) {
                    self.cells(step, [(a, first, cell), (b, second, hit)], of);
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
                self.add(step, [Element::new(part, &[*vertex]), Element::whole(whole)], of);
            }
            return;
        }
        let bounds = extents[whole].bounds.grown(of.kept);
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        mesh.overlap(&in_tree(step, extents, part, &bounds), |hit| hits.push(hit));
        hits.sort_unstable();
        for &hit in &hits {
            if bounds.overlaps(&self.bounds_of(step, part, mesh.cell(hit))) {
                self.add(step, [Element::new(part, mesh.cell(hit)), Element::whole(whole)], of);
            }
        }
        self.hits = hits;
    }

    /// The elements of two cells, each of which its first cell lists: vertices against triangles, edges against edges, and
    /// points against what they are given.
    fn cells(
        &mut self,
        step: &Step<'_>,
        [(a, first, cell), (b, second, other)]: [(usize, &Mesh, u32); 2],
        of: &Parts,
    ) {
        let whole = [Element::new(a, first.cell(cell)), Element::new(b, second.cell(other))];
        if is_crossing(step, &whole) {
            self.crossing.push(whole);
            return;
        }
        if second.corners == 3 || first.corners == 1 {
            for vertex in first.own_vertices(cell) {
                self.add(step, [Element::new(a, &[vertex]), whole[1]], of);
            }
        }
        if first.corners == 3 || (second.corners == 1 && first.corners > 1) {
            for vertex in second.own_vertices(other) {
                self.add(step, [whole[0], Element::new(b, &[vertex])], of);
            }
        }
        for edge in first.own_edges(cell) {
            for crossed in second.own_edges(other) {
                self.add(step, [Element::new(a, &edge), Element::new(b, &crossed)], of);
            }
        }
    }

    /// Keeps two elements unless they stay apart in all motions of the [scope](Scope); of the motion as it is, asks them.
    fn add(&mut self, step: &Step<'_>, [a, b]: [Element; 2], of: &Parts) {
        if a.shares_vertex(&b) || is_one_body(step, &a, &b) {
            return;
        }
        let nearer = if [a, b].iter().all(|element| self.goes_straight(step, element.part)) {
            step.approach(&a, &b)
        } else {
            step.reach_of(&a) + step.reach_of(&b)
        };
        let within = of.kept + nearer + step.tolerance;
        if implicit::is_asked(step, [&a, &b]) {
            match implicit::start(step, [a, b], [of.kept, within], &mut self.memory.moved) {
                Ok(None) => {}
                Ok(Some((sides, need))) => self.keep(step, Near::of_function(step, sides, need, of.pair)),
                Err(implicit::Touching) => self.touching += 1,
            }
            return;
        }
        match closest(step, [&a, &b], When::Start, within, &mut self.memory.convex) {
            Closest::Touching => self.touching += 1,
            Closest::Beyond => {}
            Closest::Apart(normal, _) => {
                self.keep(step, Near::new(step, [a, b], normal, of.kept, of.pair));
            }
        }
    }

    fn keep(&mut self, step: &Step<'_>, mut near: Near) {
        match self.scope {
            Scope::Shortened => self.near.push(near),
            Scope::AsItIs => {
                self.asked += 1;
                self.is_blocked = self.is_blocked || !near.is_apart(step, &mut self.memory);
            }
        }
    }

    /// Whether the motion of a part is known, and straight.
    fn goes_straight(&self, step: &Step<'_>, part: usize) -> bool {
        self.scope == Scope::AsItIs && step.parts[part].moves.pose().is_none()
    }

    /// The box around what a cell can reach, without the radius of its part.
    fn bounds_of(&self, step: &Step<'_>, part: usize, vertices: &[u32]) -> Aabb {
        let at = |id: &u32, when| step.position(part, *id, when);
        if self.goes_straight(step, part) {
            let ends = vertices.iter().flat_map(|id| [When::Start, When::End].map(|when| at(id, when)));
            return Aabb::from_points(ends).grown(step.tolerance);
        }
        let around = |id: &u32| {
            let (reach, start) = (Vector::repeat(step.reach(part, *id)), at(id, When::Start));
            Aabb { min: start - reach, max: start + reach }
        };
        vertices.iter().map(around).fold(Aabb::EMPTY, |all, each| all.merged(&each)).grown(step.tolerance)
    }

    /// Removes the elements of cells that cross at the start.
    pub(super) fn drop_crossing(&mut self) {
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
fn is_crossing(step: &Step<'_>, [a, b]: &[Element; 2]) -> bool {
    if a.shares_vertex(b) {
        return false;
    }
    [(a, b), (b, a)].into_iter().any(|(edges, triangle)| {
        let &[p, q, r] = triangle.vertices() else { return false };
        let corners = [p, q, r].map(|id| step.position(triangle.part, id, When::Start));
        let count = [0, 0, 1, 3][edges.vertices().len()];
        (0..count).any(|k| {
            let ids = edges.vertices();
            let [start, end] =
                [ids[k], ids[(k + 1) % ids.len()]].map(|id| step.position(edges.part, id, When::Start));
            are_near(&[start, end], &corners)
                && segment_triangle(&start, &end, &corners[0], &corners[1], &corners[2]).is_some()
        })
    })
}

fn are_near(edge: &[Point; 2], corners: &[Point; 3]) -> bool {
    Aabb::from_points(edge).overlaps(&Aabb::from_points(corners))
}
