//! Par level to par level: what is done to kernels whichever directive language they come from.
//!
//! | folder | holds |
//! | --- | --- |
//! | [`analysis`] | what passes ask about code; changes nothing |
//! | [`transform`] | passes for every target |
//! | [`reductions`] | from `par.reduce` to the reduction builtins, and their verifier |
//! | [`gpu`] | passes for GPUs only |
//!
//! The order of the passes is in the crate `pipeline`.

pub mod analysis;
pub mod diagnostic;
pub mod gpu;
pub mod reductions;
pub mod switches;
pub mod target;
pub mod transform;

use accrue_diag::Diagnostic;
use accrue_dialects::{core::For, par::kernels::VERSION};
use accrue_hostcall::{Site, Stretches};
use accrue_ir::walk::enclosing;
pub use diagnostic::{Region, Remark, Subject};
use diagnostic::{file_of, is_copy, position, region_of, subject_of};
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::collections::HashSet;
pub use switches::{Switch, Switches};
pub use target::{Distribution, Target};

/// One step of the way down.
pub struct Pass {
    /// Name on the command line (`accrue ir --after=NAME`).
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Changes the module; reports mistakes to the state.
    pub run: fn(&mut Context, ModuleOp, &mut State),
}

/// What the passes are told, and what they have to say. What one of them finds out for another stands in the IR, so that each
/// can be run by itself on the text that the one before it has printed.
#[derive(Default)]
pub struct State {
    pub target: Target,
    /// Mathematical operations stay as they are written where anything else would change bits of results.
    pub plain_math: bool,
    /// Mathematical functions may have other errors than the library's for one number (`-ffast-math`).
    pub fast_math: bool,
    /// What the user has switched off.
    pub off: Switches,
    /// Set by the pass `sites`, and read by none.
    pub sites: Vec<Site>,
    /// The same: where the host waits for synchronous constructs that it does not wait for one by one.
    pub stretches: Stretches,
    pub remarks: Vec<Remark>,
    pub warnings: Vec<Diagnostic>,
    /// The remarks made so far, so that none is made twice.
    pub remarked: HashSet<Remark>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The warning of a value that is computed and lost.
const LOST_VALUE: &str = "openacc-lost-value";

/// The warning of a reduction that has no clause.
const LEFT_OUT: &str = "openacc-left-out-reduction";

/// The warning of a place that iterations write at the same time.
const RACE: &str = "openacc-race";

impl State {
    /// Reports a mistake at `op`, once: what a clause becomes at entry and at exit has the same mistakes.
    pub fn error(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        message: String,
        section: &'static str,
        help: &str,
    ) {
        let mut diagnostic = accrue_ir::diagnostic::error_at(ctx, op, message);
        diagnostic.details.section = Some(section).filter(|section| !section.is_empty());
        diagnostic.details.help = Some(help.to_string()).filter(|help| !help.is_empty());
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Warns, once, that a value is lost between the first place and the second; each comes with what happens there.
    pub fn lost_value(
        &mut self,
        ctx: &Context,
        write: (Ptr<Operation>, &str),
        read: (Ptr<Operation>, &str),
        message: String,
        section: &'static str,
        help: &str,
    ) {
        self.warn(ctx, LOST_VALUE, write, read, message, section, help);
    }

    /// Warns, once, that the iterations of a loop, the second place, race for what they write at the first.
    pub fn race(
        &mut self,
        ctx: &Context,
        write: (Ptr<Operation>, &str),
        lp: (Ptr<Operation>, &str),
        message: String,
        section: &'static str,
        help: &str,
    ) {
        self.warn(ctx, RACE, write, lp, message, section, help);
    }

    /// Warns, once, that the loop at the second place reduces what it updates at the first, without a clause.
    pub fn left_out(
        &mut self,
        ctx: &Context,
        update: (Ptr<Operation>, &str),
        lp: (Ptr<Operation>, &str),
        message: String,
        section: &'static str,
        help: &str,
    ) {
        self.warn(ctx, LEFT_OUT, update, lp, message, section, help);
    }

    /// Warns, once, of what stands where it does not belong, and is taken for what it means elsewhere.
    pub fn misplaced(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        message: String,
        section: &'static str,
        help: &str,
    ) {
        let warning = accrue_ir::diagnostic::or_at(Diagnostic::warning(message), ctx, op)
            .section(section)
            .help(help);
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a message")]
    fn warn(
        &mut self,
        ctx: &Context,
        option: &'static str,
        (at, label): (Ptr<Operation>, &str),
        (other, related): (Ptr<Operation>, &str),
        message: String,
        section: &'static str,
        help: &str,
    ) {
        let warning = accrue_ir::diagnostic::or_at(Diagnostic::warning(message), ctx, at)
            .option(option)
            .label(label)
            .section(section)
            .help(help);
        let warning = match accrue_ir::diagnostic::place(ctx, other) {
            Some(place) => warning.related(place, related),
            None => warning,
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Remarks what became of something at `op`.
    pub fn remark(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        pass: &'static str,
        message: String,
    ) {
        self.remark_on(ctx, op, subject_of(ctx, op), pass, message);
    }

    /// Remarks what became of `subject` at `op`, once.
    pub fn remark_on(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        subject: Subject,
        pass: &'static str,
        message: String,
    ) {
        let function = enclosing::<FuncOp>(ctx, op).map_or(op, |f| f.get_operation());
        let added = Operation::get_op::<For>(op, ctx).is_some_and(|lp| lp.is_added(ctx));
        if added || is_copy(ctx, op) || VERSION.is_on(ctx, function) {
            return;
        }
        let (line, column) = position(ctx, op);
        let remark = Remark {
            message,
            file: file_of(ctx, op),
            line,
            column,
            pass,
            region: region_of(ctx, op),
            subject,
        };
        if line == 0 || self.remarked.insert(remark.clone()) {
            self.remarks.push(remark);
        }
    }
}
