//! Reading the text form of the IR. Whatever the text is, the answer is an operation that the verifier accepts or a message
//! with a place.
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
    combine::{Parser, eof},
    context::{Context, Ptr},
    irfmt::parsers::spaced,
    linked_list::ContainsLinkedList,
    location::Source,
    operation::Operation,
    parsable::{State, state_stream_from_iterator},
    printable::Printable,
};
use std::{
    cell::Cell,
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
