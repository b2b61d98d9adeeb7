//! The PTX text of the library: it is complete, assembles for all targets, and its functions give the bits that the same C
//! gives on the host.
//!
//! `ptxas` is taken from `ACCRUE_PTXAS`; without it the assembler test says so and does nothing.

mod support;

use std::path::Path;
use std::process::Command;
use support::gpu::{Simulator, head, kernel};
use support::{Call, Host, Signature, functions, vectors, words_of};

/// A module with a kernel for each function.
fn module(sm: u32) -> String {
    let names: Vec<&str> = functions().map(|(name, _)| name).collect();
    let library = accrue_devlib::functions(&names).expect("the library has all functions");
    let kernels: String = functions()
        .map(|(name, signature)| kernel(name, signature))
        .collect();
    format!("{}{library}{kernels}", head(sm))
}

#[test]
fn all_functions_are_in_the_library() {
    for (name, _) in functions() {
        assert!(accrue_devlib::has(name), "{name}");
    }
    for name in [
        "malloc",
        "calloc",
        "realloc",
        "free",
        "vprintf",
        "puts",
        "putchar",
        "abort",
        "exit",
        "__assert_fail",
        "memcpy",
        "memset",
        "memmove",
        "memcmp",
        "memchr",
        "strlen",
        "strnlen",
        "strcmp",
        "strncmp",
        "strcpy",
        "strncpy",
        "strcat",
        "strncat",
        "strchr",
        "strrchr",
    ] {
        assert!(accrue_devlib::has(name), "{name}");
    }
    for name in ["gamma_core", "lib_gamma_core", "lib_bits", "fork"] {
        assert!(!accrue_devlib::has(name), "{name}");
    }
}

#[test]
fn the_text_of_one_function_is_not_the_library() {
    let text = accrue_devlib::functions(&["exp"]).expect("exp");
    assert_eq!(text.matches("__accrue_exp(").count(), 1);
    assert!(!text.contains("__accrue_log"));
}

#[test]
fn the_library_assembles() {
    let Some(ptxas) = std::env::var_os("ACCRUE_PTXAS") else {
        println!("skipped: ACCRUE_PTXAS names no ptxas");
        return;
    };
    let everything = accrue_devlib::functions(&accrue_devlib::names()).expect("all names");
    for sm in [60, 70, 80, 90, 100] {
        for (part, text) in [
            ("kernels", module(sm)),
            ("library", format!("{}{everything}", head(sm))),
        ] {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{part}_{sm}.ptx"));
            std::fs::write(&file, text).expect("a file for the assembler");
            let output = Command::new(&ptxas)
                .args(["-c", "-v", "-o", "/dev/null", &format!("-arch=sm_{sm}")])
                .arg(&file)
                .output()
                .expect("ptxas");
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "sm_{sm}: {messages}");
        }
    }
}

/// Calls of a function: those of the accuracy test, and some with other arguments.
fn calls(name: &str, signature: &Signature) -> Vec<Call> {
    let tested = vectors().into_iter().map(|(call, _)| call);
    let mut calls: Vec<Call> = tested.filter(|call| call.name == name).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // Conversions of numbers that are too large for an integer differ between processors.
    let any_bits = signature.result != Some('l');
    for index in 0..64 {
        let mut arguments = vec![];
        for letter in signature
            .parameters
            .chars()
            .filter(|c| c.is_ascii_lowercase())
        {
            for _ in 0..words_of(letter) {
                let near = (random() >> 11) as f64 / 2f64.powi(53) * 40.0 - 20.0;
                arguments.push(match letter {
                    'd' | 'z' if index % 2 == 0 && any_bits => random(),
                    'd' | 'z' => near.to_bits(),
                    'f' | 'c' if index % 2 == 0 && any_bits => random() >> 32,
                    'f' | 'c' => u64::from((near as f32).to_bits()),
                    'i' => u64::from(near as i32 as u32),
                    _ => near as i64 as u64,
                });
            }
        }
        calls.push(Call {
            name: name.to_string(),
            arguments,
        });
    }
    calls
}

/// Whether two result words are the same number; NaNs may differ in their bits.
fn same(left: u64, right: u64, letter: char) -> bool {
    let both_nan = match letter {
        'd' => f64::from_bits(left).is_nan() && f64::from_bits(right).is_nan(),
        'f' => f32::from_bits(left as u32).is_nan() && f32::from_bits(right as u32).is_nan(),
        _ => false,
    };
    both_nan || left == right
}

#[test]
fn the_same_bits_as_on_the_host() {
    let simulator = Simulator::new(&module(60));
    let host = Host::build("ptx");
    let mut failures = vec![];
    for (name, signature) in functions() {
        let calls = calls(name, signature);
        let expected = host.run(&calls);
        let types = signature.results();
        let results = match simulator.run(name, signature, &calls) {
            Ok(results) => results,
            Err(fault) => {
                failures.push(format!("{name}: {fault}"));
                continue;
            }
        };
        for ((call, wanted), got) in calls.iter().zip(&expected).zip(results) {
            let fits = types
                .iter()
                .zip(wanted.iter().zip(&got))
                .all(|(t, (a, b))| same(*a, *b, *t));
            if !fits {
                failures.push(format!(
                    "{name} {:x?}: {got:x?}, on the host {wanted:x?}",
                    call.arguments
                ));
            }
        }
    }
    let shown = failures.len().min(60);
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures[..shown].join("\n")
    );
}
