//! Subscripts of a variable in a clause to bounds (OpenACC 3.4, section 2.7.1).
//!
//! ```text
//! a[i][2:n]     →     acc.bounds i extent 1, acc.bounds 2 extent n
//! ```

use super::directive::View;
use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::constant;
use crate::ast::node::NodeId;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc;
use accrue_directives::{Subscript, Var};
use pliron::value::Value;

impl Module<'_> {
    /// The bounds that the subscripts of a variable say.
    pub(super) fn bounds(
        &mut self,
        view: &View<'_>,
        owner: Owner,
        item: usize,
        var: &Var,
    ) -> Result<Vec<Value>> {
        let mut bounds = Vec::new();
        for (dimension, subscript) in var.subscripts.iter().enumerate() {
            let (lower, extent, stride) = match subscript {
                Subscript::Index(_) => {
                    let lower = self.bound(view.argument(owner, item, Role::Index(dimension)))?;
                    (lower, Some(self.constant(64, 1)), None)
                }
                Subscript::Section { .. } => {
                    let lower = self.bound(view.argument(owner, item, Role::Lower(dimension)))?;
                    let extent = self.bound(view.argument(owner, item, Role::Length(dimension)))?;
                    let stride = view.argument(owner, item, Role::Stride(dimension));
                    if let Some(at) = stride
                        && constant::integer(&mut self.types, at).is_some_and(|it| it <= 0)
                    {
                        return Err(Stop::at(at, "the stride of a section must be positive")
                            .help(
                                "write `[first:length:stride]`, the first element being the lowest",
                            )
                            .openmp("3.2.5"));
                    }
                    let stride = self.bound(stride)?;
                    (lower, extent, stride)
                }
                Subscript::Triplet { .. } => {
                    return Err(Stop::at(view.at, "a triplet is Fortran's").section("2.7.1"));
                }
            };
            let op = acc::Bounds::with_stride(self.ctx, lower, extent, stride);
            bounds.push(self.emit_value(op));
        }
        Ok(bounds)
    }

    fn bound(&mut self, expression: Option<NodeId>) -> Result<Option<Value>> {
        let Some(expression) = expression else {
            return Ok(None);
        };
        let value = self.integer_operand(expression)?;
        let ty = self.type_of(expression)?;
        Ok(Some(self.widen_index(value, ty)))
    }
}
