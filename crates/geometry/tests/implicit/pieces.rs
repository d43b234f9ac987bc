//! The pieces of bodies.

use palpate_geometry::implicit::{Grid, ImplicitFunction, Intersection, SmoothUnion, Torus, Union};
use palpate_geometry::{ImplicitBody, OrientedBox, Pose, Sphere};
use palpate_math::{Point, Vector};
use std::sync::Arc;

fn ball(x: f64, radius: f64) -> Arc<dyn ImplicitFunction> {
    Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), radius).unwrap())
}

fn balls(function: impl ImplicitFunction + 'static) -> Vec<(Point, f64)> {
    let body = ImplicitBody::new(Pose::identity(), Arc::new(function)).unwrap();
    let mut found = Vec::new();
    body.over_pieces(&mut |piece| found.push(piece.ball.unwrap()));
    found
}

#[test]
fn parts_of_a_union_are_pieces_with_a_ball_in_each() {
    let union = Union::new(vec![ball(0.0, 0.5), ball(5.0, 0.25)]).unwrap();
    assert_eq!(balls(union), [(Point::origin(), 0.5), (Point::new(5.0, 0.0, 0.0), 0.25)]);
}

#[test]
fn what_a_slab_cuts_in_two_has_two_pieces() {
    let slab = OrientedBox::new(Pose::identity(), Vector::new(0.25, 9.0, 9.0)).unwrap();
    let halves = Intersection::difference(vec![ball(0.0, 1.0), Arc::new(slab)]).unwrap();
    let found = balls(halves);
    assert_eq!(found.len(), 2);
    assert!(found[0].0.x < -0.25 && found[1].0.x > 0.25, "{found:?}");
    assert!(found.iter().all(|(_, radius)| *radius > 0.3 && *radius <= 0.375));
}

#[test]
fn a_ball_in_a_shell_is_a_piece_of_its_own() {
    let shell: Arc<dyn ImplicitFunction> =
        Arc::new(Intersection::difference(vec![ball(0.0, 1.0), ball(0.0, 0.98)]).unwrap());
    let both = SmoothUnion::new(vec![shell, ball(0.0, 0.25)], 1e-3).unwrap();
    let found = balls(both);
    assert_eq!(found.len(), 2);
    let mut radii: Vec<f64> = found.iter().map(|(_, radius)| *radius).collect();
    radii.sort_by(f64::total_cmp);
    assert!(radii[0] > 0.005 && radii[0] < 0.0101 && radii[1] > 0.24, "{radii:?}");
}

#[test]
fn blobs_of_a_grid_are_pieces() {
    let mut values = Vec::new();
    for k in 0..13 {
        for j in 0..7 {
            for i in 0..7 {
                let place = Point::new(f64::from(i) - 3.0, f64::from(j) - 3.0, f64::from(k) - 3.0);
                let to = |z: f64| (place - Point::new(0.0, 0.0, z)).norm() - 1.5;
                values.push(to(0.0).min(to(6.0)));
            }
        }
    }
    let grid = Grid::new(Point::new(-3.0, -3.0, -3.0), Vector::repeat(1.0), [7, 7, 13], values).unwrap();
    let found = balls(grid);
    assert_eq!(found.len(), 2);
    assert!(found[0].0.z < 1.0 && found[1].0.z > 5.0, "{found:?}");
}

#[test]
fn a_thin_ring_is_one_piece_with_a_ball_on_its_circle() {
    let ring = Torus::new(Pose::identity(), 1.0, 1e-3).unwrap();
    let found = balls(ring);
    assert_eq!(found.len(), 1);
    assert!(found[0].1 > 0.9e-3 && found[0].1 <= 1e-3, "{found:?}");
}
