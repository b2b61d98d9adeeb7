//! What a metadirective asks when the program runs becomes a statement of the program (OpenMP 5.2, section 7.4), in front of all other
//! work: with a copy of its statement for each answer.
//!
//! ```text
//! #pragma omp metadirective when(user={condition(n > 9)}: parallel for) otherwise(simd)
//! for (…) …
//!      →
//! if(n > 9){
//! #pragma omp metadirective when(user={condition(1)}: parallel for) otherwise(simd)
//! for (…) …}else{
//! #pragma omp metadirective when(user={condition(0)}: parallel for) otherwise(simd)
//! for (…) …}
//! ```
//! * A `begin metadirective` and its end are one with a block.
//! * Around a metadirective with `teams` that is all of a `target`, the condition comes in front of the `target`, which such a construct
//!   must follow closely.
//! * One that asks for the constructs around it is decided ([`metadirective_places`]).
//! * A `target` with a metadirective that is another directive on another kind of device has a copy for each kind: its data and its
//!   teams may be other ones there.
//!
//! Only those are written anew that regions run, or that may be a `target`: the others are the host compiler's.
//!
//! Cost: the text is looked through once for each that is written anew, at most [`MOST`] times.

use super::lexer::Token;
use super::metadirective_places;
use super::outline::Outline;
use super::paired_variants::marker;
use super::placement::{Form, first_word_form};
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::{self, DeviceNumber, OpenMp, Region, Sentinel};
use super::statement::exact_end;
use accrue_abi::flags::TargetKinds;
use accrue_abi::functions::{DEFAULT_TARGET, TARGET_IS_DECLARATION};
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::conditions::{Condition, Question, answered, conditions, decide};
use accrue_directives::omp::metadirective;
use accrue_directives::omp::selectors::Device;
use accrue_directives::{Diagnostic as InDirective, Language, Span, omp};
use std::ops::Range;

/// More copies of statements than this are not made.
const MOST: usize = 64;

const LANGUAGE: Language = Language::C;

/// Writes the text anew; nothing if nothing is asked in it.
///
/// # Errors
/// What cannot be asked.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let word = b"metadirective";
    let mut new: Option<Vec<u8>> = None;
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return Ok(new);
    }
    for _ in 0..MOST {
        let text = new.as_deref().unwrap_or(text);
        let Found {
            lines, directives, ..
        } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
        let openmp = sentinel::openmp(text, file, LANGUAGE, Device::Cores);
        if openmp.of_devices.is_empty() {
            break;
        }
        let unit = Unit {
            text,
            lines: &lines,
            outline: Outline::new(text),
            directives: &directives,
            openmp: &openmp,
        };
        match unit.step().map_err(|message| vec![message])? {
            Some((range, instead)) => {
                let behind = marker(&lines, range.end);
                let parts = [&text[..range.start], instead.as_bytes(), b"\n"];
                new = Some([&parts.concat()[..], behind.as_bytes(), &text[range.end..]].concat());
            }
            None => break,
        }
    }
    Ok(new)
}

struct Unit<'a> {
    text: &'a [u8],
    lines: &'a LineMap,
    outline: Outline,
    directives: &'a [FoundDirective],
    openmp: &'a OpenMp,
}

/// What takes the place of a range.
type Edit = (Range<usize>, String);

impl Unit<'_> {
    fn step(&self) -> Result<Option<Edit>, Diagnostic> {
        if let Some(edit) = self.pair()? {
            return Ok(Some(edit));
        }
        for (index, directive) in self.directives.iter().enumerate() {
            let start = directive.span.start;
            let function = self.outline.body_around(start).map(|body| {
                let body = &self.outline.bodies[body];
                let [open, close] = [body.open, body.close].map(|at| self.outline.tokens[at].start);
                open..close
            });
            let end = |next: usize| self.end_of_statement(next);
            if let Some(function) = function
                && let Some(text) =
                    metadirective_places::decided(self.directives, index, &end, function)
            {
                return Ok(Some((directive.span.clone(), text)));
            }
        }
        for (index, directive) in self.directives.iter().enumerate() {
            if self.openmp.undecided.contains(&directive.span.start)
                && let Some(edit) = self.by_conditions(index)?
            {
                return Ok(Some(edit));
            }
        }
        let mut regions = self.openmp.regions.iter();
        Ok(regions.find_map(|region| self.by_device(region)))
    }

    /// The innermost `begin metadirective` that comes first.
    fn pair(&self) -> Result<Option<Edit>, Diagnostic> {
        let mut open: Option<(&FoundDirective, &str)> = None;
        for directive in self.directives {
            if let Some(one) = metadirective::begin(&directive.text) {
                open = Some((directive, one));
            }
            if !metadirective::is_end(&directive.text) {
                continue;
            }
            let Some((begin, one)) = open else {
                let message = "`end metadirective` without a beginning";
                let help = "write `begin metadirective` in front of the statements";
                return Err(self.refuse(directive, message, help, "7.4.4"));
            };
            let inside = begin.span.end..directive.span.start;
            let first = self.outline.index_of(inside.start);
            let end = exact_end(self.text, &self.outline.tokens, first);
            let tokens = self
                .outline
                .tokens
                .get(end..self.outline.index_of(inside.end));
            let is_marker = |it: &Token| it.of(self.text).starts_with(b"# ");
            let is_one = tokens.is_some_and(|tokens| tokens.iter().all(is_marker));
            let (left, right) = if is_one { ("", "") } else { ("{", "}") };
            let line = marker(self.lines, begin.span.start);
            let behind = marker(self.lines, begin.span.end);
            let statements = self.original(inside);
            let text = format!(
                "\n{line}#pragma omp {}\n{behind}{left}{statements}{right}",
                one.trim()
            );
            return Ok(Some((begin.span.start..directive.span.end, text)));
        }
        match open {
            Some((begin, _)) => {
                let message = "`begin metadirective` without an end";
                let help = "write `#pragma omp end metadirective` behind the statements";
                Err(self.refuse(begin, message, help, "7.4.4"))
            }
            None => Ok(None),
        }
    }

    /// Statements for all answers; nothing if the directive asks nothing.
    fn by_conditions(&self, index: usize) -> Result<Option<Edit>, Diagnostic> {
        let directive = &self.directives[index];
        let text = directive.text.trim();
        let here = |message: InDirective| message.map_places(|_| self.place(directive));
        // What is wrong in all programs is said where the directive is read.
        let Ok(variants) = metadirective::directives(text, LANGUAGE) else {
            return Ok(None);
        };
        let conditions = conditions(text, LANGUAGE).map_err(here)?;
        if conditions.is_empty() {
            return Ok(None);
        }
        let start = directive.span.start;
        let asks_device = |it: &Condition| matches!(it.question, Question::DeviceIs { .. });
        let mut regions = self.openmp.regions.iter();
        if regions.any(|it| it.range.contains(&start)) && conditions.iter().any(asks_device) {
            let message = "`target_device` in a region is not supported";
            let help = "ask in front of the region, or use `device={kind(…)}`";
            return Err(self.refuse(directive, message, help, "7.1"));
        }
        let is_alone = |span: &Span| {
            let variant = span.of(text).trim();
            let form = first_word_form(variant, Sentinel::Omp);
            variant.is_empty() || variant == "nothing" || form == Some(Form::Standalone)
        };
        let end = match directive.neighbours.after_offset {
            _ if variants.iter().all(is_alone) => directive.span.end,
            Some(next) => self.end_of_statement(next),
            None => return Ok(None),
        };
        let is_teams = |span: &Span| {
            let parsed = omp::parse(span.of(text), LANGUAGE);
            parsed.is_ok_and(|it| it.kind.leaves().first() == Some(&omp::Leaf::Teams))
        };
        let around = match variants.iter().any(is_teams) {
            true => self.target_around(index, &conditions, text),
            false => start,
        };
        self.check_copies(directive, around..end)?;
        let (before, statement) = (self.original(around..start), directive.span.end..end);
        let mut decided = Ok(());
        let tree = self.tree(
            &conditions,
            text,
            &mut Vec::new(),
            &mut |answers| match decide(text, LANGUAGE, &conditions, answers) {
                Ok(is_decided) => is_decided,
                Err(message) => {
                    decided = Err(here(message));
                    true
                }
            },
            &|directive_text| {
                let line = marker(self.lines, around);
                let own = self.one(directive, directive_text);
                format!(
                    "{{\n{line}{before}{own}{}\n}}",
                    self.original(statement.clone())
                )
            },
        );
        decided?;
        Ok(Some((around..end, format!("{{{tree}}}"))))
    }

    /// `if(CONDITION) … else …`, until everything is decided.
    fn tree(
        &self,
        conditions: &[Condition],
        text: &str,
        answers: &mut Vec<bool>,
        decided: &mut impl FnMut(&[bool]) -> bool,
        leaf: &impl Fn(&str) -> String,
    ) -> String {
        let next = conditions.get(answers.len());
        let Some(condition) = next.filter(|_| !decided(answers)) else {
            // What is open decides nothing.
            let all = answers.iter().copied().chain(std::iter::repeat(false));
            let all: Vec<bool> = all.take(conditions.len()).collect();
            return leaf(&answered(text, conditions, &all));
        };
        let [then, other] = [true, false].map(|answer| {
            answers.push(answer);
            let text = self.tree(conditions, text, answers, decided, leaf);
            answers.pop();
            text
        });
        format!("if({}){then}else {other}", question(text, condition))
    }

    /// Where the `target` begins whose statement is the metadirective's, if no clause of it says something of what is asked; else where the
    /// metadirective begins.
    fn target_around(&self, index: usize, conditions: &[Condition], text: &str) -> usize {
        let own = &self.directives[index];
        let outer = index.checked_sub(1).map(|outer| &self.directives[outer]);
        let outer = outer.filter(|it| {
            let start = it.span.start;
            let is_region = |region: &Region| region.range.start == start;
            it.neighbours.after_offset == own.neighbours.after_offset
                && self.openmp.regions.iter().any(is_region)
        });
        let words = |text: &str| -> Vec<String> {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            text.split(|c| !is_word(c)).map(str::to_string).collect()
        };
        let asked: Vec<String> = conditions
            .iter()
            .flat_map(|it| words(it.span.of(text)))
            .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
            .collect();
        let outer = outer.filter(|it| !words(&it.text).iter().any(|word| asked.contains(word)));
        outer.map_or(own.span.start, |outer| outer.span.start)
    }

    /// A copy of a region for each group of devices on which its metadirectives are the same directives.
    fn by_device(&self, region: &Region) -> Option<Edit> {
        let number = match &region.device {
            DeviceNumber::Default => DEFAULT_TARGET.to_string(),
            DeviceNumber::Given(number) if is_pure(number) => number.clone(),
            DeviceNumber::Given(_) | DeviceNumber::Other => return None,
        };
        let differs = |it: &&FoundDirective| {
            let variant = self.openmp.variants.get(&it.span.start);
            region.range.contains(&it.span.start) && variant.is_some_and(|it| it.depends_on_device)
        };
        let differing: Vec<&FoundDirective> = self.directives.iter().filter(differs).collect();
        let first = differing.first()?;
        self.check_copies(first, region.range.clone()).ok()?;
        let chosen = |device: Option<Device>| -> Option<Vec<String>> {
            let one = |it: &&FoundDirective| {
                let span = metadirective::choose(&it.text, LANGUAGE, device).ok()?;
                Some(span.map_or("nothing", |span| span.of(&it.text)).to_string())
            };
            differing.iter().map(one).collect()
        };
        let for_host = chosen(None)?;
        let mut groups: Vec<(Vec<Device>, Vec<String>)> = Vec::new();
        for device in Device::ALL {
            let own = chosen(Some(device))?;
            match groups.iter_mut().find(|(_, other)| *other == own) {
                Some((devices, _)) => devices.push(device),
                None => groups.push((vec![device], own)),
            }
        }
        // What runs on cores is last: without a device the region is theirs, too.
        groups.reverse();
        let copies = groups.iter().map(|(devices, texts)| {
            let mut copy = format!("\n{}", marker(self.lines, region.range.start));
            let mut at = region.range.start;
            for (directive, (own, host)) in differing.iter().zip(texts.iter().zip(&for_host)) {
                let text =
                    format!("metadirective when(device={{kind(host)}}: {host}) otherwise({own})");
                copy += &self.original(at..directive.span.start);
                copy += &self.one(directive, &text);
                at = directive.span.end;
            }
            copy += &self.original(at..region.range.end);
            match devices.contains(&Device::Cores) {
                true => format!("{{{copy}\n}}"),
                false => format!(
                    "if({}){{{copy}\n}}else ",
                    device_is(&number, false, devices)
                ),
            }
        });
        Some((
            region.range.clone(),
            format!("{{{}}}", copies.collect::<String>()),
        ))
    }

    /// A directive that takes the place of one, on a line of its own, and the line of what follows.
    fn one(&self, directive: &FoundDirective, text: &str) -> String {
        let line = marker(self.lines, directive.span.start);
        let behind = marker(self.lines, directive.span.end);
        format!("\n{line}#pragma omp {text}\n{behind}")
    }

    /// A variable that lives on would be several.
    fn check_copies(
        &self,
        directive: &FoundDirective,
        range: Range<usize>,
    ) -> Result<(), Diagnostic> {
        let first = self.outline.index_of(range.start);
        let end = self.outline.index_of(range.end);
        let tokens = self.outline.tokens.get(first..end).unwrap_or_default();
        let is_static = |token: &Token| token.of(self.text) == b"static";
        let (message, help) = if tokens.iter().any(is_static) {
            (
                "a `static` variable in a statement whose metadirective is decided when the program runs",
                "declare it in front of the directive",
            )
        } else if std::str::from_utf8(&self.text[range]).is_err() {
            (
                "text that is not UTF-8 in a statement whose metadirective is decided when the program runs",
                "write the bytes as `\\x…` in strings",
            )
        } else {
            return Ok(());
        };
        Err(self.refuse(directive, message, help, "7.4"))
    }

    fn end_of_statement(&self, next: usize) -> usize {
        let tokens = &self.outline.tokens;
        let end = exact_end(self.text, tokens, self.outline.index_of(next));
        let last = tokens.get(end.saturating_sub(1));
        last.map_or(self.text.len(), |last| last.end)
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

    fn refuse(
        &self,
        directive: &FoundDirective,
        message: &str,
        help: &str,
        section: &'static str,
    ) -> Diagnostic {
        let message = Diagnostic::error(message).place(self.place(directive));
        message.help(help).openmp(section)
    }
}

/// What is asked, in C.
fn question(text: &str, condition: &Condition) -> String {
    match &condition.question {
        Question::Holds(span) => span.of(text).to_string(),
        Question::DeviceIs {
            number,
            is_initial,
            devices,
            score: _,
        } => {
            let number = number.map(|span| span.of(text).to_string());
            let number = number.unwrap_or_else(|| DEFAULT_TARGET.to_string());
            device_is(&number, *is_initial, devices)
        }
    }
}

fn device_is(number: &str, is_initial: bool, devices: &[Device]) -> String {
    let kinds = TargetKinds {
        initial: is_initial,
        cores: devices.contains(&Device::Cores),
        nvidia: devices.contains(&Device::Nvidia),
        opencl: devices.contains(&Device::OpenCl),
    };
    let kinds = kinds.bits();
    format!(
        "__extension__({{extern {TARGET_IS_DECLARATION}__accrue_target_is({number},{kinds});}})"
    )
}

/// Whether an expression may be evaluated twice.
fn is_pure(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word_before = |at: usize| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        text[..at].trim_end().rsplit(|c| !is_word(c)).next()
    };
    let changes = |at: usize| {
        let (before, next) = (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + 1));
        match bytes[at] {
            b'(' => word_before(at).is_some_and(|it| !it.is_empty() && !it.starts_with("omp_get_")),
            b'=' => {
                let compares = matches!(before, Some(b'=' | b'!' | b'<' | b'>'));
                next != Some(&b'=') && !compares
            }
            sign @ (b'+' | b'-') => next == Some(&sign),
            _ => false,
        }
    };
    !(0..bytes.len()).any(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(text: &str) -> String {
        match rewritten(text.as_bytes(), "a.c") {
            Ok(Some(new)) => {
                let text = String::from_utf8_lossy(&new).into_owned();
                let lines = text.lines().filter(|line| !line.starts_with("# "));
                lines.collect::<Vec<_>>().join("\n").replace("\n\n", "\n")
            }
            Ok(None) => "the same".to_string(),
            Err(messages) => messages.into_iter().map(|it| it.message).collect(),
        }
    }

    #[test]
    fn conditions_become_statements() {
        let text = "int f(int n) {\n#pragma omp target\n{\n#pragma omp metadirective when(user={condition(n > 9)}: single) otherwise(masked)\nf(n); }\n}\n";
        let new = new(text);
        assert!(new.contains("{if(n > 9){"), "{new}");
        assert!(
            new.contains("when(user={condition(0)}: single) otherwise(masked)\nf(n);"),
            "{new}"
        );
        let host = "int f(int n) {\n#pragma omp metadirective when(user={condition(n > 9)}: single) otherwise(masked)\nf(n);\n}\n";
        assert_eq!(self::new(host), "the same");
    }

    #[test]
    fn expressions_are_evaluated_twice_only_if_nobody_sees_it() {
        for text in [
            "1",
            "dev[0]",
            "omp_get_num_devices() - 1",
            "(a == b)",
            "a >= b",
        ] {
            assert!(is_pure(text), "{text}");
        }
        for text in ["f()", "a = 1", "i++", "--i", "a + (b = 2)"] {
            assert!(!is_pure(text), "{text}");
        }
    }
}
