//! Functions that the system provides: `vprintf`, `malloc`, `free`, `__assertfail`.

use super::{
    Failed, Worker,
    call::{argument, lanes, set_result},
    fail,
    warp::{Fragment, Warp},
};
use crate::{
    Access, FaultKind, Space,
    memory::{LOCAL, Origin, WINDOW},
    program::{Builtin, Call},
};

pub fn run(
    worker: &mut Worker,
    warp: &mut Warp,
    fragment: &Fragment,
    builtin: Builtin,
    call: &Call,
) -> Result<(), Failed> {
    for lane in lanes(fragment.mask) {
        let argument = |n: usize| {
            call.arguments
                .get(n)
                .map_or(0, |a| argument(warp, &fragment.frame, *a, lane))
        };
        let result = match builtin {
            Builtin::Printf => {
                let text = Reader { worker, warp, lane }.format(argument(0), argument(1))?;
                (worker.machine.options.print)(&text.0);
                text.1
            }
            Builtin::Malloc => {
                let allocation = worker.machine.memory.alloc(argument(0), Origin::Heap, None);
                allocation.map_or(0, |a| a.base)
            }
            Builtin::Free => {
                let address = argument(0);
                if address != 0 && worker.machine.memory.free(address, Origin::Heap).is_err() {
                    return fail(FaultKind::BadFree { address }, Some(lane as u32));
                }
                0
            }
            Builtin::AssertFail => {
                let reader = Reader { worker, warp, lane };
                let text = |address| -> Result<String, Failed> {
                    Ok(String::from_utf8_lossy(&reader.string(address)?).into_owned())
                };
                let kind = FaultKind::Assert {
                    message: text(argument(0))?,
                    file: text(argument(1))?,
                    line: argument(2) as u32,
                    function: text(argument(3))?,
                };
                return fail(kind, Some(lane as u32));
            }
        };
        if let Some(actual) = call.results.first() {
            set_result(warp, &fragment.frame, *actual, lane, result);
        }
    }
    Ok(())
}

/// Reads a lane's memory through generic addresses.
struct Reader<'r, 'w> {
    worker: &'r Worker<'w>,
    warp: &'r Warp,
    lane: usize,
}

impl Reader<'_, '_> {
    fn bytes(&self, address: u64, out: &mut [u8]) -> Result<(), Failed> {
        if address & WINDOW == LOCAL {
            let at = (address - LOCAL) as usize;
            let stride = self.warp.stride as usize;
            if at.checked_add(out.len()).is_some_and(|end| end <= stride) {
                out.copy_from_slice(&self.warp.local[self.lane * stride + at..][..out.len()]);
                return Ok(());
            }
        } else if self.worker.machine.memory.read(address, out).is_ok() {
            return Ok(());
        }
        let access = Access {
            space: Space::Generic,
            address,
            bytes: out.len() as u32,
            write: false,
            atomic: false,
            nearest: self.worker.machine.memory.lost(address).nearest,
        };
        fail(FaultKind::OutOfBounds(access), Some(self.lane as u32))
    }

    fn string(&self, address: u64) -> Result<Vec<u8>, Failed> {
        let mut out = Vec::new();
        let mut byte = [0];
        loop {
            self.bytes(address + out.len() as u64, &mut byte)?;
            if byte[0] == 0 || out.len() > 1 << 20 {
                return Ok(out);
            }
            out.push(byte[0]);
        }
    }

    /// C's `printf` with arguments as `vprintf` finds them: one after another, each at a multiple of its size. Gives the
    /// text and the number of arguments.
    fn format(&self, format: u64, arguments: u64) -> Result<(Vec<u8>, u64), Failed> {
        let format = self.string(format)?;
        let (mut out, mut at, mut count) = (Vec::new(), arguments, 0);
        let mut rest = format.as_slice();
        while let [first, tail @ ..] = rest {
            rest = tail;
            if *first != b'%' {
                out.push(*first);
                continue;
            }
            if let [b'%', tail @ ..] = rest {
                out.push(b'%');
                rest = tail;
                continue;
            }
            let mut directive = Directive::default();
            rest = directive.parse(rest, |size| {
                count += 1;
                self.next(&mut at, size)
            })?;
            let size = directive.size();
            if size == 0 {
                continue;
            }
            count += 1;
            let value = self.next(&mut at, size)?;
            if directive.conversion == b's' {
                let text = self.string(value)?;
                directive.pad(&mut out, &text);
            } else {
                let text = directive.text(value);
                directive.pad(&mut out, &text);
            }
        }
        Ok((out, count))
    }

    fn next(&self, at: &mut u64, size: u64) -> Result<u64, Failed> {
        *at = at.next_multiple_of(size);
        let mut bytes = [0; 8];
        self.bytes(*at, &mut bytes[..size as usize])?;
        *at += size;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// A conversion of a format string: `%-08.3lf`.
#[derive(Default)]
struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
    char: bool,
    short: bool,
    conversion: u8,
}

impl Directive {
    /// Reads the directive behind its `%`; `star` gives the arguments for `*`.
    fn parse<'t>(
        &mut self,
        text: &'t [u8],
        mut star: impl FnMut(u64) -> Result<u64, Failed>,
    ) -> Result<&'t [u8], Failed> {
        let mut rest = text;
        while let [c, tail @ ..] = rest {
            match c {
                b'-' => self.left = true,
                b'0' => self.zero = true,
                b'+' => self.plus = true,
                b' ' => self.space = true,
                b'#' => self.alternate = true,
                _ => break,
            }
            rest = tail;
        }
        let mut number = |rest: &mut &'t [u8]| -> Result<usize, Failed> {
            if let [b'*', tail @ ..] = rest {
                *rest = tail;
                return Ok((star(4)? as i32).unsigned_abs().min(1 << 12) as usize);
            }
            let mut n = 0usize;
            while let [c @ b'0'..=b'9', tail @ ..] = rest {
                n = (n * 10 + usize::from(c - b'0')).min(1 << 12);
                *rest = tail;
            }
            Ok(n)
        };
        self.width = number(&mut rest)?;
        if let [b'.', tail @ ..] = rest {
            rest = tail;
            self.precision = Some(number(&mut rest)?);
        }
        while let [c @ (b'l' | b'h' | b'z' | b'j' | b't' | b'L'), tail @ ..] = rest {
            match c {
                b'h' => (self.char, self.short) = (self.short, true),
                _ => self.long = true,
            }
            rest = tail;
        }
        if let [c, tail @ ..] = rest {
            self.conversion = *c;
            rest = tail;
        }
        Ok(rest)
    }

    fn size(&self) -> u64 {
        match self.conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                if self.long {
                    8
                } else {
                    4
                }
            }
            b'c' => 4,
            b's' | b'p' | b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => 8,
            _ => 0,
        }
    }

    fn text(&self, value: u64) -> Vec<u8> {
        match self.conversion {
            b'd' | b'i' => {
                let value = match (self.long, self.char, self.short) {
                    (true, _, _) => value as i64,
                    (false, true, _) => i64::from(value as i8),
                    (false, false, true) => i64::from(value as i16),
                    (false, false, false) => i64::from(value as i32),
                };
                self.signed(value < 0, self.digits(value.unsigned_abs().to_string()))
            }
            b'u' => self.digits(self.unsigned(value).to_string()).into_bytes(),
            b'x' if self.alternate && value != 0 => {
                format!("0x{}", self.digits(format!("{:x}", self.unsigned(value)))).into_bytes()
            }
            b'X' if self.alternate && value != 0 => {
                format!("0X{}", self.digits(format!("{:X}", self.unsigned(value)))).into_bytes()
            }
            b'x' => self
                .digits(format!("{:x}", self.unsigned(value)))
                .into_bytes(),
            b'X' => self
                .digits(format!("{:X}", self.unsigned(value)))
                .into_bytes(),
            b'o' => self
                .digits(format!("{:o}", self.unsigned(value)))
                .into_bytes(),
            b'c' => vec![value as u8],
            b'p' => format!("{value:#x}").into_bytes(),
            _ => self.float(f64::from_bits(value)),
        }
    }

    fn unsigned(&self, value: u64) -> u64 {
        match (self.long, self.char, self.short) {
            (true, _, _) => value,
            (false, true, _) => value & 0xff,
            (false, false, true) => value & 0xffff,
            (false, false, false) => value & 0xffff_ffff,
        }
    }

    /// At least as many digits as the precision says.
    fn digits(&self, digits: String) -> String {
        let wanted = self.precision.unwrap_or(1);
        if digits.len() < wanted {
            "0".repeat(wanted - digits.len()) + &digits
        } else {
            digits
        }
    }

    fn signed(&self, negative: bool, digits: String) -> Vec<u8> {
        let sign = match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        };
        format!("{sign}{digits}").into_bytes()
    }

    fn float(&self, x: f64) -> Vec<u8> {
        let upper = self.conversion.is_ascii_uppercase();
        let magnitude = x.abs();
        let precision = self.precision.unwrap_or(6);
        let text = if !x.is_finite() {
            if x.is_nan() {
                "nan".to_string()
            } else {
                "inf".to_string()
            }
        } else {
            match self.conversion.to_ascii_lowercase() {
                b'f' => format!("{magnitude:.precision$}"),
                b'e' => scientific(magnitude, precision),
                b'g' => self.general(magnitude, precision.max(1)),
                _ => hexadecimal(magnitude, self.precision),
            }
        };
        let text = if upper { text.to_uppercase() } else { text };
        self.signed(x.is_sign_negative(), text)
    }

    fn general(&self, x: f64, precision: usize) -> String {
        let rounded = scientific(x, precision - 1);
        let exponent: i32 = rounded
            .split('e')
            .nth(1)
            .and_then(|e| e.parse().ok())
            .unwrap_or(0);
        if exponent < -4 || exponent >= precision as i32 {
            let (mantissa, tail) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
            return format!("{}e{tail}", self.trim(mantissa));
        }
        let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
        self.trim(&format!("{x:.decimals$}")).to_string()
    }

    fn trim<'t>(&self, text: &'t str) -> &'t str {
        if self.alternate || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.')
        }
    }

    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let text = match (self.conversion, self.precision) {
            (b's', Some(n)) => &text[..n.min(text.len())],
            _ => text,
        };
        let missing = self.width.saturating_sub(text.len());
        let numeric = !matches!(self.conversion, b's' | b'c' | b'p');
        if self.left {
            out.extend_from_slice(text);
            out.extend(std::iter::repeat_n(b' ', missing));
        } else if self.zero && numeric {
            let sign = usize::from(matches!(text.first(), Some(b'-' | b'+' | b' ')));
            out.extend_from_slice(&text[..sign]);
            out.extend(std::iter::repeat_n(b'0', missing));
            out.extend_from_slice(&text[sign..]);
        } else {
            out.extend(std::iter::repeat_n(b' ', missing));
            out.extend_from_slice(text);
        }
    }
}

/// C's form of an exponent: a sign and at least two digits.
fn scientific(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!(
        "{mantissa}e{}{:02}",
        if exponent < 0 { '-' } else { '+' },
        exponent.abs()
    )
}

/// `%a`.
fn hexadecimal(x: f64, precision: Option<usize>) -> String {
    let bits = x.to_bits();
    let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (lead, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, field as i64 - 1023),
    };
    let digits = format!("{fraction:013x}");
    let shown = match precision {
        Some(n) => digits.get(..n.min(13)).unwrap_or_default(),
        None => digits.trim_end_matches('0'),
    };
    let dot = if shown.is_empty() { "" } else { "." };
    format!("0x{lead}{dot}{shown}p{exponent:+}")
}
