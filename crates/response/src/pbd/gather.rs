//! From the contacts of all pairs to rows.

use super::body::{Body, Positions};
use super::row::{Anchor, Entry, Link, Row};
use super::rows::Rows;
use crate::tangents::{tangents, transported};
use crate::{Material, ResponseError, RowKey};
use palpate_contact::{Contact, Feature, FeatureKind, PairContacts, Side};
use palpate_math::{Point, Vector};

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
        self.turn_over();
        for pair in pairs {
            let number = pair.pair_number();
            let gathered = material(&pair).checked(number).and_then(|material| {
                let bodies = [Side::A, Side::B].map(|side| body(pair.geometry(side)));
                let list = pair.contact_list();
                list.iter().try_for_each(|contact| self.add(number, contact, &bodies, &material, &positions))
            });
            if let Err(error) = gathered {
                self.rows.clear();
                self.entries.clear();
                self.links.clear();
                return Err(error);
            }
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
    ) -> Result<(), ResponseError> {
        let key = RowKey { pair, contact: contact.key() };
        let direction = Vector::from(contact.direction);
        let memory = self.previous.find(&key);
        let is_known = memory.is_some();
        let tangents = memory.map_or_else(
            || tangents(&direction),
            |memory| match memory.direction == direction {
                true => memory.tangents,
                false => transported(&direction, &memory.tangents),
            },
        );
        let (first_entry, first_link) = (self.entries.len(), self.links.len());
        let mut row = Row {
            key,
            direction,
            tangents,
            offset: 0.0,
            anchors: [Anchor::Particles; 2],
            first_entry: first_entry as u32,
            entry_count: 0,
            first_link: first_link as u32,
            link_count: 0,
            kinds: [FeatureKind::Point; 2],
            weights: [contact.a.weights, contact.b.weights],
            material: *material,
            softness: material.compliance / (self.step * self.step),
            step: self.step,
            multipliers: [0.0; 3],
            approach: f64::NAN,
            is_known,
            is_beyond: false,
        };
        for (side, feature) in [&contact.a, &contact.b].into_iter().enumerate() {
            let anchor = self.add_side(&mut row, side, feature, &bodies[side], positions);
            row.anchors[side] = anchor.map_err(|missing| missing.of_pair(pair))?;
        }
        row.entry_count = (self.entries.len() - first_entry) as u32;
        row.link_count = (self.links.len() - first_link) as u32;
        let distance = direction.dot(&row.between(&self.entries[first_entry..], positions));
        row.offset = distance + contact.depth + material.thickness;
        self.rows.push(row);
        Ok(())
    }

    /// Adds the entries of a side.
    fn add_side(
        &mut self,
        row: &mut Row,
        side: usize,
        feature: &Feature,
        body: &Body<'_>,
        positions: &Positions<'_>,
    ) -> Result<Anchor, Missing> {
        let count = positions.particles.len();
        let has_vertices = feature.vertex_count > 0;
        match *body {
            Body::Particles(first) if has_vertices => {
                row.kinds[side] = feature.feature_kind();
                for (k, (&vertex, &weight)) in
                    feature.vertex_ids().iter().zip(feature.vertex_weights()).enumerate()
                {
                    self.link(row, side, k, first + vertex as usize, weight, 1.0, count)?;
                }
                Ok(Anchor::Particles)
            }
            Body::Particle(particle) => {
                row.kinds[side] = FeatureKind::Vertex;
                row.weights[side] = [1.0, 0.0, 0.0, 0.0];
                self.link(row, side, 0, particle, 1.0, 1.0, count)?;
                Ok(Anchor::Particles)
            }
            Body::Mapped(mapping) if has_vertices => {
                row.kinds[side] = feature.feature_kind();
                for (k, (&vertex, &weight)) in
                    feature.vertex_ids().iter().zip(feature.vertex_weights()).enumerate()
                {
                    let vertex = vertex as usize;
                    if vertex >= mapping.len() {
                        return Err(Missing::Vertex { found: vertex, count: mapping.len() });
                    }
                    for (particle, share) in mapping.particles(vertex) {
                        self.link(row, side, k, particle as usize, weight, share, count)?;
                    }
                }
                Ok(Anchor::Particles)
            }
            Body::Rigid(index) => {
                let body = positions.bodies.get(index);
                let body = body.ok_or(Missing::Body { found: index, count: positions.bodies.len() })?;
                let local = body.pose.inverse_transform_point(&feature.surface_point());
                let direction = body.pose.rotation.inverse_transform_vector(&row.direction);
                Ok(Anchor::Rigid { body: index as u32, local, direction })
            }
            Body::Kinematic(motion) => Ok(fixed(feature, |point| motion.displacement_at(point, self.step))),
            Body::Static | Body::Particles(_) | Body::Mapped(_) => Ok(fixed(feature, |_| Vector::zeros())),
        }
    }

    /// Adds a vertex's share in a particle. A particle of several vertices, on one side or both, has one entry.
    #[expect(clippy::too_many_arguments, reason = "plain numbers of one loop")]
    #[inline]
    fn link(
        &mut self,
        row: &Row,
        side: usize,
        vertex: usize,
        particle: usize,
        weight: f64,
        coefficient: f64,
        count: usize,
    ) -> Result<(), Missing> {
        if particle >= count {
            return Err(Missing::Particle { found: particle, count });
        }
        let (first, particle) = (row.first_entry as usize, particle as u32);
        let weight = if side == 0 { weight * coefficient } else { -weight * coefficient };
        let present = self.entries[first..].iter().position(|entry| entry.particle == particle);
        let entry = present.unwrap_or(self.entries.len() - first);
        match present {
            Some(entry) => self.entries[first + entry].weight += weight,
            None => {
                let scale = row.material.inverse_mass_scale[side];
                self.entries.push(Entry { particle, weight, scale });
            }
        }
        self.links.push(Link { entry: entry as u16, slot: (4 * side + vertex) as u16, coefficient });
        Ok(())
    }
}

fn fixed(feature: &Feature, displacement: impl Fn(&Point) -> Vector) -> Anchor {
    let point = feature.surface_point();
    Anchor::Fixed { point, displacement: displacement(&point) }
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
