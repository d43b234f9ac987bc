//! A tube in a tube: a catheter or a guidewire in a vessel.

use crate::ProcedureError;
use crate::shaft::{Shaft, ShaftPlace};
use palpate_geometry::{SurfaceFeature, SurfaceMesh};
use palpate_math::nearest::{point_segment, segment_triangle};
use palpate_math::{Aabb, Point, Vector};

/// The centreline of a vessel: one row of points for each branch, from its beginning.
#[derive(Clone, Debug, Default)]
pub struct Centreline {
    branches: Vec<Shaft>,
}

/// A place on a centreline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentrelinePlace {
    /// The branch.
    pub branch: usize,
    /// The segment of the branch, its weight, and the arc length from the beginning of the branch, metres.
    pub place: ShaftPlace,
}

impl Centreline {
    /// Makes a centreline of branches (world frame, metres). Errors as [`Shaft::new`].
    pub fn new(branches: &[&[Point]]) -> Result<Self, ProcedureError> {
        let branches = branches.iter().map(|points| Shaft::new(&[points])).collect::<Result<_, _>>()?;
        Ok(Self { branches })
    }

    /// Returns the place nearest to a point, the lowest of several; `None` without branches. Cost: all segments.
    pub fn nearest(&self, point: &Point) -> Option<CentrelinePlace> {
        let mut best: Option<(f64, CentrelinePlace)> = None;
        for (branch, line) in self.branches.iter().enumerate() {
            for segment in 0..line.segments() {
                let [from, to] = line.segment(segment);
                let found = point_segment(point, from, to);
                if best.is_none_or(|(least, _)| found.distance_squared < least) {
                    let place = line.place(segment, found.t);
                    best = Some((found.distance_squared, CentrelinePlace { branch, place }));
                }
            }
        }
        best.map(|(_, place)| place)
    }

    /// Returns the point at a place.
    pub fn point(&self, place: &CentrelinePlace) -> Option<Point> {
        self.branches.get(place.branch).map(|line| line.point(&place.place))
    }
}

/// A contact of a shaft with the wall of the vessel that it is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LumenContact {
    /// The place on the shaft.
    pub place: ShaftPlace,
    /// The triangle of the wall.
    pub triangle: u32,
    /// The weights of its vertices.
    pub weights: [f64; 3],
    /// The point of the wall, world frame, metres.
    pub point: Point,
    /// Unit, from the wall into the lumen: moves the shaft out of the wall.
    pub direction: Vector,
    /// How deep the shaft, with its radius, is in the wall, metres; negative when it is near it only.
    pub depth: f64,
    /// The place on the centreline nearest to the point of the shaft.
    pub centreline: Option<CentrelinePlace>,
}

/// Lists the contacts of a shaft, a capsule of this radius about each segment, with the wall of a vessel, a closed surface whose
/// inside is the lumen: for each segment the deepest, if it is nearer to the wall than `margin`, in the order of the shaft. The
/// contacts are one-sided: a segment whose centreline is beyond the wall is pushed back inside. Errors: a surface that is
/// open, derived data that is not prepared ([`Needs::TREE`](palpate_geometry::Needs::TREE), and `NORMALS`).
///
/// A segment that is farther than `reach` beyond the wall is not seen: continuous detection keeps it inside
/// (`palpate_response::Guard`).
pub fn lumen_contacts(
    shaft: &Shaft,
    vessel: &SurfaceMesh,
    centreline: &Centreline,
    limits: &LumenLimits,
    out: &mut Vec<LumenContact>,
) -> Result<(), ProcedureError> {
    let surface = crate::tracker::surface_of(&vessel.into())?;
    out.clear();
    let near = limits.radius + limits.margin.max(limits.reach);
    for segment in 0..shaft.segments() {
        let ends = shaft.segment(segment);
        let bounds = Aabb::from_points(ends.map(|end| *end)).grown(near);
        let mut best: Option<(f64, LumenContact)> = None;
        if let Some(tree) = surface.tree() {
            tree.overlap(&bounds, |triangle| {
                let (inner, contact) = of_triangle(shaft, segment, surface, triangle, limits);
                // The deepest; of equal ones the lowest triangle.
                let is_better = |(least, other): &(f64, LumenContact)| {
                    inner < *least || inner == *least && triangle < other.triangle
                };
                if inner.abs() <= near && best.as_ref().is_none_or(is_better) {
                    best = Some((inner, contact));
                }
            });
        }
        if let Some((_, mut contact)) = best.filter(|(_, contact)| contact.depth >= -limits.margin) {
            contact.centreline = centreline.nearest(&shaft.point(&contact.place));
            out.push(contact);
        }
    }
    Ok(())
}

/// The sizes of a shaft in a vessel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LumenLimits {
    /// The radius of the shaft, metres.
    pub radius: f64,
    /// Contacts are listed down to this distance between shaft and wall, metres.
    pub margin: f64,
    /// How far beyond the wall the centreline of the shaft is seen, metres.
    pub reach: f64,
}

/// The signed distance of a segment from a triangle, positive in the lumen, and the contact.
fn of_triangle(
    shaft: &Shaft,
    segment: u32,
    surface: &SurfaceMesh,
    triangle: u32,
    limits: &LumenLimits,
) -> (f64, LumenContact) {
    let [front, rear] = shaft.segment(segment);
    let [a, b, c] = surface.corners(triangle);
    let found = segment_triangle(front, rear, &a, &b, &c);
    let inward = -surface.outward(SurfaceFeature::Face(triangle));
    let between = found.point_on_segment - found.point_on_triangle;
    let (mut t, mut direction, mut inner) = (found.t, inward, found.distance_squared.sqrt());
    if found.pierced {
        // The end that is farther beyond.
        let heights = [front, rear].map(|end| (end - a).dot(&inward));
        (t, inner) = if heights[0] < heights[1] { (0.0, heights[0]) } else { (1.0, heights[1]) };
    } else if inner > 0.0 {
        let side = if between.dot(&inward) < 0.0 { -1.0 } else { 1.0 };
        direction = between * (side / inner);
        inner *= side;
    }
    let contact = LumenContact {
        place: shaft.place(segment, t),
        triangle,
        weights: found.weights,
        point: found.point_on_triangle,
        direction,
        depth: limits.radius - inner,
        centreline: None,
    };
    (inner, contact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{Geometry, Needs};

    /// A vessel of a square of two by two, ten long, its sides triangles.
    fn vessel() -> SurfaceMesh {
        let corner = |k: usize| {
            let side = |bit: usize, size: f64| if k >> bit & 1 == 1 { size } else { 0.0 };
            Point::new(side(0, 10.0), side(1, 2.0) - 1.0, side(2, 2.0) - 1.0)
        };
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let mut mesh = SurfaceMesh::new((0..8).map(corner).collect(), triangles).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    #[test]
    fn a_wire_touches_the_wall_from_inside() {
        let (vessel, mut found) = (vessel(), Vec::new());
        let axis = [0.0, 10.0].map(|x| Point::new(x, 0.0, 0.0));
        let branch = [Point::new(5.0, 0.0, 0.0), Point::new(5.0, 1.0, 0.0)];
        let line = Centreline::new(&[&axis, &branch]).unwrap();
        let limits = LumenLimits { radius: 0.25, margin: 0.125, reach: 0.5 };
        // From the middle to the side at y = 1, along it, and through it.
        let points = [[2.0, 0.0, 0.0], [3.0, 0.5, 0.0], [4.0, 0.9, 0.0], [6.0, 0.9, 0.2], [7.0, 1.25, 0.2]];
        let shaft = Shaft::new(&[&points.map(Point::from)]).unwrap();
        lumen_contacts(&shaft, &vessel, &line, &limits, &mut found).unwrap();
        let depths: Vec<(u32, f64)> =
            found.iter().map(|c| (c.place.segment, (c.depth * 1e9).round() / 1e9)).collect();
        assert_eq!(depths, [(1, 0.15), (2, 0.15), (3, 0.5)]);
        for contact in &found {
            assert!((contact.direction + Vector::y()).norm() < 1e-12, "{contact:?}");
            let place = contact.centreline.unwrap();
            let point = shaft.point(&contact.place);
            let wanted = if (point.x - 5.0).abs() < point.y { 1 } else { 0 };
            assert_eq!(place.branch, wanted);
            if wanted == 0 {
                assert!((place.place.arc - point.x).abs() < 1e-12);
            }
        }
        assert_eq!(line.point(&line.nearest(&Point::new(5.1, 3.0, 0.0)).unwrap()), Some(branch[1]));
    }
}
