//! The extension module of the Python package `palpate`: as few functions as serve the typed Python code beside it
//! (`package/palpate/`), which is the interface. Geometries and options come as JSON, as in `docs/detect-json.md`, or as arrays; arrays go
//! out as bytes that view memory of Rust, and get their dtypes in Python.

mod batch;
mod blade;
mod cutting;
mod error;
mod facts;
mod function;
mod geometry;
mod guard;
mod haptics;
mod input;
mod layout;
mod memory;
mod mesh;
mod pbd;
mod procedure;
mod query;
mod rigid;
mod ring;
mod scene;
mod session;
mod sides;
mod sliding;
mod stepper;
mod support;
mod threads;
mod worlds;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _palpate {
    #[pymodule_export]
    use crate::batch::detect;
    #[pymodule_export]
    use crate::blade::{Blade, cauterize, swept_cells};
    #[pymodule_export]
    use crate::cutting::{add_cells, compact_cells, remove_cells, split_cell};
    #[pymodule_export]
    use crate::facts::{detectors, layouts};
    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::geometry::Geometry;
    #[pymodule_export]
    use crate::guard::Guard;
    #[pymodule_export]
    use crate::haptics::{
        Coupling, GeometryReader, Proxy, SnapshotReader, Tick, add_shared, geometry_reader, shared_changes,
        shared_step, snapshots, update_shared,
    };
    #[pymodule_export]
    use crate::mesh::{read_mesh, write_mesh};
    #[pymodule_export]
    use crate::pbd::Pbd;
    #[pymodule_export]
    use crate::procedure::{Centreline, GraspTracker, ShaftTracker, lumen_contacts};
    #[pymodule_export]
    use crate::query::{cast_rays, nearest, signed_distances};
    #[pymodule_export]
    use crate::rigid::Rigid;
    #[pymodule_export]
    use crate::ring::{Ring, diff};
    #[pymodule_export]
    use crate::scene::{GeometryId, PairId, Saved, Scene};
    #[pymodule_export]
    use crate::session::{Recorder, Replay, snapshot_differences, take_snapshot};
    #[pymodule_export]
    use crate::sliding::project_slidings;
    #[pymodule_export]
    use crate::stepper::Stepper;
    #[pymodule_export]
    use crate::worlds::Worlds;

    use super::{Bound, PyModule, PyModuleMethods, PyResult, Python, pyfunction};

    /// Runs the command `palpate` with these arguments, the first of them its name, and returns its exit status.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| palpate_cli::command(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
