//! Pairs between groups: rules, and the pairs that the broad phase has made from them.

use crate::ids::{PairId, SceneTag};
use crate::object::Object;
use crate::{GeometryId, Pair, PairOptions, Scene, SceneError};
use palpate_detect::{DetectError, Registry};
use palpate_geometry::GeometryKind;
use std::collections::HashMap;
use std::sync::Arc;

/// All pairs of a member of some groups with a member of others.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    first: u32,
    second: u32,
    pub(crate) options: Arc<PairOptions>,
}

impl Rule {
    /// The geometries `low` and `high` in the order of the rule's sides; `None` if the rule is not for them.
    fn sides(&self, low: &Object, high: &Object) -> Option<Exchanged> {
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
struct Exchanged(bool);

/// The rules of a scene and the pairs that are near at present, in the order of their ids.
#[derive(Default)]
pub(crate) struct GroupPairs {
    rules: Vec<Rule>,
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

    fn rule(&self, low: &Object, high: &Object) -> Option<(&Rule, Exchanged)> {
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
    ) -> Result<(), (GeometryId, GeometryId, DetectError)> {
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
                    failed = Some((sides[0].0, sides[1].0, reason));
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

/// Geometries that a rule treats alike: a kind of primitive, or one geometry of a kind whose detectors depend on the geometry.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Class {
    Kind(GeometryKind, u32, u32),
    One(u32),
}

fn class(number: u32, object: &Object) -> Class {
    const ALIKE: [GeometryKind; 7] = [
        GeometryKind::SPHERE,
        GeometryKind::CAPSULE,
        GeometryKind::CYLINDER,
        GeometryKind::ORIENTED_BOX,
        GeometryKind::PLANE,
        GeometryKind::CONVEX,
        GeometryKind::POINT_SET,
    ];
    let kind = object.geometry.kind();
    if ALIKE.contains(&kind) {
        Class::Kind(kind, object.groups.membership, object.groups.mask)
    } else {
        Class::One(number)
    }
}

impl Scene {
    /// Detects all pairs of two different geometries whose [`Groups`](crate::Groups) pass, with these options; also those of
    /// geometries that are added later. A pair is bound when the broad phase first finds its two geometries near, and is gone
    /// when they are apart: 10⁴ geometries cost memory for those that are near. Its id is the same whenever it is there, and
    /// side A is the geometry with the lower id. Pairs that were added one by one are detected once, with their own options.
    /// Errors: kinds that no detector takes (two geometries are named), an unknown detector, settings that are not its own, a
    /// margin that is no length; then nothing is changed.
    pub fn add_pairs_by_groups(&mut self, options: PairOptions) -> Result<(), SceneError> {
        self.add_pairs_between(u32::MAX, u32::MAX, options)
    }

    /// As [`add_pairs_by_groups`](Self::add_pairs_by_groups), for a member of one of the groups `first` (bits) with a member of one
    /// of the groups `second`: side A is the member of `first`. Where several calls fit two geometries, the first one counts.
    pub fn add_pairs_between(
        &mut self,
        first: u32,
        second: u32,
        options: PairOptions,
    ) -> Result<(), SceneError> {
        let rule = Rule { first, second, options: Arc::new(options) };
        let numbers: Vec<u32> = self.geometries().map(|id| id.number).collect();
        self.check_rule(&rule, &numbers, &numbers)?;
        self.group_pairs.rules.push(rule);
        Ok(())
    }

    /// Forgets all groups' pairs and their options. Pairs that were added one by one stay.
    pub fn remove_pairs_by_groups(&mut self) {
        self.group_pairs = GroupPairs::default();
    }

    /// Checks that a geometry can be detected with all that the rules pair it with.
    pub(crate) fn check_rules_for(&self, number: u32) -> Result<(), SceneError> {
        if !self.group_pairs.has_rules() {
            return Ok(());
        }
        let others: Vec<u32> =
            self.geometries().map(|id| id.number).filter(|&other| other != number).collect();
        self.group_pairs.rules.iter().try_for_each(|rule| self.check_rule(rule, &[number], &others))
    }

    fn check_rule(&self, rule: &Rule, numbers: &[u32], others: &[u32]) -> Result<(), SceneError> {
        // Up to two members of each class: a class meets itself, too.
        let classes = |numbers: &[u32]| {
            let mut members: HashMap<Class, usize> = HashMap::new();
            let mut chosen: Vec<u32> = Vec::new();
            for &number in numbers {
                let Some(object) = &self.objects[number as usize] else { continue };
                let count = members.entry(class(number, object)).or_default();
                *count += 1;
                if *count <= 2 {
                    chosen.push(number);
                }
            }
            chosen
        };
        for &one in &classes(numbers) {
            for &other in &classes(others) {
                let (low, high) = (one.min(other), one.max(other));
                let [Some(first), Some(second)] =
                    [low, high].map(|number| self.objects[number as usize].as_ref())
                else {
                    continue;
                };
                let Some(exchanged) = rule.sides(first, second).filter(|_| low != high) else { continue };
                let (low, high) = (self.geometry_id(low), self.geometry_id(high));
                if self.pairs.iter().any(|pair| pair.ordered_ids() == (low, high)) {
                    continue;
                }
                let mut sides = [(low, &*first.geometry), (high, &*second.geometry)];
                if exchanged.0 {
                    sides.swap(0, 1);
                }
                let id = PairId::of_groups(self.tag, low.number, high.number);
                Pair::bind(&self.registry, id, sides, &rule.options)
                    .map_err(|reason| self.refused(sides[0].0, sides[1].0, reason))?;
            }
        }
        Ok(())
    }
}
