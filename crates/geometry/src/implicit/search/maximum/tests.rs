//! The search against branch and bound, to which the terms are hidden.

use super::Answer;
use super::proof::Maximum;
use crate::implicit::search::Counted;
use crate::implicit::search::tolerance::Tolerance;
use crate::implicit::search::{ConvexDomain, Minimum, Search};
use crate::implicit::{CylinderDomain, ImplicitFunction, Intersection, Offset, OrientedBounds, Solid, Union};
use crate::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, OrientedBox, Plane, Pose, Sphere,
};
use palpate_convex::{ConvexHull, Hull};
use palpate_math::{Point, Vector, rounding};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

type Part = Arc<dyn ImplicitFunction>;

const GAP: Tolerance = Tolerance::new(1e-10);

struct Random(u64);

impl Random {
    /// A number between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }

    /// A number between a least and one.
    fn size(&mut self, least: f64) -> f64 {
        least + (1.0 - least) * self.next().abs()
    }

    fn pose(&mut self, reach: f64) -> Pose {
        Pose::new(self.vector() * reach, self.vector() * 3.0)
    }
}

/// A convex body of about the size one, whose lengths are multiplied by a scale.
fn convex(kind: usize, random: &mut Random, scale: f64, reach: f64, size: f64) -> Part {
    let pose = random.pose(reach * scale);
    let scale = scale * size;
    match kind {
        0 => {
            Arc::new(OrientedBox::new(pose, random.vector().map(|x| scale * (0.4 + 0.6 * x.abs()))).unwrap())
        }
        1 => Arc::new(Sphere::new(Point::from(pose.translation.vector), scale * random.size(0.5)).unwrap()),
        2 => Arc::new(
            Capsule::new(pose, 0.6 * scale * random.size(0.4), 2.0 * scale * random.size(0.5)).unwrap(),
        ),
        3 => Arc::new(Cylinder::new(pose, scale * random.size(0.4), 2.0 * scale * random.size(0.4)).unwrap()),
        4 => {
            let points: Vec<Point> = (0..12).map(|_| Point::from(random.vector() * scale)).collect();
            Arc::new(Convex::new(pose, &points).unwrap())
        }
        5 => Arc::new(Cone::new(pose, scale * random.size(0.5), 2.0 * scale * random.size(0.5)).unwrap()),
        6 => Arc::new(Ellipsoid::new(pose, random.vector().map(|x| scale * (0.5 + 0.5 * x.abs()))).unwrap()),
        7 => Arc::new(Plane::new(pose * Point::origin(), pose.rotation * Vector::y()).unwrap()),
        _ => {
            let part = convex(random.0 as usize >> 9 & 3, random, scale, 0.0, 1.0);
            Arc::new(Offset::new(part, 0.2 * scale * random.size(0.2)).unwrap())
        }
    }
}

/// A convex body of any kind but a half-space; the first kinds are more frequent.
fn any_convex(random: &mut Random, scale: f64, reach: f64, size: f64) -> Part {
    const KINDS: [usize; 12] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8];
    let kind = (random.next().abs() * 12.0) as usize;
    convex(KINDS[kind.min(11)], random, scale, reach, size)
}

const BODIES: usize = 10;

/// Differences, shells, lenses and others.
fn composite(kind: usize, random: &mut Random, scale: f64) -> Part {
    let difference = |parts: Vec<Part>| -> Part { Arc::new(Intersection::difference(parts).unwrap()) };
    match kind {
        // Drilled, and with a larger body taken away.
        0 | 1 => {
            let solid = any_convex(random, scale, 0.1, 1.0);
            difference(vec![solid, any_convex(random, scale, 0.5, [0.5, 1.2][kind])])
        }
        // Two holes, one after the other or as one body.
        2 => {
            let solid = any_convex(random, scale, 0.1, 1.0);
            let holes = [0, 1].map(|_| any_convex(random, scale, 0.6, 0.4)).to_vec();
            if random.next() < 0.0 {
                difference(std::iter::once(solid).chain(holes).collect())
            } else {
                difference(vec![solid, Arc::new(Union::new(holes).unwrap())])
            }
        }
        // Shells about one centre.
        3 => {
            let inner = convex(random.0 as usize >> 9 & 3, random, scale, 0.2, 0.7);
            let outer = Arc::new(Offset::new(inner.clone(), 0.2 * scale).unwrap());
            difference(vec![outer, inner])
        }
        4 => {
            let pose = random.pose(0.2 * scale);
            let rod = |radius: f64| -> Part { Arc::new(Capsule::new(pose, radius * scale, scale).unwrap()) };
            difference(vec![rod(0.6), rod(0.5)])
        }
        // A lens, drilled or not.
        5 => {
            let parts = [0, 1].map(|_| any_convex(random, scale, 0.3, 0.9)).to_vec();
            let lens: Part = Arc::new(Intersection::new(parts).unwrap());
            if random.next() < 0.0 {
                lens
            } else {
                difference(vec![lens, any_convex(random, scale, 0.4, 0.3)])
            }
        }
        // A half-space or its part in a ball, with a pit.
        6 => {
            let floor = convex(7, random, scale, 0.2, 1.0);
            let pit = any_convex(random, scale, 0.3, 0.7);
            let cut = difference(vec![floor, pit]);
            if random.next() < 0.0 {
                return cut;
            }
            Arc::new(Intersection::new(vec![cut, any_convex(random, scale, 0.1, 1.0)]).unwrap())
        }
        // Scaled, posed, grown.
        7 => {
            let part = composite(0, random, scale);
            let body = ImplicitBody::new(random.pose(0.2 * scale), part).unwrap().with_scale(0.75).unwrap();
            Arc::new(Offset::new(Arc::new(body), 0.05 * scale).unwrap())
        }
        // Shells about two centres and two parallel axes.
        8 => {
            let pose = random.pose(0.2 * scale);
            let moved =
                Pose::from_parts((pose * Point::from(random.vector() * (0.1 * scale))).into(), pose.rotation);
            let length = scale * [0.0, 0.5][usize::from(random.next() < 0.0)];
            let rod = |pose: Pose, radius: f64, length: f64| -> Part {
                Arc::new(Capsule::new(pose, radius * scale, length).unwrap())
            };
            difference(vec![rod(pose, 0.7, length), rod(moved, 0.4, length + 4.0 * length)])
        }
        // What remains of a hole in a hole is no such maximum.
        _ => {
            let plug =
                difference(vec![any_convex(random, scale, 0.3, 0.8), any_convex(random, scale, 0.3, 0.4)]);
            difference(vec![any_convex(random, scale, 0.1, 1.0), plug])
        }
    }
}

/// A solid with its minimum by branch and bound.
enum Body {
    Box(OrientedBox),
    Cylinder(Cylinder),
    Hull(Box<Convex>),
}

impl Body {
    fn random(kind: usize, random: &mut Random, scale: f64) -> Self {
        let pose = random.pose(0.9 * scale);
        let flat = if random.next() < -0.8 { 0.02 } else { 0.3 };
        match kind {
            0 => Self::Box(
                OrientedBox::new(pose, random.vector().map(|x| scale * (flat + 0.8 * x.abs()))).unwrap(),
            ),
            1 => Self::Cylinder(
                Cylinder::new(pose, scale * random.size(flat), 2.0 * scale * random.size(flat)).unwrap(),
            ),
            _ => {
                let half = random.vector().map(|x| scale * (flat + 0.8 * x.abs()));
                let point =
                    |random: &mut Random| Point::from(random.vector().normalize().component_mul(&half));
                let points: Vec<Point> = (0..32).map(|_| point(random)).collect();
                Self::Hull(Box::new(Convex::new(pose, &points).unwrap()))
            }
        }
    }

    fn domain(&self) -> ConvexDomain<'_> {
        match self {
            Self::Box(body) => ConvexDomain::of_box(body.pose(), &body.half_extents()),
            Self::Cylinder(body) => {
                let half_height = 0.5 * body.length();
                ConvexDomain::of_cylinder(CylinderDomain::at(body.pose(), body.radius(), half_height))
            }
            Self::Hull(body) => ConvexDomain::of_hull(body.pose(), body.hull()),
        }
    }

    fn geometry(&self) -> (&dyn ImplicitFunction, &dyn Geometry) {
        match self {
            Self::Box(body) => (body, body),
            Self::Cylinder(body) => (body, body),
            Self::Hull(body) => (body.as_ref(), body.as_ref()),
        }
    }

    fn root(&self) -> OrientedBounds {
        let (function, geometry) = self.geometry();
        function.oriented_bounds().unwrap_or_else(|| geometry.bounds_at_rest().into())
    }

    fn by_division(&self, function: &dyn ImplicitFunction, cutoff: f64) -> Option<Minimum> {
        let (solid, geometry) = self.geometry();
        let solid = Solid::new(solid, geometry.bounds_at_rest());
        let hidden = Counted(function, AtomicUsize::new(0));
        Search::with_tolerance(1e-12).below_within(&hidden, &solid, &self.root(), cutoff)
    }
}

/// How often cases are settled, and how.
#[derive(Default)]
struct Tally {
    touching: usize,
    apart: usize,
    open: usize,
    unlike: usize,
    unsettled_by_division: usize,
}

fn compare(solid: usize, cases: usize, seed: u64) -> Tally {
    let mut random = Random(seed);
    let mut search = Maximum::default();
    let mut tally = Tally::default();
    for case in 0..cases {
        let scale = [1.0, 1e-3, 40.0][case % 3];
        let function = composite(case % BODIES, &mut random, scale);
        let body = Body::random(solid, &mut random, scale);
        let domain = body.domain();
        let cutoff = if case % 4 == 3 { 0.3 * scale } else { 0.0 };
        let tolerance = 2e-10 * domain.reach();
        let answer = search.over(function.as_ref(), &domain, cutoff, GAP);
        let found = match answer {
            Answer::Settled(found) => found,
            Answer::Open(_) => {
                if case % BODIES == BODIES - 1 {
                    tally.unlike += 1
                } else {
                    tally.open += 1
                }
                continue;
            }
        };
        let wanted = body.by_division(function.as_ref(), cutoff);
        if let Some(found) = &found {
            let outside = body.geometry().0.sample(&found.point).value;
            assert!(outside <= tolerance, "{case}: {found:?} is {outside} outside");
            assert!(
                found.lower <= found.sample.value && found.sample.value - found.lower <= tolerance,
                "{case}"
            );
            assert_eq!(function.sample(&found.point), found.sample, "{case}");
        }
        match (&wanted, &found) {
            (Some(wanted), _) if !wanted.converged => {
                tally.unsettled_by_division += 1;
                let found = found.map_or(cutoff, |found| found.lower);
                assert!(found <= wanted.sample.value + tolerance, "{case}: {found:?} {wanted:?}");
            }
            (Some(wanted), Some(found)) => {
                tally.touching += 1;
                assert!(found.lower <= wanted.sample.value + tolerance, "{case}: {found:?} {wanted:?}");
                assert!(wanted.lower <= found.sample.value + tolerance, "{case}: {found:?} {wanted:?}");
            }
            (None, None) => tally.apart += 1,
            (Some(only), None) | (None, Some(only)) => {
                assert!((only.sample.value - cutoff).abs() <= tolerance, "{case}: {only:?}");
            }
        }
    }
    tally
}

fn cases() -> usize {
    std::env::var("PALPATE_MAXIMA").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

fn agrees(solid: usize, seed: u64) {
    let cases = cases();
    let Tally { touching, apart, open, unlike, unsettled_by_division } = compare(solid, cases, seed);
    let tried = cases - unlike;
    let report = format!("{touching} touch, {apart} apart, {open} open, {unsettled_by_division} not divided");
    println!("{report}");
    // What is open is left to division.
    assert!(unlike == cases / BODIES && open * 3 < tried, "{report}");
    assert!(touching * 2 > tried && apart * 40 > tried, "{report}");
}

#[test]
fn over_boxes_it_finds_what_division_finds() {
    agrees(0, 11);
}

#[test]
fn over_cylinders_it_finds_what_division_finds() {
    agrees(1, 12);
}

#[test]
fn over_hulls_it_finds_what_division_finds() {
    agrees(2, 13);
}

/// Compares what was found over a body with what division finds; returns whether both touch, and whether both are apart.
fn agree_within(
    case: usize,
    function: &dyn ImplicitFunction,
    body: &ImplicitBody,
    root: &OrientedBounds,
    found: Option<Minimum>,
    tolerance: f64,
) -> [bool; 2] {
    let [hidden, within] = [function, body].map(|part| Counted(part, AtomicUsize::new(0)));
    let wanted = Search::with_tolerance(1e-12).below_within(&hidden, &within, root, 0.0);
    match (&wanted, &found) {
        (Some(wanted), Some(found)) => {
            // A place that is a little outside may be lower than all inside.
            let outside = 10.0 * body.sample(&wanted.point).value.max(0.0);
            let is_above = found.lower <= wanted.sample.value + tolerance + outside;
            assert!(is_above, "{case}: {found:?} {wanted:?}");
            assert!(wanted.lower <= found.sample.value + tolerance, "{case}: {found:?} {wanted:?}");
            assert!(body.sample(&found.point).value <= tolerance, "{case}: {found:?}");
            [true, false]
        }
        (None, None) => [false, true],
        (Some(only), None) | (None, Some(only)) => {
            assert!(only.sample.value.abs() <= tolerance || !only.converged, "{case}: {only:?}");
            [false, false]
        }
    }
}

/// The least value of a composite in another that is not convex.
#[test]
fn in_other_composites_it_finds_what_division_finds() {
    let mut random = Random(14);
    let mut search = Maximum::default();
    let (mut touching, mut open, mut apart) = (0, 0, 0);
    let cases = cases() / 3;
    for case in 0..cases {
        let function = composite(case % (BODIES - 1), &mut random, 1.0);
        let part = composite(case % 3, &mut random, 1.0);
        let body = ImplicitBody::new(random.pose(0.9), part).unwrap().with_scale(random.size(0.4)).unwrap();
        let Some(root) = body.as_function().oriented_bounds() else { continue };
        let reach = root.half.iter().sum::<Vector>().norm();
        let tolerance = 2e-10 * reach;
        let found = match search.within(function.as_ref(), &body, &root, 0.0, GAP) {
            Answer::Settled(found) => found,
            Answer::Open(_) => {
                open += 1;
                continue;
            }
        };
        let [touches, is_apart] = agree_within(case, function.as_ref(), &body, &root, found, tolerance);
        touching += usize::from(touches);
        apart += usize::from(is_apart);
    }
    println!("{touching} touch, {apart} apart, {open} open");
    assert!(touching * 3 > cases && apart * 20 > cases && open * 5 < cases, "{touching} {apart} {open}");
}

/// With all lengths multiplied by a power of two, all results are, to the last bit.
#[test]
fn the_scale_makes_no_difference() {
    let mut met = 0;
    for case in 0..240 {
        let at = |scale: f64| {
            let mut random = Random(100 + case as u64);
            let function = composite(case % BODIES, &mut random, scale);
            let body = Body::random(case / BODIES % 3, &mut random, scale);
            let answer = Maximum::default().over(function.as_ref(), &body.domain(), 0.0, GAP);
            match answer {
                Answer::Settled(found) => {
                    found.map(|found| (found.point / scale, found.sample.value / scale, found.lower / scale))
                }
                Answer::Open(known) => {
                    known.map(|known| (known.point / scale, known.sample.value / scale, 0.0))
                }
            }
        };
        let wanted = at(1.0);
        met += usize::from(wanted.is_some());
        for power in [-20, 3, 28] {
            assert_eq!(at(libm::ldexp(1.0, power)), wanted, "{case}, {power}");
        }
    }
    assert!(met > 120, "{met}");
}

fn drilled_block() -> Intersection {
    let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 0.8, 0.6)).unwrap());
    let drill: Part = Arc::new(Capsule::new(Pose::translation(0.2, 0.0, 0.1), 0.3, 2.0).unwrap());
    Intersection::difference(vec![block, drill]).unwrap()
}

/// Hulls of many points are; those without an interior are left to others.
#[test]
fn large_hulls_are_solids_too_and_flat_ones_are_not() {
    let mut random = Random(9);
    let drilled = drilled_block();
    let mut settled = 0;
    for case in 0..60 {
        let flat = if case % 2 == 0 { 0.0 } else { 1.0 };
        let points: Vec<Point> = (0..if case % 3 == 0 { 200 } else { 9 })
            .map(|_| random.vector().normalize().component_mul(&Vector::new(0.7, flat, 0.5)))
            .map(Point::from)
            .collect();
        let body = Convex::new(random.pose(0.8), &points).unwrap();
        let domain = ConvexDomain::of_hull(body.pose(), body.hull());
        let answer = Maximum::default().over(&drilled, &domain, 0.0, GAP);
        if flat == 0.0 {
            assert!(matches!(answer, Answer::Open(None)), "{case}: {answer:?}");
            continue;
        }
        let Answer::Settled(found) = answer else { continue };
        settled += 1;
        let hidden = Counted(&drilled, AtomicUsize::new(0));
        let solid = Solid::new(&body, Geometry::bounds(&body));
        let wanted =
            Search::with_tolerance(1e-12).below_within(&hidden, &solid, &Geometry::bounds(&body).into(), 0.0);
        match (&found, &wanted) {
            (Some(found), Some(wanted)) => {
                assert!(found.lower <= wanted.sample.value + 1e-9, "{case}: {found:?} {wanted:?}");
                assert!(wanted.lower <= found.sample.value + 1e-9, "{case}: {found:?} {wanted:?}");
            }
            (found, wanted) => assert!(found.is_none() && wanted.is_none(), "{case}: {found:?} {wanted:?}"),
        }
    }
    assert!(settled > 25, "{settled}");
}

/// The gap is relative to the hull's own size, wherever the origin of its frame is.
#[test]
fn a_hull_far_from_its_origin_has_the_gap_of_its_size() {
    let mut random = Random(29);
    let away = Vector::new(300.0, -200.0, 100.0);
    let back = Pose::translation(-away.x, -away.y, -away.z);
    let drilled = drilled_block();
    let mut settled = 0;
    for case in 0..40 {
        let points: Vec<Point> =
            (0..8).map(|_| Point::from(random.vector().normalize() * 0.6 + away)).collect();
        let body = Convex::new(random.pose(0.8) * back, &points).unwrap();
        let domain = ConvexDomain::of_hull(body.pose(), body.hull());
        assert!(domain.reach() < 1.3, "{}", domain.reach());
        // Its points are not more exact than the coordinates from which they are moved.
        assert!(domain.rounding() > rounding::length(300.0), "{}", domain.rounding());
        let Answer::Settled(Some(found)) = Maximum::default().over(&drilled, &domain, 0.0, GAP) else {
            continue;
        };
        settled += 1;
        let gap = found.sample.value - found.lower;
        assert!((0.0..=GAP.relative * 1.2).contains(&gap), "{case}: {gap}");
    }
    assert!(settled > 20, "{settled}");
}

/// Without a triangle there is nothing to cut.
#[test]
fn a_point_is_left_to_others() {
    let hull: Hull = {
        let points = [Point::origin()];
        let hull = ConvexHull::new(&points);
        Hull::new(vec![Vector::zeros()], hull.triangles).unwrap()
    };
    let ball: Part = Arc::new(Sphere::new(Point::origin(), 1.0).unwrap());
    let shell =
        Intersection::difference(vec![ball.clone(), Arc::new(Offset::new(ball, -0.1).unwrap())]).unwrap();
    let domain = ConvexDomain::of_hull(&Pose::identity(), &hull);
    assert!(matches!(Maximum::default().over(&shell, &domain, 1.0, GAP), Answer::Open(None)));
}

/// What two convex bodies have in common, in what two others have: without holes, by Newton's method.
#[test]
fn in_lenses_it_finds_what_division_finds() {
    let mut random = Random(15);
    let mut search = Maximum::default();
    let (mut touching, mut open, mut apart) = (0, 0, 0);
    let cases = cases();
    for case in 0..cases {
        let scale = [1.0, 1e-3, 40.0][case % 3];
        let lens = |random: &mut Random| -> Part {
            let parts = [0, 1].map(|_| any_convex(random, scale, 0.3, 0.9)).to_vec();
            Arc::new(Intersection::new(parts).unwrap())
        };
        let (function, part) = (lens(&mut random), lens(&mut random));
        let body = ImplicitBody::new(random.pose(0.8 * scale), part).unwrap();
        let root = OrientedBounds::from(body.sublevel_bounds(0.0));
        if body.sublevel_bounds(0.0).is_empty() {
            continue;
        }
        let tolerance = 2e-10 * root.reach();
        let found = match search.within(function.as_ref(), &body, &root, 0.0, GAP) {
            Answer::Settled(found) => found,
            Answer::Open(_) => {
                open += 1;
                continue;
            }
        };
        if let Some(found) = &found {
            assert!(found.sample.value - found.lower <= tolerance, "{case}: {found:?}");
            assert!(body.sample(&found.point).value <= tolerance, "{case}: {found:?}");
        }
        let [touches, is_apart] = agree_within(case, function.as_ref(), &body, &root, found, tolerance);
        touching += usize::from(touches);
        apart += usize::from(is_apart);
    }
    println!("{touching} touch, {apart} apart, {open} open");
    assert!(touching * 3 > cases && apart * 20 > cases && open * 4 < cases, "{touching} {apart} {open}");
}
