//! A session, frame by frame, as the page stores it.

use super::drawn::{Cells, Drawn, all};
use super::numbers::Numbers;
use super::quantised::Quantised;
use super::stored::{CellList, Object, Poses, Segment};
use palpate::geometry::Pose;
use palpate::math::Point;
use palpate::scene::{Scene, SceneError};

/// An object and its states so far.
struct Track {
    name: String,
    kind: String,
    poses: Vec<[f32; 7]>,
    has_pose: bool,
    stretches: Vec<Stretch>,
}

/// Frames in which an object has the same cells and sizes.
struct Stretch {
    first: usize,
    last: usize,
    cells: Cells,
    size: Option<[f64; 3]>,
    /// One entry per frame; a single one as long as nothing moves.
    positions: Vec<Vec<Point>>,
}

/// Collects what is drawn.
#[derive(Default)]
pub(super) struct Bodies {
    tracks: Vec<Track>,
    frames: usize,
    /// Of all finite points and bounds.
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

impl Bodies {
    pub(super) fn new() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], ..Self::default() }
    }

    /// Adds the current state of a scene as the next frame.
    pub(super) fn add(&mut self, scene: &Scene) -> Result<(), SceneError> {
        for id in scene.geometries() {
            let (bounds, placement) = (scene.geometry(id)?.bounds(), scene.placement(id)?);
            for corner in [bounds.min, bounds.max] {
                let corner = placement.map_or(corner, |pose| pose * corner);
                self.stretch_to(&corner);
            }
        }
        let frame = self.frames;
        self.frames += 1;
        for drawn in all(scene)? {
            let track = match self.tracks.iter().position(|track| track.name == drawn.name) {
                Some(at) => &mut self.tracks[at],
                None => {
                    let (name, kind) = (drawn.name.clone(), drawn.kind.clone());
                    let has_pose = drawn.pose.is_some();
                    let poses = vec![row(&Pose::identity()); frame];
                    self.tracks.push(Track { name, kind, poses, has_pose, stretches: Vec::new() });
                    let last = self.tracks.len() - 1;
                    &mut self.tracks[last]
                }
            };
            track.add(frame, drawn);
        }
        Ok(())
    }

    fn stretch_to(&mut self, point: &Point) {
        if point.iter().all(|x| x.is_finite()) {
            for axis in 0..3 {
                self.low[axis] = self.low[axis].min(point[axis]);
                self.high[axis] = self.high[axis].max(point[axis]);
            }
        }
    }

    /// Writes the numbers, and says where they are.
    pub(super) fn finish(self, numbers: &mut Numbers) -> Vec<Object> {
        self.tracks.into_iter().map(|track| track.finish(numbers)).collect()
    }
}

impl Track {
    fn add(&mut self, frame: usize, drawn: Drawn) {
        self.poses.push(row(&drawn.pose.unwrap_or_else(Pose::identity)));
        let Drawn { points, cells, size, .. } = drawn;
        if let Some(last) = self.stretches.last_mut()
            && last.last + 1 == frame
            && last.cells == cells
            && last.size == size
            && last.positions[0].len() == points.len()
        {
            let is_still = last.positions.len() == 1 && last.positions[0] == points;
            if !is_still {
                let held = frame - last.first;
                // Nothing had moved so far: the frames until now are the same.
                while last.positions.len() < held {
                    last.positions.push(last.positions[0].clone());
                }
                last.positions.push(points);
            }
            last.last = frame;
            return;
        }
        self.stretches.push(Stretch { first: frame, last: frame, cells, size, positions: vec![points] });
    }

    fn finish(self, numbers: &mut Numbers) -> Object {
        let mut error: f64 = 0.0;
        let mut segments = Vec::new();
        for stretch in &self.stretches {
            let quantised = Quantised::new(&stretch.positions);
            error = error.max(quantised.error());
            let cells = match &stretch.cells {
                Cells::None => None,
                Cells::Lines(cells) => {
                    Some(CellList { kind: "lines", offset: numbers.push(cells), count: 2 * cells.len() })
                }
                Cells::Triangles(cells) => {
                    Some(CellList { kind: "triangles", offset: numbers.push(cells), count: 3 * cells.len() })
                }
            };
            segments.push(Segment {
                first: stretch.first,
                last: stretch.last,
                shape: stretch.size.map(|_| self.kind.clone()),
                size: stretch.size,
                points: stretch.positions[0].len(),
                moves: stretch.positions.len() > 1,
                low: quantised.low.map(|x| if x.is_finite() { x } else { 0.0 }),
                step: quantised.step,
                offset: numbers.push(&quantised.values),
                cells,
            });
        }
        let is_still = self.poses.windows(2).all(|two| two[0] == two[1]);
        let rows = if is_still { &self.poses[..1] } else { &self.poses[..] };
        let poses = self.has_pose.then(|| Poses { offset: numbers.push(rows), rows: rows.len() });
        Object { name: self.name, kind: self.kind, health: String::new(), error, segments, poses }
    }
}

/// Position, and rotation with the real part last.
fn row(pose: &Pose) -> [f32; 7] {
    let (t, q) = (&pose.translation.vector, &pose.rotation.coords);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w].map(|x| x as f32)
}
