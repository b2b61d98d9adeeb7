//! Building operations: the only place that calls `Operation::new`.

use pliron::{
    basic_block::BasicBlock,
    combine::stream::position::SourcePosition,
    context::{Context, Ptr},
    irbuild::{inserter::IRInserter, listener::InsertionListener},
    location::{Location, Source},
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    uniqued_any,
    value::Value,
};
use std::path::{Path, PathBuf};

/// Creates the operation behind `T` with the given results and operands and `regions` empty regions.
pub fn build<T: Op>(
    ctx: &mut Context,
    results: Vec<TypeHandle>,
    operands: Vec<Value>,
    regions: usize,
) -> T {
    let op = Operation::new(
        ctx,
        T::get_concrete_op_info(),
        results,
        operands,
        vec![],
        regions,
    );
    T::from_operation(op)
}

/// Gives region `index` of `op` an entry block with arguments of the given types.
pub fn entry(
    ctx: &mut Context,
    op: &dyn Op,
    index: usize,
    args: Vec<TypeHandle>,
) -> Ptr<BasicBlock> {
    let region = op.get_operation().deref(ctx).get_region(index);
    let block = BasicBlock::new(ctx, None, args);
    block.insert_at_back(region, ctx);
    block
}

/// An inserter that stamps every operation it inserts with the location set last.
pub type Inserter = IRInserter<Stamp>;

/// The listener behind [`Inserter`]: the location that new operations get.
#[derive(Clone)]
pub struct Stamp(pub Location);

impl Default for Stamp {
    fn default() -> Self {
        Stamp(Location::Unknown)
    }
}

impl InsertionListener for Stamp {
    fn notify_operation_inserted(&mut self, ctx: &Context, op: Ptr<Operation>) {
        if op.deref(ctx).loc().is_unknown() {
            op.deref_mut(ctx).set_loc(self.0.clone());
        }
    }

    fn notify_block_inserted(&mut self, _: &Context, _: Ptr<BasicBlock>) {}
}

/// The location `line`:`column` (both from 1) of the user's file.
pub fn location(ctx: &Context, file: &Path, line: u32, column: u32) -> Location {
    let pos = SourcePosition {
        line: i32::try_from(line).unwrap_or(i32::MAX),
        column: i32::try_from(column).unwrap_or(i32::MAX),
    };
    Location::SrcPos {
        src: Source::new_from_file(ctx, file),
        pos,
    }
}

/// Line and column of `loc`, or of the first position it was made from; `None` when it has none.
pub fn line_column(loc: &Location) -> Option<(u32, u32)> {
    match loc {
        Location::SrcPos { pos, .. } => Some((
            u32::try_from(pos.line).ok()?,
            u32::try_from(pos.column).ok()?,
        )),
        Location::Named { child_loc, .. } => line_column(child_loc),
        Location::CallSite { callee, .. } => line_column(callee),
        Location::Fused { locations, .. } => locations.iter().find_map(line_column),
        Location::Unknown => None,
    }
}

/// The file that `loc` is in; `None` when it has none.
pub fn file(ctx: &Context, loc: &Location) -> Option<PathBuf> {
    loc.sources().into_iter().find_map(|source| match source {
        Source::File(path) => Some(uniqued_any::get(ctx, path).clone()),
        Source::InMemory => None,
    })
}
