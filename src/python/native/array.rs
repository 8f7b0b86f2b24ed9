//! NumPy arrays. NumPy allocates them, so a failed allocation is a MemoryError.

use numpy::ndarray::{Dimension, Ix1};
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescrMethods, PyArrayMethods, PyReadwriteArray,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::argument::{Argument, wrong_type};
use crate::convert::wrong;

/// A new array with uninitialised values.
fn empty<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("empty", (shape.to_vec(), dtype::<T>(py)))?;
    Ok(array.cast_into::<PyArray<T, D>>()?)
}

/// The array to write to: the argument `out`, which must have this shape, or a new
/// array.
pub fn output<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    out: Option<&Argument<'py>>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let Some(out) = out else {
        return empty(py, shape);
    };
    let right = format!("an array of {} with the shape {shape:?}", dtype::<T>(py));
    let array = out.cast::<PyUntypedArray>();
    let array = array.map_err(|_| wrong_type("out", out, &right))?;
    let typed = out.cast::<PyArray<T, D>>();
    let typed = typed.map_err(|_| {
        let (found, shape) = (array.dtype(), array.shape());
        PyTypeError::new_err(format!(
            "out is an array of {found} with the shape {shape:?}; it should be {right}"
        ))
    })?;
    if array.shape() != shape {
        return Err(wrong_shape("out", shape, array.shape()));
    }
    Ok(typed.clone())
}

/// The error of an array with a wrong shape.
pub fn wrong_shape(name: &str, wanted: &[usize], found: &[usize]) -> PyErr {
    wrong(format!(
        "{name} has the shape {found:?}; it should have {wanted:?}"
    ))
}

/// The values of an array from [`output`], for writing.
pub struct Values<'py, T: Element, D: Dimension>(PyReadwriteArray<'py, T, D>);

impl<'py, T: Element, D: Dimension> Values<'py, T, D> {
    pub fn of(out: &Bound<'py, PyArray<T, D>>) -> PyResult<Self> {
        if !out.is_c_contiguous() {
            let why = "out is not contiguous row by row: make it with numpy.zeros";
            return Err(wrong(why));
        }
        let values = out.try_readwrite();
        let values = values.map_err(|error| wrong(format!("out cannot be written: {error}")))?;
        Ok(Self(values))
    }

    pub fn slice(&mut self) -> PyResult<&mut [T]> {
        (self.0.as_slice_mut()).map_err(|error| wrong(format!("out: {error}")))
    }
}

/// Reads the argument `actions`: whole numbers, one for each of `count` games. Also
/// returns the array as passed, for errors.
pub fn read_actions<'py>(
    actions: &Argument<'py>,
    count: usize,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>)> {
    let py = actions.py();
    let numpy = py.import("numpy")?;
    let right = "whole numbers, one for each game";
    let given = numpy.call_method1("asarray", (actions,));
    let given = given.map_err(|error| {
        let is_of_values =
            error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py);
        if is_of_values {
            wrong_type("actions", actions, right)
        } else {
            error
        }
    })?;
    let array = given.cast::<PyUntypedArray>();
    let array = array.map_err(|_| wrong_type("actions", actions, right))?;
    if array.shape() != [count] {
        return Err(wrong_shape("actions", &[count], array.shape()));
    }
    if !matches!(array.dtype().kind(), b'i' | b'u') {
        let found = array.dtype();
        return Err(PyTypeError::new_err(format!(
            "actions is an array of {found}; it should be {right}"
        )));
    }
    let numbers = numpy.call_method1("ascontiguousarray", (array, dtype::<i64>(py)))?;
    Ok((numbers.cast_into::<PyArray<i64, Ix1>>()?, given))
}
