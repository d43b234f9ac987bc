//! rapier's soft contacts of a frame.
//!
//! A step of length zero applies the positions and updates the contacts, and skips the dynamics. The candidates of a pair of soft
//! surfaces and the pairs of elements that cross are public in the narrow phase (`ContactPair::soft`).

use super::Result;
use super::body::{Body, Kind};
use palpate::prelude::Point;
use rapier3d_f64::prelude as rapier;
use std::collections::{HashMap, HashSet};

/// A world of the two bodies.
pub(crate) struct Rapier {
    world: rapier::PhysicsWorld,
    bodies: [rapier::SoftBodyHandle; 2],
    colliders: [rapier::ColliderHandle; 2],
    /// From rapier's elements to ours.
    elements: [Vec<u32>; 2],
}

/// What rapier reports of a frame.
#[derive(Default)]
pub(crate) struct Reported {
    /// Pairs of elements listed as crossing; rapier lists no more than 256 in each of two passes.
    pub(crate) listed: HashSet<[u32; 2]>,
    /// Elements marked as crossing, without their partners.
    pub(crate) marked: [HashSet<u32>; 2],
    /// Vertices against elements and edges against edges within reach.
    pub(crate) candidates: usize,
}

pub(crate) fn vector(p: &Point) -> rapier::Vector {
    rapier::Vector::new(p.x, p.y, p.z)
}

/// A soft body of rapier's.
pub(crate) fn builder(body: &Body, positions: &[Point]) -> rapier::SoftBodyBuilder {
    let bare = rapier::SoftBodyBuilder::new(positions.iter().map(vector).collect());
    match body.kind {
        Kind::Thread => bare.wire(body.segments()),
        Kind::Block => bare.cells(body.cells.clone()),
        _ => bare.surface(body.elements.clone()),
    }
    .can_sleep(false)
}

impl Rapier {
    /// `reach`: how far apart elements still have a contact, metres.
    pub(crate) fn new(bodies: &[Body; 2], frame: &[Vec<Point>; 2], reach: f64) -> Result<Self> {
        let mut world = rapier::PhysicsWorld::default();
        world.integration_parameters.dt = 0.0;
        // A fiftieth of the reach is the prediction, the rest the skins of both.
        world.integration_parameters.length_unit =
            0.02 * reach / world.integration_parameters.normalized_prediction_distance;
        let handles = [0, 1].map(|side| {
            world.insert_soft_body(builder(&bodies[side], &frame[side]).particle_radius(0.49 * reach))
        });
        let mut colliders = Vec::new();
        let mut elements = Vec::new();
        for side in 0..2 {
            let soft = &world.soft_bodies[handles[side]];
            let mesh = soft.collision_mesh().ok_or("a soft body has no surface")?;
            colliders.push(mesh.collider());
            let bits = |p: rapier::Vector| [p.x, p.y, p.z].map(f64::to_bits);
            let ids: HashMap<_, u32> = (0..).zip(&frame[side]).map(|(id, p)| (bits(vector(p)), id)).collect();
            let sorted = |ids: &mut dyn Iterator<Item = u32>| {
                let mut ids: Vec<u32> = ids.collect();
                ids.sort_unstable();
                ids
            };
            let ours: HashMap<Vec<u32>, u32> = (0..bodies[side].elements.len() as u32)
                .map(|k| (sorted(&mut bodies[side].element(k).iter().copied()), k))
                .collect();
            let number = |k: usize| {
                let vertices = mesh.element(k).iter().map(|v| mesh.vertex(soft, *v as usize));
                ours.get(&sorted(&mut vertices.map(|p| ids[&bits(p)]))).copied().ok_or("an unknown element")
            };
            elements.push((0..mesh.indices().len()).map(number).collect::<std::result::Result<Vec<_>, _>>()?);
        }
        let elements: [Vec<u32>; 2] = elements.try_into().map_err(|_| "two bodies")?;
        Ok(Self { world, bodies: handles, colliders: [colliders[0], colliders[1]], elements })
    }

    /// Moves the vertices and detects.
    pub(crate) fn detect(&mut self, frame: &[Vec<Point>; 2]) {
        for (handle, positions) in self.bodies.into_iter().zip(frame) {
            let body = &mut self.world.soft_bodies[handle];
            positions.iter().enumerate().for_each(|(k, p)| body.set_particle_position(k, vector(p)));
        }
        self.world.step();
    }

    pub(crate) fn reported(&self) -> Reported {
        let mut reported = Reported::default();
        let pair = self.world.narrow_phase.contact_pair(self.colliders[0], self.colliders[1]);
        let Some(soft) = pair.and_then(rapier::ContactPair::soft) else { return reported };
        for pass in &soft.vertex_passes {
            let surface = usize::from(pass.surface != self.colliders[0]);
            let ours = |side: usize, element: u32| self.elements[side][element as usize];
            for &(on_surface, other) in &pass.cross_pairs {
                let mut pair = [ours(surface, on_surface), ours(1 - surface, other)];
                pair.rotate_left(surface);
                reported.listed.insert(pair);
            }
            let marks =
                [(surface, &pass.cross_tangled_elements), (1 - surface, &pass.cross_tangled_vb_elements)];
            for (side, marks) in marks {
                let marked = (0..).zip(marks).filter(|(_, is_marked)| **is_marked);
                reported.marked[side].extend(marked.map(|(element, _)| ours(side, element)));
            }
            reported.candidates += pass.candidates.len();
        }
        reported.candidates += soft.edges.as_ref().map_or(0, |edges| edges.candidates.len());
        reported
    }
}
