//! What threads of a region do that are told apart: the routines that ask for their numbers, and the statements that one of them runs.
//!
//! ```text
//! #pragma omp single                     %0 = omp.query ThreadNum
//! s;                                     core.if %0 == 0 { s; }
//!                                →       omp.barrier
//! #pragma omp masked filter(n)           core.if %0 == n { s; }
//! s;
//! ```

use super::condition_of;
use crate::ast::node::NodeId;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, ClauseOp, Group};
use accrue_dialects::core::{self, CastKind, CmpKind, fold::constant};
use accrue_dialects::omp::{Asked, Barrier, Query};
use accrue_directives::omp::{ClauseKind, Directive, Leaf};
use pliron::r#type::Typed;
use pliron::value::Value;

/// How many threads `parallel` has if no clause says it.
const THREADS: i128 = 128;

/// Routines whose effect no region can see: what they set is what it is, or what nothing there asks for.
const WITHOUT_EFFECT: [&str; 6] = [
    "omp_set_dynamic",
    "omp_set_nested",
    "omp_set_max_active_levels",
    "omp_set_schedule",
    "omp_set_default_allocator",
    "omp_destroy_allocator",
];

/// Routines that give an allocator. Which memory it is, the compiler chooses: all are `omp_default_mem_alloc`.
const ALLOCATORS: [&str; 2] = ["omp_init_allocator", "omp_get_default_allocator"];
const DEFAULT_ALLOCATOR: i128 = 1;

/// Routines about all devices, which are the host's.
const OF_HOST: [&str; 3] = [
    "omp_get_num_devices",
    "omp_get_initial_device",
    "omp_set_default_device",
];

/// Routines with the same answer wherever they are called on a device.
const ANSWERS: [(&str, i128); 12] = [
    // As many as threads of a team, by default.
    ("omp_get_num_procs", THREADS),
    ("omp_get_num_places", 0),
    ("omp_get_place_num", -1),
    ("omp_get_proc_bind", 0),
    ("omp_get_max_task_priority", 0),
    ("omp_get_max_teams", 128),
    // No limit but that of a clause.
    ("omp_get_teams_thread_limit", 0),
    ("omp_get_dynamic", 0),
    ("omp_get_nested", 0),
    ("omp_get_cancellation", 0),
    ("omp_get_max_active_levels", 1),
    ("omp_get_supported_active_levels", 1),
];

impl Module<'_> {
    /// The answer of a routine of `omp.h` that devices do not have: the host's would be about the host.
    pub(in crate::import) fn openmp_routine(
        &mut self,
        expression: NodeId,
        name: &str,
    ) -> Result<Option<Value>> {
        if WITHOUT_EFFECT.contains(&name) {
            self.arguments(expression)?;
            return Ok(None);
        }
        if ALLOCATORS.contains(&name) {
            self.arguments(expression)?;
            let handle = self.ir_type_of(expression)?;
            let width = core::int_width(self.ctx, handle).unwrap_or(64);
            return Ok(Some(self.constant(width, DEFAULT_ALLOCATOR)));
        }
        let asked = match name {
            "omp_get_thread_num" => Some(Asked::ThreadNum),
            "omp_get_num_threads" => Some(Asked::NumThreads),
            "omp_get_team_num" => Some(Asked::TeamNum),
            "omp_get_num_teams" => Some(Asked::NumTeams),
            // Of nested threads there is one.
            "omp_in_parallel" | "omp_get_active_level" => Some(Asked::InParallel),
            "omp_get_level" => Some(Asked::Level),
            "omp_get_max_threads" => Some(Asked::MaxThreads),
            "omp_get_thread_limit" => Some(Asked::ThreadLimit),
            _ => None,
        };
        match asked {
            Some(asked) => {
                let op = Query::new(self.ctx, asked);
                Ok(Some(self.emit_value(op)))
            }
            None if let Some((_, answer)) = ANSWERS.iter().find(|(it, _)| *it == name) => {
                Ok(Some(self.constant(32, *answer)))
            }
            None => Err(Stop::at(
                expression,
                format!("`{name}` in a region of `target` is not supported yet"),
            )
            .help(match OF_HOST.contains(&name) {
                true => "call it in front of the region",
                false => "compute what is needed from the counters of the loops",
            })
            .openmp("18.1")),
        }
    }

    /// `single`.
    pub(super) fn omp_single(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let statement = view.statement()?;
        let passed = self.passed(view, omp)?;
        self.one_thread(view, omp, |this| {
            this.with_own(|this| {
                this.own_named(view, omp)?;
                this.statement(statement);
                this.pass_on(&passed)
            })
        })?;
        if !omp.has(ClauseKind::Nowait) {
            let op = Barrier::new(self.ctx);
            self.emit(op);
        }
        self.fetch(&passed)
    }

    /// One thread runs what `body` imports: the first, or that of a `filter` clause.
    pub(super) fn one_thread(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let filter = omp.clauses_of(ClauseKind::Filter).next();
        let filter =
            filter.and_then(|(index, _)| view.argument(Owner::Clause(index), 0, Role::Value));
        let runner = match filter {
            Some(expression) => {
                let value = self.integer_operand(expression)?;
                self.as_i64(value)
            }
            None => self.constant(64, 0),
        };
        let op = Query::new(self.ctx, Asked::ThreadNum);
        let thread = self.emit_value(op);
        let thread = self.as_i64(thread);
        let op = core::Cmp::new(self.ctx, CmpKind::Eq, thread, runner);
        let is_it = self.emit_value(op);
        let (op, yes, no) = core::If::new(self.ctx, is_it, vec![]);
        self.emit(op);
        self.in_yielding_block(yes, body)?;
        self.in_yielding_block(no, |_| Ok(()))
    }

    /// The number of threads of a `parallel` with an `if` clause: one where that is false.
    pub(super) fn threads_if<T: ClauseOp>(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        op: &T,
    ) -> Result<()> {
        self.conditions_are_known(view, omp)?;
        let mut threads = self.constant(64, THREADS);
        if let Some((index, _)) = omp.clauses_of(ClauseKind::NumThreads).next()
            && let Some(expression) = view.argument(Owner::Clause(index), 0, Role::Value)
        {
            let value = self.integer_operand(expression)?;
            threads = self.as_i64(value);
        }
        let one = self.constant(64, 1);
        for (index, clause) in omp.clauses_of(ClauseKind::If) {
            if condition_of(view, omp, clause) != Some(Leaf::Parallel) {
                continue;
            }
            let Some(expression) = view.argument(Owner::Clause(index), 0, Role::Condition) else {
                continue;
            };
            let condition = self.condition_or_opaque(expression)?;
            threads = match constant(self.ctx, condition) {
                Some(0) => one,
                Some(_) => threads,
                None => {
                    let op = core::Select::new(self.ctx, condition, threads, one);
                    self.emit_value(op)
                }
            };
        }
        let unwritten = acc::Expression::Unwritten;
        let any = acc::DeviceType::None;
        acc::push_expression(op, self.ctx, Group::NumThreads, threads, any, unwritten);
        Ok(())
    }

    fn as_i64(&mut self, value: Value) -> Value {
        let wide = core::int(self.ctx, 64);
        match core::int_width(self.ctx, value.get_type(self.ctx)) {
            Some(width) if width < 64 => {
                let op = core::Cast::new(self.ctx, CastKind::SExt, value, wide);
                self.emit_value(op)
            }
            Some(_) | None => value,
        }
    }
}
