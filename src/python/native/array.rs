//! NumPy arrays. NumPy allocates them, so a failed allocation is a MemoryError.

use numpy::ndarray::{Dimension, Ix1};
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyException, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use santorini::memory;

use crate::argument::{Argument, wrong_type};
use crate::convert::wrong;

/// Up to this many bytes are assumed to be available, without asking the system.
const SMALL: usize = 1 << 20;

/// Whether there is memory for this many bytes. Linux grants more memory than it has, and
/// kills a program that uses it.
pub fn has_room(bytes: usize) -> bool {
    bytes <= SMALL || memory::is_left(bytes)
}

/// The values of an array of planes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// uint8
    Bytes,
    /// float32
    Floats,
}

impl Kind {
    /// The argument `dtype`, or that of the argument `out`.
    pub fn read(dtype: Option<&Argument<'_>>, out: Option<&Argument<'_>>) -> PyResult<Self> {
        let Some(given) = dtype else {
            let is_float = out.is_some_and(|out| out.cast::<PyArrayDyn<f32>>().is_ok());
            return Ok(match is_float {
                true => Self::Floats,
                false => Self::Bytes,
            });
        };
        let py = given.py();
        let right = "numpy.uint8 or numpy.float32";
        let read = py.import("numpy")?.call_method1("dtype", (given,));
        let read = read.map_err(|error| match error.is_instance_of::<PyException>(py) {
            true => wrong_type("dtype", given, right),
            false => error,
        })?;
        let descriptor = read.cast::<PyArrayDescr>()?;
        if descriptor.is_equiv_to(&numpy::dtype::<u8>(py)) {
            Ok(Self::Bytes)
        } else if descriptor.is_equiv_to(&numpy::dtype::<f32>(py)) {
            Ok(Self::Floats)
        } else {
            Err(wrong(format!("dtype is {read}; it should be {right}")))
        }
    }
}

/// A new array with uninitialised values.
fn empty<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let bytes = (shape.iter().copied()).fold(size_of::<T>(), usize::saturating_mul);
    if !has_room(bytes) {
        let why = format!("there is no memory for an array of the shape {shape:?}: {bytes} bytes");
        return Err(PyMemoryError::new_err(why));
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("empty", (shape.to_vec(), dtype::<T>(py)))?;
    Ok(array.cast_into::<PyArray<T, D>>()?)
}

/// The array to write to: the argument `out`, which must have this shape, or a new
/// array.
fn output<'py, T: Element, D: Dimension>(
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

/// The argument `out` or a new array of this shape, with the values that `fill` writes. It
/// has to write all of them.
pub fn filled<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    out: Option<&Argument<'py>>,
    shape: &[usize],
    fill: impl FnOnce(&mut [T]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let out = output(py, out, shape)?;
    if !out.is_c_contiguous() {
        let why = "out is not contiguous row by row: make it with numpy.zeros";
        return Err(wrong(why));
    }
    let values = out.try_readwrite();
    let mut values = values.map_err(|error| wrong(format!("out cannot be written: {error}")))?;
    fill(values.as_slice_mut().map_err(wrong)?)?;
    Ok(out)
}

/// A list of values as an array.
pub fn list_array<'py, T: Element>(
    py: Python<'py>,
    list: impl ExactSizeIterator<Item = T>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    filled(py, None, &[list.len()], |values| {
        (values.iter_mut().zip(list)).for_each(|(value, item)| *value = item);
        Ok(())
    })
}

/// The array that a function of NumPy makes of an argument. An error names the argument and
/// what is `right`.
fn made<'py>(
    name: &str,
    given: &Argument<'py>,
    function: &str,
    right: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let array = py.import("numpy")?.call_method1(function, (given,));
    array.map_err(|error| {
        if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py) {
            wrong_type(name, given, right)
        } else {
            error
        }
    })
}

/// Reads the argument `actions`: whole numbers, one for each of `count` games. Also
/// returns the array as passed, for errors.
pub fn read_actions<'py>(
    actions: &Argument<'py>,
    count: usize,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>)> {
    let py = actions.py();
    let right = "whole numbers, one for each game";
    let given = made("actions", actions, "asarray", right)?;
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
    let numpy = py.import("numpy")?;
    let numbers = numpy.call_method1("ascontiguousarray", (array, dtype::<i64>(py)))?;
    Ok((numbers.cast_into::<PyArray<i64, Ix1>>()?, given))
}

/// An argument with a mask: True or False for each of `count` games.
pub fn read_mask<'py>(name: &str, given: &Argument<'py>, count: usize) -> PyResult<Vec<bool>> {
    let right = format!("{count} of True or False, one for each game");
    let array = made(name, given, "ascontiguousarray", &right)?;
    let array = array.cast::<PyArray<bool, Ix1>>();
    let array = array.map_err(|_| wrong_type(name, given, &right))?;
    if array.shape() != [count] {
        return Err(wrong_shape(name, &[count], array.shape()));
    }
    let values = array.try_readonly().map_err(wrong)?;
    Ok(values.as_slice().map_err(wrong)?.to_vec())
}
