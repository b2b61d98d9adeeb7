//! One operation: an expression or a statement.

use super::{expr::Expr, function::FunctionPrinter, literals};
use crate::{
    diagnostic::{Diagnostic, Result},
    dialect::{Gang, Gangs, GangsIn, Slot},
};
use accrue_dialects::core::{
    AddressOf, Alloca, AtomicLoad, AtomicStore, AtomicUpdate, Bin, Call, Cast, Cmp, ComplexMake,
    Const, Copy, Decay, FConst, For, If, Imag, Load, LoadBits, Loop, Member, Null, PtrAdd, PtrDiff,
    Real, Select, Store, StoreBits, StringConst, Switch, Un, Zero, float_width, int_width,
};
use accrue_ir::walk::results_of;
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Ptr, operation::Operation,
    printable::Printable, r#type::Typed,
};

impl FunctionPrinter<'_> {
    pub(super) fn operation(&mut self, op: Ptr<Operation>) -> Result<()> {
        if let Some(expr) = self.expression(op)? {
            return match results_of(self.ctx, op).as_slice() {
                [result] => self.define(*result, expr),
                _ => Err(Diagnostic::error("an expression has one result")),
            };
        }
        if let Some(alloca) = Operation::get_op::<Alloca>(op, self.ctx) {
            return self.alloca(&alloca);
        }
        if let Some(load) = Operation::get_op::<Load>(op, self.ctx) {
            return self.load(&load);
        }
        if let Some(store) = Operation::get_op::<Store>(op, self.ctx) {
            return self.store(&store);
        }
        if let Some(copy) = Operation::get_op::<Copy>(op, self.ctx) {
            return self.copy(&copy);
        }
        if let Some(zero) = Operation::get_op::<Zero>(op, self.ctx) {
            return self.zero(&zero);
        }
        if let Some(load) = Operation::get_op::<LoadBits>(op, self.ctx) {
            return self.load_bits(&load);
        }
        if let Some(store) = Operation::get_op::<StoreBits>(op, self.ctx) {
            return self.store_bits(&store);
        }
        if let Some(load) = Operation::get_op::<AtomicLoad>(op, self.ctx) {
            return self.atomic_load(&load);
        }
        if let Some(store) = Operation::get_op::<AtomicStore>(op, self.ctx) {
            return self.atomic_store(&store);
        }
        if let Some(update) = Operation::get_op::<AtomicUpdate>(op, self.ctx) {
            return self.atomic_update(&update);
        }
        if let Some(call) = Operation::get_op::<Call>(op, self.ctx) {
            return self.call(&call);
        }
        if let Some(branch) = Operation::get_op::<If>(op, self.ctx) {
            return self.if_(&branch);
        }
        if let Some(counted) = Operation::get_op::<For>(op, self.ctx) {
            return self.for_(&counted);
        }
        if let Some(general) = Operation::get_op::<Loop>(op, self.ctx) {
            return self.loop_(&general);
        }
        if let Some(switch) = Operation::get_op::<Switch>(op, self.ctx) {
            return self.switch(&switch);
        }
        let name = Operation::get_opid(op, self.ctx).disp(self.ctx).to_string();
        Err(Diagnostic::error(format!(
            "`{name}` cannot run on the CPU device"
        )))
    }

    /// The expression for an operation without effects that reads no memory; `None` for all others.
    fn expression(&mut self, op: Ptr<Operation>) -> Result<Option<Expr>> {
        if let Some(c) = Operation::get_op::<Const>(op, self.ctx) {
            let width =
                int_width(self.ctx, c.get_result(self.ctx).get_type(self.ctx)).unwrap_or(64);
            return Ok(Some(literals::integer(width, c.value(self.ctx))));
        }
        if let Some(c) = Operation::get_op::<FConst>(op, self.ctx) {
            let width =
                float_width(self.ctx, c.get_result(self.ctx).get_type(self.ctx)).unwrap_or(64);
            return Ok(Some(literals::float(width, &c.text(self.ctx))));
        }
        if let Some(null) = Operation::get_op::<Null>(op, self.ctx) {
            let ty = self.type_name(null.get_result(self.ctx).get_type(self.ctx))?;
            return Ok(Some(Expr::atom(format!("({ty})0"))));
        }
        if let Some(text) = Operation::get_op::<StringConst>(op, self.ctx) {
            let literal = accrue_image::print::c_string(&text.bytes(self.ctx));
            return Ok(Some(Expr::atom(format!("(signed char *){literal}"))));
        }
        if let Some(address) = Operation::get_op::<AddressOf>(op, self.ctx) {
            return self.address_of(&address).map(Some);
        }
        if let Some(bin) = Operation::get_op::<Bin>(op, self.ctx) {
            return self.bin(&bin).map(Some);
        }
        if let Some(un) = Operation::get_op::<Un>(op, self.ctx) {
            return self.un(&un).map(Some);
        }
        if let Some(cmp) = Operation::get_op::<Cmp>(op, self.ctx) {
            return self.cmp(&cmp).map(Some);
        }
        if let Some(cast) = Operation::get_op::<Cast>(op, self.ctx) {
            return self.cast(&cast).map(Some);
        }
        if let Some(select) = Operation::get_op::<Select>(op, self.ctx) {
            return self.select(&select).map(Some);
        }
        if let Some(make) = Operation::get_op::<ComplexMake>(op, self.ctx) {
            let (real, imaginary) = (
                make.get_operand_real(self.ctx),
                make.get_operand_imaginary(self.ctx),
            );
            return self.complex(real, imaginary).map(Some);
        }
        if let Some(real) = Operation::get_op::<Real>(op, self.ctx) {
            return self
                .part("__real__", real.get_operand_value(self.ctx))
                .map(Some);
        }
        if let Some(imag) = Operation::get_op::<Imag>(op, self.ctx) {
            return self
                .part("__imag__", imag.get_operand_value(self.ctx))
                .map(Some);
        }
        if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx) {
            return self.ptr_add(&add).map(Some);
        }
        if let Some(diff) = Operation::get_op::<PtrDiff>(op, self.ctx) {
            return self.ptr_diff(&diff).map(Some);
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
            return self.decay(&decay).map(Some);
        }
        if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
            return self.member(&member).map(Some);
        }
        self.target_expression(op)
    }

    /// What only the CPU has: positions and slots of gangs.
    fn target_expression(&mut self, op: Ptr<Operation>) -> Result<Option<Expr>> {
        if Operation::get_op::<Gang>(op, self.ctx).is_some() {
            return Ok(Some(Expr::atom("gang")));
        }
        if Operation::get_op::<Gangs>(op, self.ctx).is_some() {
            return Ok(Some(Expr::atom("gangs")));
        }
        if let Some(gangs) = Operation::get_op::<GangsIn>(op, self.ctx) {
            let text = format!("(long)launch->gangs[{}]", gangs.dim(self.ctx).index());
            return Ok(Some(Expr::of(text, super::expr::Prec::Unary, &[])));
        }
        let Some(slot) = Operation::get_op::<Slot>(op, self.ctx) else {
            return Ok(None);
        };
        let ty = self.type_name(slot.get_result(self.ctx).get_type(self.ctx))?;
        let gang = self.take(slot.get_operand_gang(self.ctx))?;
        let offset = format!(
            "{} * launch->slot_stride",
            gang.at(super::expr::Prec::Unary)
        );
        let text = format!("({ty})(launch->slots + {offset})");
        Ok(Some(Expr::of(text, super::expr::Prec::Unary, &[&gang])))
    }
}
