//! Finds the directives of a preprocessed text and parses them.
//!
//! ```text
//! # 6 "a.c"
//! #pragma acc parallel copy(a[0:10])      → ScannedDirective { ordinal: 0, span: 10..44, directive: Parallel … }
//! { a[0] = 1; }
//! ```
//!
//! One walk over the tokens notes the linemarkers, the directive lines and what stands before and after each; then
//! each directive is parsed, and its [placement](super::placement) checked. All mistakes of the file are collected.

use super::align::Alignment;
use super::lexer::{Lexer, Token, TokenKind, is_word};
use super::message::{Expansion, Message, has_errors};
use super::placement::{self, Form, Neighbours};
use super::position::{LineMap, Place, Position, SourceFiles};
use accrue_directives::{Diagnostic, Directive, Language, Span};
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
    /// The directives, by ordinal number.
    pub directives: Vec<ScannedDirective>,
    /// Lines that `gcc -g3` leaves for the debugger (`#define`, `#undef`); they must not be expanded again.
    pub macro_lines: Vec<Range<usize>>,
    /// What is legal but deserves a remark.
    pub warnings: Vec<Message>,
}

/// A directive of the translation unit.
#[derive(Clone, Debug)]
pub struct ScannedDirective {
    /// Its index in [`Unit::directives`].
    pub ordinal: usize,
    /// Text and place.
    pub source: DirectiveSource,
    /// What it says. Its spans are ranges of [`DirectiveSource::text`].
    pub directive: Directive,
    /// What it applies to.
    pub form: Form,
    /// The offset in the preprocessed text of the token behind it, other directives passed over.
    pub next_token: Option<usize>,
}

impl ScannedDirective {
    /// The text of a part of the directive, e.g. of a clause's expression.
    pub fn text_of(&self, span: Span) -> &str {
        span.of(&self.source.text)
    }
}

/// The text of a directive and where it comes from.
#[derive(Clone, Debug)]
pub struct DirectiveSource {
    /// The text behind the sentinel, comments and line ends replaced by a blank.
    pub text: String,
    /// What the directive occupies in the preprocessed text: from `#` to before the line end, or `_Pragma( … )`.
    pub span: Range<usize>,
    /// (offset in `text`, offset in the preprocessed text) where a stretch of equal bytes begins.
    pieces: Vec<(usize, usize)>,
    /// The user's position of its line.
    position: Position,
    alignment: Option<Alignment>,
}

impl DirectiveSource {
    /// The offset in the preprocessed text of an offset in `text`.
    pub fn to_preprocessed(&self, offset: usize) -> usize {
        let piece = self.pieces.partition_point(|piece| piece.0 <= offset).saturating_sub(1);
        self.pieces.get(piece).map_or(self.span.start, |piece| (piece.1 + offset - piece.0).min(self.span.end))
    }

    /// The offset in `text` of an offset in the preprocessed text.
    pub fn from_preprocessed(&self, offset: usize) -> usize {
        let piece = self.pieces.partition_point(|piece| piece.1 <= offset).saturating_sub(1);
        self.pieces.get(piece).map_or(0, |piece| (piece.0 + offset.saturating_sub(piece.1)).min(self.text.len()))
    }

    /// The user's place of a part of the directive.
    pub fn place(&self, span: Span) -> Place {
        self.alignment.as_ref().and_then(|alignment| alignment.place(span)).map_or_else(
            || Place { position: self.position.clone(), length: 0 },
            |(place, _)| place,
        )
    }

    /// The directive after macro expansion, if the user's line does not show the part as it is.
    fn expansion(&self, span: Span) -> Option<Expansion> {
        let shown = self.alignment.as_ref().and_then(|alignment| alignment.place(span)).is_some_and(|(_, same)| same);
        (!shown && span.end <= self.text.len()).then(|| Expansion { text: self.text.clone(), span })
    }

    /// Puts a message at a part of the directive.
    pub fn locate(&self, message: Message, span: Span) -> Message {
        Message { expansion: self.expansion(span), ..message.at(self.place(span)) }
    }

    /// The parser's diagnostic as a message.
    pub fn message(&self, diagnostic: &Diagnostic) -> Message {
        let message = Message::new(diagnostic.severity, diagnostic.message.as_str());
        let related = diagnostic.related.iter().map(|label| (self.place(label.span), label.message.clone()));
        Message {
            label: diagnostic.label.clone(),
            related: related.collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            section: diagnostic.section.map(str::to_string),
            ..self.locate(message, diagnostic.span)
        }
    }
}

impl Unit {
    /// The directive that holds an offset of the preprocessed text.
    pub fn directive_at(&self, offset: usize) -> Option<&ScannedDirective> {
        let index = self.directives.partition_point(|directive| directive.source.span.end < offset);
        self.directives.get(index).filter(|directive| directive.source.span.start <= offset)
    }

    /// The user's place of a range of the preprocessed text.
    pub fn place(&self, range: Range<usize>) -> Place {
        if let Some(directive) = self.directive_at(range.start) {
            let source = &directive.source;
            return source.place(Span::new(source.from_preprocessed(range.start), source.from_preprocessed(range.end)));
        }
        let line = self.text.get(range.clone()).unwrap_or_default().split(|&byte| byte == b'\n').next();
        Place { position: self.lines.position(range.start), length: line.unwrap_or_default().len() }
    }

    /// Puts a message at a range of the preprocessed text.
    pub fn locate(&self, message: Message, range: Range<usize>) -> Message {
        match self.directive_at(range.start) {
            Some(directive) => {
                let source = &directive.source;
                let span = Span::new(source.from_preprocessed(range.start), source.from_preprocessed(range.end));
                source.locate(message, span)
            }
            None => message.at(self.place(range)),
        }
    }
}

/// Scans a preprocessed text. `file` names it where it has no linemarkers; `files` gives the user's own lines.
///
/// # Errors
/// Every mistake in the file's directives, warnings included.
pub fn scan(text: Vec<u8>, language: Language, file: &str, files: &SourceFiles) -> Result<Unit, Vec<Message>> {
    let Found { lines, directives: found, macro_lines } = find(&text, file);
    let mut messages = Vec::new();
    let mut directives = Vec::new();
    let forms: Vec<_> = found.iter().map(|found| placement::first_word_form(&found.text)).collect();
    for (index, found) in found.into_iter().enumerate() {
        let position = lines.position(found.span.start);
        let alignment = files
            .bytes(&position.file)
            .and_then(|bytes| Alignment::new(&found.text, &bytes, &position.file, position.line));
        let source = DirectiveSource { text: found.text, span: found.span, pieces: found.pieces, position, alignment };
        match accrue_directives::parse(&source.text, language) {
            Err(diagnostics) => messages.extend(diagnostics.iter().map(|diagnostic| source.message(diagnostic))),
            Ok(directive) => {
                messages.extend(directive.warnings.iter().map(|warning| source.message(warning)));
                let next_form = forms.get(index + 1).copied().flatten();
                match placement::check(&directive, &source.text, &found.neighbours, next_form) {
                    Err((message, span)) => messages.push(source.locate(message, span)),
                    Ok(form) => {
                        let next_token = found.neighbours.after_offset;
                        directives.push(ScannedDirective { ordinal: index, source, directive, form, next_token });
                    }
                }
            }
        }
    }
    if has_errors(&messages) {
        return Err(messages);
    }
    Ok(Unit { text, language, lines, directives, macro_lines, warnings: messages })
}

struct Found {
    lines: LineMap,
    directives: Vec<FoundDirective>,
    macro_lines: Vec<Range<usize>>,
}

struct FoundDirective {
    text: String,
    span: Range<usize>,
    pieces: Vec<(usize, usize)>,
    neighbours: Neighbours,
}

/// The walk over the tokens.
fn find(text: &[u8], file: &str) -> Found {
    let mut found = Found { lines: LineMap::new(text, file), directives: Vec::new(), macro_lines: Vec::new() };
    let mut lexer = Lexer::new(text).peekable();
    let mut before = Vec::new();
    let mut depth = 0usize;
    // How many of the last directives still have no successor.
    let mut open = 0usize;
    while let Some(token) = lexer.next() {
        let bytes = token.of(text);
        let (body, end) = match token.kind {
            TokenKind::Line => {
                let Some(body) = pragma_body(bytes) else {
                    if !found.lines.note_line(token.start, bytes) && is_macro_line(bytes) {
                        found.macro_lines.push(token.start..token.end);
                    }
                    continue;
                };
                (clean(text, token.start + body, token.end), token.end)
            }
            TokenKind::Word if bytes == b"_Pragma" => match pragma_operator(text, &mut lexer) {
                Some((Some(body), end)) => (body, end),
                // Someone else's.
                Some((None, _)) | None => continue,
            },
            TokenKind::Word | TokenKind::Number | TokenKind::String | TokenKind::Character | TokenKind::Punctuation => {
                let count = found.directives.len();
                for directive in &mut found.directives[count - open..] {
                    directive.neighbours.after = bytes.to_vec();
                    directive.neighbours.after_offset = Some(token.start);
                }
                open = 0;
                match bytes {
                    b"{" => depth += 1,
                    b"}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                before = bytes.to_vec();
                continue;
            }
        };
        if let Some(previous) = found.directives.last_mut().filter(|_| open > 0) {
            previous.neighbours.directive_follows = true;
        }
        let neighbours = Neighbours { before: before.clone(), depth, ..Neighbours::default() };
        let (bytes, pieces) = body;
        found.directives.push(FoundDirective {
            text: String::from_utf8(bytes).unwrap_or_else(|error| placeholder_text(error.as_bytes())),
            span: token.start..end,
            pieces,
            neighbours,
        });
        open += 1;
    }
    found
}

/// Text that is not UTF-8 with a `?` for each byte that is not ASCII, so that offsets stay: the parser refuses it.
fn placeholder_text(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
}

/// The offset of the text behind `#pragma acc` in a line.
pub(super) fn pragma_body(line: &[u8]) -> Option<usize> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"pragma")?;
    let body = acc_body(rest.strip_prefix(b" ").or(rest.strip_prefix(b"\t"))?)?;
    Some(line.len() - body.len())
}

/// What follows the sentinel word `acc`.
fn acc_body(text: &[u8]) -> Option<&[u8]> {
    let body = text.trim_ascii_start().strip_prefix(b"acc")?;
    body.first().is_none_or(|&byte| !is_word(byte)).then_some(body)
}

fn is_macro_line(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
    rest.starts_with(b"define") || rest.starts_with(b"undef")
}

/// A text and where its stretches of equal bytes come from.
type Body = (Vec<u8>, Vec<(usize, usize)>);

/// Copies `text[start..end]`, comments and escaped line ends replaced by one blank.
fn clean(text: &[u8], start: usize, end: usize) -> Body {
    let (mut bytes, mut pieces) = (Vec::new(), Vec::new());
    let mut at = start;
    for token in Lexer::inside_line(&text[start..end]) {
        let (from, to) = (token.start + start, token.end + start);
        let gap = &text[at..from];
        if gap.iter().any(|&byte| byte == b'\n' || byte == b'/') {
            bytes.push(b' ');
            at = from;
        }
        if pieces.last().is_none_or(|&(piece_text, piece_source)| bytes.len() - piece_text != at - piece_source) {
            pieces.push((bytes.len(), at));
        }
        bytes.extend_from_slice(&text[at..to]);
        at = to;
    }
    if pieces.is_empty() {
        pieces.push((0, start));
    }
    (bytes, pieces)
}

/// Reads `( "string" )` behind `_Pragma`. Returns the end of the operator and, if the string starts with `acc`, the
/// rest of the string (C11 6.10.9: `\"` and `\\` become `"` and `\`).
fn pragma_operator(
    text: &[u8],
    lexer: &mut std::iter::Peekable<Lexer<'_>>,
) -> Option<(Option<Body>, usize)> {
    lexer.next_if(|token| token.of(text) == b"(")?;
    let string = lexer.next_if(|token: &Token| token.kind == TokenKind::String)?;
    let close = lexer.next_if(|token| token.of(text) == b")")?;
    let quote = string.of(text).iter().position(|&byte| byte == b'"')?;
    let (from, to) = (string.start + quote + 1, string.end.saturating_sub(1));
    let inner = text.get(from..to)?;
    let Some(body) = acc_body(inner) else { return Some((None, close.end)) };
    let mut at = to - body.len();
    let (mut bytes, mut pieces) = (Vec::new(), vec![(0, at)]);
    while at < to {
        if text[at] == b'\\' && at + 1 < to && matches!(text[at + 1], b'"' | b'\\') {
            at += 1;
            pieces.push((bytes.len(), at));
        }
        bytes.push(text[at]);
        at += 1;
    }
    Some((Some((bytes, pieces)), close.end))
}
