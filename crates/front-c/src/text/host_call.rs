//! What a directive's call passes to the run-time library: built from the texts of its clauses.
//!
//! ```text
//! parallel async(q) num_gangs(n) copy(p[1:m])        p: float *
//! header: 1, 0, (q), (n), 0, 0, 0, 0, none, 0        p: (p), 0, lower (1), length (m), extent 0
//! ```
//!
//! Types come from the caller, who has read clang's tree: [`SiteVariable`] says what a variable is. A clause that
//! differs by `device_type` becomes a choice made at run time (OpenACC 3.4 section 2.4).

use super::host::{CallKind, Half, Header, HostCall, Word};
use super::message::Message;
use super::scan::ScannedDirective;
use accrue_directives::{
    Clause, ClauseArgs, ClauseKind, DeviceScope, DeviceType, DeviceTypeKind, DirectiveArgs, DirectiveKind, Span,
    Subscript, Var, WaitArgs,
};

/// A variable of a site, with what is needed to pass it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteVariable {
    /// Action VALUE: the value goes with the call.
    Value {
        /// The variable.
        expression: String,
        /// Its type.
        class: ValueClass,
    },
    /// Actions POINTER and DEVICEPTR: the value of a pointer.
    Pointer {
        /// The pointer.
        expression: String,
    },
    /// All other actions: an object in memory.
    Object(Object),
}

/// The types that are passed by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueClass {
    /// Integers up to 64 bits, `_Bool`, enumerations.
    Integer,
    /// `__int128`
    Integer128,
    /// Pointers whose value is all that matters.
    Pointer,
    /// `float`
    Float32,
    /// `double`
    Float64,
    /// `long double`
    LongDouble,
    /// `float _Complex`
    Complex32,
    /// `double _Complex`
    Complex64,
}

/// One step from a type to its element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An array, of constant or variable length.
    Array,
    /// A pointer. (An array parameter of a function is one.)
    Pointer,
}

/// An object, a part of an array, or what a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The variable without subscripts: `s->p` of `s->p[0:n]`.
    pub base: String,
    /// Its dimensions, outermost first; none for a scalar, a structure, or a pointer that is meant itself.
    pub dimensions: Vec<Dimension>,
    /// Whether the address of the pointer goes with it, to be attached (section 2.7.2). Only then is the
    /// address of a pointer variable taken: a variable whose address is known to others is slow.
    pub pass_pointer: bool,
}

/// One dimension of an [`Object`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// How its elements are reached.
    pub step: Step,
    /// The first element; 0 when absent.
    pub lower: Option<String>,
    /// The number of elements; all that are left when absent (arrays only).
    pub length: Option<String>,
}

impl Object {
    /// A whole variable, as in a clause without subscripts or by an implicit data attribute: all dimensions of an array;
    /// a pointer stands for itself.
    pub fn whole(base: impl Into<String>, steps: &[Step]) -> Self {
        let mut object = Object { base: base.into(), dimensions: Vec::new(), pass_pointer: false };
        object.add_whole_dimensions(steps);
        object
    }

    /// A variable of a clause, with its subscripts. `steps` are those of the base's type, at least up to the first
    /// scalar or pointer behind the subscripts.
    ///
    /// # Errors
    /// Too many subscripts, or a length that cannot be known.
    pub fn of_variable(directive: &ScannedDirective, variable: &Var, steps: &[Step]) -> Result<Self, Message> {
        let text = |span: Span| directive.text_of(span).trim().to_string();
        let mut object = Object { base: text(variable.base), dimensions: Vec::new(), pass_pointer: false };
        for (dimension, subscript) in variable.subscripts.iter().enumerate() {
            let span = subscript_span(subscript);
            let fail = |message: Message| directive.source.locate(message.section("2.7.1"), span);
            let Some(&step) = steps.get(dimension) else {
                return Err(fail(Message::error(format!("`{}` has no dimension for this subscript", object.base))));
            };
            let (lower, length) = match *subscript {
                Subscript::Index(index) => (Some(text(index)), Some("1".to_string())),
                Subscript::Section { lower, length, .. } => (lower.map(text), length.map(text)),
                Subscript::Triplet { .. } => {
                    return Err(fail(Message::error("this is Fortran's way to write a section").help("write `[lower:length]`")));
                }
            };
            if length.is_none() && step == Step::Pointer {
                let message = Message::error(format!("the length of this section of `{}` is missing", object.base));
                return Err(fail(message.label("a pointer does not tell how many elements it points to")));
            }
            object.dimensions.push(Dimension { step, lower, length });
        }
        object.add_whole_dimensions(steps.get(object.dimensions.len()..).unwrap_or_default());
        Ok(object)
    }

    /// The bits of the dimensions, from the second on, that are reached through a pointer in memory.
    pub fn pointer_dimensions(&self) -> u16 {
        let pointers = self.dimensions.iter().enumerate().skip(1).filter(|(_, dimension)| dimension.step == Step::Pointer);
        pointers.fold(0, |bits, (index, _)| bits | 1u16.checked_shl(index as u32).unwrap_or(0))
    }

    fn add_whole_dimensions(&mut self, steps: &[Step]) {
        let arrays = steps.iter().take_while(|step| **step == Step::Array);
        self.dimensions.extend(arrays.map(|&step| Dimension { step, lower: None, length: None }));
    }

    /// Address, address of the pointer, then lower bound, length and extent of each dimension.
    fn words(&self) -> Vec<Word> {
        let through_pointer = self.dimensions.first().is_some_and(|first| first.step == Step::Pointer);
        let mut words = match (through_pointer, self.pass_pointer) {
            (true, true) => vec![Word::Pointer(self.base.clone()), Word::Address(self.base.clone())],
            (true, false) => vec![Word::Pointer(self.base.clone()), Word::Constant(0)],
            (false, true | false) => vec![Word::Address(self.base.clone()), Word::Constant(0)],
        };
        for (index, dimension) in self.dimensions.iter().enumerate() {
            let array = format!("({}){}", self.base, "[0]".repeat(index));
            let element = format!("{array}[0]");
            words.push(dimension.lower.clone().map_or(Word::Constant(0), Word::Integer));
            words.push(match (&dimension.length, &dimension.lower) {
                (Some(length), _) => Word::Integer(length.clone()),
                (None, Some(from)) => {
                    Word::Remaining { array: array.clone(), element: element.clone(), from: from.clone() }
                }
                (None, None) => Word::Extent { array: array.clone(), element: element.clone() },
            });
            words.push(match dimension.step {
                Step::Array => Word::Extent { array, element },
                Step::Pointer => Word::Constant(0),
            });
        }
        words
    }
}

impl SiteVariable {
    /// The words that pass the variable.
    pub fn words(&self) -> Vec<Word> {
        match self {
            SiteVariable::Object(object) => object.words(),
            SiteVariable::Pointer { expression } => vec![Word::Pointer(expression.clone())],
            SiteVariable::Value { expression, class } => {
                let text = || expression.clone();
                match class {
                    ValueClass::Integer => vec![Word::Integer(text())],
                    ValueClass::Integer128 => {
                        vec![Word::Integer128(text(), Half::First), Word::Integer128(text(), Half::Second)]
                    }
                    ValueClass::Pointer => vec![Word::Pointer(text())],
                    ValueClass::Float32 => vec![Word::Float32(text())],
                    ValueClass::Float64 => vec![Word::Float64(text())],
                    ValueClass::LongDouble => {
                        vec![Word::LongDouble(text(), Half::First), Word::LongDouble(text(), Half::Second)]
                    }
                    ValueClass::Complex32 => vec![Word::Complex32(text())],
                    ValueClass::Complex64 => {
                        vec![Word::Complex64(text(), Half::First), Word::Complex64(text(), Half::Second)]
                    }
                }
            }
        }
    }
}

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
    ) -> Result<Option<HostCall>, Message> {
        let Some(kind) = call_kind(directive.directive.kind) else { return Ok(None) };
        let clauses = Clauses { directive };
        let (wait_count, waits) = clauses.waits()?;
        let header = Header {
            if_condition: clauses.choose(ClauseKind::If, &Word::Constant(1), &|clause| clauses.condition(clause)),
            self_condition: clauses
                .choose(ClauseKind::SelfCondition, &Word::Constant(0), &|clause| clauses.condition(clause)),
            queue: clauses.queue(),
            gangs: [0, 1, 2].map(|dimension| clauses.gangs(dimension)),
            workers: clauses.size(ClauseKind::NumWorkers, ClauseKind::Worker),
            vector: clauses.size(ClauseKind::VectorLength, ClauseKind::Vector),
            device: clauses.device(),
            wait_count,
        };
        let variables = variables.iter().map(SiteVariable::words).collect();
        Ok(Some(HostCall { kind, site: site.to_string(), header, waits, variables }))
    }
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

fn subscript_span(subscript: &Subscript) -> Span {
    match subscript {
        Subscript::Index(span) | Subscript::Section { span, .. } | Subscript::Triplet { span, .. } => *span,
    }
}

/// The clauses of one directive as words.
struct Clauses<'a> {
    directive: &'a ScannedDirective,
}

/// `acc_async_noval`: the queue of `async` without an argument.
const ASYNC_NOVAL: Word = Word::Constant(-1i64 as u64);
/// `acc_async_sync`: nothing is ever waited for in it.
const ASYNC_SYNC: Word = Word::Constant(-2i64 as u64);

impl Clauses<'_> {
    fn list(&self, kind: ClauseKind) -> Vec<&Clause> {
        self.directive.directive.clauses.iter().filter(|clause| clause.kind == kind).collect()
    }

    fn text(&self, span: Span) -> String {
        self.directive.text_of(span).trim().to_string()
    }

    fn condition(&self, clause: &Clause) -> Word {
        self.expression(clause).map_or(Word::Constant(1), |span| Word::Condition(self.text(span)))
    }

    fn expression(&self, clause: &Clause) -> Option<Span> {
        match &clause.args {
            ClauseArgs::Expr(span) | ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => Some(*span),
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
        self.expression(clause).map_or_else(|| absent.clone(), |span| Word::Integer(self.text(span)))
    }

    /// The word of the clause of a kind, chosen by device type where the directive has several.
    fn choose(&self, kind: ClauseKind, absent: &Word, word: &dyn Fn(&Clause) -> Word) -> Word {
        let entries: Vec<_> = self.list(kind).into_iter().map(|clause| (&clause.devices, word(clause))).collect();
        self.choose_scope(&entries, absent)
    }

    /// Section 2.4: what follows a `device_type` clause holds for its types; what precedes all of them, for the types
    /// for which nothing else is given; `*` names the types that no `device_type` clause of the directive names.
    fn choose_scope(&self, entries: &[(&DeviceScope, Word)], absent: &Word) -> Word {
        let all = entries.iter().find(|(scope, _)| **scope == DeviceScope::All);
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
        self.list(ClauseKind::DeviceType).into_iter().fold(0, |named, clause| match &clause.args {
            ClauseArgs::Devices(types) => named | mask(types),
            ClauseArgs::None
            | ClauseArgs::Expr(_)
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Vars(_)
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Wait(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Collapse { .. }
            | ClauseArgs::Gang { .. }
            | ClauseArgs::Worker(_)
            | ClauseArgs::Vector(_)
            | ClauseArgs::Tile(_)
            | ClauseArgs::Bind { .. } => named,
        })
    }

    fn queue(&self) -> Word {
        let default_queue = self.choose(ClauseKind::DefaultAsync, &Word::SYNC, &|clause| self.integer(clause, &Word::SYNC));
        self.choose(ClauseKind::Async, &default_queue, &|clause| self.integer(clause, &ASYNC_NOVAL))
    }

    /// `num_gangs` of a dimension. A serial construct has one gang (section 2.5.2); `gang(num: n)` of a combined
    /// `kernels loop` sets the gangs of dimension 1 (section 2.9.2).
    fn gangs(&self, dimension: usize) -> Word {
        let absent = match self.directive.directive.kind {
            DirectiveKind::Serial | DirectiveKind::SerialLoop => Word::Constant(1),
            DirectiveKind::KernelsLoop if dimension == 0 => {
                self.choose(ClauseKind::Gang, &Word::Constant(0), &|clause| match &clause.args {
                    ClauseArgs::Gang { num: Some(num), .. } => Word::Integer(self.text(*num)),
                    _ => Word::Constant(0),
                })
            }
            _ => Word::Constant(0),
        };
        self.choose(ClauseKind::NumGangs, &absent, &|clause| match &clause.args {
            ClauseArgs::Exprs(spans) => match spans.get(dimension) {
                Some(span) => Word::Integer(self.text(*span)),
                // num_gangs(n) leaves dimensions 2 and 3 at one.
                None => Word::Constant(1),
            },
            _ => absent.clone(),
        })
    }

    /// `num_workers` or `vector_length`, or what the loop clause of a combined `kernels loop` says.
    fn size(&self, kind: ClauseKind, loop_kind: ClauseKind) -> Word {
        let absent = match self.directive.directive.kind {
            DirectiveKind::Serial | DirectiveKind::SerialLoop => Word::Constant(1),
            DirectiveKind::KernelsLoop => {
                self.choose(loop_kind, &Word::Constant(0), &|clause| self.integer(clause, &Word::Constant(0)))
            }
            _ => Word::Constant(0),
        };
        self.choose(kind, &absent, &|clause| self.integer(clause, &absent))
    }

    fn device(&self) -> Word {
        let devnum = self.wait_arguments().into_iter().find_map(|(_, wait)| wait?.devnum);
        let absent = devnum.map_or(Word::NONE, |span| Word::Integer(self.text(span)));
        self.choose(ClauseKind::DeviceNum, &absent, &|clause| self.integer(clause, &absent))
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
        let clauses = self.list(ClauseKind::Wait).into_iter().map(|clause| match &clause.args {
            ClauseArgs::Wait(wait) => (&clause.devices, Some(wait)),
            _ => (&clause.devices, None),
        });
        own.into_iter().chain(clauses).collect()
    }

    /// The number of queues to wait for, and the queues. Each queue holds for the device types of its clause and is
    /// [`ASYNC_SYNC`] for the others, so that the number is the same for all.
    fn waits(&self) -> Result<(Word, Vec<Word>), Message> {
        let arguments = self.wait_arguments();
        let is_all = |wait: &Option<&WaitArgs>| wait.is_none_or(|wait| wait.queues.is_empty());
        let mut scopes: Vec<&DeviceScope> = Vec::new();
        for (scope, _) in &arguments {
            if !scopes.contains(scope) {
                scopes.push(scope);
            }
        }
        let waits_for_all =
            |scope: &DeviceScope| arguments.iter().any(|(other, wait)| *other == scope && is_all(wait));
        if scopes.iter().any(|scope| waits_for_all(scope)) {
            if scopes.iter().any(|scope| !waits_for_all(scope)) {
                let message = Message::error("`wait` with and without an argument for different device types is not supported")
                    .help("name the queues for each device type");
                let span = self.list(ClauseKind::Wait).last().map_or(self.directive.directive.span, |clause| clause.span);
                return Err(self.directive.source.locate(message.section("2.16.2"), span));
            }
            let entries: Vec<_> = scopes.into_iter().map(|scope| (scope, Word::NONE)).collect();
            return Ok((self.choose_scope(&entries, &Word::Constant(0)), Vec::new()));
        }
        let mut words = Vec::new();
        for (scope, wait) in &arguments {
            for queue in wait.iter().flat_map(|wait| &wait.queues) {
                let own = Word::Integer(self.text(*queue));
                let word = |other: &&DeviceScope| if other == scope { own.clone() } else { ASYNC_SYNC };
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
    Word::Choose { mask, then: Box::new(then), otherwise: Box::new(otherwise) }
}

/// The bits of device types, as the run-time library knows them. `*` and unknown names have none here.
fn mask(types: &[DeviceType]) -> u32 {
    types.iter().fold(0, |mask, device| {
        mask | match device.kind {
            DeviceTypeKind::Any | DeviceTypeKind::Unknown => 0,
            DeviceTypeKind::Default => 16,
            DeviceTypeKind::Host | DeviceTypeKind::Multicore => 2,
            DeviceTypeKind::Nvidia => 4,
            DeviceTypeKind::Radeon => 8,
            DeviceTypeKind::Sim => 64,
            DeviceTypeKind::OpenCl => 128,
        }
    })
}
