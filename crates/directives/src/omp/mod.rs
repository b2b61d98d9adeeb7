//! The grammar of OpenMP 5.2's directives for devices, and of those that may stand in their regions.
//!
//! ```text
//! target teams distribute parallel for map(to: a[0:n]) reduction(+: s)
//! └ five leaf constructs               └ Clause{args: Map{kind: To, vars}}
//! ```
//!
//! A combined or composite construct is the list of its leaves, outermost first; a clause belongs to the leaves that take it
//! ([`table`]). Variables, sections and reduction operators are those of OpenACC's grammar, whose parser reads them.

mod args;
mod clauses;
pub mod conditions;
pub mod declared;
mod default_mapper;
pub mod dispatch;
mod expand;
pub mod hints;
pub mod interop;
mod iterators;
mod members;
pub mod metadirective;
mod nested_mapper;
pub mod older;
mod older_parts;
mod parser;
pub mod selectors;
pub mod table;
pub mod transformation;
pub mod variant;

pub use clauses::{
    Clause, ClauseArgs, ClauseKind, DefaultValue, MapBehavior, MapKind, MapModifier,
    VariableCategory,
};

pub use args::unknown_reduction;
pub use default_mapper::{Applied, Declared, Name, Step, applied};
pub use expand::{Expanded, Mapper, expanded};

use crate::Diagnostic;
use crate::ast::{AtomicKind, Var};
use crate::{Language, Span};

/// A construct that is not made of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// `target` (section 13.8)
    Target,
    /// `teams` (section 10.2)
    Teams,
    /// `distribute` (section 11.6)
    Distribute,
    /// `parallel` (section 10.1)
    Parallel,
    /// `for` (section 11.5)
    For,
    /// `simd` (section 10.4)
    Simd,
    /// `loop` (section 11.7)
    Loop,
    /// `masked`, and its old name `master` (section 10.5)
    Masked,
    /// `taskloop` (section 12.6)
    Taskloop,
    /// `sections` (section 11.3)
    Sections,
}

/// The directives that are known by their meaning; of others only the name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DirectiveKind {
    /// Leaf constructs, outermost first; one alone is a construct of its own.
    Construct(Vec<Leaf>),
    /// `target data` (section 13.5)
    TargetData,
    /// `target enter data` (section 13.6)
    TargetEnterData,
    /// `target exit data` (section 13.7)
    TargetExitData,
    /// `target update` (section 13.9)
    TargetUpdate,
    /// `atomic` (section 15.8.4)
    Atomic,
    /// What stands in regions, by itself or in front of a statement.
    Inside(Inside),
    /// `declare target`, also as `begin` or `end` of a pair (section 7.8)
    DeclareTarget,
    /// `declare mapper` (section 5.8.8)
    DeclareMapper,
    /// `declare reduction` (section 5.5.11)
    DeclareReduction,
    /// `declare variant` (section 7.5)
    DeclareVariant,
    /// `requires` (section 8.2)
    Requires,
    /// Another one.
    Other,
}

/// The constructs and directives that stand in regions, by themselves or in front of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inside {
    /// `barrier` (section 15.3.1)
    Barrier,
    /// `single` (section 11.1)
    Single,
    /// `scope` (section 11.2)
    Scope,
    /// `task` (section 12.5)
    Task,
    /// `taskgroup` (section 15.4)
    Taskgroup,
    /// `taskwait` (section 15.5)
    Taskwait,
    /// `taskyield` (section 12.7)
    Taskyield,
    /// `flush` (section 15.8.5)
    Flush,
    /// `section` of `sections` (section 11.3.1)
    Section,
    /// `critical` (section 15.2)
    Critical,
    /// `ordered` with a statement (section 15.10.2)
    Ordered,
    /// `ordered` that names other iterations (section 15.10.1)
    Doacross,
    /// `scan` (section 5.6)
    Scan,
    /// `cancel` and `cancellation point` (sections 16.1 and 16.2)
    Cancel,
    /// `nothing` (section 8.4)
    Nothing,
    /// `error` (section 8.5)
    Error,
}

impl Inside {
    /// The name.
    pub fn name(self) -> &'static str {
        self.named().0
    }

    /// The section of OpenMP 5.2 that defines it.
    pub fn section(self) -> &'static str {
        self.named().1
    }

    fn named(self) -> (&'static str, &'static str) {
        match self {
            Inside::Barrier => ("barrier", "15.3.1"),
            Inside::Single => ("single", "11.1"),
            Inside::Scope => ("scope", "11.2"),
            Inside::Task => ("task", "12.5"),
            Inside::Taskgroup => ("taskgroup", "15.4"),
            Inside::Taskwait => ("taskwait", "15.5"),
            Inside::Taskyield => ("taskyield", "12.7"),
            Inside::Flush => ("flush", "15.8.5"),
            Inside::Section => ("section", "11.3.1"),
            Inside::Critical => ("critical", "15.2"),
            Inside::Ordered => ("ordered", "15.10.2"),
            Inside::Doacross => ("ordered", "15.10.1"),
            Inside::Scan => ("scan", "5.6"),
            Inside::Cancel => ("cancel", "16.1"),
            Inside::Nothing => ("nothing", "8.4"),
            Inside::Error => ("error", "8.5"),
        }
    }
}

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Which one.
    pub kind: DirectiveKind,
    /// Its name, e.g. `target teams`.
    pub kind_span: Span,
    /// The clauses in the order of the source.
    pub clauses: Vec<Clause>,
    /// From the first to the last byte that is not blank.
    pub span: Span,
    /// What is legal but deserves a remark.
    pub warnings: Vec<Diagnostic>,
}

/// Parses the text of one directive behind `#pragma omp`. All spans are byte ranges of `text`.
///
/// # Errors
/// Every mistake that was found, in the order of the text.
pub fn parse(text: &str, language: Language) -> Result<Directive, Vec<Diagnostic>> {
    parser::parse(text, language)
}

/// Whether the directive is about devices, so that it is not the host compiler's: `target` and what begins with it.
pub fn is_for_devices(text: &str) -> bool {
    first_word(text) == Some("target")
}

/// Whether the directive says what the program requires of devices.
pub fn is_requirement(text: &str) -> bool {
    first_word(text) == Some("requires")
}

/// What a directive about assumptions is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// None.
    None,
    /// One whose clauses are known, or the end of a pair.
    Known,
    /// One with this clause.
    Unknown(String),
}

/// Whether the directive is one about assumptions (8.3): `assume`, `assumes`, `begin assumes`, or the end of a pair.
pub fn assumption(text: &str) -> Assumption {
    const CLAUSES: [&str; 7] = [
        "absent",
        "contains",
        "holds",
        "no_openmp",
        "no_openmp_constructs",
        "no_openmp_routines",
        "no_parallelism",
    ];
    let rest = text.trim_start();
    let rest = rest.strip_prefix("begin ").or(rest.strip_prefix("end "));
    let rest = rest.unwrap_or(text).trim_start();
    let is_one = matches!(first_word(rest), Some("assume" | "assumes"));
    if !is_one {
        return Assumption::None;
    }
    let rest = rest.trim_start_matches("assume").trim_start_matches('s');
    // The words outside of parentheses.
    let mut depth = 0usize;
    let outside = rest.chars().map(|c| match c {
        '(' => {
            depth += 1;
            ' '
        }
        ')' => {
            depth = depth.saturating_sub(1);
            ' '
        }
        c if depth > 0 || c == ',' => ' ',
        c => c,
    });
    let outside: String = outside.collect();
    let mut words = outside.split_whitespace();
    match words.find(|word| !CLAUSES.contains(word)) {
        Some(word) => Assumption::Unknown(word.to_string()),
        None => Assumption::Known,
    }
}

/// Whether the directive declares a mapper.
pub fn is_mapper(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(');
    let mut next = || words.find(|word| !word.is_empty());
    (next(), next()) == (Some("declare"), Some("mapper"))
}

fn first_word(text: &str) -> Option<&str> {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.trim_start().split(is_other).next()
}

impl Leaf {
    /// All of them, in the order in which they follow each other in a combined construct.
    pub const ALL: [Leaf; 10] = [
        Leaf::Target,
        Leaf::Teams,
        Leaf::Distribute,
        Leaf::Parallel,
        Leaf::For,
        Leaf::Simd,
        Leaf::Loop,
        Leaf::Masked,
        Leaf::Taskloop,
        Leaf::Sections,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Leaf::Target => "target",
            Leaf::Teams => "teams",
            Leaf::Distribute => "distribute",
            Leaf::Parallel => "parallel",
            Leaf::For => "for",
            Leaf::Simd => "simd",
            Leaf::Loop => "loop",
            Leaf::Masked => "masked",
            Leaf::Taskloop => "taskloop",
            Leaf::Sections => "sections",
        }
    }

    /// Whether `word` is its name.
    pub(crate) fn is_named(self, word: &str) -> bool {
        self.name() == word || self == Leaf::Masked && word == "master"
    }

    /// The section of OpenMP 5.2 that defines it.
    pub fn section(self) -> &'static str {
        match self {
            Leaf::Target => "13.8",
            Leaf::Teams => "10.2",
            Leaf::Distribute => "11.6",
            Leaf::Parallel => "10.1",
            Leaf::For => "11.5",
            Leaf::Simd => "10.4",
            Leaf::Loop => "11.7",
            Leaf::Masked => "10.5",
            Leaf::Taskloop => "12.6",
            Leaf::Sections => "11.3",
        }
    }

    /// Whether a loop nest belongs to it.
    pub fn is_loop(self) -> bool {
        match self {
            Leaf::Distribute | Leaf::For | Leaf::Simd | Leaf::Loop | Leaf::Taskloop => true,
            Leaf::Target | Leaf::Teams | Leaf::Parallel | Leaf::Masked | Leaf::Sections => false,
        }
    }

    /// What may follow it in the name of a combined construct (section 17).
    pub fn followed_by(self) -> &'static [Leaf] {
        match self {
            Leaf::Target => &[Leaf::Teams, Leaf::Parallel, Leaf::Simd, Leaf::Loop],
            Leaf::Teams => &[Leaf::Distribute, Leaf::Loop],
            Leaf::Distribute => &[Leaf::Parallel, Leaf::Simd],
            Leaf::Parallel => &[Leaf::For, Leaf::Loop, Leaf::Masked, Leaf::Sections],
            Leaf::Masked => &[Leaf::Taskloop],
            Leaf::For | Leaf::Taskloop => &[Leaf::Simd],
            Leaf::Simd | Leaf::Loop | Leaf::Sections => &[],
        }
    }
}

impl DirectiveKind {
    /// The name, its words separated by one blank.
    pub fn name(&self) -> String {
        match self {
            DirectiveKind::Construct(leaves) => {
                let names: Vec<&str> = leaves.iter().map(|leaf| leaf.name()).collect();
                names.join(" ")
            }
            DirectiveKind::TargetData => "target data".to_string(),
            DirectiveKind::TargetEnterData => "target enter data".to_string(),
            DirectiveKind::TargetExitData => "target exit data".to_string(),
            DirectiveKind::TargetUpdate => "target update".to_string(),
            DirectiveKind::Atomic => "atomic".to_string(),
            DirectiveKind::Inside(inside) => inside.name().to_string(),
            DirectiveKind::DeclareTarget => "declare target".to_string(),
            DirectiveKind::DeclareMapper => "declare mapper".to_string(),
            DirectiveKind::DeclareReduction => "declare reduction".to_string(),
            DirectiveKind::DeclareVariant => "declare variant".to_string(),
            DirectiveKind::Requires => "requires".to_string(),
            DirectiveKind::Other => "this directive".to_string(),
        }
    }

    /// The section of OpenMP 5.2 that defines it.
    pub fn section(&self) -> &'static str {
        match self {
            DirectiveKind::Construct(leaves) => match leaves.as_slice() {
                [only] => only.section(),
                _ => "17",
            },
            DirectiveKind::TargetData => "13.5",
            DirectiveKind::TargetEnterData => "13.6",
            DirectiveKind::TargetExitData => "13.7",
            DirectiveKind::TargetUpdate => "13.9",
            DirectiveKind::Atomic => "15.8.4",
            DirectiveKind::Inside(inside) => inside.section(),
            DirectiveKind::DeclareTarget => "7.8",
            DirectiveKind::DeclareMapper => "5.8.8",
            DirectiveKind::DeclareReduction => "5.5.11",
            DirectiveKind::DeclareVariant => "7.5",
            DirectiveKind::Requires => "8.2",
            DirectiveKind::Other => "3.1",
        }
    }

    /// Its leaf constructs; none for other directives.
    pub fn leaves(&self) -> &[Leaf] {
        match self {
            DirectiveKind::Construct(leaves) => leaves,
            DirectiveKind::TargetData
            | DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate
            | DirectiveKind::Atomic
            | DirectiveKind::Inside(_)
            | DirectiveKind::DeclareTarget
            | DirectiveKind::DeclareMapper
            | DirectiveKind::DeclareReduction
            | DirectiveKind::DeclareVariant
            | DirectiveKind::Requires
            | DirectiveKind::Other => &[],
        }
    }

    /// Whether its region is a device's.
    pub fn is_target(&self) -> bool {
        self.leaves().first() == Some(&Leaf::Target)
    }

    /// Whether the host does it, for a device.
    pub fn is_for_host(&self) -> bool {
        match self {
            DirectiveKind::Construct(_) => self.is_target(),
            DirectiveKind::TargetData
            | DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate => true,
            DirectiveKind::Atomic
            | DirectiveKind::Inside(_)
            | DirectiveKind::DeclareTarget
            | DirectiveKind::DeclareMapper
            | DirectiveKind::DeclareReduction
            | DirectiveKind::DeclareVariant
            | DirectiveKind::Requires
            | DirectiveKind::Other => false,
        }
    }

    /// Whether a loop must follow.
    pub fn is_loop(&self) -> bool {
        self.leaves().last().is_some_and(|leaf| leaf.is_loop())
    }
}

impl Directive {
    /// The clauses of one kind with their numbers, in the order of the source.
    pub fn clauses_of(&self, kind: ClauseKind) -> impl Iterator<Item = (usize, &Clause)> {
        let clauses = self.clauses.iter().enumerate();
        clauses.filter(move |(_, clause)| clause.kind == kind)
    }

    /// Whether there is a clause of this kind.
    pub fn has(&self, kind: ClauseKind) -> bool {
        self.clauses_of(kind).next().is_some()
    }

    /// Item `item` of clause `clause`, if it is an expression.
    pub fn expression(&self, clause: usize, item: usize) -> Option<Span> {
        self.clauses.get(clause)?.expressions().get(item).copied()
    }

    /// The variables that a clause names.
    pub fn vars(&self, clause: usize) -> &[Var] {
        self.clauses.get(clause).map_or(&[], Clause::vars)
    }

    /// What an `atomic` construct does.
    pub fn atomic_kind(&self) -> AtomicKind {
        let kinds = [
            (ClauseKind::Capture, AtomicKind::Capture),
            (ClauseKind::Read, AtomicKind::Read),
            (ClauseKind::Write, AtomicKind::Write),
        ];
        let found = kinds.into_iter().find(|(clause, _)| self.has(*clause));
        found.map_or(AtomicKind::Update, |(_, kind)| kind)
    }
}

/// The section of OpenMP 5.2 with the rule that a section of OpenACC 3.4 has, too: for messages of code that both share.
pub fn section_like(openacc: &str) -> Option<&'static str> {
    Some(match openacc {
        "2.1" => "3.1",
        "2.7.1" | "1.6" => "3.2.5",
        "2.9" => "4.4.1",
        "2.9.1" => "4.4.3",
        "2.5.15" | "2.9.11" => "5.5.8",
        "2.5.13" | "2.9.10" => "5.4.3",
        "2.5.14" => "5.4.4",
        "2.12" => "15.8.4",
        "2.5.4" => "13.8",
        "2.6.2" => "5.8.1",
        "2.5.16" => "5.8.7",
        "2.8" | "2.8.1" => "5.4.8",
        _ => return None,
    })
}
