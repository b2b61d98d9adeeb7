//! Tokens → module.
//!
//! Instructions are read by their shape only (name, suffixes, operands); which there are is known to `lower`.
//!
//! | module | reads |
//! | --- | --- |
//! | [`module`] | what stands outside of functions: directives, variables and their initialisers |
//! | [`function`] | functions, their parameters and statements |
//! | [`instruction`] | an instruction and its operands |

mod function;
mod instruction;
mod module;

use crate::{
    LoadError,
    ast::{Module, Ty},
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
            Tok::Note(_) => "a note of the compiler".to_string(),
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
}
