//! Tetrahedra: a block of tissue.

use palpate::math::Point;

/// The edge of the cubes that are divided into six tetrahedra each, in metres.
const TISSUE_CELL: f64 = 0.0068;

/// The corners of the six tetrahedra around a cube's diagonal (Kuhn's subdivision): every path from corner 0 to
/// corner 7 along three edges; bit k of a corner is its coordinate along axis k.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

/// A slightly bent cube of tissue around the origin with nearly `cells` tetrahedra of constant size.
pub(crate) fn tissue(cells: usize) -> (Vec<Point>, Vec<[u32; 4]>) {
    let steps = ((cells as f64 / 6.0).cbrt().round() as usize).max(1);
    let half = 0.5 * steps as f64;
    let row = steps + 1;
    let positions = grid(row)
        .map(|place| {
            let [x, y, z] = place.map(|step| (step as f64 - half) / half);
            let bent = [x + 0.1 * y * z, y + 0.1 * z * x, z + 0.1 * x * y];
            Point::from(bent.map(|coordinate| coordinate * half * TISSUE_CELL))
        })
        .collect();
    let cells = grid(steps)
        .flat_map(|place| TETRAHEDRA.map(|corners| corners.map(|corner| vertex(row, place, corner))))
        .collect();
    (positions, cells)
}

/// All points of a grid of `row` steps in each direction, x fastest.
fn grid(row: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..row * row * row).map(move |number| [number % row, number / row % row, number / (row * row)])
}

fn vertex(row: usize, [x, y, z]: [usize; 3], corner: usize) -> u32 {
    let (x, y, z) = (x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2 & 1));
    (x + row * (y + row * z)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tetrahedra_fill_the_block_without_a_gap() {
        let (positions, cells) = tissue(1_000);
        assert!(cells.len().abs_diff(1_000) < 300, "{} tetrahedra", cells.len());
        let volumes = cells.iter().map(|ids| {
            let [a, b, c, d] = ids.map(|id| positions[id as usize]);
            ((b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).abs()
        });
        let (smallest, sum) = volumes.fold((f64::INFINITY, 0.0), |(low, sum), v| (v.min(low), sum + v));
        let cube = TISSUE_CELL.powi(3);
        assert!(smallest > 0.05 * cube, "smallest volume {smallest}");
        let cubes = (cells.len() / 6) as f64;
        assert!((sum / (cubes * cube) - 1.0).abs() < 0.1, "volume {sum} of {cubes} cubes of {cube}");
    }
}
