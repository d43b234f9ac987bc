//! Containment: the deepest points of an implicit body in a closed mesh, piece by piece.
//!
//! The depth of a body in a solid is the distance of its deepest point from the solid's surface. This does not
//! require that an edge or a face of the mesh touches the body, and it changes by no more than the body moves,
//! whether or not a part of it is wholly inside.

use crate::Flags;
use crate::contact_ids::{id_of, surface_part};
use crate::pairs::implicit::implicit_contact::{OF_ITS_OWN, Reach, aside, flags_of_nothing, flags_of_search};
use crate::pairs::implicit::implicit_outside::FromOutside;
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::SurfaceNearest;
use palpate_geometry::implicit::internal::{BodyPiece, Lowest, MeshSolid, Minimum, OrientedBounds, Search};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_math::{Aabb, Point, Vector};

/// The offset from the deepest point at which the nearest element is queried, relative to the size of the searched
/// region: of several equally near elements, rounding error alone would choose.
const BESIDE: f64 = 1.0 / (1_u64 << 36) as f64;

/// Which depth is as good as none, relative to the size of the piece, or of the smaller of both shapes.
pub(super) const NEXT_TO_NOTHING: f64 = 1e-10;

/// An implicit body in a solid.
pub(crate) struct Inside<'a> {
    pub(crate) reach: &'a Reach<'a>,
    pub(crate) solid: &'a MeshSolid<'a>,
    pub(crate) other: &'a dyn Fn(&SurfaceNearest, Point) -> Feature,
}

/// What the contacts of mesh elements show.
struct Elements {
    /// The depth of the deepest that belongs to a piece.
    known: f64,
    /// An upper bound of how deep the surface is in the body.
    entered: f64,
    /// Whether no element touches the body.
    untouched: bool,
}

/// What the surface shows of the deepest point.
enum Shown {
    /// No point is deeper than what is known already.
    Nothing,
    Deepest(Minimum),
    Open,
}

/// A point of the body, and its depth in the solid.
struct Deep {
    place: Point,
    /// A lower bound of the distance from the point to the body's surface.
    beyond: f64,
    depth: f64,
    upper: f64,
    size: f64,
}

impl Inside<'_> {
    /// Adds a contact for every piece that is deeper in the solid than the elements (contacts from index `before` on)
    /// are in the piece.
    pub(crate) fn run(&self, search: &mut Search, before: usize, out: &mut CollisionData) -> Flags {
        let solid = self.solid.sublevel_bounds(self.reach.radius);
        let near = |bounds: &Aabb| bounds.overlaps(&solid);
        if !near(&self.reach.body.sublevel_bounds(0.0)) {
            return Flags::empty();
        }
        let elements = before..out.len();
        let single = self.has_one_piece();
        let untouched = out.contacts[before..].iter().all(|contact| contact.depth < 0.0);
        let uppers = out.contacts[before..].iter().map(|contact| contact.depth_upper);
        let entered = uppers.fold(f64::NEG_INFINITY, f64::max) - self.reach.radius;
        let mut flags = Flags::empty();
        self.reach.body.over_pieces(&mut |piece| {
            let bounds = piece.function.sublevel_bounds(0.0);
            if !near(&bounds) {
                return;
            }
            let of_piece = |contact: &&Contact| single || self.is_of(piece, contact);
            let known = out.contacts[elements.clone()].iter().filter(of_piece);
            let known = known.map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
            let of_elements = Elements { known, entered, untouched };
            let (deep, flags_of_piece) = match root(piece, &bounds, &solid) {
                Some(root) => self.deepest(search, piece, &of_elements, root),
                None => (None, Flags::empty()),
            };
            flags |= flags_of_piece;
            if let Some(deep) = deep {
                out.push(self.contact(&deep, piece.number));
            }
        });
        if out.len() > elements.end {
            let size = self.reach.body.radius().min(0.5 * solid.diagonal_length());
            self.drop_within_margin(elements, size, out);
        }
        flags
    }

    fn has_one_piece(&self) -> bool {
        self.reach.body.piece_count() == 1
    }

    /// Returns the place of a contact on its mesh element itself, without the thickness of the surface.
    pub(super) fn place_on_element(&self, contact: &Contact) -> Point {
        Point::from(contact.b.point) - Vector::from(contact.direction) * self.reach.radius
    }

    /// Whether a contact with a mesh element belongs to this piece: the element's point is as deep in it.
    fn is_of(&self, piece: &BodyPiece<'_>, contact: &Contact) -> bool {
        let value = piece.function.sample(&self.place_on_element(contact)).value;
        value <= self.reach.radius - contact.depth + 1e-9 * (value.abs() + contact.depth.abs())
    }

    /// Returns the deepest point of a piece in the solid, if it is deeper than the elements are in the piece.
    fn deepest(
        &self,
        search: &mut Search,
        piece: &BodyPiece<'_>,
        elements: &Elements,
        (root, size): (OrientedBounds, f64),
    ) -> (Option<Deep>, Flags) {
        let radius = self.reach.radius;
        let &Elements { known, untouched, .. } = elements;
        let deeper = if known < 0.0 { 0.0 } else { known + OF_ITS_OWN * size };
        let value = |place: &Point| self.solid.sample(place).value;
        let center = piece.ball.map(|(center, ball)| (center, ball, value(&center)));
        if let Some((_, _, value)) = center
            && untouched
            && piece.is_connected
            && value >= 0.0
        {
            // One point is outside, so all are.
            return (None, Flags::empty());
        }
        let of_ball = center.map(|(place, beyond, value)| {
            let depth = radius + beyond - value;
            Deep { place, beyond, depth, upper: depth, size }
        });
        let of_ball = of_ball.filter(|deep| deep.depth >= deeper);
        let deeper = of_ball.as_ref().map_or(deeper, |deep| deep.depth + OF_ITS_OWN * size);
        // A sphere or a capsule is as deep as its segment plus its radius.
        let (segment, beyond) = match piece.function.rounded_segment() {
            Some((ends, _)) if ends[0] == ends[1] => return (of_ball, Flags::empty()),
            Some((ends, beyond)) => (Some(ends), beyond),
            None => (None, 0.0),
        };
        let reach = radius + beyond;
        let (cutoff, wanted) = (reach - deeper, deeper - radius);
        let outside = center.and_then(|(place, _, value)| FromOutside::new(piece, place, value, size));
        // For a point outside, the closest surface point is at least as deep in the body, and its element has a contact: with
        // several pieces, perhaps with another one.
        let single = self.has_one_piece() && piece.function.lipschitz().is_some_and(|rate| rate <= 1.0);
        let by_surface = !self.has_one_piece() && piece.function.exactness().outside;
        let shown = match &outside {
            Some(outside) if by_surface => {
                self.shown_by_surface(search, piece.function, outside, (beyond, size), wanted)
            }
            Some(outside) if single && outside.deepest(elements.entered) <= wanted => Shown::Nothing,
            _ => Shown::Open,
        };
        let (found, flags) = match shown {
            Shown::Nothing => return (of_ball, Flags::empty()),
            Shown::Deepest(found) => (Some(found), Flags::empty()),
            Shown::Open => {
                let within = if single || by_surface { cutoff.min(0.0) } else { cutoff };
                let (found, flags) = self.search_within(search, piece, segment, &root, within);
                if by_surface && cutoff > 0.0 && found.is_none() && flags.is_empty() {
                    let least = self.least_on_surface(search, piece.function, -wanted);
                    (least.map(|least| from_surface(&least, beyond)), flags)
                } else {
                    (found, flags)
                }
            }
        };
        let Some(found) = found else { return (of_ball, flags) };
        let (depth, upper) = (reach - found.sample.value, reach - found.lower);
        let deep = match of_ball {
            Some(ball) if ball.depth >= depth => Deep { upper: ball.depth.max(upper), ..ball },
            _ => Deep { place: found.point, beyond, depth, upper, size },
        };
        if deep.depth < 0.0 {
            // A search that gave up may not have found a place that is in the solid.
            let is_open = !found.converged && deep.upper >= 0.0;
            return (None, if is_open { Flags::BUDGET_EXHAUSTED } else { Flags::empty() });
        }
        (Some(deep), flags_of_search(&found))
    }

    /// Returns the least signed distance from the solid of a piece, or of its segment if it is a rounded one, if that is at
    /// most `cutoff`, and the flags of a search that found nothing.
    fn search_within(
        &self,
        search: &mut Search,
        piece: &BodyPiece<'_>,
        segment: Option<[Point; 2]>,
        root: &OrientedBounds,
        cutoff: f64,
    ) -> (Option<Minimum>, Flags) {
        if let Some(ends) = segment {
            let solid = if cutoff <= 0.0 { self.solid.shared_with(piece.function) } else { *self.solid };
            return (search.below(&solid, &ends, cutoff), Flags::empty());
        }
        let center = piece.ball.map(|(center, _)| center);
        let found = if cutoff <= 0.0 {
            self.solid.deepest_in(search, piece.function, root, cutoff, center.as_ref())
        } else {
            search.below_within_from(self.solid, piece.function, root, cutoff, center.as_ref())
        };
        (found, flags_of_nothing(search))
    }

    /// Returns what the surface alone shows of the deepest point of a piece whose value outside is the distance from it.
    /// `beyond` is the radius of a rounded segment, whose depth is that of the segment plus the radius. `wanted` is the least
    /// depth of use, below zero for a point outside that is within the thickness of the surface.
    fn shown_by_surface(
        &self,
        search: &mut Search,
        piece: &dyn ImplicitFunction,
        outside: &FromOutside<'_>,
        (beyond, size): (f64, f64),
        wanted: f64,
    ) -> Shown {
        let Some(least) = self.least_on_surface(search, piece, -wanted) else {
            return if outside.deepest(wanted) <= wanted { Shown::Nothing } else { Shown::Open };
        };
        let entered = -least.lower;
        let is_outside = least.sample.value >= 0.0 || beyond > 0.0 && outside.core_is_outside(entered);
        if is_outside {
            return Shown::Deepest(from_surface(&least, beyond));
        }
        let deepest = outside.deepest(entered);
        if deepest <= wanted {
            return Shown::Nothing;
        }
        // It is nowhere deeper than the surface itself, or by next to nothing.
        if deepest <= NEXT_TO_NOTHING * size && beyond == 0.0 {
            let sample = Sample { value: 0.0, ..least.sample };
            return Shown::Deepest(Minimum { sample, lower: -deepest, ..least });
        }
        Shown::Open
    }

    /// Returns the least value of a piece on the surface, if it is at most `cutoff`.
    fn least_on_surface(
        &self,
        search: &mut Search,
        piece: &dyn ImplicitFunction,
        cutoff: f64,
    ) -> Option<Minimum> {
        let surface = self.solid.surface();
        let bounds = piece.sublevel_bounds(cutoff.max(0.0));
        let mut lowest = Lowest::below(cutoff);
        surface.tree()?.search(
            |cells: &Aabb| cells.overlaps(&bounds),
            |triangle| {
                lowest.take(search.below(piece, &surface.corners(triangle), lowest.cutoff()));
            },
        );
        lowest.found()
    }

    fn contact(&self, deep: &Deep, number: u32) -> Contact {
        let radius = self.reach.radius;
        let beside = deep.place + aside(self.reach.body) * (BESIDE * deep.size);
        let surface = self.solid.surface();
        let nearest =
            surface.nearest(&beside, f64::INFINITY).expect("the mesh has triangles: it was searched");
        let nearest = surface.nearest_on(surface.owner(nearest.feature), &deep.place);
        let signed = self.solid.signed_at(&deep.place, &nearest);
        let outward = signed.gradient;
        let depth = radius + deep.beyond - signed.distance;
        let on_body = deep.place - outward * deep.beyond;
        let b = (self.other)(&nearest, on_body + outward * depth);
        let contact = Contact::exact(
            Feature::point(on_body),
            b,
            outward,
            depth,
            id_of(IdPart::Inside(number), surface_part(nearest.feature)),
        );
        Contact { depth_upper: depth.max(deep.upper), ..contact }
    }
}

/// Returns the point of a piece, at a depth of `beyond`, that is closest to a surface from outside, given the least value on the
/// surface.
fn from_surface(least: &Minimum, beyond: f64) -> Minimum {
    let Sample { value, gradient, .. } = least.sample;
    let distance = (value + beyond).max(0.0);
    let sample = Sample { value: distance, ..least.sample };
    Minimum { point: least.point - gradient * distance, sample, lower: least.lower + beyond, ..*least }
}

/// Returns the box to search for a piece in a solid, its own or the intersection of both boxes, whichever is smaller,
/// and half the box's diagonal. `None` if the boxes are disjoint.
fn root(piece: &BodyPiece<'_>, bounds: &Aabb, solid: &Aabb) -> Option<(OrientedBounds, f64)> {
    let shared = bounds.intersection(solid);
    if shared.is_empty() {
        return None;
    }
    let shared = OrientedBounds::from(shared);
    let volume = |frame: &OrientedBounds| frame.half.iter().map(Vector::norm).product::<f64>();
    let own = piece.function.oriented_bounds().filter(|own| volume(own) <= volume(&shared));
    let frame = own.unwrap_or(shared);
    Some((frame, frame.reach()))
}
