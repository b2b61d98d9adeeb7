//! That another C-like language can be printed: functions of the SIMT level in a small dialect of OpenCL C 1.2, whose memory
//! is in spaces, whose types have other names, and which has no builtins of GNU's.
//!
//! The text is compared with the expectation below, and clang reads it as OpenCL C where there is a clang.

use accrue_dialects::core::layout;
use accrue_dialects::{
    core::{AddressSpace, AtomicLoad, AtomicStore, AtomicUpdate, Extern, Externs, For, Known},
    simt::{Quantity, Scope, SimtOp},
};
use accrue_emit_c::{
    Dialect, FunctionPrinter, Program, Unit,
    diagnostic::{Diagnostic, Result},
    dialect::{Hidden, Outside, Printed, Scalar},
    expr::Expr,
};
use accrue_ir::{verify::verify, walk::nested};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    irfmt::parsers::spaced,
    op::Op,
    operation::Operation,
    parsable::parse_from_str,
    printable::Printable,
};
use std::{fs, path::Path, process::Command};

struct OpenClC;

impl Dialect for OpenClC {
    fn devices(&self) -> &'static str {
        "OpenCL devices"
    }

    fn scalar(&self, scalar: Scalar) -> Option<&'static str> {
        Some(match scalar {
            Scalar::Signed(1) | Scalar::Unsigned(1) => "bool",
            Scalar::Signed(8) => "char",
            Scalar::Signed(16) => "short",
            Scalar::Signed(32) => "int",
            Scalar::Signed(64) => "long",
            Scalar::Unsigned(8) => "uchar",
            Scalar::Unsigned(16) => "ushort",
            Scalar::Unsigned(32) => "uint",
            Scalar::Unsigned(64) => "ulong",
            Scalar::Float(32) => "float",
            Scalar::Float(64) => "double",
            Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_) | Scalar::Complex(_) => {
                return None;
            }
        })
    }

    fn space(&self, space: AddressSpace) -> &'static str {
        match space {
            AddressSpace::Global => "__global ",
            AddressSpace::Shared => "__local ",
            AddressSpace::Constant => "__constant ",
            AddressSpace::Generic | AddressSpace::Local => "",
        }
    }

    fn reserved(&self) -> &'static [&'static str] {
        &["kernel", "global", "local", "constant", "half", "uint"]
    }

    fn infinity(&self, _: u32) -> String {
        "INFINITY".to_string()
    }

    fn not_a_number(&self, _: u32) -> String {
        "NAN".to_string()
    }

    fn complex(&self, _: &str, _: &str) -> String {
        String::new()
    }

    fn copy(&self, to: &str, from: &str, ty: &str) -> String {
        format!("accrue_copy({to}, {from}, sizeof({ty}));")
    }

    fn zero(&self, at: &str, ty: &str) -> String {
        format!("accrue_zero({at}, sizeof({ty}));")
    }

    fn check_size(&self, _: &str, _: u64, _: u64) -> String {
        String::new()
    }

    fn check_offset(&self, _: &str, _: &str, _: u64) -> String {
        String::new()
    }

    fn outside(&self, _: &Context, name: &str, function: &Extern, _: bool) -> Outside {
        let known = function.known.map(Known::stem);
        Outside::Known(known.unwrap_or(name).to_string())
    }

    fn hidden(&self, _: &str) -> &[Hidden] {
        &[]
    }

    fn before_loop(&self, _: &mut FunctionPrinter<'_>, _: &For) -> Result<()> {
        Ok(())
    }

    fn atomic_load(&self, _: &mut FunctionPrinter<'_>, _: &AtomicLoad) -> Result<()> {
        Err(Diagnostic::error("no atomic accesses in this test"))
    }

    fn atomic_store(&self, _: &mut FunctionPrinter<'_>, _: &AtomicStore) -> Result<()> {
        Err(Diagnostic::error("no atomic accesses in this test"))
    }

    fn atomic_update(&self, _: &mut FunctionPrinter<'_>, _: &AtomicUpdate) -> Result<()> {
        Err(Diagnostic::error("no atomic accesses in this test"))
    }

    fn own(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<Printed> {
        match SimtOp::of(printer.ctx, op) {
            Some(SimtOp::Query(query)) => {
                let call = match query.quantity(printer.ctx) {
                    Quantity::Lane => "get_local_id(0)",
                    Quantity::Lanes => "get_local_size(0)",
                    Quantity::GroupX => "get_group_id(0)",
                    _ => return Ok(Printed::Unknown),
                };
                Ok(Printed::Expr(Expr::atom(format!("(int){call}"))))
            }
            Some(SimtOp::Barrier(barrier)) if barrier.scope(printer.ctx) == Scope::Group => {
                let fences = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
                printer.statement(format!("barrier({fences});"))?;
                Ok(Printed::Done)
            }
            Some(_) | None => Ok(Printed::Unknown),
        }
    }
}

/// `G` and `H` stand for pointers to `double` in global and shared memory, `I` for `int`.
const INPUT: &str = "
builtin.module @unit {
  ^b():
    core.extern_func @fortran_sqrt[known : Sqrt] : builtin.function <(F) -> (F)> {pure=true,variadic=false,allocates=false,keeps_no_address=false,writes_arguments_only=false};
    builtin.func @roots: builtin.function <(G, H, I) -> ()> {
      ^e(kernel: G, slots: H, n: I):
        lane = simt.query Lane : I;
        lanes = simt.query Lanes : I;
        slot = core.ptr_add slots, lane : H;
        first = core.ptr_add kernel, lane : G;
        value = core.load first : F;
        core.store value, slot;
        simt.barrier Group;
        inf = core.fconst \"inf\" : F;
        core.for lane to n step lanes {independent=true,unsigned=false} {
          ^body(i: I):
            from = core.ptr_add slots, i : H;
            to = core.ptr_add kernel, i : G;
            loaded = core.load from : F;
            root = core.call @fortran_sqrt(loaded) : F;
            least = core.bin FMin root, inf : F;
            core.store least, to;
            core.yield
        };
        core.return
    }
}
";

fn long(text: &str) -> String {
    let mut long = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let (name, end) = word.split_at(
            word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric())
                .len(),
        );
        long += match name {
            "F" => "core.float <64>",
            "I" => "builtin.integer i32",
            "G" => "core.ptr <core.float <64>, Global>",
            "H" => "core.ptr <core.float <64>, Shared>",
            name => name,
        };
        long += end;
    }
    long
}

#[test]
fn opencl_c() {
    let ctx = &mut Context::new();
    let op = parse_from_str(spaced(Operation::top_level_parser()), ctx, &long(INPUT))
        .unwrap_or_else(|e| panic!("{}", e.disp(ctx)));
    if let Err(e) = verify(op, ctx) {
        panic!("{}", e.disp(ctx));
    }
    let module = Operation::get_op::<ModuleOp>(op, ctx).expect("a module");
    let functions = nested::<FuncOp>(ctx, module.get_operation());
    let records = layout::records(ctx, module);
    let externs = Externs::of_module(ctx, module.get_operation());
    let program = Program {
        records: &records,
        functions: functions.clone(),
        all: functions.clone(),
        externs: &externs,
    };
    let unit = Unit::new(ctx, &OpenClC, program, false);
    let mut text = unit.prototypes().expect("prototypes");
    for function in functions {
        text += &unit.function(function).expect("a function");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opencl.cl");
    if std::env::var_os("ACCRUE_BLESS").is_some() {
        fs::write(&path, &text).expect("bless");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text);
    let clang = Command::new("clang")
        .args([
            "-x",
            "cl",
            "-cl-std=CL1.2",
            "-fsyntax-only",
            "-Werror",
            "-Wno-unused-function",
        ])
        .args(["-Xclang", "-finclude-default-header"])
        .arg(&path)
        .output();
    if let Ok(read) = clang {
        assert!(
            read.status.success(),
            "{}",
            String::from_utf8_lossy(&read.stderr)
        );
    }
}
