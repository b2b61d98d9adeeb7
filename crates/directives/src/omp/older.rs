//! Words of newer versions of OpenMP, in those of older ones, which mean the same: compilers of hosts may know no others.
//!
//! ```text
//! target_data map(x)                        target data map(x)
//! parallel, num_threads(2)                  parallel num_threads(2)
//! taskwait nowait depend(in: x)             task depend(in: x)               in front of an empty statement
//! task depend(inout: omp_all_memory)        task if(0)                       behind all earlier tasks
//! ordered doacross(sink: i - 1)             ordered depend(sink: i - 1)
//! simd linear(x: step(2))                   simd linear(x: 2)
//! depobj(d) destroy(d)                      depobj(d) destroy
//! for nowait(n > 1)                         for                              a barrier may be there
//! atomic memscope(device)                   atomic                           what the host does is seen by all
//! scope firstprivate(x)                     scope                            with a task inside
//! target in_reduction(+: x)                 target map(always, tofrom: x)    in a task with in_reduction(+: x)
//! target teams if(teams: c) num_teams(n)    target teams num_teams(c ? n : 1)
//! metadirective … otherwise(d)              metadirective … default(d)
//! target map(storage: x)                    target map(alloc: x)
//! task depend(inoutset: x)                  task depend(inout: x)            one after the other
//! target data map(x) depend(inout: x)       target data map(x)               behind all earlier tasks
//! ```
//!
//! Cost: linear in the text.

use super::older_parts::{copies, in_task, teams_if};
use crate::ast::Language;
use crate::parser::{Parser, words};
use crate::scan::Text;
use crate::{Diagnostic, Span};

/// A directive in older words.
#[derive(Debug, PartialEq, Eq)]
pub struct Older {
    /// Its text.
    pub text: String,
    /// It comes behind all tasks that were created before, and is done when the thread goes on.
    pub waits: bool,
    /// An empty statement follows it.
    pub is_followed: bool,
    /// A directive inside, in front of the same statement.
    pub inner: Option<String>,
}

impl Older {
    /// One that only has another text.
    pub fn of(text: String) -> Older {
        Older {
            text,
            waits: false,
            is_followed: false,
            inner: None,
        }
    }
}

fn in_c(text: &str) -> Text<'_> {
    Text {
        text,
        language: Language::C,
    }
}

/// Whether a directive has the clause `ordered`.
pub fn has_ordered(text: &str) -> bool {
    super::first_word(text) != Some("ordered") && ordered(text).is_some()
}

/// The number of loops in the clause `ordered`.
pub fn ordered_loops(text: &str) -> Option<&str> {
    let source = in_c(text);
    let (_, group) = ordered(text)?;
    group.map(|group| source.of(source.inside(group)))
}

/// The directive with `ordered(1)` for `ordered`.
pub fn ordered_once(text: &str) -> String {
    match ordered(text) {
        Some((word, None)) => format!("{}(1){}", &text[..word.end], &text[word.end..]),
        Some(_) | None => text.to_string(),
    }
}

fn ordered(text: &str) -> Option<(Span, Option<Span>)> {
    let source = in_c(text);
    let mut words = words(source).into_iter();
    words.find(|(word, _)| source.of(*word) == "ordered")
}

/// Whether it is an `ordered` that names iterations in the words of 5.2.
pub fn is_doacross(text: &str) -> bool {
    let source = in_c(text);
    let is_it = |(word, _): &(Span, Option<Span>)| source.of(*word) == "doacross";
    super::first_word(text) == Some("ordered") && words(source).iter().any(is_it)
}

/// Whether no statement follows the directive, which takes a `depend` clause.
pub fn is_alone(text: &str) -> bool {
    let mut names = text.split_whitespace();
    match names.next() {
        Some("taskwait") => true,
        Some("target") => matches!(names.next(), Some("enter" | "exit" | "update")),
        _ => false,
    }
}

/// The name that is written with `_` since 6.0, at the beginning of a directive: where it is in the text.
pub fn joined_name(text: &str) -> Option<Span> {
    const NAMES: [&str; 10] = [
        "cancellation_point",
        "declare_mapper",
        "declare_reduction",
        "declare_simd",
        "declare_target",
        "declare_variant",
        "target_data",
        "target_enter_data",
        "target_exit_data",
        "target_update",
    ];
    let text = in_c(text);
    let end = text.span().end;
    let word = |at: usize| text.word(text.skip_blanks(at, end), end);
    let mut first = word(0)?;
    if matches!(text.of(first), "begin" | "end") {
        first = word(first.end)?;
    }
    NAMES.contains(&text.of(first)).then_some(first)
}

/// The text in older words; nothing if it has no newer ones.
///
/// `previous` is what `omp_cur_iteration - 1` means, if it is known.
///
/// # Errors
/// What cannot be said in older words.
pub fn older(
    text: &str,
    language: Language,
    previous: impl FnOnce() -> Option<String>,
) -> Result<Option<Older>, Diagnostic> {
    let source = Text { text, language };
    if source.check_balance().is_err() {
        return Ok(None);
    }
    let name = super::first_word(text).unwrap_or_default();
    let words = words(source);
    let mut directive = Rewriting {
        source,
        name,
        edits: Vec::new(),
        waits: false,
        is_data: text.split_whitespace().take(2).eq(["target", "data"]),
        is_strict: words.iter().any(|(word, group)| {
            let inside = group.map(|group| source.inside(group));
            let modifier = inside.and_then(|inside| source.keyword_colon(inside));
            source.of(*word) == "num_threads"
                && modifier.is_some_and(|(word, _)| source.of(word) == "strict")
        }),
    };
    directive.comma_behind_name(&words);
    let has = |wanted: &str| words.iter().any(|(word, _)| source.of(*word) == wanted);
    let waits_later = name == "taskwait" && has("nowait");
    let mut previous = Some(previous);
    for (word, group) in &words {
        directive.clause(*word, *group, &mut previous)?;
    }
    let Rewriting {
        mut edits, waits, ..
    } = directive;
    let is_followed = waits_later && !waits;
    if is_followed {
        let first = words.first().map_or(source.span(), |(word, _)| *word);
        edits.push((first, "task".to_string()));
    }
    if waits && name == "task" {
        for (word, group) in words.iter().filter(|(word, _)| source.of(*word) == "if") {
            let end = group.map_or(word.end, |group| group.end);
            edits.push((Span::new(word.start, end), String::new()));
        }
        let end = source.trim(source.span()).end;
        edits.push((Span::new(end, end), " if(0)".to_string()));
    }
    let inner = match name {
        "scope" => copies(source, &words, &mut edits),
        "target" => in_task(source, &words, &mut edits),
        _ => None,
    };
    if matches!(name, "target" | "teams") {
        teams_if(source, &words, &mut edits);
    }
    if edits.is_empty() {
        return Ok(None);
    }
    edits.sort_by_key(|(span, _)| span.start);
    let (mut new, mut at) = (String::new(), 0);
    for (span, instead) in edits {
        new += &text[at..span.start];
        new += &instead;
        at = span.end;
    }
    new += &text[at..];
    // The task is around the region.
    let (text, inner) = match (name, inner) {
        ("target", Some(task)) => (task, Some(new)),
        (_, inner) => (new, inner),
    };
    Ok(Some(Older {
        text,
        waits,
        is_followed,
        inner,
    }))
}

struct Rewriting<'a> {
    source: Text<'a>,
    /// The first word.
    name: &'a str,
    edits: Vec<(Span, String)>,
    waits: bool,
    /// It is `target data`, which is no task in older versions.
    is_data: bool,
    /// There must be as many threads as a clause says.
    is_strict: bool,
}

impl<'a> Rewriting<'a> {
    fn of(&self, span: Span) -> &'a str {
        self.source.of(span)
    }

    fn drop(&mut self, word: Span, group: Option<Span>) {
        let end = group.map_or(word.end, |group| group.end);
        self.edits.push((Span::new(word.start, end), String::new()));
    }

    /// A comma in front of the first clause.
    fn comma_behind_name(&mut self, words: &[(Span, Option<Span>)]) {
        for (index, (word, group)) in words.iter().enumerate() {
            let next = words.get(index + 1).map(|(next, _)| next.start);
            if group.is_some() || next.is_none() {
                return;
            }
            let end = self.source.span().end;
            let comma = self.source.skip_blanks(word.end, end);
            let comma = Span::new(comma, (comma + 1).min(end));
            if self.of(comma) == "," {
                self.edits.push((comma, " ".to_string()));
                return;
            }
        }
    }

    fn clause(
        &mut self,
        word: Span,
        group: Option<Span>,
        previous: &mut Option<impl FnOnce() -> Option<String>>,
    ) -> Result<(), Diagnostic> {
        let inside = group.map(|group| self.source.inside(group));
        match (self.of(word), self.name, inside) {
            ("nowait", "taskwait", _) | ("memscope", "atomic" | "flush", _) => {
                self.drop(word, group);
            }
            ("threadset", "task" | "taskloop" | "target", _) => self.drop(word, group),
            ("safesync", _, Some(_)) => self.drop(word, group),
            // What is said if there are not as many threads as must be.
            ("message" | "severity", "parallel" | "target", Some(_)) if !self.is_strict => {
                self.drop(word, group);
            }
            ("nogroup", "target", None) => self.drop(word, group),
            ("nowait", _, _) if self.is_data => self.drop(word, group),
            ("depend", _, Some(_)) if self.is_data => {
                self.waits = true;
                self.drop(word, group);
            }
            ("nowait", _, Some(inside)) => match self.of(inside) {
                "1" | "true" => {
                    self.edits.extend(group.map(|group| (group, String::new())));
                }
                _ => self.drop(word, group),
            },
            ("depend", "depobj" | "dispatch" | "interop", _) => {}
            ("depend", _, Some(inside)) if self.is_all_memory(inside) => {
                self.waits |= self.name != "taskwait";
                self.drop(word, group);
            }
            ("depend", _, Some(inside)) => self.dependence(inside),
            ("doacross", "ordered", Some(inside)) => {
                let instead = self.iteration(word, inside, previous)?;
                let end = group.map_or(word.end, |group| group.end);
                self.edits.push((Span::new(word.start, end), instead));
            }
            ("linear", _, Some(inside)) => self.linear(inside),
            ("destroy", "depobj", Some(_)) => {
                self.edits.extend(group.map(|group| (group, String::new())));
            }
            ("otherwise", "metadirective", Some(_)) => {
                self.edits.push((word, "default".to_string()));
            }
            ("map", "target", Some(inside)) => self.map_type(inside),
            _ => {}
        }
        Ok(())
    }

    /// `inout: omp_all_memory`
    fn is_all_memory(&self, inside: Span) -> bool {
        let colon = self.source.colons(inside).last().copied();
        let items = colon.map(|colon| self.source.trim(Span::new(colon + 1, inside.end)));
        items.is_some_and(|items| {
            let items = self.source.split_commas(items);
            items.iter().any(|item| self.of(*item) == "omp_all_memory")
        })
    }

    /// What stands for `doacross( … )`.
    fn iteration(
        &self,
        word: Span,
        inside: Span,
        previous: &mut Option<impl FnOnce() -> Option<String>>,
    ) -> Result<String, Diagnostic> {
        let kind = self.source.keyword_colon(inside);
        let (kind, vector) = kind.map_or((inside, ""), |(kind, rest)| (kind, self.of(rest)));
        let compact: String = vector.chars().filter(|c| !c.is_whitespace()).collect();
        match (self.of(kind), compact.as_str()) {
            ("source", _) => Ok("depend(source)".to_string()),
            ("sink", "omp_cur_iteration-1") => {
                match previous.take().and_then(|previous| previous()) {
                    Some(vector) => Ok(format!("depend(sink: {vector})")),
                    None => Err(Diagnostic::error(
                        word,
                        "`omp_cur_iteration - 1` is supported only for one loop with a constant step",
                    )
                    .help("name the iteration by the counters of its loops: `doacross(sink: i - 1, j)`")
                    .openmp("15.9.6")),
                }
            }
            (kind, _) => Ok(format!("depend({kind}: {vector})")),
        }
    }

    /// `linear(x: val, step(2))`
    fn linear(&mut self, inside: Span) {
        let Some(colon) = self.source.colons(inside).first().copied() else {
            return;
        };
        let parser = Parser::new(self.source);
        let rest = Span::new(colon + 1, inside.end);
        let (mut step, mut is_new) = (None, false);
        for part in self.source.split_commas(rest) {
            let first = self.source.word(part.start, part.end);
            let group = first.and_then(|first| parser.group_after(first.end, part.end));
            match (first.map(|first| self.of(first)), group) {
                (Some("val"), None) if self.of(part) == "val" => is_new = true,
                (Some("step"), Some(group)) if group.end == part.end => {
                    is_new = true;
                    step = Some(self.source.inside(group));
                }
                // An older step, or what only references in C++ have.
                _ => return,
            }
        }
        if is_new {
            let step = step.map_or(String::new(), |step| format!(": {}", self.of(step)));
            self.edits.push((Span::new(colon, inside.end), step));
        }
    }

    /// Tasks of an `inoutset` may run at the same time, and need not.
    fn dependence(&mut self, inside: Span) {
        let Some(colon) = self.source.colons(inside).last().copied() else {
            return;
        };
        for part in self.source.split_commas(Span::new(inside.start, colon)) {
            if self.of(part) == "inoutset" {
                self.edits.push((part, "inout".to_string()));
            }
        }
    }

    /// `storage` is what `alloc` was.
    fn map_type(&mut self, inside: Span) {
        let Some(colon) = self.source.colons(inside).last().copied() else {
            return;
        };
        for part in self.source.split_commas(Span::new(inside.start, colon)) {
            if self.of(part) == "storage" {
                self.edits.push((part, "alloc".to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Option<Older> {
        let previous = || Some("i - 2".to_string());
        older(text, Language::C, previous).unwrap_or_default()
    }

    #[test]
    fn newer_words_become_older_ones() {
        for (text, new) in [
            ("parallel , num_threads(2)", "parallel   num_threads(2)"),
            (
                "task depend(in: x), depend(out: omp_all_memory)",
                "task depend(in: x),  if(0)",
            ),
            ("taskwait depend(inout: omp_all_memory)", "taskwait "),
            (
                "target data map(x) depend(in: x) nowait",
                "target data map(x)  ",
            ),
            (
                "task depend(iterator(i = 0:n), inoutset: a[i]) depend(in: b)",
                "task depend(iterator(i = 0:n), inout: a[i]) depend(in: b)",
            ),
            (
                "ordered doacross(sink: i - 1, j)",
                "ordered depend(sink: i - 1, j)",
            ),
            (
                "ordered doacross(sink: omp_cur_iteration - 1)",
                "ordered depend(sink: i - 2)",
            ),
            ("ordered doacross(source:)", "ordered depend(source)"),
            (
                "ordered doacross(source: omp_cur_iteration)",
                "ordered depend(source)",
            ),
            ("simd linear(x, y: val, step(n))", "simd linear(x, y: n)"),
            ("declare simd linear(x: val)", "declare simd linear(x)"),
            ("depobj(d) destroy(d)", "depobj(d) destroy"),
            ("for nowait(1)", "for nowait"),
            ("for nowait(n > 1) private(x)", "for  private(x)"),
            ("parallel message(\"m\") severity(fatal)", "parallel  "),
            ("atomic write memscope(all)", "atomic write "),
            (
                "metadirective when(x: for) otherwise(simd)",
                "metadirective when(x: for) default(simd)",
            ),
            (
                "target teams if(teams: n > 1) num_teams(2:m)",
                "target teams  num_teams(1+((n > 1)!=0)*((m)-1))",
            ),
            ("teams if(n)", "teams num_teams(1+((n)!=0)*((1024)-1))"),
            (
                "target map(always, storage: x)",
                "target map(always, alloc: x)",
            ),
        ] {
            assert_eq!(
                rewritten(text).map(|it| it.text).as_deref(),
                Some(new),
                "{text}"
            );
        }
        for text in [
            "parallel for private(a), nowait",
            "simd linear(x: 2)",
            "simd linear(x: step)",
            "for nowait",
            "parallel num_threads(strict: 4) message(\"m\")",
            "task depend(in: x)",
            "depobj(d) destroy",
            "target map(to: storage)",
        ] {
            assert_eq!(rewritten(text), None, "{text}");
        }
    }

    #[test]
    fn what_waits_and_what_is_followed() {
        let of = |text: &str| rewritten(text).map(|it| (it.waits, it.is_followed));
        assert_eq!(of("task depend(out: omp_all_memory)"), Some((true, false)));
        assert_eq!(of("taskwait nowait depend(in: x)"), Some((false, true)));
        assert_eq!(
            rewritten("taskwait nowait depend(in: x)").map(|it| it.text),
            Some("task  depend(in: x)".to_string())
        );
    }

    #[test]
    fn names_are_found() {
        let of = |text: &'static str| joined_name(text).map(|span| span.of(text));
        assert_eq!(of(" target_data map(x)"), Some("target_data"));
        assert_eq!(of("begin declare_target"), Some("declare_target"));
        assert_eq!(of("target map(target_data)"), None);
    }
}
