//! From the contacts of all pairs to rows.

use super::body::{Body, Positions};
use super::row::{Anchor, Entry, Link, Lists, Row, Terms};
use super::rows::Rows;
use crate::tangents::{tangents, transported};
use crate::{Material, ResponseError, RowKey};
use palpate_contact::{Contact, Feature, FeatureKind, PairContacts, Side};
use palpate_math::Vector;

impl Rows {
    /// Replaces the rows by those of the contacts of `pairs`: one row per contact, in their order. The multipliers of the
    /// present rows are kept for [`warm_start`](Self::warm_start).
    ///
    /// `positions` are those in which the contacts were found; a slice of particles if there are no rigid bodies. `body`
    /// says what a geometry moves with, `material` how the pair meets; both are called once per side and pair.
    ///
    /// A contact on a shape without vertices is fixed to the place where it was found if its side is
    /// [`Body::Particles`] or [`Body::Mapped`].
    ///
    /// Errors: a particle, body or mapped vertex that does not exist, a negative quantity of a material; there are then no
    /// rows. Cost: linear in the contacts, and no heap once the lists are long enough.
    pub fn gather<'p, 'm, P: PairContacts>(
        &mut self,
        pairs: impl IntoIterator<Item = P>,
        positions: impl Into<Positions<'p>>,
        mut body: impl FnMut(P::Geometry) -> Body<'m>,
        mut material: impl FnMut(&P) -> Material,
    ) -> Result<(), ResponseError> {
        let positions = positions.into();
        self.previous.turn_over(&mut self.rows);
        self.clear();
        for pair in pairs {
            if let Err(error) = self.gather_pair(&pair, &positions, &mut body, &mut material) {
                self.clear();
                return Err(error);
            }
        }
        Ok(())
    }

    fn gather_pair<'m, P: PairContacts>(
        &mut self,
        pair: &P,
        positions: &Positions<'_>,
        body: &mut impl FnMut(P::Geometry) -> Body<'m>,
        material: &mut impl FnMut(&P) -> Material,
    ) -> Result<(), ResponseError> {
        let number = pair.pair_number();
        let material = material(pair).checked(number)?;
        let bodies = [Side::A, Side::B].map(|side| body(pair.geometry(side)));
        let softness = material.compliance / (self.step * self.step);
        self.terms.push(Terms { material, softness, step: self.step });
        let contacts = pair.contact_list();
        self.rows.reserve(contacts.len());
        for contact in contacts {
            let added = self.add(number, contact, &bodies, &material, positions);
            added.map_err(|missing| missing.of_pair(number))?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        pair: u64,
        contact: &Contact,
        bodies: &[Body<'_>; 2],
        material: &Material,
        positions: &Positions<'_>,
    ) -> Result<(), Missing> {
        let key = RowKey { pair, contact: contact.key() };
        let direction = Vector::from(contact.direction);
        let (tangents, is_known) = match self.previous.find(&key) {
            Some(row) if row.direction == direction => (row.tangents, true),
            Some(row) => (transported(&direction, &row.tangents), true),
            None => (tangents(&direction), false),
        };
        let (first_entry, first_link) = (self.entries.len(), self.links.len());
        let first_anchor = self.anchors.len();
        let mut kinds = [FeatureKind::Point; 2];
        for (side, feature) in [&contact.a, &contact.b].into_iter().enumerate() {
            let scale = material.inverse_mass_scale[side];
            let count = positions.particles.len();
            let mut linked = LinkedSide {
                entries: &mut self.entries,
                links: &mut self.links,
                first: first_entry,
                side,
                scale,
                count,
            };
            let has_vertices = feature.vertex_count > 0;
            match &bodies[side] {
                Body::Particles(first) if has_vertices => {
                    kinds[side] = feature.feature_kind();
                    let vertices = feature.vertex_ids().iter().zip(feature.vertex_weights());
                    for (k, (&vertex, &weight)) in vertices.enumerate() {
                        linked.link(k, first + vertex as usize, weight, 1.0)?;
                    }
                }
                Body::Particle(particle) => {
                    kinds[side] = FeatureKind::Vertex;
                    linked.link(0, *particle, 1.0, 1.0)?;
                }
                Body::Mapped(mapping) if has_vertices => {
                    kinds[side] = feature.feature_kind();
                    let vertices = feature.vertex_ids().iter().zip(feature.vertex_weights());
                    for (k, (&vertex, &weight)) in vertices.enumerate() {
                        let vertex = vertex as usize;
                        if vertex >= mapping.len() {
                            return Err(Missing::Vertex { found: vertex, count: mapping.len() });
                        }
                        for (particle, share) in mapping.particles(vertex) {
                            linked.link(k, particle as usize, weight, share)?;
                        }
                    }
                }
                body => {
                    let anchor = anchor(side, feature, body, &direction, self.step, positions)?;
                    self.anchors.push(anchor);
                }
            }
        }
        let mut row = Row {
            key,
            direction,
            tangents,
            offset: 0.0,
            multipliers: [0.0; 3],
            approach: f64::NAN,
            first_entry: first_entry as u32,
            first_link: first_link as u32,
            first_anchor: first_anchor as u32,
            terms: self.terms.len() as u32 - 1,
            entry_count: (self.entries.len() - first_entry) as u16,
            link_count: (self.links.len() - first_link) as u16,
            anchor_count: (self.anchors.len() - first_anchor) as u16,
            kinds,
            is_known,
            is_beyond: false,
        };
        let lists = Lists { entries: &self.entries, anchors: &self.anchors, terms: &self.terms };
        let distance = direction.dot(&row.between(&lists.of(&row), positions));
        row.offset = distance + contact.depth + material.thickness;
        self.rows.push(row);
        Ok(())
    }
}

/// The entries and links of one side of a row.
struct LinkedSide<'a> {
    entries: &'a mut Vec<Entry>,
    links: &'a mut Vec<Link>,
    /// The row's first entry.
    first: usize,
    side: usize,
    scale: f64,
    /// The number of particles.
    count: usize,
}

impl LinkedSide<'_> {
    /// Adds a vertex's share in a particle. A particle of several vertices, on one side or both, has one entry.
    #[inline]
    fn link(&mut self, vertex: usize, particle: usize, weight: f64, share: f64) -> Result<(), Missing> {
        if particle >= self.count {
            return Err(Missing::Particle { found: particle, count: self.count });
        }
        let particle = particle as u32;
        let weight = if self.side == 0 { weight * share } else { -weight * share };
        let of_row = &mut self.entries[self.first..];
        let entry = of_row.iter().position(|entry| entry.particle == particle).unwrap_or(of_row.len());
        match of_row.get_mut(entry) {
            Some(present) => present.weight += weight,
            None => self.entries.push(Entry { particle, weight, scale: self.scale }),
        }
        let slot = (4 * self.side + vertex) as u16;
        self.links.push(Link { entry: entry as u16, slot, coefficient: share });
        Ok(())
    }
}

/// A side without particles.
fn anchor(
    side: usize,
    feature: &Feature,
    body: &Body<'_>,
    direction: &Vector,
    step: f64,
    positions: &Positions<'_>,
) -> Result<Anchor, Missing> {
    let point = feature.surface_point();
    let displacement = match body {
        Body::Rigid(index) => {
            let body = positions.bodies.get(*index);
            let body = body.ok_or(Missing::Body { found: *index, count: positions.bodies.len() })?;
            let local = body.pose.inverse_transform_point(&point);
            let direction = body.pose.rotation.inverse_transform_vector(direction);
            return Ok(Anchor::Rigid { side, body: *index as u32, local, direction });
        }
        Body::Kinematic(motion) => motion.displacement_at(&point, step),
        _ => Vector::zeros(),
    };
    Ok(Anchor::Fixed { side, point, displacement })
}

/// What a side refers to and does not exist.
enum Missing {
    Particle { found: usize, count: usize },
    Body { found: usize, count: usize },
    Vertex { found: usize, count: usize },
}

impl Missing {
    fn of_pair(self, pair: u64) -> ResponseError {
        match self {
            Self::Particle { found, count } => ResponseError::UnknownParticle { pair, found, count },
            Self::Body { found, count } => ResponseError::UnknownBody { pair, found, count },
            Self::Vertex { found, count } => ResponseError::UnmappedVertex { pair, found, count },
        }
    }
}
