//! The files of the workload.

use std::path::Path;

use palpate::math::Point;

use crate::Fallible;
use crate::figures::numbers;

/// Number of frames and of poses.
pub(super) const FRAMES: usize = 100;

/// A mesh as vertices and triangles.
pub(super) struct Mesh {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// A rigid motion: the rows of its rotation, and its translation.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    pub(super) rotation: [[f64; 3]; 3],
    pub(super) translation: [f64; 3],
}

impl Motion {
    pub(super) fn applied(&self, point: &Point) -> Point {
        let along = |axis: usize| {
            let [x, y, z] = self.rotation[axis];
            x * point.x + y * point.y + z * point.z + self.translation[axis]
        };
        Point::new(along(0), along(1), along(2))
    }
}

/// The input of one size.
pub struct Input {
    pub(super) size: &'static str,
    pub(super) organ: Mesh,
    pub(super) tool: Mesh,
    pub(super) frames: Vec<Vec<Point>>,
    pub(super) poses: Vec<Motion>,
    pub(super) points: Vec<Point>,
    pub(super) spheres: Vec<(Point, f64)>,
}

impl Input {
    /// Reads the files of a size. Errors: a file is missing or malformed.
    pub fn read(folder: &Path, size: &'static str) -> Fallible<Self> {
        let organ = mesh(&folder.join(format!("organ_{size}.bin")))?;
        let frames = points(&numbers(&folder.join(format!("frames_{size}.bin")))?);
        if frames.len() != FRAMES * organ.vertices.len() {
            return Err(format!("frames_{size}.bin: {} points", frames.len()).into());
        }
        let poses = numbers(&folder.join("tool_poses.bin"))?;
        let poses: Vec<Motion> = poses.as_chunks::<12>().0.iter().map(motion).collect();
        if poses.len() != FRAMES {
            return Err(format!("tool_poses.bin: {} poses", poses.len()).into());
        }
        let spheres = numbers(&folder.join("spheres.bin"))?;
        let sphere = |&[x, y, z, radius]: &[f64; 4]| (Point::new(x, y, z), radius);
        Ok(Self {
            size,
            frames: frames.chunks(organ.vertices.len()).map(<[Point]>::to_vec).collect(),
            organ,
            tool: mesh(&folder.join("tool.bin"))?,
            poses,
            points: points(&numbers(&folder.join("points.bin"))?),
            spheres: spheres.as_chunks::<4>().0.iter().map(sphere).collect(),
        })
    }
}

fn motion(&[a, b, c, d, e, f, g, h, i, x, y, z]: &[f64; 12]) -> Motion {
    Motion { rotation: [[a, b, c], [d, e, f], [g, h, i]], translation: [x, y, z] }
}

fn points(numbers: &[f64]) -> Vec<Point> {
    numbers.as_chunks::<3>().0.iter().map(|&[x, y, z]| Point::new(x, y, z)).collect()
}

fn mesh(path: &Path) -> Fallible<Mesh> {
    let numbers = numbers(path)?;
    let malformed = || format!("{}: not a mesh", path.display());
    let (&[vertices, triangles], rest) = numbers.split_first_chunk().ok_or_else(malformed)?;
    let (vertices, triangles) = (vertices as usize, triangles as usize);
    if rest.len() != 3 * (vertices + triangles) {
        return Err(malformed().into());
    }
    let (coordinates, ids) = rest.split_at(3 * vertices);
    let ids = ids.as_chunks::<3>().0.iter().map(|ids| ids.map(|id| id as u32));
    Ok(Mesh { vertices: points(coordinates), triangles: ids.collect() })
}
