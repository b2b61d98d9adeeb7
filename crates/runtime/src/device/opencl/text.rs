//! The texts of OpenCL C that a program brings along.

use crate::abi::{self, CodeKind, FormKind, Kernel, Module, SimtKernel};
use crate::device::simt;
use crate::words::array;

/// The kernel as OpenCL C.
pub fn kernel(kernel: &Kernel) -> Option<&'static SimtKernel> {
    simt::kernel(kernel, FormKind::OpenCl)
}

/// A module's text.
pub fn of(module: &Module) -> Option<&'static abi::Code> {
    // SAFETY: a valid module has `ncodes` codes.
    let codes = unsafe { array(module.codes, module.ncodes) };
    codes
        .iter()
        .find(|code| code.kind == CodeKind::OpenCl as u32)
}
