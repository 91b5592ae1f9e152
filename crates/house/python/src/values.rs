//! Python's own types for what the libraries give, and its errors for theirs.

use std::fmt::Display;
use std::time::Duration;

use numpy::ndarray::IntoDimension;
use numpy::{AllowTypeChange, Element, PyArray1, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::Serialize;
use serde_json::Value;

/// A wrong argument, in the words of the library.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What is no fault of the arguments.
pub(crate) fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Numbers as a NumPy array of this shape, which must have as many entries.
pub(crate) fn shaped_array<'py, T: Element, D: IntoDimension>(
    py: Python<'py>,
    values: Vec<T>,
    shape: D,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}

/// What can be written as JSON, as dictionaries, lists, texts and numbers.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    json_to_python(py, &serde_json::to_value(value).map_err(failed)?)
}

/// A JSON value, as [`to_python`].
pub(crate) fn json_to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(yes) => yes.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(large)) => large.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(json_to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(fields) => {
            let dictionary = PyDict::new(py);
            for (key, field) in fields {
                dictionary.set_item(key, json_to_python(py, field)?)?;
            }
            dictionary.into_any()
        }
    })
}

/// Is it one number? Else there are several, in a list or a dictionary.
pub(crate) fn is_one_number(given: &Bound<'_, PyAny>) -> bool {
    !given.hasattr("__iter__").unwrap_or(false)
}

/// Is it a negative number, or is there one among the items?
pub(crate) fn has_negative(given: &Bound<'_, PyAny>) -> bool {
    if is_one_number(given) {
        return given.lt(0).unwrap_or(false);
    }
    // The items of a text are texts again, without an end.
    if given.is_instance_of::<PyString>() {
        return false;
    }
    let items =
        given.cast::<PyDict>().map_or_else(|_| given.clone(), |dictionary| dictionary.values().into_any());
    items.try_iter().is_ok_and(|mut items| items.any(|item| item.is_ok_and(|item| has_negative(&item))))
}

/// Reads a number. A whole one that is too large for a float is infinite: whoever takes it refuses that with words of its own.
pub(crate) fn read_float(given: &Bound<'_, PyAny>) -> PyResult<f64> {
    given.extract::<f64>().or_else(|error| {
        if !error.is_instance_of::<PyOverflowError>(given.py()) {
            return Err(error);
        }
        Ok(if has_negative(given) { f64::NEG_INFINITY } else { f64::INFINITY })
    })
}

/// Reads a number of half the precision.
pub(crate) fn read_float32(given: &Bound<'_, PyAny>) -> PyResult<f32> {
    read_float(given).map(|number| number as f32)
}

/// Reads a number, or none.
pub(crate) fn read_optional_float(given: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if given.is_none() { Ok(None) } else { read_float(given).map(Some) }
}

/// Reads two numbers.
pub(crate) fn read_interval(given: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let (low, high) = given.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
    Ok((read_float(&low)?, read_float(&high)?))
}

/// Reads two numbers, or none.
pub(crate) fn read_optional_interval(given: &Bound<'_, PyAny>) -> PyResult<Option<(f64, f64)>> {
    if given.is_none() { Ok(None) } else { read_interval(given).map(Some) }
}

/// Reads numbers in a row: an array, or a list.
pub(crate) fn read_floats<'py>(
    given: &Bound<'py, PyAny>,
) -> PyResult<PyArrayLike1<'py, f64, AllowTypeChange>> {
    given.extract::<PyArrayLike1<'py, f64, AllowTypeChange>>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            return invalid("a number is too large for a float: each must lie from -1.7e308 to 1.7e308");
        }
        explain_dimensions(error, given, 1, "it must be one row of numbers")
    })
}

/// What is said of an array that has more dimensions, or fewer, than it must have; the library for arrays names no shape. Other errors stay.
pub(crate) fn explain_dimensions(
    error: PyErr,
    given: &Bound<'_, PyAny>,
    dimensions: usize,
    right: &str,
) -> PyErr {
    let py = given.py();
    let shape = py.import("numpy").and_then(|numpy| numpy.call_method1("shape", (given,)));
    match shape {
        Ok(shape)
            if error.is_instance_of::<PyTypeError>(py) && shape.len().is_ok_and(|len| len != dimensions) =>
        {
            invalid(format!("an array of shape {shape}: {right}"))
        }
        _ => error,
    }
}

/// Seconds that a caller allows.
///
/// # Errors
/// If they are negative or no number.
pub(crate) fn parse_seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = |seconds: f64| invalid(format!("invalid seconds {seconds}: it must be a number from 0 on"));
    seconds.map(|seconds| Duration::try_from_secs_f64(seconds).map_err(|_| wrong(seconds))).transpose()
}

/// The most threads of a call, as of the command line: each takes memory, and a system that has no more ends Python.
pub(crate) const MOST_THREADS: usize = 1024;

/// The most games of a batch.
pub(crate) const MOST_GAMES: usize = 1_000_000;

/// Threads that a caller allows, one at least.
///
/// # Errors
/// If they are too many.
pub(crate) fn check_threads(threads: usize) -> PyResult<usize> {
    if threads > MOST_THREADS {
        return Err(invalid(format!(
            "invalid threads {threads}: it must be a number from 0 to {MOST_THREADS}"
        )));
    }
    Ok(threads.max(1))
}

/// The values of an array that a caller gave, in the order of its rows.
pub(crate) fn array_values<T: Element + Copy, D: numpy::ndarray::Dimension>(
    array: &numpy::PyReadonlyArray<'_, T, D>,
) -> Vec<T> {
    array.as_array().iter().copied().collect()
}
