//! The session header: the content of `/palpate/session`, as JSON.

use crate::error::RecordingError;
use crate::limits::check_count;
use crate::session::{ObjectInfo, PairInfo, PartOf, SessionInfo, Topology};
use palpate_math::Limits;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::mem::discriminant;
use std::path::Path;

/// Version of the layout of the group `/palpate`. A session is written as one of the first version that has all that is in it,
/// so that older readers know it.
pub(crate) const SCHEMA: u32 = 3;
/// The longest header that is read, in bytes.
pub(crate) const LONGEST_HEADER: usize = 256 << 20;
/// Headers from this length on are counted before they are parsed: what they consist of takes several times their size.
const LONG_HEADER: usize = 1 << 20;
/// Root attribute of a session by palpate, and its value: it tells that there must be a group `/palpate`, should damage
/// have hidden that from the HDF5 library. Files made by hand may do without.
pub(crate) const MARK: (&str, &str) = ("palpate", "session 1");
/// palpate's own group.
pub(crate) const GROUP: &str = "palpate";
/// The header, one string.
pub(crate) const SESSION: &str = "palpate/session";
/// CRC-32 of the header's bytes.
pub(crate) const SESSION_CHECKSUM: &str = "palpate/session_crc32";
/// Seconds, one per frame.
pub(crate) const TIMES: &str = "palpate/times";
/// CRC-32 of each frame.
pub(crate) const FRAME_CHECKSUMS: &str = "palpate/frame_crc32";
/// Group of the poses of primitives.
pub(crate) const POSES: &str = "palpate/poses";

/// The header as stored. Unknown keys are errors, so that a misspelling is not silently ignored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) schema: u32,
    #[serde(default = "metre")]
    pub(crate) length_unit: String,
    #[serde(default = "second")]
    pub(crate) time_unit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_step: Option<f64>,
    /// The number of frames; by default the number of times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frames: Option<u64>,
    /// Whether the header, the times, the cells and every frame must have a checksum.
    #[serde(default)]
    pub(crate) checksums: bool,
    /// CRC-32 of the times as little-endian doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) times_crc32: Option<u32>,
    pub(crate) objects: Vec<StoredObject>,
    #[serde(default)]
    pub(crate) pairs: Vec<StoredPair>,
    #[serde(default)]
    pub(crate) metadata: BTreeMap<String, String>,
}

/// How many objects and pairs a header has.
#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    objects: Count,
    #[serde(default)]
    pairs: Count,
}

/// The length of a list, which is not kept.
#[derive(Default)]
struct Count(u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Count(0))
    }
}

impl<'de> Visitor<'de> for Count {
    type Value = Self;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        let mut count = 0;
        while list.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Self(count))
    }
}

/// One object as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredObject {
    pub(crate) name: String,
    pub(crate) kind: String,
    /// Path of its numbers: the VTKHDF group of a mesh, the pose dataset of a primitive.
    pub(crate) data: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) closed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) two_sided: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sidedness: Option<String>,
    /// What the cells are, by the kind that has such, where `kind` does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shape: Option<String>,
    /// Later shapes, rising by their first frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) shape_changes: Vec<StoredShape>,
    /// Of a mesh in its own frame, where its poses are; of a compound, the same as `data`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) placement: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part_of: Option<StoredPart>,
    /// The frames from which on the cells are other ones, with a checksum each; the first entry is frame 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) topologies: Vec<StoredTopology>,
}

/// The first frame of a topology of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTopology {
    pub(crate) first_frame: u64,
    pub(crate) crc32: u32,
}

/// From which frame on an object has which shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredShape {
    pub(crate) first_frame: u64,
    pub(crate) shape: String,
}

/// The place of an object in a compound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredPart {
    pub(crate) compound: String,
    pub(crate) child: u32,
}

/// One pair as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredPair {
    pub(crate) a: String,
    pub(crate) b: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) detector: Option<String>,
    #[serde(default)]
    pub(crate) margin: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) exchanged: Vec<bool>,
}

/// What is wrong with a header of so many bytes: there are shapes of many numbers in it, or many changes.
pub(crate) fn too_long(length: usize) -> String {
    format!("the header has {length} bytes, wanted {LONGEST_HEADER} at most")
}

/// The first version of the layout that has all that is in a session.
fn schema_of(info: &SessionInfo) -> u32 {
    let is_plain = |object: &ObjectInfo| object.shape.is_none() && !object.placed && object.part_of.is_none();
    let is_simple = |pair: &PairInfo| pair.settings.is_none() && pair.exchanged.is_empty();
    let is_of_third = |object: &ObjectInfo| {
        object.sidedness.is_some() || cells_beside_kind(&object.kind, &object.topology).is_some()
    };
    if info.objects.iter().any(is_of_third) {
        SCHEMA
    } else if info.objects.iter().all(is_plain) && info.pairs.iter().all(is_simple) {
        1
    } else {
        2
    }
}

/// The word for the cells of an object, where its kind does not say what they are if there are none.
fn cells_beside_kind(kind: &str, topology: &Topology) -> Option<String> {
    let is_told = discriminant(&Topology::empty(kind)) == discriminant(topology);
    topology.kind().filter(|_| !is_told).map(str::to_string)
}

fn metre() -> String {
    "m".to_string()
}

fn second() -> String {
    "s".to_string()
}

impl StoredObject {
    /// The kind that has cells as those of this object.
    pub(crate) fn kind_of_cells(&self) -> &str {
        self.cells.as_deref().unwrap_or(&self.kind)
    }
}

impl Header {
    /// The header of a session; where its objects' numbers are is still to be said.
    pub(crate) fn new(info: &SessionInfo) -> Self {
        let part = |part: &PartOf| StoredPart { compound: part.compound.clone(), child: part.child };
        let objects = info.objects.iter().map(|object| StoredObject {
            name: object.name.clone(),
            kind: object.kind.clone(),
            data: String::new(),
            radius: object.radius,
            closed: object.closed,
            two_sided: object.two_sided,
            sidedness: object.sidedness.clone(),
            cells: cells_beside_kind(&object.kind, &object.topology),
            shape: object.shape.clone(),
            shape_changes: Vec::new(),
            placement: object.placed.then(String::new),
            part_of: object.part_of.as_ref().map(part),
            topologies: Vec::new(),
        });
        let pairs = info.pairs.iter().map(|pair| StoredPair {
            a: pair.a.clone(),
            b: pair.b.clone(),
            detector: pair.detector.clone(),
            margin: pair.margin,
            settings: pair.settings.clone(),
            exchanged: pair.exchanged.clone(),
        });
        Self {
            schema: schema_of(info),
            length_unit: metre(),
            time_unit: second(),
            time_step: info.time_step,
            frames: None,
            checksums: true,
            times_crc32: None,
            objects: objects.collect(),
            pairs: pairs.collect(),
            metadata: info.metadata.clone(),
        }
    }

    /// Checks the numbers of objects and pairs of a header that is to be parsed. Errors: there are too many.
    pub(crate) fn check_counts(path: &Path, text: &str, limits: &Limits) -> Result<(), RecordingError> {
        if text.len() < LONG_HEADER {
            return Ok(());
        }
        // What is wrong otherwise is told by `parse`.
        let Ok(counts) = serde_json::from_str::<Counts>(text) else { return Ok(()) };
        check_count(path, "objects", counts.objects.0, ("objects", limits.objects))?;
        check_count(path, "pairs", counts.pairs.0, ("pairs", limits.pairs))
    }

    /// Reads a header and validates what is possible without its file.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, RecordingError> {
        let invalid =
            |found: String, wanted: &str| RecordingError::invalid(path, "palpate/session", found, wanted);
        let header: Self =
            serde_json::from_str(text).map_err(|error| invalid(error.to_string(), "a session header"))?;
        if !(1..=SCHEMA).contains(&header.schema) {
            let wanted = format!("a schema from 1 to {SCHEMA}");
            return Err(invalid(format!("schema {}", header.schema), &wanted));
        }
        for (unit, wanted) in [(&header.length_unit, "m"), (&header.time_unit, "s")] {
            if unit != wanted {
                return Err(invalid(format!("the unit '{unit}'"), &format!("'{wanted}'")));
            }
        }
        for object in &header.objects {
            let is_mesh =
                |word: &String| !matches!(Topology::empty(word), Topology::Points) || word == "point_set";
            if let Some(word) = object.cells.as_ref().filter(|word| !is_mesh(word)) {
                let wanted = "point_set, line_mesh, surface_mesh or tetra_mesh";
                return Err(invalid(format!("cells of '{}' like '{word}'", object.name), wanted));
            }
        }
        Ok(header)
    }

    /// Notes what the cells of an object are, for headers of versions that did not tell.
    pub(crate) fn note_cells(&mut self, object: usize, topology: &Topology) {
        let stored = &mut self.objects[object];
        stored.cells = cells_beside_kind(&stored.kind, topology);
        if stored.cells.is_some() {
            self.schema = SCHEMA;
        }
    }

    /// The shape of an object in a frame.
    pub(crate) fn shape(&self, object: usize, frame: usize) -> Option<&str> {
        let object = &self.objects[object];
        let after = object.shape_changes.partition_point(|change| change.first_frame <= frame as u64);
        match after.checked_sub(1) {
            Some(at) => Some(&object.shape_changes[at].shape),
            None => object.shape.as_deref(),
        }
    }

    /// The header as JSON text. Errors: it is longer than is read.
    pub(crate) fn to_json(&self) -> Result<String, String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        match text.len() {
            length if length > LONGEST_HEADER => Err(too_long(length)),
            _ => Ok(text),
        }
    }

    /// The session that the header describes, with objects whose first cells are `topologies`.
    pub(crate) fn info(&self, topologies: Vec<Topology>) -> SessionInfo {
        let part = |part: &StoredPart| PartOf { compound: part.compound.clone(), child: part.child };
        let objects = self.objects.iter().zip(topologies).map(|(object, topology)| ObjectInfo {
            name: object.name.clone(),
            kind: object.kind.clone(),
            radius: object.radius,
            closed: object.closed,
            two_sided: object.two_sided,
            sidedness: object.sidedness.clone(),
            shape: object.shape.clone(),
            placed: object.placement.is_some(),
            part_of: object.part_of.as_ref().map(part),
            topology,
        });
        let pairs = self.pairs.iter().map(|pair| PairInfo {
            a: pair.a.clone(),
            b: pair.b.clone(),
            detector: pair.detector.clone(),
            margin: pair.margin,
            settings: pair.settings.clone(),
            exchanged: pair.exchanged.clone(),
        });
        SessionInfo {
            objects: objects.collect(),
            pairs: pairs.collect(),
            time_step: self.time_step,
            metadata: self.metadata.clone(),
        }
    }
}
