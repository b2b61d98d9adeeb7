//! The `cache` directive (OpenACC 3.4, section 2.10): checked here; it is a hint and has no operation
//! ([`acc::hints`]).

use super::directive::View;
use super::functions::Module;
use super::state::{Nest, Result, Stop};
use crate::ast::constant;
use crate::ast::node::NodeId;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc;
use accrue_dialects::core::ShapeDim;
use accrue_directives::{DirectiveArgs, Subscript};
use accrue_ir::build::line_column;
use pliron::context::Ptr;
use pliron::operation::Operation;

const RULE: &str = "2.10";
const FORM: &str = "name array elements or subarrays: `cache(a[i], b[i - 1:3])`";

impl Module<'_> {
    /// A `cache` directive in code for a device: inside a loop, about elements or subarrays of constant length.
    pub fn cache_directive(&mut self, view: &View<'_>) -> Result<()> {
        let in_loop = self
            .function
            .nest
            .iter()
            .any(|nest| matches!(nest, Nest::Loop | Nest::AccLoop));
        if !in_loop {
            // Programs for older compilers have it in front of the loop. It is about no iterations there, and stays a hint.
            self.note_cache();
            return Ok(());
        }
        let vars = match view.scanned.directive.acc().map(|acc| &acc.args) {
            Some(DirectiveArgs::Cache { vars, .. }) => vars.as_slice(),
            None
            | Some(
                DirectiveArgs::None
                | DirectiveArgs::Wait(_)
                | DirectiveArgs::Atomic { .. }
                | DirectiveArgs::Routine { .. },
            ) => &[],
        };
        for (item, var) in vars.iter().enumerate() {
            let argument = |role| view.argument(Owner::Directive, item, role);
            let Some(address) = argument(Role::Address) else {
                continue;
            };
            let base = self.child(address, 0)?;
            let ty = self.type_of(base)?;
            let shape = self.shape(ty, base)?.dims;
            if var.subscripts.is_empty() || var.subscripts.len() > shape.len() {
                return Err(Stop::at(base, "this is no array element and no subarray")
                    .help(FORM)
                    .section(RULE));
            }
            for (dimension, subscript) in var.subscripts.iter().enumerate() {
                let (first, length) = match subscript {
                    Subscript::Index(_) => (argument(Role::Index(dimension)), 1),
                    Subscript::Section { .. } | Subscript::Triplet { .. } => {
                        let length = argument(Role::Length(dimension));
                        let length = self.cached_length(base, length)?;
                        (argument(Role::Lower(dimension)), length)
                    }
                };
                self.check_cached_place(first, length, shape[dimension])?;
            }
        }
        self.note_cache();
        Ok(())
    }

    fn note_cache(&self) {
        let around = self.function.block.deref(self.ctx).get_parent_op(self.ctx);
        if let Some(around) = around {
            self.hint(acc::HintKind::Cache, around);
        }
    }

    /// Says of `op` that nothing is made of something where we are.
    pub(super) fn hint(&self, kind: acc::HintKind, op: Ptr<Operation>) {
        let line = line_column(&self.location).map_or(0, |(line, _)| line);
        acc::add_hint(self.ctx, op, acc::Hint { kind, line });
    }

    fn cached_length(&mut self, base: NodeId, length: Option<NodeId>) -> Result<i128> {
        let Some(length) = length else {
            return Err(
                Stop::at(base, "the length of a subarray in `cache` is missing")
                    .help(FORM)
                    .section(RULE),
            );
        };
        match constant::integer(&mut self.types, length) {
            Some(value) if value > 0 => Ok(value),
            Some(_) | None => Err(Stop::at(
                length,
                "the length of a subarray in `cache` is a positive constant",
            )
            .help("write the number of elements that one iteration uses")
            .section(RULE)),
        }
    }

    /// Elements that are known are those of the array.
    fn check_cached_place(
        &mut self,
        first: Option<NodeId>,
        length: i128,
        dim: ShapeDim,
    ) -> Result<()> {
        if let Some(at) = first {
            self.expect_integer(at)?;
        }
        let extent = match dim {
            // Also of an array whose length is not known here.
            ShapeDim::Fixed(0) | ShapeDim::Pointer | ShapeDim::Variable => return Ok(()),
            ShapeDim::Fixed(extent) => i128::from(extent),
        };
        let Some(at) = first else {
            return Ok(());
        };
        match constant::integer(&mut self.types, at) {
            Some(first) if first < 0 || first + length > extent => Err(Stop::at(
                at,
                format!("what `cache` names leaves the array, which has {extent} elements here"),
            )
            .help(FORM)
            .section(RULE)),
            Some(_) | None => Ok(()),
        }
    }
}
