//! Why NVIDIA GPUs cannot be used, with what to do about it.

use super::driver::Status;
use std::fmt;

/// Why there is no driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The library cannot be loaded; the loader's text.
    NoLibrary(String),
    MissingFunction(&'static str),
    /// `cuInit` failed.
    Start {
        status: Status,
        name: String,
    },
    NoDevice,
}

impl Problem {
    /// True when the machine seems to have a GPU, so that its owner will want to know why it is not used.
    pub fn is_surprising(&self) -> bool {
        match self {
            Problem::NoLibrary(_) | Problem::NoDevice => false,
            Problem::MissingFunction(_) => true,
            Problem::Start { status, .. } => *status != Status::NO_DEVICE,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoLibrary(reason) => write!(
                f,
                "the driver's library was not found ({reason}); install the NVIDIA driver, or set LD_LIBRARY_PATH to where it is"
            ),
            Problem::MissingFunction(name) => write!(
                f,
                "libcuda.so.1 has no function {name}; the NVIDIA driver is too old, version 450 or later is needed"
            ),
            Problem::Start { status, name } if *status == Status::NO_DEVICE => write!(
                f,
                "cuInit: {name} ({}): the driver finds no GPU; see nvidia-smi and CUDA_VISIBLE_DEVICES",
                status.0
            ),
            Problem::Start { status, name } => write!(
                f,
                "cuInit failed: {name} ({}); check the driver with nvidia-smi",
                status.0
            ),
            Problem::NoDevice => f.write_str(
                "the NVIDIA driver finds no GPU; see nvidia-smi and CUDA_VISIBLE_DEVICES",
            ),
        }
    }
}
