//! Settings of the detectors: a struct of all of them, and JSON.

use crate::geometry::json_value;
use crate::input::{flag, options_struct};
use crate::status::{Failure, Outcome};
use palpate::serde_json::{Map, Value, json};

/// A setting is not given: it has the value of the detector, or of the alias.
pub const PALPATE_UNSET: u32 = u32::MAX;

/// Contacts on internal edges are kept or ignored as the detector does by default.
pub const PALPATE_INTERNAL_EDGES_AS_GIVEN: u32 = 0;
/// Contacts on internal edges are ignored: for floors and organs that bodies slide over.
pub const PALPATE_INTERNAL_EDGES_IGNORE: u32 = 1;
/// All contacts on edges are kept.
pub const PALPATE_INTERNAL_EDGES_KEEP: u32 = 2;

/// A closed surface is a solid, an open one a two-sided sheet, a plane as it was made.
pub const PALPATE_SIDES_AS_GIVEN: u32 = 0;
/// An open surface and a plane push to their front.
pub const PALPATE_SIDES_ONE: u32 = 1;
/// Pushes to the side on which the other body is.
pub const PALPATE_SIDES_TWO: u32 = 2;

/// The vertices and edges of both surfaces are tested.
pub const PALPATE_VERTICES_BOTH: u32 = 0;
/// Those of the first.
pub const PALPATE_VERTICES_FIRST: u32 = 1;
/// Those of the second.
pub const PALPATE_VERTICES_SECOND: u32 = 2;

/// Settings of a detector. A setting means the same in every detector that has it (docs/settings.md); `PALPATE_UNSET`, or a NaN
/// for a number, leaves it at its default. One that the pair's detector does not have is an error.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_settings {
    /// Set by `palpate_settings_default`.
    pub struct_size: u32,
    /// 1 for several points per contact area, 0 for one.
    pub manifold: u32,
    /// `PALPATE_INTERNAL_EDGES_…`.
    pub internal_edges: u32,
    /// `PALPATE_SIDES_…`.
    pub sides: u32,
    /// `PALPATE_VERTICES_…`.
    pub vertices: u32,
    /// 1 to test edges beside vertices, 0 not to.
    pub edges: u32,
    /// 1 to start from the contact of the last step.
    pub coherent: u32,
    /// 1 to keep the deepest points of up to four steps.
    pub accumulate: u32,
    /// The greatest gap between the bounds of a depth, relative to the size of the bodies.
    pub tolerance: f64,
    /// How far the anchors of an accumulated point may separate, relative to the smaller body.
    pub breaking: f64,
}

impl Default for palpate_settings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            manifold: PALPATE_UNSET,
            internal_edges: PALPATE_UNSET,
            sides: PALPATE_UNSET,
            vertices: PALPATE_UNSET,
            edges: PALPATE_UNSET,
            coherent: PALPATE_UNSET,
            accumulate: PALPATE_UNSET,
            tolerance: f64::NAN,
            breaking: f64::NAN,
        }
    }
}

options_struct! { palpate_settings 48; }

/// Settings of which none is given.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_settings_default() -> palpate_settings {
    palpate_settings::default()
}

impl palpate_settings {
    /// The given settings as JSON.
    fn to_json(self) -> Outcome<Map<String, Value>> {
        let mut given = Map::new();
        for (key, value) in [
            ("manifold", self.manifold),
            ("edges", self.edges),
            ("coherent", self.coherent),
            ("accumulate", self.accumulate),
        ] {
            if value != PALPATE_UNSET {
                given.insert(key.to_owned(), json!(flag(value, key)?));
            }
        }
        for (key, value, words) in [
            ("internal_edges", self.internal_edges, ["as_given", "ignore", "keep"]),
            ("sides", self.sides, ["as_given", "one", "two"]),
            ("vertices", self.vertices, ["both", "first", "second"]),
        ] {
            if value != PALPATE_UNSET {
                let word = words.get(value as usize);
                let refused =
                    || Failure::argument(format!("{key} is {value}: wanted 0, 1, 2 or PALPATE_UNSET"));
                given.insert(key.to_owned(), json!(word.ok_or_else(refused)?));
            }
        }
        for (key, value) in [("tolerance", self.tolerance), ("breaking", self.breaking)] {
            if !value.is_nan() {
                given.insert(key.to_owned(), json!(value));
            }
        }
        Ok(given)
    }
}

/// The settings of both forms together: those of the struct, then those of the text, which come later.
pub(super) fn together(settings: Option<palpate_settings>, text: Option<&str>) -> Outcome<Option<Value>> {
    if settings.is_none() && text.is_none() {
        return Ok(None);
    }
    let mut given = settings.map_or_else(|| Ok(Map::new()), palpate_settings::to_json)?;
    match text.map(|text| json_value(text, "the settings")).transpose()? {
        None => {}
        Some(Value::Object(more)) => given.extend(more),
        Some(other) => {
            return Err(Failure::argument(format!("the settings are {other}: wanted a JSON object")));
        }
    }
    Ok(Some(Value::Object(given)))
}
