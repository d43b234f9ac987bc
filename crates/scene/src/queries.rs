//! Queries of the scene: rays, closest points, distances, overlaps; in the world frame, filtered by groups.

use crate::body::Body;
use crate::ids::PairId;
use crate::object::Object;
use crate::{GeometryId, Groups, Pair, PairOptions, Scene, SceneError};
use palpate_contact::Feature;
use palpate_detect::Serial;
use palpate_geometry::pick::{self, Hit, Ray};
use palpate_geometry::{Geometry, GeometryError, Pose, SolidDistance, TypedGeometry, signed_distance};
use palpate_math::{Aabb, Point};
use std::sync::Arc;

/// What a query has found, with the geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<T> {
    /// The geometry.
    pub geometry: GeometryId,
    /// The result, world frame.
    pub found: T,
}

/// The point of a geometry's surface that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Metres from the surface, which includes radii; negative inside a solid, or within the radius of a cell.
    pub distance: f64,
    /// The closest point of the surface, world frame.
    pub point: Point,
    /// The cell or vertex that is closest, with its weights, or the number of the feature of a shape.
    pub feature: Feature,
}

/// Queries see geometries where they are now, moved or [placed](Scene::set_pose), before or after a step. Each is asked only if
/// its box may answer, and if the query, as a member of `groups`, and the geometry [pass](Groups::pass).
impl Scene {
    /// The first hit of a ray on the surface of any geometry; of equally distant ones that of the lowest id. Points and threads
    /// without a radius are never hit. Errors: a kind that no ray can meet (see [`pick::all_hits`]), by name.
    ///
    /// Cost: one box test per geometry, and a ray cast for each whose box the ray enters before the best hit; without derived data
    /// (before the first step of a pair with it) a cast is linear in the number of triangles.
    pub fn first_hit(&self, ray: &Ray, groups: Groups) -> Result<Option<Found<Hit>>, SceneError> {
        let mut best: Option<Found<Hit>> = None;
        for (geometry, object) in self.asked(groups) {
            let enter = enters(ray, &object.bounds());
            if enter.is_none_or(|enter| best.is_some_and(|best| enter > best.found.distance)) {
                continue;
            }
            let hit = placed_ray(object, ray, pick::first_hit);
            if let Some(found) = hit.map_err(|reason| refused(object, reason))?
                && best.is_none_or(|best| found.distance < best.found.distance)
            {
                best = Some(Found { geometry, found });
            }
        }
        Ok(best)
    }

    /// Every hit of a ray, in order of distance, then of ids. Errors and cost: as [`first_hit`](Self::first_hit).
    pub fn all_hits(&self, ray: &Ray, groups: Groups) -> Result<Vec<Found<Hit>>, SceneError> {
        let mut all = Vec::new();
        for (geometry, object) in self.asked(groups) {
            if enters(ray, &object.bounds()).is_some() {
                let hits = placed_ray(object, ray, pick::all_hits);
                let hits = hits.map_err(|reason| refused(object, reason))?;
                all.extend(hits.into_iter().map(|found| Found { geometry, found }));
            }
        }
        // Stable: the hits of one geometry stay in order.
        all.sort_by(|a, b| a.found.distance.total_cmp(&b.found.distance));
        Ok(all)
    }

    /// The surface point closest to a point, of all geometries no farther than `within` metres; ties go to the lowest id.
    /// Errors: a kind without cells, vertices or a distance, by name.
    pub fn closest(
        &self,
        point: &Point,
        within: f64,
        groups: Groups,
    ) -> Result<Option<Found<Closest>>, SceneError> {
        let (mut best, mut reach): (Option<Found<Closest>>, f64) = (None, within);
        for (geometry, object) in self.asked(groups) {
            if object.bounds().distance_squared_to_point(point).sqrt() > reach {
                continue;
            }
            let found = closest_of(object, point).map_err(|reason| refused(object, reason))?;
            if let Some(found) = found.filter(|found| found.distance <= reach)
                && best.is_none_or(|best| found.distance < best.found.distance)
            {
                reach = found.distance.max(0.0);
                best = Some(Found { geometry, found });
            }
        }
        Ok(best)
    }

    /// The least signed distance from a point to the solids: negative in the one in which it is deepest. `None` without
    /// solids. Geometries that are no solids (points, threads, open surfaces) have no inside and are left out:
    /// [`closest`](Self::closest) sees them. Errors: as [`signed_distance`](palpate_geometry::signed_distance()), but for
    /// these.
    pub fn signed_distance(
        &self,
        point: &Point,
        groups: Groups,
    ) -> Result<Option<Found<SolidDistance>>, SceneError> {
        let mut best: Option<Found<SolidDistance>> = None;
        for (geometry, object) in self.asked(groups) {
            let apart = object.bounds().distance_squared_to_point(point).sqrt();
            if best.is_some_and(|best| apart > best.found.signed.distance.max(0.0)) {
                continue;
            }
            let found = match distance_of(object, point) {
                Err(GeometryError::Unsupported { .. }) => continue,
                found => found.map_err(|reason| refused(object, reason))?,
            };
            if best.is_none_or(|best| found.signed.distance < best.found.signed.distance) {
                best = Some(Found { geometry, found });
            }
        }
        Ok(best)
    }

    /// The geometries that a geometry, which is not of the scene, touches or overlaps where it is, in the order of their ids: those
    /// with which its default static detector has a contact of a depth of 0 or more.
    ///
    /// Errors: a pair of kinds that no detector supports, by name; a geometry that cannot be cloned. Cost: one box test per
    /// geometry, and a detection for each whose box it meets.
    pub fn overlapping(
        &mut self,
        geometry: &dyn Geometry,
        groups: Groups,
    ) -> Result<Vec<GeometryId>, SceneError> {
        const NAME: &str = "the geometry of the query";
        let uncloned = || SceneError::NotCloned { name: NAME.to_owned(), kind: geometry.kind() };
        let mut asking =
            Object::new(NAME.to_owned(), Body::Own(geometry.try_clone().ok_or_else(uncloned)?), groups);
        if let Some(pose) = geometry.placement() {
            asking.set_pose(pose).map_err(|reason| refused(&asking, reason))?;
        }
        let bounds = asking.bounds().padded();
        let near: Vec<GeometryId> = self
            .asked(groups)
            .filter(|(_, object)| object.bounds().padded().overlaps(&bounds))
            .map(|(id, _)| id)
            .collect();
        let mut found = Vec::new();
        for id in near {
            if self.overlaps(&mut asking, id)? {
                found.push(id);
            }
        }
        Ok(found)
    }

    fn overlaps(&mut self, asking: &mut Object, id: GeometryId) -> Result<bool, SceneError> {
        let Some(object) = self.objects[id.index()].as_mut() else { return Ok(false) };
        let options = Arc::new(PairOptions::default());
        let pair_id = PairId::of_groups(self.tag, id.number, id.number);
        // The asking side has no id of the scene.
        let other = GeometryId { scene: self.tag, number: u32::MAX };
        let named = |reason| SceneError::Pair {
            a: "the geometry of the query".to_owned(),
            b: object.name.clone(),
            reason: Box::new(reason),
        };
        let sides = [(other, &*asking.geometry), (id, &*object.geometry)];
        let mut pair = Pair::bind(&self.registry, pair_id, sides, &options).map_err(named)?;
        for (needs, geometry) in pair.needs().into_iter().zip([&mut asking.geometry, &mut object.geometry]) {
            if let Some(own) = geometry.own_mut() {
                own.prepare(needs);
            }
        }
        let run = pair.run(asking, object, &Serial, false);
        run.map_err(|reason| SceneError::Pair {
            a: "the geometry of the query".to_owned(),
            b: object.name.clone(),
            reason: Box::new(reason),
        })?;
        pair.publish();
        Ok(pair.contacts().contacts.iter().any(|contact| contact.depth >= 0.0))
    }

    /// The geometries that a query of these groups asks, in the order of their ids.
    fn asked(&self, groups: Groups) -> impl Iterator<Item = (GeometryId, &Object)> {
        let present =
            (0..).zip(&self.objects).filter_map(|(number, object)| Some((number, object.as_ref()?)));
        present
            .filter(move |(_, object)| groups.pass(object.groups))
            .map(|(number, object)| (self.geometry_id(number), object))
    }
}

fn refused(object: &Object, reason: GeometryError) -> SceneError {
    SceneError::Query { name: object.name.clone(), reason }
}

/// The frame in which a geometry has to be asked: of a placed one that does not know where it is.
fn unknown_frame(object: &Object) -> Option<Pose> {
    object.placement().filter(|_| object.geometry.placement().is_none())
}

/// Casts a ray in the frame of the geometry.
fn placed_ray<R: MovedBy>(
    object: &Object,
    ray: &Ray,
    cast: impl FnOnce(&dyn Geometry, &Ray) -> Result<R, GeometryError>,
) -> Result<R, GeometryError> {
    match unknown_frame(object) {
        Some(pose) => Ok(cast(&*object.geometry, &ray.moved(&pose.inverse()))?.moved_by(&pose)),
        None => cast(&*object.geometry, ray),
    }
}

/// Results that a rigid motion moves.
trait MovedBy {
    fn moved_by(self, motion: &Pose) -> Self;
}

impl MovedBy for Option<Hit> {
    fn moved_by(self, motion: &Pose) -> Self {
        self.map(|hit| hit.moved(motion))
    }
}

impl MovedBy for Vec<Hit> {
    fn moved_by(self, motion: &Pose) -> Self {
        self.into_iter().map(|hit| hit.moved(motion)).collect()
    }
}

fn distance_of(object: &Object, point: &Point) -> Result<SolidDistance, GeometryError> {
    let Some(pose) = unknown_frame(object) else { return signed_distance(&*object.geometry, point) };
    let mut found = signed_distance(&*object.geometry, &pose.inverse_transform_point(point))?;
    found.signed.nearest = pose * found.signed.nearest;
    found.signed.gradient = pose.rotation * found.signed.gradient;
    Ok(found)
}

/// The closest surface point of a geometry: of a solid by its distance, else of its cells or points.
fn closest_of(object: &Object, point: &Point) -> Result<Option<Closest>, GeometryError> {
    match distance_of(object, point) {
        Ok(SolidDistance { signed, child, .. }) => {
            let mut feature = Feature::numbered(signed.feature, signed.nearest);
            feature.child = child;
            return Ok(Some(Closest { distance: signed.distance, point: signed.nearest, feature }));
        }
        Err(GeometryError::Unsupported { .. }) => {}
        Err(other) => return Err(other),
    }
    let (geometry, frame) = (&*object.geometry, unknown_frame(object));
    let own = frame.map_or(*point, |pose| pose.inverse_transform_point(point));
    let nearest = pick::nearest_cell(geometry, &own).or_else(|| pick::nearest_vertex(geometry, &own));
    let Some(nearest) = nearest else {
        let is_empty = object.bounds().is_empty();
        let wanted = "a solid with a distance, or a geometry with vertices";
        let unsupported = GeometryError::Unsupported { kind: geometry.kind(), wanted };
        return if is_empty { Ok(None) } else { Err(unsupported) };
    };
    let nearest = frame.map_or(nearest, |pose| nearest.moved(&pose));
    let on_bare = nearest.feature.surface_point();
    let radius = radius_of(geometry, nearest.feature.child);
    let outward = (point - on_bare).try_normalize(0.0).unwrap_or_else(palpate_math::Vector::y);
    let surface = on_bare + outward * radius;
    let mut feature = nearest.feature;
    feature.point = surface.into();
    Ok(Some(Closest { distance: nearest.distance - radius, point: surface, feature }))
}

/// The radius around the cells of a mesh, or of a compound's child.
fn radius_of(geometry: &dyn Geometry, child: u32) -> f64 {
    match TypedGeometry::of(geometry) {
        TypedGeometry::PointSet(points) => points.radius(),
        TypedGeometry::LineMesh(mesh) => mesh.radius(),
        TypedGeometry::SurfaceMesh(mesh) => mesh.radius(),
        TypedGeometry::Compound(compound) => {
            compound.child(child).map_or(0.0, |child| radius_of(child, palpate_contact::NONE))
        }
        _ => 0.0,
    }
}

/// The distance along a ray at which it enters a box, or less by rounding; `None` if it misses it.
fn enters(ray: &Ray, bounds: &Aabb) -> Option<f64> {
    let [enter, leave] = ray.within(&bounds.padded())?;
    (leave >= 0.0 && enter <= ray.length()).then_some(enter.max(0.0))
}
