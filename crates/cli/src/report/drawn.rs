//! What is drawn of a geometry: points with cells, or a shape with sizes, and a pose.

use palpate::geometry::{Geometry, Pose, TypedGeometry, cells_left};
use palpate::math::Point;
use palpate::scene::Scene;

/// The cells between the points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Cells {
    #[default]
    None,
    Lines(Vec<[u32; 2]>),
    Triangles(Vec<[u32; 3]>),
}

/// A geometry in one frame.
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) kind: String,
    /// In the object's own frame if there is a pose, else in the world's.
    pub(super) points: Vec<Point>,
    pub(super) cells: Cells,
    /// The sizes of a shape without points, as in a recording.
    pub(super) size: Option<[f64; 3]>,
    pub(super) pose: Option<Pose>,
}

/// The edges of a box, by its corners in the order of their bits.
const BOX_EDGES: [[u32; 2]; 12] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

/// All geometries of a scene, with the children of compounds.
pub(super) fn all(scene: &Scene) -> Result<Vec<Drawn>, palpate::scene::SceneError> {
    let mut drawn = Vec::new();
    for id in scene.geometries() {
        let (name, geometry, placement) = (scene.name(id)?, scene.geometry(id)?, scene.placement(id)?);
        match TypedGeometry::of(geometry) {
            TypedGeometry::Compound(compound) => {
                for (number, child) in compound.children() {
                    drawn.push(one(format!("{name}[{number}]"), child, placement));
                }
            }
            _ => drawn.push(one(name.to_owned(), geometry, placement)),
        }
    }
    Ok(drawn)
}

fn one(name: String, geometry: &dyn Geometry, placement: Option<Pose>) -> Drawn {
    let kind = geometry.kind().name().to_owned();
    let mut drawn = Drawn { name, kind, points: Vec::new(), cells: Cells::None, size: None, pose: None };
    let own = geometry.pose();
    drawn.pose = match (placement, own) {
        (Some(placement), Some(own)) => Some(placement * own),
        (placement, own) => placement.or(own),
    };
    if let Some(points) = geometry.as_points() {
        drawn.points = points.positions().to_vec();
    }
    match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => {
            drawn.cells = Cells::Lines(cells_left(mesh.cells()).copied().collect())
        }
        TypedGeometry::SurfaceMesh(mesh) => {
            drawn.cells = Cells::Triangles(cells_left(mesh.triangles()).copied().collect())
        }
        TypedGeometry::TetraMesh(mesh) => {
            drawn.cells = Cells::Triangles(cells_left(mesh.boundary_triangles()).copied().collect())
        }
        TypedGeometry::Convex(body) => {
            drawn.points = body.hull().points().iter().map(|point| Point::from(*point)).collect();
            drawn.cells = Cells::Triangles(body.hull().triangles().to_vec());
        }
        TypedGeometry::Plane(_) => drawn.size = Some([0.0; 3]),
        typed => match typed.sized() {
            Some(shape) => drawn.size = Some(shape.sizes()),
            // An implicit body, or a type of a user's own: its box.
            None if drawn.points.is_empty() => {
                let bounds = geometry.bounds();
                let end = |corner: u32, axis: usize| {
                    if corner >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
                };
                let corner = |corner: u32| Point::new(end(corner, 0), end(corner, 1), end(corner, 2));
                let corners: Vec<Point> = (0..8).map(corner).collect();
                if corners.iter().all(|corner| corner.iter().all(|x| x.is_finite())) {
                    drawn.points = corners;
                    drawn.cells = Cells::Lines(BOX_EDGES.to_vec());
                }
                drawn.pose = placement;
            }
            None => {}
        },
    }
    drawn
}
