//! Functions: parameters, statements, directives between instructions.

use super::{DEPTH, Parsed, Parser};
use crate::{
    Space,
    ast::{Formal, Function, Single, Stmt, Variable},
    text::Tok,
};

impl Parser<'_> {
    pub(super) fn function(&mut self, entry: bool) -> Parsed<Function> {
        let line = self.line();
        let results = if !entry && self.tok() == &Tok::Punct('(') {
            self.formals()?
        } else {
            Vec::new()
        };
        let name = self.word()?;
        let params = if self.tok() == &Tok::Punct('(') {
            self.formals()?
        } else {
            Vec::new()
        };
        let (mut max_block, mut required_block) = (None, None);
        while let Tok::Dot(word) = *self.tok() {
            self.advance();
            match word {
                "maxntid" => max_block = Some(self.three()?),
                "reqntid" => required_block = Some(self.three()?),
                "minnctapersm" | "maxnctapersm" | "maxnreg" => {
                    self.int()?;
                }
                "noreturn" => {}
                "pragma" => self.pragma()?,
                _ => return self.error(format!("unknown directive `.{word}`")),
            }
        }
        let body = if self.accept(';') {
            None
        } else {
            self.expect('{')?;
            Some(self.block(0)?)
        };
        Ok(Function {
            name,
            entry,
            results,
            params,
            body,
            max_block,
            required_block,
            line,
        })
    }

    pub(super) fn three(&mut self) -> Parsed<[u32; 3]> {
        let mut out = [1; 3];
        for (i, slot) in out.iter_mut().enumerate() {
            if i > 0 && !self.accept(',') {
                break;
            }
            *slot = u32::try_from(self.int()?).or_else(|_| self.error("number too large"))?;
        }
        Ok(out)
    }

    pub(super) fn formals(&mut self) -> Parsed<Vec<Formal>> {
        self.expect('(')?;
        let mut out = Vec::new();
        while !self.accept(')') {
            out.push(self.formal()?);
            if !self.accept(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(out)
    }

    pub(super) fn formal(&mut self) -> Parsed<Formal> {
        let line = self.line();
        if self.accept_dot("reg") {
            let ty = self.ty()?;
            return Ok(Formal::Register(self.word()?, ty));
        }
        if !self.accept_dot("param") {
            return self.unexpected("`.param` or `.reg`");
        }
        let (ty, align, vector) = self.variable_type()?;
        let name = self.word()?;
        let mut dims = self.dims()?;
        if vector > 1 {
            dims.push(vector);
        }
        Ok(Formal::Param(Variable {
            name,
            space: Space::Param,
            ty,
            dims,
            align,
            init: None,
            external: false,
            line,
        }))
    }

    /// Statements up to `}`.
    pub(super) fn block(&mut self, depth: u32) -> Parsed<Vec<Stmt>> {
        if depth > DEPTH {
            return self.error("blocks nested too deep");
        }
        let mut out = Vec::new();
        loop {
            match *self.tok() {
                Tok::Punct('}') => {
                    self.advance();
                    return Ok(out);
                }
                Tok::Punct('{') => {
                    self.advance();
                    out.push(Stmt::Block(self.block(depth + 1)?));
                }
                Tok::Punct(';') => self.advance(),
                Tok::Word(name) if self.ahead(1) == &Tok::Punct(':') => {
                    let line = self.line();
                    self.advance();
                    self.advance();
                    out.push(self.labelled(name, line)?);
                }
                Tok::Dot(word) => self.directive(word, &mut out)?,
                Tok::Note(note) => {
                    out.push(self.note(note)?);
                    self.advance();
                }
                Tok::Word(_) | Tok::Punct('@') => out.push(Stmt::Inst(self.instruction()?)),
                _ => return self.unexpected("an instruction"),
            }
        }
    }

    fn note(&self, note: &str) -> Parsed<Stmt> {
        let words: Vec<&str> = note.split(' ').collect();
        Ok(match words.as_slice() {
            ["single", "block"] => Stmt::Single(Single::Block),
            ["single", "worker"] => Stmt::Single(Single::Worker),
            ["single", "end"] => Stmt::Single(Single::No),
            ["contributes", register, bytes] => Stmt::Contributes {
                register: register.to_string(),
                bytes: match bytes.parse() {
                    Ok(bytes) => bytes,
                    Err(_) => return self.error(format!("bad number in the note `{note}`")),
                },
                line: self.line(),
            },
            _ => return self.error(format!("unknown note `{note}`")),
        })
    }

    pub(super) fn labelled(&mut self, name: &str, line: u32) -> Parsed<Stmt> {
        if self.accept_dot("branchtargets") {
            let mut targets = vec![self.word()?];
            while self.accept(',') {
                targets.push(self.word()?);
            }
            self.expect(';')?;
            return Ok(Stmt::Targets(name.to_string(), targets));
        }
        if self.accept_dot("callprototype") {
            while !matches!(self.tok(), Tok::End | Tok::Punct(';')) {
                self.advance();
            }
            self.expect(';')?;
            return Ok(Stmt::Prototype);
        }
        Ok(Stmt::Label(name.to_string(), line))
    }

    pub(super) fn directive(&mut self, word: &str, out: &mut Vec<Stmt>) -> Parsed<()> {
        match word {
            "reg" => {
                let line = self.line();
                self.advance();
                let ty = self.ty()?;
                loop {
                    let name = self.word()?;
                    let mut count = None;
                    if self.accept('<') {
                        count = Some(self.int()?);
                        self.expect('>')?;
                    }
                    out.push(Stmt::Registers {
                        ty,
                        name,
                        count,
                        line,
                    });
                    if !self.accept(',') {
                        break;
                    }
                }
                self.expect(';')
            }
            "loc" => {
                self.advance();
                let file = self.int()?;
                let line = self.int()?;
                self.int()?;
                while self.accept(',') {
                    // `function_name $L + 4` and `inlined_at 1 2 3`
                    self.word()?;
                    while matches!(self.tok(), Tok::Int(_) | Tok::Punct('+')) {
                        self.advance();
                    }
                    if let Tok::Word(label) = *self.tok()
                        && label.starts_with('$')
                    {
                        self.advance();
                        self.symbol_offset()?;
                    }
                }
                out.push(Stmt::Loc {
                    file,
                    line: u32::try_from(line).unwrap_or(0),
                });
                Ok(())
            }
            "pragma" => self.pragma(),
            "shared" | "local" | "global" | "const" | "param" => {
                out.extend(self.variables(false)?.into_iter().map(Stmt::Variable));
                Ok(())
            }
            _ => self.error(format!("unknown directive `.{word}`")),
        }
    }
}
