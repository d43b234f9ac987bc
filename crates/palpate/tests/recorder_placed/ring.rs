//! The last seconds of a scene: bounded, and replayed to the same contacts.

use palpate::contact::Contact;
use palpate::prelude::*;
use palpate::record::{RecordRing, RingOptions, RingRecorder, Trigger};
use palpate::replay::{Replay, ReplayOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn demo() -> Replay {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../data/demo.vtkhdf"].iter().collect();
    Replay::open(&[path], &ReplayOptions::default()).unwrap()
}

fn contacts(scene: &Scene) -> Vec<Vec<Contact>> {
    scene.pairs().map(|pair| scene.contacts(pair).unwrap().contacts.clone()).collect()
}

fn same_bits(one: &[Vec<Contact>], two: &[Vec<Contact>]) -> bool {
    let same = |(one, two): (&Vec<Contact>, &Vec<Contact>)| {
        one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.same_bits(two))
    };
    one.len() == two.len() && one.iter().zip(two).all(same)
}

/// The contacts of every frame of a session.
fn replayed(path: &Path) -> Vec<Vec<Vec<Contact>>> {
    let mut replay = Replay::open(&[path], &ReplayOptions::default()).unwrap();
    let count = replay.frame_count();
    let frame = |frame| {
        replay.load(frame).unwrap();
        replay.detect().unwrap();
        contacts(replay.scene())
    };
    (0..count).map(frame).collect()
}

#[test]
fn the_last_seconds_replay_to_the_same_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("last.vtkhdf");
    // A sheet that is cut and a ball whose radius changes, before and within the last second.
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]].map(Point::from);
    let mut scene = Scene::standard();
    let sheet = SurfaceMesh::new(corners.to_vec(), vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    let sheet = scene.add("sheet", sheet).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::new(0.3, 0.1, 0.3), 0.2).unwrap()).unwrap();
    let points = PointSet::new(vec![Point::new(0.3, 0.1, 0.3), Point::new(5.0, 5.0, 5.0)]).unwrap();
    let points = scene.add("points", points).unwrap();
    scene.add_pair(ball, sheet, PairOptions::default()).unwrap();
    scene.add_pair(points, ball, PairOptions::default()).unwrap();
    let mut ring = scene.ring_recorder(1.0).unwrap();
    let mut live = Vec::new();
    for step in 0..64 {
        scene.advance();
        if step == 20 || step == 58 {
            let cells = if step == 20 { vec![[0, 1, 2]] } else { vec![[1, 3, 2]] };
            scene.replace(sheet, Box::new(SurfaceMesh::new(corners.to_vec(), cells).unwrap())).unwrap();
        }
        if step % 25 == 24 {
            scene.geometry_mut::<Sphere>(ball).unwrap().set_radius(0.2 + 1e-3 * f64::from(step)).unwrap();
        }
        let height = 0.1 + 0.001 * f64::from(step % 7);
        scene.geometry_mut::<Sphere>(ball).unwrap().set_center(Point::new(0.3, height, 0.3)).unwrap();
        scene.step().unwrap();
        ring.record(&scene, 0.03125 * f64::from(step)).unwrap();
        live.push(contacts(&scene));
    }
    assert_eq!((ring.frame_count(), ring.seconds()), (33, 1.0));
    ring.write(&path).unwrap();
    let again = replayed(&path);
    assert_eq!(again.len(), 33);
    for (frame, contacts) in again.iter().enumerate() {
        assert!(same_bits(contacts, &live[31 + frame]), "frame {frame}");
    }
    assert!(again.iter().flatten().any(|contacts| !contacts.is_empty()));
    // What does not move is stored once.
    assert!(ring.bytes() < 33 * 2500, "{}", ring.bytes());
    let error = ring.record(&scene, 0.0).unwrap_err().to_string();
    assert_eq!(error, "time: found 0 s, wanted a time after that of the last step");
}

/// `PALPATE_RING_STEPS=1000000` with `--release --nocapture` prints the share of the step's time.
#[test]
fn memory_is_bounded_and_a_trigger_fires_once() {
    let steps: usize = std::env::var("PALPATE_RING_STEPS").map_or(600, |text| text.parse().unwrap());
    let bytes = 2_000_000;
    let mut replay = demo();
    let options = RingOptions { seconds: 1e9, bytes, triggers: vec![Trigger::Depth(0.004)] };
    let mut ring = RingRecorder::new(replay.scene(), options).unwrap();
    let (mut fired, mut recording, mut stepping) = (0, Duration::ZERO, Duration::ZERO);
    let (mut least, mut most) = (usize::MAX, 0);
    for step in 0..steps {
        replay.load(step % replay.frame_count()).unwrap();
        let begun = Instant::now();
        replay.detect().unwrap();
        stepping += begun.elapsed();
        let begun = Instant::now();
        let found = ring.record(replay.scene(), 1e-3 * step as f64).unwrap();
        recording += begun.elapsed();
        fired += usize::from(found.is_some());
        if step >= 200 {
            (least, most) = (least.min(ring.bytes()), most.max(ring.bytes()));
        }
    }
    println!("{steps} steps: {:.2} % of the step", 100.0 * recording.as_secs_f64() / stepping.as_secs_f64());
    println!("{} KB of resident memory", resident());
    assert_eq!(fired, 1);
    assert!(most <= bytes && least * 100 >= bytes * 98, "{least} to {most} of {bytes}");
    ring.rearm();
}

/// Kilobytes, on Linux.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}
