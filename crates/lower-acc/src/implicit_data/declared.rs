//! What `declare` directives say of a variable where a compute construct stands (OpenACC 3.4, sections 2.6.2 and 2.13).
//!
//! ```text
//! declare create(g)       outside of functions: the address of g says so wherever it is taken
//! { double t[8];
//!   parallel              t is not declared yet
//!   declare create(t)     acc.declare_enter
//!   parallel }            t is present: the enter stands before it in a block around it, and no exit in between
//! ```
//! Cost: one walk through the module, and through each block with a directive; then a few steps for each question.

use accrue_dialects::acc::{
    ClauseOp, DataClause, DataInfo, DataOp, DeclareEnter, DeclareExit, Group, declared,
};
use accrue_dialects::core::{AddressOf, Variable};
use accrue_ir::walk;
use accrue_opt::analysis::variables::{Root, describe, root_of};
use pliron::{
    basic_block::BasicBlock,
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// The directives of a module. What passes add to blocks does not matter: the order of what was there stays.
pub struct Declares {
    scopes: HashMap<Root, Vec<Scope>>,
    /// In the blocks of directives, where each operation is.
    places: HashMap<Ptr<Operation>, usize>,
}

/// A stretch of a block in which a variable is declared.
struct Scope {
    info: DataInfo,
    block: Ptr<BasicBlock>,
    begin: usize,
    end: usize,
}

impl Declares {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let mut declares = Declares {
            scopes: HashMap::new(),
            places: HashMap::new(),
        };
        let mut known = HashSet::new();
        for enter in walk::nested::<DeclareEnter>(ctx, module.get_operation()) {
            let Some(block) = enter.get_operation().deref(ctx).get_parent_block() else {
                continue;
            };
            if known.insert(block) {
                let ops = walk::ops_of_block(ctx, block).into_iter();
                declares
                    .places
                    .extend(ops.enumerate().map(|(index, op)| (op, index)));
            }
            declares.add(ctx, enter, block);
        }
        declares
    }

    fn add(&mut self, ctx: &Context, enter: DeclareEnter, block: Ptr<BasicBlock>) {
        let place = |op: Ptr<Operation>| self.places.get(&op).copied();
        let begin = place(enter.get_operation()).unwrap_or(usize::MAX);
        let exits = enter.get_result(ctx).uses(ctx).into_iter();
        let exits = exits.map(|used| used.user_op()).filter(|op| {
            Operation::is_op::<DeclareExit>(*op, ctx)
                && op.deref(ctx).get_parent_block() == Some(block)
        });
        let end = exits.filter_map(place).min().unwrap_or(usize::MAX);
        for value in enter.clause(ctx, Group::Data) {
            let Some(entry) = value.defining_op() else {
                continue;
            };
            let object = Operation::get_op_dyn(entry, ctx);
            let Some(data) = op_cast::<dyn DataOp>(&*object) else {
                continue;
            };
            let Some(root) = data.var(ctx).and_then(|var| root_of(ctx, var)) else {
                continue;
            };
            let scope = Scope {
                info: data.info(ctx),
                block,
                begin,
                end,
            };
            self.scopes.entry(root).or_default().push(scope);
        }
    }

    /// The clause about the variable where the construct stands, unless it is `link`, which maps nothing. `var` is the variable's
    /// address in the region.
    pub(super) fn clause_about(
        &self,
        ctx: &Context,
        construct: Ptr<Operation>,
        root: &Root,
        var: Value,
    ) -> Option<DataInfo> {
        let of_program = declared(ctx, var).filter(|_| is_global(ctx, var));
        let info = match of_program {
            Some(said) => {
                let Variable { name, shape } = describe(ctx, var);
                DataInfo::new(said.clause, &name, shape)
            }
            None => {
                let mut scopes = self.scopes.get(root)?.iter();
                let scope = scopes.find(|scope| self.is_in(ctx, construct, scope))?;
                scope.info.clone()
            }
        };
        (info.clause != DataClause::Link).then_some(info)
    }

    fn is_in(&self, ctx: &Context, construct: Ptr<Operation>, scope: &Scope) -> bool {
        // What the construct is, or is in, in the block of the scope.
        let mut at = Some(construct);
        while let Some(op) = at
            && op.deref(ctx).get_parent_block() != Some(scope.block)
        {
            at = op.deref(ctx).get_parent_op(ctx);
        }
        let place = at.and_then(|op| self.places.get(&op));
        place.is_some_and(|place| (scope.begin..scope.end).contains(place))
    }
}

fn is_global(ctx: &Context, var: Value) -> bool {
    var.defining_op()
        .is_some_and(|op| Operation::is_op::<AddressOf>(op, ctx))
}
