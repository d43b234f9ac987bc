//! What is at a place.

use super::explanation::{Stage, Step};
use crate::contact::Contact;
use crate::contact_text::elements;
use crate::geometry::pick::{nearest_cell, nearest_vertex};
use crate::geometry::signed_distance;
use crate::math::Point;
use crate::scene::{GeometryId, Scene, SceneError};
use serde_json::json;

/// What a side is at a point in the world: its nearest element or surface, and whether the point is inside.
pub(super) fn side(
    scene: &Scene,
    name: &str,
    id: GeometryId,
    point: &Point,
) -> Result<Option<Step>, SceneError> {
    let geometry = scene.geometry(id)?;
    let nearest = nearest_cell(geometry, point).or_else(|| nearest_vertex(geometry, point));
    let mut text = String::new();
    let mut values = vec![("side", json!(name)), ("point", json!(<[f64; 3]>::from(point.coords)))];
    if let Some(nearest) = nearest {
        let distance = nearest.distance;
        text = format!(
            "At the place, {name} is nearest with its element {}, {distance} m away.",
            nearest.feature.cell
        );
        values.extend([("cell", json!(nearest.feature.cell)), ("distance", json!(distance))]);
    }
    if let Ok(solid) = signed_distance(geometry, point) {
        let distance = solid.signed.distance;
        let words = if distance < 0.0 {
            format!("{} m inside of", -distance)
        } else {
            format!("{distance} m outside of")
        };
        text = format!("{text}{}The place is {words} {name}.", if text.is_empty() { "" } else { " " });
        values.push(("signed_distance", json!(distance)));
    }
    if text.is_empty() {
        return Ok(None);
    }
    let mut step = Step::new(Stage::Place, text, []);
    step.values.extend(values.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Ok(Some(step))
}

/// The contact nearest to the place.
pub(super) fn contact(contacts: &[Contact], point: &Point) -> Option<Step> {
    let distance = |contact: &Contact| {
        let [a, b] = [&contact.a, &contact.b].map(|side| (side.surface_point() - point).norm());
        a.min(b)
    };
    let nearest = contacts.iter().min_by(|one, two| distance(one).total_cmp(&distance(two)))?;
    let away = distance(nearest);
    let text = format!(
        "The contact nearest to the place is {} id {}, {away} m away, {} m deep.",
        elements(nearest),
        nearest.id,
        nearest.depth
    );
    let values =
        [("id", json!(nearest.id.to_string())), ("distance", json!(away)), ("depth", json!(nearest.depth))];
    Some(Step::new(Stage::Place, text, values))
}
