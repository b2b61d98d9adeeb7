//! Loops that directives make of other loops: `tile`, `unroll`, `reverse`, `interchange` (OpenMP, chapter 9) are written out, because
//! compilers that do not know them say nothing.
//!
//! ```text
//! #pragma omp parallel for                    #pragma omp parallel for
//! #pragma omp tile sizes(4)             →
//! for (int i = a; i < b; i += s)              for (unsigned long F = 0; F < N; F += 4)
//!     x[i] = 0;                                   for (unsigned long T = F; T < (F + 4 < N ? F + 4 : N); T++) {
//!                                                     int i = (a) + T * (s);
//!                                                     x[i] = 0; }
//! ```
//! N is the number of iterations, `(a < b ? (b - a - 1) / s + 1 : 0)` in the counter's type, so that no sum of the new loops is larger than
//! what a loop counts to. A counter that is declared outside is the iteration's own behind another directive, unless a clause of that
//! names it; else it has its last value behind the loops. `unroll` by itself changes nothing and is left out; behind a directive
//! `partial(n)` is a tile.
//!
//! Inner directives come first: what they make, outer ones take. Cost: the text is looked through once for each such directive.

use super::lexer::{Token, TokenKind};
use super::loop_header::{Header, Test};
use super::outline::Outline;
use super::paired_variants::edited;
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::Sentinel;
use super::statement::{exact_end, group_end};
use accrue_diag::{Diagnostic, Place};
use accrue_directives::Language;
use accrue_directives::omp;
use accrue_directives::omp::transformation::Transformation;
use std::ops::Range;

const LANGUAGE: Language = Language::C;

/// Writes the text anew; nothing if it has no such directive.
///
/// # Errors
/// What is wrong with one.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let words = [
        &b"tile"[..],
        b"unroll",
        b"reverse",
        b"interchange",
        b"fuse",
        b"stripe",
        b"split",
    ];
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !words.iter().any(|word| has(word)) {
        return Ok(None);
    }
    let mut new: Option<Vec<u8>> = None;
    for number in 0.. {
        let text = new.as_deref().unwrap_or(text);
        let Found {
            lines, directives, ..
        } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
        let is_one = |it: &FoundDirective| {
            let read = Transformation::read(&it.text, LANGUAGE)?;
            (!lines.in_system_header(it.span.start)).then_some(read)
        };
        let mut last = directives.iter().enumerate().rev();
        let Some((index, read)) = last.find_map(|(index, it)| Some((index, is_one(it)?))) else {
            break;
        };
        let unit = Unit {
            text,
            lines: &lines,
            outline: Outline::new(text),
            directive: &directives[index],
            number,
        };
        let around = index.checked_sub(1).and_then(|outer| directives.get(outer));
        let edits = read
            .map_err(|mistake| mistake.map_places(|_| unit.place(unit.directive.span.start)))
            .and_then(|what| unit.edits(&what, around))
            .map_err(|mistake| vec![mistake])?;
        new = Some(edited(text, edits));
    }
    Ok(new)
}

struct Unit<'a> {
    text: &'a [u8],
    lines: &'a LineMap,
    outline: Outline,
    directive: &'a FoundDirective,
    /// How many directives came before.
    number: usize,
}

/// One of the loops that a directive is about.
struct Loop {
    /// The index of its `for`.
    at: usize,
    header: Header,
}

impl Unit<'_> {
    fn edits(
        &self,
        what: &Transformation,
        around: Option<&FoundDirective>,
    ) -> Result<Vec<(Range<usize>, String)>, Diagnostic> {
        let loops = self.loops(what)?;
        // The directive that takes the loops which this one makes.
        let taker = around.filter(|outer| {
            outer.neighbours.after_offset == self.directive.neighbours.after_offset
                && takes_loops(&outer.text)
        });
        let mut edits = vec![(self.directive.span.clone(), String::new())];
        let tiled = match what {
            Transformation::Unroll | Transformation::UnrollFull => match taker {
                None => return Ok(edits),
                Some(_) => {
                    let help = "write `unroll partial`, which leaves a loop";
                    let message = "another directive wants a loop, and this `unroll` leaves none";
                    return Err(self.refuse(what, self.directive.span.start, message, help));
                }
            },
            Transformation::UnrollPartial(None) => return Ok(edits),
            Transformation::UnrollPartial(Some(factor)) => match taker {
                None => return Ok(edits),
                Some(_) => vec![factor.to_string()],
            },
            Transformation::Tile(sizes) => sizes.clone(),
            Transformation::Reverse | Transformation::Interchange(_) => Vec::new(),
        };
        let written: Vec<Written> = loops
            .iter()
            .enumerate()
            .map(|(index, it)| self.written(index, it, taker))
            .collect();
        let order: Vec<usize> = match what {
            Transformation::Interchange(order) => order.clone(),
            _ => (0..loops.len()).collect(),
        };
        let mut tiles = String::new();
        let heads = order.iter().enumerate().map(|(index, which)| {
            let it = &written[*which];
            match tiled.get(index) {
                Some(size) => {
                    tiles += &it.tile(size);
                    it.floor(size)
                }
                None => it.one_by_one(),
            }
        });
        let heads: Vec<String> = heads.collect();
        let backwards = *what == Transformation::Reverse;
        let begins: String = written.iter().map(|it| it.begin(backwards)).collect();
        let tokens = &self.outline.tokens;
        let last = loops.len() - 1;
        let (mut first, mut behind) = (String::new(), String::new());
        if taker.is_none() && written.iter().any(|it| it.last.is_some()) {
            first.push('{');
            // An inner loop that is never come to leaves its counter alone.
            for it in written.iter().rev() {
                let last = it.last.as_deref().unwrap_or_default();
                behind = match behind.is_empty() {
                    true => last.to_string(),
                    false => format!("{last}if({}){{{behind}}}", it.count),
                };
            }
            behind.push('}');
        }
        for (index, (it, head)) in loops.iter().zip(heads).enumerate() {
            let head = match index == last {
                true => format!("{head}{tiles}{{{begins}"),
                false => head,
            };
            let end = tokens[it.header.body - 1].end;
            let head = std::mem::take(&mut first) + &head;
            edits.push((tokens[it.at].start..end, head));
        }
        let end = |first: usize| {
            let end = exact_end(self.text, tokens, first);
            tokens.get(end.wrapping_sub(1)).map_or(0, |last| last.end)
        };
        let (body, all) = (end(loops[last].header.body), end(loops[0].at));
        edits.push((body..body, "}".to_string()));
        edits.push((all..all, behind));
        Ok(edits)
    }

    /// The loops, one in the other.
    fn loops(&self, what: &Transformation) -> Result<Vec<Loop>, Diagnostic> {
        let tokens = &self.outline.tokens;
        let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.of(self.text));
        let name = what.name();
        let next = self.directive.neighbours.after_offset;
        let mut at = next.map_or(tokens.len(), |next| self.outline.index_of(next));
        let mut loops: Vec<Loop> = Vec::new();
        let depth = what.depth();
        while loops.len() < depth {
            let place = tokens
                .get(at)
                .map_or(self.directive.span.start, |it| it.start);
            if word(at) != b"for" || loops.is_empty() && self.directive.neighbours.directive_follows
            {
                let message = match loops.len() {
                    0 => format!("the `{name}` directive must be followed by a `for` loop"),
                    found => format!(
                        "`{name}` is about {depth} loops directly in each other, and here are {found}"
                    ),
                };
                let help =
                    "write the loops one directly in the other, with nothing beside the inner one";
                let at = if loops.is_empty() {
                    self.directive.span.start
                } else {
                    place
                };
                return Err(self.refuse(what, at, &message, help));
            }
            let Some(header) = Header::read(self.text, tokens, at) else {
                let help = "write `for (i = first; i < bound; i += step)`";
                let message = format!("`{name}` needs a loop whose iterations can be counted");
                return Err(self.refuse(what, place, &message, help));
            };
            let texts = [&header.from, &header.to, &header.step];
            let outer = loops.iter().map(|it| it.header.variable.as_str());
            if let Some(outer) = outer
                .into_iter()
                .find(|outer| texts.iter().any(|text| has_word(text, outer)))
            {
                let message = format!("the bounds of this loop depend on `{outer}`");
                let help = "only loops whose bounds are the same in all iterations of the outer ones can change places with them";
                return Err(self.refuse(what, place, &message, help));
            }
            let body = self.behind_lines(header.body);
            loops.push(Loop { at, header });
            if loops.len() == depth {
                break;
            }
            at = body;
            if word(body) == b"{" {
                let close = group_end(self.text, tokens, body);
                at = self.behind_lines(body + 1);
                let end = exact_end(self.text, tokens, at);
                if word(at) == b"for" && self.behind_lines(end) != close {
                    let place = tokens
                        .get(self.behind_lines(end))
                        .map_or(place, |it| it.start);
                    let message = format!(
                        "`{name}` is about {depth} loops directly in each other, and this is beside one"
                    );
                    let help = "move it into the innermost loop, or out of the loops";
                    return Err(self.refuse(what, place, &message, help));
                }
            }
        }
        Ok(loops)
    }

    /// Linemarkers are passed over, directives are not.
    fn behind_lines(&self, mut at: usize) -> usize {
        let is_marker =
            |it: &Token| it.kind == TokenKind::Line && !it.of(self.text).starts_with(b"#pragma");
        while self.outline.tokens.get(at).is_some_and(is_marker) {
            at += 1;
        }
        at
    }

    fn written(&self, index: usize, it: &Loop, taker: Option<&FoundDirective>) -> Written {
        let Header {
            declared,
            variable,
            from,
            test,
            to,
            step,
            is_down,
            ..
        } = &it.header;
        let ty = match declared {
            Some(ty) => ty.clone(),
            None => format!("__typeof__({variable})"),
        };
        let (low, high) = match is_down {
            false => (from, to),
            true => (to, from),
        };
        // Elements of what a pointer leads to are as long as they are.
        let is_number = declared.as_deref().is_some_and(is_number);
        let number = |text: &str| format!("(unsigned long)({ty})({text})");
        let by = match is_number {
            true => format!("(unsigned long)({step})"),
            false => format!("(unsigned long)(({ty})0+({step}))"),
        };
        let distance = format!("({}-{})", number(high), number(low));
        let (compare, count) = match test {
            Test::Less | Test::Greater => ("<", format!("({distance}-1)/{by}+1")),
            Test::LessOrEqual | Test::GreaterOrEqual => ("<=", format!("{distance}/{by}+1")),
            Test::NotEqual => ("!=", format!("{distance}/{by}")),
        };
        let count = format!("(({ty})({low}){compare}({ty})({high})?{count}:0ul)");
        let sign = if *is_down { '-' } else { '+' };
        let is_named = taker.is_some_and(|taker| has_word(&taker.text, variable));
        let value = |number: &str| match is_number {
            true => format!("({ty})(({from}){sign}{number}*({step}))"),
            false => format!("({from}){sign}(long){number}*({step})"),
        };
        Written {
            floor: format!("__accrue_floor_{}_{index}", self.number),
            tile: format!("__accrue_tile_{}_{index}", self.number),
            last: declared
                .is_none()
                .then(|| format!("{variable}={};", value(&count))),
            begins: match (declared.is_some() || taker.is_some() && !is_named, &ty) {
                (true, ty) => format!("{ty} {variable}="),
                (false, _) => format!("{variable}="),
            },
            // The counter may have no other use.
            ends: format!(";(void){variable};"),
            values: [
                value(&format!("__accrue_tile_{}_{index}", self.number)),
                value(&format!(
                    "({count}-1-__accrue_tile_{}_{index})",
                    self.number
                )),
            ],
            count,
        }
    }

    fn refuse(&self, what: &Transformation, at: usize, message: &str, help: &str) -> Diagnostic {
        let message = Diagnostic::error(message).place(self.place(at));
        message.help(help).openmp(what.section())
    }

    fn place(&self, at: usize) -> Place {
        Place {
            position: self.lines.position(at),
            length: 0,
        }
    }
}

/// The new text of one loop.
struct Written {
    /// The counters of its loop over tiles, and over a tile or everything.
    floor: String,
    tile: String,
    /// The number of iterations.
    count: String,
    /// What the counter is behind the loop, if it is declared outside.
    last: Option<String>,
    begins: String,
    ends: String,
    /// The counter in an iteration, and where they go the other way.
    values: [String; 2],
}

impl Written {
    fn one_by_one(&self) -> String {
        let Written { tile, count, .. } = self;
        format!("for(unsigned long {tile}=0;{tile}<{count};{tile}++)")
    }

    fn floor(&self, size: &str) -> String {
        let Written { floor, count, .. } = self;
        format!("for(unsigned long {floor}=0;{floor}<{count};{floor}+=({size}))")
    }

    fn tile(&self, size: &str) -> String {
        let Written {
            floor, tile, count, ..
        } = self;
        let end = format!("{floor}+({size})");
        format!("for(unsigned long {tile}={floor};{tile}<({end}<{count}?{end}:{count});{tile}++)")
    }

    fn begin(&self, backwards: bool) -> String {
        let value = &self.values[usize::from(backwards)];
        format!("{}{value}{}", self.begins, self.ends)
    }
}

/// Whether a type that declares a counter is one of numbers.
fn is_number(ty: &str) -> bool {
    const WORDS: [&str; 14] = [
        "int",
        "unsigned",
        "signed",
        "long",
        "short",
        "char",
        "size_t",
        "ptrdiff_t",
        "int32_t",
        "int64_t",
        "uint32_t",
        "uint64_t",
        "ssize_t",
        "register",
    ];
    ty.split_whitespace().all(|word| WORDS.contains(&word))
}

/// Whether a directive takes the loops behind it.
fn takes_loops(text: &str) -> bool {
    let parsed = omp::parse(text, LANGUAGE);
    parsed.is_ok_and(|parsed| parsed.kind.is_loop())
        || Transformation::read(text, LANGUAGE).is_some()
}

fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(|c| !is_word(c)).any(|it| it == word)
}
