//! Sorts of children that a registry cannot tell apart.

use crate::{Registry, downcast};
use palpate_contact::NONE;
use palpate_geometry::{Compound, Geometry, GeometryKind, SurfaceMesh};
use std::collections::HashMap;

/// Children of the same sort have the same detector with any other child.
#[derive(PartialEq, Eq, Hash)]
struct Sort {
    kind: GeometryKind,
    /// Of a surface, whether it is closed: the default detector depends on it.
    closed: bool,
    /// For every detector, whether it takes the child on its first and on its second side.
    taken: Vec<[bool; 2]>,
    /// The number of a child whose default detector may depend on more than these.
    single: Option<u32>,
}

impl Registry {
    /// Returns the first two children of each sort, by number; of a geometry that is no compound, the geometry itself.
    pub(super) fn two_of_each_sort(&self, geometry: &dyn Geometry) -> Vec<u32> {
        let Some(compound) = downcast::<Compound>(geometry) else { return vec![NONE] };
        let mut counts: HashMap<Sort, usize> = HashMap::new();
        let mut chosen = Vec::new();
        for (number, child) in compound.children() {
            let count = counts.entry(self.sort(number, child)).or_default();
            *count += 1;
            if *count <= 2 {
                chosen.push(number);
            }
        }
        chosen
    }

    fn sort(&self, number: u32, child: &dyn Geometry) -> Sort {
        let entries = self.detectors();
        let taken: Vec<[bool; 2]> =
            entries.iter().map(|entry| [entry.a.takes(child), entry.b.takes(child)]).collect();
        let surface = downcast::<SurfaceMesh>(child);
        let by_geometry =
            entries.iter().zip(&taken).any(|(entry, taken)| entry.default_for_some && taken.contains(&true));
        let single = (by_geometry && surface.is_none()).then_some(number);
        Sort { kind: child.kind(), closed: surface.is_some_and(SurfaceMesh::is_closed), taken, single }
    }
}
