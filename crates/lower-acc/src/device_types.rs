//! Pass `device-types`: settles what the clauses of loops and routines say on the target (OpenACC 3.4, section 2.4).
//!
//! ```text
//! gang, device_type(nvidia) seq            Target::Cpu: gang      Target::Gpu: seq
//! device_type(nvidia) vector, (*) seq      Target::Cpu: seq       Target::Gpu: vector
//! ```
//! Clauses for the target's own type hold; if there are none, those for `*`. Clauses without a type hold too, unless one
//! of those says the opposite.
//!
//! The passes behind it ask with [`applies`] whether a clause is there. Clauses of constructs with an argument
//! (`num_gangs`, `async` …) are evaluated by the host, which knows the device then.

use accrue_dialects::acc::{
    ClauseOp, DeviceType, DeviceTypes, Group, Loop, LoopClauses, Routine, foreign_routine_of,
    operands_with_devices, routine_of, set_foreign_routine, set_routine,
};
use accrue_dialects::core::{ExternFunc, fold::constant};
use accrue_ir::walk;
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::Context,
    op::Op,
    value::Value,
};

use accrue_opt::{State, Target};

/// Settles the clauses of all loops and routines.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        let clauses = lp.clauses(ctx);
        let LoopClauses {
            gang,
            worker,
            vector,
            seq,
            independent,
            auto,
            implicit,
        } = &clauses;
        let all = [gang, worker, vector, seq, independent, auto];
        // Levels contradict seq; of seq, independent and auto only one can hold.
        const SEQ: usize = 3;
        let contradicts =
            |k: usize, other: usize| k != other && (k == SEQ || other == SEQ || k.min(other) > SEQ);
        let [gang, worker, vector, seq, independent, auto] = settle(all, state.target, contradicts);
        let settled = LoopClauses {
            gang,
            worker,
            vector,
            seq,
            independent,
            auto,
            implicit: *implicit,
        };
        lp.set_clauses(ctx, settled);
    }
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        if let Some(routine) = routine_of(ctx, &func) {
            set_routine(ctx, &func, settled(&routine, state.target));
        }
    }
    for func in walk::directly_in::<ExternFunc>(ctx, module.get_operation()) {
        if let Some(routine) = foreign_routine_of(ctx, &func) {
            set_foreign_routine(ctx, &func, settled(&routine, state.target));
        }
    }
}

/// What the clauses of a routine say on the target.
fn settled(routine: &Routine, target: Target) -> Routine {
    let Routine {
        gang,
        dim_one,
        dim_two,
        dim_three,
        worker,
        vector,
        seq,
    } = routine;
    let all = [gang, worker, vector, seq];
    let [gang, worker, vector, seq] = settle(all, target, |k, other| k != other);
    let dims = [dim_one, dim_two, dim_three];
    let [dim_one, dim_two, dim_three] = settle(dims, target, |k, other| k != other);
    Routine {
        gang,
        dim_one,
        dim_two,
        dim_three,
        worker,
        vector,
        seq,
    }
}

/// Whether a clause is there for the target, once this pass has run.
pub fn applies(types: &DeviceTypes) -> bool {
    types.0.contains(&DeviceType::None)
}

/// Whether `num_gangs` of a construct, or the number in `gang` of a loop, says that there is one gang, on all devices.
pub fn says_one_gang(ctx: &Context, directive: &dyn ClauseOp, group: Group) -> bool {
    let sizes = operands_with_devices(directive, ctx, group);
    let one = |(size, device): &(Value, DeviceType)| {
        constant(ctx, *size) == Some(1) && *device == DeviceType::None
    };
    !sizes.is_empty() && sizes.iter().all(one)
}

/// What the clause behind an operand group of `directive` says on `target`, of several the closest.
pub fn argument(
    ctx: &Context,
    directive: &dyn ClauseOp,
    group: Group,
    target: Target,
) -> Option<Value> {
    let given = operands_with_devices(directive, ctx, group)
        .into_iter()
        .filter_map(|(value, device)| Some((closeness(device, target)?, value)));
    given
        .max_by_key(|(closeness, _)| *closeness)
        .map(|(_, value)| value)
}

/// How closely a device type names the devices of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    /// No type: for all devices for which nothing else is said.
    Unnamed,
    /// `*`, or the default device.
    Any,
    /// The target's own type.
    Own,
}

/// How closely `device` names the devices of `target`; `None` if it does not.
pub fn closeness(device: DeviceType, target: Target) -> Option<Closeness> {
    let own = |word| {
        target
            .device_types
            .contains(&word)
            .then_some(Closeness::Own)
    };
    match device {
        DeviceType::None => Some(Closeness::Unnamed),
        DeviceType::Star | DeviceType::Default => Some(Closeness::Any),
        DeviceType::Host => own("host"),
        DeviceType::Multicore => own("multicore"),
        DeviceType::Nvidia => own("nvidia"),
        DeviceType::Radeon => own("radeon"),
        DeviceType::Sim => own("sim"),
        DeviceType::OpenCl => own("opencl"),
    }
}

/// The clauses of one directive for `target`, with `DeviceType::None` for those that hold. `contradicts`: whether two of
/// them, by number, cannot both hold.
fn settle<const N: usize>(
    clauses: [&DeviceTypes; N],
    target: Target,
    contradicts: impl Fn(usize, usize) -> bool,
) -> [DeviceTypes; N] {
    let given = |k: usize, wanted: Closeness| {
        let types = clauses[k].0.iter();
        types
            .filter_map(|device| closeness(*device, target))
            .any(|c| c == wanted)
    };
    let named = match (0..N).any(|k| given(k, Closeness::Own)) {
        true => Closeness::Own,
        false => Closeness::Any,
    };
    std::array::from_fn(|k| {
        let opposed = (0..N).any(|other| given(other, named) && contradicts(k, other));
        let holds = given(k, named) || given(k, Closeness::Unnamed) && !opposed;
        DeviceTypes(if holds {
            vec![DeviceType::None]
        } else {
            vec![]
        })
    })
}
