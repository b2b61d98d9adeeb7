//! The `declare` directive (OpenACC 3.4, section 2.13): the device copy of a variable that lives as long as the variable's scope, or
//! as the program.
//!
//! ```text
//! acc.global_ctor { acc.create @g …; acc.declare_enter }        when the program, or a shared library, is loaded
//! acc.global_dtor { acc.getdeviceptr @g …; acc.declare_exit; acc.delete }     when it goes away
//!
//! t = acc.declare_enter dataOperands(…)             where the directive stands in a function
//! …  acc.declare_exit token(t); acc.delete …        on every way out of its scope: several, of which one happens
//! ```
//!
//! What makes the variable's address, `core.alloca` or `core.address_of`, has the attribute `acc_declare`: who meets the variable
//! in a region need not look for the directive. `acc_initial_pointers` says where in the initial value of a variable of the program there
//! are pointers: `int *p[2] = {a, b + 1}`. `acc_declare_action` is for variables that get their memory later, as Fortran's
//! `allocatable` ones: it names the functions to call around the allocation and the deallocation.

use super::AccOp;
use super::clauses::{self, ClauseOp, Group};
use super::compute::DirectiveOp;
use super::data::{
    Copyin, Create, DataClause, DataInfo, DataOp, DeclareDeviceResident, DeclareLink, Deviceptr,
    GetDeviceptr, Present,
};
use crate::{View, clause_op, ends::verify_end, source::SourceOp};
use accrue_ir::{build::entry, effects, keys, walk};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        attr_interfaces::OutlinedAttr,
        op_interfaces::{
            NResultsInterface, OneRegionInterface, OneResultInterface, SingleBlockRegionInterface,
            SymbolOpInterface,
        },
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{attr_interface_impl, format, pliron_attr, pliron_op, pliron_type},
    identifier::Identifier,
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    value::Value,
    verify_err,
};

keys! {
    /// Of what makes the address of a declared variable.
    DECLARE "acc_declare": Declare;
    /// Of what allocates or frees the memory of a declared variable.
    DECLARE_ACTION "acc_declare_action": DeclareAction;
    /// Of an entry operation about a variable of the program: the pointers in its initial value.
    INITIAL_POINTERS "acc_initial_pointers": InitialPointers;
}

/// What a `declare` directive says of a variable.
#[pliron_attr(name = "acc.declare", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Declare {
    pub clause: DataClause,
}

/// The variables' own operations have no room for it in their text.
#[attr_interface_impl]
impl OutlinedAttr for Declare {}

/// When a function of a [`DeclareAction`] is called.
#[format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum When {
    BeforeAllocation,
    AfterAllocation,
    BeforeDeallocation,
    AfterDeallocation,
}

/// A function that is called then.
#[format("$when ` ` $function")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Hook {
    pub when: When,
    pub function: Identifier,
}

/// The functions to call around the allocation and the deallocation of a declared variable's memory.
#[pliron_attr(
    name = "acc.declare_action",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct DeclareAction(pub Vec<Hook>);

/// As for [`Declare`].
#[attr_interface_impl]
impl OutlinedAttr for DeclareAction {}

/// A pointer in the initial value of a variable, by what it leads to: on a device it leads to the copy there.
#[format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct InitialPointer {
    /// Where in the variable it is, in bytes.
    pub offset: u64,
    /// How many bytes before what it leads to the object begins, …
    pub before: u64,
    /// … and how many the object has, which nothing else makes present, as a string. 0: it is a variable.
    pub bytes: u64,
}

#[pliron_attr(
    name = "acc.initial_pointers",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct InitialPointers(pub Vec<InitialPointer>);

/// As for [`Declare`].
#[attr_interface_impl]
impl OutlinedAttr for InitialPointers {}

/// What a `declare` directive says of the variable whose address `address` is.
pub fn declared(ctx: &Context, address: Value) -> Option<Declare> {
    DECLARE.get(ctx, address.defining_op()?)
}

/// The type of what an entry gives to its exits.
#[pliron_type(
    name = "acc.declare_token",
    format,
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DeclareToken;

/// Where declared variables get their device copies; the entry operations stand before it.
#[pliron_op(name = "acc.declare_enter", interfaces = [OneResultInterface, DirectiveOp])]
pub struct DeclareEnter;
clause_op!(DeclareEnter: Data);

impl DeclareEnter {
    /// An operation without operands (add them with `clauses::push`).
    pub fn new(ctx: &mut Context, directive: u32) -> Self {
        let token = DeclareToken::get(ctx).into();
        let op: Self = clauses::build(ctx, vec![token], vec![vec![]], 0);
        op.set_directive(ctx, directive);
        op
    }
}

impl Verify for DeclareEnter {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if self.clause(ctx, Group::Data).is_empty() {
            return verify_err!(self.loc(ctx), "`acc.declare_enter` is about no data");
        }
        let of_program = walk::enclosing::<GlobalCtor>(ctx, self.get_operation()).is_some();
        for value in self.clause(ctx, Group::Data) {
            verify_entry(ctx, self, value, of_program)?;
        }
        Ok(())
    }
}

/// Whether a clause may stand on a `declare` of the program's data, and of a function's.
fn is_allowed(clause: DataClause, of_program: bool) -> bool {
    match clause {
        DataClause::Copyin
        | DataClause::Create
        | DataClause::Deviceptr
        | DataClause::DeviceResident
        | DataClause::Link => true,
        DataClause::Copy | DataClause::Copyout | DataClause::Present => !of_program,
        DataClause::NoCreate
        | DataClause::Attach
        | DataClause::Detach
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::Private
        | DataClause::Firstprivate
        | DataClause::Reduction
        | DataClause::Pointer => false,
    }
}

fn verify_entry(ctx: &Context, enter: &DeclareEnter, value: Value, of_program: bool) -> Result<()> {
    let loc = || enter.loc(ctx);
    let Some(op) = value.defining_op().filter(|op| is_entry(ctx, *op)) else {
        return verify_err!(loc(), "this is no entry operation of a `declare` directive");
    };
    let object = Operation::get_op_dyn(op, ctx);
    let Some(data) = op_cast::<dyn DataOp>(&*object) else {
        return verify_err!(loc(), "this is no entry operation of a `declare` directive");
    };
    let DataInfo {
        clause,
        name,
        structured,
        ..
    } = data.info(ctx);
    if !is_allowed(clause, of_program) || !structured {
        return verify_err!(
            loc(),
            "`{}` of `{name}` is no clause of this `declare`",
            clause.spelling()
        );
    }
    let said = data.var(ctx).and_then(|var| declared(ctx, var));
    if said != Some(Declare { clause }) {
        return verify_err!(
            loc(),
            "what makes the address of `{name}` does not say that it is declared {}",
            clause.spelling()
        );
    }
    Ok(())
}

fn is_entry(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Copyin>(op, ctx)
        || Operation::is_op::<Create>(op, ctx)
        || Operation::is_op::<Present>(op, ctx)
        || Operation::is_op::<Deviceptr>(op, ctx)
        || Operation::is_op::<DeclareDeviceResident>(op, ctx)
        || Operation::is_op::<DeclareLink>(op, ctx)
}

/// Where the device copies of declared variables go; the exit operations follow it.
#[pliron_op(name = "acc.declare_exit", interfaces = [NResultsInterface<0>])]
pub struct DeclareExit;
clause_op!(DeclareExit: Token, Data);

impl DeclareExit {
    /// `token` is what the `acc.declare_enter` in the same function gave; absent in an `acc.global_dtor`.
    pub fn new(ctx: &mut Context, token: Option<Value>, entries: Vec<Value>) -> Self {
        clauses::build(ctx, vec![], vec![token.into_iter().collect(), entries], 0)
    }
}

impl Verify for DeclareExit {
    fn verify(&self, ctx: &Context) -> Result<()> {
        let entries = self.clause(ctx, Group::Data);
        let enter = match self.clause(ctx, Group::Token)[..] {
            [] => None,
            [token] => token
                .defining_op()
                .and_then(|op| Operation::get_op::<DeclareEnter>(op, ctx)),
            [_, _, ..] => {
                return verify_err!(
                    self.loc(ctx),
                    "`acc.declare_exit` ends one `acc.declare_enter`"
                );
            }
        };
        let of_program = walk::enclosing::<GlobalDtor>(ctx, self.get_operation()).is_some();
        match enter {
            Some(enter) if enter.clause(ctx, Group::Data) != entries => verify_err!(
                self.loc(ctx),
                "this ends other data than its `acc.declare_enter` begins"
            ),
            Some(_) if of_program => {
                verify_err!(self.loc(ctx), "an `acc.global_dtor` has no token")
            }
            None if !of_program => verify_err!(
                self.loc(ctx),
                "outside of an `acc.global_dtor`, `acc.declare_exit` has the token of its `acc.declare_enter`"
            ),
            None if !entries.iter().all(|entry| is_elsewhere(ctx, *entry)) => verify_err!(
                self.loc(ctx),
                "in an `acc.global_dtor` entries are what `acc.getdeviceptr` gives"
            ),
            Some(_) | None => Ok(()),
        }
    }
}

fn is_elsewhere(ctx: &Context, entry: Value) -> bool {
    entry
        .defining_op()
        .is_some_and(|op| Operation::is_op::<GetDeviceptr>(op, ctx))
}

macro_rules! outside_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal;)*) => {$(
        $(#[$doc])*
        #[pliron_op(
            name = $name,
            interfaces = [
                NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface, SymbolOpInterface
            ]
        )]
        pub struct $op;
        clause_op!($op: );

        impl $op {
            /// The operation and its block, without terminator.
            pub fn new(ctx: &mut Context, name: Identifier) -> (Self, Ptr<BasicBlock>) {
                let op: Self = clauses::build(ctx, vec![], vec![], 1);
                op.set_symbol_name(ctx, name);
                let block = entry(ctx, &op, 0, vec![]);
                (op, block)
            }
        }

        impl Verify for $op {
            fn verify(&self, ctx: &Context) -> Result<()> {
                let is_end = |end: &View| matches!(end, View::Source(SourceOp::Acc(AccOp::Yield(_))));
                verify_end(ctx, self, 0, is_end, "acc.yield")
            }
        }
    )*};
}

outside_ops! {
    /// What is done for the declared data of the program, or of a shared library, when it is loaded.
    GlobalCtor "acc.global_ctor";
    /// What is done for it when it goes away.
    GlobalDtor "acc.global_dtor";
}
effects!(structure: GlobalCtor, GlobalDtor);
// They move data.
effects!(unknown: DeclareEnter, DeclareExit);
