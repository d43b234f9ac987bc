//! The contacts of a procedure: needle and thread, blade, jaws, a tube in a tube.

use crate::error::{Failure, Outcome, detached};
use crate::input::points;
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::scene::{GeometryId, Scene};
use bytemuck::{Pod, Zeroable};
use palpate::contact::{Contact, Feature, NONE};
use palpate::geometry::{Needs, SurfaceMesh, TypedGeometry};
use palpate::math::Point;
use palpate::procedure::{
    Candidate, Centreline as Line, Crossing, Event, GraspTracker as Grasps, LumenContact, LumenLimits,
    Passing, Shaft, ShaftPlace, ShaftTracker as Tracker, Stay, Tissue, lumen_contacts as contacts_in,
};
use palpate::scene::Scene as OwnScene;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// A place on a shaft.
#[repr(C)]
#[derive(Clone, Copy, Default, Pod, Zeroable)]
struct Place {
    section: u32,
    segment: u32,
    weight: f64,
    arc: f64,
}

/// A place where a shaft passes through a surface.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct CrossingRecord {
    id: u64,
    passing: u32,
    triangle: u32,
    vertices: [u32; 3],
    reserved: u32,
    weights: [f64; 3],
    place: Place,
    point: [f64; 3],
    cosine: f64,
}

/// A part of a shaft in one tetrahedron.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct StayRecord {
    cell: u32,
    reserved: u32,
    places: [Place; 2],
    weights: [[f64; 4]; 2],
}

/// A change from one step of a shaft to the next.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct EventRecord {
    id: u64,
    kind: u32,
    is_allowed: u32,
    changed: [u32; 2],
}

/// A contact of a shaft with the wall of the vessel that it is in.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LumenRecord {
    place: Place,
    triangle: u32,
    branch: u32,
    weights: [f64; 3],
    point: [f64; 3],
    direction: [f64; 3],
    depth: f64,
    branch_place: Place,
}

/// The layouts of the records.
pub(crate) fn layouts() -> [Layout; 5] {
    [
        layout!("shaft_place", Place, section, segment, weight, arc),
        layout!(
            "shaft_crossing",
            CrossingRecord,
            id,
            passing,
            triangle,
            vertices,
            reserved,
            weights,
            place,
            point,
            cosine
        ),
        layout!("shaft_stay", StayRecord, cell, reserved, places, weights),
        layout!("shaft_event", EventRecord, id, kind, is_allowed, changed),
        layout!(
            "lumen_contact",
            LumenRecord,
            place,
            triangle,
            branch,
            weights,
            point,
            direction,
            depth,
            branch_place
        ),
    ]
}

fn place_of(place: &ShaftPlace) -> Place {
    let ShaftPlace { section, segment, weight, arc } = *place;
    Place { section, segment, weight, arc }
}

fn crossing_of(crossing: &Crossing) -> CrossingRecord {
    CrossingRecord {
        id: crossing.id.0,
        passing: u32::from(crossing.passing == Passing::Out),
        triangle: crossing.triangle,
        vertices: crossing.vertices,
        reserved: 0,
        weights: crossing.weights,
        place: place_of(&crossing.place),
        point: crossing.point.into(),
        cosine: crossing.cosine,
    }
}

fn stay_of(stay: &Stay) -> StayRecord {
    StayRecord {
        cell: stay.cell,
        reserved: 0,
        places: stay.places.each_ref().map(place_of),
        weights: stay.weights,
    }
}

/// `None` for an event that Python does not know.
fn event_of(event: &Event) -> Option<EventRecord> {
    let (kind, id, allowed, changed) = match *event {
        Event::Touched(_) => (0, 0, false, [NONE; 2]),
        Event::Left => (1, 0, false, [NONE; 2]),
        Event::Punctured { id, allowed } => (2, id.0, allowed, [NONE; 2]),
        Event::Exited { id } => (3, id.0, false, [NONE; 2]),
        Event::Withdrawn { id } => (4, id.0, false, [NONE; 2]),
        Event::Slid { id, triangles } => (5, id.0, false, triangles),
        Event::Passed { id, sections } => (6, id.0, false, sections),
        _ => return None,
    };
    Some(EventRecord { id, kind, is_allowed: u32::from(allowed), changed })
}

fn lumen_of(contact: &LumenContact) -> LumenRecord {
    let line = contact.centreline;
    LumenRecord {
        place: place_of(&contact.place),
        triangle: contact.triangle,
        branch: line.map_or(NONE, |line| line.branch as u32),
        weights: contact.weights,
        point: contact.point.into(),
        direction: contact.direction.into(),
        depth: contact.depth,
        branch_place: line.map_or(Place::default(), |line| place_of(&line.place)),
    }
}

/// A number of 0 or more. Errors: another one, or one that is not finite.
pub(crate) fn not_negative(value: f64, what: &str) -> Outcome<f64> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Failure::argument(format!("{what} is {value}: wanted a number of 0 or more")))
}

/// Refuses a mesh that is placed by a pose: points of procedures are in the world frame, and so must its vertices be.
pub(crate) fn check_frame(scene: &OwnScene, id: &GeometryId) -> Outcome {
    match scene.placement(id.0)? {
        None => Ok(()),
        Some(_) => {
            let text = format!("{} is placed by a pose: wanted its vertices in the world frame", id.0);
            Err(Failure::unsupported(text))
        }
    }
}

fn other_kind(scene: &OwnScene, id: &GeometryId, wanted: &str) -> Outcome<Failure> {
    let kind = scene.geometry(id.0)?.kind();
    Ok(Failure::unsupported(format!("the geometry is a {kind}: wanted {wanted}")))
}

/// A tissue of a scene, prepared.
fn tissue<'a>(scene: &'a mut OwnScene, id: &GeometryId) -> Outcome<Tissue<'a>> {
    check_frame(scene, id)?;
    scene.geometry_dyn_mut(id.0)?.prepare(Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
    match TypedGeometry::of(scene.geometry(id.0)?) {
        TypedGeometry::SurfaceMesh(mesh) => Ok(mesh.into()),
        TypedGeometry::TetraMesh(mesh) => Ok(mesh.into()),
        _ => Err(other_kind(scene, id, "a surface mesh or a tetra mesh")?),
    }
}

/// A surface of a scene, prepared.
fn surface<'a>(scene: &'a mut OwnScene, id: &GeometryId) -> Outcome<&'a SurfaceMesh> {
    match tissue(scene, id)? {
        Tissue::Surface(mesh) => Ok(mesh),
        Tissue::Tetra(_) => Err(Failure::unsupported("the geometry is a tetra_mesh: wanted a surface mesh")),
    }
}

/// A shaft of rows of points, n × 3 each.
fn shaft_of(sections: &[Bound<'_, PyAny>]) -> Outcome<Shaft> {
    let rows = sections.iter().map(|row| points(row, "the shaft")).collect::<Outcome<Vec<_>>>()?;
    Ok(Shaft::new(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())?)
}

/// A shaft in one tissue, from step to step.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct ShaftTracker(Mutex<Tracking>);

struct Tracking {
    tracker: Tracker,
    shaft: Shaft,
    /// The surface near the tip, and its element.
    near: Option<(Candidate, Feature)>,
}

impl ShaftTracker {
    fn enter(&self) -> Outcome<MutexGuard<'_, Tracking>> {
        self.0.try_lock().map_err(|_| Failure::busy("the shaft tracker"))
    }
}

/// The surface near the tip: vertices of the element, triangle, point, distance, cosine.
type Near = (Vec<u32>, u32, [f64; 3], f64, f64);

#[pymethods]
impl ShaftTracker {
    #[new]
    fn new(touch: f64, turned_cells: bool) -> Outcome<Self> {
        let own = Tracker::new(not_negative(touch, "touch")?);
        let tracker = if turned_cells { own.with_turned_cells() } else { own };
        Ok(Self(Mutex::new(Tracking { tracker, shaft: Shaft::default(), near: None })))
    }

    fn update(
        &self,
        py: Python<'_>,
        scene: &Scene,
        id: &GeometryId,
        sections: Vec<Bound<'_, PyAny>>,
    ) -> Outcome {
        let shaft = shaft_of(&sections)?;
        let (mut own, mut scene) = (self.enter()?, scene.enter()?);
        let (own, scene) = (&mut *own, &mut *scene);
        detached(py, || {
            let found = tissue(scene, id)?;
            own.tracker.update(&shaft, found)?;
            own.near = match own.tracker.candidate() {
                Some(near) => Some((*near, near.contact_feature(&shaft, found)?)),
                None => None,
            };
            own.shaft = shaft;
            Ok(())
        })
    }

    fn crossings<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        bytes_of(py, self.enter()?.tracker.crossings().iter().map(crossing_of).collect())
    }

    fn path<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        bytes_of(py, self.enter()?.tracker.path().iter().map(stay_of).collect())
    }

    fn events<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        bytes_of(py, self.enter()?.tracker.events().iter().filter_map(event_of).collect())
    }

    fn candidate(&self) -> Outcome<Option<Near>> {
        Ok(self.enter()?.near.map(|(candidate, feature)| {
            let vertices = feature.vertices[..feature.vertex_count as usize].to_vec();
            let point = candidate.point.into();
            (vertices, candidate.triangle, point, candidate.distance, candidate.cosine)
        }))
    }

    /// How far the tip is in, the length, whether the tip is inside, and the tetrahedron that holds it.
    fn tip(&self) -> Outcome<(f64, f64, bool, Option<u32>)> {
        let own = self.enter()?;
        let tracker = &own.tracker;
        Ok((tracker.depth(), own.shaft.length(), tracker.tip_is_inside(), tracker.tip_cell()))
    }

    fn allow(&self) -> Outcome {
        self.enter()?.tracker.allow();
        Ok(())
    }

    /// For each place whether its contact is left out, one byte each.
    fn is_let_through<'py>(
        &self,
        py: Python<'py>,
        sections: Vec<u32>,
        segments: Vec<u32>,
        weights: Vec<f64>,
        distance: f64,
    ) -> Outcome<Bytes<'py>> {
        let own = self.enter()?;
        let mut found = Vec::with_capacity(weights.len());
        for ((&section, &segment), &weight) in sections.iter().zip(&segments).zip(&weights) {
            let place = own.shaft.place_in(section, segment, weight);
            let text = || {
                format!(
                    "the shaft has no segment {segment} of section {section}: wanted one of the last update"
                )
            };
            let place = place.ok_or_else(|| Failure::range(text()))?;
            found.push(u8::from(own.tracker.is_let_through(&place, distance)));
        }
        bytes_of(py, found)
    }

    fn reset(&self) -> Outcome {
        let mut own = self.enter()?;
        own.tracker.reset();
        own.near = None;
        Ok(())
    }
}

/// What two jaws hold of one tissue.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct GraspTracker(Mutex<Grasps>);

/// Id, triangles of each jaw, areas, cells, pairs of contacts, closure.
type Held<'py> = (u64, Bytes<'py>, Bytes<'py>, [f64; 2], Bytes<'py>, Bytes<'py>, f64);

#[pymethods]
impl GraspTracker {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// With the contacts of either jaw as bytes.
    fn update<'py>(
        &self,
        py: Python<'py>,
        scene: &Scene,
        id: &GeometryId,
        jaws: [numpy::PyReadonlyArray1<'py, u8>; 2],
        friction: f64,
    ) -> Outcome<Option<Held<'py>>> {
        let friction = not_negative(friction, "friction")?;
        let jaws = jaws.each_ref().map(records::<Contact>);
        let [first, second] = jaws;
        let jaws = [first?, second?];
        let mut own = self.0.try_lock().map_err(|_| Failure::busy("the grasp tracker"))?;
        let mut scene = scene.enter()?;
        let (own, scene) = (&mut *own, &mut *scene);
        detached(py, || Ok(own.update([&jaws[0], &jaws[1]], friction, tissue(scene, id)?).map(|_| ())?))?;
        let Some(grasp) = own.grasp() else { return Ok(None) };
        let pairs: Vec<[u64; 2]> = grasp.pairs.iter().map(|pair| pair.map(|place| place as u64)).collect();
        Ok(Some((
            grasp.id.0,
            bytes_of(py, grasp.triangles[0].clone())?,
            bytes_of(py, grasp.triangles[1].clone())?,
            grasp.areas,
            bytes_of(py, grasp.cells.clone())?,
            bytes_of(py, pairs)?,
            grasp.closure,
        )))
    }
}

/// The records of an array of bytes. Errors: a size that is no multiple of theirs.
pub(crate) fn records<T: bytemuck::AnyBitPattern>(
    bytes: &numpy::PyReadonlyArray1<'_, u8>,
) -> Outcome<Vec<T>> {
    use numpy::PyUntypedArrayMethods;
    let size = size_of::<T>();
    let text = |count| format!("{count} bytes: wanted records of {size} bytes without gaps");
    let slice = bytes.as_slice().map_err(|_| Failure::argument(text(bytes.len())))?;
    if !slice.len().is_multiple_of(size) {
        return Err(Failure::argument(text(slice.len())));
    }
    Ok(slice.chunks_exact(size).map(bytemuck::pod_read_unaligned).collect())
}

/// The centreline of a vessel.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Centreline(Line);

#[pymethods]
impl Centreline {
    #[new]
    fn new(branches: Vec<Bound<'_, PyAny>>) -> Outcome<Self> {
        let rows = branches.iter().map(|row| points(row, "the centreline")).collect::<Outcome<Vec<_>>>()?;
        Ok(Self(Line::new(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())?))
    }

    /// The branches nearest to points, and the places on them.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>)> {
        let (mut branches, mut places) = (Vec::new(), Vec::new());
        for point in points(positions, "points")? {
            let found = self.0.nearest(&Point::from(point.coords));
            branches.push(found.map_or(NONE, |found| found.branch as u32));
            places.push(found.map_or(Place::default(), |found| place_of(&found.place)));
        }
        Ok((bytes_of(py, branches)?, bytes_of(py, places)?))
    }
}

/// The contacts of a shaft with the wall of a vessel, by radius, margin and reach.
#[pyfunction]
pub(crate) fn lumen_contacts<'py>(
    py: Python<'py>,
    scene: &Scene,
    vessel: &GeometryId,
    sections: Vec<Bound<'py, PyAny>>,
    line: &Centreline,
    limits: [f64; 3],
) -> Outcome<Bytes<'py>> {
    let (shaft, mut scene, mut found) = (shaft_of(&sections)?, scene.enter()?, Vec::new());
    let [radius, margin, reach] = limits;
    let limits = LumenLimits {
        radius: not_negative(radius, "radius")?,
        margin: not_negative(margin, "margin")?,
        reach: not_negative(reach, "reach")?,
    };
    let scene = &mut *scene;
    detached(py, || Ok(contacts_in(&shaft, surface(scene, vessel)?, &line.0, &limits, &mut found)?))?;
    bytes_of(py, found.iter().map(lumen_of).collect())
}
