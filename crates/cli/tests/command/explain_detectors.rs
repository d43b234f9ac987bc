//! Explanations of generated cases of every detector, static and continuous: the last line agrees with the detector, and the
//! numbers of every line are computed again from the geometry.

use nalgebra::{DMatrix, DVector};
use palpate::contact::{CollisionData, Contact, Feature};
use palpate::detect::{Choice, Context, Entry, Registry};
use palpate::explain::{Explanation, Stage, Step, explain};
use palpate::geometry::{Geometry, SMALLEST};
use palpate::math::{Aabb, Point, Vector};
use palpate::scene::{Groups, PairOptions, Scene};
use palpate_tests::generate::{generate_pair, members};
use palpate_tests::oracle::signed_distance;
use palpate_tests::{Case, Random, Regime, Shape, cases};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The place that is asked for.
const PLACE: [f64; 3] = [0.1, 0.2, 0.3];

/// A case; of a continuous detector with where its sides were a step before.
struct Told {
    case: Case,
    before: Option<[Shape; 2]>,
}

impl Told {
    fn built(&self) -> [Box<dyn Geometry>; 2] {
        let ends = [&self.case.a, &self.case.b];
        let Some(starts) = &self.before else {
            return ends.map(|shape| shape.build().expect("a valid case"));
        };
        let moved = |side: usize| {
            let mut geometry = starts[side].build().expect("a valid case");
            geometry.advance();
            ends[side].place(geometry.as_mut());
            geometry
        };
        [moved(0), moved(1)]
    }

    /// What the detector reports and its flags, without a scene.
    fn run(&self, settings: Option<&Value>, margin: f64) -> (Vec<Contact>, Vec<&'static str>) {
        let registry = Registry::standard();
        let [mut a, mut b] = self.built();
        let detector = Some(self.case.detector).filter(|name| !name.is_empty());
        let choice = Choice { detector, settings, ..Choice::default() };
        let mut bound = registry.bind(a.as_ref(), b.as_ref(), choice).unwrap();
        let [needs_a, needs_b] = bound.needs();
        a.prepare(needs_a);
        b.prepare(needs_b);
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        let status = bound.run(a.as_ref(), b.as_ref(), &context, &mut out).unwrap();
        (out.contacts, status.flags.names().collect())
    }

    /// The contacts with the case's settings and another margin.
    fn within(&self, margin: f64) -> usize {
        self.run(self.case.settings.as_ref(), margin).0.len()
    }
}

fn deepest(contacts: &[Contact]) -> Value {
    json!(contacts.iter().map(|contact| contact.depth).reduce(f64::max))
}

/// The distance of a point from the hull of some others: the least over the parts of them in which its foot lies.
fn distance(point: &Point, corners: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for chosen in 1_usize..1 << corners.len() {
        let part: Vec<Vector> =
            (0..corners.len()).filter(|k| chosen >> k & 1 == 1).map(|k| corners[k].coords).collect();
        if part.len() == 1 {
            least = least.min((point.coords - part[0]).norm());
            continue;
        }
        let edges: Vec<Vector> = part[1..].iter().map(|corner| corner - part[0]).collect();
        let to = point.coords - part[0];
        let gram = DMatrix::from_fn(edges.len(), edges.len(), |row, column| edges[row].dot(&edges[column]));
        let right = DVector::from_fn(edges.len(), |row, _| edges[row].dot(&to));
        let Some(weights) = gram.lu().solve(&right) else { continue };
        if weights.iter().all(|weight| *weight >= 0.0) && weights.sum() <= 1.0 {
            let foot = edges.iter().zip(&weights).map(|(edge, weight)| edge * *weight).sum::<Vector>();
            least = least.min((to - foot).norm());
        }
    }
    least
}

/// The elements of a shape by their corners; the points of a set.
fn elements(shape: &Shape) -> Vec<Vec<Point>> {
    let vertices = shape.vertices();
    let of = |ids: &[u32]| ids.iter().map(|&id| vertices[id as usize]).collect();
    match shape {
        Shape::LineMesh { cells, .. } => cells.iter().map(|ids| of(ids)).collect(),
        Shape::SurfaceMesh { cells, .. } => cells.iter().map(|ids| of(ids)).collect(),
        Shape::TetraMesh { cells, .. } => cells.iter().map(|ids| of(ids)).collect(),
        _ => vertices.iter().map(|vertex| vec![*vertex]).collect(),
    }
}

/// The elements whose boxes, larger by the radius and the margin, touch the other box.
fn near(shape: &Shape, other: &Aabb, margin: f64) -> usize {
    let reach = shape.rounding_radius() + margin;
    let touches = |corners: &&Vec<Point>| {
        (0..3).all(|axis| {
            let along = || corners.iter().map(|corner| corner[axis]);
            along().fold(f64::INFINITY, f64::min) - reach <= other.max[axis]
                && along().fold(f64::NEG_INFINITY, f64::max) + reach >= other.min[axis]
        })
    };
    elements(shape).iter().filter(touches).count()
}

fn array(value: &Value) -> Vector {
    let number = |k: usize| value[k].as_f64().unwrap();
    Vector::new(number(0), number(1), number(2))
}

/// How many lines of each kind were checked.
#[derive(Debug, Default)]
struct Counts {
    boxes: usize,
    elements: usize,
    nearest: usize,
    settings: usize,
    contacts: usize,
    several: usize,
    places: usize,
    /// Signed distances at the place, by kind of geometry.
    signed: BTreeMap<String, usize>,
}

fn check(told: &Told, counts: &mut Counts) {
    let case = &told.case;
    let mut scene = Scene::standard();
    let [one, two] = told.built();
    let a = scene.add_boxed("a", one, Groups::default()).unwrap();
    let b = scene.add_boxed("b", two, Groups::default()).unwrap();
    let options = PairOptions {
        detector: Some(case.detector.to_owned()),
        settings: case.settings.clone(),
        margin: case.margin,
        ..PairOptions::default()
    };
    let pair = scene.add_pair(a, b, options).unwrap();
    let found = explain(&mut scene, pair, Some(Point::from(PLACE))).unwrap();
    let words = format!("{} {:?} {}: {found}", case.detector, case.regime, case.number);
    let (contacts, flags) = told.run(case.settings.as_ref(), case.margin);
    check_verdict(&found, &contacts, &words);
    assert_eq!(scene.contacts(pair).unwrap().contacts.len(), contacts.len(), "the scene is as before");
    assert_eq!(scene.pairs().count(), 1);
    for step in &found.steps {
        match step.stage {
            Stage::Binding => {
                assert_eq!(
                    (&step.values["detector"], &step.values["margin"]),
                    (&json!(case.detector), &json!(case.margin))
                );
            }
            Stage::Flags => assert_eq!(step.values["flags"], json!(flags), "{words}"),
            Stage::Boxes => check_boxes(told, step, &words, counts),
            Stage::Elements => check_elements(told, step, &words, counts),
            Stage::Nearest => check_nearest(told, step, &words, counts),
            Stage::Setting => check_setting(told, step, &words, counts),
            Stage::Contact => check_contact(step, &contacts, &words, counts),
            Stage::Several => check_several(step, &contacts, &words, counts),
            Stage::Place => check_place(case, step, &contacts, &words, counts),
            Stage::Sides => check_sides(case, step, &words),
            Stage::Detector => {
                let other = Told { case: Case { detector: "", ..case.clone() }, before: told.before.clone() };
                let (other, _) = other.run(None, case.margin);
                assert_eq!(step.values["contacts"], other.len(), "{words}");
                assert_eq!(step.values["deepest"], deepest(&other), "{words}");
            }
            Stage::Verdict => {}
            other => panic!("{other:?}: {words}"),
        }
    }
}

/// The last line has the number and the depth that the detector has, or the distance of the line of the nearest elements.
fn check_verdict(found: &Explanation, contacts: &[Contact], words: &str) {
    let verdict = found.steps.last().unwrap();
    assert_eq!(verdict.stage, Stage::Verdict);
    assert_eq!(verdict.values["contacts"], contacts.len(), "{words}");
    assert_eq!(verdict.values["deepest"], deepest(contacts), "{words}");
    let all =
        verdict.text.split_whitespace().filter_map(|word| word.trim_end_matches('.').parse::<f64>().ok());
    let numbers: Vec<f64> = all.collect();
    match deepest(contacts).as_f64() {
        Some(depth) => assert_eq!(numbers, [contacts.len() as f64, depth], "{words}"),
        None => {
            let step = |stage: Stage| found.steps.iter().find(|step| step.stage == stage);
            let apart = step(Stage::Nearest).map(|step| &step.values["distance"]);
            let apart = apart.or(step(Stage::Boxes).map(|step| &step.values["gap"])).and_then(Value::as_f64);
            assert!(verdict.text.starts_with("No contact") && !verdict.text.contains("fault"), "{words}");
            assert!(numbers.is_empty() || numbers[0] == apart.unwrap(), "{words}");
        }
    }
}

fn check_boxes(told: &Told, step: &Step, words: &str, counts: &mut Counts) {
    let [a, b] = told.built().map(|geometry| geometry.bounds());
    let gaps = (0..3).flat_map(|axis| [a.min[axis] - b.max[axis], b.min[axis] - a.max[axis]]);
    let gap = gaps.fold(f64::NEG_INFINITY, f64::max);
    assert!(gap == step.values["gap"].as_f64().unwrap_or(gap), "{words}");
    counts.boxes += 1;
}

fn check_elements(told: &Told, step: &Step, words: &str, counts: &mut Counts) {
    let [a, b] = told.built().map(|geometry| geometry.bounds());
    let (shape, other) = if step.values["side"] == "a" { (&told.case.a, b) } else { (&told.case.b, a) };
    assert_eq!(step.values["all"], elements(shape).len(), "{words}");
    assert_eq!(step.values["near"], near(shape, &other, told.case.margin), "{words}");
    counts.elements += 1;
}

/// With a margin of that distance the detector reports a contact, with a smaller one none; and so far apart are the points.
fn check_nearest(told: &Told, step: &Step, words: &str, counts: &mut Counts) {
    let case = &told.case;
    let distance = step.values["distance"].as_f64().unwrap();
    // A search finds the distance to its tolerance.
    let slack = case.search_tolerance().map_or(1e-9, |tolerance| tolerance * case.size() / distance);
    assert!(told.within(distance * (1.0 + slack + 1e-9)) > 0, "{words}");
    // A point that meets a bare segment has a contact with any margin: no smaller one can be asked for.
    if distance > 2.0 * SMALLEST {
        assert_eq!(told.within((distance * (1.0 - slack - 1e-6)).max(0.0)), 0, "{words}");
    }
    let apart = (array(&step.values["point_a"]) - array(&step.values["point_b"])).norm();
    if told.before.is_none() && !case.detector.starts_with("implicit") {
        assert!((apart - distance).abs() <= 1e-9 * case.size(), "{apart} {words}");
    }
    counts.nearest += 1;
}

fn check_setting(told: &Told, step: &Step, words: &str, counts: &mut Counts) {
    let case = &told.case;
    let mut settings = Registry::standard().entry(case.detector).unwrap().default_settings();
    for (key, value) in case.settings.iter().flat_map(|own| own.as_object().unwrap()) {
        settings[key] = value.clone();
    }
    settings[step.values["setting"].as_str().unwrap()] = step.values["other"].clone();
    let (other, _) = told.run(Some(&settings), case.margin);
    assert_eq!(step.values["contacts"], other.len(), "{words}");
    assert_eq!(step.values["deepest"], deepest(&other), "{words}");
    counts.settings += 1;
}

/// A surface is closed if every edge has two triangles, in opposite order.
fn check_sides(case: &Case, step: &Step, words: &str) {
    let shape = if step.values["side"] == "a" { &case.a } else { &case.b };
    let Shape::SurfaceMesh { cells, .. } = shape else { panic!("no surface: {words}") };
    let edges: Vec<[u32; 2]> = cells.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let is_closed = edges.iter().all(|&[from, to]| {
        let count = |edge: [u32; 2]| edges.iter().filter(|other| **other == edge).count();
        count([from, to]) == 1 && count([to, from]) == 1
    });
    if is_closed || case.regime != Regime::Degenerate {
        assert_eq!(step.values["closed"], is_closed, "{words}");
    }
}

fn check_contact(step: &Step, contacts: &[Contact], words: &str, counts: &mut Counts) {
    let number: usize = step.text.split([' ', ':']).nth(1).unwrap().parse().unwrap();
    let contact = &contacts[number];
    let wanted = [json!(contact.id.to_string()), json!(contact.depth), json!(contact.depth_upper)];
    assert_eq!(["id", "depth", "depth_upper"].map(|name| step.values[name].clone()), wanted, "{words}");
    assert_eq!(array(&step.values["direction"]), Vector::from(contact.direction), "{words}");
    counts.contacts += 1;
}

fn check_several(step: &Step, contacts: &[Contact], words: &str, counts: &mut Counts) {
    let number = |name: &str| step.values[name].as_f64().unwrap();
    let [one, two] = ["first", "second"].map(|name| &contacts[number(name) as usize]);
    let point = |side: &Feature| Vector::from(side.point);
    assert_eq!(number("distance"), (point(&one.a) - point(&two.a)).norm(), "{words}");
    let cosine = Vector::from(one.direction).dot(&Vector::from(two.direction)).clamp(-1.0, 1.0);
    assert!((number("degrees") - cosine.acos().to_degrees()).abs() < 1e-5, "{words}");
    assert!(contacts.iter().filter(|other| other.depth > two.depth).count() <= 1, "{words}");
    counts.several += 1;
}

fn check_place(case: &Case, step: &Step, contacts: &[Contact], words: &str, counts: &mut Counts) {
    let number = |name: &str| step.values.get(name).and_then(Value::as_f64);
    let place = Point::from(PLACE);
    let Some(side) = step.values.get("side") else {
        let away = |side: &Feature| (Vector::from(side.point) - place.coords).norm();
        let all = contacts.iter().flat_map(|contact| [away(&contact.a), away(&contact.b)]);
        assert_eq!(number("distance").unwrap(), all.fold(f64::INFINITY, f64::min), "{words}");
        return;
    };
    let shape = if side == "a" { &case.a } else { &case.b };
    let close = |found: f64, wanted: f64| {
        assert!((found - wanted).abs() <= 1e-9 * (1.0 + case.size()), "{found} {wanted}: {words}");
    };
    if let Some(found) = number("distance").filter(|_| !shape.vertices().is_empty()) {
        let all =
            elements(shape).iter().map(|corners| distance(&place, corners)).fold(f64::INFINITY, f64::min);
        close(found, all);
        counts.places += 1;
    }
    if let Some(found) = number("signed_distance") {
        close(found, signed_distance(case, shape, &place).expect(words));
        *counts.signed.entry(shape.kind().name().to_owned()).or_default() += 1;
    }
}

/// A motion of a continuous detector: from apart to overlapping, or to apart.
fn moving(entry: &Entry, number: usize) -> Result<Told, String> {
    let mut random = Random::named(&format!("explain {}", entry.name), number as u64);
    let (members_a, members_b) = (members(&entry.a), members(&entry.b));
    let kinds =
        [&members_a[number % members_a.len()], &members_b[(number / members_a.len()) % members_b.len()]];
    let ([a, b], direction) = generate_pair(kinds, Regime::Deep, false, &mut random)?;
    let middle = Point::from(b.center());
    let reach = [&a, &b].map(|shape| shape.reach_from(&middle)).into_iter().filter(|reach| reach.is_finite());
    let reach = reach.fold(0.0, f64::max);
    let start = b.shifted(&(direction * (2.5 * reach)));
    let end = if number.is_multiple_of(2) { b } else { b.shifted(&(direction * (1.5 * reach + 0.01))) };
    let regime = if number.is_multiple_of(2) { Regime::Deep } else { Regime::Separated };
    let before = Some([a.clone(), start]);
    Ok(Told {
        case: Case { detector: entry.name, regime, number, a, b: end, margin: 0.0, settings: None },
        before,
    })
}

/// At least `count` cases, half of them with contacts; the degenerate ones among them.
fn all_of(registry: &Registry, entry: &Entry, count: usize) -> Result<Vec<Told>, String> {
    if entry.continuous {
        return (0..count).map(|number| moving(entry, number)).collect();
    }
    let mut all = Vec::new();
    for regime in Regime::ALL {
        let cases = cases::cases(registry, entry, regime, count.div_ceil(5))?;
        all.extend(cases.into_iter().map(|case| Told { case, before: None }));
    }
    Ok(all)
}

/// `PALPATE_EXPLAIN=100` is the number of cases of each detector, 6 without it.
#[test]
fn every_detector_is_explained_with_numbers_that_hold() {
    let count: usize = std::env::var("PALPATE_EXPLAIN").map_or(6, |text| text.parse().unwrap());
    let registry = Registry::standard();
    let (mut counts, mut checked) = (Counts::default(), 0);
    for entry in registry.detectors() {
        let all = all_of(&registry, entry, count).unwrap();
        let mut with_contacts = 0;
        for told in &all {
            check(told, &mut counts);
            with_contacts +=
                usize::from(!told.run(told.case.settings.as_ref(), told.case.margin).0.is_empty());
        }
        assert!(
            all.len() >= count && with_contacts * 5 >= count,
            "{}: {}, {with_contacts}",
            entry.name,
            all.len()
        );
        assert!((all.len() - with_contacts) * 8 >= count, "{}: {}, {with_contacts}", entry.name, all.len());
        checked += all.len();
    }
    println!("{checked} cases of {} detectors: {counts:?}", registry.detectors().len());
    let least = [counts.nearest, counts.settings, counts.several, counts.elements, counts.places];
    assert!(least.iter().all(|lines| *lines > 20), "{counts:?}");
    assert!(counts.signed.len() == 9 && counts.signed.values().all(|lines| *lines >= 5), "{counts:?}");
}
