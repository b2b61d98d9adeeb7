//! Errors of the functions against correctly rounded results (`vectors.txt`), with the C files compiled for the host.
//!
//! The bound of a function is what `README.md` promises. Complex results are measured as a whole: the larger of the two
//! errors, in units of the larger part. Bessel functions are measured in their own units, but next to zeros in those of a small
//! part of their amplitude.

mod support;

use std::collections::BTreeMap;
use support::{Call, Host, find, vectors};

/// Bounds in units in the last place where they are not [`COMMON`] or [`COMPLEX`].
const BOUNDS: &[(&str, f64)] = &[
    ("erfc", 4.0),
    ("erfcf", 4.0),
    ("tgamma", 4.0),
    ("lgamma", 4.0),
    ("j0", 4.0),
    ("j1", 4.0),
    ("y0", 4.0),
    ("y1", 4.0),
    ("yn", 4.0),
    ("fmod", 0.0),
    ("fmodf", 0.0),
    ("remainder", 0.0),
    ("remainderf", 0.0),
];
const COMMON: f64 = 2.0;
const COMPLEX: f64 = 4.0;

/// The bits of a float in an order in which neighbours differ by 1.
fn place(word: u64, is_float: bool) -> i128 {
    let sign = if is_float { 1 << 31 } else { 1 << 63 };
    let size = i128::from(word & (sign - 1));
    if word & sign == 0 { size } else { -size }
}

/// The size of a number's last place, as a power of 2.
fn last_place(word: u64, is_float: bool) -> i32 {
    let field = if is_float {
        (word >> 23) & 0xff
    } else {
        (word >> 52) & 0x7ff
    };
    field.max(1) as i32
}

/// How much smaller than the amplitude of a Bessel function the units of its error are at least.
const NEXT_TO_ZERO: f64 = 1.0 / 4096.0;

/// The bits of that part of the amplitude, sqrt(2 / (pi x)); of functions that are not waves yet, none.
fn amplitude(call: &Call) -> Option<u64> {
    let amplitude = |x: f64| (std::f64::consts::FRAC_2_PI / x).sqrt().min(1.0) * NEXT_TO_ZERO;
    let word = *call.arguments.last()?;
    let float = f32::from_bits(word as u32);
    let order = match call.arguments.as_slice() {
        [order, _] => *order as f64,
        _ => 0.0,
    };
    match call.name.as_str() {
        "j0" | "j1" | "y0" | "y1" => Some(amplitude(f64::from_bits(word)).to_bits()),
        "jn" | "yn" if order < f64::from_bits(word) => {
            // From order 2 on the recurrence mixes the errors of two functions.
            Some((amplitude(f64::from_bits(word)) / NEXT_TO_ZERO).to_bits())
        }
        "j0f" | "j1f" | "y0f" | "y1f" | "jnf" | "ynf" => {
            Some(u64::from((amplitude(f64::from(float)) as f32).to_bits()))
        }
        _ => None,
    }
}

#[test]
fn errors_are_within_the_bounds() {
    let host = Host::build("accuracy");
    let vectors = vectors();
    let calls: Vec<_> = vectors.iter().map(|(call, _)| call.clone()).collect();
    let mut worst: BTreeMap<&str, (f64, String)> = BTreeMap::new();
    for ((call, expected), results) in vectors.iter().zip(host.run(&calls)) {
        let types = find(&call.name).expect("a known function").results();
        let is_float = types[0] == 'f';
        let sizes = expected.iter().map(|(word, _)| *word);
        let largest = sizes
            .chain(amplitude(call))
            .map(|word| last_place(word, is_float))
            .max();
        for (result, (rounded, beyond)) in results.iter().zip(expected) {
            let steps = place(*result, is_float) - place(*rounded, is_float);
            let error = (steps as f64 - beyond).abs();
            let smaller = largest.unwrap_or(0) - last_place(*rounded, is_float);
            let error = error * 0.5f64.powi(smaller);
            let entry = worst.entry(&call.name).or_default();
            if error >= entry.0 {
                *entry = (
                    error,
                    format!("{:x?}: {result:x}, not {rounded:x}", call.arguments),
                );
            }
        }
    }
    let mut failures = vec![];
    for (name, (error, what)) in &worst {
        println!("{name:12} {error:.2}");
        let complex = find(name).is_some_and(|s| s.parameters.contains(['z', 'c']));
        let usual = if complex { COMPLEX } else { COMMON };
        let exception = BOUNDS.iter().find(|(n, _)| n == name);
        let bound = exception.map_or(usual, |(_, bound)| *bound);
        if *error > bound {
            failures.push(format!(
                "{name}: {error:.2} ulp, promised are {bound}: {what}"
            ));
        }
    }
    assert!(worst.len() >= 60, "vectors for all functions with an error");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
