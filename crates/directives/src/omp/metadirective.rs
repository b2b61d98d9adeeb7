//! Metadirectives (OpenMP 5.2, section 7.4): the directive that one stands for.
//!
//! ```text
//! metadirective when(device={kind(nohost)}: teams distribute parallel for) otherwise(parallel for)
//! in a region of `target`     teams distribute parallel for
//! elsewhere                   parallel for
//! ```
//! The answer may be another one for another kind of device. Conditions of the program are constants here; [`super::conditions`] makes them so. Of the variants whose selectors hold, the one with the highest score counts, the first of these (7.3).
//!
//! Cost: linear in the text.

use super::selectors::{self, Construct, Device, Place};
use crate::scan::{Piece, Text};
use crate::{Diagnostic, Language, Span};

/// Whether the directive is one, and some variant of it is about devices.
pub fn is_for_devices(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    (is_one(text) || begin(text).is_some()) && words.any(|word| word == "target")
}

/// The metadirective that a `begin metadirective` is, for the statements up to its end (7.4.4).
pub fn begin(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix("begin")?;
    let rest = rest.strip_prefix(|c: char| c.is_whitespace())?.trim_start();
    is_one(rest).then_some(rest)
}

/// Whether the directive ends such statements.
pub fn is_end(text: &str) -> bool {
    let mut words = text.split_whitespace();
    (words.next(), words.next()) == (Some("end"), Some("metadirective"))
}

/// Whether the directive is one.
pub fn is_one(text: &str) -> bool {
    super::first_word(text) == Some("metadirective")
}

/// The directive that it stands for in a region that a device of this kind runs, or in code of the host; `None` if that is no directive
/// at all.
///
/// # Errors
/// Why that cannot be said.
pub fn choose(
    text: &str,
    language: Language,
    device: Option<Device>,
) -> Result<Option<Span>, Diagnostic> {
    let place = Place {
        device,
        constructs: None,
    };
    chosen_at(Text { text, language }, &place)
}

fn chosen_at(text: Text<'_>, place: &Place<'_>) -> Result<Option<Span>, Diagnostic> {
    let variants = variants(text)?;
    let chosen = variants_for(text, &variants, place)?;
    Ok(chosen.filter(|span| !span.is_empty() && text.of(*span) != "nothing"))
}

/// The same in constructs of which all are known: those around it, outermost first.
///
/// # Errors
/// Why that cannot be said.
pub fn choose_in(
    text: &str,
    language: Language,
    device: Option<Device>,
    constructs: &[Construct],
) -> Result<Option<Span>, Diagnostic> {
    let place = Place {
        device,
        constructs: Some(constructs),
    };
    chosen_at(Text { text, language }, &place)
}

/// The selectors of its variants.
///
/// # Errors
/// What is wrong with its clauses.
pub(super) fn selectors(text: Text<'_>) -> Result<Vec<Span>, Diagnostic> {
    let variants = variants(text)?;
    Ok(variants.iter().filter_map(|it| it.selectors).collect())
}

/// The directives that it may stand for.
///
/// # Errors
/// What is wrong with its clauses.
pub fn directives(text: &str, language: Language) -> Result<Vec<Span>, Diagnostic> {
    let variants = variants(Text { text, language })?;
    Ok(variants.iter().map(|it| it.directive).collect())
}

/// A clause.
struct Variant {
    /// Of `when`.
    selectors: Option<Span>,
    directive: Span,
}

pub(super) fn unsupported(span: Span, message: &str) -> Diagnostic {
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
    place: &Place<'_>,
) -> Result<Option<Span>, Diagnostic> {
    let mut matched = Vec::new();
    for variant in variants {
        matched.push(match variant.selectors {
            Some(selectors) => selectors::matched(text, selectors, place)?,
            None => None,
        });
    }
    let best = selectors::best(&matched).and_then(|index| variants.get(index));
    let otherwise = variants.iter().find(|variant| variant.selectors.is_none());
    Ok(best.or(otherwise).map(|variant| variant.directive))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, device: Option<Device>) -> String {
        match choose(text, Language::C, device) {
            Ok(span) => span.map_or("-", |span| span.of(text)).to_string(),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn selectors_choose_by_place() {
        let text = "metadirective when(device={kind(nohost)}: teams loop) otherwise(parallel for)";
        assert_eq!(chosen(text, Some(Device::Cores)), "teams loop");
        assert_eq!(chosen(text, None), "parallel for");
        let text = "metadirective when(implementation={vendor(nvidia)}: teams num_teams(9)), default (nothing)";
        assert_eq!(chosen(text, Some(Device::Cores)), "-");
        let text = "metadirective when(user={condition(1)}: single) when(device={kind(host, cpu)}: masked)";
        assert_eq!(chosen(text, None), "masked");
        assert_eq!(chosen(text, Some(Device::Cores)), "single");
        let text = "metadirective when(user={condition(score(7): 1)}: single) when(device={kind(any)}: masked)";
        assert_eq!(chosen(text, None), "single");
        let text = "metadirective when(device={kind(host)}, user={condition(n > 3)}: single)";
        assert_eq!(chosen(text, Some(Device::Cores)), "-");
    }

    #[test]
    fn constructs_around_choose() {
        let text = "metadirective when(construct={teams}: distribute) when(construct={target, parallel}: for) otherwise(nothing)";
        let chosen = |constructs: &[Construct]| {
            let found = choose_in(text, Language::C, Some(Device::Cores), constructs);
            found.ok().flatten().map(|span| span.of(text))
        };
        assert_eq!(
            chosen(&[Construct::Target, Construct::Teams]),
            Some("distribute")
        );
        assert_eq!(
            chosen(&[Construct::Target, Construct::Parallel]),
            Some("for")
        );
        assert_eq!(chosen(&[Construct::Parallel]), None);
    }

    #[test]
    fn devices_may_differ() {
        let text = "metadirective when(device={arch(\"nvptx\")}: single) when(device={kind(nohost)}: single)";
        assert_eq!(chosen(text, Some(Device::Cores)), "single");
        let text = "metadirective when(device={kind(gpu)}: masked) otherwise(single)";
        assert_eq!(chosen(text, Some(Device::Cores)), "single");
        assert_eq!(chosen(text, Some(Device::Nvidia)), "masked");
        let text = "metadirective when(user={condition(n)}: single)";
        assert!(chosen(text, None).contains("constant"));
    }
}
