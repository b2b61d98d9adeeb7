//! What of a metadirective is known only when the program runs (OpenMP 5.2, sections 7.1 and 7.4): conditions that are no constant
//! numbers, and what `target_device` says of a device that has a number.
//!
//! ```text
//! metadirective when(user={condition(n > 9)}: parallel for) otherwise(simd)
//! n > 9 holds:    metadirective when(user={condition(1)}: parallel for) otherwise(simd)
//! else:           metadirective when(user={condition(0)}: parallel for) otherwise(simd)
//! ```
//! With an answer for each of them a metadirective stands for one directive on each kind of device ([`super::metadirective`]).
//!
//! Cost: a choice for each combination of at most [`MOST`] answers.

use super::metadirective::{self, choose};
use super::selectors::{self, Device, Dynamic};
use crate::ast::Language;
use crate::scan::Text;
use crate::{Diagnostic, Span};

/// So many of them may be in one directive.
pub const MOST: usize = 6;

/// Something that a program answers when it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The part of the directive.
    pub span: Span,
    /// What is asked.
    pub question: Question,
}

/// What is asked of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether an expression is not 0.
    Holds(Span),
    /// Whether the device of this number, else the default device, is one of these; the first is the host itself.
    DeviceIs {
        number: Option<Span>,
        is_initial: bool,
        devices: Vec<Device>,
        /// What it counts if it holds (7.3).
        score: u64,
    },
}

/// What is asked by a metadirective, in the order of its text.
///
/// # Errors
/// What is wrong with its selectors.
pub fn conditions(text: &str, language: Language) -> Result<Vec<Condition>, Diagnostic> {
    let text = Text { text, language };
    let mut found = Vec::new();
    for selectors in metadirective::selectors(text)? {
        for dynamic in selectors::dynamic(text, selectors)? {
            found.push(match dynamic {
                Dynamic::Condition(span) => Condition {
                    span,
                    question: Question::Holds(span),
                },
                Dynamic::TargetDevice { set, inside } => target_device(text, set, inside)?,
            });
        }
    }
    match found.get(MOST) {
        Some(one) => Err(metadirective::unsupported(
            one.span,
            "more than six conditions in one directive are not supported",
        )
        .help("write an `if` statement around some of its variants")),
        None => Ok(found),
    }
}

/// `target_device={device_num(1), kind(gpu)}`
fn target_device(text: Text<'_>, set: Span, inside: Span) -> Result<Condition, Diagnostic> {
    let (mut number, mut score) = (None, 0);
    // The host, and each device.
    let places = [None].into_iter().chain(Device::ALL.map(Some));
    let mut holds: Vec<Option<Device>> = places.collect();
    for one in text.split_commas(inside) {
        let (name, words) = selectors::trait_of(text, one);
        let all = |known: &[&str]| {
            let mut words = words.iter().map(|word| text.of(*word).trim_matches('"'));
            words.all(|word| known.contains(&word))
        };
        match name {
            "device_num" => number = words.first().copied(),
            "kind" => {
                holds.retain(|device| all(selectors::kinds(*device)));
                score += u64::from(!all(&["any"]));
            }
            "arch" => {
                holds.retain(|device| all(selectors::archs(*device)));
                score += 2;
            }
            "isa" => holds.clear(),
            other => {
                let message = format!("`target_device` does not take the selector `{other}`");
                return Err(selectors::unsupported(one, &message)
                    .help("it takes `device_num`, `kind`, `arch` and `isa`"));
            }
        }
    }
    Ok(Condition {
        span: set,
        question: Question::DeviceIs {
            number,
            is_initial: holds.contains(&None),
            devices: holds.into_iter().flatten().collect(),
            score,
        },
    })
}

/// The text of the directive with these answers, in their order; what is asked behind them stays.
pub fn answered(text: &str, conditions: &[Condition], answers: &[bool]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for (condition, answer) in conditions.iter().zip(answers) {
        new += &text[at..condition.span.start];
        new += &match (&condition.question, answer) {
            (Question::Holds(_), true) => "1".to_string(),
            (Question::Holds(_), false) => "0".to_string(),
            (Question::DeviceIs { score, .. }, true) => {
                format!("user={{condition(score({score}): 1)}}")
            }
            (Question::DeviceIs { .. }, false) => "user={condition(0)}".to_string(),
        };
        at = condition.span.end;
    }
    new + &text[at..]
}

/// Whether the answers decide what the directive stands for, on the host and on each kind of device.
///
/// # Errors
/// Why that cannot be said.
pub fn decide(
    text: &str,
    language: Language,
    conditions: &[Condition],
    answers: &[bool],
) -> Result<bool, Diagnostic> {
    let open = conditions.len() - answers.len();
    let mut first: Option<Vec<Option<String>>> = None;
    for bits in 0..1u32 << open {
        let rest = (0..open).map(|bit| bits >> bit & 1 != 0);
        let all: Vec<bool> = answers.iter().copied().chain(rest).collect();
        let new = answered(text, conditions, &all);
        let places = [None].into_iter().chain(Device::ALL.map(Some));
        let chosen: Result<Vec<_>, Diagnostic> = places
            .map(|device| {
                let span = choose(&new, language, device)
                    // Its place is one in another text.
                    .map_err(|it| it.map_places(|_| Span::new(0, text.len())))?;
                Ok(span.map(|span| span.of(&new).to_string()))
            })
            .collect();
        let chosen = chosen?;
        if first.get_or_insert_with(|| chosen.clone()) != &chosen {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Condition> {
        conditions(text, Language::C).unwrap_or_default()
    }

    #[test]
    fn answers_take_the_place_of_conditions() {
        let text = "metadirective when(user={condition(score(2): n > 9)}: single) when(user={condition(1)}: masked)";
        let found = found(text);
        assert_eq!(found.len(), 1);
        assert_eq!(
            answered(text, &found, &[true]),
            "metadirective when(user={condition(score(2): 1)}: single) when(user={condition(1)}: masked)"
        );
        assert_eq!(decide(text, Language::C, &found, &[]), Ok(false));
        assert_eq!(decide(text, Language::C, &found, &[true]), Ok(true));
    }

    #[test]
    fn what_decides_first_needs_no_other_answer() {
        let text = "metadirective when(user={condition(score(9): a)}: single) when(user={condition(b)}: masked)";
        let found = found(text);
        assert_eq!(decide(text, Language::C, &found, &[true]), Ok(true));
        assert_eq!(decide(text, Language::C, &found, &[false]), Ok(false));
    }

    #[test]
    fn devices_have_numbers() {
        let text = "metadirective when(target_device={device_num(k + 1), kind(gpu), arch(nvptx)}: target) otherwise(parallel)";
        let found = found(text);
        let Some(Question::DeviceIs {
            number: Some(number),
            is_initial: false,
            devices,
            score: 3,
        }) = found.first().map(|it| it.question.clone())
        else {
            panic!("{found:?}");
        };
        assert_eq!(number.of(text), "k + 1");
        assert_eq!(devices, [Device::Nvidia]);
        assert!(
            conditions(
                "metadirective when(target_device={uid(3)}: target)",
                Language::C
            )
            .is_err()
        );
    }
}
