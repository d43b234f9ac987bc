//! The points of a manifold, judged by the two support faces: found by trying all triples of corners, clipped by
//! trying all corners and all pairs of sides, reduced by trying all quadruples.

use super::axis_ends;
use crate::laws::solids::Solid;
use crate::{Case, Shape};
use palpate_contact::{CollisionData, Contact, ContactId, IdPart};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// The least cosine between a direction and the normal of a hull's support face.
const STEEPEST: f64 = 0.25;

/// The largest sine of the slope of a support edge.
const STEEPEST_EDGE: f64 = 0.95;

/// If the slopes of two faces differ by less than this, either may be the support face.
const ALIKE: f64 = 1e-6;

/// Corners whose height is below the highest by more than the first and less than the second of these fractions of
/// a hull's size may or may not count as support points.
const LEVEL: [f64; 2] = [1e-13, 1e-8];

/// Position tolerance, relative to the size of the case.
const PLACE: f64 = 1e-8;

/// How much smaller than the largest the area of four points may be, relative to it.
const AREA: f64 = 1e-6;

/// The corners of a support face in order, two for a line, or none; or an ambiguous face.
pub(super) enum Face {
    Of(Vec<Vector>),
    Open,
}

/// A point shared by both faces.
struct Candidate {
    on_a: Vector,
    depth: f64,
    /// Whether it exists independently of rounding.
    sure: bool,
}

/// Whether the contacts are the points of the manifold, assuming that the first one's depth and direction are
/// right. Every contact has the direction of the first; the others are sorted by id.
pub fn judge(case: &Case, found: &CollisionData, tolerance: f64) -> Result<(), String> {
    let contacts = &found.contacts;
    let Some(first) = contacts.first() else { return Ok(()) };
    let verge = tolerance * case.size();
    for (index, contact) in contacts.iter().enumerate().skip(1) {
        if contact.direction != first.direction {
            return Err(format!("contact {index} has a direction of its own"));
        }
        if contact.depth > first.depth + verge {
            return Err(format!("contact {index} is deeper than the first"));
        }
        if index > 1 && rank(contact) <= rank(&contacts[index - 1]) {
            return Err(format!("contact {index} is out of order"));
        }
    }
    let direction = Vector::from(first.direction);
    let (Face::Of(a), Face::Of(b)) = (face(&case.a, &-direction), face(&case.b, &direction)) else {
        return Ok(());
    };
    let mut candidates = match &case.a {
        Shape::Plane { position, .. } => over_plane(position, &b, &direction),
        _ => shared(&a, &b, &direction, verge),
    };
    let radii = case.a.rounding_radius() + case.b.rounding_radius();
    for candidate in &mut candidates {
        candidate.depth += radii;
        candidate.sure &=
            (candidate.depth + case.margin).abs() > verge && is_in_both(case, candidate, &direction);
    }
    candidates.retain(|candidate| candidate.depth >= -case.margin - verge);
    compare(case, contacts, &candidates, verge)
}

/// Corners of A's face come before those of B's, and these before crossings of sides.
fn rank(contact: &Contact) -> (u32, u32, u32) {
    match ContactId::parts(contact.id) {
        [IdPart::Corner(a), _] => (1, a, 0),
        [_, IdPart::Corner(b)] => (2, 0, b),
        [IdPart::Side(a), IdPart::Side(b)] => (3, a, b),
        _ => (0, 0, 0),
    }
}

/// Whether some point of a candidate's segment is in both bodies, as required; by their signed distances, which are
/// convex along it.
fn is_in_both(case: &Case, candidate: &Candidate, direction: &Vector) -> bool {
    if candidate.depth <= 0.0 || matches!(case.a, Shape::Plane { .. }) {
        return true;
    }
    let from = candidate.on_a - direction * case.a.rounding_radius();
    let solids = [Solid::new(&case.a), Solid::new(&case.b)];
    let off = |t: f64| {
        let place = Point::from(from + direction * (candidate.depth * t));
        solids[0].signed(&place).max(solids[1].signed(&place))
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (x, y) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if off(x) < off(y) { high = y } else { low = x }
    }
    off(0.0).min(off(1.0)).min(off(0.5 * (low + high))) <= 0.0
}

fn compare(case: &Case, contacts: &[Contact], candidates: &[Candidate], verge: f64) -> Result<(), String> {
    let first = &contacts[0];
    let direction = Vector::from(first.direction);
    let deepest =
        (0..candidates.len()).reduce(|x, y| if candidates[y].depth > candidates[x].depth { y } else { x });
    let sure = candidates.iter().filter(|candidate| candidate.sure).count();
    let (least, most) = (sure.clamp(1, 4), candidates.len().clamp(1, 4));
    if contacts.len() < least || contacts.len() > most {
        return Err(format!("{} points, wanted {least} to {most}", contacts.len()));
    }
    let Some(deepest) = deepest else { return Ok(()) };
    if candidates[deepest].depth > first.depth + verge {
        return Err("the first is less deep than a corner that both faces share".to_owned());
    }
    // The contact's own point replaces the deepest corner.
    let mut chosen = Vec::new();
    for (index, contact) in contacts.iter().enumerate() {
        if index == 0 && contact.id == 0 {
            chosen.push(deepest);
            continue;
        }
        let bare = Vector::from(contact.a.point) + direction * case.a.rounding_radius();
        let off = |candidate: &Candidate| (candidate.on_a - bare).norm();
        let same = (0..candidates.len()).filter(|&k| {
            off(&candidates[k]) <= PLACE * case.size() && (candidates[k].depth - contact.depth).abs() <= verge
        });
        let nearest = same.reduce(|x, y| if off(&candidates[y]) < off(&candidates[x]) { y } else { x });
        let Some(nearest) = nearest else {
            return Err(format!("contact {index} is no corner that both faces share: {contact:?}"));
        };
        if chosen.contains(&nearest) && candidates[nearest].sure {
            return Err(format!("contact {index} stands for the same corner as another"));
        }
        chosen.push(nearest);
    }
    if chosen.len() == 4 && candidates.iter().all(|candidate| candidate.sure) {
        largest_area(candidates, &chosen, &direction)?;
    }
    Ok(())
}

fn largest_area(candidates: &[Candidate], chosen: &[usize], direction: &Vector) -> Result<(), String> {
    let at = |k: usize| candidates[k].on_a;
    // Four points in convex position, in any order: the largest area over the orders.
    let area = |[p, q, r, s]: [usize; 4]| {
        let of = |x: Vector, y: Vector| x.cross(&y).dot(direction).abs();
        let [p, q, r, s] = [p, q, r, s].map(at);
        of(q - p, s - r).max(of(r - p, s - q)).max(of(s - p, r - q))
    };
    let found = area([chosen[0], chosen[1], chosen[2], chosen[3]]);
    let others: Vec<usize> = (0..candidates.len()).filter(|&k| k != chosen[0]).collect();
    let mut largest: f64 = 0.0;
    for (i, &p) in others.iter().enumerate() {
        for (j, &q) in others.iter().enumerate().take(i) {
            for &r in &others[..j] {
                largest = largest.max(area([chosen[0], p, q, r]));
            }
        }
    }
    if found >= largest * (1.0 - AREA) {
        Ok(())
    } else {
        Err(format!("four points span {found:e}, others with the first {largest:e}"))
    }
}

/// The support face of a shape without its radius along a unit direction, world frame.
pub(super) fn face(shape: &Shape, direction: &Vector) -> Face {
    match shape {
        Shape::Capsule { length, .. } if *length > 0.0 => {
            Face::Of(axis_ends(shape).into_iter().flatten().map(|end| end.coords).collect())
        }
        Shape::OrientedBox { pose, half_extents } => {
            let corner = |k: usize| {
                Vector::from_fn(
                    |axis, _| if k >> axis & 1 == 1 { half_extents[axis] } else { -half_extents[axis] },
                )
            };
            of_corners(&(0..8).map(|k| (pose * Point::from(corner(k))).coords).collect::<Vec<_>>(), direction)
        }
        Shape::Convex { pose, corners, .. } => {
            of_corners(&corners.iter().map(|corner| (pose * corner).coords).collect::<Vec<_>>(), direction)
        }
        Shape::Cylinder { pose, radius, length } => turned(pose, [*radius, *radius], *length, direction),
        Shape::Cone { pose, radius, length } => turned(pose, [*radius, 0.0], *length, direction),
        _ => Face::Of(Vec::new()),
    }
}

/// A cylinder or cone by the radii at its lower and upper end: the end, if it faces the direction more than the
/// wall.
fn turned(pose: &Pose, radii: [f64; 2], length: f64, direction: &Vector) -> Face {
    let axis = pose.rotation * Vector::y();
    let aside = direction - axis * axis.dot(direction);
    if aside.norm() < ALIKE {
        // Along the axis: an end, or the apex.
        let end = usize::from(axis.dot(direction) > 0.0);
        return if radii[end] > 0.0 { disc(pose, end, radii, length) } else { Face::Of(Vec::new()) };
    }
    let aside = aside.normalize();
    let wall = (aside * length + axis * (radii[0] - radii[1])).normalize().dot(direction);
    let ends = [-axis, axis].map(|outward| outward.dot(direction));
    let end = (0..2).filter(|&end| radii[end] > 0.0).reduce(|x, y| if ends[y] > ends[x] { y } else { x });
    let end = end.expect("an end has a radius");
    if (ends[end] - wall).abs() < ALIKE {
        return Face::Open;
    }
    if ends[end] > wall {
        return disc(pose, end, radii, length);
    }
    let middle = [-0.5, 0.5].map(|part| pose.translation.vector + axis * (part * length));
    Face::Of(vec![middle[0] + aside * radii[0], middle[1] + aside * radii[1]])
}

/// The polygon of sixteen corners that represents an end, the first on local +x.
fn disc(pose: &Pose, end: usize, radii: [f64; 2], length: f64) -> Face {
    let corner = |k: u32| {
        let angle = f64::from(k) * std::f64::consts::TAU / 16.0;
        let height = [-0.5, 0.5][end] * length;
        (pose * Point::new(radii[end] * angle.cos(), height, radii[end] * angle.sin())).coords
    };
    Face::Of((0..16).map(corner).collect())
}

/// The support face of a hull, unless it depends on the tolerance for equally high corners: a search between curves
/// leaves that open.
fn of_corners(corners: &[Vector], direction: &Vector) -> Face {
    match LEVEL.map(|level| of_corners_at(level, corners, direction)) {
        [Face::Of(face), Face::Of(other)] if face == other => Face::Of(face),
        _ => Face::Open,
    }
}

/// Among all planes through three corners with none above, those that contain a support point within `level` of the
/// size; of these the one that faces the direction most; if all are too steep, the flattest of their sides at a
/// support point.
fn of_corners_at(level: f64, corners: &[Vector], direction: &Vector) -> Face {
    let size = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
    let flat = 1e-9 * size;
    let top = corners.iter().map(|corner| corner.dot(direction)).fold(f64::NEG_INFINITY, f64::max);
    let farthest = |corner: &Vector| corner.dot(direction) >= top - level * size;
    let mut faces: Vec<(f64, Vec<Vector>)> = Vec::new();
    for (i, p) in corners.iter().enumerate() {
        for (j, q) in corners.iter().enumerate().take(i) {
            for r in &corners[..j] {
                let normal = (q - p).cross(&(r - p));
                if normal.norm() <= flat * size {
                    continue;
                }
                for normal in [normal.normalize(), -normal.normalize()] {
                    let height = |corner: &Vector| (corner - p).dot(&normal);
                    if corners.iter().any(|corner| height(corner) > flat) {
                        continue;
                    }
                    let on: Vec<Vector> =
                        corners.iter().filter(|corner| height(corner).abs() <= flat).copied().collect();
                    if on.iter().any(farthest) {
                        faces.push((normal.dot(direction), round(on, &normal)));
                    }
                }
            }
        }
    }
    faces.sort_by(|x, y| y.0.total_cmp(&x.0));
    let Some((best, corners)) = faces.first() else { return Face::Of(Vec::new()) };
    let other = faces.iter().find(|(_, other)| other[0] != corners[0] || other.len() != corners.len());
    let contested = |value: f64, by: f64| (value - by).abs() < ALIKE;
    if contested(*best, STEEPEST) || other.is_some_and(|(cosine, _)| contested(*best, *cosine)) {
        return Face::Open;
    }
    if *best > STEEPEST {
        return Face::Of(corners.clone());
    }
    let mut sides: Vec<(f64, [Vector; 2])> = Vec::new();
    for (_, corners) in &faces {
        for k in 0..corners.len() {
            let side = [corners[k], corners[(k + 1) % corners.len()]];
            if side.iter().any(farthest) {
                sides.push(((side[1] - side[0]).normalize().dot(direction).abs(), side));
            }
        }
    }
    sides.sort_by(|x, y| x.0.total_cmp(&y.0));
    match sides.first() {
        Some((slope, _)) if contested(*slope, STEEPEST_EDGE) => Face::Open,
        Some((slope, side)) if *slope < STEEPEST_EDGE => Face::Of(side.to_vec()),
        _ => Face::Of(Vec::new()),
    }
}

/// The points in order around their centre, starting with the lexicographically first.
fn round(mut places: Vec<Vector>, normal: &Vector) -> Vec<Vector> {
    let middle = places.iter().sum::<Vector>() / places.len() as f64;
    let first = (places[0] - middle).normalize();
    let second = normal.cross(&first);
    let angle = |place: &Vector| (place - middle).dot(&second).atan2((place - middle).dot(&first));
    places.sort_by(|x, y| angle(x).total_cmp(&angle(y)));
    let lower =
        |p: &Vector, q: &Vector| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z));
    let least = (0..places.len()).min_by(|&x, &y| lower(&places[x], &places[y]));
    places.rotate_left(least.unwrap_or(0));
    places
}

/// The corners of a face above a plane perpendicular to the direction, each with its projection.
fn over_plane(position: &Point, face: &[Vector], direction: &Vector) -> Vec<Candidate> {
    let candidate = |corner: &Vector| {
        let depth = (corner - position.coords).dot(direction);
        Candidate { on_a: corner - direction * depth, depth, sure: true }
    };
    face.iter().map(candidate).collect()
}

/// Every point shared by both faces, projected along the direction, and their overlap there.
fn shared(a: &[Vector], b: &[Vector], direction: &Vector, verge: f64) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    // Two lines share at most one point, which is the contact's own.
    if a.len() < 2 || b.len() < 2 || (a.len() == 2 && b.len() == 2) {
        return candidates;
    }
    if b.len() > 2 {
        for corner in a {
            let depth = height_over(b, corner, direction);
            if let Some(room) = inside(b, corner, direction, verge) {
                candidates.push(Candidate { on_a: *corner, depth, sure: room > verge });
            }
        }
    }
    if a.len() > 2 {
        for corner in b {
            let depth = -height_over(a, corner, direction);
            if let Some(room) = inside(a, corner, direction, verge) {
                candidates.push(Candidate { on_a: corner - direction * depth, depth, sure: room > verge });
            }
        }
    }
    for [p, q] in sides(a) {
        for [r, s] in sides(b) {
            // The crossing of the two sides in projection.
            let (u, v, w) = (q - p, s - r, r - p);
            let turned = u.cross(&v).dot(direction);
            let (x, y) = (w.cross(&v).dot(direction) / turned, w.cross(&u).dot(direction) / turned);
            let room = [x * u.norm(), (1.0 - x) * u.norm(), y * v.norm(), (1.0 - y) * v.norm()];
            let room = room.into_iter().fold(f64::INFINITY, f64::min);
            if turned != 0.0 && room >= -verge {
                let (on_a, on_b) = (p + u * x, r + v * y);
                let depth = (on_b - on_a).dot(direction);
                candidates.push(Candidate { on_a, depth, sure: room > verge });
            }
        }
    }
    candidates
}

/// The sides of a polygon, or the single line.
fn sides(corners: &[Vector]) -> Vec<[Vector; 2]> {
    let count = if corners.len() == 2 { 1 } else { corners.len() };
    (0..count).map(|k| [corners[k], corners[(k + 1) % corners.len()]]).collect()
}

/// The distance along the direction from a point to the plane of a polygon.
fn height_over(polygon: &[Vector], place: &Vector, direction: &Vector) -> f64 {
    let normal = (1..polygon.len() - 1)
        .map(|k| (polygon[k] - polygon[0]).cross(&(polygon[k + 1] - polygon[0])))
        .sum::<Vector>();
    (polygon[0] - place).dot(&normal) / direction.dot(&normal)
}

/// How far inside a polygon, in projection, a point is; `None` if it is outside.
fn inside(polygon: &[Vector], place: &Vector, direction: &Vector, verge: f64) -> Option<f64> {
    let middle = polygon.iter().sum::<Vector>() / polygon.len() as f64;
    let mut least = f64::INFINITY;
    for [p, q] in sides(polygon) {
        let inward = direction.cross(&(q - p)).normalize();
        let inward = if inward.dot(&(middle - p)) < 0.0 { -inward } else { inward };
        least = least.min(inward.dot(&(place - p)));
    }
    (least >= -verge).then_some(least)
}
