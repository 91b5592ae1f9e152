//! Python's own types for what the libraries give, and its errors for theirs.

use std::fmt::Display;
use std::time::Duration;

use numpy::ndarray::IntoDimension;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
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
