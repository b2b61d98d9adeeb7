//! Kernels and their finish functions.
//!
//! ```c
//! static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
//! {
//!     const long gang = (long)position;
//!     const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
//!     double *a = (double *)launch->args[0];
//!     double x;
//!     __builtin_memcpy(&x, &launch->args[1], sizeof x);
//!     …
//! }
//! ```

use super::{Unit, expr::Expr, function::FunctionPrinter, lines::marker, names::Names};
use crate::{
    diagnostic::{Result, error_at, or_at},
    dialect::{Gang, Gangs},
    expand::ExpandedKernel,
};
use accrue_dialects::core::{Call, int_width, pointee_of};
use accrue_image::{Site, SiteVar};
use accrue_ir::walk::nested;
use pliron::{builtin::ops::FuncOp, op::Op, r#type::Typed, value::Value};

/// Names that kernels give to what they get from the runtime.
const RUNTIME_NAMES: [&str; 4] = ["launch", "position", "gang", "gangs"];

impl Unit<'_> {
    /// A kernel and, if it has one, its finish function.
    pub(super) fn kernel(&self, kernel: &ExpandedKernel, sites: &[Site]) -> Result<String> {
        let vars = sites
            .iter()
            .find(|s| s.kernels.iter().any(|k| k.function == kernel.name))
            .map_or(&[][..], |s| s.vars.as_slice());
        let params = "const struct accrue_cpu_launch *launch, unsigned long long position";
        let mut text = self.runtime_function(kernel.function, &kernel.name, params, vars)?;
        if let Some(finish) = &kernel.finish {
            text.push('\n');
            let params = "const struct accrue_cpu_launch *launch";
            text.push_str(&self.runtime_function(finish.function, &finish.name, params, &[])?);
        }
        Ok(text)
    }

    fn runtime_function(
        &self,
        function: FuncOp,
        name: &str,
        params: &str,
        vars: &[SiteVar],
    ) -> Result<String> {
        let op = function.get_operation();
        let mut printer =
            FunctionPrinter::new(self, Names::new(self.file_scope().chain(RUNTIME_NAMES)));
        printer.locate(op);
        let calls = nested::<Call>(self.ctx, op);
        let passes = calls.iter().any(|c| self.passes_gangs(&c.callee(self.ctx)));
        if passes || !nested::<Gang>(self.ctx, op).is_empty() {
            printer.lines.push("const long gang = (long)position;");
        }
        if passes || !nested::<Gangs>(self.ctx, op).is_empty() {
            printer.lines.push("const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);");
        }
        let arguments: Vec<Value> = function
            .get_entry_block(self.ctx)
            .deref(self.ctx)
            .arguments()
            .collect();
        if arguments.len() != vars.len() {
            let message = format!(
                "kernel `{name}` has {} parameters for {} variables",
                arguments.len(),
                vars.len()
            );
            return Err(error_at(self.ctx, op, message));
        }
        let mut word = 0;
        for (argument, var) in arguments.into_iter().zip(vars) {
            printer.argument(argument, var, word)?;
            word += var.argument_words();
        }
        printer
            .body(op.deref(self.ctx).get_region(0))
            .map_err(|d| or_at(d, self.ctx, op))?;
        Ok(format!(
            "{}static void {name}({params})\n{{\n{}}}\n",
            marker(self.place(op), &self.files),
            printer.lines.text(1, &self.files)
        ))
    }
}

impl FunctionPrinter<'_> {
    /// Reads an argument from the launch, if it is used.
    fn argument(&mut self, argument: Value, var: &SiteVar, word: u64) -> Result<()> {
        if argument.num_uses(self.ctx) == 0 {
            return Ok(());
        }
        let ty = argument.get_type(self.ctx);
        let base = self.stored_in(argument).unwrap_or_else(|| var.name.clone());
        let name = self.names.fresh(&base);
        let declaration = self.declare(ty, &name)?;
        let one_word =
            pointee_of(self.ctx, ty).is_some() || int_width(self.ctx, ty).is_some_and(|w| w <= 64);
        if one_word {
            let cast = self.type_name(ty)?;
            self.lines
                .push(format!("{declaration} = ({cast})launch->args[{word}];"));
        } else {
            self.lines.push(format!("{declaration};"));
            self.lines.push(format!(
                "__builtin_memcpy(&{name}, &launch->args[{word}], sizeof {name});"
            ));
        }
        self.bind(argument, Expr::atom(name));
        Ok(())
    }
}
