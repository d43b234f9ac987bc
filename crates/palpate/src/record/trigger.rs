//! When a ring of the last seconds is worth keeping.

use super::RecordError;
use crate::detect::Flags;
use crate::scene::Scene;
use std::fmt;

/// Something in a step that is worth a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trigger {
    /// A contact is deeper than this, in metres.
    Depth(f64),
    /// A detector sets one of these flags.
    Flags(Flags),
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "a depth of more than {depth} m"),
            Self::Flags(flags) => {
                write!(f, "one of the flags {}", flags.names().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The first trigger that fires in the last step of a scene.
pub(super) fn fired(scene: &Scene, triggers: &[Trigger]) -> Result<Option<Trigger>, RecordError> {
    for trigger in triggers {
        for id in scene.pairs() {
            let pair = scene.pair(id)?;
            let fires = match *trigger {
                Trigger::Depth(depth) => pair.contacts().contacts.iter().any(|contact| contact.depth > depth),
                Trigger::Flags(flags) => pair.status().flags.intersects(flags),
            };
            if fires {
                return Ok(Some(*trigger));
            }
        }
    }
    Ok(None)
}
