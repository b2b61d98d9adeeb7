//! Functions and calls.
//!
//! A function of the unit is a `.func`; its prototype comes before all code, so that the order does not matter and functions
//! may call themselves. Scalars are passed as [`Param`] says:
//! ```text
//! .func (.param .b64 result) user_f(.param .b64 p0, .param .b32 p1)
//! {
//!     .param .b64 a0;  st.param.f64 [a0], %fd1;
//!     .param .b32 a1;  st.param.b32 [a1], %r1;
//!     .param .b64 r;   call (r), user_f, (a0, a1);   ld.param.f64 %fd2, [r];
//! }
//! ```
//! Functions from outside are instructions ([`super::intrinsics`], [`super::builtins`]) or in the device library, which has
//! approximations (`fast_sinf`) for [`Options::fast_math`](crate::Options). Short ones are inlined ([`super::inlined`]).

use super::{
    Function, Unit,
    function::{Exit, Selector},
    operand::Part,
    types::{Class, Param, signature},
};
use crate::diagnostic::{Diagnostic, Result, or_at};
use accrue_abi::symbols::shown;
use accrue_dialects::core::{AddressSpace, Call, Known};
use accrue_ir::walk::{operands_of, results_of};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    op::Op,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Before the names of the device library, and of functions written for it.
const LIBRARY_PREFIX: &str = "__accrue_";

/// What PTX calls a function of the unit. User functions may have names that PTX has for its instructions. The text is a module of
/// its own, so that what only the unit has needs no number there.
pub(super) fn function_name(symbol: &str) -> String {
    let name = shown(symbol);
    match name.starts_with(LIBRARY_PREFIX) {
        true => name,
        false => format!("user_{name}"),
    }
}

impl Unit<'_> {
    /// `.func` with result and parameters, as prototypes and definitions have it.
    pub(super) fn function_head(&self, function: FuncOp) -> Result<String> {
        let name = function.get_symbol_name(self.ctx).to_string();
        let missing = || Diagnostic::error(format!("`{name}` has no function type"));
        let (arguments, results) =
            signature(self.ctx, function.get_type(self.ctx)).ok_or_else(missing)?;
        let mut params = vec![];
        for (index, ty) in arguments.iter().enumerate() {
            params.push(Param::new(self.ctx, *ty)?.declare(&format!("p{index}")));
        }
        let result = match results.as_slice() {
            [] => String::new(),
            [one, ..] => format!("({}) ", Param::new(self.ctx, *one)?.declare("result")),
        };
        Ok(format!(
            ".func {result}{}({})",
            function_name(&name),
            params.join(", ")
        ))
    }

    /// Where the pointer arguments of a function point.
    fn argument_spaces(&self, name: &str) -> Vec<AddressSpace> {
        let named = |f: &&FuncOp| f.get_symbol_name(self.ctx).as_ref() == name;
        let spaces = self.spaces_of(name);
        match self.expanded.functions.iter().find(named) {
            Some(function) => {
                let entry = function.get_entry_block(self.ctx);
                let block = entry.deref(self.ctx);
                block.arguments().map(|a| spaces.of(a)).collect()
            }
            None => vec![],
        }
    }

    /// The definition of a function that kernels call.
    pub(super) fn function(&self, function: FuncOp) -> Result<Function> {
        let op = function.get_operation();
        let head = self
            .function_head(function)
            .map_err(|d| or_at(d, self.ctx, op))?;
        let ir_name = function.get_symbol_name(self.ctx).to_string();
        let name = function_name(&ir_name);
        let spaces = self.spaces_of(&ir_name);
        let result = signature(self.ctx, function.get_type(self.ctx))
            .and_then(|(_, results)| results.first().copied());
        let mut printer = Selector::new(self, &name, spaces, Exit::Function { result }, None);
        let entry = function.get_entry_block(self.ctx);
        let arguments: Vec<Value> = entry.deref(self.ctx).arguments().collect();
        for (index, argument) in arguments.into_iter().enumerate() {
            if argument.num_uses(self.ctx) == 0 {
                continue;
            }
            let ty = argument.get_type(self.ctx);
            let parts = printer.load_param(ty, &format!("p{index}"))?;
            let space = printer.spaces.of(argument);
            printer.bind_scalar(argument, parts, space);
        }
        let reached = printer
            .body(op.deref(self.ctx).get_region(0))
            .map_err(|d| or_at(d, self.ctx, op))?;
        if reached {
            printer.code.emit("ret", &[]);
        }
        Ok(printer.finish(&head))
    }
}

impl Selector<'_> {
    /// The registers of a scalar in a parameter.
    fn load_param(&mut self, ty: TypeHandle, name: &str) -> Result<Vec<Part>> {
        let param = Param::new(self.ctx, ty)?;
        let classes = super::types::classes(self.ctx, ty)?;
        let mut parts = vec![];
        for (class, (access, offset)) in classes.into_iter().zip(&param.slots) {
            let at = place(name, *offset);
            let opcode = format!("ld.param.{access}");
            let register = match class {
                Class::Pred => {
                    let number = self.compute(Class::B32, &opcode, &[&at]);
                    self.compute(Class::Pred, "setp.ne.s32", &[&number, "0"])
                }
                _ => self.compute(class, &opcode, &[&at]),
            };
            parts.push(Part::new(class, register));
        }
        Ok(parts)
    }

    /// Puts the registers of a scalar into a parameter.
    pub(super) fn store_param(&mut self, param: &Param, name: &str, parts: &[Part]) {
        for (part, (access, offset)) in parts.iter().zip(&param.slots) {
            let text = match part.class {
                Class::Pred => self.predicate_as_integer(part),
                _ => part.text.clone(),
            };
            let at = place(name, *offset);
            self.code.emit(&format!("st.param.{access}"), &[&at, &text]);
        }
    }

    pub(super) fn call(&mut self, op: &Call) -> Result<()> {
        let name = op.callee(self.ctx);
        let arguments = operands_of(self.ctx, op.get_operation());
        let result = results_of(self.ctx, op.get_operation()).first().copied();
        if self.unit.functions.contains(&name) {
            self.needs.functions.insert(name.clone());
            let spaces = self.unit.argument_spaces(&name);
            return self.call_by_name(&function_name(&name), &arguments, &spaces, result);
        }
        let declared = self.unit.expanded.externs.get(&name);
        let known = declared.and_then(|function| function.known);
        let width = declared.and_then(|function| function.float_width(self.ctx));
        if let Some(known) = known
            && (self.builtin(known, &arguments, result)?
                || self.intrinsic(known, &arguments, result)?)
        {
            return Ok(());
        }
        // What nobody knows the library has by its symbol, if at all; compilers have another symbol for the same.
        let own_name = match known {
            Some(known) => known.library_name(width.unwrap_or(64)),
            None => name.strip_prefix("__builtin_").unwrap_or(&name).to_string(),
        };
        if self.instruction(&own_name, &arguments, result)? {
            return Ok(());
        }
        if known == Some(Known::Print) {
            return self.printf(&arguments, result);
        }
        if declared.is_some_and(|function| function.traits.variadic) {
            return Err(Diagnostic::error(format!(
                "`{name}` takes a variable number of arguments, which only `printf` can on a GPU"
            )));
        }
        let fast = format!("fast_{own_name}");
        let own_name = match self.unit.options.fast_math && accrue_devlib::has(&fast) {
            true => fast,
            false => own_name,
        };
        if self.inlined(&own_name, &arguments, result)? {
            return Ok(());
        }
        match accrue_devlib::ptx_name(&own_name) {
            Some(ptx_name) => {
                self.needs.library.insert(own_name);
                self.call_by_name(ptx_name, &arguments, &[], result)
            }
            None if matches!(own_name.as_str(), "alloca" | "alloca_with_align") => {
                Err(Diagnostic::error(
                    "a GPU has no memory for `alloca`; use an array of constant length",
                ))
            }
            None => Err(Diagnostic::error(format!(
                "`{name}` has no definition that a GPU can run; define it in this unit"
            ))),
        }
    }

    /// Which known function `call` calls.
    pub(super) fn known(&self, call: &Call) -> Option<Known> {
        self.unit.expanded.externs.known(&call.callee(self.ctx))
    }

    /// Pointers are passed in these spaces, those without one as generic ones.
    fn call_by_name(
        &mut self,
        name: &str,
        arguments: &[Value],
        spaces: &[AddressSpace],
        result: Option<Value>,
    ) -> Result<()> {
        let mut passed = vec![];
        for (index, argument) in arguments.iter().enumerate() {
            let param = Param::new(self.ctx, argument.get_type(self.ctx))?;
            let space = spaces.get(index).copied();
            let space = space.unwrap_or(AddressSpace::Generic);
            passed.push((param, self.parts_in(*argument, space)?));
        }
        self.code.brace("{");
        let mut names = vec![];
        for (index, (param, parts)) in passed.iter().enumerate() {
            let name = format!("a{index}");
            self.code.directive(param.declare(&name));
            self.store_param(param, &name, parts);
            names.push(name);
        }
        let list = names.join(", ");
        let Some(result) = result else {
            self.code.emit("call", &[name, &format!("({list})")]);
            self.code.brace("}");
            return Ok(());
        };
        let ty = result.get_type(self.ctx);
        self.code.directive(Param::new(self.ctx, ty)?.declare("r"));
        self.code.emit("call", &["(r)", name, &format!("({list})")]);
        let parts = self.load_param(ty, "r")?;
        self.code.brace("}");
        self.bind_scalar(result, parts, AddressSpace::Generic);
        Ok(())
    }

    /// `printf(format, …)` is the driver's `vprintf(format, buffer)`; in the buffer lie the arguments, each at a multiple of
    /// its size (CUDA C++ Programming Guide, "Formatted Output").
    fn printf(&mut self, arguments: &[Value], result: Option<Value>) -> Result<()> {
        let Some((format, arguments)) = arguments.split_first() else {
            return Err(Diagnostic::error("`printf` needs a format"));
        };
        let Some(vprintf) = accrue_devlib::ptx_name("vprintf") else {
            return Err(Diagnostic::error("`printf` is not in the device library"));
        };
        self.needs.library.insert("vprintf".to_string());
        let mut stores = vec![];
        let mut bytes = 0u64;
        for argument in arguments {
            for part in self.generic_parts(*argument)? {
                let (text, size) = match part.class {
                    Class::Pred => (self.predicate_as_integer(&part), 4),
                    Class::B32 => (part.text, 4),
                    Class::B64 => (part.text, 8),
                    Class::F64 => (part.text, 8),
                    Class::F32 | Class::B16 => {
                        return Err(Diagnostic::error(
                            "`printf` gets floating point numbers as `double`",
                        ));
                    }
                };
                bytes = bytes.next_multiple_of(size);
                let ty = match part.class {
                    Class::F64 => "f64",
                    _ if size == 8 => "b64",
                    _ => "b32",
                };
                stores.push((ty, bytes, text));
                bytes += size;
            }
        }
        let buffer = self.symbol("_arguments");
        self.locals.push(format!(
            ".local .align 8 .b8 {buffer}[{}];",
            bytes.next_multiple_of(8).max(8)
        ));
        for (ty, offset, text) in stores {
            let at = place(&buffer, offset);
            self.code.emit(&format!("st.local.{ty}"), &[&at, &text]);
        }
        let format = self.generic_parts(*format)?;
        let format = format.first().map_or("0", |p| &p.text).to_string();
        let start = self.mov(Class::B64, &buffer);
        let start = self.compute(Class::B64, "cvta.local.u64", &[&start]);
        self.code.brace("{");
        self.code.directive(".param .b64 a0");
        self.code.emit("st.param.b64", &["[a0]", &format]);
        self.code.directive(".param .b64 a1");
        self.code.emit("st.param.b64", &["[a1]", &start]);
        self.code.directive(".param .b32 r");
        self.code.emit("call", &["(r)", vprintf, "(a0, a1)"]);
        let count = self.compute(Class::B32, "ld.param.b32", &["[r]"]);
        self.code.brace("}");
        if let Some(result) = result {
            self.define(result, Class::B32, [count]);
        }
        Ok(())
    }
}

/// `[name]` or `[name+offset]`.
fn place(name: &str, offset: u64) -> String {
    match offset {
        0 => format!("[{name}]"),
        _ => format!("[{name}+{offset}]"),
    }
}
