//! Errors of the functions against correctly rounded results (`vectors.txt`), with the C files compiled for the host.
//!
//! The bound of a function is what `README.md` promises. Complex results are measured as a whole: the larger of the two
//! errors, in units of the larger part. Bessel functions are measured in units of their amplitude.

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
    ("ctan", 5.0),
    ("ctanf", 5.0),
    ("ctanh", 5.0),
    ("ctanhf", 5.0),
    // The error grows with |y log x|.
    ("cpow", 20.0),
    ("cpowf", 20.0),
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

/// The bits of the amplitude of a Bessel function, sqrt(2 / (pi x)).
fn amplitude(call: &Call) -> Option<u64> {
    let amplitude = |x: f64| (std::f64::consts::FRAC_2_PI / x).sqrt().min(1.0);
    match call.name.as_str() {
        "j0" | "j1" | "y0" | "y1" => Some(amplitude(f64::from_bits(call.arguments[0])).to_bits()),
        "j0f" | "j1f" | "y0f" | "y1f" => {
            let x = f32::from_bits(call.arguments[0] as u32);
            Some(u64::from((amplitude(f64::from(x)) as f32).to_bits()))
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
