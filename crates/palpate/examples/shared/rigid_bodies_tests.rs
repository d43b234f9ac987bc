//! Tests of the rigid bodies, and of their recording.

#[path = "../../tests/record/live_run.rs"]
mod live_run;

use super::*;
use live_run::LiveRun;

#[test]
fn bodies_come_to_rest_and_two_runs_are_identical() -> Result<()> {
    let mut worlds = [World::new()?, World::new()?];
    for _ in 0..8 {
        let before = worlds[0].energy();
        worlds.iter_mut().try_for_each(|world| (0..60).try_for_each(|_| world.step()))?;
        assert!(worlds[0].energy() < before + 0.01, "{before} J, then {} J", worlds[0].energy());
    }
    for (body, velocity) in worlds[0].bodies.iter().zip(&worlds[0].velocities) {
        let place = body.pose.translation.vector;
        assert!(place.y > 0.02 && place.amax() < 2.0 && velocity.linear.norm() < 0.5, "{place}");
    }
    let [one, two] =
        worlds.map(|world| world.scene.all_contacts().map(|(_, contact)| *contact).collect::<Vec<_>>());
    assert!(one.len() > 60 && one.len() == two.len(), "{} and {} contacts", one.len(), two.len());
    assert!(one.iter().zip(&two).all(|(a, b)| a.same_bits(b)));
    Ok(())
}

#[test]
fn the_replay_has_the_contacts_of_the_live_run() -> Result<()> {
    let mut world = World::new()?;
    world.step()?; // places the bodies
    let mut run = LiveRun::of(&world.scene);
    for _ in 0..4 {
        (0..30).try_for_each(|_| world.step())?;
        run.record(&world.scene);
    }
    let compared = run.compare_replay();
    assert!(compared["body 0"] > 50, "{compared:?}");
    Ok(())
}
