//! Constants as exact PTX literals: decimal integers, floats by their bits (`0f3F800000`, `0d3FF0000000000000`).

/// The bits of a float of 16, 32 or 64 bits. `text` is a C literal without suffix (decimal or hexadecimal), or `inf`,
/// `nan` with or without sign; `None` if it is none of these.
pub fn float_bits(width: u32, text: &str) -> Option<u64> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = magnitude.to_ascii_lowercase();
    let bits = if lower.starts_with("inf") {
        infinity(width)
    } else if lower.starts_with("nan") {
        infinity(width) | 1 << (mantissa_bits(width) - 1)
    } else if let Some(digits) = lower.strip_prefix("0x") {
        hexadecimal(width, digits)?
    } else {
        match width {
            32 => u64::from(lower.parse::<f32>().ok()?.to_bits()),
            64 => lower.parse::<f64>().ok()?.to_bits(),
            _ => {
                let value = lower.parse::<f64>().ok()?;
                let (mantissa, exponent) = parts(value);
                round(width, mantissa, exponent)
            }
        }
    };
    Some(if negative {
        bits | 1 << (width - 1)
    } else {
        bits
    })
}

/// Bits of the stored fraction.
fn mantissa_bits(width: u32) -> u32 {
    match width {
        16 => 10,
        32 => 23,
        _ => 52,
    }
}

fn infinity(width: u32) -> u64 {
    let fraction = mantissa_bits(width);
    ((1 << (width - 1 - fraction)) - 1) << fraction
}

/// A finite number as `mantissa * 2^exponent`.
fn parts(value: f64) -> (u128, i64) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    match field {
        0 => (u128::from(fraction), -1074),
        _ => (u128::from(fraction | 1 << 52), field - 1075),
    }
}

/// `digits` is what follows `0x`: hexadecimal digits with a point, and a binary exponent.
fn hexadecimal(width: u32, digits: &str) -> Option<u64> {
    let (digits, power) = match digits.split_once('p') {
        Some((digits, power)) => (digits, power.parse::<i64>().ok()?),
        None => (digits, 0),
    };
    let (mut mantissa, mut exponent, mut point) = (0u128, power, false);
    for c in digits.chars() {
        if c == '.' {
            point = true;
            continue;
        }
        let digit = u128::from(c.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if point { 4 } else { 0 };
        } else {
            // Digits this far only matter for whether something is left of the number.
            mantissa |= u128::from(digit != 0);
            exponent += if point { 0 } else { 4 };
        }
    }
    Some(round(width, mantissa, exponent))
}

/// `mantissa * 2^exponent`, rounded to nearest, ties to even.
fn round(width: u32, mantissa: u128, exponent: i64) -> u64 {
    if mantissa == 0 {
        return 0;
    }
    let fraction = i64::from(mantissa_bits(width));
    let bias = (1i64 << (i64::from(width) - 2 - fraction)) - 1;
    let top = 127 - i64::from(mantissa.leading_zeros());
    // Exponent of the last kept bit: of the number's own, or of subnormal numbers.
    let last = (exponent + top - fraction).max(1 - bias - fraction);
    let shift = last - exponent;
    let mut kept = if shift <= 0 {
        mantissa << -shift
    } else if shift > 127 {
        0
    } else {
        let (whole, rest) = (mantissa >> shift, mantissa & ((1 << shift) - 1));
        let half = 1u128 << (shift - 1);
        whole + u128::from(rest > half || rest == half && whole & 1 == 1)
    };
    let mut field = last + fraction + bias;
    if kept >> (fraction + 1) != 0 {
        kept >>= 1;
        field += 1;
    }
    if kept >> fraction == 0 {
        return kept as u64;
    }
    let bits = (field as u128) << fraction | kept & ((1 << fraction) - 1);
    (bits as u64).min(infinity(width))
}

/// The literal of a float's bits: `0f…`, `0d…`, and the integer for 16 bits.
pub fn float(width: u32, bits: u64) -> String {
    match width {
        16 => format!("0x{bits:04X}"),
        32 => format!("0f{bits:08X}"),
        _ => format!("0d{bits:016X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::float_bits;

    #[test]
    fn bits_of_literals() {
        for (width, text, bits) in [
            (64, "1", 0x3ff0_0000_0000_0000),
            (64, "0.1", 0x3fb9_9999_9999_999a),
            (64, "-0x1.8p1", 0xc008_0000_0000_0000),
            (64, "0x1p-1074", 1),
            (64, "0x1p-1075", 0),
            (64, "0x1.8p-1075", 1),
            (64, "0x1.fffffffffffffp1023", 0x7fef_ffff_ffff_ffff),
            (64, "0x1.fffffffffffff8p1023", 0x7ff0_0000_0000_0000),
            (64, "inf", 0x7ff0_0000_0000_0000),
            (32, "0.1", 0x3dcc_cccd),
            (32, "0x1.000001p0", 0x3f80_0000),
            (32, "0x1.000003p0", 0x3f80_0002),
            (32, "-inf", 0xff80_0000),
            (32, "nan", 0x7fc0_0000),
            (16, "1.5", 0x3e00),
            (16, "65520", 0x7c00),
            (16, "65519", 0x7bff),
            (16, "0x1p-24", 1),
            (16, "0", 0),
        ] {
            assert_eq!(
                float_bits(width, text),
                Some(bits),
                "{text} of {width} bits"
            );
        }
        assert_eq!(float_bits(64, "zero"), None);
    }
}
