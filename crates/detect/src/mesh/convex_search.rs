//! Contacts of a convex body with a mesh.

use crate::mesh::convex_contact::{emit_touching, face_below, lies_on};
use crate::mesh::deepest_point::DeepestPoint;
use crate::mesh::face_patch::FacePatches;
use crate::mesh::internal_edges::leads_into_neighbour;
use crate::mesh::patch_manifold::{PatchManifold, Resting};
use crate::mesh::through_surface::ThroughSurface;
use crate::mesh::{
    Candidates, ConvexPair, InReach, MeshSide, ReportedFeatures, TriangleContact, VoidedFeatures, WayOut,
};
use crate::room;
use crate::{Context, Flags};
use palpate_contact::{CollisionData, Contact, NONE};
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use palpate_math::{Point, Vector};

/// Depths that differ by less than this, relative to the sizes of mesh and body, are equal: the error of the
/// iterative queries of curved bodies.
const LEVEL: f64 = 1e-9;

/// The smallest cosine between the direction of a patch's manifold and that of a contact which the manifold replaces.
const SAME_WAY: f64 = 0.98;

/// The search and its reusable memory.
#[derive(Default)]
pub(crate) struct ConvexSearch {
    candidates: Candidates<TriangleContact>,
    /// Triangles whose depth is certainly less are only within the margin. If the body touches others, they do not void, cover or
    /// admit any of these, so that a larger margin keeps the contacts of a smaller one.
    decisive: f64,
    /// The verdict on each result.
    verdicts: Vec<Verdict>,
    voided: VoidedFeatures,
    seen: ReportedFeatures,
    through_surface: ThroughSurface,
    patches: FacePatches,
    manifold: PatchManifold,
    /// The points of all manifolds.
    points: Vec<Contact>,
    stretches: Vec<Stretch>,
    /// Per patch with a manifold, the direction in which the body is pushed out, and the depth.
    ways: Vec<Option<(Vector, f64)>>,
    order: Vec<usize>,
    /// The triangles of a way out.
    triangles: Vec<u32>,
    /// The parts of the mesh that the body overlaps; `[None]` if the mesh has only one.
    parts: Vec<Option<u32>>,
}

/// The verdict on a triangle's contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is reported.
    Counts,
    /// A neighbouring triangle is nearer or deeper.
    VoidedFeatures,
    /// It would push the body into the solid.
    Inward,
}

/// The range of manifold points that replaces a contact.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    found: usize,
    range: [usize; 2],
}

impl ConvexSearch {
    /// Appends the contacts of the pair in triangle order; where the body penetrates a solid, its own deepest point
    /// comes first if it is deeper than all other contacts.
    pub(crate) fn run(
        &mut self,
        pair: &ConvexPair<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        self.open(out);
        self.find_triangles(pair, context);
        self.judge(pair);
        self.patches.begin(self.candidates.ids.len());
        self.ways.clear();
        let before = out.len();
        if !self.candidates.found.iter().any(|found| found.upper >= 0.0) {
            return self.run_apart(pair, context, out);
        }
        let level = self.level(pair);
        let is_filled = pair.mesh.is_solid() && pair.mesh.has_inside();
        let mut flags = Flags::empty();
        for part in 0..self.list_parts(pair.mesh.surface) {
            let part = self.parts[part];
            let most = self.most_with(Verdict::Counts, part);
            let leaves_by = |other: u32| part.is_none_or(|part| part == other);
            let search = || pair.deepest_point(leaves_by, most.max(0.0) + level, false, self.places());
            let deepest = self.deepest_exit(pair, part, is_filled.then(search).flatten(), most, level);
            if let Some(deepest) = &deepest {
                self.emit_deepest(pair, deepest, context, out);
                // An iterative query that ended early bounds it.
                if deepest.error > level {
                    flags |= Flags::ITERATION_LIMIT;
                }
            }
            let least = deepest.map_or(most, |deepest| deepest.depth + deepest.radius);
            self.admit_deeper(pair, part, least, level);
        }
        if is_filled && self.parts[0].is_some() {
            self.emit_inside_others(pair, level, context, out);
        }
        flags | self.emit(pair, context, before, out)
    }

    /// Returns the deepest exit from a part of the surface, if it is deeper than `most`: the given one, of the body's deepest
    /// point in a solid, or of a body that passes through deeper than the triangles are wide.
    fn deepest_exit(
        &mut self,
        pair: &ConvexPair<'_>,
        part: Option<u32>,
        deepest: Option<DeepestPoint>,
        most: f64,
        level: f64,
    ) -> Option<DeepestPoint> {
        let depth = |exit: Option<DeepestPoint>| exit.map_or(most, |exit| exit.depth + exit.radius);
        // An iterative query may have found less than there is. A voided exit along the normal leads into no neighbour.
        let surface = pair.mesh.surface;
        let along_normal = |found: &&TriangleContact| lies_on(surface, found.triangle, &found.direction);
        let voided_along = self.with(Verdict::VoidedFeatures, part).filter(along_normal);
        let counting = self.with(Verdict::Counts, part).chain(voided_along);
        let upper = counting.map(|found| found.upper).fold(0.0, f64::max);
        let of_counting = || self.with(Verdict::Counts, part).max_by(|x, y| x.lower.total_cmp(&y.lower));
        let outward = deepest.map(|exit| exit.outward).or_else(|| Some(-of_counting()?.direction));
        let through = self.through(pair, part, (depth(deepest).max(upper) + level, outward)).or(deepest);
        let voided = self.most_with(Verdict::VoidedFeatures, part);
        if pair.mesh.is_solid() {
            return through.map(|exit| self.shortest_way(pair, part, &exit).unwrap_or(exit));
        }
        // A voided exit does not separate the two, but bounds the exit of the sheet from below.
        let exit = if voided <= depth(through) + level {
            through
        } else {
            through.or_else(|| self.through(pair, part, (level, None))).map(|through| {
                let uppers = self.with(Verdict::VoidedFeatures, part).map(|found| found.upper);
                let exit = DeepestPoint::below(through.nearest, through.outward, voided);
                exit.with_error(uppers.fold(voided, f64::max) - voided)
            })
        };
        match exit {
            Some(exit) => self.shortest_way(pair, part, &exit).or(Some(exit)),
            None => self.instead_of_deepest(pair, part, level),
        }
    }

    /// Returns an exit as deep as the deepest of the triangles' own, in its place, if that leads over the border of a sheet and
    /// into the sheet again: over a hole, or around a notch.
    fn instead_of_deepest(
        &mut self,
        pair: &ConvexPair<'_>,
        part: Option<u32>,
        level: f64,
    ) -> Option<DeepestPoint> {
        let all = self.candidates.found.iter().zip(&self.verdicts);
        let exits = all.filter(|(found, verdict)| **verdict != Verdict::Inward && found.is_of(part));
        let given = *exits.map(|(found, _)| found).reduce(|a, b| if b.lower > a.lower { b } else { a })?;
        let exit = DeepestPoint::below(given.place, -given.direction, given.depth);
        if given.lower <= 0.0 || !WayOut::new(pair, part).leads_aside(&exit) {
            return None;
        }
        let other = self.shortest_way(pair, part, &exit.with_error(given.upper - given.depth))?;
        for (found, verdict) in self.candidates.found.iter().zip(&mut self.verdicts) {
            let is_equal = found.lower >= given.lower - level && found.is_of(part);
            if is_equal && found.direction.dot(&given.direction) >= SAME_WAY && *verdict == Verdict::Counts {
                *verdict = Verdict::VoidedFeatures;
            }
        }
        Some(other)
    }

    /// Returns the exit with the direction of the shortest way past all triangles that the body overlaps; `None` if the exit itself
    /// leads out.
    fn shortest_way(
        &mut self,
        pair: &ConvexPair<'_>,
        part: Option<u32>,
        exit: &DeepestPoint,
    ) -> Option<DeepestPoint> {
        let is_overlapped = |found: &&TriangleContact| found.lower > 0.0 && found.is_of(part);
        let overlapped = self.candidates.found.iter().filter(is_overlapped).map(|found| found.triangle);
        let way_out = WayOut::new(pair, part);
        let given = way_out.given(exit, overlapped, &mut self.triangles)?;
        let memory = self.candidates.memory();
        let shortest = way_out.shortest(exit, given, &mut self.triangles, memory)?;
        Some(shortest.with_error(exit.error))
    }

    /// Returns the deepest exit of a body through a part of the surface, if it is deeper than `least`. `outward` is a unit
    /// direction in which it probably exits.
    fn through(
        &mut self,
        pair: &ConvexPair<'_>,
        part: Option<u32>,
        (least, outward): (f64, Option<Vector>),
    ) -> Option<DeepestPoint> {
        let (found, verdicts) = (&self.candidates.found, &self.verdicts);
        let is_solid = pair.mesh.is_solid();
        let is_voided = |&index: &usize| {
            let (found, verdict) = (&found[index], verdicts[index]);
            let may_lead_on = verdict == Verdict::VoidedFeatures || verdict == Verdict::Inward && is_solid;
            may_lead_on && found.lower > 0.0 && found.is_of(part)
        };
        self.through_surface.choose(pair, found, (0..found.len()).filter(is_voided), least);
        let mut memory = std::mem::take(self.candidates.memory());
        self.through_surface.exchange(self.seen.sets());
        let found = &self.candidates.found;
        let deepest = self.through_surface.deepest(pair, found, part, (least, outward), &mut memory);
        self.through_surface.exchange(self.seen.sets());
        *self.candidates.memory() = memory;
        deepest
    }

    /// Gives the lists their first room, those too that are needed where the body rests on the mesh.
    fn open(&mut self, out: &mut CollisionData) {
        room::open(&mut self.points);
        room::open(&mut self.stretches);
        room::open(&mut self.ways);
        room::open(&mut self.order);
        room::open(&mut self.parts);
        room::open(&mut self.triangles);
        room::open(&mut out.contacts);
        self.manifold.open();
        self.through_surface.open();
    }

    /// Emits the deepest points that exit through parts of the mesh whose triangles the body does not touch: within
    /// the wall of a shell it may touch only the inner side and exit through the outer.
    fn emit_inside_others(
        &mut self,
        pair: &ConvexPair<'_>,
        level: f64,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        let surface = pair.mesh.surface;
        loop {
            let is_other = |part: u32| !self.parts.contains(&Some(part));
            let Some(deepest) = pair.deepest_point(is_other, level, false, self.places()) else { return };
            self.emit_deepest(pair, &deepest, context, out);
            let part = surface.adjacency().part_of(surface.owner(deepest.nearest.feature));
            room::push(&mut self.parts, Some(part));
        }
    }

    /// Handles a body that overlaps no triangle: it is either wholly inside or separated.
    fn run_apart(&mut self, pair: &ConvexPair<'_>, context: &Context<'_>, out: &mut CollisionData) -> Flags {
        let before = out.len();
        let search = || pair.deepest_point(|_| true, f64::NEG_INFINITY, true, std::iter::empty());
        let deepest = if pair.mesh.has_inside() { search() } else { None };
        if let Some(deepest) = deepest.filter(|_| pair.mesh.is_solid()) {
            let deepest = self.shortest_way(pair, None, &deepest).unwrap_or(deepest);
            self.emit_deepest(pair, &deepest, context, out);
            return Flags::empty();
        }
        self.admit_deeper(pair, None, self.most_with(Verdict::Counts, None), self.level(pair));
        let flags = self.emit(pair, context, before, out);
        // A sheet that encloses the body without touching it.
        if let Some(deepest) = deepest
            && out.contacts[before..].iter().all(|contact| contact.depth < 0.0)
        {
            out.contacts.truncate(before);
            room::push(&mut out.contacts, pair.contact_of_deepest(&deepest));
        }
        flags
    }

    /// Returns the contact points on the surface, with their triangles.
    fn places(&self) -> impl ExactSizeIterator<Item = (Point, u32)> {
        self.candidates.found.iter().map(|found| (found.place.point, found.triangle))
    }

    /// Lists the parts of the mesh that the body overlaps, each of which has a contact of its own; returns their
    /// number.
    fn list_parts(&mut self, surface: &SurfaceMesh) -> usize {
        self.parts.clear();
        let adjacency = surface.adjacency();
        if adjacency.parts.is_empty() {
            room::push(&mut self.parts, None);
        } else {
            let meeting = self.candidates.found.iter().filter(|found| found.upper >= 0.0);
            room::extend(&mut self.parts, meeting.map(|found| Some(adjacency.part_of(found.triangle))));
            self.parts.sort_unstable();
            self.parts.dedup();
        }
        self.parts.len()
    }

    /// Returns the certified depth (lower bound) of the deepest decisive contact with a verdict, restricted to one part of
    /// the mesh if given.
    fn most_with(&self, wanted: Verdict, part: Option<u32>) -> f64 {
        most(self.with(wanted, part).filter(|found| found.upper >= self.decisive))
    }

    /// Returns the contacts with a verdict, restricted to one part of the mesh if given.
    fn with(&self, wanted: Verdict, part: Option<u32>) -> impl Iterator<Item = &TriangleContact> {
        let all = self.candidates.found.iter().zip(&self.verdicts);
        all.filter(move |(found, verdict)| **verdict == wanted && found.is_of(part)).map(|(found, _)| found)
    }

    /// Returns the depth tolerance: depths that differ by less are equal.
    fn level(&self, pair: &ConvexPair<'_>) -> f64 {
        let surface = pair.mesh.surface;
        let extent = |found: &TriangleContact| {
            let [a, b, c] = surface.corners(found.triangle);
            (b - a).norm().max((c - a).norm())
        };
        let decisive = self.candidates.found.iter().filter(|found| found.upper >= self.decisive);
        LEVEL * decisive.map(extent).fold(pair.body.size(), f64::max)
    }

    /// Finds the candidate triangles and the minimum translation that separates each from the body.
    fn find_triangles(&mut self, pair: &ConvexPair<'_>, context: &Context<'_>) {
        let surface = pair.mesh.surface;
        let bounds = pair.body.bounds();
        let reach = bounds.grown(surface.radius() + context.margin());
        let kernel = InReach { pair, context, bounds };
        self.candidates.find(surface, &reach, &kernel, context.executor());
        // Of equal elements the first represents them: a cut mesh chooses the one that it would choose if made anew.
        self.candidates.found.sort_unstable_by_key(|found| surface.adjacency().rank(found.triangle));
    }

    /// Classifies each contact on its own, the decisive ones first.
    fn judge(&mut self, pair: &ConvexPair<'_>) {
        self.voided.clear();
        self.verdicts.clear();
        room::extend(&mut self.verdicts, self.candidates.found.iter().map(|_| Verdict::Counts));
        let reach = -pair.mesh.surface.radius();
        let is_reached = self.candidates.found.iter().any(|found| found.upper >= reach);
        self.decisive = if is_reached { reach } else { f64::NEG_INFINITY };
        self.judge_those(pair, |found, decisive| found.upper >= decisive);
        self.judge_those(pair, |found, decisive| found.upper < decisive);
    }

    /// Classifies some of the contacts, by what they and those before them void.
    fn judge_those(&mut self, pair: &ConvexPair<'_>, are_meant: fn(&TriangleContact, f64) -> bool) {
        let MeshSide { surface, filter, .. } = pair.mesh;
        let is_meant = |found: &TriangleContact| are_meant(found, self.decisive);
        if filter.outer {
            for found in self.candidates.found.iter().filter(|found| is_meant(found)) {
                self.voided.note(surface, found.triangle, |feature| feature == found.place.feature);
            }
        }
        let all = self.candidates.found.iter().zip(&mut self.verdicts);
        for (found, verdict) in all.filter(|(found, _)| is_meant(found)) {
            let feature = found.place.feature;
            let is_exit = pair.exits_only && found.lower > 0.0;
            if pair.leads_inward(found) {
                *verdict = Verdict::Inward;
            } else if self.voided.is_voided(feature)
                || (filter.outer || is_exit) && leads_into_neighbour(surface, feature, &-found.direction)
            {
                *verdict = Verdict::VoidedFeatures;
            }
        }
    }

    /// Accepts the deepest of the rejected contacts if it is deeper than `least` by more than `level`: then no other contact
    /// covers the penetration depth. Among equally deep ones it prefers a triangle whose face the body lies on: where a
    /// flat face rests on a flat patch, contacts with its edges and vertices are equally deep and may all be voided.
    fn admit_deeper(&mut self, pair: &ConvexPair<'_>, part: Option<u32>, least: f64, level: f64) {
        let mut best: Option<(usize, bool)> = None;
        for (index, (found, verdict)) in self.candidates.found.iter().zip(&self.verdicts).enumerate() {
            // If the two are separated, an element that faces away is behind another one.
            let may_count = match verdict {
                Verdict::Counts => false,
                Verdict::VoidedFeatures => true,
                Verdict::Inward => pair.mesh.is_solid() && found.upper >= 0.0,
            };
            if !may_count || !found.is_of(part) || found.lower <= least + level {
                continue;
            }
            let lies = lies_on(pair.mesh.surface, found.triangle, &found.direction);
            let better = best.is_none_or(|(best, best_lies)| {
                let best = &self.candidates.found[best];
                let equal = found.upper + level >= best.lower && found.lower <= best.upper + level;
                if equal && lies != best_lies { lies } else { found.lower > best.upper }
            });
            if better {
                best = Some((index, lies));
            }
        }
        if let Some((best, _)) = best {
            self.verdicts[best] = Verdict::Counts;
        }
    }

    /// Finds the manifolds of the flat patches that the body rests on, the deepest first.
    fn find_manifolds(&mut self, pair: &ConvexPair<'_>, context: &Context<'_>) {
        self.points.clear();
        self.stretches.clear();
        if !pair.manifold || !pair.mesh.filter.outer {
            return;
        }
        self.order.clear();
        room::extend(&mut self.order, 0..self.candidates.found.len());
        self.order.retain(|&index| self.verdicts[index] == Verdict::Counts);
        let rank = |&index: &usize| (self.candidates.found[index].lower, std::cmp::Reverse(index));
        self.order.sort_unstable_by(|p, q| {
            let (p, q) = (rank(p), rank(q));
            q.0.total_cmp(&p.0).then(q.1.cmp(&p.1))
        });
        for position in 0..self.order.len() {
            let index = self.order[position];
            let found = self.candidates.found[index];
            let depth = found.upper + pair.mesh.surface.radius();
            if let Some(range) = self.manifold_at(pair, found.triangle, -found.direction, depth, context) {
                room::push(&mut self.stretches, Stretch { found: index, range });
            }
        }
    }

    /// Returns the range of manifold points on the patch of a triangle that belongs to no patch yet; `None` for fewer
    /// than two points.
    fn manifold_at(
        &mut self,
        pair: &ConvexPair<'_>,
        triangle: u32,
        outward: Vector,
        depth: f64,
        context: &Context<'_>,
    ) -> Option<[usize; 2]> {
        let surface = pair.mesh.surface;
        let seed = self.candidates.ids.binary_search(&triangle).ok()?;
        if self.patches.patch_of(seed) != NONE || !lies_on(surface, triangle, &outward) {
            return None;
        }
        let normal = surface.normals()?.face(triangle);
        self.patches.grow(surface, &self.candidates.ids, seed, &normal);
        room::push(&mut self.ways, None);
        let candidates = &self.candidates.ids;
        let resting =
            Resting { surface, candidates, body: pair.body, outward, depth, margin: context.margin() };
        let start = self.points.len();
        self.manifold.find(&resting, &self.patches, &mut self.points);
        if self.points.len() < start + 2 {
            self.points.truncate(start);
            return None;
        }
        *self.ways.last_mut()? = Some((outward, depth));
        Some([start, self.points.len()])
    }

    /// Whether a manifold replaces a triangle's contact: that of the triangle's patch, or of a patch across the
    /// element's edge.
    fn is_covered(&self, pair: &ConvexPair<'_>, found: &TriangleContact) -> bool {
        let surface = pair.mesh.surface;
        let across = match found.place.feature {
            SurfaceFeature::Edge(edge) => surface.adjacency().edge_triangles[edge as usize],
            _ => [NONE; 2],
        };
        let depth = found.lower + surface.radius() - LEVEL * pair.body.size();
        [found.triangle, across[0], across[1]].into_iter().any(|triangle| {
            let patch =
                self.candidates.ids.binary_search(&triangle).map(|index| self.patches.patch_of(index));
            let way = patch.ok().and_then(|patch| self.ways.get(patch as usize).copied().flatten());
            way.is_some_and(|(way, deepest)| -way.dot(&found.direction) >= SAME_WAY && depth <= deepest)
        })
    }

    /// Emits the accepted contacts in triangle order, each element once; the pair's contacts in `out` start at
    /// `before`.
    fn emit(
        &mut self,
        pair: &ConvexPair<'_>,
        context: &Context<'_>,
        before: usize,
        out: &mut CollisionData,
    ) -> Flags {
        self.find_manifolds(pair, context);
        self.seen.clear();
        let most = most(self.with(Verdict::Counts, None));
        // Inside a body the triangles of one element have different depths: the deepest represents the element.
        let is_kept = |index: &usize| {
            self.verdicts[*index] == Verdict::Counts && self.candidates.found[*index].upper >= most
        };
        let kept = (0..self.candidates.found.len()).find(is_kept);
        let kept_feature = kept.map(|index| self.candidates.found[index].place.feature);
        let (mut flags, mut touching) = (Flags::empty(), None);
        for index in 0..self.candidates.found.len() {
            let found = self.candidates.found[index];
            match self.verdicts[index] {
                Verdict::VoidedFeatures => continue,
                Verdict::Inward if found.lower > 0.0 && !pair.mesh.is_solid() => {
                    room::push(&mut out.contacts, pair.pushed_to_front(found.triangle));
                    continue;
                }
                Verdict::Inward => {
                    if found.lower <= 0.0 && found.upper >= 0.0 {
                        touching = touching.or(Some((out.len(), found)));
                    }
                    continue;
                }
                Verdict::Counts => {}
            }
            let stretch = self.stretches.iter().find(|stretch| stretch.found == index).copied();
            let feature = found.place.feature;
            let repeated = || kept != Some(index) && kept_feature == Some(feature);
            if stretch.is_none()
                && (self.is_covered(pair, &found)
                    || repeated()
                    || kept != Some(index) && !self.seen.first(feature))
            {
                continue;
            }
            let Some(contact) = pair.contact(&found, context) else { continue };
            if !found.converged {
                flags |= Flags::ITERATION_LIMIT;
            }
            match stretch {
                Some(Stretch { range, .. }) => self.emit_points(pair, contact, range, before, out),
                None => self.emit_own(contact, before, out),
            }
        }
        if let Some((at, found)) = touching {
            emit_touching(pair, &found, at, before, context, out);
        }
        flags
    }

    /// Emits the contact of an element. If a manifold already has a contact with the same id, keeps the deeper of the
    /// two.
    fn emit_own(&self, contact: Contact, before: usize, out: &mut CollisionData) {
        let mut others = out.contacts[before..].iter_mut();
        let is_same = |other: &&mut Contact| !self.ways.is_empty() && other.id == contact.id;
        match others.find(is_same) {
            Some(other) if other.depth >= contact.depth => {}
            Some(other) => *other = contact,
            None => room::push(&mut out.contacts, contact),
        }
    }

    /// Emits the points of a manifold. If none is as deep as the contact itself, the contact replaces the deepest
    /// point.
    fn emit_points(
        &mut self,
        pair: &ConvexPair<'_>,
        own: Contact,
        [start, end]: [usize; 2],
        before: usize,
        out: &mut CollisionData,
    ) {
        let deeper = own.depth > self.points[start].depth + LEVEL * pair.body.size();
        if deeper {
            self.points[start] = own;
        } else {
            let first = &mut self.points[start];
            first.depth_upper = own.depth_upper.max(first.depth);
        }
        for point in &self.points[start..end] {
            // Two patches share the vertices and edges between them.
            if out.contacts[before..].iter().all(|other| other.id != point.id) {
                room::push(&mut out.contacts, *point);
            }
        }
    }

    /// Emits the body's deepest point in a solid, or the manifold on the face through which that point exits.
    fn emit_deepest(
        &mut self,
        pair: &ConvexPair<'_>,
        deepest: &DeepestPoint,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        let (own, before) = (pair.contact_of_deepest(deepest), out.len());
        self.points.clear();
        let may_rest = pair.manifold && pair.mesh.filter.outer && deepest.is_whole;
        let face = may_rest.then(|| face_below(pair.mesh.surface, deepest)).flatten();
        let range = face.and_then(|face| self.manifold_at(pair, face, deepest.outward, own.depth, context));
        match range {
            Some(range) => self.emit_points(pair, own, range, before, out),
            None => room::push(&mut out.contacts, own),
        }
    }
}

/// Returns the certified depth (lower bound) of the deepest of some contacts.
fn most<'a>(contacts: impl Iterator<Item = &'a TriangleContact>) -> f64 {
    contacts.map(|found| found.lower).fold(f64::NEG_INFINITY, f64::max)
}
