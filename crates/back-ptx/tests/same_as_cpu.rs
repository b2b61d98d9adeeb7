//! The same IR as PTX on the simulator and as C on this machine: both must leave the same bytes in memory.
//!
//! Inputs are the files in `print` with lines like these; each is a run of the kernel `accrue_k0_0`.
//! ```text
//! // run: i32[4] 1 -2; i64 7; f64[2]        a buffer of four numbers (the rest is zero), a number, a buffer of two zeros
//! // threads: 64                            threads of the GPU; the CPU runs the kernel so many times
//! ```
//! Types are `i8` to `i128`, `f32`, `f64`, and `c32`, `c64` for complex numbers (two numbers each).

#[path = "same/no_subgroups.rs"]
mod no_subgroups;
mod support;

use accrue_back_cpu::emit;
use accrue_ptx_sim::{Gpu, Launch};
use pliron::context::Context;
use std::{fmt::Write, fs, path::PathBuf, process::Command};
use support::{expanded, inputs, parse, ptx_of};

/// What the C text expects to be declared before it.
const LAUNCH: &str = "\
#include <stdio.h>
struct accrue_cpu_launch { const unsigned long long *args; unsigned long long gangs[3]; unsigned long long workers, vector;
                           char *slots; unsigned long long slot_stride; };
";

/// One argument of a kernel.
enum Argument {
    Buffer(Vec<u8>),
    Value(Vec<u8>),
}

/// The bytes of one number.
fn bytes_of(ty: &str, text: &str) -> Vec<u8> {
    let integer = || text.parse::<i128>().expect("an integer").to_le_bytes();
    match ty {
        "f32" | "c32" => text.parse::<f32>().expect("a float").to_le_bytes().to_vec(),
        "f64" | "c64" => text.parse::<f64>().expect("a float").to_le_bytes().to_vec(),
        _ => {
            let bits: usize = ty[1..].parse().expect("a type");
            integer()[..bits / 8].to_vec()
        }
    }
}

fn argument(text: &str) -> Argument {
    let mut words = text.split_whitespace();
    let ty = words.next().expect("a type");
    let (ty, length) = match ty.split_once('[') {
        Some((ty, length)) => (
            ty,
            Some(
                length
                    .trim_end_matches(']')
                    .parse::<usize>()
                    .expect("a length"),
            ),
        ),
        None => (ty, None),
    };
    let mut bytes: Vec<u8> = words.flat_map(|w| bytes_of(ty, w)).collect();
    let complex = if ty.starts_with('c') { 2 } else { 1 };
    match length {
        Some(length) => {
            bytes.resize(length * complex * bytes_of(ty, "0").len(), 0);
            Argument::Buffer(bytes)
        }
        None => {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            Argument::Value(bytes)
        }
    }
}

/// The lines of `source` that start with `// word: `.
fn lines<'a>(source: &'a str, word: &str) -> Vec<&'a str> {
    let start = format!("// {word}: ");
    source
        .lines()
        .filter_map(|l| l.trim().strip_prefix(&start))
        .collect()
}

/// What the buffers contain after the run on the simulator.
fn on_gpu(text: &str, arguments: &[Argument], threads: u32) -> Vec<u8> {
    let gpu = Gpu::new(Default::default());
    let module = gpu.load(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kernel = module.kernel("accrue_k0_0").expect("the kernel");
    let (mut params, mut buffers) = (vec![], vec![]);
    for argument in arguments {
        match argument {
            Argument::Value(bytes) => params.extend(bytes),
            Argument::Buffer(bytes) => {
                let address = gpu.alloc(bytes.len() as u64).expect("memory");
                gpu.write(address, bytes).expect("a buffer");
                params.extend(address.to_le_bytes());
                buffers.push((address, bytes.len()));
            }
        }
    }
    // Scratch memory, which these kernels do not have.
    params.extend(0u64.to_le_bytes());
    let launch = Launch {
        kernel: &kernel,
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        params: &params,
    };
    gpu.launch(&launch)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut all = vec![];
    for (address, length) in buffers {
        let mut bytes = vec![0; length];
        gpu.read(address, &mut bytes).expect("a buffer");
        all.extend(bytes);
    }
    all
}

/// The main program that does all runs one after another and writes their buffers out.
fn program(kernel: &str, runs: &[Vec<Argument>], threads: u32) -> String {
    let mut text = format!("{LAUNCH}\n{kernel}\nint main(void)\n{{\n");
    for arguments in runs {
        let (mut words, mut writes) = (vec![], String::new());
        text.push_str("    {\n");
        for (index, argument) in arguments.iter().enumerate() {
            match argument {
                Argument::Value(bytes) => {
                    let word = |w: &[u8]| u64::from_le_bytes(w.try_into().expect("a word"));
                    words.extend(bytes.chunks(8).map(|w| format!("{}ull", word(w))));
                }
                Argument::Buffer(bytes) => {
                    let list: Vec<_> = bytes.iter().map(u8::to_string).collect();
                    let _ = writeln!(
                        text,
                        "        static _Alignas(16) unsigned char b{index}[] = {{{}}};",
                        list.join(",")
                    );
                    words.push(format!("(unsigned long long)b{index}"));
                    let _ = writeln!(
                        writes,
                        "        fwrite(b{index}, 1, sizeof b{index}, stdout);"
                    );
                }
            }
        }
        let _ = write!(
            text,
            "        unsigned long long args[] = {{{}}};\n        struct accrue_cpu_launch l = {{args, {{1, 1, 1}}, 1, 1, 0, 0}};
        for (int i = 0; i < {threads}; i++) accrue_k0_0(&l, 0);\n{writes}    }}\n",
            words.join(", ")
        );
    }
    text + "    return 0;\n}\n"
}

/// What the buffers of all runs contain after them on this machine.
fn on_cpu(stem: &str, source: &str, runs: &[Vec<Argument>], threads: u32) -> Vec<u8> {
    let ctx = &mut Context::new();
    let module = parse(ctx, source);
    let (_, sites) = expanded(ctx, module);
    let kernel = emit(ctx, module, &sites, false).expect("C text").text;
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("back-ptx-same-as-cpu");
    fs::create_dir_all(&scratch).expect("scratch");
    let (file, exe) = (scratch.join(format!("{stem}.c")), scratch.join(stem));
    fs::write(&file, program(&kernel, runs, threads)).expect("write");
    let cc = Command::new("gcc")
        .args(["-O1", "-w", "-ffp-contract=off", "-fexcess-precision=16"])
        .args(["-fopenmp-simd", "-o"])
        .arg(&exe)
        .arg(&file)
        .arg("-lm")
        .output()
        .expect("a C compiler");
    assert!(
        cc.status.success(),
        "{}",
        String::from_utf8_lossy(&cc.stderr)
    );
    let run = Command::new(&exe).output().expect("the program runs");
    assert!(run.status.success(), "{stem}: {}", run.status);
    run.stdout
}

#[test]
fn same_bytes() {
    let mut count = 0;
    for input in inputs() {
        let source = fs::read_to_string(&input).expect("input");
        let runs: Vec<Vec<Argument>> = lines(&source, "run")
            .into_iter()
            .map(|line| line.split(';').map(argument).collect())
            .collect();
        if runs.is_empty() {
            continue;
        }
        let threads = lines(&source, "threads")
            .first()
            .map_or(1, |t| t.parse().expect("a number"));
        let stem = input.file_stem().expect("a name").to_string_lossy();
        let ptx = ptx_of(&source, 70, (7, 0));
        let gpu: Vec<u8> = runs.iter().flat_map(|r| on_gpu(&ptx, r, threads)).collect();
        let cpu = on_cpu(&stem, &source, &runs, threads);
        assert_eq!(gpu.len(), cpu.len(), "{stem}");
        let differs = gpu.iter().zip(&cpu).position(|(g, c)| g != c);
        if let Some(byte) = differs {
            let word = byte / 8 * 8;
            panic!(
                "{stem}: the bytes from {word} on are {:x?} on the GPU, {:x?} on the CPU",
                &gpu[word..(word + 8).min(gpu.len())],
                &cpu[word..(word + 8).min(cpu.len())]
            );
        }
        count += runs.len();
    }
    assert!(count > 0, "nothing was run");
}
