//! Operations of `core`.

use super::{At, assert_round_trip, module, variable};
use accrue_dialects::core;
use accrue_ir::verify::verify;
use pliron::ident;
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        types::FunctionType,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    printable::Printable,
};

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
    let declared = core::Extern {
        ty: sig,
        traits,
        known: Some(core::Known::Sqrt),
    };
    let sqrt = core::ExternFunc::new(at.ctx, ident!("sqrt"), declared);
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
