//! C expressions with the precedence of their outermost operator.

/// How tightly the outermost operator of an expression binds, loosest first. Bit operations, shifts and comparisons
/// always get parentheses around operands of their own kind: readers and `-Wparentheses` want them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prec {
    Conditional,
    Bits,
    Compare,
    Shift,
    Add,
    Mul,
    Unary,
    Primary,
}

/// Whether the text is the value, or an lvalue whose address is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Value,
    Place,
}

/// What stands for an SSA value in the C text.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub prec: Prec,
    pub form: Form,
    /// Reads memory: must be evaluated before the next write.
    pub memory: bool,
    /// May be written as often as needed: a name, a constant, an address made of those.
    pub atom: bool,
    /// The same number as an unsigned expression, where that is what was computed first.
    pub unsigned: Option<Box<Expr>>,
}

/// Longest place that is repeated instead of being put into a pointer.
const LONGEST_ATOM: usize = 48;

impl Expr {
    /// A name or constant.
    pub fn atom(text: impl Into<String>) -> Self {
        let text = text.into();
        let prec = if text.starts_with(['-', '(']) {
            Prec::Unary
        } else {
            Prec::Primary
        };
        Expr {
            text,
            prec,
            form: Form::Value,
            memory: false,
            atom: true,
            unsigned: None,
        }
    }

    /// A variable, standing for its address.
    pub fn variable(name: impl Into<String>) -> Self {
        Expr {
            form: Form::Place,
            ..Expr::atom(name)
        }
    }

    /// An expression made of `parts`.
    pub fn of(text: String, prec: Prec, parts: &[&Expr]) -> Self {
        let memory = parts.iter().any(|p| p.memory);
        Expr {
            text,
            prec,
            form: Form::Value,
            memory,
            atom: false,
            unsigned: None,
        }
    }

    /// The lvalue `text`, made of `parts`, standing for its address.
    pub fn place(text: String, parts: &[&Expr]) -> Self {
        let atom = parts.iter().all(|p| p.atom) && text.len() <= LONGEST_ATOM;
        Expr {
            atom,
            form: Form::Place,
            ..Expr::of(text, Prec::Primary, parts)
        }
    }

    /// As a value: `&` of a place.
    pub fn value(self) -> Expr {
        match self.form {
            Form::Value => self,
            Form::Place => Expr {
                text: format!("&{}", self.text),
                prec: Prec::Unary,
                form: Form::Value,
                ..self
            },
        }
    }

    /// The object at this address, as an lvalue.
    pub fn object(self) -> Expr {
        match self.form {
            Form::Place => Expr {
                form: Form::Value,
                ..self
            },
            Form::Value => {
                let text = format!("*{}", self.at(Prec::Unary));
                Expr {
                    text,
                    prec: Prec::Unary,
                    ..self
                }
            }
        }
    }

    /// The text of a value as an operand that must bind at least as tightly as `min`.
    pub fn at(&self, min: Prec) -> String {
        let value = self.clone().value();
        if value.prec < min {
            format!("({})", value.text)
        } else {
            value.text
        }
    }

    /// The text of a value where any expression can stand.
    pub fn whole(&self) -> String {
        self.clone().value().text
    }

    /// Whether it can be written twice in one expression without repeating work.
    pub fn is_simple(&self) -> bool {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        self.form == Form::Value && (self.atom || self.text.chars().all(word))
    }
}
