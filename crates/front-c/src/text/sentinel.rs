//! Which lines are directives: those of the languages that are switched on.
//!
//! ```text
//! #pragma acc parallel loop             OpenACC's
//! #pragma omp target teams …            OpenMP's, about devices
//! #pragma omp declare target (a)        OpenMP's, about data of devices
//! #pragma omp parallel for              in the statement of a `target`, or in a function that such a statement may call: part of the
//!                                       region; elsewhere the host compiler's
//! ```

use super::bodies;
use super::declare_target::{is_declare_target, pairs};
use super::expand::expand;
use super::lexer::is_word;
use super::outline::Outline;
use super::placement;
use super::scan::{Found, FoundDirective, find};
use super::statement::{exact_end, statement_end};
use super::variants::Variant;
use accrue_directives::omp::metadirective;
use accrue_directives::omp::selectors::Device;
use accrue_directives::omp::variant::{self, FunctionVariant};
use accrue_directives::{Language, omp};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The word that introduces directives of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sentinel {
    /// `#pragma acc`
    Acc,
    /// `#pragma omp`
    Omp,
}

/// The languages whose directives are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Languages {
    /// OpenACC.
    pub acc: bool,
    /// What of OpenMP is about devices.
    pub omp: bool,
}

impl Languages {
    /// OpenACC alone.
    pub const ACC: Languages = Languages {
        acc: true,
        omp: false,
    };
}

impl Sentinel {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Sentinel::Acc => "acc",
            Sentinel::Omp => "omp",
        }
    }

    /// The sentinel at the beginning of a text, and what follows it.
    pub(super) fn at_start(text: &[u8]) -> Option<(Sentinel, &[u8])> {
        [Sentinel::Acc, Sentinel::Omp]
            .into_iter()
            .find_map(|sentinel| {
                let word = sentinel.word().as_bytes();
                let body = text.trim_ascii_start().strip_prefix(word)?;
                let ends = body.first().is_none_or(|&byte| !is_word(byte));
                ends.then_some((sentinel, body))
            })
    }

    /// The sentinel of a directive line, and the offset of the text behind it.
    pub(super) fn of_line(line: &[u8]) -> Option<(Sentinel, usize)> {
        let rest = line.strip_prefix(b"#")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"pragma")?;
        let rest = rest.strip_prefix(b" ").or(rest.strip_prefix(b"\t"))?;
        let (sentinel, body) = Sentinel::at_start(rest)?;
        Some((sentinel, line.len() - body.len()))
    }
}

/// The directives of OpenMP in a text.
#[derive(Default)]
pub(super) struct OpenMp {
    /// Where those begin that are about devices or in a device's region.
    pub(super) of_devices: HashSet<usize>,
    /// What some of these mean, by where they begin.
    pub(super) meant: HashMap<usize, String>,
    /// What metadirectives stand for, by where they begin.
    pub(super) variants: HashMap<usize, Variant>,
    /// Where metadirectives begin that are about devices or in their code, and stand for no one directive.
    pub(super) undecided: HashSet<usize>,
    /// The regions of `target`, in the order of the text.
    pub(super) regions: Vec<Region>,
    /// The others.
    pub(super) of_host: Vec<HostDirective>,
}

/// The region of a `target`.
pub(super) struct Region {
    /// Where its directive begins, and where its statement ends.
    pub(super) range: Range<usize>,
    pub(super) device: DeviceNumber,
}

/// The device that a `target` is for.
pub(super) enum DeviceNumber {
    /// The default device.
    Default,
    /// An expression.
    Given(String),
    /// None that has a number.
    Other,
}

impl DeviceNumber {
    fn of(directive: &omp::Directive, text: &str) -> Self {
        let clause = directive.clauses_of(omp::ClauseKind::Device).next();
        match clause.map(|(_, clause)| &clause.args) {
            None => DeviceNumber::Default,
            Some(omp::ClauseArgs::Exprs(exprs)) if exprs.len() == 1 => {
                DeviceNumber::Given(exprs[0].of(text).to_string())
            }
            Some(omp::ClauseArgs::Modified { modifier, expr })
                if modifier.of(text) == "device_num" =>
            {
                DeviceNumber::Given(expr.of(text).to_string())
            }
            Some(_) => DeviceNumber::Other,
        }
    }
}

/// A directive that is the host compiler's.
#[derive(Clone, Debug)]
pub struct HostDirective {
    /// Where it is in the preprocessed text.
    pub span: Range<usize>,
    /// Its text behind the sentinel.
    pub text: String,
}

/// Looks the directives of OpenMP through, for a kind of device; if none is about devices, all are the host's, and nothing is said of them.
pub(super) fn openmp(text: &[u8], file: &str, language: Language, device: Device) -> OpenMp {
    let Found {
        mut directives,
        lines,
        ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    expand(&mut directives, language);
    let mut chosen: HashSet<usize> = HashSet::new();
    let mut of_host = Vec::new();
    let mut variants: HashMap<usize, Variant> = HashMap::new();
    let mut undecided: HashSet<usize> = HashSet::new();
    let mut regions = Vec::new();
    let of_devices = |it: &FoundDirective| {
        omp::is_for_devices(&it.text) || metadirective::is_for_devices(&it.text)
    };
    let declares = |it: &FoundDirective| {
        let is_mapper = omp::is_mapper(&it.text);
        is_declare_target(&it.text)
            || omp::is_requirement(&it.text)
            || is_mapper
            || omp::declared::is_one(&it.text)
            || variant::is_one(&it.text)
    };
    if !directives.iter().any(|it| of_devices(it) || declares(it)) {
        return OpenMp::default();
    }
    let outline = Outline::new(text);
    let pairs = pairs(text, (&outline, &lines), &directives, language);
    if !pairs.any_data && !directives.iter().any(of_devices) {
        return OpenMp::default();
    }
    let mut end_of_region = 0;
    let mut statements: Vec<Range<usize>> = Vec::new();
    for directive in &mut directives {
        let start = directive.span.start;
        let inside = start < end_of_region;
        if !inside && !of_devices(directive) && !declares(directive) {
            continue;
        }
        chosen.insert(start);
        let place = match inside {
            true => Some(device),
            false => None,
        };
        if let Some(variant) = Variant::of(directive, language, place) {
            variant.put(directive);
            variants.insert(start, variant);
        } else if metadirective::is_one(&directive.text) {
            undecided.insert(start);
        }
        let parsed = omp::parse(&directive.text, language);
        let parsed = parsed.ok().filter(|parsed| parsed.kind.is_target());
        if let (Some(next), Some(parsed)) = (directive.neighbours.after_offset, parsed) {
            let first = outline.index_of(next);
            let end = statement_end(text, &outline.tokens, first);
            let last = outline.tokens.get(end.saturating_sub(1));
            end_of_region = end_of_region.max(last.map_or(text.len(), |last| last.end));
            let exact = exact_end(text, &outline.tokens, first);
            let last = outline.tokens.get(exact.saturating_sub(1));
            regions.push(Region {
                range: start..last.map_or(text.len(), |last| last.end),
                device: DeviceNumber::of(&parsed, &directive.text),
            });
            statements.push(first..end);
        }
    }
    // A region may call a variant by the name of another function.
    let of_functions = directives.iter().filter(|it| variant::is_one(&it.text));
    let called: Vec<&[u8]> = of_functions
        .filter_map(|it| {
            let read = FunctionVariant::read(&it.text, language).ok()?;
            Some(read.name.of(&it.text).as_bytes())
        })
        .collect();
    let reached = bodies::reached(text, &outline, &statements, &called);
    for directive in &directives {
        let start = directive.span.start;
        if chosen.contains(&start) {
            continue;
        }
        // What is not understood is the host's; an error if a region calls the function.
        let may_run = outline.body_around(start).is_some_and(|body| reached[body]);
        let variant = match may_run {
            true => Variant::of(directive, language, Some(device)),
            false => None,
        };
        if let Some(variant) = variant {
            chosen.insert(start);
            variants.insert(start, variant);
            continue;
        }
        if may_run && metadirective::is_one(&directive.text) {
            undecided.insert(start);
        }
        if may_run && placement::first_word_form(&directive.text, Sentinel::Omp).is_some() {
            chosen.insert(start);
            continue;
        }
        of_host.push(HostDirective {
            span: directive.span.clone(),
            text: directive.text.trim().to_string(),
        });
    }
    OpenMp {
        of_devices: chosen,
        meant: pairs.meant,
        variants,
        undecided,
        regions,
        of_host,
    }
}
