//! Sections that no clause spells: which elements a region accesses, as arithmetic over variables of the host.
//!
//! ```text
//! for (i = 1; i < n; i++) … p[i - 1] …      lower 0, length (when (+ n -2) (+ n -1) 0)
//! ```
//! The front end spells it in its language; numbers have 64 bits and wrap. In attributes it is text, each operation before its operands.

use std::fmt;
use std::sync::Arc;

/// The first element and the number of elements, which is 0 if nothing is to be mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSection {
    pub lower: Arithmetic,
    pub length: Arithmetic,
}

/// A number that the host computes when it comes to the directive. Parts are shared: the least of hundreds of sums is made step by step, and
/// compared with others in between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Constant(i64),
    /// What an integer variable holds.
    Variable(String),
    Binary(Operator, Arc<Arithmetic>, Arc<Arithmetic>),
    /// The second number if the first is not negative, else the third.
    When(Arc<Arithmetic>, Arc<Arithmetic>, Arc<Arithmetic>),
}

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Add,
    Multiply,
    /// By a positive number, rounded towards zero.
    Divide,
    /// The smaller one.
    Least,
    /// The larger one.
    Most,
}

/// How the operators are written.
const WORDS: [(Operator, &str); 5] = [
    (Operator::Add, "+"),
    (Operator::Multiply, "*"),
    (Operator::Divide, "/"),
    (Operator::Least, "least"),
    (Operator::Most, "most"),
];

const WHEN: &str = "when";

impl Arithmetic {
    /// `a` and `b`, combined; constants at once.
    pub fn binary(operator: Operator, a: Arithmetic, b: Arithmetic) -> Arithmetic {
        if let (Arithmetic::Constant(a), Arithmetic::Constant(b)) = (&a, &b) {
            let (a, b) = (*a, *b);
            match operator {
                Operator::Add => return Arithmetic::Constant(a.wrapping_add(b)),
                Operator::Multiply => return Arithmetic::Constant(a.wrapping_mul(b)),
                Operator::Divide if a >= 0 && b > 0 => return Arithmetic::Constant(a / b),
                Operator::Divide => {}
                Operator::Least => return Arithmetic::Constant(a.min(b)),
                Operator::Most => return Arithmetic::Constant(a.max(b)),
            }
        }
        match (operator, &a, &b) {
            (Operator::Add, Arithmetic::Constant(0), _)
            | (Operator::Multiply, Arithmetic::Constant(1), _) => b,
            (Operator::Add, _, Arithmetic::Constant(0))
            | (Operator::Multiply, _, Arithmetic::Constant(1)) => a,
            (Operator::Least | Operator::Most, _, _) if a == b => a,
            _ => Arithmetic::Binary(operator, Arc::new(a), Arc::new(b)),
        }
    }

    /// `yes` if `condition` is not negative, else `no`.
    pub fn when(condition: Arithmetic, yes: Arithmetic, no: Arithmetic) -> Arithmetic {
        match condition {
            Arithmetic::Constant(0..) => yes,
            Arithmetic::Constant(_) => no,
            condition => Arithmetic::When(Arc::new(condition), Arc::new(yes), Arc::new(no)),
        }
    }

    /// `self - other`.
    pub fn minus(self, other: Arithmetic) -> Arithmetic {
        let negative = Arithmetic::binary(Operator::Multiply, Arithmetic::Constant(-1), other);
        Arithmetic::binary(Operator::Add, self, negative)
    }

    /// As programs write it, for messages: what it is where there is anything.
    pub fn shown(&self) -> String {
        match self {
            Arithmetic::Constant(number) => number.to_string(),
            Arithmetic::Variable(name) => name.clone(),
            Arithmetic::When(_, yes, _) => yes.shown(),
            Arithmetic::Binary(Operator::Least, a, b) => {
                format!("min({}, {})", a.shown(), b.shown())
            }
            Arithmetic::Binary(Operator::Most, a, b) => {
                format!("max({}, {})", a.shown(), b.shown())
            }
            Arithmetic::Binary(Operator::Divide, a, b) => {
                format!("({}) / {}", a.shown(), b.shown())
            }
            Arithmetic::Binary(Operator::Multiply, a, b) => match &**a {
                Arithmetic::Constant(-1) => format!("-{}", b.factor()),
                _ => format!("{} * {}", a.factor(), b.factor()),
            },
            Arithmetic::Binary(Operator::Add, a, b) => {
                let b = b.shown();
                match b.strip_prefix('-') {
                    Some(positive) => format!("{} - {positive}", a.shown()),
                    None => format!("{} + {b}", a.shown()),
                }
            }
        }
    }

    fn factor(&self) -> String {
        match self {
            Arithmetic::Binary(Operator::Add | Operator::Divide, ..) => {
                format!("({})", self.shown())
            }
            Arithmetic::Constant(_)
            | Arithmetic::Variable(_)
            | Arithmetic::Binary(..)
            | Arithmetic::When(..) => self.shown(),
        }
    }

    /// How many numbers and operations it is made of.
    pub fn size(&self) -> usize {
        match self {
            Arithmetic::Constant(_) | Arithmetic::Variable(_) => 1,
            Arithmetic::Binary(_, a, b) => 1 + a.size() + b.size(),
            Arithmetic::When(a, b, c) => 1 + a.size() + b.size() + c.size(),
        }
    }

    /// What is written so.
    pub fn read(text: &str) -> Option<Arithmetic> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        let read = Arithmetic::next(&mut words)?;
        words.next().is_none().then_some(read)
    }

    fn next<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Arithmetic> {
        let word = words.next()?;
        if word != "(" {
            let number = word.parse().ok().map(Arithmetic::Constant);
            let is_name = word != ")";
            return number.or_else(|| is_name.then(|| Arithmetic::Variable(word.to_string())));
        }
        let operator = words.next()?;
        let (a, b) = (Self::next(words)?, Self::next(words)?);
        let read = match WORDS.iter().find(|(_, word)| *word == operator) {
            Some((operator, _)) => Arithmetic::Binary(*operator, Arc::new(a), Arc::new(b)),
            None if operator == WHEN => {
                Arithmetic::When(Arc::new(a), Arc::new(b), Arc::new(Self::next(words)?))
            }
            None => return None,
        };
        (words.next() == Some(")")).then_some(read)
    }
}

/// As [`Arithmetic::read`] reads it.
impl fmt::Display for Arithmetic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arithmetic::Constant(number) => write!(out, "{number}"),
            Arithmetic::Variable(name) => write!(out, "{name}"),
            Arithmetic::Binary(operator, a, b) => {
                let word = WORDS.iter().find(|(known, _)| known == operator);
                write!(out, "({} {a} {b})", word.map_or("", |(_, word)| word))
            }
            Arithmetic::When(a, b, c) => write!(out, "({WHEN} {a} {b} {c})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_read_as_it_is_written() {
        let n = || Arithmetic::Variable("n".to_string());
        let less = n().minus(Arithmetic::Constant(1));
        let least = Arithmetic::binary(Operator::Least, less.clone(), Arithmetic::Constant(7));
        let section = Arithmetic::when(less, least, Arithmetic::Constant(0));
        let text = section.to_string();
        assert_eq!(text, "(when (+ n -1) (least (+ n -1) 7) 0)");
        assert_eq!(Arithmetic::read(&text), Some(section));
        for wrong in ["", "(", "(+ 1)", "(+ 1 2", "1 2", "(? 1 2)", ")"] {
            assert_eq!(Arithmetic::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_known_is_computed() {
        let n = || Arithmetic::Variable("n".to_string());
        let constant = Arithmetic::Constant;
        assert_eq!(constant(5).minus(constant(7)), constant(-2));
        assert_eq!(
            Arithmetic::binary(Operator::Multiply, constant(1), n()),
            n()
        );
        assert_eq!(
            Arithmetic::when(constant(-1), n(), constant(0)),
            constant(0)
        );
        assert_eq!(Arithmetic::binary(Operator::Most, n(), n()), n());
    }
}
