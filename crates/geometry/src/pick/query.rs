//! Ray casts against geometries of any kind.

use super::bare_triangles::Triangles;
use super::distance_field::{Field, convex_span, march};
use super::hit::{Crossing, Hit, WITHIN_ROUNDING, hits_of};
use super::{Ray, round_cells, solid};
use crate::{
    Compound, Convex, Geometry, GeometryError, GeometryKind, Needs, Plane, SurfaceMesh, TetraMesh,
    TypedGeometry,
};
use palpate_contact::{Feature, NONE};
use palpate_implicit::ImplicitFunction;
use palpate_math::direction::unit_or;
use palpate_math::{Aabb, Point, Vector};

/// Returns the first hit of the ray (world frame) on the surface of a geometry, where a scene has
/// [placed](Geometry::placement) it. From inside a solid that is the exit. Errors and cost: as [`all_hits`]; a tree makes it
/// logarithmic in the number of triangles.
pub fn first_hit(geometry: &dyn Geometry, ray: &Ray) -> Result<Option<Hit>, GeometryError> {
    let Some(pose) = geometry.placement() else { return first_own_hit(geometry, ray) };
    Ok(first_own_hit(geometry, &ray.moved(&pose.inverse()))?.map(|hit| hit.moved(&pose)))
}

/// Returns the first hit on a surface without its thickness, in the coordinates of the surface. No heap.
#[doc(hidden)]
pub fn first_own_triangle_hit(surface: &SurfaceMesh, ray: &Ray) -> Option<Hit> {
    bare(surface).first_hit(ray, |triangle| triangle)
}

/// The first hit in the coordinates of the geometry.
fn first_own_hit(geometry: &dyn Geometry, ray: &Ray) -> Result<Option<Hit>, GeometryError> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::SurfaceMesh(mesh) if mesh.radius() == 0.0 => {
            return Ok(first_own_triangle_hit(mesh, ray));
        }
        TypedGeometry::TetraMesh(mesh) => {
            let cells = mesh.boundary_cells();
            return Ok(boundary(mesh).first_hit(ray, |triangle| cells[triangle as usize]));
        }
        _ => {}
    }
    let mut hits = Vec::new();
    gather(geometry, ray, true, &mut hits)?;
    Ok(hits.into_iter().next())
}

/// Returns every hit of the ray (world frame) on the surface of a geometry, where a scene has [placed](Geometry::placement)
/// it, in order of distance.
///
/// - Solids are hit at the entry and the exit; a half-space once, a two-sided plane as a sheet whose front faces the
///   origin.
/// - Bare surfaces are hit at every triangle, edges and vertices once: watertight, decided exactly. The same holds for
///   the boundary of a tetrahedral mesh, whose hits name the tetrahedra.
/// - Points and threads with a radius are the union of their balls and capsules; bare ones are never hit.
/// - Surfaces with a thickness, rounded hulls and implicit bodies are hit by stepping along their distance: a
///   part thinner than 1e-6 of the ray within their box may be missed.
/// - Every child of a compound is hit on its own, also inside another; hits name the child; equally distant ones
///   are ordered by child.
///
/// Errors: a kind without a surface or a distance, an implicit function that only has a sign, an infinite ray against
/// an unbounded implicit body.
pub fn all_hits(geometry: &dyn Geometry, ray: &Ray) -> Result<Vec<Hit>, GeometryError> {
    let mut hits = Vec::new();
    let Some(pose) = geometry.placement() else {
        gather(geometry, ray, false, &mut hits)?;
        return Ok(hits);
    };
    gather(geometry, &ray.moved(&pose.inverse()), false, &mut hits)?;
    Ok(hits.into_iter().map(|hit| hit.moved(&pose)).collect())
}

fn gather(
    geometry: &dyn Geometry,
    ray: &Ray,
    first_only: bool,
    out: &mut Vec<Hit>,
) -> Result<(), GeometryError> {
    let span = match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => return children(compound, ray, first_only, out),
        TypedGeometry::SurfaceMesh(mesh) => return surface(mesh, ray, first_only, out),
        TypedGeometry::TetraMesh(mesh) => {
            let cells = mesh.boundary_cells();
            triangles_of(&boundary(mesh), ray, first_only, |triangle| cells[triangle as usize], out);
            return Ok(());
        }
        TypedGeometry::LineMesh(mesh) => {
            round_cells::lines(ray, mesh, out);
            return Ok(());
        }
        TypedGeometry::PointSet(points) => {
            round_cells::points(ray, points, out);
            return Ok(());
        }
        TypedGeometry::Plane(plane) => {
            out.extend(half_space(plane, ray));
            return Ok(());
        }
        TypedGeometry::Convex(body) => {
            hull(body, ray, first_only, out);
            return Ok(());
        }
        TypedGeometry::Sphere(body) => solid::sphere(ray, body),
        TypedGeometry::Capsule(body) => solid::capsule(ray, body),
        TypedGeometry::Cylinder(body) => solid::cylinder(ray, body),
        TypedGeometry::OrientedBox(body) => solid::oriented_box(ray, body),
        TypedGeometry::Ellipsoid(body) => solid::ellipsoid(ray, body),
        TypedGeometry::Cone(body) => solid::cone(ray, body),
        // Implicit bodies, user-defined types, and shapes without a formula here.
        _ => {
            let solid = geometry.as_implicit();
            let solid = solid.ok_or_else(|| without_surface(geometry.kind()))?;
            let steepness = solid.lipschitz().filter(|steepness| *steepness > 0.0);
            let steepness = steepness.ok_or_else(|| without_surface(geometry.kind()))?;
            return march(ray, &geometry.bounds(), &Function(solid), steepness, first_only, out);
        }
    };
    if let Some(span) = span {
        let numbered = |point: Point| {
            let number = geometry.as_implicit().map_or(NONE, |solid| solid.signed_distance(&point).feature);
            Feature::numbered(number, point)
        };
        out.extend(hits_of(ray, span, numbered));
    }
    Ok(())
}

/// Returns the hits of all children, with their child. With `first_only` children whose box starts behind the best hit
/// are culled.
fn children(
    compound: &Compound,
    ray: &Ray,
    first_only: bool,
    out: &mut Vec<Hit>,
) -> Result<(), GeometryError> {
    let begin = |child: &dyn Geometry| ray.within(&child.bounds()).map_or(f64::INFINITY, |[enter, _]| enter);
    let mut in_order: Vec<_> =
        compound.children().map(|(number, child)| (begin(child), number, child)).collect();
    in_order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut best = f64::INFINITY;
    for (begin, number, child) in in_order {
        if first_only && begin > best * WITHIN_ROUNDING {
            break;
        }
        let before = out.len();
        gather(child, ray, first_only, out)?;
        out[before..].iter_mut().for_each(|hit| hit.feature.child = number);
        best = out.get(before).map_or(best, |hit| best.min(hit.distance));
    }
    // The sort is stable: the hits of one child stay in order.
    out.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.feature.child.cmp(&b.feature.child)));
    Ok(())
}

fn without_surface(kind: GeometryKind) -> GeometryError {
    GeometryError::Unsupported { kind, wanted: "a kind that a ray can meet: with cells, or with a distance" }
}

fn half_space(plane: &Plane, ray: &Ray) -> Option<Hit> {
    let (height, along) = (plane.height(&ray.origin()), ray.direction().dot(&plane.normal()));
    // A ray in the plane touches it at its origin.
    let distance = if height == 0.0 { 0.0 } else { -height / along };
    if !(0.0..=ray.length()).contains(&distance) || !distance.is_finite() {
        return None;
    }
    let behind = if height == 0.0 { along > 0.0 } else { height < 0.0 };
    let turned = plane.two_sided() && behind;
    let normal = if turned { -plane.normal() } else { plane.normal() };
    let crossing = match normal.dot(&ray.direction()) {
        0.0 => Crossing::Graze,
        along if along < 0.0 => Crossing::Enter,
        _ => Crossing::Leave,
    };
    Some(Hit { distance, normal, crossing, feature: Feature::point(ray.at(distance)) })
}

fn hull(body: &Convex, ray: &Ray, first_only: bool, out: &mut Vec<Hit>) {
    let bounds = bounds_now(body);
    if body.radius() > 0.0 {
        let field = Function(body);
        if let Some(span) = convex_span(ray, &bounds, &field) {
            out.extend(hits_of(ray, span, |point| field.feature(point)));
        }
        return;
    }
    let positions: Vec<Point> =
        body.hull().points().iter().map(|point| body.pose() * Point::from(*point)).collect();
    let triangles = body.hull().triangles();
    let all = Triangles { positions: &positions, triangles, tree: None, bounds, inward: false };
    triangles_of(&all, ray, first_only, |triangle| triangle, out);
}

/// Returns the box of a hull at its current pose, without the previous one.
fn bounds_now(body: &Convex) -> Aabb {
    let points = body.hull().points().iter().map(|point| body.pose() * Point::from(*point));
    Aabb::from_points(points).grown(body.radius())
}

fn surface(mesh: &SurfaceMesh, ray: &Ray, first_only: bool, out: &mut Vec<Hit>) -> Result<(), GeometryError> {
    if mesh.radius() == 0.0 {
        triangles_of(&bare(mesh), ray, first_only, |triangle| triangle, out);
        return Ok(());
    }
    let needs = Needs::TREE | Needs::NORMALS;
    let bounds = surface_bounds(mesh).grown(mesh.radius());
    if mesh.is_prepared(needs) {
        return march(ray, &bounds, &Thick(mesh), 1.0, first_only, out);
    }
    let mut own = mesh.clone();
    own.prepare(needs);
    march(ray, &bounds, &Thick(&own), 1.0, first_only, out)
}

fn surface_bounds(mesh: &SurfaceMesh) -> Aabb {
    mesh.tree().map_or_else(|| Aabb::from_points(mesh.points().positions()), |tree| tree.bounds())
}

/// Returns the triangles of a surface without thickness.
fn bare(mesh: &SurfaceMesh) -> Triangles<'_> {
    Triangles {
        positions: mesh.points().positions(),
        triangles: mesh.triangles(),
        tree: mesh.tree(),
        bounds: surface_bounds(mesh),
        inward: mesh.winds_inward(),
    }
}

/// Returns the triangles of the boundary.
fn boundary(mesh: &TetraMesh) -> Triangles<'_> {
    let positions = mesh.points().positions();
    let tree = mesh.boundary().and_then(SurfaceMesh::tree);
    let bounds = tree.map_or_else(|| Aabb::from_points(positions), |tree| tree.bounds());
    // Oriented outward by the initial volumes of the cells.
    Triangles { positions, triangles: mesh.boundary_triangles(), tree, bounds, inward: false }
}

/// Appends the hits of triangles.
fn triangles_of(
    all: &Triangles<'_>,
    ray: &Ray,
    first_only: bool,
    cell_of: impl Fn(u32) -> u32,
    out: &mut Vec<Hit>,
) {
    if first_only {
        out.extend(all.first_hit(ray, cell_of));
    } else {
        all.hits(ray, cell_of, out);
    }
}

/// An implicit function with a Lipschitz bound.
struct Function<'a>(&'a dyn ImplicitFunction);

impl Field for Function<'_> {
    fn value(&self, point: &Point) -> f64 {
        self.0.sample(point).value
    }

    fn outward(&self, point: &Point) -> Vector {
        unit_or(&self.0.sample(point).gradient, &Vector::y())
    }

    fn feature(&self, point: Point) -> Feature {
        Feature::numbered(self.0.sample(&point).feature, point)
    }
}

/// A surface with a thickness: a solid if it is closed, else a sheet.
struct Thick<'a>(&'a SurfaceMesh);

impl Thick<'_> {
    fn signed(&self, point: &Point) -> Option<(crate::SignedDistance, crate::SurfaceNearest)> {
        let (mut signed, nearest) = self.0.signed_distance(point, f64::INFINITY)?;
        if !self.0.is_closed() && signed.distance < 0.0 {
            signed.distance = -signed.distance;
            signed.gradient = -signed.gradient;
        }
        Some((signed, nearest))
    }
}

impl Field for Thick<'_> {
    fn value(&self, point: &Point) -> f64 {
        self.signed(point).map_or(f64::INFINITY, |(signed, _)| signed.distance - self.0.radius())
    }

    fn outward(&self, point: &Point) -> Vector {
        self.signed(point).map_or_else(Vector::y, |(signed, _)| signed.gradient)
    }

    fn feature(&self, point: Point) -> Feature {
        self.signed(&point)
            .map_or_else(|| Feature::point(point), |(_, nearest)| self.0.contact_feature(&nearest, point))
    }
}
