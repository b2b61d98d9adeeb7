use accrue_dialects::{acc::ReductionOperator, core::*, par::*};
use accrue_ir::build::Inserter;
use pliron::{builtin::{op_interfaces::*, ops::*, types::FunctionType}, context::Context, ident, irbuild::inserter::Inserter as _, op::Op, printable::Printable};
#[test]
fn show() {
    let ctx = &mut Context::new();
    let m = ModuleOp::new(ctx, ident!("unit"));
    let d = float(ctx, 64); let p = pointer(ctx, d); let i = int(ctx, 32);
    let ty = FunctionType::get(ctx, vec![p, i], vec![]);
    let f = FuncOp::new(ctx, ident!("accrue_k0_0"), ty);
    set_kernel(ctx, &f, Kernel { site: 0, phase: 0, gang_loop: true, single_gang: false });
    m.append_operation(ctx, f.get_operation(), 0);
    let e = f.get_entry_block(ctx);
    let (a, n) = (e.deref(ctx).get_argument(0), e.deref(ctx).get_argument(1));
    let mut ins = Inserter::new_at_block_end(e);
    let var = Variable { name: "s".into(), shape: Shape { dims: vec![ShapeDim::Fixed(3)], elem: d } };
    let al = Alloca::new(ctx, d, Some(var)); ins.append_op(ctx, &al);
    let s = al.get_result(ctx);
    let c = FConst::new(ctx, d, "0.5"); ins.append_op(ctx, &c);
    let v = c.get_result(ctx);
    let info = ReductionInfo { level: Level::Gang, operator: ReductionOperator::Add, signed: true, id: ReductionId { loop_id: 0, reduction_id: 0 } };
    let r = RedSetup::new(ctx, info, v, Some(a)); ins.append_op(ctx, &r);
    let fk = Fork::new(ctx, Level::Gang, 0); ins.append_op(ctx, &fk);
    let st = Store::new(ctx, v, s); ins.append_op(ctx, &st);
    let z = Const::new(ctx, 32, 0); ins.append_op(ctx, &z);
    let z = z.get_result(ctx);
    let (fo, b) = For::new(ctx, z, n, z, ForInfo { independent: true, unsigned: false }); ins.append_op(ctx, &fo);
    let mut i2 = Inserter::new_at_block_end(b);
    let y = Yield::new(ctx, vec![]); i2.append_op(ctx, &y);
    let rd = RecordDef::new(ctx, "S", RecordLayout { size: 8, align: 8, union_: false }, vec![Field { name: "x".into(), ty: d, offset: 0, bits: 0, bit_offset: 0, signed: true }]);
    m.append_operation(ctx, rd.get_operation(), 0);
    let sw = Switch::new(ctx, z, vec![Case { values: vec![CaseValue { first: 1, last: 1 }], default: false }]); ins.append_op(ctx, &sw.0);
    let mut i2 = Inserter::new_at_block_end(sw.1[0]);
    let y = Break::new(ctx); i2.append_op(ctx, &y);
    let me = DimPos::new(ctx, Level::Gang); ins.append_op(ctx, &me);
    let me = Member::new(ctx, a, 0, d); ins.append_op(ctx, &me);
    let ef = ExternFunc::new(ctx, ident!("sqrt"), FunctionType::get(ctx, vec![d], vec![d]).into(), ExternTraits { pure: true, variadic: false });
    m.append_operation(ctx, ef.get_operation(), 0);
    let ca = Call::new(ctx, ident!("sqrt"), vec![v], Some(d)); ins.append_op(ctx, &ca);
    let b = boolean(ctx);
    let ca = Cast::new(ctx, CastKind::ToBool, v, b); ins.append_op(ctx, &ca);
    let cond = ca.get_result(ctx);
    let (fi, yb, nb) = If::new(ctx, cond, vec![d]); ins.append_op(ctx, &fi);
    for bb in [yb, nb] { let y = Yield::new(ctx, vec![v]); Inserter::new_at_block_end(bb).append_op(ctx, &y); }
    let x = ca.get_result(ctx); let _ = x;
    let re = Return::new(ctx, None); ins.append_op(ctx, &re);
    println!("{}", m.get_operation().disp(ctx));
    panic!();
}
