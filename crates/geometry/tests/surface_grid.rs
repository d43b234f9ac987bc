//! Grids built from surfaces, compared with brute force over all triangles: signs by the sum of all solid angles.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod shapes;

use palpate_geometry::implicit::{Grid, ImplicitFunction, Progress, SurfaceGrid, SurfaceSampling};
use palpate_geometry::{GeometryError, Sidedness, SurfaceMesh};
use palpate_math::{Point, Vector};
use shapes::{Numbers, Shape, ball, cuboid, signed_distance, together, torus};
use std::ops::ControlFlow;

fn sampled(shape: &Shape, sampling: &SurfaceSampling) -> SurfaceGrid {
    let surface = SurfaceMesh::new(shape.0.clone(), shape.1.clone()).unwrap();
    SurfaceGrid::new(&surface, sampling, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn place(grid: &Grid, index: usize) -> Point {
    let [nx, ny, _] = grid.size();
    let number = [index % nx, index / nx % ny, index / nx / ny];
    grid.origin() + grid.spacing().component_mul(&Vector::from(number.map(|n| n as f64)))
}

/// Statistics of a check of all samples and of points between them.
#[derive(Default)]
struct Seen {
    inside: usize,
    far_inside: usize,
    far_outside: usize,
    worst: f64,
    worst_far: f64,
}

/// Checks every sample against the reference, and `count` points between them.
fn check(shape: &Shape, sampling: &SurfaceSampling, made: &SurfaceGrid, count: usize) -> Seen {
    let SurfaceGrid { grid, measured, .. } = made;
    let mut seen = Seen::default();
    let (r, band) = (grid.error_bound(), sampling.band);
    let size = grid.origin().coords.norm() + band.min(10.0);
    let mut in_band = 0;
    for (index, &value) in grid.values().iter().enumerate() {
        let distance = signed_distance(shape, &place(grid, index));
        if distance.abs() <= band {
            in_band += 1;
            assert!((value - distance).abs() <= 1e-12 * size, "{value} {distance}");
        } else {
            assert!(value * distance > 0.0, "{value} {distance}");
            assert!(value.abs() <= distance.abs() && value.abs() >= band, "{value} {distance}");
            assert!(value.abs() >= distance.abs() - 2.0 * r * (1.0 + 1e-9), "{value} {distance}");
            seen.worst_far = seen.worst_far.max((distance - value).abs() / r);
            *if distance < 0.0 { &mut seen.far_inside } else { &mut seen.far_outside } += 1;
        }
        seen.inside += usize::from(distance < 0.0);
    }
    assert_eq!(in_band, *measured);
    assert!(grid.lipschitz().unwrap() <= 3.0_f64.sqrt() * (1.0 + 1e-6));
    let mut numbers = Numbers(5);
    let bounds = grid.sublevel_bounds(0.0);
    for _ in 0..count {
        let at = bounds.center() + bounds.size().component_mul(&numbers.vector()) * 0.5;
        let (value, distance) = (grid.sample(&at).value, signed_distance(shape, &at));
        assert!(value.abs() <= distance.abs() + r && (value - distance).abs() <= 3.0 * r * (1.0 + 1e-9));
        if value.abs() < band - 2.0 * r {
            assert!((value - distance).abs() <= r, "{value} {distance}");
            seen.worst = seen.worst.max((value - distance).abs() / r);
        }
    }
    seen
}

#[test]
fn samples_are_distances_in_the_band_and_bounds_beyond_it() {
    let shapes = [
        ("ball", ball(6, 1.0, Vector::zeros())),
        ("torus", torus(20)),
        ("box", cuboid([1.0, 0.7, 0.4], [0.1, 0.2, -0.3])),
        ("two balls", together(ball(4, 0.5, Vector::x()), ball(4, 0.6, Vector::x() * -0.9))),
    ];
    for (name, shape) in shapes {
        let sampling = SurfaceSampling {
            spacing: Vector::new(0.11, 0.12, 0.1),
            band: 0.2,
            padding: 0.4,
            ..SurfaceSampling::new(1.0)
        };
        let made = sampled(&shape, &sampling);
        assert_eq!(made.sidedness, Sidedness::Pseudonormals);
        let seen = check(&shape, &sampling, &made, 1000);
        assert!(seen.inside > 500 && seen.far_outside > 2000, "{name}: {} {}", seen.inside, seen.far_outside);
        assert!(seen.far_inside > 20, "{name}: {}", seen.far_inside);
        // The bounds are approached: neither is far too conservative.
        assert!(seen.worst > 0.05 && seen.worst_far > 0.5, "{name}: {} {}", seen.worst, seen.worst_far);
    }
}

#[test]
fn an_infinite_band_measures_everything() {
    let shape = torus(16);
    let sampling = SurfaceSampling { band: f64::INFINITY, padding: 0.3, ..SurfaceSampling::new(0.12) };
    let made = sampled(&shape, &sampling);
    assert_eq!(made.measured, made.grid.values().len());
    let seen = check(&shape, &sampling, &made, 500);
    assert_eq!((seen.far_inside, seen.far_outside), (0, 0));
}

/// A plate a third of a cell thick, and two overlapping bodies with intersecting walls.
#[test]
fn thin_parts_and_crossing_bodies_keep_the_bound() {
    let plate = cuboid([1.0, 0.015, 0.8], [0.003, 0.021, 0.0]);
    let sampling = SurfaceSampling { padding: 0.2, ..SurfaceSampling::new(0.1) };
    let made = sampled(&plate, &sampling);
    let seen = check(&plate, &sampling, &made, 2000);
    assert!(seen.worst <= 1.0 && made.sidedness == Sidedness::Pseudonormals);
    let crossing =
        together(cuboid([0.8, 0.5, 0.5], [-0.4, 0.0, 0.0]), cuboid([0.7, 0.3, 0.6], [0.5, 0.11, 0.07]));
    let sampling = SurfaceSampling { padding: 0.2, band: 0.2, ..SurfaceSampling::new(0.1) };
    let made = sampled(&crossing, &sampling);
    assert_eq!(made.sidedness, Sidedness::WindingNumber);
    let seen = check(&crossing, &sampling, &made, 2000);
    assert!(seen.inside > 1000 && seen.far_inside > 50, "{} {}", seen.inside, seen.far_inside);
}

/// A speck in the middle of a cell: all eight samples around it are as far as possible.
#[test]
fn a_speck_in_the_middle_of_a_cell_is_bounded_from_everywhere() {
    let speck = cuboid([1e-4; 3], [0.25; 3]);
    let sampling = SurfaceSampling { padding: 0.85 - 1e-4, ..SurfaceSampling::new(0.1) };
    let sampling = SurfaceSampling { band: sampling.spacing.norm(), ..sampling };
    let made = sampled(&speck, &sampling);
    let seen = check(&speck, &sampling, &made, 2000);
    assert!(seen.far_outside > 4000 && seen.inside == 0 && seen.worst_far > 1.9, "{}", seen.worst_far);
}

/// Over a flat face, and never below the distance for a convex body.
#[test]
fn beside_flat_faces_the_value_is_exact_and_of_a_convex_body_never_too_low() {
    let shape = cuboid([1.0, 0.7, 0.4], [0.0; 3]);
    let sampling = SurfaceSampling { padding: 0.4, ..SurfaceSampling::new(0.09) };
    let grid = sampled(&shape, &sampling).grid;
    let mut numbers = Numbers(9);
    let (mut flat, mut above) = (0, 0);
    for _ in 0..4000 {
        let at = Point::from(numbers.vector().component_mul(&Vector::new(1.1, 0.8, 0.5)));
        let (value, distance) = (grid.sample(&at).value, signed_distance(&shape, &at));
        assert!(value >= distance - 1e-12, "{at}");
        above += usize::from(value > distance + 1e-6);
        // The closest face of the whole cell, a diagonal away from where another would be closest.
        let depth = Vector::new(1.0 - at.x.abs(), 0.7 - at.y.abs(), 0.4 - at.z.abs());
        let others = depth.x.min(depth.y);
        if depth.z + 2.0 * grid.error_bound() * 2.0_f64.sqrt() < others && depth.z < 0.2 {
            flat += 1;
            assert!((value - distance).abs() <= 1e-12, "{at}");
        }
    }
    assert!(flat > 300 && above > 100, "{flat} {above}");
}

/// Scaling all lengths by a power of two scales all values by it, bitwise.
#[test]
fn lengths_scale_exactly() {
    let shape = torus(12);
    let sampling = SurfaceSampling { band: 0.25, padding: 0.3, ..SurfaceSampling::new(0.1) };
    let grid = sampled(&shape, &sampling).grid;
    for power in [-30, 7] {
        let scale = 2.0_f64.powi(power);
        let larger = (shape.0.iter().map(|point| point * scale).collect(), shape.1.clone());
        let sampling = SurfaceSampling {
            spacing: sampling.spacing * scale,
            band: sampling.band * scale,
            padding: sampling.padding * scale,
            ..sampling
        };
        let scaled = sampled(&larger, &sampling).grid;
        assert_eq!(scaled.size(), grid.size());
        assert!(scaled.values().iter().zip(grid.values()).all(|(a, b)| *a == b * scale));
    }
}

#[test]
fn threads_change_no_bit_and_progress_only_grows() {
    let surface = {
        let (positions, triangles) = together(torus(16), ball(4, 0.5, Vector::y() * 0.2));
        SurfaceMesh::new(positions, triangles).unwrap()
    };
    let mut made: Vec<Vec<u64>> = Vec::new();
    for threads in [1, 2, 4, 8] {
        let mut seen: Vec<Progress> = Vec::new();
        let sampling = SurfaceSampling { threads, band: 0.2, ..SurfaceSampling::new(0.07) };
        let mut report = |progress| {
            seen.push(progress);
            ControlFlow::Continue(())
        };
        let grid = SurfaceGrid::new(&surface, &sampling, &mut report).unwrap();
        assert!(grid.measured < grid.grid.values().len());
        made.push(grid.grid.values().iter().map(|value| value.to_bits()).collect());
        let total = seen[0].total;
        assert!(seen.windows(2).all(|pair| pair[0].done <= pair[1].done));
        assert!(threads > 1 || seen.len() > 100, "{}", seen.len());
        assert!(seen.iter().all(|progress| progress.total == total));
        assert_eq!(seen.last().unwrap().done, total);
    }
    assert!(made.iter().all(|values| *values == made[0]));
}

#[test]
fn it_stops_when_asked_to() {
    let (positions, triangles) = torus(12);
    let surface = SurfaceMesh::new(positions, triangles).unwrap();
    for threads in [1, 4] {
        let mut most = 0;
        let mut report = |progress: Progress| {
            most = most.max(progress.done);
            if progress.done >= 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let sampling = SurfaceSampling { threads, ..SurfaceSampling::new(0.04) };
        assert_eq!(SurfaceGrid::new(&surface, &sampling, &mut report), Err(GeometryError::Stopped));
        // The progress of the other threads before the report is not deterministic.
        assert!(if threads == 1 { most == 10 } else { most >= 10 }, "{most}");
    }
}

#[test]
fn what_has_no_inside_is_refused_and_a_pinhole_is_not() {
    let message = |surface: &SurfaceMesh, spacing: f64| {
        let sampling = SurfaceSampling::new(spacing);
        let made = SurfaceGrid::new(surface, &sampling, &mut |_| ControlFlow::Continue(()));
        made.map(|made| made.sidedness).map_err(|error| error.to_string())
    };
    let (positions, triangles) = ball(8, 1.0, Vector::zeros());
    let whole = SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap();
    assert_eq!(message(&whole, 0.1), Ok(Sidedness::Pseudonormals));
    let open = SurfaceMesh::new(positions.clone(), triangles[1..].to_vec()).unwrap();
    let wanted = "the surface is not closed (3 of its edges have only one triangle): wanted a closed surface";
    assert_eq!(message(&open, 0.1), Err(wanted.to_owned()));
    let declared = open.with_closed(true);
    assert_eq!(message(&declared, 0.3), Ok(Sidedness::WindingNumber), "a hole smaller than a cell");
    let torn = SurfaceMesh::new(positions, triangles[40..].to_vec()).unwrap().with_closed(true);
    let error = message(&torn, 0.05).unwrap_err();
    assert!(error.contains("inside and outside meet away from it, between"), "{error}");
    assert!(message(&whole.clone().with_closed(false), 0.1).unwrap_err().contains("declared open"));
    let nothing = SurfaceMesh::new(Vec::new(), Vec::new()).unwrap();
    assert_eq!(message(&nothing, 0.1).unwrap_err(), "the list of triangles is empty: wanted at least one");
    assert!(message(&whole, 1e-5).unwrap_err().starts_with("the number of samples is"));
    assert!(message(&whole, -1.0).unwrap_err().starts_with("the spacing is -1"));
}
