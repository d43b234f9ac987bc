//! Arrays out: NumPy views of memory that Rust owns.

use crate::error::Outcome;
use bytemuck::NoUninit;
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::any::Any;

/// The owner of the memory of an array: it is freed with the last view.
#[pyclass(frozen, module = "palpate._palpate")]
struct Memory(#[allow(dead_code, reason = "owned only to be dropped")] Box<dyn Any + Send + Sync>);

/// Bytes of Rust as an array of NumPy.
pub(crate) type Bytes<'py> = Bound<'py, PyArray1<u8>>;

/// A read-only array of bytes that views `list` without a copy; the Python code gives it its dtype.
pub(crate) fn bytes_of<T: NoUninit + Send + Sync>(py: Python<'_>, list: Vec<T>) -> Outcome<Bytes<'_>> {
    let bytes: &[u8] = bytemuck::cast_slice(&list);
    let (start, length) = (bytes.as_ptr(), bytes.len());
    let owner = Bound::new(py, Memory(Box::new(list)))?.into_any();
    // SAFETY: the list was moved to its owner, which moves the handle, not the elements on the heap; nothing changes or frees them
    // before the owner is dropped.
    let view = unsafe { ArrayView1::from_shape_ptr(length, start) };
    // SAFETY: the array keeps the owner of the memory as its base, and is read-only from here on.
    let array = unsafe { PyArray1::borrow_from_array(&view, owner) };
    let array = array.try_readwrite().map_err(PyErr::from)?.make_nonwriteable();
    Ok((*array).clone())
}
