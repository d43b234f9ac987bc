//! A user-defined geometry and detector: a torus against a sphere.
//!
//! Run it with `cargo run -p palpate --example user_detector`.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::geometry::implicit::{Exactness, ImplicitFunction, Sample};
use palpate::math::{direction::unit_or, separation};
use palpate::prelude::*;

/// A torus around the y axis through `center`, with ring radius `ring` and tube radius `tube`; metres.
struct Torus {
    center: Point,
    ring: f64,
    tube: f64,
    version: Version,
}

/// The name of the kind, in error messages and in the registry.
const TORUS: GeometryKind = GeometryKind::new("torus");

impl Torus {
    fn new(center: Point, ring: f64, tube: f64) -> Self {
        Self { center, ring, tube, version: Version::new() }
    }

    fn set_center(&mut self, center: Point) {
        self.center = center;
        self.version.moved();
    }

    /// Returns the point of the ring closest to `point`; for a point on the axis, the one at +x.
    fn nearest_on_ring(&self, point: &Point) -> Point {
        let offset = point - self.center;
        let outward = unit_or(&Vector::new(offset.x, 0.0, offset.z), &Vector::x());
        self.center + outward * self.ring
    }
}

impl Geometry for Torus {
    fn kind(&self) -> GeometryKind {
        TORUS
    }

    fn bounds(&self) -> Aabb {
        let reach = Vector::new(self.ring, 0.0, self.ring);
        Aabb::from_corners(&(self.center - reach), &(self.center + reach)).grown(self.tube)
    }

    fn version(&self) -> Version {
        self.version
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }
}

impl ImplicitFunction for Torus {
    /// On the ring itself, where the gradient is not unique, it is +y.
    fn sample(&self, point: &Point) -> Sample {
        let (direction, length) = separation::between(&self.nearest_on_ring(point), point);
        let gradient = direction.unwrap_or_else(Vector::y);
        Sample { value: length - self.tube, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        Geometry::bounds(self).grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }
}

/// Allows a torus as an input of a detector.
impl Port for Torus {
    type View<'a> = &'a Torus;
    const ACCEPTS: Accepts = Accepts::Kind(TORUS);

    fn view(geometry: &dyn Geometry) -> Option<&Torus> {
        downcast(geometry)
    }
}

/// A sphere against a torus: the signed distance of the sphere's centre from the torus, in closed form.
struct SphereTorus;

impl PairDetector for SphereTorus {
    type A = Sphere;
    type B = Torus;
    type Settings = ();

    const NAME: &'static str = "sphere_torus";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "closed form: the closest point of the ring; a centre on the ring exits along +y",
        cost: "O(1)",
        source: "Quilez, Distance functions, sdTorus",
    };

    fn new(_: ()) -> Self {
        Self
    }

    fn detect(&mut self, a: &Sphere, b: &Torus, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let signed = b.signed_distance(&a.center());
        let depth = a.radius() - signed.distance;
        if context.reports(depth) {
            let surface = a.center() - signed.gradient * a.radius();
            let sides = [surface, signed.nearest].map(Feature::point);
            out.push(Contact::exact(sides[0], sides[1], signed.gradient, depth, 0));
        }
        Status::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::standard();
    registry.register::<SphereTorus>()?;

    let mut scene = Scene::new(registry);
    let ring = scene.add("ring", Torus::new(Point::origin(), 0.02, 0.004))?;
    let bead = scene.add("bead", Sphere::new(Point::new(0.02, 0.005, 0.0), 0.003)?)?;
    // Either order works: the detector receives sphere and torus, and the sides of the contacts follow the caller's order.
    let [given, exchanged] =
        [(bead, ring), (ring, bead)].map(|(a, b)| scene.add_pair(a, b, PairOptions::default()));
    let (given, exchanged) = (given?, exchanged?);

    for height in [0.0, -0.001, -0.005] {
        scene.geometry_mut::<Torus>(ring)?.set_center(Point::new(0.0, height, 0.0));
        let report = scene.step()?;
        println!("ring at {:+.0} mm: {} contacts", 1e3 * height, report.contacts);
        for pair in [given, exchanged] {
            for contact in &scene.contacts(pair)?.contacts {
                let names = [scene.name(scene.pair(pair)?.a())?, scene.name(scene.pair(pair)?.b())?];
                println!(
                    "  {}:{} {:.1} mm, {:?} moves {} out",
                    names[0],
                    names[1],
                    1e3 * contact.depth,
                    contact.direction,
                    names[0]
                );
            }
        }
        let mut mirrored = scene.contacts(given)?.clone();
        mirrored.mirror();
        assert!(
            mirrored.same_bits(scene.contacts(exchanged)?),
            "the same contacts, seen from the other side"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Proves: REQ-OWN-DETECTOR
    #[test]
    fn the_example_runs() {
        main().unwrap();
    }

    #[test]
    fn a_ball_on_the_axis_touches_the_ring_at_plus_x() {
        let torus = Torus::new(Point::origin(), 2.0, 0.5);
        let ball = Sphere::new(Point::origin(), 1.75).unwrap();
        let mut out = CollisionData::new();
        SphereTorus.detect(&ball, &torus, &Context::new(), &mut out);
        let contact = out.contacts[0];
        assert_eq!((contact.depth, contact.direction), (0.25, [-1.0, 0.0, 0.0]));
        assert_eq!(contact.b.surface_point(), Point::new(1.5, 0.0, 0.0));
    }
}
