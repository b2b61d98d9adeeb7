//! What the clauses of a directive say to the runtime.

use accrue_abi::{ABSENT, Header, SIZE_WORDS, SYNC, SiteKind};

/// An expression of a directive, which only the front end can spell: item `item` of clause `clause`, or of the directive
/// itself. The items of a clause are counted in the order of its grammar; of `wait` the device number comes before the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    /// The number of a directive in the construct, evaluated where the construct stands; `None`: the site's own.
    pub directive: Option<u32>,
    pub clause: Option<u32>,
    pub item: u32,
}

/// A 64-bit word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Constant(u64),
    /// An integer expression, sign-extended if it is signed.
    Integer(Expression),
    /// The number of a device of OpenMP, in 32 bits: -1 is the initial device, and not [`accrue_abi::ABSENT`].
    DeviceNumber(Expression),
    /// A number of gangs, workers or lanes: [`accrue_abi::ZERO_SIZE`] where it is 0, which means that there is none.
    Size(Expression),
    /// The largest.
    Largest(Vec<Word>),
    /// 1 if the expression is true, else 0.
    Condition(Expression),
    /// One word for some device types, another for the rest (OpenACC 3.4, section 2.4).
    Choose {
        /// Bits of the device types ([`accrue_abi::DeviceTypes`]).
        mask: u32,
        then: Box<Word>,
        otherwise: Box<Word>,
    },
}

impl Word {
    /// `then` for the device types of `mask`.
    pub fn choice(mask: u32, then: Word, otherwise: Word) -> Word {
        if mask == 0 || then == otherwise {
            return otherwise;
        }
        Word::Choose {
            mask,
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        }
    }
}

/// The words in front of those of the variables, and what is known of them without evaluating any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub header: Header<Word>,
    /// The queues to wait for.
    pub waits: Vec<Word>,
    /// Gangs, workers and lanes of each kernel, 0 where those of the header hold; empty where they do for all.
    pub sizes: Vec<[Word; SIZE_WORDS]>,
    /// The directive has an `async` clause.
    pub async_given: bool,
    /// Of `init`, `shutdown` and `set`: bits of the device types that they are for; 0 for all.
    pub device_types: u32,
}

impl Default for Call {
    /// Of a directive without clauses.
    fn default() -> Self {
        let zero = || Word::Constant(0);
        Call {
            header: Header {
                if_condition: Word::Constant(1),
                self_condition: zero(),
                queue: Word::Constant(SYNC),
                gangs: [zero(), zero(), zero()],
                workers: zero(),
                vector: zero(),
                device: Word::Constant(ABSENT),
                wait_count: zero(),
            },
            waits: vec![],
            sizes: vec![],
            async_given: false,
            device_types: 0,
        }
    }
}

/// The ways to enter the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// In front of a statement, which the library may do instead.
    Launch,
    /// Around a statement.
    Region,
    /// By itself.
    Execute,
    /// Where it stands, and again on every way out of the scope.
    Scope,
    /// When the program, or the library that it is in, is loaded.
    Load,
}

impl CallKind {
    pub fn of(kind: SiteKind) -> CallKind {
        match kind {
            SiteKind::Parallel | SiteKind::Serial | SiteKind::Kernels => CallKind::Launch,
            SiteKind::Data | SiteKind::HostData => CallKind::Region,
            SiteKind::EnterData
            | SiteKind::ExitData
            | SiteKind::Update
            | SiteKind::Wait
            | SiteKind::Init
            | SiteKind::Shutdown
            | SiteKind::Set => CallKind::Execute,
            SiteKind::Declare => CallKind::Scope,
            SiteKind::DeclareGlobal => CallKind::Load,
        }
    }
}
