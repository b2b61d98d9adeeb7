//! The texts of OpenCL C that a program brings along.

use crate::abi::{self, CodeKind, FormKind, Kernel, Module, SimtKernel};
use crate::device::simt;
use crate::words::array;

/// The kernel as OpenCL C, for cores if there is such a text and it is wanted.
pub fn kernel(kernel: &Kernel, cores: bool) -> Option<&'static SimtKernel> {
    let for_cores = || simt::kernel(kernel, FormKind::OpenClCores);
    let own = cores.then(for_cores).flatten();
    own.or_else(|| simt::kernel(kernel, FormKind::OpenCl))
}

/// Whether a gang is one work item of this kernel.
pub fn is_for_cores(kernel: &SimtKernel) -> bool {
    (kernel.max_workers, kernel.max_vector) == (1, 1)
}

/// A module's text.
pub fn of(module: &Module) -> Option<&'static abi::Code> {
    // SAFETY: a valid module has `ncodes` codes.
    let codes = unsafe { array(module.codes, module.ncodes) };
    codes
        .iter()
        .find(|code| code.kind == CodeKind::OpenCl as u32)
}
