//! Geometries of every kind.

use crate::error::{Failure, Outcome, detached};
use crate::input::{cells, json, numbers_of, points, pose_of, triples};
use crate::memory::{Bytes, bytes_of};
use crate::support::Support;
use palpate::describe::{MeshFiles, to_json};
use palpate::geometry::{
    Compound, Geometry as Shape, LineMesh, Needs, PointSet, Sidedness, SupportShape, SurfaceMesh, TetraMesh,
    TypedGeometry,
};
use palpate::math::Limits;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A shape or a mesh. It does not change: a scene works on a copy.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Geometry {
    /// Replaced by a copy with trees and normals when they are first needed. Locked to be cloned or replaced alone.
    shape: Mutex<Arc<dyn Shape>>,
}

impl Geometry {
    pub(crate) fn new(shape: Box<dyn Shape>) -> Self {
        Self { shape: Mutex::new(Arc::from(shape)) }
    }

    pub(crate) fn read(&self) -> Arc<dyn Shape> {
        Arc::clone(&self.shape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The geometry with its trees and normals.
    pub(crate) fn prepared(&self) -> Arc<dyn Shape> {
        let (shape, needs) = (self.read(), Needs::TREE | Needs::NORMALS | Needs::BOUNDARY);
        if shape.is_prepared(needs) {
            return shape;
        }
        let Some(mut copy) = shape.try_clone() else { return shape };
        copy.prepare(needs);
        let copy: Arc<dyn Shape> = Arc::from(copy);
        *self.shape.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&copy);
        copy
    }

    /// A copy for a scene. Errors: a geometry that cannot be cloned.
    pub(crate) fn cloned(&self) -> Outcome<Box<dyn Shape>> {
        let shape = self.read();
        shape.try_clone().ok_or_else(|| Failure::unsupported(format!("a {} cannot be copied", shape.kind())))
    }
}

#[pymethods]
impl Geometry {
    /// From a description in JSON (docs/detect-json.md); mesh files are relative to the working directory.
    #[staticmethod]
    fn from_json(text: &str) -> Outcome<Self> {
        let files = MeshFiles { folder: PathBuf::new(), scale: 1.0, limits: Limits::default() };
        Ok(Self::new(files.from_json(&json(text, "the geometry")?)?))
    }

    /// A mesh of a kind (`point_set`, `line_mesh`, `surface_mesh` or `tetra_mesh`) from copies of arrays.
    #[staticmethod]
    #[pyo3(signature = (kind, vertices, cells, radius, closed, sidedness))]
    fn mesh(
        kind: &str,
        vertices: &Bound<'_, PyAny>,
        cells: &Bound<'_, PyAny>,
        radius: f64,
        closed: Option<bool>,
        sidedness: &str,
    ) -> Outcome<Self> {
        let vertices = points(vertices, "vertices")?;
        Ok(Self::new(match kind {
            "point_set" => Box::new(PointSet::new(vertices)?.with_radius(radius)?),
            "line_mesh" => {
                Box::new(LineMesh::new(vertices, self::cells(cells, "cells")?)?.with_radius(radius)?)
            }
            "surface_mesh" => {
                let mut mesh =
                    SurfaceMesh::new(vertices, self::cells(cells, "cells")?)?.with_radius(radius)?;
                if let Some(closed) = closed {
                    mesh = mesh.with_closed(closed);
                }
                Box::new(match sidedness {
                    "auto" => mesh,
                    "pseudonormals" => mesh.with_sidedness(Sidedness::Pseudonormals),
                    "winding_number" => mesh.with_sidedness(Sidedness::WindingNumber),
                    other => {
                        let wanted = "wanted auto, pseudonormals or winding_number";
                        return Err(Failure::argument(format!("sidedness: found {other:?}, {wanted}")));
                    }
                })
            }
            "tetra_mesh" => Box::new(TetraMesh::new(vertices, self::cells(cells, "cells")?)?),
            other => return Err(Failure::argument(format!("the kind of mesh is {other:?}"))),
        }))
    }

    /// A compound of copies of other geometries.
    #[staticmethod]
    fn compound(children: Vec<PyRef<'_, Self>>) -> Outcome<Self> {
        let children = children.iter().map(|child| child.cloned()).collect::<Outcome<_>>()?;
        Ok(Self::new(Box::new(Compound::new(children))))
    }

    /// A convex shape of the host, by its support function.
    #[staticmethod]
    fn support(py: Python<'_>, function: Py<PyAny>, pose: [f64; 7]) -> Outcome<Self> {
        let shape = detached(py, || Ok(SupportShape::new(pose_of(pose)?, Arc::new(Support(function)))?))?;
        Ok(Self::new(Box::new(shape)))
    }

    /// The kind, as in `palpate detectors`.
    #[getter]
    fn kind(&self) -> String {
        self.read().kind().name().to_owned()
    }

    /// A description in JSON that gives the same contacts, bit for bit.
    fn to_json(&self) -> Outcome<String> {
        Ok(to_json(&*self.read())?.to_string())
    }

    /// The lower and the upper corner of a box that contains the geometry.
    fn bounds(&self) -> [[f64; 3]; 2] {
        let bounds = self.read().bounds();
        [bounds.min.coords.into(), bounds.max.coords.into()]
    }

    /// The seven numbers of the pose; `None` without one.
    fn pose(&self) -> Option<[f64; 7]> {
        self.read().pose().as_ref().map(numbers_of)
    }

    /// The vertices, three `float64` each; empty without vertices.
    fn vertices<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        bytes_of(py, positions(&*self.read()))
    }

    /// The cells, `uint32`, and how many vertices each has.
    fn cells<'py>(&self, py: Python<'py>) -> Outcome<(Bytes<'py>, usize)> {
        let shape = self.read();
        let (flat, corners): (Vec<u32>, usize) = match TypedGeometry::of(&*shape) {
            TypedGeometry::LineMesh(mesh) => (mesh.cells().as_flattened().to_vec(), 2),
            TypedGeometry::SurfaceMesh(mesh) => (mesh.triangles().as_flattened().to_vec(), 3),
            TypedGeometry::TetraMesh(mesh) => (mesh.cells().as_flattened().to_vec(), 4),
            _ => (Vec::new(), 1),
        };
        Ok((bytes_of(py, flat)?, corners))
    }

    /// The health of a surface or a tetra mesh as JSON, with the words of `palpate inspect --json`.
    fn health(&self, py: Python<'_>) -> Outcome<String> {
        let shape = self.read();
        let report = detached(py, || Ok(palpate_cli::health(&*shape)))?;
        report.ok_or_else(|| {
            let wanted = "wanted a surface_mesh or a tetra_mesh";
            Failure::unsupported(format!("the geometry is a {}: {wanted}", shape.kind()))
        })
    }
}

/// The coordinates of the vertices of a geometry.
pub(crate) fn positions(shape: &dyn Shape) -> Vec<[f64; 3]> {
    triples(shape.as_points().map_or(&[][..], |points| points.positions()))
}
