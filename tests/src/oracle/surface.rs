//! Surfaces: closest points by trying every triangle, inside and outside by solid angle.

use super::axis_ends::{
    EndAbove, drop_known, ends_above, manifold_asked, may_lie_along, soften, unknown_borders,
};
use super::distance::{OnTriangle, Part, on_triangle, segment_on_triangle};
use super::expected::{Element, Expected};
use super::farthest::{Triangle, farthest, place};
use super::front::{self, Taken, pushed_to_the_front, taken};
use super::lines::first_of_each;
use super::sheet_exit::{Way, least_exit};
use super::solid::core;
use crate::{Case, Shape};
use palpate_math::{Point, Vector};
use std::collections::HashMap;

/// Whether every edge has two triangles that traverse it in opposite directions.
pub fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut runs: HashMap<[u32; 2], usize> = HashMap::new();
    for ids in triangles {
        for side in 0..3 {
            *runs.entry([ids[side], ids[(side + 1) % 3]]).or_default() += 1;
        }
    }
    !runs.is_empty()
        && runs.iter().all(|([from, to], &count)| count == 1 && runs.get(&[*to, *from]) == Some(&1))
}

/// Rounding distance of a point on a surface, relative to the coordinates.
const ON_THE_SURFACE: f64 = 1e-13;

/// A surface as the oracle represents it.
#[derive(Clone)]
pub(super) struct Surface {
    pub(super) triangles: Vec<Triangle>,
    pub(super) closed: bool,
    /// The triangles that have a vertex.
    around: HashMap<u32, Vec<usize>>,
    /// The largest coordinate.
    size: f64,
    /// Minus one if the triangles wind inward.
    sign: f64,
    pub(super) thickness: f64,
}

impl Surface {
    pub(super) fn of(shape: &Shape) -> Self {
        let Shape::SurfaceMesh { vertices, cells, radius } = shape else {
            unreachable!("{} is no surface", shape.kind())
        };
        Self::from_cells(vertices, cells, *radius)
    }

    pub(super) fn from_cells(vertices: &[Point], cells: &[[u32; 3]], thickness: f64) -> Self {
        let triangles: Vec<_> = cells.iter().map(|&ids| (ids, ids.map(|id| vertices[id as usize]))).collect();
        let closed = is_closed(cells);
        let mut around: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, ids) in cells.iter().enumerate() {
            ids.iter().for_each(|id| around.entry(*id).or_default().push(index));
        }
        around.values_mut().for_each(Vec::dedup);
        let corners = triangles.iter().flat_map(|(_, corners)| corners);
        let size = corners.fold(0.0_f64, |size, corner| size.max(corner.coords.amax()));
        let mut surface = Self { triangles, closed, around, size, sign: 1.0, thickness };
        // Far from the origin, sums of areas are inaccurate; use the volume: the mean height times the area.
        let volume: f64 = surface
            .triangles
            .iter()
            .map(|(_, [a, b, c])| {
                let origin = surface.triangles[0].1[0];
                nalgebra::Matrix3::from_columns(&[a - origin, b - origin, c - origin]).determinant()
            })
            .sum();
        if closed && volume < 0.0 {
            surface.sign = -1.0;
        }
        surface
    }

    /// The closest point of the whole surface, and its element.
    pub(super) fn nearest(&self, point: &Point) -> (OnTriangle, Element) {
        let each = self.triangles.iter().map(|(ids, corners)| (on_triangle(point, corners), ids));
        let nearest = each.reduce(|x, y| if y.0.distance < x.0.distance { y } else { x });
        let (place, ids) = nearest.expect("a surface has triangles");
        let element = element(ids, &place.part);
        (place, element)
    }

    /// The winding number of the surface around the point (Van Oosterom and Strackee 1983): one inside, zero
    /// outside.
    fn winding(&self, point: &Point) -> f64 {
        let solid_angle = |(_, corners): &([u32; 3], [Point; 3])| {
            let [a, b, c] = corners.map(|corner| corner - point);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let top = a.dot(&b.cross(&c));
            let bottom = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * top.atan2(bottom)
        };
        self.triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }

    pub(super) fn holds(&self, point: &Point) -> bool {
        self.closed && self.winding(point).abs() > 0.5
    }

    /// Where a segment may pass from inside to outside, its ends included: wherever it meets a triangle, also
    /// through an edge, where rounding may miss both triangles.
    pub(super) fn breaks(&self, segment: &[Point; 2]) -> Vec<f64> {
        let near = |(_, corners): &Triangle| {
            let nearest = segment_on_triangle(segment, corners);
            (nearest.pierced || nearest.distance <= ON_THE_SURFACE * self.size).then_some(nearest.t)
        };
        let mut breaks: Vec<f64> =
            [0.0, 1.0].into_iter().chain(self.triangles.iter().filter_map(near)).collect();
        breaks.sort_by(f64::total_cmp);
        breaks
    }

    /// The intervals between the breaks of a segment that are inside.
    pub(super) fn held_stretches(&self, segment: &[Point; 2]) -> Vec<[f64; 2]> {
        let breaks = self.breaks(segment);
        let stretches = breaks.windows(2).map(|ends| [ends[0], ends[1]]).filter(|[from, to]| to > from);
        // A segment of zero length is a point.
        let whole = (segment[0] == segment[1]).then_some([0.0, 1.0]);
        whole.into_iter().chain(stretches).filter(|ends| self.holds_stretch(segment, *ends)).collect()
    }

    /// Whether an interval of a segment between two breaks is inside: decided at one of its points off the surface,
    /// since solid angles are undefined on it.
    fn holds_stretch(&self, segment: &[Point; 2], [from, to]: [f64; 2]) -> bool {
        let places = [0.5, 0.31, 0.73].map(|share| place(segment, from + share * (to - from)));
        let is_clear = |place: &Point| self.nearest(place).0.distance > ON_THE_SURFACE * self.size;
        places.into_iter().find(is_clear).is_some_and(|place| self.holds(&place))
    }

    /// The sum of the normals of the triangles that have the element, weighted with their angles at a vertex.
    pub(super) fn pseudonormal(&self, element: &Element) -> Vector {
        let Element::Of(wanted) = element else { return Vector::zeros() };
        let mut sum = Vector::zeros();
        for &index in wanted.first().and_then(|id| self.around.get(id)).into_iter().flatten() {
            let (ids, [a, b, c]) = &self.triangles[index];
            // A degenerate triangle has no normal.
            if !wanted.iter().all(|id| ids.contains(id)) || front::is_flat(&[*a, *b, *c]) {
                continue;
            }
            let corners = [a, b, c];
            let normal = (b - a).cross(&(c - a)).normalize() * self.sign;
            let weight = if let [vertex] = wanted.as_slice() {
                let at = ids.iter().position(|id| id == vertex).expect("the triangle has the vertex");
                (corners[(at + 1) % 3] - corners[at]).angle(&(corners[(at + 2) % 3] - corners[at]))
            } else {
                1.0
            };
            sum += normal * weight;
        }
        sum
    }

    /// The unit normal of a triangle, outward.
    pub(super) fn outward(&self, [a, b, c]: &[Point; 3]) -> Vector {
        (b - a).cross(&(c - a)).normalize() * self.sign
    }

    pub(super) fn faces_away(&self, element: &Element, place: &Point, point: &Point) -> bool {
        (point - place).dot(&self.pseudonormal(element)) < 0.0
    }
}

fn element(ids: &[u32; 3], part: &Part) -> Element {
    Element::of(part.0.iter().map(|&corner| ids[corner]))
}

/// Each vertex by its signed distance.
fn vertices_in(case: &Case, points: &Shape, surface: &Surface) -> Vec<Expected> {
    let reach = points.thickness() + surface.thickness;
    let contact = |(vertex, point): (usize, &Point)| {
        let (nearest, b) = surface.nearest(point);
        let inside = match taken(case, surface.closed) {
            Taken::Solid => surface.holds(point),
            Taken::Front => {
                nearest.distance <= reach + case.margin
                    && surface.hides(Taken::Front, &b, &nearest.place, point)
            }
            Taken::Sheet => surface.holds(point) && nearest.distance > reach,
        };
        let inward = if inside { -1.0 } else { 1.0 };
        let outward = (point - nearest.place) * (inward / nearest.distance);
        Expected {
            a: Element::of([vertex as u32]),
            b,
            depth: reach - inward * nearest.distance,
            direction: Some(outward),
            point_a: Some(point - outward * points.thickness()),
            ..Expected::default()
        }
    };
    points.vertices().iter().enumerate().map(contact).collect()
}

/// Vertices against a surface.
pub(super) fn points_against_surface(case: &Case) -> Vec<Expected> {
    vertices_in(case, &case.a, &Surface::of(&case.b))
}

/// Vertices of the first in the second, then those of the second in the first.
pub(super) fn two_surfaces(case: &Case) -> Vec<Expected> {
    let whose = case.settings.as_ref().and_then(|settings| settings["vertices"].as_str()).unwrap_or("both");
    let mut contacts = Vec::new();
    if whose != "second" {
        contacts = vertices_in(case, &case.a, &Surface::of(&case.b));
    }
    if whose != "first" {
        contacts.extend(vertices_in(case, &case.b, &Surface::of(&case.a)).into_iter().map(exchanged));
    }
    contacts
}

pub(super) fn exchanged(contact: Expected) -> Expected {
    let direction = contact.direction.map(|direction| -direction);
    Expected { a: contact.b, b: contact.a, direction, point_a: None, ..contact }
}

/// Whether edges and vertices between closer triangles are ignored.
pub(super) fn internal_ignored(case: &Case, closed: bool) -> bool {
    match case.settings.as_ref().and_then(|settings| settings["internal_edges"].as_str()) {
        Some("ignore") => true,
        Some("keep") => false,
        // A one-sided sheet on which bodies with faces rest.
        _ => closed || case.detector == "surface_mesh_convex" && case.has_front_asked(),
    }
}

/// The closest element of each triangle to a body, with its distance: an element is internal if an adjacent
/// triangle has a closer one.
/// triangle that has it is nearer by another.
pub(super) struct Nearest(pub(super) Vec<([u32; 3], Element, f64)>);

impl Nearest {
    pub(super) fn is_internal(&self, wanted: &Element) -> bool {
        let least = self.0.iter().map(|(_, _, distance)| *distance).fold(f64::INFINITY, f64::min);
        let nearest_of_all = self.0.iter().find(|(_, _, distance)| *distance == least);
        nearest_of_all.is_none_or(|(_, element, _)| element != wanted) && self.has_another(wanted)
    }

    /// Whether an adjacent triangle has another closest element.
    pub(super) fn has_another(&self, wanted: &Element) -> bool {
        let Element::Of(wanted_ids) = wanted else { return false };
        let has = |ids: &[u32; 3]| wanted_ids.iter().all(|id| ids.contains(id));
        self.0.iter().any(|(ids, element, _)| has(ids) && element != wanted)
    }
}

/// A surface against a ball.
pub(super) fn against_sphere(case: &Case) -> Vec<Expected> {
    surface_and_ball(case, &Surface::of(&case.a))
}

pub(super) fn surface_and_ball(case: &Case, surface: &Surface) -> Vec<Expected> {
    let Shape::Sphere { center, radius } = &case.b else { return Vec::new() };
    let held = surface.holds(center);
    let inside = || {
        let (nearest, a) = surface.nearest(center);
        let inward = (center - nearest.place) / nearest.distance;
        Expected {
            a,
            b: Element::Point,
            depth: radius + surface.thickness + nearest.distance,
            // The ball is pushed along the vector to the surface; A in the opposite direction.
            direction: Some(inward),
            point_a: Some(nearest.place - inward * surface.thickness),
            ..Expected::default()
        }
    };
    let taken = taken(case, surface.closed);
    if held && taken == Taken::Solid {
        return vec![inside()];
    }
    let radii = [surface.thickness, *radius];
    let nearest: Vec<_> = surface
        .triangles
        .iter()
        .map(|(ids, corners)| {
            let nearest = on_triangle(center, corners);
            (ids, element(ids, &nearest.part), [nearest.place, *center])
        })
        .collect();
    if taken == Taken::Front
        && let Some((_, element, depth, outward)) =
            pushed_to_the_front(surface, nearest.iter().cloned(), &[*center], radii)
    {
        return vec![front::expected([element, Element::Point], depth, -outward)];
    }
    let hides = |element: &Element, places: &[Point; 2]| surface.hides(taken, element, &places[0], center);
    let each = nearest.iter().map(|(ids, element, places)| {
        let hidden = hides(element, places);
        (**ids, element.clone(), if hidden { f64::INFINITY } else { (places[0] - places[1]).norm() })
    });
    let all = Nearest(each.collect());
    let mut contacts = Vec::new();
    for (_, element, places) in nearest {
        let internal = internal_ignored(case, surface.closed) && all.is_internal(&element);
        if !internal && !hides(&element, &places) {
            contacts.push(Expected::of_cores([element, Element::Point], places, radii));
        }
    }
    let verge = crate::laws::TRUTH * case.size();
    if held && contacts.iter().all(|contact| contact.depth < -verge) {
        return vec![inside()];
    }
    first_of_each(contacts)
}

/// A surface against a convex body.
pub(super) fn against_convex(case: &Case) -> Vec<Expected> {
    let surface = Surface::of(&case.a);
    super::surface_convex::against_body(case, &surface, |point| surface.holds(point))
}

/// A surface against a capsule.
pub(super) fn against_capsule(case: &Case) -> Vec<Expected> {
    let surface = Surface::of(&case.a);
    let held = deepest_inside(&surface, &core(&case.b));
    let solid = taken(case, surface.closed) == Taken::Solid;
    let held = if solid { exit_as_a_whole(case, &surface, held) } else { held };
    surface_and_capsule(case, &surface, held)
}

/// The exit of the deepest point of the axis, or that of the whole axis through a triangle that it pierces if that is longer;
/// with the elements.
fn exit_as_a_whole(
    case: &Case,
    surface: &Surface,
    held: Option<(f64, Vec<Element>)>,
) -> Option<(f64, Vec<Element>)> {
    let (axis, verge) = (core(&case.b), crate::laws::TRUTH * case.size());
    let pierced = |index: &usize| segment_on_triangle(&axis, &surface.triangles[*index].1).pierced;
    let exits = (0..surface.triangles.len()).filter(pierced);
    let exits = exits.map(|index| least_exit(surface, &axis, index, [true; 2], verge));
    let longest = exits.max_by(|x, y| x.0.total_cmp(&y.0));
    match (held, longest) {
        (Some(held), Some((longest, ways))) if held.0 < longest - verge => {
            let element = |way: Way| match way {
                Way::Over(ids, _) => Element::of(ids),
                Way::End(_, ids) => Element::of(ids),
            };
            Some((longest, ways.into_iter().map(element).collect()))
        }
        (held, _) => held,
    }
}

/// `held` is the exit of an axis partly inside, with the elements through which it may leave.
pub(super) fn surface_and_capsule(
    case: &Case,
    surface: &Surface,
    held: Option<(f64, Vec<Element>)>,
) -> Vec<Expected> {
    let axis = core(&case.b);
    let radii = [surface.thickness, case.b.rounding_radius()];
    let taken = taken(case, surface.closed);
    let solid = taken == Taken::Solid;
    let deepest = held.as_ref().map(|(depth, _)| Expected {
        a: Element::Any,
        b: Element::Point,
        depth: radii[0] + radii[1] + depth,
        direction: None,
        point_a: None,
        ..Expected::default()
    });
    let each: Vec<_> = surface
        .triangles
        .iter()
        .map(|(ids, corners)| {
            let nearest = segment_on_triangle(&axis, corners);
            let element = element(ids, &nearest.part);
            let hidden = surface.hides(taken, &element, &nearest.on_triangle, &nearest.on_segment);
            (ids, corners, nearest, element, hidden)
        })
        .collect();
    if taken == Taken::Front && !each.iter().any(|(_, _, nearest, ..)| nearest.pierced) {
        let places = each.iter().map(|(ids, _, nearest, element, _)| {
            (*ids, element.clone(), [nearest.on_triangle, nearest.on_segment])
        });
        if let Some((_, element, depth, outward)) = pushed_to_the_front(surface, places, &axis, radii) {
            return vec![front::expected([element, Element::Point], depth, -outward)];
        }
    }
    let distances = each.iter().map(|(ids, _, nearest, element, hidden)| {
        (**ids, element.clone(), if *hidden { f64::INFINITY } else { nearest.distance })
    });
    let all = Nearest(distances.collect());
    let through = |corners: &[Point; 3], pierced: bool| pierced && !solid && !front::is_flat(corners);
    let lies = manifold_asked(case)
        && !(solid && held.is_some())
        && !each.iter().any(|(_, corners, nearest, ..)| through(corners, nearest.pierced));
    let mut contacts = Vec::new();
    for (index, (ids, corners, nearest, element, hidden)) in each.into_iter().enumerate() {
        if nearest.pierced && !solid {
            let through = pierced(taken, ids, corners, &axis, radii);
            contacts.extend(sheet_exits(case, surface, taken, &axis, index, radii, through));
            continue;
        }
        // A pierced solid contains part of the axis, unless it is flat.
        if nearest.pierced && held.is_some() {
            continue;
        }
        let beside = surface.nearest(&nearest.on_segment).0.distance;
        let verge = 1e-12 * case.size();
        let not_nearest = solid && held.is_some() && nearest.distance > beside + verge;
        let internal = internal_ignored(case, surface.closed) && all.is_internal(&element);
        // The element through which the deepest point leaves has no contact of its own. Which of several equally
        // close ones that is, is up to the detector.
        let ways = held.as_ref().filter(|_| solid).map_or(&[][..], |(_, ways)| ways);
        let taken_by_held = ways.contains(&element);
        // A face that the axis pierces has a contact, wherever the ends are.
        let is_face = !nearest.pierced && matches!(&element, Element::Of(ids) if ids.len() == 3);
        let near_place = nearest.on_segment;
        if !(hidden || internal || not_nearest || taken_by_held && ways.len() == 1 || lies && is_face) {
            let cores = [nearest.on_triangle, nearest.on_segment];
            let contact = Expected::of_cores([element, Element::Point], cores, radii);
            contacts.push(Expected { optional: taken_by_held, ..contact });
        }
        if lies {
            if may_lie_along(&axis, corners) {
                contacts.extend(unknown_borders(ids, |element| vec![[element, Element::Point]]));
            }
            contacts.extend(over_face(
                surface,
                taken,
                (ids, corners, is_face.then_some(near_place)),
                &axis,
                radii,
            ));
        }
    }
    let mut contacts = each_once(deepest_of_each(contacts, crate::laws::TRUTH * case.size()));
    if lies {
        let lying: Vec<_> =
            surface.triangles.iter().filter(|(_, corners)| may_lie_along(&axis, corners)).collect();
        soften(&mut contacts, &lying, |contact| &contact.a);
        drop_known(&mut contacts);
    }
    let verge = crate::laws::TRUTH * case.size();
    let in_margin = |contact: &Expected| !contact.is_known() || contact.depth < -verge;
    match deepest {
        Some(deepest) if solid => std::iter::once(deepest).chain(contacts).collect(),
        Some(deepest) if contacts.iter().all(in_margin) => vec![deepest],
        _ => contacts,
    }
}

/// The contacts of the axis' ends above a face that faces them.
fn over_face(
    surface: &Surface,
    taken: Taken,
    (ids, corners, nearest): (&[u32; 3], &[Point; 3], Option<Point>),
    axis: &[Point; 2],
    radii: [f64; 2],
) -> Vec<Expected> {
    let face = Element::of(*ids);
    let faces = |above: &EndAbove| !surface.hides(taken, &face, &above.foot, &axis[above.end]);
    let contact = |above: EndAbove| Expected {
        a: face.clone(),
        b: Element::Point,
        depth: radii[0] + radii[1] - above.height,
        direction: Some(-above.normal),
        point_a: Some(above.foot + above.normal * radii[0]),
        ..Expected::default()
    };
    ends_above(axis, corners, nearest).into_iter().filter(faces).map(contact).collect()
}

/// Removes the contacts of elements that surely have a deeper one.
fn deepest_of_each(contacts: Vec<Expected>, verge: f64) -> Vec<Expected> {
    let all = contacts.clone();
    let is_deepest = |contact: &Expected| {
        let same = all.iter().filter(|other| other.is_known() && other.a == contact.a && !other.optional);
        !contact.is_known()
            || same.fold(f64::MIN, |most, other| most.max(other.depth)) <= contact.depth + verge
    };
    let is_face = |contact: &Expected| matches!(&contact.a, Element::Of(ids) if ids.len() == 3);
    contacts.into_iter().filter(|contact| is_face(contact) || is_deepest(contact)).collect()
}

/// Keeps the first contact of every edge and vertex; a face may have one for each end of an axis.
fn each_once(contacts: Vec<Expected>) -> Vec<Expected> {
    let mut seen: Vec<Element> = Vec::new();
    let mut is_new = |contact: &Expected| {
        let is_face = matches!(&contact.a, Element::Of(ids) if ids.len() == 3);
        if is_face || !contact.is_known() {
            return true;
        }
        let new = !seen.contains(&contact.a);
        seen.push(contact.a.clone());
        new
    };
    contacts.into_iter().filter(|contact| is_new(contact)).collect()
}

/// A sheet's triangle that the axis pierces: out along its normal, to the front if it has one, otherwise to the
/// closer side.
fn pierced(
    taken: Taken,
    ids: &[u32; 3],
    corners: &[Point; 3],
    axis: &[Point; 2],
    radii: [f64; 2],
) -> Expected {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
    let heights = axis.map(|end| (end - corners[0]).dot(&normal));
    let (up, down) = (-heights[0].min(heights[1]), heights[0].max(heights[1]));
    let back = taken == Taken::Sheet && down < up;
    let (way, outward) = if back { (down, -normal) } else { (up, normal) };
    let (a, b) = (Element::of(*ids), Element::Point);
    let depth = radii[0] + radii[1] + way;
    Expected { a, b, depth, direction: Some(-outward), ..Expected::default() }
}

/// The exit of an axis through a triangle: along the triangle's normal, unless an end of it or a border is nearer.
fn sheet_exits(
    case: &Case,
    surface: &Surface,
    taken: Taken,
    axis: &[Point; 2],
    triangle: usize,
    radii: [f64; 2],
    through: Expected,
) -> Vec<Expected> {
    let verge = crate::laws::TRUTH * case.size();
    let corners = &surface.triangles[triangle].1;
    let (exit, ways) = exit_of(surface, taken, axis, triangle, verge);
    let plane = through.depth - radii[0] - radii[1];
    let expected = |way: &Way| {
        let a = match way {
            Way::Over(ids, _) => Element::of(*ids),
            Way::End(_, ids) => Element::of(ids.iter().copied()),
        };
        Expected { a, depth: radii[0] + radii[1] + exit, direction: None, ..through.clone() }
    };
    let along_normal = (exit - plane).abs() <= verge || front::is_flat(corners);
    one_of(&through, along_normal, &ways, expected)
}

/// The contacts of an exit by any of the ways, and of the one along the triangle's normal if it is as near: of several, to
/// rounding, one is reported.
pub(super) fn one_of(
    through: &Expected,
    along_normal: bool,
    ways: &[Way],
    expected: impl Fn(&Way) -> Expected,
) -> Vec<Expected> {
    let mut contacts: Vec<Expected> = if along_normal {
        let over = ways.iter().filter(|way| matches!(way, Way::Over(..)));
        std::iter::once(through.clone()).chain(over.map(expected)).collect()
    } else {
        ways.iter().map(expected).collect()
    };
    let several = contacts.len() > 1;
    contacts.iter_mut().for_each(|contact| contact.optional = several);
    contacts
}

/// The least exit of a segment through a triangle of a sheet, and its ways.
pub(super) fn exit_of(
    surface: &Surface,
    taken: Taken,
    ends: &[Point; 2],
    triangle: usize,
    verge: f64,
) -> (f64, Vec<Way>) {
    let normal = surface.outward(&surface.triangles[triangle].1);
    let [start, end] = ends.map(|end| end.coords.dot(&normal));
    let may_exit = [0, 1].map(|k| taken == Taken::Sheet || (k == 1) == (end < start));
    least_exit(surface, ends, triangle, may_exit, verge)
}

/// The greatest distance from the surface of the points of the segment inside it, and the elements at that
/// distance.
pub(super) fn deepest_inside(surface: &Surface, segment: &[Point; 2]) -> Option<(f64, Vec<Element>)> {
    let stretches = surface.held_stretches(segment).into_iter();
    let each = stretches.map(|ends| farthest(&surface.triangles, segment, ends));
    let (t, most) = each.reduce(|x, y| if y.1 > x.1 { y } else { x })?;
    if most == 0.0 {
        return None;
    }
    let ways = surface.triangles.iter().filter_map(|(ids, corners)| {
        let nearest = on_triangle(&place(segment, t), corners);
        (nearest.distance <= most * (1.0 + 1e-6)).then(|| element(ids, &nearest.part))
    });
    let mut ways: Vec<Element> = ways.collect();
    ways.dedup();
    Some((most, ways))
}
