//! Constants as exact C literals.

use super::{dialect::Dialect, expr::Expr};

/// An integer constant of type `iN`; the value is sign-extended.
pub fn integer(width: u32, value: i128) -> Expr {
    let text = match width {
        128 => wide(value),
        64 if value == i128::from(i64::MIN) => "(-9223372036854775807L - 1)".to_string(),
        64 => format!("{value}L"),
        32 if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
        _ => value.to_string(),
    };
    Expr::atom(text)
}

/// C has no literals of 128 bits.
fn wide(value: i128) -> String {
    if i64::try_from(value).is_ok() && value != i128::from(i64::MIN) {
        return format!("(__int128)({value}L)");
    }
    let (high, low) = ((value as u128) >> 64, value as u64);
    format!("(__int128)((unsigned __int128){high:#x}UL << 64 | {low:#x}UL)")
}

/// A float constant: `text` is a C literal without suffix, or `inf`, `nan` with or without sign.
pub fn float(dialect: &dyn Dialect, width: u32, text: &str) -> Expr {
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let special = magnitude.to_ascii_lowercase();
    let body = if special.starts_with("inf") {
        dialect.infinity(width)
    } else if special.starts_with("nan") {
        dialect.not_a_number(width)
    } else {
        format!("{}{}", with_point(magnitude), suffix(width))
    };
    let text = format!("{sign}{body}");
    Expr::atom(text)
}

/// A suffix makes an integer of a literal without point or exponent.
fn with_point(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let complete = if hexadecimal {
        lower.contains('p')
    } else {
        lower.contains(['.', 'e'])
    };
    match (complete, hexadecimal) {
        (true, _) => text.to_string(),
        (false, true) => format!("{text}p0"),
        (false, false) => format!("{text}.0"),
    }
}

fn suffix(width: u32) -> &'static str {
    match width {
        16 => "f16",
        32 => "f",
        80 => "L",
        128 => "Q",
        _ => "",
    }
}
