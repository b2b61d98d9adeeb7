//! Differential test against the crate `roup`, another parser of OpenACC directives.
//!
//! What both accept must have the same name and the same clauses. What only one of them accepts must have a known
//! reason: `roup` does not check the rules of the specification, and it is not told which text is a comment, a literal
//! or, in Fortran, one word.

mod common;

use accrue_directives::{DirectiveArgs, DirectiveKind, Language, Severity, parse, table};
use roup::ast::ClauseNormalizationMode;
use roup::ir::ParserConfig;

/// Legal directives that `roup` 0.7 rejects or reads as other directives, with the reason.
const ONLY_OURS: [(&str, &str); 8] = [
    (
        "parallel /* a, comment */ copy(a /* ) */ , b) // and one more",
        "a bracket in a comment",
    ),
    (
        "parallel if(c == ')' || s == \"(\\\")\")",
        "a bracket in a literal",
    ),
    ("parallel if(R\"(a)b)\"[0])", "a raw string literal"),
    (
        "kernels private(t) reduction(+:a) copyin(b)",
        "clauses that have no effect",
    ),
    ("loop for gang", "a word or sign that has no effect"),
    ("enddata", "a Fortran name without blanks"),
    ("EnterData copyin(a)", "a Fortran name without blanks"),
    (
        "parallel if(name == 'it''s (' .and. x > 0) ! a comment, with (",
        "a bracket in a literal",
    ),
];

/// Texts that break the grammar (section 2.1), which `roup` 0.7 accepts, with the reason.
const ONLY_ROUP: [(&str, &str); 2] = [
    ("end host", "`end` goes with any word"),
    ("end cache", "`end` goes with any word"),
];

/// The name and the clause names as `roup` sees them.
fn roup_names(text: &str, language: Language) -> Option<Vec<String>> {
    let fortran = language == Language::Fortran;
    let source = format!("{} {text}", language.sentinel());
    let parser = roup::parser::openacc::parser().with_language(if fortran {
        roup::lexer::Language::FortranFree
    } else {
        roup::lexer::Language::C
    });
    let ir_language = if fortran {
        roup::ir::Language::Fortran
    } else {
        roup::ir::Language::C
    };
    let config = ParserConfig::new(false, ir_language);
    parser
        .parse_ast(&source, ClauseNormalizationMode::Disabled, &config)
        .ok()?;
    let (_, directive) = parser.parse(&source).ok()?;
    let clauses = directive
        .clauses
        .iter()
        .map(|clause| clause.name.to_ascii_lowercase());
    Some(
        std::iter::once(directive.name.to_string().to_ascii_lowercase())
            .chain(clauses)
            .collect(),
    )
}

/// The same from our parser.
fn our_names(text: &str, language: Language) -> Result<Vec<String>, Vec<Option<&'static str>>> {
    let directive = parse(text, language).map_err(|found| -> Vec<_> {
        found
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .map(|one| one.details.section)
            .collect()
    })?;
    // `roup` calls all `end` directives `end`.
    let name = if directive.kind.is_end() {
        "end"
    } else {
        directive.kind.name()
    };
    let mut names = vec![name.to_string()];
    // The kind of an `atomic` is a clause for `roup`.
    if let DirectiveArgs::Atomic {
        kind,
        span: Some(_),
    } = directive.args
    {
        names.push(kind.name().to_string());
    }
    names.extend(
        directive
            .clauses
            .iter()
            .map(|clause| clause.name_span.of(text).to_ascii_lowercase()),
    );
    Ok(names)
}

fn compare(text: &str, language: Language) {
    let known = |list: &[(&str, &str)]| list.iter().any(|(known, _)| *known == text);
    match (our_names(text, language), roup_names(text, language)) {
        (Ok(ours), theirs) => {
            assert!(
                theirs.as_ref() == Some(&ours) || known(&ONLY_OURS),
                "{text}: {ours:?}, {theirs:?}"
            );
        }
        (Err(sections), Some(_)) => {
            let grammar = sections.iter().all(|section| *section == Some("2.1"));
            assert!(!grammar || known(&ONLY_ROUP), "only roup accepts: {text}");
        }
        (Err(_), None) => {}
    }
}

#[test]
fn the_corpus_agrees() {
    for (language, text) in common::corpus() {
        if !text.ends_with('\\') {
            compare(&text, language);
        }
    }
}

#[test]
fn known_differences_are_real() {
    let corpus = common::corpus();
    let language = |text: &str| {
        corpus
            .iter()
            .find(|(_, known)| known == text)
            .map(|(language, _)| *language)
            .expect("a directive of the corpus")
    };
    for (text, _) in ONLY_OURS {
        let language = language(text);
        let ours = our_names(text, language).expect("a legal directive");
        assert_ne!(roup_names(text, language), Some(ours), "{text}");
    }
    for (text, _) in ONLY_ROUP {
        let language = language(text);
        assert!(
            our_names(text, language).is_err() && roup_names(text, language).is_some(),
            "{text}"
        );
    }
}

#[test]
fn every_legal_pair_agrees() {
    for directive in DirectiveKind::ALL {
        for clause in table::clauses_of(directive) {
            let text = format!(
                "{} {}",
                common::directive_before(directive, clause),
                common::sample(clause)
            );
            assert!(our_names(&text, Language::C).is_ok(), "{text}");
            compare(&text, Language::C);
            compare(&text.replace("[i]", "(i)"), Language::Fortran);
        }
    }
}
