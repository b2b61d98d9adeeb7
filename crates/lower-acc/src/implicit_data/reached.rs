//! What clauses name behind another pointer, or in an element of a struct, and regions reach through the struct.
//!
//! ```text
//! #pragma acc data copy(s.q->x[0:n])            s.q is attached to s.q[0:1], which comes with each region, and s.q->x to its section
//! #pragma acc data copy(s.row[k].x[0:n])        s.row[k].x is attached to its section
//! {
//!     #pragma acc parallel loop                 implied: copyin(s) copyin(s.q[0:1]) attach(s.q->x) attach(s.row[k].x)
//!     for (int i = 0; i < n; i++) s.q->x[i] += s.row[k].x[i];
//! }
//! ```
//! By the letter the struct is the host's, and so are the pointers in its copy: regions would follow them to the host's memory. Members
//! of variables that no pointer leads to are [`super::enclosing`]'s.
//!
//! Steps, for each clause of the construct and of `data` constructs around it whose path the region follows, too:
//! 1. each pointer on the path that no clause names gets a section of one object, if the region uses no other behind that pointer;
//! 2. the last one is attached.

use super::enclosing::visible_default;
use crate::{
    arguments::{Argument, argument},
    implicit_clause::{Section, attach},
};
use accrue_dialects::{
    acc::{ClauseOp, ComputeOp, Data, DataClause, DataOp, Group},
    address_use::{UseKind, use_of},
    core::{Decay, Load, Member, PtrAdd, Shape, ShapeDim, Variable, fold::constant, pointee_of},
};
use accrue_hostcall::{Action, Arithmetic, InferredSection};
use accrue_ir::walk;
use accrue_opt::{
    State,
    analysis::variables::{Root, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};

/// Why such a pointer is in a clause.
const WHY: &str = "what a clause names is reached through it";

/// How an address comes from a variable's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Path {
    root: Root,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Member(u32),
    /// Some element.
    Element,
    /// What the pointer there leads to.
    Pointed,
}

/// A pointer that has a section of one object because of clauses: a variable of the program's.
pub(super) struct Through {
    pub(super) root: Root,
    pub(super) clause: DataClause,
}

/// Attaches the pointers on the paths of clauses. Those that are variables by themselves get no clause here.
pub(super) fn attach_paths(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    state: &mut State,
) -> Vec<Through> {
    let loads = loads(ctx, region);
    let mut through = vec![];
    let own = construct.clause(ctx, Group::Data);
    take(ctx, construct, &loads, own, false, &mut through, state);
    let mut at = walk::enclosing::<Data>(ctx, construct.get_operation());
    while let Some(data) = at {
        let entries = data.clause(ctx, Group::Data);
        take(ctx, construct, &loads, entries, true, &mut through, state);
        at = walk::enclosing::<Data>(ctx, data.get_operation());
    }
    through
}

/// The section of one object.
pub(super) fn one_object() -> InferredSection {
    InferredSection {
        lower: Arithmetic::Constant(0),
        length: Arithmetic::Constant(1),
    }
}

/// The pointers that the region loads.
fn loads(ctx: &Context, region: Ptr<Region>) -> Vec<(Path, Value)> {
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let loads = ops
        .into_iter()
        .filter_map(|op| Operation::get_op::<Load>(op, ctx));
    loads
        .filter_map(|load| {
            let value = load.get_result(ctx);
            pointee_of(ctx, value.get_type(ctx))?;
            Some((path_of(ctx, load.get_operand(ctx))?.0, value))
        })
        .collect()
}

fn take(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    loads: &[(Path, Value)],
    entries: Vec<Value>,
    around: bool,
    through: &mut Vec<Through>,
    state: &mut State,
) {
    for entry in entries.into_iter().filter_map(|v| v.defining_op()) {
        let Some(named) = argument(ctx, entry) else {
            continue;
        };
        let steps_to_host = matches!(named.action, Action::Attach | Action::Pointer);
        let Some((path, pointers)) = path_of(ctx, named.var).filter(|_| !steps_to_host) else {
            continue;
        };
        let by_itself = |step: &Step| matches!(step, Step::Member(_));
        if path.steps.iter().all(by_itself) || !loads.iter().any(|(of, _)| *of == path) {
            continue;
        }
        let name = without_section(ctx, entry, &named);
        let Some(spelled) = names_of_pointers(&name, pointers.len()) else {
            continue;
        };
        // With `default(present)` all of it is there already.
        if visible_default(ctx, construct).is_none() {
            for (pointer, name) in pointers.into_iter().zip(spelled) {
                let Some(clause) = one_suffices(ctx, loads, pointer) else {
                    break;
                };
                let Some((of, _)) = path_of(ctx, pointer) else {
                    break;
                };
                if of.steps.is_empty() {
                    let root = of.root;
                    through.push(Through { root, clause });
                } else if !names(ctx, construct, &of) {
                    let variable = pointer_variable(ctx, loads, pointer, name);
                    let section = Some(Section::Inferred(one_object()));
                    let said = (clause, WHY);
                    attach(ctx, construct, pointer, variable, said, section, state);
                }
            }
        }
        if around && !is_named(ctx, construct, &path) {
            let shape = named.info.shape.clone();
            let why = "what it points to is in a clause of the enclosing data construct";
            let (variable, said) = (Variable { name, shape }, (DataClause::Attach, why));
            attach(ctx, construct, named.var, variable, said, None, state);
        }
    }
}

/// The path of an address, and the addresses of the pointers on it, the outermost first.
fn path_of(ctx: &Context, address: Value) -> Option<(Path, Vec<Value>)> {
    let (mut steps, mut pointers) = (vec![], vec![]);
    let mut at = address;
    let root = loop {
        if let Some(root) = root_of(ctx, at) {
            break root;
        }
        let op = at.defining_op()?;
        at = if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            steps.push(Step::Member(member.field(ctx)));
            member.get_operand(ctx)
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            decay.get_operand(ctx)
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            steps.push(Step::Pointed);
            pointers.push(load.get_operand(ctx));
            load.get_operand(ctx)
        } else {
            let element = Operation::get_op::<PtrAdd>(op, ctx)?;
            let first = constant(ctx, element.get_operand_index(ctx)) == Some(0);
            let behind_pointer = element
                .get_operand_base(ctx)
                .defining_op()
                .is_some_and(|op| Operation::is_op::<Load>(op, ctx));
            if !(first && behind_pointer) {
                steps.push(Step::Element);
            }
            element.get_operand_base(ctx)
        };
    };
    steps.reverse();
    pointers.reverse();
    Some((Path { root, steps }, pointers))
}

/// What maps the one object that the region uses behind the pointer at `address`; none if it uses others, or may.
fn one_suffices(ctx: &Context, loads: &[(Path, Value)], address: Value) -> Option<DataClause> {
    let (path, _) = path_of(ctx, address)?;
    let mut clause = DataClause::Copyin;
    let same = loads.iter().filter(|(of, _)| *of == path);
    for (_, value) in same {
        let mut addresses = vec![*value];
        while let Some(address) = addresses.pop() {
            for using in address.uses(ctx) {
                let op = using.user_op();
                let is_it = |(_, operand): &(usize, &Value)| **operand == address;
                let operands = walk::operands_of(ctx, op);
                for (index, _) in operands.iter().enumerate().filter(is_it) {
                    match use_of(ctx, op, index) {
                        UseKind::Read { .. } | UseKind::Look => {}
                        UseKind::Write { .. } | UseKind::Update { .. } => {
                            clause = DataClause::Copy;
                        }
                        UseKind::Derive => {
                            let element = Operation::get_op::<PtrAdd>(op, ctx);
                            let moves = element.is_some_and(|element| {
                                constant(ctx, element.get_operand_index(ctx)) != Some(0)
                            });
                            if address == *value && moves {
                                return None;
                            }
                            addresses.extend(walk::results_of(ctx, op));
                        }
                        UseKind::Pass | UseKind::Clause | UseKind::Keep => return None,
                    }
                }
            }
        }
    }
    Some(clause)
}

/// Whether a clause of the construct, or of a `data` construct around it, names what the pointer leads to.
fn names(ctx: &Context, construct: &dyn ComputeOp, path: &Path) -> bool {
    let mut at = walk::enclosing::<Data>(ctx, construct.get_operation());
    while let Some(data) = at {
        if is_named(ctx, &data, path) {
            return true;
        }
        at = walk::enclosing::<Data>(ctx, data.get_operation());
    }
    is_named(ctx, construct, path)
}

fn is_named<C: ClauseOp + ?Sized>(ctx: &Context, construct: &C, path: &Path) -> bool {
    let entries = construct.clause(ctx, Group::Data).into_iter();
    entries.filter_map(|v| v.defining_op()).any(|entry| {
        let var = argument(ctx, entry).map(|named| named.var);
        let of = var.and_then(|var| path_of(ctx, var));
        of.is_some_and(|(of, _)| of == *path)
    })
}

fn pointer_variable(
    ctx: &Context,
    loads: &[(Path, Value)],
    pointer: Value,
    name: String,
) -> Variable {
    let path = path_of(ctx, pointer).map(|(path, _)| path);
    let loaded = loads.iter().find(|(of, _)| Some(of) == path.as_ref());
    let elem = loaded
        .and_then(|(_, value)| pointee_of(ctx, value.get_type(ctx)))
        .unwrap_or(pointer.get_type(ctx));
    let dims = vec![ShapeDim::Pointer];
    let shape = Shape { dims, elem };
    Variable { name, shape }
}

/// The name of what a clause names, as it is spelled, without the section.
fn without_section(ctx: &Context, entry: Ptr<Operation>, named: &Argument) -> String {
    let object = Operation::get_op_dyn(entry, ctx);
    let bounds = op_cast::<dyn DataOp>(&*object).map_or(0, |data| data.bounds(ctx).len());
    let mut name = named.info.name.trim();
    for _ in 0..bounds {
        let mut depth = 0;
        let start = name.char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == ']') - i32::from(*c == '[');
            depth == 0
        });
        name = start.map_or(name, |(at, _)| name[..at].trim_end());
    }
    name.to_string()
}

/// How the pointers on a path are spelled, the outermost first: what stands in front of `->` and of `[0].`.
fn names_of_pointers(name: &str, count: usize) -> Option<Vec<String>> {
    let mut found = vec![];
    let mut depth = 0;
    for (at, c) in name.char_indices() {
        let rest = &name[at..];
        let steps = rest.starts_with("->") || rest.starts_with("[0].");
        if depth == 0 && steps {
            found.push(name[..at].trim_end().to_string());
        }
        depth += i32::from(c == '[' || c == '(') - i32::from(c == ']' || c == ')');
    }
    (found.len() == count).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::names_of_pointers;

    #[test]
    fn pointers_are_what_stands_in_front_of_arrows() {
        for (name, pointers) in [
            ("s.q->x", vec!["s.q"]),
            ("p->q[0].x", vec!["p", "p->q"]),
            ("s.rows[p->k].x", vec![]),
            ("s.rows[p->k].q->x", vec!["s.rows[p->k].q"]),
        ] {
            let found = names_of_pointers(name, pointers.len());
            assert_eq!(
                found.as_deref(),
                Some(&pointers.iter().map(|p| p.to_string()).collect::<Vec<_>>()[..])
            );
        }
        assert_eq!(names_of_pointers("(*s.q).x", 1), None);
    }
}
