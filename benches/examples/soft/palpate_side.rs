//! palpate's contacts of a frame.

use super::Result;
use super::body::{Body, Kind};
use super::judge::{Crossing, Judge, Verdict};
use palpate::prelude::*;
use std::collections::{HashMap, HashSet};

/// A scene of the two bodies.
pub(crate) struct Palpate {
    scene: Scene,
    ids: [GeometryId; 2],
    pair: PairId,
}

/// The contacts of zero or positive depth by what they name; the ids of each.
#[derive(Default)]
pub(crate) struct Named {
    triangles: HashMap<[u32; 2], Vec<u64>>,
    /// A vertex, twice, or an edge of a side.
    edges: HashMap<(usize, [u32; 2]), Vec<u64>>,
    /// The vertices of both elements.
    elements: HashMap<[[u32; 4]; 2], Vec<u64>>,
}

impl Palpate {
    /// `reach`: how far apart elements still have a contact, metres.
    pub(crate) fn new(bodies: &[Body; 2], frame: &[Vec<Point>; 2], reach: f64) -> Result<Self> {
        let mut scene = Scene::standard();
        let mut add = |side: usize| -> Result<GeometryId> {
            let (body, positions, name) = (&bodies[side], frame[side].clone(), ["first", "second"][side]);
            Ok(match body.kind {
                Kind::Thread => scene.add(name, LineMesh::new(positions, body.segments())?)?,
                Kind::Block => scene.add(name, TetraMesh::new(positions, body.cells.clone())?)?,
                _ => scene.add(name, SurfaceMesh::new(positions, body.elements.clone())?)?,
            })
        };
        let ids = [add(0)?, add(1)?];
        let pair = scene.add_pair(ids[0], ids[1], PairOptions::default().with_margin(reach))?;
        Ok(Self { scene, ids, pair })
    }

    /// Moves the vertices and detects.
    pub(crate) fn detect(&mut self, frame: &[Vec<Point>; 2]) -> Result<()> {
        for (id, positions) in self.ids.into_iter().zip(frame) {
            self.scene.set_positions(id, positions)?;
        }
        self.scene.step()?;
        Ok(())
    }

    fn in_contact(&self) -> Result<impl Iterator<Item = &Contact>> {
        Ok(self.scene.contacts(self.pair)?.contacts.iter().filter(|contact| contact.depth >= 0.0))
    }

    /// How many contacts there are, those within reach included.
    pub(crate) fn count(&self) -> Result<usize> {
        Ok(self.scene.contacts(self.pair)?.len())
    }

    pub(crate) fn named(&self) -> Result<Named> {
        let mut named = Named::default();
        for contact in self.in_contact()? {
            named.elements.entry([contact.a.vertices, contact.b.vertices]).or_default().push(contact.id);
            if triangles_of(contact) {
                named.triangles.entry([contact.a.cell, contact.b.cell]).or_default().push(contact.id);
            }
            for (side, feature) in [&contact.a, &contact.b].into_iter().enumerate() {
                let ends = match *feature.vertex_ids() {
                    [vertex] => [vertex, vertex],
                    [from, to] => [from.min(to), from.max(to)],
                    _ => continue,
                };
                named.edges.entry((side, ends)).or_default().push(contact.id);
            }
        }
        Ok(named)
    }

    /// How many contacts are false: two triangles that are apart, or edges and vertices neither inside nor at a crossing.
    pub(crate) fn count_false(&self, judge: &Judge<'_>, crossing: &HashSet<(usize, u32)>) -> Result<usize> {
        let is_false = |contact: &&Contact| {
            if triangles_of(contact) {
                return judge.pair([contact.a.cell, contact.b.cell]).0 == Verdict::Apart;
            }
            let sides = [(0, &contact.a), (1, &contact.b)];
            let mut vertices =
                sides.iter().flat_map(|(side, feature)| feature.vertex_ids().iter().map(|id| (*side, *id)));
            !vertices.any(|vertex| crossing.contains(&vertex) || judge.is_inside(vertex.0, vertex.1))
        };
        Ok(self.in_contact()?.filter(is_false).count())
    }
}

fn triangles_of(contact: &Contact) -> bool {
    [&contact.a, &contact.b].iter().all(|feature| feature.feature_kind() == FeatureKind::Triangle)
}

impl Named {
    /// How many pairs of elements that contacts name were named in the frame before, and how many of them under the same ids.
    pub(crate) fn stay(&self, before: &Self) -> [usize; 2] {
        let stay = self.elements.iter().filter_map(|(pair, ids)| Some((ids, before.elements.get(pair)?)));
        stay.fold([0, 0], |[all, kept], (ids, other)| [all + 1, kept + usize::from(ids == other)])
    }

    /// The ids of the contacts that name a crossing: both triangles, or one of its edges or an end of it that is inside; and how many
    /// of its edges no contact names.
    pub(crate) fn ids(&self, crossing: &Crossing) -> (Vec<u64>, usize) {
        if let Some(ids) = self.triangles.get(&crossing.elements) {
            return (ids.clone(), 0);
        }
        let (mut all, mut unnamed) = (Vec::new(), 0);
        for &(side, [from, to]) in &crossing.edges {
            let before = all.len();
            for ends in [[from, to], [from, from], [to, to]] {
                all.extend(self.edges.get(&(side, ends)).into_iter().flatten());
            }
            unnamed += usize::from(all.len() == before);
        }
        (all, unnamed)
    }
}
