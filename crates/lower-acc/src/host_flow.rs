//! Where the host's code reads a variable behind a construct, before it assigns it again.
//!
//! ```text
//! while (error > tol) {        ← reads it: from the end of the body, the path leads to the condition
//!     error = 0;
//!     #pragma acc parallel …
//! }
//! ```
//!
//! The IR is structured, so that a walk over operations and regions sees all paths; `break` and `continue` are followed. A path
//! ends where the variable is assigned, or may be: where its address is passed on, at calls that may write to it, and at
//! host code that is not understood. What is found is a read for certain.
//!
//! Cost: for each variable its uses, and the jumps and calls of the function; what is known of a region is kept.

use accrue_dialects::{
    acc::{AccOp, ComputeOp, DataClause, DataOp, Group, as_data_info},
    core::{Load, Loop, Store, Switch},
    flow::Flow,
};
use accrue_ir::walk;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    region::Region,
    value::Value,
};

use std::{cell::RefCell, collections::HashMap};

use crate::host_code::{HostCode, Steps};
use accrue_opt::analysis::variables::{Root, root_of};

/// What becomes of a variable's value on the paths from one point to others.
#[derive(Clone, Copy, Default)]
struct Paths {
    /// A read of it.
    read: Option<Ptr<Operation>>,
    /// Whether it may still be there at the end of the code, and where the code is left by `break` and `continue`.
    falls: bool,
    breaks: bool,
    continues: bool,
}

impl Paths {
    const GOES_ON: Paths = Paths {
        read: None,
        falls: true,
        breaks: false,
        continues: false,
    };

    const ENDS: Paths = Paths {
        falls: false,
        ..Paths::GOES_ON
    };

    /// One or the other.
    fn or(self, other: Paths) -> Paths {
        Paths {
            read: self.read.or(other.read),
            falls: self.falls || other.falls,
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
        }
    }

    /// Behind what `break` leaves.
    fn left(self) -> Paths {
        Paths {
            falls: self.falls || self.breaks,
            breaks: false,
            ..self
        }
    }

    /// One after the other.
    fn then(self, next: impl FnOnce() -> Paths) -> Paths {
        if self.read.is_some() || !self.falls {
            return self;
        }
        Paths {
            falls: false,
            ..self
        }
        .or(next())
    }
}

/// A function's code, as one variable sees it.
pub struct HostFlow<'a> {
    ctx: &'a Context,
    code: &'a HostCode,
    root: Root,
    /// Calls may write to the variable: it is a global, or its address went somewhere.
    known_elsewhere: bool,
    steps: Steps,
    /// For each region what happens from each of its steps on, and from behind the last.
    known: RefCell<HashMap<Ptr<Region>, Vec<Paths>>>,
}

impl<'a> HostFlow<'a> {
    pub fn new(ctx: &'a Context, code: &'a HostCode, root: Root) -> Self {
        let known_elsewhere = match &root {
            Root::Local(alloca) => is_known_elsewhere(ctx, *alloca),
            Root::Global(_) => true,
        };
        HostFlow {
            steps: code.steps(ctx, &root, known_elsewhere),
            ctx,
            code,
            root,
            known_elsewhere,
            known: RefCell::default(),
        }
    }

    /// The first read of the variable on a path from the end of `op`.
    pub fn read_behind(&self, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
        let mut paths = Paths::GOES_ON;
        let mut at = op;
        loop {
            paths = paths.then(|| self.rest(at));
            let around = at.deref(self.ctx).get_parent_op(self.ctx)?;
            let nowhere = !(paths.falls || paths.breaks || paths.continues);
            if paths.read.is_some() || nowhere || Operation::is_op::<FuncOp>(around, self.ctx) {
                return paths.read;
            }
            paths = self.out_of(around, at, paths);
            at = around;
        }
    }

    /// From behind `op` to the end of its region.
    fn rest(&self, op: Ptr<Operation>) -> Paths {
        let Some(region) = op.deref(self.ctx).get_parent_region(self.ctx) else {
            return Paths::GOES_ON;
        };
        let place = self.code.place(op);
        let steps = self.steps.get(&region).map_or(&[][..], Vec::as_slice);
        let behind = steps.partition_point(|step| self.code.place(*step) <= place);
        self.from(region, behind)
    }

    /// From the end of the region of `around` that `at` is in to the end of `around`.
    fn out_of(&self, around: Ptr<Operation>, at: Ptr<Operation>, inside: Paths) -> Paths {
        let ctx = self.ctx;
        match Flow::of(ctx, around) {
            Flow::Loop(_) => self.next_iterations(around, inside),
            Flow::Switch(_) => {
                // The cases behind, which one may fall into.
                let own = at.deref(ctx).get_parent_region(ctx);
                let regions = walk::regions_of(ctx, around);
                let behind: Vec<_> = regions
                    .into_iter()
                    .skip_while(|r| Some(*r) != own)
                    .collect();
                inside
                    .then(|| self.cases_from(behind.get(1..).unwrap_or_default()))
                    .left()
            }
            Flow::If(_) | Flow::For(_) | Flow::Shared | Flow::Once | Flow::Next => inside,
            Flow::Yield | Flow::Break | Flow::Continue | Flow::Return => inside,
        }
    }

    /// From the end of the body of a C loop through its next iterations.
    fn next_iterations(&self, lp: Ptr<Operation>, inside: Paths) -> Paths {
        let regions = walk::regions_of(self.ctx, lp);
        let [cond, body, step] = regions.as_slice() else {
            return inside;
        };
        let around = Paths {
            falls: inside.falls || inside.continues,
            breaks: false,
            continues: false,
            ..inside
        };
        let tested = around
            .then(|| self.region(*step))
            .then(|| self.region(*cond));
        let again = tested.then(|| self.region(*body));
        Paths {
            read: again.read,
            falls: inside.breaks || tested.falls || again.breaks,
            breaks: false,
            continues: false,
        }
    }

    /// From the start of the first of the cases; each falls into the next one.
    fn cases_from(&self, cases: &[Ptr<Region>]) -> Paths {
        cases.iter().fold(Paths::GOES_ON, |paths, case| {
            paths.then(|| self.region(*case))
        })
    }

    fn of_switch(&self, switch: Switch, cases: &[Ptr<Region>]) -> Paths {
        let has_default = switch.cases(self.ctx).iter().any(|case| case.default);
        let mut all = match has_default {
            true => Paths::ENDS,
            false => Paths::GOES_ON,
        };
        let mut behind = Paths::GOES_ON;
        for case in cases.iter().rev() {
            behind = self.region(*case).then(|| behind);
            all = all.or(behind);
        }
        all.left()
    }

    fn region(&self, region: Ptr<Region>) -> Paths {
        self.from(region, 0)
    }

    /// From step `first` of the region to its end.
    fn from(&self, region: Ptr<Region>, first: usize) -> Paths {
        let Some(steps) = self.steps.get(&region) else {
            return Paths::GOES_ON;
        };
        if let Some(known) = self.known.borrow().get(&region) {
            return known.get(first).copied().unwrap_or(Paths::GOES_ON);
        }
        let mut paths = vec![Paths::GOES_ON];
        let mut behind = Paths::GOES_ON;
        for step in steps.iter().rev() {
            behind = self.of(*step).then(|| behind);
            paths.push(behind);
        }
        paths.reverse();
        let found = paths.get(first).copied().unwrap_or(Paths::GOES_ON);
        self.known.borrow_mut().insert(region, paths);
        found
    }

    fn of(&self, op: Ptr<Operation>) -> Paths {
        let ctx = self.ctx;
        if let Some(paths) = self.of_access(op) {
            return paths;
        }
        let regions = walk::regions_of(ctx, op);
        let any = || {
            let all = regions.iter().map(|r| self.region(*r));
            all.fold(Paths::ENDS, Paths::or)
        };
        match Flow::of(ctx, op) {
            Flow::Return => Paths::ENDS,
            Flow::Break => Paths {
                breaks: true,
                ..Paths::ENDS
            },
            Flow::Continue => Paths {
                continues: true,
                ..Paths::ENDS
            },
            Flow::If(_) => any(),
            Flow::Loop(lp) => self.of_loop(lp, &regions),
            Flow::Switch(switch) => self.of_switch(switch, &regions),
            Flow::Once => match implicit(ctx, op) {
                None => any(),
                // With an implicit attribute the region decides whether it reads the host's variable; clauses have said
                // above what they do.
                Some(copied) => Paths {
                    read: any().read.filter(|_| copied.contains(&self.root)),
                    ..Paths::GOES_ON
                },
            },
            // Loops that may not run.
            Flow::For(_) | Flow::Shared | Flow::Next | Flow::Yield => Paths {
                read: any().read,
                ..Paths::GOES_ON
            },
        }
    }

    /// An operation that accesses the variable itself.
    fn of_access(&self, op: Ptr<Operation>) -> Option<Paths> {
        let ctx = self.ctx;
        let read = Paths {
            read: Some(op),
            ..Paths::GOES_ON
        };
        if let Some(store) = Operation::get_op::<Store>(op, ctx)
            && self.is_variable(store.get_operand_address(ctx))
        {
            return Some(Paths::ENDS);
        }
        let mentions = walk::operands_of(ctx, op)
            .into_iter()
            .any(|v| self.is_variable(v));
        let is_data = as_data_info(ctx, op);
        if let (true, Some(info)) = (mentions, is_data) {
            // What the host's variable holds goes to the device, comes from there, or is not touched.
            return Some(match transfer(ctx, op) {
                Transfer::ToHost => Paths::ENDS,
                Transfer::ToDevice => read,
                Transfer::IfWritten if !info.implicit => read,
                Transfer::IfWritten | Transfer::None => Paths::GOES_ON,
            });
        }
        if mentions {
            return Some(match Operation::is_op::<Load>(op, ctx) {
                true => read,
                false => Paths::ENDS,
            });
        }
        (self.known_elsewhere && self.code.may_write_elsewhere(op)).then_some(Paths::ENDS)
    }

    fn is_variable(&self, value: Value) -> bool {
        match &self.root {
            Root::Local(alloca) => value == *alloca,
            Root::Global(_) => root_of(self.ctx, value).as_ref() == Some(&self.root),
        }
    }

    /// A C loop: the condition comes first, or last; `continue` leads to the step, `break` behind the loop.
    fn of_loop(&self, lp: Loop, regions: &[Ptr<Region>]) -> Paths {
        let [cond, body, step] = regions else {
            return Paths::GOES_ON;
        };
        let first = match lp.tests_last(self.ctx) {
            true => Paths::GOES_ON,
            false => self.region(*cond),
        };
        let once = first.then(|| self.region(*body));
        let tested = Paths {
            falls: once.falls || once.continues,
            ..once
        }
        .then(|| self.region(*step))
        .then(|| self.region(*cond));
        Paths {
            read: tested.read,
            falls: tested.falls || once.breaks || (first.falls && !lp.tests_last(self.ctx)),
            breaks: false,
            continues: false,
        }
    }
}

/// What a clause does with the value of the host's variable.
enum Transfer {
    ToHost,
    ToDevice,
    /// To the device, if a user wrote the clause. Otherwise the region decides.
    IfWritten,
    None,
}

fn transfer(ctx: &Context, op: Ptr<Operation>) -> Transfer {
    let Some(op) = AccOp::of(ctx, op) else {
        return Transfer::None;
    };
    match op {
        AccOp::Copyout(_) | AccOp::UpdateSelf(_) => Transfer::ToHost,
        AccOp::UpdateDevice(_) | AccOp::Reduction(_) => Transfer::ToDevice,
        AccOp::Copyin(_) | AccOp::Firstprivate(_) | AccOp::Pointer(_) => Transfer::IfWritten,
        AccOp::Create(_)
        | AccOp::Present(_)
        | AccOp::Nocreate(_)
        | AccOp::Deviceptr(_)
        | AccOp::Attach(_)
        | AccOp::UseDevice(_)
        | AccOp::Private(_)
        | AccOp::DeclareDeviceResident(_)
        | AccOp::DeclareLink(_)
        | AccOp::GetDeviceptr(_)
        | AccOp::Delete(_)
        | AccOp::Detach(_) => Transfer::None,
        AccOp::Parallel(_) | AccOp::Serial(_) | AccOp::Kernels(_) | AccOp::Loop(_) => {
            Transfer::None
        }
        AccOp::Data(_) | AccOp::HostData(_) | AccOp::EnterData(_) | AccOp::ExitData(_) => {
            Transfer::None
        }
        AccOp::Update(_) | AccOp::Wait(_) | AccOp::Init(_) | AccOp::Shutdown(_) | AccOp::Set(_) => {
            Transfer::None
        }
        AccOp::DeclareEnter(_) | AccOp::DeclareExit(_) => Transfer::None,
        AccOp::GlobalCtor(_) | AccOp::GlobalDtor(_) => Transfer::None,
        AccOp::Bounds(_) | AccOp::Yield(_) => Transfer::None,
    }
}

/// The variables that a compute construct gets from the host without a clause; `None` if `op` is another directive.
fn implicit(ctx: &Context, op: Ptr<Operation>) -> Option<Vec<Root>> {
    let object = Operation::get_op_dyn(op, ctx);
    let construct = op_cast::<dyn ComputeOp>(&*object)?;
    let mut entries = construct.clause(ctx, Group::Data);
    entries.extend(construct.clause(ctx, Group::Firstprivate));
    let root = |entry: Value| {
        let object = Operation::get_op_dyn(entry.defining_op()?, ctx);
        let data = op_cast::<dyn DataOp>(&*object)?;
        let given = match data.info(ctx).clause {
            DataClause::Copy
            | DataClause::Copyin
            | DataClause::Firstprivate
            | DataClause::Pointer => true,
            DataClause::Copyout
            | DataClause::Create
            | DataClause::NoCreate
            | DataClause::Present
            | DataClause::Deviceptr
            | DataClause::Attach
            | DataClause::Detach
            | DataClause::Delete
            | DataClause::UseDevice
            | DataClause::UpdateSelf
            | DataClause::UpdateDevice
            | DataClause::Private
            | DataClause::DeviceResident
            | DataClause::Link
            | DataClause::Reduction => false,
        };
        let root = root_of(ctx, data.var(ctx)?)?;
        (given && data.info(ctx).implicit).then_some(root)
    };
    Some(entries.into_iter().filter_map(root).collect())
}

/// Whether the address of a local goes anywhere but to loads, stores and data clauses.
fn is_known_elsewhere(ctx: &Context, alloca: Value) -> bool {
    alloca.uses(ctx).into_iter().any(|used| {
        let op = used.user_op();
        let stored = Operation::get_op::<Store>(op, ctx);
        let plain = stored.is_some_and(|s| s.get_operand_value(ctx) != alloca)
            || Operation::is_op::<Load>(op, ctx)
            || as_data_info(ctx, op).is_some();
        !plain
    })
}
