//! IR texts with one mistake each: reading them says what is wrong, in all builds.
//!
//! `refused/base.ir` and `refused/declare.ir` are right. Each mutation replaces one piece of one; then [`accrue_ir::text::parse`], with which `accrue
//! opt` reads, must say the message.

use accrue_dialects as _;
use accrue_ir::{attributes::AttributeOp, text::parse, verify::verify, walk::nested_ops};
use pliron::{
    context::{Context, Ptr},
    identifier::Identifier,
    op::op_cast,
    operation::Operation,
    printable::Printable,
};
use std::{collections::BTreeSet, fs, path::Path};

/// What is replaced by what, and part of the message.
const MUTATIONS: &[(&str, &str, &str)] = &[
    // An exit operation on what no entry operation made.
    (
        "acc.copyout acc(xd) var(x)",
        "acc.copyout acc(x) var(x)",
        "`acc` of `acc.copyout` takes what a data entry operation gives",
    ),
    (
        "acc.copyout acc(xd) var(x)",
        "acc.copyout var(x)",
        "the end of something that no entry operation made",
    ),
    (
        "acc.copyout acc(xd) var(x) bounds(b)",
        "acc.copyout acc(fp) var(n)",
        "ends `copy`, and the entry operation is of `firstprivate`",
    ),
    (
        "acc.copyout acc(xd) var(x) bounds(b)",
        "acc.copyout acc(xd) var(n)",
        "or of another variable",
    ),
    // Wrong terminators.
    (
        "core.for zero to many step one {independent=false,unsigned=false} \n                {\n                  ^inner(k: builtin.integer i32):\n                    core.yield",
        "core.for zero to many step one {independent=false,unsigned=false} \n                {\n                  ^inner(k: builtin.integer i32):\n                    core.break",
        "a region of `core.for` ends in core.yield or core.continue",
    ),
    (
        "^yes():\n                    core.yield",
        "^yes():\n                    acc.yield",
        "a region of `core.if` ends in",
    ),
    (
        "^yes():\n                    core.yield",
        "^yes():\n                    core.yield one",
        "the regions of a condition yield its results",
    ),
    (
        "acc.yield \n            };\n            acc.yield",
        "acc.yield \n            };\n            core.yield",
        "a region of `acc.parallel` ends in acc.yield",
    ),
    (
        "acc.yield \n            };",
        "core.break \n            };",
        "a region of `acc.loop` ends in acc.yield or core.continue",
    ),
    (
        "structured=true,implicit=false,readonly=false,zero=false,always_in=false,always_out=false,capture=false,shape=[] of builtin.integer i32}, acc_origin: acc.origin {directive=2,clause=0,item=0}];\n        core.return",
        "structured=true,implicit=false,readonly=false,zero=false,always_in=false,always_out=false,capture=false,shape=[] of builtin.integer i32}, acc_origin: acc.origin {directive=2,clause=0,item=0}];\n        core.yield",
        "a region of `builtin.func` ends in core.return",
    ),
    // Clauses that exclude each other.
    (
        "auto=[],",
        "auto=[None],",
        "two of seq, independent and auto for one device type",
    ),
    (
        "seq=[],",
        "seq=[None],",
        "gang, worker or vector together with seq",
    ),
    // Operands.
    (
        "numGangs(one, one, one)",
        "numGangs(one, one, one, one)",
        "numGangs has more than 3 operands",
    ),
    (
        "numGangs(one, one, one)",
        "numGangs(n)",
        "`numGangs` of `acc.parallel` takes integers",
    ),
    (
        "numGangs(one, one, one)",
        "numGangs(one) if_(one)",
        "`if_` of `acc.parallel` takes an i1",
    ),
    (
        "upperbound(many) step(one)",
        "upperbound(n) step(one)",
        "`upperbound` of `acc.loop` takes integers",
    ),
    (
        "upperbound(many) step(one)",
        "upperbound(length) step(one)",
        "bounds and steps are of the types of the induction variables",
    ),
    (
        "upperbound(many) step(one)",
        "upperbound(many)",
        "one lower bound, upper bound, step and test per induction variable",
    ),
    (
        "core.for zero to many step one",
        "core.for n to n step n",
        "the bounds are integers",
    ),
    (
        "firstprivate(fp)",
        "firstprivate(fp, fp)",
        "the same data operand twice",
    ),
    (
        "firstprivate(fp)",
        "firstprivate(xd)",
        "`firstprivate` of `acc.parallel` takes what acc.firstprivate gives",
    ),
    (
        "reduction(red)",
        "reduction(fp)",
        "`reduction` of `acc.parallel` takes what acc.reduction gives",
    ),
    (
        "dataOperands(xd)",
        "dataOperands(x)",
        "a data operand comes from a data entry operation",
    ),
    (
        "acc.update dataOperands(n)",
        "acc.update",
        "`acc.update` is about no data",
    ),
    (
        "bounds(b) [acc_data: acc.data_info {clause=Copy,name=\"x[0:10]\",structured=true,implicit=false,readonly=false,zero=false,always_in=false,always_out=false,capture=false,shape=[Pointer] of core.float <64>}, acc_origin: acc.origin {directive=0,clause=0,item=0}] :",
        "bounds(n) [acc_data: acc.data_info {clause=Copy,name=\"x[0:10]\",structured=true,implicit=false,readonly=false,zero=false,always_in=false,always_out=false,capture=false,shape=[Pointer] of core.float <64>}, acc_origin: acc.origin {directive=0,clause=0,item=0}] :",
        "`bounds` of `acc.copyin` takes what acc.bounds gives",
    ),
    (
        "acc.bounds lowerbound(start) extent(length)",
        "acc.bounds lowerbound(start)",
        "the bounds of `x[0:10]`, a pointer, have no extent",
    ),
    (
        "acc.bounds lowerbound(start) extent(length)",
        "acc.bounds lowerbound(x) extent(length)",
        "`lowerbound` of `acc.bounds` takes integers",
    ),
    // Attributes.
    (
        "acc_reduction_operator: par.reduction_operator Add, ",
        "",
        "`acc.reduction` needs the attribute `acc_reduction_operator`",
    ),
    (
        "acc_reduction_operator: par.reduction_operator Add, ",
        "acc_reduction_operator: builtin.bool true, ",
        "the attribute `acc_reduction_operator` of `acc.reduction` is of another type",
    ),
    (
        "[acc_directive: acc.directive 0]",
        "",
        "`acc.parallel` needs the attribute `acc_directive`",
    ),
    // Reductions.
    (
        "par.lock Worker 1;",
        "par.lock Worker 1;\n        par.red_fini (l) [] [par_reduction: par.reduction {level=Worker,operator=Add,signed=true,id=(1,0)}]: <(core.ptr <core.array <4 x builtin.integer i32>, Generic>) -> ()>;",
        "`par.red_fini` of the reduction (1,0) stands twice",
    ),
    // What passes have found out about a kernel.
    (
        "single_gang=false}]",
        "single_gang=false}, par_iterations: par.iterations Known({steps=\"Argument 0\",workers=false,vector=true})]",
        "the function has no parameter 0",
    ),
    (
        "single_gang=false}]",
        "single_gang=false}, par_iterations: par.iterations Known({steps=\"Constant 1, Add\",workers=false,vector=true})]",
        "the steps are no program that leaves one number",
    ),
    (
        "single_gang=false}]",
        "single_gang=false}, par_iterations: par.iterations Known({steps=\"Jump 1\",workers=false,vector=true})]",
        "`Jump 1` is no program",
    ),
    (
        "single_gang=false}]",
        "single_gang=false}, par_iterations: builtin.bool true]",
        "the attribute `par_iterations` of `builtin.func` is of another type",
    ),
    (
        "single_gang=false}]",
        "single_gang=false}, par_grid: par.grid []]",
        "a grid has one to three dimensions",
    ),
    (
        "single_gang=false}]",
        "single_gang=false}, par_parameters: par.parameters [{name=\"n\",length=0,variable=false}]]",
        "1 parameters are named, and the function has 0",
    ),
];

/// The same for `refused/declare.ir`.
const DECLARE_MUTATIONS: &[(&str, &str, &str)] = &[
    (
        "acc.declare_enter dataOperands(td)",
        "acc.declare_enter",
        "`acc.declare_enter` is about no data",
    ),
    (
        "acc.declare_enter dataOperands(td)",
        "acc.declare_enter dataOperands(ud)",
        "what makes the address of `u` does not say that it is declared create",
    ),
    (
        "acc.declare_enter dataOperands(td)",
        "acc.declare_enter dataOperands(fd)",
        "this is no entry operation of a `declare` directive",
    ),
    (
        "acc.declare {clause=Create}",
        "acc.declare {clause=Link}",
        "what makes the address of `t` does not say that it is declared create",
    ),
    (
        "gd = acc.copyin var(g) [acc_data: acc.data_info {clause=Copyin,",
        "gd = acc.copyin var(g) [acc_data: acc.data_info {clause=Copy,",
        "`copy` of `g` is no clause of this `declare`",
    ),
    (
        "acc.declare_exit token(token)",
        "acc.declare_exit",
        "`acc.declare_exit` has the token of its `acc.declare_enter`",
    ),
    (
        "acc.declare_exit token(token)",
        "acc.declare_exit token(td)",
        "`token` of `acc.declare_exit` takes what acc.declare_enter gives",
    ),
    (
        "acc.declare_exit token(token)",
        "acc.declare_exit token(token, token)",
        "`acc.declare_exit` ends one `acc.declare_enter`",
    ),
    (
        "token(token) dataOperands(td)",
        "token(token) dataOperands(ud)",
        "this ends other data than its `acc.declare_enter` begins",
    ),
    (
        "hd = acc.getdeviceptr",
        "hd = acc.copyin",
        "in an `acc.global_dtor` entries are what `acc.getdeviceptr` gives",
    ),
    (
        "dataOperands(hd);\n        acc.yield",
        "dataOperands(hd);\n        core.yield",
        "a region of `acc.global_dtor` ends in acc.yield",
    ),
];

fn file(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    fs::read_to_string(folder.join(path)).expect("a text")
}

fn module(text: &str) -> (Context, Ptr<Operation>) {
    let mut ctx = Context::new();
    let op = parse(&mut ctx, text).unwrap_or_else(|e| panic!("{e}"));
    (ctx, op)
}

#[test]
fn each_mistake_has_its_message() {
    let of_base = MUTATIONS.iter().map(|it| ("refused/base.ir", it));
    let of_declare = DECLARE_MUTATIONS
        .iter()
        .map(|it| ("refused/declare.ir", it));
    let mut wrong = vec![];
    for (path, (from, to, message)) in of_base.chain(of_declare) {
        let base = file(path);
        module(&base);
        assert_eq!(base.matches(from).count(), 1, "{from} is in the text once");
        match parse(&mut Context::new(), &base.replace(from, to)) {
            Ok(_) => wrong.push(format!("accepted: {from} -> {to}")),
            Err(e) if e.to_string().contains(message) => {}
            Err(e) => wrong.push(format!("{from} -> {to}\n  expected: {message}\n  got: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The attributes that `op` must have, by their keys.
fn required(ctx: &Context, op: Ptr<Operation>) -> Vec<Identifier> {
    let object = Operation::get_op_dyn(op, ctx);
    let own = op_cast::<dyn AttributeOp>(&*object).map_or(&[][..], |o| o.declared());
    let own = own.iter().filter(|a| a.required).map(|a| a.key.clone());
    // Those of several operations at once.
    let shared = ["acc_data", "par_reduction", "acc_directive"];
    let on_loop = object.get_opid().to_string() == "acc.loop";
    let shared = shared
        .into_iter()
        .filter(|key| !(on_loop && *key == "acc_directive"));
    let present = |key: &Identifier| op.deref(ctx).attributes.0.contains_key(key);
    let shared = shared.map(Identifier::new).filter(present);
    own.chain(shared).collect()
}

/// Every required attribute of every kind of operation in the texts, taken away.
#[test]
fn no_required_attribute_may_be_missing() {
    let mut seen = BTreeSet::new();
    for text in [
        "refused/base.ir",
        "refused/declare.ir",
        "cases/reductions.ir",
        "cases/phases.ir",
        "cases/members.ir",
    ] {
        let text: String = file(text)
            .lines()
            .filter(|line| !line.starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
        let (ctx, top) = module(&text);
        for op in nested_ops(&ctx, top) {
            let name = Operation::get_opid(op, &ctx).to_string();
            for key in required(&ctx, op) {
                let taken = op.deref_mut(&ctx).attributes.0.remove(&key);
                let taken = taken.expect("a required attribute");
                let error = verify(top, &ctx).expect_err(&name);
                let error = error.disp(&ctx).to_string();
                let expected = format!("`{name}` needs the attribute `{key}`");
                assert!(error.contains(&expected), "{error}");
                op.deref_mut(&ctx).attributes.0.insert(key.clone(), taken);
                seen.insert(format!("{name} {key}"));
            }
        }
    }
    assert!(seen.len() > 25, "{seen:?}");
}
