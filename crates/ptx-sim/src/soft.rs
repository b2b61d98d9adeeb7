//! Floating-point arithmetic in integers, exact for every rounding mode.
//!
//! The host's processor computes with rounding to nearest only; `.rz`, `.rm`, `.rp` and half precision go through here. A
//! finite value is `m * 2^e`; an operation computes it exactly (or with all lost bits noted as "sticky") in 128 bits, and
//! `round` puts it into the format.

/// Rounding modes of PTX: `.rn`, `.rz`, `.rm`, `.rp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    Near,
    Zero,
    Down,
    Up,
}

/// A binary floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the significand, with the hidden one.
    precision: u32,
    /// Exponent of the smallest normal number; the largest exponent is `1 - emin`.
    emin: i32,
    bits: u32,
}

pub const F16: Format = Format {
    precision: 11,
    emin: -14,
    bits: 16,
};
pub const BF16: Format = Format {
    precision: 8,
    emin: -126,
    bits: 16,
};
pub const F32: Format = Format {
    precision: 24,
    emin: -126,
    bits: 32,
};
pub const F64: Format = Format {
    precision: 53,
    emin: -1022,
    bits: 64,
};

impl Format {
    #[inline]
    pub fn sign(self, negative: bool) -> u64 {
        u64::from(negative) << (self.bits - 1)
    }

    #[inline]
    fn infinity(self, negative: bool) -> u64 {
        self.sign(negative) | (((1 << (self.bits - self.precision)) - 1) << (self.precision - 1))
    }

    /// The NaN that operations make: all ones for up to 32 bits, as measured on an H200.
    pub fn nan(self) -> u64 {
        match self.bits {
            16 => 0x7fff,
            32 => 0x7fff_ffff,
            _ => 0xfff8_0000_0000_0000,
        }
    }
}

#[inline]
pub fn is_nan(bits: u64, format: Format) -> bool {
    bits & !format.sign(true) > format.infinity(false)
}

/// A subnormal number becomes a zero of its sign.
pub fn flush(bits: u64, format: Format) -> u64 {
    if bits & format.infinity(false) == 0 {
        bits & format.sign(true)
    } else {
        bits
    }
}

/// A NaN of one format in another as a quiet one, with its sign and the top of its fraction.
pub fn carry_nan(bits: u64, from: Format, to: Format) -> u64 {
    let fraction = bits & ((1 << (from.precision - 1)) - 1);
    let fraction = fraction << (64 - from.precision) >> (64 - to.precision);
    let quiet = 1 << (to.precision - 2);
    to.infinity(bits & from.sign(true) != 0) | fraction | quiet
}

/// The result of an operation of which an operand is NaN. Single and half precision give the one NaN that they make. Double
/// precision passes an operand on, as a quiet NaN: the first of these that is one. Which of several NaNs wins is not said in
/// the ISA; the callers' orders are those measured on an H200 for `.rn`, and taken for the other modes.
pub fn pass_nan<const N: usize>(operands: [u64; N], format: Format) -> u64 {
    let nan = operands.into_iter().find(|x| is_nan(*x, format));
    match nan {
        Some(nan) if format == F64 => carry_nan(nan, F64, F64),
        Some(_) | None => format.nan(),
    }
}

#[derive(Clone, Copy)]
enum Number {
    Nan,
    Infinity(bool),
    /// Sign, significand, exponent; zero has significand 0.
    Finite(bool, u64, i32),
}

fn unpack(bits: u64, format: Format) -> Number {
    let negative = bits >> (format.bits - 1) & 1 != 0;
    let fraction_bits = format.precision - 1;
    let field = bits >> fraction_bits & ((1 << (format.bits - format.precision)) - 1);
    let fraction = bits & ((1 << fraction_bits) - 1);
    if field == (1 << (format.bits - format.precision)) - 1 {
        return if fraction == 0 {
            Number::Infinity(negative)
        } else {
            Number::Nan
        };
    }
    let least = format.emin - fraction_bits as i32;
    if field == 0 {
        Number::Finite(negative, fraction, least)
    } else {
        Number::Finite(
            negative,
            fraction | 1 << fraction_bits,
            least + field as i32 - 1,
        )
    }
}

/// `m * 2^e`, plus less than one unit of `m` when `sticky`, in the format. With `sticky`, `m` must have at least two bits
/// more than the format's precision.
pub fn round(negative: bool, m: u128, e: i32, sticky: bool, format: Format, mode: Round) -> u64 {
    if m == 0 {
        return format.sign(negative);
    }
    let leading = e + 127 - m.leading_zeros() as i32;
    let unit = leading.max(format.emin) - (format.precision as i32 - 1);
    let shift = unit - e;
    let (mut kept, half, rest) = if shift <= 0 {
        (m << -shift, false, sticky)
    } else if shift > 127 {
        (0, false, true)
    } else {
        let half = m >> (shift - 1) & 1 != 0;
        (
            m >> shift,
            half,
            m & ((1 << (shift - 1)) - 1) != 0 || sticky,
        )
    };
    let up = match mode {
        Round::Near => half && (rest || kept & 1 != 0),
        Round::Zero => false,
        Round::Down => negative && (half || rest),
        Round::Up => !negative && (half || rest),
    };
    kept += u128::from(up);
    let hidden = 1u128 << (format.precision - 1);
    let magnitude = if kept < hidden {
        kept as u64
    } else {
        let field = (unit + format.precision as i32 - 1 - format.emin + 1) as u64;
        // A carry out of the significand goes into the exponent, as it should.
        let exponent = field.min(1 << 12) << (format.precision - 1);
        exponent + (kept - hidden) as u64
    };
    let infinity = format.infinity(false);
    if magnitude < infinity {
        return magnitude | format.sign(negative);
    }
    let to_infinity = match mode {
        Round::Near => true,
        Round::Zero => false,
        Round::Down => negative,
        Round::Up => !negative,
    };
    (if to_infinity { infinity } else { infinity - 1 }) | format.sign(negative)
}

/// The integer `value` in the format.
pub fn from_integer(negative: bool, magnitude: u64, format: Format, mode: Round) -> u64 {
    round(negative, u128::from(magnitude), 0, false, format, mode)
}

/// A value of one format in another; a NaN becomes the one that operations make.
pub fn convert(bits: u64, from: Format, to: Format, mode: Round) -> u64 {
    match unpack(bits, from) {
        Number::Nan => to.nan(),
        Number::Infinity(negative) => to.infinity(negative),
        Number::Finite(negative, m, e) => round(negative, u128::from(m), e, false, to, mode),
    }
}

/// A value of a format of at most 64 bits as a double; exact.
pub fn widen(bits: u64, from: Format) -> f64 {
    f64::from_bits(convert(bits, from, F64, Round::Near))
}

pub fn add(a: u64, b: u64, format: Format, mode: Round) -> u64 {
    let one = round(false, 1, 0, false, format, Round::Near);
    fma(a, one, b, format, mode)
}

pub fn mul(a: u64, b: u64, format: Format, mode: Round) -> u64 {
    match (unpack(a, format), unpack(b, format)) {
        (Number::Nan, _) | (_, Number::Nan) => pass_nan([b, a], format),
        (Number::Infinity(x), Number::Infinity(y)) => format.infinity(x ^ y),
        (Number::Infinity(x), Number::Finite(y, m, _))
        | (Number::Finite(y, m, _), Number::Infinity(x)) => {
            if m == 0 {
                format.nan()
            } else {
                format.infinity(x ^ y)
            }
        }
        (Number::Finite(x, m, e), Number::Finite(y, n, f)) => round(
            x ^ y,
            u128::from(m) * u128::from(n),
            e + f,
            false,
            format,
            mode,
        ),
    }
}

/// `a * b + c` with one rounding.
pub fn fma(a: u64, b: u64, c: u64, format: Format, mode: Round) -> u64 {
    if [a, b, c].iter().any(|x| is_nan(*x, format)) {
        return pass_nan([b, c, a], format);
    }
    let (a, b, c) = (unpack(a, format), unpack(b, format), unpack(c, format));
    let (negative, m, e) = match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => return format.nan(),
        (Number::Infinity(x), Number::Infinity(y)) => return with_infinity(x ^ y, c, format),
        (Number::Infinity(x), Number::Finite(y, m, _))
        | (Number::Finite(y, m, _), Number::Infinity(x)) => {
            return if m == 0 {
                format.nan()
            } else {
                with_infinity(x ^ y, c, format)
            };
        }
        (Number::Finite(x, m, e), Number::Finite(y, n, f)) => {
            (x ^ y, u128::from(m) * u128::from(n), e + f)
        }
    };
    match c {
        Number::Nan => format.nan(),
        Number::Infinity(z) => format.infinity(z),
        Number::Finite(z, n, f) => sum((negative, m, e), (z, u128::from(n), f), format, mode),
    }
}

fn with_infinity(negative: bool, c: Number, format: Format) -> u64 {
    match c {
        Number::Nan => format.nan(),
        Number::Infinity(z) if z != negative => format.nan(),
        Number::Infinity(_) | Number::Finite(..) => format.infinity(negative),
    }
}

type Exact = (bool, u128, i32);

fn sum(a: Exact, b: Exact, format: Format, mode: Round) -> u64 {
    if a.1 == 0 || b.1 == 0 {
        if a.1 == 0 && b.1 == 0 {
            let negative = if a.0 == b.0 { a.0 } else { mode == Round::Down };
            return round(negative, 0, 0, false, format, mode);
        }
        let (negative, m, e) = if a.1 == 0 { b } else { a };
        return round(negative, m, e, false, format, mode);
    }
    // Both with the top bit at 125: the one of smaller exponent is the smaller one, and a carry has room.
    let top = |(negative, m, e): Exact| {
        let shift = m.leading_zeros() as i32 - 2;
        (
            negative,
            if shift >= 0 { m << shift } else { m >> -shift },
            e - shift,
        )
    };
    let (a, b) = (top(a), top(b));
    let (large, small) = if (a.2, a.1) >= (b.2, b.1) {
        (a, b)
    } else {
        (b, a)
    };
    let distance = (large.2 - small.2) as u32;
    let (shifted, lost) = if distance > 127 {
        (0, true)
    } else {
        (
            small.1 >> distance,
            small.1 & ((1u128 << distance) - 1) != 0,
        )
    };
    if large.0 == small.0 {
        return round(large.0, large.1 + shifted, large.2, lost, format, mode);
    }
    // Bits were lost of what is subtracted: the true difference lies just below.
    let difference = large.1 - shifted - u128::from(lost);
    if difference == 0 && !lost {
        return round(mode == Round::Down, 0, 0, false, format, mode);
    }
    round(large.0, difference, large.2, lost, format, mode)
}

pub fn div(a: u64, b: u64, format: Format, mode: Round) -> u64 {
    match (unpack(a, format), unpack(b, format)) {
        (Number::Nan, _) | (_, Number::Nan) => pass_nan([a, b], format),
        (Number::Infinity(_), Number::Infinity(_)) => format.nan(),
        (Number::Infinity(x), Number::Finite(y, _, _)) => format.infinity(x ^ y),
        (Number::Finite(x, _, _), Number::Infinity(y)) => format.sign(x ^ y),
        (Number::Finite(x, m, e), Number::Finite(y, n, f)) => match (m, n) {
            (0, 0) => format.nan(),
            (_, 0) => format.infinity(x ^ y),
            (0, _) => format.sign(x ^ y),
            _ => {
                let shift = m.leading_zeros();
                let (dividend, divisor) = (u128::from(m << shift) << 62, u128::from(n));
                let exponent = e - shift as i32 - 62 - f;
                round(
                    x ^ y,
                    dividend / divisor,
                    exponent,
                    dividend % divisor != 0,
                    format,
                    mode,
                )
            }
        },
    }
}

pub fn sqrt(a: u64, format: Format, mode: Round) -> u64 {
    match unpack(a, format) {
        Number::Nan => pass_nan([a], format),
        Number::Infinity(true) => format.nan(),
        Number::Infinity(false) => format.infinity(false),
        Number::Finite(negative, 0, _) => format.sign(negative),
        Number::Finite(true, _, _) => format.nan(),
        Number::Finite(false, m, e) => {
            let mut shift = u128::from(m).leading_zeros() as i32 - 2;
            if (e - shift) % 2 != 0 {
                shift -= 1;
            }
            let m = u128::from(m) << shift;
            let root = m.isqrt();
            round(false, root, (e - shift) / 2, root * root != m, format, mode)
        }
    }
}

pub fn sub(a: u64, b: u64, format: Format, mode: Round) -> u64 {
    // A NaN keeps its sign.
    let negative = if is_nan(b, format) {
        b
    } else {
        b ^ format.sign(true)
    };
    add(a, negative, format, mode)
}
