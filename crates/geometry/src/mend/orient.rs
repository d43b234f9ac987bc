//! Triangles that wind as their neighbours do.

use crate::derived::Adjacency;
use palpate_contact::NONE;

/// Turns triangles so that every two which share an edge of no third traverse it in opposite directions; of each part as few
/// as possible. A part that cannot be oriented, as a Möbius strip, is turned as far as a walk over it goes. Returns how many
/// were turned.
pub(super) fn agree(triangles: &mut [[u32; 3]]) -> usize {
    let adjacency = Adjacency::new(triangles);
    let mut counts = vec![0_u8; adjacency.edges.len()];
    for &edge in adjacency.triangle_edges.iter().flatten() {
        counts[edge as usize] = counts[edge as usize].saturating_add(1);
    }
    let goes_up = |triangles: &[[u32; 3]], triangle: u32, corner: usize| {
        let ids = triangles[triangle as usize];
        ids[corner] < ids[(corner + 1) % 3]
    };
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let (mut part, mut total) = (Vec::new(), 0);
    for start in 0..triangles.len() {
        if turned[start].is_some() {
            continue;
        }
        part.clear();
        part.push(start as u32);
        turned[start] = Some(false);
        let mut next = 0;
        while let Some(&triangle) = part.get(next) {
            next += 1;
            for corner in 0..3 {
                let edge = adjacency.triangle_edges[triangle as usize][corner];
                let [a, b] = adjacency.edge_triangles[edge as usize];
                let other = if a == triangle { b } else { a };
                if counts[edge as usize] != 2 || other == NONE || turned[other as usize].is_some() {
                    continue;
                }
                let at = adjacency.triangle_edges[other as usize].iter().position(|&found| found == edge);
                let same = goes_up(triangles, triangle, corner) == goes_up(triangles, other, at.unwrap_or(0));
                turned[other as usize] = turned[triangle as usize].map(|own| own != same);
                part.push(other);
            }
        }
        let is_turned = |&&triangle: &&u32| turned[triangle as usize] == Some(true);
        let count = part.iter().filter(is_turned).count();
        // The fewer ones.
        let wanted = count * 2 <= part.len();
        for &triangle in &part {
            if turned[triangle as usize] == Some(wanted) {
                triangles[triangle as usize].swap(1, 2);
                total += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn the_fewer_triangles_are_turned() {
        let mut all = TETRAHEDRON;
        assert_eq!((agree(&mut all), all), (0, TETRAHEDRON));
        for one in 0..4 {
            let mut broken = TETRAHEDRON;
            broken[one].swap(0, 1);
            assert_eq!(agree(&mut broken), 1);
            assert!(Adjacency::new(&broken).is_closed());
            let mut against = TETRAHEDRON.map(|[a, b, c]| [b, a, c]);
            against[one].swap(0, 2);
            assert_eq!(agree(&mut against), 1, "inward as a whole, which is not asked here");
        }
    }
}
