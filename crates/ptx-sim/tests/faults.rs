//! Kernels with a bug each: the simulator finds it and names the right line.
//!
//! `bad/*.ptx` are the kernels. Comments say how to launch one and what must be reported:
//!
//! ```text
//! // launch: grid 1 block 64 shared 0 args buffer:256 zeroed:256 freed:64 value:7
//! // fault: OutOfBounds bad.c:12 thread 33
//! ```
//!
//! `buffer:N` is an allocation of N bytes of which nothing is written, `zeroed:N` one filled with zeros, `freed:N` one that
//! has been freed, `stale:N` a zeroed one of which the host has newer values; their label is `argument I`. `block 32x2` is a
//! block of two dimensions. With a line `checks: races`, only races are looked for. `fault: none` is a kernel that must
//! pass, and `// result: 0 7 8` then says what 32-bit words argument 0 must begin with. `contains:` lines are parts of the
//! report.

use accrue_ptx_sim::{Checks, Fault, FaultKind, Gpu, Launch, Options, Stats};
use std::{fs, path::Path};

fn kind(fault: &Fault) -> &'static str {
    match fault.kind {
        FaultKind::Launch { .. } => "Launch",
        FaultKind::OutOfBounds(_) => "OutOfBounds",
        FaultKind::UseAfterFree(_) => "UseAfterFree",
        FaultKind::Generic(_) => "Generic",
        FaultKind::Misaligned(_) => "Misaligned",
        FaultKind::ReadOnly(_) => "ReadOnly",
        FaultKind::Uninitialised(_) => "Uninitialised",
        FaultKind::Stale(_) => "Stale",
        FaultKind::Race { .. } => "Race",
        FaultKind::DivergentBarrier { .. } => "DivergentBarrier",
        FaultKind::InactiveLane { .. } => "InactiveLane",
        FaultKind::NotInMask { .. } => "NotInMask",
        FaultKind::Deadlock { .. } => "Deadlock",
        FaultKind::Unsilenced { .. } => "Unsilenced",
        FaultKind::NotReadOnly { .. } => "NotReadOnly",
        FaultKind::BadFree { .. } => "BadFree",
        FaultKind::BadCall { .. } => "BadCall",
        FaultKind::StackOverflow => "StackOverflow",
        FaultKind::Trap => "Trap",
        FaultKind::Assert { .. } => "Assert",
        FaultKind::InstructionLimit { .. } => "InstructionLimit",
    }
}

/// Values of `// key: value` lines.
fn comments<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let start = format!("// {key}: ");
    text.lines()
        .filter_map(|line| line.strip_prefix(&start))
        .collect()
}

fn run(text: &str, seed: u64) -> Result<Stats, Box<Fault>> {
    let checks = match comments(text, "checks").as_slice() {
        [] => Checks::ALL,
        _ => Checks {
            races: true,
            ..Checks::NONE
        },
    };
    let options = Options {
        cores: 1,
        seed,
        checks,
        instruction_limit: Some(200_000),
        ..Options::default()
    };
    let gpu = Gpu::new(options);
    let module = gpu.load(text).unwrap_or_else(|e| panic!("{e}"));
    let names = module.kernels();
    let kernel = module.kernel(&names[0]).unwrap();
    let (mut grid, mut block, mut dynamic_shared) = (1, [32, 1, 1], 0);
    let mut params = Vec::new();
    let launches = comments(text, "launch");
    let mut words = launches[0].split_whitespace();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|w| w.parse().ok()).expect("a number");
        match word {
            "grid" => grid = number(),
            "block" => {
                let (x, y) = shape(words.next().expect("a block"));
                block = [x, y, 1];
            }
            "shared" => dynamic_shared = number(),
            "args" => {}
            argument => {
                let (what, n) = argument.split_once(':').expect("kind:number");
                let n: u64 = n.parse().expect("a number");
                let label = format!("argument {}", params.len() / 8);
                let value = if what == "value" {
                    n
                } else {
                    gpu.alloc_labelled(n, Some(&label)).unwrap()
                };
                match what {
                    "zeroed" => gpu.fill(value, 0, n).unwrap(),
                    "stale" => {
                        gpu.fill(value, 0, n).unwrap();
                        gpu.set_stale(value, n, true).unwrap();
                        // The transfer of a part makes that part good again.
                        gpu.write(value, &[0; 4]).unwrap();
                        gpu.set_stale(value + 4, 4, false).unwrap();
                    }
                    "freed" => gpu.free(value).unwrap(),
                    "buffer" | "value" => {}
                    other => panic!("unknown argument {other}"),
                }
                params.extend(value.to_le_bytes());
            }
        }
    }
    let launch = Launch {
        kernel: &kernel,
        grid: [grid, 1, 1],
        block,
        dynamic_shared,
        params: &params,
    };
    let stats = gpu.launch(&launch).map_err(Box::new)?;
    for expected in comments(text, "result") {
        let expected: Vec<u8> = expected
            .split_whitespace()
            .flat_map(|w| w.parse::<u32>().expect("a number").to_le_bytes())
            .collect();
        let mut found = vec![0; expected.len()];
        let first = u64::from_le_bytes(params[..8].try_into().unwrap());
        gpu.read(first, &mut found).unwrap();
        assert_eq!(found, expected, "result of a kernel with\n{text}");
    }
    Ok(stats)
}

/// `64` or `32x2`.
fn shape(block: &str) -> (u32, u32) {
    let (x, y) = block.split_once('x').unwrap_or((block, "1"));
    let number = |n: &str| n.parse().expect("a number");
    (number(x), number(y))
}

fn check(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    for seed in 0..4 {
        let expected: Vec<&str> = comments(&text, "fault")
            .first()
            .ok_or("no `// fault:` line")?
            .split_whitespace()
            .collect();
        match (run(&text, seed), expected.as_slice()) {
            (Ok(_), ["none"]) => {}
            (Ok(_), _) => return Err(format!("seed {seed}: nothing was found")),
            (Err(fault), ["none"]) => return Err(format!("seed {seed}: found {fault}")),
            (Err(fault), [name, rest @ ..]) => {
                let report = fault.to_string();
                let place = rest.first().is_none_or(|place| report.contains(place));
                let thread = match rest {
                    // With another schedule another thread may be the first.
                    [_, "thread", n] if seed == 0 => report.contains(&format!("thread ({n},0,0)")),
                    _ => true,
                };
                if kind(&fault) != *name || !place || !thread {
                    return Err(format!(
                        "seed {seed}: expected {expected:?}, found {report}"
                    ));
                }
                for part in comments(&text, "contains") {
                    if !report.contains(part) {
                        return Err(format!("seed {seed}: `{part}` is not in {report}"));
                    }
                }
            }
            (Err(_), []) => return Err("empty `// fault:` line".to_string()),
        }
    }
    Ok(())
}

#[test]
fn bad_kernels_are_found() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        count += 1;
        if let Err(message) = check(&path) {
            failures.push(format!(
                "{}: {message}",
                path.file_name().unwrap_or_default().display()
            ));
        }
    }
    assert!(count >= 30, "only {count} kernels");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
