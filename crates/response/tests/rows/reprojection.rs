//! The bound of re-projection: gaps between two surfaces after a displacement, without detecting again.

use crate::sample::{Sample, count};
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::nearest::point_triangle;
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::{Body, Rows};

/// A bent sheet of 6 × 6 rectangles of side one, each of two triangles.
fn sheet(sample: &mut Sample) -> (Vec<Point>, Vec<[u32; 3]>) {
    let vertices =
        (0..49).map(|k| Point::new(f64::from(k % 7), 0.05 * sample.between(-1.0, 1.0), f64::from(k / 7)));
    let corners = (0..36_u32).map(|k| k / 6 * 7 + k % 6);
    let triangles = corners.flat_map(|k| [[k, k + 7, k + 1], [k + 1, k + 7, k + 8]]);
    (vertices.collect(), triangles.collect())
}

/// The closest triangle to a point: its number, weights and distance.
fn closest(p: &Point, vertices: &[Point], triangles: &[[u32; 3]]) -> (usize, [f64; 3], f64) {
    let of = |ids: &[u32; 3]| {
        let [a, b, c] = ids.map(|id| vertices[id as usize]);
        point_triangle(p, &a, &b, &c)
    };
    let all = triangles.iter().map(of).enumerate();
    let best = all.min_by(|(_, one), (_, other)| one.distance_squared.total_cmp(&other.distance_squared));
    let (number, found) = best.unwrap();
    (number, found.weights, found.distance_squared.sqrt())
}

#[test]
fn a_reprojected_gap_is_within_its_bound_of_the_gap_between_the_surfaces() {
    let mut sample = Sample::new(50);
    let (mut held, mut exact, mut unreported) = (0, 0, 0);
    let margin = 0.4;
    for _ in 0..count() / 4 {
        let (vertices, triangles) = sheet(&mut sample);
        let p = Point::new(sample.between(1.0, 5.0), sample.between(0.1, 0.7), sample.between(1.0, 5.0));
        let (number, weights, distance) = closest(&p, &vertices, &triangles);
        let detected: Vec<Point> = vertices.iter().copied().chain([p]).collect();
        let reach = 10.0_f64.powf(sample.between(-4.0, -1.0));
        let moved: Vec<Point> = detected.iter().map(|p| p + sample.direction() * reach).collect();
        let most = Rows::largest_displacement(&detected, &moved);
        assert!((most / reach - 1.0).abs() < 1e-12 || reach < 1e-3);
        let (_, _, truth) = closest(&moved[49], &moved[..49], &triangles);
        if distance > margin {
            assert!(truth > margin - 2.0 * most - 1e-12, "what had no row is apart");
            unreported += 1;
            continue;
        }
        let ids = triangles[number];
        let place: Vector = (0..3).map(|k| vertices[ids[k] as usize].coords * weights[k]).sum();
        let a = Feature::vertex(49, 0, p);
        let b = Feature::triangle(ids, weights, number as u32, place.into());
        let contact = Contact::exact(a, b, (p.coords - place).normalize(), -distance, 0);
        let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[contact] };
        let mut rows = Rows::new(0.01);
        rows.gather([list], &detected, |_| Body::Particles(0), |_| Material::HARD).unwrap();
        rows.reproject(&moved);
        let row = rows.get(0).unwrap();
        if row.is_beyond() {
            continue;
        }
        let gap = row.gap(&moved);
        assert!((gap - truth).abs() <= 4.0 * most + 1e-12, "{gap}, {truth}, moved by {most}");
        held += 1;
        exact += usize::from((gap - truth).abs() < 1e-12);
    }
    assert!(held > count() / 40 && unreported > count() / 40, "{held}, {unreported}");
    assert!(exact > held / 2, "{exact} of {held}");
}

/// A thread of some radius that turns by a right angle over another: the linear row is lost, the re-projected one exact.
#[test]
fn a_large_rotation_is_followed() {
    let radius = 0.1;
    let detected: Vec<Point> =
        [[-1.0, 0.15, 0.0], [1.0, 0.15, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]].map(Point::from).to_vec();
    let half = [0.5, 0.5];
    let a = Feature::edge([0, 1], half, 0, Point::new(0.0, 0.15 - radius, 0.0));
    let b = Feature::edge([2, 3], half, 0, Point::new(0.0, radius, 0.0));
    let contact = Contact::exact(a, b, Vector::y(), 2.0 * radius - 0.15, 0);
    let list = ContactsOfPair { number: 0, geometries: [0, 0], contacts: &[contact] };
    let mut rows = Rows::new(0.01);
    rows.gather([list], &detected, |_| Body::Particles(0), |_| Material::HARD).unwrap();
    let mut positions = detected.clone();
    for k in 1..=90 {
        // Both turn about +z: the common perpendicular turns with them.
        let turn = nalgebra::Rotation3::from_axis_angle(&Vector::z_axis(), f64::from(k).to_radians());
        positions = detected.iter().map(|p| turn * p).collect();
        rows.reproject(&positions);
        let row = rows.get(0).unwrap();
        assert!((row.gap(&positions) + 0.05).abs() < 1e-15 * 100.0);
        assert!((row.direction() - turn * Vector::y()).norm() < 1e-14);
        assert!(row.tangents()[0].dot(&row.direction()).abs() < 1e-14);
    }
    assert!((rows.get(0).unwrap().direction() + Vector::x()).norm() < 1e-14);
    // A parallel edge defines no direction: the row stays as it was.
    positions[1] = positions[0] + Vector::z();
    let before = rows.get(0).unwrap().direction();
    rows.reproject(&positions);
    assert_eq!(rows.get(0).unwrap().direction(), before);
}

/// A vertex that moves over the edge of a triangle: on the plane the row would push it although it is beside the triangle,
/// on the element it is as far as from the edge, and then from the corner.
#[test]
fn a_row_on_elements_does_not_reach_beside_them() {
    let mut x: Vec<Point> =
        [[0.5, 0.2, 0.5], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0]].map(Point::from).to_vec();
    let a = Feature::vertex(0, 0, x[0]);
    let b = Feature::triangle([1, 2, 3], [0.5, 0.25, 0.25], 0, Point::new(0.5, 0.0, 0.5));
    let contact = Contact::exact(a, b, Vector::y(), -0.2, 0);
    let list = ContactsOfPair { number: 0, geometries: [0, 0], contacts: &[contact] };
    let mut rows = Rows::new(0.01);
    rows.gather([list], &x, |_| Body::Particles(0), |_| Material::HARD).unwrap();
    for (place, distance, inside) in [
        ([0.25, 0.1, 0.5], 0.1, true),
        ([-0.3, 0.4, 1.0], 0.5, false),
        ([-0.3, -0.4, 1.0], 0.5, false),
        ([-2.0, 0.0, 3.0], 5.0_f64.sqrt(), false),
    ] {
        x[0] = Point::from(place);
        rows.reproject_on_elements(&x);
        let row = rows.get(0).unwrap();
        assert!((row.gap(&x) - distance).abs() < 1e-14, "{}", row.gap(&x));
        assert_eq!(row.is_beyond(), !inside);
        let total: f64 = row.entries().iter().map(|entry| entry.weight).sum();
        assert!(total.abs() < 1e-15);
    }
    // Through the triangle itself it is behind, as by `reproject`.
    x[0] = Point::new(0.5, 0.1, 0.5);
    rows.reproject_on_elements(&x);
    x[0].y = -0.1;
    rows.reproject_on_elements(&x);
    assert!((rows.get(0).unwrap().gap(&x) + 0.1).abs() < 1e-14);
    // From above the triangle to below and beside it, at once: drawn back.
    x[0].y = 0.1;
    rows.reproject_on_elements(&x);
    x[0] = Point::new(-0.3, -0.4, 1.0);
    rows.reproject_on_elements(&x);
    assert!((rows.get(0).unwrap().gap(&x) + 0.5).abs() < 1e-14);
}
