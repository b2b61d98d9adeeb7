//! The driver of NVIDIA GPUs, on a stand-in for the CUDA driver (`tests/c/libcuda.c`), which executes streams as late as
//! it may: a missing wait or a buffer reused too early gives wrong results.
//!
//! With `ACCRUE_TEST_GPU=1`, the cases that need nothing of the stand-in run on the GPU of this machine, and with
//! `ACCRUE_TEST_GPU=2` those for two GPUs.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "kernels written by hand, called with the arguments made for them"
)]

mod code;
mod failures;
#[path = "../support/gpu.rs"]
mod gpu;
mod host_region;
mod launches;
mod queues;
mod results;
mod start;
#[path = "../support/mod.rs"]
mod support;
mod transfers;
mod two_gpus;

use accrue::abi::*;
use std::path::Path;
use std::process::Command;
use support::cases::{self, Case};
use support::{KERNELS, TOTAL};

fn all() -> Vec<Case> {
    [
        start::CASES,
        code::CASES,
        launches::CASES,
        results::CASES,
        transfers::CASES,
        queues::CASES,
        host_region::CASES,
        failures::CASES,
        two_gpus::CASES,
    ]
    .concat()
}

/// Cases for a GPU.
const ON_A_GPU: &[&str] = &[
    "the results of launches",
    "the results of launches with scratch memory",
    "transfers of all sizes, synchronous",
    "transfers of all sizes, in a queue",
    "results of reductions",
    "rows",
    "a queue keeps the order of copies to and from the host",
    "queues wait for each other",
    "firstprivate data and temporary mappings in a queue",
    "buffers of several queues",
    "threads",
    "a stream of the program",
    "a region without GPU code",
    "a failing kernel is named",
    "fork",
];

#[test]
fn child() {
    cases::child(&all());
}

#[test]
fn cases() {
    if std::env::var_os("ACCRUE_TEST_CASE").is_some() {
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stub");
    std::fs::create_dir_all(&directory).expect("cannot make the directory of the stand-in");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(directory.join("libcuda.so.1"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/libcuda.c"))
        .arg("-lpthread")
        .status()
        .expect("cannot start cc");
    assert!(built.success());
    cases::run(&all(), Some(&directory));
}

#[test]
fn on_a_gpu() {
    if machine() != 1 {
        return;
    }
    let all = all();
    let unknown = ON_A_GPU
        .iter()
        .find(|name| !all.iter().any(|case| case.name == **name));
    assert_eq!(unknown, None);
    cases::run_some(&all, None, |case| ON_A_GPU.contains(&case.name));
}

#[test]
fn on_two_gpus() {
    if machine() == 2 {
        cases::run(two_gpus::CASES, None);
    }
}

/// How many GPUs the tests may count on.
fn machine() -> u32 {
    let setting = std::env::var("ACCRUE_TEST_GPU").unwrap_or_default();
    setting.parse().unwrap_or(0)
}

const NVIDIA: i32 = 4;
const HOST: i32 = 2;

const PLAIN: &[(&str, &str)] = &[];
const LOG: &[(&str, &str)] = &[("STUB_LOG", "1")];

/// What the common cases launch.
const FORM: FormKind = FormKind::Ptx;
const ON_HOST: CpuGang = gpu::add_on_host;
