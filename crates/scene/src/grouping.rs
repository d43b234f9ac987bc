//! Pairs between groups: the methods of a scene.

use crate::group_pairs::{GroupPairs, Rule};
use crate::ids::PairId;
use crate::object::Object;
use crate::{GeometryId, Pair, PairOptions, Scene, SceneError};
use palpate_detect::Order;
use palpate_geometry::GeometryKind;
use std::collections::HashMap;
use std::sync::Arc;

/// A class of geometries with the same choice of detectors: a kind of primitive, or one geometry of a kind whose
/// detectors depend on the geometry.
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
    /// Detects all pairs of two different geometries whose [`Groups`](crate::Groups) pass, with these options,
    /// including geometries added later. A pair is bound when the broad phase first finds its two geometries near, and
    /// removed when they are apart, so that memory is used only for near pairs, even with 10⁴ geometries. The id of a
    /// pair is always the same, and side A is the geometry with the lower id. A pair that was also added by itself is
    /// detected once, with its own options. Settings apply to the pairs whose detector has them: one call can set
    /// `internal_edges` for the meshes of a scene and `tolerance` for its hulls. Errors: kinds that no detector supports (two geometries are named), an
    /// unknown detector, a setting that no detector has or a value that a detector does not accept, a margin that is negative or not
    /// finite; nothing is
    /// changed then.
    pub fn add_pairs_by_groups(&mut self, options: PairOptions) -> Result<(), SceneError> {
        self.add_pairs_between(u32::MAX, u32::MAX, options)
    }

    /// Like [`add_pairs_by_groups`](Self::add_pairs_by_groups), for pairs of a member of one of the groups `first`
    /// (bits) with a member of one of the groups `second`: side A is the member of `first`. If several calls apply to
    /// two geometries, the first call is used.
    ///
    /// Errors: as there; groups that match no two geometries of a scene that has at least two (add these first), or none that
    /// there could be.
    pub fn add_pairs_between(
        &mut self,
        first: u32,
        second: u32,
        options: PairOptions,
    ) -> Result<(), SceneError> {
        // If a detector accepts both orders, the ids decide the order, not the positions at which the two become near.
        let orders = if options.orders.is_empty() { vec![Order::AsGiven] } else { options.orders };
        let rule = Rule { first, second, options: Arc::new(PairOptions { orders, ..options }) };
        let numbers: Vec<u32> = self.geometries().map(|id| id.number).collect();
        self.check_rule(&rule, &numbers, &numbers)?;
        self.check_matches(&rule)?;
        self.group_pairs.rules.push(rule);
        Ok(())
    }

    /// Checks that a rule matches two geometries, once there are two.
    fn check_matches(&self, rule: &Rule) -> Result<(), SceneError> {
        let present: Vec<&Object> = self.objects.iter().flatten().collect();
        let has_match = |(place, one): (usize, &&Object)| {
            present[place + 1..].iter().any(|other| rule.sides(one, other).is_some())
        };
        let is_possible = rule.first != 0 && rule.second != 0;
        if is_possible && (present.len() < 2 || present.iter().enumerate().any(has_match)) {
            return Ok(());
        }
        let members = present.iter().fold(0, |all, object| all | object.groups.membership);
        let (first, second, count) = (rule.first, rule.second, present.len());
        Err(SceneError::NoPairOfGroups { first, second, count, members })
    }

    /// Returns the number of calls of [`add_pairs_by_groups`](Self::add_pairs_by_groups) and
    /// [`add_pairs_between`](Self::add_pairs_between) in effect.
    pub fn rules_of_groups(&self) -> usize {
        self.group_pairs.rules.len()
    }

    /// Returns all pairs that are detected by groups, near or not, with their options: side A first, in the order of
    /// the ids. Cost: quadratic in the number of geometries.
    pub fn pairs_of_groups(&self) -> Vec<(GeometryId, GeometryId, &PairOptions)> {
        let mut single: Vec<_> = self.pairs.iter().map(Pair::ordered_ids).collect();
        single.sort_unstable();
        let ids: Vec<GeometryId> = self.geometries().collect();
        let mut found = Vec::new();
        for (place, &low) in ids.iter().enumerate() {
            for &high in &ids[place + 1..] {
                let [Some(first), Some(second)] = [low, high].map(|id| self.objects[id.index()].as_ref())
                else {
                    continue;
                };
                let rule = self
                    .group_pairs
                    .rule(first, second)
                    .filter(|_| single.binary_search(&(low, high)).is_err());
                if let Some((rule, exchanged)) = rule {
                    let (a, b) = if exchanged.0 { (high, low) } else { (low, high) };
                    found.push((a, b, &*rule.options));
                }
            }
        }
        found
    }

    /// Removes all pairs of groups and their options. Pairs added one by one remain.
    pub fn remove_pairs_by_groups(&mut self) {
        self.group_pairs = GroupPairs::default();
    }

    /// Checks that a detector exists for a geometry and every geometry with which the rules pair it.
    pub(crate) fn check_rules_for(&self, number: u32) -> Result<(), SceneError> {
        if !self.group_pairs.has_rules() {
            return Ok(());
        }
        let others: Vec<u32> =
            self.geometries().map(|id| id.number).filter(|&other| other != number).collect();
        self.group_pairs.rules.iter().try_for_each(|rule| self.check_rule(rule, &[number], &others))
    }

    fn check_rule(&self, rule: &Rule, numbers: &[u32], others: &[u32]) -> Result<(), SceneError> {
        // Up to two members of each class: pairs within a class are checked, too.
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
