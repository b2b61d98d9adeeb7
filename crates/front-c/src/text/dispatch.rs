//! The construct `dispatch` (OpenMP 5.2, section 7.6) outside of regions: the call of the variant is written into the program, since the
//! host's compiler may know neither the construct nor variants for it.
//!
//! ```text
//! #pragma omp declare variant(g) match(construct={dispatch}) adjust_args(need_device_ptr: p)
//! void f(double *p, int n);
//! …
//! #pragma omp dispatch novariants(n < 9) depend(in: p[0])      {
//! f(p, n);                                                →    #pragma omp taskwait depend(in: p[0])
//!                                                              if(n < 9) f(p, n);
//!                                                              else g(__accrue_mapped_pointer(p), n);}
//! ```
//! The default device is that of a `device` clause during the call. A call that has no variant stays as it is.
//!
//! Cost: linear in the text, for each such construct in the number of variants.

use super::lexer::{Token, TokenKind};
use super::outline::Outline;
use super::paired_variants::{edited, marker};
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::{self, Sentinel};
use super::statement::{exact_end, group_end};
use accrue_abi::functions::MAPPED_POINTER_DECLARATION;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::dispatch::Dispatch;
use accrue_directives::omp::selectors::{self, Construct, Device};
use accrue_directives::omp::variant::{self, FunctionVariant};
use accrue_directives::{Diagnostic as InDirective, Language};
use std::ops::Range;

const LANGUAGE: Language = Language::C;

/// Writes the text anew; nothing if it has no such construct.
///
/// # Errors
/// What is wrong with one, or not supported.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let word = b"dispatch";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return Ok(None);
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let openmp = sentinel::openmp(text, file, LANGUAGE, Device::Cores);
    let outline = Outline::new(text);
    let is_variant = |it: &&FoundDirective| variant::is_one(&it.text);
    let variants = directives.iter().filter(is_variant).filter_map(|it| {
        let read = FunctionVariant::read(&it.text, LANGUAGE).ok()?;
        Some(Variant::new(text, &outline, it, read))
    });
    let unit = Unit {
        text,
        lines: &lines,
        outline: &outline,
        variants: variants.collect(),
    };
    let in_region = |it: &FoundDirective| {
        let mut regions = openmp.regions.iter();
        regions.any(|region| region.range.contains(&it.span.start))
    };
    let (mut edits, mut mistakes) = (Vec::new(), Vec::new());
    for directive in directives.iter().filter(|it| !in_region(it)) {
        let Some(dispatch) = Dispatch::read(&directive.text, LANGUAGE) else {
            continue;
        };
        let place = |message: InDirective| message.map_places(|_| unit.place(directive));
        match dispatch
            .map_err(place)
            .and_then(|dispatch| unit.call(directive, &dispatch))
        {
            Ok(edit) => edits.extend(edit),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if openmp.of_devices.is_empty() {
        // Where there are regions, what the host's compiler gets of these is decided when they are known.
        let known = unit.variants.iter().filter(|it| it.is_for_dispatch());
        edits.extend(known.map(|it| (it.directive.span.clone(), String::new())));
    }
    match mistakes.is_empty() {
        true => Ok((!edits.is_empty()).then(|| edited(text, edits))),
        false => Err(mistakes),
    }
}

/// A `declare variant`.
struct Variant<'a> {
    directive: &'a FoundDirective,
    read: FunctionVariant,
    /// The function that it is about.
    base: String,
    /// The names of its parameters.
    parameters: Vec<String>,
}

impl<'a> Variant<'a> {
    fn new(
        text: &[u8],
        outline: &Outline,
        directive: &'a FoundDirective,
        read: FunctionVariant,
    ) -> Self {
        let tokens = &outline.tokens;
        let next = directive.neighbours.after_offset;
        let found = next.and_then(|next| declarator(text, tokens, outline.index_of(next)));
        let of = |token: &Token| String::from_utf8_lossy(token.of(text)).into_owned();
        let (base, parameters) = match found {
            Some((name, open)) => (of(&tokens[name]), arguments(text, tokens, open)),
            None => (String::new(), Vec::new()),
        };
        // The name of a parameter is its last word.
        let name = |range: Range<usize>| {
            let mut words = tokens[range].iter();
            let last = words.rfind(|it| it.kind == TokenKind::Word);
            last.map(of).unwrap_or_default()
        };
        let named = read.base.map(|base| base.of(&directive.text).to_string());
        Variant {
            directive,
            read,
            base: named.unwrap_or(base),
            parameters: parameters.into_iter().map(name).collect(),
        }
    }
}

impl Variant<'_> {
    fn is_for_dispatch(&self) -> bool {
        let constructs = self.read.constructs(&self.directive.text, LANGUAGE);
        constructs.contains(&Construct::Dispatch)
    }
}

struct Unit<'a> {
    text: &'a [u8],
    lines: &'a LineMap,
    outline: &'a Outline,
    variants: Vec<Variant<'a>>,
}

impl Unit<'_> {
    /// What takes the place of a construct and its statement.
    fn call(
        &self,
        directive: &FoundDirective,
        dispatch: &Dispatch,
    ) -> Result<Vec<(Range<usize>, String)>, Diagnostic> {
        let tokens = &self.outline.tokens;
        let next = directive.neighbours.after_offset;
        let first = next.map_or(tokens.len(), |next| self.outline.index_of(next));
        let end = exact_end(self.text, tokens, first);
        let Some(call) = self.called(first, end) else {
            return Err(self.refuse(
                directive,
                "`dispatch` must be followed by a call",
                "write `function(arguments);` or `variable = function(arguments);`",
            ));
        };
        let name = String::from_utf8_lossy(tokens[call].of(self.text)).into_owned();
        let chosen = self.chosen(&name)?;
        let statement = tokens[first].start..tokens[end - 1].end;
        let plain = self.original(statement.clone());
        let other = match chosen {
            Some(variant) => Some(self.with_variant(variant, call, statement.clone(), dispatch)?),
            None => None,
        };
        let body = match (&dispatch.stays_base(), other) {
            (_, None) => plain,
            (None, Some(other)) => other,
            (Some(condition), Some(other)) => format!("if({condition}){plain}else {other}"),
        };
        let (mut before, mut behind) = (String::new(), String::new());
        for depend in &dispatch.depends {
            before += &format!("\n#pragma omp taskwait {depend}\n");
        }
        if let Some(device) = &dispatch.device {
            const ROUTINES: &str =
                "extern int omp_get_default_device(void);extern void omp_set_default_device(int);";
            before += &format!(
                "__extension__ {ROUTINES}int __accrue_device=omp_get_default_device();omp_set_default_device({device});"
            );
            behind += "omp_set_default_device(__accrue_device);";
        }
        let line = marker(self.lines, statement.start);
        let text = format!(
            "{{{before}\n{line}{body}{behind}}}\n{}",
            marker(self.lines, statement.end)
        );
        let start = directive.span.start;
        Ok(vec![
            (start..statement.end, String::new()),
            (statement.end..statement.end, text),
        ])
    }

    /// The name of the function that a statement calls, with its result in a variable or without.
    fn called(&self, first: usize, end: usize) -> Option<usize> {
        let tokens = &self.outline.tokens;
        let word = |index: usize| {
            tokens
                .get(index)
                .map_or(&b""[..], |token| token.of(self.text))
        };
        let mut at = first;
        let mut call = first;
        while at < end {
            match word(at) {
                b"(" | b"[" | b"{" => at = group_end(self.text, tokens, at) + 1,
                b"=" => {
                    call = at + 1;
                    break;
                }
                _ => at += 1,
            }
        }
        let is_name = tokens.get(call)?.kind == TokenKind::Word && word(call + 1) == b"(";
        let close = group_end(self.text, tokens, call + 1);
        (is_name && close + 2 == end && word(close + 1) == b";").then_some(call)
    }

    /// The variant for `dispatch` of a function.
    fn chosen(&self, name: &str) -> Result<Option<&Variant<'_>>, Diagnostic> {
        let place = selectors::Place {
            device: None,
            constructs: Some(&[Construct::Dispatch]),
        };
        let own: Vec<&Variant> = self.variants.iter().filter(|it| it.base == name).collect();
        let mut matched = Vec::new();
        for variant in &own {
            let text = &variant.directive.text;
            let constructs = variant.read.constructs(text, LANGUAGE);
            if !variant.is_for_dispatch() {
                matched.push(None);
                continue;
            }
            if constructs.len() > 1 {
                return Err(self.refuse(
                    variant.directive,
                    "a variant for `dispatch` in other constructs is not supported yet",
                    "write `construct={dispatch}` alone",
                ));
            }
            let found = variant.read.matched(text, LANGUAGE, &place);
            matched.push(found.map_err(|it| it.map_places(|_| self.place(variant.directive)))?);
        }
        Ok(selectors::best(&matched).and_then(|index| own.get(index).copied()))
    }

    /// The statement with the call of a variant.
    fn with_variant(
        &self,
        variant: &Variant<'_>,
        call: usize,
        statement: Range<usize>,
        dispatch: &Dispatch,
    ) -> Result<String, Diagnostic> {
        let tokens = &self.outline.tokens;
        let text = &variant.directive.text;
        let mut positions = Vec::new();
        for parameter in &variant.read.device_pointers {
            let name = parameter.of(text).trim();
            let position = variant.parameters.iter().position(|it| it == name);
            positions.push(position.ok_or_else(|| {
                let message = format!("`{}` has no parameter `{name}`", variant.base);
                let help = "name parameters of the function that the directive is about";
                self.refuse(variant.directive, &message, help)
            })?);
        }
        let name = tokens[call];
        let mut new = self.original(statement.start..name.start);
        new += variant.read.name.of(text).trim();
        let mut at = name.end;
        for (index, argument) in arguments(self.text, tokens, call + 1)
            .into_iter()
            .enumerate()
        {
            let (first, last) = (tokens[argument.start], tokens[argument.end - 1]);
            let own = self.original(first.start..last.end);
            if !positions.contains(&index) || dispatch.device_pointers.contains(&own) {
                continue;
            }
            new += &self.original(at..first.start);
            new += &format!(
                "__extension__({{extern {MAPPED_POINTER_DECLARATION}__accrue_mapped_pointer({own});}})"
            );
            at = last.end;
        }
        // Objects of no foreign runtime.
        let close = tokens[group_end(self.text, tokens, call + 1)];
        let more = vec!["0"; variant.read.appended].join(",");
        let has_own = !arguments(self.text, tokens, call + 1).is_empty();
        let comma = if has_own && !more.is_empty() { "," } else { "" };
        new += &self.original(at..close.start);
        new += &format!("{comma}{more}");
        Ok(new + &self.original(close.start..statement.end))
    }

    fn original(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(&self.text[range]).into_owned()
    }

    fn place(&self, directive: &FoundDirective) -> Place {
        Place {
            position: self.lines.position(directive.span.start),
            length: 0,
        }
    }

    fn refuse(&self, directive: &FoundDirective, message: &str, help: &str) -> Diagnostic {
        let message = Diagnostic::error(message).place(self.place(directive));
        message.help(help).openmp("7.6")
    }
}

/// The name of the function that is declared from a token on, and the `(` of its parameters.
fn declarator(text: &[u8], tokens: &[Token], first: usize) -> Option<(usize, usize)> {
    let mut at = first;
    loop {
        let token = tokens.get(at)?;
        let next = tokens.get(at + 1).map(|next| next.of(text));
        match (token.kind, token.of(text)) {
            (_, b";" | b"{" | b"=") => return None,
            (TokenKind::Word, b"__attribute__" | b"__declspec" | b"_Alignas" | b"__typeof__") => {
                at = group_end(text, tokens, at + 1);
            }
            (TokenKind::Word, _) if next == Some(b"(") => return Some((at, at + 1)),
            _ => {}
        }
        at += 1;
    }
}

/// The tokens of each argument, or parameter, in the parentheses that begin at a token.
fn arguments(text: &[u8], tokens: &[Token], open: usize) -> Vec<Range<usize>> {
    let close = group_end(text, tokens, open);
    let mut found = Vec::new();
    let (mut start, mut at) = (open + 1, open + 1);
    while at < close {
        match tokens[at].of(text) {
            b"(" | b"[" | b"{" => at = group_end(text, tokens, at),
            b"," => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < close {
        found.push(start..close);
    }
    found.retain(|range| !range.is_empty());
    found
}
