//! The children of compounds: which detector each pair of them has, and how far apart their boxes are.

use super::boxes::{gap, moved_box};
use super::explanation::{Stage, Step, counted};
use crate::contact::{Contact, NONE};
use crate::detect::{Choice, Registry};
use crate::geometry::{Compound, Geometry, TypedGeometry};
use crate::math::Aabb;
use crate::scene::{GeometryId, Pair, PairId, Scene, SceneError};
use serde_json::json;

/// The most pairs of children that are described one by one: those nearest to each other.
const DESCRIBED: usize = 6;

/// A side as one part or several, with their numbers and boxes in the world.
fn parts<'a>(scene: &'a Scene, id: GeometryId) -> Result<Vec<(u32, &'a dyn Geometry, Aabb)>, SceneError> {
    let (geometry, placement) = (scene.geometry(id)?, scene.placement(id)?);
    let part = |(number, child): (u32, &'a dyn Geometry)| (number, child, moved_box(child, placement));
    Ok(match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => Compound::children(compound).map(part).collect(),
        _ => vec![part((NONE, geometry))],
    })
}

/// The detectors of a pair, each once: its own, those of two after each other, or those of the pairs of children.
pub(super) fn detectors(scene: &Scene, pair: PairId) -> Result<Vec<String>, SceneError> {
    let own = scene.pair(pair)?;
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        for part in name.split('+').filter(|part| scene.registry().entry(part).is_some()) {
            if !names.iter().any(|known| known == part) {
                names.push(part.to_owned());
            }
        }
    };
    add(own.detector());
    for (_, a, _) in parts(scene, own.a())? {
        for (_, b, _) in parts(scene, own.b())? {
            add(&bound(scene.registry(), a, b, &choice(own)).unwrap_or_default());
        }
    }
    Ok(names)
}

fn choice(pair: &Pair) -> Choice<'_> {
    let options = pair.options();
    Choice {
        detector: options.detector.as_deref(),
        settings: options.settings.as_ref(),
        ignore_unknown_settings: options.detector.is_none(),
        detection: options.detection,
        ..Choice::default()
    }
}

/// The detector's name; `None` if there is none.
fn bound(registry: &Registry, a: &dyn Geometry, b: &dyn Geometry, choice: &Choice<'_>) -> Option<String> {
    registry.bind(a, b, *choice).ok().map(|bound| bound.name().to_owned())
}

/// A step for each pair of children, the nearest by their boxes first; none unless a side is a compound.
pub(super) fn steps(scene: &Scene, pair: PairId, contacts: &[Contact]) -> Result<Vec<Step>, SceneError> {
    let own = scene.pair(pair)?;
    let (side_a, side_b) = (parts(scene, own.a())?, parts(scene, own.b())?);
    let is_whole = |side: &[(u32, &dyn Geometry, Aabb)]| side.iter().all(|part| part.0 == NONE);
    let sides = [scene.name(own.a())?, scene.name(own.b())?];
    if side_a.is_empty() || side_b.is_empty() {
        let empty = if side_a.is_empty() { sides[0] } else { sides[1] };
        let text = format!("{empty} is a compound without children.");
        return Ok(vec![Step::new(Stage::Children, text, [("pairs", json!(0))])]);
    }
    if own.is_self() || is_whole(&side_a) && is_whole(&side_b) {
        return Ok(Vec::new());
    }
    let mut pairs = Vec::new();
    for one in &side_a {
        pairs.extend(side_b.iter().map(|two| (gap(&one.2, &two.2), one, two)));
    }
    pairs.sort_by(|one, two| one.0.0.total_cmp(&two.0.0));
    let margin = own.margin();
    let far = pairs.iter().filter(|((gap, _), ..)| *gap > margin).count();
    let text = format!(
        "{} parts of {} and {} of {} make {} pairs; of {far} the boxes are farther apart than the margin.",
        side_a.len(),
        sides[0],
        side_b.len(),
        sides[1],
        pairs.len()
    );
    let values = [("pairs", json!(pairs.len())), ("apart", json!(far))];
    let mut steps = vec![Step::new(Stage::Children, text, values)];
    let choice = choice(own);
    for &((gap, axis), one, two) in pairs.iter().take(DESCRIBED) {
        let numbers = [one.0, two.0];
        let found = contacts.iter().filter(|contact| [contact.a.child, contact.b.child] == numbers).count();
        let detector = bound(scene.registry(), one.1, two.1, &choice);
        let names = [(sides[0], one), (sides[1], two)].map(|(side, part)| match part.0 {
            NONE => side.to_owned(),
            number => format!("{side}[{number}] ({})", part.1.kind()),
        });
        let axis = ["x", "y", "z"][axis];
        let boxes = if gap > 0.0 {
            format!("boxes {gap} m apart along {axis}")
        } else {
            format!("boxes that overlap by {} m along {axis} at the least", -gap)
        };
        let by = detector.as_deref().map_or("no detector".to_owned(), |name| format!("detected by {name}"));
        let text = format!("{} : {}: {by}, {boxes}, {}.", names[0], names[1], counted(found));
        let children = numbers.map(|number| json!((number != NONE).then_some(number)));
        let values = [
            ("children", json!(children)),
            ("detector", json!(detector)),
            ("gap", json!(gap)),
            ("axis", json!(axis)),
            ("contacts", json!(found)),
        ];
        steps.push(Step::new(Stage::Children, text, values));
    }
    Ok(steps)
}
