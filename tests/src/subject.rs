//! What the laws are tried on: the registry's detectors, as they are or with a mutation.

use crate::{Case, Mutation};
use palpate_contact::CollisionData;
use palpate_detect::{Bound, Choice, Context, Flags, Registry};
use palpate_geometry::Geometry;

/// The registry's detectors, as they are or with a mutation of what they answer.
#[derive(Clone, Copy)]
pub struct Subject<'r> {
    registry: &'r Registry,
    mutation: Option<Mutation>,
}

impl<'r> Subject<'r> {
    /// The detectors as they are.
    pub fn new(registry: &'r Registry) -> Self {
        Self { registry, mutation: None }
    }

    /// The detectors with a mutation.
    pub fn mutant(registry: &'r Registry, mutation: Mutation) -> Self {
        Self { registry, mutation: Some(mutation) }
    }

    /// The case's detector bound to two geometries.
    pub fn bind(&self, case: &Case, a: &dyn Geometry, b: &dyn Geometry) -> Result<Bound, String> {
        let settings = case.settings.as_ref();
        let choice = Choice { settings, ..Choice::named(case.detector) };
        self.registry.bind(a, b, choice).map_err(|error| error.to_string())
    }

    /// One run.
    pub fn run(
        &self,
        bound: &mut Bound,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
    ) -> Result<CollisionData, String> {
        self.run_with_flags(bound, a, b, context).map(|(out, _)| out)
    }

    /// One run, with what the answer says of itself.
    pub fn run_with_flags(
        &self,
        bound: &mut Bound,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
    ) -> Result<(CollisionData, Flags), String> {
        let mut out = CollisionData::new();
        let status = bound.run(a, b, context, &mut out).map_err(|error| error.to_string())?;
        if let Some(mutation) = self.mutation {
            mutation.apply(&mut out);
        }
        Ok((out, status.flags))
    }

    /// Builds, binds and runs the case.
    pub fn contacts(&self, case: &Case) -> Result<CollisionData, String> {
        let (a, b) = (case.a.prepared(), case.b.prepared());
        self.contacts_of(case, a.as_ref(), b.as_ref())
    }

    /// Binds and runs two geometries as the case wants it.
    pub fn contacts_of(
        &self,
        case: &Case,
        a: &dyn Geometry,
        b: &dyn Geometry,
    ) -> Result<CollisionData, String> {
        let mut bound = self.bind(case, a, b)?;
        self.run(&mut bound, a, b, &Context::new().with_margin(case.margin))
    }
}
