//! Physical groups, by which elements become parts.

use super::super::lines::Lines;
use crate::MeshIoError;
use std::collections::HashMap;

/// A dimension and a tag.
pub(super) type Key = (u64, i64);

/// Groups of one entity, at most: every block of its elements is in all of them.
const GROUPS: usize = 1000;
pub(super) const GROUPS_WANTED: &str = "at most 1000";

/// Bytes of a name, at most; Gmsh itself has 127.
const NAME: usize = 1000;

/// The names of groups, and the groups of each entity of the model.
#[derive(Default)]
pub(super) struct Groups {
    names: HashMap<Key, String>,
    of_entity: HashMap<Key, Vec<i64>>,
}

impl Groups {
    /// Reads the lines of `$PhysicalNames`: their number, then dimension, tag and name in quotation marks.
    pub(super) fn names(&mut self, lines: &mut Lines<'_>) -> Result<(), MeshIoError> {
        let count = lines.wanted("the number of physical names")?.count("the number of physical names")?;
        for _ in 0..count {
            let mut words = lines.wanted("a physical name")?;
            let dimension = words.count("the dimension of a group")?;
            let tag = words.whole("the tag of a group")?;
            let text = words.rest();
            let name = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned);
            let name = name.filter(|name| name.len() <= NAME).ok_or_else(|| {
                let wanted = "a name in quotation marks, of at most 1000 bytes";
                words.error("the name of a group", &format_args!("{text:?}"), wanted)
            })?;
            self.names.insert((dimension, tag), name);
        }
        Ok(())
    }

    /// Keeps the groups of an entity. Errors: the number of them, if it is too great.
    pub(super) fn add_entity(&mut self, entity: Key, groups: Vec<i64>) -> Result<(), usize> {
        if groups.len() > GROUPS {
            return Err(groups.len());
        }
        if !groups.is_empty() {
            self.of_entity.insert(entity, groups);
        }
        Ok(())
    }

    /// The names of the groups of an entity.
    pub(super) fn of_entity(&self, entity: Key) -> Vec<String> {
        let groups = self.of_entity.get(&entity).map(Vec::as_slice).unwrap_or_default();
        // The sign of a tag is an orientation.
        groups.iter().map(|tag| self.name((entity.0, tag.saturating_abs()))).collect()
    }

    /// The name of a group, by its number if it has none.
    pub(super) fn name(&self, group: Key) -> String {
        let unnamed = || {
            let what = ["point", "curve", "surface", "volume"].get(group.0 as usize).unwrap_or(&"part");
            format!("physical {what} {}", group.1)
        };
        self.names.get(&group).cloned().unwrap_or_else(unnamed)
    }
}
