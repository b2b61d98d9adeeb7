//! Functions that are no mathematics, on the simulated GPU: memory, the lowest bit of an integer, the end of a kernel.

mod support;

use support::gpu::{Simulator, head, kernel};
use support::{Call, Signature, signature};

/// A module with kernels for these functions.
fn simulator(functions: &[(&str, Signature)]) -> Simulator {
    let names: Vec<&str> = functions.iter().map(|(name, _)| *name).collect();
    let library = accrue_devlib::functions(&names).expect("the functions");
    let kernels: String = functions.iter().map(|(name, s)| kernel(name, s)).collect();
    Simulator::new(&format!("{}{library}{kernels}", head(60)))
}

/// One call, its result word.
fn call(simulator: &Simulator, (name, signature): &(&str, Signature), arguments: &[u64]) -> u64 {
    let call = Call {
        name: name.to_string(),
        arguments: arguments.to_vec(),
    };
    let results = simulator.run(name, signature, &[call]).expect("no fault");
    results[0][0]
}

#[test]
fn the_lowest_bit() {
    let functions = [
        ("ffs", signature("i", Some('i'), "")),
        ("ffsl", signature("l", Some('i'), "")),
        ("ffsll", signature("l", Some('i'), "")),
    ];
    let simulator = simulator(&functions);
    for (arguments, expected) in [(0, 0), (1, 1), (0x8000_0000, 32), (0x1234_5678, 4)] {
        for function in &functions {
            assert_eq!(
                call(&simulator, function, &[arguments]),
                expected,
                "{}",
                function.0
            );
        }
    }
    assert_eq!(call(&simulator, &functions[1], &[1 << 40]), 41);
}

#[test]
fn memory() {
    let functions = [
        ("memcpy", signature("lll", Some('l'), "")),
        ("memmove", signature("lll", Some('l'), "")),
        ("memset", signature("lil", Some('l'), "")),
        ("memcmp", signature("lll", Some('i'), "")),
        ("strlen", signature("l", Some('l'), "")),
        ("strcmp", signature("ll", Some('i'), "")),
    ];
    let [copy, shift, set, compare, length, order] = &functions;
    let simulator = simulator(&functions);
    let place = simulator.memory(256);
    let text: Vec<u8> = (0..200u8).map(|i| i % 97 + 1).chain([0; 56]).collect();
    let contents = |simulator: &Simulator| {
        let mut bytes = vec![0; 256];
        simulator.gpu.read(place, &mut bytes).expect("the bytes");
        bytes
    };
    for (to, from, count) in [(128, 0, 64), (128, 0, 61), (131, 2, 40), (129, 8, 0)] {
        simulator.gpu.write(place, &text).expect("the bytes");
        let mut expected = text.clone();
        expected.copy_within(from..from + count, to);
        let arguments = [place + to as u64, place + from as u64, count as u64];
        assert_eq!(call(&simulator, copy, &arguments), arguments[0]);
        assert_eq!(contents(&simulator), expected);
    }
    for (to, from, count) in [(8, 0, 64), (0, 8, 64), (3, 0, 61), (0, 5, 61)] {
        simulator.gpu.write(place, &text).expect("the bytes");
        let mut expected = text.clone();
        expected.copy_within(from..from + count, to);
        let arguments = [place + to as u64, place + from as u64, count as u64];
        assert_eq!(call(&simulator, shift, &arguments), arguments[0]);
        assert_eq!(contents(&simulator), expected);
    }
    for (at, count) in [(0, 64), (8, 13), (3, 30)] {
        simulator.gpu.write(place, &text).expect("the bytes");
        let mut expected = text.clone();
        expected[at..at + count].fill(0xab);
        call(&simulator, set, &[place + at as u64, 0x1ab, count as u64]);
        assert_eq!(contents(&simulator), expected);
    }
    simulator
        .gpu
        .write(place, b"abcdefgh\0abcdefgx\0abc\0")
        .expect("the bytes");
    assert_eq!(call(&simulator, length, &[place]), 8);
    assert_eq!(call(&simulator, compare, &[place, place + 9, 7]), 0);
    assert_eq!(
        call(&simulator, compare, &[place, place + 9, 8]) as u32 as i32,
        -1
    );
    assert_eq!(call(&simulator, order, &[place, place]), 0);
    assert!((call(&simulator, order, &[place + 9, place]) as u32 as i32) > 0);
    assert!((call(&simulator, order, &[place + 18, place]) as u32 as i32) < 0);
}

/// Blocks are aligned, keep what is in them when they grow, and are given back: many rounds need no more memory.
#[test]
fn heap() {
    let functions = [
        ("malloc", signature("l", Some('l'), "")),
        ("realloc", signature("ll", Some('l'), "")),
        ("calloc", signature("ll", Some('l'), "")),
        ("free", signature("l", None, "")),
    ];
    let [malloc, realloc, calloc, free] = &functions;
    let simulator = simulator(&functions);
    for round in 1..200u64 {
        let block = call(&simulator, malloc, &[round]);
        assert!(block != 0 && block.is_multiple_of(16));
        let text: Vec<u8> = (0..round).map(|i| (i * round) as u8).collect();
        simulator.gpu.write(block, &text).expect("the block");
        let larger = call(&simulator, realloc, &[block, 3 * round]);
        let mut kept = vec![0; round as usize];
        simulator.gpu.read(larger, &mut kept).expect("the block");
        assert_eq!(kept, text);
        let zeros = call(&simulator, calloc, &[round, 7]);
        let mut bytes = vec![1; 7 * round as usize];
        simulator.gpu.read(zeros, &mut bytes).expect("the block");
        assert!(bytes.iter().all(|byte| *byte == 0));
        for block in [larger, zeros, 0] {
            let given = Call {
                name: "free".to_string(),
                arguments: vec![block],
            };
            simulator.run("free", &free.1, &[given]).expect("no fault");
        }
        assert!(simulator.gpu.read(larger, &mut kept).is_err());
    }
    for huge in [1 << 60, u64::MAX, u64::MAX - 15] {
        assert_eq!(call(&simulator, malloc, &[huge]), 0);
        assert_eq!(call(&simulator, calloc, &[huge, 16]), 0);
        let block = call(&simulator, malloc, &[8]);
        assert_eq!(call(&simulator, realloc, &[block, huge]), 0);
    }
    let block = call(&simulator, realloc, &[0, 24]);
    assert!(block != 0);
}

#[test]
fn abort_and_exit_end_the_kernel_with_an_error() {
    let functions = [
        ("abort", signature("", None, "")),
        ("exit", signature("i", None, "")),
    ];
    let simulator = simulator(&functions);
    for (name, signature) in &functions {
        let call = Call {
            name: name.to_string(),
            arguments: vec![0; signature.arguments()],
        };
        assert!(simulator.run(name, signature, &[call]).is_err(), "{name}");
    }
}
