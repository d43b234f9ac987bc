//! The picture of a frame of the demo.

use crate::error::CommandError;
use crate::picture::{Body, Image, View};
use crate::replay::sink::pair_of;
use palpate::geometry::{Capsule, GeometryKind, LineMesh, SurfaceMesh};
use palpate::math::{Point, Vector};
use palpate::replay::{Replay, ReplayError};
use palpate::scene::Scene;

/// Draws the organ, the tool and the thread of a frame with all contacts.
pub(super) fn draw(replay: &mut Replay, frame: usize) -> Result<Image, CommandError> {
    replay.load(frame)?;
    replay.detect()?;
    let mut contacts = Vec::new();
    for id in replay.pairs() {
        contacts.extend_from_slice(&pair_of(replay, id)?.contacts().contacts);
    }
    let bodies = bodies(replay.scene()).map_err(ReplayError::from)?;
    let view = View {
        bodies,
        contacts,
        center: Point::new(-0.002, 0.022, 0.004),
        radius: 0.071,
        from: Vector::new(0.25, 0.85, 1.0),
    };
    Ok(view.draw())
}

fn bodies(scene: &Scene) -> Result<Vec<Body<'_>>, palpate::scene::SceneError> {
    let mut bodies = Vec::new();
    for id in scene.geometries() {
        let kind = scene.geometry(id)?.kind();
        if kind == GeometryKind::SURFACE_MESH {
            let mesh = scene.geometry_as::<SurfaceMesh>(id)?;
            bodies.push(Body::Mesh(mesh.points().positions(), mesh.triangles()));
        } else if kind == GeometryKind::CAPSULE {
            let capsule = scene.geometry_as::<Capsule>(id)?;
            bodies.push(Body::Capsule(capsule.ends(), capsule.radius()));
        } else if kind == GeometryKind::LINE_MESH {
            let thread = scene.geometry_as::<LineMesh>(id)?;
            bodies.push(Body::Thread(thread.points().positions(), thread.radius()));
        }
    }
    Ok(bodies)
}
