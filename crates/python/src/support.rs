//! Convex shapes of the host, by their support function.

use crate::error::{Failure, unwind};
use palpate::convex::SupportMap;
use palpate::math::{Point, Vector};
use pyo3::prelude::*;

/// A support function in the local frame.
pub(crate) struct Support(pub(crate) Py<PyAny>);

impl Support {
    fn call(&self, direction: &Vector) -> PyResult<Point> {
        Python::attach(|py| {
            let found: [f64; 3] = self.0.call1(py, (direction.x, direction.y, direction.z))?.extract(py)?;
            if found.iter().all(|x| x.is_finite()) {
                return Ok(Point::from(found));
            }
            Err(Failure::argument(format!("found {found:?}, wanted a finite point")).into())
        })
    }
}

impl SupportMap for Support {
    fn support(&self, direction: &Vector) -> Point {
        self.call(direction).unwrap_or_else(|error| unwind("a support function", error))
    }
}
