//! Perpendicular threads that cross, at all lengths of surgery.

use palpate_math::continuous::{MovingPoint, Options, edge_edge};
use palpate_math::{Point, Vector};

use crate::count;
use crate::random::Random;

/// A unit vector, and two perpendicular to it.
fn frame(random: &mut Random) -> [Vector; 3] {
    loop {
        let (a, b) = (random.point().coords, random.point().coords);
        let across = a.cross(&b);
        if across.norm() > 0.1 {
            let (x, z) = (a.normalize(), across.normalize());
            return [x, z.cross(&x), z];
        }
    }
}

/// The share of crossings missed, in metres, at each length in millimetres.
#[test]
fn no_crossing_is_missed_at_any_length() {
    let crossings = count("PALPATE_CCD_THREADS", 2_000);
    let mut random = Random::new(31);
    println!("length mm, share missed");
    for millimetres in [0.1, 0.3, 1.0, 3.0, 3.1, 3.2, 10.0, 30.0, 100.0] {
        let length = 1e-3 * millimetres;
        let mut missed = 0;
        for _ in 0..crossings {
            let [x, y, z] = frame(&mut random);
            let (middle, speed) = (random.point() * 0.3, length * (0.25 + 2.0 * random.number().abs()));
            let end = |along: &Vector, side: f64, height: f64| {
                middle + (along * (0.5 * side) + z * height) * length
            };
            // From above to below, each end at its own speed; displaced at the start by less than its height.
            let moving = |side: f64, random: &mut Random| {
                let start = end(&y, side, 0.0) + z * speed + random.point().coords * (0.1 * length);
                MovingPoint::new(start, end(&y, side, 0.0) - z * (speed * (0.5 + random.number().abs())))
            };
            let resting = |side: f64| MovingPoint::at_rest(Point::from(end(&x, side, 0.0)));
            let (a, b) =
                ([resting(-1.0), resting(1.0)], [moving(-1.0, &mut random), moving(1.0, &mut random)]);
            missed += usize::from(edge_edge(&a, &b, &Options::DEFAULT).is_none());
        }
        println!("{millimetres}, {}", missed as f64 / crossings as f64);
        assert_eq!(missed, 0, "{millimetres} mm");
    }
}
