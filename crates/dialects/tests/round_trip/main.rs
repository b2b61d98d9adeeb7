//! `parse(print(x)) = x` for every operation of the dialects, and what verification rejects.

mod acc_operations;
mod core_operations;
mod par_operations;

use accrue_dialects::{acc, core};
use accrue_ir::build::{Inserter, build};
use accrue_ir::verify::verify;
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    ident,
    irbuild::{
        cloning::IrMapping,
        equivalence::{EqResult, IGNORE_LOC_NAMES, operation_eq},
        inserter::Inserter as _,
    },
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
    value::Value,
};

/// Appends operations to a block and hands back their results.
struct At<'a> {
    ctx: &'a mut Context,
    inserter: Inserter,
}

impl At<'_> {
    fn op<T: Op>(&mut self, make: impl FnOnce(&mut Context) -> T) -> T {
        let op = make(self.ctx);
        self.inserter.append_op(self.ctx, &op);
        op
    }

    fn value<T: Op + OneResultInterface>(&mut self, make: impl FnOnce(&mut Context) -> T) -> Value {
        let op = self.op(make);
        op.get_result(self.ctx)
    }

    fn inside<R>(
        &mut self,
        block: Ptr<pliron::basic_block::BasicBlock>,
        fill: impl FnOnce(&mut At) -> R,
    ) -> R {
        let mut at = At {
            ctx: self.ctx,
            inserter: Inserter::new_at_block_end(block),
        };
        fill(&mut at)
    }
}

fn module(ctx: &mut Context) -> (ModuleOp, Inserter) {
    let module = ModuleOp::new(ctx, ident!("unit"));
    let double = core::float(ctx, 64);
    let params = vec![core::pointer(ctx, double), core::int(ctx, 32)];
    let ty = FunctionType::get(ctx, params, vec![]);
    let func = FuncOp::new(ctx, ident!("f"), ty);
    module.append_operation(ctx, func.get_operation(), 0);
    let inserter = Inserter::new_at_block_end(func.get_entry_block(ctx));
    (module, inserter)
}

fn assert_round_trip(ctx: &mut Context, module: ModuleOp) {
    if let Err(e) = verify(module.get_operation(), ctx) {
        panic!("{}\n{}", e.disp(ctx), module.get_operation().disp(ctx));
    }
    let text = module.get_operation().disp(ctx).to_string();
    let again = match parse_from_str(spaced(Operation::top_level_parser()), ctx, &text) {
        Ok(op) => op,
        Err(e) => panic!("{}\n{text}", e.disp(ctx)),
    };
    let equal = operation_eq(
        ctx,
        &mut IrMapping::new(),
        module.get_operation(),
        again,
        &IGNORE_LOC_NAMES,
    );
    assert!(
        matches!(equal, EqResult::Eq),
        "{}\n{text}\n{}",
        equal.disp(ctx),
        again.disp(ctx)
    );
}

fn variable(ctx: &Context, name: &str, dims: Vec<core::ShapeDim>, width: u32) -> core::Variable {
    let elem = core::int(ctx, width);
    core::Variable {
        name: name.to_string(),
        shape: core::Shape { dims, elem },
    }
}

#[test]
fn verification_rejects_nonsense() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let var = at.value(|c| core::Alloca::new(c, i32_, None));
    let wide = at.value(|c| core::Const::new(c, 64, 1));
    let shape = core::Shape {
        dims: vec![],
        elem: i32_,
    };
    let wrong_clause = acc::DataInfo::new(acc::DataClause::Create, "a", shape);
    let rejected: Vec<Ptr<Operation>> = vec![
        core::Store::new(at.ctx, wide, var).get_operation(),
        core::Bin::new(at.ctx, core::BinKind::FAdd, one, one).get_operation(),
        core::If::new(at.ctx, one, vec![]).0.get_operation(),
        acc::Copyin::new(at.ctx, wrong_clause, var, vec![]).get_operation(),
        build::<core::Member>(at.ctx, vec![i32_], vec![var], 0).get_operation(),
    ];
    for op in rejected {
        assert!(verify(op, at.ctx).is_err(), "{}", op.disp(at.ctx));
    }
    let _ = module;
}
