//! Reductions of a `parallel` region whose variable is used on both sides of a barrier: each thread adds up in a variable of its own.
//!
//! ```text
//! omp.parallel reduction(%s) {             omp.parallel reduction(%s) { %own = core.alloca;  core.store 0, %own
//!   s += a; omp.barrier; s += b }     →      own += a; omp.barrier; own += b;  s += own }
//! ```
//! What is between one pair of barriers reduces the variable itself.
//!
//! Cost: the uses of the variables, times the statements of the region.

use super::Team;
use accrue_dialects::{
    acc::{self, ClauseOp, Group},
    core::{emit::Emitter, is_scalar, pointee},
    par::{Level, ReductionId, ReductionInfo, ReductionOperator, operators},
};
use accrue_ir::walk;
use accrue_opt::analysis::variables::{root_of, uses_of};
use pliron::{
    builtin::op_interfaces::{OneRegionInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    irbuild::inserter::OpInsertionPoint,
    op::Op,
    operation::Operation,
};

impl Team<'_> {
    /// Gives the threads variables of their own for such reductions.
    pub(super) fn own_reductions(&self, ctx: &mut Context) {
        for clause in self.parallel.clause(ctx, Group::Reduction) {
            let op = clause.defining_op();
            if let Some(clause) = op.and_then(|op| Operation::get_op::<acc::Reduction>(op, ctx)) {
                self.own_reduction(ctx, clause);
            }
        }
    }

    fn own_reduction(&self, ctx: &mut Context, clause: acc::Reduction) {
        let variable = walk::operands_of(ctx, clause.get_operation())
            .first()
            .copied();
        let Some(variable) = variable else { return };
        let (root, ty) = (root_of(ctx, variable), pointee(ctx, variable));
        let (Some(root), Some(ty)) = (root, ty.filter(|ty| is_scalar(ctx, *ty))) else {
            return;
        };
        let info = ReductionInfo {
            level: Level::Vector,
            operator: clause.operator(ctx),
            signed: clause.signed(ctx),
            id: ReductionId {
                loop_id: 0,
                reduction_id: 0,
            },
        };
        let uses = uses_of(ctx, self.parallel.get_region(ctx), &root);
        let is_clause = |op: Ptr<Operation>| acc::as_data_info(ctx, op).is_some();
        let is_declared = matches!(info.operator, ReductionOperator::Declared(_));
        if is_declared || uses.iter().any(|it| is_clause(it.op)) {
            return;
        }
        let mut parts: Vec<usize> = uses.iter().map(|it| self.part_of(ctx, it.op)).collect();
        parts.sort_unstable();
        parts.dedup();
        if parts.len() < 2 {
            return;
        }
        let block = self.parallel.get_body(ctx, 0);
        let Some(end) = walk::ops_of_block(ctx, block).last().copied() else {
            return;
        };
        let mut e = Emitter::new(ctx, OpInsertionPoint::AtBlockStart(block), end);
        let own = e.alloca(ty, None);
        let Ok(nothing) = operators::identity(&mut e, info, ty) else {
            return;
        };
        e.store(nothing, own);
        for it in uses {
            Operation::replace_operand(it.op, ctx, it.index, own);
        }
        let mut e = Emitter::before(ctx, end);
        let (all, mine) = (e.load(variable), e.load(own));
        if let Ok(value) = operators::combine(&mut e, info, all, mine) {
            e.store(value, variable);
        }
    }

    /// The stretch between barriers that an operation is in; what has barriers inside is one of its own.
    fn part_of(&self, ctx: &Context, op: Ptr<Operation>) -> usize {
        let block = self.parallel.get_body(ctx, 0);
        let mut part = 0;
        for statement in walk::ops_of_block(ctx, block) {
            let meets = self.meets(ctx, statement);
            part += usize::from(meets);
            let regions = walk::regions_of(ctx, statement);
            let inside = regions.into_iter().any(|it| walk::is_inside(ctx, op, it));
            if statement == op || inside {
                break;
            }
            part += usize::from(meets);
        }
        part
    }
}
