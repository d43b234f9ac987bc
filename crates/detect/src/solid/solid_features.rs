//! Vertices and edges of two bodies inside each other; shared by the detectors of surfaces and tetrahedra.
//!
//! Three measures are used, each in both directions. None exceeds the minimum translation that separates the two
//! bodies, and each changes by no more than either body is moved:
//!
//! - a vertex inside the other body: its distance to the other's surface;
//! - an edge inside: the greatest such distance along it;
//! - an edge that intersects a face: the minimum translation that separates the two
//!   ([`EdgeExit`](crate::solid::edge_exit::EdgeExit)).
//!
//! Where two surfaces intersect, an edge of one intersects a face of the other; where they do not, one body is wholly
//! inside the other or the two are separated: nothing is missed. Contacts implied by others are dropped, but never
//! the deepest:
//!
//! - a part of an edge inside that is no deeper than the edge's own ends, or than where the edge crosses another in
//!   that part;
//! - the exit of an edge from a face that is not a crossing of two edges, each a local support feature of its body,
//!   unless nothing else is as deep;
//! - edges between two coplanar triangles.
//!
//! A vertex of a sharp edge whose nearest exit leads along its own body, as where boxes are stacked flush, leaves through a face that it
//! faces ([`CornerExit`]), where that is at most a tenth of the convex parts around the two; and edges that enter beside that
//! face are listed where others are as deep. In a deeper overlap of flush bodies only the nearest exits count, and the depth falls to
//! theirs.
//!
//! A sheet has no interior: an edge that passes through one of its triangles exits along the triangle's normal, by
//! the end with the shorter distance; so do chords of the solid ([`Chords`]). A point of the sheet in the solid exits by its
//! distance to the surface, and the deepest counts wherever it is ([`SheetFaces`]). Within thickness and margin, vertices
//! are in contact with their nearest element, and edges that intersect nothing are in contact with theirs if it is also an
//! edge; over a flat face, with each of its sides that is as near.

use crate::mesh::ClearBalls;
use crate::mesh::vertex_surface::is_divided_by;
use crate::repeated::{Repeated, is_deeper, slack};
use crate::solid::chords::Chords;
use crate::solid::corner_exit::{CornerExit, leads_along};
use crate::solid::sheet_faces::SheetFaces;
use crate::solid::skin::{Place, Skin};
use crate::solid::solid_edges::{DEEPER, EdgeChunk, Found, Kind, Looked, VertexDepth, is_loose, is_within};
use crate::{Chunk, Chunks, Context, Flags};
use palpate_contact::{CollisionData, Contact, IdPart};
use palpate_math::{Point, Vector, rounding};

/// Vertices per chunk: each costs one or two tree traversals.
const VERTICES_PER_CHUNK: usize = 128;

/// Edges per chunk: each costs a tree traversal, and many if it crosses the other surface.
const EDGES_PER_CHUNK: usize = 32;

/// Normals that differ by no more than this, as a cosine, are those of a flat face.
const FLAT: f64 = 1e-9;

/// The search and its reusable memory.
#[derive(Default)]
pub(crate) struct FeatureSearch {
    chunks: Chunks,
    near: Vec<u32>,
    depths: Vec<VertexDepth>,
    vertices: [CollisionData; 2],
    edges: [Vec<Found>; 2],
    crossings: Vec<Crossing>,
    repeated: Repeated,
    chords: Chords,
    /// Made when it is first needed: most pairs are of two solids.
    sheet_faces: Option<Box<SheetFaces>>,
    exit: Option<Contact>,
    /// The deepest contact of a vertex in the middle of a flat face whose direction is not the face's normal.
    voided: Option<Contact>,
}

/// A point on an edge of one body where it crosses an edge of the other, and the depth there.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Crossing {
    edge: u32,
    at: f64,
    depth: f64,
}

impl FeatureSearch {
    /// Finds the contacts of the vertices and edges of the bodies selected by `looked_at`: the first's in the second,
    /// then the second's in the first.
    pub(crate) fn find(
        &mut self,
        [first, second]: [Skin<'_>; 2],
        looked_at: [bool; 2],
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let both = [
            Looked { of: first, into: second, second: false },
            Looked { of: second, into: first, second: true },
        ];
        let mut flags = Flags::empty();
        self.exit = None;
        self.voided = None;
        for side in 0..2 {
            self.vertices[side].clear();
            self.edges[side].clear();
            if looked_at[side] {
                flags |= self.look(&both[side], side, context);
            }
        }
        self.leave_out_deeper_beside();
        self.leave_out_repeated();
        for side in 0..2 {
            self.leave_out_crossed(side);
        }
        let before = out.contacts.len();
        for side in 0..2 {
            let edges = self.edges[side].iter().map(|found| &found.contact);
            let contacts = self.vertices[side].contacts.iter().chain(edges);
            out.contacts.extend(contacts.map(|contact| in_order(contact, side)));
        }
        let mut deepest = out.contacts[before..].iter().map(|contact| contact.depth).fold(f64::MIN, f64::max);
        if let Some(voided) = self.voided.filter(|voided| is_deeper(voided, deepest, DEEPER)) {
            out.push(voided);
            deepest = voided.depth;
        }
        if let Some(exit) = self.exit.filter(|exit| tells_more(exit, deepest, both[0].rims())) {
            // Two edges within the margin of each other may have been found already.
            push_or_replace(out, before, exit);
            deepest = deepest.max(exit.depth);
        }
        if deepest >= 0.0 {
            for side in (0..2).filter(|&side| looked_at[side]) {
                flags |= self.look_between(&both[side], side, before, &mut deepest, out);
            }
        }
        flags
    }

    /// Adds the contact of a chord of a solid through a sheet, or of a point in a triangle of a sheet in a solid, if it is deeper
    /// than all contacts from index `before` on, whose greatest depth is `deepest`.
    fn look_between(
        &mut self,
        looked: &Looked<'_>,
        side: usize,
        before: usize,
        deepest: &mut f64,
        out: &mut CollisionData,
    ) -> Flags {
        let (contact, flags) = match (looked.of.is_solid(), looked.into.is_solid()) {
            (true, false) => (self.chords.deepest(looked, *deepest), Flags::empty()),
            (false, true) => self.sheet_faces.get_or_insert_default().deepest(looked, *deepest),
            _ => return Flags::empty(),
        };
        if let Some(contact) = contact.filter(|contact| is_deeper(contact, *deepest, DEEPER)) {
            *deepest = contact.depth;
            push_or_replace(out, before, in_order(&contact, side));
        }
        flags
    }

    /// Finds the contacts of one body's vertices in the other, in vertex order, then of its edges, in edge order.
    fn look(&mut self, looked: &Looked<'_>, side: usize, context: &Context<'_>) -> Flags {
        let count = looked.of.surface.points().len();
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            chunk.scratch.get::<EdgeChunk>().clear();
            let mut known = Known::default();
            for vertex in range {
                look_at_vertex(looked, vertex as u32, &mut known, chunk, context);
            }
        };
        self.depths.clear();
        let (vertices, depths) = (&mut self.vertices[side], &mut self.depths);
        let deepest_voided = &mut self.voided;
        let executor = context.executor();
        let mut flags = self.chunks.run_joined(executor, count, VERTICES_PER_CHUNK, job, |chunk| {
            vertices.contacts.extend_from_slice(&chunk.contacts);
            let work = chunk.scratch.get::<EdgeChunk>();
            depths.extend_from_slice(&work.depths);
            if let Some(voided) = &work.exit
                && deepest_voided.is_none_or(|deepest| voided.depth > deepest.depth)
            {
                *deepest_voided = Some(in_order(voided, side));
            }
        });
        self.collect_edges(looked, context);
        let (near, depths) = (&self.near, &self.depths);
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            chunk.scratch.get::<EdgeChunk>().clear();
            for &edge in &near[range] {
                looked.edge(edge, depths, chunk, context);
            }
        };
        let (edges, deepest_exit) = (&mut self.edges[side], &mut self.exit);
        flags |= self.chunks.run_joined(executor, near.len(), EDGES_PER_CHUNK, job, |chunk| {
            let work = chunk.scratch.get::<EdgeChunk>();
            edges.extend_from_slice(&work.found);
            if let Some(exit) = &work.exit
                && deepest_exit.is_none_or(|deepest| exit.depth > deepest.depth)
            {
                *deepest_exit = Some(in_order(exit, side));
            }
        });
        flags
    }

    /// Collects the edges whose triangles may touch the other body, in order.
    fn collect_edges(&mut self, looked: &Looked<'_>, context: &Context<'_>) {
        self.near.clear();
        let (Some(tree), Some(other)) = (looked.of.surface.tree(), looked.into.surface.tree()) else {
            return;
        };
        let reach = other.bounds().grown(looked.rims() + context.margin());
        let adjacency = looked.of.surface.adjacency();
        tree.overlap(&reach, |triangle| self.near.extend(adjacency.triangle_edges[triangle as usize]));
        self.near.sort_unstable();
        self.near.dedup();
    }

    /// Removes the crossings of edges that enter beside the way out and are deeper than all else: they add corners to where two bodies
    /// rest on each other, no depth. Also those that are found as others from the other side.
    fn leave_out_deeper_beside(&mut self) {
        let is_beside = |found: &Found| matches!(found.kind, Kind::Beside);
        let others = self.edges.iter().flatten().filter(|found| !is_beside(found));
        let contacts = self.vertices.iter().flat_map(|vertices| &vertices.contacts);
        let depths = contacts.chain(others.map(|found| &found.contact)).map(|contact| contact.depth);
        let deepest = depths.fold(f64::MIN, f64::max);
        for side in 0..2 {
            let mut edges = std::mem::take(&mut self.edges[side]);
            edges.retain(|found| {
                let is_same = |other: &&Found| !is_beside(other) && other.contact.id == found.contact.id;
                let is_known = || self.edges[1 - side].iter().any(|other| is_same(&other));
                !is_beside(found) || !is_deeper(&found.contact, deepest, DEEPER) && !is_known()
            });
            self.edges[side] = edges;
        }
    }

    /// Removes duplicates: edge pairs found from both sides, and a vertex that exits through a sheet's triangle by several
    /// of its edges. The deepest is kept; ties, to rounding, go to the first.
    fn leave_out_repeated(&mut self) {
        let [first, second] = &self.edges;
        let contact = |number: usize| match number.checked_sub(first.len()) {
            None => &first[number].contact,
            Some(number) => &second[number].contact,
        };
        let all = first.iter().chain(second).map(|found| &found.contact);
        self.repeated.judge(all, contact, DEEPER);
        let mut kept = self.repeated.kept();
        for edges in &mut self.edges {
            edges.retain(|_| kept.next().unwrap_or(true));
        }
    }

    /// Removes the inside parts of one body's edges that are covered by a crossing.
    fn leave_out_crossed(&mut self, side: usize) {
        self.crossings.clear();
        for (looked_at, edges) in self.edges.iter().enumerate() {
            self.crossings.extend(edges.iter().filter_map(|found| {
                let Kind::Pair { edges, at } = found.kind else { return None };
                // The tested body's edge comes first.
                let own = usize::from(looked_at != side);
                Some(Crossing { edge: edges[own], at: at[own], depth: found.contact.depth })
            }));
        }
        self.crossings.sort_unstable_by(|x, y| x.edge.cmp(&y.edge).then(x.at.total_cmp(&y.at)));
        let crossings = &self.crossings;
        self.edges[side].retain(|found| {
            let Kind::Inside { edge, part, slack } = found.kind else { return true };
            let first = crossings.partition_point(|crossing| crossing.edge < edge);
            let of_edge = crossings[first..].iter().take_while(|crossing| crossing.edge == edge);
            let mut in_part = of_edge.filter(|crossing| is_within(crossing.at, part));
            !in_part.any(|crossing| crossing.depth >= found.contact.depth - slack)
        });
    }
}

/// What is known from the vertices before.
#[derive(Default)]
struct Known {
    /// The triangle nearest to the last one.
    near: Option<u32>,
    clear: ClearBalls,
}

/// Finds the contact of a vertex that is inside or within reach.
fn look_at_vertex(
    looked: &Looked<'_>,
    vertex: u32,
    known: &mut Known,
    chunk: &mut Chunk,
    context: &Context<'_>,
) {
    if is_loose(looked.of, vertex) {
        return;
    }
    let position = looked.of.surface.points().positions()[vertex as usize];
    let reach = looked.rims() + context.margin();
    if known.clear.hold(&position) {
        return;
    }
    // Whether a vertex on the surface is inside depends on rounding: what lies between it and the next one decides.
    let undecided = rounding::length(looked.into.largest_coordinate(&position));
    let Some(place) = looked.into.place(&position, reach.max(undecided), known.near) else { return };
    let triangle = looked.into.surface.owner(place.nearest.feature);
    known.near = Some(triangle);
    if is_divided_by(looked.into.surface) {
        known.clear.add(&position, place.distance, reach);
    }
    if place.distance <= undecided {
        chunk.scratch.get::<EdgeChunk>().depths.push(VertexDepth {
            vertex,
            depth: (-place.distance).max(0.0),
            triangle,
            inside: place.distance < 0.0,
        });
    }
    let depth = looked.rims() - place.distance;
    if !context.reports(depth) {
        return;
    }
    let bodies = [looked.of, looked.into];
    let corner_exit = leads_along(bodies, vertex, &place, undecided).then(|| {
        let mut exits = CornerExit::new(&mut chunk.scratch.get::<EdgeChunk>().part_memory);
        exits.of_vertex(bodies, vertex, &place, undecided, &mut chunk.candidates)
    });
    let exit = corner_exit.flatten();
    let contact = vertex_contact(looked, vertex, &position, exit.as_ref().unwrap_or(&place), IdPart::Whole);
    if exit.is_none() && leads_along_face(looked, vertex, &place.outward) {
        chunk.scratch.get::<EdgeChunk>().keep_exit(&Some(contact));
    } else {
        chunk.contacts.push(contact);
    }
    let contacts = &mut chunk.contacts;
    looked.into.places_on_other_parts(&position, reach, &place, &mut chunk.candidates, &mut |part, place| {
        contacts.push(vertex_contact(looked, vertex, &position, &place, IdPart::Inside(part)));
    });
}

/// Returns the contact of a vertex with a surface point of the other body.
fn vertex_contact(
    looked: &Looked<'_>,
    vertex: u32,
    position: &Point,
    place: &Place,
    other: IdPart,
) -> Contact {
    let a = looked.vertex_feature(vertex, position, &place.outward);
    let skin = place.nearest.point + place.outward * looked.into.surface.radius();
    let b = looked.into.feature(&place.nearest, place.cell, position, skin);
    let id = looked.id(IdPart::Vertex(vertex), other);
    Contact::exact(a, b, place.outward, looked.rims() - place.distance, id)
}

/// Whether a vertex is in the middle of a flat face and a direction is not along the face's normal: the vertex is
/// then not a feature of the body, and its neighbours extend farther along the direction.
fn leads_along_face(looked: &Looked<'_>, vertex: u32, outward: &Vector) -> bool {
    let Some(normals) = looked.of.surface.normals() else { return false };
    // The angle-weighted normals of a flat face add up to length 2π.
    let normal = normals.vertex(vertex);
    let length = normal.norm();
    length >= std::f64::consts::TAU * (1.0 - FLAT) && normal.dot(outward).abs() < length * (1.0 - FLAT)
}

/// Appends a contact, or puts it in the place of the one with its id among those from index `before` on.
fn push_or_replace(out: &mut CollisionData, before: usize, contact: Contact) {
    match out.contacts[before..].iter_mut().find(|other| other.id == contact.id) {
        Some(same) => *same = contact,
        None => out.push(contact),
    }
}

/// Returns a contact whose first side is the tested body's with its sides in the pair's order.
fn in_order(contact: &Contact, side: usize) -> Contact {
    if side == 0 { *contact } else { contact.mirrored() }
}

/// Whether the exit of an edge from a face is deeper than all other contacts, or no other contact shows that the
/// bodies overlap.
fn tells_more(exit: &Contact, deepest: f64, touching: f64) -> bool {
    deepest < touching - slack(exit, DEEPER) || is_deeper(exit, deepest, DEEPER)
}
