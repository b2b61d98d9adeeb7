//! Calls through pointers to functions, in code for devices.
//!
//! Problem: what a pointer holds is an address of the host's, which no device can follow, and its value is known at run time only.
//!
//! Steps:
//! 1. The functions that a pointer may hold are those of [`pointer_targets`](super::pointer_targets). For them clang reads all of the file ([`Extent::Whole`](crate::text::carriers::Extent)).
//! 2. The host's text gets a constant with the address of each ([`FunctionAddress`]), which is an argument of the kernel like any
//!    variable outside of functions.
//! 3. A call compares the pointer with one after the other, and calls the function that it equals.
//! 4. What is behind them all is a failing assertion with the call's place.
//!
//! ```text
//! int (*f)(int) = …;                   %f = core.load …
//! y = f(x);                       →    core.if (%f == load address_of @__accrue_function_one) { core.call @one(%x) }
//!                                      else { core.if (… @__accrue_function_two) { core.call @two(%x) }
//!                                      else { core.call @__assert_fail(…) } }
//! ```
//! Cost: a comparison for each function that fits. A function that only pointers lead to, that no `routine` directive names and that
//! cannot run on a device has an assertion in place of its body.

use super::call::Callee;
use super::functions::Module;
use super::library;
use super::reach::Contents;
use super::state::{Result, Stop};
use super::symbols::symbol;
use super::{FunctionAddress, Wanted};
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use accrue_dialects::core::{self, CmpKind, Extern, ExternTraits};
use pliron::r#type::TypeHandle;
use pliron::value::Value;

/// The most functions that one call may choose from: each is a block inside another one.
const MOST_TARGETS: usize = 200;

/// What a failing `assert` calls.
const ASSERTION: &str = "__assert_fail";

/// A call through a pointer.
pub(super) struct PointerCall {
    /// The pointer's value.
    pointer: Value,
    /// What it may be, with the function to call then.
    targets: Vec<(NodeId, Callee)>,
}

/// What a call computes.
#[derive(Clone, Copy)]
struct Outcome {
    /// Where a record goes.
    record: Option<Value>,
    /// The type of a scalar.
    scalar: Option<TypeHandle>,
}

impl Module<'_> {
    /// Whether a call names no function.
    pub(super) fn is_pointer_call(&self, call: NodeId) -> bool {
        let ast = self.source.ast;
        let callee = ast.child(call, 0).map(|callee| ast.strip_implicit(callee));
        let named = callee.and_then(|callee| ast.referenced(callee));
        named.is_none_or(|function| ast.kind(function) != Kind::FunctionDecl)
    }

    /// A call through a pointer: its scalar value, if it has one. `record` is where a record goes.
    pub(super) fn pointer_call(
        &mut self,
        call: NodeId,
        record: Option<Value>,
    ) -> Result<Option<Value>> {
        if !self.on_device() {
            return Err(Stop::at(call, "a call through a pointer is not followed"));
        }
        self.may_use_addresses(call)?;
        let callee = self.child(call, 0)?;
        let pointer = self.value(callee)?;
        let mut targets = Vec::new();
        for target in self.targets_of(call) {
            targets.push((target, self.callee_of(target, call)?));
        }
        if targets.is_empty() {
            return Err(Stop::at(
                call,
                "no function of this file fits this call through a pointer",
            )
            .help("take the address of a function in this file that has this type, or call the function directly")
            .section("2.15.1"));
        }
        if targets.len() > MOST_TARGETS {
            let count = targets.len();
            let text =
                format!("{count} functions fit this call through a pointer, which are too many");
            return Err(Stop::at(call, text)
                .help("choose with `switch`, or give the functions other types"));
        }
        let result = self.type_of(call)?;
        let scalar = match self.is_void(result) || self.is_record(result) {
            true => None,
            false => Some(self.ir_type(result, call)?),
        };
        let arguments = self.arguments(call)?;
        let choice = PointerCall { pointer, targets };
        self.choose_target(call, &choice, 0, &arguments, Outcome { record, scalar })
    }

    /// Calls what the pointer is, of the targets from number `from` on.
    fn choose_target(
        &mut self,
        call: NodeId,
        choice: &PointerCall,
        from: usize,
        arguments: &[(Value, TypeId)],
        outcome: Outcome,
    ) -> Result<Option<Value>> {
        let Some((function, callee)) = choice.targets.get(from) else {
            let text = "a pointer leads to a function whose address this file takes";
            self.failing_assertion(call, text)?;
            return match outcome.scalar {
                Some(_) => {
                    let ty = self.type_of(call)?;
                    self.zero_of(ty, call).map(Some)
                }
                None => Ok(None),
            };
        };
        let address = self.host_address(*function, call)?;
        let equal = self.compare(CmpKind::Eq, choice.pointer, address);
        let results: Vec<TypeHandle> = outcome.scalar.into_iter().collect();
        let (op, yes, no) = core::If::new(self.ctx, equal, results);
        let result = match outcome.scalar {
            Some(_) => Some(self.emit_value(op)),
            None => {
                self.emit(op);
                None
            }
        };
        self.in_block(yes, |this| {
            let mut values: Vec<Value> = outcome.record.into_iter().collect();
            values.extend(this.converted(call, callee, arguments)?);
            let of_target = match outcome.scalar {
                Some(_) => Some(this.ir_type(callee.result, call)?),
                None => None,
            };
            let value = this.call_with(call, callee, values, of_target)?;
            let value = match value {
                Some(value) => {
                    let ty = this.type_of(call)?;
                    Some(this.convert(value, callee.result, ty, call)?)
                }
                None => None,
            };
            this.yield_values(value.into_iter().collect());
            Ok(())
        })?;
        self.in_block(no, |this| {
            let value = this.choose_target(call, choice, from + 1, arguments, outcome)?;
            this.yield_values(value.into_iter().collect());
            Ok(())
        })?;
        Ok(result)
    }

    /// The address of a function on the host, in code for devices: a kernel has it as an argument.
    pub(super) fn host_address(&mut self, function: NodeId, at: NodeId) -> Result<Value> {
        self.may_use_addresses(at)?;
        let ast = self.source.ast;
        let name = ast.name(function).to_owned();
        let unit = self.source.unit_number.unwrap_or_default();
        let variable = format!(
            "__accrue_function_{unit}_{}",
            self.function_number(function)
        );
        let int = core::int(self.ctx, 64);
        let shape = core::Shape {
            dims: Vec::new(),
            elem: int,
        };
        let user = core::Variable {
            name: variable.clone(),
            shape,
        };
        let pointer = core::pointer(self.ctx, int);
        let symbol = symbol(&variable, at)?;
        let op = core::AddressOf::new(self.ctx, symbol, pointer, Some(user));
        op.set_constant(self.ctx);
        let address = self.emit_value(op);
        self.addresses.insert(FunctionAddress { variable, name });
        Ok(self.load(address, false))
    }

    /// A number of a function that no other one of the unit has: that of its first declaration among the unit's.
    fn function_number(&self, function: NodeId) -> usize {
        let ast = self.source.ast;
        let first = ast.canonical(function);
        let mut declarations = ast.children(ast.root());
        declarations
            .position(|declaration| ast.canonical(declaration) == first)
            .unwrap_or_default()
    }

    /// Values of functions are known where the unit's own kernels are made, and all of it has been read.
    fn may_use_addresses(&self, at: NodeId) -> Result<()> {
        if matches!(self.source.wanted, Wanted::Routines(_)) {
            return Err(Stop::at(
                at,
                "a routine that other files call cannot call through pointers, or use the address of a function",
            )
            .help(
                "define the routine in the file whose regions call it, or `static` in a header",
            ));
        }
        if self.source.carriers.is_whole() {
            return Ok(());
        }
        self.source.carriers.want_whole();
        Err(Stop::at(
            at,
            "which functions pointers lead to is known when all of the file has been read",
        ))
    }

    /// Ends the program as a failing `assert` does, at a place of the source.
    pub(super) fn failing_assertion(&mut self, at: NodeId, text: &str) -> Result<()> {
        let position = self.place_of(at).position;
        let char_ = core::int(self.ctx, 8);
        let string = |this: &mut Self, text: &str| {
            let op = core::StringConst::new(this.ctx, text.as_bytes());
            let value = this.emit_value(op);
            this.as_pointer_to(value, char_)
        };
        let message = string(self, text);
        let file = string(self, &position.file);
        let line = self.constant(32, position.line as i128);
        let body = self.function.body;
        let around = self.function_of_body(body);
        let function = string(self, &around);
        let pointer = core::pointer(self.ctx, char_);
        let types = vec![pointer, pointer, core::int(self.ctx, 32), pointer];
        let declared = Extern {
            ty: self.function_handle(types, vec![]).into(),
            traits: ExternTraits::default(),
            known: library::known(ASSERTION),
        };
        self.called.insert(ASSERTION.to_owned(), declared);
        let name = symbol(ASSERTION, at)?;
        let op = core::Call::new(self.ctx, name, vec![message, file, line, function], None);
        self.emit(op);
        Ok(())
    }

    /// The name of the function with a body.
    fn function_of_body(&self, body: NodeId) -> String {
        let ast = self.source.ast;
        let mut all = ast.children(ast.root());
        let around = all.find(|declaration| ast.body(*declaration) == Some(body));
        around.map_or_else(String::new, |function| ast.name(function).to_owned())
    }
}

impl Contents {
    /// Notes what a call through a pointer may call.
    pub(super) fn add_targets(&mut self, definitions: Vec<NodeId>, in_region: bool) {
        if in_region {
            self.region_pointer_calls.extend(&definitions);
        }
        self.pointer_calls.extend(definitions);
    }
}
