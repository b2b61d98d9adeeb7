//! Tokens → module.
//!
//! Instructions are read by their shape only (name, suffixes, operands); which there are is known to `lower`.

use crate::{
    LoadError, Space,
    ast::{Formal, Function, Init, Inst, Module, Operand, Stmt, Ty, Variable},
    text::{Tok, Token, tokens},
};

/// Blocks and initialisers nested deeper than this are refused.
const DEPTH: u32 = 64;

/// Reads a PTX text.
pub fn parse(text: &str) -> Result<Module, LoadError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        module: Module::default(),
    };
    while parser.tok() != &Tok::End {
        parser.top_level()?;
    }
    Ok(parser.module)
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    module: Module,
}

type Parsed<T> = Result<T, LoadError>;

impl<'a> Parser<'a> {
    // ---- tokens

    fn tok(&self) -> &Tok<'a> {
        &self.tokens[self.at.min(self.tokens.len() - 1)].tok
    }

    fn ahead(&self, n: usize) -> &Tok<'a> {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].tok
    }

    fn line(&self) -> u32 {
        self.tokens[self.at.min(self.tokens.len() - 1)].line
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(LoadError::new(self.line(), message))
    }

    fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        let found = match self.tok() {
            Tok::Word(w) => format!("`{w}`"),
            Tok::Dot(w) => format!("`.{w}`"),
            Tok::Int(_) | Tok::Single(_) | Tok::Double(_) => "a number".to_string(),
            Tok::Text(_) => "a string".to_string(),
            Tok::Punct(c) => format!("`{c}`"),
            Tok::End => "the end of the text".to_string(),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    fn accept(&mut self, c: char) -> bool {
        let yes = self.tok() == &Tok::Punct(c);
        if yes {
            self.advance();
        }
        yes
    }

    fn expect(&mut self, c: char) -> Parsed<()> {
        if self.accept(c) {
            Ok(())
        } else {
            self.unexpected(&format!("`{c}`"))
        }
    }

    fn accept_dot(&mut self, word: &str) -> bool {
        let yes = self.tok() == &Tok::Dot(word);
        if yes {
            self.advance();
        }
        yes
    }

    fn word(&mut self) -> Parsed<String> {
        match *self.tok() {
            Tok::Word(w) => {
                self.advance();
                Ok(w.to_string())
            }
            _ => self.unexpected("a name"),
        }
    }

    fn int(&mut self) -> Parsed<u64> {
        match *self.tok() {
            Tok::Int(n) => {
                self.advance();
                Ok(n)
            }
            _ => self.unexpected("an integer"),
        }
    }

    /// An integer with a sign or a sum of such.
    fn signed(&mut self) -> Parsed<i64> {
        let mut sum = 0i64;
        loop {
            // Also `+-8`, as in `[%rd1+-8]`.
            self.accept('+');
            let negative = self.accept('-');
            let n = self.int()? as i64;
            sum = if negative {
                sum.wrapping_sub(n)
            } else {
                sum.wrapping_add(n)
            };
            if !matches!(self.tok(), Tok::Punct('+' | '-')) {
                return Ok(sum);
            }
        }
    }

    fn ty(&mut self) -> Parsed<Ty> {
        if let Tok::Dot(name) = *self.tok()
            && let Some(ty) = Ty::named(name)
        {
            self.advance();
            return Ok(ty);
        }
        self.unexpected("a type")
    }

    // ---- module level

    fn top_level(&mut self) -> Parsed<()> {
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

    fn file(&mut self) -> Parsed<()> {
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

    fn pragma(&mut self) -> Parsed<()> {
        while !matches!(self.tok(), Tok::End | Tok::Punct(';')) {
            self.advance();
        }
        self.expect(';')
    }

    fn declaration(&mut self) -> Parsed<()> {
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
    fn variables(&mut self, external: bool) -> Parsed<Vec<Variable>> {
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
    fn variable_type(&mut self) -> Parsed<(Ty, u64, u64)> {
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

    fn dims(&mut self) -> Parsed<Vec<u64>> {
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

    fn init(&mut self, depth: u32) -> Parsed<Init> {
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

    fn symbol_offset(&mut self) -> Parsed<i64> {
        if matches!(self.tok(), Tok::Punct('+' | '-')) {
            self.signed()
        } else {
            Ok(0)
        }
    }

    // ---- functions

    fn function(&mut self, entry: bool) -> Parsed<Function> {
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

    fn three(&mut self) -> Parsed<[u32; 3]> {
        let mut out = [1; 3];
        for (i, slot) in out.iter_mut().enumerate() {
            if i > 0 && !self.accept(',') {
                break;
            }
            *slot = u32::try_from(self.int()?).or_else(|_| self.error("number too large"))?;
        }
        Ok(out)
    }

    fn formals(&mut self) -> Parsed<Vec<Formal>> {
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

    fn formal(&mut self) -> Parsed<Formal> {
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
    fn block(&mut self, depth: u32) -> Parsed<Vec<Stmt>> {
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
                Tok::Word(_) | Tok::Punct('@') => out.push(Stmt::Inst(self.instruction()?)),
                _ => return self.unexpected("an instruction"),
            }
        }
    }

    fn labelled(&mut self, name: &str, line: u32) -> Parsed<Stmt> {
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

    fn directive(&mut self, word: &str, out: &mut Vec<Stmt>) -> Parsed<()> {
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

    // ---- instructions

    fn instruction(&mut self) -> Parsed<Inst> {
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

    fn operands_until(&mut self, close: char, depth: u32) -> Parsed<Vec<Operand>> {
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

    fn operand(&mut self, depth: u32) -> Parsed<Operand> {
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
    fn name(&mut self) -> Parsed<String> {
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
