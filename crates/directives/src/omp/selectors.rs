//! Context selectors (OpenMP 5.2, sections 7.1 to 7.3): whether one holds at a place in a program, and which of several counts.
//!
//! ```text
//! construct={teams, parallel}, device={kind(gpu)}      in target teams distribute parallel for, on a GPU:   1 · 2 + 4 + 8
//!                                                      elsewhere:   does not hold
//! ```
//! A trait of the place's constructs counts 2 to the power of its position, kinds and architectures of devices count more than all of
//! these. One whose traits are among those of another that holds does not count (7.2).
//!
//! Cost: linear in the text, and quadratic in the number of selectors.

use crate::scan::{Piece, Text};
use crate::{Diagnostic, Span};

/// A kind of device that a region's code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// Cores of the host.
    Cores,
    /// GPUs of NVIDIA.
    Nvidia,
    /// What is behind OpenCL.
    OpenCl,
}

impl Device {
    /// All of them.
    pub const ALL: [Device; 3] = [Device::Cores, Device::Nvidia, Device::OpenCl];

    /// The one that these words of OpenACC's `device_type` clauses mean.
    pub fn of_types(types: &[&str]) -> Device {
        match types {
            types if types.contains(&"nvidia") => Device::Nvidia,
            types if types.contains(&"opencl") => Device::OpenCl,
            _ => Device::Cores,
        }
    }
}

/// A construct that selectors may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    Target,
    Teams,
    Parallel,
    For,
    Simd,
    Dispatch,
}

impl Construct {
    /// The construct of this name.
    pub fn named(word: &str) -> Option<Construct> {
        Some(match word {
            "target" => Construct::Target,
            "teams" => Construct::Teams,
            "parallel" => Construct::Parallel,
            "for" | "do" => Construct::For,
            "simd" => Construct::Simd,
            "dispatch" => Construct::Dispatch,
            _ => return None,
        })
    }
}

/// What is known of a place in a program.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The device that runs the code; `None` for the host.
    pub device: Option<Device>,
    /// The constructs around it, up to a `target`, outermost first; `None` if they are not known.
    pub constructs: Option<&'a [Construct]>,
}

/// The words of `kind` that hold there; `None` is the host.
pub(super) fn kinds(device: Option<Device>) -> &'static [&'static str] {
    match device {
        None => &["any", "host", "cpu"],
        Some(Device::Cores) => &["any", "nohost", "cpu"],
        Some(Device::Nvidia | Device::OpenCl) => &["any", "nohost", "gpu"],
    }
}

/// The words of `arch` that hold there.
pub(super) fn archs(device: Option<Device>) -> &'static [&'static str] {
    match device {
        None | Some(Device::Cores) => &[std::env::consts::ARCH],
        Some(Device::Nvidia) => &["nvptx", "nvptx64"],
        Some(Device::OpenCl) => &[],
    }
}

impl Place<'_> {
    /// What a device's traits count more than those of constructs.
    fn constructs_weight(&self) -> u64 {
        1 << self.constructs.map_or(0, <[_]>::len).min(32)
    }
}

/// The selectors of a `match` or `when` clause that hold somewhere.
pub struct Matched {
    score: u64,
    /// Its traits, in one spelling.
    traits: Vec<String>,
}

/// The index of the one that counts.
pub fn best(matched: &[Option<Matched>]) -> Option<usize> {
    let all = || matched.iter().flatten();
    let is_less = |one: &Matched| {
        all().any(|other| {
            other.traits.len() > one.traits.len()
                && one.traits.iter().all(|it| other.traits.contains(it))
        })
    };
    let mut best: Option<(usize, u64)> = None;
    for (index, one) in matched.iter().enumerate() {
        let Some(one) = one.as_ref().filter(|one| !is_less(one)) else {
            continue;
        };
        if best.is_none_or(|(_, score)| one.score > score) {
            best = Some((index, one.score));
        }
    }
    best.map(|(index, _)| index)
}

/// A message about selectors.
pub(crate) fn unsupported(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(span, message.to_string()).openmp("7.1")
}

/// What selectors say of a place, if they hold; what cannot be said is no matter where another one does not hold.
///
/// # Errors
/// What cannot be said.
pub(crate) fn matched(
    text: Text<'_>,
    selectors: Span,
    place: &Place<'_>,
) -> Result<Option<Matched>, Diagnostic> {
    let (mut score, mut problem, mut traits) = (0, None, Vec::new());
    for set in text.split_commas(selectors) {
        let (name, inside) = set_of(text, set)?;
        let ones = text.split_commas(inside);
        let spelled = |one: &Span| -> String {
            let text = text.of(*one).chars();
            let text: String = text.filter(|c| !c.is_whitespace()).collect();
            format!("{name}:{text}")
        };
        traits.extend(ones.iter().map(spelled));
        if name == "construct" {
            match constructs_score(text, &ones, place) {
                Ok(Some(more)) => score += more,
                Ok(None) => return Ok(None),
                Err(error) => problem = problem.or(Some(error)),
            }
            continue;
        }
        for one in ones {
            match trait_score(text, name, one, place) {
                Ok(Some(more)) => score += more,
                Ok(None) => return Ok(None),
                Err(error) => problem = problem.or(Some(error)),
            }
        }
    }
    problem.map_or(Ok(Some(Matched { score, traits })), Err)
}

/// The constructs that selectors name: those of a function that is chosen for them (7.1).
pub(crate) fn constructs(text: Text<'_>, selectors: Span) -> Vec<Construct> {
    let sets = text.split_commas(selectors).into_iter();
    let named = sets
        .filter_map(|set| set_of(text, set).ok())
        .filter(|(name, _)| *name == "construct")
        .flat_map(|(_, inside)| text.split_commas(inside));
    named
        .filter_map(|one| Construct::named(text.of(text.word(one.start, one.end)?)))
        .collect()
}

/// The name of a set, and what is between its braces.
fn set_of<'a>(text: Text<'a>, set: Span) -> Result<(&'a str, Span), Diagnostic> {
    let name = text.word(set.start, set.end).unwrap_or(set);
    let group = text.pieces(set).into_iter().find_map(|piece| match piece {
        Piece::Group(group) => Some(group),
        Piece::Byte(..) | Piece::Literal(_) | Piece::Blank(_) => None,
    });
    match group {
        Some(group) => Ok((text.of(name), text.inside(group))),
        None => Err(unsupported(set, "a selector needs traits in braces")),
    }
}

/// The constructs must be around the place, in this order; of those of one name the inner ones count, since they count more.
fn constructs_score(
    text: Text<'_>,
    ones: &[Span],
    place: &Place<'_>,
) -> Result<Option<u64>, Diagnostic> {
    let (mut score, mut end) = (0, place.constructs.map_or(0, <[_]>::len));
    for one in ones.iter().rev() {
        let word = text.word(one.start, one.end).unwrap_or(*one);
        let Some(wanted) = Construct::named(text.of(word)) else {
            return Err(
                unsupported(*one, "this is no construct that a selector may name")
                    .help("`target`, `teams`, `parallel`, `for`, `simd` and `dispatch` are"),
            );
        };
        let Some(around) = place.constructs else {
            return Err(
                unsupported(*one, "the selector `construct` is not supported here yet").help(
                    "select by `device={kind(…)}`, `device={arch(…)}` or a constant condition",
                ),
            );
        };
        let Some(position) = around[..end].iter().rposition(|it| *it == wanted) else {
            return Ok(None);
        };
        if text.trim(*one).end > word.end {
            return Err(unsupported(
                *one,
                "clauses of a construct in a selector are not supported yet",
            )
            .help("name the construct alone"));
        }
        score += 1 << position.min(31);
        end = position;
    }
    Ok(Some(score))
}

/// The name of a trait, what stands in front of the colon in its parentheses, and the rest of these.
fn properties(text: Text<'_>, one: Span) -> (Span, Option<Span>, Span) {
    let name = text.word(one.start, one.end).unwrap_or(one);
    let open = text.skip_blanks(name.end, one.end);
    let inside = match text.piece(open, one.end) {
        Ok(Piece::Group(group)) if open < one.end => text.inside(group),
        _ => Span::new(one.end, one.end),
    };
    match text.colons(inside).first().copied() {
        Some(colon) => (
            name,
            Some(Span::new(inside.start, colon)),
            text.trim(Span::new(colon + 1, inside.end)),
        ),
        None => (name, None, inside),
    }
}

/// The name of a trait, and its words.
pub(super) fn trait_of<'a>(text: Text<'a>, one: Span) -> (&'a str, Vec<Span>) {
    let (name, _, inside) = properties(text, one);
    (text.of(name), text.split_commas(inside))
}

/// What selectors say that is known only when the program runs.
pub(super) enum Dynamic {
    /// An expression.
    Condition(Span),
    /// A set `target_device`, and what is between its braces.
    TargetDevice { set: Span, inside: Span },
}

/// All that selectors say that is known only when the program runs.
///
/// # Errors
/// What is wrong with them.
pub(super) fn dynamic(text: Text<'_>, selectors: Span) -> Result<Vec<Dynamic>, Diagnostic> {
    let mut found = Vec::new();
    for set in text.split_commas(selectors) {
        let (name, inside) = set_of(text, set)?;
        match name {
            "target_device" => found.push(Dynamic::TargetDevice { set, inside }),
            "user" => found.extend(text.split_commas(inside).into_iter().filter_map(|one| {
                let (name, _, inside) = properties(text, one);
                let is_open = text.of(name) == "condition" && condition(text.of(inside)).is_none();
                is_open.then_some(Dynamic::Condition(inside))
            })),
            _ => {}
        }
    }
    Ok(found)
}

/// The score of one trait that holds.
fn trait_score(
    text: Text<'_>,
    set: &str,
    one: Span,
    place: &Place<'_>,
) -> Result<Option<u64>, Diagnostic> {
    let (name, said, inside) = properties(text, one);
    let said = said.map_or(Ok(0), |score| {
        let number = text.of(score).trim().strip_prefix("score").map(str::trim);
        let number = number.and_then(|it| it.strip_prefix('(')?.strip_suffix(')'));
        let number = number.and_then(|it| it.trim().parse().ok());
        number.ok_or_else(|| unsupported(score, "a score is a constant number"))
    })?;
    let all = |known: &[&str]| {
        let words = text.split_commas(inside).into_iter();
        words
            .map(|word| text.of(word).trim_matches('"'))
            .all(|word| known.contains(&word))
    };
    let weight = place.constructs_weight();
    match (set, text.of(name)) {
        // It says nothing (7.1).
        ("device", "kind") if all(&["any"]) => Ok(Some(0)),
        ("device", "kind") => Ok(all(kinds(place.device)).then_some(weight)),
        ("device", "arch") => Ok(all(archs(place.device)).then_some(2 * weight)),
        // What a device's code may use beyond its architecture is not known when it is made.
        ("device", "isa") if place.device.is_some() => Ok(None),
        // One of GPUs is none of the host's.
        ("device", "isa") if is_of_gpus(text, inside) => Ok(None),
        ("implementation", "vendor") => Ok(all(&["accrue"]).then_some(said)),
        ("implementation", "extension") => Ok(None),
        ("user", "condition") => match condition(text.of(inside)) {
            Some(false) => Ok(None),
            Some(true) => Ok(Some(said)),
            None => Err(unsupported(
                inside,
                "a condition that is no constant number is not supported yet",
            )
            .help("write an `if` statement with both directives, or with both calls")),
        },
        (set, name) => {
            let message = format!("the selector `{name}` of `{set}` is not supported yet");
            let help = "select by `device={kind(…)}`, `device={arch(…)}` or a constant condition";
            Err(unsupported(one, &message).help(help))
        }
    }
}

/// Whether the words name instruction sets of GPUs.
fn is_of_gpus(text: Text<'_>, inside: Span) -> bool {
    let words = text.split_commas(inside).into_iter();
    let mut words = words.map(|word| text.of(word).trim_matches('"'));
    words.all(|word| {
        ["sm_", "compute_", "gfx"]
            .iter()
            .any(|it| word.starts_with(it))
    })
}

/// The value of a condition that is a number, perhaps in parentheses or negated.
fn condition(text: &str) -> Option<bool> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('!') {
        return condition(rest).map(|value| !value);
    }
    let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    match inside {
        Some(inside) => condition(inside),
        None if text == "true" => Some(true),
        None if text == "false" => Some(false),
        None => text.parse::<u64>().ok().map(|number| number != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    const INSIDE: [Construct; 4] = [
        Construct::Target,
        Construct::Teams,
        Construct::Parallel,
        Construct::For,
    ];

    fn score(text: &str, device: Option<Device>) -> Option<u64> {
        let place = Place {
            device,
            constructs: Some(&INSIDE),
        };
        let text = Text {
            text,
            language: Language::C,
        };
        let found = matched(text, text.span(), &place);
        found.ok().flatten().map(|it| it.score)
    }

    #[test]
    fn constructs_count_by_their_position() {
        let on_gpu = Some(Device::Nvidia);
        assert_eq!(score("construct={target}", on_gpu), Some(1));
        assert_eq!(score("construct={teams, parallel}", on_gpu), Some(6));
        assert_eq!(score("construct={parallel, teams}", on_gpu), None);
        assert_eq!(score("construct={simd}", on_gpu), None);
        let both = "construct={target}, device={kind(gpu), arch(nvptx)}";
        assert_eq!(score(both, on_gpu), Some(1 + 16 + 32));
        assert_eq!(score(both, Some(Device::Cores)), None);
        assert_eq!(score("device={kind(any)}", None), Some(0));
        assert_eq!(score("user={condition(!(0))}", None), Some(0));
        assert_eq!(score("user={condition(n)}", None), None);
    }

    #[test]
    fn what_says_less_than_another_does_not_count() {
        let of = |score, traits: &[&str]| {
            let traits = traits.iter().map(|it| (*it).to_string()).collect();
            Some(Matched { score, traits })
        };
        assert_eq!(best(&[of(9, &["a"]), of(1, &["b", "a"])]), Some(1));
        assert_eq!(best(&[of(1, &["a"]), None, of(1, &["b"])]), Some(0));
        assert_eq!(best(&[None]), None);
    }
}
