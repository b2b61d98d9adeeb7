//! `parse(print(x)) = x` for every operation of the dialects, and what verification rejects.

use accrue_dialects::{acc, core, par};
use accrue_ir::build::{Inserter, build};
use accrue_ir::verify::verify;
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SymbolOpInterface},
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

use pliron::builtin::op_interfaces::SingleBlockRegionInterface;

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
fn core_operations() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let (i32_, f64_) = (core::int(at.ctx, 32), core::float(at.ctx, 64));
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let minus = at.value(|c| core::Const::new(c, 64, -7));
    let truth = at.value(|c| core::Const::new(c, 1, 1));
    let half = at.value(|c| core::FConst::new(c, f64_, "0.5"));
    let named = variable(at.ctx, "i", vec![], 32);
    let var = at.value(|c| core::Alloca::new(c, i32_, Some(named)));
    let temp = at.value(|c| core::Alloca::new(c, i32_, None));
    at.value(|c| core::Alloca::dynamic(c, f64_, minus, None));
    at.op(|c| core::Store::new(c, one, var));
    let loaded = at.value(|c| core::Load::new(c, var));
    let volatile = at.op(|c| core::Store::new(c, one, var));
    volatile.set_volatile(at.ctx);
    let volatile = at.op(|c| core::Load::new(c, var));
    volatile.set_volatile(at.ctx);
    assert!(volatile.is_volatile(at.ctx));
    at.op(|c| core::Copy::new(c, temp, var));
    at.op(|c| core::Zero::new(c, temp));
    at.value(|c| core::Bin::new(c, core::BinKind::AddS, one, loaded));
    at.value(|c| core::Un::new(c, core::UnKind::FNeg, half));
    at.value(|c| core::Cmp::new(c, core::CmpKind::LtS, one, loaded));
    at.value(|c| core::Cast::new(c, core::CastKind::SToF, one, f64_));
    let complex = core::ComplexType::get(at.ctx, f64_).into();
    let z = at.value(|c| core::ComplexMake::new(c, complex, half, half));
    at.value(|c| core::Real::new(c, z).expect("complex"));
    at.value(|c| core::Imag::new(c, z).expect("complex"));
    at.value(|c| core::Select::new(c, truth, one, loaded));
    at.value(|c| core::PtrAdd::new(c, var, minus));
    at.value(|c| core::PtrDiff::new(c, var, temp));
    let row = core::ArrayType::get(at.ctx, 10, i32_).into();
    let array = at.value(|c| core::Alloca::new(c, row, None));
    at.value(|c| core::Decay::new(c, array).expect("array"));
    let tag = core::RecordType::get(at.ctx, "point".to_string()).into();
    let record = at.value(|c| core::Alloca::new(c, tag, None));
    at.value(|c| core::Member::new(c, record, 1, f64_));
    let bits = at.value(|c| core::LoadBits::new(c, record, 2, i32_));
    at.op(|c| core::StoreBits::new(c, bits, record, 2));
    at.value(|c| core::Extent::new(c, var, 1));
    at.value(|c| core::StringConst::new(c, b"a \"quoted\"\n\xff\\ text"));
    let global = variable(
        at.ctx,
        "g",
        vec![core::ShapeDim::Pointer, core::ShapeDim::Fixed(3)],
        32,
    );
    let pointer = core::pointer(at.ctx, i32_);
    at.value(|c| core::AddressOf::new(c, ident!("g"), pointer, Some(global)));
    at.value(|c| core::AddressOf::new(c, ident!("h"), pointer, None));
    at.value(|c| core::Null::new(c, pointer));
    at.op(|c| core::Call::new(c, ident!("sqrt"), vec![half], Some(f64_)));
    at.op(|c| core::Call::new(c, ident!("nothing"), vec![], None));
    at.op(|c| core::Opaque::new(c, "goto", vec![var]));
    let field = |name: &str, bits| core::Field {
        name: name.to_string(),
        ty: i32_,
        offset: 4,
        bits,
        bit_offset: 0,
        signed: true,
    };
    let layout = core::RecordLayout {
        size: 16,
        align: 8,
        union_: false,
    };
    let def = core::RecordDef::new(at.ctx, "point", layout, vec![field("x", 0), field("b", 3)]);
    let empty = core::RecordDef::new(at.ctx, "empty", layout, vec![]);
    let sig = FunctionType::get(at.ctx, vec![f64_], vec![f64_]).into();
    let traits = core::ExternTraits {
        pure: true,
        allocates: true,
        ..Default::default()
    };
    let sqrt = core::ExternFunc::new(at.ctx, ident!("sqrt"), sig, traits);
    assert_eq!(sqrt.get_symbol_name(at.ctx), ident!("sqrt"));
    at.op(|c| core::Return::new(c, None));
    for op in [
        def.get_operation(),
        empty.get_operation(),
        sqrt.get_operation(),
    ] {
        module.append_operation(at.ctx, op, 0);
    }
    assert_round_trip(at.ctx, module);
}

#[test]
fn control_flow() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let one = at.value(|c| core::Const::new(c, 32, 1));
    let truth = at.value(|c| core::Const::new(c, 1, 1));
    let (branch, yes, no) = core::If::new(at.ctx, truth, vec![i32_]);
    at.op(|_| branch);
    for block in [yes, no] {
        at.inside(block, |at| at.op(|c| core::Yield::new(c, vec![one])));
    }
    for test_last in [false, true] {
        let (looped, blocks) = core::Loop::new(at.ctx, test_last);
        at.op(|_| looped);
        at.inside(blocks.cond, |at| {
            at.op(|c| core::Yield::new(c, vec![truth]))
        });
        at.inside(blocks.body, |at| at.op(core::Continue::new));
        at.inside(blocks.step, |at| at.op(|c| core::Yield::new(c, vec![])));
        assert_eq!(looped.tests_last(at.ctx), test_last);
    }
    let case = |values: Vec<i64>, default| core::Case {
        values: values
            .into_iter()
            .map(|v| core::CaseValue { first: v, last: v })
            .collect(),
        default,
    };
    let (switch, blocks) = core::Switch::new(
        at.ctx,
        one,
        vec![case(vec![1, -2], false), case(vec![], true)],
    );
    at.op(|_| switch);
    at.inside(blocks[0], |at| at.op(|c| core::Yield::new(c, vec![])));
    at.inside(blocks[1], |at| at.op(core::Break::new));
    let info = core::ForInfo {
        independent: true,
        unsigned: false,
    };
    let (counted, body) = core::For::new(at.ctx, one, one, one, info);
    at.op(|_| counted);
    at.inside(body, |at| at.op(|c| core::Yield::new(c, vec![])));
    at.op(|c| core::Return::new(c, Some(one)));
    assert_round_trip(at.ctx, module);
}

#[test]
fn atomic_operations() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let f64_ = core::float(at.ctx, 64);
    let var = at.value(|c| core::Alloca::new(c, f64_, None));
    let half = at.value(|c| core::FConst::new(c, f64_, "0.5"));
    let read = at.value(|c| core::AtomicLoad::new(c, var));
    at.op(|c| core::AtomicStore::new(c, read, var));
    let (update, block) = core::AtomicUpdate::new(at.ctx, var);
    at.op(|_| update);
    let old = block.deref(at.ctx).get_argument(0);
    at.inside(block, |at| {
        let sum = at.value(|c| core::Bin::new(c, core::BinKind::FAdd, old, half));
        at.op(|c| core::Yield::new(c, vec![sum]));
    });
    let (before, after) = (update.old(at.ctx), update.new_value(at.ctx));
    at.value(|c| core::Bin::new(c, core::BinKind::FSub, after, before));
    at.op(|c| core::Return::new(c, None));
    assert_round_trip(at.ctx, module);
}

#[test]
fn atomic_operations_fit_their_object() {
    let ctx = &mut Context::new();
    let (module, inserter) = module(ctx);
    let mut at = At { ctx, inserter };
    let i32_ = core::int(at.ctx, 32);
    let row = core::ArrayType::get(at.ctx, 4, i32_).into();
    let var = at.value(|c| core::Alloca::new(c, i32_, None));
    let array = at.value(|c| core::Alloca::new(c, row, None));
    let wide = at.value(|c| core::Const::new(c, 64, 1));
    let (update, block) = core::AtomicUpdate::new(at.ctx, var);
    at.inside(block, |at| at.op(|c| core::Yield::new(c, vec![wide])));
    let (empty, block) = core::AtomicUpdate::new(at.ctx, var);
    at.inside(block, |at| at.op(|c| core::Yield::new(c, vec![])));
    let rejected: Vec<Ptr<Operation>> = vec![
        core::AtomicStore::new(at.ctx, wide, var).get_operation(),
        core::AtomicLoad::new(at.ctx, array).get_operation(),
        update.get_operation(),
        empty.get_operation(),
    ];
    for op in rejected {
        assert!(verify(op, at.ctx).is_err(), "{}", op.disp(at.ctx));
    }
    let _ = module;
}

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
