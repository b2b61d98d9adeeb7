//! One operation: an expression or a statement.

use super::{dialect::Printed, expr::Expr, function::FunctionPrinter, literals};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{CoreOp, float_width, int_width};
use accrue_ir::walk::results_of;
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Ptr, operation::Operation,
    printable::Printable, r#type::Typed,
};

impl FunctionPrinter<'_> {
    pub fn operation(&mut self, op: Ptr<Operation>) -> Result<()> {
        if self.unit.dialect.prints(self, op)? {
            return Ok(());
        }
        match CoreOp::of(self.ctx, op) {
            Some(of_core) => self.core(op, &of_core),
            None => match self.unit.dialect.own(self, op)? {
                Printed::Expr(expr) => self.result(op, expr),
                Printed::Done => Ok(()),
                Printed::Unknown => self.not_here(op),
            },
        }
    }

    fn core(&mut self, op: Ptr<Operation>, of_core: &CoreOp) -> Result<()> {
        let dialect = self.unit.dialect;
        let expr = match of_core {
            CoreOp::Const(c) => {
                let width =
                    int_width(self.ctx, c.get_result(self.ctx).get_type(self.ctx)).unwrap_or(64);
                literals::integer(width, c.value(self.ctx))
            }
            CoreOp::FConst(c) => {
                let width =
                    float_width(self.ctx, c.get_result(self.ctx).get_type(self.ctx)).unwrap_or(64);
                literals::float(dialect, width, &c.text(self.ctx))
            }
            CoreOp::Null(null) => {
                let ty = self.type_name(null.get_result(self.ctx).get_type(self.ctx))?;
                Expr::atom(dialect.null(self.ctx, null, &ty))
            }
            CoreOp::StringConst(text) => {
                let literal = accrue_image::print::c_string(&text.bytes(self.ctx));
                let ty = self.type_name(text.get_result(self.ctx).get_type(self.ctx))?;
                Expr::atom(format!("({ty}){literal}"))
            }
            CoreOp::AddressOf(address) => self.address_of(address)?,
            CoreOp::Bin(bin) => self.bin(bin)?,
            CoreOp::Un(un) => self.un(un)?,
            CoreOp::Cmp(cmp) => self.cmp(cmp)?,
            CoreOp::Cast(cast) => self.cast(cast)?,
            CoreOp::Select(select) => self.select(select)?,
            CoreOp::ComplexMake(make) => {
                let real = make.get_operand_real(self.ctx);
                let imaginary = make.get_operand_imaginary(self.ctx);
                let ty = make.get_result(self.ctx).get_type(self.ctx);
                match self.complex_make(ty, [real, imaginary]) {
                    Some(made) => made?,
                    None => self.complex(real, imaginary)?,
                }
            }
            CoreOp::Real(real) => self.part("__real__", real.get_operand_value(self.ctx))?,
            CoreOp::Imag(imag) => self.part("__imag__", imag.get_operand_value(self.ctx))?,
            CoreOp::PtrAdd(add) => self.ptr_add(add)?,
            CoreOp::PtrDiff(diff) => self.ptr_diff(diff)?,
            CoreOp::Decay(decay) => self.decay(decay)?,
            CoreOp::Member(member) => self.member(member)?,
            CoreOp::Alloca(alloca) => return self.alloca(alloca),
            CoreOp::Load(load) => return self.load(load),
            CoreOp::Store(store) => return self.store(store),
            CoreOp::Copy(copy) => return self.copy(copy),
            CoreOp::Zero(zero) => return self.zero(zero),
            CoreOp::LoadBits(load) => return self.load_bits(load),
            CoreOp::StoreBits(store) => return self.store_bits(store),
            CoreOp::AtomicLoad(load) => return dialect.atomic_load(self, load),
            CoreOp::AtomicStore(store) => return dialect.atomic_store(self, store),
            CoreOp::AtomicUpdate(update) => return dialect.atomic_update(self, update),
            CoreOp::Call(call) => return self.call(call),
            CoreOp::If(branch) => return self.if_(branch),
            CoreOp::For(counted) => return self.for_(counted),
            CoreOp::Loop(general) => return self.loop_(general),
            CoreOp::Switch(switch) => return self.switch(switch),
            // Terminators are printed with what they end; the others are the host's, or stand outside of functions.
            CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::Extent(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => return self.not_here(op),
        };
        self.result(op, expr)
    }

    /// The operation has this value.
    fn result(&mut self, op: Ptr<Operation>, expr: Expr) -> Result<()> {
        match results_of(self.ctx, op).as_slice() {
            [result] => self.define(*result, expr),
            _ => Err(Diagnostic::error("an expression has one result")),
        }
    }

    fn not_here(&self, op: Ptr<Operation>) -> Result<()> {
        let name = Operation::get_opid(op, self.ctx).disp(self.ctx).to_string();
        let devices = self.unit.dialect.devices();
        Err(Diagnostic::error(format!(
            "`{name}` cannot run on {devices}"
        )))
    }
}
