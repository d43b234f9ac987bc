//! A timed workload, and the same query for another library.

use crate::Fallible;
use palpate::contact::CollisionData;
use palpate::detect::{Bound, Choice, Context, DetectError, Registry};
use palpate::geometry::{Geometry, GeometryKind};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// One row of the table before it is measured: the query, its input and size.
#[derive(Clone, Copy)]
pub struct Case {
    /// A detector's name, or the name of other timed code.
    pub name: &'static str,
    /// The input in a few words.
    pub input: &'static str,
    /// Number of items in the input.
    pub size: usize,
    /// The item: `pair`, `vertex`, `segment`, `triangle`, `tetrahedron`, `sphere`.
    pub item: &'static str,
    pub(crate) make: Make,
}

impl Case {
    /// The input, made and bound. Errors: the generators and the registry disagree.
    pub fn workload(&self) -> Fallible<Workload> {
        (self.make)(self.size)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · {}", self.name, self.input, self.size)
    }
}

/// Makes the input of a case at a size.
pub(crate) type Make = fn(usize) -> Fallible<Workload>;

/// A repeatable query; it returns a number of contacts (or of other items).
pub type Question = Box<dyn FnMut() -> Fallible<usize>>;

/// The same query for parry.
pub struct Peer {
    /// The name of parry's query.
    pub query: &'static str,
    pub(crate) ask: Question,
}

/// One input with the query for palpate and, if it has one, for parry.
pub struct Workload {
    /// Number of items processed in one pass: the divisor of the times.
    pub items: usize,
    /// The kinds of the two sides, if a detector is timed.
    pub cell: Option<[GeometryKind; 2]>,
    pub(crate) ask: Question,
    pub(crate) peer: Option<Peer>,
    /// The pairs that a pass goes through, if it is a list of such, and where their contacts are written.
    pairs: Option<Rc<RefCell<Pairs>>>,
}

/// Pairs, and the contacts of the last one that ran.
type Pairs = (Vec<BoundPair>, CollisionData);

impl Workload {
    /// A workload without a peer.
    pub(crate) fn new(items: usize, ask: impl FnMut() -> Fallible<usize> + 'static) -> Self {
        Self { items, cell: None, ask: Box::new(ask), peer: None, pairs: None }
    }

    fn in_cell(self, cell: Option<[GeometryKind; 2]>) -> Self {
        Self { cell, ..self }
    }

    /// All pairs of a list in sequence, each through its own [`Bound`]: the framework's cost is included.
    pub(crate) fn of_pairs(items: usize, pairs: Vec<BoundPair>) -> Self {
        let cell = pairs.first().map(BoundPair::cell);
        let shared = Rc::new(RefCell::new((pairs, CollisionData::new())));
        let pairs = Rc::clone(&shared);
        let pass = move || {
            let (pairs, out) = &mut *shared.borrow_mut();
            let mut contacts = 0;
            for pair in pairs {
                pair.run(out)?;
                contacts += std::hint::black_box(&*out).len();
            }
            Ok(contacts)
        };
        Self { pairs: Some(pairs), ..Self::new(items, pass).in_cell(cell) }
    }

    /// The number of pairs, if the workload is a list of such.
    pub fn pair_count(&self) -> Option<usize> {
        self.pairs.as_ref().map(|pairs| pairs.borrow().0.len())
    }

    /// Runs palpate on one of the pairs. Errors: a detector refuses.
    pub fn ask_pair(&mut self, number: usize) -> Fallible<()> {
        if let Some(pairs) = &self.pairs {
            let (pairs, out) = &mut *pairs.borrow_mut();
            pairs[number].run(out)?;
            std::hint::black_box(&*out);
        }
        Ok(())
    }

    /// This many touching pairs, from those that `make` generates. Errors: those of `make`.
    pub(crate) fn of_touching(count: usize, mut make: impl FnMut() -> Fallible<BoundPair>) -> Fallible<Self> {
        let mut out = CollisionData::new();
        let mut pairs = Vec::new();
        while pairs.len() < count {
            let mut pair = make()?;
            pair.run(&mut out)?;
            if !out.is_empty() {
                pairs.push(pair);
            }
        }
        Ok(Self::of_pairs(count, pairs))
    }

    /// All pairs of a list, counting those in contact regardless of their number of points: every pair through the
    /// same [`Bound`], so that a detector's memory of the previous pair is useless.
    pub(crate) fn of_strangers(mut bound: Bound, pairs: Vec<[Arc<dyn Geometry>; 2]>) -> Self {
        let mut out = CollisionData::new();
        let (context, items) = (Context::new(), pairs.len());
        let cell = pairs.first().map(|[a, b]| [a.kind(), b.kind()]);
        let pass = move || {
            let mut touching = 0;
            for [a, b] in &pairs {
                bound.run(&**a, &**b, &context, &mut out)?;
                touching += usize::from(!std::hint::black_box(&out).is_empty());
            }
            Ok(touching)
        };
        Self::new(items, pass).in_cell(cell)
    }

    /// The same workload with a query for parry.
    #[must_use]
    pub(crate) fn beside(self, query: &'static str, mut ask: impl FnMut() -> usize + 'static) -> Self {
        Self { peer: Some(Peer { query, ask: Box::new(move || Ok(ask())) }), ..self }
    }

    /// Runs palpate once; returns the number of contacts. Errors: a detector refuses.
    pub fn ask(&mut self) -> Fallible<usize> {
        (self.ask)()
    }

    /// The name of parry's query, if it has one.
    pub fn peer(&self) -> Option<&'static str> {
        self.peer.as_ref().map(|peer| peer.query)
    }

    /// Runs parry once; returns its number of contacts, or `None` if it has no such query.
    pub fn ask_peer(&mut self) -> Option<usize> {
        let peer = self.peer.as_mut()?;
        (peer.ask)().ok()
    }
}

/// Two geometries (or one, for self-contact) and the detector bound to them.
pub(crate) struct BoundPair {
    a: Arc<dyn Geometry>,
    b: Option<Arc<dyn Geometry>>,
    bound: Bound,
}

impl BoundPair {
    /// The detector `name`, or the default of their kinds, on two prepared geometries.
    pub(crate) fn new<'n>(
        registry: &Registry,
        name: impl Into<Option<&'n str>>,
        a: Arc<dyn Geometry>,
        b: Arc<dyn Geometry>,
    ) -> Result<Self, DetectError> {
        let bound = registry.bind(&*a, &*b, Choice::named(name))?;
        Ok(Self { a, b: Some(b), bound })
    }

    /// The detector `name` with settings, on two prepared geometries.
    pub(crate) fn with_settings(
        registry: &Registry,
        name: &str,
        settings: &Value,
        a: Arc<dyn Geometry>,
        b: Arc<dyn Geometry>,
    ) -> Result<Self, DetectError> {
        let choice = Choice { detector: Some(name), settings: Some(settings), ..Choice::default() };
        let bound = registry.bind(&*a, &*b, choice)?;
        Ok(Self { a, b: Some(b), bound })
    }

    /// The detector `name` on one prepared geometry with itself.
    pub(crate) fn itself(registry: &Registry, name: &str, a: Arc<dyn Geometry>) -> Result<Self, DetectError> {
        let bound = registry.bind_self(&*a, Choice::named(name))?;
        Ok(Self { a, b: None, bound })
    }

    fn cell(&self) -> [GeometryKind; 2] {
        [self.a.kind(), self.b.as_ref().unwrap_or(&self.a).kind()]
    }

    /// Replaces `out` by the contacts of the pair.
    pub(crate) fn run(&mut self, out: &mut CollisionData) -> Result<(), DetectError> {
        let context = Context::new();
        match &self.b {
            Some(b) => self.bound.run(&*self.a, &**b, &context, out)?,
            None => self.bound.run_self(&*self.a, &context, out)?,
        };
        Ok(())
    }
}
