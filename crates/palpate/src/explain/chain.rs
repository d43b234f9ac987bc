//! The chain of decisions.

use super::boxes::{self, gap, world_box};
use super::explanation::{Explanation, Stage, Step};
use super::trials::Nearest;
use super::{children, elements, place, sides, trials};
use crate::contact::Contact;
use crate::contact_text::elements as names;
use crate::detect::Order;
use crate::math::{Point, Vector};
use crate::scene::{PairId, Scene, SceneError};
use serde_json::json;

/// The most contacts that are described one by one.
const DESCRIBED: usize = 8;

/// Explains the contacts of a pair in the current state of its scene, for any detector; with a `place` in the world also what
/// is there. Nothing of the scene changes but that its step is done: other settings are tried on a pair that is removed again.
///
/// Errors: a pair of another scene; a detector fails. Cost: up to 40 runs of the pair's detector, where nothing is near.
pub fn explain(scene: &mut Scene, pair: PairId, place: Option<Point>) -> Result<Explanation, SceneError> {
    scene.step()?;
    let contacts = scene.contacts(pair)?.contacts.clone();
    let (margin, is_self) = (scene.pair(pair)?.margin(), scene.pair(pair)?.is_self());
    let [a, b] = [scene.pair(pair)?.a(), scene.pair(pair)?.b()];
    let sides = [scene.name(a)?.to_owned(), scene.name(b)?.to_owned()];
    let mut steps = vec![binding(scene, pair)?];
    let bounds = [world_box(scene, a)?, world_box(scene, b)?];
    let mut apart = None;
    if !is_self {
        steps.push(boxes::step(&bounds[0], &bounds[1], margin));
        apart = Some(gap(&bounds[0], &bounds[1])).filter(|(gap, _)| *gap > margin);
        steps.extend(children::steps(scene, pair, &contacts)?);
        for (side, id, other) in [(&sides[0], a, &bounds[1]), (&sides[1], b, &bounds[0])] {
            steps.extend(elements::step(side, scene.geometry(id)?, scene.placement(id)?, other, margin));
        }
    } else {
        steps.extend(elements::neighbours(&sides[0], scene.geometry(a)?));
    }
    if contacts.is_empty() {
        for (side, id) in [(&sides[0], a), (&sides[1], b)].into_iter().take(if is_self { 1 } else { 2 }) {
            steps.extend(sides::step(side, scene.geometry(id)?));
        }
    }
    let flags: Vec<&str> = scene.pair(pair)?.status().flags.names().collect();
    if !flags.is_empty() {
        let text = format!("The detector says: {}.", flags.join(", "));
        steps.push(Step::new(Stage::Flags, text, [("flags", json!(flags))]));
    }
    let mut nearest = None;
    if contacts.is_empty() {
        let all = bounds[0].merged(&bounds[1]).diagonal_length();
        let finite = bounds.iter().map(|bounds| bounds.diagonal_length()).find(|length| length.is_finite());
        let reach = if all.is_finite() { all } else { 10.0 * finite.unwrap_or(1.0) };
        nearest = trials::nearest(scene, pair, reach)?;
        steps.extend(nearest.as_ref().map(|nearest| trials::nearest_step(nearest, margin)));
    }
    if apart.is_none() {
        steps.extend(trials::settings(scene, pair, &contacts)?);
        steps.extend(trials::default_detector(scene, pair, &contacts)?);
    }
    steps.extend(
        contacts.iter().take(DESCRIBED).enumerate().map(|(number, contact)| contact_step(number, contact)),
    );
    steps.extend(several(&contacts));
    if let Some(point) = place {
        for (side, id) in [(&sides[0], a), (&sides[1], b)] {
            steps.extend(place::side(scene, side, id, &point)?);
        }
        steps.extend(place::contact(&contacts, &point));
    }
    // The trials have run after it: the contacts are those of the pair again.
    scene.step()?;
    steps.push(verdict(&contacts, apart, nearest.as_ref(), margin));
    Ok(Explanation { steps, contacts })
}

fn binding(scene: &Scene, pair: PairId) -> Result<Step, SceneError> {
    let pair = scene.pair(pair)?;
    let [a, b] = [scene.geometry(pair.a())?.kind(), scene.geometry(pair.b())?.kind()];
    let [one, two] = [scene.name(pair.a())?, scene.name(pair.b())?];
    let orders = pair.orders();
    let exchanged = orders.contains(&Order::Swapped);
    let order = match (pair.is_self(), exchanged, orders.len()) {
        (true, ..) => " with itself",
        (_, true, 1) => ", in exchanged order",
        (_, true, _) => ", some children in exchanged order",
        _ => "",
    };
    let settings = pair.settings();
    let text = format!(
        "{one} ({a}) : {two} ({b}) is detected by {}{order}, margin {} m, settings {settings}.",
        pair.detector(),
        pair.margin()
    );
    let values = [
        ("detector", json!(pair.detector())),
        ("margin", json!(pair.margin())),
        ("settings", settings.clone()),
        ("exchanged", json!(exchanged)),
    ];
    Ok(Step::new(Stage::Binding, text, values))
}

fn contact_step(number: usize, contact: &Contact) -> Step {
    let bound = if contact.depth_upper == contact.depth {
        "exact".to_owned()
    } else {
        format!("certified to be at most {} m", contact.depth_upper)
    };
    let text = format!(
        "Contact {number}: {} id {}, {} m deep ({bound}).",
        names(contact),
        contact.id,
        contact.depth
    );
    let values = [
        ("elements", json!(names(contact))),
        ("id", json!(contact.id.to_string())),
        ("depth", json!(contact.depth)),
        ("depth_upper", json!(contact.depth_upper)),
        ("direction", json!(contact.direction)),
    ];
    Step::new(Stage::Contact, text, values)
}

/// Why the two deepest of several contacts are not one.
fn several(contacts: &[Contact]) -> Option<Step> {
    if contacts.len() < 2 {
        return None;
    }
    let mut order: Vec<usize> = (0..contacts.len()).collect();
    order.sort_by(|&one, &two| contacts[two].depth.total_cmp(&contacts[one].depth));
    let [first, second] = [order[0], order[1]];
    let (one, two) = (&contacts[first], &contacts[second]);
    let distance = (one.a.surface_point() - two.a.surface_point()).norm();
    let [d1, d2] = [one, two].map(|contact| Vector::from(contact.direction));
    let angle = libm::atan2(d1.cross(&d2).norm(), d1.dot(&d2)).to_degrees();
    let why = if names(one) != names(two) {
        "they are of other elements"
    } else {
        "they are points of one manifold, told apart by their ids"
    };
    let text = format!(
        "There are {}: of the deepest two, {first} and {second}, the points are {distance} m and the directions {angle} degrees \
         apart; {why}.",
        contacts.len()
    );
    let values = [
        ("contacts", json!(contacts.len())),
        ("first", json!(first)),
        ("second", json!(second)),
        ("distance", json!(distance)),
        ("degrees", json!(angle)),
    ];
    Some(Step::new(Stage::Several, text, values))
}

fn verdict(
    contacts: &[Contact],
    apart: Option<(f64, usize)>,
    nearest: Option<&Nearest>,
    margin: f64,
) -> Step {
    let deepest = trials::deepest(contacts);
    let text = match (deepest, apart, nearest) {
        (Some(depth), ..) if contacts.len() == 1 => format!("1 contact, {depth} m deep."),
        (Some(depth), ..) => format!("{} contacts, the deepest {depth} m.", contacts.len()),
        (None, _, Some(Nearest { distance, .. })) if *distance <= margin => {
            format!(
                "No contact, though with a larger margin one at {distance} m is reported: a fault of the detector."
            )
        }
        (None, _, Some(Nearest { distance, .. })) => {
            format!("No contact: the nearest elements are {distance} m apart, and the margin is {margin} m.")
        }
        (None, Some((gap, axis)), None) => {
            format!(
                "No contact: the boxes are {gap} m apart along {}, and the margin is {margin} m.",
                ["x", "y", "z"][axis]
            )
        }
        (None, None, None) => {
            "No contact: with any margin, the detector reports no elements that face each other.".to_owned()
        }
    };
    let values = [("contacts", json!(contacts.len())), ("deepest", json!(deepest))];
    Step::new(Stage::Verdict, text, values)
}
