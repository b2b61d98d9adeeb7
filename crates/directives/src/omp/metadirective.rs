//! Metadirectives (OpenMP 5.2, section 7.4): the directive that one stands for.
//!
//! ```text
//! metadirective when(device={kind(nohost)}: teams distribute parallel for) otherwise(parallel for)
//! in a region of `target`     teams distribute parallel for
//! elsewhere                   parallel for
//! ```
//! Code of a region may run on any device, so that the answer must be the same for all of them; so must a condition of the program be
//! a constant. Of the variants whose selectors hold, the one with the highest score counts, the first of these (7.3).
//!
//! Cost: linear in the text.

use crate::scan::{Piece, Text};
use crate::{Diagnostic, Language, Span};

/// Where a directive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// In code that the host runs.
    Host,
    /// In a region of `target`.
    Device,
}

/// Whether the directive is one, and some variant of it is about devices.
pub fn is_for_devices(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    is_one(text) && words.any(|word| word == "target")
}

/// Whether the directive is one.
pub fn is_one(text: &str) -> bool {
    super::first_word(text) == Some("metadirective")
}

/// The directive that it stands for; `None` if that is no directive at all.
///
/// # Errors
/// Why that cannot be said.
pub fn choose(
    text: &str,
    language: Language,
    context: Context,
) -> Result<Option<Span>, Diagnostic> {
    let text = Text { text, language };
    let variants = variants(text)?;
    let mut found: Vec<Option<Span>> = Vec::new();
    for traits in contexts(context) {
        let chosen = variants_for(text, &variants, traits)?;
        let words = |span: &Option<Span>| span.map_or("", |span| text.of(span));
        if !found.iter().any(|other| words(other) == words(&chosen)) {
            found.push(chosen);
        }
    }
    match found.as_slice() {
        [only] => Ok(only.filter(|span| !span.is_empty() && text.of(*span) != "nothing")),
        _ => Err(unsupported(
            text.trim(text.span()),
            "which directive this is depends on the device, and the code of a region is for all of them",
        )
        .help("let the variants for devices have one selector, such as `device={kind(nohost)}`")),
    }
}

/// What is known of the place.
#[derive(Clone, Copy)]
struct Traits {
    kinds: &'static [&'static str],
    archs: &'static [&'static str],
}

const HOST_ARCHS: &[&str] = &[std::env::consts::ARCH];

/// The kinds of code that there may be.
fn contexts(context: Context) -> &'static [Traits] {
    match context {
        Context::Host => &[Traits {
            kinds: &["any", "host", "cpu"],
            archs: HOST_ARCHS,
        }],
        Context::Device => &[
            Traits {
                kinds: &["any", "nohost", "cpu"],
                archs: HOST_ARCHS,
            },
            Traits {
                kinds: &["any", "nohost", "gpu"],
                archs: &["nvptx", "nvptx64"],
            },
            Traits {
                kinds: &["any", "nohost", "gpu"],
                archs: &[],
            },
        ],
    }
}

/// A clause.
struct Variant {
    /// Of `when`.
    selectors: Option<Span>,
    directive: Span,
}

fn unsupported(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(span, message.to_string()).openmp("7.4")
}

fn variants(text: Text<'_>) -> Result<Vec<Variant>, Diagnostic> {
    let whole = text.trim(text.span());
    let mut found = Vec::new();
    let mut at = text
        .word(whole.start, whole.end)
        .map_or(whole.end, |name| name.end);
    loop {
        at = text.skip_blanks(at, whole.end);
        if at < whole.end && text.of(Span::new(at, at + 1)) == "," {
            at += 1;
            continue;
        }
        let Some(word) = text.word(at, whole.end) else {
            break;
        };
        let open = text.skip_blanks(word.end, whole.end);
        let group = match text.piece(open, whole.end) {
            Ok(Piece::Group(group)) if open < whole.end => group,
            _ => {
                return Err(unsupported(
                    word,
                    "this clause needs an argument in parentheses",
                ));
            }
        };
        let inside = text.inside(group);
        match text.of(word) {
            "when" => {
                let Some(colon) = text.colons(inside).first().copied() else {
                    return Err(unsupported(inside, "`when` needs a selector and a colon"));
                };
                found.push(Variant {
                    selectors: Some(text.trim(Span::new(inside.start, colon))),
                    directive: text.trim(Span::new(colon + 1, inside.end)),
                });
            }
            "default" | "otherwise" => found.push(Variant {
                selectors: None,
                directive: inside,
            }),
            other => {
                let message = format!("`metadirective` does not take the clause `{other}`");
                let help = "it takes `when` and `otherwise`";
                return Err(unsupported(word, &message).help(help));
            }
        }
        at = group.end;
    }
    Ok(found)
}

fn variants_for(
    text: Text<'_>,
    variants: &[Variant],
    traits: &Traits,
) -> Result<Option<Span>, Diagnostic> {
    let mut best: Option<(u64, Span)> = None;
    for variant in variants {
        let Some(selectors) = variant.selectors else {
            continue;
        };
        let score = score(text, selectors, traits)?;
        if let Some(score) = score.filter(|score| best.is_none_or(|(most, _)| *score > most)) {
            best = Some((score, variant.directive));
        }
    }
    let otherwise = variants.iter().find(|variant| variant.selectors.is_none());
    let otherwise = otherwise.map(|variant| variant.directive);
    Ok(best.map(|(_, directive)| directive).or(otherwise))
}

/// The score of selectors that hold; what cannot be said is no matter where another one does not hold.
fn score(text: Text<'_>, selectors: Span, traits: &Traits) -> Result<Option<u64>, Diagnostic> {
    let (mut total, mut problem) = (0, None);
    for set in text.split_commas(selectors) {
        let name = text.word(set.start, set.end).unwrap_or(set);
        let group = text.pieces(set).into_iter().find_map(|piece| match piece {
            Piece::Group(group) => Some(group),
            Piece::Byte(..) | Piece::Literal(_) | Piece::Blank(_) => None,
        });
        let Some(group) = group else {
            return Err(unsupported(set, "a selector needs traits in braces"));
        };
        for one in text.split_commas(text.inside(group)) {
            match trait_score(text, text.of(name), one, traits) {
                Ok(Some(score)) => total += score,
                Ok(None) => return Ok(None),
                Err(error) => problem = problem.or(Some(error)),
            }
        }
    }
    problem.map_or(Ok(Some(total)), Err)
}

/// The score of one trait that holds.
fn trait_score(
    text: Text<'_>,
    set: &str,
    one: Span,
    traits: &Traits,
) -> Result<Option<u64>, Diagnostic> {
    let name = text.word(one.start, one.end).unwrap_or(one);
    let open = text.skip_blanks(name.end, one.end);
    let mut inside = match text.piece(open, one.end) {
        Ok(Piece::Group(group)) if open < one.end => text.inside(group),
        _ => Span::new(one.end, one.end),
    };
    let mut said = 0;
    if let Some(colon) = text.colons(inside).first().copied() {
        let score = text.of(Span::new(inside.start, colon));
        let number = score.trim().strip_prefix("score").map(str::trim);
        let number = number.and_then(|it| it.strip_prefix('(')?.strip_suffix(')'));
        said = number
            .and_then(|it| it.trim().parse().ok())
            .ok_or_else(|| unsupported(inside, "a score is a constant number"))?;
        inside = text.trim(Span::new(colon + 1, inside.end));
    }
    let all = |known: &[&str]| {
        let words = text.split_commas(inside).into_iter();
        words
            .map(|word| text.of(word).trim_matches('"'))
            .all(|word| known.contains(&word))
    };
    match (set, text.of(name)) {
        ("device", "kind") => Ok(all(traits.kinds).then_some(1 + said)),
        ("device", "arch") => Ok(all(traits.archs).then_some(2 + said)),
        ("implementation", "vendor") => Ok(all(&["accrue"]).then_some(said)),
        ("implementation", "extension") => Ok(None),
        ("user", "condition") => match text.of(inside).trim() {
            "0" | "false" => Ok(None),
            value if value == "true" || value.parse::<u64>().is_ok() => Ok(Some(said)),
            _ => Err(unsupported(
                inside,
                "a condition that is no constant number is not supported yet",
            )
            .help("write an `if` statement with both directives")),
        },
        (set, name) => {
            let message = format!("the selector `{name}` of `{set}` is not supported yet");
            let help = "select by `device={kind(…)}`, `device={arch(…)}` or a constant condition";
            Err(unsupported(one, &message).help(help))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, context: Context) -> String {
        match choose(text, Language::C, context) {
            Ok(span) => span.map_or("-", |span| span.of(text)).to_string(),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn selectors_choose_by_place() {
        let text = "metadirective when(device={kind(nohost)}: teams loop) otherwise(parallel for)";
        assert_eq!(chosen(text, Context::Device), "teams loop");
        assert_eq!(chosen(text, Context::Host), "parallel for");
        let text = "metadirective when(implementation={vendor(nvidia)}: teams num_teams(9)), default (nothing)";
        assert_eq!(chosen(text, Context::Device), "-");
        let text = "metadirective when(user={condition(1)}: single) when(device={kind(host, cpu)}: masked)";
        assert_eq!(chosen(text, Context::Host), "masked");
        assert_eq!(chosen(text, Context::Device), "single");
        let text = "metadirective when(user={condition(score(7): 1)}: single) when(device={kind(any)}: masked)";
        assert_eq!(chosen(text, Context::Host), "single");
        let text = "metadirective when(device={kind(host)}, user={condition(n > 3)}: single)";
        assert_eq!(chosen(text, Context::Device), "-");
    }

    #[test]
    fn what_depends_on_the_device_is_no_answer() {
        let text = "metadirective when(device={arch(\"nvptx\")}: single) when(device={kind(nohost)}: single)";
        assert_eq!(chosen(text, Context::Device), "single");
        let text = "metadirective when(device={kind(gpu)}: masked) otherwise(single)";
        assert!(chosen(text, Context::Device).contains("depends on the device"));
        let text = "metadirective when(user={condition(n)}: single)";
        assert!(chosen(text, Context::Host).contains("constant"));
    }
}
