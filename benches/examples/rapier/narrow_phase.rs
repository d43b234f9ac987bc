//! palpate as the narrow phase of rapier's pipeline: its broad phase, islands, solver, joints and CCD stay as they are.
//!
//! rapier asks a dispatcher for the manifolds of two shapes, in the frames of both. [`Palpate`] has a geometry for every shape, and a
//! bound detector for every pair; a shape of several parts has one for every pair of parts. Shapes that it has no geometry for go to parry.

use super::Result;
use super::contacts::pose;
use super::shapes::{Bodies, Body, Part, Spread, half_turn};
use palpate::detect::pairs::ConvexConvex;
use palpate::prelude::*;
use rapier3d_f64::geometry::{ContactData, ContactManifoldData};
use rapier3d_f64::parry::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    TrackedContact, TypedWorkspaceData, Unsupported, WorkspaceData, details::NormalConstraints,
};
use rapier3d_f64::parry::shape::{PackedFeatureId, Shape};
use rapier3d_f64::prelude as rapier;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, PoisonError};

pub(crate) type Manifold = ContactManifold<ContactManifoldData, ContactData>;
type Tracked = TrackedContact<ContactData>;

/// Contacts of a pair of parts whose directions differ by less, as a cosine, are one manifold: about a degree.
const ONE_DIRECTION: f64 = 0.9998;

/// Contacts of two convex bodies are searched within so many times rapier's prediction distance. Bodies that have none are not searched again before they may
/// have come within that distance itself.
const WATCHED: f64 = 1.1;

/// The first part of a manifold of two bodies that are apart.
const APART: u32 = u32::MAX;

/// How far a contact may move from step to step if its id changes, metres.
const NEAR: f64 = 0.02;

/// Contact manifolds by palpate's detectors.
pub(crate) struct Palpate {
    bodies: Bodies,
    registry: Registry,
    settings: Value,
    update: Update,
    kept: Mutex<Kept>,
}

/// When the contacts of two convex bodies are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// Whenever rapier asks; overlapping hulls starting from what the last search has found.
    Always,
    /// Unless the points can be moved along with the bodies, by the rule of parry's manifolds: they have turned by less than a degree and
    /// no point is off by a millimetre.
    Moved,
}

/// What is kept from step to step.
struct Kept {
    /// Of every part a copy, to be moved into the frame of another.
    copies: Vec<Option<Box<dyn Geometry>>>,
    /// For every two kinds a detector that remembers nothing of a pair.
    shared: Vec<Option<Bound>>,
    /// The detectors of pairs of polyhedra that had contacts in the last step, by the numbers of their parts.
    own: HashMap<[usize; 2], Bound, BuildHasherDefault<Spread>>,
    found: CollisionData,
    before: Vec<Tracked>,
}

impl Palpate {
    /// Knows the shapes of all colliders that there are.
    pub(crate) fn new(colliders: &rapier::ColliderSet, update: Update) -> Result<Self> {
        let bodies = Bodies::of(colliders)?;
        let kept = Kept {
            copies: bodies.copies(),
            shared: (0..bodies.kinds() * bodies.kinds()).map(|_| None).collect(),
            own: HashMap::default(),
            found: CollisionData::new(),
            before: Vec::new(),
        };
        Ok(Self {
            bodies,
            registry: Registry::standard(),
            settings: json!({"sides": "one", "internal_edges": "ignore"}),
            update,
            kept: Mutex::new(kept),
        })
    }

    /// Both bodies, if palpate has detectors for them.
    fn served(&self, first: &dyn Shape, second: &dyn Shape) -> Option<[&Body; 2]> {
        let [first, second] = [self.bodies.get(first)?, self.bodies.get(second)?];
        (!(first.is_ground && second.is_ground)).then_some([first, second])
    }

    /// Replaces the manifolds of two bodies. Errors: palpate refuses the pair.
    fn update(
        &self,
        frames: &Frames,
        [still, moved]: [&Body; 2],
        prediction: f64,
        manifolds: &mut Vec<Manifold>,
    ) -> std::result::Result<(), DetectError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_composite = still.is_composite() || moved.is_composite();
        let before = std::mem::take(&mut kept.before);
        let is_watched = !(is_composite || still.is_ground);
        let margin = if is_watched { WATCHED * prediction } else { prediction };
        let repeats = still.parts[0].repeats_with(&moved.parts[0]);
        let mut written = Written { manifolds, count: 0, before, is_composite, repeats };
        for (j, part) in moved.parts.iter().enumerate() {
            let mut is_placed = false;
            for (i, fixed) in still.parts.iter().enumerate() {
                if !fixed.may_be_near(part, &frames.motion, margin, is_composite) {
                    continue;
                }
                if !is_placed {
                    kept.place(part, &frames.motion);
                    is_placed = true;
                }
                self.detect(&mut kept, [fixed, part], margin)?;
                written.add(&kept.found.contacts, [i as u32, j as u32], frames);
            }
        }
        kept.before = written.finish(&frames.motion);
        Ok(())
    }

    /// Finds the contacts of two parts, the second of which has been [placed](Kept::place).
    fn detect(
        &self,
        kept: &mut Kept,
        [fixed, part]: [&Part; 2],
        margin: f64,
    ) -> std::result::Result<(), DetectError> {
        let Kept { copies, shared, own, found, .. } = kept;
        found.clear();
        let Some(copy) = &copies[part.number] else { return Ok(()) };
        let (a, b) = (&*fixed.geometry, &**copy);
        let context = Context::new().with_margin(margin);
        // What is moved along is searched again only when it has changed.
        let is_coherent = self.update == Update::Always && fixed.is_coherent_with(part);
        let pair = [fixed.number, part.number];
        if is_coherent && let Some(bound) = own.get_mut(&pair) {
            bound.run(a, b, &context, found)?;
            if found.is_empty() {
                own.remove(&pair);
            }
            return Ok(());
        }
        let bound = &mut shared[fixed.kind * self.bodies.kinds() + part.kind];
        let bound = match bound {
            Some(bound) => bound,
            None => {
                let choice = Choice::default().with_settings(&self.settings);
                bound.insert(self.registry.bind(a, b, Choice { ignore_unknown_settings: true, ..choice })?)
            }
        };
        bound.run(a, b, &context, found)?;
        if is_coherent && !found.is_empty() {
            let settings = ConvexSettings { coherent: true, ..ConvexSettings::default() };
            own.insert(pair, Bound::of_own(Box::new(ConvexConvex::new(settings)), false));
        }
        Ok(())
    }
}

impl Kept {
    /// Moves a part of a body that has a pose.
    fn place(&mut self, part: &Part, motion: &rapier::Pose) {
        if let Some(copy) = &mut self.copies[part.number] {
            // The poses are finite as rapier's are.
            let _ = copy.set_pose(pose(&(*motion * part.placed)));
        }
    }
}

/// The two frames of a pair.
struct Frames {
    /// Of the moved body in the frame of the still one.
    motion: rapier::Pose,
    /// Whether the still body is rapier's second.
    exchanged: bool,
}

/// Manifolds that are being written.
struct Written<'a> {
    manifolds: &'a mut Vec<Manifold>,
    count: usize,
    /// The points of the last step.
    before: Vec<Tracked>,
    is_composite: bool,
    /// Whether the deepest point comes twice, as parry's does for these shapes: rapier's contacts give way, two by half as much.
    repeats: bool,
}

impl Written<'_> {
    /// Adds the contacts of two parts.
    fn add(&mut self, contacts: &[Contact], parts: [u32; 2], frames: &Frames) {
        let start = self.count;
        for contact in contacts {
            let direction = rapier::Vector::from_array(contact.direction);
            let [own, other] = [&contact.a, &contact.b].map(|side| rapier::Vector::from_array(side.point));
            let mut normals = [-direction, frames.motion.rotation.inverse() * direction];
            let mut points = [own, frames.motion.inverse_transform_point(other)];
            let mut shapes = parts;
            if frames.exchanged {
                normals.reverse();
                points.reverse();
                shapes.reverse();
            }
            // Two convex bodies have one manifold.
            let is_same = |one: &Manifold| !self.is_composite || one.local_n1.dot(normals[0]) > ONE_DIRECTION;
            let known = self.manifolds[start..self.count].iter().position(is_same);
            let manifold = match known {
                Some(known) => &mut self.manifolds[start + known],
                None => self.next(normals, shapes),
            };
            let ids = [contact.id >> 32, contact.id].map(|id| PackedFeatureId(id as u32));
            manifold.points.push(Tracked::new(points[0], points[1], ids[0], ids[1], -contact.depth));
        }
    }

    /// Another manifold, empty.
    fn next(&mut self, [n1, n2]: [rapier::Vector; 2], shapes: [u32; 2]) -> &mut Manifold {
        if self.count == self.manifolds.len() {
            self.manifolds.push(Manifold::new());
        }
        let manifold = &mut self.manifolds[self.count];
        if self.count == 0 {
            self.before.clear();
            self.before.append(&mut manifold.points);
        }
        manifold.points.clear();
        (manifold.local_n1, manifold.local_n2) = (n1, n2);
        [manifold.subshape1, manifold.subshape2] = shapes;
        self.count += 1;
        manifold
    }

    /// Ends the manifolds that are left over, and gives the points of a single one the impulses of the last step: rapier does that itself
    /// where a pair has several. The manifold of two bodies that are apart says in place of normals where they were.
    fn finish(self, motion: &rapier::Pose) -> Vec<Tracked> {
        for manifold in &mut self.manifolds[self.count..] {
            manifold.points.clear();
        }
        if self.is_composite {
            // One more is empty, so that rapier always sees several.
            self.manifolds.resize_with(self.count + 1, Manifold::new);
        } else if self.count > 0 {
            let points = &mut self.manifolds[0].points;
            if self.repeats && points.len() < 4 {
                // The first is the deepest.
                let again = PackedFeatureId(u32::MAX);
                points.push(Tracked { fid1: again, fid2: again, ..points[0] });
            }
            points.iter_mut().for_each(|point| resume(point, &self.before));
        }
        if !self.is_composite && self.count == 0 {
            if self.manifolds.is_empty() {
                self.manifolds.push(Manifold::new());
            }
            let one = &mut self.manifolds[0];
            one.subshape1 = APART;
            (one.local_n1, one.local_n2) = (motion.translation, half_turn(&motion.rotation));
        }
        self.before
    }
}

/// Whether two convex bodies were so far apart that they cannot have come within rapier's prediction distance.
fn are_apart(one: &Manifold, moved: &Body, motion: &rapier::Pose, prediction: f64) -> bool {
    let way = || moved.parts[0].way(one.local_n1, one.local_n2, motion);
    one.subshape1 == APART && way() < (WATCHED - 1.0) * prediction
}

/// Gives a contact the impulses that it had in the last step: by its id, or else by its place, as ids change where the corners of two
/// faces slip over each other's sides.
fn resume(point: &mut Tracked, before: &[Tracked]) {
    let has_id = |old: &&Tracked| old.fid1 == point.fid1 && old.fid2 == point.fid2;
    let apart = |old: &Tracked| {
        (old.local_p1 - point.local_p1).length_squared().min((old.local_p2 - point.local_p2).length_squared())
    };
    let nearest = || before.iter().min_by(|p, q| apart(p).total_cmp(&apart(q)));
    let near = || nearest().filter(|old| apart(old) < NEAR * NEAR);
    if let Some(old) = before.iter().find(has_id).or_else(near) {
        point.data = old.data;
    }
}

/// Tells rapier that a pair has several manifolds, whose number varies.
#[derive(Clone)]
struct Several;

impl WorkspaceData for Several {
    fn as_typed_workspace_data(&self) -> TypedWorkspaceData<'_> {
        TypedWorkspaceData::Custom
    }

    fn clone_dyn(&self) -> Box<dyn WorkspaceData> {
        Box::new(self.clone())
    }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Palpate {
    fn contact_manifolds(
        &self,
        pos12: &rapier::Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: f64,
        manifolds: &mut Vec<Manifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> std::result::Result<(), Unsupported> {
        let parry = DefaultQueryDispatcher;
        let Some([first, second]) = self.served(g1, g2) else {
            return parry.contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace);
        };
        if first.is_composite() || second.is_composite() {
            workspace.get_or_insert_with(|| Several.into());
        } else if let Some(one) = manifolds.first_mut() {
            let is_moved = self.update == Update::Moved && first.is_cornered() && second.is_cornered();
            if is_moved && one.try_update_contacts(pos12) {
                return Ok(());
            }
        }
        let exchanged = second.is_ground;
        let motion = if exchanged { pos12.inverse() } else { *pos12 };
        let bodies = if exchanged { [second, first] } else { [first, second] };
        let [still, moved] = bodies;
        if !still.is_ground && manifolds.first().is_some_and(|one| are_apart(one, moved, &motion, prediction))
        {
            return Ok(());
        }
        self.update(&Frames { motion, exchanged }, [still, moved], prediction, manifolds)
            .map_err(|_| Unsupported)
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &rapier::Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        normals1: Option<&dyn NormalConstraints>,
        normals2: Option<&dyn NormalConstraints>,
        prediction: f64,
        manifold: &mut Manifold,
    ) -> std::result::Result<(), Unsupported> {
        let is_simple = |bodies: &[&Body; 2]| bodies.iter().all(|body| !body.is_composite());
        let (None, None, Some(bodies)) = (normals1, normals2, self.served(g1, g2).filter(is_simple)) else {
            let parry = DefaultQueryDispatcher;
            return parry
                .contact_manifold_convex_convex(pos12, g1, g2, normals1, normals2, prediction, manifold);
        };
        let exchanged = bodies[1].is_ground;
        let mut one = vec![manifold.take()];
        let motion = if exchanged { pos12.inverse() } else { *pos12 };
        let bodies = if exchanged { [bodies[1], bodies[0]] } else { bodies };
        let found = self.update(&Frames { motion, exchanged }, bodies, prediction, &mut one);
        *manifold = one.swap_remove(0);
        found.map_err(|_| Unsupported)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::demo_scenes::{pyramid_of, world_with_floor};
    use super::super::scenes::{Run, SECOND};
    use super::*;
    use rapier::{ColliderBuilder, SharedShape};

    /// Twenty-four corners of a cube of side two, cut off a little.
    fn cut_cube() -> SharedShape {
        let mut corners = Vec::new();
        for axis in 0..3 {
            for signs in 0..8_u32 {
                let mut corner = [0, 1, 2].map(|k| if signs >> k & 1 == 0 { -1.0 } else { 1.0 });
                corner[axis] *= 0.9;
                corners.push(rapier::Vector::from_array(corner));
            }
        }
        SharedShape::convex_hull(&corners).unwrap()
    }

    #[test]
    fn pyramids_rest_as_well_as_on_the_narrow_phase_of_rapier() {
        for shape in [SharedShape::cuboid(1.0, 1.0, 1.0), cut_cube()] {
            for update in [Update::Always, Update::Moved] {
                let mut worlds = [0; 2].map(|_| {
                    let mut world = world_with_floor(20.0);
                    // Each has its own shape.
                    let shape = || SharedShape(shape.clone_dyn().into());
                    pyramid_of(&mut world, 3, || ColliderBuilder::new(shape()));
                    world
                });
                let palpate = Palpate::new(&worlds[1].colliders, update).unwrap();
                assert!(worlds[1].colliders.iter().all(|(_, one)| palpate.bodies.get(one.shape()).is_some()));
                worlds[1].narrow_phase = rapier::NarrowPhase::with_query_dispatcher(palpate);
                let [own, other] = worlds.map(|world| {
                    let mut run = Run::new(world);
                    (0..3 * SECOND).for_each(|step| run.advance(step, 3 * SECOND));
                    run
                });
                assert!(own.depths.mean > 1e-5 && other.depths.mean > 1e-5, "{:?}", other.depths);
                assert!(other.deepest <= 1.1 * own.deepest, "{} {}", other.deepest, own.deepest);
                assert!(other.depths.mean <= 1.1 * own.depths.mean, "{:?} {:?}", other.depths, own.depths);
                assert!(other.jitter.rms() <= own.jitter.rms() + 1e-5, "{:?}", other.jitter);
                assert!(other.jitter.displacement <= own.jitter.displacement + 1e-5, "{:?}", other.jitter);
            }
        }
    }

    #[test]
    fn contacts_have_the_frames_of_both_bodies() {
        let block = SharedShape::cuboid(1.0, 0.5, 2.0);
        let floor = SharedShape::trimesh(
            [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]].map(rapier::Vector::from_array).to_vec(),
            vec![[0, 2, 1]],
        );
        let mut colliders = rapier::ColliderSet::new();
        let floor = floor.unwrap();
        for shape in [&block, &floor] {
            colliders.insert(ColliderBuilder::new(shape.clone()));
        }
        let palpate = Palpate::new(&colliders, Update::Always).unwrap();
        let above = rapier::Pose::new(rapier::Vector::new(0.5, 0.49, 0.25), rapier::Vector::Y * 0.3);
        for (pos12, [first, second]) in [(above, [&floor, &block]), (above.inverse(), [&block, &floor])] {
            let (mut manifolds, mut workspace) = (Vec::new(), None);
            palpate
                .contact_manifolds(&pos12, &**first, &**second, 0.02, &mut manifolds, &mut workspace)
                .unwrap();
            let points: Vec<_> = manifolds.iter().flat_map(|one| &one.points).collect();
            assert_eq!(points.len(), 4);
            for point in points {
                assert!((point.dist + 0.01).abs() < 1e-12, "{}", point.dist);
                let normal = manifolds[0].local_n1;
                let between = pos12 * point.local_p2 - point.local_p1;
                assert!((between - normal * point.dist).length() < 1e-12);
                let turned = pos12.rotation * manifolds[0].local_n2;
                assert!((turned + normal).length() < 1e-12);
            }
        }
    }
}
