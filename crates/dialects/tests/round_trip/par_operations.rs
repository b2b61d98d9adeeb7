//! Operations of `par`.

use super::{At, assert_round_trip, module};
use accrue_dialects::{core, par};
use accrue_ir::build::build;
use accrue_ir::verify::verify;
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    printable::Printable,
};

#[test]
fn par_operations() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let result = at.value(|c| core::Alloca::new(c, i32_, None));
    let row = core::ArrayType::get(at.ctx, 4, i32_).into();
    let array = at.value(|c| core::Alloca::new(c, row, None));
    let info = par::ReductionInfo {
        level: par::Level::Gang,
        operator: par::ReductionOperator::Add,
        signed: true,
        id: par::ReductionId {
            loop_id: 1,
            reduction_id: 2,
        },
    };
    at.op(|c| par::RedSetup::new(c, info, one, Some(result)));
    at.op(|c| par::Fork::new(c, par::Level::Gang, 1));
    at.value(|c| par::DimPos::new(c, par::Level::Vector));
    at.value(|c| par::DimSize::new(c, par::Level::Worker));
    at.value(|c| par::DimPos::of_gangs(c, Some(par::GangDim::Three)));
    at.value(|c| par::DimSize::of_gangs(c, Some(par::GangDim::Two)));
    at.op(|c| par::RedInit::new(c, info, array, None));
    at.op(|c| par::Lock::new(c, par::Level::Gang, 1));
    at.op(|c| par::RedFini::new(c, info, one, Some(result)));
    at.op(|c| par::Unlock::new(c, par::Level::Gang, 1));
    at.op(|c| par::Join::new(c, par::Level::Gang, 1));
    at.op(|c| par::RedTeardown::new(c, info, one, Some(result)));
    at.op(|c| core::Return::new(c, None));
    assert_round_trip(at.ctx, module);
}

#[test]
fn loops_of_kernels() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let row = core::ArrayType::get(at.ctx, 4, i32_).into();
    let array = at.value(|c| core::Alloca::new(c, row, None));
    let reduced = par::Reduced {
        loop_id: 1,
        operator: par::ReductionOperator::Max,
        signed: true,
        elements: par::Elements::Section,
        spelling: "a[1:1]".to_string(),
        variable: core::Variable {
            name: "a".to_string(),
            shape: core::Shape {
                dims: vec![core::ShapeDim::Fixed(4)],
                elem: i32_,
            },
        },
    };
    let part = at.op(|c| par::Reduce::new(c, reduced.clone(), array, Some((one, one))));
    let redirected = at.op(|c| par::Reduce::new(c, reduced, array, Some((one, one))));
    redirected.redirect(
        at.ctx,
        array,
        core::Shape {
            dims: vec![],
            elem: i32_,
        },
    );
    assert_eq!(part.section(at.ctx), Some((one, one)));
    assert_eq!(redirected.section(at.ctx), None);
    let dim = par::LoopDim {
        test: par::LoopTest::Lt,
        unsigned: true,
    };
    let levels = par::Levels {
        gang: true,
        vector: true,
        ..par::Levels::default()
    };
    let bounds = (one, one, one);
    let body = {
        let dims = [(bounds, dim), (bounds, dim)];
        let gangs = Some(par::GangDim::Two);
        let (lp, body) = par::Loop::new(at.ctx, par::LoopId(1), levels, gangs, &dims);
        assert_eq!(lp.dims(at.ctx), dims);
        at.op(|_| lp);
        body
    };
    at.op(|c| core::Return::new(c, None));
    at.inside(body, |at| at.op(|c| core::Yield::new(c, vec![])));
    assert_round_trip(at.ctx, module);
}

#[test]
fn reduction_builtins_fit_their_objects() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let wide = at.value(|c| core::Const::new(c, 64, 1));
    let result = at.value(|c| core::Alloca::new(c, i32_, None));
    let row = core::ArrayType::get(at.ctx, 4, i32_).into();
    let array = at.value(|c| core::Alloca::new(c, row, None));
    let info = |level| par::ReductionInfo {
        level,
        operator: par::ReductionOperator::Add,
        signed: true,
        id: par::ReductionId {
            loop_id: 1,
            reduction_id: 0,
        },
    };
    let (gang, worker) = (info(par::Level::Gang), info(par::Level::Worker));
    let informed = |ctx: &Context, op: Ptr<Operation>| {
        let mut operation = op.deref_mut(ctx);
        operation.attributes.set(par::REDUCTION.clone(), gang);
        drop(operation);
        op
    };
    let of = |ctx: &mut Context, results, operands| {
        build::<par::RedFini>(ctx, results, operands, 0).get_operation()
    };
    let lists = [
        (vec![], vec![]),
        (vec![i32_], vec![one, result, result]),
        (vec![], vec![one]),
        (vec![i32_], vec![array]),
        (vec![i32_], vec![wide]),
    ];
    let made = lists.map(|(results, operands)| of(at.ctx, results, operands));
    let [none, three, lost, kept, other] = made.map(|op| informed(at.ctx, op));
    let rejected: Vec<(Ptr<Operation>, &str)> = vec![
        (
            of(at.ctx, vec![i32_], vec![one]),
            "needs the attribute `par_reduction`",
        ),
        (none, "has a LOCAL and perhaps a RESULT"),
        (three, "has a LOCAL and perhaps a RESULT"),
        (lost, "a LOCAL value gives a new LOCAL value"),
        (kept, "a LOCAL value gives a new LOCAL value"),
        (other, "the new LOCAL has the type of the old one"),
        (
            par::RedInit::new(at.ctx, worker, one, Some(result)).get_operation(),
            "only a gang reduction has a RESULT",
        ),
        (
            par::RedInit::new(at.ctx, gang, wide, Some(result)).get_operation(),
            "RESULT and LOCAL are of one type",
        ),
        (
            par::RedInit::new(at.ctx, gang, array, Some(result)).get_operation(),
            "RESULT and LOCAL are of one type",
        ),
    ];
    for (op, message) in rejected {
        let error = verify(op, at.ctx).expect_err(message);
        let text = error.disp(at.ctx).to_string();
        assert!(text.contains(message), "{text}");
    }
    let _ = module;
}
