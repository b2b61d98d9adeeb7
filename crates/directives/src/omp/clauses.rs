//! Clauses of OpenMP after parsing.

use crate::Span;
use crate::ast::{ReductionOperator, Var};

/// One clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Which one.
    pub kind: ClauseKind,
    /// Its name.
    pub name_span: Span,
    /// What stands in the parentheses.
    pub args: ClauseArgs,
    /// All of it.
    pub span: Span,
}

/// What stands in the parentheses of a clause. Expressions are spans of the directive's text.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseArgs {
    /// No parentheses.
    None,
    /// Expressions: one, or of `num_teams` the upper bound and, if it is written, the lower one.
    Exprs(Vec<Span>),
    /// The same behind a word and a colon: `if(target: n > 10)`, `device(device_num: 1)`.
    Modified {
        /// The words before the colon.
        modifier: Span,
        /// The expression.
        expr: Span,
    },
    /// A word, and perhaps an expression: `schedule(static, 4)`, `order(concurrent)`, `bind(teams)`.
    Word {
        /// The word.
        word: Span,
        /// What follows the comma.
        expr: Option<Span>,
    },
    /// `default( … )`
    Default(DefaultValue),
    /// `defaultmap( behavior [: category] )`
    Defaultmap {
        /// What is said.
        behavior: MapBehavior,
        /// Of which variables; of all if none is written.
        category: Option<VariableCategory>,
    },
    /// Variables.
    Vars(Vec<Var>),
    /// Variables behind `present:`.
    Present(Vec<Var>),
    /// Variables behind `conditional:`.
    Conditional(Vec<Var>),
    /// `map( [modifiers] type: variables )`
    Map {
        /// The type; `tofrom` where none is written.
        kind: MapKind,
        /// The modifiers.
        modifiers: Vec<MapModifier>,
        /// The variables.
        vars: Vec<Var>,
    },
    /// `reduction( operator : variables )`
    Reduction {
        /// The operator; none where the word is not one of the language's.
        operator: Option<ReductionOperator>,
        /// The word or operator, which may be that of a `declare reduction`.
        identifier: Span,
        /// Iterations find what those before them have given.
        inscan: bool,
        /// The variables.
        vars: Vec<Var>,
    },
    /// `linear( variables [: step] )`
    Linear {
        /// The variables.
        vars: Vec<Var>,
        /// What an iteration adds; 1 where none is written.
        step: Option<Span>,
    },
    /// What is not looked into.
    Unread(Span),
}

/// The type of a `map` clause (section 5.8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// `to`
    To,
    /// `from`
    From,
    /// `tofrom`
    ToFrom,
    /// `alloc`
    Alloc,
    /// `release`
    Release,
    /// `delete`
    Delete,
}

/// What stands before the type of a `map` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapModifier {
    /// `always`
    Always,
    /// `close`, a hint
    Close,
    /// `present`
    Present,
    /// `self`: the device has what is mapped where the host has it.
    ToItself,
    /// The struct around members that are mapped, which no clause names: it counts where it is not mapped by itself.
    Around,
}

/// The modifier [`MapModifier::Around`] in directives that are written anew.
pub(super) const AROUND: &str = "__accrue_around";

/// What `default` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultValue {
    /// `shared`
    Shared,
    /// `none`
    None,
    /// `private`
    Private,
    /// `firstprivate`
    Firstprivate,
}

/// What `defaultmap` says of variables that no clause names (section 5.8.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapBehavior {
    /// As without the clause.
    Default,
    /// As in a `map` clause.
    Alloc,
    /// As in a `map` clause.
    To,
    /// As in a `map` clause.
    From,
    /// As in a `map` clause.
    ToFrom,
    /// A copy of the value.
    Firstprivate,
    /// It is mapped already.
    Present,
    /// Each must be named.
    None,
}

/// The variables that a `defaultmap` clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableCategory {
    /// Numbers.
    Scalar,
    /// Arrays, structs, unions.
    Aggregate,
    /// Pointers.
    Pointer,
}

impl MapBehavior {
    /// The word and what it means.
    pub const ALL: [(&str, MapBehavior); 8] = [
        ("default", MapBehavior::Default),
        ("alloc", MapBehavior::Alloc),
        ("to", MapBehavior::To),
        ("from", MapBehavior::From),
        ("tofrom", MapBehavior::ToFrom),
        ("firstprivate", MapBehavior::Firstprivate),
        ("present", MapBehavior::Present),
        ("none", MapBehavior::None),
    ];
}

impl VariableCategory {
    /// The word and what it means; `all` is none of them.
    pub const ALL: [(&str, Option<VariableCategory>); 4] = [
        ("all", None),
        ("scalar", Some(VariableCategory::Scalar)),
        ("aggregate", Some(VariableCategory::Aggregate)),
        ("pointer", Some(VariableCategory::Pointer)),
    ];
}

impl MapKind {
    /// The word and what it means.
    pub const ALL: [(&str, MapKind); 6] = [
        ("to", MapKind::To),
        ("from", MapKind::From),
        ("tofrom", MapKind::ToFrom),
        ("alloc", MapKind::Alloc),
        ("release", MapKind::Release),
        ("delete", MapKind::Delete),
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.into_iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(name, _)| name)
    }
}

impl Clause {
    /// The variables the clause names; none for a clause without variables.
    pub fn vars(&self) -> &[Var] {
        match &self.args {
            ClauseArgs::Vars(vars)
            | ClauseArgs::Present(vars)
            | ClauseArgs::Conditional(vars)
            | ClauseArgs::Map { vars, .. }
            | ClauseArgs::Linear { vars, .. }
            | ClauseArgs::Reduction { vars, .. } => vars,
            ClauseArgs::None
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Modified { .. }
            | ClauseArgs::Word { .. }
            | ClauseArgs::Default(_)
            | ClauseArgs::Defaultmap { .. }
            | ClauseArgs::Unread(_) => &[],
        }
    }

    /// The expressions in it, in order.
    pub fn expressions(&self) -> Vec<Span> {
        match &self.args {
            ClauseArgs::Exprs(exprs) => exprs.clone(),
            ClauseArgs::Modified { expr, .. } => vec![*expr],
            ClauseArgs::Word { expr, .. } => expr.iter().copied().collect(),
            ClauseArgs::Linear { step, .. } => step.iter().copied().collect(),
            ClauseArgs::None
            | ClauseArgs::Default(_)
            | ClauseArgs::Defaultmap { .. }
            | ClauseArgs::Vars(_)
            | ClauseArgs::Present(_)
            | ClauseArgs::Conditional(_)
            | ClauseArgs::Map { .. }
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Unread(_) => vec![],
        }
    }
}

macro_rules! clause_kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $section:literal $form:ident;)*) => {
        /// The clauses of the directives that are understood.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ClauseKind {
            $($(#[$doc])* $kind),*
        }

        impl ClauseKind {
            /// All of them.
            pub const ALL: &'static [ClauseKind] = &[$(ClauseKind::$kind),*];

            /// The word.
            pub fn name(self) -> &'static str {
                match self {
                    $(ClauseKind::$kind => $name),*
                }
            }

            /// The section of OpenMP 5.2 that defines it.
            pub fn section(self) -> &'static str {
                match self {
                    $(ClauseKind::$kind => $section),*
                }
            }

            pub(super) fn form(self) -> Form {
                match self {
                    $(ClauseKind::$kind => Form::$form),*
                }
            }
        }
    };
}

/// The form of a clause's argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    None,
    OptionalUnread,
    Unread,
    Expr,
    /// An expression, perhaps behind a word and a colon.
    Modified,
    /// One bound or two.
    Bounds,
    Word,
    Default,
    Defaultmap,
    Vars,
    /// Variables, perhaps behind modifiers and a colon.
    Motion,
    Map,
    Reduction,
    Linear,
}

clause_kinds! {
    If "if" "3.4" Modified;
    Device "device" "13.2" Modified;
    Map "map" "5.8.3" Map;
    Defaultmap "defaultmap" "5.8.7" Defaultmap;
    Private "private" "5.4.3" Vars;
    Firstprivate "firstprivate" "5.4.4" Vars;
    Lastprivate "lastprivate" "5.4.5" Motion;
    Shared "shared" "5.4.2" Vars;
    Default "default" "5.4.1" Default;
    Reduction "reduction" "5.5.8" Reduction;
    InReduction "in_reduction" "5.5.10" Reduction;
    TaskReduction "task_reduction" "5.5.9" Reduction;
    Final "final" "12.3" Expr;
    Untied "untied" "12.1" None;
    Mergeable "mergeable" "12.2" None;
    Priority "priority" "12.4" Expr;
    Affinity "affinity" "12.5.1" Unread;
    Detach "detach" "12.5.2" Unread;
    Grainsize "grainsize" "12.6.1" Unread;
    NumTasks "num_tasks" "12.6.2" Unread;
    Nogroup "nogroup" "12.7" None;
    IsDevicePtr "is_device_ptr" "5.4.7" Vars;
    HasDeviceAddr "has_device_addr" "5.4.9" Vars;
    UseDevicePtr "use_device_ptr" "5.4.8" Vars;
    UseDeviceAddr "use_device_addr" "5.4.10" Vars;
    Collapse "collapse" "4.4.3" Expr;
    Ordered "ordered" "4.4.4" OptionalUnread;
    Schedule "schedule" "11.5.3" Word;
    DistSchedule "dist_schedule" "11.6.1" Word;
    NumTeams "num_teams" "10.2.1" Bounds;
    ThreadLimit "thread_limit" "13.3" Expr;
    NumThreads "num_threads" "10.1.2" Expr;
    Safelen "safelen" "10.4.2" Expr;
    Simdlen "simdlen" "10.4.3" Expr;
    Aligned "aligned" "5.11" Unread;
    Linear "linear" "5.4.6" Linear;
    Nontemporal "nontemporal" "10.4.1" Unread;
    ProcBind "proc_bind" "10.1.4" Word;
    Order "order" "10.3" Unread;
    Bind "bind" "11.7.1" Word;
    Nowait "nowait" "15.6" OptionalUnread;
    Depend "depend" "15.9.5" Unread;
    Allocate "allocate" "6.6" Unread;
    UsesAllocators "uses_allocators" "6.8" Unread;
    Copyin "copyin" "5.7.1" Unread;
    Copyprivate "copyprivate" "5.7.2" Vars;
    Filter "filter" "10.5.1" Expr;
    /// Of `target update`.
    To "to" "5.9.1" Motion;
    /// Of `target update`.
    From "from" "5.9.2" Motion;
    /// Of `declare target`.
    Enter "enter" "5.8.4" Vars;
    /// Of `declare target`.
    Link "link" "5.8.5" Vars;
    /// Of `declare target`.
    DeviceType "device_type" "13.1" Word;
    /// Of `declare target`.
    Indirect "indirect" "7.8.3" OptionalUnread;
    UnifiedAddress "unified_address" "8.2.1" None;
    UnifiedSharedMemory "unified_shared_memory" "8.2.1" None;
    ReverseOffload "reverse_offload" "8.2.1" None;
    /// 6.0's: mapped memory is the host's.
    SelfMaps "self_maps" "8.2.1" None;
    DynamicAllocators "dynamic_allocators" "8.2.1" None;
    AtomicDefaultMemOrder "atomic_default_mem_order" "8.2.1" Word;
    Read "read" "15.8.4" None;
    Write "write" "15.8.4" None;
    Update "update" "15.8.4" None;
    Capture "capture" "15.8.4" None;
    Compare "compare" "15.8.4" None;
    Fail "fail" "15.8.4" Unread;
    Weak "weak" "15.8.4" None;
    SeqCst "seq_cst" "15.8.1" None;
    AcqRel "acq_rel" "15.8.1" None;
    Acquire "acquire" "15.8.1" None;
    Release "release" "15.8.1" None;
    Relaxed "relaxed" "15.8.1" None;
    Hint "hint" "15.1" Expr;
    /// Of `ordered`.
    Threads "threads" "15.10.2" None;
    /// Of `ordered`.
    Lanes "simd" "15.10.2" None;
    Doacross "doacross" "15.9.6" Unread;
    Inclusive "inclusive" "5.6.1" Vars;
    Exclusive "exclusive" "5.6.2" Vars;
}
