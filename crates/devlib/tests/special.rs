//! Special values: zeros with their signs, infinities, NaNs and arguments outside of a function's domain (`special.txt`).

mod support;

use support::{Call, Host, find};

/// The bits of an argument of type `letter`.
fn argument(text: &str, letter: char) -> u64 {
    match letter {
        'd' | 'z' => text.parse::<f64>().expect("a number").to_bits(),
        'f' | 'c' => u64::from(text.parse::<f32>().expect("a number").to_bits()),
        _ => text.parse::<i64>().expect("an integer") as u64,
    }
}

fn value(word: u64, letter: char) -> f64 {
    match letter {
        'd' => f64::from_bits(word),
        'f' => f64::from(f32::from_bits(word as u32)),
        'i' => f64::from(word as i32),
        _ => word as i64 as f64,
    }
}

/// Whether the result is what the line says; finite ones that are no zeros may be off in their last places.
fn fits(word: u64, letter: char, expected: &str) -> bool {
    let got = value(word, letter);
    if expected == "?" {
        return true;
    }
    let either = expected.strip_prefix('±');
    let wanted: f64 = either.unwrap_or(expected).parse().expect("a number");
    if wanted.is_nan() {
        return got.is_nan();
    }
    if wanted == 0.0 || wanted.is_infinite() {
        let same_sign = either.is_some() || got.is_sign_negative() == wanted.is_sign_negative();
        return got.abs() == wanted.abs() && same_sign;
    }
    let slack = if letter == 'f' { 3e-7 } else { 4e-16 };
    (got - wanted).abs() <= slack * wanted.abs()
}

#[test]
fn special_values() {
    let host = Host::build("special");
    let mut calls = vec![];
    let mut wanted = vec![];
    let lines = include_str!("special.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (call, results) = line.split_once(" = ").expect("a call and its results");
        let mut parts = call.split(' ');
        let name = parts.next().expect("a name");
        let texts: Vec<&str> = parts.collect();
        for name in [name.to_string(), format!("{name}f")] {
            let Some(signature) = find(&name) else {
                assert!(name.ends_with('f'), "{name} is no function");
                continue;
            };
            let values = signature
                .parameters
                .chars()
                .filter(|c| c.is_ascii_lowercase());
            let letters = values.flat_map(|c| std::iter::repeat_n(c, support::words_of(c)));
            let arguments = texts
                .iter()
                .zip(letters)
                .map(|(text, c)| argument(text, c))
                .collect();
            calls.push(Call { name, arguments });
            wanted.push((line, results, signature));
        }
    }
    let mut failures = vec![];
    for ((call, (line, results, signature)), got) in calls.iter().zip(&wanted).zip(host.run(&calls))
    {
        let types = signature.results();
        let expected: Vec<&str> = results.split(' ').collect();
        assert_eq!(expected.len(), types.len(), "{line}");
        let all_fit = got
            .iter()
            .zip(&types)
            .zip(&expected)
            .all(|((word, letter), e)| fits(*word, *letter, e));
        if !all_fit {
            let values: Vec<f64> = got.iter().zip(&types).map(|(w, t)| value(*w, *t)).collect();
            failures.push(format!("{}: {line}: got {values:?}", call.name));
        }
    }
    assert!(calls.len() > 400);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
