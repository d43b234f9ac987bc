//! Comparison of a live run with the replay of its recording, and the geometries used for it.

pub(crate) mod live_run;

use live_run::LiveRun;
use palpate::geometry::Convex;
use palpate::prelude::*;
use std::collections::BTreeMap;

/// Runs and records a scene, and compares it with its replay. Returns the number of contacts compared, by kind and by
/// name of the geometry.
pub(crate) fn record(
    scene: &mut Scene,
    steps: usize,
    mut change: impl FnMut(&mut Scene, usize),
) -> BTreeMap<String, usize> {
    let mut run = LiveRun::of(scene);
    for step in 0..steps {
        if step > 0 {
            scene.advance();
            change(scene, step);
        }
        scene.step().unwrap();
        run.record(scene);
    }
    run.compare_replay()
}

/// Pose of geometry `number` in a step: near the origin, rotated, with a quaternion that is a product of rotations.
pub(crate) fn pose(number: usize, step: usize) -> Pose {
    let (n, t) = (number as f64, step as f64);
    let place = Vector::new((1.7 * n).sin(), (2.9 * n).cos() * 0.6, (0.7 * n).cos()) * 0.35;
    let way = Vector::new(0.03 * (n + t).sin(), -0.02 * t, 0.02 * (2.0 * n + t).cos());
    let turn = Pose::new(Vector::zeros(), Vector::new(0.3 * n, 0.1 + 0.05 * t, -0.2 * n));
    let other = Pose::new(place + way, Vector::new(0.02 * t, n, 0.01 * t));
    other * turn
}

/// A closed surface: a slightly dented ball of `rows` rows of quadrilaterals.
pub(crate) fn organ(radius: f64, rows: u32) -> SurfaceMesh {
    let around = 2 * rows;
    let mut points = vec![Point::new(0.0, radius, 0.0)];
    for row in 1..rows {
        for column in 0..around {
            let latitude = std::f64::consts::PI * f64::from(row) / f64::from(rows);
            let longitude = std::f64::consts::TAU * f64::from(column) / f64::from(around);
            let dent = radius * (1.0 + 0.07 * (3.0 * longitude).sin() * latitude.sin());
            let (s, c) = (dent * latitude.sin(), dent * latitude.cos());
            points.push(Point::new(s * longitude.cos(), c, s * longitude.sin()));
        }
    }
    let last = points.len() as u32;
    points.push(Point::new(0.0, -radius, 0.0));
    let id = |row: u32, column: u32| 1 + (row - 1) * around + column % around;
    let mut triangles = Vec::new();
    for column in 0..around {
        triangles.push([0, id(1, column + 1), id(1, column)]);
        triangles.push([last, id(rows - 1, column), id(rows - 1, column + 1)]);
        for row in 1..rows - 1 {
            let [a, b] = [id(row, column), id(row, column + 1)];
            let [c, d] = [id(row + 1, column), id(row + 1, column + 1)];
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    SurfaceMesh::new(points, triangles).unwrap()
}

/// A column of cubes, each in five tetrahedra.
pub(crate) fn block() -> TetraMesh {
    let mut points = Vec::new();
    for k in 0..16 {
        let place = [k & 1, k >> 2, k >> 1 & 1].map(f64::from);
        points.push(Point::new(place[0] - 0.5, place[1] * 0.4 - 0.5, place[2] - 0.5) * 0.8);
    }
    let mut cells = Vec::new();
    for cube in 0..3 {
        let at = |k: u32| cube * 4 + k;
        let fives = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
        let mirrored = [[1, 0, 5, 3], [2, 3, 6, 0], [4, 5, 0, 6], [7, 6, 3, 5], [0, 3, 5, 6]];
        let five = if cube % 2 == 0 { fives } else { mirrored };
        cells.extend(five.map(|corners| corners.map(at)));
    }
    TetraMesh::new(points, cells).unwrap()
}

/// Points of a small grid, slightly displaced.
pub(crate) fn grid_of_points() -> Vec<Point> {
    let coordinate = |k: i32, n: i32| f64::from(k) * 0.25 - 0.25 + 0.01 * (1.3 * f64::from(n)).sin();
    (0..27)
        .map(|n| Point::new(coordinate(n % 3, 0), coordinate(n / 3 % 3, n), coordinate(n / 9, 2)))
        .collect()
}

/// A hull whose triangulation differs from that of its own corners: dropped points influenced how its faces were split.
pub(crate) fn stubborn_hull(pose: Pose) -> Convex {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 5
    };
    for _ in 0..10_000 {
        let mut coordinate = || next() as f64 * 0.2 - 0.4;
        let points: Vec<Point> =
            (0..30).map(|_| Point::new(coordinate(), coordinate(), coordinate())).collect();
        let hull = Convex::new(pose, &points).unwrap();
        let corners: Vec<Point> = hull.hull().points().iter().map(|&corner| corner.into()).collect();
        let anew = Convex::new(pose, &corners).unwrap();
        if anew.hull().triangles() != hull.hull().triangles() {
            return hull;
        }
    }
    panic!("every hull is that of its corners")
}

/// A thread of `count` points.
pub(crate) fn rope(count: u32) -> LineMesh {
    let point = |k: u32| {
        let t = f64::from(k) * 0.2;
        Point::new(t - 0.6, 0.2 * (3.0 * t).sin(), 0.3 * (2.0 * t).cos())
    };
    LineMesh::polyline((0..count).map(point).collect()).unwrap()
}
