//! Comparison of two sources, frame by frame.

use super::changes::{changes, describe};
use super::error::DiffError;
use super::frames::align;
use super::matching::{Match, match_contacts};
use super::options::Options;
use super::pairs::{MatchedPair, match_pairs};
use super::report::{Kind, Report};
use super::source::{ContactSource, InputState};
use super::tally::{Found, Tally};
use crate::contact::Contact;
use crate::contact_text::elements;
use crate::recording::{ContactFrame, ContactPair};
use crate::snapshot::{Fingerprint, object_differences, settings_difference};

/// Compares the contacts of `is` with those of `was`, the baseline.
///
/// Pairs are matched by their names, then by their names exchanged, then by their detector and one name; frames by number, or
/// by time where a session has lost one; contacts by key, by key with sides exchanged, and by place. Where both sources know
/// what their contacts were computed from, the report has the differences of that too.
///
/// Errors: invalid options; a source that cannot be read. Cost: one reading of both; some 100 ns for a contact that agrees.
pub fn compare(
    was: &mut dyn ContactSource,
    is: &mut dyn ContactSource,
    options: &Options,
) -> Result<Report, DiffError> {
    options.policy.check()?;
    let pairs = [was.pairs()?, is.pairs()?];
    let matched = match_pairs(&pairs[0], &pairs[1]);
    let name = |pair: &MatchedPair| {
        let own = pair.was.map(|number| &pairs[0][number]).or(pair.is.map(|number| &pairs[1][number]));
        own.map_or_else(String::new, words)
    };
    let tally = Tally::new(matched.iter().map(name), options.described);
    let mut comparison = Comparison { options, matched: &matched, tally, inputs: Inputs::default() };
    comparison.pairs(&pairs);
    let numbers = [was.frames(), is.frames()];
    let mut frames = [ContactFrame::default(), ContactFrame::default()];
    for (one, two) in align(&numbers[0], &numbers[1]) {
        if let Some(one) = one {
            was.read(one, &mut frames[0])?;
        }
        if let Some(two) = two {
            is.read(two, &mut frames[1])?;
        }
        match (one, two) {
            (Some(_), Some(_)) => {
                comparison.inputs.note(frames[0].frame, was.input()?, is.input()?);
                comparison.frame(&frames);
            }
            (None, _) => comparison.lone_frame(&frames[1], 1),
            (_, None) => comparison.lone_frame(&frames[0], 0),
        }
    }
    Ok(comparison.finish())
}

fn words(pair: &ContactPair) -> String {
    format!("{} : {}", pair.a, pair.b)
}

struct Comparison<'a> {
    options: &'a Options,
    matched: &'a [MatchedPair],
    tally: Tally,
    inputs: Inputs,
}

/// What the contacts were computed from, for all frames that both sources have.
#[derive(Default)]
struct Inputs {
    first: Option<(InputState, InputState)>,
    states: Vec<(u64, Vec<Fingerprint>, Vec<Fingerprint>)>,
}

impl Inputs {
    fn note(&mut self, frame: u64, was: Option<InputState>, is: Option<InputState>) {
        let (Some(was), Some(is)) = (was, is) else { return };
        self.states.push((frame, was.states.clone(), is.states.clone()));
        self.first.get_or_insert((was, is));
    }
}

impl Comparison<'_> {
    /// The pairs themselves: gone, new, renamed, exchanged, with another detector.
    fn pairs(&mut self, pairs: &[Vec<ContactPair>; 2]) {
        for (number, pair) in self.matched.iter().enumerate() {
            let what = match (pair.was.map(|was| &pairs[0][was]), pair.is.map(|is| &pairs[1][is])) {
                (Some(was), None) => format!("pair {} by {} is gone", words(was), was.detector),
                (None, Some(is)) => format!("pair {} by {} is new", words(is), is.detector),
                (Some(was), Some(is)) if pair.is_exchanged => {
                    format!("the sides are exchanged: the pair was {}, is {}", words(was), words(is))
                }
                (Some(was), Some(is)) if words(was) != words(is) => {
                    format!("an object is renamed: the pair was {}, is {}", words(was), words(is))
                }
                (Some(was), Some(is)) if was.detector != is.detector => {
                    format!("the detector was {}, is {}", was.detector, is.detector)
                }
                _ => continue,
            };
            let found = Found { kinds: &[Kind::Pair], frame: None, pair: Some(number), size: 0.0 };
            self.tally.add(&found, || what);
        }
    }

    /// A frame of one source.
    fn lone_frame(&mut self, frame: &ContactFrame, source: usize) {
        self.tally.report.contacts[source] += frame.contacts.len() as u64;
        let found = Found { kinds: &[Kind::Frame], frame: Some(frame.frame), pair: None, size: 0.0 };
        let what = if source == 0 { "is lost" } else { "is new" };
        let count = frame.contacts.len();
        self.tally.add(&found, || format!("the frame at {} s {what}, with {count} contacts", frame.time));
    }

    fn frame(&mut self, [was, is]: &[ContactFrame; 2]) {
        self.tally.report.frames += 1;
        self.tally.report.contacts[0] += was.contacts.len() as u64;
        self.tally.report.contacts[1] += is.contacts.len() as u64;
        let number = was.frame;
        if was.time.to_bits() != is.time.to_bits() {
            let found = Found { kinds: &[Kind::Frame], frame: Some(number), pair: None, size: 0.0 };
            self.tally.add(&found, || format!("the time was {} s, is {} s", was.time, is.time));
        }
        for pair in 0..self.matched.len() {
            let MatchedPair { was: one, is: two, is_exchanged } = self.matched[pair];
            let was = of_pair(was, one);
            let mut is = of_pair(is, two);
            let contacts = &mut self.tally.report.pairs[pair].contacts;
            contacts[0] += was.len() as u64;
            contacts[1] += is.len() as u64;
            let mirrored: Vec<Contact>;
            if is_exchanged {
                mirrored = is.iter().map(|contact| mirrored_with_id(contact)).collect();
                is = mirrored.iter().collect();
            }
            self.contacts(number, pair, &was, &is);
        }
    }

    fn contacts(&mut self, frame: u64, pair: usize, was: &[&Contact], is: &[&Contact]) {
        let policy = &self.options.policy;
        let is_same = was.len() == is.len() && was.iter().zip(is).all(|(one, two)| one.same_bits(two));
        if is_same {
            return;
        }
        let matching = match_contacts(was, is, policy.tolerance().place);
        for &Match { was: one, is: two, is_exchanged } in &matching.same {
            let (was, is) = (was[one], is[two]);
            let own = if is_exchanged { mirrored_with_id(is) } else { *is };
            let mut changes = changes(was, &own, policy);
            if is_exchanged {
                changes.kinds.insert(0, Kind::Exchanged);
            }
            if changes.kinds.is_empty() {
                continue;
            }
            let found =
                Found { kinds: &changes.kinds, frame: Some(frame), pair: Some(pair), size: changes.size };
            self.tally.add(&found, || {
                let exchanged = if is_exchanged { "sides exchanged; " } else { "" };
                format!("{}: {exchanged}{}", contact_words(was), describe(was, &own, &changes))
            });
        }
        let alone = matching.lost.iter().map(|&number| (Kind::Lost, was[number]));
        for (kind, contact) in alone.chain(matching.added.iter().map(|&number| (Kind::Added, is[number]))) {
            let is_double =
                |list: &[&Contact]| list.iter().filter(|other| other.key() == contact.key()).count() > 1;
            let size = contact.depth.abs();
            let found = Found { kinds: &[kind], frame: Some(frame), pair: Some(pair), size };
            self.tally.add(&found, || {
                let double = if is_double(is) || is_double(was) { ", which is there twice" } else { "" };
                format!("{}, depth {} m{double}", contact_words(contact), contact.depth)
            });
        }
        if let Some(at) = matching.out_of_order.filter(|_| policy.keeps_identity()) {
            let found = Found { kinds: &[Kind::Reordered], frame: Some(frame), pair: Some(pair), size: 0.0 };
            let first = was[matching.same[at].was];
            self.tally.add(&found, || format!("another order from {} on", contact_words(first)));
        }
    }

    fn finish(mut self) -> Report {
        self.tally.report.input_counts = self.options.policy == super::options::Policy::Exact;
        if let Some((was, is)) = &self.inputs.first {
            let states = self.inputs.states.iter();
            let frames: Vec<_> =
                states.map(|(frame, was, is)| (*frame as usize, &was[..], &is[..])).collect();
            self.tally.report.add_input(object_differences(&was.objects, &is.objects, &frames));
            for (number, pair) in self.matched.iter().enumerate() {
                let settings = |source: &InputState, at: Option<usize>| source.settings.get(at?).cloned();
                let (Some(one), Some(two)) = (settings(was, pair.was), settings(is, pair.is)) else {
                    continue;
                };
                let name = self.tally.report.pairs[number].pair.clone();
                self.tally.report.add_input(settings_difference(&name, [&one, &two]).into_iter().collect());
            }
        }
        if self.tally.report.contacts[0] == 0 && !self.options.allow_empty {
            let found = Found { kinds: &[Kind::EmptyBaseline], frame: None, pair: None, size: 0.0 };
            self.tally.add(&found, || "the baseline has no contacts: nothing is verified".to_owned());
        }
        self.tally.report
    }
}

/// The contacts of a pair in a frame.
fn of_pair(frame: &ContactFrame, pair: Option<usize>) -> Vec<&Contact> {
    let Some(pair) = pair else { return Vec::new() };
    let of = frame.pairs.iter().zip(&frame.contacts).filter(|(own, _)| **own as usize == pair);
    of.map(|(_, contact)| contact).collect()
}

/// The contact that exchanged inputs give: its id has the parts of the sides exchanged too.
fn mirrored_with_id(contact: &Contact) -> Contact {
    use crate::contact::ContactId;
    let [a, b] = ContactId::parts(contact.id);
    Contact { id: ContactId::new(b, a).number(), ..contact.mirrored() }
}

fn contact_words(contact: &Contact) -> String {
    format!("{} id {}", elements(contact), contact.id)
}
