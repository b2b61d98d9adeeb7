//! Variables, addresses, loads and stores.

use super::{
    dialect::Address,
    expr::{Expr, Form, Prec},
    function::{FunctionPrinter, Start},
    types::{is_function, space_of},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{
    AddressOf, Alloca, Cast, CastKind, Copy, Decay, Load, LoadBits, Member, PtrAdd, PtrDiff, Store,
    StoreBits, VoidType, Zero, array_parts, int_width, is_scalar, pointee, record_tag,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

impl FunctionPrinter<'_> {
    pub(super) fn alloca(&mut self, op: &Alloca) -> Result<()> {
        let variable = op.get_result(self.ctx);
        if variable.num_uses(self.ctx) == 0 {
            return Ok(());
        }
        if let Some(address) = self.unit.dialect.variable(self, op)? {
            self.bind(variable, address);
            return Ok(());
        }
        let wanted = self.variable_name(variable);
        if let Some(count) = op.count(self.ctx) {
            let name = self.names.fresh(wanted.as_deref().unwrap_or("array"));
            let count = self.take(count)?;
            let declaration =
                self.declare(op.var_type(self.ctx), &format!("{name}[{}]", count.whole()))?;
            self.bind(variable, Expr::atom(name));
            return self.statement(format!("{declaration};"));
        }
        match self.start(variable) {
            Start::Constant(_) => Ok(()),
            Start::ByStore(_) => {
                let name = self.names.fresh(wanted.as_deref().unwrap_or("v"));
                self.bind(variable, Expr::variable(name));
                Ok(())
            }
            Start::Declared => {
                let name = self.names.fresh(wanted.as_deref().unwrap_or("v"));
                let declaration = self.declare_variable(variable, op.var_type(self.ctx), &name)?;
                self.lines.push(format!("{declaration};"));
                self.bind(variable, Expr::variable(name));
                Ok(())
            }
        }
    }

    pub(super) fn load(&mut self, op: &Load) -> Result<()> {
        let (address, result) = (op.get_operand_address(self.ctx), op.get_result(self.ctx));
        if let Some(constant) = self.constant(address) {
            let constant = constant.clone();
            self.bind(result, constant);
            return Ok(());
        }
        if op.is_volatile(self.ctx) {
            let object = self.take_volatile(address)?;
            self.settle()?;
            return match result.num_uses(self.ctx) {
                0 => self.statement(format!("(void){object};")),
                _ => self
                    .evaluate(
                        result,
                        Expr {
                            atom: false,
                            ..Expr::atom(object)
                        },
                    )
                    .map(|_| ()),
            };
        }
        let object = Expr {
            memory: true,
            atom: false,
            ..self.take(address)?.object()
        };
        let object = match self.is_unsigned(address) {
            true => self.as_signed(result.get_type(self.ctx), object)?,
            false => object,
        };
        self.define(result, object)
    }

    pub(super) fn store(&mut self, op: &Store) -> Result<()> {
        let (value, address) = (
            op.get_operand_value(self.ctx),
            op.get_operand_address(self.ctx),
        );
        match self.start(address) {
            Start::Constant(first) if first == op.get_operation() => {
                return self.constant_start(value, address);
            }
            Start::ByStore(first) if first == op.get_operation() => {
                let (name, value) = (self.take(address)?.text, self.take_for(address, value)?);
                let declaration = self.declare_variable(
                    address,
                    pointee(self.ctx, address).unwrap_or_else(|| address.get_type(self.ctx)),
                    &name,
                )?;
                return self.statement(format!("{declaration} = {};", value.whole()));
            }
            Start::Constant(_) | Start::ByStore(_) | Start::Declared => {}
        }
        let object = match op.is_volatile(self.ctx) {
            true => self.take_volatile(address)?,
            false => self.take(address)?.object().text,
        };
        let value = self.take_for(address, value)?;
        self.statement(format!("{object} = {};", value.whole()))
    }

    /// The value that is stored to `address`, in the signedness of the variable there.
    fn take_for(&mut self, address: Value, value: Value) -> Result<Expr> {
        let value = self.take(value)?;
        Ok(match value.unsigned {
            Some(unsigned) if self.is_unsigned(address) => *unsigned,
            Some(_) | None => value,
        })
    }

    /// A variable that only ever has the value stored here.
    fn constant_start(&mut self, value: Value, variable: Value) -> Result<()> {
        let expr = self.take(value)?;
        if expr.atom && expr.form == Form::Value {
            self.set_constant(variable, expr);
            return Ok(());
        }
        let wanted = self.variable_name(variable);
        let name = self.names.fresh(wanted.as_deref().unwrap_or("v"));
        let declaration = self.declare(value.get_type(self.ctx), &name)?;
        self.set_constant(variable, Expr::atom(name));
        self.lines
            .push(format!("{declaration} = {};", expr.whole()));
        Ok(())
    }

    /// The object at `address` as a volatile lvalue.
    fn take_volatile(&mut self, address: Value) -> Result<String> {
        let pointer = self.unit.types().volatile(address.get_type(self.ctx));
        let pointer = pointer.map_err(Diagnostic::error)?;
        let address = self.take(address)?;
        Ok(format!("*({pointer}){}", address.at(Prec::Unary)))
    }

    /// The text of the address `value`, and where it leads to.
    pub fn take_address(&mut self, value: Value) -> Result<Address> {
        Ok(Address {
            space: space_of(self.ctx, value.get_type(self.ctx)),
            text: self.take(value)?.whole(),
        })
    }

    pub(super) fn copy(&mut self, op: &Copy) -> Result<()> {
        let (to, from) = (op.get_operand_to(self.ctx), op.get_operand_from(self.ctx));
        let object = pointee(self.ctx, to);
        match object {
            Some(ty) if array_parts(self.ctx, ty).is_none() => {
                let (to, from) = (self.take(to)?, self.take(from)?);
                self.statement(format!("{} = {};", to.object().text, from.object().text))
            }
            Some(ty) => {
                let ty = self.type_name(ty)?;
                let (to, from) = (self.take_address(to)?, self.take_address(from)?);
                let copy = self.unit.dialect.copy(&to, &from, &ty);
                self.statement(copy)
            }
            None => Err(Diagnostic::error("a copy needs addresses")),
        }
    }

    pub(super) fn zero(&mut self, op: &Zero) -> Result<()> {
        let address = op.get_operand_address(self.ctx);
        let ty = self.pointee_of(address)?;
        if is_scalar(self.ctx, ty) && !self.is_structure(ty) {
            let to = self.take(address)?;
            return self.statement(format!("{} = 0;", to.object().text));
        }
        let ty = self.type_name(ty)?;
        let to = self.take_address(address)?;
        let zero = self.unit.dialect.zero(&to, &ty);
        self.statement(zero)
    }

    pub(super) fn ptr_add(&mut self, op: &PtrAdd) -> Result<Expr> {
        let base = op.get_operand_base(self.ctx);
        let to = self.pointee_of(base)?;
        let (base, index) = (
            self.take(base)?,
            self.index(op.get_operand_index(self.ctx))?,
        );
        if to.deref(self.ctx).is::<VoidType>() || is_function(self.ctx, to) {
            let text = format!("{} + {}", base.at(Prec::Add), index.at(Prec::Mul));
            return Ok(Expr::of(text, Prec::Add, &[&base, &index]));
        }
        Ok(Expr::place(
            format!("{}[{}]", base.at(Prec::Primary), index.whole()),
            &[&base, &index],
        ))
    }

    /// An index; C extends it with its sign by itself.
    fn index(&mut self, value: Value) -> Result<Expr> {
        let extended = value
            .defining_op()
            .and_then(|op| Operation::get_op::<Cast>(op, self.ctx))
            .filter(|c| c.kind(self.ctx) == CastKind::SExt)
            .and_then(|c| int_width(self.ctx, c.get_operand_value(self.ctx).get_type(self.ctx)))
            .is_some_and(|width| width > 1);
        let index = self.take(value)?;
        let plain = match index.text.strip_prefix("(long)") {
            Some(inner) if extended => inner.to_string(),
            Some(_) | None => index.text.clone(),
        };
        let literal = plain
            .strip_suffix('L')
            .filter(|digits| digits.chars().all(|c| c.is_ascii_digit()));
        Ok(Expr {
            text: literal.unwrap_or(&plain).to_string(),
            ..index
        })
    }

    pub(super) fn ptr_diff(&mut self, op: &PtrDiff) -> Result<Expr> {
        let (end, start) = (
            self.take(op.get_operand_end(self.ctx))?,
            self.take(op.get_operand_start(self.ctx))?,
        );
        let text = format!("{} - {}", end.at(Prec::Add), start.at(Prec::Mul));
        Ok(Expr::of(text, Prec::Add, &[&end, &start]))
    }

    /// An array lvalue is the address of its first element.
    pub(super) fn decay(&mut self, op: &Decay) -> Result<Expr> {
        let array = self.take(op.get_operand_array(self.ctx))?;
        Ok(array.object())
    }

    pub(super) fn member(&mut self, op: &Member) -> Result<Expr> {
        let (record, field) = (op.get_operand_record(self.ctx), op.field(self.ctx));
        self.field(record, field)
    }

    /// Field `index` of the record at `record`, as a place.
    fn field(&mut self, record: Value, index: u32) -> Result<Expr> {
        let tag = record_tag(self.ctx, self.pointee_of(record)?)
            .ok_or_else(|| Diagnostic::error("a member of something that is no record"))?;
        let name = self.unit.record_names.field(&tag, index);
        let name = name
            .ok_or_else(|| Diagnostic::error(format!("`{tag}` has no field {index}")))?
            .to_string();
        let record = self.take(record)?;
        let text = match record.form {
            Form::Place => format!("{}.{name}", record.text),
            Form::Value => format!("{}->{name}", record.at(Prec::Primary)),
        };
        Ok(Expr::place(text, &[&record]))
    }

    pub(super) fn load_bits(&mut self, op: &LoadBits) -> Result<()> {
        if !self.unit.dialect.has_bit_fields() {
            return self.load_bytes(op);
        }
        let result = op.get_result(self.ctx);
        let ty = self.type_name(result.get_type(self.ctx))?;
        let field = self.field(op.get_operand_record(self.ctx), op.field(self.ctx))?;
        let text = format!("({ty}){}", field.text);
        self.define(
            result,
            Expr {
                text,
                prec: Prec::Unary,
                form: Form::Value,
                memory: true,
                atom: false,
                unsigned: None,
            },
        )
    }

    pub(super) fn store_bits(&mut self, op: &StoreBits) -> Result<()> {
        if !self.unit.dialect.has_bit_fields() {
            return self.store_bytes(op);
        }
        let field = self.field(op.get_operand_record(self.ctx), op.field(self.ctx))?;
        let value = self.take(op.get_operand_value(self.ctx))?;
        self.statement(format!("{} = {};", field.text, value.whole()))
    }

    pub(super) fn address_of(&mut self, op: &AddressOf) -> Result<Expr> {
        let (symbol, ty) = (
            op.symbol(self.ctx),
            op.get_result(self.ctx).get_type(self.ctx),
        );
        if self.unit.is_function(&symbol) {
            let ty = self.type_name(ty)?;
            return Ok(Expr::atom(format!(
                "({ty}){}",
                self.unit.c_name_of(&symbol)
            )));
        }
        Ok(Expr::variable(symbol))
    }

    /// The user's name of the variable with this address.
    fn variable_name(&self, address: Value) -> Option<String> {
        let alloca = Operation::get_op::<Alloca>(address.defining_op()?, self.ctx)?;
        alloca
            .variable(self.ctx)
            .map(|v| v.name)
            .filter(|n| !n.is_empty())
    }

    /// The user's name of a variable that `value` is stored in: parameters and induction values take it over.
    pub fn stored_in(&self, value: Value) -> Option<String> {
        let variable = |user| {
            let store = Operation::get_op::<Store>(user, self.ctx)?;
            if store.get_operand_value(self.ctx) != value {
                return None;
            }
            self.variable_name(store.get_operand_address(self.ctx))
        };
        value
            .uses(self.ctx)
            .iter()
            .find_map(|u| variable(u.user_op()))
    }

    /// A new name for a kernel's argument, and its declaration: the name of the variable that it is stored in, or else `variable`.
    pub fn argument(&mut self, argument: Value, variable: &str) -> Result<(String, String)> {
        let base = self.stored_in(argument);
        let name = self.names.fresh(base.as_deref().unwrap_or(variable));
        let declaration = self.declare(argument.get_type(self.ctx), &name)?;
        Ok((name, declaration))
    }

    fn pointee_of(&self, address: Value) -> Result<TypeHandle> {
        pointee(self.ctx, address).ok_or_else(|| Diagnostic::error("an address was expected"))
    }
}
