//! Implicit functions of palpate's own: from JSON, grids, shapes, and combinations.

use super::function::{make_function, palpate_function};
use super::json::value;
use super::{borrow, palpate_geometry};
use crate::arrays::{PALPATE_F32, PALPATE_F64};
use crate::input::{array, text};
use crate::status::{Failure, PALPATE_UNSUPPORTED, palpate_status};
use crate::types::{point, vector};
use palpate::describe::from_json;
use palpate::geometry::implicit::{Grid, ImplicitFunction, Intersection, Offset, SmoothUnion, Union};
use palpate::geometry::{ImplicitBody, TypedGeometry, downcast};
use palpate::serde_json::json;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Inside of any of the functions.
pub const PALPATE_UNION: u32 = 0;
/// Inside of all of them.
pub const PALPATE_INTERSECTION: u32 = 1;
/// Inside of the first and outside of the others.
pub const PALPATE_DIFFERENCE: u32 = 2;
/// The union, its seams filled by a radius in metres: the parameter.
pub const PALPATE_SMOOTH_UNION: u32 = 3;
/// One function, grown by a distance in metres: the parameter.
pub const PALPATE_OFFSET: u32 = 4;

/// Makes a function from its JSON description, an object with one key, as `{"torus": {…}}` (docs/detect-json.md).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_json(
    json: *const c_char,
    function: *mut *mut palpate_function,
) -> palpate_status {
    make_function(function, || {
        // SAFETY: by the rules of the header.
        let json = value(unsafe { text(json, "json") }?, "the function")?;
        let body = from_json(&json!({"type": "Implicit", "function": json}))?;
        let body = downcast::<ImplicitBody>(&*body);
        body.map(|body| Arc::clone(body.function()))
            .ok_or_else(|| Failure::argument("the description is not a function: wanted one"))
    })
}

/// Makes the function of a solid shape: a sphere, capsule, cylinder, box, ellipsoid, cone, hull or plane, which stays the
/// caller's. Errors: `PALPATE_UNSUPPORTED` for another geometry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_of_shape(
    shape: *mut palpate_geometry,
    function: *mut *mut palpate_function,
) -> palpate_status {
    make_function(function, || {
        // SAFETY: by the rules of the header.
        let shape = &*unsafe { borrow(shape) }?.geometry;
        Ok(match TypedGeometry::of(shape) {
            TypedGeometry::Sphere(shape) => Arc::new(shape.clone()),
            TypedGeometry::Capsule(shape) => Arc::new(shape.clone()),
            TypedGeometry::Cylinder(shape) => Arc::new(shape.clone()),
            TypedGeometry::OrientedBox(shape) => Arc::new(shape.clone()),
            TypedGeometry::Ellipsoid(shape) => Arc::new(shape.clone()),
            TypedGeometry::Cone(shape) => Arc::new(shape.clone()),
            TypedGeometry::Convex(shape) => Arc::new(shape.clone()),
            TypedGeometry::Plane(shape) => Arc::new(shape.clone()),
            _ => {
                let text = format!("the geometry is of kind {}: wanted a solid shape", shape.kind());
                return Err(Failure::new(PALPATE_UNSUPPORTED, text));
            }
        })
    })
}

/// Makes a grid of signed distances: `size` samples along x, y and z (2 or more each), the one at `origin` first, x fastest,
/// `spacing` metres apart. `values` has `size[0] * size[1] * size[2]` numbers of the type `scalar`, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_grid(
    origin: *const f64,
    spacing: *const f64,
    size: *const usize,
    values: *const c_void,
    scalar: u32,
    function: *mut *mut palpate_function,
) -> palpate_status {
    make_function(function, || {
        // SAFETY: by the rules of the header.
        let (origin, spacing, size) =
            unsafe { (point(origin, "origin")?, vector(spacing, "spacing")?, array(size, 3, "size")?) };
        let size = [size[0], size[1], size[2]];
        let count = size[0].checked_mul(size[1]).and_then(|count| count.checked_mul(size[2]));
        let count = count.ok_or_else(|| Failure::range("the size of the grid overflows: wanted less"))?;
        // SAFETY: by the rules of the header.
        let values = unsafe {
            match scalar {
                PALPATE_F64 => array(values.cast::<f64>(), count, "values")?.to_vec(),
                PALPATE_F32 => {
                    array(values.cast::<f32>(), count, "values")?.iter().map(|&x| f64::from(x)).collect()
                }
                other => {
                    let text = format!("the scalar of the values is {other}: wanted 0 or 1");
                    return Err(Failure::argument(text));
                }
            }
        };
        Ok(Arc::new(Grid::new(origin, spacing, size, values)?))
    })
}

/// Makes a function of others, which stay the caller's: `operation` is one of `PALPATE_UNION` … `PALPATE_OFFSET`, `parameter` what
/// that names, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_function_combine(
    operation: u32,
    functions: *const *const palpate_function,
    count: usize,
    parameter: f64,
    function: *mut *mut palpate_function,
) -> palpate_status {
    make_function(function, || {
        // SAFETY: by the rules of the header.
        let parts = unsafe { array(functions, count, "functions") }?.iter().map(|&part| {
            // SAFETY: by the rules of the header.
            let part = unsafe { part.as_ref() }.ok_or_else(|| Failure::null("a function"))?;
            Ok(Arc::clone(&part.function))
        });
        let mut parts = parts.collect::<Result<Vec<Arc<dyn ImplicitFunction>>, Failure>>()?;
        Ok(match operation {
            PALPATE_UNION => Arc::new(Union::new(parts)?),
            PALPATE_INTERSECTION => Arc::new(Intersection::new(parts)?),
            PALPATE_DIFFERENCE => Arc::new(Intersection::difference(parts)?),
            PALPATE_SMOOTH_UNION => Arc::new(SmoothUnion::new(parts, parameter)?),
            PALPATE_OFFSET => match (parts.pop(), parts.len()) {
                (Some(only), 0) => Arc::new(Offset::new(only, parameter)?),
                _ => return Err(Failure::argument(format!("{count} functions to offset: wanted one"))),
            },
            other => return Err(Failure::argument(format!("the operation is {other}: wanted 0 to 4"))),
        })
    })
}
