//! A conversion of a format string of `printf`, `%-08.3lf`, as glibc prints it: the driver leaves the formatting to the
//! host's C library.
//!
//! ```text
//! %#010x of 255:   sign or prefix `0x`, zeros that fill the width, digits `ff`   →   0x000000ff
//! ```
//! Only what CUDA's `vprintf` knows is a conversion (CUDA C++ Programming Guide, "Formatted Output"): flags `# 0+-`, a width
//! that may be `*`, a precision of digits, sizes `h`, `l`, `ll`, and `c d i o u x X p e E f g G a A s`. On GPUs the output is
//! wrong from anything else on (`%zu`, `%hhd`, `%.*f`, `%F`); here that is printed as it stands.

/// Longest field and most digits.
const MOST: usize = 1 << 12;

/// Most arguments of a call.
pub const ARGUMENTS: u64 = 32;

#[derive(Default)]
pub struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    /// The width is an argument.
    pub star: bool,
    precision: Option<usize>,
    long: bool,
    short: bool,
    pub conversion: u8,
}

impl Directive {
    /// Reads the directive behind its `%`, and gives what is behind it; `None` if the driver has no such thing.
    pub fn parse(text: &[u8]) -> Option<(Self, &[u8])> {
        let mut directive = Directive::default();
        let mut rest = text;
        while let [c, tail @ ..] = rest {
            match c {
                b'-' => directive.left = true,
                b'0' => directive.zero = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'#' => directive.alternate = true,
                _ => break,
            }
            rest = tail;
        }
        if let [b'*', tail @ ..] = rest {
            (directive.star, rest) = (true, tail);
        } else {
            (directive.width, rest) = number(rest);
        }
        if let [b'.', tail @ ..] = rest {
            let (precision, tail) = number(tail);
            (directive.precision, rest) = (Some(precision), tail);
        }
        match rest {
            [b'l', b'l', tail @ ..] | [b'l', tail @ ..] => (directive.long, rest) = (true, tail),
            [b'h', tail @ ..] => (directive.short, rest) = (true, tail),
            _ => {}
        }
        let [conversion, rest @ ..] = rest else {
            return None;
        };
        directive.conversion = *conversion;
        let sized = directive.long || directive.short;
        match conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {}
            b'f' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if !directive.short => {}
            b'c' | b's' | b'p' if !sized => {}
            _ => return None,
        }
        Some((directive, rest))
    }

    /// Sets the width that is an argument; a negative one is the flag `-` and a width.
    pub fn set_width(&mut self, width: i32) {
        self.left |= width < 0;
        self.width = (width.unsigned_abs() as usize).min(MOST);
    }

    /// How many arguments it takes.
    pub fn arguments(&self) -> u64 {
        1 + u64::from(self.star)
    }

    /// Bytes of the argument that is converted.
    pub fn size(&self) -> u64 {
        match self.conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' if !self.long => 4,
            _ => 8,
        }
    }

    /// Adds the field with a text.
    pub fn string(&self, out: &mut Vec<u8>, text: &[u8]) {
        let shown = self.precision.map_or(text.len(), |n| n.min(text.len()));
        self.field(out, b"", &text[..shown], false);
    }

    /// Adds the field with the argument.
    pub fn number(&self, out: &mut Vec<u8>, value: u64) {
        match self.conversion {
            b'c' => self.field(out, b"", &[value as u8], false),
            b'p' if value == 0 => self.field(out, b"", b"(nil)", false),
            b'p' => self.field(out, b"0x", format!("{value:x}").as_bytes(), false),
            b'd' | b'i' => {
                let value = match (self.long, self.short) {
                    (true, _) => value as i64,
                    (false, true) => i64::from(value as i16),
                    (false, false) => i64::from(value as i32),
                };
                let digits = self.digits(value.unsigned_abs().to_string());
                self.integer(out, self.sign(value < 0), &digits);
            }
            b'u' | b'x' | b'X' | b'o' => self.unsigned(out, value),
            _ => self.float(out, f64::from_bits(value)),
        }
    }

    fn unsigned(&self, out: &mut Vec<u8>, value: u64) {
        let value = match (self.long, self.short) {
            (true, _) => value,
            (false, true) => value & 0xffff,
            (false, false) => value & 0xffff_ffff,
        };
        let shows_base = self.alternate && value != 0;
        let (prefix, digits) = match self.conversion {
            b'x' => (if shows_base { "0x" } else { "" }, format!("{value:x}")),
            b'X' => (if shows_base { "0X" } else { "" }, format!("{value:X}")),
            b'o' => ("", format!("{value:o}")),
            _ => ("", value.to_string()),
        };
        let mut digits = self.digits(digits);
        if self.conversion == b'o' && self.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        self.integer(out, prefix, &digits);
    }

    /// At least as many digits as the precision says; none for 0 with precision 0.
    fn digits(&self, digits: String) -> String {
        let wanted = self.precision.unwrap_or(1);
        match digits.as_str() {
            "0" => "0".repeat(wanted),
            _ => "0".repeat(wanted.saturating_sub(digits.len())) + &digits,
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// With a precision, zeros do not fill the width.
    fn integer(&self, out: &mut Vec<u8>, prefix: &str, digits: &str) {
        let fill = self.precision.is_none();
        self.field(out, prefix.as_bytes(), digits.as_bytes(), fill);
    }

    fn float(&self, out: &mut Vec<u8>, x: f64) {
        let upper = self.conversion.is_ascii_uppercase();
        let mut prefix = self.sign(x.is_sign_negative()).to_string();
        let (size, precision) = (x.abs(), self.precision.unwrap_or(6));
        let text = match self.conversion.to_ascii_lowercase() {
            _ if x.is_nan() => "nan".to_string(),
            _ if x.is_infinite() => "inf".to_string(),
            b'f' => self.pointed(format!("{size:.precision$}")),
            b'e' => scientific(size, precision, self.alternate),
            b'g' => self.general(size, precision.max(1)),
            _ => {
                prefix += if upper { "0X" } else { "0x" };
                hexadecimal(size, self.precision, self.alternate)
            }
        };
        let text = if upper { text.to_uppercase() } else { text };
        self.field(out, prefix.as_bytes(), text.as_bytes(), x.is_finite());
    }

    /// With `#` there is a point always.
    fn pointed(&self, text: String) -> String {
        match self.alternate && !text.contains('.') {
            true => text + ".",
            false => text,
        }
    }

    fn general(&self, x: f64, precision: usize) -> String {
        let rounded = scientific(x, precision - 1, self.alternate);
        let (mantissa, tail) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
        let exponent: i32 = tail.parse().unwrap_or(0);
        if exponent < -4 || exponent >= precision as i32 {
            return format!("{}e{tail}", self.trimmed(mantissa));
        }
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        self.trimmed(&self.pointed(format!("{x:.decimals$}")))
            .to_string()
    }

    /// Without zeros at the end of a fraction.
    fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        match self.alternate || !text.contains('.') {
            true => text,
            false => text.trim_end_matches('0').trim_end_matches('.'),
        }
    }

    /// A prefix and what follows, in as many columns as the width says.
    fn field(&self, out: &mut Vec<u8>, prefix: &[u8], text: &[u8], may_fill: bool) {
        let missing = self.width.saturating_sub(prefix.len() + text.len());
        let zeros = self.zero && may_fill && !self.left;
        let (before, between, behind) = match (self.left, zeros) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        out.extend(std::iter::repeat_n(b' ', before));
        out.extend_from_slice(prefix);
        out.extend(std::iter::repeat_n(b'0', between));
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', behind));
    }
}

/// The number that the text starts with, and the rest.
fn number(text: &[u8]) -> (usize, &[u8]) {
    let end = text.iter().position(|b| !b.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    let value = digits
        .iter()
        .fold(0, |n, digit| (n * 10 + usize::from(digit - b'0')).min(MOST));
    (value, rest)
}

/// C's form of an exponent: a sign and at least two digits.
fn scientific(x: f64, precision: usize, point: bool) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if point && precision == 0 { "." } else { "" };
    format!("{mantissa}{point}e{exponent:+03}")
}

/// `%a`: one digit before the point, 13 behind it.
fn hexadecimal(x: f64, precision: Option<usize>, point: bool) -> String {
    let bits = x.to_bits();
    let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (lead, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, field as i64 - 1023),
    };
    let mut digits = lead << 52 | fraction;
    let shown = precision.unwrap_or(13);
    if shown < 13 {
        // To the nearest, the even one of two; a carry goes into the digit before the point.
        let cut = 4 * (13 - shown);
        let (half, rest) = (1u64 << (cut - 1), digits & ((1 << cut) - 1));
        let odd = digits >> cut & 1 == 1;
        digits = digits >> cut << cut;
        if rest > half || (rest == half && odd) {
            digits += 1 << cut;
        }
    }
    let text = format!("{:013x}", digits & ((1 << 52) - 1));
    let text = match precision {
        Some(n) => format!("{text:0<n$}")[..n].to_string(),
        None => text.trim_end_matches('0').to_string(),
    };
    let dot = if text.is_empty() && !point { "" } else { "." };
    format!("{:x}{dot}{text}p{exponent:+}", digits >> 52)
}

#[cfg(test)]
mod tests {
    use super::Directive;

    /// What `format` makes of an argument.
    fn print(format: &str, value: u64) -> String {
        let parsed = Directive::parse(&format.as_bytes()[1..]);
        let (mut directive, rest) = parsed.expect("a conversion");
        assert!(rest.is_empty());
        if directive.star {
            directive.set_width(-7);
        }
        let mut out = vec![];
        match directive.conversion {
            b's' => directive.string(&mut out, b"text"),
            _ => directive.number(&mut out, value),
        }
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn integers() {
        let minus = |n: i64| n as u64;
        for (format, value, expected) in [
            ("%5d", 42, "   42"),
            ("%-5d", 42, "42   "),
            ("%*d", 42, "42     "),
            ("%05d", minus(-42), "-0042"),
            ("%08.3d", 42, "     042"),
            ("%.0d", 0, ""),
            ("%+d", 0, "+0"),
            ("% d", 5, " 5"),
            ("%#o", 8, "010"),
            ("%#.0o", 0, "0"),
            ("%#x", 0, "0"),
            ("%#010x", 255, "0x000000ff"),
            ("%#X", 255, "0XFF"),
            ("%hu", 0x1_ffff, "65535"),
            ("%d", minus(-1), "-1"),
            ("%llu", u64::MAX, "18446744073709551615"),
            ("%ld", minus(-5), "-5"),
            ("%3c", 0x61, "  a"),
            ("%p", 0, "(nil)"),
            ("%8p", 0xab, "    0xab"),
            ("%-6s", 0, "text  "),
            ("%6.2s", 0, "    te"),
        ] {
            assert_eq!(print(format, value), expected, "{format}");
        }
    }

    #[test]
    fn floats() {
        for (format, value, expected) in [
            ("%f", 1.5, "1.500000"),
            ("%08.3f", -2.53125, "-002.531"),
            ("%#.0f", 2.0, "2."),
            ("%.0f", 2.5, "2"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%#.0e", 1.0, "1.e+00"),
            ("%.2E", 0.00012, "1.20E-04"),
            ("%g", 100_000.0, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%#g", 1.0, "1.00000"),
            ("%G", 1e-20, "1E-20"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", -0.0, "-0x0p+0"),
            ("%A", 0.1, "0X1.999999999999AP-4"),
            ("%.3a", 1.9999, "0x2.000p+0"),
            ("%.0a", 1.5, "0x2p+0"),
            ("%.15a", 1.0, "0x1.000000000000000p+0"),
            ("%012a", 1.0, "0x0000001p+0"),
            ("%06f", f64::INFINITY, "   inf"),
            ("%g", f64::NAN, "nan"),
        ] {
            assert_eq!(print(format, value.to_bits()), expected, "{format}");
        }
    }

    #[test]
    fn what_the_driver_lacks() {
        for format in [
            "hhd", "zu", "jd", "td", "Lf", "qd", "llld", ".*f", "*.*f", "F", "n", "m", "ls", "lc",
            "hs", "hf", "1$d", "'d", "5", "",
        ] {
            let parsed = Directive::parse(format.as_bytes());
            assert!(parsed.is_none(), "%{format}");
        }
    }
}
