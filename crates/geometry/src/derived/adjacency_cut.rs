//! Edge adjacency of a surface that is cut: triangles removed and added.

use super::{Adjacency, Closedness};
use palpate_contact::NONE;

/// The sides of triangles that are one edge: the triangle and its corner where the side begins, by rank.
type Sides = Vec<(u32, u32)>;

impl Adjacency {
    /// Removes triangles, and adds those from number `first_new` on. The removed ones still have their vertices in
    /// `triangles`. Edges that are left keep their numbers; those without triangles have [`NONE`] for vertices.
    ///
    /// Cost: the triangles around the vertices of those that change, and one pass over all triangles, which finds the parts.
    pub(crate) fn cut(&mut self, triangles: &[[u32; 3]], removed: &[u32], first_new: usize) {
        let mut touched = Vec::with_capacity(3 * (removed.len() + triangles.len() - first_new));
        for &triangle in removed {
            touched.extend(triangles[triangle as usize]);
            self.remove(triangles, triangle);
        }
        self.triangle_edges.resize(triangles.len(), [NONE; 3]);
        for triangle in first_new as u32..triangles.len() as u32 {
            touched.extend(triangles[triangle as usize]);
            self.add(triangles, triangle);
        }
        touched.sort_unstable();
        touched.dedup();
        self.update_border(&touched);
        self.find_parts_again();
    }

    fn remove(&mut self, triangles: &[[u32; 3]], triangle: u32) {
        let mut edges = self.triangle_edges[triangle as usize].to_vec();
        edges.sort_unstable();
        edges.dedup();
        for &edge in &edges {
            let sides = self.sides(edge);
            self.count(&sides, triangles, |count| *count -= 1);
        }
        self.triangle_edges[triangle as usize] = [NONE; 3];
        for (corner, &vertex) in (3 * triangle..).zip(&triangles[triangle as usize]) {
            self.corners.remove(vertex, corner);
        }
        for edge in edges {
            let sides = self.sides(edge);
            self.count(&sides, triangles, |count| *count += 1);
            self.set_edge(edge, &sides);
        }
    }

    fn add(&mut self, triangles: &[[u32; 3]], triangle: u32) {
        let ids = triangles[triangle as usize];
        let mut corners = std::mem::take(&mut self.corners);
        for (corner, &vertex) in (3 * triangle..).zip(&ids) {
            corners.insert(vertex, corner, |corner| (self.rank(corner / 3), corner));
        }
        self.corners = corners;
        for corner in 0..3 {
            let (from, to) = (ids[corner], ids[(corner + 1) % 3]);
            let vertices = [from.min(to), from.max(to)];
            let edge = self.edge_between(vertices).unwrap_or_else(|| {
                self.edges.push(vertices);
                self.edge_triangles.push([NONE; 2]);
                self.edges.len() as u32 - 1
            });
            let before = self.sides(edge);
            self.count(&before, triangles, |count| *count -= 1);
            self.triangle_edges[triangle as usize][corner] = edge;
            let after = self.sides(edge);
            self.count(&after, triangles, |count| *count += 1);
            self.set_edge(edge, &after);
        }
    }

    /// Returns the edge between two vertices, the lower first.
    fn edge_between(&self, vertices: [u32; 2]) -> Option<u32> {
        let of_corner = |&corner: &u32| self.triangle_edges[corner as usize / 3];
        let mut edges = self.corners.at(vertices[0]).iter().flat_map(of_corner);
        edges.find(|&edge| edge != NONE && self.edges[edge as usize] == vertices)
    }

    /// Returns the sides of triangles that are this edge.
    fn sides(&self, edge: u32) -> Sides {
        let mut sides = Sides::new();
        let [vertex, _] = self.edges[edge as usize];
        for &corner in self.corners.at(vertex) {
            let triangle = corner / 3;
            for (side, &other) in (0..).zip(&self.triangle_edges[triangle as usize]) {
                if other == edge && !sides.contains(&(triangle, side)) {
                    sides.push((triangle, side));
                }
            }
        }
        sides.sort_unstable_by_key(|&(triangle, side)| (self.rank(triangle), side));
        sides
    }

    /// Updates the count of the defect of an edge that has these sides (border, non-manifold, misoriented), and the count of
    /// edges without sides.
    fn count(&mut self, sides: &Sides, triangles: &[[u32; 3]], change: impl Fn(&mut usize)) {
        let is_reversed = |&(triangle, side): &(u32, u32)| {
            let ids = triangles[triangle as usize];
            ids[side as usize] > ids[(side as usize + 1) % 3]
        };
        let Closedness { boundary_edges, non_manifold_edges, misoriented_edges } = &mut self.closedness;
        match sides.as_slice() {
            [] => {}
            [_] => change(boundary_edges),
            [a, b] if is_reversed(a) == is_reversed(b) => change(misoriented_edges),
            [_, _] => {}
            _ => change(non_manifold_edges),
        }
    }

    fn set_edge(&mut self, edge: u32, sides: &Sides) {
        let triangle = |k: usize| sides.get(k).map_or(NONE, |&(triangle, _)| triangle);
        self.edge_triangles[edge as usize] = [triangle(0), triangle(1)];
        if sides.is_empty() {
            self.edges[edge as usize] = [NONE; 2];
            self.removed_edges += 1;
        }
    }

    /// Updates which of the touched vertices are on the border.
    fn update_border(&mut self, touched: &[u32]) {
        let is_on_border = |&vertex: &u32| {
            self.corners.at(vertex).iter().any(|&corner| {
                let edges = self.triangle_edges[corner as usize / 3];
                let here = [corner % 3, (corner + 2) % 3].map(|side| edges[side as usize]);
                here.into_iter().any(|edge| self.edge_triangles[edge as usize][1] == NONE)
            })
        };
        let now: Vec<u32> = touched.iter().copied().filter(is_on_border).collect();
        self.border_vertices.retain(|vertex| touched.binary_search(vertex).is_err());
        self.border_vertices.extend(now);
        self.border_vertices.sort_unstable();
    }

    /// Numbers the parts of a surface that has changed.
    pub(super) fn find_parts_again(&mut self) {
        let of_edge = |edge: u32| self.edge_triangles[edge as usize][0];
        let joined = (0..).zip(&self.triangle_edges).flat_map(|(triangle, edges)| {
            edges.iter().filter(|&&edge| edge != NONE).map(move |&edge| [of_edge(edge), triangle])
        });
        let is_removed = |triangle: u32| self.triangle_edges[triangle as usize][0] == NONE;
        self.parts = super::adjacency::parts(self.triangle_edges.len(), joined, is_removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A grid of triangles in which some vertices coincide, so that there are folds and degenerate triangles.
    fn triangles(seed: &mut u64, count: usize, vertices: u32) -> Vec<[u32; 3]> {
        let mut number = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as u32
        };
        (0..count)
            .map(|_| {
                let first = number() % vertices;
                [first, (first + 1 + number() % 3) % vertices, (first + number() % 4) % vertices]
            })
            .collect()
    }

    /// What an adjacency says, by the vertices of its edges.
    type Edges = BTreeMap<[u32; 2], [u32; 2]>;

    fn edges(adjacency: &Adjacency) -> Edges {
        let all = adjacency.edges.iter().copied().zip(adjacency.edge_triangles.iter().copied());
        all.filter(|(vertices, _)| vertices[0] != NONE).collect()
    }

    /// Random cuts of folded, degenerate and disconnected meshes, against an adjacency built from the triangles that are left.
    #[test]
    fn a_cut_adjacency_equals_a_new_one() {
        let mut seed = 5;
        let (mut in_parts, mut closed) = (0, 0);
        for round in 0..60 {
            let vertices = 6 + round % 30;
            let mut all = triangles(&mut seed, 40, vertices);
            if round % 3 == 0 {
                all = vec![
                    [0, 2, 1],
                    [0, 1, 3],
                    [1, 2, 3],
                    [0, 3, 2],
                    [5, 7, 6],
                    [5, 6, 8],
                    [6, 7, 8],
                    [5, 8, 7],
                ];
            }
            let mut adjacency = Adjacency::new(&all);
            let mut gone = Vec::new();
            for step in 0..12 {
                let number = |k: usize| (7 * step + 3 * k + round as usize) % all.len();
                let mut removed: Vec<u32> =
                    (0..1 + step % 3).map(number).filter(|&k| all[k][0] != NONE).map(|k| k as u32).collect();
                removed.sort_unstable();
                removed.dedup();
                let first_new = all.len();
                gone.extend(removed.iter().map(|&k| all[k as usize]));
                if step % 4 == 3 {
                    // What was removed comes back.
                    all.append(&mut gone);
                    all.extend(triangles(&mut seed, usize::from(round % 3 != 0), vertices));
                }
                adjacency.cut(&all, &removed, first_new);
                for &triangle in &removed {
                    all[triangle as usize] = [NONE; 3];
                }
                let new = Adjacency::new(&all);
                assert_eq!(edges(&adjacency), edges(&new), "{round} {step}");
                assert_eq!(adjacency.closedness, new.closedness, "{round} {step}");
                assert_eq!(adjacency.border_vertices, new.border_vertices, "{round} {step}");
                assert_eq!(adjacency.parts, new.parts, "{round} {step}");
                assert_eq!(adjacency.is_closed(), new.is_closed(), "{round} {step}");
                for vertex in 0..vertices {
                    assert_eq!(adjacency.corners_at(vertex), new.corners_at(vertex), "{round} {step}");
                }
                for (ids, (own, other)) in
                    all.iter().zip(adjacency.triangle_edges.iter().zip(&new.triangle_edges))
                {
                    let of = |adjacency: &Adjacency, edge: u32| adjacency.edges.get(edge as usize).copied();
                    assert_eq!(
                        own.map(|edge| of(&adjacency, edge)),
                        other.map(|edge| of(&new, edge)),
                        "{ids:?}"
                    );
                }
                in_parts += usize::from(!new.parts.is_empty());
                closed += usize::from(new.is_closed());
            }
        }
        assert!(in_parts > 50 && closed > 10, "{in_parts} {closed}");
    }
}
