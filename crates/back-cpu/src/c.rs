//! The C of the user's compiler (gcc or clang, GNU C), and what kernels for CPU cores have beside `core`.

use crate::kernel::RUNTIME_NAMES;
use crate::{
    atomic,
    diagnostic::Result,
    dialect::CpuOp,
    simd::{Hints, LoopHint},
};
use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{
    AddressSpace, AtomicLoad, AtomicStore, AtomicUpdate, Extern, For, Known,
};
use accrue_emit_c::{
    Dialect, FunctionPrinter,
    dialect::{Address, Hidden, Outside, Printed, Scalar},
    expr::{Expr, Prec},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
};
use std::collections::HashSet;

/// GNU C for a unit.
pub struct GnuC<'a> {
    pub hints: &'a Hints,
    /// Functions that get the position and number of gangs from their callers.
    pub gang_functions: &'a HashSet<String>,
}

/// What a function that shares its loops among gangs gets.
const GANGS: [Hidden; 3] = [
    Hidden {
        declaration: "const struct accrue_cpu_launch *const launch",
        name: "launch",
    },
    Hidden {
        declaration: "const long gang",
        name: "gang",
    },
    Hidden {
        declaration: "const long gangs",
        name: "gangs",
    },
];

/// Library functions that are called as the C compiler's own, for its optimiser.
const MEMORY: &[&str] = &["memcpy", "memmove", "memset", "memcmp"];

impl Dialect for GnuC<'_> {
    fn devices(&self) -> &'static str {
        "the CPU device"
    }

    fn scalar(&self, scalar: Scalar) -> Option<&'static str> {
        Some(match scalar {
            Scalar::Signed(1) | Scalar::Unsigned(1) => "_Bool",
            Scalar::Signed(8) => "signed char",
            Scalar::Signed(16) => "short",
            Scalar::Signed(32) => "int",
            Scalar::Signed(64) => "long",
            Scalar::Signed(128) => "__int128",
            Scalar::Unsigned(8) => "unsigned char",
            Scalar::Unsigned(16) => "unsigned short",
            Scalar::Unsigned(32) => "unsigned",
            Scalar::Unsigned(64) => "unsigned long",
            Scalar::Unsigned(128) => "unsigned __int128",
            Scalar::Float(16) => "_Float16",
            Scalar::Float(32) => "float",
            Scalar::Float(64) => "double",
            Scalar::Float(80) => "long double",
            Scalar::Float(128) => "__float128",
            Scalar::Complex(32) => "float _Complex",
            Scalar::Complex(64) => "double _Complex",
            Scalar::Complex(80) => "long double _Complex",
            Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Float(_) | Scalar::Complex(_) => {
                return None;
            }
        })
    }

    fn space(&self, _: AddressSpace) -> &'static str {
        ""
    }

    fn reserved(&self) -> &'static [&'static str] {
        // What gcc and clang predefine as macros without underscores.
        &["linux", "unix", "i386"]
    }

    fn variables(&self) -> &'static [&'static str] {
        &RUNTIME_NAMES
    }

    fn infinity(&self, width: u32) -> String {
        let (cast, suffix) = builtin(width);
        format!("{cast}__builtin_inf{suffix}()")
    }

    fn not_a_number(&self, width: u32) -> String {
        let (cast, suffix) = builtin(width);
        format!("{cast}__builtin_nan{suffix}(\"\")")
    }

    fn complex(&self, real: &str, imaginary: &str) -> String {
        format!("__builtin_complex({real}, {imaginary})")
    }

    fn copy(&self, to: &Address, from: &Address, ty: &str) -> String {
        let (to, from) = (&to.text, &from.text);
        format!("__builtin_memmove({to}, {from}, sizeof({ty}));")
    }

    fn zero(&self, at: &Address, ty: &str) -> String {
        format!("__builtin_memset({}, 0, sizeof({ty}));", at.text)
    }

    fn check_size(&self, record: &str, size: u64, align: u64) -> String {
        format!(
            "_Static_assert(sizeof({record}) == {size}, \"size of {record}\");\n\
             _Static_assert(_Alignof({record}) == {align}, \"alignment of {record}\");\n"
        )
    }

    fn check_offset(&self, record: &str, member: &str, offset: u64) -> String {
        format!(
            "_Static_assert(__builtin_offsetof({record}, {member}) == {offset}, \"offset of {member} in {record}\");\n"
        )
    }

    fn outside(&self, ctx: &Context, name: &str, function: &Extern, by_address: bool) -> Outside {
        if name.starts_with("__builtin_") || function.known == Some(Known::Fence) {
            Outside::Known(name.to_string())
        } else if MEMORY.contains(&name) {
            Outside::Known(format!("__builtin_{name}"))
        } else if !function.traits.pure || by_address {
            Outside::Alias {
                name: format!("accrue_extern_{name}"),
                label: format!(" __asm__(\"{name}\")"),
            }
        } else {
            let width = function.float_width(ctx);
            let known = function.known.zip(width);
            let name = known.map(|(known, width)| known.library_name(width));
            Outside::Declared { name }
        }
    }

    fn hidden(&self, function: &str) -> &[Hidden] {
        match self.gang_functions.contains(function) {
            true => &GANGS,
            false => &[],
        }
    }

    fn before_loop(&self, printer: &mut FunctionPrinter<'_>, op: &For) -> Result<()> {
        match self.hints.get(&op.get_operation()) {
            None => {}
            Some(LoopHint::Independent) => {
                // Each compiler ignores the other's.
                let lines = &mut printer.lines;
                lines.push("#pragma clang loop vectorize(assume_safety)");
                lines.push("#pragma GCC ivdep");
            }
            // GCC refuses a condition of a SIMD loop that is never true.
            Some(LoopHint::Simd(_)) if below_zero(printer.ctx, op) => {}
            Some(LoopHint::Simd(reductions)) => {
                let mut text = String::from("#pragma omp simd");
                for (operator, variable) in reductions {
                    let name = printer.take(*variable)?.text;
                    text.push_str(&format!(" reduction({operator}:{name})"));
                }
                printer.lines.push(text);
            }
        }
        Ok(())
    }

    fn atomic_load(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicLoad) -> Result<()> {
        atomic::load(printer, op)
    }

    fn atomic_store(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicStore) -> Result<()> {
        atomic::store(printer, op)
    }

    fn atomic_update(&self, printer: &mut FunctionPrinter<'_>, op: &AtomicUpdate) -> Result<()> {
        atomic::update(printer, op)
    }

    /// Positions and slots of gangs.
    fn own(&self, printer: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<Printed> {
        let ctx = printer.ctx;
        let Some(of_cpu) = CpuOp::of(ctx, op) else {
            return Ok(Printed::Unknown);
        };
        Ok(Printed::Expr(match of_cpu {
            CpuOp::Gang(_) => Expr::atom("gang"),
            CpuOp::Gangs(_) => Expr::atom("gangs"),
            CpuOp::GangsIn(gangs) => {
                let text = format!("(long)launch->gangs[{}]", gangs.dim(ctx).index());
                Expr::of(text, Prec::Unary, &[])
            }
            CpuOp::Slot(slot) => {
                let ty = printer.type_name(slot.get_result(ctx).get_type(ctx))?;
                let gang = printer.take(slot.get_operand_gang(ctx))?;
                let offset = format!("{} * launch->slot_stride", gang.at(Prec::Unary));
                let text = format!("({ty})(launch->slots + {offset})");
                Expr::of(text, Prec::Unary, &[&gang])
            }
        }))
    }
}

/// What stands before and in the name of a builtin function for constants of a width.
fn builtin(width: u32) -> (&'static str, &'static str) {
    match width {
        16 => ("(_Float16)", "f"),
        32 => ("", "f"),
        80 => ("", "l"),
        128 => ("(__float128)", ""),
        _ => ("", ""),
    }
}

/// Whether the loop is one of `unsigned i` with `i < 0`.
fn below_zero(ctx: &Context, op: &For) -> bool {
    op.info(ctx).unsigned && constant(ctx, op.get_operand_upper(ctx)) == Some(0)
}
