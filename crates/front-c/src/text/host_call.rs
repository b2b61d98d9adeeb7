//! What a directive's call passes to the run-time library: built from the texts of its clauses.
//!
//! ```text
//! parallel async(q) num_gangs(n) if(n > 1) wait(3)
//! header: if (n > 1), self 0, queue (q), gangs (n) 1 1, workers 0, vector 0, device none, 1 queue; then (3)
//! ```
//!
//! The variables come from the caller: see [`variables`](super::variables). A clause that differs by `device_type`
//! becomes a choice made at run time (OpenACC 3.4 section 2.4).

use super::host::{CallKind, Header, HostCall, Shadow, Word};
use super::scan::ScannedDirective;
pub use super::variables::{Dimension, Object, SiteVariable, Step, ValueClass};
use accrue_abi::DeviceTypes;
use accrue_diag::Diagnostic;
use accrue_directives::{
    Clause, ClauseArgs, ClauseKind, DeviceScope, DeviceType, DeviceTypeKind, DirectiveArgs,
    DirectiveKind, Span, WaitArgs,
};

impl HostCall {
    /// The call for a directive: everything that its clauses say, and the words of the site's variables. `None` for a
    /// directive that does nothing by itself (`loop`, `cache`, `atomic`, `declare`, `routine`).
    ///
    /// # Errors
    /// Combinations of clauses that cannot be passed.
    pub fn from_directive(
        directive: &ScannedDirective,
        site: &str,
        variables: &[SiteVariable],
    ) -> Result<Option<HostCall>, Diagnostic> {
        let Some(kind) = call_kind(directive.directive.kind) else {
            return Ok(None);
        };
        let clauses = Clauses { directive };
        let (wait_count, waits) = clauses.waits()?;
        let header = Header {
            if_condition: clauses.choose(ClauseKind::If, &Word::Constant(1), &|clause| {
                clauses.condition(clause)
            }),
            self_condition: clauses.choose(
                ClauseKind::SelfCondition,
                &Word::Constant(0),
                &|clause| clauses.condition(clause),
            ),
            queue: clauses.queue(),
            gangs: [0, 1, 2].map(|dimension| clauses.gangs(dimension)),
            workers: clauses.size(ClauseKind::NumWorkers, ClauseKind::Worker),
            vector: clauses.size(ClauseKind::VectorLength, ClauseKind::Vector),
            device: clauses.device(),
            wait_count,
        };
        let shadows = match directive.directive.kind == DirectiveKind::HostData {
            true => shadows(directive, variables)?,
            false => Vec::new(),
        };
        let variables = variables.iter().map(SiteVariable::words).collect();
        Ok(Some(HostCall {
            kind,
            site: site.to_string(),
            header,
            waits,
            variables,
            shadows,
        }))
    }
}

/// The names that a `host_data` construct declares anew. A scalar keeps its name: it has no other address on the host.
fn shadows(
    directive: &ScannedDirective,
    variables: &[SiteVariable],
) -> Result<Vec<Shadow>, Diagnostic> {
    let mut found = Vec::new();
    for (index, variable) in variables.iter().enumerate() {
        let SiteVariable::Object(object) = variable else {
            continue;
        };
        let Some(first) = object.dimensions.first() else {
            continue;
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
        if !object.base.chars().all(is_name) {
            let message = Diagnostic::error(format!(
                "`use_device({})` is not supported: it is no name of a variable",
                object.base
            ))
            .help("assign it to a pointer variable, and name that")
            .section("2.8");
            let span = directive.directive.span;
            return Err(directive.source.locate(message, span));
        }
        found.push(Shadow {
            name: object.base.clone(),
            is_array: first.step == Step::Array,
            index,
        });
    }
    Ok(found)
}

/// How a kind of directive calls the run-time library.
fn call_kind(kind: DirectiveKind) -> Option<CallKind> {
    match kind {
        DirectiveKind::Parallel
        | DirectiveKind::Serial
        | DirectiveKind::Kernels
        | DirectiveKind::ParallelLoop
        | DirectiveKind::SerialLoop
        | DirectiveKind::KernelsLoop => Some(CallKind::Launch),
        DirectiveKind::Data | DirectiveKind::HostData => Some(CallKind::Data),
        DirectiveKind::EnterData
        | DirectiveKind::ExitData
        | DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Set
        | DirectiveKind::Update
        | DirectiveKind::Wait => Some(CallKind::Exec),
        DirectiveKind::Loop
        | DirectiveKind::Cache
        | DirectiveKind::Atomic
        | DirectiveKind::Declare
        | DirectiveKind::Routine
        | DirectiveKind::EndParallel
        | DirectiveKind::EndSerial
        | DirectiveKind::EndKernels
        | DirectiveKind::EndParallelLoop
        | DirectiveKind::EndSerialLoop
        | DirectiveKind::EndKernelsLoop
        | DirectiveKind::EndLoop
        | DirectiveKind::EndData
        | DirectiveKind::EndHostData
        | DirectiveKind::EndAtomic => None,
    }
}

/// The clauses of one directive as words.
struct Clauses<'a> {
    directive: &'a ScannedDirective,
}

/// `acc_async_noval`: the queue of `async` without an argument.
const ASYNC_NOVAL: Word = Word::Constant(accrue_abi::ASYNC_NOVAL as u64);
/// `acc_async_sync`: nothing is ever waited for in it.
const ASYNC_SYNC: Word = Word::Constant(accrue_abi::ASYNC_SYNC as u64);

impl Clauses<'_> {
    fn list(&self, kind: ClauseKind) -> Vec<&Clause> {
        self.directive
            .directive
            .clauses
            .iter()
            .filter(|clause| clause.kind == kind)
            .collect()
    }

    fn text(&self, span: Span) -> String {
        self.directive.text_of(span).trim().to_string()
    }

    fn condition(&self, clause: &Clause) -> Word {
        self.expression(clause)
            .map_or(Word::Constant(1), |span| Word::Condition(self.text(span)))
    }

    fn expression(&self, clause: &Clause) -> Option<Span> {
        match &clause.args {
            ClauseArgs::Expr(span) | ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => {
                Some(*span)
            }
            ClauseArgs::None
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Vars(_)
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Wait(_)
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Collapse { .. }
            | ClauseArgs::Gang { .. }
            | ClauseArgs::Tile(_)
            | ClauseArgs::Bind { .. } => None,
        }
    }

    fn integer(&self, clause: &Clause, absent: &Word) -> Word {
        self.expression(clause)
            .map_or_else(|| absent.clone(), |span| Word::Integer(self.text(span)))
    }

    /// The word of the clause of a kind, chosen by device type where the directive has several.
    fn choose(&self, kind: ClauseKind, absent: &Word, word: &dyn Fn(&Clause) -> Word) -> Word {
        let entries: Vec<_> = self
            .list(kind)
            .into_iter()
            .map(|clause| (&clause.devices, word(clause)))
            .collect();
        self.choose_scope(&entries, absent)
    }

    /// Section 2.4: what follows a `device_type` clause holds for its types; what precedes all of them, for the types
    /// for which nothing else is given; `*` names the types that no `device_type` clause of the directive names.
    fn choose_scope(&self, entries: &[(&DeviceScope, Word)], absent: &Word) -> Word {
        let all = entries
            .iter()
            .find(|(scope, _)| **scope == DeviceScope::All);
        let default = all.map_or_else(|| absent.clone(), |(_, word)| word.clone());
        let mut chosen = default.clone();
        let listed = entries.iter().filter_map(|(scope, word)| match scope {
            DeviceScope::All => None,
            DeviceScope::Listed(types) => Some((types, word)),
        });
        let is_any = |device: &DeviceType| device.kind == DeviceTypeKind::Any;
        for (_, word) in listed.clone().filter(|(types, _)| types.iter().any(is_any)) {
            chosen = choice(self.named_types(), default.clone(), word.clone());
        }
        for (types, word) in listed {
            chosen = choice(mask(types), word.clone(), chosen);
        }
        chosen
    }

    /// All types named in `device_type` clauses of the directive.
    fn named_types(&self) -> u32 {
        self.list(ClauseKind::DeviceType)
            .into_iter()
            .fold(0, |named, clause| {
                let ClauseArgs::Devices(types) = &clause.args else {
                    return named;
                };
                named | mask(types)
            })
    }

    fn queue(&self) -> Word {
        let default_queue = self.choose(ClauseKind::DefaultAsync, &Word::SYNC, &|clause| {
            self.integer(clause, &Word::SYNC)
        });
        self.choose(ClauseKind::Async, &default_queue, &|clause| {
            self.integer(clause, &ASYNC_NOVAL)
        })
    }

    /// `num_gangs` of a dimension. A serial construct has one gang (section 2.5.2); `gang(num: n)` of a combined
    /// `kernels loop` sets the gangs of dimension 1 (section 2.9.2).
    fn gangs(&self, dimension: usize) -> Word {
        let num = |clause: &Clause| {
            let ClauseArgs::Gang { num, .. } = &clause.args else {
                return None;
            };
            num.map(|num| Word::Size(self.text(num)))
        };
        let absent = if self.is_serial() {
            Word::Constant(1)
        } else if self.is_kernels_loop() && dimension == 0 {
            let zero = Word::Constant(0);
            self.choose(ClauseKind::Gang, &zero, &|clause| {
                num(clause).unwrap_or(Word::Constant(0))
            })
        } else {
            Word::Constant(0)
        };
        self.choose(ClauseKind::NumGangs, &absent, &|clause| {
            let ClauseArgs::Exprs(spans) = &clause.args else {
                return absent.clone();
            };
            // num_gangs(n) leaves dimensions 2 and 3 at one.
            let span = spans.get(dimension);
            span.map_or(Word::Constant(1), |span| Word::Size(self.text(*span)))
        })
    }

    /// `num_workers` or `vector_length`, or what the loop clause of a combined `kernels loop` says.
    fn size(&self, kind: ClauseKind, loop_kind: ClauseKind) -> Word {
        let zero = Word::Constant(0);
        let absent = if self.is_serial() {
            Word::Constant(1)
        } else if self.is_kernels_loop() {
            self.choose(loop_kind, &zero, &|clause| self.size_of(clause, &zero))
        } else {
            zero.clone()
        };
        self.choose(kind, &absent, &|clause| self.size_of(clause, &absent))
    }

    fn size_of(&self, clause: &Clause, absent: &Word) -> Word {
        let given = self
            .expression(clause)
            .map(|span| Word::Size(self.text(span)));
        given.unwrap_or_else(|| absent.clone())
    }

    fn is_serial(&self) -> bool {
        let kind = self.directive.directive.kind;
        matches!(kind, DirectiveKind::Serial | DirectiveKind::SerialLoop)
    }

    fn is_kernels_loop(&self) -> bool {
        self.directive.directive.kind == DirectiveKind::KernelsLoop
    }

    fn device(&self) -> Word {
        let devnum = self
            .wait_arguments()
            .into_iter()
            .find_map(|(_, wait)| wait?.devnum);
        let absent = devnum.map_or(Word::NONE, |span| Word::Integer(self.text(span)));
        self.choose(ClauseKind::DeviceNum, &absent, &|clause| {
            self.integer(clause, &absent)
        })
    }

    /// The wait arguments of the directive and its clauses; `None` where all queues are meant.
    fn wait_arguments(&self) -> Vec<(&DeviceScope, Option<&WaitArgs>)> {
        const EVERY: &DeviceScope = &DeviceScope::All;
        let directive = &self.directive.directive;
        let own = (directive.kind == DirectiveKind::Wait).then_some(match &directive.args {
            DirectiveArgs::Wait(wait) => (EVERY, Some(wait)),
            DirectiveArgs::None
            | DirectiveArgs::Cache { .. }
            | DirectiveArgs::Atomic { .. }
            | DirectiveArgs::Routine { .. } => (EVERY, None),
        });
        let clauses = self.list(ClauseKind::Wait).into_iter().map(|clause| {
            let ClauseArgs::Wait(wait) = &clause.args else {
                return (&clause.devices, None);
            };
            (&clause.devices, Some(wait))
        });
        own.into_iter().chain(clauses).collect()
    }

    /// The number of queues to wait for, and the queues. Each queue holds for the device types of its clause and is
    /// [`ASYNC_SYNC`] for the others, so that the number is the same for all.
    fn waits(&self) -> Result<(Word, Vec<Word>), Diagnostic> {
        let arguments = self.wait_arguments();
        let is_all = |wait: &Option<&WaitArgs>| wait.is_none_or(|wait| wait.queues.is_empty());
        let mut scopes: Vec<&DeviceScope> = Vec::new();
        for (scope, _) in &arguments {
            if !scopes.contains(scope) {
                scopes.push(scope);
            }
        }
        let waits_for_all = |scope: &DeviceScope| {
            arguments
                .iter()
                .any(|(other, wait)| *other == scope && is_all(wait))
        };
        if scopes.iter().any(|scope| waits_for_all(scope)) {
            if scopes.iter().any(|scope| !waits_for_all(scope)) {
                let message = Diagnostic::error("`wait` with and without an argument for different device types is not supported")
                    .help("name the queues for each device type");
                let span = self
                    .list(ClauseKind::Wait)
                    .last()
                    .map_or(self.directive.directive.span, |clause| clause.span);
                return Err(self
                    .directive
                    .source
                    .locate(message.section("2.16.2"), span));
            }
            let entries: Vec<_> = scopes
                .into_iter()
                .map(|scope| (scope, Word::NONE))
                .collect();
            return Ok((self.choose_scope(&entries, &Word::Constant(0)), Vec::new()));
        }
        let mut words = Vec::new();
        for (scope, wait) in &arguments {
            for queue in wait.iter().flat_map(|wait| &wait.queues) {
                let own = Word::Integer(self.text(*queue));
                let word = |other: &&DeviceScope| {
                    if other == scope {
                        own.clone()
                    } else {
                        ASYNC_SYNC
                    }
                };
                let entries: Vec<_> = scopes.iter().map(|other| (*other, word(other))).collect();
                words.push(self.choose_scope(&entries, &ASYNC_SYNC));
            }
        }
        Ok((Word::Constant(words.len() as u64), words))
    }
}

fn choice(mask: u32, then: Word, otherwise: Word) -> Word {
    if mask == 0 || then == otherwise {
        return otherwise;
    }
    Word::Choose {
        mask,
        then: Box::new(then),
        otherwise: Box::new(otherwise),
    }
}

/// The bits of device types; `*` and unknown names have none here.
fn mask(types: &[DeviceType]) -> u32 {
    let named = DeviceTypes {
        any: false,
        ..device_types(types)
    };
    named.bits()
}

/// Device types as the run-time library knows them.
pub fn device_types(types: &[DeviceType]) -> DeviceTypes {
    let mut named = DeviceTypes::default();
    for device in types {
        match device.kind {
            DeviceTypeKind::Any => named.any = true,
            DeviceTypeKind::Unknown => {}
            DeviceTypeKind::Default => named.default = true,
            DeviceTypeKind::Host | DeviceTypeKind::Multicore => named.host = true,
            DeviceTypeKind::Nvidia => named.nvidia = true,
            DeviceTypeKind::Radeon => named.radeon = true,
            DeviceTypeKind::Sim => named.sim = true,
            DeviceTypeKind::OpenCl => named.opencl = true,
        }
    }
    named
}
