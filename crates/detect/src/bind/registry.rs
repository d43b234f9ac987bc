//! Registry of detectors by name and by pair of kinds. A value: there is no global state.

use super::alias::Alias;
use super::bound::BoundSettings;
use super::content_order::{order_by_content, order_by_motion};
use super::detection::{Detection, THEN};
use super::fallback::Fallback;
use crate::nearest_name::{did_you_mean, nearest_name};
use crate::{
    About, Accepts, Bound, CollisionDetectionAlgorithm, DetectError, Flags, Order, PairDetector, Port,
};
use palpate_geometry::{Geometry, GeometryKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Which detector a caller wants; the default is the registry's own choice with default settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'a> {
    /// A detector's name or an alias; `None` for the default of the two kinds.
    pub detector: Option<&'a str>,
    /// The detector's settings as a JSON object; those that are left out have the alias's value, or else the default.
    pub settings: Option<&'a Value>,
    /// In which order the inputs reach the detector where both would do; with a compound, then the same for every pair of
    /// its children: what [`Bound::orders`] told of another. Empty (the default): by content.
    pub orders: &'a [Order],
    /// Whether settings that the detector does not have are ignored, for settings that are meant for pairs of several
    /// kinds. Another registered detector must have them. The children of a compound are always bound so, unless the
    /// detector is named.
    pub ignore_unknown_settings: bool,
    /// Which detectors are chosen where none is named. A named one is followed by the static default if this is
    /// [`Detection::ContinuousThenStatic`] and it is a continuous one.
    pub detection: Detection,
}

impl<'a> Choice<'a> {
    /// The detector of this name, or the default of the two kinds.
    pub fn named(detector: impl Into<Option<&'a str>>) -> Self {
        Self { detector: detector.into(), ..Self::default() }
    }

    /// The same with settings.
    #[must_use]
    pub fn with_settings(self, settings: &'a Value) -> Self {
        Self { settings: Some(settings), ..self }
    }

    /// The same with the orders of another bound pair.
    #[must_use]
    pub fn with_orders(self, orders: &'a [Order]) -> Self {
        Self { orders, ..self }
    }
}

/// Makes a detector from settings, for inputs in the given order.
type Make = fn(Option<&Value>, Order) -> Result<Box<dyn CollisionDetectionAlgorithm>, DetectError>;

/// A registered detector: a row of the table of detectors.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What its first side takes.
    pub a: Accepts,
    /// What its second side takes.
    pub b: Accepts,
    /// Whether it is a default for its two kinds: of all geometries, or [of some](Self::default_for_some).
    pub default: bool,
    /// Whether it is the default only for suitable geometries: two closed surfaces, for example.
    pub default_for_some: bool,
    /// Whether it finds contacts of a geometry with itself.
    pub self_contact: bool,
    /// Whether it finds first contacts of a motion, not contacts of the current state.
    pub continuous: bool,
    /// Its description.
    pub about: About,
    suits: Suits,
    make: Make,
    complete: fn(Option<&Value>) -> Value,
    settings_path: &'static str,
}

impl Entry {
    pub(super) fn settings_path(&self) -> &'static str {
        self.settings_path
    }

    /// The default settings of the detector, as a JSON object.
    pub fn default_settings(&self) -> Value {
        (self.complete)(None)
    }

    /// Whether the detector can be made with these settings.
    #[cfg(test)]
    pub(super) fn accepts_settings(&self, settings: &Value, order: Order) -> bool {
        (self.make)(Some(settings), order).is_ok()
    }

    /// The caller's settings merged with an alias's: of a setting that both give the caller's value holds.
    fn merged_settings(&self, alias: Option<&Value>, caller: Option<&Value>) -> BoundSettings {
        let given = match (alias, caller) {
            (Some(Value::Object(alias)), Some(Value::Object(caller))) => {
                let mut merged = alias.clone();
                merged.extend(caller.iter().map(|(name, value)| (name.clone(), value.clone())));
                Some(Value::Object(merged))
            }
            (alias, caller) => caller.or(alias).cloned(),
        };
        BoundSettings { given, complete: self.complete }
    }
}

/// Whether a detector is suitable as the default for two geometries, in its own order.
type Suits = fn(&dyn Geometry, &dyn Geometry) -> bool;

/// Detectors by name, defaults by unordered pair of kinds, then fallbacks by capability.
///
/// The default of two kinds is, in this order: the first registered detector whose sides name exactly these kinds (and
/// that does not leave these two geometries to the next: two surfaces that are not both closed, say); then
/// the first registered one that takes them by capability in just one order of roles, those that would look at nothing
/// but the vertices of a mesh coming last. What is left is refused.
///
/// A compound is bound child by child: each has what this registry binds for it. A detector by name is for the children
/// that it fits, and the others have their default; settings without a name are for all children.
#[derive(Clone, Default)]
pub struct Registry {
    entries: Vec<Entry>,
    aliases: Vec<Alias>,
    aliases_of_children: Vec<String>,
    refusals: Vec<Refusal>,
}

/// Two kinds without contacts, and the reason.
#[derive(Clone, Debug)]
struct Refusal {
    a: GeometryKind,
    b: GeometryKind,
    reason: &'static str,
}

impl Registry {
    /// No detectors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a detector; it becomes the default of its two kinds when they have none yet. Errors: a name that is taken.
    pub fn register<D: PairDetector>(&mut self) -> Result<(), DetectError> {
        self.add(Entry {
            name: D::NAME,
            a: D::A::ACCEPTS,
            b: D::B::ACCEPTS,
            default: true,
            default_for_some: D::DEFAULT_FOR_SOME,
            self_contact: D::SELF_CONTACT,
            continuous: D::CONTINUOUS,
            about: D::ABOUT,
            suits: suits::<D>,
            make: make::<D>,
            complete: complete::<D::Settings>,
            settings_path: std::any::type_name::<D::Settings>(),
        })
    }

    fn add(&mut self, entry: Entry) -> Result<(), DetectError> {
        if self.entry(entry.name).is_some() {
            return Err(DetectError::Duplicate { name: entry.name.to_owned() });
        }
        let mut alike = self.entries.iter().filter(|other| other.continuous == entry.continuous);
        let default = !alike.any(|other| !other.default_for_some && same_pair(other, &entry.a, &entry.b));
        self.entries.push(Entry { default, ..entry });
        Ok(())
    }

    /// Adds another name for a detector and its settings (a JSON object). One alias may stand for several detectors:
    /// the first that takes the two kinds is meant. Errors: a detector that is not registered,
    /// settings that are not the detector's own.
    pub fn alias(&mut self, alias: &str, detector: &str, settings: Value) -> Result<(), DetectError> {
        let alias = self.checked_alias(alias, detector, settings)?;
        self.aliases.push(alias);
        Ok(())
    }

    /// As [`alias`](Self::alias), with a meaning that comes before those the alias has.
    pub fn alias_first(&mut self, alias: &str, detector: &str, settings: Value) -> Result<(), DetectError> {
        let alias = self.checked_alias(alias, detector, settings)?;
        self.aliases.insert(0, alias);
        Ok(())
    }

    /// Adds a name that stands, in a pair with a compound, for the aliases of its children's detectors: each child is bound
    /// by the first alias of its default detector; where that has none, by the first that takes the two kinds, and else
    /// by default.
    pub fn alias_children(&mut self, alias: &str) {
        self.aliases_of_children.push(alias.to_owned());
    }

    /// Says why two kinds have no detector. One that is registered comes before the refusal.
    pub fn refuse(&mut self, a: GeometryKind, b: GeometryKind, reason: &'static str) {
        self.refusals.push(Refusal { a, b, reason });
    }

    /// Returns the stated reason why two kinds, in either order, have no detector.
    pub(crate) fn refusal(&self, a: &GeometryKind, b: &GeometryKind) -> Option<&'static str> {
        let is_this =
            |refusal: &&Refusal| (refusal.a == *a && refusal.b == *b) || (refusal.a == *b && refusal.b == *a);
        self.refusals.iter().find(is_this).map(|refusal| refusal.reason)
    }

    fn checked_alias(&self, alias: &str, detector: &str, settings: Value) -> Result<Alias, DetectError> {
        let nothing = || DetectError::AliasOfNothing { alias: alias.to_owned(), name: detector.to_owned() };
        let entry = self.entry(detector).ok_or_else(nothing)?;
        (entry.make)(Some(&settings), Order::AsGiven)?;
        Ok(Alias { name: alias.to_owned(), detector: detector.to_owned(), settings })
    }

    /// The detectors, in the order in which they were registered.
    pub fn detectors(&self) -> &[Entry] {
        &self.entries
    }

    /// The aliases of a detector.
    pub fn aliases_of<'a>(&'a self, detector: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.aliases.iter().filter(move |alias| alias.detector == detector).map(|alias| alias.name.as_str())
    }

    /// The detector of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// A detector for `a` and `b`, each taken as a whole.
    pub(super) fn bind_whole(
        &self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        choice: Choice<'_>,
    ) -> Result<Bound, DetectError> {
        match self.two_choices(choice) {
            Some([first, then]) => {
                let bound = [self.bind_one(a, b, first)?, self.bind_one(a, b, then)?];
                Ok(Bound::of_several(Fallback::new(bound)))
            }
            None => self.bind_one(a, b, choice),
        }
    }

    /// The choices of a continuous detector and of the static one that follows it, if both are chosen.
    fn two_choices<'a>(&self, choice: Choice<'a>) -> Option<[Choice<'a>; 2]> {
        let one = |detector, detection, orders| Choice {
            detector,
            detection,
            orders,
            // What one of the two does not have is the other's.
            ignore_unknown_settings: true,
            ..choice
        };
        let (orders, then_orders) = choice.orders.split_at(choice.orders.len().min(1));
        let (first, then) = match choice.detector {
            Some(name) if name.contains(THEN) => {
                name.split_once(THEN).map(|(first, then)| (Some(first), Some(then)))?
            }
            _ if choice.detection != Detection::ContinuousThenStatic => return None,
            Some(name) if self.is_continuous(name) => (Some(name), None),
            name => (None, name),
        };
        Some([one(first, Detection::Continuous, orders), one(then, Detection::Static, then_orders)])
    }

    /// Whether the name or alias is that of a continuous detector.
    fn is_continuous(&self, name: &str) -> bool {
        let alias = || self.aliases.iter().find(|alias| alias.name == name);
        let entry = self.entry(name).or_else(|| self.entry(&alias()?.detector));
        entry.is_some_and(|entry| entry.continuous)
    }

    fn bind_one(&self, a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        let (entry, order, alias_settings) = match choice.detector {
            Some(name) => self.by_name(name, a, b)?,
            None => self.by_kinds(a, b, choice.detection)?,
        };
        let either = entry.a == entry.b && takes(entry, a, b) && takes(entry, b, a);
        let order = choice.orders.first().copied().filter(|_| either).unwrap_or(order);
        let flags = vertices_only(entry, order, a, b);
        let known = self.known_settings(entry, choice)?;
        let settings = entry.merged_settings(alias_settings, known.as_deref());
        let algorithm = (entry.make)(settings.given.as_ref(), order)?;
        Ok(Bound::new(algorithm, order, flags, settings))
    }

    /// A detector for the contacts of `a`, taken as a whole, with itself.
    pub(super) fn bind_self_whole(&self, a: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        match self.two_choices(choice) {
            Some([first, then]) => Ok(Bound::of_several(Fallback::new([
                self.bind_self_one(a, first)?,
                self.bind_self_one(a, then)?,
            ]))),
            None => self.bind_self_one(a, choice),
        }
    }

    fn bind_self_one(&self, a: &dyn Geometry, choice: Choice<'_>) -> Result<Bound, DetectError> {
        let continuous = choice.detection != Detection::Static;
        let (entry, alias_settings) = match choice.detector {
            Some(name) => {
                let (entry, _, settings) = self.by_name(name, a, a)?;
                (entry.self_contact.then_some(entry), settings)
            }
            None => {
                let takes =
                    |entry: &&Entry| entry.self_contact && entry.continuous == continuous && entry.a.takes(a);
                (self.entries.iter().find(takes), None)
            }
        };
        let entry = entry.ok_or_else(|| self.no_self_detector(a.kind(), continuous))?;
        let known = self.known_settings(entry, choice)?;
        let settings = entry.merged_settings(alias_settings, known.as_deref());
        let algorithm = (entry.make)(settings.given.as_ref(), Order::AsGiven)?;
        Ok(Bound::of_one(algorithm, settings))
    }

    /// The settings of a choice, or those of them that the detector has, if the others are to be ignored. Errors: one to be
    /// ignored that no registered detector has.
    fn known_settings<'a>(
        &self,
        entry: &Entry,
        choice: Choice<'a>,
    ) -> Result<Option<Cow<'a, Value>>, DetectError> {
        let Some(Value::Object(given)) = choice.settings.filter(|_| choice.ignore_unknown_settings) else {
            return Ok(choice.settings.map(Cow::Borrowed));
        };
        let has = |entry: &Entry, name: &str| entry.default_settings().get(name).is_some();
        let (known, others): (Map<_, _>, Map<_, _>) =
            given.clone().into_iter().partition(|(name, _)| has(entry, name));
        let unknown = others.keys().find(|name| !self.entries.iter().any(|entry| has(entry, name)));
        match unknown {
            Some(unknown) => Err(DetectError::Settings {
                name: entry.name.to_owned(),
                reason: format!("found `{unknown}`: wanted a setting of this or another detector"),
            }),
            None => Ok(Some(Cow::Owned(Value::Object(known)))),
        }
    }

    /// Whether a detector or an alias has this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        let is_known =
            |name| self.entry(name).is_some() || self.aliases.iter().any(|alias| alias.name == name);
        name.split(THEN).all(is_known)
    }

    /// Whether the detector of this name or alias takes the two.
    pub(crate) fn fits(&self, name: &str, a: &dyn Geometry, b: &dyn Geometry) -> bool {
        name.split(THEN).all(|name| self.by_name(name, a, b).is_ok())
    }

    /// Returns the error of a named detector that does not fit a pair.
    pub(crate) fn misfit(&self, name: &str, a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
        let refused = name.split(THEN).find_map(|name| self.by_name(name, a, b).err());
        refused.unwrap_or_else(|| self.unknown(name, a, b))
    }

    pub(crate) fn is_alias_of_children(&self, name: &str) -> bool {
        self.aliases_of_children.iter().any(|alias| alias == name)
    }

    /// The alias by which [`alias_children`](Self::alias_children) binds two children, if there is one.
    pub(crate) fn alias_for(&self, a: &dyn Geometry, b: &dyn Geometry) -> Option<&str> {
        let (default, ..) = self.by_kinds(a, b, Detection::Static).ok()?;
        let takes =
            |alias: &&Alias| self.entry(&alias.detector).is_some_and(|entry| order_of(entry, a, b).is_some());
        let of_default = self.aliases.iter().find(|alias| alias.detector == default.name);
        of_default.or_else(|| self.aliases.iter().find(takes)).map(|alias| alias.name.as_str())
    }

    fn by_name(
        &self,
        name: &str,
        a: &dyn Geometry,
        b: &dyn Geometry,
    ) -> Result<(&Entry, Order, Option<&Value>), DetectError> {
        if let Some(entry) = self.entry(name) {
            let order = order_of(entry, a, b).ok_or_else(|| self.does_not_fit(name, entry, a, b))?;
            return Ok((entry, order, None));
        }
        let mut last = None;
        for alias in self.aliases.iter().filter(|alias| alias.name == name) {
            let Some(entry) = self.entry(&alias.detector) else { continue };
            if let Some(order) = order_of(entry, a, b) {
                return Ok((entry, order, Some(&alias.settings)));
            }
            last = Some(entry);
        }
        Err(match last {
            Some(entry) => self.does_not_fit(name, entry, a, b),
            None if self.is_alias_of_children(name) => {
                let [wanted_a, wanted_b] = ["a compound", "any geometry"].map(Box::from);
                DetectError::DoesNotFit {
                    name: name.to_owned(),
                    a: a.kind(),
                    b: b.kind(),
                    wanted_a,
                    wanted_b,
                    fitting: self.fitting(a, b).join(", ").into(),
                }
            }
            None => self.unknown(name, a, b),
        })
    }

    fn by_kinds(
        &self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        detection: Detection,
    ) -> Result<(&Entry, Order, Option<&Value>), DetectError> {
        let continuous = detection != Detection::Static;
        let is_default = |entry: &&Entry| entry.default && entry.continuous == continuous;
        let defaults = self.entries.iter().filter(is_default).filter(|entry| serves(entry, a, b));
        let exact = defaults.clone().filter(|entry| is_exact(entry, &a.kind(), &b.kind()));
        let are_clear = |entry: &&Entry| roles_are_clear(entry, takes(entry, a, b), takes(entry, b, a));
        let by_capability = defaults.filter(are_clear);
        let vertices = |entry: &&Entry| {
            let partial = |order| !vertices_only(entry, order, a, b).is_empty();
            order_of(entry, a, b).is_some_and(partial)
        };
        let whole = by_capability.clone().filter(|entry| !vertices(entry));
        exact
            .chain(whole)
            .chain(by_capability.filter(vertices))
            .find_map(|entry| order_of(entry, a, b).map(|order| (entry, order, None)))
            .ok_or_else(|| if continuous { self.nobody_continuous(a, b) } else { self.nobody(a, b) })
    }

    /// Returns why two kinds have no default: a stated refusal, a detector that requires more than the kind, or none
    /// at all.
    fn nobody(&self, a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
        let (first, second) = (a.kind(), b.kind());
        let is_default = |entry: &&Entry| entry.default && !entry.continuous;
        let named = self.entries.iter().filter(is_default).find(|entry| is_exact(entry, &first, &second));
        match (self.refusal(&first, &second), named) {
            (Some(reason), _) => DetectError::Refused { a: first, b: second, reason },
            (None, Some(entry)) => self.does_not_fit(entry.name, entry, a, b),
            (None, None) => DetectError::NoDetector { a: first, b: second },
        }
    }

    /// Returns the error of two kinds without continuous detection.
    fn nobody_continuous(&self, a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
        let names = self.entries.iter().filter(|entry| entry.continuous).map(|entry| entry.name);
        DetectError::NoContinuousDetector {
            a: a.kind(),
            b: b.kind(),
            known: names.collect::<Vec<_>>().join(", "),
        }
    }

    fn unknown(&self, name: &str, a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
        let mut known = self.fitting(a, b);
        if known.is_empty() {
            known = self.entries.iter().map(|entry| entry.name).collect();
        }
        let aliases = self.aliases.iter().map(|alias| alias.name.as_str());
        let aliases = aliases.chain(self.aliases_of_children.iter().map(String::as_str));
        let all = known.iter().copied().chain(self.entries.iter().map(|entry| entry.name)).chain(aliases);
        DetectError::UnknownDetector {
            name: name.to_owned(),
            nearest: nearest_name(name, all).map(str::to_owned),
            known: known.join(", "),
        }
    }

    /// The names of the detectors that take the two.
    fn fitting(&self, a: &dyn Geometry, b: &dyn Geometry) -> Vec<&'static str> {
        let fits = |entry: &&Entry| order_of(entry, a, b).is_some();
        self.entries.iter().filter(fits).map(|entry| entry.name).collect()
    }

    fn does_not_fit(&self, name: &str, entry: &Entry, a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
        DetectError::DoesNotFit {
            name: name.to_owned(),
            a: a.kind(),
            b: b.kind(),
            wanted_a: entry.a.to_string().into(),
            wanted_b: entry.b.to_string().into(),
            fitting: self.fitting(a, b).join(", ").into(),
        }
    }

    fn no_self_detector(&self, kind: GeometryKind, continuous: bool) -> DetectError {
        let has = |entry: &&Entry| entry.self_contact && entry.continuous == continuous;
        let known: Vec<_> = self.entries.iter().filter(has).map(|entry| entry.a.to_string()).collect();
        DetectError::NoSelfDetector { kind, known: known.join(", ") }
    }
}

fn make<D: PairDetector>(
    settings: Option<&Value>,
    order: Order,
) -> Result<Box<dyn CollisionDetectionAlgorithm>, DetectError> {
    let settings = parsed::<D::Settings>(D::NAME, settings)?;
    let settings = if order == Order::Swapped { D::mirrored(settings) } else { settings };
    Ok(Box::new(D::new(settings)))
}

/// The settings of a detector: the default if none are given.
fn parsed<S: Default + Serialize + DeserializeOwned>(
    detector: &str,
    given: Option<&Value>,
) -> Result<S, DetectError> {
    let Some(given) = given else { return Ok(S::default()) };
    S::deserialize(given).map_err(|error| wrong_settings(detector, given, &complete::<S>(None), &error))
}

/// The error of settings that are wrong, with the setting that the first unknown one is meant to be.
fn wrong_settings(detector: &str, given: &Value, known: &Value, error: &serde_json::Error) -> DetectError {
    let nearest = known.as_object().zip(given.as_object()).and_then(|(known, given)| {
        let unknown = given.keys().find(|key| !known.contains_key(*key))?;
        nearest_name(unknown, known.keys().map(String::as_str)).map(str::to_owned)
    });
    DetectError::Settings { name: detector.to_owned(), reason: format!("{}{error}", did_you_mean(&nearest)) }
}

/// The settings with the defaults of those that were not given.
fn complete<S: Default + Serialize + DeserializeOwned>(given: Option<&Value>) -> Value {
    let settings = given.and_then(|given| S::deserialize(given).ok()).unwrap_or_default();
    serde_json::to_value(settings).unwrap_or_default()
}

fn suits<D: PairDetector>(a: &dyn Geometry, b: &dyn Geometry) -> bool {
    D::A::view(a).zip(D::B::view(b)).is_some_and(|(a, b)| D::is_default_for(a, b))
}

/// Whether a default is suitable for these two, in the order in which they would reach it.
fn serves(entry: &Entry, a: &dyn Geometry, b: &dyn Geometry) -> bool {
    !entry.default_for_some
        || match order_of(entry, a, b) {
            Some(Order::AsGiven) => (entry.suits)(a, b),
            Some(Order::Swapped) => (entry.suits)(b, a),
            None => false,
        }
}

/// Whether the entry's two sides name what `a` and `b` name, in either order.
fn same_pair(entry: &Entry, a: &Accepts, b: &Accepts) -> bool {
    (entry.a == *a && entry.b == *b) || (entry.a == *b && entry.b == *a)
}

/// Whether the entry's two sides name exactly these kinds, in either order. A side that accepts vertices counts as
/// point set, the simplest such kind.
pub(crate) fn is_exact(entry: &Entry, a: &GeometryKind, b: &GeometryKind) -> bool {
    let (first, second) = (entry.a.kind(), entry.b.kind());
    (first == *a && second == *b) || (first == *b && second == *a)
}

/// Whether an entry's roles are clear: it accepts two inputs in one order only (`given`, `exchanged`), or its sides
/// accept the same: a detector whose sides differ must not choose the roles of two inputs that could have either.
pub(crate) fn roles_are_clear(entry: &Entry, given: bool, exchanged: bool) -> bool {
    (given != exchanged) || (given && entry.a == entry.b)
}

fn takes(entry: &Entry, a: &dyn Geometry, b: &dyn Geometry) -> bool {
    entry.a.takes(a) && entry.b.takes(b)
}

/// The order in which the two inputs reach the entry's detector. When both orders fit: by content when the sides take
/// the same, as given when the roles differ (the caller who names such a detector names the roles).
fn order_of(entry: &Entry, a: &dyn Geometry, b: &dyn Geometry) -> Option<Order> {
    match (takes(entry, a, b), takes(entry, b, a)) {
        (false, false) => None,
        (true, false) => Some(Order::AsGiven),
        (false, true) => Some(Order::Swapped),
        (true, true) if entry.a == entry.b && entry.continuous => Some(order_by_motion(a, b)),
        (true, true) if entry.a == entry.b => Some(order_by_content(a, b)),
        (true, true) => Some(Order::AsGiven),
    }
}

/// Flags a mesh on a side that accepts vertices: only its vertices are tested.
fn vertices_only(entry: &Entry, order: Order, a: &dyn Geometry, b: &dyn Geometry) -> Flags {
    let (first, second) = if order == Order::Swapped { (b, a) } else { (a, b) };
    if sees_vertices_only(entry, &first.kind(), &second.kind()) {
        Flags::VERTICES_ONLY
    } else {
        Flags::empty()
    }
}

/// Whether only the vertices of a mesh are tested. Against a plane that is exact.
pub(crate) fn sees_vertices_only(entry: &Entry, first: &GeometryKind, second: &GeometryKind) -> bool {
    let partial = |side: &Accepts, kind: &GeometryKind, other: &GeometryKind| {
        *side == Accepts::Points && *kind != GeometryKind::POINT_SET && *other != GeometryKind::PLANE
    };
    partial(&entry.a, first, second) || partial(&entry.b, second, first)
}
