//! A whole step of a scene: time per geometry, or per pair.

use crate::sample::Sample;
use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use palpate::geometry::Sphere;
use palpate::math::{Point, Vector};
use palpate::scene::{GeometryId, PairOptions, Scene};

/// Half of the spheres' mean distance, so that some touch.
const RADIUS: f64 = 0.3;

/// Moving spheres: every pair of them, each against its neighbours, and one tool against all.
pub fn scenes() -> Vec<Case> {
    let all = [100, 300, 1_000];
    let many = [100, 1_000, 10_000];
    let all = all.map(|size| case("all pairs of spheres", size, |size| scene(size, Pairs::All)));
    let near =
        many.map(|size| case("each sphere and 64 others", size, |size| scene(size, Pairs::Others(64))));
    let tool = many.map(|size| case("one sphere and all others", size, |size| scene(size, Pairs::Tool)));
    [&all[..], &near[..], &tool[..]].concat()
}

fn case(input: &'static str, size: usize, make: Make) -> Case {
    Case { name: "scene step", input, size, item: "sphere", make }
}

/// Which spheres are paired.
#[derive(Clone, Copy)]
enum Pairs {
    All,
    /// Each with this many that follow it, in the order of the ids.
    Others(usize),
    /// The first with all others.
    Tool,
}

fn scene(size: usize, pairs: Pairs) -> Fallible<Workload> {
    let mut sample = Sample::new(12);
    let reach = (size as f64).cbrt();
    let positions: Vec<_> = (0..size).map(|_| Point::from(sample.in_ball() * 0.62 * reach)).collect();
    let mut scene = Scene::standard();
    let add = |(number, position): (usize, &Point)| {
        // The tool extends through the middle of the scene.
        let radius = if number == 0 { 3.0 * RADIUS } else { RADIUS };
        Ok(scene.add(&format!("sphere {number}"), Sphere::new(*position, radius)?)?)
    };
    let ids = positions.iter().enumerate().map(add).collect::<Fallible<Vec<_>>>()?;
    add_pairs(&mut scene, &ids, pairs)?;
    let mut forth = false;
    Ok(Workload::new(size, move || {
        forth = !forth;
        let sway = Vector::x() * if forth { 0.01 } else { 0.0 };
        scene.advance();
        for (&id, position) in ids.iter().zip(&positions) {
            scene.geometry_mut::<Sphere>(id)?.set_center(position + sway)?;
        }
        Ok(scene.step()?.contacts)
    }))
}

fn add_pairs(scene: &mut Scene, ids: &[GeometryId], pairs: Pairs) -> Fallible<()> {
    match pairs {
        Pairs::All => {
            scene.add_all_pairs()?;
        }
        Pairs::Others(count) => {
            for (number, &a) in ids.iter().enumerate() {
                for &b in ids[number + 1..].iter().take(count) {
                    scene.add_pair(a, b, PairOptions::default())?;
                }
            }
        }
        Pairs::Tool => {
            for &b in &ids[1..] {
                scene.add_pair(ids[0], b, PairOptions::default())?;
            }
        }
    }
    Ok(())
}
