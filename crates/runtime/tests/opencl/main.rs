//! Devices behind OpenCL, on whatever OpenCL this machine has: PoCL is enough. Without any, the cases are skipped with the reason.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod code;
mod data;
mod devices;
#[path = "../support/gpu.rs"]
mod gpu;
mod launches;
mod queues;
#[path = "../support/mod.rs"]
mod support;

use accrue::abi::*;
use support::cases::{self, Case};
use support::{Builder, Ptx};

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

/// The same cases, with all device memory in one buffer.
fn in_one_buffer() -> Vec<Case> {
    let one = |case: Case| Case {
        environment: [case.environment, &[("ACCRUE_OPENCL_ADDRESSES", "buffer")]]
            .concat()
            .leak(),
        ..case
    };
    all().into_iter().map(one).collect()
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
        Ok(_) => {
            cases::run(&all(), None);
            cases::run(&in_one_buffer(), None);
        }
        Err(problem) => eprintln!("skipped: no OpenCL device: {}", problem.text),
    }
}

const OPENCL: i32 = 9;
const HOST: i32 = 2;

const ON: &[(&str, &str)] = &[("ACC_DEVICE_TYPE", "opencl")];

const KERNELS: &[(u32, u32, &str)] = &[(0, 12, include_str!("kernels.cl"))];

/// A kernel on the host that must not run.
unsafe extern "C" fn not_on_host(_launch: *const CpuLaunch, _gang: u64) {
    panic!("the region runs on the host");
}

/// What the common cases launch.
const FORM: FormKind = FormKind::OpenCl;
const ON_HOST: CpuGang = not_on_host;
const TOTAL: Ptx = Ptx {
    codes: KERNELS,
    shared_worker_bytes: 0,
    ..support::TOTAL
};
