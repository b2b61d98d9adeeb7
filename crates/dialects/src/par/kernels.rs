//! What passes find out about kernels, for the passes behind them and for the description of sites: attributes of their
//! functions.
//!
//! ```text
//! for (int i = 0; i < n; i++) a[i] = 0;        n is parameter 1
//!
//! builtin.func @accrue_k0_0: …
//!   [par_kernel: …, par_parameters: par.parameters [{name="a",length=0,variable=false}, {name="n",length=0,variable=false}],
//!    par_iterations: par.iterations Known({steps="Argument32 1, NotNegative",workers=false,vector=true})]
//! ```
//!
//! Numbers of iterations are programs ([`accrue_abi::trip`]) whose arguments are numbers of the kernel's parameters: which words
//! of a launch these are is known when the site is described.

use super::kernel_of;
use accrue_abi::trip::{MOST_STEPS, Step, leave_one};
use accrue_ir::keys;
use pliron::{
    builtin::{attributes::BoolAttr, ops::FuncOp},
    combine::Parser,
    context::Context,
    derive::{format, pliron_attr},
    input_err,
    irfmt::{parsers::quoted_string_parser, printers::quoted},
    op::Op,
    parsable::{IntoParseResult, Parsable, ParseResult, StateStream, StreamLocation},
    printable::{self, Printable},
    result::Result,
    value::Value,
    verify_err,
};

keys! {
    /// What the kernel's parameters are.
    PARAMETERS "par_parameters": Parameters;
    /// What is known of what the parameters lead to.
    KNOWN "par_known": KnownElements;
    /// The directive leaves the numbers of workers and lanes to the launch.
    OPEN_SHAPE "par_open_shape": BoolAttr;
    /// How many lanes the directive asks for, where that is a constant.
    ASKED_LANES "par_asked_lanes": Lanes;
    /// How many iterations the kernel's gangs share.
    ITERATIONS "par_iterations": Iterations;
    /// How many iterations the loops over vector lanes inside others have.
    INNER_ITERATIONS "par_inner_iterations": Iterations;
    /// The function's lanes work on several iterations at a time.
    SEVERAL "par_several": BoolAttr;
    /// Each gang has work of its own beside its share of the loops.
    GANG_COST "par_gang_cost": BoolAttr;
    /// Gangs without iterations do nothing that can be noticed.
    ONLY_LOOPS "par_only_loops": BoolAttr;
    /// Its loops are right only where nothing that it writes is behind two of its parameters.
    APART "par_apart": BoolAttr;
    /// It is a version that a pass may make into one with [`APART`].
    IF_APART "par_if_apart": BoolAttr;
    /// Iterations of the loops over gangs may take very different times.
    UNEVEN "par_uneven": BoolAttr;
    /// The function is another version of a kernel.
    VERSION "par_version": Version;
    /// Of a version for a grid that covers a loop: how many iterations each dimension of the grid has to have.
    GRID "par_grid": Grid;
    /// Such a version is for launches for which this program computes 1.
    COVERED_IF "par_covered_if": Condition;
    /// Such a version's grid has one dimension for a nest of several.
    JOINED "par_joined": BoolAttr;
    /// The kernel's loops are to have near what they read: a `cache` directive is in them.
    CACHED "par_cached": BoolAttr;
    /// The array is a gang's copy of what its iterations update atomically: each sees elements that it alone updates.
    GANG_COPY "par_gang_copy": BoolAttr;
    /// The comparison asks whether what one parameter leads to is behind another one, that is written: it is false where the two are apart.
    ASKS_ALIAS "par_asks_alias": BoolAttr;
    /// Of such a version: how many lanes blocks have where no clause says it.
    LANES "par_lanes": Lanes;
}

/// A number of lanes.
#[pliron_attr(name = "par.lanes", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Lanes(pub u32);

/// A parameter of a kernel.
#[format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Parameter {
    /// The variable behind it, as clauses name it.
    pub name: String,
    /// How many elements from the first on its data clause names; 0 when it says that in another way.
    pub length: u64,
    /// It is the address of a variable of the program: no other variable overlaps that memory. All others are values; those
    /// of two pointers may lead to the same memory.
    pub variable: bool,
}

/// The parameters of a kernel, but for extents of variable-length arrays, which come behind them.
#[pliron_attr(
    name = "par.parameters",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct Parameters(pub Vec<Parameter>);

/// A number that is at the address that a kernel has for a parameter, in every launch.
#[format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct KnownElement {
    pub parameter: u64,
    /// How many numbers behind the address.
    pub number: u64,
    /// As in a constant's text.
    pub value: String,
}

/// The numbers that are known.
#[pliron_attr(
    name = "par.known",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct KnownElements(pub Vec<KnownElement>);

/// A program, without its last step, [`Step::End`]. In the text it is one string.
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Steps(pub Vec<Step>);

impl Printable for Steps {
    fn fmt(
        &self,
        ctx: &Context,
        state: &printable::State,
        out: &mut std::fmt::Formatter<'_>,
    ) -> std::fmt::Result {
        let steps: Vec<_> = self.0.iter().map(Step::to_string).collect();
        write!(out, "{}", quoted(&steps.join(", ")).print(ctx, state))
    }
}

impl Parsable for Steps {
    type Arg = ();
    type Parsed = Self;

    fn parse<'a>(stream: &mut StateStream<'a>, (): ()) -> ParseResult<'a, Self> {
        let loc = stream.loc();
        let (text, _) = quoted_string_parser().parse_stream(stream).into_result()?;
        match text.split(", ").map(Step::read).collect() {
            Some(steps) => Ok(Steps(steps)).into_parse_result(),
            None => input_err!(loc, "`{text}` is no program")?,
        }
    }
}

impl Steps {
    /// Why it is no program over the parameters of a function that has so many.
    fn wrong(&self, parameters: usize) -> Option<String> {
        if self.0.len() > MOST_STEPS || !leave_one(&self.0) {
            return Some("the steps are no program that leaves one number".to_string());
        }
        self.0.iter().find_map(|step| match *step {
            Step::Argument(number) | Step::Argument32(number) | Step::ArgumentU32(number) => {
                let message = || format!("the function has no parameter {number}");
                (number as usize >= parameters).then(message)
            }
            Step::End
            | Step::Constant(_)
            | Step::Add
            | Step::Sub
            | Step::Mul
            | Step::DivideUp
            | Step::NotNegative
            | Step::Divide
            | Step::Signed32
            | Step::Unsigned32
            | Step::Less
            | Step::LessUnsigned
            | Step::And
            | Step::Or
            | Step::Xor
            | Step::ShiftLeft
            | Step::ShiftRight
            | Step::ShiftRightUnsigned
            | Step::Remainder
            | Step::Again(_) => None,
        })
    }
}

/// A number of iterations of loops (the largest, if there are several), and who shares them.
#[format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Count {
    pub steps: Steps,
    /// The loops are spread over workers too.
    pub workers: bool,
    /// The loops are spread over vector lanes too.
    pub vector: bool,
}

/// A number of iterations, as far as it can be computed from the kernel's arguments.
#[pliron_attr(name = "par.iterations", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub enum Iterations {
    Known(Count),
    /// There are such loops, but the number depends on memory, or on what runs around them.
    Unknown,
}

impl Iterations {
    /// The number, if it can be computed.
    pub fn known(self) -> Option<Count> {
        match self {
            Iterations::Known(count) => Some(count),
            Iterations::Unknown => None,
        }
    }
}

/// Which version of a kernel a function is; the kernel itself, which is right for every launch, is none.
#[pliron_attr(name = "par.version", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Version {
    /// The function that is right for every launch.
    pub kernel: String,
    pub kind: VersionKind,
}

/// What a version of a kernel is made for.
#[format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum VersionKind {
    /// A grid that covers a loop. `workers`: a loop of the nest was spread over workers. `boxed`: bounds of loops depend on others, so
    /// that not all threads of the grid have an iteration.
    Grid { workers: bool, boxed: bool },
    /// A grid of several dimensions that covers a loop of one, which counts what a nest would.
    Nest,
    /// A gang for each iteration of a loop that others spread over gangs and lanes, whose lanes have loops inside it: for launches of
    /// `least` to `most` iterations, of so many lanes. One of a kernel that is like that itself has more lanes than that, or is a warp.
    EachGang { least: u64, most: u64, lanes: u32 },
    /// Several gangs of so many lanes, those of the first dimension, for each iteration of the loop over gangs, whose iterations those of
    /// the third dimension have: for launches of up to `most` iterations.
    SplitGangs { most: u64, lanes: u32 },
    /// Workers of few lanes, for short loops inside others.
    ShortRows,
    /// One worker of many lanes, for few long ones.
    LongRows,
}

impl VersionKind {
    /// Whether a grid covers the loops, with a thread for each iteration.
    pub fn is_grid(self) -> bool {
        match self {
            VersionKind::Grid { .. } | VersionKind::Nest => true,
            VersionKind::EachGang { .. }
            | VersionKind::SplitGangs { .. }
            | VersionKind::ShortRows
            | VersionKind::LongRows => false,
        }
    }

    /// Behind the kernel's name in the version's.
    pub fn suffix(self) -> &'static str {
        match self {
            VersionKind::Grid { .. } => "grid",
            VersionKind::Nest => "nest",
            VersionKind::EachGang { .. } => "each",
            VersionKind::SplitGangs { .. } => "split",
            VersionKind::ShortRows => "short",
            VersionKind::LongRows => "long",
        }
    }
}

/// A program that computes 1, or 0.
#[pliron_attr(name = "par.condition", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Condition(pub Steps);

/// Programs for the number of columns and, if there are these, of rows and of the dimensions around them.
#[pliron_attr(
    name = "par.grid",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Grid(pub Vec<Steps>);

/// Verifies what is said about `func`.
pub(crate) fn verify(ctx: &Context, func: &dyn Op) -> Result<()> {
    let op = func.get_operation();
    let mut programs = vec![];
    for key in [&ITERATIONS, &INNER_ITERATIONS] {
        let count = key.get(ctx, op).and_then(Iterations::known);
        programs.extend(count.map(|count| count.steps));
    }
    if let Some(Grid(dims)) = GRID.get(ctx, op) {
        if !(1..=3).contains(&dims.len()) {
            return verify_err!(func.loc(ctx), "a grid has one to three dimensions");
        }
        programs.extend(dims);
    }
    let region = op.deref(ctx).get_region(0);
    let entry = region.deref(ctx).get_entry_block();
    let parameters = entry.map_or(0, |entry| entry.deref(ctx).get_num_arguments());
    if let Some(wrong) = programs.iter().find_map(|steps| steps.wrong(parameters)) {
        return verify_err!(func.loc(ctx), "{wrong}");
    }
    let named = PARAMETERS.get(ctx, op).map_or(0, |named| named.0.len());
    if named > parameters {
        return verify_err!(
            func.loc(ctx),
            "{named} parameters are named, and the function has {parameters}"
        );
    }
    if VERSION.is_on(ctx, op) && kernel_of(ctx, func).is_none() {
        return verify_err!(func.loc(ctx), "only kernels have versions");
    }
    Ok(())
}

/// Whether `value` is the address of a mapped variable, as a kernel's parameter, and not the value of a pointer, which may be that of
/// another one, too.
pub fn is_variable(ctx: &Context, value: Value) -> bool {
    let Some(block) = value.get_parent_block(ctx) else {
        return false;
    };
    let position = block.deref(ctx).arguments().position(|a| a == value);
    let kernel = block.deref(ctx).get_parent_op(ctx);
    let described = kernel.and_then(|kernel| PARAMETERS.get(ctx, kernel));
    let parameter = position
        .zip(described)
        .and_then(|(index, all)| all.0.get(index).cloned());
    parameter.is_some_and(|parameter| parameter.variable)
}

/// Whether `func` is a kernel, and no other version of one.
pub fn is_kernel_itself(ctx: &Context, func: FuncOp) -> bool {
    kernel_of(ctx, &func).is_some() && !VERSION.is_on(ctx, func.get_operation())
}
