//! `div`, `ldiv`, `lldiv`, `imaxdiv`: the C library's functions that give a record.
//!
//! A function that is not in the unit gets and gives records as the machine's calling convention says, which the IR does not
//! know. Of the C library only these functions do, and they are two operations:
//! ```text
//! d = div(a, b);      %d.quot = a / b
//!                     %d.rem  = a % b
//! ```

use super::call::Callee;
use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::node::NodeId;
use crate::ast::types::CType;
use accrue_dialects::core::{self, BinKind};
use pliron::value::Value;

impl Module<'_> {
    /// Stores what the call of a function that is not in the unit gives to `record`.
    pub(super) fn quotient_and_rest(
        &mut self,
        expression: NodeId,
        callee: &Callee,
        record: Value,
    ) -> Result<()> {
        let ast = self.source.ast;
        let arguments: Vec<NodeId> = ast.children(expression).skip(1).collect();
        let known = ["div", "ldiv", "lldiv", "imaxdiv"].contains(&callee.name.as_str());
        let (true, &[left, right], &[ty, _], CType::Record(declaration)) = (
            known,
            arguments.as_slice(),
            callee.parameters.as_slice(),
            self.types.get(callee.result).clone(),
        ) else {
            return Err(self.outside(expression, &callee.name));
        };
        let layout = self
            .types
            .layout(declaration)
            .map_err(|error| Stop::at(expression, error.to_string()))?;
        let (left_type, right_type) = (self.type_of(left)?, self.type_of(right)?);
        let left = self.value(left)?;
        let left = self.convert(left, left_type, ty, expression)?;
        let right = self.value(right)?;
        let right = self.convert(right, right_type, ty, expression)?;
        let ir = self.ir_type(ty, expression)?;
        for (name, kind) in [("quot", BinKind::DivS), ("rem", BinKind::RemS)] {
            let mut fields = layout.record.fields.iter();
            let Some(index) = fields.position(|f| ast.name(f.declaration) == name) else {
                return Err(self.outside(expression, &callee.name));
            };
            let value = self.binary(kind, left, right);
            let member = core::Member::new(self.ctx, record, index as u32, ir);
            let address = self.emit_value(member);
            let store = core::Store::new(self.ctx, value, address);
            self.emit(store);
        }
        Ok(())
    }

    /// Calls with records need the function's body. On the host such a call is none of ours.
    pub(super) fn outside(&self, call: NodeId, name: &str) -> Stop {
        let text = format!(
            "`{name}` takes or gives a structure, and its body is not in this file, so that a device cannot call it"
        );
        let stop = Stop::at(call, text);
        match self.on_device() {
            true => stop
                .help("pass pointers or numbers instead")
                .section("2.15.1"),
            false => stop,
        }
    }
}
