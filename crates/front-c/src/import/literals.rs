//! Literals: numbers, imaginary ones, strings.

use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::constant;
use crate::ast::node::{Kind, NodeId};
use accrue_dialects::core::{self};
use pliron::r#type::Typed;
use pliron::value::Value;

impl Module<'_> {
    pub(super) fn literal_or_inner(&mut self, expression: NodeId) -> Result<Value> {
        let (_, scalar) = self.scalar_of(expression)?;
        let width = match scalar {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } => bits,
            Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer => {
                let inner = self.child(expression, 0)?;
                return self.value(inner);
            }
        };
        match constant::integer(&mut self.types, expression) {
            Some(value) => Ok(self.constant(width, value)),
            None => {
                let inner = self.child(expression, 0)?;
                self.value(inner)
            }
        }
    }

    /// A literal of more bits as the `double` or `float` that it is converted to: `DBL_MAX` is `((double)1.797…e+308L)`, and not all
    /// devices have the wider numbers. Nothing if it is something else.
    pub(super) fn narrowed_literal(
        &mut self,
        inner: NodeId,
        conversion: NodeId,
    ) -> Result<Option<Value>> {
        let ast = self.source.ast;
        let literal = ast.strip_parens(inner);
        if ast.kind(literal) != Kind::FloatingLiteral {
            return Ok(None);
        }
        let (from, to) = (self.ir_type_of(literal)?, self.ir_type_of(conversion)?);
        let is_wide = core::float_width(self.ctx, from).is_some_and(|width| width > 64);
        let known = ast.text(ast.node(literal).value).parse::<f64>();
        let Some(known) = known.ok().filter(|_| is_wide) else {
            return Ok(None);
        };
        let text = match core::float_width(self.ctx, to) {
            Some(64) => format!("{known:e}"),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the conversion is the program's"
            )]
            Some(32) => format!("{:e}", known as f32),
            Some(_) | None => return Ok(None),
        };
        let op = core::FConst::new(self.ctx, to, &float_text(&text));
        Ok(Some(self.emit_value(op)))
    }

    pub(super) fn imaginary_literal(&mut self, expression: NodeId) -> Result<Value> {
        let ty = self.ir_type_of(expression)?;
        let inner = self.child(expression, 0)?;
        let imaginary = self.value(inner)?;
        if core::float_width(self.ctx, imaginary.get_type(self.ctx)).is_none() {
            return Err(Stop::at(expression, "a complex integer is not supported")
                .help("use a floating type"));
        }
        let part = imaginary.get_type(self.ctx);
        let op = core::FConst::new(self.ctx, part, "0.0");
        let real = self.emit_value(op);
        let op = core::ComplexMake::new(self.ctx, ty, real, imaginary);
        Ok(self.emit_value(op))
    }

    /// A string literal's address, of its first byte.
    pub fn string_address(&mut self, expression: NodeId) -> Result<Value> {
        let bytes = self.string_bytes(expression)?;
        let op = core::StringConst::new(self.ctx, &bytes);
        Ok(self.emit_value(op))
    }

    /// The bytes of a string literal, without its terminating zero.
    pub fn string_bytes(&self, expression: NodeId) -> Result<Vec<u8>> {
        let ast = self.source.ast;
        let text = ast.text(ast.node(expression).value);
        unescape(text).ok_or_else(|| {
            Stop::at(
                expression,
                "a wide string is not supported in code for a device",
            )
            .help("use a plain string")
        })
    }
}

/// clang's text of a floating value as a C literal.
pub(super) fn float_text(value: &str) -> String {
    let lower = value.to_ascii_lowercase();
    match lower.trim_start_matches('+') {
        "inf" | "infinity" => "inf".into(),
        "-inf" | "-infinity" => "-inf".into(),
        text if text.contains("nan") => "nan".into(),
        text if text.contains(['.', 'e', 'x']) => text.into(),
        text => format!("{text}.0"),
    }
}

/// The bytes that a literal between double quotes means; `None` if it has a prefix.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let inside = text
        .strip_prefix("u8")
        .unwrap_or(text)
        .strip_prefix('"')?
        .strip_suffix('"')?;
    let mut bytes = Vec::new();
    let mut rest = inside.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let [code, behind @ ..] = rest else {
            return None;
        };
        rest = behind;
        let digits = |rest: &[u8], radix: u32, most: usize| {
            rest.iter()
                .take(most)
                .take_while(|d| char::from(**d).is_digit(radix))
                .count()
        };
        bytes.push(match code {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'x' => {
                let count = digits(rest, 16, 2);
                let value =
                    u8::from_str_radix(std::str::from_utf8(&rest[..count]).ok()?, 16).ok()?;
                rest = &rest[count..];
                value
            }
            b'0'..=b'7' => {
                let count = digits(rest, 8, 2);
                let more = std::str::from_utf8(&rest[..count]).ok()?;
                let value = u32::from_str_radix(&format!("{}{more}", char::from(*code)), 8).ok()?;
                rest = &rest[count..];
                u8::try_from(value).ok()?
            }
            other => *other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{float_text, unescape};

    #[test]
    fn strings_are_read_as_clang_prints_them() {
        assert_eq!(
            unescape(r#""a\"b\377\n""#).as_deref(),
            Some(&b"a\"b\xff\n"[..])
        );
        assert_eq!(unescape(r#""\0001""#).as_deref(), Some(&b"\x001"[..]));
        assert_eq!(unescape(r#"L"x""#), None);
    }

    #[test]
    fn float_texts_are_c_literals() {
        assert_eq!(float_text("1"), "1.0");
        assert_eq!(
            float_text("1.0000000000000001E+300"),
            "1.0000000000000001e+300"
        );
        assert_eq!(float_text("+Inf"), "inf");
    }
}
