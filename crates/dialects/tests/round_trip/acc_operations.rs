//! Operations of `acc`.

use super::{At, assert_round_trip, module};
use accrue_dialects::{acc, core, par};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::Context,
    op::Op,
};

#[test]
fn acc_operations() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let (zero, n) = (
        at.value(|c| core::Const::new(c, 64, 0)),
        at.value(|c| core::Const::new(c, 64, 100)),
    );
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let truth = at.value(|c| core::Const::new(c, 1, 1));
    let var = at.value(|c| core::Alloca::new(c, i32_, None));
    let bounds = at.value(|c| acc::Bounds::new(c, Some(zero), Some(n)));
    let whole = at.value(|c| acc::Bounds::new(c, None, None));
    let shape = core::Shape {
        dims: vec![core::ShapeDim::Variable],
        elem: i32_,
    };
    let info = |clause| acc::DataInfo::new(clause, "a[0:n]", shape.clone());

    use acc::{DataClause, DataOp, DirectiveOp, RegionOp};
    let copyin = at.op(|c| acc::Copyin::new(c, info(DataClause::Copy), var, vec![bounds, whole]));
    copyin.set_origin(
        at.ctx,
        acc::Origin {
            directive: 0,
            clause: 1,
            item: 2,
        },
    );
    let mapped = copyin.get_result(at.ctx);
    let private = at.value(|c| acc::Private::new(c, info(DataClause::Private), var, vec![]));
    let reduced = at.value(|c| {
        acc::Reduction::new(
            c,
            par::ReductionOperator::Max,
            false,
            info(DataClause::Reduction),
            var,
            vec![],
        )
    });
    let (parallel, body) = acc::Parallel::new(at.ctx, 0);
    at.op(|_| parallel);
    acc::push(
        &parallel,
        at.ctx,
        acc::Group::Data,
        mapped,
        acc::DeviceType::None,
    );
    acc::push(
        &parallel,
        at.ctx,
        acc::Group::NumGangs,
        one,
        acc::DeviceType::None,
    );
    acc::push(
        &parallel,
        at.ctx,
        acc::Group::NumGangs,
        n,
        acc::DeviceType::Nvidia,
    );
    acc::push(
        &parallel,
        at.ctx,
        acc::Group::If,
        truth,
        acc::DeviceType::None,
    );
    acc::push(
        &parallel,
        at.ctx,
        acc::Group::Private,
        private,
        acc::DeviceType::None,
    );
    parallel.set_async_only(at.ctx, acc::DeviceTypes(vec![acc::DeviceType::Star]));
    parallel.set_default_clause(at.ctx, acc::DefaultClause::None);
    parallel.set_combined(at.ctx);
    at.inside(body, |at| {
        let dims = vec![par::LoopDim {
            test: par::LoopTest::Le,
            unsigned: true,
        }];
        let clauses = acc::LoopClauses {
            gang: acc::DeviceTypes(vec![acc::DeviceType::None]),
            ..Default::default()
        };
        let (looped, body) = acc::Loop::new(at.ctx, vec![(one, one, one)], dims, clauses);
        at.op(|_| looped);
        looped.set_directive(at.ctx, 1);
        acc::push(
            &looped,
            at.ctx,
            acc::Group::Reduction,
            reduced,
            acc::DeviceType::None,
        );
        looped.set_levels(
            at.ctx,
            par::Levels {
                gang: true,
                ..Default::default()
            },
        );
        at.inside(body, |at| at.op(acc::Yield::new));
        at.op(acc::Yield::new);
    });
    at.op(|c| acc::Copyout::new(c, info(DataClause::Copy), Some(mapped), var, vec![bounds]));
    let exit = at.op(|c| acc::ExitData::new(c, 2));
    acc::push(&exit, at.ctx, acc::Group::Data, var, acc::DeviceType::None);
    exit.set_finalize(at.ctx);
    at.op(|c| acc::Delete::new(c, info(DataClause::Delete), None, var, vec![]));
    let init = at.op(|c| acc::Init::new(c, 3));
    acc::set_device_type_clause(at.ctx, &init, acc::DeviceTypes(vec![acc::DeviceType::Host]));
    at.op(|c| core::Return::new(c, None));

    let found = acc::operands_with_devices(&parallel, at.ctx, acc::Group::NumGangs);
    assert_eq!(
        found,
        [(one, acc::DeviceType::None), (n, acc::DeviceType::Nvidia)]
    );
    assert_round_trip(at.ctx, module);
}

#[test]
fn routines() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    at.op(|c| core::Return::new(c, None));
    let functions = accrue_ir::walk::nested::<FuncOp>(at.ctx, module.get_operation());
    let routine = acc::Routine {
        vector: acc::DeviceTypes(vec![acc::DeviceType::Nvidia]),
        seq: acc::DeviceTypes(vec![acc::DeviceType::Star, acc::DeviceType::Host]),
        ..Default::default()
    };
    for function in &functions {
        assert_eq!(acc::routine_of(at.ctx, function), None);
        acc::set_routine(at.ctx, function, routine.clone());
        assert_eq!(acc::routine_of(at.ctx, function), Some(routine.clone()));
    }
    assert_eq!(functions.len(), 1);
    assert_round_trip(at.ctx, module);
}
