//! The functions that kernels call: how they have to be called, and what they do to memory.

use super::{
    modes::Mode,
    roots::{Root, root},
};
use accrue_abi::trip::Step;
use accrue_dialects::{
    core::{AddressOf, Call, Externs},
    par::{
        Fork, Level,
        declared::functions_of,
        kernel_of,
        kernels::{INNER_ITERATIONS, ITERATIONS, Iterations},
    },
};
use accrue_ir::{
    effects::{Effect, Effects, effects_of},
    walk::{nested_ops, ops_of_block},
};
use pliron::{
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::Context,
    op::Op,
    operation::Operation,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Which threads call a function together (OpenACC 3.4, section 2.15.1). What the function's own loops and the
/// functions it calls need decides, not the `routine` directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Each thread on its own.
    Seq,
    /// The lanes of a worker: there are vector loops.
    Vector,
    /// All threads of the block: there are gang or worker loops.
    Block,
}

impl Kind {
    /// The mode in which the function starts.
    pub fn mode(self) -> Mode {
        match self {
            Kind::Seq => Mode::LANE,
            Kind::Vector => Mode::WORKER,
            Kind::Block => Mode::BLOCK,
        }
    }
}

/// What a function may do to memory that is not its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    pub reads: bool,
    pub writes: bool,
}

/// What is known of a function of the unit.
pub struct Callee {
    pub function: FuncOp,
    pub kind: Kind,
    pub touches: Touches,
    /// Levels of the loops in it and in what it calls.
    pub levels: Levels,
    /// How many iterations its own loops over lanes alone have at most, if that is known.
    pub lane_iterations: Option<u64>,
    /// The functions of the unit that it calls.
    pub calls: Vec<String>,
}

/// Levels of loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    pub gang: bool,
    pub worker: bool,
    pub vector: bool,
}

impl Levels {
    fn kind(self) -> Kind {
        match (self.gang || self.worker, self.vector) {
            (true, _) => Kind::Block,
            (false, true) => Kind::Vector,
            (false, false) => Kind::Seq,
        }
    }

    fn add(&mut self, other: Levels) {
        self.gang |= other.gang;
        self.worker |= other.worker;
        self.vector |= other.vector;
    }
}

/// All functions of a unit, by name.
pub struct Calls {
    callees: BTreeMap<String, Callee>,
    externs: Externs,
}

impl Calls {
    pub fn new(ctx: &Context, module: ModuleOp) -> Self {
        let ops = ops_of_block(ctx, module.get_body(ctx, 0));
        let functions = ops
            .into_iter()
            .filter_map(|op| Operation::get_op::<FuncOp>(op, ctx));
        let functions: BTreeMap<String, FuncOp> = functions
            .map(|f| (f.get_symbol_name(ctx).to_string(), f))
            .collect();
        let externs = Externs::of_module(ctx, module.get_operation());
        let callees = functions
            .iter()
            .map(|(name, f)| (name.clone(), alone(ctx, *f, &functions, &externs)))
            .collect();
        let mut all = Calls { callees, externs };
        all.spread();
        all
    }

    /// The functions from outside.
    pub fn externs(&self) -> &Externs {
        &self.externs
    }

    /// The function of that name, if the unit defines it.
    pub fn get(&self, name: &str) -> Option<&Callee> {
        self.callees.get(name)
    }

    /// Lets callers have what their callees do. A function is looked at again when it has got something new, which its
    /// callers get too.
    fn spread(&mut self) {
        let mut callers: HashMap<String, Vec<String>> = HashMap::new();
        for (name, callee) in &self.callees {
            for called in &callee.calls {
                callers
                    .entry(called.clone())
                    .or_default()
                    .push(name.clone());
            }
        }
        let mut open: Vec<String> = self.callees.keys().cloned().collect();
        while let Some(name) = open.pop() {
            let Some((touches, levels)) = self.callees.get(&name).map(|c| (c.touches, c.levels))
            else {
                continue;
            };
            for caller in callers.get(&name).into_iter().flatten() {
                let Some(callee) = self.callees.get_mut(caller) else {
                    continue;
                };
                let before = (callee.touches, callee.levels);
                callee.touches.reads |= touches.reads;
                callee.touches.writes |= touches.writes;
                callee.levels.add(levels);
                callee.kind = callee.levels.kind();
                if before != (callee.touches, callee.levels) {
                    open.push(caller.clone());
                }
            }
        }
    }

    /// What a call of `name` may do to memory.
    pub fn touches(&self, name: &str) -> Touches {
        match self.callees.get(name) {
            Some(callee) => callee.touches,
            None if self.externs.traits(name).pure => Touches::default(),
            None => Touches {
                reads: true,
                writes: true,
            },
        }
    }

    /// How a function of that name is called.
    pub fn kind(&self, name: &str) -> Kind {
        self.callees.get(name).map_or(Kind::Seq, |c| c.kind)
    }

    /// The functions of the unit that `name` calls, directly or not, callers first.
    pub fn reached(&self, name: &str) -> Vec<String> {
        let mut found: Vec<String> = vec![];
        let mut seen = HashSet::new();
        let mut open = vec![name];
        while let Some(caller) = open.pop() {
            let Some(callee) = self.callees.get(caller) else {
                continue;
            };
            for name in callee.calls.iter().rev() {
                if seen.insert(name) {
                    found.push(name.clone());
                    open.push(name);
                }
            }
        }
        found
    }
}

/// How many iterations the loops over lanes alone have at most, if none of `function`'s is over gangs and lanes at once.
fn lane_iterations(ctx: &Context, function: FuncOp) -> Option<u64> {
    let op = function.get_operation();
    if ITERATIONS.get(ctx, op).and_then(Iterations::known)?.vector {
        return None;
    }
    match INNER_ITERATIONS
        .get(ctx, op)
        .and_then(Iterations::known)?
        .steps
        .0[..]
    {
        [Step::Constant(count)] => u64::try_from(count).ok(),
        _ => None,
    }
}

/// What a function does by itself; calls of the unit's functions are added later.
fn alone(
    ctx: &Context,
    function: FuncOp,
    functions: &BTreeMap<String, FuncOp>,
    externs: &Externs,
) -> Callee {
    let mut callee = Callee {
        function,
        kind: Kind::Seq,
        touches: Touches::default(),
        levels: Levels::default(),
        lane_iterations: lane_iterations(ctx, function),
        calls: vec![],
    };
    for op in nested_ops(ctx, function.get_operation()) {
        if let Some(fork) = Operation::get_op::<Fork>(op, ctx) {
            match fork.level(ctx) {
                Level::Gang => callee.levels.gang = true,
                Level::Worker => callee.levels.worker = true,
                Level::Vector => callee.levels.vector = true,
            }
        }
        let call = Operation::get_op::<Call>(op, ctx).map(|c| c.callee(ctx));
        let address = Operation::get_op::<AddressOf>(op, ctx).map(|a| a.symbol(ctx));
        let reduced = functions_of(ctx, op);
        for name in call.iter().chain(&address).chain(&reduced) {
            let own = functions.get(name);
            if own.is_some_and(|f| kernel_of(ctx, f).is_none()) && !callee.calls.contains(name) {
                callee.calls.push(name.clone());
            }
        }
        if let Some(name) = call
            && !functions.contains_key(&name)
            && !externs.traits(&name).pure
        {
            callee.touches = Touches {
                reads: true,
                writes: true,
            };
        }
        // What a call touches is what its callee does.
        let effects = match Operation::is_op::<Call>(op, ctx) {
            true => Effects::None,
            false => effects_of(ctx, op),
        };
        for effect in effects.expected() {
            let foreign = |address: Option<_>| {
                address.is_none_or(|a| !matches!(root(ctx, a), Root::Variable(_)))
            };
            match *effect {
                Effect::Read(address) => callee.touches.reads |= foreign(address),
                Effect::Write(address) | Effect::Free(address) => {
                    callee.touches.writes |= foreign(address);
                }
                Effect::Alloc | Effect::Structure | Effect::Convergent => {}
            }
        }
    }
    callee.kind = callee.levels.kind();
    callee
}
