//! Queries: distances, closest elements and rays, for many points at once.

use crate::error::{Failure, Outcome, detached};
use crate::geometry::Geometry;
use crate::input::{numbers, points};
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use bytemuck::{Pod, Zeroable};
use palpate::contact::{Feature, NONE};
use palpate::geometry::pick::{Crossing, Hit as Found, Ray, first_hit, nearest_cell, nearest_vertex};
use palpate::geometry::{Geometry as Shape, Pose, signed_distance};
use palpate::math::{Point, Vector};
use pyo3::prelude::*;

/// Work on points is divided into blocks of this many: a block of distances takes about a millisecond.
const BLOCK: usize = 256;

/// A signed distance.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Distance {
    distance: f64,
    nearest: [f64; 3],
    gradient: [f64; 3],
    feature: u32,
    child: u32,
    is_exact: u32,
    reserved: u32,
}

/// The closest cell or vertex.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Nearest {
    distance: f64,
    feature: Feature,
}

/// The first hit of a ray.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Hit {
    distance: f64,
    normal: [f64; 3],
    feature: Feature,
    crossing: u32,
    reserved: u32,
}

/// The layouts of the records.
pub(crate) fn layouts() -> [Layout; 3] {
    [
        layout!("distance", Distance, distance, nearest, gradient, feature, child, is_exact, reserved),
        layout!("nearest", Nearest, distance, feature),
        layout!("hit", Hit, distance, normal, feature, crossing, reserved),
    ]
}

fn no_feature() -> Feature {
    Feature { cell: NONE, child: NONE, ..Feature::point(Point::origin()) }
}

fn checked(points: Vec<Point>) -> Outcome<Vec<Point>> {
    match points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
        None => Ok(points),
        Some(place) => {
            let text =
                format!("points[{place}] is {:?}: wanted finite numbers", points[place].coords.as_slice());
            Err(Failure::argument(text))
        }
    }
}

/// Asks about every item on some threads; the answers are in the order of the items.
fn each<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    ask: impl Fn(&T) -> Outcome<R> + Sync,
) -> Outcome<Vec<R>> {
    let blocks: Vec<&[T]> = items.chunks(BLOCK).collect();
    let answers = crate::threads::each(
        blocks.len(),
        threads,
        || (),
        |(), block| blocks[block].iter().map(&ask).collect::<Outcome<Vec<R>>>(),
    )?;
    Ok(answers.into_iter().flatten().collect())
}

fn distance(shape: &dyn Shape, point: &Point) -> Outcome<Distance> {
    let found = signed_distance(shape, point)?;
    Ok(Distance {
        distance: found.signed.distance,
        nearest: found.signed.nearest.coords.into(),
        gradient: found.signed.gradient.into(),
        feature: found.signed.feature,
        child: found.child,
        is_exact: u32::from(found.is_exact),
        reserved: 0,
    })
}

fn hit(found: Option<Found>) -> Hit {
    let Some(found) = found else {
        return Hit {
            distance: f64::INFINITY,
            normal: [0.0; 3],
            feature: no_feature(),
            crossing: NONE,
            reserved: 0,
        };
    };
    let crossing = match found.crossing {
        Crossing::Enter => 0,
        Crossing::Leave => 1,
        Crossing::Graze => 2,
    };
    let Found { distance, normal, feature, .. } = found;
    Hit { distance, normal: normal.into(), feature, crossing, reserved: 0 }
}

/// The signed distances of n points, n × 3.
#[pyfunction]
pub(crate) fn signed_distances<'py>(
    py: Python<'py>,
    geometry: &Geometry,
    points: &Bound<'py, PyAny>,
    threads: usize,
) -> Outcome<Bytes<'py>> {
    let points = checked(crate::input::points(points, "points")?)?;
    let found = detached(py, || {
        let shape = geometry.prepared();
        each(&points, threads, |point| distance(&*shape, point))
    })?;
    bytes_of(py, found)
}

/// The closest cells, or vertices, of n points.
#[pyfunction]
pub(crate) fn nearest<'py>(
    py: Python<'py>,
    geometry: &Geometry,
    positions: &Bound<'py, PyAny>,
    vertices: bool,
    threads: usize,
) -> Outcome<Bytes<'py>> {
    let positions = checked(points(positions, "points")?)?;
    let query = if vertices { nearest_vertex } else { nearest_cell };
    let found = detached(py, || {
        let shape = geometry.prepared();
        each(&positions, threads, |point| {
            Ok(match query(&*shape, point) {
                Some(found) => Nearest { distance: found.distance, feature: found.feature },
                None => Nearest { distance: f64::INFINITY, feature: no_feature() },
            })
        })
    })?;
    bytes_of(py, found)
}

/// The first hits of n rays: n × 7 numbers, origin, direction and length.
#[pyfunction]
pub(crate) fn cast_rays<'py>(
    py: Python<'py>,
    geometry: &Geometry,
    rays: &Bound<'py, PyAny>,
    threads: usize,
) -> Outcome<Bytes<'py>> {
    let rays: Vec<[f64; 7]> = numbers(rays, "rays")?;
    let found = detached(py, || {
        let shape = geometry.prepared();
        each(&rays, threads, |&[x, y, z, dx, dy, dz, length]| {
            let ray = Ray::new(Point::new(x, y, z), Vector::new(dx, dy, dz), length)?;
            Ok(hit(first_hit(&*shape, &ray)?))
        })
    })?;
    bytes_of(py, found)
}

/// A copy of a geometry of a scene in world coordinates, for queries.
pub(crate) fn placed(shape: &dyn Shape, place: Option<Pose>) -> Outcome<Geometry> {
    let copy = shape.try_clone();
    let mut copy =
        copy.ok_or_else(|| Failure::unsupported(format!("a {} cannot be copied", shape.kind())))?;
    copy.set_placement(place);
    Ok(Geometry::new(copy))
}
