//! OpenMP's device routines on the host (OpenMP 5.2, 18.6.1, 18.7 and 18.8), by subject.
//!
//! They share devices, present tables and memory with the `acc_*` routines. Programs reach them by the names that
//! [`crate::abi::openmp`] describes. A device number that names no device, and whatever else a routine can tell the program,
//! is its result; memory that is not what the call says ends the program with a message, as with OpenACC.

pub mod device;
pub mod mapping;
pub mod memory;
mod rect;

use std::ffi::c_int;

/// The result of a routine that has failed.
const FAILED: c_int = libc::EINVAL;
