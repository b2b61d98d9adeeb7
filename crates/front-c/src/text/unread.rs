//! Host code that clang cannot read: what is left out of its text, and what takes its place.
//!
//! Problem: clang refuses some of what the user's compiler takes, such as nested functions and decimal numbers. Code
//! outside of regions need not be understood, only what it may do to variables must be known.
//!
//! ```text
//! _Decimal64 d = 1.5dd, *p;               extern struct __accrue_unread d,p;__accrue_unread(0);
//! d += n;                            →    __accrue_unread(1);
//! if (d > 2dd) …                          if (__accrue_unread(2)) …
//! ```
//!
//! Steps, for each place where clang found an error:
//! 1. [`Finder::piece`] goes down from the body of the function to the statement that holds the place. Regions are
//!    not looked into, and what holds directives is not left out: there an error is the user's.
//! 2. What the statement may declare is declared anew, with a type that nothing can be done with. Its names then still
//!    hide those of outer scopes, and a region that uses them is refused.
//! 3. A call says that something unknown happens here. Import takes it for a use of every variable with a name among the
//!    words that were left out ([`Unread::words`]).
//!
//! clang then reads the new text, which may have other errors: a variable that is missing.

use super::declared::{declarations, function_name};
use super::lexer::{TokenKind, name_of};
use super::outline::Body;
use super::statement::{group_end, statement_end};
use super::unit::Unit;
use accrue_diag::Diagnostic;
use accrue_directives::{AnyDirective, DirectiveKind, omp};
use std::collections::BTreeSet;
use std::ops::Range;

/// The function and the structure that stand for what is left out.
pub const UNREAD: &str = "__accrue_unread";

/// Code that was left out.
#[derive(Clone, Debug)]
pub struct Unread {
    /// Where it is in the preprocessed text.
    pub range: Range<usize>,
    /// The declarations that take its place.
    pub declarations: String,
    /// What follows them.
    pub form: Form,
    /// Its words.
    pub words: BTreeSet<String>,
    /// What clang says about it.
    pub message: Diagnostic,
}

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A statement or a declaration of a function: a call takes its place.
    Statement,
    /// The condition of a statement: a call without semicolon takes its place.
    Condition,
    /// What is between the braces of a function without directives: nothing takes its place.
    Body,
    /// A line of the preprocessor, or a declaration outside of functions: nothing takes its place.
    Nothing,
}

/// What is to be left out because of an error of clang's at `offset` of the preprocessed text. `None` if it must stay: it is
/// in a region, for example, or it was left out already.
pub fn leave_out(
    unit: &Unit,
    offset: usize,
    message: &Diagnostic,
    before: &[Unread],
) -> Option<Unread> {
    let finder = Finder { unit };
    let (tokens, form) = finder.piece(offset)?;
    let (first, last) = (
        unit.outline.tokens.get(tokens.start)?,
        unit.outline.tokens.get(tokens.end.checked_sub(1)?)?,
    );
    let tokens_around = (tokens.start.checked_sub(1), tokens.end);
    let range = match (form, tokens_around) {
        // Up to the brace: that is how an emptied body is known.
        (Form::Body, (Some(open), close)) => {
            unit.outline.tokens.get(open)?.end..unit.outline.tokens.get(close)?.start
        }
        (Form::Body | Form::Statement | Form::Condition | Form::Nothing, _) => {
            first.start..last.end
        }
    };
    let directives = unit
        .directives
        .iter()
        .map(|directive| &directive.source.span);
    let mut spans = directives.chain(before.iter().map(|unread| &unread.range));
    if spans.any(|span| span.start < range.end && range.start < span.end) {
        return None;
    }
    let inside = unit.outline.tokens.get(tokens)?;
    let declarations = match form {
        Form::Statement => declarations(&unit.text, inside)?,
        Form::Condition | Form::Body | Form::Nothing => String::new(),
    };
    let words = inside.iter().filter(|token| token.kind == TokenKind::Word);
    let words: BTreeSet<String> = words
        .map(|token| String::from_utf8_lossy(&name_of(token.of(&unit.text))).into_owned())
        .collect();
    let jumps = ["return", "goto", "break", "continue"];
    if jumps.into_iter().any(|jump| words.contains(jump)) && in_data_construct(unit, offset) {
        // It may leave the construct, which is not allowed.
        return None;
    }
    Some(Unread {
        range,
        declarations,
        form,
        words,
        message: message.clone(),
    })
}

/// Whether a place is in the statement of a `data` or `host_data` construct.
fn in_data_construct(unit: &Unit, offset: usize) -> bool {
    let outline = &unit.outline;
    unit.directives.iter().any(|directive| {
        let structured = match &directive.directive {
            AnyDirective::Acc(acc) => {
                matches!(acc.kind, DirectiveKind::Data | DirectiveKind::HostData)
            }
            AnyDirective::Omp(omp) => omp.kind == omp::DirectiveKind::TargetData,
        };
        structured
            && directive.next_token.is_some_and(|next| {
                let first = outline.index_of(next);
                let end = statement_end(&unit.text, &outline.tokens, first);
                let end = outline.tokens.get(end.saturating_sub(1));
                next <= offset && end.is_some_and(|last| offset < last.end)
            })
    })
}

/// Finds the smallest piece around a place that can be left out.
struct Finder<'a> {
    unit: &'a Unit,
}

impl Finder<'_> {
    /// The tokens to leave out.
    fn piece(&self, offset: usize) -> Option<(Range<usize>, Form)> {
        let outline = &self.unit.outline;
        // The token that holds the offset.
        let at = outline.tokens.partition_point(|token| token.end <= offset);
        let token = outline.tokens.get(at)?;
        if token.kind == TokenKind::Line {
            return Some((at..at + 1, Form::Nothing));
        }
        let Some(index) = outline.body_around(offset) else {
            return self.file_scope(at);
        };
        let body = outline.bodies.get(index)?;
        let span = outline.tokens[body.open].start..outline.tokens[body.close].end;
        let starts = self.unit.directives.iter().map(|it| it.source.span.start);
        match starts.into_iter().any(|start| span.contains(&start)) {
            false => Some((body.open + 1..body.close, Form::Body)),
            true => self.in_block(body.open, body.close, at),
        }
    }

    /// The declaration or function definition outside of functions that holds the token.
    fn file_scope(&self, at: usize) -> Option<(Range<usize>, Form)> {
        let bodies = &self.unit.outline.bodies;
        let next = bodies.partition_point(|body: &Body| body.close < at);
        let behind_last = next.checked_sub(1).map_or(0, |last| bodies[last].close + 1);
        if let Some(body) = bodies.get(next).filter(|body| body.start <= at) {
            return Some((body.start..body.close + 1, Form::Nothing));
        }
        let mut start = behind_last;
        while start <= at {
            let end = self.simple_end(start)?;
            if at < end {
                return Some((start..end, Form::Nothing));
            }
            start = end;
        }
        None
    }

    /// The piece that holds the token, in the block between two braces.
    fn in_block(&self, open: usize, close: usize, at: usize) -> Option<(Range<usize>, Form)> {
        let (text, tokens) = (&self.unit.text, &self.unit.outline.tokens);
        let mut index = open + 1;
        while index < close && index <= at {
            let token = tokens.get(index)?;
            if token.kind == TokenKind::Line {
                // What a region consists of must be read.
                let is_region = self
                    .unit
                    .directive_at(token.start)
                    .is_some_and(|it| it.directive.is_compute());
                index = match is_region {
                    true => statement_end(text, tokens, index),
                    false => index + 1,
                };
                continue;
            }
            match token.of(text) {
                b"{" | b"<%" => {
                    let end = group_end(text, tokens, index);
                    if at <= end {
                        return self.in_block(index, end, at);
                    }
                    index = end + 1;
                }
                b"if" | b"while" | b"switch" => {
                    let end = group_end(text, tokens, index + 1);
                    if at <= end {
                        return Some((index + 2..end, Form::Condition));
                    }
                    index = end + 1;
                }
                b"for" => {
                    let end = group_end(text, tokens, index + 1);
                    if at <= end {
                        // A variable may be declared here.
                        return Some((index..statement_end(text, tokens, index), Form::Statement));
                    }
                    index = end + 1;
                }
                b"else" | b"do" | b"default" | b":" => index += 1,
                b"_Pragma" => {
                    let is_region = self
                        .unit
                        .directive_at(token.start)
                        .is_some_and(|it| it.directive.is_compute());
                    index = match is_region {
                        true => statement_end(text, tokens, index),
                        false => group_end(text, tokens, index + 1) + 1,
                    };
                }
                b"case" => {
                    while index < at && tokens.get(index)?.of(text) != b":" {
                        index += 1;
                    }
                    index += 1;
                }
                _ if tokens
                    .get(index + 1)
                    .is_some_and(|next| next.of(text) == b":") =>
                {
                    index += 2
                }
                _ => {
                    let end = self.simple_end(index)?;
                    if at < end {
                        return Some((index..end, Form::Statement));
                    }
                    index = end;
                }
            }
        }
        None
    }

    /// The index behind a statement without statements in it, or behind the definition of a nested function.
    fn simple_end(&self, start: usize) -> Option<usize> {
        let (text, tokens) = (&self.unit.text, &self.unit.outline.tokens);
        let mut at = start;
        loop {
            match tokens.get(at)?.of(text) {
                b";" => return Some(at + 1),
                b"}" | b"%>" => return Some(at.max(start + 1)),
                b"{" | b"<%" if function_name(text, tokens, start, at).is_some() => {
                    return Some(group_end(text, tokens, at) + 1);
                }
                b"(" | b"[" | b"{" | b"<%" => at = group_end(text, tokens, at) + 1,
                _ => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::scan::scan;
    use crate::text::sentinel::Languages;
    use accrue_diag::SourceFiles;
    use accrue_directives::Language;

    /// What is left out because of an error at `!` (which is part of the text), and what takes its place.
    fn left_out(statements: &str) -> Option<(String, String)> {
        let text = format!("int g;\nint f(int n) {{\n#pragma acc wait\n{statements}\n}}\n");
        let unit = scan(
            text.clone().into(),
            Language::C,
            Languages::ACC,
            "a.c",
            &SourceFiles::default(),
        );
        let offset = text.find('!')?;
        let found = leave_out(&unit.ok()?, offset, &Diagnostic::error("x"), &[])?;
        Some((text[found.range].to_owned(), found.declarations))
    }

    #[test]
    fn the_smallest_statement_is_left_out() {
        for (statements, piece) in [
            ("x = 1; y = !; z = 2;", "y = !;"),
            ("if (n) y = !; else z = 2;", "y = !;"),
            ("if (n > !) y = 1;", "n > !"),
            ("{ while (n) { do x = !; while (n); } }", "x = !;"),
            (
                "for (int i = !; i < n; i++) { f(i); }",
                "for (int i = !; i < n; i++) { f(i); }",
            ),
            ("switch (n) { case 1: x = !; default: ; }", "x = !;"),
            ("again: x = !; goto again;", "x = !;"),
            (
                "#pragma STDC FENV_ACCESS !\n;",
                "#pragma STDC FENV_ACCESS !",
            ),
            (
                "int h(int a) { return !; } x = 1;",
                "int h(int a) { return !; }",
            ),
            (
                "x = (struct s) { !, 2 }; y = 1;",
                "x = (struct s) { !, 2 };",
            ),
        ] {
            assert_eq!(left_out(statements).map(|it| it.0).as_deref(), Some(piece));
        }
    }

    #[test]
    fn what_may_be_declared_is_declared() {
        for (statement, names) in [
            ("x = !;", ""),
            ("f(x, !);", ""),
            ("*p = !;", ""),
            ("real x = !, *y, z[3];", "xyz"),
            ("const real x = g(a, !);", "x"),
            ("struct { char t[!]; int x; } s;", "s"),
            ("int h(int a) { return !; }", "h"),
            ("typedef real x[!];", "x"),
            ("static unsigned long x = !, y;", "xy"),
            ("static double (*x)(int y) = !;", "x"),
        ] {
            let declared = left_out(statement).map(|it| it.1).unwrap_or_default();
            let expected = names
                .chars()
                .map(|name| format!("extern struct __accrue_unread {name};"));
            assert_eq!(declared, expected.collect::<String>(), "{statement}");
        }
        let tag = left_out("struct s { char t[!]; } x;").map(|it| it.1);
        assert_eq!(
            tag.as_deref(),
            Some("struct s;extern struct __accrue_unread x;")
        );
    }

    #[test]
    fn regions_and_unclear_code_stay() {
        for statement in [
            "\n#pragma acc parallel\n{ x = !; }",
            "\n#pragma acc data copy(n)\n{ return !; }",
            "enum e { A = ! };",
            "for (int i = !; i < n; i++) {\n#pragma acc wait\n}",
        ] {
            assert_eq!(left_out(statement), None, "{statement}");
        }
    }
}
