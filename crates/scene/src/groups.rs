//! Collision groups and masks.

/// The groups a geometry belongs to and those it may collide with, one bit per group.
///
/// Two geometries pass if each is a member of a group in the other's mask. The filter applies to pairs added by groups
/// ([`Scene::add_pairs_by_groups`](crate::Scene::add_pairs_by_groups)); a pair added by its ids is not filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Groups {
    /// The groups the geometry belongs to.
    pub membership: u32,
    /// The groups it may collide with.
    pub mask: u32,
}

impl Default for Groups {
    /// A member of the group of bit 0 (value 1) that may collide with all groups.
    fn default() -> Self {
        Self { membership: 1, mask: u32::MAX }
    }
}

impl Groups {
    /// Whether the two may collide. Symmetric.
    pub fn pass(self, other: Self) -> bool {
        self.membership & other.mask != 0 && other.membership & self.mask != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: Groups = Groups { membership: 0b01, mask: 0b10 };
    const ORGAN: Groups = Groups { membership: 0b10, mask: 0b11 };
    const GHOST: Groups = Groups { membership: 0b10, mask: 0 };

    #[test]
    fn both_sides_must_agree() {
        assert!(TOOL.pass(ORGAN) && ORGAN.pass(TOOL));
        assert!(!TOOL.pass(TOOL), "a tool does not collide with tools");
        assert!(ORGAN.pass(ORGAN));
        assert!(!GHOST.pass(TOOL) && !TOOL.pass(GHOST), "an empty mask blocks both directions");
    }

    #[test]
    fn default_groups_pass_each_other() {
        assert!(Groups::default().pass(Groups::default()));
        assert!(Groups::default().pass(Groups { membership: 1 << 31, mask: 1 }));
        assert!(!Groups::default().pass(Groups { membership: 0, mask: u32::MAX }));
    }
}
