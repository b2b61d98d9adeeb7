//! Loops that ask for levels which a loop around or inside them asks for: an error, or, in `kernels`, who gets them.

use accrue_dialects::{
    acc::{Kernels, Loop},
    par::{GangDim, Level},
};
use accrue_ir::walk;
use pliron::{context::Context, op::Op};

use super::{NAME, asked, is_independent, name};
use crate::{device_types::applies, gang_dims};
use accrue_opt::State;

/// The levels of those that the user asked for which the loop gets, as far as the loops around and inside it ask for the same.
pub(super) fn granted(ctx: &Context, lp: Loop) -> Vec<Level> {
    let mut levels = asked(&lp.clauses(ctx));
    if walk::enclosing::<Kernels>(ctx, lp.get_operation()).is_none() {
        return levels;
    }
    let inside = walk::nested::<Loop>(ctx, lp.get_operation()).into_iter();
    let inside = inside
        .filter(|inner| is_independent(ctx, *inner) && !applies(&inner.clauses(ctx).seq))
        .flat_map(|inner| {
            let kept = asked(&inner.clauses(ctx)).into_iter();
            kept.filter(move |level| *level != Level::Gang || !is_in_loop_for_gangs(ctx, inner))
        });
    let furthest_out = inside.min();
    levels.retain(|level| match level {
        Level::Gang => !is_in_loop_for_gangs(ctx, lp),
        Level::Worker | Level::Vector => furthest_out.is_none_or(|inner| inner > *level),
    });
    levels
}

/// Whether a loop around `lp` asks for gangs.
fn is_in_loop_for_gangs(ctx: &Context, lp: Loop) -> bool {
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        if asked(&outer.clauses(ctx)).contains(&Level::Gang) {
            return true;
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
    false
}

/// A loop cannot be inside a loop of the same level or of one further in; for gangs, of the same dimension or a lower one.
pub(super) fn check_nesting(ctx: &Context, lp: Loop, state: &mut State) {
    let wanted = asked(&lp.clauses(ctx));
    let Some(outermost) = wanted.first() else {
        return;
    };
    let own_dim = gang_dims::dim(ctx, lp, state.target);
    let mut around = walk::enclosing::<Loop>(ctx, lp.get_operation());
    while let Some(outer) = around {
        let outer_dim = gang_dims::dim(ctx, outer, state.target);
        let other_gangs = |l: Level| l == Level::Gang && outer_dim > own_dim;
        let conflict = asked(&outer.clauses(ctx))
            .into_iter()
            .find(|l| l >= outermost && !other_gangs(*l));
        if conflict == Some(Level::Gang) && own_dim.max(outer_dim) > GangDim::One {
            let (inner, outer) = (gang_dims::name(own_dim), gang_dims::name(outer_dim));
            let message = format!("a {inner} loop inside a {outer} loop");
            let help = "loops over gang dimensions are inside each other from 3 to 1";
            state.error(ctx, lp.get_operation(), message, "2.9.2", help);
            return;
        }
        let in_kernels = walk::enclosing::<Kernels>(ctx, lp.get_operation()).is_some();
        if in_kernels && conflict == Some(Level::Gang) && *outermost == Level::Gang {
            let message = "the gang loop is inside another one, and its iterations run in one gang";
            state.remark(ctx, lp.get_operation(), NAME, message.to_string());
            return;
        }
        if let Some(conflict) = conflict.filter(|_| !in_kernels) {
            let (inner, outer) = (name(*outermost), name(conflict));
            let section = match outermost {
                Level::Gang => "2.9.2",
                Level::Worker => "2.9.3",
                Level::Vector => "2.9.4",
            };
            let message = format!("a {inner} loop inside a {outer} loop");
            state.error(
                ctx,
                lp.get_operation(),
                message,
                section,
                "give the inner loop a level further in, or seq",
            );
            return;
        }
        around = walk::enclosing::<Loop>(ctx, outer.get_operation());
    }
}
