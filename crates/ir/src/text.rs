//! The text form of the IR.
//!
//! # Writing
//! The text depends on the IR alone, not on how it was made: reading it and writing it again gives the same text. pliron names
//! values by when they were made, and adds that to the names that it has read; here they have numbers in the order of the text.
//!
//! ```text
//! pliron's:   ^block7v1_block3v1(v40_v12: i32):  v41_v13 = core.load a_v40_v9     →     ^b0(v0: i32):  v1 = core.load a_v2
//! ```
//!
//! # Reading
//! Whatever the text is, the answer is an operation that the verifier accepts or a message with a place.
//!
//! ```text
//! builtin.module @m { … v1 = core.load v0 : core.ptr <…> !3; … }     →   the module
//! builtin.module @m { … v1 = core.load nonsense …                    →   line 3, column 22: …
//! ```
//!
//! pliron's parser takes some things for granted that damaged text does not keep to (that a name that is used is defined in
//! the same function, for example), and panics. Such a panic is caught here, around the parser alone, and becomes a message;
//! the characters that the parser has taken so far tell its line.

use pliron::{
    builtin::given_names::{set_block_arg_name, set_operation_result_name},
    combine::{Parser, eof},
    common_traits::Named,
    context::{Context, Ptr},
    irfmt::parsers::spaced,
    linked_list::ContainsLinkedList,
    location::{Location, Source},
    operation::Operation,
    parsable::{State, state_stream_from_iterator},
    printable::Printable,
    value::Value,
};
use std::{
    cell::Cell,
    collections::HashMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{verify::verify, walk};

/// Why a text is no IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line and column of the text, from 1; the verifier's messages name the source that the IR was made from instead.
    pub position: Option<(u32, u32)>,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(out, "{line}:{column}: ")?;
        }
        out.write_str(&self.message)
    }
}

thread_local! {
    static PARSING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the thread is inside the parser, where a panic is a mistake in the text. A panic hook need not report it.
pub fn is_parsing() -> bool {
    PARSING.get()
}

/// Reads `text`, one operation and what belongs to it, and verifies it. After an error `ctx` is of no use any more.
pub fn parse(ctx: &mut Context, text: &str) -> Result<Ptr<Operation>, ParseError> {
    let reached = Cell::new((1, 1));
    PARSING.set(true);
    let parsed = catch_unwind(AssertUnwindSafe(|| parse_counting(ctx, text, &reached)));
    PARSING.set(false);
    let operation = match parsed {
        Ok(parsed) => parsed?,
        Err(_) => {
            return Err(ParseError {
                position: Some(reached.get()),
                message: "the text is no IR, here or shortly before".to_string(),
            });
        }
    };
    let wrong = match verify(operation, ctx) {
        Ok(()) => not_structured(ctx, operation),
        Err(error) => Some(error.disp(ctx).to_string()),
    };
    match wrong {
        None => Ok(operation),
        Some(message) => Err(ParseError {
            position: None,
            message,
        }),
    }
}

/// accrue's IR is structured: each region is one block. The verifier lets functions be without a body, or have many blocks.
fn not_structured(ctx: &Context, operation: Ptr<Operation>) -> Option<String> {
    let mut ops = vec![operation];
    ops.extend(walk::nested_ops(ctx, operation));
    ops.into_iter().find_map(|op| {
        let blocks = walk::regions_of(ctx, op)
            .into_iter()
            .map(|region| region.deref(ctx).iter(ctx).count())
            .find(|blocks| *blocks != 1)?;
        let name = Operation::get_op_dyn(op, ctx).get_opid();
        Some(format!(
            "a region of `{name}` has {blocks} blocks, and must have one"
        ))
    })
}

/// The text of `op`. What was read from a text loses its place in that, and its name if that was made up for the text.
pub fn print(ctx: &Context, op: Ptr<Operation>) -> String {
    forget_places_in_texts(ctx, op);
    forget_made_up_names(ctx, op);
    let mut names = Names::default();
    names.of_regions(ctx, op);
    names.replace_in(&op.disp(ctx).to_string())
}

/// The names in a text of pliron's, and what they become.
#[derive(Default)]
struct Names {
    new: HashMap<String, String>,
    values: usize,
    blocks: usize,
}

impl Names {
    /// Collects what is named in the regions of `op`, in the order of the text.
    fn of_regions(&mut self, ctx: &Context, op: Ptr<Operation>) {
        for region in walk::regions_of(ctx, op) {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                let label = format!("b{}", self.blocks);
                self.blocks += 1;
                self.new.insert(block.unique_name(ctx).into(), label);
                let arguments: Vec<_> = block.deref(ctx).arguments().collect();
                arguments.iter().for_each(|argument| self.of(ctx, argument));
                for inner in walk::ops_of_block(ctx, block) {
                    let results = walk::results_of(ctx, inner);
                    results.iter().for_each(|result| self.of(ctx, result));
                    self.of_regions(ctx, inner);
                }
            }
        }
    }

    fn of(&mut self, ctx: &Context, value: &Value) {
        let number = self.values;
        self.values += 1;
        let new = match value.given_name(ctx) {
            Some(name) => format!("{name}_v{number}"),
            None => format!("v{number}"),
        };
        self.new.insert(value.unique_name(ctx).into(), new);
    }

    /// Replaces all names outside of strings and symbols, up to the places and names behind the operations.
    fn replace_in(&self, text: &str) -> String {
        let (mut rest, behind) = match text.find(OUTLINES) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let mut out = String::with_capacity(text.len());
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => length_of_string(rest),
                '@' => 1 + length_of_word(&rest[1..]),
                _ => length_of_word(rest).max(first.len_utf8()),
            };
            let (token, after) = rest.split_at(length);
            out.push_str(self.new.get(token).map_or(token, String::as_str));
            rest = after;
        }
        out + behind
    }
}

/// What stands between the operations and what pliron says about them behind all of them.
const OUTLINES: &str = "\n\noutlined_attributes:";

/// The bytes of the string that `text` begins with, quotes included.
fn length_of_string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The bytes of the word that `text` begins with.
fn length_of_word(text: &str) -> usize {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.find(is_end).unwrap_or(text.len())
}

/// pliron takes names of values in a text for names that somebody has given them. Those of results, and those that look as if
/// they were made up for a text, are not.
fn forget_made_up_names(ctx: &Context, op: Ptr<Operation>) {
    for inner in walk::nested_ops(ctx, op) {
        for index in 0..walk::results_of(ctx, inner).len() {
            set_operation_result_name(ctx, inner, index, None);
        }
        for region in walk::regions_of(ctx, inner) {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                let arguments: Vec<_> = block.deref(ctx).arguments().collect();
                for (index, argument) in arguments.into_iter().enumerate() {
                    if argument
                        .given_name(ctx)
                        .is_some_and(|name| is_made_up(name.as_ref()))
                    {
                        set_block_arg_name(ctx, block, index, None);
                    }
                }
            }
        }
    }
}

/// Whether it is `v` and a number.
fn is_made_up(name: &str) -> bool {
    let number = name.strip_prefix('v');
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A place in a text means nothing in another one.
fn forget_places_in_texts(ctx: &Context, op: Ptr<Operation>) {
    let is_in_text = |loc: &Location| match loc {
        Location::SrcPos { src, .. } => *src == Source::InMemory,
        Location::Fused { .. }
        | Location::Named { .. }
        | Location::CallSite { .. }
        | Location::Unknown => false,
    };
    for inner in std::iter::once(op).chain(walk::nested_ops(ctx, op)) {
        let place = inner.deref(ctx).loc().clone();
        if is_in_text(&place) {
            inner.deref_mut(ctx).set_loc(Location::Unknown);
        }
        for region in walk::regions_of(ctx, inner) {
            let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
            for block in blocks {
                let place = block.deref(ctx).loc().clone();
                if is_in_text(&place) {
                    block.deref_mut(ctx).set_loc(Location::Unknown);
                }
            }
        }
    }
}

/// Reads `text` and keeps in `reached` how far the parser has come.
fn parse_counting(
    ctx: &mut Context,
    text: &str,
    reached: &Cell<(u32, u32)>,
) -> Result<Ptr<Operation>, ParseError> {
    let count = |c: &char| {
        let (line, column) = reached.get();
        reached.set(match c {
            '\n' => (line + 1, 1),
            _ => (line, column + 1),
        });
    };
    let state = State::new(ctx, Source::InMemory);
    let stream = state_stream_from_iterator(text.chars().inspect(count), state);
    let parsed = spaced(Operation::top_level_parser())
        .skip(eof())
        .parse(stream);
    match parsed {
        Ok((operation, _)) => Ok(operation),
        Err(error) => Err(ParseError {
            position: Some((
                u32::try_from(error.position.line).unwrap_or(1),
                u32::try_from(error.position.column).unwrap_or(1),
            )),
            message: error.to_string(),
        }),
    }
}
