//! What a directive's call passes beside its variables: from the operands of its clauses to [`Call`].
//!
//! ```text
//! acc.parallel Async(%q) Wait(%w) NumGangs(%a, %b [Nvidia])      queue: %q's expression;  waits: [%w's]
//!                                                           →    gangs: nvidia ? %b's : %a's, 1, 1
//! ```
//!
//! A clause that differs by `device_type` becomes a choice, which the host makes when it knows the device (OpenACC 3.4, section
//! 2.4): what follows a `device_type` clause holds for its types; what precedes all of them, for the types for which nothing else
//! is given; `*` means the types that no `device_type` clause of the directive names.

use accrue_abi::{ABSENT, ASYNC_NOVAL, ASYNC_SYNC, DeviceTypes, Header, SIZE_WORDS, SYNC};
use accrue_dialects::acc::{
    self, DeviceType, DirectiveOp, Given, Group, Init, Serial, Set, Shutdown, Wait, given,
};
use accrue_dialects::core::fold::constant;
use accrue_hostcall::{Call, Expression, Word};
use accrue_opt::State;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

use crate::loop_sizes::{LoopSize, LoopSizes};

/// The call of a directive. Clauses that cannot be passed are errors.
pub fn call(ctx: &Context, directive: &dyn DirectiveOp, state: &mut State) -> Call {
    let clauses = Clauses { ctx, directive };
    let op = directive.get_operation();
    let (wait_count, waits) = clauses.waits().unwrap_or_else(|DiffersByType| {
        let message =
            "`wait` with and without an argument for different device types is not supported";
        let help = "name the queues for each device type";
        state.error(ctx, op, message.to_string(), "2.16.2", help);
        (Word::Constant(0), vec![])
    });
    Call {
        header: Header {
            if_condition: clauses.one(Group::If, Word::Condition, Word::Constant(1)),
            self_condition: clauses.one(Group::SelfCondition, Word::Condition, Word::Constant(0)),
            queue: clauses.queue(),
            gangs: [0, 1, 2].map(|dimension| clauses.gangs(dimension)),
            workers: clauses.size(Group::NumWorkers),
            vector: clauses.size(Group::VectorLength),
            device: clauses.device(),
            wait_count,
        },
        waits,
        sizes: vec![],
        async_given: clauses.is_async(),
        device_types: match is_for_devices(ctx, op) {
            true => bits(acc::device_type_clause(ctx, directive).0.into_iter()),
            false => 0,
        },
    }
}

/// Whether the directive is about devices as such.
fn is_for_devices(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Init>(op, ctx)
        || Operation::is_op::<Shutdown>(op, ctx)
        || Operation::is_op::<Set>(op, ctx)
}

/// Some device types wait for queues and others for all: the number of words would differ.
struct DiffersByType;

/// A word for a device type.
type Entry = (DeviceType, Word);

struct Clauses<'a> {
    ctx: &'a Context,
    directive: &'a dyn DirectiveOp,
}

impl Clauses<'_> {
    fn given(&self, group: Group) -> Vec<Given> {
        given(self.directive, self.ctx, group)
    }

    fn word(&self, given: &Given, make: fn(Expression) -> Word) -> Option<Word> {
        let number = |value: Value| {
            let value = constant(self.ctx, value)?;
            Some(Word::Constant(value as u64))
        };
        let (clause, item) = match given.expression {
            acc::Expression::Unwritten => return number(given.value),
            acc::Expression::Directive { item } => (None, item),
            acc::Expression::Clause { clause, item } => (Some(clause), item),
        };
        Some(make(Expression {
            directive: None,
            clause,
            item,
        }))
    }

    fn entries(&self, group: Group, make: fn(Expression) -> Word) -> Vec<Entry> {
        let operands = self.given(group).into_iter();
        let word = |given: Given| Some((given.device, self.word(&given, make)?));
        operands.filter_map(word).collect()
    }

    /// The word of a clause with one argument.
    fn one(&self, group: Group, make: fn(Expression) -> Word, absent: Word) -> Word {
        self.choose(&self.entries(group, make), absent)
    }

    fn choose(&self, entries: &[Entry], absent: Word) -> Word {
        choose(entries, self.named_types(), absent)
    }

    /// All types that `device_type` clauses of the directive name.
    fn named_types(&self) -> u32 {
        mask(
            acc::device_type_clause(self.ctx, self.directive)
                .0
                .into_iter(),
        )
    }

    fn is_async(&self) -> bool {
        !self.given(Group::Async).is_empty() || !self.directive.async_only(self.ctx).0.is_empty()
    }

    fn queue(&self) -> Word {
        let default = self.one(Group::DefaultAsync, Word::Integer, Word::Constant(SYNC));
        let mut entries = self.entries(Group::Async, Word::Integer);
        let without = self.directive.async_only(self.ctx).0.into_iter();
        let no_value = Word::Constant(ASYNC_NOVAL as u64);
        entries.extend(without.map(|device| (device, no_value.clone())));
        self.choose(&entries, default)
    }

    /// What a construct without the clause has: `serial` has one of each (section 2.5.2).
    fn absent_size(&self) -> Word {
        let serial = Operation::is_op::<Serial>(self.directive.get_operation(), self.ctx);
        Word::Constant(u64::from(serial))
    }

    /// `num_gangs` of a dimension.
    fn gangs(&self, dimension: usize) -> Word {
        let all = self.entries(Group::NumGangs, Word::Size);
        let mut entries: Vec<Entry> = vec![];
        for (device, _) in &all {
            if entries.iter().any(|(other, _)| other == device) {
                continue;
            }
            let of_device = all.iter().filter(|(other, _)| other == device);
            // num_gangs(n) leaves dimensions 2 and 3 at one.
            let word = of_device.map(|(_, word)| word.clone()).nth(dimension);
            entries.push((*device, word.unwrap_or(Word::Constant(1))));
        }
        self.choose(&entries, self.absent_size())
    }

    fn size(&self, group: Group) -> Word {
        self.one(group, Word::Size, self.absent_size())
    }

    fn device(&self) -> Word {
        let number = match self.directive.is_openmp(self.ctx) {
            true => Word::DeviceNumber,
            false => Word::Integer,
        };
        let devnum = self.entries(Group::Devnum, number).into_iter().next();
        let absent = devnum.map_or(Word::Constant(ABSENT), |(_, word)| word);
        self.one(Group::DeviceNum, Word::Integer, absent)
    }

    /// The number of queues to wait for, and the queues. Each queue holds for the device types of its clause and is the
    /// synchronous one for the others, so that the number is the same for all.
    fn waits(&self) -> Result<(Word, Vec<Word>), DiffersByType> {
        let mut queues = self.entries(Group::Wait, Word::Integer);
        queues.extend(self.entries(Group::Queues, Word::Integer));
        let mut for_all = self.directive.wait_only(self.ctx).0;
        let is_wait = Operation::is_op::<Wait>(self.directive.get_operation(), self.ctx);
        if is_wait && queues.is_empty() {
            for_all.push(DeviceType::None);
        }
        if !for_all.is_empty() {
            if queues.iter().any(|(device, _)| !for_all.contains(device)) {
                return Err(DiffersByType);
            }
            let every = |device: DeviceType| (device, Word::Constant(ABSENT));
            let entries: Vec<Entry> = for_all.into_iter().map(every).collect();
            return Ok((self.choose(&entries, Word::Constant(0)), vec![]));
        }
        const SYNCHRONOUS: Word = Word::Constant(ASYNC_SYNC as u64);
        let mut words = vec![];
        for (index, (_, own)) in queues.iter().enumerate() {
            if queues[..index].iter().any(|(_, word)| word == own) {
                continue;
            }
            let mut entries: Vec<Entry> = vec![];
            for (device, _) in &queues {
                let holds = queues.contains(&(*device, own.clone()));
                let word = if holds { own.clone() } else { SYNCHRONOUS };
                if !entries.iter().any(|(other, _)| other == device) {
                    entries.push((*device, word));
                }
            }
            words.push(self.choose(&entries, SYNCHRONOUS));
        }
        Ok((Word::Constant(words.len() as u64), words))
    }
}

/// The word of `entries` for each device type, of which the directive names those in `named`.
fn choose(entries: &[Entry], named: u32, absent: Word) -> Word {
    let untyped = entries
        .iter()
        .find(|(device, _)| *device == DeviceType::None);
    let default = untyped.map_or(absent, |(_, word)| word.clone());
    let mut chosen = default.clone();
    let any = entries
        .iter()
        .filter(|(device, _)| *device == DeviceType::Star);
    for (_, word) in any {
        chosen = Word::choice(named, default.clone(), word.clone());
    }
    for (index, (_, word)) in entries.iter().enumerate() {
        if entries[..index].iter().any(|(_, other)| other == word) {
            continue;
        }
        let alike = entries.iter().filter(|(_, other)| other == word);
        let mask = mask(alike.map(|(device, _)| *device));
        chosen = Word::choice(mask, word.clone(), chosen);
    }
    chosen
}

/// The sizes that a kernel's own loops give, 0 for those that they do not.
pub fn sizes_of_kernel(sizes: &LoopSizes) -> [Word; SIZE_WORDS] {
    [0, 1, 2].map(|size| {
        let of_loop = |entries: Vec<&LoopSize>| {
            let named = entries.first().map(|entry| entry.named.0.clone());
            let words = entries.into_iter().map(|entry| {
                let word = Word::Size(Expression {
                    directive: Some(entry.directive),
                    clause: Some(entry.clause),
                    item: entry.item,
                });
                (entry.device, word)
            });
            let words: Vec<Entry> = words.collect();
            let named = mask(named.into_iter().flatten());
            choose(&words, named, Word::Constant(0))
        };
        let words: Vec<Word> = sizes.by_loop(size).into_iter().map(of_loop).collect();
        match words.as_slice() {
            [] => Word::Constant(0),
            [word] => word.clone(),
            _ => Word::Largest(words),
        }
    })
}

/// The bits of device types; `*` has none here.
fn mask(types: impl Iterator<Item = DeviceType>) -> u32 {
    bits(types.filter(|device| *device != DeviceType::Star))
}

/// Device types as the library knows them.
fn bits(types: impl Iterator<Item = DeviceType>) -> u32 {
    let mut named = DeviceTypes::default();
    for device in types {
        match device {
            DeviceType::None => {}
            DeviceType::Star => named.any = true,
            DeviceType::Default => named.default = true,
            DeviceType::Host | DeviceType::Multicore => named.host = true,
            DeviceType::Nvidia => named.nvidia = true,
            DeviceType::Radeon => named.radeon = true,
            DeviceType::Sim => named.sim = true,
            DeviceType::OpenCl => named.opencl = true,
        }
    }
    named.bits()
}
