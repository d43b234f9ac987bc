//! Pairs between groups: the rules, and the pairs that the broad phase creates from them.

use crate::ids::{PairId, SceneTag};
use crate::object::Object;
use crate::{GeometryId, Pair, PairOptions};
use palpate_detect::{DetectError, Registry};
use std::sync::Arc;

/// A rule: all pairs of a member of some groups with a member of others.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) options: Arc<PairOptions>,
}

impl Rule {
    /// The order of the geometries `low` and `high` as sides of the rule; `None` if the rule does not apply to them.
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

/// The rules of a scene and the pairs that are currently near, in the order of their ids.
#[derive(Default)]
pub(crate) struct GroupPairs {
    pub(crate) rules: Vec<Rule>,
    pub(crate) pairs: Vec<Pair>,
    /// The pairs of the previous step, while the new list is built.
    before: Vec<Pair>,
    /// The pairs that the current step has removed, and the ids of those that it has added, until it has succeeded.
    left: Vec<Pair>,
    joined: Vec<PairId>,
}

impl GroupPairs {
    pub(crate) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The widest margin of all rules.
    pub(crate) fn widest_margin(&self) -> f64 {
        self.rules.iter().map(|rule| rule.options.margin).fold(0.0, f64::max)
    }

    /// The margin of the first rule that applies to two geometries, the lower number first.
    pub(crate) fn margin(&self, low: &Object, high: &Object) -> Option<f64> {
        self.rule(low, high).map(|(rule, _)| rule.options.margin)
    }

    pub(crate) fn rule(&self, low: &Object, high: &Object) -> Option<(&Rule, Exchanged)> {
        self.rules.iter().find_map(|rule| rule.sides(low, high).map(|sides| (rule, sides)))
    }

    /// The pair with this id, if its geometries are currently near.
    pub(crate) fn find(&self, id: PairId) -> Option<&Pair> {
        self.pairs.binary_search_by_key(&id, Pair::id).ok().map(|place| &self.pairs[place])
    }

    /// Updates the list of pairs to `near` (numbers of two geometries, ascending): pairs that were already near keep
    /// their memory, new ones are bound, until [`undo`](Self::undo) or [`commit`](Self::commit). Errors: a pair that no detector supports, with its
    /// numbers.
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
        let mut others = before.drain(..).peekable();
        let mut failed = None;
        for &(low, high) in near {
            let id = PairId::of_groups(scene, low, high);
            while let Some(pair) = others.next_if(|pair| pair.id() < id) {
                self.left.push(pair);
            }
            if let Some(pair) = others.next_if(|pair| pair.id() == id) {
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
                Ok(pair) => {
                    self.joined.push(id);
                    self.pairs.push(pair);
                }
                Err(reason) => {
                    failed = Some((sides[0].0, sides[1].0, Box::new(reason)));
                    break;
                }
            }
        }
        self.left.extend(others);
        self.before = before;
        failed.map_or(Ok(()), Err)
    }

    /// Gives back the list before the last [update](Self::update) that was not committed.
    pub(crate) fn undo(&mut self) {
        let joined = &self.joined;
        self.pairs.retain(|pair| joined.binary_search(&pair.id()).is_err());
        self.pairs.append(&mut self.left);
        self.pairs.sort_by_key(Pair::id);
        self.joined.clear();
    }

    /// Keeps the updated list.
    pub(crate) fn commit(&mut self) {
        self.left.clear();
        self.joined.clear();
    }
}
