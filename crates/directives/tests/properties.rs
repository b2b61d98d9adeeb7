//! Whatever the text is: no panic, all places inside the text, and the same directive however it is spaced.

mod common;

use accrue_directives::{
    Clause, ClauseArgs, Diagnostic, Directive, DirectiveArgs, Language, SizeExpr, Span, Subscript,
    Var, parse,
};
use common::corpus;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// One change of a text.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(Index, usize),
    Insert(Index, String),
    Repeat(Index, usize),
    Swap(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let pieces = vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "::",
        ",",
        "\"",
        "'",
        "?",
        "<",
        ">",
        "*",
        "/",
        "/*",
        "//",
        "\\\n",
        "!",
        " ",
        "\n",
        "é",
        "𝄞",
        "0",
        "device_type(",
        "seq",
        "copy(",
        "readonly:",
        "devnum:",
        "+:",
        "end ",
        "R\"(",
        "&",
    ];
    prop_oneof![
        (any::<Index>(), 1usize..6).prop_map(|(at, length)| Mutation::Delete(at, length)),
        (any::<Index>(), select(pieces))
            .prop_map(|(at, piece)| Mutation::Insert(at, piece.to_string())),
        (any::<Index>(), 1usize..12).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Mutation::Swap(one, other)),
    ]
}

fn mutate(text: &str, mutation: &Mutation) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let place = |index: &Index, chars: &[char]| index.index(chars.len() + 1);
    match mutation {
        Mutation::Delete(at, length) => {
            let at = place(at, &chars);
            let end = (at + length).min(chars.len());
            chars.drain(at..end);
        }
        Mutation::Insert(at, piece) => {
            let at = place(at, &chars);
            chars.splice(at..at, piece.chars());
        }
        Mutation::Repeat(at, length) => {
            let at = place(at, &chars);
            let end = (at + length).min(chars.len());
            let piece = chars[at..end].to_vec();
            chars.splice(at..at, piece);
        }
        Mutation::Swap(one, other) => {
            if !chars.is_empty() {
                let (one, other) = (one.index(chars.len()), other.index(chars.len()));
                chars.swap(one, other);
            }
        }
    }
    chars.into_iter().collect()
}

/// All places that a directive names.
fn spans(directive: &Directive) -> Vec<Span> {
    let mut spans = vec![directive.span, directive.kind_span];
    match &directive.args {
        DirectiveArgs::None => {}
        DirectiveArgs::Wait(wait) => spans.extend(wait.queues.iter().chain(&wait.devnum)),
        DirectiveArgs::Cache { readonly, vars } => {
            spans.extend(readonly);
            vars.iter().for_each(|var| var_spans(var, &mut spans));
        }
        DirectiveArgs::Atomic { span, .. } => spans.extend(span),
        DirectiveArgs::Routine { name } => spans.push(*name),
    }
    directive
        .clauses
        .iter()
        .for_each(|clause| clause_spans(clause, &mut spans));
    spans
}

fn clause_spans(clause: &Clause, spans: &mut Vec<Span>) {
    spans.extend([clause.span, clause.name_span]);
    spans.extend(clause.modifiers.iter().map(|modifier| modifier.span));
    let size_span = |size: &SizeExpr| match size {
        SizeExpr::Any(span) | SizeExpr::Expr(span) => *span,
    };
    match &clause.args {
        ClauseArgs::None => {}
        ClauseArgs::Expr(span) | ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => {
            spans.push(*span)
        }
        ClauseArgs::Exprs(exprs) => spans.extend(exprs),
        ClauseArgs::Vars(vars) => vars.iter().for_each(|var| var_spans(var, spans)),
        ClauseArgs::Reduction {
            operator_span,
            vars,
            ..
        } => {
            spans.push(*operator_span);
            vars.iter().for_each(|var| var_spans(var, spans));
        }
        ClauseArgs::Wait(wait) => spans.extend(wait.queues.iter().chain(&wait.devnum)),
        ClauseArgs::Devices(types) => spans.extend(types.iter().map(|device| device.span)),
        ClauseArgs::Default { span, .. } => spans.push(*span),
        ClauseArgs::Collapse { force, count } => {
            spans.extend(force);
            spans.push(*count);
        }
        ClauseArgs::Gang {
            num,
            dim,
            static_size,
        } => {
            spans.extend(num.iter().chain(dim));
            spans.extend(static_size.iter().map(size_span));
        }
        ClauseArgs::Tile(sizes) => spans.extend(sizes.iter().map(size_span)),
        ClauseArgs::Bind { name, .. } => spans.push(*name),
    }
}

fn var_spans(var: &Var, spans: &mut Vec<Span>) {
    spans.extend([var.span, var.base]);
    for subscript in &var.subscripts {
        match subscript {
            Subscript::Index(span) => spans.push(*span),
            Subscript::Section {
                lower,
                length,
                stride,
                ..
            } => spans.extend(lower.iter().chain(length).chain(stride)),
            Subscript::Triplet {
                lower,
                upper,
                stride,
                ..
            } => {
                spans.extend(lower.iter().chain(upper).chain(stride));
            }
        }
    }
}

fn check_diagnostics(diagnostics: &[Diagnostic], text: &str, language: Language) {
    for diagnostic in diagnostics {
        assert!(
            diagnostic.span().start <= diagnostic.span().end,
            "{diagnostic:?}"
        );
        assert!(diagnostic.span().end <= text.len().max(1), "{diagnostic:?}");
        assert!(diagnostic.details.section.is_some(), "{diagnostic:?}");
        let start = diagnostic.span().start;
        for color in [false, true] {
            let shown = common::shown(diagnostic, "  ", text, language, color);
            assert!(color || start > text.len() || shown.contains("--> file:"));
        }
    }
}

fn check(text: &str, language: Language) {
    match parse(text, language) {
        Ok(directive) => {
            for span in spans(&directive) {
                assert!(
                    !span.is_empty() && text.get(span.start..span.end).is_some(),
                    "{span:?} in {text:?}"
                );
            }
            check_diagnostics(&directive.warnings, text, language);
            check_respaced(&directive, text, language);
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            check_diagnostics(&diagnostics, text, language);
        }
    }
}

/// The directive put together from its clauses, with other blanks, is the same directive.
fn check_respaced(directive: &Directive, text: &str, language: Language) {
    let head_end = directive
        .clauses
        .first()
        .map_or(directive.span.end, |clause| clause.name_span.start);
    let head = Span::new(directive.span.start, head_end).of(text);
    for separator in ["\t", " , "] {
        let clauses: Vec<&str> = directive
            .clauses
            .iter()
            .map(|clause| clause.span.of(text))
            .collect();
        let respaced = format!(" {head}\n{}\t", clauses.join(separator));
        let again =
            parse(&respaced, language).unwrap_or_else(|errors| panic!("{respaced:?}: {errors:?}"));
        assert_eq!(
            common::describe(directive, text),
            common::describe(&again, &respaced),
            "{text:?}"
        );
    }
}

#[test]
fn the_corpus_holds() {
    let corpus = corpus();
    assert!(corpus.len() > 150);
    for (_, text) in &corpus {
        for language in [Language::C, Language::Cxx, Language::Fortran] {
            check(text, language);
        }
    }
}

#[test]
fn every_beginning_and_end_of_the_corpus_holds() {
    for (language, text) in corpus() {
        for (at, _) in text.char_indices() {
            check(&text[..at], language);
            check(&text[at..], language);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_directives_hold(
        (language, text) in select(corpus()),
        mutations in proptest::collection::vec(mutation(), 1..5),
    ) {
        let text = mutations.iter().fold(text, |text, mutation| mutate(&text, mutation));
        check(&text, language);
    }

    #[test]
    fn any_text_holds(text in "\\PC{0,60}") {
        check(&text, Language::Cxx);
        check(&text, Language::Fortran);
    }
}
