//! The body that meets a sheet: about a unit long, its long axis along y, around the origin.

use super::OtherKind;
use super::form::{SheetForm, sheet};
use crate::Shape;
use crate::compound::Body;
use crate::laws::solids::{Form, Solid, body};
use crate::random::Random;
use palpate_math::{Point, Vector};

/// A body of this kind.
pub(super) fn other(kind: OtherKind, random: &mut Random) -> Body {
    let form = random.pick(&[Form::Chunky, Form::Chunky, Form::Rod, Form::Rod, Form::Needle, Form::Plate]);
    match kind {
        OtherKind::Solid(kind) => body(kind, form, random),
        OtherKind::LineMesh => Body::Whole(thread(random)),
        OtherKind::PointSet => {
            let count = 1 + random.below(12);
            let vertices = (0..count).map(|_| Point::from(random.vector() * 0.5)).collect();
            Body::Whole(Shape::PointSet { vertices, radius: random.pick(&[0.0, 0.02, 0.1, 0.3]) })
        }
        OtherKind::Sheet => {
            let form = SheetForm::of(random.below(9));
            Body::Whole(sheet(form, random).shape)
        }
    }
}

/// One to six segments, upward.
fn thread(random: &mut Random) -> Shape {
    let count = 1 + random.below(6) as u32;
    let mut vertices = vec![Point::new(0.0, -0.6, 0.0)];
    for k in 0..count as usize {
        let way = Vector::y() + random.vector() * 0.8;
        vertices.push(vertices[k] + way * (1.2 / f64::from(count)));
    }
    let cells = (0..count).map(|k| [k, k + 1]).collect();
    let radius = if random.one_in(2) { random.between(0.005, 0.1) } else { 0.0 };
    Shape::LineMesh { vertices, cells, radius }
}

/// The support function of a body.
pub(super) struct Reach(Vec<Solid>);

impl Reach {
    pub(super) fn new(body: &Body) -> Self {
        Self(body.parts().iter().map(Solid::new).collect())
    }

    /// The support function along a direction; no less than it where no formula is known.
    pub(super) fn along(&self, direction: &Vector) -> f64 {
        let reach = |solid: &Solid| {
            let bound = || solid.shape().reach_from(&Point::origin()) * direction.norm();
            solid.reach(direction).unwrap_or_else(bound)
        };
        self.0.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
    }

    /// A point of the body, to a millionth, that is the farthest along a direction.
    pub(super) fn farthest(&self, direction: &Vector) -> Vector {
        let step = 1e-6;
        let slope = |axis: usize| {
            let way = Vector::ith(axis, step);
            (self.along(&(direction + way)) - self.along(&(direction - way))) / (2.0 * step)
        };
        let place = Vector::new(slope(0), slope(1), slope(2));
        place + direction * (self.along(direction) - place.dot(direction))
    }
}
