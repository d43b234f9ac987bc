//! Convex hull of points in 3D, including coplanar, collinear and coincident ones.
//!
//! Sides of planes are decided by exact predicates, so that the faces always form a closed surface with no point
//! outside; a point exactly on the hull of the others is not a vertex.

mod flat;
mod quickhull;

pub(crate) use flat::ring;
use palpate_math::{Point, orient};

/// The convex hull of a list of points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvexHull {
    /// The indices of the points that are vertices of the hull, ascending.
    pub vertices: Vec<u32>,
    /// Triangles of point ids, counter-clockwise seen from outside. For coplanar points both sides of their polygon;
    /// for collinear points none.
    pub triangles: Vec<[u32; 3]>,
}

impl ConvexHull {
    /// Computes the hull of `points`. Of coincident points the first counts. Cost: n log n in practice.
    pub fn new(points: &[Point]) -> Self {
        match simplex(points) {
            Simplex::Empty => Self::default(),
            Simplex::Point(point) => Self { vertices: vec![point], triangles: Vec::new() },
            Simplex::Line(first, second) => flat::segment(points, first, second),
            Simplex::Plane(corners) => flat::polygon(points, corners),
            Simplex::Space(corners) => quickhull::hull(points, corners),
        }
    }

    fn from_triangles(triangles: Vec<[u32; 3]>) -> Self {
        let mut vertices: Vec<u32> = triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self { vertices, triangles }
    }
}

/// A maximal affinely independent subset of the points.
enum Simplex {
    Empty,
    Point(u32),
    Line(u32, u32),
    Plane([u32; 3]),
    Space([u32; 4]),
}

/// Picks far points first, so that the initial simplex contains many of the others.
fn simplex(points: &[Point]) -> Simplex {
    let Some(first) = lowest(points) else { return Simplex::Empty };
    let at = |id: u32| &points[id as usize];
    let farthest = |measure: &dyn Fn(&Point) -> f64| -> Option<u32> {
        let mut best = (None, 0.0);
        for (id, point) in points.iter().enumerate() {
            let value = measure(point);
            if value > best.1 {
                best = (Some(id as u32), value);
            }
        }
        best.0
    };
    let Some(second) = farthest(&|p| (p - at(first)).norm_squared()) else { return Simplex::Point(first) };
    let off_line = |p: &Point| largest_view(at(first), at(second), p);
    let Some(third) = farthest(&off_line) else { return Simplex::Line(first, second) };
    let off_plane = |p: &Point| orient::orient3d(at(first), at(second), at(third), p).abs();
    match farthest(&off_plane) {
        None => Simplex::Plane([first, second, third]),
        Some(fourth) if orient::orient3d(at(first), at(second), at(third), at(fourth)) > 0.0 => {
            Simplex::Space([first, third, second, fourth])
        }
        Some(fourth) => Simplex::Space([first, second, third, fourth]),
    }
}

/// Returns the lexicographically smallest point, a vertex of the hull; ties go to the first.
fn lowest(points: &[Point]) -> Option<u32> {
    let key = |id: usize| (points[id].x, points[id].y, points[id].z);
    let lowest = (0..points.len()).reduce(|best, id| if key(id) < key(best) { id } else { best });
    lowest.map(|id| id as u32)
}

/// Returns the largest of a triangle's projected areas along the axes: zero exactly when it is degenerate.
fn largest_view(a: &Point, b: &Point, c: &Point) -> f64 {
    (0..3).map(|axis| orient::orient2d_along(axis, a, b, c).abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashSet;

    /// Every side of every triangle has an opposite one, and no point lies above a triangle.
    fn check(points: &[Point], hull: &ConvexHull) {
        let mut sides = HashSet::new();
        for &[a, b, c] in &hull.triangles {
            for side in [[a, b], [b, c], [c, a]] {
                assert!(sides.insert(side), "{side:?} twice");
            }
            let [a, b, c] = [a, b, c].map(|id| &points[id as usize]);
            assert!(points.iter().all(|p| orient::orient3d(a, b, c, p) <= 0.0));
        }
        assert!(sides.iter().all(|&[from, to]| sides.contains(&[to, from])));
        // Euler: a triangulated sphere.
        if hull.vertices.len() > 3 && hull.triangles.len() > 2 {
            assert_eq!(hull.triangles.len(), 2 * hull.vertices.len() - 4);
        }
    }

    fn random(rng: &mut ChaCha8Rng, count: usize, grid: Option<i32>) -> Vec<Point> {
        let coordinate = |rng: &mut ChaCha8Rng| match grid {
            Some(cells) => f64::from(rng.random_range(0..=cells)) / f64::from(cells.max(1)),
            None => rng.random_range(-1.0..1.0),
        };
        (0..count).map(|_| Point::new(coordinate(rng), coordinate(rng), coordinate(rng))).collect()
    }

    #[test]
    fn random_points_and_points_on_a_grid() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut solid = 0;
        for round in 0..300 {
            let grid = [None, Some(1), Some(2), Some(5)][round % 4];
            let count = 1 + round % 60;
            let points = random(&mut rng, count, grid);
            let hull = ConvexHull::new(&points);
            check(&points, &hull);
            solid += usize::from(hull.triangles.len() > 3);
        }
        assert!(solid > 250, "{solid}");
    }

    #[test]
    fn points_on_a_sphere_are_all_vertices() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let points: Vec<Point> = random(&mut rng, 400, None)
            .iter()
            .filter(|p| p.coords.norm() > 0.1)
            .map(|p| Point::from(p.coords.normalize()))
            .collect();
        let hull = ConvexHull::new(&points);
        check(&points, &hull);
        assert!(hull.vertices.len() + 2 >= points.len(), "all except points that rounding put on a face");
    }

    #[test]
    fn a_cube_with_its_centre_and_doubles_has_eight_vertices_and_twelve_triangles() {
        let mut points: Vec<Point> = (0..16)
            .map(|k| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)))
            .collect();
        points.push(Point::new(0.5, 0.5, 0.5));
        points.push(Point::new(0.5, 0.5, 1.0));
        points.push(Point::new(0.5, 0.0, 0.0));
        let hull = ConvexHull::new(&points);
        check(&points, &hull);
        assert_eq!((hull.vertices.len(), hull.triangles.len()), (8, 12));
        assert_eq!(hull.vertices, (0..8).collect::<Vec<_>>(), "the first of equal points");
    }

    #[test]
    fn flat_and_collinear_points_and_one_alone() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5], [0.5, 0.0]];
        let points = square.map(|[x, y]| Point::new(x, y, x + y));
        let hull = ConvexHull::new(&points);
        check(&points, &hull);
        assert_eq!((hull.vertices.as_slice(), hull.triangles.len()), ([0, 1, 2, 3].as_slice(), 4));
        let line = [0.25, 1.0, 0.0, 0.5].map(|x| Point::new(x, 2.0 * x, -x));
        assert_eq!(ConvexHull::new(&line).vertices, [1, 2]);
        assert_eq!(ConvexHull::new(&[Point::origin(); 3]).vertices, [0]);
        assert_eq!(ConvexHull::new(&[]), ConvexHull::default());
    }
}
