//! Module level: directives, variables, initialisers.

use super::{DEPTH, Parsed, Parser};
use crate::{
    Space,
    ast::{Init, Ty, Variable},
    text::Tok,
};

impl Parser<'_> {
    pub(super) fn top_level(&mut self) -> Parsed<()> {
        let Tok::Dot(word) = *self.tok() else {
            return self.unexpected("a directive");
        };
        match word {
            "version" => {
                self.advance();
                self.advance();
            }
            "target" => {
                self.advance();
                self.word()?;
                while self.accept(',') {
                    self.word()?;
                }
            }
            "address_size" => {
                self.advance();
                if self.int()? != 64 {
                    return self.error("only .address_size 64 is supported");
                }
            }
            "file" => self.file()?,
            "section" => {
                while !matches!(self.tok(), Tok::End | Tok::Punct('{')) {
                    self.advance();
                }
                while !matches!(self.tok(), Tok::End | Tok::Punct('}')) {
                    self.advance();
                }
                self.expect('}')?;
            }
            "pragma" => self.pragma()?,
            _ => self.declaration()?,
        }
        Ok(())
    }

    pub(super) fn file(&mut self) -> Parsed<()> {
        self.advance();
        let number = self.int()?;
        let Tok::Text(name) = self.tok().clone() else {
            return self.unexpected("a file name");
        };
        self.advance();
        while self.accept(',') {
            self.int()?;
        }
        self.module.files.insert(number, name);
        Ok(())
    }

    pub(super) fn pragma(&mut self) -> Parsed<()> {
        while !matches!(self.tok(), Tok::End | Tok::Punct(';')) {
            self.advance();
        }
        self.expect(';')
    }

    pub(super) fn declaration(&mut self) -> Parsed<()> {
        let mut external = false;
        loop {
            match *self.tok() {
                Tok::Dot("extern") => external = true,
                Tok::Dot("visible" | "weak" | "common") => {}
                _ => break,
            }
            self.advance();
        }
        match *self.tok() {
            Tok::Dot(kind @ ("entry" | "func")) => {
                self.advance();
                let function = self.function(kind == "entry")?;
                self.module.functions.push(function);
            }
            Tok::Dot("global" | "const" | "shared") => {
                let variables = self.variables(external)?;
                self.module.variables.extend(variables);
            }
            Tok::Dot(word) => return self.error(format!("unknown directive `.{word}`")),
            _ => return self.unexpected("a directive"),
        }
        Ok(())
    }

    /// `.global .align 4 .b8 name[4] = {1, 2, 3, 4}, other;`
    pub(super) fn variables(&mut self, external: bool) -> Parsed<Vec<Variable>> {
        let line = self.line();
        let space = match *self.tok() {
            Tok::Dot("global") => Space::Global,
            Tok::Dot("const") => Space::Const,
            Tok::Dot("shared") => Space::Shared,
            Tok::Dot("local") => Space::Local,
            Tok::Dot("param") => Space::Param,
            _ => return self.unexpected("a state space"),
        };
        self.advance();
        let (ty, align, vector) = self.variable_type()?;
        let mut out = Vec::new();
        loop {
            let name = self.word()?;
            let mut dims = self.dims()?;
            if vector > 1 {
                dims.push(vector);
            }
            let init = if self.accept('=') {
                Some(self.init(0)?)
            } else {
                None
            };
            out.push(Variable {
                name,
                space,
                ty,
                dims,
                align,
                init,
                external,
                line,
            });
            if !self.accept(',') {
                break;
            }
        }
        self.expect(';')?;
        Ok(out)
    }

    /// `.align 8 .v2 .b32`: type, alignment, vector elements.
    pub(super) fn variable_type(&mut self) -> Parsed<(Ty, u64, u64)> {
        let (mut align, mut vector) = (0, 1);
        loop {
            match *self.tok() {
                Tok::Dot("align") => {
                    self.advance();
                    align = self.int()?;
                    if !align.is_power_of_two() || align > 1 << 20 {
                        return self.error("alignment must be a power of two");
                    }
                }
                Tok::Dot("v2") => {
                    self.advance();
                    vector = 2;
                }
                Tok::Dot("v4") => {
                    self.advance();
                    vector = 4;
                }
                Tok::Dot("attribute") => {
                    self.advance();
                    while !matches!(self.tok(), Tok::End | Tok::Punct(')')) {
                        self.advance();
                    }
                    self.expect(')')?;
                }
                _ => break,
            }
        }
        let ty = self.ty()?;
        // `.param .u64 .ptr .global .align 8 name`: says where the pointer points, not how the parameter is aligned.
        if self.accept_dot("ptr") {
            while let Tok::Dot(word) = *self.tok() {
                self.advance();
                if word == "align" {
                    self.int()?;
                }
            }
        }
        let natural = u64::from(ty.bytes()) * vector;
        Ok((ty, if align == 0 { natural } else { align }, vector))
    }

    pub(super) fn dims(&mut self) -> Parsed<Vec<u64>> {
        let mut dims = Vec::new();
        while self.accept('[') {
            dims.push(if self.tok() == &Tok::Punct(']') {
                0
            } else {
                self.int()?
            });
            self.expect(']')?;
        }
        Ok(dims)
    }

    pub(super) fn init(&mut self, depth: u32) -> Parsed<Init> {
        if depth > DEPTH {
            return self.error("initialiser nested too deep");
        }
        if self.accept('{') {
            let mut list = Vec::new();
            while !self.accept('}') {
                list.push(self.init(depth + 1)?);
                if !self.accept(',') {
                    self.expect('}')?;
                    break;
                }
            }
            return Ok(Init::List(list));
        }
        match *self.tok() {
            Tok::Int(_) => Ok(Init::Int(self.signed()? as u64)),
            Tok::Single(bits) => {
                self.advance();
                Ok(Init::Single(bits))
            }
            Tok::Double(bits) => {
                self.advance();
                Ok(Init::Double(bits))
            }
            Tok::Punct('-') => match *self.ahead(1) {
                Tok::Double(bits) => {
                    self.advance();
                    self.advance();
                    Ok(Init::Double((-f64::from_bits(bits)).to_bits()))
                }
                _ => Ok(Init::Int(self.signed()? as u64)),
            },
            Tok::Word("generic") if self.ahead(1) == &Tok::Punct('(') => {
                self.advance();
                self.advance();
                let name = self.word()?;
                let inside = self.symbol_offset()?;
                self.expect(')')?;
                Ok(Init::Symbol(
                    name,
                    inside.wrapping_add(self.symbol_offset()?),
                ))
            }
            Tok::Word(_) => {
                let name = self.word()?;
                Ok(Init::Symbol(name, self.symbol_offset()?))
            }
            _ => self.unexpected("an initialiser"),
        }
    }

    pub(super) fn symbol_offset(&mut self) -> Parsed<i64> {
        if matches!(self.tok(), Tok::Punct('+' | '-')) {
            self.signed()
        } else {
            Ok(0)
        }
    }
}
