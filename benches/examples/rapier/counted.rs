//! Queries that are left to parry, and a dispatcher that counts and times.

use super::narrow_phase::{Manifold, Palpate};
use super::rapier;
use rapier3d_f64::geometry::{ContactData, ContactManifoldData};
use rapier3d_f64::parry::query::{
    ClosestPoints, Contact, ContactManifoldsWorkspace, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeDistance,
    ShapeIntersection, Unsupported, details::NormalConstraints,
};
use rapier3d_f64::parry::shape::{PackedFeatureId, Shape};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What a dispatcher did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) pairs: usize,
    /// Within the prediction distance.
    pub(crate) contacts: usize,
    /// Contacts of pairs that had some before, and those of them whose ids are among these.
    pub(crate) again: usize,
    pub(crate) kept: usize,
    /// Seconds.
    pub(crate) spent: f64,
}

impl Counts {
    /// What was done since another count.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            pairs: self.pairs - before.pairs,
            contacts: self.contacts - before.contacts,
            again: self.again - before.again,
            kept: self.kept - before.kept,
            spent: self.spent - before.spent,
        }
    }
}

/// Counts and times another dispatcher.
pub(crate) struct Counted {
    /// `None` for parry's own dispatcher.
    palpate: Option<Palpate>,
    counts: Arc<Mutex<Counts>>,
}

impl Counted {
    /// The dispatcher, and what it will have done.
    pub(crate) fn new(palpate: Option<Palpate>) -> (Self, Arc<Mutex<Counts>>) {
        let counts = Arc::new(Mutex::new(Counts::default()));
        (Self { palpate, counts: counts.clone() }, counts)
    }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Counted {
    fn contact_manifolds(
        &self,
        pos12: &rapier::Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: f64,
        manifolds: &mut Vec<Manifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let ids = |manifolds: &[Manifold]| -> Vec<[PackedFeatureId; 2]> {
            let points = manifolds.iter().flat_map(|one| &one.points);
            points.filter(|point| point.dist <= prediction).map(|point| [point.fid1, point.fid2]).collect()
        };
        let before = ids(manifolds);
        let started = Instant::now();
        let result = match &self.palpate {
            Some(palpate) => palpate.contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace),
            None => DefaultQueryDispatcher.contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace),
        };
        let spent = started.elapsed().as_secs_f64();
        let after = ids(manifolds);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.spent += spent;
        counts.pairs += 1;
        counts.contacts += after.len();
        if !before.is_empty() {
            counts.again += after.len();
            counts.kept += after.iter().filter(|id| before.contains(id)).count();
        }
        result
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
    ) -> Result<(), Unsupported> {
        DefaultQueryDispatcher
            .contact_manifold_convex_convex(pos12, g1, g2, normals1, normals2, prediction, manifold)
    }
}

/// A query as parry has it.
macro_rules! of_parry {
    ($name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        fn $name(&self, $($argument: $type),*) -> Result<$result, Unsupported> {
            DefaultQueryDispatcher.$name($($argument),*)
        }
    };
}

/// Leaves all queries but manifolds to parry, as those of CCD.
macro_rules! leave_to_parry {
    ($($kind:ty),*) => {
        $(impl QueryDispatcher for $kind {
            of_parry!(intersection_test(p: &rapier::Pose, a: &dyn Shape, b: &dyn Shape) -> ShapeIntersection);
            of_parry!(distance(p: &rapier::Pose, a: &dyn Shape, b: &dyn Shape) -> ShapeDistance);
            of_parry!(contact(p: &rapier::Pose, a: &dyn Shape, b: &dyn Shape, margin: f64) -> Option<Contact>);
            of_parry!(closest_points(p: &rapier::Pose, a: &dyn Shape, b: &dyn Shape, most: f64) -> ClosestPoints);
            of_parry!(cast_shapes(p: &rapier::Pose, v: rapier::Vector, a: &dyn Shape, b: &dyn Shape,
                options: ShapeCastOptions) -> Option<ShapeCastHit>);
            of_parry!(cast_shapes_nonlinear(p: &NonlinearRigidMotion, a: &dyn Shape, q: &NonlinearRigidMotion,
                b: &dyn Shape, start: f64, end: f64, stop: bool) -> Option<ShapeCastHit>);
        })*
    };
}

leave_to_parry!(Palpate, Counted);
