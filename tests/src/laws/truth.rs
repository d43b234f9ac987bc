//! The contacts agree with the oracle: all of them, in the stated order.

use crate::compare::align;
use crate::oracle::{Element, Expected, expected, judge_lying, judge_manifold, judge_patches, least_depth};
use crate::{Case, Regime, Subject};
use palpate_contact::{CollisionData, Contact, Feature, FeatureKind};
use palpate_detect::{Context, Order};
use palpate_math::{Point, Vector};

/// Tolerance of depths, points and directions against the oracle's, relative to the size of the case.
pub const TRUTH: f64 = 1e-9;

/// Measurements of the law of truth in a case.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Number of contacts.
    pub contacts: usize,
    /// Difference between the depth of the deepest contact and the oracle's, relative to the size of the case.
    pub error: f64,
    /// Whether the oracle knows every depth.
    pub known: bool,
}

/// The law of truth.
pub(crate) fn truth(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    measured(subject, case).map(|measured| measured.contacts)
}

/// The law of truth, with its measurements.
pub fn measured(subject: &Subject<'_>, case: &Case) -> Result<Measured, String> {
    let (own, found) = in_own_order(subject, case)?;
    let wanted = expected(&own, TRUTH)?;
    let length = TRUTH * case.size();
    let on_the_verge = |contact: &Contact| on_the_verge(case, contact);
    if case.regime == Regime::Degenerate {
        deepest_is_right(&wanted, &found, length, on_the_verge)?;
    } else if own.has_patch_manifolds() {
        deepest_is_right(&wanted, &found, length, on_the_verge)?;
        judge_patches(&own, &wanted, &found, |expected, contact| same(&own, expected, contact), TRUTH)?;
    } else if own.has_lying_points() {
        let (single, alone) = in_own_order(subject, &case.with_single_points())?;
        matches(&single, &wanted, &alone)?;
        judge_lying(&own, &alone, &found, TRUTH)?;
    } else if own.has_manifold() {
        // The oracle of the pair knows only the deepest point.
        let mut deepest = found.clone();
        deepest.contacts.truncate(1);
        matches(&own, &wanted, &deepest)?;
        judge_manifold(&own, &found, TRUTH)?;
    } else {
        matches(&own, &wanted, &found)?;
    }
    let least = least_depth(&own);
    if found.deepest().map_or(f64::NEG_INFINITY, |contact| contact.depth) < least - length {
        return Err(format!(
            "the deepest contact is {:?}, wanted a depth of {least} at least",
            found.deepest()
        ));
    }
    let known = wanted.iter().all(Expected::is_known);
    // Optional contacts may be the deepest; and contacts at the margin may be present.
    let off = |contact: &Contact| {
        let each = wanted.iter().map(|expected| (contact.depth - expected.depth).abs());
        each.fold((contact.depth + case.margin).abs(), f64::min)
    };
    let error = found.deepest().map_or(0.0, off);
    let error = if known { error / case.size() } else { 0.0 };
    Ok(Measured { contacts: found.len(), error, known })
}

/// Runs a case; returns it and the contacts in the detector's own order, in which the oracle answers.
fn in_own_order(subject: &Subject<'_>, case: &Case) -> Result<(Case, CollisionData), String> {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let mut found =
        subject.run(&mut bound, a.as_ref(), b.as_ref(), &Context::new().with_margin(case.margin))?;
    if bound.order() == Order::Swapped {
        found.mirror();
        return Ok((exchanged(case), found));
    }
    Ok((case.clone(), found))
}

/// Whether a contact is as shallow as the margin, as far as the tolerance and the resolution of grids tell.
fn on_the_verge(case: &Case, contact: &Contact) -> bool {
    (contact.depth + case.margin).abs() <= TRUTH * case.size() + case.depth_resolution()
}

/// Whether a result agrees with the oracle, contact by contact, in order.
pub fn matches(case: &Case, wanted: &[Expected], found: &CollisionData) -> Result<(), String> {
    let length = TRUTH * case.size();
    let on_the_verge = |contact: &Contact| on_the_verge(case, contact);
    let searched = case.search_tolerance().is_some();
    let may_lack = |expected: &Expected| {
        expected.optional
            || searched && found.contacts.iter().any(|contact| stands_for(contact, expected, length))
    };
    if crate::oracle::knows_the_deepest_only(case) {
        return deepest_is_right(wanted, found, length, on_the_verge);
    }
    align(wanted, &found.contacts, may_lack, on_the_verge, |expected, contact| same(case, expected, contact))
}

/// In special position several contacts may represent the same point: only the deepest is checked, and its
/// presence.
fn deepest_is_right(
    wanted: &[Expected],
    found: &CollisionData,
    length: f64,
    on_the_verge: impl Fn(&Contact) -> bool,
) -> Result<(), String> {
    let sure = wanted.iter().filter(|expected| !expected.optional && expected.is_known());
    let sure = sure.map(|expected| expected.depth);
    let sure = sure.reduce(f64::max);
    // Optional contacts may be the deepest, or absent; so may contacts that the oracle does not know.
    let may_be = |expected: &Expected, depth: f64| expected.may_be(depth, length);
    let fits = |depth: f64| {
        sure.is_none_or(|sure| depth >= sure - length)
            && wanted.iter().any(|expected| may_be(expected, depth))
    };
    match (sure, found.deepest()) {
        (_, Some(contact)) if fits(contact.depth) => Ok(()),
        (None, None) => Ok(()),
        (None, Some(contact)) if wanted.is_empty() && on_the_verge(contact) => Ok(()),
        (wanted, found) => Err(format!("the deepest contact is {found:?}, wanted depth {wanted:?}")),
    }
}

/// The case with its sides exchanged, and the settings to match.
fn exchanged(case: &Case) -> Case {
    let mut exchanged = case.with_shapes(case.b.clone(), case.a.clone());
    if let Some(settings) = &mut exchanged.settings {
        let other = match settings["vertices"].as_str() {
            Some("first") => "second",
            Some("second") => "first",
            _ => return exchanged,
        };
        settings["vertices"] = other.into();
    }
    exchanged
}

fn same(case: &Case, expected: &Expected, contact: &Contact) -> Result<(), String> {
    let length = TRUTH * case.size();
    let differs = |what: &str| Err(format!("{what} differs:\nwanted {expected:?}\nfound  {contact:?}"));
    let searched = case.search_tolerance().is_some();
    if !(is_element(&expected.a, &contact.a, searched) && is_element(&expected.b, &contact.b, searched)) {
        return differs("an element");
    }
    if !expected.may_be(contact.depth, length) {
        return differs("the depth");
    }
    if !expected.is_known() {
        return Ok(());
    }
    let turn = 2.0 * length / case.core_distance(contact).max(length);
    if let Some(direction) = expected.direction
        && turn < 1e-2
        && (Vector::from(contact.direction) - direction).norm() > turn.max(TRUTH)
    {
        return differs("the direction");
    }
    let slack = length + turn.min(2.0) * (case.a.rounding_radius() + case.b.rounding_radius());
    if let Some(point) = expected.point_a
        && (Point::from(contact.a.point) - point).norm() > slack
    {
        return differs("the point of a");
    }
    Ok(())
}

/// Whether a side is the element; where a search between curved bodies ended, also if the point lies on it within
/// the position error of the search.
fn is_element(expected: &Element, found: &Feature, searched: bool) -> bool {
    let sorted = |mut ids: Vec<u32>| {
        ids.sort_unstable();
        ids
    };
    match expected {
        Element::Any => true,
        Element::Point => found.feature_kind() == FeatureKind::Point,
        Element::Of(wanted) => {
            let ids = found.vertex_ids();
            let weighty = ids.iter().zip(found.weights).filter(|(_, weight)| *weight > SEARCHED_PLACE);
            *wanted == sorted(ids.to_vec())
                || searched && *wanted == sorted(weighty.map(|(&id, _)| id).collect())
        }
    }
}

/// Whether a contact is of an element that contains the expected one, or is contained in it, and is as deep: a
/// search between curved bodies may report either, since its position error is the square root of the depth error.
fn stands_for(contact: &Contact, expected: &Expected, length: f64) -> bool {
    let nested = |expected: &Element, found: &Feature| match expected {
        Element::Any => true,
        Element::Point => found.feature_kind() == FeatureKind::Point,
        Element::Of(wanted) => {
            let ids = found.vertex_ids();
            !ids.is_empty()
                && (ids.iter().all(|id| wanted.contains(id)) || wanted.iter().all(|id| ids.contains(id)))
        }
    };
    nested(&expected.a, &contact.a)
        && nested(&expected.b, &contact.b)
        && (contact.depth - expected.depth).abs() <= length
}

/// Position error of a search between curved bodies, as a weight: the overlap is flat around the minimum, so the
/// position error is the square root of the depth error.
const SEARCHED_PLACE: f64 = 1e-4;
