//! clang's type strings to C types.
//!
//! A type string is C's own type-name syntax: specifiers and an abstract declarator that is read from
//! the inside out.
//!
//! ```text
//! double (*)[10]          pointer to array of 10 double
//! int (*[3])(int, char)   array of 3 pointers to function
//! struct node *const      const pointer to struct node
//! double[n + 1][m]        variable-length array
//! ```

mod named;
mod operand;

use super::scope::NameSpace;
use super::types::{ArrayLength, CType, FloatRank, IntRank, QualType, TypeError, TypeId, Types};

/// A parsed type string.
pub struct Parsed {
    /// The type.
    pub ty: QualType,
    /// No name in it means something else elsewhere in the unit.
    pub same_everywhere: bool,
}

/// Parses `text` as it is meant at offset `at` of the unit.
pub fn parse(types: &mut Types<'_>, text: &str, at: u32) -> Result<Parsed, TypeError> {
    if text == "<builtin fn type>" {
        let ty = types.intern(CType::Builtin).into();
        return Ok(Parsed {
            ty,
            same_everywhere: true,
        });
    }
    let mut parser = Parser {
        types,
        text,
        pos: 0,
        at,
        same_everywhere: true,
        depth: 0,
    };
    let base = parser.specifiers()?;
    let ty = parser.declarator(base)?;
    parser.skip_attributes();
    if parser.pos != text.len() {
        return Err(parser.error());
    }
    Ok(Parsed {
        ty,
        same_everywhere: parser.same_everywhere,
    })
}

/// Deeper declarators are refused; no person writes them.
const MAX_DEPTH: u32 = 200;

struct Parser<'t, 'a> {
    types: &'t mut Types<'a>,
    text: &'t str,
    pos: usize,
    at: u32,
    same_everywhere: bool,
    depth: u32,
}

/// The type specifiers seen so far.
#[derive(Default)]
struct Specifiers {
    long: u32,
    short: bool,
    unsigned: bool,
    signed: bool,
    complex: bool,
    base: Option<Base>,
}

enum Base {
    Int,
    Char,
    Int128,
    Float(FloatRank),
    Type(QualType),
}

impl Parser<'_, '_> {
    fn error(&self) -> TypeError {
        TypeError::Syntax(self.text.to_owned())
    }

    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start().len();
    }

    /// Takes `token` if it comes next.
    fn eat(&mut self, token: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    /// The identifier that comes next.
    fn peek_word(&mut self) -> &str {
        self.skip_spaces();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.pos += word.len();
        }
        found
    }

    /// Offset behind the bracket that closes the one at `self.pos`.
    fn behind_bracket(&self) -> Option<usize> {
        let mut depth = 0usize;
        for (offset, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(self.pos + offset + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Passes over `__attribute__((…))`; they change no type that we distinguish, `vector_size` apart.
    fn skip_attributes(&mut self) {
        while self.eat_word("__attribute__") {
            self.skip_spaces();
            if let Some(end) = self.behind_bracket() {
                self.pos = end;
            }
        }
        self.skip_spaces();
    }

    /// A qualifier of `ty`, if one comes next.
    fn qualifier(&mut self, ty: &mut QualType) -> bool {
        match self.peek_word() {
            "const" => ty.is_const = true,
            "volatile" => ty.is_volatile = true,
            "restrict" | "__restrict" | "__restrict__" => ty.is_restrict = true,
            "_Nonnull" | "_Nullable" | "_Null_unspecified" | "__unaligned" => {}
            _ => return false,
        }
        self.pos += self.peek_word().len();
        true
    }

    /// Specifiers and qualifiers before the declarator.
    fn specifiers(&mut self) -> Result<QualType, TypeError> {
        let mut specifiers = Specifiers::default();
        let mut quals = QualType::from(self.types.intern(CType::Void));
        let mut vector_bytes = None;
        loop {
            if self.qualifier(&mut quals) {
                continue;
            }
            let word = self.peek_word().to_owned();
            if word == "__attribute__" {
                vector_bytes = vector_bytes.or(self.vector_size());
                self.skip_attributes();
                continue;
            }
            if word == "_Atomic" && specifiers.base.is_none() {
                self.pos += word.len();
                quals.is_atomic = true;
                if self.eat("(") {
                    let inner = self.nested_type()?;
                    specifiers.base = Some(Base::Type(inner));
                }
                continue;
            }
            if !self.specifier(&word, &mut specifiers)? {
                break;
            }
        }
        let mut ty = self.combine(specifiers)?;
        if let Some(lanes) = vector_bytes {
            let bytes = lanes * self.types.size_of(ty.ty)?;
            ty = self.types.intern(CType::Vector(ty, bytes)).into();
        }
        ty.is_const |= quals.is_const;
        ty.is_volatile |= quals.is_volatile;
        ty.is_restrict |= quals.is_restrict;
        ty.is_atomic |= quals.is_atomic;
        Ok(ty)
    }

    /// Number of lanes of `__attribute__((__vector_size__(4 * sizeof(float))))`.
    fn vector_size(&self) -> Option<u64> {
        let (_, rest) = self.rest().split_once("__vector_size__(")?;
        rest.split_once(" *")?.0.trim().parse().ok()
    }

    /// Takes the specifier `word`; false when it is none.
    fn specifier(&mut self, word: &str, seen: &mut Specifiers) -> Result<bool, TypeError> {
        let base = match word {
            "unsigned" => {
                seen.unsigned = true;
                None
            }
            "signed" => {
                seen.signed = true;
                None
            }
            "long" => {
                seen.long += 1;
                None
            }
            "short" => {
                seen.short = true;
                None
            }
            "_Complex" | "__complex__" => {
                seen.complex = true;
                None
            }
            "int" => Some(Base::Int),
            "char" => Some(Base::Char),
            "__int128" => Some(Base::Int128),
            "float" => Some(Base::Float(FloatRank::Float)),
            "double" => Some(Base::Float(FloatRank::Double)),
            "_Float16" | "__fp16" => Some(Base::Float(FloatRank::Half)),
            "__float128" | "_Float128" => Some(Base::Float(FloatRank::Float128)),
            "void" => Some(Base::Type(self.types.intern(CType::Void).into())),
            // Old programs have a type `bool` of their own.
            "bool" if self.find(NameSpace::Typedef, word).is_some() => {
                Some(Base::Type(self.typedef(word)?))
            }
            "_Bool" | "bool" => Some(Base::Type(self.types.intern(CType::Bool).into())),
            "struct" | "union" | "enum" => {
                self.pos += word.len();
                let ty = self.tag()?;
                seen.base = Some(Base::Type(ty));
                return Ok(true);
            }
            word if operand::SPELLINGS.contains(&word) && seen.base.is_none() => {
                self.pos += word.len();
                let ty = self.type_of_operand()?;
                seen.base = Some(Base::Type(ty));
                return Ok(true);
            }
            "" => return Ok(false),
            name if seen.base.is_none()
                && seen.long == 0
                && !(seen.short || seen.unsigned || seen.signed || seen.complex) =>
            {
                let ty = self.typedef(name)?;
                Some(Base::Type(ty))
            }
            _ => return Ok(false),
        };
        self.pos += word.len();
        if base.is_some() {
            seen.base = base;
        }
        Ok(true)
    }

    /// The type that the specifiers mean together.
    fn combine(&mut self, seen: Specifiers) -> Result<QualType, TypeError> {
        let char_is_signed = self.types.target.char_is_signed;
        let signed = !seen.unsigned;
        let int = |rank, signed| CType::Int { rank, signed };
        let ty = match seen.base {
            Some(Base::Type(ty)) => return Ok(ty),
            Some(Base::Float(rank)) => {
                let rank = match rank {
                    FloatRank::Double if seen.long > 0 => FloatRank::LongDouble,
                    rank => rank,
                };
                if seen.complex {
                    CType::Complex(rank)
                } else {
                    CType::Float(rank)
                }
            }
            _ if seen.complex => return Err(self.error()),
            Some(Base::Char) if seen.signed || seen.unsigned => int(IntRank::Char, signed),
            Some(Base::Char) => int(IntRank::PlainChar, char_is_signed),
            Some(Base::Int128) => int(IntRank::Int128, signed),
            Some(Base::Int) | None => match (seen.short, seen.long) {
                (true, _) => int(IntRank::Short, signed),
                (false, 1) => int(IntRank::Long, signed),
                (false, 2..) => int(IntRank::LongLong, signed),
                (false, 0) if seen.base.is_some() || seen.signed || seen.unsigned => {
                    int(IntRank::Int, signed)
                }
                (false, 0) => return Err(self.error()),
            },
        };
        Ok(self.types.intern(ty).into())
    }

    /// A type in parentheses, behind its `(`.
    fn nested_type(&mut self) -> Result<QualType, TypeError> {
        let base = self.specifiers()?;
        let ty = self.declarator(base)?;
        if self.eat(")") {
            Ok(ty)
        } else {
            Err(self.error())
        }
    }

    /// The abstract declarator around `base`.
    fn declarator(&mut self, mut base: QualType) -> Result<QualType, TypeError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error());
        }
        self.skip_attributes();
        while self.eat("*") {
            base = self.types.intern(CType::Pointer(base)).into();
            while self.qualifier(&mut base) {}
            if self.eat_word("_Atomic") {
                base.is_atomic = true;
            }
            self.skip_attributes();
        }
        if !self.at_group() {
            return self.suffixes(base);
        }
        let inside = self.pos + 1;
        self.pos = self.behind_bracket().ok_or_else(|| self.error())?;
        let base = self.suffixes(base)?;
        let behind = std::mem::replace(&mut self.pos, inside);
        let ty = self.declarator(base)?;
        if !self.eat(")") {
            return Err(self.error());
        }
        self.pos = behind;
        Ok(ty)
    }

    /// True at a parenthesis that groups, false at one that starts parameters.
    fn at_group(&mut self) -> bool {
        self.skip_spaces();
        let Some(inside) = self.rest().strip_prefix('(') else {
            return false;
        };
        let mut inside = inside.trim_start();
        while let Some(rest) = inside.strip_prefix("__attribute__((") {
            inside = rest
                .split_once("))")
                .map_or("", |(_, behind)| behind)
                .trim_start();
        }
        inside.starts_with(['*', '(', '['])
    }

    /// `[n]…` and `(parameters)`.
    fn suffixes(&mut self, base: QualType) -> Result<QualType, TypeError> {
        if self.eat("[") {
            let start = self.pos;
            self.pos -= 1;
            let end = self.behind_bracket().ok_or_else(|| self.error())?;
            let length = self.text[start..end - 1].trim().to_owned();
            self.pos = end;
            let element = self.suffixes(base)?;
            let length = self.array_length(&length);
            return Ok(self.types.intern(CType::Array { element, length }).into());
        }
        if self.eat("(") {
            return self.parameters(base);
        }
        Ok(base)
    }

    fn array_length(&mut self, mut text: &str) -> ArrayLength {
        while let Some((word, rest)) = text.split_once(' ')
            && matches!(word, "static" | "const" | "volatile" | "restrict")
        {
            text = rest.trim_start();
        }
        if text.is_empty() {
            return ArrayLength::Unknown;
        }
        match text.parse() {
            Ok(length) => ArrayLength::Fixed(length),
            Err(_) => {
                // The names in the expression may mean something else elsewhere.
                self.same_everywhere = false;
                ArrayLength::Variable(self.types.intern_length(text))
            }
        }
    }

    /// The parameters of a function, behind the `(`.
    fn parameters(&mut self, result: QualType) -> Result<QualType, TypeError> {
        let mut parameters: Vec<QualType> = Vec::new();
        let mut variadic = false;
        if self.eat(")") {
            variadic = true;
        } else {
            loop {
                if self.eat("...") {
                    variadic = true;
                } else {
                    let base = self.specifiers()?;
                    parameters.push(self.declarator(base)?);
                }
                if self.eat(",") {
                    continue;
                }
                if self.eat(")") {
                    break;
                }
                return Err(self.error());
            }
        }
        let void: TypeId = self.types.intern(CType::Void);
        if parameters.len() == 1 && parameters[0] == QualType::from(void) {
            parameters.clear();
        }
        Ok(self
            .types
            .intern(CType::Function {
                result,
                parameters,
                variadic,
            })
            .into())
    }
}
