//! Tests of the suture, and of its recording.

#[path = "../../tests/record/live_run.rs"]
mod live_run;

use super::*;
use live_run::LiveRun;

#[test]
fn the_thread_keeps_its_length_and_its_distance() -> Result<()> {
    let mut suture = Suture::new()?;
    let length = |points: &[Point]| points.windows(2).map(|ends| (ends[1] - ends[0]).norm()).sum::<f64>();
    for _ in 0..30 {
        suture.step()?;
        suture.stepper.place(&mut suture.scene, &suture.moving)?;
        suture.scene.step()?;
        let deepest = suture.scene.deepest().map_or(0.0, |(_, contact)| contact.depth);
        assert!(deepest < 0.1 * RADIUS, "{deepest}");
        let stretch = length(&suture.moving.particles[..POINTS]) / length(&suture.at_rest[..POINTS]) - 1.0;
        assert!(stretch.abs() < 0.01, "{stretch}");
    }
    assert!(suture.scene.pairs_in_contact().any(|pair| pair.is_self()), "the turns of the coil touch");
    Ok(())
}

#[test]
fn the_replay_has_the_contacts_of_the_live_run() -> Result<()> {
    let mut suture = Suture::new()?;
    let mut run = LiveRun::of(&suture.scene);
    for _ in 0..30 {
        suture.step()?;
        run.record(&suture.scene);
    }
    let compared = run.compare_replay();
    assert!(compared["thread"] > 1000 && compared["organ"] > 300, "{compared:?}");
    Ok(())
}
