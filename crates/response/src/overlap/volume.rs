//! The volume that two closed meshes share, and its gradient.

use crate::ResponseError;
use nalgebra::{Isometry3, center};
use palpate_geometry::{Geometry, GeometryError, Needs, TypedGeometry, signed_distance};
use palpate_math::triangle::{area_vector, longest_edge_squared};
use palpate_math::{Aabb, Point, Vector};

/// The volume that two bodies share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Cubic metres; 0 if the bodies do not overlap.
    pub volume: f64,
    /// Square metres, world frame: how fast the volume grows when A is shifted; when B is shifted, the negative.
    pub gradient: Vector,
    /// A point of the line on which the gradient acts, within the box that both share.
    pub point: Point,
    /// The boxes of both bodies, world frame.
    pub bounds: [Aabb; 2],
}

/// The surface of a body in the world.
struct Surface<'a> {
    geometry: &'a dyn Geometry,
    positions: &'a [Point],
    triangles: &'a [[u32; 3]],
    frame: Isometry3<f64>,
    bounds: Aabb,
}

/// Integrals over a part of a surface, with moments about a point.
#[derive(Clone, Copy, Default)]
struct Integrals {
    /// Of the outward normal.
    normal: Vector,
    /// Of the lever times the normal.
    moment: Vector,
    /// Of the lever dot the normal: three times a volume.
    flux: f64,
}

impl Integrals {
    fn add(&mut self, [a, b, c]: [&Point; 3], about: &Point) {
        let area = area_vector(a, b, c) * 0.5;
        let lever = (a.coords + b.coords + c.coords) / 3.0 - about.coords;
        self.normal += area;
        self.moment += lever.cross(&area);
        self.flux += lever.dot(&area);
    }

    fn scaled(&self, factor: f64) -> Self {
        Self { normal: self.normal * factor, moment: self.moment * factor, flux: self.flux * factor }
    }
}

impl<'a> Surface<'a> {
    fn new(geometry: &'a dyn Geometry) -> Result<Self, ResponseError> {
        let (positions, triangles) = match TypedGeometry::of(geometry) {
            TypedGeometry::SurfaceMesh(mesh) => (mesh.points().positions(), mesh.triangles()),
            TypedGeometry::TetraMesh(mesh) => (mesh.points().positions(), mesh.boundary_triangles()),
            _ => return Err(ResponseError::NoOverlap { kind: geometry.kind() }),
        };
        let frame = geometry.placement().unwrap_or_else(Isometry3::identity);
        let used = triangles.iter().filter(|ids| ids[0] != u32::MAX).flatten();
        let bounds = Aabb::from_points(used.map(|id| frame * positions[*id as usize]));
        Ok(Self { geometry, positions, triangles, frame, bounds })
    }

    fn corners(&self, ids: &[u32; 3]) -> [Point; 3] {
        ids.map(|id| self.frame * self.positions[id as usize])
    }

    fn present(&self) -> impl Iterator<Item = &'a [u32; 3]> {
        self.triangles.iter().filter(|ids| ids[0] != u32::MAX)
    }

    /// 1 if the triangles wind outward, else -1.
    fn side(&self) -> f64 {
        let about = self.bounds.center();
        let mut all = Integrals::default();
        self.present().for_each(|ids| all.add(self.corners(ids).each_ref(), &about));
        if all.flux < 0.0 { -1.0 } else { 1.0 }
    }

    /// The integrals over the part that is inside another body; `within` is the box that both share.
    fn inside(&self, other: &Self, within: &Aabb) -> Result<Integrals, GeometryError> {
        let (about, mut sum) = (within.center(), Integrals::default());
        let mut heights = vec![f64::NAN; self.positions.len()];
        for ids in self.present() {
            let corners = self.corners(ids);
            if !Aabb::from_points(corners).overlaps(within) {
                continue;
            }
            let mut distances = [0.0; 3];
            for ((distance, id), corner) in distances.iter_mut().zip(ids).zip(&corners) {
                let known = &mut heights[*id as usize];
                if known.is_nan() {
                    *known = signed_distance(other.geometry, corner)?.signed.distance;
                }
                *distance = *known;
            }
            let part = Part { corners, distances };
            part.add(&mut sum, &about, other.geometry, FINE * within.diagonal_length(), DIVISIONS)?;
        }
        Ok(sum.scaled(self.side()))
    }
}

/// Triangles whose edges are longer than this part of the diagonal of the shared box, and of which a part may be inside, are divided.
const FINE: f64 = 0.1;

/// Divisions of a triangle, each into four.
const DIVISIONS: u32 = 6;

/// A part of a triangle, and the signed distances of its corners from the other body.
struct Part {
    corners: [Point; 3],
    distances: [f64; 3],
}

impl Part {
    fn add(
        &self,
        sum: &mut Integrals,
        about: &Point,
        other: &dyn Geometry,
        fine: f64,
        divisions: u32,
    ) -> Result<(), GeometryError> {
        let [a, b, c] = &self.corners;
        let longest = longest_edge_squared(a, b, c).sqrt();
        // No point of it is farther from a corner.
        if self.distances.iter().any(|distance| *distance > longest) {
            return Ok(());
        }
        if longest <= fine || divisions == 0 || self.distances.iter().any(|distance| *distance < -longest) {
            add_inside(sum, &self.corners, &self.distances, about);
            return Ok(());
        }
        let middles = [center(a, b), center(b, c), center(c, a)];
        let mut inner = [0.0; 3];
        for (distance, middle) in inner.iter_mut().zip(&middles) {
            *distance = signed_distance(other, middle)?.signed.distance;
        }
        for k in 0..3 {
            let before = (k + 2) % 3;
            let corners = [self.corners[k], middles[k], middles[before]];
            let distances = [self.distances[k], inner[k], inner[before]];
            Self { corners, distances }.add(sum, about, other, fine, divisions - 1)?;
        }
        Self { corners: middles, distances: inner }.add(sum, about, other, fine, divisions - 1)
    }
}

/// Adds the part of a triangle where the distance, linear between its corners, is negative.
fn add_inside(sum: &mut Integrals, corners: &[Point; 3], distances: &[f64; 3], about: &Point) {
    // Of the two sides one has at most one corner.
    let inside = distances.map(|distance| distance < 0.0);
    let count = inside.iter().filter(|is| **is).count();
    if count == 0 {
        return;
    }
    let [a, b, c] = corners;
    if count == 3 {
        return sum.add([a, b, c], about);
    }
    let alone = (0..3).find(|k| inside[*k] == (count == 1)).unwrap_or(0);
    let [next, last] = [(alone + 1) % 3, (alone + 2) % 3];
    let cut = |to: usize| {
        let share = distances[alone] / (distances[alone] - distances[to]);
        corners[alone] + (corners[to] - corners[alone]) * share
    };
    let (first, second) = (cut(next), cut(last));
    if count == 1 {
        sum.add([&corners[alone], &first, &second], about);
    } else {
        sum.add([&first, &corners[next], &corners[last]], about);
        sum.add([&first, &corners[last], &second], about);
    }
}

/// The volume that two closed surfaces, or the boundaries of two tetrahedral meshes, share; `None` if their boxes are apart. Radii
/// are left out.
///
/// Triangles across the other surface, divided until they are no longer than a tenth of the shared box, are clipped where the signed
/// distance is 0, linear between corners. Errors: another kind; a surface that is not closed. Cost: a signed distance per vertex in the
/// box that both share, and per vertex of divided triangles; a mesh that is not prepared for them is copied first.
pub fn overlap(a: &dyn Geometry, b: &dyn Geometry) -> Result<Option<Overlap>, ResponseError> {
    let [copy_a, copy_b] = [prepared(a), prepared(b)];
    let [a, b] = [copy_a.as_deref().unwrap_or(a), copy_b.as_deref().unwrap_or(b)];
    let [first, second] = [Surface::new(a)?, Surface::new(b)?];
    let within = first.bounds.intersection(&second.bounds);
    if within.is_empty() {
        return Ok(None);
    }
    let refused = |of: &Surface<'_>| ResponseError::NoOverlap { kind: of.geometry.kind() };
    let of_a = first.inside(&second, &within).map_err(|_| refused(&second))?;
    let of_b = second.inside(&first, &within).map_err(|_| refused(&first))?;
    // Over the closed boundary of what both share the integrals of normal and moment are zero: those of the two parts are
    // opposite but for errors, and their mean has less.
    let gradient = (of_a.normal - of_b.normal) * 0.5;
    let moment = (of_a.moment - of_b.moment) * 0.5;
    let square = gradient.norm_squared();
    let lever = if square > 0.0 { gradient.cross(&moment) / square } else { Vector::zeros() };
    let point = (within.center() + lever).coords.sup(&within.min.coords).inf(&within.max.coords);
    let volume = ((of_a.flux + of_b.flux) / 3.0).max(0.0);
    Ok(Some(Overlap { volume, gradient, point: point.into(), bounds: [first.bounds, second.bounds] }))
}

/// A copy with what signed distances need; `None` for a geometry that has it.
fn prepared(geometry: &dyn Geometry) -> Option<Box<dyn Geometry>> {
    let needs = Needs::NORMALS | Needs::TREE | Needs::BOUNDARY;
    if geometry.is_prepared(needs) {
        return None;
    }
    let mut copy = geometry.try_clone()?;
    copy.prepare(needs);
    Some(copy)
}
