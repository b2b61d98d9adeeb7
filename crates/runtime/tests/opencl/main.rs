//! Devices behind OpenCL, on whatever OpenCL this machine has: PoCL is enough. Without any, the cases are skipped with the reason.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod code;
mod data;
mod devices;
mod launches;
mod queues;
#[path = "../support/mod.rs"]
mod support;

use accrue::abi::*;
use std::ffi::c_void;
use support::cases::{self, Case};
use support::{Builder, Ptx, arg, directive};

fn all() -> Vec<Case> {
    [
        devices::CASES,
        data::CASES,
        launches::CASES,
        queues::CASES,
        code::CASES,
    ]
    .concat()
}

#[test]
fn child() {
    cases::child(&all());
}

#[test]
fn cases() {
    if std::env::var_os("ACCRUE_TEST_CASE").is_some() {
        return;
    }
    match (accrue::device::opencl::DRIVER.find)() {
        Ok(_) => cases::run(&all(), None),
        Err(problem) => eprintln!("skipped: no OpenCL device: {}", problem.text),
    }
}

const OPENCL: i32 = 9;
const HOST: i32 = 2;

const ON: &[(&str, &str)] = &[("ACC_DEVICE_TYPE", "opencl")];

const KERNELS: &[(u32, u32, &str)] = &[(0, 12, include_str!("kernels.cl"))];

/// add_3(a, n, x): a[i] += x for all i < n
const ADD: Ptx = Ptx {
    codes: KERNELS,
    entry: "add_3",
    flags: SIMT_VECTOR,
    args_words: 3,
    ..Ptx::NONE
};

fn pointer<T>(data: &[T]) -> *mut c_void {
    data.as_ptr() as *mut c_void
}

/// A kernel on the host that must not run.
unsafe extern "C" fn not_on_host(_launch: *const CpuLaunch, _gang: u64) {
    panic!("the region runs on the host");
}

/// a[i] += x for all i < n, on the host.
unsafe extern "C" fn add_on_host(launch: *const CpuLaunch, _gang: u64) {
    unsafe {
        let (n, x) = (*(*launch).args.add(1), *(*launch).args.add(2));
        (0..n as usize).for_each(|i| *arg::<u64>(launch, 0).add(i) += x);
    }
}

/// a[i] += x, with `copy(a)` unless it is present.
fn add(line: u32, a: &mut [u64], x: u64) -> Builder {
    directive(SiteKind::Parallel, line)
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, a.len())
        .word(Action::Value, "n", a.len() as u64)
        .word(Action::Value, "x", x)
        .kernel(KERNEL_GANG_LOOP, not_on_host)
        .opencl(&ADD)
}

fn launch_add(line: u32, a: &mut [u64], x: u64, change: impl FnOnce(Builder) -> Builder) {
    assert!(change(add(line, a, x)).launch());
}
