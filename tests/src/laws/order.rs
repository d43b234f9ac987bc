//! The result depends only on the inputs, not on threads or on the history of the trees.

use crate::compare::same_bits;
use crate::random::Random;
use crate::{ALL_NEEDS, Case, Shape, Subject};
use palpate_detect::{Context, Pool};
use palpate_geometry::{Geometry, SurfaceMesh};
use palpate_math::Vector;
use std::any::Any;
use std::sync::LazyLock;

static THREE_THREADS: LazyLock<Pool> = LazyLock::new(|| Pool::new(3).expect("a pool of three threads"));

/// The law of order.
pub(crate) fn order(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let wanted = subject.contacts(case)?;
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let context = Context::new().with_margin(case.margin).with_executor(&*THREE_THREADS);
    let threaded = subject.run(&mut bound, a.as_ref(), b.as_ref(), &context)?;
    same_bits(&wanted, &threaded).map_err(|reason| format!("on three threads: {reason}"))?;
    let mut random = Random::named("order", case.number as u64);
    let (a, b) = (refitted(&case.a, &mut random), refitted(&case.b, &mut random));
    let found = subject.contacts_of(case, a.as_ref(), b.as_ref())?;
    same_bits(&wanted, &found).map_err(|reason| format!("with refitted trees: {reason}"))?;
    Ok(wanted.len())
}

/// The shape with trees that were built for other vertex positions, and refitted.
pub fn refitted(shape: &Shape, random: &mut Random) -> Box<dyn Geometry> {
    // Stretched and shaken, so that the tree divides it differently. Tetrahedra are only stretched: one must not
    // turn inside out, nor a flat one gain volume, since a boundary keeps the orientation it had when its mesh was
    // made.
    let mut elsewhere = shape.clone();
    let reach = shape.vertices().first().map_or(0.0, |first| shape.reach_from(first));
    let stretch =
        random.pick(&[Vector::new(8.0, 1.0, 0.25), Vector::new(0.25, 8.0, 1.0), Vector::new(1.0, 0.25, 8.0)]);
    let shaken = if matches!(shape, Shape::TetraMesh { .. }) { 0.0 } else { 0.1 * reach };
    for vertex in elsewhere.vertices_mut() {
        let shake = random.vector() * shaken;
        vertex.coords = (vertex.coords + shake).component_mul(&stretch);
    }
    let mut geometry = match shape {
        // How a surface tells its sides is decided where it is made.
        Shape::SurfaceMesh { .. } => {
            let mut surface = shape.build().expect("generated shapes are valid");
            let any: &mut dyn Any = surface.as_mut();
            any.downcast_ref::<SurfaceMesh>().map(SurfaceMesh::sidedness);
            elsewhere.place(surface.as_mut());
            surface.prepare(ALL_NEEDS);
            surface
        }
        _ => elsewhere.prepared(),
    };
    shape.place(geometry.as_mut());
    geometry.prepare(ALL_NEEDS);
    geometry
}
