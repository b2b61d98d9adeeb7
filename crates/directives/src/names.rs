//! The words of the grammar: how each directive, clause, modifier, operator and device type is written, and the
//! section of OpenACC 3.4 that defines it.

use crate::ast::{
    AtomicKind, ClauseKind, DefaultValue, DeviceTypeKind, DirectiveKind, Language, ModifierKind,
    ReductionOperator,
};

impl Language {
    /// Whether `word`, as the user wrote it, is the keyword `keyword`. Fortran does not tell upper from lower case.
    pub fn is_keyword(self, word: &str, keyword: &str) -> bool {
        match self {
            Language::C | Language::Cxx => word == keyword,
            Language::Fortran => word.eq_ignore_ascii_case(keyword),
        }
    }

    /// What introduces a directive.
    pub fn sentinel(self) -> &'static str {
        match self {
            Language::C | Language::Cxx => "#pragma acc",
            Language::Fortran => "!$acc",
        }
    }
}

impl DirectiveKind {
    /// All directives, in the order of the specification.
    pub const ALL: [DirectiveKind; 30] = {
        use DirectiveKind::*;
        [
            Parallel,
            Serial,
            Kernels,
            ParallelLoop,
            SerialLoop,
            KernelsLoop,
            Data,
            EnterData,
            ExitData,
            HostData,
            Loop,
            Cache,
            Atomic,
            Declare,
            Init,
            Shutdown,
            Set,
            Update,
            Routine,
            Wait,
            EndParallel,
            EndSerial,
            EndKernels,
            EndLoop,
            EndParallelLoop,
            EndSerialLoop,
            EndKernelsLoop,
            EndData,
            EndHostData,
            EndAtomic,
        ]
    };

    /// The name, its words separated by one blank.
    pub fn name(self) -> &'static str {
        match self {
            DirectiveKind::Parallel => "parallel",
            DirectiveKind::Serial => "serial",
            DirectiveKind::Kernels => "kernels",
            DirectiveKind::ParallelLoop => "parallel loop",
            DirectiveKind::SerialLoop => "serial loop",
            DirectiveKind::KernelsLoop => "kernels loop",
            DirectiveKind::Data => "data",
            DirectiveKind::EnterData => "enter data",
            DirectiveKind::ExitData => "exit data",
            DirectiveKind::HostData => "host_data",
            DirectiveKind::Loop => "loop",
            DirectiveKind::Cache => "cache",
            DirectiveKind::Atomic => "atomic",
            DirectiveKind::Declare => "declare",
            DirectiveKind::Init => "init",
            DirectiveKind::Shutdown => "shutdown",
            DirectiveKind::Set => "set",
            DirectiveKind::Update => "update",
            DirectiveKind::Routine => "routine",
            DirectiveKind::Wait => "wait",
            DirectiveKind::EndParallel => "end parallel",
            DirectiveKind::EndSerial => "end serial",
            DirectiveKind::EndKernels => "end kernels",
            DirectiveKind::EndLoop => "end loop",
            DirectiveKind::EndParallelLoop => "end parallel loop",
            DirectiveKind::EndSerialLoop => "end serial loop",
            DirectiveKind::EndKernelsLoop => "end kernels loop",
            DirectiveKind::EndData => "end data",
            DirectiveKind::EndHostData => "end host_data",
            DirectiveKind::EndAtomic => "end atomic",
        }
    }

    /// The section that defines the directive.
    pub fn section(self) -> &'static str {
        match self {
            DirectiveKind::Parallel | DirectiveKind::EndParallel => "2.5.1",
            DirectiveKind::Serial | DirectiveKind::EndSerial => "2.5.2",
            DirectiveKind::Kernels | DirectiveKind::EndKernels => "2.5.3",
            DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop => "2.11",
            DirectiveKind::Data | DirectiveKind::EndData => "2.6.5",
            DirectiveKind::EnterData | DirectiveKind::ExitData => "2.6.6",
            DirectiveKind::HostData | DirectiveKind::EndHostData => "2.8",
            DirectiveKind::Loop | DirectiveKind::EndLoop => "2.9",
            DirectiveKind::Cache => "2.10",
            DirectiveKind::Atomic | DirectiveKind::EndAtomic => "2.12",
            DirectiveKind::Declare => "2.13",
            DirectiveKind::Init => "2.14.1",
            DirectiveKind::Shutdown => "2.14.2",
            DirectiveKind::Set => "2.14.3",
            DirectiveKind::Update => "2.14.4",
            DirectiveKind::Routine => "2.15.1",
            DirectiveKind::Wait => "2.16.3",
        }
    }

    /// The section with the directive's restrictions.
    pub fn restrictions_section(self) -> &'static str {
        match self {
            DirectiveKind::Parallel | DirectiveKind::Serial | DirectiveKind::Kernels => "2.5.4",
            DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Cache
            | DirectiveKind::Atomic
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine
            | DirectiveKind::Wait
            | DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => self.section(),
        }
    }
}

impl ClauseKind {
    /// All clauses.
    pub const ALL: [ClauseKind; 41] = {
        use ClauseKind::*;
        [
            If,
            SelfCondition,
            Async,
            Wait,
            NumGangs,
            NumWorkers,
            VectorLength,
            Private,
            FirstPrivate,
            Reduction,
            Default,
            Copy,
            CopyIn,
            CopyOut,
            Create,
            NoCreate,
            Present,
            DevicePtr,
            Attach,
            Detach,
            Delete,
            Finalize,
            UseDevice,
            IfPresent,
            Collapse,
            Gang,
            Worker,
            Vector,
            Seq,
            Independent,
            Auto,
            Tile,
            DeviceType,
            Bind,
            NoHost,
            DeviceResident,
            Link,
            DeviceNum,
            DefaultAsync,
            UpdateSelf,
            UpdateDevice,
        ]
    };

    /// All spellings; the first is the usual one.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            ClauseKind::If => &["if"],
            ClauseKind::SelfCondition => &["self"],
            ClauseKind::Async => &["async"],
            ClauseKind::Wait => &["wait"],
            ClauseKind::NumGangs => &["num_gangs"],
            ClauseKind::NumWorkers => &["num_workers"],
            ClauseKind::VectorLength => &["vector_length"],
            ClauseKind::Private => &["private"],
            ClauseKind::FirstPrivate => &["firstprivate"],
            ClauseKind::Reduction => &["reduction"],
            ClauseKind::Default => &["default"],
            ClauseKind::Copy => &["copy", "pcopy", "present_or_copy"],
            ClauseKind::CopyIn => &["copyin", "pcopyin", "present_or_copyin"],
            ClauseKind::CopyOut => &["copyout", "pcopyout", "present_or_copyout"],
            ClauseKind::Create => &["create", "pcreate", "present_or_create"],
            ClauseKind::NoCreate => &["no_create"],
            ClauseKind::Present => &["present"],
            ClauseKind::DevicePtr => &["deviceptr"],
            ClauseKind::Attach => &["attach"],
            ClauseKind::Detach => &["detach"],
            ClauseKind::Delete => &["delete"],
            ClauseKind::Finalize => &["finalize"],
            ClauseKind::UseDevice => &["use_device"],
            ClauseKind::IfPresent => &["if_present"],
            ClauseKind::Collapse => &["collapse"],
            ClauseKind::Gang => &["gang"],
            ClauseKind::Worker => &["worker"],
            ClauseKind::Vector => &["vector"],
            ClauseKind::Seq => &["seq"],
            ClauseKind::Independent => &["independent"],
            ClauseKind::Auto => &["auto"],
            ClauseKind::Tile => &["tile"],
            ClauseKind::DeviceType => &["device_type", "dtype"],
            ClauseKind::Bind => &["bind"],
            ClauseKind::NoHost => &["nohost"],
            ClauseKind::DeviceResident => &["device_resident"],
            ClauseKind::Link => &["link"],
            ClauseKind::DeviceNum => &["device_num"],
            ClauseKind::DefaultAsync => &["default_async"],
            ClauseKind::UpdateSelf => &["self", "host"],
            ClauseKind::UpdateDevice => &["device"],
        }
    }

    /// The usual spelling.
    pub fn name(self) -> &'static str {
        self.spellings().first().copied().unwrap_or("")
    }

    /// The section that defines the clause.
    pub fn section(self) -> &'static str {
        match self {
            ClauseKind::If => "2.5.6",
            ClauseKind::SelfCondition => "2.5.7",
            ClauseKind::Async => "2.16.1",
            ClauseKind::Wait => "2.16.2",
            ClauseKind::NumGangs => "2.5.10",
            ClauseKind::NumWorkers => "2.5.11",
            ClauseKind::VectorLength => "2.5.12",
            ClauseKind::Private => "2.5.13",
            ClauseKind::FirstPrivate => "2.5.14",
            ClauseKind::Reduction => "2.5.15",
            ClauseKind::Default => "2.5.16",
            ClauseKind::DevicePtr => "2.7.5",
            ClauseKind::Present => "2.7.6",
            ClauseKind::Copy => "2.7.7",
            ClauseKind::CopyIn => "2.7.8",
            ClauseKind::CopyOut => "2.7.9",
            ClauseKind::Create => "2.7.10",
            ClauseKind::NoCreate => "2.7.11",
            ClauseKind::Delete => "2.7.12",
            ClauseKind::Attach => "2.7.13",
            ClauseKind::Detach => "2.7.14",
            ClauseKind::Finalize => "2.6.6",
            ClauseKind::UseDevice => "2.8.1",
            ClauseKind::IfPresent => "2.8.3",
            ClauseKind::Collapse => "2.9.1",
            ClauseKind::Gang => "2.9.2",
            ClauseKind::Worker => "2.9.3",
            ClauseKind::Vector => "2.9.4",
            ClauseKind::Seq => "2.9.5",
            ClauseKind::Independent => "2.9.6",
            ClauseKind::Auto => "2.9.7",
            ClauseKind::Tile => "2.9.8",
            ClauseKind::DeviceType => "2.4",
            ClauseKind::Bind | ClauseKind::NoHost => "2.15.1",
            ClauseKind::DeviceResident => "2.13.1",
            ClauseKind::Link => "2.13.3",
            ClauseKind::DeviceNum | ClauseKind::DefaultAsync => "2.14.3",
            ClauseKind::UpdateSelf | ClauseKind::UpdateDevice => "2.14.4",
        }
    }
}

impl ModifierKind {
    /// All modifiers.
    pub const ALL: [ModifierKind; 6] = [
        ModifierKind::Always,
        ModifierKind::AlwaysIn,
        ModifierKind::AlwaysOut,
        ModifierKind::Capture,
        ModifierKind::ReadOnly,
        ModifierKind::Zero,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            ModifierKind::Always => "always",
            ModifierKind::AlwaysIn => "alwaysin",
            ModifierKind::AlwaysOut => "alwaysout",
            ModifierKind::Capture => "capture",
            ModifierKind::ReadOnly => "readonly",
            ModifierKind::Zero => "zero",
        }
    }
}

impl AtomicKind {
    /// All kinds.
    pub const ALL: [AtomicKind; 4] = [
        AtomicKind::Read,
        AtomicKind::Write,
        AtomicKind::Update,
        AtomicKind::Capture,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            AtomicKind::Read => "read",
            AtomicKind::Write => "write",
            AtomicKind::Update => "update",
            AtomicKind::Capture => "capture",
        }
    }
}

impl DefaultValue {
    /// All values.
    pub const ALL: [DefaultValue; 2] = [DefaultValue::None, DefaultValue::Present];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            DefaultValue::None => "none",
            DefaultValue::Present => "present",
        }
    }
}

impl DeviceTypeKind {
    /// All types that have a name.
    pub const NAMED: [DeviceTypeKind; 7] = [
        DeviceTypeKind::Default,
        DeviceTypeKind::Host,
        DeviceTypeKind::Multicore,
        DeviceTypeKind::Nvidia,
        DeviceTypeKind::Radeon,
        DeviceTypeKind::Sim,
        DeviceTypeKind::OpenCl,
    ];

    /// The word; `*` for [`DeviceTypeKind::Any`], empty for an unknown one.
    pub fn name(self) -> &'static str {
        match self {
            DeviceTypeKind::Any => "*",
            DeviceTypeKind::Default => "default",
            DeviceTypeKind::Host => "host",
            DeviceTypeKind::Multicore => "multicore",
            DeviceTypeKind::Nvidia => "nvidia",
            DeviceTypeKind::Radeon => "radeon",
            DeviceTypeKind::Sim => "sim",
            DeviceTypeKind::OpenCl => "opencl",
            DeviceTypeKind::Unknown => "",
        }
    }

    /// The type that `word` names: `nvidia`, `NVIDIA` or, as in the runtime API, `acc_device_nvidia`.
    pub fn from_name(word: &str) -> DeviceTypeKind {
        let word = word.to_ascii_lowercase();
        let bare = word.strip_prefix("acc_device_").unwrap_or(&word);
        DeviceTypeKind::NAMED
            .into_iter()
            .find(|kind| kind.name() == bare)
            .unwrap_or(DeviceTypeKind::Unknown)
    }
}

impl ReductionOperator {
    /// All operators.
    pub const ALL: [ReductionOperator; 11] = {
        use ReductionOperator::*;
        [
            Add,
            Multiply,
            Max,
            Min,
            BitAnd,
            BitOr,
            BitXor,
            LogicalAnd,
            LogicalOr,
            Equivalent,
            NotEquivalent,
        ]
    };

    /// How C and C++ write it, if they have it.
    pub fn c_spelling(self) -> Option<&'static str> {
        match self {
            ReductionOperator::Add => Some("+"),
            ReductionOperator::Multiply => Some("*"),
            ReductionOperator::Max => Some("max"),
            ReductionOperator::Min => Some("min"),
            ReductionOperator::BitAnd => Some("&"),
            ReductionOperator::BitOr => Some("|"),
            ReductionOperator::BitXor => Some("^"),
            ReductionOperator::LogicalAnd => Some("&&"),
            ReductionOperator::LogicalOr => Some("||"),
            ReductionOperator::Equivalent | ReductionOperator::NotEquivalent => None,
        }
    }

    /// How Fortran writes it.
    pub fn fortran_spelling(self) -> &'static str {
        match self {
            ReductionOperator::Add => "+",
            ReductionOperator::Multiply => "*",
            ReductionOperator::Max => "max",
            ReductionOperator::Min => "min",
            ReductionOperator::BitAnd => "iand",
            ReductionOperator::BitOr => "ior",
            ReductionOperator::BitXor => "ieor",
            ReductionOperator::LogicalAnd => ".and.",
            ReductionOperator::LogicalOr => ".or.",
            ReductionOperator::Equivalent => ".eqv.",
            ReductionOperator::NotEquivalent => ".neqv.",
        }
    }

    /// How `language` writes it, if it has it.
    pub fn spelling(self, language: Language) -> Option<&'static str> {
        match language {
            Language::C | Language::Cxx => self.c_spelling(),
            Language::Fortran => Some(self.fortran_spelling()),
        }
    }
}
