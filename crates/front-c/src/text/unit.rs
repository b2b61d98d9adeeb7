//! A translation unit whose directives are known: what [`scan`](super::scan::scan) makes, and all later steps start from.

use super::align::Alignment;
use super::default_mappers::Mapped;
use super::outline::Outline;
use super::parameters::DeclaredLength;
use super::placement::Form;
use super::position::LineMap;
use super::sentinel::{HostDirective, Languages, Sentinel};
use accrue_diag::{Diagnostic, Place, Position};
use accrue_directives::omp::ClauseKind;
use accrue_directives::{AnyDirective, DirectiveKind, Language, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// A preprocessed translation unit whose directives are known.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The preprocessed text.
    pub text: Vec<u8>,
    /// The language of the source.
    pub language: Language,
    /// Its line map.
    pub lines: LineMap,
    /// Its tokens and functions; empty if there is no directive.
    pub outline: Outline,
    /// The directives, by ordinal number.
    pub directives: Vec<ScannedDirective>,
    /// Directives of OpenMP that are the host compiler's, if others are about devices.
    pub host_directives: Vec<HostDirective>,
    /// Lines that `gcc -g3` leaves for the debugger (`#define`, `#undef`); they must not be expanded again.
    pub macro_lines: Vec<Range<usize>>,
    /// Pragmas that are no directives of ours, `_Pragma( … )` too.
    pub foreign_pragmas: Vec<Range<usize>>,
    /// What is legal but deserves a remark.
    pub warnings: Vec<Diagnostic>,
    /// Whose directives they are.
    pub languages: Languages,
    /// Some directive is another one for another kind of device ([`scan_for`](super::scan::scan_for)).
    pub depends_on_device: bool,
    /// Types with mappers, and what these have been applied to.
    pub mapped: Mapped,
    /// The text is what the host's compiler gets, if there are no directives.
    pub is_for_host: bool,
}

/// A directive of the translation unit.
#[derive(Clone, Debug)]
pub struct ScannedDirective {
    /// Its index in [`Unit::directives`].
    pub ordinal: usize,
    /// Text and place.
    pub source: DirectiveSource,
    /// What it says. Its spans are ranges of [`DirectiveSource::text`].
    pub directive: AnyDirective,
    /// What it applies to.
    pub form: Form,
    /// The offset in the preprocessed text of the token behind it, other directives passed over.
    pub next_token: Option<usize>,
    /// For variables without subscripts that may be array parameters, by clause and item: the declared length.
    pub lengths: BTreeMap<(usize, usize), DeclaredLength>,
    /// The declared reductions with the names in `reduction` clauses, by clause: the numbers of their functions, the innermost
    /// declaration first.
    pub reductions: BTreeMap<usize, Vec<u64>>,
}

impl ScannedDirective {
    /// The names of the functions of declared reductions that its clauses may mean.
    pub fn functions_of_reductions(&self) -> impl Iterator<Item = String> + '_ {
        let numbers = self.reductions.values().flatten();
        numbers.flat_map(|number| {
            let name = |of| format!("__accrue_{of}_{number:x}");
            ["combiner", "initializer"].map(name)
        })
    }

    /// Which directive of OpenACC it is.
    pub fn acc_kind(&self) -> Option<DirectiveKind> {
        self.directive.acc().map(|directive| directive.kind)
    }

    /// The text of a part of the directive, e.g. of a clause's expression.
    pub fn text_of(&self, span: Span) -> &str {
        span.of(&self.source.text)
    }
}

/// The text of a directive and where it comes from.
#[derive(Clone, Debug)]
pub struct DirectiveSource {
    /// What introduces it.
    pub sentinel: Sentinel,
    /// The text behind the sentinel, comments and line ends replaced by a blank.
    pub text: String,
    /// It ends a pair, and the text is what it means, not what is written.
    pub ends_pair: bool,
    /// It was a metadirective, and the text is what that means; this is what the host's compiler gets.
    pub for_host: Option<Vec<String>>,
    /// The text is not as it is written: modifiers were replaced by what they mean.
    pub is_rewritten: bool,
    /// What the directive occupies in the preprocessed text: from `#` to before the line end, or `_Pragma( … )`.
    pub span: Range<usize>,
    /// (offset in `text`, offset in the preprocessed text) where a stretch of equal bytes begins.
    pub(super) pieces: Vec<(usize, usize)>,
    /// The user's position of its line.
    pub(super) position: Position,
    pub(super) alignment: Option<Alignment>,
}

impl DirectiveSource {
    /// The offset in the preprocessed text of an offset in `text`.
    pub fn to_preprocessed(&self, offset: usize) -> usize {
        let piece = self
            .pieces
            .partition_point(|piece| piece.0 <= offset)
            .saturating_sub(1);
        self.pieces.get(piece).map_or(self.span.start, |piece| {
            (piece.1 + offset - piece.0).min(self.span.end)
        })
    }

    /// The offset in `text` of an offset in the preprocessed text.
    pub fn from_preprocessed(&self, offset: usize) -> usize {
        let piece = self
            .pieces
            .partition_point(|piece| piece.1 <= offset)
            .saturating_sub(1);
        self.pieces.get(piece).map_or(0, |piece| {
            (piece.0 + offset.saturating_sub(piece.1)).min(self.text.len())
        })
    }

    /// The user's place of a part of the directive.
    pub fn place(&self, span: Span) -> Place {
        self.alignment
            .as_ref()
            .and_then(|alignment| alignment.place(span))
            .map_or_else(
                || Place {
                    position: self.position.clone(),
                    length: 0,
                },
                |(place, _)| place,
            )
    }

    /// Puts a message at a part of the directive. If the user's line does not show that part as it is, because it comes
    /// from a macro, a note shows the directive after macro expansion.
    pub fn locate(&self, message: Diagnostic, span: Span) -> Diagnostic {
        let shown = self
            .alignment
            .as_ref()
            .and_then(|alignment| alignment.place(span))
            .is_some_and(|(_, same)| same);
        let message = message.place(self.place(span));
        if shown {
            return message;
        }
        message.note(format!(
            "after macro expansion the directive is `#pragma {} {}`",
            self.sentinel.word(),
            self.text.trim()
        ))
    }

    /// The parser's diagnostic, in the user's file.
    pub fn message(&self, diagnostic: &accrue_directives::Diagnostic) -> Diagnostic {
        let span = diagnostic.span();
        let message = diagnostic.clone().map_places(|span| self.place(span));
        self.locate(message, span)
    }
}

impl Unit {
    /// The directive that says that regions call the host back: they are the host's, since no device can do that.
    pub fn reverse_offload(&self) -> Option<&ScannedDirective> {
        self.directives.iter().find(|it| {
            let omp = it.directive.omp();
            omp.is_some_and(|omp| omp.has(ClauseKind::ReverseOffload))
        })
    }

    /// The directive that holds an offset of the preprocessed text.
    pub fn directive_at(&self, offset: usize) -> Option<&ScannedDirective> {
        let index = self
            .directives
            .partition_point(|directive| directive.source.span.end < offset);
        self.directives
            .get(index)
            .filter(|directive| directive.source.span.start <= offset)
    }

    /// The user's place of a range of the preprocessed text.
    pub fn place(&self, range: Range<usize>) -> Place {
        if let Some(directive) = self.directive_at(range.start) {
            let source = &directive.source;
            return source.place(Span::new(
                source.from_preprocessed(range.start),
                source.from_preprocessed(range.end),
            ));
        }
        let line = self
            .text
            .get(range.clone())
            .unwrap_or_default()
            .split(|&byte| byte == b'\n')
            .next();
        Place {
            position: self.lines.position(range.start),
            length: line.unwrap_or_default().len(),
        }
    }

    /// Puts a message at a range of the preprocessed text.
    pub fn locate(&self, message: Diagnostic, range: Range<usize>) -> Diagnostic {
        match self.directive_at(range.start) {
            Some(directive) => {
                let source = &directive.source;
                let span = Span::new(
                    source.from_preprocessed(range.start),
                    source.from_preprocessed(range.end),
                );
                source.locate(message, span)
            }
            None => message.place(self.place(range)),
        }
    }
}
