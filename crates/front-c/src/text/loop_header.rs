//! What the head of a canonical loop says (OpenMP 5.2, section 4.4.1), by its tokens.
//!
//! ```text
//! for (int i = a + 1; i < n; i += 2)       variable `i` of type `int`, from `a + 1`, less than `n`, step `2` upwards
//! ```

use super::lexer::{Token, TokenKind};
use super::statement::group_end;

/// A loop whose head is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The type of a counter that is declared here.
    pub(super) declared: Option<String>,
    pub(super) variable: String,
    pub(super) from: String,
    pub(super) test: Test,
    pub(super) to: String,
    /// What an iteration adds, or takes off: a constant or an expression.
    pub(super) step: String,
    pub(super) is_down: bool,
    /// The index of the first token of the body.
    pub(super) body: usize,
}

/// How the counter is compared with the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    NotEqual,
}

impl Test {
    /// Which way it counts.
    fn is_down(self) -> Option<bool> {
        match self {
            Test::Less | Test::LessOrEqual => Some(false),
            Test::Greater | Test::GreaterOrEqual => Some(true),
            Test::NotEqual => None,
        }
    }

    /// With its sides exchanged.
    fn turned(self) -> Test {
        match self {
            Test::Less => Test::Greater,
            Test::LessOrEqual => Test::GreaterOrEqual,
            Test::Greater => Test::Less,
            Test::GreaterOrEqual => Test::LessOrEqual,
            Test::NotEqual => Test::NotEqual,
        }
    }
}

impl Header {
    /// Reads the loop whose `for` is the token `at`.
    pub(super) fn read(text: &[u8], tokens: &[Token], at: usize) -> Option<Header> {
        let word = |index: usize| tokens.get(index).map_or(&b""[..], |token| token.of(text));
        if word(at) != b"for" || word(at + 1) != b"(" {
            return None;
        }
        let close = group_end(text, tokens, at + 1);
        let head = tokens.get(at + 2..close)?.iter();
        let head: Vec<Token> = head
            .filter(|it| it.kind != TokenKind::Line)
            .copied()
            .collect();
        let source = Source { text };
        let parts = source.split(&head, b";");
        let [first, condition, last] = parts[..] else {
            return None;
        };
        let equals = source.find(first, |at| {
            source.is(first, at, b"=") && !source.is(first, at + 1, b"=")
        })?;
        let (name, declared) = first.get(..equals)?.split_last()?;
        let variable = source.name(std::slice::from_ref(name))?;
        let from = source.words(first.get(equals + 1..)?);
        let (test, to) = source.condition(condition, &variable)?;
        let (is_down, step) = source.step(last, &variable)?;
        let (is_down, step) = match step.strip_prefix('-') {
            Some(step) if step.bytes().all(|byte| byte.is_ascii_digit()) => (!is_down, step.into()),
            Some(_) | None => (is_down, step),
        };
        let (is_down, step) = match test.is_down() {
            Some(down) if down != is_down => (down, format!("-({step})")),
            Some(_) | None => (is_down, step),
        };
        let is_plain = !source.has(first, b",") && !from.is_empty() && !to.is_empty();
        is_plain.then(|| Header {
            declared: (!declared.is_empty()).then(|| source.words(declared)),
            variable,
            from,
            test,
            to,
            step,
            is_down,
            body: close + 1,
        })
    }

    /// The step as a number.
    pub(super) fn constant_step(&self) -> Option<u64> {
        self.step.parse().ok()
    }
}

struct Source<'a> {
    text: &'a [u8],
}

impl Source<'_> {
    fn is(&self, tokens: &[Token], at: usize, word: &[u8]) -> bool {
        tokens.get(at).is_some_and(|it| it.of(self.text) == word)
    }

    /// The first token outside of brackets of which `is_it` holds.
    fn find(&self, tokens: &[Token], is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = 0;
        while at < tokens.len() {
            if is_it(at) {
                return Some(at);
            }
            at = match tokens[at].of(self.text) {
                b"(" | b"[" | b"{" => group_end(self.text, tokens, at) + 1,
                _ => at + 1,
            };
        }
        None
    }

    fn has(&self, tokens: &[Token], word: &[u8]) -> bool {
        self.find(tokens, |at| self.is(tokens, at, word)).is_some()
    }

    fn split<'t>(&self, tokens: &'t [Token], word: &[u8]) -> Vec<&'t [Token]> {
        let (mut parts, mut rest) = (Vec::new(), tokens);
        while let Some(at) = self.find(rest, |at| self.is(rest, at, word)) {
            parts.push(&rest[..at]);
            rest = &rest[at + 1..];
        }
        parts.push(rest);
        parts
    }

    /// The tokens as a text of one line.
    fn words(&self, tokens: &[Token]) -> String {
        let mut words = String::new();
        let mut last = None;
        for token in tokens {
            if last.is_some_and(|end| end < token.start) {
                words.push(' ');
            }
            words += &String::from_utf8_lossy(token.of(self.text));
            last = Some(token.end);
        }
        words
    }

    fn name(&self, tokens: &[Token]) -> Option<String> {
        match tokens {
            [only] if only.kind == TokenKind::Word => Some(self.words(tokens)),
            _ => None,
        }
    }

    fn condition(&self, tokens: &[Token], variable: &str) -> Option<(Test, String)> {
        let is = |at: usize, word: &[u8]| self.is(tokens, at, word);
        let begins = |at: usize| match () {
            () if is(at, b"!") => is(at + 1, b"="),
            // No shift, no arrow.
            () if is(at, b"<") => !is(at + 1, b"<") && (at == 0 || !is(at - 1, b"<")),
            () if is(at, b">") => {
                !is(at + 1, b">") && (at == 0 || !is(at - 1, b">") && !is(at - 1, b"-"))
            }
            () => false,
        };
        let at = self.find(tokens, begins)?;
        let has_equal = is(at + 1, b"=");
        let test = match (tokens[at].of(self.text), has_equal) {
            (b"<", false) => Test::Less,
            (b"<", true) => Test::LessOrEqual,
            (b">", false) => Test::Greater,
            (b">", true) => Test::GreaterOrEqual,
            _ => Test::NotEqual,
        };
        let (left, right) = (
            &tokens[..at],
            tokens.get(at + 1 + usize::from(has_equal)..)?,
        );
        let others: [&[u8]; 7] = [b"<", b">", b"&", b"|", b"^", b"?", b","];
        if self.name(left).as_deref() == Some(variable) {
            let is_other = others.iter().any(|word| self.has(right, word));
            return (!is_other || self.has(right, b"-") && is_arrow(self, right))
                .then(|| (test, self.words(right)));
        }
        if self.name(right).as_deref() == Some(variable) {
            let is_other = others.iter().any(|word| self.has(left, word));
            return (!is_other || self.has(left, b"-") && is_arrow(self, left))
                .then(|| (test.turned(), self.words(left)));
        }
        None
    }

    fn step(&self, tokens: &[Token], variable: &str) -> Option<(bool, String)> {
        let of = |range: &[Token]| -> Vec<String> {
            range.iter().map(|it| self.words(&[*it])).collect()
        };
        let words = of(tokens);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let sum: [&[u8]; 2] = [b"+", b"-"];
        let loose: [&[u8]; 8] = [b"<", b">", b"&", b"|", b"^", b"?", b",", b"="];
        let holds = |range: &[Token], those: &[&[u8]]| those.iter().any(|it| self.has(range, it));
        let one = "1".to_string();
        match words.as_slice() {
            ["+", "+", name] | [name, "+", "+"] if *name == variable => Some((false, one)),
            ["-", "-", name] | [name, "-", "-"] if *name == variable => Some((true, one)),
            [name, sign @ ("+" | "-"), "=", _, ..] if *name == variable => {
                let step = &tokens[3..];
                (!holds(step, &[b",", b"="])).then(|| (*sign == "-", self.words(step)))
            }
            [name, "=", again, sign @ ("+" | "-"), _, ..]
                if *name == variable && *again == variable =>
            {
                let step = &tokens[4..];
                let is_one = !holds(step, &loose) && (*sign == "+" || !holds(step, &sum));
                is_one.then(|| (*sign == "-", self.words(step)))
            }
            [name, "=", .., "+", again] if *name == variable && *again == variable => {
                let step = &tokens[2..tokens.len() - 2];
                (!step.is_empty() && !holds(step, &loose)).then(|| (false, self.words(step)))
            }
            _ => None,
        }
    }
}

/// Whether all `>` outside of brackets are those of `->`, and nothing else is compared.
fn is_arrow(source: &Source<'_>, tokens: &[Token]) -> bool {
    let others: [&[u8]; 6] = [b"<", b"&", b"|", b"^", b"?", b","];
    let is_other =
        |at: usize| source.is(tokens, at, b">") && (at == 0 || !source.is(tokens, at - 1, b"-"));
    source.find(tokens, is_other).is_none() && !others.iter().any(|it| source.has(tokens, it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexer::Lexer;

    fn read(text: &str) -> Option<Header> {
        let tokens: Vec<Token> = Lexer::new(text.as_bytes()).collect();
        Header::read(text.as_bytes(), &tokens, 0)
    }

    #[test]
    fn canonical_heads() {
        for (text, declared, parts, is_down) in [
            (
                "for (int i = 0; i < n; i++) ;",
                Some("int"),
                ["i", "0", "n", "1"],
                false,
            ),
            (
                "for (i = a[0]; 0 <= i; i -= 2) ;",
                None,
                ["i", "a[0]", "0", "2"],
                true,
            ),
            (
                "for (i = 9; i != p->n; --i) ;",
                None,
                ["i", "9", "p->n", "1"],
                true,
            ),
            (
                "for (unsigned long k = 0; k < m << 1; k = s + k) ;",
                None,
                ["", "", "", ""],
                false,
            ),
            (
                "for (unsigned long k = 0; k < (m << 1); k = 2 * s + k) ;",
                Some("unsigned long"),
                ["k", "0", "(m << 1)", "2 * s"],
                false,
            ),
            (
                "for (k = 0; k < m; k = k - a - b) ;",
                None,
                ["", "", "", ""],
                false,
            ),
            (
                "for (k = 0, j = 1; k < m; k++) ;",
                None,
                ["", "", "", ""],
                false,
            ),
        ] {
            let header = read(text);
            let Some(header) = header else {
                assert_eq!(parts[0], "", "{text}");
                continue;
            };
            let Header {
                variable,
                from,
                to,
                step,
                ..
            } = &header;
            assert_eq!([variable, from, to, step], parts, "{text}");
            assert_eq!(header.declared.as_deref(), declared);
            assert_eq!(header.is_down, is_down);
        }
        assert_eq!(
            read("for (i = 0; 3 > i; i++) ;").map(|it| it.test),
            Some(Test::Less)
        );
        assert_eq!(read("while (x) ;"), None);
    }
}
