//! Threads, cloth and soft solids: a mesh, its masses, its internal constraints.

use super::tetrahedron::{Elasticity, Tetrahedron};
use palpate_geometry::{Geometry, GeometryError, LineMesh, PointSet, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use palpate_response::pbd::Distance;
use std::collections::BTreeMap;

/// Mass and stiffness of threads and cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Kilograms of every particle.
    pub mass: f64,
    /// Metres per newton, of an edge.
    pub stretch: f64,
    /// Metres per newton, between the ends of two edges of a thread, or across an edge of cloth.
    pub bend: f64,
}

/// A deformable body before it is added to a [`World`](super::World): its particles are the vertices of its mesh.
pub struct Deformable {
    /// The mesh that collides.
    pub geometry: Box<dyn Geometry>,
    /// At rest, metres.
    pub positions: Vec<Point>,
    /// Kilograms; infinite for a particle that is fixed.
    pub masses: Vec<f64>,
    pub(super) distances: Vec<Distance>,
    pub(super) tetrahedra: Vec<Tetrahedron>,
}

impl Deformable {
    /// A polyline with a radius in metres, straight or bent as given.
    pub fn thread(positions: Vec<Point>, radius: f64, material: Material) -> Result<Self, GeometryError> {
        let geometry = LineMesh::polyline(positions.clone())?.with_radius(radius)?;
        let stretch = (1..positions.len()).map(|k| ([k - 1, k], material.stretch));
        let bend = (2..positions.len()).map(|k| ([k - 2, k], material.bend));
        let distances = stretch
            .chain(bend)
            .map(|(ends, compliance)| Distance::new(ends, &positions, compliance))
            .collect();
        Ok(Self::of(Box::new(geometry), positions, material.mass, distances))
    }

    /// Triangles, thickened to both sides by a radius in metres.
    pub fn cloth(
        positions: Vec<Point>,
        triangles: Vec<[u32; 3]>,
        radius: f64,
        material: Material,
    ) -> Result<Self, GeometryError> {
        let mut opposite: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for &[a, b, c] in &triangles {
            for ([from, to], other) in [([a, b], c), ([b, c], a), ([c, a], b)] {
                opposite.entry([from.min(to), from.max(to)]).or_default().push(other);
            }
        }
        let stretch = opposite.keys().map(|&ends| (ends, material.stretch));
        let bend = opposite.values().filter_map(|others| match others[..] {
            [one, other] => Some(([one, other], material.bend)),
            _ => None,
        });
        let distances = stretch
            .chain(bend)
            .map(|(ends, compliance)| Distance::new(ends.map(|id| id as usize), &positions, compliance))
            .collect();
        let geometry = SurfaceMesh::new(positions.clone(), triangles)?.with_radius(radius)?;
        Ok(Self::of(Box::new(geometry), positions, material.mass, distances))
    }

    /// Balls of a radius in metres, each joined to all others: few of them make a stiff frame.
    pub fn frame(positions: Vec<Point>, radius: f64, material: Material) -> Result<Self, GeometryError> {
        let geometry = PointSet::new(positions.clone())?.with_radius(radius)?;
        let ends = (0..positions.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
        let distances = ends.map(|ends| Distance::new(ends, &positions, material.stretch)).collect();
        Ok(Self::of(Box::new(geometry), positions, material.mass, distances))
    }

    /// Elastic tetrahedra; density in kilograms per cubic metre. A tetrahedron without volume has no stiffness and no mass.
    pub fn solid(
        positions: Vec<Point>,
        cells: Vec<[u32; 4]>,
        density: f64,
        elasticity: Elasticity,
    ) -> Result<Self, GeometryError> {
        let geometry = TetraMesh::new(positions.clone(), cells.clone())?;
        let mut body = Self::of(Box::new(geometry), positions, 0.0, Vec::new());
        for cell in cells {
            let particles = cell.map(|id| id as usize);
            let [a, b, c, d] = particles.map(|particle| body.positions[particle]);
            let volume = (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0;
            particles.into_iter().for_each(|particle| body.masses[particle] += density * volume / 4.0);
            body.tetrahedra.extend(Tetrahedron::at_rest(particles, &body.positions, elasticity));
        }
        Ok(body)
    }

    fn of(geometry: Box<dyn Geometry>, positions: Vec<Point>, mass: f64, distances: Vec<Distance>) -> Self {
        let masses = vec![mass; positions.len()];
        Self { geometry, positions, masses, distances, tetrahedra: Vec::new() }
    }

    /// Fixes the particles whose place satisfies a condition.
    #[must_use]
    pub fn fixed_where(mut self, is_fixed: impl Fn(&Point) -> bool) -> Self {
        for (mass, place) in self.masses.iter_mut().zip(&self.positions) {
            if is_fixed(place) {
                *mass = f64::INFINITY;
            }
        }
        self
    }
}
