//! Calls.
//!
//! Scalars are passed by value. A record argument is copied to a temporary whose address is passed;
//! a returned record is written through a first pointer argument. Functions without a body in the unit
//! take and give no records ([`super::quotients`]).

use super::functions::Module;
use super::library;
use super::omp::locks;
use super::overflow;
use super::state::{Result, Stop};
use super::symbols::symbol;
use crate::ast::constant;
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::types::{CType, TypeId};
use accrue_dialects::core::{self, CmpKind, Extern, ExternTraits};
use pliron::r#type::{TypeHandle, Typed};
use pliron::value::Value;

/// The function a call calls.
pub(super) struct Callee {
    declaration: NodeId,
    pub(super) name: String,
    pub(super) result: TypeId,
    pub(super) parameters: Vec<TypeId>,
    variadic: bool,
    /// Its body is in the unit, or is linked to it.
    is_here: bool,
    /// `bind` names it, and another unit has it.
    is_elsewhere: bool,
    /// It is `static`: no function of a library, whatever its name.
    is_of_unit: bool,
}

impl Module<'_> {
    /// A call with a scalar value or none.
    pub fn call(&mut self, expression: NodeId) -> Result<Option<Value>> {
        if let Some(value) = self.builtin(expression)? {
            return Ok(Some(value));
        }
        if self.on_device()
            && let Some(value) = self.atomic_function(expression)?
        {
            return Ok(value);
        }
        if self.is_pointer_call(expression) {
            return self.pointer_call(expression, None);
        }
        let callee = self.callee(expression)?;
        let result = match self.is_void(callee.result) {
            true => None,
            false => Some(self.ir_type(callee.result, expression)?),
        };
        self.emit_call(expression, callee, None, result)
    }

    /// A call that returns a record: the address of a temporary that holds it.
    pub fn record_call(&mut self, expression: NodeId) -> Result<Value> {
        if self.is_pointer_call(expression) {
            let record = self.ir_type_of(expression)?;
            let temporary = self.temporary(record);
            self.pointer_call(expression, Some(temporary))?;
            return Ok(temporary);
        }
        let callee = self.callee(expression)?;
        let record = self.ir_type(callee.result, expression)?;
        let temporary = self.temporary(record);
        match callee.is_here {
            true => {
                self.emit_call(expression, callee, Some(temporary), None)?;
            }
            false => self.quotient_and_rest(expression, &callee, temporary)?,
        }
        Ok(temporary)
    }

    /// Whether the callee is a routine of `omp.h`, in code for devices of a unit with regions of OpenMP.
    fn is_openmp_routine(&self, callee: &Callee) -> bool {
        let outside = !callee.is_here && !callee.is_of_unit;
        let mut directives = self.source.unit.directives.iter();
        outside
            && callee.name.starts_with("omp_")
            && self.on_device()
            && directives.any(|it| it.directive.omp().is_some())
    }

    fn emit_call(
        &mut self,
        expression: NodeId,
        mut callee: Callee,
        record: Option<Value>,
        result: Option<TypeHandle>,
    ) -> Result<Option<Value>> {
        let of_openmp = self.is_openmp_routine(&callee);
        if of_openmp && callee.name == "omp_get_default_device" {
            // Constructs in a region are for the device that executes it.
            callee.name = "omp_get_device_num".to_string();
        }
        if of_openmp && !library::is_openmp_on_devices(&callee.name) {
            return match locks::is_routine(&callee.name) {
                true => self.lock_routine(expression, &callee.name),
                false => self.openmp_routine(expression, &callee.name),
            };
        }
        let arguments = self.arguments(expression)?;
        let mut values: Vec<Value> = record.into_iter().collect();
        values.extend(self.converted(expression, &callee, &arguments)?);
        self.call_with(expression, &callee, values, result)
    }

    /// The values of a call's arguments, with their types; of a record the address of a copy.
    pub(super) fn arguments(&mut self, call: NodeId) -> Result<Vec<(Value, TypeId)>> {
        let ast = self.source.ast;
        let arguments: Vec<NodeId> = ast.children(call).skip(1).collect();
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let ty = self.type_of(argument)?;
            let value = match self.is_record(ty) {
                true => self.record_argument(argument)?,
                false => self.value(argument)?,
            };
            values.push((value, ty));
        }
        Ok(values)
    }

    /// The arguments of a call as the function takes them.
    pub(super) fn converted(
        &mut self,
        call: NodeId,
        callee: &Callee,
        arguments: &[(Value, TypeId)],
    ) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(arguments.len());
        for (index, (value, ty)) in arguments.iter().enumerate() {
            let at = self.child(call, index + 1)?;
            if self.is_record(*ty) && !callee.is_here {
                return Err(self.outside(at, &callee.name));
            }
            let mut value = *value;
            if let Some(parameter) = callee.parameters.get(index)
                && !self.is_record(*parameter)
            {
                let wanted = self.ir_type(*parameter, at)?;
                if value.get_type(self.ctx) != wanted {
                    value = self.convert(value, *ty, *parameter, at)?;
                }
            }
            values.push(value);
        }
        Ok(values)
    }

    /// A call of `callee` with these values, behind that of a record's place.
    pub(super) fn call_with(
        &mut self,
        expression: NodeId,
        callee: &Callee,
        values: Vec<Value>,
        result: Option<TypeHandle>,
    ) -> Result<Option<Value>> {
        if !callee.is_here
            && !callee.is_of_unit
            && let Some(value) = self.complex_parts(&callee.name, &values, expression)?
        {
            return Ok(Some(value));
        }
        let name = match callee.is_elsewhere {
            true => symbol(&callee.name, expression)?,
            false => self.symbol_of(callee.declaration, &callee.name, expression)?,
        };
        let (types, results) = self.function_type(callee.result, &callee.parameters, expression)?;
        let ty = self.function_handle(types, results).into();
        let declared = match callee.is_of_unit {
            true => Extern {
                ty,
                traits: ExternTraits {
                    variadic: callee.variadic,
                    ..ExternTraits::default()
                },
                known: None,
            },
            false => Extern {
                ty,
                traits: library::traits(&callee.name, callee.variadic),
                known: library::known(&callee.name),
            },
        };
        self.called.insert(name.to_string(), declared);
        let op = core::Call::new(self.ctx, name, values, result);
        if result.is_some() {
            return Ok(Some(self.emit_value(op)));
        }
        self.emit(op);
        Ok(None)
    }

    fn record_argument(&mut self, argument: NodeId) -> Result<Value> {
        let from = self.object(argument)?;
        let ty = self.ir_type_of(argument)?;
        let temporary = self.temporary(ty);
        let op = core::Copy::new(self.ctx, temporary, from);
        self.emit(op);
        Ok(temporary)
    }

    /// Whether only this unit knows the function. System headers have library functions that are `static inline`.
    fn is_of_unit(&self, function: NodeId) -> bool {
        let ast = self.source.ast;
        let node = ast.node(ast.canonical(function));
        let at = self.source.carriers.to_preprocessed(node.at as usize);
        node.has(Flags::STATIC) && !self.source.unit.lines.in_system_header(at)
    }

    fn callee(&mut self, expression: NodeId) -> Result<Callee> {
        let ast = self.source.ast;
        let callee = self.child(expression, 0)?;
        let callee = ast.strip_implicit(callee);
        let function = ast
            .referenced(callee)
            .filter(|f| ast.kind(*f) == Kind::FunctionDecl);
        match function {
            Some(function) => self.callee_of(function, expression),
            None => Err(self.unsupported(expression)),
        }
    }

    /// What a call of `function` calls.
    pub(super) fn callee_of(&mut self, function: NodeId, expression: NodeId) -> Result<Callee> {
        let ast = self.source.ast;
        if self.on_device()
            && let Some(name) = self.bound_elsewhere(function)
        {
            self.foreign.insert(name.clone(), function);
            let callee = self.callee_with(function, name, expression)?;
            return Ok(Callee {
                is_here: true,
                is_elsewhere: true,
                is_of_unit: false,
                ..callee
            });
        }
        let function = match self.on_device() {
            true => {
                let around = self.function.around.clone();
                self.variant_of(self.bound_function(function), &around, Some(expression))?
            }
            false => function,
        };
        let name = ast.name(function);
        if self.on_device() && library::is_jump(name) {
            return Err(
                Stop::at(expression, format!("`{name}` cannot run on a device"))
                    .help("use `if`, loops, `break` and `continue`"),
            );
        }
        let is_foreign = self.on_device() && self.is_foreign(function);
        self.ordered_call(expression, function)?;
        if self.on_device()
            && self.definition(function).is_none()
            && !is_foreign
            && !self.may_be_called(function)
        {
            return Err(self.no_body(function, expression));
        }
        if is_foreign {
            self.foreign.insert(name.to_owned(), function);
        }
        let callee =
            self.callee_with(function, library::library_name(name).to_owned(), expression)?;
        Ok(Callee {
            is_here: is_foreign || callee.is_here,
            ..callee
        })
    }

    /// A function by its declaration, to be called by a name.
    fn callee_with(
        &mut self,
        function: NodeId,
        name: String,
        expression: NodeId,
    ) -> Result<Callee> {
        // The definition knows the parameters also where the call saw `int f();`.
        let declaration = self.definition(function).unwrap_or(function);
        let ty = self.type_of(declaration)?;
        let CType::Function {
            result,
            parameters,
            variadic,
        } = self.types.get(ty).clone()
        else {
            return Err(self.unsupported(expression));
        };
        let mut parameters: Vec<TypeId> = parameters.iter().map(|parameter| parameter.ty).collect();
        // Of `int f(a) float a; {…}` they are what the names are declared as, to which the function converts what it gets (6.9.1).
        let names: Vec<NodeId> = self.source.ast.parameters(declaration).collect();
        if self.definition(function).is_some() && names.len() >= parameters.len() {
            let declared: Result<Vec<TypeId>> =
                names.into_iter().map(|name| self.type_of(name)).collect();
            parameters = declared?;
        }
        Ok(Callee {
            declaration: function,
            name,
            result: result.ty,
            parameters,
            variadic,
            is_here: self.definition(function).is_some(),
            is_elsewhere: false,
            is_of_unit: self.is_of_unit(function),
        })
    }

    /// The compiler's builtins that are no functions.
    fn builtin(&mut self, expression: NodeId) -> Result<Option<Value>> {
        let ast = self.source.ast;
        let callee = self.child(expression, 0)?;
        let Some(function) = ast.referenced(ast.strip_implicit(callee)) else {
            return Ok(None);
        };
        let name = ast.name(function);
        let Some(name) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        if let Some(operator) = overflow::operator(name) {
            return self.overflow(expression, operator).map(Some);
        }
        let value = match name {
            "expect" | "expect_with_probability" | "assume_aligned" => {
                let argument = self.child(expression, 1)?;
                let (from, to) = (self.type_of(argument)?, self.type_of(expression)?);
                let value = self.value(argument)?;
                self.convert(value, from, to, expression)?
            }
            "constant_p" => {
                let argument = self.child(expression, 1)?;
                let known = constant::integer(&mut self.types, argument).is_some();
                self.constant(32, i128::from(known))
            }
            "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => {
                self.float_constant(expression, "inf")?
            }
            "nan" | "nanf" | "nanl" => self.float_constant(expression, "nan")?,
            "isnan" | "isnanf" | "isnanl" => {
                let argument = self.child(expression, 1)?;
                let value = self.value(argument)?;
                let is_nan = self.compare(CmpKind::FNe, value, value);
                let ty = self.ir_type_of(expression)?;
                self.cast(core::CastKind::ZExt, is_nan, ty)
            }
            "isunordered" => {
                let (left, right) = (self.child(expression, 1)?, self.child(expression, 2)?);
                let (left, right) = (self.value(left)?, self.value(right)?);
                let left = self.compare(CmpKind::FNe, left, left);
                let right = self.compare(CmpKind::FNe, right, right);
                let either = self.binary(core::BinKind::Or, left, right);
                let ty = self.ir_type_of(expression)?;
                self.cast(core::CastKind::ZExt, either, ty)
            }
            // What `CMPLX` is.
            "complex" => {
                let (real, imaginary) = (self.child(expression, 1)?, self.child(expression, 2)?);
                let (real, imaginary) = (self.value(real)?, self.value(imaginary)?);
                let ty = self.ir_type_of(expression)?;
                let op = core::ComplexMake::new(self.ctx, ty, real, imaginary);
                self.emit_value(op)
            }
            "goacc_parlevel_id" | "goacc_parlevel_size" if self.on_device() => {
                self.check_level_query(expression)?;
                return Ok(None);
            }
            "va_start" | "va_end" | "va_copy" if self.on_device() => {
                return Err(Stop::at(
                    expression,
                    "variable arguments are not supported on a device",
                )
                .help("pass the arguments one by one, or in an array"));
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// GCC's `__builtin_goacc_parlevel_id` and `_size`: the level is a constant. Who calls a function, its code does not tell.
    fn check_level_query(&mut self, expression: NodeId) -> Result<()> {
        let level = self.child(expression, 1)?;
        match constant::integer(&mut self.types, level) {
            Some(0) => Ok(()),
            Some(1 | 2) if self.function.construct > 0 => Ok(()),
            Some(1 | 2) => Err(Stop::at(
                expression,
                "the position in workers and vector lanes is not known in a function that a region calls",
            )
            .help("pass it as an argument")),
            Some(_) | None => Err(Stop::at(level, "a level is the constant 0 (gang), 1 (worker) or 2 (vector)")),
        }
    }

    fn float_constant(&mut self, expression: NodeId, text: &str) -> Result<Value> {
        let ty = self.ir_type_of(expression)?;
        let op = core::FConst::new(self.ctx, ty, text);
        Ok(self.emit_value(op))
    }
}
