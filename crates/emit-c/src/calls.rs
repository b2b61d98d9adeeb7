//! Functions: prototypes, definitions, calls.
//!
//! Functions of the unit are `static`. A mathematical function from outside is declared by its own name, so that the C
//! compiler knows it. Any other outside function gets a local name bound to its symbol: its C prototype may differ from
//! what the IR's types print as (`char *` is `signed char *` here), and the C compiler would object to that for the
//! functions it knows.

use super::{
    Program, Unit,
    dialect::{Dialect, Outside, Printed},
    expr::{Expr, Prec},
    function::FunctionPrinter,
    lines::marker,
    types::signature,
};
use crate::diagnostic::{Diagnostic, Result, error_at};
use accrue_abi::symbols::shown;
use accrue_dialects::core::{
    AddressOf, Call, CastKind, ExternTraits, StringConst, fold::uncast, int_width, pointee_of,
};
use accrue_ir::walk::{nested, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SymbolOpInterface},
        ops::FuncOp,
    },
    context::Context,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

/// A function that can be called.
pub(super) struct Callee {
    c_name: String,
    args: Vec<TypeHandle>,
    results: Vec<TypeHandle>,
    origin: Origin,
}

/// Where a function comes from.
enum Origin {
    /// Defined in the unit.
    Unit,
    /// The compiler's own.
    Builtin,
    /// The label stands behind its declaration.
    Outside { traits: ExternTraits, label: String },
}

/// All functions that a call may name.
pub(super) fn callees(
    ctx: &Context,
    dialect: &dyn Dialect,
    program: &Program,
) -> HashMap<String, Callee> {
    let mut all = HashMap::new();
    for (name, function) in program.externs.iter() {
        let Some((args, results)) = signature(ctx, function.ty) else {
            continue;
        };
        let by_address = args.iter().any(|t| pointee_of(ctx, *t).is_some());
        let outside = |label| Origin::Outside {
            traits: function.traits,
            label,
        };
        let (c_name, origin) = match dialect.outside(ctx, name, function, by_address) {
            Outside::Known(name) => (name, Origin::Builtin),
            Outside::Declared { name: own } => {
                (own.unwrap_or_else(|| name.clone()), outside(String::new()))
            }
            Outside::Alias { name, label } => (name, outside(label)),
        };
        all.insert(
            name.clone(),
            Callee {
                c_name,
                args,
                results,
                origin,
            },
        );
    }
    for function in &program.functions {
        let name = function.get_symbol_name(ctx).to_string();
        if let Some((args, results)) = signature(ctx, function.get_type(ctx)) {
            // The text is one unit's, where debuggers should find the function by its name in the program.
            let args = entry_types(ctx, function).unwrap_or(args);
            let plain = dialect.function_name(shown(&name));
            let variables = dialect.variables();
            let taken = |c_name: &str| {
                let called = |c: &Callee| c.c_name == c_name;
                variables.contains(&c_name) || all.contains_key(c_name) || all.values().any(called)
            };
            let numbered = (2..).map(|number| format!("{plain}_{number}"));
            let mut names = [plain.clone(), name.clone()].into_iter().chain(numbered);
            let c_name = names.find(|c_name| !taken(c_name)).unwrap_or_default();
            all.insert(
                name.clone(),
                Callee {
                    c_name,
                    args,
                    results,
                    origin: Origin::Unit,
                },
            );
        }
    }
    all
}

/// The types of a function's parameters: a back end may know better where they lead to than the function's type.
fn entry_types(ctx: &Context, function: &FuncOp) -> Option<Vec<TypeHandle>> {
    let region = function.get_operation().deref(ctx).get_region(0);
    let entry = region.deref(ctx).get_entry_block()?;
    let arguments: Vec<_> = entry.deref(ctx).arguments().collect();
    Some(arguments.into_iter().map(|a| a.get_type(ctx)).collect())
}

impl Unit<'_> {
    pub(super) fn is_function(&self, symbol: &str) -> bool {
        self.callees.contains_key(symbol)
    }

    /// The C name of a function.
    pub(super) fn c_name_of<'n>(&'n self, symbol: &'n str) -> &'n str {
        self.callees
            .get(symbol)
            .map_or(symbol, |c| c.c_name.as_str())
    }

    /// The names that are in use at file scope.
    pub fn file_scope(&self) -> impl Iterator<Item = &str> {
        self.callees.values().map(|c| c.c_name.as_str())
    }

    /// Declarations of everything that printed functions call or name.
    pub fn prototypes(&self) -> Result<String> {
        let mut lines = BTreeMap::new();
        for function in &self.program.all {
            for call in nested::<Call>(self.ctx, function.get_operation()) {
                let name = call.callee(self.ctx);
                if let Some(line) = self.prototype(&name)? {
                    lines.insert(name, line);
                }
            }
            for address in nested::<AddressOf>(self.ctx, function.get_operation()) {
                let name = address.symbol(self.ctx);
                let line = match self.is_function(&name) {
                    true => self.prototype(&name)?,
                    false => {
                        let ty = address.get_result(self.ctx).get_type(self.ctx);
                        let object = pointee_of(self.ctx, ty).ok_or_else(|| {
                            error_at(self.ctx, address.get_operation(), "an address is a pointer")
                        })?;
                        let object = self
                            .types()
                            .declare(object, &name)
                            .map_err(Diagnostic::error)?;
                        Some(format!("extern {object};"))
                    }
                };
                if let Some(line) = line {
                    lines.insert(name, line);
                }
            }
        }
        Ok(lines
            .into_values()
            .fold(String::new(), |text, line| text + &line + "\n"))
    }

    fn prototype(&self, name: &str) -> Result<Option<String>> {
        let Some(callee) = self.callees.get(name) else {
            return Ok(None);
        };
        // C has `long long` beside `long`: these functions of its library use it.
        const OF_LONG_LONG: [&str; 7] = [
            "llabs", "llrint", "llrintf", "llrintl", "llround", "llroundf", "llroundl",
        ];
        let long_long = OF_LONG_LONG.contains(&name);
        let long = |ty: TypeHandle| long_long && int_width(self.ctx, ty) == Some(64);
        let params = callee.args.iter().map(|t| match long(*t) {
            true => Ok("long long".to_string()),
            false => self.types().name(*t),
        });
        let mut params = params
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(Diagnostic::error)?;
        let (linkage, label) = match &callee.origin {
            Origin::Builtin => return Ok(None),
            Origin::Unit => {
                let hidden = self.dialect.hidden(name);
                params.extend(hidden.iter().map(|h| h.declaration.to_string()));
                (self.dialect.linkage(name), "")
            }
            Origin::Outside { traits, label } => {
                if traits.variadic && !params.is_empty() {
                    params.push("...".to_string());
                }
                ("extern", label.as_str())
            }
        };
        let declaration = match callee.results.as_slice() {
            [result] if long(*result) => {
                format!("long long {}({})", callee.c_name, params.join(", "))
            }
            results => self
                .types()
                .function_of(&params, results, &callee.c_name)
                .map_err(Diagnostic::error)?,
        };
        Ok(Some(format!("{linkage} {declaration}{label};")))
    }

    /// The definition of a function that kernels call.
    pub fn function(&self, function: FuncOp) -> Result<String> {
        let name = function.get_symbol_name(self.ctx).to_string();
        let hidden = self.dialect.hidden(&name);
        let taken: Vec<_> = hidden.iter().map(|h| h.name).collect();
        let names = self.names(&taken);
        let mut printer = FunctionPrinter::new(self, names);
        let arguments: Vec<_> = function
            .get_entry_block(self.ctx)
            .deref(self.ctx)
            .arguments()
            .collect();
        let mut params = vec![];
        for argument in arguments {
            let param = printer
                .names
                .fresh(printer.stored_in(argument).as_deref().unwrap_or("p"));
            params.push(printer.declare(argument.get_type(self.ctx), &param)?);
            printer.bind(argument, Expr::atom(param));
        }
        params.extend(hidden.iter().map(|h| h.declaration.to_string()));
        let (_, results) = signature(self.ctx, function.get_type(self.ctx)).ok_or_else(|| {
            error_at(
                self.ctx,
                function.get_operation(),
                "a function has a function type",
            )
        })?;
        let head = self
            .types()
            .function_of(&params, &results, self.c_name_of(&name))
            .map_err(Diagnostic::error)?;
        let region = function.get_operation().deref(self.ctx).get_region(0);
        printer.body(region)?;
        let mut text = String::new();
        let op = function.get_operation();
        text.push_str(&marker(self.place(op), &self.files));
        let lines = printer.lines.text(1, &self.files);
        let linkage = self.dialect.linkage(&name);
        let _ = write!(text, "{linkage} {head}\n{{\n{lines}}}\n");
        Ok(text)
    }
}

impl FunctionPrinter<'_> {
    /// The literal that the value is, as C writes it.
    pub fn string_literal(&self, value: Value) -> Option<String> {
        let bytes = self.string_bytes(value)?;
        Some(accrue_image::print::c_string(&bytes))
    }

    /// The bytes of a string constant.
    pub fn string_bytes(&self, value: Value) -> Option<Vec<u8>> {
        let value = uncast(self.ctx, value, &[CastKind::PtrCast]);
        let text = Operation::get_op::<StringConst>(value.defining_op()?, self.ctx)?;
        Some(text.bytes(self.ctx))
    }

    pub(super) fn call(&mut self, op: &Call) -> Result<()> {
        let name = op.callee(self.ctx);
        let unit = self.unit;
        let Some(callee) = unit.callees.get(&name) else {
            return Err(Diagnostic::error(format!(
                "`{name}` has no definition that a device can run"
            )));
        };
        if let Some(function) = unit.program.externs.get(&name) {
            match unit.dialect.call(self, op, function)? {
                Printed::Unknown => {}
                Printed::Done => return Ok(()),
                Printed::Expr(expr) => {
                    return match results_of(self.ctx, op.get_operation()).first() {
                        Some(result) if function.traits.pure => self.define(*result, expr),
                        Some(result) => self.call_now(*result, expr),
                        None => self.statement(format!("{};", expr.text)),
                    };
                }
            }
        }
        let args = self.take_operands(op.get_operation())?;
        let mut text: Vec<String> = args.iter().map(Expr::whole).collect();
        if matches!(callee.origin, Origin::Unit) {
            text.extend(
                unit.dialect
                    .hidden(&name)
                    .iter()
                    .map(|h| h.name.to_string()),
            );
        }
        let call = format!("{}({})", callee.c_name, text.join(", "));
        let results = results_of(self.ctx, op.get_operation());
        let Some(result) = results.first() else {
            return self.statement(format!("{call};"));
        };
        let call = match callee.origin {
            Origin::Builtin if pointee_of(self.ctx, result.get_type(self.ctx)).is_some() => {
                format!("({}){call}", self.type_name(result.get_type(self.ctx))?)
            }
            Origin::Builtin | Origin::Unit | Origin::Outside { .. } => call,
        };
        let parts: Vec<&Expr> = args.iter().collect();
        let expr = Expr::of(call, Prec::Unary, &parts);
        let pure = matches!(
            callee.origin,
            Origin::Outside {
                traits: ExternTraits { pure: true, .. },
                ..
            }
        );
        match pure {
            true => self.define(*result, expr),
            false => self.call_now(*result, expr),
        }
    }

    /// Writes a call that reads or writes memory where it stands, whether its result is used or not.
    fn call_now(&mut self, result: Value, call: Expr) -> Result<()> {
        self.settle()?;
        match result.num_uses(self.ctx) {
            0 if call.atom => Ok(()),
            0 => self.statement(format!("{};", call.text)),
            _ => self.evaluate(result, call).map(|_| ()),
        }
    }
}
