//! Times a loop over many states of a scene, which `palpate.batch.Worlds` of the Python package is compared with.
//!
//! ```text
//! many_worlds SESSION.vtkhdf WORLDS
//! ```
//!
//! World `k` has the state of frame `k` of the session, begun again after the last. Prints the seconds of the loop and the number of contacts.

#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;
use palpate::replay::{Replay, ReplayOptions};
use std::error::Error;
use std::time::Instant;

/// What differs from world to world of a geometry.
enum State {
    Vertices(Vec<Point>),
    Pose(Pose),
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("wanted a session")?;
    let worlds: usize = arguments.next().ok_or("wanted a number of worlds")?.parse()?;

    let mut replay = Replay::open(&[path], &ReplayOptions::default())?;
    let mut frames = Vec::new();
    for frame in 0..replay.frame_count() {
        replay.load(frame)?;
        let scene = replay.scene();
        let state = |id| -> Result<State, SceneError> {
            Ok(match scene.geometry(id)?.as_points() {
                Some(points) => State::Vertices(points.positions().to_vec()),
                None => State::Pose(scene.pose(id)?),
            })
        };
        frames.push(scene.geometries().map(state).collect::<Result<Vec<State>, SceneError>>()?);
    }
    let mut scene = Scene::standard();
    for id in replay.scene().geometries() {
        let copy = replay.scene().geometry(id)?.try_clone().ok_or("a geometry that cannot be cloned")?;
        scene.add_boxed(replay.scene().name(id)?, copy, Groups::default())?;
    }
    let ids: Vec<GeometryId> = scene.geometries().collect();
    for pair in replay.pairs() {
        let pair = replay.scene().pair(pair)?;
        scene.add_pair(ids[pair.a().index()], ids[pair.b().index()], PairOptions::default())?;
    }

    let (started, mut all) = (Instant::now(), Vec::new());
    for world in 0..worlds {
        for (&id, state) in ids.iter().zip(&frames[world % frames.len()]) {
            match state {
                State::Vertices(vertices) => scene.set_positions(id, vertices)?,
                State::Pose(pose) => scene.set_pose(id, *pose)?,
            }
        }
        scene.step()?;
        all.extend(scene.all_contacts().map(|(_, contact)| *contact));
    }
    println!("{} {}", started.elapsed().as_secs_f64(), all.len());
    Ok(())
}
