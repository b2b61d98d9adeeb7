//! Loads PTX texts and runs each of their kernels, with memory for whatever a parameter may point to.
//!
//! ```text
//! cargo run --release -p accrue-ptx-sim --example run_ptx -- FILE…
//! ```
//!
//! says of each file what is wrong with it, or how many of its kernels ran and what the first fault was. Whether a kernel does
//! anything of use is not looked at: the stress job gives damaged texts to it (`tests/stress/damage.py`), which may be refused
//! and may fault, but must not break the simulator.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options};
use std::process::ExitCode;
use std::{env, fs, sync::Arc};

/// A damaged kernel may loop for ever; a right one of the stress job needs fewer.
const INSTRUCTIONS: u64 = 20_000;
const BYTES: usize = 1 << 16;

fn main() -> ExitCode {
    for path in env::args().skip(1) {
        match fs::read_to_string(&path) {
            Ok(text) => println!("{path}: {}", run(&text)),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn run(text: &str) -> String {
    let gpu = Gpu::new(Options {
        cores: 1,
        memory: 1 << 26,
        checks: Checks::ALL,
        instruction_limit: Some(INSTRUCTIONS),
        print: Arc::new(|_| {}),
        ..Options::default()
    });
    let module = match gpu.load(text) {
        Ok(module) => module,
        Err(error) => return format!("line {}: {}", error.line, error.message),
    };
    let mut outcome = "no kernels".to_string();
    let (mut ran, mut faults) = (0, 0);
    for name in module.kernels() {
        let Some(kernel) = module.kernel(&name) else {
            continue;
        };
        // Every parameter, and every word of a structure, is the address of the same memory.
        let Some(address) = gpu.alloc(BYTES as u64) else {
            return "no memory".to_string();
        };
        let mut params = vec![0; kernel.param_bytes() as usize];
        for word in params.chunks_exact_mut(8) {
            word.copy_from_slice(&address.to_le_bytes());
        }
        let launch = Launch {
            kernel: &kernel,
            grid: [2, 1, 1],
            block: kernel.max_block().unwrap_or([64, 1, 1]),
            dynamic_shared: 4096,
            params: &params,
        };
        match gpu.launch(&launch) {
            Ok(_) => ran += 1,
            Err(fault) => {
                faults += 1;
                outcome = fault.to_string();
            }
        }
    }
    format!("{ran} kernels ran, {faults} did not: {outcome}")
}
