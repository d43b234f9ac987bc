//! Mutated cases: each is answered with contacts or an error line, without a panic, in bounded time, and twice alike.
//!
//! `PALPATE_FUZZ` sets the number of cases. The seed is fixed, so case *n* is always the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

use super::answer;
use super::answer::Answering;
use super::lines::Line;
use palpate::describe::MeshFiles;
use palpate::detect::Registry;
use palpate_tests::{Regime, cases::cases};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Cases where the environment names no number.
const INPUTS: u64 = 1500;
/// The longest time for one case, on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);
/// Memory that all cases together may take.
const MOST_MEMORY: u64 = 1 << 30;
/// The longest mutated case, in bytes.
const LENGTH: usize = 1 << 18;

const NUMBERS: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    255.0,
    1e-9,
    1e9,
    5e-324,
    1e-300,
    1e-45,
    1e-30,
    1e30,
    1e45,
    1e46,
    1e300,
    f64::MAX,
    4_294_967_295.0,
    4_294_967_296.0,
    9_007_199_254_740_993.0,
];

const WHOLE: [u64; 9] = [0, 1, 2, 3, 1 << 20, (1 << 31) - 1, u32::MAX as u64, u32::MAX as u64 + 1, u64::MAX];

/// Numbers that JSON may hold and a value may not, and other words.
const WORDS: [&str; 12] = [
    "1e999",
    "-1e999",
    "1e-999",
    "NaN",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\"\\ud800\"",
    "\u{fe}",
    "\u{0}",
];

/// Cases of every detector, and some that the generators do not make.
fn seeds() -> Vec<Value> {
    let registry = Registry::standard();
    let mut seeds = Vec::new();
    for entry in registry.detectors() {
        for regime in [Regime::Shallow, Regime::Near, Regime::Degenerate] {
            let made = cases(&registry, entry, regime, 1).unwrap();
            seeds.extend(made.iter().map(|case| serde_json::from_str::<Value>(&case.to_json()).unwrap()));
        }
    }
    let ball = |x: f64| json!({"type": "Sphere", "center": [x, 0, 0], "radius": 0.5});
    let compound = json!({"type": "Compound", "children": [ball(0.0), ball(1.0), ball(2.0)]});
    let blend = json!({"smooth_union": {"of": [
        {"sphere": {"center": [0, 0, 0], "radius": 1}}, {"torus": {"center": [0, 0, 0], "major": 1, "minor": 0.25}}], "radius": 0.1}});
    let body = json!({"type": "Implicit", "function": blend});
    seeds.push(json!({"a": compound, "b": ball(0.75)}));
    seeds.push(json!({"a": compound, "b": compound, "detector": "CompoundCD"}));
    seeds.push(json!({"a": body, "b": ball(0.75), "options": {"margin": 0.1}}));
    seeds.push(json!({"a": {"type": "SurfaceMesh", "file": "missing.obj"}, "b": ball(0.0)}));
    seeds
}

/// One of the values in a tree, each as likely: the tree itself, an entry of a list, a value of a key.
fn any_of<'a>(value: &'a mut Value, random: &mut impl Rng) -> &'a mut Value {
    fn count(value: &Value) -> usize {
        match value {
            Value::Array(list) => 1 + list.iter().map(count).sum::<usize>(),
            Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
            _ => 1,
        }
    }
    fn find(value: &mut Value, at: usize) -> &mut Value {
        if at == 0 {
            return value;
        }
        let mut at = at - 1;
        let parts: Vec<&mut Value> = match value {
            Value::Array(list) => list.iter_mut().collect(),
            Value::Object(map) => map.values_mut().collect(),
            _ => Vec::new(),
        };
        for part in parts {
            let size = count(part);
            if at < size {
                return find(part, at);
            }
            at -= size;
        }
        unreachable!("the sizes of the parts sum up to that of the whole")
    }
    let at = random.random_range(0..count(value));
    find(value, at)
}

/// Another number in the place of one.
fn other_number(number: f64, random: &mut impl Rng) -> Value {
    match random.random_range(0..6) {
        0 => json!(NUMBERS[random.random_range(0..NUMBERS.len())]),
        1 => json!(WHOLE[random.random_range(0..WHOLE.len())]),
        2 => json!(-number),
        3 => json!(number * 10_f64.powi(random.random_range(-60..60))),
        4 => json!(f64::from_bits(number.to_bits() ^ (1 << random.random_range(0..64)))),
        _ => json!(number + random.random_range(-2.0..2.0)),
    }
}

/// Changes a value somewhere in a case; `other` is one to take values from.
fn mutate(case: &mut Value, other: &mut Value, random: &mut impl Rng) {
    let donor = any_of(other, random).clone();
    let names: Vec<String> = other.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
    // Two thirds of the changes are to one of the geometries.
    let side = ["a", "b", ""][random.random_range(0..3)];
    let whole = if case.get(side).is_some() { &mut case[side] } else { case };
    let place = any_of(whole, random);
    match place {
        Value::Number(number) if random.random_bool(0.9) => {
            let number = number.as_f64().unwrap_or_default();
            *place = other_number(number, random);
        }
        Value::Array(list) if !list.is_empty() => {
            let at = random.random_range(0..list.len());
            match random.random_range(0..6) {
                0 => drop(list.remove(at)),
                1 => list.push(donor),
                2 => list.insert(at, list[at].clone()),
                3 => {
                    let with = random.random_range(0..list.len());
                    list.swap(at, with);
                }
                4 => list[at] = list[random.random_range(0..list.len())].clone(),
                // As many as the longest line allows: a case of many elements.
                _ => {
                    let copies = random.random_range(1..64);
                    let whole = list.clone();
                    (0..copies).for_each(|_| list.extend(whole.iter().cloned()));
                }
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let key = keys[random.random_range(0..keys.len())].clone();
            match random.random_range(0..5) {
                0 => drop(map.remove(&key)),
                1 => drop(map.insert(key, donor)),
                2 => {
                    let value = map.remove(&key).unwrap();
                    let name = names.get(random.random_range(0..names.len().max(1))).cloned();
                    map.insert(name.unwrap_or_default(), value);
                }
                3 => drop(map.insert("radius".to_owned(), other_number(1.0, random))),
                _ => {
                    let value = map[&key].clone();
                    let name = ["a", "b", "detector", "options", "settings", "type", "function", "children"];
                    map.insert(name[random.random_range(0..name.len())].to_owned(), value);
                }
            }
        }
        _ => *place = if random.random_bool(0.5) { donor } else { nested(place.take(), random) },
    }
}

/// A value in lists, compounds or functions, one in another.
fn nested(mut value: Value, random: &mut impl Rng) -> Value {
    let depth = if random.random_bool(0.1) { 200 } else { random.random_range(1..6) };
    let way = random.random_range(0..4);
    for _ in 0..depth {
        value = match way {
            0 => Value::Array(vec![value]),
            1 => json!({"type": "Compound", "children": [value]}),
            2 => json!({"union": [value]}),
            _ => json!({"offset": {"of": value, "distance": 0}}),
        };
    }
    value
}

/// Changes some bytes of a line.
fn damage(line: &mut Vec<u8>, random: &mut impl Rng) {
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..line.len().max(1)).min(line.len());
        let end = (at + random.random_range(1..32)).min(line.len());
        match random.random_range(0..5) {
            0 if at < line.len() => line[at] ^= 1 << random.random_range(0..8),
            1 => drop(line.drain(at..end)),
            2 => {
                let word = WORDS[random.random_range(0..WORDS.len())].as_bytes();
                drop(line.splice(at..end.min(at + 3), word.iter().copied()));
            }
            3 => {
                let part = line[at..end].to_vec();
                drop(line.splice(at..at, part));
            }
            _ if random.random_bool(0.1) => line.truncate(at),
            _ => {
                let deep = vec![b"[{"[random.random_range(0..2)]; random.random_range(1..100_000)];
                drop(line.splice(at..at, deep.into_iter().take(random.random_range(1..100_000))));
            }
        }
    }
}

/// Case `number`.
fn input(seeds: &[Value], number: u64) -> Vec<u8> {
    let mut random = ChaCha8Rng::seed_from_u64((1 << 40) + number);
    let mut pick = || seeds[random.random_range(0..seeds.len())].clone();
    let (mut case, mut other) = (pick(), pick());
    // Without a name the registry chooses, also for kinds that have changed.
    if random.random_bool(0.5)
        && let Some(map) = case.as_object_mut()
    {
        map.remove("detector");
    }
    for _ in 0..random.random_range(0..4) {
        mutate(&mut case, &mut other, &mut random);
        if case.to_string().len() > LENGTH {
            break;
        }
    }
    let mut line = case.to_string().into_bytes();
    if random.random_bool(0.15) {
        damage(&mut line, &mut random);
    }
    line.truncate(4 * LENGTH);
    line
}

/// The most memory that the process ever had; `None` where the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

#[test]
fn mutated_cases_are_answered_or_refused() {
    let inputs = std::env::var("PALPATE_FUZZ").map_or(INPUTS, |count| count.parse().unwrap());
    // The first case, to continue a run.
    let first = std::env::var("PALPATE_FUZZ_FIRST").map_or(0, |number| number.parse().unwrap());
    let answering = Answering {
        registry: Registry::standard(),
        files: MeshFiles::default(),
        timing: false,
        longest_line: 1 << 22,
    };
    let seeds = seeds();
    for seed in &seeds {
        let line = Line { number: 1, bytes: Some(seed.to_string().into_bytes()) };
        let found = answer(&answering, &line);
        assert!(!found.failed || found.text.contains("missing.obj"), "{seed}: {}", found.text);
    }
    let (mut answered, mut with_contacts, mut slowest) = (0, 0, (Duration::ZERO, 0));
    println!("counted: damaged cases of palpate detect: {inputs}");
    let (mut reasons, mut panics) = (BTreeSet::new(), Vec::new());
    let started = Instant::now();
    for number in first..first + inputs {
        let line = Line { number, bytes: Some(input(&seeds, number)) };
        let start = Instant::now();
        let found = answer(&answering, &line);
        let spent = start.elapsed();
        slowest = slowest.max((spent, number));
        let shown = || String::from_utf8_lossy(line.bytes.as_deref().unwrap_or_default()).into_owned();
        assert!(spent < LONGEST, "case {number}: {spent:?}: {}", shown());
        if found.panicked {
            panics.push(number);
            println!("case {number}: {}\n{}", found.text, shown());
            continue;
        }
        if number % 16 == 0 {
            assert_eq!(found.text, answer(&answering, &line).text, "case {number}, twice: {}", shown());
        }
        let told: Value = serde_json::from_str(&found.text).unwrap();
        assert_eq!(told.get("error").is_some(), found.failed, "case {number}: {told}");
        if found.failed {
            let reason = told["error"].as_str().unwrap();
            assert!(!reason.contains('\n'), "{reason}");
            let words = reason.replace(|letter: char| letter.is_ascii_digit(), "");
            if reasons.len() < 100_000 {
                reasons.insert(words);
            }
        } else {
            answered += 1;
            with_contacts += u64::from(told["contacts"].as_array().is_some_and(|list| !list.is_empty()));
        }
    }
    let (time, which) = slowest;
    println!(
        "detect: {inputs} cases in {:?}, {answered} answered, {with_contacts} with contacts, {} reasons, {} panics, slowest \
         {time:?} (case {which})",
        started.elapsed(),
        reasons.len(),
        panics.len()
    );
    assert!(panics.is_empty(), "{panics:?}");
    if let Some(peak) = peak_memory() {
        println!("peak memory {} MiB", peak >> 20);
        assert!(peak < MOST_MEMORY, "{peak} bytes");
    }
    // Neither all harmless nor all refused at once.
    if inputs >= INPUTS {
        assert!(answered > inputs / 5 && with_contacts > inputs / 10, "{answered}, {with_contacts}");
        assert!(inputs - answered > inputs / 5 && reasons.len() > 50, "{answered}, {reasons:?}");
    }
}
