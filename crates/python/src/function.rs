//! Implicit functions: palpate's own, and of the host.

use crate::error::{Failure, Outcome, detached, unwind};
use crate::geometry::Geometry;
use crate::input::{json, pose_of};
use crate::memory::{Bytes, bytes_of};
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use palpate::contact::NONE;
use palpate::describe::from_json;
use palpate::geometry::implicit::{
    Exactness, Grid, ImplicitFunction, Intersection, Offset, Sample, SmoothUnion, SurfaceGrid,
    SurfaceSampling, Union,
};
use palpate::geometry::{ImplicitBody, TypedGeometry, downcast};
use palpate::math::{Aabb, Point, Vector};
use palpate::serde_json::json as value;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A function of space that is negative inside a body; bodies and other functions share it.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Function {
    function: Arc<dyn ImplicitFunction>,
}

impl Function {
    fn shared(&self) -> Arc<dyn ImplicitFunction> {
        Arc::clone(&self.function)
    }

    fn of(function: impl ImplicitFunction + 'static) -> Self {
        Self { function: Arc::new(function) }
    }
}

/// A function of the host.
struct Callback {
    sample: Py<PyAny>,
    bounds: Aabb,
    growth: f64,
    lipschitz: Option<f64>,
    exactness: Exactness,
}

impl Callback {
    fn call(&self, point: &Point) -> PyResult<(f64, [f64; 3])> {
        Python::attach(|py| {
            let found = self.sample.call1(py, (point.x, point.y, point.z))?;
            let (value, gradient): (f64, [f64; 3]) = found.extract(py)?;
            if value.is_finite() && gradient.iter().all(|x| x.is_finite()) {
                return Ok((value, gradient));
            }
            let text = format!("found {value} and {gradient:?}, wanted a finite value and gradient");
            Err(Failure::argument(text).into())
        })
    }
}

impl ImplicitFunction for Callback {
    fn sample(&self, point: &Point) -> Sample {
        match self.call(point) {
            Ok((value, gradient)) => Sample { value, gradient: Vector::from(gradient), feature: NONE },
            Err(error) => unwind("an implicit function", error),
        }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.bounds.grown(level * self.growth)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.lipschitz
    }

    fn exactness(&self) -> Exactness {
        self.exactness
    }
}

#[pymethods]
impl Function {
    /// From a description in JSON: an object with one key (docs/detect-json.md).
    #[staticmethod]
    fn from_json(text: &str) -> Outcome<Self> {
        let body = from_json(&value!({"type": "Implicit", "function": json(text, "the function")?}))?;
        let body = downcast::<ImplicitBody>(&*body);
        let function = body.map(|body| Arc::clone(body.function()));
        let function =
            function.ok_or_else(|| Failure::argument("the description is not a function: wanted one"))?;
        Ok(Self { function })
    }

    /// The function of a solid shape.
    #[staticmethod]
    fn of_shape(shape: &Geometry) -> Outcome<Self> {
        let shape = shape.read();
        Ok(match TypedGeometry::of(&*shape) {
            TypedGeometry::Sphere(shape) => Self::of(shape.clone()),
            TypedGeometry::Capsule(shape) => Self::of(shape.clone()),
            TypedGeometry::Cylinder(shape) => Self::of(shape.clone()),
            TypedGeometry::OrientedBox(shape) => Self::of(shape.clone()),
            TypedGeometry::Ellipsoid(shape) => Self::of(shape.clone()),
            TypedGeometry::Cone(shape) => Self::of(shape.clone()),
            TypedGeometry::Convex(shape) => Self::of(shape.clone()),
            TypedGeometry::Plane(shape) => Self::of(shape.clone()),
            _ => {
                return Err(Failure::unsupported(format!(
                    "the geometry is a {}: wanted a solid shape",
                    shape.kind()
                )));
            }
        })
    }

    /// A grid of samples, an array indexed by x, y, z.
    #[staticmethod]
    fn grid(origin: [f64; 3], spacing: [f64; 3], values: PyReadonlyArray3<'_, f64>) -> Outcome<Self> {
        let shape = values.shape();
        let size = [shape[0], shape[1], shape[2]];
        let values = values.as_array().reversed_axes().iter().copied().collect();
        Ok(Self::of(Grid::new(Point::from(origin), Vector::from(spacing), size, values)?))
    }

    /// The signed distances of a closed surface, sampled on a grid.
    #[staticmethod]
    fn of_surface(
        py: Python<'_>,
        surface: &Geometry,
        spacing: f64,
        band: Option<f64>,
        threads: usize,
    ) -> Outcome<Self> {
        let mut sampling = SurfaceSampling { threads, ..SurfaceSampling::new(spacing) };
        sampling.band = band.unwrap_or(sampling.band);
        let shape = surface.read();
        let TypedGeometry::SurfaceMesh(mesh) = TypedGeometry::of(&*shape) else {
            let text = format!("the geometry is a {}: wanted a surface_mesh", shape.kind());
            return Err(Failure::unsupported(text));
        };
        let report = &mut |_| ControlFlow::Continue(());
        Ok(Self::of(detached(py, || Ok(SurfaceGrid::new(mesh, &sampling, report)?))?.grid))
    }

    /// A function of others: `union`, `intersection`, `difference`, `smooth_union` (a radius) or `offset` (a distance).
    #[staticmethod]
    fn combine(operation: &str, functions: Vec<PyRef<'_, Self>>, parameter: f64) -> Outcome<Self> {
        let mut parts: Vec<_> = functions.iter().map(|function| function.shared()).collect();
        Ok(match operation {
            "union" => Self::of(Union::new(parts)?),
            "intersection" => Self::of(Intersection::new(parts)?),
            "difference" => Self::of(Intersection::difference(parts)?),
            "smooth_union" => Self::of(SmoothUnion::new(parts, parameter)?),
            "offset" => match (parts.pop(), parts.len()) {
                (Some(only), 0) => Self::of(Offset::new(only, parameter)?),
                _ => {
                    return Err(Failure::argument(format!(
                        "{} functions to offset: wanted one",
                        functions.len()
                    )));
                }
            },
            other => return Err(Failure::argument(format!("the operation is {other:?}"))),
        })
    }

    /// A function of the host: `sample(x, y, z)` returns the value and its gradient.
    #[staticmethod]
    #[pyo3(signature = (sample, lower, upper, lipschitz, growth, is_distance))]
    fn callback(
        sample: Py<PyAny>,
        lower: [f64; 3],
        upper: [f64; 3],
        lipschitz: Option<f64>,
        growth: f64,
        is_distance: bool,
    ) -> Outcome<Self> {
        let is_box = (0..3).all(|axis| lower[axis] <= upper[axis] && (upper[axis] - lower[axis]).is_finite());
        if !is_box {
            let wanted = "wanted finite corners, the lower first";
            return Err(Failure::argument(format!("the box is from {lower:?} to {upper:?}: {wanted}")));
        }
        for (what, number) in [("lipschitz", lipschitz.unwrap_or(0.0)), ("growth", growth)] {
            if !(number >= 0.0 && number.is_finite()) {
                return Err(Failure::argument(format!("{what} is {number}: wanted a number, 0 or more")));
            }
        }
        let bounds = Aabb { min: Point::from(lower), max: Point::from(upper) };
        let exactness = if is_distance { Exactness::DISTANCE } else { Exactness::NOWHERE };
        let lipschitz = lipschitz.filter(|&number| number > 0.0);
        Ok(Self::of(Callback { sample, bounds, growth, lipschitz, exactness }))
    }

    /// The body where the function is negative, scaled, then posed.
    fn body(&self, py: Python<'_>, pose: [f64; 7], scale: f64) -> Outcome<Geometry> {
        let body = detached(py, || Ok(ImplicitBody::new(pose_of(pose)?, self.shared())?.with_scale(scale)?))?;
        Ok(Geometry::new(Box::new(body)))
    }

    /// The values at n points, n × 3, as `float64`.
    fn values<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> Outcome<Bytes<'py>> {
        let points = crate::input::points(points, "points")?;
        let values = detached(py, || {
            Ok(points.iter().map(|point| self.function.sample(point).value).collect::<Vec<f64>>())
        })?;
        bytes_of(py, values)
    }
}
