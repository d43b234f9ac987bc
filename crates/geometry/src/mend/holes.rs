//! Holes and their filling.

use crate::derived::Adjacency;
use palpate_contact::NONE;
use palpate_math::Point;
use std::collections::{HashMap, HashSet};

/// Holes that were filled, triangles that were added, and holes that are open still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filled {
    pub(super) holes: usize,
    pub(super) triangles: usize,
    pub(super) open: usize,
}

/// Fills every hole of at most `most` edges by the triangulation of its rim with the least area that has no edge of the surface
/// as a diagonal (Barequet and Sharir 1995). Every vertex is on one rim at most once fans are split.
pub(super) fn fill(positions: &[Point], triangles: &mut Vec<[u32; 3]>, most: usize) -> Filled {
    let mut edges: HashSet<[u32; 2]> = Adjacency::new(triangles).edges.into_iter().collect();
    let mut filled = Filled::default();
    for rim in rims(triangles) {
        let new = (rim.len() <= most).then(|| triangulated(positions, &rim, &edges)).flatten();
        let Some(new) = new else {
            filled.open += 1;
            continue;
        };
        let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
        edges.extend(new.iter().flat_map(|&[a, b, c]| [sorted(a, b), sorted(b, c), sorted(c, a)]));
        filled.holes += 1;
        filled.triangles += new.len();
        triangles.extend(new);
    }
    filled
}

/// The rims of holes, in the direction in which new triangles traverse them: against their triangles. In the order of their
/// lowest triangles.
fn rims(triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let adjacency = Adjacency::new(triangles);
    let mut next = HashMap::new();
    let mut starts = Vec::new();
    for (ids, edges) in triangles.iter().zip(&adjacency.triangle_edges) {
        for corner in 0..3 {
            if adjacency.edge_triangles[edges[corner] as usize][1] == NONE {
                next.insert(ids[(corner + 1) % 3], ids[corner]);
                starts.push(ids[(corner + 1) % 3]);
            }
        }
    }
    let mut found = Vec::new();
    for start in starts {
        let mut rim = vec![start];
        let mut at = next.remove(&start);
        while let Some(vertex) = at.filter(|&vertex| vertex != start) {
            rim.push(vertex);
            at = next.remove(&vertex);
        }
        if at == Some(start) && rim.len() > 2 {
            found.push(rim);
        }
    }
    found
}

/// The triangulation of least area; `None` if every one has a diagonal that is an edge already.
fn triangulated(positions: &[Point], rim: &[u32], edges: &HashSet<[u32; 2]>) -> Option<Vec<[u32; 3]>> {
    let count = rim.len();
    let at = |k: usize| positions[rim[k] as usize];
    let is_free = |i: usize, j: usize| {
        j == i + 1 || i + count == j + 1 || !edges.contains(&[rim[i].min(rim[j]), rim[i].max(rim[j])])
    };
    // The best triangle over each chord.
    let mut best = vec![(f64::INFINITY, 0_usize); count * count];
    for i in 0..count - 1 {
        best[i * count + i + 1] = (0.0, 0);
    }
    for span in 2..count {
        for i in 0..count - span {
            let j = i + span;
            if !is_free(i, j) {
                continue;
            }
            for k in i + 1..j {
                let area = (at(k) - at(i)).cross(&(at(j) - at(i))).norm();
                let cost = best[i * count + k].0 + best[k * count + j].0 + area;
                if cost < best[i * count + j].0 {
                    best[i * count + j] = (cost, k);
                }
            }
        }
    }
    if !best[count - 1].0.is_finite() {
        return None;
    }
    let (mut new, mut stack) = (Vec::with_capacity(count - 2), vec![(0, count - 1)]);
    while let Some((i, j)) = stack.pop() {
        if j > i + 1 {
            let k = best[i * count + j].1;
            new.push([rim[i], rim[k], rim[j]]);
            stack.extend([(i, k), (k, j)]);
        }
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn a_missing_face_is_filled_as_it_was() {
        let positions: Vec<Point> =
            [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from).to_vec();
        for missing in 0..4 {
            let mut triangles = TETRAHEDRON.to_vec();
            triangles.remove(missing);
            let filled = fill(&positions, &mut triangles, 3);
            assert_eq!(filled, Filled { holes: 1, triangles: 1, open: 0 });
            assert!(Adjacency::new(&triangles).is_closed());
            let mut triangles = TETRAHEDRON.to_vec();
            triangles.remove(missing);
            assert_eq!(fill(&positions, &mut triangles, 2), Filled { open: 1, ..Filled::default() });
        }
        // Two missing: the only diagonal of the rim that is no edge is taken.
        let mut triangles = TETRAHEDRON[..2].to_vec();
        assert_eq!(fill(&positions, &mut triangles, 9).triangles, 2);
        assert!(Adjacency::new(&triangles).is_closed());
    }

    /// Seven points, of which one is a deep notch: no triangle outside of the polygon.
    #[test]
    fn a_flat_rim_is_filled_by_its_area() {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
        let positions: Vec<Point> = corners.iter().map(|&[x, y]| Point::new(x, y, 0.0)).collect();
        let rim: Vec<u32> = (0..5).collect();
        let new = triangulated(&positions, &rim, &HashSet::new()).unwrap();
        let area: f64 = new
            .iter()
            .map(|ids| {
                let [a, b, c] = ids.map(|id| positions[id as usize]);
                (b - a).cross(&(c - a)).z / 2.0
            })
            .sum();
        let absolute: f64 = new
            .iter()
            .map(|ids| {
                let [a, b, c] = ids.map(|id| positions[id as usize]);
                (b - a).cross(&(c - a)).norm() / 2.0
            })
            .sum();
        assert_eq!((new.len(), area, absolute), (3, 10.0, 10.0));
    }
}
