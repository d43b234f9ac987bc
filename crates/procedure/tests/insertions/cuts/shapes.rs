//! Blocks that are cut, and strokes of blades.

use super::check::Parts;
use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_procedure::{CutLimits, Sweep};
use palpate_tests::Random;
use palpate_tests::meshes::tetra_block;

/// Lattice points along the side of a cube.
const CUBE: i64 = 16;

/// A block of tetrahedra on the lattice.
pub(crate) struct Block {
    pub(crate) vertices: Vec<[i64; 3]>,
    cells: Vec<[u32; 4]>,
    cubes: [u32; 3],
    /// Metres of a lattice step.
    unit: f64,
    is_even: bool,
}

impl Block {
    /// Of two to four cubes a side.
    pub(crate) fn small(random: &mut Random) -> Self {
        let cubes = [0; 3].map(|_| 2 + random.below(3) as u32);
        Self::new(random, cubes)
    }

    pub(crate) fn new(random: &mut Random, cubes: [u32; 3]) -> Self {
        let is_even = random.one_in(3);
        let (_, cells) = tetra_block(random, cubes, 0.0);
        let mut vertices = Vec::new();
        for i in 0..=cubes[0] {
            for j in 0..=cubes[1] {
                for k in 0..=cubes[2] {
                    let mut moved =
                        |x: u32| CUBE * i64::from(x) + if is_even { 0 } else { random.below(5) as i64 - 2 };
                    vertices.push([i, j, k].map(&mut moved));
                }
            }
        }
        let unit = [2f64.powi(-4), 2f64.powi(-14), 1.0][random.below(3)];
        Self { vertices, cells, cubes, unit, is_even }
    }

    pub(crate) fn positions(&self) -> Vec<Point> {
        self.vertices.iter().map(|at| self.point(at.map(|x| x as f64).into())).collect()
    }

    pub(crate) fn mesh(&self) -> TetraMesh {
        let mut mesh = TetraMesh::new(self.positions(), self.cells.clone()).expect("valid");
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        mesh
    }

    fn point(&self, lattice: Vector) -> Point {
        Point::from(lattice * self.unit)
    }

    /// Metres within which the block lies.
    pub(crate) fn size(&self) -> f64 {
        f64::from(5.max(1 + self.most())) * CUBE as f64 * self.unit
    }

    /// Of no least volume, or of one in a hundred of a cube.
    pub(crate) fn limits(&self, random: &mut Random) -> CutLimits {
        let snap = [0.0, 0.05, 0.1, 0.3][random.below(4)];
        let cube = (CUBE as f64 * self.unit).powi(3);
        CutLimits { snap, least: if random.one_in(3) { 0.002 * cube } else { 0.0 } }
    }

    /// Cubes along the longest side.
    fn most(&self) -> u32 {
        self.cubes.into_iter().max().unwrap_or(0)
    }

    fn middle(&self) -> Vector {
        self.cubes.map(|n| 0.5 * f64::from(n) * CUBE as f64).into()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Through the whole block.
    Straight,
    Curved,
    ThroughVertices,
    AlongFaces,
    /// Ends within the block.
    Partial,
    /// Anywhere, bent and turned.
    Any,
    /// Lies in a side of the block.
    Grazing,
}

/// The most frames of a stroke.
pub(crate) const FRAMES: usize = 5;

/// The sweeps of a blade, frame by frame.
pub(crate) struct Stroke {
    pub(crate) kind: Kind,
    pub(crate) sweeps: Vec<Sweep>,
    /// A point and the normal of the plane of a straight one.
    pub(crate) plane: Option<(Point, Vector)>,
}

impl Stroke {
    pub(crate) fn random(random: &mut Random, block: &Block) -> Self {
        use Kind::{AlongFaces, Any, Curved, Grazing, Partial, Straight, ThroughVertices};
        let kind = random.pick(&[Straight, Curved, ThroughVertices, AlongFaces, Partial, Any, Grazing]);
        let kind = if kind == AlongFaces && !block.is_even { Straight } else { kind };
        let frames = 1 + random.below(FRAMES);
        let axis = random.below(3);
        let mut normal = random.direction();
        let mut at = block.middle() + random.vector() * 4.0;
        match kind {
            Curved => normal = unit(axis),
            AlongFaces | Grazing => {
                normal = unit(axis);
                let side = if kind == Grazing { block.cubes[axis] } else { 1 };
                at[axis] = f64::from(side) * CUBE as f64;
            }
            ThroughVertices => {
                // Near the middle, so that it parts the block.
                let cubes = block.cubes;
                let id = |c: [u32; 3]| (c[0] * (cubes[1] + 1) + c[1]) * (cubes[2] + 1) + c[2];
                let corner = |c: [u32; 3]| Vector::from(block.vertices[id(c) as usize].map(|x| x as f64));
                let [a, b, c] = [[1, 1, 1], [1, 1, 0], [0, 1, 1]].map(corner);
                (at, normal) = (a, (b - a).cross(&(c - a)).normalize());
            }
            _ => {}
        }
        let reach = f64::from(10.max(2 * block.most())) * CUBE as f64;
        let along = normal.cross(&unit((normal.iamax() + 1 + random.below(2)) % 3)).normalize();
        let across = normal.cross(&along);
        let points = 2 + random.below(4);
        let bend = if kind == Curved { random.between(0.2, 0.6) * CUBE as f64 } else { 0.0 };
        let end = if kind == Partial { random.between(-0.4, 0.4) * CUBE as f64 } else { reach };
        let row = |time: f64| -> Vec<Point> {
            let forward = -reach + (end + reach) * time;
            let place = |k: usize| {
                let s = 2.0 * k as f64 / (points - 1) as f64 - 1.0;
                let lift = bend * (2.5 * s).cos();
                block.point(at + across * (reach * s) + along * forward + normal * lift)
            };
            (0..points).map(place).collect()
        };
        let mut rows: Vec<Vec<Point>> = (0..=frames).map(|frame| row(frame as f64 / frames as f64)).collect();
        if kind == Any {
            for point in rows.iter_mut().flatten() {
                *point = block.point(
                    block.middle() + random.vector() * (f64::from(block.most().max(5)) * 0.5 * CUBE as f64),
                );
            }
        }
        let sweeps = rows.windows(2).map(|two| Sweep::new(&two[0], &two[1]).expect("valid")).collect();
        let is_flat = matches!(kind, Kind::Straight | Kind::AlongFaces | Kind::ThroughVertices);
        Self { kind, sweeps, plane: is_flat.then(|| (block.point(at), normal)) }
    }
}

fn unit(axis: usize) -> Vector {
    let mut unit = Vector::zeros();
    unit[axis] = 1.0;
    unit
}

/// The two parts lie on the two sides of a plane, by the centres of most of their cells.
pub(crate) fn sides_differ(mesh: &TetraMesh, parts: &Parts, (at, normal): &(Point, Vector), what: &str) {
    let height = |cell: &u32| {
        let volume = palpate_math::tetrahedron::six_volumes(mesh.corners(*cell).each_ref()).abs();
        let centre = mesh.corners(*cell).iter().map(|corner| corner.coords).sum::<Vector>() / 4.0;
        (centre - at.coords).dot(normal) * volume
    };
    let heights: Vec<f64> = parts.iter().map(|part| part.cells.iter().map(height).sum()).collect();
    assert!(heights[0] * heights[1] < 0.0, "{what}: {heights:?}");
}
