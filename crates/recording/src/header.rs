//! The session header: the content of `/palpate/session`, as JSON.

use crate::error::RecordingError;
use crate::session::{ObjectInfo, PairInfo, SessionInfo, Topology};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the layout of the group `/palpate`.
pub(crate) const SCHEMA: u32 = 1;
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
}

fn metre() -> String {
    "m".to_string()
}

fn second() -> String {
    "s".to_string()
}

impl Header {
    /// The header of a session whose objects' numbers are at the paths `data`.
    pub(crate) fn new(info: &SessionInfo, data: Vec<String>) -> Self {
        let objects = info.objects.iter().zip(data).map(|(object, data)| StoredObject {
            name: object.name.clone(),
            kind: object.kind.clone(),
            data,
            radius: object.radius,
            closed: object.closed,
            two_sided: object.two_sided,
            topologies: Vec::new(),
        });
        let pairs = info.pairs.iter().map(|pair| StoredPair {
            a: pair.a.clone(),
            b: pair.b.clone(),
            detector: pair.detector.clone(),
            margin: pair.margin,
        });
        Self {
            schema: SCHEMA,
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

    /// Reads a header and validates what is possible without its file.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, RecordingError> {
        let invalid =
            |found: String, wanted: &str| RecordingError::invalid(path, "palpate/session", found, wanted);
        let header: Self =
            serde_json::from_str(text).map_err(|error| invalid(error.to_string(), "a session header"))?;
        if header.schema != SCHEMA {
            return Err(invalid(format!("schema {}", header.schema), &format!("schema {SCHEMA}")));
        }
        for (unit, wanted) in [(&header.length_unit, "m"), (&header.time_unit, "s")] {
            if unit != wanted {
                return Err(invalid(format!("the unit '{unit}'"), &format!("'{wanted}'")));
            }
        }
        Ok(header)
    }

    /// The header as JSON text.
    pub(crate) fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// The session that the header describes, with objects whose first cells are `topologies`.
    pub(crate) fn info(&self, topologies: Vec<Topology>) -> SessionInfo {
        let objects = self.objects.iter().zip(topologies).map(|(object, topology)| ObjectInfo {
            name: object.name.clone(),
            kind: object.kind.clone(),
            radius: object.radius,
            closed: object.closed,
            two_sided: object.two_sided,
            topology,
        });
        let pairs = self.pairs.iter().map(|pair| PairInfo {
            a: pair.a.clone(),
            b: pair.b.clone(),
            detector: pair.detector.clone(),
            margin: pair.margin,
        });
        SessionInfo {
            objects: objects.collect(),
            pairs: pairs.collect(),
            time_step: self.time_step,
            metadata: self.metadata.clone(),
        }
    }
}
