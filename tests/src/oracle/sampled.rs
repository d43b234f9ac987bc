//! An upper bound of the minimum of a function over a region: the lowest of many sampled points and of points found
//! from there by pattern search. Used where no oracle knows the minimum: no result may be above a sampled value.

use super::region::Region;
use crate::{Case, Random};
use palpate_math::{Point, Vector};

/// Initial samples, for every dimension of the region.
const PLACES: usize = 200;

/// Number of lowest samples that are refined.
const STARTS: usize = 3;

/// The first and the last step, in a region from minus one to one.
const STEPS: [f64; 2] = [0.25, 1e-12];

/// Maps two or three coordinates from minus one to one to a point of a region, if there is one.
struct Chart<'a> {
    dimensions: usize,
    place: &'a dyn Fn(&Vector) -> Option<Point>,
}

/// The lowest value of a function found in the region; infinite if none is found.
pub(super) fn lowest(region: &Region<'_>, value: &dyn Fn(&Point) -> f64, case: &Case) -> f64 {
    let half = |x: f64| 0.5 * (x + 1.0);
    match region {
        Region::Flat(parts) => {
            parts.iter().map(|part| lowest(part, value, case)).fold(f64::INFINITY, f64::min)
        }
        Region::Segment([start, end]) => {
            let place = |y: &Vector| (y.x.abs() <= 1.0).then(|| start + (end - start) * half(y.x));
            of_chart(&Chart { dimensions: 1, place: &place }, value, case)
        }
        Region::Triangle([a, b, c]) => {
            let place = |y: &Vector| {
                let (s, t) = (half(y.x), half(y.y));
                (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| a + (b - a) * s + (c - a) * t)
            };
            of_chart(&Chart { dimensions: 2, place: &place }, value, case)
        }
        solid => {
            let (middle, axes, radius) = solid.frame();
            let place = |y: &Vector| {
                let place = middle + axes * (y * radius);
                (solid.excess(&place, case).0 <= 0.0).then_some(place)
            };
            of_chart(&Chart { dimensions: 3, place: &place }, value, case)
        }
    }
}

fn of_chart(chart: &Chart<'_>, value: &dyn Fn(&Point) -> f64, case: &Case) -> f64 {
    let mut random = Random::named("places", case.number as u64);
    let bare = |mut y: Vector| {
        y.iter_mut().skip(chart.dimensions).for_each(|x| *x = 0.0);
        y
    };
    let at = |y: &Vector| (chart.place)(y).map(|place| (value(&place), *y));
    let tried = (0..PLACES * chart.dimensions).filter_map(|_| at(&bare(random.vector())));
    let mut starts: Vec<(f64, Vector)> = tried.collect();
    starts.sort_by(|x, y| x.0.total_cmp(&y.0));
    starts.truncate(STARTS);
    let lows = starts.into_iter().map(|mut best| {
        let mut step = STEPS[0];
        while step > STEPS[1] {
            let axes = (0..6).map(|k| Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }));
            let ways: Vec<Vector> = axes.chain((0..6).map(|_| random.direction())).collect();
            let next = ways.iter().filter_map(|way| at(&(best.1 + bare(*way) * step)));
            match next.reduce(|x, y| if y.0 < x.0 { y } else { x }) {
                Some(lower) if lower.0 < best.0 => best = lower,
                _ => step *= 0.5,
            }
        }
        best.0
    });
    lows.fold(f64::INFINITY, f64::min)
}
