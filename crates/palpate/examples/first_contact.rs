//! Presses a spherical tool into an organ and prints the elements in contact, the depth and the direction of separation.
//!
//! Run it with `cargo run -p palpate --example first_contact`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wedge of an organ, 10 cm wide: a closed surface with triangles counter-clockwise seen from outside. Metres.
    let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]].map(Point::from);
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(corners.to_vec(), triangles)?)?;
    let tool = scene.add("tool", Sphere::new(Point::new(0.04, 0.04, 0.04), 0.005)?)?;
    let pair = scene.add_pair(tool, organ, PairOptions::default())?;

    for step in 0..5 {
        let center = Point::from([0.037 - 0.001 * f64::from(step); 3]);
        scene.geometry_mut::<Sphere>(tool)?.set_center(center)?;
        scene.step()?;
        for contact in &scene.contacts(pair)?.contacts {
            let (element, ids) = (contact.b.feature_kind().name(), contact.b.vertex_ids());
            let (depth, way_out) = (1e3 * contact.depth, contact.direction);
            println!("step {step}: {depth:.2} mm into {element} {ids:?}, way out {way_out:.2?}");
        }
    }
    Ok(())
}
