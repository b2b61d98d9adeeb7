//! A format of `printf`, rewritten for the `printf` of a kind of device.
//!
//! CUDA's driver knows `%[flags # 0+-][width or *][.digits][h, l or ll]` and the conversions `c d i o u x X p e E f g G a A s`,
//! with 32 arguments at most (CUDA C++ Programming Guide, "Formatted Output"). From anything else on its output is wrong,
//! without an error. OpenCL C has neither `*` nor `ll`, and integers of 64 bits are its `long` (OpenCL C 3.0, section 6.15.14). C has
//! more (C23, section 7.23.6.1):
//!
//! | C | for CUDA's driver | argument |
//! | --- | --- | --- |
//! | `%zu`, `%jd`, `%tx`, `%ld` | `%llu`, `%lld`, `%llx`, `%lld`; with one `l` in OpenCL C | 64 bits |
//! | `%hhd`, `%hu` | `%d`, `%u` | cut to 8 or 16 bits and widened to 32 |
//! | `%lf` | `%f` | |
//! | `%.*e` with 3, x | `%.3e` | only x |
//! | `%*d` with -6, n | `%-6d` | only n; a width that is no constant stays `*` |
//!
//! What cannot be said in the driver's words (a precision that is no constant, `%n`, `%ls`, `%Lf`, `%F`) is an error.

/// Most arguments that drivers take.
const MOST: usize = 32;

/// What a kind of device knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// What messages call the devices: `a GPU`.
    pub devices: &'static str,
    /// The size of integers of 64 bits.
    pub long: &'static str,
    /// The width may be an argument.
    pub width_arguments: bool,
}

/// What a conversion takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// An integer of so many bits. At least 32 are passed, widened with or without the sign.
    Int {
        bits: u32,
        signed: bool,
    },
    Float,
    Pointer,
}

/// An argument for the driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Its place among those of the user's call, behind the format.
    pub index: usize,
    pub takes: Takes,
    /// The conversion in the user's words, for messages.
    pub conversion: String,
}

/// What the driver is called with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForDriver {
    pub format: Vec<u8>,
    pub arguments: Vec<Passed>,
}

/// Rewrites a format. `constants` are the values of the arguments behind it, where they are known.
pub fn rewrite(
    format: &[u8],
    constants: &[Option<i128>],
    words: Words,
) -> Result<ForDriver, String> {
    let mut rewriter = Rewriter {
        constants,
        words,
        next: 0,
        made: ForDriver::default(),
    };
    let mut text = format.split(|b| *b == 0).next().unwrap_or_default();
    while let [first, rest @ ..] = text {
        text = match (first, rest) {
            (b'%', [b'%', rest @ ..]) => {
                rewriter.made.format.extend(b"%%");
                rest
            }
            (b'%', _) => {
                let (directive, rest) = Directive::parse(rest);
                rewriter.directive(&directive)?;
                rest
            }
            (byte, _) => {
                rewriter.made.format.push(*byte);
                rest
            }
        };
    }
    match rewriter.made.arguments.len() > MOST {
        true => Err(format!(
            "`printf` takes {MOST} arguments at most on {}; use several calls",
            words.devices
        )),
        false => Ok(rewriter.made),
    }
}

/// A width or precision.
enum Number<'f> {
    Digits(&'f [u8]),
    Argument,
}

/// What follows a `%`.
struct Directive<'f> {
    flags: &'f [u8],
    width: Number<'f>,
    precision: Option<Number<'f>>,
    size: &'f [u8],
    /// None at the end of the format.
    conversion: Option<u8>,
    /// All of it, without the `%`.
    text: &'f [u8],
}

impl<'f> Directive<'f> {
    /// The directive, and what is behind it.
    fn parse(text: &'f [u8]) -> (Self, &'f [u8]) {
        let (flags, rest) = span(text, b"# 0+-");
        let (width, mut rest) = Number::parse(rest);
        let mut precision = None;
        if let [b'.', tail @ ..] = rest {
            let (number, tail) = Number::parse(tail);
            (precision, rest) = (Some(number), tail);
        }
        let (size, rest) = span(rest, b"hljztqL");
        let (conversion, rest) = match rest {
            [conversion, rest @ ..] => (Some(*conversion), rest),
            [] => (None, rest),
        };
        let directive = Directive {
            flags,
            width,
            precision,
            size,
            conversion,
            text: &text[..text.len() - rest.len()],
        };
        (directive, rest)
    }

    /// As the user wrote it.
    fn shown(&self) -> String {
        format!("%{}", String::from_utf8_lossy(self.text))
    }

    /// What it takes, or why a device cannot have it.
    fn takes(&self, on: &str) -> Result<Takes, String> {
        let shown = self.shown();
        let lacks = |reason: &str| Err(format!("`printf` has no `{shown}` on {on}{reason}"));
        match (self.conversion.unwrap_or_default(), self.size) {
            (conversion @ (b'd' | b'i' | b'o' | b'u' | b'x' | b'X'), size) => match bits(size) {
                Some(bits) => Ok(Takes::Int {
                    bits,
                    signed: matches!(conversion, b'd' | b'i'),
                }),
                None => lacks("; use `ll` for the largest integers"),
            },
            (b'c', b"") => Ok(Takes::Int {
                bits: 32,
                signed: true,
            }),
            (b's' | b'p', b"") => Ok(Takes::Pointer),
            (b'e' | b'E' | b'f' | b'g' | b'G' | b'a' | b'A', b"" | b"l") => Ok(Takes::Float),
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', b"L") => {
                lacks(", which has no `long double`; print a `double`")
            }
            (b'F', _) => lacks("; use `%f`, which prints `inf` and `nan` in small letters"),
            (b'n', _) => {
                lacks(", where the text is made when the kernel is over; count on the host")
            }
            (b'c' | b's', b"l") | (b'C' | b'S', _) => {
                lacks(", which has no wide characters; print `char`")
            }
            _ => lacks("; print this on the host"),
        }
    }
}

impl<'f> Number<'f> {
    fn parse(text: &'f [u8]) -> (Self, &'f [u8]) {
        match text {
            [b'*', rest @ ..] => (Number::Argument, rest),
            _ => {
                let (digits, rest) = span(text, b"0123456789");
                (Number::Digits(digits), rest)
            }
        }
    }
}

/// What the text starts with of these bytes, and the rest.
fn span<'t>(text: &'t [u8], of: &[u8]) -> (&'t [u8], &'t [u8]) {
    let end = text.iter().position(|b| !of.contains(b));
    text.split_at(end.unwrap_or(text.len()))
}

/// Bits of an integer of this size.
fn bits(size: &[u8]) -> Option<u32> {
    match size {
        b"hh" => Some(8),
        b"h" => Some(16),
        b"" => Some(32),
        b"l" | b"ll" | b"q" | b"j" | b"z" | b"t" => Some(64),
        _ => None,
    }
}

struct Rewriter<'a> {
    constants: &'a [Option<i128>],
    words: Words,
    /// The next argument of the user's call.
    next: usize,
    made: ForDriver,
}

impl Rewriter<'_> {
    fn directive(&mut self, directive: &Directive) -> Result<(), String> {
        let takes = directive.takes(self.words.devices)?;
        let mut flags = directive.flags.to_vec();
        let mut width = vec![];
        match directive.width {
            Number::Digits(digits) => width.extend(digits),
            Number::Argument => {
                let (index, constant) = self.argument()?;
                match constant {
                    Some(known) => {
                        let left = known < 0 && !flags.contains(&b'-');
                        flags.extend(left.then_some(b'-'));
                        // As a digit, 0 would be a flag.
                        if known != 0 {
                            width.extend(known.unsigned_abs().to_string().bytes());
                        }
                    }
                    None if !self.words.width_arguments => {
                        return Err(self.must_be_constant("width", directive));
                    }
                    None => {
                        width.push(b'*');
                        let takes = Takes::Int {
                            bits: 32,
                            signed: true,
                        };
                        self.pass(index, takes, directive);
                    }
                }
            }
        }
        let mut precision = vec![];
        match directive.precision {
            None => {}
            Some(Number::Digits(digits)) => {
                precision.push(b'.');
                precision.extend(if digits.is_empty() { b"0" } else { digits });
            }
            Some(Number::Argument) => match self.argument()?.1 {
                // A negative one is taken as if there were none.
                Some(known) if known < 0 => {}
                Some(known) => precision.extend(format!(".{known}").bytes()),
                None => return Err(self.must_be_constant("precision", directive)),
            },
        }
        let (index, _) = self.argument()?;
        self.pass(index, takes, directive);
        let size: &[u8] = match takes {
            Takes::Int { bits: 64, .. } => self.words.long.as_bytes(),
            Takes::Int { .. } | Takes::Float | Takes::Pointer => b"",
        };
        let out = &mut self.made.format;
        out.push(b'%');
        for piece in [&flags, &width, &precision, size] {
            out.extend(piece);
        }
        out.extend(directive.conversion);
        Ok(())
    }

    fn must_be_constant(&self, what: &str, directive: &Directive) -> String {
        format!(
            "the {what} of `{}` must be constant on {}; write the number into the format",
            directive.shown(),
            self.words.devices
        )
    }

    /// The next argument, and its value as an `int` if that is known.
    fn argument(&mut self) -> Result<(usize, Option<i32>), String> {
        let index = self.next;
        self.next += 1;
        match self.constants.get(index) {
            Some(constant) => Ok((index, constant.map(|c| c as i32))),
            None => Err("`printf` has fewer arguments than its format takes".to_string()),
        }
    }

    fn pass(&mut self, index: usize, takes: Takes, directive: &Directive) {
        self.made.arguments.push(Passed {
            index,
            takes,
            conversion: directive.shown(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{ForDriver, Takes, Words, rewrite};

    const CUDA: Words = Words {
        devices: "a GPU",
        long: "ll",
        width_arguments: true,
    };
    const OPENCL: Words = Words {
        devices: "OpenCL devices",
        long: "l",
        width_arguments: false,
    };

    /// The format, and `index:type` of each argument.
    fn show(made: ForDriver) -> String {
        let mut text = String::from_utf8(made.format).expect("ASCII");
        for argument in made.arguments {
            let takes = match argument.takes {
                Takes::Int { bits, signed } => format!("{}{bits}", if signed { 'i' } else { 'u' }),
                Takes::Float => "f".to_string(),
                Takes::Pointer => "p".to_string(),
            };
            text += &format!(" {}:{takes}", argument.index);
        }
        text
    }

    #[test]
    fn formats() {
        let unknown: &[Option<i128>] = &[None; 40];
        for (format, constants, expected) in [
            ("no arguments, 100%%", unknown, "no arguments, 100%%"),
            ("%d and %u\0 no more %d", unknown, "%d and %u 0:i32 1:u32"),
            (
                "%-+5i|% d|%#x|%05o|%X",
                unknown,
                "%-+5i|% d|%#x|%05o|%X 0:i32 1:i32 2:u32 3:u32 4:u32",
            ),
            ("%c%5s%-20p", unknown, "%c%5s%-20p 0:i32 1:p 2:p"),
            ("%.2s", unknown, "%.2s 0:p"),
            (
                "%e%E%f%g%G%a%A",
                unknown,
                "%e%E%f%g%G%a%A 0:f 1:f 2:f 3:f 4:f 5:f 6:f",
            ),
            ("%8.3lf", unknown, "%8.3f 0:f"),
            ("%.f", unknown, "%.0f 0:f"),
            ("%hd%hu%hhd%hhx", unknown, "%d%u%d%x 0:i16 1:u16 2:i8 3:u8"),
            ("%ld%llu", unknown, "%lld%llu 0:i64 1:u64"),
            (
                "%zu%jd%tx%qi",
                unknown,
                "%llu%lld%llx%lli 0:u64 1:i64 2:u64 3:i64",
            ),
            ("%-*d", unknown, "%-*d 0:i32 1:i32"),
            ("%*d", &[Some(6), None], "%6d 1:i32"),
            ("%*d", &[Some(-6), None], "%-6d 1:i32"),
            ("%0*d", &[Some(0), None], "%0d 1:i32"),
            ("%.*f", &[Some(2), None], "%.2f 1:f"),
            ("%.*f", &[Some(0), None], "%.0f 1:f"),
            ("%.*f", &[Some(-1), None], "%f 1:f"),
            (
                "%*.*f%d",
                &[Some(9), Some(3), None, None],
                "%9.3f%d 2:f 3:i32",
            ),
            ("%*.*f", &[None, Some(3), None], "%*.3f 0:i32 2:f"),
            ("%d", &[Some(7), None], "%d 0:i32"),
        ] {
            let made = rewrite(format.as_bytes(), constants, CUDA);
            assert_eq!(made.map(show), Ok(expected.to_string()), "{format}");
        }
    }

    #[test]
    fn errors() {
        for (format, constants, expected) in [
            ("%.*f", 2, "the precision of `%.*f` must be constant"),
            ("%*.*d", 3, "the precision of `%*.*d` must be constant"),
            ("%d %d", 1, "fewer arguments"),
            ("%*d", 1, "fewer arguments"),
            (
                "%d%n",
                2,
                "no `%n` on a GPU, where the text is made when the kernel is over",
            ),
            ("%ls", 1, "no `%ls` on a GPU, which has no wide characters"),
            ("%lc", 1, "no `%lc` on a GPU, which has no wide characters"),
            ("%S", 1, "no `%S` on a GPU, which has no wide characters"),
            (
                "%5.1Lf",
                1,
                "no `%5.1Lf` on a GPU, which has no `long double`",
            ),
            ("%F", 1, "no `%F` on a GPU; use `%f`"),
            ("%Ld", 1, "no `%Ld` on a GPU; use `ll`"),
            ("%1$d", 1, "no `%1$` on a GPU; print this on the host"),
            ("%'d", 1, "no `%'` on a GPU"),
            ("%m", 1, "no `%m` on a GPU"),
            ("%hs", 1, "no `%hs` on a GPU"),
            ("100%", 1, "no `%` on a GPU"),
        ] {
            let error = rewrite(format.as_bytes(), &vec![None; constants], CUDA).expect_err(format);
            assert!(error.contains(expected), "{format}: {error}");
        }
    }

    #[test]
    fn formats_of_opencl() {
        let made = rewrite(
            b"%zu%lld%-*d%hd",
            &[None, None, Some(6), None, None],
            OPENCL,
        );
        assert_eq!(
            made.map(show),
            Ok("%lu%ld%-6d%d 0:u64 1:i64 3:i32 4:i16".to_string())
        );
        let error = rewrite(b"%*d", &[None; 2], OPENCL).expect_err("a width");
        assert!(error.contains("the width of `%*d` must be constant on OpenCL devices"));
    }

    #[test]
    fn many_arguments() {
        assert!(rewrite(&b"%d".repeat(32), &[None; 32], CUDA).is_ok());
        let error = rewrite(&b"%d".repeat(33), &[None; 33], CUDA).expect_err("33 arguments");
        assert!(error.contains("32 arguments at most"), "{error}");
    }
}
