//! The planes of a mesh's faces near a body, as a convex function.

use super::mesh_solid::{MOST_NEAR, MeshSolid};
use super::{Cell, HighestPart, ImplicitFunction, OrientedBounds, Sample};
use arrayvec::ArrayVec;
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector};

/// How close the normals and the heights of equal planes are, relative to the size of the region.
const EQUAL: f64 = 1e-7;

/// How far the surface may be above a plane, relative to that size.
const FLAT: f64 = 1e-12;

/// The highest of the heights over several planes. In a region, where both a mesh and a body are not positive, it is nowhere above
/// the mesh's signed distance, and it is equal to that where the closest point of the surface is on one of the faces, and the
/// plane of that face has none of the surface above it.
pub(crate) struct MeshFaces {
    /// Of which the heights are measured.
    center: Point,
    bounds: Aabb,
    planes: ArrayVec<Height, MOST_NEAR>,
}

/// A height over a plane.
#[derive(Clone, Copy)]
struct Height {
    normal: Vector,
    /// Of the centre.
    at_center: f64,
}

impl MeshFaces {
    /// Lists the planes near a box; `None` if there are too many triangles, or no plane of use.
    pub(crate) fn new(solid: &MeshSolid<'_>, root: &OrientedBounds) -> Option<Self> {
        let reach = root.reach();
        let cell = Cell { corners: &[], center: root.center, radius: reach };
        let mut near = None;
        let near = solid.listed(&mut near, &cell)?;
        let mut planes = ArrayVec::<Height, MOST_NEAR>::new();
        for triangle in near {
            let Some(plane) = solid.plane(triangle.number, &cell) else { continue };
            let height = plane.height(&cell.center);
            let is_known = planes.iter().any(|known| {
                (known.normal - plane.normal).norm() <= EQUAL
                    && (known.at_center - height).abs() <= EQUAL * reach
            });
            if height < -reach || is_known {
                continue;
            }
            let rise = solid.rise(&plane, 0.0, FLAT * reach, near)?;
            planes.push(Height { normal: plane.normal, at_center: height - rise });
        }
        (!planes.is_empty()).then(|| Self { center: root.center, bounds: solid.sublevel_bounds(0.0), planes })
    }

    fn height(&self, plane: &Height, point: &Point) -> f64 {
        plane.normal.dot(&(point - self.center)) + plane.at_center
    }

    /// Returns the greatest height and the number of its plane, the first of several.
    fn highest(&self, point: &Point) -> Option<(f64, u32)> {
        let heights = self.planes.iter().map(|plane| self.height(plane, point)).zip(0..);
        heights.reduce(|a, b| if b.0 > a.0 { b } else { a })
    }
}

impl ImplicitFunction for MeshFaces {
    fn sample(&self, point: &Point) -> Sample {
        let highest = self.highest(point).map(|(value, number)| (value, self.planes[number as usize].normal));
        let (value, gradient) = highest.unwrap_or((f64::NEG_INFINITY, Vector::y()));
        Sample { value, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.bounds.grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
        for plane in &self.planes {
            visit(cell.at_corners(|corner| self.height(plane, corner)));
        }
    }

    /// The parts are the heights.
    fn highest_part(&self, point: &Point, _: Option<u32>) -> Option<HighestPart> {
        let (value, number) = self.highest(point)?;
        let foot = point - self.planes[number as usize].normal * value;
        Some(HighestPart { number, value, foot })
    }

    fn part_value(&self, number: u32, point: &Point) -> f64 {
        self.height(&self.planes[number as usize], point)
    }

    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        for plane in &self.planes {
            visit(self.height(plane, point), plane.normal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Intersection, Search, Torus};
    use crate::{Capsule, Cylinder, Geometry, Needs, OrientedBox, Pose, Sphere, SurfaceMesh};
    use std::sync::Arc;

    fn mesh(corners: &[[f64; 3]], cells: &[[u32; 3]]) -> SurfaceMesh {
        let corners = corners.iter().copied().map(Point::from).collect();
        let mut mesh = SurfaceMesh::new(corners, cells.to_vec()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    fn octahedron() -> SurfaceMesh {
        let corners = [
            [1.1, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 0.8, 0.0],
            [0.0, -0.9, 0.0],
            [0.1, 0.0, 1.3],
            [0.0, 0.0, -1.2],
        ];
        let cells = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        mesh(&corners, &cells)
    }

    /// An octahedron with a pit in one of its faces.
    fn dented() -> SurfaceMesh {
        let octahedron = octahedron();
        let mut corners: Vec<[f64; 3]> =
            octahedron.points().positions().iter().map(|place| place.coords.into()).collect();
        corners.push([0.2, 0.1, 0.2]);
        let mut cells = octahedron.triangles().to_vec();
        let [a, b, c] = cells[0];
        cells[0] = [a, b, 6];
        cells.extend([[b, c, 6], [c, a, 6]]);
        mesh(&corners, &cells)
    }

    /// Convex bodies and rings, most of them a little way into a mesh, against the search that does not know of the planes.
    #[test]
    fn the_deepest_point_is_the_same_without_the_planes() {
        let meshes = [octahedron(), dented()];
        let mut state = 41_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut by_planes, mut without, mut found_some, mut nothing) = (0, 0, 0, 0);
        for case in 0..240 {
            let mesh = &meshes[case % 2];
            let solid = MeshSolid::of_surface(mesh).unwrap();
            let center = Point::new(random(), random(), random());
            let axis = Vector::new(random(), random(), random());
            let turned = crate::pose::rotation_from_axis(axis).unwrap();
            let pose: Pose = crate::pose::from_rotation(center, turned).unwrap();
            let body: Arc<dyn ImplicitFunction> = match case / 2 % 4 {
                0 => Arc::new(OrientedBox::new(pose, Vector::new(0.2, 0.4, 0.3)).unwrap()),
                1 => Arc::new(Cylinder::new(pose, 0.3, 0.5).unwrap()),
                2 => Arc::new(Torus::new(pose, 0.4, 0.15).unwrap()),
                _ => {
                    let parts: [Arc<dyn ImplicitFunction>; 2] = [
                        Arc::new(Sphere::new(center, 0.4).unwrap()),
                        Arc::new(Capsule::new(pose, 0.3, 0.7).unwrap()),
                    ];
                    Arc::new(Intersection::new(parts.to_vec()).unwrap())
                }
            };
            let root = OrientedBounds::from(body.sublevel_bounds(0.0));
            let cutoff = [0.0, -0.05][case / 8 % 2];
            match MeshFaces::new(&solid.shared_with(body.as_ref()), &root) {
                Some(_) => by_planes += 1,
                None => without += 1,
            }
            let found =
                Search::with_tolerance(1e-12).deepest_in_mesh(&solid, body.as_ref(), &root, cutoff, None);
            let wanted = Search::with_tolerance(1e-12).below_within(&solid, body.as_ref(), &root, cutoff);
            let (Some(found), Some(wanted)) = (found, wanted) else {
                // Both are within the gap of the cutoff, or above.
                let near = |value: f64| (value - cutoff).abs() < 1e-9;
                let other = found.or(wanted);
                assert!(other.is_none_or(|other| near(other.sample.value)), "{case}: {found:?} {wanted:?}");
                nothing += 1;
                continue;
            };
            found_some += 1;
            assert!(found.converged, "{case}: {found:?}");
            assert!((found.sample.value - wanted.sample.value).abs() < 1e-9, "{case}: {found:?} {wanted:?}");
            assert!(found.lower <= wanted.sample.value && wanted.lower <= found.sample.value, "{case}");
            assert!((solid.sample(&found.point).value - found.sample.value).abs() < 1e-12, "{case}");
            assert!(body.sample(&found.point).value < 1e-9, "{case}: {found:?}");
        }
        assert!(by_planes > 80 && without > 30, "{by_planes} {without}");
        assert!(found_some > 60 && nothing > 30, "{found_some} {nothing}");
    }

    /// Wherever a point is in the body and in the mesh, the planes are no higher than the mesh.
    #[test]
    fn the_planes_are_not_above_the_distance() {
        let meshes = [octahedron(), dented()];
        let mut state = 43_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut listed, mut shared) = (0, 0);
        for case in 0..400 {
            let mesh = &meshes[case % 2];
            let solid = MeshSolid::of_surface(mesh).unwrap();
            let on_surface = mesh.points().positions()[case / 2 % mesh.points().positions().len()];
            let size = [0.05, 0.2, 0.6][case / 2 % 3];
            let center = on_surface + Vector::new(random(), random(), random()) * size;
            let body = Sphere::new(center, size).unwrap();
            let solid = solid.shared_with(&body);
            let root = OrientedBounds::from(ImplicitFunction::sublevel_bounds(&body, 0.0));
            let Some(faces) = MeshFaces::new(&solid, &root) else { continue };
            listed += 1;
            for _ in 0..600 {
                let point = center + Vector::new(random(), random(), random()) * size;
                let value = solid.sample(&point).value;
                if value <= 0.0 && ImplicitFunction::sample(&body, &point).value <= 0.0 {
                    shared += 1;
                    assert!(faces.sample(&point).value <= value + 1e-12, "{case}");
                }
            }
        }
        assert!(listed > 100 && shared > 5_000, "{listed} {shared}");
    }
}
