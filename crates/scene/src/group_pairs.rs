//! Pairs between groups: rules, and the pairs that the broad phase has made from them.

use crate::ids::{PairId, SceneTag};
use crate::object::Object;
use crate::{GeometryId, Pair, PairOptions};
use palpate_detect::{DetectError, Registry};
use std::sync::Arc;

/// All pairs of a member of some groups with a member of others.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) options: Arc<PairOptions>,
}

impl Rule {
    /// The geometries `low` and `high` in the order of the rule's sides; `None` if the rule is not for them.
    pub(crate) fn sides(&self, low: &Object, high: &Object) -> Option<Exchanged> {
        if !low.groups.pass(high.groups) {
            return None;
        }
        let fits = |a: &Object, b: &Object| {
            a.groups.membership & self.first != 0 && b.groups.membership & self.second != 0
        };
        if fits(low, high) { Some(Exchanged(false)) } else { fits(high, low).then_some(Exchanged(true)) }
    }
}

/// Whether the geometry with the higher number is side A.
#[derive(Clone, Copy)]
pub(crate) struct Exchanged(pub(crate) bool);

/// The rules of a scene and the pairs that are near at present, in the order of their ids.
#[derive(Default)]
pub(crate) struct GroupPairs {
    pub(crate) rules: Vec<Rule>,
    pub(crate) pairs: Vec<Pair>,
    /// The pairs of the step before, while the new list is made.
    before: Vec<Pair>,
}

impl GroupPairs {
    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The widest margin of all rules.
    pub(crate) fn widest_margin(&self) -> f64 {
        self.rules.iter().map(|rule| rule.options.margin).fold(0.0, f64::max)
    }

    /// The margin of the first rule that is for two geometries, the lower number first.
    pub(crate) fn margin(&self, low: &Object, high: &Object) -> Option<f64> {
        self.rule(low, high).map(|(rule, _)| rule.options.margin)
    }

    pub(crate) fn rule(&self, low: &Object, high: &Object) -> Option<(&Rule, Exchanged)> {
        self.rules.iter().find_map(|rule| rule.sides(low, high).map(|sides| (rule, sides)))
    }

    /// The pair of two geometries, if they are near at present.
    pub(crate) fn find(&self, id: PairId) -> Option<&Pair> {
        self.pairs.binary_search_by_key(&id, Pair::id).ok().map(|place| &self.pairs[place])
    }

    /// Makes `near` (numbers of two geometries, ascending) the list of pairs: those that were near stay, with their memory; others
    /// are bound. Errors: a pair that no detector takes, with its numbers; then there are no pairs.
    pub(crate) fn update(
        &mut self,
        near: &[(u32, u32)],
        objects: &[Option<Object>],
        registry: &Registry,
        scene: SceneTag,
    ) -> Result<(), (GeometryId, GeometryId, Box<DetectError>)> {
        std::mem::swap(&mut self.pairs, &mut self.before);
        self.pairs.clear();
        let mut before = std::mem::take(&mut self.before);
        let mut left = before.drain(..).peekable();
        let mut failed = None;
        for &(low, high) in near {
            let id = PairId::of_groups(scene, low, high);
            while left.next_if(|pair| pair.id() < id).is_some() {}
            if let Some(pair) = left.next_if(|pair| pair.id() == id) {
                self.pairs.push(pair);
                continue;
            }
            let [Some(first), Some(second)] = [low, high].map(|number| objects[number as usize].as_ref())
            else {
                continue;
            };
            let Some((rule, exchanged)) = self.rule(first, second) else { continue };
            let ids = [low, high].map(|number| GeometryId { scene, number });
            let mut sides = [(ids[0], &*first.geometry), (ids[1], &*second.geometry)];
            if exchanged.0 {
                sides.swap(0, 1);
            }
            match Pair::bind(registry, id, sides, &rule.options) {
                Ok(pair) => self.pairs.push(pair),
                Err(reason) => {
                    failed = Some((sides[0].0, sides[1].0, Box::new(reason)));
                    break;
                }
            }
        }
        drop(left);
        self.before = before;
        match failed {
            Some(failed) => {
                self.pairs.clear();
                Err(failed)
            }
            None => Ok(()),
        }
    }
}
