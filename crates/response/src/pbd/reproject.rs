//! Rows at new positions, without detecting again.

use super::body::Positions;
use super::elements::{ElementGap, edge_edge, point_edge, point_point, point_triangle};
use super::row::{Anchor, Entry, Link, Row};
use super::rows::Rows;
use crate::tangents::transported;
use palpate_contact::FeatureKind::{self, Edge, Point as Fixed, Triangle, Vertex};
use palpate_math::nearest::{self, point_segment, segment_segment};
use palpate_math::{Point, Vector};

/// With witness points farther outside their elements than the size of these, in weights, a row stays as it was.
const FARTHEST: f64 = 1.0;

/// What the vertices of both sides define.
struct Update {
    direction: Vector,
    /// None if they stay as they are.
    weights: Option<[[f64; 4]; 2]>,
    is_inside: bool,
}

impl Rows {
    /// Recomputes direction, weights and witness points of every row from its two elements at `positions`: the gap is then
    /// exact for these elements again, also after large rotations. Multipliers stay: before another substep call
    /// [`begin_substep`](Self::begin_substep).
    ///
    /// | elements | gap |
    /// |---|---|
    /// | vertex–vertex, vertex–edge, vertex–triangle, edge–edge | of [`elements`](super::elements), less the radii |
    /// | a vertex, edge or triangle and a rigid body | along the direction that turns with the body; for a triangle along its normal |
    /// | two rigid bodies | along the direction that turns with side B |
    /// | others (tetrahedra, crossing elements, parallel edges) | linear, as found |
    ///
    /// **Trust**: let `δ` be the largest displacement of a vertex since the contacts were found with margin `m`. A gap
    /// between two bodies changes by at most `2 δ`: what had no row is apart while `2 δ ≤ m`, and a row whose witness points
    /// are still [on their elements](super::RowRef::is_beyond) is off the gap between the bodies by at most `4 δ`, and exact for
    /// its elements. [`largest_displacement`](Self::largest_displacement) gives `δ`.
    pub fn reproject<'p>(&mut self, positions: impl Into<Positions<'p>>) {
        self.reproject_rows(&positions.into(), false);
    }

    /// The same, with witness points that stay on their elements: where [`reproject`](Self::reproject) takes the line or plane
    /// through an element, this takes the closest point of the element itself, an edge or a vertex of it. The gap is then
    /// that of the two elements, wherever they have moved. A row that was not [beyond](super::RowRef::is_beyond) and turns by more
    /// than a right angle in one call has passed through: it keeps its side and draws the two back.
    ///
    /// It suits margins of the size of the elements: a row pushes nothing that is beside its element. It suits elements
    /// with radii or thickness: without these the direction is lost where the two touch, and the row stays as it was.
    pub fn reproject_on_elements<'p>(&mut self, positions: impl Into<Positions<'p>>) {
        self.reproject_rows(&positions.into(), true);
    }

    fn reproject_rows(&mut self, positions: &Positions<'_>, on_elements: bool) {
        for row in &mut self.rows {
            let anchors =
                row.first_anchor as usize..row.first_anchor as usize + usize::from(row.anchor_count);
            let (entries, links) = (row.entry_range(), row.link_range());
            let (entries, links) = (&mut self.entries[entries], &self.links[links]);
            row.reproject(entries, links, &self.anchors[anchors], positions, on_elements);
        }
    }

    /// The largest displacement of a particle between two positions, metres; NaN if one is. See
    /// [`reproject`](Self::reproject).
    pub fn largest_displacement(from: &[Point], to: &[Point]) -> f64 {
        let squares = from.iter().zip(to).map(|(from, to)| (to - from).norm_squared());
        squares
            .fold(0.0, |most: f64, square| if square > most || square.is_nan() { square } else { most })
            .sqrt()
    }
}

impl Row {
    fn reproject(
        &mut self,
        entries: &mut [Entry],
        links: &[Link],
        anchors: &[Anchor],
        positions: &Positions<'_>,
        on_elements: bool,
    ) {
        let points = points(entries, links, anchors, positions);
        let turned = self.turned_direction(anchors, positions);
        let Some(mut update) = self.update(&points, &turned) else { return };
        if on_elements && !update.is_inside {
            let Some(mut closest) = on_elements_of(self.kinds, &points) else { return };
            // What turns by more than a right angle at once, and was not beside its element, has passed through: drawn back.
            if !self.is_beyond && closest.direction.dot(&self.direction) < 0.0 {
                closest.direction = -closest.direction;
            }
            update = closest;
        }
        self.is_beyond = !update.is_inside;
        let is_far = |weight: &f64| !(-FARTHEST..=1.0 + FARTHEST).contains(weight);
        if update.weights.iter().flatten().flatten().any(is_far) {
            return;
        }
        if update.direction != self.direction {
            self.tangents = transported(&update.direction, &self.tangents);
            self.direction = update.direction;
        }
        let Some(weights) = update.weights else { return };
        entries.iter_mut().for_each(|entry| entry.weight = 0.0);
        for link in links {
            let (side, vertex) = (usize::from(link.slot / 4), usize::from(link.slot % 4));
            let weight = weights[side][vertex] * link.coefficient;
            entries[usize::from(link.entry)].weight += if side == 0 { weight } else { -weight };
        }
    }

    /// The direction, turned with the rigid body of side B, or else of side A.
    fn turned_direction(&self, anchors: &[Anchor], positions: &Positions<'_>) -> Vector {
        for anchor in anchors.iter().rev() {
            if let Anchor::Rigid { body, direction, .. } = anchor {
                return positions.bodies[*body as usize].pose.rotation * direction;
            }
        }
        self.direction
    }

    fn update(&self, [a, b]: &[[Point; 4]; 2], turned: &Vector) -> Option<Update> {
        let n = &self.direction;
        match self.kinds {
            [Vertex, Vertex] => of_gap(point_point(&a[0], &b[0], n)),
            [Vertex, Edge] => of_gap(point_edge(&a[0], [&b[0], &b[1]], n)),
            [Edge, Vertex] => of_gap(point_edge(&b[0], [&a[0], &a[1]], &-n).map(ElementGap::mirrored)),
            [Vertex | Fixed, Triangle] => of_gap(point_triangle(&a[0], [&b[0], &b[1], &b[2]], n)),
            [Triangle, Vertex | Fixed] => {
                of_gap(point_triangle(&b[0], [&a[0], &a[1], &a[2]], &-n).map(ElementGap::mirrored))
            }
            [Edge, Edge] => of_gap(edge_edge([&a[0], &a[1]], [&b[0], &b[1]], n)),
            [Fixed, _] | [_, Fixed] => Some(Update { direction: *turned, weights: None, is_inside: true }),
            _ => None,
        }
    }
}

/// What the closest points of two elements define.
fn on_elements_of(kinds: [FeatureKind; 2], points: &[[Point; 4]; 2]) -> Option<Update> {
    let [a, b] = points;
    let vertex = [1.0, 0.0, 0.0, 0.0];
    let on_edge = |p: &Point, edge: &[Point; 4]| {
        let t = point_segment(p, &edge[0], &edge[1]).t;
        [1.0 - t, t, 0.0, 0.0]
    };
    let on_triangle = |p: &Point, triangle: &[Point; 4]| {
        let [u, v, w] = nearest::point_triangle(p, &triangle[0], &triangle[1], &triangle[2]).weights;
        [u, v, w, 0.0]
    };
    let weights = match kinds {
        [Vertex, Edge] => [vertex, on_edge(&a[0], b)],
        [Edge, Vertex] => [on_edge(&b[0], a), vertex],
        [Vertex | Fixed, Triangle] => [vertex, on_triangle(&a[0], b)],
        [Triangle, Vertex | Fixed] => [on_triangle(&b[0], a), vertex],
        [Edge, Edge] => {
            let found = segment_segment(&a[0], &a[1], &b[0], &b[1]);
            [[1.0 - found.s, found.s, 0.0, 0.0], [1.0 - found.t, found.t, 0.0, 0.0]]
        }
        _ => return None,
    };
    let at = |side: usize| -> Vector {
        points[side].iter().zip(weights[side]).map(|(point, weight)| point.coords * weight).sum()
    };
    let direction = (at(0) - at(1)).try_normalize(0.0)?;
    Some(Update { direction, weights: Some(weights), is_inside: false })
}

fn of_gap<const A: usize, const B: usize>(gap: Option<ElementGap<A, B>>) -> Option<Update> {
    let gap = gap?;
    let mut weights = [[0.0; 4]; 2];
    weights[0][..A].copy_from_slice(&gap.weights_a);
    weights[1][..B].copy_from_slice(&gap.weights_b);
    Some(Update { direction: gap.direction, weights: Some(weights), is_inside: gap.is_inside })
}

/// The vertices of both sides; of a side without particles, its point.
#[inline]
fn points(
    entries: &[Entry],
    links: &[Link],
    anchors: &[Anchor],
    positions: &Positions<'_>,
) -> [[Point; 4]; 2] {
    let mut points = [[Point::origin(); 4]; 2];
    for link in links {
        let particle = entries[usize::from(link.entry)].particle as usize;
        let place = positions.particles[particle].coords * link.coefficient;
        points[usize::from(link.slot / 4)][usize::from(link.slot % 4)] += place;
    }
    for anchor in anchors {
        match anchor {
            Anchor::Rigid { side, body, local, .. } => {
                points[*side][0] = positions.bodies[*body as usize].pose * local;
            }
            Anchor::Fixed { side, point, .. } => points[*side][0] = *point,
        }
    }
    points
}
