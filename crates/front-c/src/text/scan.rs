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
use super::declared_reductions::{Declared, Scopes};
use super::expand::expand;
use super::lexer::{Lexer, TokenKind};
use super::outline::Outline;
use super::parameters::{Lengths, maps_arrays};
use super::placement::{self, Neighbours};
use super::position::LineMap;
use super::pragma_text::{clean, decode_names, pragma_operator};
use super::rewriting::{self, Rewritten};
use super::sentinel::{self, Languages, OpenMp, Sentinel};
pub use super::unit::{DirectiveSource, ScannedDirective, Unit};
use accrue_diag::{Diagnostic, SourceFiles, has_errors};
use accrue_directives::omp::hints::ErrorDirective;
use accrue_directives::omp::selectors::Device;
use accrue_directives::{AnyDirective, Language, Span, Var, omp};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Scans a preprocessed text. `file` names it where it has no linemarkers; `files` gives the user's own lines.
///
/// # Errors
/// Every mistake in the file's directives, warnings included.
pub fn scan(
    text: Vec<u8>,
    language: Language,
    languages: Languages,
    file: &str,
    files: &SourceFiles,
) -> Result<Unit, Vec<Diagnostic>> {
    scan_for(Device::Cores, text, language, languages, file, files)
}

/// The same for another kind of device, for which a metadirective may stand for another directive. Their numbers are the same.
///
/// # Errors
/// As above.
pub fn scan_for(
    device: Device,
    text: Vec<u8>,
    language: Language,
    languages: Languages,
    file: &str,
    files: &SourceFiles,
) -> Result<Unit, Vec<Diagnostic>> {
    let Rewritten {
        text,
        mapped,
        declared,
        for_host: is_for_host,
    } = match languages.omp && language == Language::C {
        true => rewriting::rewritten(text, file)?,
        false => Rewritten::none(text),
    };
    let openmp = match languages.omp {
        true => sentinel::openmp(&text, file, language, device),
        false => OpenMp::default(),
    };
    let wanted = |sentinel: Sentinel, start: usize| match sentinel {
        Sentinel::Acc => languages.acc,
        Sentinel::Omp => openmp.of_devices.contains(&start),
    };
    let Found {
        mut lines,
        directives: mut found,
        macro_lines,
        foreign_pragmas,
    } = find(&text, file, wanted);
    expand(&mut found, language);
    let mut for_host: HashMap<usize, Vec<String>> = HashMap::new();
    for directive in &mut found {
        if let Some(variant) = openmp.variants.get(&directive.span.start) {
            for_host.insert(directive.span.start, variant.put(directive));
        }
    }
    let depends_on_device = openmp.variants.values().any(|it| it.depends_on_device);
    let mut messages = Vec::new();
    let mut directives = Vec::new();
    let forms: Vec<_> = found
        .iter()
        .map(|found| placement::first_word_form(&found.text, found.sentinel))
        .collect();
    for (index, mut found) in found.into_iter().enumerate() {
        let meant = openmp.meant.get(&found.span.start);
        if let Some(meant) = meant {
            found.text.clone_from(meant);
            found.pieces = vec![(0, found.span.start)];
        }
        lines.note_user_file(found.span.start);
        let position = lines.position(found.span.start);
        let alignment = files
            .bytes(&position.file)
            .and_then(|bytes| Alignment::new(&found.text, &bytes, &position.file, position.line));
        let source = DirectiveSource {
            sentinel: found.sentinel,
            text: found.text,
            ends_pair: meant.is_some(),
            for_host: for_host.remove(&found.span.start),
            is_rewritten: found.is_rewritten,
            span: found.span,
            pieces: found.pieces,
            position,
            alignment,
        };
        if !found.is_utf8 {
            messages.push(source.locate(
                Diagnostic::error("this directive is not UTF-8 text"),
                Span::new(0, source.text.len()),
            ));
            continue;
        }
        match parse(&source, language) {
            Err(diagnostics) => messages.extend(
                diagnostics
                    .iter()
                    .map(|diagnostic| source.message(diagnostic)),
            ),
            Ok(directive) => {
                messages.extend(
                    directive
                        .warnings()
                        .iter()
                        .map(|warning| source.message(warning)),
                );
                let next_form = forms.get(index + 1).copied().flatten();
                match placement::check(&directive, &source.text, &found.neighbours, next_form) {
                    Err(diagnostic) => messages.push(source.message(&diagnostic)),
                    Ok(form) => {
                        messages.extend(said(&source));
                        let next_token = found.neighbours.after_offset;
                        directives.push(ScannedDirective {
                            ordinal: index,
                            source,
                            directive,
                            form,
                            next_token,
                            lengths: BTreeMap::new(),
                            reductions: BTreeMap::new(),
                        });
                    }
                }
            }
        }
    }
    if has_errors(&messages) {
        return Err(messages);
    }
    let outline = match directives.is_empty() {
        true => Outline::default(),
        false => Outline::new(&text),
    };
    add_lengths(&text, &outline, &mut directives);
    let mistakes = add_reductions(&text, &outline, &declared, &mut directives, language);
    if !mistakes.is_empty() {
        messages.extend(mistakes);
        return Err(messages);
    }
    Ok(Unit {
        text,
        language,
        lines,
        outline,
        directives,
        host_directives: openmp.of_host,
        macro_lines,
        foreign_pragmas,
        warnings: messages,
        languages,
        depends_on_device,
        mapped,
        is_for_host,
    })
}

/// What an `error` directive in a region says when it is compiled (OpenMP 5.2, section 8.5).
fn said(source: &DirectiveSource) -> Option<Diagnostic> {
    let read = match source.sentinel {
        Sentinel::Omp => ErrorDirective::read(&source.text)?.ok()?,
        Sentinel::Acc => return None,
    };
    let text = read
        .message
        .unwrap_or_else(|| "`error` is come to".to_string());
    let text = text.trim_matches('"');
    let message = match read.is_fatal {
        true => Diagnostic::error(text),
        false => Diagnostic::warning(text),
    };
    let all = Span::new(0, source.text.trim_end().len());
    (!read.at_execution).then(|| source.locate(message.openmp("8.5"), all))
}

fn parse(
    source: &DirectiveSource,
    language: Language,
) -> Result<AnyDirective, Vec<accrue_directives::Diagnostic>> {
    match source.sentinel {
        Sentinel::Acc => accrue_directives::parse(&source.text, language).map(AnyDirective::Acc),
        Sentinel::Omp => omp::parse(&source.text, language).map(AnyDirective::Omp),
    }
}

/// Looks up the lengths of the array parameters that clauses name.
fn add_lengths(text: &[u8], outline: &Outline, directives: &mut [ScannedDirective]) {
    let mut lengths: Option<Lengths> = None;
    for directive in directives {
        let mut found = BTreeMap::new();
        // A parameter of OpenMP's clauses is the pointer that C says it is.
        let clauses = directive
            .directive
            .acc()
            .map_or(&[][..], |acc| &acc.clauses);
        for (index, clause) in clauses.iter().enumerate() {
            if !maps_arrays(clause.kind) {
                continue;
            }
            let is_whole = |var: &Var| var.subscripts.is_empty() && var.base == var.span;
            let vars = clause.vars().iter().enumerate();
            for (item, var) in vars.filter(|(_, var)| is_whole(var)) {
                let lengths = lengths.get_or_insert_with(|| Lengths::new(text, outline));
                let name = directive.text_of(var.base).trim();
                let length = lengths.of_parameter(directive.source.span.start, name);
                found.extend(length.map(|length| ((index, item), length)));
            }
        }
        directive.lengths = found;
    }
}

/// Looks up the declared reductions that clauses name. Names that are nothing's are mistakes.
fn add_reductions(
    text: &[u8],
    outline: &Outline,
    declared: &Declared,
    directives: &mut [ScannedDirective],
    language: Language,
) -> Vec<Diagnostic> {
    let places = directives
        .iter()
        .map(|it| (it.source.span.start, it.source.text.as_str()));
    let scopes = Scopes::new(text, outline, declared, &places.collect::<Vec<_>>());
    let mut mistakes = Vec::new();
    for directive in directives {
        let clauses = directive
            .directive
            .omp()
            .map_or(&[][..], |omp| &omp.clauses);
        let mut found = BTreeMap::new();
        for (index, clause) in clauses.iter().enumerate() {
            let omp::ClauseArgs::Reduction {
                operator,
                identifier,
                ..
            } = &clause.args
            else {
                continue;
            };
            let name = directive.text_of(*identifier);
            let visible = scopes.visible(name, directive.source.span.start);
            if visible.is_empty() && operator.is_none() {
                let message = omp::unknown_reduction(*identifier, name, language);
                mistakes.push(directive.source.message(&message));
            }
            found.insert(index, visible);
        }
        directive.reductions = found;
    }
    mistakes
}

pub(super) struct Found {
    pub(super) lines: LineMap,
    pub(super) directives: Vec<FoundDirective>,
    macro_lines: Vec<Range<usize>>,
    foreign_pragmas: Vec<Range<usize>>,
}

pub(super) struct FoundDirective {
    pub(super) sentinel: Sentinel,
    pub(super) text: String,
    pub(super) span: Range<usize>,
    pub(super) pieces: Vec<(usize, usize)>,
    pub(super) is_rewritten: bool,
    pub(super) neighbours: Neighbours,
    is_utf8: bool,
}

/// The walk over the tokens. `wanted` says of a sentinel and where its directive begins whether the directive is one of ours.
pub(super) fn find(text: &[u8], file: &str, wanted: impl Fn(Sentinel, usize) -> bool) -> Found {
    let mut found = Found {
        lines: LineMap::new(text, file),
        directives: Vec::new(),
        macro_lines: Vec::new(),
        foreign_pragmas: Vec::new(),
    };
    let mut lexer = Lexer::new(text).peekable();
    let mut before = Vec::new();
    let mut depth = 0usize;
    // How many of the last directives still have no successor.
    let mut open = 0usize;
    while let Some(token) = lexer.next() {
        let bytes = token.of(text);
        let (sentinel, body, end) = match token.kind {
            TokenKind::Line => {
                let Some((sentinel, body)) =
                    Sentinel::of_line(bytes).filter(|(sentinel, _)| wanted(*sentinel, token.start))
                else {
                    if !found.lines.note_line(token.start, bytes) {
                        let range = token.start..token.end;
                        match word_of_line(bytes) {
                            b"define" | b"undef" => found.macro_lines.push(range),
                            b"pragma" => found.foreign_pragmas.push(range),
                            _ => {}
                        }
                    }
                    continue;
                };
                let body = clean(text, token.start + body, token.end);
                (sentinel, body, token.end)
            }
            TokenKind::Word if bytes == b"_Pragma" => match pragma_operator(text, &mut lexer) {
                Some((Some((sentinel, body)), end)) if wanted(sentinel, token.start) => {
                    (sentinel, body, end)
                }
                Some((_, end)) => {
                    found.foreign_pragmas.push(token.start..end);
                    continue;
                }
                None => continue,
            },
            TokenKind::Word
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Character
            | TokenKind::Punctuation => {
                let count = found.directives.len();
                for directive in &mut found.directives[count - open..] {
                    directive.neighbours.after = bytes.to_vec();
                    directive.neighbours.after_offset = Some(token.start);
                }
                open = 0;
                match bytes {
                    b"{" | b"<%" => depth += 1,
                    b"}" | b"%>" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                before = bytes.to_vec();
                continue;
            }
        };
        if let Some(previous) = found.directives.last_mut().filter(|_| open > 0) {
            previous.neighbours.directive_follows = true;
        }
        let neighbours = Neighbours {
            before: before.clone(),
            depth,
            ..Neighbours::default()
        };
        let (bytes, pieces) = decode_names(body);
        found.directives.push(FoundDirective {
            sentinel,
            is_utf8: std::str::from_utf8(&bytes).is_ok(),
            text: String::from_utf8(bytes)
                .unwrap_or_else(|error| placeholder_text(error.as_bytes())),
            span: token.start..end,
            pieces,
            is_rewritten: false,
            neighbours,
        });
        open += 1;
    }
    found
}

/// Text that is not UTF-8 with a `?` for each byte that is not ASCII, so that offsets stay.
fn placeholder_text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| {
            if byte.is_ascii() {
                char::from(byte)
            } else {
                '?'
            }
        })
        .collect()
}

/// The word behind the `#`.
fn word_of_line(line: &[u8]) -> &[u8] {
    let rest = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
    &rest[..length.count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(text: &str) -> Result<Unit, Vec<Diagnostic>> {
        scan(
            text.as_bytes().to_vec(),
            Language::C,
            Languages::ACC,
            "a.c",
            &SourceFiles::default(),
        )
    }

    fn directives(text: &str) -> Vec<String> {
        let unit = unit(&format!("void f(void)\n{{\n{text}\n}}\n"));
        let list = unit.map(|unit| {
            unit.directives
                .iter()
                .map(|it| it.source.text.trim().to_string())
                .collect()
        });
        list.unwrap_or_else(|messages| {
            messages
                .into_iter()
                .map(|message| message.message)
                .collect()
        })
    }

    fn mistakes(text: &str) -> Vec<String> {
        unit(text)
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|message| message.message)
            .collect()
    }

    #[test]
    fn directives_are_found_where_they_are_directives() {
        assert_eq!(
            directives(
                "#pragma acc wait\n  #  pragma\tacc\twait ( 1 ) \n#pragma accwait\n#pragma omp barrier"
            ),
            ["wait", "wait ( 1 )"]
        );
        assert_eq!(
            directives(
                "char *s = \"\\\n#pragma acc wait\\\n\";\n/*\n#pragma acc wait\n*/ // \\\n#pragma acc wait\n"
            ),
            Vec::<String>::new()
        );
        assert_eq!(
            directives("char *s = R\"(\n#pragma acc wait\n)\";"),
            Vec::<String>::new()
        );
        assert_eq!(directives("x = '\"';\n#pragma acc wait(2)"), ["wait(2)"]);
    }

    #[test]
    fn continuation_lines_and_comments_are_joined() {
        assert_eq!(
            directives("#pragma acc wait(1, /* two */ \\\n 2) // three"),
            ["wait(1, 2)"]
        );
    }

    #[test]
    fn pragma_operators_are_directives() {
        assert_eq!(
            directives("x; _Pragma(\"acc wait(\\\"a\\\"[0])\") y; _Pragma(\"omp barrier\")"),
            ["wait(\"a\"[0])"]
        );
        assert_eq!(directives("_Pragma; _Pragma(x)"), Vec::<String>::new());
    }

    #[test]
    fn universal_character_names_are_characters() {
        assert_eq!(
            directives("#pragma acc wait(\\U000003b1, \\u03b2[0]) async(\\u03g1)"),
            ["wait(α, β[0]) async(\\u03g1)"]
        );
    }

    #[test]
    fn offsets_go_both_ways() -> Result<(), Vec<Diagnostic>> {
        let text = "int f(void) {\n#pragma acc wait(\\u03b1, \\\n  b) async(ww)\n_Pragma(\"acc wait(\\\"a\\\"[dd])\")\n}\n";
        let unit = unit(text)?;
        for (ordinal, part) in [(0, "b"), (0, "ww"), (1, "dd"), (1, "wait")] {
            let source = &unit.directives[ordinal].source;
            let (ours, theirs) = (
                source.text.find(part).unwrap_or(0),
                text.rfind(part).unwrap_or(0),
            );
            assert_eq!(source.to_preprocessed(ours), theirs, "{part}");
            assert_eq!(source.from_preprocessed(theirs), ours, "{part}");
            assert_eq!(
                unit.directive_at(theirs).map(|directive| directive.ordinal),
                Some(ordinal)
            );
        }
        assert!(unit.directive_at(3).is_none());
        Ok(())
    }

    #[test]
    fn places_are_checked() {
        let inside = |text: &str| mistakes(&format!("void f(int x) {{ {text} }}"));
        assert_eq!(
            mistakes("#pragma acc wait\n"),
            ["the `wait` directive cannot stand outside of a function"]
        );
        assert_eq!(
            inside("\n#pragma acc parallel\n"),
            ["the `parallel` directive must be followed by a statement"]
        );
        assert_eq!(
            inside("\n#pragma acc loop\n{ }"),
            ["the `loop` directive must be followed by a `for` loop"]
        );
        assert_eq!(
            inside("\n#pragma acc data copy(x)\n#pragma acc wait\n;"),
            ["the `data` directive must be followed by a statement"]
        );
        assert_eq!(
            inside("if (x)\n#pragma acc wait\n;"),
            [
                "the `wait` directive cannot be the whole body of an `if`, `for`, `while` or `switch`"
            ]
        );
        assert_eq!(
            inside("if (x) ; else\n#pragma acc wait\n;"),
            ["the `wait` directive cannot be the whole body of an `else`"]
        );
        assert_eq!(
            inside(
                "\n#pragma acc data copy(x)\n#pragma acc parallel\n#pragma GCC unroll 2\nfor (;;) ;"
            ),
            Vec::<String>::new()
        );
    }

    #[test]
    fn all_mistakes_are_collected() {
        let text = "void f(void) {\n#pragma acc wayt\n#pragma acc parallel\n{}\n#pragma acc lop\nfor (;;) ;\n}";
        assert_eq!(mistakes(text).len(), 2);
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        let text = b"void f(void) {\n#pragma acc wait(\xff\xfe)\n}".to_vec();
        let files = SourceFiles::default();
        assert!(scan(text, Language::C, Languages::ACC, "a.c", &files).is_err());
    }
}
