//! Persistent manifold: contact points gathered over steps, one new point per step, at most four.

use nalgebra::Vector3;
use palpate_convex::{ManifoldPoint, NO_ID, QueryResult, RigidTransform};

type Space = Vector3<f64>;

/// The maximum number of points.
const MOST: usize = 4;

/// A point in the frames of both bodies.
#[derive(Clone, Copy, Debug)]
struct Kept {
    on_a: Space,
    on_b: Space,
    id: u64,
    now: ManifoldPoint,
}

/// The persistent points of a pair.
#[derive(Debug, Default)]
pub(crate) struct Accumulated {
    kept: Vec<Kept>,
    next: u64,
    now: Vec<ManifoldPoint>,
}

impl Accumulated {
    /// Removes all points.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.next = 0;
    }

    /// Moves the points with their bodies, drops those that are no longer valid, and adds the contact's own point if
    /// it is new and within the margin. A point is valid until its two anchors have separated by more than `breaking`
    /// beyond the margin along the direction, or by more than `breaking` across it. A new point replaces one that is
    /// closer than `breaking`. Of five points keeps the deepest, and those that span the largest area.
    pub(crate) fn step(
        &mut self,
        [pose_a, pose_b]: [&RigidTransform<Space>; 2],
        contact: &QueryResult<Space>,
        margin: f64,
        breaking: f64,
    ) -> &[ManifoldPoint] {
        let direction = contact.direction;
        self.kept.retain_mut(|kept| {
            let point_a = pose_a.point(kept.on_a);
            let between = pose_b.point(kept.on_b) - point_a;
            let depth = between.dot(&direction);
            kept.now = ManifoldPoint { point_a, depth, id: kept.id, features: [NO_ID; 2] };
            depth >= -(margin + breaking) && (between - direction * depth).norm() <= breaking
        });
        if contact.depth >= -margin {
            self.take_in([pose_a, pose_b], contact, breaking);
        }
        if self.kept.len() > MOST {
            self.drop_one();
        }
        self.now.clear();
        self.now.extend(self.kept.iter().map(|kept| kept.now).filter(|now| now.depth >= -margin));
        // The deepest first, the others by id.
        let deepest = (0..self.now.len())
            .reduce(|best, k| if self.now[k].depth > self.now[best].depth { k } else { best });
        if let Some(deepest) = deepest {
            self.now.swap(0, deepest);
            self.now[1..].sort_unstable_by_key(|point| point.id);
        }
        &self.now
    }

    fn take_in(
        &mut self,
        [pose_a, pose_b]: [&RigidTransform<Space>; 2],
        contact: &QueryResult<Space>,
        breaking: f64,
    ) {
        let away = |kept: &Kept| (kept.now.point_a - contact.point_a).norm();
        let nearest = (0..self.kept.len())
            .filter(|&k| away(&self.kept[k]) <= breaking)
            .reduce(|best, k| if away(&self.kept[k]) < away(&self.kept[best]) { k } else { best });
        let id = nearest.map_or(self.next, |k| self.kept[k].id);
        let kept = Kept {
            on_a: pose_a.own(contact.point_a),
            on_b: pose_b.own(contact.point_b),
            id,
            now: ManifoldPoint { point_a: contact.point_a, depth: contact.depth, id, features: [NO_ID; 2] },
        };
        match nearest {
            Some(k) => self.kept[k] = kept,
            None => {
                self.next += 1;
                self.kept.push(kept);
            }
        }
    }

    /// Removes the one of five points whose removal leaves the largest area, but never the deepest.
    fn drop_one(&mut self) {
        let deepest = self.kept.iter().map(|kept| kept.now.depth).fold(f64::NEG_INFINITY, f64::max);
        let mut best = (f64::NEG_INFINITY, 0);
        for left_out in 0..self.kept.len() {
            if self.kept[left_out].now.depth >= deepest {
                continue;
            }
            let mut others = [Space::zeros(); MOST];
            let rest = self.kept.iter().enumerate().filter(|(k, _)| *k != left_out);
            for (other, (_, kept)) in others.iter_mut().zip(rest) {
                *other = kept.now.point_a;
            }
            let span = span(others);
            if span > best.0 {
                best = (span, left_out);
            }
        }
        self.kept.remove(best.1);
    }
}

/// Returns twice the area of the quadrilateral of four points in the best of its orders, squared.
fn span([p, q, r, s]: [Space; MOST]) -> f64 {
    let area = |first: Space, second: Space| first.cross(&second).norm_squared();
    area(q - p, s - r).max(area(r - p, s - q)).max(area(s - p, r - q))
}
