//! One directive, of the operations that it has become.
//!
//! Each operand and each attribute gives a clause, or a part of one; [`super::order`] puts them in order.
//!
//! ```text
//! acc.loop gangNum(v1) … {gang=[None],vector=[Nvidia],seq=[]}     loop gang(num: n) device_type(nvidia) vector
//! ```

use accrue_dialects::acc::{
    self, AccOp, ClauseOp, DeviceType, DirectiveOp, Expression, Given, Group, LoopClauses,
    RegionOp, given,
};
use accrue_front_c::text::scan::ScannedDirective;
use pliron::context::Context;
use pliron::op::op_cast;
use pliron::operation::Operation;

use super::order::{Written, in_order};
use super::{Operations, Own};

/// The words of the directive behind `#pragma acc`; none if its operations are not what makes it.
pub fn written(
    ctx: &Context,
    operations: &Operations,
    scanned: &ScannedDirective,
) -> Option<String> {
    let (name, has_argument) = name(ctx, operations)?;
    let writer = Writer {
        ctx,
        scanned,
        is_combined: operations.own.len() > 1,
    };
    let mut clauses = writer.of_data(operations);
    let mut argument = String::new();
    for op in &operations.own {
        let object = Operation::get_op_dyn(op.0, ctx);
        let directive = op_cast::<dyn DirectiveOp>(&*object)?;
        clauses.extend(writer.of_operands(op.1, directive)?);
        clauses.extend(writer.of_flags(*op, directive)?);
        if has_argument {
            argument = writer.waited(directive)?;
        }
    }
    let types: Vec<DeviceType> = operations
        .own
        .iter()
        .flat_map(|op| writer.device_types(*op))
        .collect();
    let clauses = in_order(clauses, &types);
    let words = [vec![format!("{name}{argument}")], clauses].concat();
    Some(words.join(" "))
}

/// The name of the directive, and whether it has an argument of its own.
fn name(ctx: &Context, operations: &Operations) -> Option<(String, bool)> {
    let name = |(_, op): &Own| -> Option<&'static str> {
        Some(match op {
            AccOp::Parallel(_) => "parallel",
            AccOp::Serial(_) => "serial",
            AccOp::Kernels(_) => "kernels",
            AccOp::Data(_) => "data",
            AccOp::HostData(_) => "host_data",
            AccOp::Loop(_) => "loop",
            AccOp::EnterData(_) => "enter data",
            AccOp::ExitData(_) => "exit data",
            AccOp::Update(_) => "update",
            AccOp::Wait(_) => "wait",
            AccOp::Init(_) => "init",
            AccOp::Shutdown(_) => "shutdown",
            AccOp::Set(_) => "set",
            AccOp::DeclareEnter(_) => "declare",
            AccOp::Yield(_)
            | AccOp::DeclareExit(_)
            | AccOp::GlobalCtor(_)
            | AccOp::GlobalDtor(_)
            | AccOp::Bounds(_)
            | AccOp::Copyin(_)
            | AccOp::Create(_)
            | AccOp::Present(_)
            | AccOp::Nocreate(_)
            | AccOp::Deviceptr(_)
            | AccOp::Attach(_)
            | AccOp::UseDevice(_)
            | AccOp::Private(_)
            | AccOp::Firstprivate(_)
            | AccOp::Pointer(_)
            | AccOp::Reduction(_)
            | AccOp::UpdateDevice(_)
            | AccOp::DeclareDeviceResident(_)
            | AccOp::DeclareLink(_)
            | AccOp::GetDeviceptr(_)
            | AccOp::Copyout(_)
            | AccOp::Delete(_)
            | AccOp::Detach(_)
            | AccOp::UpdateSelf(_) => return None,
        })
    };
    let names: Option<Vec<_>> = operations.own.iter().map(name).collect();
    let names = names.filter(|names| !names.is_empty())?;
    // A construct whose loop is no loop of the dialect is more than its operations say.
    let combined = operations.own.iter().any(|(op, _)| {
        let object = Operation::get_op_dyn(*op, ctx);
        op_cast::<dyn RegionOp>(&*object).is_some_and(|region| region.is_combined(ctx))
    });
    if combined != (names.len() == 2) {
        return None;
    }
    let waits = names == ["wait"];
    Some((names.join(" "), waits))
}

struct Writer<'a> {
    ctx: &'a Context,
    scanned: &'a ScannedDirective,
    is_combined: bool,
}

impl Writer<'_> {
    /// The clauses with variables.
    fn of_data(&self, operations: &Operations) -> Vec<Written> {
        let mut clauses: Vec<Written> = vec![];
        for ((clause, _), item) in &operations.items {
            let info = &item.info;
            if let Some(last) = clauses.last_mut()
                && last.number == Some(*clause)
            {
                last.text
                    .insert_str(last.text.len() - 1, &format!(", {}", info.name));
                continue;
            }
            let always = match (info.always_in, info.always_out) {
                (true, true) => Some("always"),
                (true, false) => Some("alwaysin"),
                (false, true) => Some("alwaysout"),
                (false, false) => None,
            };
            let modifiers = [
                always,
                info.capture.then_some("capture"),
                info.readonly.then_some("readonly"),
                info.zero.then_some("zero"),
                item.operator.map(|operator| operator.spelling()),
            ];
            let modifiers: Vec<_> = modifiers.into_iter().flatten().collect();
            let colon = match modifiers.is_empty() {
                true => String::new(),
                false => modifiers.join(", ") + ": ",
            };
            let (word, name) = (info.clause.spelling(), &info.name);
            clauses.push(Written {
                number: Some(*clause),
                device: DeviceType::None,
                text: format!("{word}({colon}{name})"),
            });
        }
        clauses
    }

    /// The user's words for an expression.
    fn words(&self, expression: Expression) -> Option<&str> {
        let span = match expression {
            Expression::Unwritten => None,
            Expression::Directive { item } => self.scanned.directive.expression(None, item),
            Expression::Clause { clause, item } => {
                self.scanned.directive.expression(Some(clause), item)
            }
        };
        span.map(|span| self.scanned.text_of(span))
    }

    /// The same of a size, which `*` may stand for; none if the operand is an expression that the operation knows as a value only.
    fn words_or_star(&self, group: Group, it: &Given) -> Option<&str> {
        let may_be_any = matches!(group, Group::Tile | Group::GangStatic);
        self.words(it.expression).or(may_be_any.then_some("*"))
    }

    /// The clauses with expressions.
    fn of_operands(&self, op: AccOp, directive: &dyn DirectiveOp) -> Option<Vec<Written>> {
        let mut clauses = vec![];
        let is_loop = matches!(op, AccOp::Loop(_));
        let simple = [
            (Group::Async, "async"),
            (Group::NumWorkers, "num_workers"),
            (Group::If, "if"),
            (Group::SelfCondition, "self"),
            (Group::DeviceNum, "device_num"),
            (Group::DefaultAsync, "default_async"),
        ];
        for (group, word) in simple {
            for it in given(directive, self.ctx, group) {
                // `self` may stand alone.
                let text = match self.words(it.expression) {
                    Some(words) => format!("{word}({words})"),
                    None if group == Group::SelfCondition => word.to_string(),
                    None => return None,
                };
                clauses.push(one(&it, text));
            }
        }
        let mut lists = vec![(Group::NumGangs, "num_gangs"), (Group::Tile, "tile")];
        match is_loop {
            true => {}
            false => lists.push((Group::VectorLength, "vector_length")),
        }
        for (group, word) in lists {
            let given = given(directive, self.ctx, group);
            for same in by_clause(&given) {
                let words = same.iter().map(|it| self.words_or_star(group, it));
                let words: Option<Vec<_>> = words.collect();
                let words = words?;
                clauses.push(one(&same[0], format!("{word}({})", words.join(", "))));
            }
        }
        if !matches!(op, AccOp::Wait(_)) {
            let mut waits = given(directive, self.ctx, Group::Devnum);
            let devnums = waits.len();
            waits.extend(given(directive, self.ctx, Group::Wait));
            let mut numbers: Vec<_> = waits.iter().map(|it| (number(it), it.device)).collect();
            numbers.sort_by_key(|(number, _)| *number);
            numbers.dedup();
            for (clause, device) in numbers {
                let of = |it: &&Given| (number(it), it.device) == (clause, device);
                let devnum = waits[..devnums].iter().find(of);
                let queues: Vec<&Given> = waits[devnums..].iter().filter(of).collect();
                clauses.push(Written {
                    number: clause,
                    device,
                    text: format!("wait{}", self.waits(devnum, &queues)),
                });
            }
        }
        Some(clauses)
    }

    /// `(devnum: d: queues: q, r)`
    fn waits(&self, devnum: Option<&Given>, queues: &[&Given]) -> String {
        let words = |it: &Given| self.words(it.expression).unwrap_or_default().to_string();
        let devnum = devnum.map_or_else(String::new, |it| format!("devnum: {}: ", words(it)));
        let queues: Vec<_> = queues.iter().map(|it| words(it)).collect();
        let word = match devnum.is_empty() {
            true => "",
            false => "queues: ",
        };
        format!("({devnum}{word}{})", queues.join(", "))
    }

    /// The argument of a `wait` directive.
    fn waited(&self, directive: &dyn DirectiveOp) -> Option<String> {
        let devnum = given(directive, self.ctx, Group::Devnum);
        let queues = given(directive, self.ctx, Group::Queues);
        if queues.is_empty() {
            // A device number alone is not written as one.
            return devnum.is_empty().then(String::new);
        }
        let queues: Vec<&Given> = queues.iter().collect();
        Some(self.waits(devnum.first(), &queues))
    }

    /// The clauses that operations keep as attributes.
    fn of_flags(&self, (at, op): Own, directive: &dyn DirectiveOp) -> Option<Vec<Written>> {
        let ctx = self.ctx;
        let mut clauses = vec![];
        let mut flag = |device: DeviceType, text: &str| {
            clauses.push(Written {
                number: None,
                device,
                text: text.to_string(),
            });
        };
        for device in directive.async_only(ctx).0 {
            flag(device, "async");
        }
        for device in directive.wait_only(ctx).0 {
            flag(device, "wait");
        }
        let object = Operation::get_op_dyn(at, ctx);
        let region = op_cast::<dyn RegionOp>(&*object);
        match region.and_then(|region| region.default_clause(ctx)) {
            Some(acc::DefaultClause::None) => flag(DeviceType::None, "default(none)"),
            Some(acc::DefaultClause::Present) => flag(DeviceType::None, "default(present)"),
            None => {}
        }
        let finalize = matches!(op, AccOp::ExitData(op) if op.finalize(ctx));
        if finalize {
            flag(DeviceType::None, "finalize");
        }
        let of_host_data = matches!(op, AccOp::HostData(op) if op.if_present(ctx));
        let of_update = matches!(op, AccOp::Update(op) if op.if_present(ctx));
        if of_host_data || of_update {
            flag(DeviceType::None, "if_present");
        }
        if let AccOp::Loop(lp) = op {
            clauses.extend(self.of_loop(lp)?);
        }
        Some(clauses)
    }

    /// The clauses of a loop that say how it is shared out.
    fn of_loop(&self, lp: acc::Loop) -> Option<Vec<Written>> {
        let ctx = self.ctx;
        let LoopClauses {
            gang,
            worker,
            vector,
            seq,
            independent,
            auto,
            implicit: _,
        } = lp.clauses(ctx);
        let mut clauses = vec![];
        let levels = [
            (
                "gang",
                gang,
                vec![
                    (Group::GangNum, "num: "),
                    (Group::GangDim, "dim: "),
                    (Group::GangStatic, "static: "),
                ],
            ),
            ("worker", worker, vec![(Group::WorkerNum, "num: ")]),
            ("vector", vector, vec![(Group::VectorLength, "length: ")]),
            ("seq", seq, vec![]),
            ("independent", independent, vec![]),
            ("auto", auto, vec![]),
        ];
        for (word, devices, groups) in levels {
            for device in devices.0 {
                let mut arguments = vec![];
                let mut clause = None;
                for (group, modifier) in &groups {
                    for it in given(&lp, ctx, *group) {
                        if it.device == device {
                            let words = self.words_or_star(*group, &it)?;
                            arguments.push(format!("{modifier}{words}"));
                            clause = clause.or(number(&it));
                        }
                    }
                }
                let text = match arguments.is_empty() {
                    true => word.to_string(),
                    false => format!("{word}({})", arguments.join(", ")),
                };
                clauses.push(Written {
                    number: clause,
                    device,
                    text,
                });
            }
        }
        let depth = lp.dims(ctx).len();
        let joined = depth > 1 || lp.is_forced(ctx);
        if joined && lp.clause(ctx, Group::Tile).is_empty() {
            clauses.push(Written {
                number: None,
                device: DeviceType::None,
                text: match lp.is_forced(ctx) {
                    true => format!("collapse(force: {depth})"),
                    false => format!("collapse({depth})"),
                },
            });
        }
        Some(clauses)
    }

    /// The types of the `device_type` clauses that an operation notes.
    fn device_types(&self, (at, op): Own) -> Vec<DeviceType> {
        let object = Operation::get_op_dyn(at, self.ctx);
        let clauses = op_cast::<dyn ClauseOp>(&*object);
        // Of a combined construct both note the same ones.
        let noted = !(self.is_combined && matches!(op, AccOp::Loop(_)));
        let clauses = clauses.filter(|_| noted);
        clauses.map_or_else(Vec::new, |op| acc::device_type_clause(self.ctx, op).0)
    }
}

fn one(it: &Given, text: String) -> Written {
    Written {
        number: number(it),
        device: it.device,
        text,
    }
}

/// The number of the clause that an operand was written in.
fn number(it: &Given) -> Option<u32> {
    match it.expression {
        Expression::Clause { clause, .. } => Some(clause),
        Expression::Directive { .. } | Expression::Unwritten => None,
    }
}

/// Operands of one group, those of one clause and device together.
fn by_clause(all: &[Given]) -> Vec<Vec<Given>> {
    let mut found: Vec<Vec<Given>> = vec![];
    for it in all {
        let same = |other: &&mut Vec<Given>| {
            (number(&other[0]), other[0].device) == (number(it), it.device)
        };
        match found.iter_mut().find(same) {
            Some(list) => list.push(*it),
            None => found.push(vec![*it]),
        }
    }
    found
}
