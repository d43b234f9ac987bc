//! Expected results of the detectors of implicit bodies.

use super::expected::{Element, Expected};
use super::implicit::Placed;
use super::region::Region;
use super::sampled;
use super::solid::{core, two_sided};
use super::surface::Surface;
use super::volume::Volume;
use crate::{Case, Function, Shape};
use palpate_geometry::{ImplicitBody, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use std::any::Any;

/// An element whose minimum is lower than on the adjacent elements by less than this, relative to the case's size,
/// may or may not have its own contact.
const OF_ITS_OWN: f64 = 1e-8;

fn of_points(depth: f64) -> Expected {
    Expected { a: Element::Point, b: Element::Point, depth, ..Expected::default() }
}

/// The single contact of a body and a shape without elements, at the minimum over it, if known; otherwise at least
/// as deep as the `lowest` point found, to the resolution of grids. It is not optional if that is inside.
fn at_least(least: Option<f64>, lowest: impl FnOnce() -> f64, radius: f64, case: &Case) -> Vec<Expected> {
    let known = least.map(|least| of_points(radius - least));
    vec![known.unwrap_or_else(|| {
        let depth = radius - lowest() - case.depth_resolution();
        let optional = depth <= crate::laws::TRUTH * case.size();
        Expected { optional, ..Expected::unknown(Element::Point, Element::Point, depth) }
    })]
}

/// The lowest value found over a region.
fn lowest_over(body: &Placed<'_>, region: &Region<'_>, case: &Case) -> f64 {
    sampled::lowest(region, &|place| body.value(place).0, case)
}

/// By value and gradient at a point, with the element of the second side.
fn at_place(case: &Case, place: &Point, radius: f64, b: Element) -> Expected {
    let (value, gradient) = Placed::of(&case.a, case).value(place);
    let outward = gradient.normalize();
    let by_differences = holds_grid(&case.a);
    Expected {
        a: Element::Point,
        b,
        depth: radius - value,
        direction: (!by_differences).then_some(-outward),
        point_a: (!by_differences).then(|| place - outward * value),
        ..Expected::default()
    }
}

fn holds_grid(shape: &Shape) -> bool {
    matches!(shape, Shape::Implicit { function: Function::Grid { .. }, .. })
}

/// Whether a point is in the body's own box, grown by the range: nothing else is in contact. The box is input data
/// of the geometry, like vertices.
fn in_reach(case: &Case, radius: f64) -> impl Fn(&Point) -> bool {
    let bounds = case.a.prepared().bounds().grown(radius + case.margin);
    move |place| bounds.contains_point(place)
}

/// Each vertex.
pub(super) fn against_points(case: &Case) -> Vec<Expected> {
    let radius = case.b.thickness();
    let near = in_reach(case, radius);
    let vertices = (0..).zip(case.b.vertices()).filter(|(_, place)| near(place));
    vertices.map(|(vertex, place)| at_place(case, place, radius, Element::of([vertex]))).collect()
}

/// A ball by its centre.
pub(super) fn against_sphere(case: &Case) -> Vec<Expected> {
    let Shape::Sphere { center, radius } = &case.b else { return Vec::new() };
    if !in_reach(case, *radius)(center) {
        return Vec::new();
    }
    vec![at_place(case, center, *radius, Element::Point)]
}

/// A capsule by its axis.
pub(super) fn against_capsule(case: &Case) -> Vec<Expected> {
    over(case, &Region::Segment(core(&case.b)))
}

/// Any convex solid, its interior included.
pub(super) fn against_solid(case: &Case) -> Vec<Expected> {
    over(case, &Region::of(&case.b))
}

fn over(case: &Case, region: &Region<'_>) -> Vec<Expected> {
    let body = Placed::of(&case.a, case);
    at_least(body.least(region), || lowest_over(&body, region, case), case.b.rounding_radius(), case)
}

/// If one of two bodies is searched for the minimum of the other's function: whether it is this one.
pub(super) fn is_searched(case: &Case, shape: &Shape) -> bool {
    match case.detector {
        "implicit_convex" => std::ptr::eq(shape, &case.b),
        "implicit_implicit" => std::ptr::eq(shape, smaller(case)),
        _ => false,
    }
}

/// How far a point is from being in the searched body with the reported depth in the other. `place` excludes the
/// radius.
pub(super) fn off_deepest(case: &Case, place: &Point, depth: f64) -> f64 {
    let (searched, other) = match case.detector {
        "implicit_implicit" if std::ptr::eq(smaller(case), &case.a) => (&case.a, &case.b),
        _ => (&case.b, &case.a),
    };
    let value = Placed::of(other, case).value(place).0;
    let outside = match searched {
        Shape::Implicit { .. } => Placed::of(searched, case).value(place).0.max(0.0),
        solid => Region::of(solid).distance(place, case).unwrap_or(0.0),
    };
    outside.max((value + depth - searched.rounding_radius()).abs())
}

/// Difference between the value of the first body at a point and the reported one.
pub(super) fn off_value(case: &Case, place: &Point, value: f64) -> f64 {
    (Placed::of(&case.a, case).value(place).0 - value).abs()
}

/// Of two implicit bodies the one in the smaller box; ties go to the second.
fn smaller(case: &Case) -> &Shape {
    let diagonal = |shape: &Shape| {
        let Shape::Implicit { scale, function, .. } = shape else { return 0.0 };
        let bounds = function.build().expect("a valid function").sublevel_bounds(0.0);
        bounds.diagonal_length() * scale
    };
    if diagonal(&case.a) < diagonal(&case.b) { &case.a } else { &case.b }
}

/// Two implicit bodies: the smaller is convex, or a union.
pub(super) fn two_bodies(case: &Case) -> Vec<Expected> {
    let small = smaller(case);
    let large = if std::ptr::eq(small, &case.a) { &case.b } else { &case.a };
    let (large, small) = (Placed::of(large, case), Placed::of(small, case));
    at_least(least_within(&large, &small), || lowest_over(&large, &Region::Below(small), case), 0.0, case)
}

/// The minimum of one function over the region where another is zero or less.
fn least_within(large: &Placed<'_>, small: &Placed<'_>) -> Option<f64> {
    match small.function {
        Function::Union(parts) => {
            let of_parts = parts.iter().map(|part| least_within(large, &small.part(part)));
            of_parts.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
        }
        function if function.is_convex() => large.least(&Region::Below(*small)),
        _ => None,
    }
}

/// A plane: the lowest point, or the distance to the other side if that is shorter.
pub(super) fn against_plane(case: &Case) -> Vec<Expected> {
    let Shape::Plane { position, normal, .. } = &case.b else { return Vec::new() };
    let body = Placed::of(&case.a, case);
    let ways: &[f64] = if two_sided(&case.b, case) { &[1.0, -1.0] } else { &[1.0] };
    let depth_along = |sign: &f64| {
        let down = -normal.normalize() * *sign;
        body.farthest(&down).map(|reach| reach - position.coords.dot(&down))
    };
    let depths = ways.iter().map(depth_along).collect::<Option<Vec<f64>>>();
    let depth = depths.and_then(|depths| depths.into_iter().reduce(f64::min));
    let direction = (ways.len() == 1).then(|| normal.normalize());
    // The longer of two exits is not relevant.
    let lowest = || match ways {
        [_] => {
            sampled::lowest(&Region::Below(body), &|place| (place - position).dot(&normal.normalize()), case)
        }
        _ => f64::INFINITY,
    };
    at_least(depth.map(|depth| -depth), lowest, 0.0, case)
        .into_iter()
        .map(|expected| Expected { direction: direction.filter(|_| expected.is_known()), ..expected })
        .collect()
}

/// Vertices, then edges, then faces.
struct Elements {
    vertices: Vec<u32>,
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    radius: f64,
}

/// Segments.
pub(super) fn against_lines(case: &Case) -> Vec<Expected> {
    let Shape::LineMesh { cells, radius, .. } = &case.b else { return Vec::new() };
    let mut vertices: Vec<u32> = cells.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    against_elements(
        case,
        &Elements { vertices, edges: cells.clone(), triangles: Vec::new(), radius: *radius },
    )
}

/// A surface, or the boundary of a volume. Edge numbers are those of the geometry.
pub(super) fn against_surface(case: &Case) -> Vec<Expected> {
    let geometry = case.b.prepared();
    let any: &dyn Any = geometry.as_ref();
    let mesh = any.downcast_ref::<SurfaceMesh>();
    let mesh = mesh.or_else(|| any.downcast_ref::<TetraMesh>().and_then(TetraMesh::boundary));
    let mesh = mesh.expect("a surface or a volume");
    let mut vertices: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let (edges, triangles) = (mesh.adjacency().edges.clone(), mesh.triangles().to_vec());
    let radius = case.b.thickness();
    let mut contacts = against_elements(case, &Elements { vertices, edges, triangles, radius });
    let solid = Solid::of(case, mesh.triangles());
    if !solid.is_closed() {
        return contacts;
    }
    let pieces = pieces(case, &solid, &contacts);
    // Beside a piece that is inside, contacts of negative depth may be absent.
    contacts.iter_mut().filter(|contact| contact.depth < 0.0).for_each(|contact| contact.optional = true);
    contacts.extend(pieces);
    contacts
}

/// The inside of a closed surface, or of the tetrahedra.
enum Solid {
    Surface(Surface),
    Volume(Volume),
}

impl Solid {
    fn of(case: &Case, triangles: &[[u32; 3]]) -> Self {
        match &case.b {
            Shape::TetraMesh { .. } => Self::Volume(Volume::of(&case.b)),
            _ => Self::Surface(Surface::from_cells(case.b.vertices(), triangles, 0.0)),
        }
    }

    fn is_closed(&self) -> bool {
        match self {
            Self::Surface(surface) => surface.closed,
            Self::Volume(_) => true,
        }
    }

    /// Negative inside.
    fn distance(&self, place: &Point) -> f64 {
        let (surface, is_inside) = match self {
            Self::Surface(surface) => (surface, surface.holds(place)),
            Self::Volume(volume) => (&volume.boundary, volume.holds(place)),
        };
        let distance = surface.nearest(place).0.distance;
        if is_inside { -distance } else { distance }
    }
}

/// The deepest points of the body's pieces, all optional; but one must exist if sampling finds a point deeper than
/// all elements. The number of pieces is decided by the geometry.
fn pieces(case: &Case, solid: &Solid, elements: &[Expected]) -> Vec<Expected> {
    let geometry = case.a.prepared();
    let any: &dyn Any = geometry.as_ref();
    let count = any.downcast_ref::<ImplicitBody>().map_or(0, ImplicitBody::piece_count);
    let body = Placed::of(&case.a, case);
    let region = Region::Below(body);
    let lowest = sampled::lowest(&region, &|place| solid.distance(place), case);
    let known = elements.iter().map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max);
    let deeper = known.max(0.0) + 1e-8 * case.size();
    let all_known = elements.iter().all(Expected::is_known);
    let is_there = all_known && case.b.thickness() - lowest > deeper;
    let unknown = || Expected::unknown(Element::Point, Element::Any, f64::NEG_INFINITY);
    (0..count).map(|number| Expected { optional: number > 0 || !is_there, ..unknown() }).collect()
}

/// For the deepest piece of a body in a mesh: how far its point is from being in the body.
pub(super) fn off_body(case: &Case, shape: &Shape, place: &Point) -> f64 {
    Placed::of(shape, case).value(place).0.max(0.0)
}

fn against_elements(case: &Case, elements: &Elements) -> Vec<Expected> {
    let body = Placed::of(&case.a, case);
    let (radius, vertices) = (elements.radius, case.b.vertices());
    let near = in_reach(case, radius);
    let place = |id: u32| vertices[id as usize];
    let mut contacts: Vec<Expected> = elements
        .vertices
        .iter()
        .filter(|&&id| near(&place(id)))
        .map(|&id| at_place(case, &place(id), radius, Element::of([id])))
        .collect();
    let own = |b: Element, least: f64, around: f64| {
        let optional = around - least < OF_ITS_OWN * case.size();
        Expected { b, optional, ..of_points(radius - least) }
    };
    let mut of_edges = std::collections::HashMap::new();
    for &ids in &elements.edges {
        let ends = ids.map(place);
        let Some(least) = body.least(&Region::Segment(ends)) else {
            let reaches = body.value(&ends[0]).0 - (ends[1] - ends[0]).norm() <= radius + case.margin;
            let lowest =
                if reaches { lowest_over(&body, &Region::Segment(ends), case) } else { f64::INFINITY };
            contacts.push(Expected::unknown(Element::Point, Element::of(ids), radius - lowest));
            continue;
        };
        of_edges.insert([ids[0].min(ids[1]), ids[0].max(ids[1])], least);
        let around = ends.iter().map(|end| body.value(end).0).fold(f64::INFINITY, f64::min);
        contacts.push(own(Element::of(ids), least, around));
    }
    for &ids in &elements.triangles {
        let corners = ids.map(place);
        // Values change no faster than the point moves.
        let reach = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
        if body.value(&corners[0]).0 - reach > radius + case.margin + 1e-6 * case.size() {
            continue;
        }
        let of_edge = |from: u32, to: u32| of_edges.get(&[from.min(to), from.max(to)]);
        let [a, b, c] = ids;
        let of_sides: Option<Vec<&f64>> = [of_edge(a, b), of_edge(b, c), of_edge(c, a)].into_iter().collect();
        let (Some(of_sides), Some(least)) = (of_sides, body.least(&Region::Triangle(corners))) else {
            let lowest = lowest_over(&body, &Region::Triangle(corners), case);
            contacts.push(Expected::unknown(Element::Point, Element::of(ids), radius - lowest));
            continue;
        };
        let around = of_sides.into_iter().copied().fold(f64::INFINITY, f64::min);
        contacts.push(own(Element::of(ids), least, around));
    }
    contacts
}

/// The distance of a point from the surface of a body; zero if its function is not a distance.
pub(super) fn off_surface(shape: &Shape, place: &Point, case: &Case) -> f64 {
    let Shape::Implicit { function, .. } = shape else { return 0.0 };
    if function.is_distance() { Placed::of(shape, case).value(place).0.abs() } else { 0.0 }
}
