//! One instruction: guard, name, suffixes, operands.

use super::{Parsed, Parser};
use crate::{
    ast::{Inst, Operand},
    text::Tok,
};

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Parsed<Inst> {
        let line = self.line();
        let mut guard = None;
        if self.accept('@') {
            let negated = self.accept('!');
            guard = Some((self.word()?, negated));
        }
        let name = self.word()?;
        let mut suffixes = Vec::new();
        while let Tok::Dot(suffix) = *self.tok() {
            suffixes.push(suffix.to_string());
            self.advance();
        }
        let mut operands = Vec::new();
        while !self.accept(';') {
            operands.push(self.operand(0)?);
            if !self.accept(',') {
                self.expect(';')?;
                break;
            }
        }
        Ok(Inst {
            guard,
            name,
            suffixes,
            operands,
            line,
        })
    }

    pub(super) fn operands_until(&mut self, close: char, depth: u32) -> Parsed<Vec<Operand>> {
        let mut out = Vec::new();
        while !self.accept(close) {
            out.push(self.operand(depth + 1)?);
            if !self.accept(',') {
                self.expect(close)?;
                break;
            }
        }
        Ok(out)
    }

    pub(super) fn operand(&mut self, depth: u32) -> Parsed<Operand> {
        if depth > 3 {
            return self.error("operand nested too deep");
        }
        match *self.tok() {
            Tok::Punct('{') => {
                self.advance();
                Ok(Operand::Vector(self.operands_until('}', depth)?))
            }
            Tok::Punct('(') => {
                self.advance();
                Ok(Operand::List(self.operands_until(')', depth)?))
            }
            Tok::Punct('[') => {
                self.advance();
                let base = if let Tok::Word(_) = self.tok() {
                    Some(self.name()?)
                } else {
                    None
                };
                let offset = if matches!(self.tok(), Tok::Punct(']' | ',')) {
                    0
                } else {
                    self.signed()?
                };
                if self.accept(',') {
                    // Coordinates of a texture and the like: no instruction known here takes them.
                    return Ok(Operand::List(self.operands_until(']', depth)?));
                }
                self.expect(']')?;
                Ok(Operand::Address(base, offset))
            }
            Tok::Punct('!') => {
                self.advance();
                Ok(Operand::Not(self.word()?))
            }
            Tok::Single(bits) => {
                self.advance();
                Ok(Operand::Single(bits))
            }
            Tok::Double(bits) => {
                self.advance();
                Ok(Operand::Double(bits))
            }
            Tok::Punct('-') if matches!(self.ahead(1), Tok::Double(_) | Tok::Single(_)) => {
                self.advance();
                Ok(match self.operand(depth + 1)? {
                    Operand::Double(bits) => Operand::Double(bits ^ (1 << 63)),
                    Operand::Single(bits) => Operand::Single(bits ^ (1 << 31)),
                    other => other,
                })
            }
            Tok::Int(_) | Tok::Punct('-') => Ok(Operand::Int(self.signed()? as u64)),
            Tok::Word(_) => {
                let name = self.name()?;
                if self.accept('|') {
                    return Ok(Operand::Pair(name, self.word()?));
                }
                match self.symbol_offset()? {
                    0 => Ok(Operand::Name(name)),
                    offset => Ok(Operand::Offset(name, offset)),
                }
            }
            _ => self.unexpected("an operand"),
        }
    }

    /// A name; a special register with its suffix.
    pub(super) fn name(&mut self) -> Parsed<String> {
        let mut name = self.word()?;
        if name.starts_with('%')
            && let Tok::Dot(part @ ("x" | "y" | "z" | "w")) = *self.tok()
        {
            self.advance();
            name = format!("{name}.{part}");
        }
        Ok(name)
    }
}
