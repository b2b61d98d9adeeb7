//! Compute constructs and structured data constructs (OpenACC 3.4, sections 2.5, 2.6.5, 2.8, 2.11).
//!
//! ```text
//! entry operations of the data clauses
//! acc.parallel operands { the statement; acc.yield }
//! exit operations
//! ```
//! A combined construct is the compute construct with the `acc.loop` in it; each clause goes to the
//! half it belongs to.

use super::data_clauses::Use;
use super::directive::{View, has_clause};
use super::functions::Module;
use super::state::{Nest, Result};
use accrue_dialects::acc::{self, ComputeOp, RegionOp};
use accrue_directives::{ClauseArgs, ClauseKind, DefaultValue};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;

/// The three compute constructs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compute {
    /// Section 2.5.1.
    Parallel,
    /// Section 2.5.2.
    Serial,
    /// Section 2.5.3.
    Kernels,
}

impl Module<'_> {
    /// A compute construct, perhaps combined with `loop`.
    pub fn compute(&mut self, view: &View<'_>, kind: Compute, combined: bool) -> Result<()> {
        let ordinal = view.ordinal();
        let offered = self.function.offers_loops;
        let around = self.function.compute.replace(kind);
        self.function.offers_loops = kind == Compute::Kernels;
        let in_loop = std::mem::replace(&mut self.function.in_loop, false);
        let imported = match kind {
            Compute::Parallel => {
                let (op, block) = acc::Parallel::new(self.ctx, ordinal);
                self.compute_op(view, op, block, combined)
            }
            Compute::Serial => {
                let (op, block) = acc::Serial::new(self.ctx, ordinal);
                self.compute_op(view, op, block, combined)
            }
            Compute::Kernels => {
                let (op, block) = acc::Kernels::new(self.ctx, ordinal);
                self.compute_op(view, op, block, combined)
            }
        };
        self.function.in_loop = in_loop;
        self.function.offers_loops = offered;
        self.function.compute = around;
        imported
    }

    fn compute_op<T: ComputeOp + Copy>(
        &mut self,
        view: &View<'_>,
        op: T,
        block: Ptr<BasicBlock>,
        combined: bool,
    ) -> Result<()> {
        let entries = self.data_entries(view, Use::Compute { combined })?;
        self.operands(view, &op)?;
        self.default_clause(view, &op);
        if combined {
            op.set_combined(self.ctx);
        }
        self.add_entries(&op, &entries);
        self.emit(op);
        let outer = self.function.construct;
        self.function.constructs += 1;
        self.function.construct = self.function.constructs;
        self.function.nest.push(Nest::Construct);
        let imported = self.in_block(block, |this| {
            match combined {
                true => this.loop_construct(view)?,
                false => {
                    let statement = view.statement()?;
                    this.statement(statement);
                }
            }
            let end = acc::Yield::new(this.ctx);
            this.terminate(end);
            Ok(())
        });
        self.function.nest.pop();
        self.function.construct = outer;
        imported?;
        self.locate(view.at);
        self.exits(entries);
        Ok(())
    }

    fn default_clause<T: RegionOp>(&mut self, view: &View<'_>, op: &T) {
        for (_, clause) in view.clauses() {
            if let ClauseArgs::Default { value, .. } = clause.args {
                let value = match value {
                    DefaultValue::None => acc::DefaultClause::None,
                    DefaultValue::Present => acc::DefaultClause::Present,
                };
                op.set_default_clause(self.ctx, value);
            }
        }
    }

    /// `data`.
    pub fn data(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Data)?;
        let (op, block) = acc::Data::new(self.ctx, view.ordinal());
        self.operands(view, &op)?;
        self.default_clause(view, &op);
        self.add_entries(&op, &entries);
        self.emit(op);
        self.host_region(view, block)?;
        self.exits(entries);
        Ok(())
    }

    /// `host_data`.
    pub fn host_data(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Data)?;
        let (op, block) = acc::HostData::new(self.ctx, view.ordinal());
        self.operands(view, &op)?;
        if has_clause(view, ClauseKind::IfPresent) {
            op.set_if_present(self.ctx);
        }
        self.used_members(view)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        self.host_region(view, block)?;
        self.exits(entries);
        Ok(())
    }

    /// The statement of a data construct, which is the host's.
    pub(super) fn host_region(&mut self, view: &View<'_>, block: Ptr<BasicBlock>) -> Result<()> {
        let statement = view.statement()?;
        self.function.nest.push(Nest::Construct);
        let imported = self.in_block(block, |this| {
            this.statement(statement);
            let end = acc::Yield::new(this.ctx);
            this.terminate(end);
            Ok(())
        });
        self.function.nest.pop();
        self.locate(view.at);
        imported.map(|_| ())
    }
}
