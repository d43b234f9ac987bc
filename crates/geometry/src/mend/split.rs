//! Vertices and edges where several parts of a surface meet: divided, so that every part has its own.

use crate::derived::Adjacency;
use crate::health::DisjointSets;
use palpate_math::{Point, Vector};

/// Gives every fan of triangles at a vertex its own vertex: the first one keeps it, and the others get new ones, at the end.
/// Triangles at an edge of more than two are paired: each with the one beside it that bounds the same part of the inside. What
/// cannot be paired becomes a boundary. Returns how many vertices were added.
pub(super) fn split(positions: &mut Vec<Point>, triangles: &mut [[u32; 3]]) -> usize {
    let adjacency = Adjacency::new(triangles);
    let mut at_edge: Vec<Vec<(u32, u8)>> = vec![Vec::new(); adjacency.edges.len()];
    for (triangle, edges) in (0..).zip(&adjacency.triangle_edges) {
        for (corner, &edge) in (0..).zip(edges) {
            at_edge[edge as usize].push((triangle, corner));
        }
    }
    let mut sets = DisjointSets::new(3 * triangles.len());
    for sides in &at_edge {
        for [one, two] in pairs(sides, positions, triangles) {
            join(&mut sets, triangles, one, two);
        }
    }
    // The first fan at each vertex keeps it.
    let mut kept: Vec<Option<u32>> = vec![None; positions.len()];
    let mut added = std::collections::HashMap::new();
    let before = positions.len();
    for corner in 0..3 * triangles.len() as u32 {
        let fan = sets.lowest(corner);
        let id = &mut triangles[corner as usize / 3][corner as usize % 3];
        match kept[*id as usize] {
            None => kept[*id as usize] = Some(fan),
            Some(first) if first == fan => {}
            Some(_) => {
                let position = positions[*id as usize];
                let new = *added.entry(fan).or_insert_with(|| {
                    positions.push(position);
                    positions.len() as u32 - 1
                });
                *id = new;
            }
        }
    }
    positions.len() - before
}

/// Joins the corners of two triangles at the ends of the edge that they share.
fn join(sets: &mut DisjointSets, triangles: &[[u32; 3]], one: (u32, u8), two: (u32, u8)) {
    let ends =
        |(triangle, corner): (u32, u8)| [corner, (corner + 1) % 3].map(|at| 3 * triangle + u32::from(at));
    let id = |corner: u32| triangles[corner as usize / 3][corner as usize % 3];
    for a in ends(one) {
        for b in ends(two) {
            if id(a) == id(b) {
                sets.join(a, b);
            }
        }
    }
}

/// The sides at an edge, two by two. Of more than two, as many of either direction: by the angle around the edge, each with the
/// next one of the other direction towards the inside.
fn pairs(sides: &[(u32, u8)], positions: &[Point], triangles: &[[u32; 3]]) -> Vec<[(u32, u8); 2]> {
    match sides {
        [one, two] => return vec![[*one, *two]],
        [] | [_] => return Vec::new(),
        _ => {}
    }
    let corners = |&(triangle, corner): &(u32, u8)| {
        let ids = triangles[triangle as usize];
        [0, 1, 2].map(|step| ids[(usize::from(corner) + step) % 3])
    };
    let [from, to, _] = corners(&sides[0]);
    let (low, high) = (from.min(to), from.max(to));
    let axis = positions[high as usize] - positions[low as usize];
    let zero = apex_direction(&axis, &positions[low as usize], &positions[corners(&sides[0])[2] as usize]);
    let across = axis.cross(&zero);
    let mut around: Vec<(f64, bool, (u32, u8))> = sides
        .iter()
        .map(|side| {
            let [from, _, apex] = corners(side);
            let direction = apex_direction(&axis, &positions[low as usize], &positions[apex as usize]);
            let angle = libm::atan2(direction.dot(&across) / axis.norm(), direction.dot(&zero));
            (angle, from == low, *side)
        })
        .collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let ups = around.iter().filter(|side| side.1).count();
    if 2 * ups != around.len() {
        return Vec::new();
    }
    // Counter-clockwise around the edge the inside is behind a side that goes up, and in front of one that goes down.
    let before = |k: usize| around[(k + around.len() - 1) % around.len()].1;
    let start = (0..around.len()).find(|&k| !around[k].1 && before(k));
    let Some(start) = start else { return Vec::new() };
    around.rotate_left(start);
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for &(_, is_up, side) in &around {
        if !is_up {
            open.push(side);
        } else if let Some(other) = open.pop() {
            found.push([other, side]);
        }
    }
    if 2 * found.len() == around.len() { found } else { Vec::new() }
}

/// The direction of a corner from an edge, perpendicular to it.
fn apex_direction(axis: &Vector, on_axis: &Point, apex: &Point) -> Vector {
    let offset = apex - on_axis;
    let squared = axis.norm_squared();
    if squared == 0.0 { offset } else { offset - axis * (offset.dot(axis) / squared) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SurfaceMesh;

    /// Two tetrahedra, outward, that share the vertices of `shared`.
    fn two(shared: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut positions: Vec<Point> = corners.map(Point::from).to_vec();
        let opposite = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
        let numbers: Vec<u32> =
            (0..4).map(|k| if k < shared { k as u32 } else { (4 + k - shared) as u32 }).collect();
        positions.extend(opposite[shared..].iter().copied().map(Point::from));
        let cells = [[0_usize, 1, 3], [0, 2, 1], [0, 3, 2], [1, 2, 3]];
        let mut triangles: Vec<[u32; 3]> = cells.map(|ids| ids.map(|id| id as u32)).to_vec();
        triangles.extend(cells.map(|ids| ids.map(|id| numbers[id])));
        (positions, triangles)
    }

    #[test]
    fn bodies_that_share_a_vertex_or_an_edge_get_their_own() {
        for shared in [1, 2] {
            let (mut positions, mut triangles) = two(shared);
            let before = SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap().health();
            assert!(!before.is_manifold() && before.is_closed() == (shared == 1));
            assert_eq!(split(&mut positions, &mut triangles), shared);
            let health = SurfaceMesh::new(positions, triangles).unwrap().health();
            assert!(health.is_closed() && health.is_manifold() && health.is_oriented());
            assert_eq!((health.components.count, health.inward_components), (2, 0), "{shared} shared");
            assert!(health.components.first.iter().all(|part| part.triangles == 4));
        }
    }

    #[test]
    fn three_leaves_of_a_book_become_three_sheets() {
        let mut positions: Vec<Point> =
            [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]]
                .map(Point::from)
                .to_vec();
        let mut triangles = vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]];
        assert_eq!(split(&mut positions, &mut triangles), 4);
        assert_eq!(SurfaceMesh::new(positions, triangles).unwrap().health().components.count, 3);
    }
}
