//! Compounds in a pair: one detector for every child, or for every pair of children.

use super::bound::Detectors;
use super::children::{changes, children, compound, numbers, of_children, part};
use super::content_order::order_by_content;
use super::near_children::NearChildren;
use crate::{Bound, Choice, Context, DetectError, Detection, Flags, Order, Registry, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Geometry, Needs};
use serde_json::Value;

/// The detectors of a pair of which one side or both are compounds, or of a compound with itself.
///
/// Contacts come in the order of the compound's children; of two compounds in the order of the children of the one that
/// is first by content, and for each of these in the order of the other's. Each child's detector is what the registry
/// binds for that child, with its own order of sides.
pub(crate) struct Expansion {
    name: String,
    registry: Registry,
    detector: Option<String>,
    settings: Option<Value>,
    detection: Detection,
    itself: bool,
    lead: Order,
    /// The changes of the children that the parts were bound for; `None` for a side that is no compound.
    changes: [Option<u64>; 2],
    /// The pairs of children that are bound: all, or of many those that were near in the last run.
    parts: Vec<Part>,
    /// Set for so many pairs of children that only near ones are bound.
    many: Option<Many>,
    data: CollisionData,
}

/// From this many pairs of children on, only those whose boxes are near are bound and run.
const MANY: usize = 4096;

/// Pairs of children that are bound when they are near.
#[derive(Default)]
struct Many {
    near: NearChildren,
    /// What the children need together, by the detectors of all sorts of pairs.
    needs: [Needs; 2],
    before: Vec<Part>,
}

/// A child, or the whole geometry of a side, against the other side's.
struct Part {
    children: [u32; 2],
    bound: Bound,
}

impl Expansion {
    /// Whether the registry expands these two.
    pub(crate) fn takes(a: &dyn Geometry, b: &dyn Geometry) -> bool {
        compound(a).is_some() || compound(b).is_some()
    }

    /// Binds a detector for every pair of children. Errors: a child without a detector (named), an unknown detector,
    /// or one that fits no child, settings that a child's detector does not have.
    pub(crate) fn bind(
        registry: &Registry,
        a: &dyn Geometry,
        b: &dyn Geometry,
        choice: Choice<'_>,
    ) -> Result<Self, DetectError> {
        let exchanged = compound(a).is_none();
        let (first, second) = if exchanged { (b, a) } else { (a, b) };
        let both = compound(a).is_some() && compound(b).is_some();
        let lead = match (both, exchanged) {
            (true, _) => choice.orders.first().copied().unwrap_or_else(|| order_by_content(a, b)),
            (false, true) => Order::Swapped,
            (false, false) => Order::AsGiven,
        };
        let name = format!("{}_{}", first.kind(), second.kind());
        Self::named(name, registry, [a, b], choice, lead, false)
    }

    /// A detector for every pair of different children of one compound. Errors as [`bind`](Self::bind).
    pub(crate) fn bind_self(
        registry: &Registry,
        a: &dyn Geometry,
        choice: Choice<'_>,
    ) -> Result<Self, DetectError> {
        let name = format!("{0}_{0}", a.kind());
        Self::named(name, registry, [a, a], choice, Order::AsGiven, true)
    }

    fn named(
        name: String,
        registry: &Registry,
        [a, b]: [&dyn Geometry; 2],
        choice: Choice<'_>,
        lead: Order,
        itself: bool,
    ) -> Result<Self, DetectError> {
        let mut expansion = Self {
            name,
            registry: registry.clone(),
            detector: choice.detector.map(str::to_owned),
            settings: choice.settings.cloned(),
            detection: choice.detection,
            itself,
            lead,
            changes: [None, None],
            parts: Vec::new(),
            many: None,
            data: CollisionData::new(),
        };
        expansion.check_name(a, b)?;
        match choice.orders {
            // The order of the whole alone is that of every pair of children.
            &[order] => expansion.expand(a, b, &vec![order; expansion.count(a, b)])?,
            orders => expansion.expand(a, b, orders.get(1..).unwrap_or_default())?,
        }
        Ok(expansion)
    }

    /// Checks that the name of a detector is known and fits at least one pair of children.
    fn check_name(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<(), DetectError> {
        let Some(name) = self.detector.as_deref().filter(|name| self.is_detector(name)) else {
            return Ok(());
        };
        let pairs = if self.count(a, b) < MANY {
            self.pairs(a, b)
        } else {
            let [first, second] = [a, b].map(|geometry| self.registry.two_of_each_sort(geometry));
            first.into_iter().flat_map(|i| second.iter().map(move |&j| [i, j])).collect()
        };
        let fits = |children: &[u32; 2]| match [part(a, children[0]), part(b, children[1])] {
            [Some(a), Some(b)] => self.registry.fits(name, a, b),
            _ => false,
        };
        if self.registry.knows(name) && (pairs.is_empty() || pairs.iter().any(fits)) {
            return Ok(());
        }
        Err(self.registry.misfit(name, a, b))
    }

    /// Whether the name denotes a detector, not the expansion itself or an alias of it.
    fn is_detector(&self, name: &str) -> bool {
        name != self.name && !self.registry.is_alias_of_children(name)
    }

    /// Binds every pair of children; `orders` are those in which their inputs are to reach the detectors, as far as known.
    fn expand(&mut self, a: &dyn Geometry, b: &dyn Geometry, orders: &[Order]) -> Result<(), DetectError> {
        if self.count(a, b) >= MANY {
            let needs = self.needs_of_sorts(a, b)?;
            self.many = Some(Many { needs, ..Many::default() });
            self.parts.clear();
            self.changes = [a, b].map(changes);
            return Ok(());
        }
        let mut next = 0;
        let mut bind = |children: [u32; 2]| -> Option<Result<Part, DetectError>> {
            let (a, b) = (part(a, children[0])?, part(b, children[1])?);
            let bound = self.bind_part(a, b, orders.get(next..next + 1).unwrap_or_default());
            next += 1;
            let bound = bound.map_err(|error| of_children(children, error));
            Some(bound.map(|bound| Part { children, bound }))
        };
        let parts = self.pairs(a, b).into_iter().filter_map(&mut bind).collect::<Result<Vec<_>, _>>()?;
        self.many = None;
        self.parts = parts;
        self.changes = [a, b].map(changes);
        Ok(())
    }

    /// Returns the same for the children that there are now; `None` if none were added or removed. Errors as
    /// [`bind`](Self::bind).
    fn rebound(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<Option<Self>, DetectError> {
        if [a, b].map(changes) == self.changes {
            return Ok(None);
        }
        let mut rebound = Self {
            name: self.name.clone(),
            registry: self.registry.clone(),
            detector: self.detector.clone(),
            settings: self.settings.clone(),
            changes: [None, None],
            parts: Vec::new(),
            many: None,
            data: CollisionData::new(),
            ..*self
        };
        rebound.expand(a, b, &[])?;
        Ok(Some(rebound))
    }

    /// The number of pairs of children.
    fn count(&self, a: &dyn Geometry, b: &dyn Geometry) -> usize {
        let count = |geometry| compound(geometry).map_or(1, |compound| compound.children().count());
        count(a) * count(b) / if self.itself { 2 } else { 1 }
    }

    /// Binds one pair of each two sorts of children, to find what they need and that all can be bound. Errors: a child
    /// without a detector (named).
    fn needs_of_sorts(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<[Needs; 2], DetectError> {
        let [first, second] = [a, b].map(|geometry| self.registry.two_of_each_sort(geometry));
        let mut needs = [Needs::empty(); 2];
        for &i in &first {
            for &j in second.iter().filter(|&&j| !self.itself || i < j) {
                let [Some(child_a), Some(child_b)] = [part(a, i), part(b, j)] else { continue };
                let bound = self.bind_part(child_a, child_b, &[self.lead]);
                let [of_a, of_b] = bound.map_err(|error| of_children([i, j], error))?.needs();
                needs = [needs[0] | of_a, needs[1] | of_b];
            }
        }
        Ok(if self.itself { [needs[0] | needs[1], Needs::empty()] } else { needs })
    }

    /// Makes the near pairs of children the parts, in the order of their contacts: those that were near stay, with their
    /// memory; others are bound. Errors: a pair that no detector supports.
    fn update_near(&mut self, a: &dyn Geometry, b: &dyn Geometry, margin: f64) -> Result<(), DetectError> {
        let Some(mut many) = self.many.take() else { return Ok(()) };
        let exchanged = self.lead == Order::Swapped;
        let (first, second) = if exchanged { (b, a) } else { (a, b) };
        let (of_first, of_second) = (children(first), children(second));
        let near = many.near.find(&of_first, &of_second, margin);
        std::mem::swap(&mut self.parts, &mut many.before);
        self.parts.clear();
        let key = |children: [u32; 2]| if exchanged { [children[1], children[0]] } else { children };
        let mut before = many.before.drain(..).peekable();
        let mut done = Ok(());
        for &(i, j) in near {
            let ((i, child_i), (j, child_j)) = (of_first[i as usize], of_second[j as usize]);
            if self.itself && i >= j {
                continue;
            }
            while before.next_if(|part| key(part.children) < [i, j]).is_some() {}
            if let Some(part) = before.next_if(|part| key(part.children) == [i, j]) {
                self.parts.push(part);
                continue;
            }
            let (child_a, child_b) = if exchanged { (child_j, child_i) } else { (child_i, child_j) };
            let children = key([i, j]);
            match self.bind_part(child_a, child_b, &[self.lead]) {
                Ok(bound) => self.parts.push(Part { children, bound }),
                Err(error) => {
                    done = Err(of_children(children, error));
                    break;
                }
            }
        }
        drop(before);
        self.many = Some(many);
        done
    }

    /// The pairs of children, in the order of their contacts.
    fn pairs(&self, a: &dyn Geometry, b: &dyn Geometry) -> Vec<[u32; 2]> {
        let (a, b) = (numbers(a), numbers(b));
        match self.lead {
            _ if self.itself => {
                a.iter().flat_map(|&i| b.iter().filter(move |&&j| i < j).map(move |&j| [i, j])).collect()
            }
            Order::AsGiven => a.iter().flat_map(|&i| b.iter().map(move |&j| [i, j])).collect(),
            Order::Swapped => b.iter().flat_map(|&j| a.iter().map(move |&i| [i, j])).collect(),
        }
    }

    /// A detector by name is for the children that it fits; the others have their default, with its own settings.
    fn bind_part(&self, a: &dyn Geometry, b: &dyn Geometry, orders: &[Order]) -> Result<Bound, DetectError> {
        let settings = self.settings.as_ref();
        let default =
            Choice { orders, ignore_unknown_settings: true, detection: self.detection, ..Choice::default() };
        match self.detector.as_deref() {
            Some(name) if self.registry.is_alias_of_children(name) => {
                let detector = self.registry.alias_for(a, b);
                self.registry.bind_whole(a, b, Choice { detector, settings, ..default })
            }
            Some(name) if self.is_detector(name) && self.registry.fits(name, a, b) => {
                let named =
                    Choice { detector: Some(name), settings, ignore_unknown_settings: false, ..default };
                self.registry.bind_whole(a, b, named)
            }
            Some(name) if self.is_detector(name) => self.registry.bind_whole(a, b, default),
            _ => self.registry.bind_whole(a, b, Choice { settings, ..default }),
        }
    }
}

impl Detectors for Expansion {
    fn settings(&self) -> Option<&Value> {
        self.settings.as_ref()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn order(&self) -> Order {
        self.lead
    }

    fn parts(&self) -> Vec<Order> {
        // Of many, the order follows from that of the compounds.
        if self.many.is_some() {
            return Vec::new();
        }
        self.parts.iter().map(|part| part.bound.order()).collect()
    }

    fn is_self(&self) -> bool {
        self.itself
    }

    /// What the children need together.
    fn needs(&self) -> [Needs; 2] {
        if let Some(many) = &self.many {
            return many.needs;
        }
        let union = |sum: [Needs; 2], part: &Part| {
            let [a, b] = part.bound.needs();
            [sum[0] | a, sum[1] | b]
        };
        let [a, b] = self.parts.iter().fold([Needs::empty(); 2], union);
        if self.itself { [a | b, Needs::empty()] } else { [a, b] }
    }

    /// Rebinds if children were added or removed; returns whether it did. Errors as [`bind`](Self::bind); then the
    /// old binding stays.
    fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError> {
        let rebound = self.rebound(a, b)?;
        let has_changed = rebound.is_some();
        if let Some(rebound) = rebound {
            *self = rebound;
        }
        Ok(has_changed)
    }

    fn refreshed(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<Option<Bound>, DetectError> {
        Ok(self.rebound(a, b)?.map(Bound::of_several))
    }

    /// Appends the contacts of all children, in order, and unions their flags.
    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        self.refresh(a, b)?;
        self.update_near(a, b, context.margin())?;
        let mut flags = Flags::empty();
        for Part { children, bound } in &mut self.parts {
            let [Some(part_a), Some(part_b)] = [part(a, children[0]), part(b, children[1])] else {
                // A user-defined geometry in place of the compound.
                continue;
            };
            let status = bound.run(part_a, part_b, context, &mut self.data);
            flags |= status.map_err(|error| of_children(*children, error))?.flags;
            for contact in &mut self.data.contacts {
                contact.a.child = children[0];
                contact.b.child = children[1];
            }
            out.contacts.extend_from_slice(&self.data.contacts);
        }
        Ok(Status { flags })
    }

    fn reset(&mut self) {
        if self.many.is_some() {
            self.parts.clear();
        }
        self.parts.iter_mut().for_each(|part| part.bound.reset());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::NONE;
    use palpate_geometry::{Compound, OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh};
    use palpate_math::{Point, Vector};
    use serde_json::json;

    fn ball(x: f64, y: f64) -> Sphere {
        Sphere::new(Point::new(x, y, 0.0), 1.0).unwrap()
    }

    fn floor() -> Plane {
        Plane::new(Point::origin(), Vector::y()).unwrap()
    }

    fn points(at: Point) -> PointSet {
        PointSet::new(vec![at]).unwrap()
    }

    fn contacts(a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> CollisionData {
        let mut bound = Registry::standard().bind(a, b, choice).unwrap();
        let mut out = CollisionData::new();
        bound.run(a, b, &Context::new(), &mut out).unwrap();
        out
    }

    fn message(a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> String {
        Registry::standard().bind(a, b, choice).err().unwrap().to_string()
    }

    #[test]
    fn every_child_meets_the_other_and_is_named() {
        // 0.25 and 0.5 deep; the one in the middle is above the floor.
        let compound = Compound::default().with(ball(0.0, 0.75)).with(ball(3.0, 2.0)).with(ball(6.0, 0.5));
        let found = contacts(&compound, &floor(), Choice::default());
        let told: Vec<_> = found.contacts.iter().map(|c| (c.a.child, c.b.child, c.depth)).collect();
        assert_eq!(told, [(0, NONE, 0.25), (2, NONE, 0.5)]);
        let mut exchanged = contacts(&floor(), &compound, Choice::default());
        assert_eq!((exchanged.contacts[1].a.child, exchanged.contacts[1].b.child), (NONE, 2));
        exchanged.mirror();
        assert!(exchanged.same_bits(&found));
    }

    #[test]
    fn two_compounds_meet_child_by_child_in_the_order_of_one() {
        let a = Compound::default().with(ball(0.0, 0.0)).with(ball(1.0, 0.0));
        let b = Compound::default().with(ball(0.5, 0.0)).with(points(Point::new(0.75, 0.0, 0.0)));
        let children = |data: &CollisionData| -> Vec<[u32; 2]> {
            data.contacts.iter().map(|contact| [contact.a.child, contact.b.child]).collect()
        };
        let found = contacts(&a, &b, Choice::default());
        // Points rank before spheres: B is the first by content of the two lists of kinds.
        assert_eq!(children(&found), [[0, 0], [1, 0], [0, 1], [1, 1]]);
        let mut exchanged = contacts(&b, &a, Choice::default());
        exchanged.mirror();
        assert!(exchanged.same_bits(&found));
    }

    #[test]
    fn children_that_come_or_go_are_bound_again() {
        let mut compound = Compound::default().with(ball(0.0, 0.5));
        let mut bound = Registry::standard().bind(&compound, &floor(), Choice::default()).unwrap();
        assert_eq!((bound.name(), bound.order()), ("compound_plane", Order::AsGiven));
        let mut out = CollisionData::new();
        let mut run = |compound: &Compound| {
            bound.run(compound, &floor(), &Context::new(), &mut out)?;
            Ok::<_, DetectError>(out.contacts.iter().map(|contact| contact.a.child).collect::<Vec<_>>())
        };
        assert_eq!(run(&compound), Ok(vec![0]));
        compound.add_child(Box::new(points(Point::new(0.0, -1.0, 0.0))));
        assert_eq!(run(&compound), Ok(vec![0, 1]));
        compound.remove_child(0);
        assert_eq!(run(&compound), Ok(vec![1]));
        compound.add_child(Box::new(floor()));
        let refused = run(&compound).unwrap_err().to_string();
        assert!(
            refused.starts_with("child 2 of the first geometry: plane and plane are refused"),
            "{refused}"
        );
        compound.remove_child(2);
        assert_eq!(run(&compound), Ok(vec![1]));
    }

    #[test]
    fn changes_of_either_of_two_compounds_are_seen() {
        let mut a = Compound::default().with(ball(0.0, 0.0));
        let mut b = Compound::default().with(ball(1.0, 0.0));
        let mut bound = Registry::standard().bind(&a, &b, Choice::default()).unwrap();
        let mut out = CollisionData::new();
        let mut run = |a: &Compound, b: &Compound| {
            bound.run(a, b, &Context::new(), &mut out).unwrap();
            let children = out.contacts.iter().map(|contact| [contact.a.child, contact.b.child]);
            let mut children: Vec<[u32; 2]> = children.collect();
            children.sort_unstable();
            children
        };
        assert_eq!(run(&a, &b), [[0, 0]]);
        b.add_child(Box::new(ball(0.0, 1.0)));
        assert_eq!(run(&a, &b), [[0, 0], [0, 1]], "b alone has changed");
        a.add_child(Box::new(ball(0.5, 0.5)));
        assert_eq!(run(&a, &b), [[0, 0], [0, 1], [1, 0], [1, 1]], "a alone has changed");
        b.remove_child(0);
        assert_eq!(run(&a, &b), [[0, 1], [1, 1]], "b alone has changed");
        a.remove_child(0);
        b.add_child(Box::new(ball(1.0, 1.0)));
        assert_eq!(run(&a, &b), [[1, 1], [1, 2]], "both have changed");
    }

    /// A new child that needs what was not prepared is an error that says so; what is needed is asked for again.
    #[test]
    fn what_a_new_child_needs_is_asked_for_again() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
        let cells = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let surface = SurfaceMesh::new(corners.to_vec(), cells).unwrap();
        let mut compound = Compound::default().with(ball(5.0, 0.0));
        let other = ball(0.0, 0.0);
        let mut bound = Registry::standard().bind(&compound, &other, Choice::default()).unwrap();
        assert_eq!(bound.needs(), [Needs::empty(); 2]);
        compound.add_child(Box::new(surface));
        let mut out = CollisionData::new();
        let error = bound.run(&compound, &other, &Context::new(), &mut out).unwrap_err();
        assert!(
            error.to_string().starts_with("child 1 of the first geometry: the surface_mesh is not"),
            "{error}"
        );
        compound.prepare(bound.needs()[0]);
        bound.run(&compound, &other, &Context::new(), &mut out).unwrap();
        assert!(!out.is_empty());
    }

    #[test]
    fn a_detector_by_name_is_for_the_children_that_it_fits() {
        let compound = Compound::default().with(ball(0.0, 0.0)).with(points(Point::new(0.25, 0.0, 0.0)));
        let sheet = Plane::new(Point::new(0.0, 0.5, 0.0), Vector::y()).unwrap();
        let two = json!({"sides": "two"});
        // The ball leaves the sheet downward; the point keeps the half-space.
        let found = contacts(&compound, &sheet, Choice::named("plane_sphere").with_settings(&two));
        let depths: Vec<_> = found.contacts.iter().map(|contact| contact.depth).collect();
        assert_eq!(depths, [0.5, 0.5]);
        assert_eq!((found.contacts[0].direction[1], found.contacts[1].direction[1]), (-1.0, 1.0));
        // The expansion's own name is the default; settings without a name are for all.
        let default = contacts(&compound, &sheet, Choice::default());
        assert!(contacts(&compound, &sheet, Choice::named("compound_plane")).same_bits(&default));
        let all = contacts(&compound, &sheet, Choice::default().with_settings(&two));
        assert_eq!((all.len(), all.contacts[0].direction[1]), (1, -1.0), "the point is off the sheet");
    }

    #[test]
    fn what_cannot_be_bound_is_named() {
        let compound = Compound::default().with(ball(0.0, 0.0)).with(floor());
        assert!(
            message(&floor(), &compound, Choice::default()).starts_with("child 1 of the second geometry: ")
        );
        let two = Compound::default().with(floor());
        let error = message(&two, &compound, Choice::default());
        assert!(error.starts_with("child 0 of the first geometry and child 1 of the second: "), "{error}");
        let round = Compound::default().with(ball(0.0, 0.0));
        assert!(message(&round, &floor(), Choice::named("sphere_square")).starts_with("unknown detector"));
        let error = message(&round, &floor(), Choice::named("sphere_capsule"));
        assert!(error.starts_with("detector sphere_capsule does not accept compound and plane"), "{error}");
        let error = message(&ball(0.0, 0.0), &floor(), Choice::named("CompoundCD"));
        assert!(error.contains("does not accept sphere and plane: wanted a compound"), "{error}");
        let settings = json!({"sides": "three"});
        let error = message(&round, &floor(), Choice::default().with_settings(&settings));
        assert!(
            error.starts_with("child 0 of the first geometry: settings of detector plane_sphere"),
            "{error}"
        );
    }

    /// iMSTK treats every surface as a sheet, and so do the children under its class name.
    #[test]
    fn the_alias_of_a_compound_binds_children_by_their_aliases() {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]].map(Point::from);
        let cells = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mut solid = SurfaceMesh::new(corners.to_vec(), cells).unwrap();
        solid.prepare(Needs::all());
        let half = Vector::repeat(0.25);
        let small = OrientedBox::new(Pose::translation(50.0, 0.0, 0.0), half).unwrap();
        let compound =
            Compound::default().with(Sphere::new(Point::new(1.0, 1.5, 2.0), 1.25).unwrap()).with(small);
        let default = contacts(&compound, &solid, Choice::default());
        let sheet = contacts(&compound, &solid, Choice::named("CompoundCD"));
        // The ball's centre is inside, 1 from the nearest face: 2.25 deep in the solid, 0.25 on the sheet.
        assert_eq!((default.deepest().unwrap().depth, sheet.deepest().unwrap().depth), (2.25, 0.25));
    }

    #[test]
    fn a_compound_meets_itself_between_different_children() {
        let compound = Compound::default().with(ball(0.0, 0.0)).with(ball(9.0, 0.0)).with(ball(1.5, 0.0));
        let registry = Registry::standard();
        let mut bound = registry.bind_self(&compound, Choice::default()).unwrap();
        let mut out = CollisionData::new();
        bound.run_self(&compound, &Context::new(), &mut out).unwrap();
        let told: Vec<_> = out.contacts.iter().map(|c| (c.a.child, c.b.child, c.depth)).collect();
        assert_eq!((told, bound.is_self()), (vec![(0, 2, 0.5)], true));
        assert!(bound.run(&compound, &compound, &Context::new(), &mut out).is_err(), "bound for itself");
        let planes = Compound::default().with(floor()).with(floor());
        assert!(registry.bind_self(&planes, Choice::default()).is_err());
    }

    #[test]
    fn no_children_have_no_contacts() {
        assert!(contacts(&Compound::default(), &floor(), Choice::default()).is_empty());
    }
}
