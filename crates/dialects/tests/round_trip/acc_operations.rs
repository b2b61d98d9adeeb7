//! Operations of `acc`.

use super::{At, assert_round_trip, module};
use accrue_dialects::{acc, core, par};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::Context,
    ident,
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
fn declare() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let pointer = core::pointer(at.ctx, i32_);
    let shape = core::Shape {
        dims: vec![],
        elem: i32_,
    };
    let global = core::Variable {
        name: "g".to_string(),
        shape: shape.clone(),
    };
    let info = |clause| acc::DataInfo::new(clause, "g", shape.clone());
    use acc::{DataClause, Declare};
    let var = at.op(|c| core::AddressOf::new(c, ident!("g"), pointer, Some(global)));
    let clause = DataClause::DeviceResident;
    acc::DECLARE.set(at.ctx, var.get_operation(), Declare { clause });
    let hook = |when, function| acc::Hook { when, function };
    let actions = acc::DeclareAction(vec![
        hook(acc::When::AfterAllocation, ident!("enter_g")),
        hook(acc::When::BeforeDeallocation, ident!("exit_g")),
    ]);
    acc::DECLARE_ACTION.set(at.ctx, var.get_operation(), actions);
    let var = var.get_result(at.ctx);
    assert_eq!(acc::declared(at.ctx, var), Some(Declare { clause }));
    let entry = at.value(|c| acc::DeclareDeviceResident::new(c, info(clause), var, vec![]));
    let enter = at.op(|c| acc::DeclareEnter::new(c, 0));
    let (data, none) = (acc::Group::Data, acc::DeviceType::None);
    acc::push(&enter, at.ctx, data, entry, none);
    let token = enter.get_result(at.ctx);
    at.op(|c| acc::DeclareExit::new(c, Some(token), vec![entry]));
    at.op(|c| acc::Delete::new(c, info(clause), Some(entry), var, vec![]));
    let (ctor, body) = acc::GlobalCtor::new(at.ctx, ident!("load"));
    at.op(|_| ctor);
    at.inside(body, |at| at.op(acc::Yield::new));
    let (dtor, body) = acc::GlobalDtor::new(at.ctx, ident!("unload"));
    at.op(|_| dtor);
    at.inside(body, |at| {
        let again = at.value(|c| acc::GetDeviceptr::new(c, info(clause), var, vec![]));
        at.op(|c| acc::DeclareExit::new(c, None, vec![again]));
        at.op(acc::Yield::new)
    });
    at.op(|c| core::Return::new(c, None));
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
