//! The motion of a step, and how it is shortened.

use super::element::Element;
use super::moves::{Moves, Part, Shape};
use super::report::Mover;
use super::rigid::{Place, Rigid};
use nalgebra::{Isometry3, Matrix3};
use palpate_math::{Point, Vector};

/// The start of a step, or its end as it is at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Start,
    End,
}

/// A mover whose motion was changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) mover: Mover,
    /// The pair that changed it first.
    pub(super) pair: usize,
    /// Where the solver wanted a particle.
    pub(super) wanted: Point,
}

/// When movers were changed last: 0 for never.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    clock: u32,
    particles: Vec<u32>,
    bodies: Vec<u32>,
    pub(super) changes: Vec<Change>,
}

impl Stamps {
    pub(super) fn begin(&mut self, particles: usize, bodies: usize) {
        // Only what was changed in the last step is reset.
        for change in self.changes.drain(..) {
            match change.mover {
                Mover::Particle(k) => self.particles.get_mut(k).into_iter().for_each(|stamp| *stamp = 0),
                Mover::Body(k) => self.bodies.get_mut(k).into_iter().for_each(|stamp| *stamp = 0),
            }
        }
        self.particles.resize(particles, 0);
        self.bodies.resize(bodies, 0);
        self.clock = 1;
    }

    /// The present time, which is later than all before.
    pub(super) fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }
}

/// The motion of a step.
pub(super) struct Step<'a> {
    pub(super) parts: &'a [Part],
    pub(super) start: &'a [Point],
    pub(super) end: &'a mut [Point],
    pub(super) rigid: &'a mut [Rigid],
    pub(super) stamps: &'a mut Stamps,
    /// Metres: what rounding can make of a distance along a direction.
    pub(super) tolerance: f64,
}

const REST: Place = Place {
    rotation: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    origin: Point::new(0.0, 0.0, 0.0),
};

/// Bisections of an angle.
const BISECTIONS: usize = 24;

impl Step<'_> {
    /// Where a body that is not of particles is.
    pub(super) fn place(&self, part: usize, when: When) -> Place {
        match (self.parts[part].moves.pose().map(|index| &self.rigid[index]), when) {
            (Some(rigid), When::Start) => rigid.start,
            (Some(rigid), When::End) => rigid.end,
            (None, _) => REST,
        }
    }

    /// The same as a pose.
    pub(super) fn pose(&self, part: usize, when: When) -> Isometry3<f64> {
        match (self.parts[part].moves.pose().map(|index| &self.rigid[index]), when) {
            (Some(rigid), When::Start) => rigid.start_pose,
            (Some(rigid), When::End) => rigid.pose,
            (None, _) => Isometry3::identity(),
        }
    }

    /// The position of a vertex.
    #[inline]
    pub(super) fn position(&self, part: usize, vertex: u32, when: When) -> Point {
        let Part { moves, shape, .. } = &self.parts[part];
        match (moves, shape) {
            (Moves::Particles(first), _) => {
                let index = first + vertex as usize;
                if when == When::Start { self.start[index] } else { self.end[index] }
            }
            (Moves::Fixed, Shape::Mesh(mesh)) => mesh.local()[vertex as usize],
            (_, Shape::Mesh(mesh)) => self.place(part, when).point(&mesh.local()[vertex as usize]),
            _ => Point::origin(),
        }
    }

    /// The vertices of an element of a mesh; of fewer than three the last is repeated.
    #[inline]
    pub(super) fn corners(&self, element: &Element, when: When) -> [Point; 3] {
        let mut corners = [Point::origin(); 3];
        let mut last = None;
        for (k, corner) in corners.iter_mut().enumerate() {
            last = element.vertices().get(k).map(|id| self.position(element.part, *id, when)).or(last);
            *corner = last.unwrap_or(*corner);
        }
        corners
    }

    /// A bound on how far a vertex goes from its start.
    pub(super) fn reach(&self, part: usize, vertex: u32) -> f64 {
        let Part { moves, shape, .. } = &self.parts[part];
        match (moves, shape) {
            (Moves::Particles(first), _) => {
                let index = first + vertex as usize;
                (self.end[index] - self.start[index]).norm()
            }
            (Moves::Body(index) | Moves::Tool(index), Shape::Mesh(mesh)) => {
                self.rigid[*index].reach(mesh.local()[vertex as usize].coords.norm())
            }
            _ => 0.0,
        }
    }

    /// The same of all points of an element.
    pub(super) fn reach_of(&self, element: &Element) -> f64 {
        let Part { moves, shape, .. } = &self.parts[element.part];
        match (moves.pose(), shape) {
            (Some(index), Shape::Solid { reach, .. } | Shape::Implicit { reach, .. }) => {
                self.rigid[index].reach(*reach)
            }
            (Some(index), Shape::HalfSpace { point, .. }) => self.rigid[index].reach(point.coords.norm()),
            _ => element.vertices().iter().map(|id| self.reach(element.part, *id)).fold(0.0, f64::max),
        }
    }

    /// A bound on how much nearer two elements of particles, or fixed, come to each other on straight ways.
    pub(super) fn approach(&self, a: &Element, b: &Element) -> f64 {
        let (of_a, of_b) = (self.displacements(a), self.displacements(b));
        let mut largest = 0.0_f64;
        for way in &of_a[..a.vertices().len().max(1)] {
            for other in &of_b[..b.vertices().len().max(1)] {
                largest = largest.max((way - other).norm_squared());
            }
        }
        largest.sqrt()
    }

    /// The displacements of the vertices of an element of particles; zero for a fixed one.
    #[inline]
    fn displacements(&self, element: &Element) -> [Vector; 3] {
        let mut ways = [Vector::zeros(); 3];
        if let Moves::Particles(first) = self.parts[element.part].moves {
            for (way, id) in ways.iter_mut().zip(element.vertices()) {
                let index = first + *id as usize;
                *way = self.end[index] - self.start[index];
            }
        }
        ways
    }

    /// The lowest `normal · (x - origin)` of the points of an element, without its radius.
    pub(super) fn lowest(&self, element: &Element, when: When, normal: &Vector, origin: &Point) -> f64 {
        let part = &self.parts[element.part];
        if let Moves::Particles(_) = part.moves {
            let heights = element.vertices().iter().map(|id| self.position(element.part, *id, when));
            return heights.map(|point| normal.dot(&(point - origin))).fold(f64::INFINITY, f64::min);
        }
        lowest_at(part, element, &self.place(element.part, when), normal, origin)
    }

    /// Whether a particle among the vertices of a cell was changed after a time.
    pub(super) fn is_changed(&self, part: usize, vertices: &[u32], since: u32) -> bool {
        match self.parts[part].moves {
            Moves::Particles(first) => {
                vertices.iter().any(|id| self.stamps.particles[first + *id as usize] > since)
            }
            _ => false,
        }
    }

    /// The same of any particle of a part.
    pub(super) fn is_part_changed(&self, part: usize, since: u32) -> bool {
        let (Moves::Particles(first), Some(mesh)) = (self.parts[part].moves, self.parts[part].mesh()) else {
            return false;
        };
        let range = first..first + mesh.vertices;
        self.stamps.changes.iter().any(|change| match change.mover {
            Mover::Particle(k) => range.contains(&k) && self.stamps.particles[k] > since,
            Mover::Body(_) => false,
        })
    }

    /// Whether the solver has not moved an element, or everything was taken back.
    pub(super) fn is_unmoved(&self, element: &Element) -> bool {
        match self.parts[element.part].moves {
            Moves::Fixed => true,
            Moves::Body(index) | Moves::Tool(index) => self.rigid[index].is_unmoved(),
            Moves::Particles(first) => element.vertices().iter().all(|id| {
                let index = first + *id as usize;
                self.end[index] == self.start[index]
            }),
        }
    }

    pub(super) fn is_tool(&self, element: &Element) -> bool {
        matches!(self.parts[element.part].moves, Moves::Tool(_))
    }

    /// How much of what is missing each of two elements gives up, given how far each comes nearer; no more than that.
    pub(super) fn shares(&self, [a, b]: [&Element; 2], missing: f64, [from_a, from_b]: [f64; 2]) -> [f64; 2] {
        let share = match (self.is_tool(a), self.is_tool(b)) {
            (true, false) => missing - missing.min(from_b),
            (false, true) => missing.min(from_a),
            _ if from_b == 0.0 => missing,
            _ if from_a == 0.0 => 0.0,
            _ => missing * (from_a / (from_a + from_b)),
        };
        [share.min(from_a), (missing - share).min(from_b)]
    }

    /// When an element was changed last.
    pub(super) fn changed(&self, element: &Element) -> u32 {
        match self.parts[element.part].moves {
            Moves::Fixed => 0,
            Moves::Body(index) | Moves::Tool(index) => self.stamps.bodies[index],
            Moves::Particles(first) => {
                let stamps = element.vertices().iter().map(|id| self.stamps.particles[first + *id as usize]);
                stamps.fold(0, u32::max)
            }
        }
    }

    fn note(&mut self, mover: Mover, pair: usize) {
        let now = self.stamps.tick();
        let (stamp, wanted) = match mover {
            Mover::Particle(k) => (&mut self.stamps.particles[k], self.end[k]),
            Mover::Body(k) => (&mut self.stamps.bodies[k], Point::origin()),
        };
        if *stamp == 0 {
            self.stamps.changes.push(Change { mover, pair, wanted });
        }
        *stamp = now;
    }

    /// Shortens the motion of an element such that `normal · (x - origin)` is at least `floor` for all its points at the end,
    /// as it is at the start: a particle loses the part of its displacement that leads below; a body loses that part of its
    /// shift, then what is needed of its turn. No displacement becomes longer, since the start is on the right side.
    pub(super) fn lift(
        &mut self,
        element: &Element,
        (normal, origin): (&Vector, &Point),
        floor: f64,
        pair: usize,
    ) {
        match self.parts[element.part].moves {
            Moves::Fixed => {}
            Moves::Body(index) | Moves::Tool(index) => {
                let part = &self.parts[element.part];
                let lowest = |place: &Place| lowest_at(part, element, place, normal, origin);
                self.lift_body(index, normal, lowest, floor, pair);
            }
            Moves::Particles(first) => {
                for id in element.vertices() {
                    let index = first + *id as usize;
                    let below = floor - normal.dot(&(self.end[index] - origin));
                    if below > 0.0 {
                        self.note(Mover::Particle(index), pair);
                        self.end[index] += normal * below;
                    }
                }
            }
        }
    }

    /// Raises a point of a rigid body at the end by as much along the normal, in the same way.
    pub(super) fn lift_point(
        &mut self,
        element: &Element,
        local: &Point,
        (normal, origin): (&Vector, &Point),
        raise: f64,
        pair: usize,
    ) {
        if let Some(index) = self.parts[element.part].moves.pose()
            && raise > 0.0
        {
            let height = |place: &Place| normal.dot(&(place.point(local) - origin));
            let floor = height(&self.rigid[index].end) + raise;
            self.lift_body(index, normal, height, floor, pair);
        }
    }

    fn lift_body(
        &mut self,
        index: usize,
        normal: &Vector,
        lowest: impl Fn(&Place) -> f64,
        floor: f64,
        pair: usize,
    ) {
        let rigid = &self.rigid[index];
        let below = floor - lowest(&rigid.end);
        if below <= 0.0 {
            return;
        }
        let [shift, turn] = rigid.way;
        let back = below.min((-normal.dot(&shift)).max(0.0));
        let shift = shift + normal * back;
        let mut way = [shift, turn];
        if back < below && turn != Vector::zeros() {
            let (mut kept, mut lost) = (0.0, 1.0);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (kept + lost);
                let place = rigid.place_after([shift, turn * middle]);
                let is_above = lowest(&place) >= floor;
                if is_above { kept = middle } else { lost = middle }
            }
            way[1] = turn * kept;
        }
        self.note(Mover::Body(index), pair);
        self.rigid[index].set(way);
    }

    /// Multiplies the motion of an element by a factor; by 0 it is exactly where it was at the start.
    pub(super) fn scale(&mut self, element: &Element, factor: f64, pair: usize) {
        if self.is_unmoved(element) {
            return;
        }
        match self.parts[element.part].moves {
            Moves::Fixed => {}
            Moves::Body(index) | Moves::Tool(index) => {
                self.note(Mover::Body(index), pair);
                let way = self.rigid[index].way.map(|way| way * factor);
                self.rigid[index].set(way);
            }
            Moves::Particles(first) => {
                for id in element.vertices() {
                    let index = first + *id as usize;
                    self.note(Mover::Particle(index), pair);
                    let (start, way) = (self.start[index], self.end[index] - self.start[index]);
                    self.end[index] = if factor == 0.0 { start } else { start + way * factor };
                }
            }
        }
    }
}

/// The lowest point of an element of a body that is not of particles.
pub(super) fn lowest_at(
    part: &Part,
    element: &Element,
    place: &Place,
    normal: &Vector,
    origin: &Point,
) -> f64 {
    match &part.shape {
        Shape::Mesh(mesh) => {
            // In the frame of the body: one product instead of one per vertex.
            let base = normal.dot(&(place.origin - origin));
            let own = place.rotation.tr_mul(normal);
            let heights = element.vertices().iter().map(|id| own.dot(&mesh.local()[*id as usize].coords));
            base + heights.fold(f64::INFINITY, f64::min)
        }
        Shape::Solid { geometry, .. } => {
            let Some(convex) = geometry.as_convex() else { return f64::NEG_INFINITY };
            let own = convex.support_map().support(&-place.rotation.tr_mul(normal));
            normal.dot(&(place.point(&own) - origin))
        }
        Shape::Implicit { .. } => f64::NEG_INFINITY,
        Shape::HalfSpace { point, normal: outward, is_two_sided } => {
            let along = normal.dot(&(place.rotation * outward));
            // Below its plane a half-space has no end: it is bounded along its normal alone.
            let is_below = along <= -STRAIGHT || (*is_two_sided && along >= STRAIGHT);
            if is_below { normal.dot(&(place.point(point) - origin)) } else { f64::NEG_INFINITY }
        }
    }
}

/// The cosine of the angle above which two unit vectors are one direction.
const STRAIGHT: f64 = 1.0 - 1e-14;
