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
use super::directive::View;
use super::functions::Module;
use super::state::{Nest, Result};
use accrue_dialects::acc::{self, ComputeOp, RegionOp};
use accrue_directives::{ClauseArgs, DefaultValue, DirectiveKind};
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;

/// True for compute constructs, combined ones included.
pub fn is_compute(kind: DirectiveKind) -> bool {
    matches!(
        kind,
        DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
    )
}

/// True for combined constructs.
pub fn is_combined(kind: DirectiveKind) -> bool {
    matches!(
        kind,
        DirectiveKind::ParallelLoop | DirectiveKind::SerialLoop | DirectiveKind::KernelsLoop
    )
}

impl Module<'_> {
    /// A compute construct.
    pub fn compute(&mut self, view: &View<'_>) -> Result<()> {
        let ordinal = view.ordinal();
        match view.kind() {
            DirectiveKind::Serial | DirectiveKind::SerialLoop => {
                let (op, block) = acc::Serial::new(self.ctx, ordinal);
                self.compute_op(view, op, block, false)
            }
            DirectiveKind::Kernels | DirectiveKind::KernelsLoop => {
                let (op, block) = acc::Kernels::new(self.ctx, ordinal);
                self.compute_op(view, op, block, true)
            }
            _ => {
                let (op, block) = acc::Parallel::new(self.ctx, ordinal);
                self.compute_op(view, op, block, false)
            }
        }
    }

    fn compute_op<T: ComputeOp + Copy>(
        &mut self,
        view: &View<'_>,
        op: T,
        block: Ptr<BasicBlock>,
        is_kernels: bool,
    ) -> Result<()> {
        let combined = is_combined(view.kind());
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
        let was_kernels = std::mem::replace(&mut self.function.in_kernels, is_kernels);
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
        self.function.in_kernels = was_kernels;
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

    /// `data` and `host_data`: their statement is the host's.
    pub fn data_construct(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Data)?;
        let block = if view.kind() == DirectiveKind::Data {
            let (op, block) = acc::Data::new(self.ctx, view.ordinal());
            self.operands(view, &op)?;
            self.default_clause(view, &op);
            self.add_entries(&op, &entries);
            self.emit(op);
            block
        } else {
            let (op, block) = acc::HostData::new(self.ctx, view.ordinal());
            self.operands(view, &op)?;
            self.add_entries(&op, &entries);
            self.emit(op);
            block
        };
        let statement = view.statement()?;
        self.function.nest.push(Nest::Construct);
        let imported = self.in_block(block, |this| {
            this.statement(statement);
            let end = acc::Yield::new(this.ctx);
            this.terminate(end);
            Ok(())
        });
        self.function.nest.pop();
        imported?;
        self.locate(view.at);
        self.exits(entries);
        Ok(())
    }
}
