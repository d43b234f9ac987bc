//! Closest cell or vertex to a point.

use crate::cells::is_tombstone;
use crate::{Compound, Geometry, PointSet, Pose, TypedGeometry};
use palpate_bvh::Bvh;
use palpate_contact::{Feature, NONE};
use palpate_math::nearest::{PointTriangle, point_segment, point_tetrahedron, point_triangle};
use palpate_math::{Aabb, Point};

/// The cell or vertex closest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The distance from the point to the bare cell or vertex, in metres; 0 inside a tetrahedron.
    pub distance: f64,
    /// The cell, its vertices, the weights of its closest point, and that point; or the vertex, with its lowest cell.
    /// For a compound also the child.
    pub feature: Feature,
}

impl Nearest {
    /// Returns the result moved by a rigid motion.
    #[must_use]
    pub fn moved(mut self, motion: &Pose) -> Self {
        self.feature.point = (motion * self.feature.surface_point()).into();
        self
    }
}

/// Asks in the coordinates of a geometry what is asked in the world.
fn placed(
    geometry: &dyn Geometry,
    point: &Point,
    ask: impl FnOnce(&Point) -> Option<Nearest>,
) -> Option<Nearest> {
    match geometry.placement() {
        Some(pose) => Some(ask(&pose.inverse_transform_point(point))?.moved(&pose)),
        None => ask(point),
    }
}

/// Returns the segment, triangle or tetrahedron closest to a point (world frame, where a scene has
/// [placed](Geometry::placement) the geometry), without radius or thickness; ties go to the lowest,
/// of the lowest child for a compound. `None` for a geometry without cells. Cost: logarithmic in the number of cells
/// with the tree, linear without.
pub fn nearest_cell(geometry: &dyn Geometry, point: &Point) -> Option<Nearest> {
    placed(geometry, point, |point| nearest_own_cell(geometry, point))
}

fn nearest_own_cell(geometry: &dyn Geometry, point: &Point) -> Option<Nearest> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => of_children(compound, |child| nearest_own_cell(child, point)),
        TypedGeometry::LineMesh(mesh) => {
            let on = |cell: u32| {
                let [start, end] = mesh.segment(cell);
                point_segment(point, &start, &end)
            };
            let distance_squared = |cell: u32| (on(cell).point - point).norm_squared();
            let (cell, distance_squared) = nearest(mesh.tree(), mesh.cells(), point, distance_squared)?;
            let found = on(cell);
            let weights = [1.0 - found.t, found.t];
            let feature = Feature::edge(mesh.cells()[cell as usize], weights, cell, found.point);
            Some(Nearest { distance: distance_squared.sqrt(), feature })
        }
        TypedGeometry::SurfaceMesh(mesh) => {
            let on = |cell: u32| -> PointTriangle {
                let [a, b, c] = mesh.corners(cell);
                point_triangle(point, &a, &b, &c)
            };
            let distance_squared = |cell: u32| on(cell).distance_squared;
            let (cell, distance_squared) = nearest(mesh.tree(), mesh.triangles(), point, distance_squared)?;
            let found = on(cell);
            let feature =
                Feature::triangle(mesh.triangles()[cell as usize], found.weights, cell, found.point);
            Some(Nearest { distance: distance_squared.sqrt(), feature })
        }
        TypedGeometry::TetraMesh(mesh) => {
            let on = |cell: u32| point_tetrahedron(point, mesh.corners(cell).each_ref());
            let distance_squared = |cell: u32| on(cell).distance_squared;
            let (cell, distance_squared) = nearest(mesh.tree(), mesh.cells(), point, distance_squared)?;
            let found = on(cell);
            let cells = mesh.cells()[cell as usize];
            let feature = Feature::tetrahedron(cells, found.weights, cell, found.point);
            Some(Nearest { distance: distance_squared.sqrt(), feature })
        }
        _ => None,
    }
}

/// Returns the vertex closest to a point (world frame, as [`nearest_cell`]), for a mesh among those used by a cell; ties go to the lowest, of the lowest
/// child for a compound. `None` for a geometry without vertices. Cost: logarithmic in the number of cells with the
/// tree, linear without.
pub fn nearest_vertex(geometry: &dyn Geometry, point: &Point) -> Option<Nearest> {
    placed(geometry, point, |point| nearest_own_vertex(geometry, point))
}

fn nearest_own_vertex(geometry: &dyn Geometry, point: &Point) -> Option<Nearest> {
    if let TypedGeometry::Compound(compound) = TypedGeometry::of(geometry) {
        return of_children(compound, |child| nearest_own_vertex(child, point));
    }
    let points = geometry.as_points()?;
    let (vertex, distance) = match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => vertex_of(mesh.tree(), mesh.cells(), points, point)?,
        TypedGeometry::SurfaceMesh(mesh) => vertex_of(mesh.tree(), mesh.triangles(), points, point)?,
        TypedGeometry::TetraMesh(mesh) => vertex_of(mesh.tree(), mesh.cells(), points, point)?,
        _ => {
            let squares = points.positions().iter().map(|position| (position - point).norm_squared());
            let (vertex, squared) = lowest((0..).zip(squares))?;
            (vertex, squared.sqrt())
        }
    };
    let place = points.positions()[vertex as usize];
    Some(Nearest { distance, feature: Feature::vertex(vertex, points.owner(vertex), place) })
}

/// Returns the closest result over the children, with its child; ties go to the lowest child.
fn of_children(compound: &Compound, of_child: impl Fn(&dyn Geometry) -> Option<Nearest>) -> Option<Nearest> {
    let found = compound.children().filter_map(|(number, child)| {
        let mut nearest = of_child(child)?;
        nearest.feature.child = number;
        Some(nearest)
    });
    found.reduce(|best, other| if other.distance < best.distance { other } else { best })
}

fn vertex_of<const N: usize>(
    tree: Option<&Bvh>,
    cells: &[[u32; N]],
    points: &PointSet,
    point: &Point,
) -> Option<(u32, f64)> {
    let squared = |vertex: u32| (points.positions()[vertex as usize] - point).norm_squared();
    let Some(tree) = tree else {
        let used = (0..points.len() as u32).filter(|&vertex| points.owner(vertex) != NONE);
        return lowest(used.map(|vertex| (vertex, squared(vertex)))).map(|(vertex, d2)| (vertex, d2.sqrt()));
    };
    let of_cell = |cell: u32| lowest(cells[cell as usize].iter().map(|&vertex| (vertex, squared(vertex))));
    let distance_squared = |cell: u32| of_cell(cell).map_or(f64::INFINITY, |(_, squared)| squared);
    let (_, least) = tree.nearest(point, f64::INFINITY, distance_squared)?;
    // Another cell may have a lower vertex at the same distance.
    let mut vertex = NONE;
    let reach = Aabb::from_point(*point).grown(least.sqrt() * (1.0 + 1e-12));
    tree.overlap(&reach, |cell| {
        for &other in &cells[cell as usize] {
            if squared(other) == least {
                vertex = vertex.min(other);
            }
        }
    });
    Some((vertex, least.sqrt()))
}

fn lowest(candidates: impl Iterator<Item = (u32, f64)>) -> Option<(u32, f64)> {
    candidates.reduce(|best, other| {
        let nearer = other.1 < best.1 || (other.1 == best.1 && other.0 < best.0);
        if nearer { other } else { best }
    })
}

fn nearest<const N: usize>(
    tree: Option<&Bvh>,
    cells: &[[u32; N]],
    point: &Point,
    distance_squared: impl Fn(u32) -> f64,
) -> Option<(u32, f64)> {
    match tree {
        Some(tree) => tree.nearest(point, f64::INFINITY, distance_squared),
        None => {
            let present = (0..).zip(cells).filter(|(_, ids)| !is_tombstone(ids));
            lowest(present.map(|(cell, _)| (cell, distance_squared(cell))))
        }
    }
}
