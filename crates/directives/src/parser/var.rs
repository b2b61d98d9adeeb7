//! Variables in clauses (sections 1.6 and 2.7.1): names, members, array elements, subarrays, common blocks.
//!
//! ```text
//! C        s->p[0:n][1:m]     base `s->p`, sections [0:n] and [1:m]
//! Fortran  t%a(1:n, 3)        base `t%a`, triplet 1:n and index 3
//! Fortran  /blk/              common block `blk`
//! ```

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::{Language, Subscript, Var, VarKind};
use crate::scan::{Piece, is_word_byte, piece_span};

impl Parser<'_> {
    /// A comma-separated list of at least one variable. `group` is the parentheses it stands in, `of` says in words
    /// what they belong to.
    pub(crate) fn vars(
        &mut self,
        list: Span,
        group: Span,
        of: &str,
        section: &'static str,
    ) -> Option<Vec<Var>> {
        if list.is_empty() {
            return self.fail(
                Diagnostic::error(group, format!("{of} needs at least one variable"))
                    .section(section),
            );
        }
        let parts = self.text.split_commas(list);
        let count = parts.len();
        let vars: Vec<Var> = parts
            .into_iter()
            .filter_map(|part| self.var(part, list, of, section))
            .collect();
        (vars.len() == count).then_some(vars)
    }

    pub(super) fn var(
        &mut self,
        part: Span,
        list: Span,
        of: &str,
        section: &'static str,
    ) -> Option<Var> {
        if part.is_empty() {
            let place = Span::new(
                part.start.min(list.end),
                (part.start + 1).min(list.end.max(part.start)),
            );
            return self.fail(
                Diagnostic::error(place, format!("a variable is missing in the list of {of}"))
                    .section(section),
            );
        }
        if self.text.language == Language::Fortran && self.text.of(part).starts_with('/') {
            return self.common_block(part);
        }
        let (base, groups) = self.trailing_groups(part);
        if let Some(diagnostic) = self.not_a_variable(base, part) {
            return self.fail(diagnostic.section("2.7.1"));
        }
        let mut subscripts = Vec::new();
        for group in groups {
            match self.text.language {
                Language::C | Language::Cxx => subscripts.push(self.c_subscript(group)?),
                Language::Fortran => {
                    for dimension in self.text.split_commas(self.text.inside(group)) {
                        subscripts.push(self.fortran_subscript(dimension, group)?);
                    }
                }
            }
        }
        Some(Var {
            span: part,
            base,
            kind: VarKind::Object,
            subscripts,
        })
    }

    fn common_block(&mut self, part: Span) -> Option<Var> {
        let text = self.text.of(part);
        let name = Span::new(
            part.start + 1,
            part.end.saturating_sub(1).max(part.start + 1),
        );
        let name = self.text.trim(name);
        if text.len() < 2
            || !text.ends_with('/')
            || name.is_empty()
            || !self.is_qualified_name(name)
        {
            return self.fail(
                Diagnostic::error(part, "a common block is written `/name/`").section("2.7.1"),
            );
        }
        Some(Var {
            span: part,
            base: name,
            kind: VarKind::CommonBlock,
            subscripts: Vec::new(),
        })
    }

    /// Splits `s->p[0:n][1:m]` into `s->p` and its subscript groups; in Fortran the last group alone subscripts.
    fn trailing_groups(&self, part: Span) -> (Span, Vec<Span>) {
        let open = match self.text.language {
            Language::C | Language::Cxx => '[',
            Language::Fortran => '(',
        };
        let mut groups = Vec::new();
        let mut base_end = part.end;
        for piece in self.text.pieces(part).into_iter().rev() {
            match piece {
                Piece::Blank(_) => {}
                Piece::Group(group)
                    if self.text.of(group).starts_with(open) && group.start > part.start =>
                {
                    groups.insert(0, group);
                    base_end = group.start;
                    if self.text.language == Language::Fortran {
                        break;
                    }
                }
                Piece::Byte(..) | Piece::Group(_) | Piece::Literal(_) => break,
            }
        }
        (self.text.trim(Span::new(part.start, base_end)), groups)
    }

    /// Why `base` cannot name a variable, judged by its characters alone.
    fn not_a_variable(&self, base: Span, part: Span) -> Option<Diagnostic> {
        let pieces = self.text.pieces(base);
        let fortran = self.text.language == Language::Fortran;
        let error = |span: Span, message: &str| Some(Diagnostic::error(span, message.to_string()));
        let mut previous: Option<Piece> = None;
        let mut gap = false;
        for piece in pieces.iter().copied() {
            let span = piece_span(piece);
            let word_before = matches!(previous, Some(Piece::Byte(_, byte)) if is_word_byte(byte))
                || matches!(previous, Some(Piece::Group(_)));
            match piece {
                Piece::Blank(_) => {
                    gap = true;
                    continue;
                }
                Piece::Literal(_) => {
                    return error(part, "a variable is expected here, not a literal");
                }
                Piece::Group(group)
                    if previous.is_none() && (fortran || !self.text.of(group).starts_with('(')) =>
                {
                    return error(part, "a variable is expected here");
                }
                Piece::Group(_) => {}
                Piece::Byte(_, byte) if is_word_byte(byte) => {
                    if previous.is_none() && byte.is_ascii_digit() {
                        return error(part, "a variable is expected here, not a number");
                    }
                    if gap && word_before {
                        return Some(
                            Diagnostic::error(part, "a comma is missing between two variables")
                                .label(format!(
                                    "`{}` begins a second one",
                                    self.text.of(Span::new(span.start, base.end))
                                )),
                        );
                    }
                }
                Piece::Byte(_, b'*') if previous.is_none() && !fortran => {
                    let pointer = self.text.of(Span::new(span.end, part.end)).trim();
                    return Some(
                        Diagnostic::error(part, "an expression is no variable").help(format!(
                            "name what the pointer points to as a subarray: `{pointer}[0:1]`"
                        )),
                    );
                }
                Piece::Byte(_, b'%') if fortran => {}
                Piece::Byte(_, b'.' | b':') if !fortran => {}
                Piece::Byte(at, b'-')
                    if !fortran && self.text.text.as_bytes().get(at + 1) == Some(&b'>') => {}
                Piece::Byte(_, b'>') if matches!(previous, Some(Piece::Byte(_, b'-'))) => {}
                Piece::Byte(..) => return error(part, "an expression is no variable"),
            }
            gap = false;
            previous = Some(piece);
        }
        match previous {
            None => error(part, "a variable is expected here"),
            Some(Piece::Byte(_, byte)) if !is_word_byte(byte) => {
                error(part, "a variable is expected here")
            }
            Some(_) => None,
        }
    }

    /// `[i]`, `[lower : length]`
    fn c_subscript(&mut self, group: Span) -> Option<Subscript> {
        let span = self.text.inside(group);
        let part = |part: Span| (!part.is_empty()).then_some(part);
        match self.text.split_colons(span).as_slice() {
            [index] if !index.is_empty() => Some(Subscript::Index(*index)),
            [_] => self.fail(
                Diagnostic::error(group, "a subscript is missing between the brackets")
                    .help("`[:]` is the whole dimension, `[lower:length]` a part of it")
                    .section("2.7.1"),
            ),
            [lower, length] => Some(Subscript::Section {
                span,
                lower: part(*lower),
                length: part(*length),
                stride: None,
            }),
            [lower, length, stride] if self.strides => Some(Subscript::Section {
                span,
                lower: part(*lower),
                length: part(*length),
                stride: part(*stride),
            }),
            [..] => self.fail(
                Diagnostic::error(
                    group,
                    "a subarray has a lower bound and a length, nothing more",
                )
                .help("write `[lower:length]`; only `to` and `from` of OpenMP's `target update` take strides")
                .section("2.7.1"),
            ),
        }
    }

    /// `i`, `lower : upper : stride`
    fn fortran_subscript(&mut self, span: Span, group: Span) -> Option<Subscript> {
        let part = |part: Span| (!part.is_empty()).then_some(part);
        match self.text.split_colons(span).as_slice() {
            [index] if !index.is_empty() => Some(Subscript::Index(*index)),
            [_] => self.fail(
                Diagnostic::error(group, "a subscript is missing between the parentheses")
                    .section("2.7.1"),
            ),
            [lower, upper] => Some(Subscript::Triplet {
                span,
                lower: part(*lower),
                upper: part(*upper),
                stride: None,
            }),
            [lower, upper, stride] => Some(Subscript::Triplet {
                span,
                lower: part(*lower),
                upper: part(*upper),
                stride: part(*stride),
            }),
            [..] => self.fail(
                Diagnostic::error(group, "a section is written `lower:upper:stride`")
                    .section("2.7.1"),
            ),
        }
    }
}
