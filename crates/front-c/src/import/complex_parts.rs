//! Functions of `<complex.h>` that take a number apart, as operations instead of calls.
//!
//! ```text
//! creal(z)   →  core.real z                        cabs(z)  →  hypot(core.real z, core.imag z)
//! conj(z)    →  core.complex_make real, -imag      carg(z)  →  atan2(core.imag z, core.real z)
//! ```
//! C says of each that it gives just that (C17, 7.3.8.1, 7.3.9; G.6), and what an operation is can be followed by passes; a call
//! moves both parts through memory on GPUs. Each also with `f` and `l` behind its name.

use super::functions::Module;
use super::library;
use super::state::{Result, Stop};
use crate::ast::node::NodeId;
use accrue_dialects::core::{self, Extern, UnKind, complex_part};
use pliron::identifier::Identifier;
use pliron::r#type::Typed;
use pliron::value::Value;

impl Module<'_> {
    /// What the library's function `name` gives for these arguments; `None` if it is no such function.
    pub(super) fn complex_parts(
        &mut self,
        name: &str,
        arguments: &[Value],
        at: NodeId,
    ) -> Result<Option<Value>> {
        let [number] = *arguments else {
            return Ok(None);
        };
        let ty = number.get_type(self.ctx);
        if complex_part(self.ctx, ty).is_none() {
            return Ok(None);
        }
        let found = ["creal", "cimag", "conj", "cabs", "carg"]
            .into_iter()
            .find_map(|stem| Some((stem, name.strip_prefix(stem)?)));
        let Some((stem, suffix @ ("" | "f" | "l"))) = found else {
            return Ok(None);
        };
        Ok(match stem {
            "creal" => self.real_part(number),
            "cimag" => self.imaginary_part(number),
            _ => {
                let parts = self.real_part(number).zip(self.imaginary_part(number));
                let Some((real, imaginary)) = parts else {
                    return Ok(None);
                };
                Some(match stem {
                    "conj" => {
                        let negative = core::Un::new(self.ctx, UnKind::FNeg, imaginary);
                        let negative = self.emit_value(negative);
                        let made = core::ComplexMake::new(self.ctx, ty, real, negative);
                        self.emit_value(made)
                    }
                    "cabs" => self.of_two(&format!("hypot{suffix}"), [real, imaginary], at)?,
                    _ => self.of_two(&format!("atan2{suffix}"), [imaginary, real], at)?,
                })
            }
        })
    }

    /// A call of a mathematical function of two numbers of one type, which it gives.
    fn of_two(&mut self, name: &str, arguments: [Value; 2], at: NodeId) -> Result<Value> {
        let symbol = Identifier::try_from(name)
            .map_err(|_| Stop::at(at, format!("`{name}` is not supported")))?;
        let ty = arguments[0].get_type(self.ctx);
        let declared = Extern {
            ty: self.function_handle(vec![ty, ty], vec![ty]).into(),
            traits: library::traits(name, false),
            known: library::known(name),
        };
        self.called.insert(symbol.to_string(), declared);
        let call = core::Call::new(self.ctx, symbol, arguments.to_vec(), Some(ty));
        Ok(self.emit_value(call))
    }
}
