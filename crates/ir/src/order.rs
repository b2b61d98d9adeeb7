//! Where operations stand in their blocks.
//!
//! A block is a linked list: whether one operation stands before another is a walk. Whoever asks often numbers a block once;
//! the numbers stay right while operations are taken away, and wrong as soon as one is put in.
//!
//! Cost: a walk through each block that is asked about, then a step for each level of nesting and question.

use crate::walk::ops_of_block;
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    operation::Operation,
};
use std::collections::HashMap;

/// The numbers of the operations of some blocks.
#[derive(Default)]
pub struct Order(HashMap<Ptr<BasicBlock>, HashMap<Ptr<Operation>, usize>>);

impl Order {
    /// The number of the operation of `block` that is `op` or has it inside; `None` if none has.
    pub fn place(
        &mut self,
        ctx: &Context,
        block: Ptr<BasicBlock>,
        op: Ptr<Operation>,
    ) -> Option<usize> {
        let mut at = op;
        while at.deref(ctx).get_parent_block() != Some(block) {
            at = at.deref(ctx).get_parent_op(ctx)?;
        }
        let numbered = || ops_of_block(ctx, block).into_iter().zip(0..).collect();
        let numbers = self.0.entry(block).or_insert_with(numbered);
        numbers.get(&at).copied()
    }

    /// Whether `first` has run whenever `later` runs: it is the same, or stands before it or something around it in one block.
    pub fn comes_before(
        &mut self,
        ctx: &Context,
        first: Ptr<Operation>,
        later: Ptr<Operation>,
    ) -> bool {
        let Some(block) = first.deref(ctx).get_parent_block() else {
            return false;
        };
        let [first, later] = [first, later].map(|op| self.place(ctx, block, op));
        first.is_some() && later >= first
    }
}
