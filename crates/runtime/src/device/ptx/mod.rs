//! The form of code that drivers of PTX read: texts of PTX for GPUs of one generation and all later ones, and machine code.

use crate::abi::{self, CodeKind, FormKind, Kernel, Module, SimtKernel};
use crate::device::simt;
use crate::words::array;

/// The kernel as PTX.
pub fn kernel(kernel: &Kernel) -> Option<&'static SimtKernel> {
    simt::kernel(kernel, FormKind::Ptx)
}

/// The PTX texts of a module for a GPU of compute capability `sm` (10 * major + minor), the best one first.
pub fn codes(module: &Module, sm: u32) -> Vec<&'static abi::Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Ptx as u32 && code.sm <= sm
    })
}

/// The machine codes of a module that the GPU can execute, the best one first: those of its own generation that are not
/// for a later member of it.
pub fn machine_codes(module: &Module, sm: u32) -> Vec<&'static abi::Code> {
    best_first(module, |code| {
        code.kind == CodeKind::Machine as u32 && code.sm / 10 == sm / 10 && code.sm <= sm
    })
}

fn best_first(module: &Module, suits: impl Fn(&abi::Code) -> bool) -> Vec<&'static abi::Code> {
    // SAFETY: a valid module has `ncodes` codes.
    let all = unsafe { array(module.codes, module.ncodes) };
    let mut codes: Vec<&abi::Code> = all.iter().filter(|code| suits(code)).collect();
    codes.sort_by_key(|code| std::cmp::Reverse(code.sm));
    codes
}

/// `9.0` for 90.
pub fn version(number: u32) -> String {
    format!("{}.{}", number / 10, number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::Code;
    use std::sync::atomic::AtomicPtr;

    #[test]
    fn the_newest_code_that_a_gpu_can_run_comes_first() {
        let code = |kind: CodeKind, sm| Code {
            kind: kind as u32,
            sm,
            ptx: 70,
            pad: 0,
            bytes: 0,
            text: std::ptr::null(),
        };
        let texts = [60, 90, 80].map(|sm| code(CodeKind::Ptx, sm));
        let images = [80, 86, 90].map(|sm| code(CodeKind::Machine, sm));
        let all: Vec<Code> = texts.into_iter().chain(images).collect();
        let module = Module {
            ncodes: 6,
            pad: 0,
            codes: all.as_ptr(),
            runtime: AtomicPtr::new(std::ptr::null_mut()),
        };
        let sms = |codes: Vec<&abi::Code>| codes.iter().map(|code| code.sm).collect::<Vec<_>>();
        let ptx = |sm| sms(codes(&module, sm));
        assert_eq!(ptx(90), [90, 80, 60]);
        assert_eq!(ptx(86), [80, 60]);
        assert_eq!(ptx(52), [0u32; 0]);
        let machine = |sm| sms(machine_codes(&module, sm));
        assert_eq!(machine(90), [90]);
        assert_eq!(machine(89), [86, 80]);
        assert_eq!(machine(80), [80]);
        assert_eq!(machine(100), [0u32; 0]);
    }
}
