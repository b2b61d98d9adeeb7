//! What becomes of a construct's parts in older words ([`super::older`]): parts that older versions have as constructs of their own, or as
//! other clauses.
//!
//! ```text
//! scope firstprivate(x)                     scope                            with a task inside
//! target in_reduction(+: x)                 target map(always, tofrom: x)    in a task with in_reduction(+: x)
//! target teams if(teams: c) num_teams(n)    target teams num_teams(1 + c * (n - 1))
//! ```

use crate::Span;
use crate::scan::Text;

/// `in_reduction` of a `target` (5.5.10): a task that is not deferred has the variables, and they are mapped.
pub(super) fn in_task(
    text: Text<'_>,
    words: &[(Span, Option<Span>)],
    edits: &mut Vec<(Span, String)>,
) -> Option<String> {
    let items = |inside: Span| -> Vec<&str> {
        let last = text.colons(inside).last().copied();
        let list = Span::new(last.map_or(inside.start, |colon| colon + 1), inside.end);
        let items = text.split_commas(list).into_iter();
        items.map(|item| text.of(item)).collect()
    };
    let maps = words.iter().filter(|(word, _)| text.of(*word) == "map");
    let maps = maps.filter_map(|(_, group)| *group);
    let mapped: Vec<&str> = maps.flat_map(|group| items(text.inside(group))).collect();
    let mut clauses = String::new();
    for (word, group) in words {
        let ("in_reduction", Some(group)) = (text.of(*word), group) else {
            continue;
        };
        let clause = Span::new(word.start, group.end);
        clauses += &format!(" {}", text.of(clause));
        let items = items(text.inside(*group)).into_iter();
        let items: Vec<&str> = items.filter(|item| !mapped.contains(item)).collect();
        let instead = match items.is_empty() {
            true => String::new(),
            false => format!("map(always, tofrom: {})", items.join(", ")),
        };
        edits.push((clause, instead));
    }
    (!clauses.is_empty()).then(|| format!("task if(0) default(shared){clauses}"))
}

/// How many teams there are where nothing says it and a condition may say that it is one.
const TEAMS: &str = "1024";

/// `if(teams: c)` (10.2): one team where it is false. Code for a number of teams repeats what says it, which must be without branches.
pub(super) fn teams_if(
    text: Text<'_>,
    words: &[(Span, Option<Span>)],
    edits: &mut Vec<(Span, String)>,
) {
    let is = |wanted: &str| words.iter().any(|(word, _)| text.of(*word) == wanted);
    let is_alone = words
        .first()
        .is_some_and(|(word, _)| text.of(*word) == "teams");
    let conditions = words.iter().filter(|(word, _)| text.of(*word) == "if");
    let mut conditions = conditions.filter_map(|(word, group)| {
        let group = (*group)?;
        let inside = text.inside(group);
        let clause = Span::new(word.start, group.end);
        match text.keyword_colon(inside) {
            Some((modifier, condition)) if text.of(modifier) == "teams" => {
                Some((clause, condition))
            }
            None if is_alone && !is("parallel") && !is("simd") => Some((clause, inside)),
            Some(_) | None => None,
        }
    });
    let Some((clause, condition)) = conditions.next().filter(|_| is("teams")) else {
        return;
    };
    let condition = text.of(condition);
    let number = |upper: &str| format!("num_teams(1+(({condition})!=0)*(({upper})-1))");
    let mut bounds = words
        .iter()
        .filter(|(word, _)| text.of(*word) == "num_teams");
    match bounds.find_map(|(word, group)| Some((*word, (*group)?))) {
        Some((word, group)) => {
            let bounds = text.split_colons(text.inside(group));
            let upper = bounds.last().map_or("", |upper| text.of(*upper));
            edits.push((clause, String::new()));
            edits.push((Span::new(word.start, group.end), number(upper)));
        }
        None => edits.push((clause, number(TEAMS))),
    }
}

/// What makes the copies of a `scope`: a task that is not deferred has them, and is run by the thread that comes to it.
pub(super) fn copies(
    text: Text<'_>,
    words: &[(Span, Option<Span>)],
    edits: &mut Vec<(Span, String)>,
) -> Option<String> {
    let mut clauses = String::new();
    for (word, group) in words {
        if let ("firstprivate", Some(group)) = (text.of(*word), group) {
            let clause = Span::new(word.start, group.end);
            clauses += &format!(" {}", text.of(clause));
            edits.push((clause, String::new()));
        }
    }
    (!clauses.is_empty()).then(|| format!("task if(0) default(shared){clauses}"))
}
