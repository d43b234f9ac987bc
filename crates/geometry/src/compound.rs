//! Compound: a geometry made of child geometries.

use crate::version::draw;
use crate::{Geometry, GeometryKind, Needs, Pose, Version, downcast};
use palpate_bvh::{InTurn, Tasks};
use palpate_math::Aabb;
use std::any::Any;
use std::ops::Range;

/// Geometries of any kinds that form one object: the jaws and the shaft of a tool, the convex parts of a bone.
///
/// Children are numbered from 0 in the order given, and a contact names its child by this number. A compound given as a
/// child is replaced by its own children: nested compounds are numbered depth first. Removing a child leaves its number
/// unused, so that the other numbers do not change.
///
/// Children have world coordinates like any other geometry, and are moved one by one ([`child_mut`](Self::child_mut)):
/// meshes, points and functions have no pose to which a pose of the compound could be applied.
///
/// Children may overlap: each is tested against the other geometry on its own, so that overlapping children both have
/// contacts.
#[derive(Default)]
pub struct Compound {
    children: Vec<Option<Box<dyn Geometry>>>,
    changes: u64,
    /// Changed by adding and removing children, and by mutable access to one.
    version: Version,
    /// World from the children's coordinates, noted by a scene.
    placement: Option<Pose>,
}

impl Compound {
    /// Creates a compound of these children; an empty one never collides.
    pub fn new(children: Vec<Box<dyn Geometry>>) -> Self {
        let mut compound = Self::default();
        for child in children {
            compound.add_child(child);
        }
        compound
    }

    /// Returns the compound with one more child.
    #[must_use]
    pub fn with(mut self, child: impl Geometry) -> Self {
        self.add_child(Box::new(child));
        self
    }

    /// Appends a child. Returns its number; for a compound the range of its children's numbers.
    pub fn add_child(&mut self, child: Box<dyn Geometry>) -> Range<u32> {
        let start = self.slots();
        let any: &dyn Any = &*child;
        if any.is::<Self>() {
            let nested: Box<dyn Any> = child;
            let nested = nested.downcast::<Self>().expect("the child is a compound, as just checked");
            self.children.extend(nested.children.into_iter().flatten().map(Some));
        } else {
            self.children.push(Some(child));
        }
        self.children_changed();
        start..self.slots()
    }

    /// Removes a child; its number stays unused. `None` if there is no child with this number.
    pub fn remove_child(&mut self, number: u32) -> Option<Box<dyn Geometry>> {
        let child = self.children.get_mut(number as usize)?.take()?;
        self.children_changed();
        Some(child)
    }

    /// Returns the children with their numbers, in ascending order.
    pub fn children(&self) -> impl Iterator<Item = (u32, &dyn Geometry)> {
        let numbered = self.children.iter().enumerate();
        numbered.filter_map(|(number, child)| Some((number as u32, child.as_deref()?)))
    }

    /// Returns the child with this number, if there is one.
    pub fn child(&self, number: u32) -> Option<&dyn Geometry> {
        self.children.get(number as usize)?.as_deref()
    }

    /// Returns the child with this number as the type `T`; `None` if there is none, or it has another type.
    pub fn child_as<T: Geometry>(&self, number: u32) -> Option<&T> {
        let any: &dyn Any = self.child(number)?;
        any.downcast_ref()
    }

    /// Returns the child with this number as the type `T`, mutably; `None` as in [`child_as`](Self::child_as).
    pub fn child_mut<T: Geometry>(&mut self, number: u32) -> Option<&mut T> {
        self.child_as::<T>(number)?;
        let any: &mut dyn Any = self.child_dyn_mut(number)?;
        any.downcast_mut()
    }

    /// Returns the child with this number, of any type, mutably.
    pub fn child_dyn_mut(&mut self, number: u32) -> Option<&mut dyn Geometry> {
        let child = self.children.get_mut(number as usize)?.as_deref_mut()?;
        self.version.moved();
        Some(child)
    }

    /// Returns a number that differs after children were added or removed, which requires rebinding a pair. Another compound
    /// has another number, unless one is a clone of the other with the same children; 0 for one that never had any.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    fn children_changed(&mut self) {
        self.changes = draw();
        self.version.rebuilt();
    }

    fn slots(&self) -> u32 {
        self.children.len() as u32
    }
}

impl Geometry for Compound {
    fn kind(&self) -> GeometryKind {
        GeometryKind::COMPOUND
    }

    fn bounds(&self) -> Aabb {
        self.children().fold(Aabb::EMPTY, |bounds, (_, child)| bounds.merged(&child.bounds()))
    }

    fn version(&self) -> Version {
        self.version
    }

    fn prepare(&mut self, needs: Needs) {
        self.prepare_by(needs, &InTurn);
    }

    fn prepare_by(&mut self, needs: Needs, tasks: &dyn Tasks) {
        self.children.iter_mut().flatten().for_each(|child| child.prepare_by(needs, tasks));
    }

    fn is_prepared(&self, needs: Needs) -> bool {
        self.children().all(|(_, child)| child.is_prepared(needs))
    }

    fn advance(&mut self) {
        for child in self.children.iter_mut().flatten() {
            let before = child.version();
            child.advance();
            // A user-defined child may move.
            if child.version() != before {
                self.version.moved();
            }
        }
    }

    fn content(&self) -> Vec<f64> {
        let contents: Vec<Vec<f64>> = self.children().map(|(_, child)| child.content()).collect();
        let mut content = vec![contents.len() as f64];
        content.extend(self.children().map(|(_, child)| child.kind().rank() as f64));
        content.extend(contents.iter().map(|child| child.len() as f64));
        content.extend(contents.iter().flatten());
        content
    }

    fn placement(&self) -> Option<Pose> {
        self.placement
    }

    fn set_placement(&mut self, placement: Option<Pose>) {
        self.placement = placement;
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        let clone = |child: &Option<Box<dyn Geometry>>| match child {
            Some(child) => child.try_clone().map(Some),
            None => Some(None),
        };
        let children = self.children.iter().map(clone).collect::<Option<Vec<_>>>()?;
        let Self { changes, version, placement, .. } = *self;
        Some(Box::new(Self { children, changes, version, placement }))
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        let Some(source) = downcast::<Self>(source) else { return };
        for (child, source) in self.children.iter_mut().zip(&source.children) {
            if let (Some(child), Some(source)) = (child, source) {
                child.copy_previous_moved(&**source, motion);
            }
        }
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        let Some(source) = downcast::<Self>(source) else { return false };
        if self.changes != source.changes || self.children.len() != source.children.len() {
            return false;
        }
        self.version.moved();
        self.placement = source.placement;
        self.children.iter_mut().zip(&source.children).all(|pair| match pair {
            (Some(child), Some(source)) => child.copy_moved(&**source, motion),
            (None, None) => true,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capsule, PointSet, Pose, Sphere};
    use palpate_math::Point;

    fn ball(x: f64, radius: f64) -> Sphere {
        Sphere::new(Point::new(x, 0.0, 0.0), radius).unwrap()
    }

    fn rod() -> Capsule {
        Capsule::new(Pose::identity(), 1.0, 2.0).unwrap()
    }

    fn numbers(compound: &Compound) -> Vec<u32> {
        compound.children().map(|(number, _)| number).collect()
    }

    #[test]
    fn nested_compounds_are_numbered_depth_first() {
        let inner = Compound::default().with(ball(1.0, 1.0)).with(ball(2.0, 1.0));
        let nested = Compound::default().with(inner).with(rod());
        let mut compound = Compound::default().with(rod()).with(nested).with(ball(3.0, 1.0));
        assert_eq!(numbers(&compound), [0, 1, 2, 3, 4]);
        assert_eq!(compound.child_as::<Sphere>(2).unwrap().center().x, 2.0);
        assert!(compound.child_as::<Capsule>(3).is_some() && compound.child_as::<Sphere>(4).is_some());
        assert_eq!(compound.add_child(Box::new(Compound::default().with(rod()).with(rod()))), 5..7);
        assert!(compound.children().all(|(_, child)| child.kind() != GeometryKind::COMPOUND));
    }

    #[test]
    fn a_removed_child_leaves_its_number_empty_and_the_version_changes() {
        let mut compound = Compound::new(vec![Box::new(ball(0.0, 1.0)), Box::new(rod()), Box::new(rod())]);
        let (before, changes) = (compound.version(), compound.changes());
        assert!(compound.remove_child(1).is_some() && compound.remove_child(1).is_none());
        assert!(compound.remove_child(9).is_none());
        assert_eq!(numbers(&compound), [0, 2]);
        assert!(compound.child(1).is_none() && compound.child_mut::<Capsule>(1).is_none());
        assert_ne!(compound.version().topology, before.topology);
        assert_ne!(compound.changes(), changes);
        assert_eq!(compound.add_child(Box::new(ball(1.0, 1.0))), 3..4);
    }

    #[test]
    fn moving_a_child_moves_the_bounds_and_the_version() {
        let mut compound = Compound::default().with(ball(0.0, 1.0)).with(ball(5.0, 2.0));
        let (version, changes) = (compound.version(), compound.changes());
        assert!(compound.bounds().max.x >= 7.0 && compound.bounds().min.x <= -1.0);
        compound.child_mut::<Sphere>(1).unwrap().set_center(Point::new(9.0, 0.0, 0.0)).unwrap();
        assert!(compound.bounds().max.x >= 11.0);
        assert_ne!(compound.version().positions, version.positions);
        assert_eq!(compound.changes(), changes, "no child was added or removed");
        assert!(compound.child_mut::<Capsule>(1).is_none(), "of another type");
        // Assigning another shape to a child is a change, too.
        let version = compound.version();
        *compound.child_mut::<Sphere>(1).unwrap() = ball(9.0, 2.0);
        assert_ne!(compound.version(), version);
    }

    #[test]
    fn advancing_and_preparing_reach_every_child() {
        let points = PointSet::new(vec![Point::origin()]).unwrap();
        let mut compound = Compound::default().with(points).with(ball(0.0, 1.0));
        compound.advance();
        assert!(compound.child_as::<PointSet>(0).unwrap().previous().is_some());
        assert!(compound.child_as::<Sphere>(1).unwrap().previous_pose().is_some());
        compound.prepare(Needs::all());
        assert!(compound.is_prepared(Needs::all()));
    }

    #[test]
    fn no_children_have_no_bounds() {
        assert!(Compound::new(Vec::new()).bounds().is_empty());
    }
}
