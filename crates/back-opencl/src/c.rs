//! OpenCL C 1.2, and what work-items have beside `core`.
//!
//! | `simt` | OpenCL C |
//! | --- | --- |
//! | lane, worker | `get_local_id(0)`, `get_local_id(1)` |
//! | group | `get_group_id(…)` |
//! | barrier of a sub-group, which is a work-item | nothing, but for PoCL ([`crate::added_barriers`]) |
//! | barrier of the group | `barrier(CLK_LOCAL_MEM_FENCE \| CLK_GLOBAL_MEM_FENCE)` |
//! | fence | `mem_fence`, or the device's own for memory of the whole device |
//! | memory of the group | `__local` arrays of the kernel; functions get their start as a parameter |
//! | scratch memory | parameters of the kernel |

use crate::{
    assertions, atomic,
    diagnostic::{Diagnostic, Result},
    heap, library, nulls,
    reserved::RESERVED,
    vectors::{self, Printing},
    wide,
};
use accrue_dialects::{
    core::{AddressSpace, Alloca, AtomicLoad, AtomicStore, AtomicUpdate, Call, Extern, For, Null},
    simt::{Barrier, Fence, Locked, Quantity, Scope, SimtOp},
};
use accrue_emit_c::{
    Dialect, FunctionPrinter,
    dialect::{Address, Hidden, Outside, Printed, Scalar},
    expr::{Expr, Prec},
};
use accrue_ir::walk::enclosing;
use accrue_simt::{
    expanded::{Expanded, Storage},
    layout::extent,
    storage::in_group,
};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SymbolOpInterface},
        ops::FuncOp,
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap},
};

/// OpenCL C for a unit.
pub struct OpenClC<'a> {
    pub expanded: &'a Expanded,
    /// Where the functions' memory of the group is.
    pub group: &'a GroupMemory,
    /// The functions and kernels that have barriers.
    pub waiting: &'a BTreeSet<String>,
    /// The functions and kernels that use scratch memory for assertions or the heap.
    pub scratch: &'a BTreeSet<String>,
    /// A gang is one work item.
    pub cores: bool,
    /// How many assertions have been printed.
    pub assertions: Cell<u32>,
    /// What the kernel that is printed declares, by name: bytes and alignment. None in a function.
    pub locals: RefCell<Option<BTreeMap<String, (u64, u64)>>>,
    /// The loop of which several iterations are being printed at once.
    pub vectors: RefCell<Option<Printing>>,
    /// The accesses of several elements of the kernel that is being printed, if it is a fast version.
    pub wide: RefCell<Option<wide::Plan>>,
}

/// The memory of the group that functions use: one array of the kernel, which they all get.
#[derive(Default)]
pub struct GroupMemory {
    pub variables: HashMap<String, u64>,
    pub allocas: HashMap<Ptr<Operation>, u64>,
    pub bytes: u64,
    /// The functions that get it.
    pub functions: std::collections::HashSet<String>,
}

/// The alignment of all memory of the group.
pub const ALIGN: u64 = 16;

/// The start of the functions' memory of the group.
pub const GROUP: &str = "accrue_group";

/// Names that kernels and functions give to what they get.
pub const NAMES: [&str; 6] = [
    GROUP,
    "accrue_scratch",
    "accrue_scratch_gang",
    "accrue_scratch_worker",
    "accrue_memory",
    "accrue_locked",
];

/// What functions get that use scratch memory, and those that use memory of the group.
const HIDDEN: [Hidden; 2] = [
    Hidden {
        declaration: "__global char *accrue_scratch",
        name: "accrue_scratch",
    },
    Hidden {
        declaration: "__local char *accrue_group",
        name: GROUP,
    },
];

impl Dialect for OpenClC<'_> {
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
            Scalar::Complex(32) => "accrue_c32",
            Scalar::Complex(64) => "accrue_c64",
            Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_) | Scalar::Complex(_) => {
                return None;
            }
        })
    }

    /// A pointer in memory, whose type says nothing, leads to the device's.
    fn space(&self, space: AddressSpace) -> &'static str {
        match space {
            AddressSpace::Global | AddressSpace::Generic => "__global ",
            AddressSpace::Shared => "__local ",
            AddressSpace::Constant => "__constant ",
            AddressSpace::Local => "__private ",
        }
    }

    fn has_bit_fields(&self) -> bool {
        false
    }

    fn reserved(&self) -> &'static [&'static str] {
        &RESERVED
    }

    /// Barriers in functions that it does not inline crash the compiler of PoCL 3.1.
    fn linkage(&self, function: &str) -> &'static str {
        match self.waiting.contains(function) {
            true => "static __attribute__((always_inline))",
            false => "static",
        }
    }

    fn variables(&self) -> &'static [&'static str] {
        &NAMES
    }

    fn infinity(&self, width: u32) -> String {
        float_constant(width, "INFINITY")
    }

    fn not_a_number(&self, width: u32) -> String {
        float_constant(width, "NAN")
    }

    /// Never asked for: complex numbers are structures.
    fn complex(&self, real: &str, imaginary: &str) -> String {
        format!("{real}, {imaginary}")
    }

    fn has_complex(&self) -> bool {
        false
    }

    /// Which of two zeros it is does not depend on their order.
    fn extremum(&self, sign: &str, x: &str, y: &str) -> String {
        let first = if sign == "<" { "!=" } else { "==" };
        let zeros = format!("(({x} == {y}) & (signbit({x}) {first} 0))");
        format!("(({x} {sign} {y}) | ({y} != {y}) | {zeros}) ? {x} : {y}")
    }

    /// Zero is a null pointer of every memory, but where it is an address to count from.
    fn null(&self, ctx: &Context, op: &Null, ty: &str) -> String {
        nulls::text(ctx, op.get_result(ctx), ty)
    }

    fn copy(&self, to: &Address, from: &Address, ty: &str) -> String {
        let [to_space, from_space] = [to, from].map(|a| self.space(a.space).trim_end());
        let (to, from) = (&to.text, &from.text);
        format!("accrue_copy({to_space}, {to}, {from_space}, {from}, {ty});")
    }

    fn zero(&self, at: &Address, ty: &str) -> String {
        let space = self.space(at.space).trim_end();
        format!("accrue_zero({space}, {}, {ty});", at.text)
    }

    fn check_size(&self, record: &str, size: u64, _: u64) -> String {
        let name = record.replace(' ', "_");
        format!("typedef char accrue_size_of_{name}[sizeof({record}) == {size} ? 1 : -1];\n")
    }

    fn check_offset(&self, record: &str, member: &str, offset: u64) -> String {
        let name = record.replace(' ', "_");
        format!(
            "typedef char accrue_place_in_{name}_{member}[__builtin_offsetof({record}, {member}) == {offset} ? 1 : -1];\n"
        )
    }

    /// Functions of the language are overloaded: none may have the name of one.
    fn function_name(&self, plain: String) -> String {
        format!("f_{plain}")
    }

    fn variable(&self, printer: &mut FunctionPrinter<'_>, op: &Alloca) -> Result<Option<Expr>> {
        let ctx = printer.ctx;
        if op.count(ctx).is_some() {
            return Err(Diagnostic::error(
                "OpenCL C has no variable-length arrays; give it a constant length",
            ));
        }
        let storage = self.expanded.storage.get(&op.get_operation());
        let ty = printer.type_name(op.get_result(ctx).get_type(ctx))?;
        let start = match storage {
            None | Some(Storage::Register | Storage::Local) => return Ok(None),
            Some(Storage::Shared) => {
                let size = in_group(
                    extent(ctx, &self.expanded.records, op.var_type(ctx))
                        .ok_or_else(|| Diagnostic::error("a variable has a size"))?,
                );
                match self.group.allocas.get(&op.get_operation()) {
                    Some(offset) => format!("({GROUP} + {offset})"),
                    None => {
                        let name = op.variable(ctx).map(|v| v.name).unwrap_or_default();
                        let name = printer.names.fresh(&format!("accrue_local_{name}"));
                        self.local(&name, (size.size, size.align))?;
                        name
                    }
                }
            }
            Some(Storage::SharedWorker { .. }) => {
                return Err(Diagnostic::error("no memory of a worker is in the group's"));
            }
            Some(Storage::ScratchGang { offset }) => format!("(accrue_scratch_gang + {offset})"),
            Some(Storage::ScratchWorker { offset }) => {
                format!("(accrue_scratch_worker + {offset})")
            }
        };
        let address = Expr {
            prec: Prec::Unary,
            ..Expr::atom(format!("({ty}){start}"))
        };
        Ok(Some(address))
    }

    fn call(
        &self,
        printer: &mut FunctionPrinter<'_>,
        op: &Call,
        function: &Extern,
    ) -> Result<Printed> {
        if assertions::is_one(printer.ctx, op) {
            let number = self.assertions.get() + 1;
            self.assertions.set(number);
            let kernel = enclosing::<FuncOp>(printer.ctx, op.get_operation());
            let name = kernel.map(|it| it.get_symbol_name(printer.ctx).to_string());
            let waits = name.is_none_or(|name| self.waiting.contains(&name));
            return assertions::print(printer, op, number, self.cores || !waits);
        }
        if let Some(printed) = heap::print(printer, op)? {
            return Ok(printed);
        }
        library::call(printer, op, function)
    }

    fn outside(&self, _: &Context, name: &str, _: &Extern, _: bool) -> Outside {
        // Never called: `call` has all that devices have.
        Outside::Known(name.to_string())
    }

    fn hidden(&self, function: &str) -> &[Hidden] {
        let group = self.group.functions.contains(function);
        match (self.scratch.contains(function), group) {
            (true, true) => &HIDDEN,
            (true, false) => &HIDDEN[..1],
            (false, true) => &HIDDEN[1..],
            (false, false) => &[],
        }
    }

    fn first_iterations(
        &self,
        printer: &mut FunctionPrinter<'_>,
        op: &For,
        bounds: [&str; 2],
        counter: &str,
    ) -> Result<Option<String>> {
        vectors::first_iterations(self, printer, op, (bounds, counter))
    }

    fn prints(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<bool> {
        let wide = match &mut *self.wide.borrow_mut() {
            Some(plan) => wide::prints(plan, printer, op)?,
            None => false,
        };
        Ok(wide || nulls::prints(printer, op)? || vectors::prints(self, printer, op)?)
    }

    fn before_loop(&self, _: &mut FunctionPrinter<'_>, _: &For) -> Result<()> {
        Ok(())
    }

    fn atomic_load(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicLoad) -> Result<()> {
        atomic::load(printer, &self.expanded.records, op)
    }

    fn atomic_store(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicStore) -> Result<()> {
        atomic::store(printer, &self.expanded.records, op)
    }

    fn atomic_update(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicUpdate) -> Result<()> {
        atomic::update(printer, &self.expanded.records, op)
    }

    fn own(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<Printed> {
        let ctx = printer.ctx;
        Ok(match SimtOp::of(ctx, op) {
            Some(SimtOp::Query(query)) => match quantity(query.quantity(ctx)) {
                Some(call) => Printed::Expr(Expr::atom(format!("(int){call}"))),
                None => Printed::Unknown,
            },
            Some(SimtOp::Barrier(barrier)) => wait(printer, &barrier)?,
            Some(SimtOp::Fence(fence)) => order(printer, &fence)?,
            Some(SimtOp::Shared(shared)) => {
                let ty = printer.type_name(shared.get_result(ctx).get_type(ctx))?;
                let variable = shared.variable(ctx);
                let start = match self.group.variables.get(&variable.name) {
                    Some(offset) => format!("({GROUP} + {offset})"),
                    None => {
                        let name = accrue_abi::symbols::shown(&variable.name);
                        let name =
                            accrue_emit_c::names::identifier(&format!("accrue_local_{name}"));
                        self.local(&name, (variable.bytes, variable.align))?;
                        name
                    }
                };
                Printed::Expr(Expr::atom(format!("({ty}){start}")))
            }
            Some(SimtOp::Scratch(scratch)) => {
                let ty = printer.type_name(scratch.get_result(ctx).get_type(ctx))?;
                Printed::Expr(Expr::atom(format!("({ty})accrue_scratch")))
            }
            Some(SimtOp::Locked(locked)) => {
                self.locked(printer, &locked)?;
                Printed::Done
            }
            Some(SimtOp::Contribute(_)) => Printed::Done,
            Some(SimtOp::ModuleLock(_)) => {
                return Err(Diagnostic::error(
                    "OpenCL C 1.2 has no variables in the device's memory, and this needs a lock there",
                ));
            }
            Some(
                SimtOp::Shuffle(_)
                | SimtOp::Reduce(_)
                | SimtOp::Ballot(_)
                | SimtOp::Mask(_)
                | SimtOp::DynamicShared(_),
            )
            | None => Printed::Unknown,
        })
    }
}

impl OpenClC<'_> {
    /// Notes that the kernel has this array in the group's memory.
    fn local(&self, name: &str, (bytes, align): (u64, u64)) -> Result<()> {
        let mut locals = self.locals.borrow_mut();
        let locals = locals
            .as_mut()
            .ok_or_else(|| Diagnostic::error("only kernels have memory of the group"))?;
        let known = locals.entry(name.to_string()).or_insert((bytes, align));
        *known = (known.0.max(bytes), known.1.max(align));
        Ok(())
    }

    /// One work-item at a time. Where some of them run in lock-step, who has the lock goes on before the others ask again.
    fn locked(&self, printer: &mut FunctionPrinter<'_>, op: &Locked) -> Result<()> {
        let lock = op.get_operand_lock(printer.ctx);
        let ty = printer.type_name(lock.get_type(printer.ctx))?;
        let lock = printer.take_fixed(lock)?.at(Prec::Unary);
        let lock = format!("(volatile {ty}){lock}");
        printer.settle()?;
        let region = op.get_operation().deref(printer.ctx).get_region(0);
        let (inside, ()) = printer.apart(|p| {
            p.open_region(region)?;
            p.settle()
        })?;
        let name = printer.names.fresh("accrue_done");
        let lines = &mut printer.lines;
        lines.push(format!("for (int {name} = 0; !{name};) {{"));
        let mut body = lines.at_same_place();
        body.push(format!("if (atomic_cmpxchg({lock}, 0, 1) == 0) {{"));
        let mut held = body.at_same_place();
        held.push("accrue_fence();");
        held.append(inside);
        held.push("accrue_fence();");
        held.push(format!("atomic_xchg({lock}, 0);"));
        held.push(format!("{name} = 1;"));
        body.nest(held);
        body.push("}");
        lines.nest(body);
        lines.push("}");
        Ok(())
    }
}

fn float_constant(width: u32, name: &str) -> String {
    match width {
        64 => format!("(double){name}"),
        _ => name.to_string(),
    }
}

fn quantity(quantity: Quantity) -> Option<&'static str> {
    Some(match quantity {
        Quantity::Lane => "get_local_id(0)",
        Quantity::Worker => "get_local_id(1)",
        Quantity::Lanes => "get_local_size(0)",
        Quantity::Workers => "get_local_size(1)",
        Quantity::GroupX => "get_group_id(0)",
        Quantity::GroupY => "get_group_id(1)",
        Quantity::GroupZ => "get_group_id(2)",
        Quantity::GroupsX => "get_num_groups(0)",
        Quantity::GroupsY => "get_num_groups(1)",
        Quantity::GroupsZ => "get_num_groups(2)",
        Quantity::SubgroupLane | Quantity::LanesBefore | Quantity::LanesAfter => return None,
    })
}

fn wait(printer: &mut FunctionPrinter<'_>, barrier: &Barrier) -> Result<Printed> {
    match barrier.scope(printer.ctx) {
        Scope::Group => {
            let fences = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
            printer.statement(format!("barrier({fences});"))?;
            Ok(Printed::Done)
        }
        Scope::Subgroup => {
            printer.statement("accrue_apart();".to_string())?;
            Ok(Printed::Done)
        }
        Scope::Worker | Scope::Device | Scope::System => Err(Diagnostic::error(
            "only whole work-groups wait on OpenCL devices",
        )),
    }
}

fn order(printer: &mut FunctionPrinter<'_>, fence: &Fence) -> Result<Printed> {
    let text = match fence.scope(printer.ctx) {
        Scope::Subgroup | Scope::Worker | Scope::Group => {
            "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
        }
        Scope::Device | Scope::System => "accrue_fence();",
    };
    printer.statement(text.to_string())?;
    Ok(Printed::Done)
}
