//! Triangle meshes: organs, tools, floors.

use super::sidedness::Soundness;
use crate::content::mesh_content;
use crate::derived::{Adjacency, CellTree, Normals, Winding, WindingTree};
use crate::validate::cells_in_range;
use crate::{
    Geometry, GeometryError, GeometryKind, Needs, PointSet, Pose, Sidedness, SignedDistance, Version,
    downcast,
};
use palpate_bvh::{Bvh, InTurn, Tasks};
use palpate_contact::{Feature, NONE};
use palpate_math::nearest::{
    PointTriangle, TriangleFeature, point_segment, point_triangle, point_triangle_distance_squared,
};
use palpate_math::{Aabb, Point, Vector, rounding, separation};
use std::sync::OnceLock;

/// Triangles between points. If closed and oriented (every edge has two triangles with consistent winding) it is a
/// solid that includes its interior; otherwise it is a two-sided sheet. A radius gives the sheet a thickness in all
/// directions.
#[derive(Clone, Debug)]
pub struct SurfaceMesh {
    pub(super) points: PointSet,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) adjacency: Adjacency,
    pub(super) closed: bool,
    /// Whether `closed` was declared.
    pub(crate) is_declared: bool,
    pub(super) given_sidedness: Option<Sidedness>,
    /// Found out once for a topology.
    pub(super) soundness: OnceLock<Soundness>,
    pub(super) sides: Winding,
    pub(super) tree: CellTree,
    pub(super) swept: CellTree,
    pub(super) winding: WindingTree,
}

/// A vertex, an edge or a face of a surface, by its id in the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SurfaceFeature {
    /// A vertex id.
    Vertex(u32),
    /// An edge: an index into [`Adjacency::edges`].
    Edge(u32),
    /// A triangle.
    Face(u32),
}

/// The closest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceNearest {
    /// The element closest to the query point, independent of which of its triangles found it.
    pub feature: SurfaceFeature,
    /// Barycentric weights in the order of the element's vertices; zero beyond their number.
    pub weights: [f64; 3],
    /// The closest point on the bare surface, world frame.
    pub point: Point,
}

impl SurfaceMesh {
    /// Creates triangles (m × 3, vertex ids, counter-clockwise seen from outside) between points at `positions` (n × 3,
    /// world frame, metres). Errors: a non-finite coordinate, a vertex id out of range.
    pub fn new(positions: Vec<Point>, triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        cells_in_range(&triangles, positions.len())?;
        let mut points = PointSet::new(positions)?;
        points.set_owners(&triangles);
        let adjacency = Adjacency::new(&triangles);
        let closed = adjacency.is_closed();
        Ok(Self {
            points,
            triangles,
            adjacency,
            closed,
            is_declared: false,
            given_sidedness: None,
            soundness: OnceLock::new(),
            sides: Winding::default(),
            tree: CellTree::default(),
            swept: CellTree::default(),
            winding: WindingTree::default(),
        })
    }

    /// Returns the mesh with a thickness in all directions, in metres. Errors: a number that is not finite or negative.
    pub fn with_radius(mut self, radius: f64) -> Result<Self, GeometryError> {
        self.points.set_radius(radius)?;
        Ok(self)
    }

    /// Returns the vertices.
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// Returns the thickness in metres; 0 for a bare surface.
    pub fn radius(&self) -> f64 {
        self.points.radius()
    }

    /// Returns the triangles: m × 3, vertex ids; [`NONE`] for one that was [removed](Self::remove_cells).
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the three corners of triangle `triangle`.
    #[inline]
    pub fn corners(&self, triangle: u32) -> [Point; 3] {
        let positions = self.points.positions();
        let [a, b, c] = self.triangles[triangle as usize];
        [positions[a as usize], positions[b as usize], positions[c as usize]]
    }

    /// Returns the edges, each shared edge once.
    pub fn adjacency(&self) -> &Adjacency {
        &self.adjacency
    }

    /// Whether the surface is a solid that includes its interior: derived from its edges unless declared.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the normals. Needs [`Needs::NORMALS`]; `None` without them.
    pub fn normals(&self) -> Option<Normals<'_>> {
        self.sides.is_current(self.points.version).then_some(Normals {
            winding: &self.sides,
            triangles: &self.triangles,
            adjacency: &self.adjacency,
            positions: self.points.positions(),
        })
    }

    /// Whether the data for the inside-outside classification is up to date.
    fn sides_are_current(&self) -> bool {
        self.sidedness() == Sidedness::Pseudonormals || self.winding.is_current(self.points.version)
    }

    /// Whether a closed surface has inward winding, so that its normals are flipped. Cost: linear without
    /// [`Needs::NORMALS`].
    pub fn winds_inward(&self) -> bool {
        match self.normals() {
            Some(normals) => normals.are_inverted(),
            None => Winding::is_inward(&self.triangles, &self.adjacency, self.points.positions()),
        }
    }

    /// Returns the tree over the triangles' boxes (bare: without the thickness), if up to date.
    pub fn tree(&self) -> Option<&Bvh> {
        self.tree.current(self.points.version)
    }

    /// Returns the tree over the boxes that the triangles sweep over the step (bare: without the thickness), if up to date. Needs
    /// [`Needs::SWEPT`].
    pub fn swept_tree(&self) -> Option<&Bvh> {
        self.swept.current(self.points.motion_version())
    }

    /// Moves the vertices in place. Errors as [`PointSet::set_positions`].
    pub fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_positions(positions)
    }

    /// Sets the vertex positions of the previous step. Errors as [`PointSet::set_previous`].
    pub fn set_previous(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        self.points.set_previous(positions)
    }

    /// Returns the mesh element for a corner, side or face of triangle `triangle`.
    pub fn feature_of(&self, triangle: u32, local: TriangleFeature) -> SurfaceFeature {
        match local {
            TriangleFeature::Vertex(corner) => {
                SurfaceFeature::Vertex(self.triangles[triangle as usize][corner])
            }
            TriangleFeature::Edge(side) => {
                SurfaceFeature::Edge(self.adjacency.triangle_edges[triangle as usize][side])
            }
            TriangleFeature::Face => SurfaceFeature::Face(triangle),
        }
    }

    /// Returns the closest point to `point` on triangle `triangle`, bitwise equal for every triangle that shares its
    /// element.
    pub fn nearest_on(&self, triangle: u32, point: &Point) -> SurfaceNearest {
        let [a, b, c] = self.corners(triangle);
        let local = point_triangle(point, &a, &b, &c);
        self.shared(self.feature_of(triangle, local.feature), &local, point)
    }

    fn shared(&self, feature: SurfaceFeature, local: &PointTriangle, point: &Point) -> SurfaceNearest {
        match feature {
            SurfaceFeature::Vertex(vertex) => {
                let point = self.points.positions()[vertex as usize];
                SurfaceNearest { feature, weights: [1.0, 0.0, 0.0], point }
            }
            SurfaceFeature::Edge(edge) => {
                let [start, end] = self.edge_ends(edge);
                let on_edge = point_segment(point, &start, &end);
                SurfaceNearest { feature, weights: [1.0 - on_edge.t, on_edge.t, 0.0], point: on_edge.point }
            }
            SurfaceFeature::Face(_) => SurfaceNearest { feature, weights: local.weights, point: local.point },
        }
    }

    /// Returns the ends of edge `edge`, in the order of [`Adjacency::edges`].
    pub fn edge_ends(&self, edge: u32) -> [Point; 2] {
        self.adjacency.edges[edge as usize].map(|id| self.points.positions()[id as usize])
    }

    /// Returns the unit outward direction at an element by its pseudonormal. Where that is zero (degenerate triangles,
    /// a folded sheet): the normal of its lowest triangle, and where that is zero too, world +y. Needs
    /// [`Needs::NORMALS`]; without them world +y.
    pub fn outward(&self, feature: SurfaceFeature) -> Vector {
        let owner = self.owner(feature);
        let of_face = || self.normals().filter(|_| owner != NONE).map(|normals| normals.face(owner));
        self.pseudonormal(feature).or_else(|| of_face().and_then(unit)).unwrap_or_else(Vector::y)
    }

    /// Whether a vector points inward at an element: its product with [`outward`](Self::outward) is less than
    /// `-tolerance`, at most 1e-9 of its length. Cheaper than the product. Needs [`Needs::NORMALS`].
    pub fn points_inward(&self, vector: &Vector, feature: SurfaceFeature, tolerance: f64) -> bool {
        match self.agreed_side(vector, feature) {
            Some(is_outward) => !is_outward,
            None => vector.dot(&self.outward(feature)) < -tolerance,
        }
    }

    /// Whether a vector [points inward](Self::points_inward) at an element with two sides: a sheet has none on its border,
    /// and none where all triangles are degenerate. Needs [`Needs::NORMALS`].
    pub fn points_to_back(&self, vector: &Vector, feature: SurfaceFeature, tolerance: f64) -> bool {
        if !self.is_closed() && self.is_on_border(feature) {
            return false;
        }
        match self.agreed_side(vector, feature) {
            Some(is_outward) => !is_outward,
            None => {
                let has_sides = self.is_closed() || self.has_front(feature);
                has_sides && vector.dot(&self.outward(feature)) < -tolerance
            }
        }
    }

    /// Whether a vector points outward at all triangles of an element; `None` if they do not clearly agree.
    fn agreed_side(&self, vector: &Vector, feature: SurfaceFeature) -> Option<bool> {
        let normals = self.normals()?;
        match feature {
            SurfaceFeature::Vertex(vertex) => {
                normals.agreed_side(self.adjacency.corners_at(vertex).iter().map(|corner| corner / 3), vector)
            }
            SurfaceFeature::Edge(edge) => {
                let triangles = self.adjacency.edge_triangles[edge as usize];
                normals.agreed_side(triangles.into_iter().filter(|&triangle| triangle != NONE), vector)
            }
            SurfaceFeature::Face(triangle) => normals.agreed_side([triangle], vector),
        }
    }

    /// Returns the unit pseudonormal at an element; `None` where it is zero.
    fn pseudonormal(&self, feature: SurfaceFeature) -> Option<Vector> {
        let normals = self.normals()?;
        unit(match feature {
            SurfaceFeature::Vertex(vertex) => normals.vertex(vertex),
            SurfaceFeature::Edge(edge) => normals.edge(edge),
            SurfaceFeature::Face(triangle) => normals.face(triangle),
        })
    }

    /// Whether a sheet has a front and a back at an element: not on its border, and not where all triangles are
    /// degenerate. Needs [`Needs::NORMALS`].
    pub fn has_front(&self, feature: SurfaceFeature) -> bool {
        !self.is_on_border(feature) && self.pseudonormal(feature).is_some()
    }

    /// Returns the lowest triangle that contains the element.
    pub fn owner(&self, feature: SurfaceFeature) -> u32 {
        match feature {
            SurfaceFeature::Vertex(vertex) => self.points.owner(vertex),
            SurfaceFeature::Edge(edge) => self.adjacency.edge_triangles[edge as usize][0],
            SurfaceFeature::Face(triangle) => triangle,
        }
    }

    /// Whether the element is a border edge (with only one triangle), or a vertex of one.
    pub fn is_on_border(&self, feature: SurfaceFeature) -> bool {
        match feature {
            SurfaceFeature::Vertex(vertex) => self.adjacency.border_vertices.binary_search(&vertex).is_ok(),
            SurfaceFeature::Edge(edge) => self.adjacency.edge_triangles[edge as usize][1] == NONE,
            SurfaceFeature::Face(_) => false,
        }
    }

    /// Returns the contact feature for an element: `weights` in the order of its vertices, `surface_point` as given.
    pub fn contact_feature(&self, nearest: &SurfaceNearest, surface_point: Point) -> Feature {
        let owner = self.owner(nearest.feature);
        let [w0, w1, w2] = nearest.weights;
        match nearest.feature {
            SurfaceFeature::Vertex(vertex) => Feature::vertex(vertex, owner, surface_point),
            SurfaceFeature::Edge(edge) => {
                Feature::edge(self.adjacency.edges[edge as usize], [w0, w1], owner, surface_point)
            }
            SurfaceFeature::Face(triangle) => {
                Feature::triangle(self.triangles[triangle as usize], [w0, w1, w2], owner, surface_point)
            }
        }
    }

    /// Returns the point of the bare surface closest to `point`, if closer than the square root of `bound_squared`
    /// (infinity for no bound); ties go to the triangle of the lowest [rank](Adjacency::rank). Needs [`Needs::TREE`]; `None` without it. Cost:
    /// logarithmic in the number of triangles for points near the surface.
    pub fn nearest(&self, point: &Point, bound_squared: f64) -> Option<SurfaceNearest> {
        let tree = self.tree()?;
        let distance_squared = |triangle: u32| {
            let [a, b, c] = self.corners(triangle);
            point_triangle_distance_squared(point, &a, &b, &c)
        };
        let found = if self.adjacency.is_ranked() {
            let rank = |triangle| self.adjacency.rank(triangle);
            tree.nearest_ranked(point, bound_squared, None, rank, distance_squared)
        } else {
            tree.nearest(point, bound_squared, distance_squared)
        };
        found.map(|(triangle, _)| self.nearest_on(triangle, point))
    }

    /// Returns the signed distance of `point` from the bare surface, and the closest point; the sign is determined by
    /// the [`sidedness`](Self::sidedness). Needs [`Needs::TREE`] and [`Needs::NORMALS`]; `None` without them, for an
    /// empty surface and for a point farther than the bound.
    pub fn signed_distance(
        &self,
        point: &Point,
        bound_squared: f64,
    ) -> Option<(SignedDistance, SurfaceNearest)> {
        self.normals().filter(|_| self.sides_are_current())?;
        let nearest = self.nearest(point, bound_squared)?;
        Some((self.signed_at(point, &nearest), nearest))
    }

    /// Returns the signed distance of `point`, whose closest point is `nearest`. Needs [`Needs::NORMALS`].
    pub fn signed_at(&self, point: &Point, nearest: &SurfaceNearest) -> SignedDistance {
        let (direction, length) = self.direction_from(nearest, point);
        let sign = if self.is_inside(point, nearest) { -1.0 } else { 1.0 };
        let gradient = direction.map_or_else(|| self.outward(nearest.feature), |direction| direction * sign);
        SignedDistance { distance: sign * length, nearest: nearest.point, gradient, feature: NONE }
    }

    /// Returns the unit direction and the distance from `nearest` to `point`, whose closest point it is. No direction
    /// if they coincide within the rounding error of the element's own corners; from a face it is the face's normal,
    /// which rounding error of the closest point does not affect.
    pub fn direction_from(&self, nearest: &SurfaceNearest, point: &Point) -> (Option<Vector>, f64) {
        let positions = self.points.positions();
        let rounding_of = |ids: &[u32]| {
            let corners = ids.iter().map(|&id| &positions[id as usize]);
            rounding::length(rounding::largest_coordinate(corners.chain([point])))
        };
        let offset = point - nearest.point;
        let length = offset.norm();
        let (undecided, normal) = match nearest.feature {
            SurfaceFeature::Vertex(_) => return separation::between(&nearest.point, point),
            SurfaceFeature::Edge(edge) => (rounding_of(&self.adjacency.edges[edge as usize]), None),
            SurfaceFeature::Face(triangle) => {
                let normal = self.pseudonormal(nearest.feature);
                (rounding_of(&self.triangles[triangle as usize]), normal)
            }
        };
        if length <= undecided {
            return (None, length);
        }
        let Some(normal) = normal.filter(|_| length <= NEARLY_ON * undecided) else {
            return (Some(offset / length), length);
        };
        let height = offset.dot(&normal);
        let along = if height < 0.0 { -normal } else { normal };
        ((height.abs() > undecided).then_some(along), length)
    }

    /// Whether `point`, whose closest point is `nearest`, lies strictly inside, by the [`sidedness`](Self::sidedness).
    /// A flattened closed surface has no interior, and no closed surface has any outside the box of its vertices, however it is
    /// wound. Of an open surface, whether the point is behind it.
    /// Needs [`Needs::NORMALS`]; `false` without them.
    pub fn is_inside(&self, point: &Point, nearest: &SurfaceNearest) -> bool {
        let Some(normals) = self.normals() else { return false };
        if self.closed && !self.points.bare_bounds().contains_point(point) {
            return false;
        }
        match self.sidedness() {
            Sidedness::Pseudonormals => {
                !normals.are_collapsed() && self.points_inward(&(point - nearest.point), nearest.feature, 0.0)
            }
            Sidedness::WindingNumber => {
                let turns = self.winding_number(point).unwrap_or(0.0);
                *point != nearest.point && turns.abs() > INSIDE_FROM
            }
        }
    }

    /// Returns the winding number of the surface around `point`: 1 inside of a closed surface, -1 for inward winding, 0
    /// outside, a fraction for a surface with holes. Needs [`Needs::NORMALS`] of a surface with
    /// [`Sidedness::WindingNumber`]; `None` otherwise. Cost: about the square root of the number of triangles.
    pub fn winding_number(&self, point: &Point) -> Option<f64> {
        let positions = self.points.positions();
        let current = self.winding.is_current(self.points.version);
        current.then(|| self.winding.winding_number(&self.triangles, positions, point))
    }
}

/// Points with a winding number beyond this, of either sign, are inside (Jacobson and others 2013, section 3): half way
/// between none and one turn.
const INSIDE_FROM: f64 = 0.5;

/// Within this many rounding errors of a face the direction is its normal: the rounding error of the closest point
/// would turn the line between them by more than a few units of 1e-7.
const NEARLY_ON: f64 = 1e6;

fn unit(vector: Vector) -> Option<Vector> {
    let length = vector.norm();
    (length > 0.0).then(|| vector / length)
}

impl Geometry for SurfaceMesh {
    fn kind(&self) -> GeometryKind {
        GeometryKind::SURFACE_MESH
    }

    fn bounds(&self) -> Aabb {
        self.points.swept_bounds()
    }

    fn version(&self) -> Version {
        self.points.version
    }

    fn prepare(&mut self, needs: Needs) {
        self.prepare_by(needs, &InTurn);
    }

    fn prepare_by(&mut self, needs: Needs, tasks: &dyn Tasks) {
        self.bring_up_to_date(needs, tasks);
    }

    fn is_prepared(&self, needs: Needs) -> bool {
        (!needs.contains(Needs::NORMALS) || (self.normals().is_some() && self.sides_are_current()))
            && (!needs.contains(Needs::TREE) || self.tree().is_some())
            && (!needs.contains(Needs::SWEPT) || self.swept_tree().is_some())
            && (!needs.contains(Needs::CUTS) || !self.tree.lacks_cuts(self.points.version))
    }

    fn advance(&mut self) {
        self.points.keep_previous();
    }

    fn content(&self) -> Vec<f64> {
        let sizes = [f64::from(u8::from(self.closed)), self.radius()];
        mesh_content(&sizes, self.points.positions(), &self.triangles)
    }

    fn as_points(&self) -> Option<&PointSet> {
        Some(&self.points)
    }

    fn set_positions(&mut self, positions: &[Point]) -> Result<(), GeometryError> {
        Self::set_positions(self, positions)
    }

    fn swap_positions(&mut self, positions: &mut Vec<Point>) -> Result<(), GeometryError> {
        self.points.swap_positions(positions)
    }

    fn placement(&self) -> Option<Pose> {
        self.points.noted_placement()
    }

    fn set_placement(&mut self, placement: Option<Pose>) {
        self.points.note_placement(placement);
    }

    fn try_clone(&self) -> Option<Box<dyn Geometry>> {
        Some(Box::new(self.clone()))
    }

    fn copy_previous_moved(&mut self, source: &dyn Geometry, motion: &Pose) {
        if let Some(source) = source.as_points() {
            self.points.copy_previous_moved(source, motion);
        }
    }

    fn copy_moved(&mut self, source: &dyn Geometry, motion: &Pose) -> bool {
        downcast::<Self>(source).is_some_and(|source| {
            let same = (self.closed, self.given_sidedness) == (source.closed, source.given_sidedness);
            let is_copied = same
                && (self.points.is_of_topology(&source.points) || self.triangles == source.triangles)
                && self.points.copy_points_moved(&source.points, motion);
            // Rounding of moved positions decides nothing.
            if is_copied && source.soundness.get().is_some() {
                self.soundness = source.soundness.clone();
            }
            is_copied
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> SurfaceMesh {
        let corner = |k: u32| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1));
        let triangles = vec![
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let mut mesh = SurfaceMesh::new((0..8).map(corner).collect(), triangles).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    fn distance(x: f64, y: f64, z: f64) -> (SignedDistance, SurfaceNearest) {
        cube().signed_distance(&Point::new(x, y, z), f64::INFINITY).unwrap()
    }

    #[test]
    fn the_cube_is_closed_and_tells_inside_from_outside_at_face_edge_and_corner() {
        assert!(cube().is_closed());
        let (inside, nearest) = distance(0.5, 0.25, 0.375);
        assert_eq!((inside.distance, inside.gradient), (-0.25, -Vector::y()));
        assert!(matches!(nearest.feature, SurfaceFeature::Face(_)));
        let (edge, nearest) = distance(-3.0, -4.0, 0.5);
        assert_eq!(edge.distance, 5.0);
        assert!(matches!(nearest.feature, SurfaceFeature::Edge(_)));
        let (corner, nearest) = distance(3.0, 3.0, 2.0);
        assert_eq!((corner.distance, nearest.feature), (3.0, SurfaceFeature::Vertex(7)));
    }

    /// Top and bottom in one plane: either of two opposite normals at the same point could be found first.
    #[test]
    fn a_cube_pressed_flat_has_no_inside() {
        let mut mesh = cube();
        let flat: Vec<Point> =
            mesh.points().positions().iter().map(|corner| Point::new(corner.x, corner.y, 0.5)).collect();
        mesh.set_positions(&flat).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        for z in [0.0, 0.25, 0.75, 2.0] {
            let (signed, _) = mesh.signed_distance(&Point::new(0.25, 0.5, z), f64::INFINITY).unwrap();
            assert_eq!((signed.distance, signed.gradient.z), ((z - 0.5).abs(), (z - 0.5).signum()));
        }
    }

    #[test]
    fn a_point_on_the_surface_has_distance_zero_and_the_outward_normal() {
        let (on_face, _) = distance(1.0, 0.25, 0.375);
        assert_eq!((on_face.distance, on_face.gradient), (0.0, Vector::x()));
        let (on_corner, _) = distance(1.0, 1.0, 1.0);
        assert!((on_corner.gradient - Vector::repeat(1.0).normalize()).norm() < 1e-15);
    }

    #[test]
    fn a_shared_edge_gives_the_same_bits_from_both_of_its_triangles() {
        let mesh = cube();
        let mut sharp = 0;
        for (edge, &[first, second]) in mesh.adjacency().edge_triangles.iter().enumerate() {
            if mesh.outward(SurfaceFeature::Face(first)) == mesh.outward(SurfaceFeature::Face(second)) {
                continue; // above the diagonal of a flat side, where rounding chooses between edge and face
            }
            sharp += 1;
            let [start, end] = mesh.edge_ends(edge as u32);
            let outside = start + (end - start) * 0.3 + mesh.outward(SurfaceFeature::Edge(edge as u32)) * 0.7;
            let (a, b) = (mesh.nearest_on(first, &outside), mesh.nearest_on(second, &outside));
            assert_eq!(a.point, b.point);
            assert_eq!(a.feature, b.feature);
        }
        assert_eq!(sharp, 12);
    }

    #[test]
    fn removing_a_triangle_opens_the_surface_unless_declared() {
        let triangles = cube().triangles()[1..].to_vec();
        let open = SurfaceMesh::new(cube().points().positions().to_vec(), triangles).unwrap();
        assert!(!open.is_closed());
        assert!(open.with_closed(true).is_closed());
    }

    #[test]
    fn a_query_without_preparation_gives_nothing() {
        let mut mesh = cube();
        mesh.set_positions(cube().points().positions()).unwrap();
        assert!(mesh.nearest(&Point::origin(), f64::INFINITY).is_none());
        assert!(!mesh.is_prepared(Needs::TREE));
    }
}
