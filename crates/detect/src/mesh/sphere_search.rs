//! Contacts of a sphere with a mesh; the kernel finds a triangle's closest point to the centre.

use crate::Context;
use crate::contact_ids::{id_of, id_of_first, surface_part};
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::vertex_surface::square_above;
use crate::mesh::volume::way_out;
use crate::mesh::{
    Candidates, ElementFilter, Kernel, MeshSide, ReportedFeatures, VoidedFeatures, faces_away, is_hidden,
    pushed_outward,
};
use crate::room;
use crate::rounded_contact::rounded_contact;
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_convex::Memory;
use palpate_geometry::{Sphere, SurfaceFeature, SurfaceMesh, SurfaceNearest, TetraMesh};
use palpate_math::{Point, Vector, barycentric, separation};

/// A triangle's closest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearTriangle {
    triangle: u32,
    nearest: SurfaceNearest,
}

/// The triangle kernel.
struct FromCenter<'a> {
    surface: &'a SurfaceMesh,
    center: Point,
    /// The square of the contact distance: all triangles of an element within it are candidates, and no others can
    /// void it.
    far: f64,
    /// The part of the mesh to skip.
    left_out: Option<u32>,
}

impl Kernel for FromCenter<'_> {
    type Found = NearTriangle;

    const CHUNK: usize = 256;

    #[inline]
    fn triangle(&self, triangle: u32, _memory: &mut Memory<Vector>) -> Option<NearTriangle> {
        let is_left_out =
            self.left_out.is_some_and(|part| self.surface.adjacency().part_of(triangle) == part);
        if is_left_out {
            return None;
        }
        let nearest = self.surface.nearest_on(triangle, &self.center);
        let in_reach = (nearest.point - self.center).norm_squared() <= self.far;
        in_reach.then_some(NearTriangle { triangle, nearest })
    }
}

/// The search and its reusable memory.
#[derive(Default)]
pub(crate) struct SphereSearch {
    candidates: Candidates<NearTriangle>,
    voided: VoidedFeatures,
    seen: ReportedFeatures,
}

impl SphereSearch {
    /// Appends the contacts of the pair: first that of a mesh containing the centre, then the others in triangle
    /// order.
    pub(crate) fn run(
        &mut self,
        mesh: &MeshSide<'_>,
        sphere: &Sphere,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        room::open(&mut out.contacts);
        let MeshSide { surface, volume, sidedness, filter } = *mesh;
        let held = match (volume, sidedness) {
            (Some(volume), _) => inside_cells(volume, surface, sphere),
            (None, SurfaceSidedness::Front) => behind(surface, sphere),
            (None, _) => inside(surface, sphere),
        };
        if sidedness == SurfaceSidedness::Sheet && volume.is_none() || held.is_none() {
            let before = out.len();
            self.find(surface, sphere, context, filter, None, out);
            if let Some(contact) = held {
                pushed_outward(before, contact, &mut out.contacts);
            }
            return;
        }
        room::extend(&mut out.contacts, held);
        if mesh.is_solid() && !surface.adjacency().parts.is_empty() {
            let nearest = surface.nearest(&sphere.center(), f64::INFINITY);
            let part = nearest.map(|nearest| surface.adjacency().part_of(surface.owner(nearest.feature)));
            self.find(surface, sphere, context, filter, part, out);
        }
    }

    /// Finds the contacts with nearby elements for a sphere whose centre is outside, except those of the skipped
    /// part.
    fn find(
        &mut self,
        surface: &SurfaceMesh,
        sphere: &Sphere,
        context: &Context<'_>,
        filter: ElementFilter,
        left_out: Option<u32>,
        out: &mut CollisionData,
    ) {
        let center = sphere.center();
        let reach = sphere.radius() + surface.radius() + context.margin();
        let kernel = FromCenter { surface, center, far: square_above(reach), left_out };
        self.candidates.find_in_ball(surface, (&center, reach), &kernel, context.executor());
        self.seen.clear();
        self.voided.clear();
        self.seen.make_room(self.candidates.found.capacity());
        self.voided.make_room(self.candidates.found.capacity());
        let kept = if filter.outer { self.void(surface, &center, filter) } else { None };
        for NearTriangle { nearest, .. } in &self.candidates.found {
            let feature = nearest.feature;
            let voided = filter.outer && kept != Some(feature) && self.voided.is_voided(feature);
            let hidden = filter.facing && is_hidden(surface, nearest, &center);
            if !self.seen.first(feature) || hidden || voided {
                continue;
            }
            let fallback = || -surface.outward(feature);
            let balls = rounded_contact(&nearest.point, surface.radius(), &center, sphere.radius(), fallback);
            if context.reports(balls.depth) {
                let a = surface.contact_feature(nearest, balls.point_a);
                let b = Feature::point(balls.point_b);
                let id = id_of_first(surface_part(feature));
                room::push(&mut out.contacts, Contact::exact(a, b, balls.direction, balls.depth, id));
            }
        }
    }

    /// Voids the elements that have a nearer triangle; returns the closest accepted element, which is never voided.
    fn void(
        &mut self,
        surface: &SurfaceMesh,
        center: &Point,
        filter: ElementFilter,
    ) -> Option<SurfaceFeature> {
        let mut best: Option<(f64, SurfaceFeature)> = None;
        for NearTriangle { triangle, nearest } in &self.candidates.found {
            self.voided.note(surface, *triangle, |feature| feature == nearest.feature);
            let distance_squared = (nearest.point - center).norm_squared();
            let nearer = best.is_none_or(|(least, _)| distance_squared < least);
            if nearer && !(filter.facing && is_hidden(surface, nearest, center)) {
                best = Some((distance_squared, nearest.feature));
            }
        }
        best.map(|(_, feature)| feature)
    }
}

/// Returns the single contact of a closed surface that contains the centre.
fn inside(surface: &SurfaceMesh, sphere: &Sphere) -> Option<Contact> {
    let center = sphere.center();
    if !surface.is_closed() || !surface.tree()?.bounds().contains_point(&center) {
        return None;
    }
    let (signed, nearest) = surface.signed_distance(&center, f64::INFINITY)?;
    let held = signed.distance < 0.0;
    held.then(|| pushed_through(surface, sphere, &nearest, signed.gradient, -signed.distance))
}

/// Returns the single contact of a tetrahedral mesh that contains the centre.
fn inside_cells(mesh: &TetraMesh, boundary: &SurfaceMesh, sphere: &Sphere) -> Option<Contact> {
    let center = sphere.center();
    let cell = mesh.holding_cell(&center)?;
    let nearest = boundary.nearest(&center, f64::INFINITY)?;
    let weights = barycentric::tetrahedron(&center, mesh.corners(cell).each_ref())?;
    let (outward, distance) = way_out(boundary, &center, &nearest);
    let a = Feature::tetrahedron(mesh.cells()[cell as usize], weights, cell, nearest.point);
    let b = Feature::point(center - outward * sphere.radius());
    let id = id_of(IdPart::Tetrahedron(cell), IdPart::Inside(0));
    Some(Contact::exact(a, b, -outward, sphere.radius() + distance, id))
}

/// Returns the single contact of a sheet with a front that the sphere touches from behind.
fn behind(surface: &SurfaceMesh, sphere: &Sphere) -> Option<Contact> {
    let center = sphere.center();
    let reach = sphere.radius() + surface.radius();
    let nearest = surface.nearest(&center, square_above(reach))?;
    let (outward, distance) = separation::between(&center, &nearest.point);
    if distance > reach || !faces_away(surface, &nearest, &center) {
        return None;
    }
    let outward = outward.unwrap_or_else(|| surface.outward(nearest.feature));
    Some(pushed_through(surface, sphere, &nearest, outward, distance))
}

/// Returns the contact of a sphere whose centre is below the surface: it is pushed out through the closest surface
/// point.
fn pushed_through(
    surface: &SurfaceMesh,
    sphere: &Sphere,
    nearest: &SurfaceNearest,
    outward: Vector,
    below: f64,
) -> Contact {
    let on_surface = surface.contact_feature(nearest, nearest.point + outward * surface.radius());
    let on_sphere = Feature::point(sphere.center() - outward * sphere.radius());
    let depth = sphere.radius() + surface.radius() + below;
    Contact::exact(on_surface, on_sphere, -outward, depth, id_of_first(surface_part(nearest.feature)))
}
