//! A capsule that is driven on a prescribed way against an organ of tetrahedra.

use super::{Deformable, Elasticity, Material, Result, Settings, World};
use palpate_detect::Detection;
use palpate_geometry::TetraMesh;
use palpate_math::{Point, Vector};
use palpate_recording::{Frame, Reader, State, Topology};
use palpate_response::Material as Surface;
use palpate_scene::GeometryId;
use std::path::Path;

/// Steps per frame of the way.
const STEPS: usize = 4;

/// An organ with a fixed base, and a tool.
pub struct Press {
    /// The organ and the tool.
    pub world: World,
    /// Triangles of the organ's surface, facing outward.
    pub triangles: Vec<[u32; 3]>,
    /// The centres of the capsule's ends in each frame, metres.
    pub path: Vec<[Point; 2]>,
    organ: GeometryId,
    tool: GeometryId,
}

impl Press {
    /// The radius of the tool, metres.
    pub const RADIUS: f64 = 0.007;

    /// Between the centres of the tool's ends, metres.
    const LENGTH: f64 = 0.1;

    /// An organ whose lowest fifth (along z) does not move, and a tool that begins at the first of its places, which are
    /// `interval` seconds apart.
    ///
    /// The tool is a thread of one segment, whose two particles nothing moves: with its radius it is the capsule, and
    /// its rows are those of segments and triangles, exact wherever they are re-projected.
    pub fn new(
        (vertices, cells): (Vec<Point>, Vec<[u32; 4]>),
        path: Vec<[Point; 2]>,
        interval: f64,
    ) -> Result<Self> {
        let settings = Settings {
            step: interval / STEPS as f64,
            last_sweeps: 30,
            gravity: Vector::zeros(),
            damping: 5.0,
            margin: 0.3 * Self::RADIUS,
            detection: Detection::Continuous,
            on_elements: true,
            ..Settings::default()
        };
        let mut world = World::new(settings);
        let [low, high] =
            [f64::min, f64::max].map(|of| vertices.iter().map(|p| p.z).reduce(of).unwrap_or(0.0));
        let soft = Elasticity { young: 3e3, poisson: 0.4 };
        let organ = Deformable::solid(vertices, cells, 1e3, soft)?;
        let organ = organ.fixed_where(|place| place.z < low + 0.2 * (high - low));
        let organ = world.add_deformable("organ", organ)?;
        let steel = Material { mass: f64::INFINITY, stretch: 0.0, bend: 0.0 };
        let tool =
            world.add_deformable("tool", Deformable::thread(path[0].to_vec(), Self::RADIUS, steel)?)?;
        world.add_pair(tool, organ, Surface::with_friction(0.1))?;
        let triangles = world.scene.geometry_as::<TetraMesh>(organ)?.boundary_triangles().to_vec();
        Ok(Self { world, triangles, path, organ, tool })
    }

    /// Reads the recording in `folder`: the organ as it is in frame 0, and the tool in all frames.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut reader = Reader::open(folder.join("organ_tets.vtkhdf"))?;
        let mut frame = Frame::default();
        reader.read_frame(0, &mut frame)?;
        let organ = points(&frame)?.to_vec();
        let Topology::Tetrahedra(cells) = reader.topology(0, 0)? else {
            return Err("organ_tets has no tetrahedra".into());
        };
        let mut reader = Reader::open(folder.join("tool.vtkhdf"))?;
        let (mut path, mut ends) = (Vec::new(), None);
        for index in 0..reader.frame_count() {
            reader.read_frame(index, &mut frame)?;
            let vertices = points(&frame)?;
            let [a, b] = ends.get_or_insert_with(|| poles(vertices)).map(|pole| vertices[pole]);
            let half = (b - a).normalize() * (0.5 * Self::LENGTH);
            let middle = nalgebra::center(&a, &b);
            path.push([middle - half, middle + half]);
        }
        let interval = reader.times()[1] - reader.times()[0];
        Self::new((organ, cells), path, interval)
    }

    /// Moves the tool to its place in a frame, in several steps, and calls `after` at the end of each.
    pub fn to_frame(&mut self, frame: usize, mut after: impl FnMut(&Self)) -> Result<()> {
        let duration = self.interval();
        for (particle, place) in self.world.particles(self.tool).zip(self.path[frame]) {
            self.world.velocities[particle] = (place - self.world.positions[particle]) / duration;
        }
        for _ in 0..STEPS {
            self.world.step()?;
            after(self);
        }
        Ok(())
    }

    /// Seconds between frames.
    pub fn interval(&self) -> f64 {
        self.world.settings.step * STEPS as f64
    }

    /// The places of the organ's vertices.
    pub fn organ(&self) -> &[Point] {
        &self.world.positions[self.world.particles(self.organ)]
    }

    /// The centres of the capsule's ends.
    pub fn ends(&self) -> [Point; 2] {
        let first = self.world.particles(self.tool).start;
        [self.world.positions[first], self.world.positions[first + 1]]
    }

    /// How deep the organ's surface is in the tool, in radii of the tool: negative if they are apart, but no less than -1;
    /// infinite if an end of the tool's axis is inside the organ.
    ///
    /// Brute force, without the functions that detect.
    pub fn depth(&self) -> f64 {
        let ends = self.ends();
        let corners = |ids: &[u32; 3]| ids.map(|id| self.organ()[id as usize]);
        if ends.iter().any(|end| is_inside(end, self.triangles.iter().map(corners))) {
            return f64::INFINITY;
        }
        let near = |[a, b, c]: &[Point; 3]| {
            let size = (b - a).norm().max((c - a).norm());
            from_segment(a, [&ends[0], &ends[1]]) <= 2.0 * Self::RADIUS + size
        };
        let triangles = self.triangles.iter().map(corners).filter(near);
        let least = triangles.map(|corners| from_axis(&ends, &corners)).fold(2.0 * Self::RADIUS, f64::min);
        1.0 - least / Self::RADIUS
    }
}

/// The distance of a segment from a triangle. The distance of its points is convex along it: ternary search.
fn from_axis([a, b]: &[Point; 2], corners: &[Point; 3]) -> f64 {
    let at = |t: f64| from_triangle(&(a + (b - a) * t), corners);
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..80 {
        let [left, right] = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
        if at(left) <= at(right) { high = right } else { low = left }
    }
    at(0.0).min(at(1.0)).min(at(0.5 * (low + high)))
}

/// The distance of a point from a triangle: from its plane above the triangle, and else from an edge.
fn from_triangle(p: &Point, [a, b, c]: &[Point; 3]) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let sides = [(a, b), (b, c), (c, a)];
    if sides.iter().all(|(from, to)| (*to - *from).cross(&(p - *from)).dot(&normal) >= 0.0) {
        return (p - a).dot(&normal).abs() / normal.norm();
    }
    sides.into_iter().map(|(from, to)| from_segment(p, [from, to])).fold(f64::INFINITY, f64::min)
}

/// The distance of a point from a segment.
fn from_segment(p: &Point, [a, b]: [&Point; 2]) -> f64 {
    let along = b - a;
    let t = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (p - (a + along * t)).norm()
}

/// Whether a closed surface is around a point: its triangles are then seen under a solid angle of 4π, and else of 0 (A. Van
/// Oosterom, J. Strackee, "The solid angle of a plane triangle", 1983).
fn is_inside(p: &Point, triangles: impl Iterator<Item = [Point; 3]>) -> bool {
    let angle = |corners: [Point; 3]| {
        let [a, b, c] = corners.map(|corner| corner - p);
        let [x, y, z] = [a.norm(), b.norm(), c.norm()];
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    triangles.map(angle).sum::<f64>().abs() > 2.0 * std::f64::consts::PI
}

fn points(frame: &Frame) -> Result<&[Point]> {
    match &frame.states[0] {
        State::Points(points) => Ok(points),
        State::Primitive(_) => Err("a primitive has no vertices".into()),
    }
}

/// The poles of the capsule's tessellation are the two of its vertices that are farthest apart.
fn poles(vertices: &[Point]) -> [usize; 2] {
    let farthest = |from: usize| {
        let distance = |k: &usize| (vertices[*k] - vertices[from]).norm_squared();
        (0..vertices.len()).max_by(|i, j| distance(i).total_cmp(&distance(j))).unwrap_or(from)
    };
    let first = farthest(0);
    [first, farthest(first)]
}
