//! What the report says of arrays that are updated atomically: that they get a copy per gang, or why not.

use super::{NAME, PerGang, places::Unknown, seen::Seen};
use crate::State;
use pliron::{builtin::ops::FuncOp, context::Context, op::Op};

/// Why a parameter that is updated atomically gets no copy.
pub(super) enum Why {
    Unknown(Unknown),
    Used,
    /// The same of a single number, as of a counter whose values are taken: nothing to remark.
    UsedScalar,
    Large(u64),
    Loops,
    /// An iteration may look at what it has updated itself, where that cannot be asked.
    Seen,
}

/// Says what became of the parameter of this name; `first`: only its first elements get copies.
pub(super) fn remark(
    ctx: &Context,
    func: FuncOp,
    (name, first, shared): (&str, bool, bool),
    outcome: &Result<Vec<(PerGang, Seen)>, Why>,
    state: &mut State,
) {
    let message = match outcome {
        Ok(copies) if copies.iter().all(|(copy, _)| copy.in_registers(shared)) => format!(
            "`{name}` is added up in registers, and atomically once for each loop over lanes: what is updated of it is only updated atomically"
        ),
        Ok(copies) => {
            let count: u64 = copies.iter().filter_map(|(c, _)| c.places.count()).sum();
            let (its, are) = if count == 1 {
                ("element", "is")
            } else {
                ("elements", "are")
            };
            match first {
                true => format!(
                    "`{name}` gets a copy of its first {count} elements per gang, which is added up at the end: its elements are only updated atomically, and how many there are is not known"
                ),
                false => format!(
                    "`{name}` gets a copy per gang, which is added up at the end: its {count} {its} {are} only updated atomically"
                ),
            }
        }
        Err(Why::Unknown(Unknown::Escapes)) => {
            format!(
                "`{name}` gets no copy per gang: its address goes where its uses are not followed"
            )
        }
        Err(Why::Unknown(Unknown::Length)) => format!(
            "`{name}` gets no copy per gang: the number of elements in its section is not a constant, and few of the first would fit"
        ),
        Err(Why::Seen) => format!(
            "`{name}` gets no copy per gang: an iteration may look at what it has updated, by another pointer"
        ),
        Err(Why::UsedScalar) => return,
        Err(Why::Used) => format!(
            "`{name}` gets no copy per gang: it is not only updated atomically, by one kind of `+`, `-`, `|` or `^`, without a look at the values"
        ),
        Err(Why::Large(bytes)) => format!(
            "`{name}` gets no copy per gang: its {bytes} bytes, beside other copies, are more than the {} that one may have",
            state.target.gang_copy_bytes
        ),
        Err(Why::Loops) => format!(
            "`{name}` gets no copy per gang: its updates are not in loops over the lanes of one loop over gangs"
        ),
    };
    state.remark(ctx, func.get_operation(), NAME, message);
}
