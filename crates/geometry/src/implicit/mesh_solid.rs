//! A closed mesh as an implicit function: the signed distance of its surface.

use super::mesh_plane::ROUNDING;
use super::{Cell, CellValues, Description, Exactness, ImplicitFunction, Sample};
use crate::{SignedDistance, SurfaceMesh, SurfaceNearest, TetraMesh};
use arrayvec::ArrayVec;
use palpate_contact::NONE;
use palpate_implicit::internal::{Minimum, OrientedBounds, Search, Structure, VALUES, least, mixed_with};
use palpate_math::nearest::point_triangle_distance_squared;
use palpate_math::{Aabb, Point, Vector, separation};
use std::sync::atomic::{AtomicU32, Ordering};

/// How much closer to a corner than those known a further triangle must be to be of use, relative to the radius of the cell.
const WORTH: f64 = 0.5;

/// A closed surface, or a tetrahedral mesh by its boundary, as a function. World frame; a surface's thickness is
/// ignored. Inside and outside of a surface are decided by its [`Sidedness`](crate::Sidedness), of a tetrahedral mesh
/// by its cells.
#[derive(Clone, Copy)]
pub struct MeshSolid<'a> {
    pub(super) surface: &'a SurfaceMesh,
    pub(super) cells: Option<&'a TetraMesh>,
    /// A body along whose surface the mesh is bounded. With it, bounds hold only where the mesh is not positive.
    pub(super) shared_with: Option<&'a dyn ImplicitFunction>,
    /// A triangle near the last cell that was bounded, or [`NONE`]: often it is near the next one.
    recent: Option<&'a AtomicU32>,
}

impl<'a> MeshSolid<'a> {
    /// Wraps a surface; `None` if it is not closed. Needs [`Needs::TREE`](crate::Needs::TREE) and
    /// [`Needs::NORMALS`](crate::Needs::NORMALS).
    pub fn of_surface(surface: &'a SurfaceMesh) -> Option<Self> {
        surface.is_closed().then_some(Self { surface, cells: None, shared_with: None, recent: None })
    }

    /// Wraps a tetrahedral mesh. Needs [`Needs::TREE`](crate::Needs::TREE) and
    /// [`Needs::BOUNDARY`](crate::Needs::BOUNDARY); `None` without them.
    pub fn of_cells(mesh: &'a TetraMesh) -> Option<Self> {
        mesh.tree()?;
        Some(Self { surface: mesh.boundary()?, cells: Some(mesh), shared_with: None, recent: None })
    }

    /// Returns the same function with linear bounds that hold where it is not positive, and may be above it elsewhere. They
    /// are for searches within the body with a cutoff of zero or less, and much tighter where the body touches the mesh from
    /// outside.
    pub fn shared_with<'b>(self, body: &'b dyn ImplicitFunction) -> MeshSolid<'b>
    where
        'a: 'b,
    {
        MeshSolid { shared_with: Some(body), ..self }
    }

    /// Returns the minimum of the signed distance over a body in a box, if it is at most `cutoff`, which is not positive; as
    /// [`below_within_from`](Search::below_within_from).
    pub fn deepest_in(
        &self,
        search: &mut Search,
        body: &dyn ImplicitFunction,
        root: &OrientedBounds,
        cutoff: f64,
        seed: Option<&Point>,
    ) -> Option<Minimum> {
        let recent = AtomicU32::new(NONE);
        let solid = MeshSolid { recent: Some(&recent), ..self.shared_with(body) };
        let found = search.below_within_from(&solid, body, root, cutoff, seed)?;
        if search.undecided() {
            // There may be a deeper point than the one known.
            let lower = self.sample(&root.center).value.min(0.0) - root.reach();
            return Some(Minimum { lower: found.lower.min(lower), converged: false, ..found });
        }
        Some(found)
    }

    /// Returns the surface.
    pub fn surface(&self) -> &'a SurfaceMesh {
        self.surface
    }

    /// Returns the signed distance and the closest point; `None` for an empty mesh.
    pub fn signed_distance(&self, point: &Point) -> Option<(SignedDistance, SurfaceNearest)> {
        let nearest = self.surface.nearest(point, f64::INFINITY)?;
        Some((self.signed_at(point, &nearest), nearest))
    }

    /// Returns the signed distance of a point whose closest point is known.
    pub fn signed_at(&self, point: &Point, nearest: &SurfaceNearest) -> SignedDistance {
        let Some(mesh) = self.cells else { return self.surface.signed_at(point, nearest) };
        let (direction, length) = separation::between(&nearest.point, point);
        let sign = if length > 0.0 && mesh.holding_cell(point).is_some() { -1.0 } else { 1.0 };
        let outward = || self.surface.outward(nearest.feature);
        let gradient = direction.map_or_else(outward, |direction| direction * sign);
        SignedDistance { distance: sign * length, nearest: nearest.point, gradient, feature: NONE }
    }

    /// Returns minus the distances of the corners from a triangle. Minus the distance from a triangle is concave, so
    /// nowhere in the cell below the linear function through these; and inside a mesh no point is farther from its
    /// surface than from any one of its triangles.
    fn below_by_distance(&self, triangle: u32, cell: &Cell<'_>) -> CellValues {
        let [a, b, c] = self.surface.corners(triangle);
        cell.at_corners(|corner| -point_triangle_distance_squared(corner, &a, &b, &c).sqrt())
    }
}

impl ImplicitFunction for MeshSolid<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let apart = Sample { value: f64::INFINITY, gradient: Vector::y(), feature: NONE };
        self.signed_distance(point).map_or(apart, |(signed, _)| signed.into())
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.surface.tree().map_or(Aabb::EMPTY, |tree| tree.bounds().grown(level))
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let mut best: Option<CellValues> = None;
        self.bounds_below(cell, &mut |bound| {
            best = Some(mixed_with(best, bound, cell.corners.len()));
            false
        });
        best.unwrap_or(cell.constant(f64::INFINITY))
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for MeshSolid<'_> {
    /// Bounds by the triangle closest to the centre, then successively by those closest to the corners that then seem
    /// deepest: on the medial surface of a mesh a single triangle is insufficient, and so are two where several faces
    /// meet. Also by their planes, where the surface near the cell permits: only these separate points outside from
    /// points inside.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        let count = cell.corners.len();
        let recent = self.recent.map_or(NONE, |recent| recent.load(Ordering::Relaxed));
        if recent != NONE && visit(self.below_by_distance(recent, cell)) {
            return;
        }
        let Some((signed, nearest)) = self.signed_distance(&cell.center) else {
            visit(cell.constant(f64::INFINITY));
            return;
        };
        let owner = self.surface.owner(nearest.feature);
        if let Some(recent) = self.recent {
            recent.store(owner, Ordering::Relaxed);
        }
        let mut near = None;
        let mut highest = cell.constant(f64::NEG_INFINITY);
        if signed.distance >= 0.0 && visit(cell.constant(signed.distance - cell.radius)) {
            return;
        }
        // Of use where the surface passes through the cell.
        if signed.distance > -cell.radius
            && let Some(bound) = self.below_by_body(&mut near, cell)
            && visit(bound)
        {
            return;
        }
        let mut other = Some(owner);
        let mut used = ArrayVec::<u32, VALUES>::new();
        for left in (0..VALUES).rev() {
            let Some(triangle) = other else { return };
            used.push(triangle);
            let below = self.below_by_distance(triangle, cell);
            // Where no surface is above a plane, the height over it is no less than minus the distance from the triangle,
            // but for rounding: the plane is preferred.
            let wanted = least(&below, count) - ROUNDING * cell.radius;
            let by_plane = self.below_by_plane(triangle, &mut near, cell, wanted);
            let best = by_plane.unwrap_or(below);
            let is_enough = visit(best);
            highest = std::array::from_fn(|k| highest[k].max(best[k]));
            let deepest = (1..count).fold(0, |best, k| if highest[k] < highest[best] { k } else { best });
            let reach = highest[deepest];
            if left == 0 || reach >= 0.0 || is_enough {
                return;
            }
            let corner = &cell.corners[deepest];
            // A corner below the plane may still be outside, and then farther from the surface than below the plane.
            let bound = if by_plane.is_some() {
                f64::INFINITY
            } else {
                (-reach - WORTH * cell.radius).max(0.0).powi(2)
            };
            let closest = self.surface.nearest(corner, bound);
            let features = [closest.map(|closest| closest.feature), Some(nearest.feature)];
            other =
                features.into_iter().flatten().find_map(|feature| self.highest_at(feature, corner, &used));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capsule, Geometry, Needs, Pose};

    fn pose_at(place: Point) -> Pose {
        Pose::translation(place.x, place.y, place.z)
    }

    fn mesh(corners: Vec<Point>, cells: Vec<[u32; 3]>) -> SurfaceMesh {
        let mut mesh = SurfaceMesh::new(corners, cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// A torus of 12 by 6 quads: convex and concave edges.
    fn ring() -> SurfaceMesh {
        let mut corners = Vec::new();
        for k in 0..72_u32 {
            let (u, v) = (f64::from(k / 6) / 12.0, f64::from(k % 6) / 6.0);
            let (sin, cos) = libm::sincos(u * std::f64::consts::TAU);
            let (up, out) = libm::sincos(v * std::f64::consts::TAU);
            let radius = 1.0 + 0.4 * out;
            corners.push(Point::new(radius * cos, 0.4 * up, radius * sin));
        }
        let id = |i: u32, j: u32| i % 12 * 6 + j % 6;
        let quads = (0..72).map(|k| (k / 6, k % 6));
        let cells = quads.flat_map(|(i, j)| {
            let [a, b, c, d] = [id(i, j), id(i, j + 1), id(i + 1, j + 1), id(i + 1, j)];
            [[a, b, c], [a, c, d]]
        });
        mesh(corners, cells.collect())
    }

    fn octahedron() -> SurfaceMesh {
        let corners = [[1.1, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, -0.9, 0.0], [0.1, 0.0, 1.3]];
        let corners: Vec<Point> = corners.into_iter().chain([[0.0, 0.0, -1.2]]).map(Point::from).collect();
        let cells = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        mesh(corners, cells.to_vec())
    }

    fn listed(bounds: &mut Vec<CellValues>) -> impl FnMut(CellValues) -> bool {
        |bound| {
            bounds.push(bound);
            false
        }
    }

    #[test]
    fn every_bound_holds_over_cells() {
        let meshes = [ring(), octahedron()];
        let (mut positive, mut tight) = (0, 0);
        for k in 0..600 {
            let solid = MeshSolid::of_surface(&meshes[k % 2]).unwrap();
            let s = k as f64;
            let middle = Point::new(1.4 * (0.7 * s).sin(), 0.5 * (1.3 * s).cos(), 1.4 * (2.1 * s).sin());
            let size = [0.02, 0.1, 0.4][k % 3];
            let corners = [[-1.0, 0.3, -0.4], [0.8, -0.2, -1.0], [0.1, 1.0, 0.9], [0.2, -0.8, 0.7]]
                .map(|[x, y, z]| middle + Vector::new(x, y, z) * size);
            let cell = Cell::new(&corners);
            let mut bounds = Vec::new();
            solid.bounds_below(&cell, &mut listed(&mut bounds));
            bounds.push(solid.bound_below(&cell));
            let mut closest = f64::INFINITY;
            const N: i32 = 8;
            for (i, j, l) in
                (0..=N).flat_map(|i| (0..=N - i).flat_map(move |j| (0..=N - i - j).map(move |l| (i, j, l))))
            {
                let weights = [i, j, l, N - i - j - l].map(|n| f64::from(n) / f64::from(N));
                let place: Vector = corners.iter().zip(weights).map(|(p, w)| p.coords * w).sum();
                let value = solid.sample(&Point::from(place)).value;
                for bound in &bounds {
                    let below: f64 = bound.iter().zip(weights).map(|(b, w)| b * w).sum();
                    assert!(below <= value + 1e-12, "{k}: {below} {value}");
                    positive += usize::from(below > 0.0 && value < size);
                    closest = closest.min(value - below);
                }
            }
            tight += usize::from(closest < 1e-12);
        }
        assert!(positive > 100 && tight > 100, "{positive} {tight}");
    }

    /// Where both the mesh and the body are not positive, and on meshes whose triangles wind inward too.
    #[test]
    fn every_bound_within_a_body_holds_where_both_overlap() {
        let inward = |mesh: SurfaceMesh| {
            let cells = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
            self::mesh(mesh.points().positions().to_vec(), cells)
        };
        let meshes = [ring(), octahedron(), inward(ring()), inward(octahedron())];
        let mut state = 29_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut shared, mut excluded, mut tight) = (0, 0, 0);
        for k in 0..1200 {
            let mesh = &meshes[k % 4];
            let on_surface = mesh.points().positions()[k / 4 % mesh.points().positions().len()];
            let size = [0.01, 0.05, 0.2][k / 4 % 3];
            let near = on_surface + Vector::new(random(), random(), random()) * size;
            let way = Vector::new(random(), random(), random()).normalize();
            let body = Capsule::new(pose_at(near + way * 0.3), 0.3, 0.4).unwrap();
            let all = MeshSolid::of_surface(mesh).unwrap();
            let solid = all.shared_with(&body);
            let corners = [[-1.0, 0.3, -0.4], [0.8, -0.2, -1.0], [0.1, 1.0, 0.9], [0.2, -0.8, 0.7]]
                .map(|[x, y, z]| near + Vector::new(x, y, z) * size);
            let cell = Cell::new(&corners);
            let (mut bounds, mut others) = (Vec::new(), Vec::new());
            solid.bounds_below(&cell, &mut listed(&mut bounds));
            all.bounds_below(&cell, &mut listed(&mut others));
            let highest = |bounds: &[CellValues]| {
                bounds.iter().map(|bound| bound.iter().sum::<f64>()).fold(f64::NEG_INFINITY, f64::max)
            };
            tight += usize::from(highest(&bounds) > highest(&others) + 0.1 * size);
            for _ in 0..100 {
                let weights = [random(), random(), random(), random()].map(f64::abs);
                let sum: f64 = weights.iter().sum();
                let weights = weights.map(|weight| weight / sum);
                let place: Vector = corners.iter().zip(weights).map(|(p, w)| p.coords * w).sum();
                let place = Point::from(place);
                let value = all.sample(&place).value;
                let below = |bound: &CellValues| bound.iter().zip(weights).map(|(b, w)| b * w).sum::<f64>();
                let below = bounds.iter().map(below).fold(f64::NEG_INFINITY, f64::max);
                if value <= 0.0 && body.sample(&place).value <= 0.0 {
                    assert!(below <= value + 1e-12, "{k}: {below} {value}");
                    shared += 1;
                } else {
                    excluded += usize::from(value > 0.0 && below > 0.0);
                }
            }
        }
        assert!(shared > 10_000 && excluded > 10_000 && tight > 10, "{shared} {excluded} {tight}");
    }

    /// A corner of a mesh slightly inside a rod, both clipped small: the depth is independent of the box searched, and
    /// found quickly.
    #[test]
    fn what_overlaps_by_little_at_a_corner_is_found() {
        let mesh = octahedron();
        let solid = MeshSolid::of_surface(&mesh).unwrap();
        for k in 0..48 {
            let s = f64::from(k);
            let at = mesh.points().positions()[k as usize % 6];
            let aside = Vector::new((3.1 * s).sin(), (1.7 * s).cos(), (0.9 * s).sin()) * 0.3;
            let way = (at.coords.normalize() + aside).normalize();
            let axis = Vector::new((1.1 * s).cos(), (2.3 * s).sin(), 0.4);
            let turned = crate::pose::rotation_from_axis(axis).unwrap();
            let rod = |place: Point| {
                Capsule::new(crate::pose::from_rotation(place, turned).unwrap(), 0.5, 1.2).unwrap()
            };
            let lowest = Structure::support_point(&rod(Point::origin()), &-way).unwrap();
            let depth = 0.03 * 0.5_f64.powi(k % 8);
            let rod = rod(Point::from(at - lowest - way * depth));
            let (own, all) = (rod.sublevel_bounds(0.0), solid.sublevel_bounds(0.0));
            let shared = own.intersection(&all);
            let found = [rod.oriented_bounds().unwrap(), shared.into()]
                .map(|root| Search::with_tolerance(1e-12).below_within(&solid, &rod, &root, 0.0).unwrap());
            let [first, second] = found.map(|found| {
                assert!(found.converged, "{k}: {found:?}");
                found.sample.value
            });
            assert!((first - second).abs() < 1e-9 && -first <= depth, "{k}: {first} {second}");
        }
    }
}
