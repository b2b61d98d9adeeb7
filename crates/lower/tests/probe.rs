use accrue_dialects::{acc::{self, *}, core::{self, *}};
use accrue_ir::build::Inserter;
use pliron::{builtin::{op_interfaces::*, ops::*, types::FunctionType}, context::Context, irbuild::inserter::Inserter as _, printable::Printable, op::Op, value::Value, identifier::Identifier};
fn c(ctx: &mut Context, i: &mut Inserter, w: u32, v: i128) -> Value { let o = Const::new(ctx, w, v); i.append_op(ctx, &o); o.get_result(ctx) }
#[test]
fn probe() {
    let ctx = &mut Context::new();
    let m = ModuleOp::new(ctx, Identifier::try_from("m".to_string()).unwrap());
    let i32t = core::int(ctx, 32);
    let f64t = core::float(ctx, 64);
    let pt = core::pointer(ctx, f64t);
    let fty = FunctionType::get(ctx, vec![pt, i32t], vec![]);
    let f = FuncOp::new(ctx, Identifier::try_from("scale".to_string()).unwrap(), fty);
    m.append_operation(ctx, f.get_operation(), 0);
    let e = f.get_entry_block(ctx);
    let (x, n) = (e.deref(ctx).get_argument(0), e.deref(ctx).get_argument(1));
    let mut i = Inserter::new_at_block_end(e);
    let shape = Shape { dims: vec![ShapeDim::Pointer], elem: f64t };
    let xa = Alloca::new(ctx, pt, Some(Variable { name: "x".into(), shape: shape.clone() })); i.append_op(ctx, &xa);
    let s = Store::new(ctx, x, xa.get_result(ctx)); i.append_op(ctx, &s);
    let na = Alloca::new(ctx, i32t, Some(Variable { name: "n".into(), shape: Shape{dims: vec![], elem: i32t} })); i.append_op(ctx, &na);
    let s = Store::new(ctx, n, na.get_result(ctx)); i.append_op(ctx, &s);
    let c0 = c(ctx, &mut i, 64, 0);
    let b = Bounds::new(ctx, Some(c0), None); i.append_op(ctx, &b);
    let bv = b.get_result(ctx);
    let info = DataInfo::new(DataClause::Copy, "x[0:n]", shape);
    let ci = Copyin::new(ctx, info.clone(), xa.get_result(ctx), vec![bv]); i.append_op(ctx, &ci);
    ci.set_origin(ctx, Origin { directive: 0, clause: 1, item: 0 });
    let (p, pb) = Parallel::new(ctx, 0); i.append_op(ctx, &p);
    acc::push(&p, ctx, "dataOperands", ci.get_result(ctx), DeviceType::None);
    let co = Copyout::new(ctx, info, Some(ci.get_result(ctx)), xa.get_result(ctx), vec![bv]); i.append_op(ctx, &co);
    let r = core::Return::new(ctx, None); i.append_op(ctx, &r);
    let mut i = Inserter::new_at_block_end(pb);
    let l = c(ctx, &mut i, 32, 0);
    let u = Load::new(ctx, na.get_result(ctx)); i.append_op(ctx, &u);
    let st = c(ctx, &mut i, 32, 1);
    let (lp, lb) = acc::Loop::new(ctx, vec![(l, u.get_result(ctx), st)], vec![LoopDim { test: LoopTest::Lt, unsigned: false }], LoopClauses { gang: DeviceTypes(vec![DeviceType::None]), ..Default::default() });
    i.append_op(ctx, &lp);
    let y = acc::Yield::new(ctx); i.append_op(ctx, &y);
    let mut i = Inserter::new_at_block_end(lb);
    let iv = lb.deref(ctx).get_argument(0);
    let ia = Alloca::new(ctx, i32t, None); i.append_op(ctx, &ia);
    let s = Store::new(ctx, iv, ia.get_result(ctx)); i.append_op(ctx, &s);
    let ld = Load::new(ctx, xa.get_result(ctx)); i.append_op(ctx, &ld);
    let li = Load::new(ctx, ia.get_result(ctx)); i.append_op(ctx, &li);
    let pa = PtrAdd::new(ctx, ld.get_result(ctx), li.get_result(ctx)); i.append_op(ctx, &pa);
    let fc = FConst::new(ctx, f64t, "2.0"); i.append_op(ctx, &fc);
    let s = Store::new(ctx, fc.get_result(ctx), pa.get_result(ctx)); i.append_op(ctx, &s);
    let y = acc::Yield::new(ctx); i.append_op(ctx, &y);
    println!("{}", m.get_operation().disp(ctx));
    for pass in accrue_lower::PASSES {
        let mut st = accrue_lower::State::default();
        match accrue_lower::run_pass(ctx, m, pass, &mut st) { Ok(()) => {}, Err(e) => { println!("{e:?}"); break } }
        println!("==== {}\n{:?}\n{:?}", pass.name, st.remarks, st.sites);
        if ["implicit-data", "outline","partition","reductions","drop-host"].contains(&pass.name) { println!("{}", m.get_operation().disp(ctx)); }
    }
}
