//! Instructions that the device library's C code names as functions (`devlib/src/c/instructions.h`).
//!
//! ```text
//! core.call @__accrue_lib_exp2_ftz(%x)      ex2.approx.ftz.f32 %f2, %f1;
//! ```

use super::{function::Selector, types::Class};
use crate::diagnostic::Result;
use pliron::value::Value;

/// The instruction and the class of its result.
fn instruction(name: &str) -> Option<(&'static str, Class)> {
    Some(match name {
        "__accrue_lib_bits" => ("mov.b64", Class::B64),
        "__accrue_lib_from_bits" => ("mov.b64", Class::F64),
        "__accrue_lib_bitsf" => ("mov.b32", Class::B32),
        "__accrue_lib_from_bitsf" => ("mov.b32", Class::F32),
        "__accrue_lib_fma_sat" => ("fma.rn.sat.f32", Class::F32),
        "__accrue_lib_sin" => ("sin.approx.f32", Class::F32),
        "__accrue_lib_cos" => ("cos.approx.f32", Class::F32),
        "__accrue_lib_exp2" => ("ex2.approx.f32", Class::F32),
        "__accrue_lib_exp2_ftz" => ("ex2.approx.ftz.f32", Class::F32),
        "__accrue_lib_log2" => ("lg2.approx.f32", Class::F32),
        "__accrue_lib_reciprocal" => ("rcp.approx.f32", Class::F32),
        "__accrue_lib_reciprocal_ftz" => ("rcp.approx.ftz.f32", Class::F32),
        "__accrue_lib_rsqrt" => ("rsqrt.approx.f32", Class::F32),
        "__accrue_lib_reciprocal_coarse" => ("rcp.approx.ftz.f64", Class::F64),
        "__accrue_lib_rsqrt_coarse" => ("rsqrt.approx.ftz.f64", Class::F64),
        _ => return None,
    })
}

impl Selector<'_> {
    /// Prints the call of `name` if it is an instruction; tells whether it is.
    pub(super) fn instruction(
        &mut self,
        name: &str,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Result<bool> {
        let (Some((opcode, class)), Some(result)) = (instruction(name), result) else {
            return Ok(false);
        };
        let mut operands = vec![];
        for argument in arguments {
            operands.push(self.in_register(*argument)?);
        }
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        let register = self.compute(class, opcode, &operands);
        self.define(result, class, [register]);
        Ok(true)
    }
}
