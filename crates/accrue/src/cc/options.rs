//! The table of gcc's command-line options: how many words each takes and which step wants it.
//!
//! Only what the driver must know is listed. An option that is not here is one word long and belongs to the user's
//! compiler (role `Other`), which is right for everything new or unusual that takes no separate argument.
//!
//! ```text
//! -I dir  -Idir     JoinedOrSeparate, Preprocess      only the preprocessor reads it
//! -fPIC             Joined `-f`,      CodeGen         host code, companion and link alike
//! -Wl,-z,now        Joined `-Wl,`,    Link            longest prefix wins over `-W`
//! ```

use Role::*;
use Takes::*;

/// How an option takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No argument: the word must be equal to the name.
    Nothing,
    /// The rest of the word.
    Joined,
    /// The next word.
    Separate,
    /// The rest of the word, or the next word when nothing is left.
    JoinedOrSeparate,
}

/// What an option means to the driver: which steps it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `-I`, `-D`, …: read while preprocessing, meaningless for preprocessed text.
    Preprocess,
    /// `-P`, `-dM`, …: changes only what `-E` prints, and would hide text from the driver's own `-E`.
    PreprocessForm,
    /// `-MD`, `-MF`, …: dependency output.
    Depend(Depend),
    /// `-std=`, `-ansi`, `-trigraphs`: language dialect; the companion has its own.
    Dialect,
    /// `-W…`, `-w`, `-pedantic`: the companion is compiled without warnings.
    Warning,
    /// `-Wno-openacc-lost-value`, …: about warnings that only we know.
    OwnWarning,
    /// `-O`, `-f`, `-m`, `-g`, `--sysroot`, …: goes to every step.
    CodeGen,
    /// A code generation option that also writes files named after the output (`-save-temps`, `--coverage`, …):
    /// the host code only, and it must see the user's own output name.
    AuxiliaryOutput,
    /// Like `CodeGen`, but it would be wrong or useless in generated code.
    HostOnly,
    /// Changes sizes or layouts of C types in a way that the reader of directives does not follow.
    ForeignLayout,
    /// Goes to the link step only.
    Link,
    /// `-nostdlib`, `-nodefaultlibs`: link step, and no library is added by the driver.
    LinkWithoutLibraries,
    /// `-r`: link step, and its result is an object, not a program.
    LinkRelocatable,
    /// Stop after this stage.
    Stage(Stage),
    /// `-o`.
    Output,
    /// `-x`.
    Language,
    /// `-v`.
    Verbose,
    /// `-###`.
    PrintOnly,
    /// `--version`, `-print-…`: answered by the user's compiler without compiling anything.
    Query,
    /// Not known to the driver.
    Other,
}

impl Role {
    /// Goes to the steps that compile; stage, output and dependencies are added by the step itself.
    pub fn concerns_compiling(self) -> bool {
        match self {
            Preprocess | PreprocessForm | Dialect | Warning | CodeGen | AuxiliaryOutput
            | HostOnly | ForeignLayout | Verbose | Other => true,
            Depend(_) | OwnWarning | Link | LinkWithoutLibraries | LinkRelocatable | Stage(_)
            | Output | Language | PrintOnly | Query => false,
        }
    }

    /// Goes to the link step.
    pub fn concerns_linking(self) -> bool {
        match self {
            CodeGen | AuxiliaryOutput | HostOnly | ForeignLayout | Warning | Link
            | LinkWithoutLibraries | LinkRelocatable | Output | Verbose | Other => true,
            Preprocess | PreprocessForm | Depend(_) | Dialect | OwnWarning | Stage(_)
            | Language | PrintOnly | Query => false,
        }
    }
}

/// Where a compilation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `-E`
    Preprocess,
    /// `-fsyntax-only`
    Check,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// no such option
    Link,
}

/// The dependency options that the driver looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depend {
    /// `-M`, `-MM`: print dependencies instead of compiling.
    Instead,
    /// `-MD`, `-MMD`: write them while compiling.
    Beside,
    /// `-MF`: into this file.
    File,
    /// `-MT`, `-MQ`: for this target.
    Target,
    /// `-MP`, `-MG`, `-MV`, …
    Detail,
}

/// One line of the table.
pub struct OptionRule {
    pub name: &'static str,
    pub takes: Takes,
    pub role: Role,
}

const fn rule(name: &'static str, takes: Takes, role: Role) -> OptionRule {
    OptionRule { name, takes, role }
}

/// Order does not matter: the longest matching name wins.
pub const OPTIONS: &[OptionRule] = &[
    // Stages and output.
    rule("-c", Nothing, Stage(self::Stage::Object)),
    rule("--compile", Nothing, Stage(self::Stage::Object)),
    rule("-S", Nothing, Stage(self::Stage::Assembly)),
    rule("--assemble", Nothing, Stage(self::Stage::Assembly)),
    rule("-E", Nothing, Stage(self::Stage::Preprocess)),
    rule("--preprocess", Nothing, Stage(self::Stage::Preprocess)),
    rule("-fsyntax-only", Nothing, Stage(self::Stage::Check)),
    rule("-o", JoinedOrSeparate, Output),
    rule("--output", Separate, Output),
    rule("--output=", Joined, Output),
    rule("-x", JoinedOrSeparate, Language),
    rule("--language", Separate, Language),
    rule("--language=", Joined, Language),
    rule("-v", Nothing, Verbose),
    rule("--verbose", Nothing, Verbose),
    rule("-###", Nothing, PrintOnly),
    // Questions.
    rule("--version", Nothing, Query),
    rule("--help", Nothing, Query),
    rule("--help=", Joined, Query),
    rule("--target-help", Nothing, Query),
    rule("-dumpversion", Nothing, Query),
    rule("-dumpfullversion", Nothing, Query),
    rule("-dumpmachine", Nothing, Query),
    rule("-dumpspecs", Nothing, Query),
    rule("-print-", Joined, Query),
    rule("--print-", Joined, Query),
    // Dependencies.
    rule("-M", Nothing, Depend(self::Depend::Instead)),
    rule("--dependencies", Nothing, Depend(self::Depend::Instead)),
    rule("-MM", Nothing, Depend(self::Depend::Instead)),
    rule(
        "--user-dependencies",
        Nothing,
        Depend(self::Depend::Instead),
    ),
    rule("-MD", Nothing, Depend(self::Depend::Beside)),
    rule(
        "--write-dependencies",
        Nothing,
        Depend(self::Depend::Beside),
    ),
    rule("-MMD", Nothing, Depend(self::Depend::Beside)),
    rule(
        "--write-user-dependencies",
        Nothing,
        Depend(self::Depend::Beside),
    ),
    rule("-MF", JoinedOrSeparate, Depend(self::Depend::File)),
    rule("-MT", JoinedOrSeparate, Depend(self::Depend::Target)),
    rule("-MQ", JoinedOrSeparate, Depend(self::Depend::Target)),
    rule("-MJ", JoinedOrSeparate, AuxiliaryOutput),
    rule("-MP", Nothing, Depend(self::Depend::Detail)),
    rule("-MG", Nothing, Depend(self::Depend::Detail)),
    rule("-MV", Nothing, Depend(self::Depend::Detail)),
    // Preprocessor.
    rule("-D", JoinedOrSeparate, Preprocess),
    rule("--define-macro", Separate, Preprocess),
    rule("--define-macro=", Joined, Preprocess),
    rule("-U", JoinedOrSeparate, Preprocess),
    rule("--undefine-macro", Separate, Preprocess),
    rule("--undefine-macro=", Joined, Preprocess),
    rule("-A", JoinedOrSeparate, Preprocess),
    rule("-I", JoinedOrSeparate, Preprocess),
    rule("--include-directory", Separate, Preprocess),
    rule("--include-directory=", Joined, Preprocess),
    rule("-include", JoinedOrSeparate, Preprocess),
    rule("--include", Separate, Preprocess),
    rule("--include=", Joined, Preprocess),
    rule("-include-pch", Separate, Preprocess),
    rule("-imacros", JoinedOrSeparate, Preprocess),
    rule("--imacros", Separate, Preprocess),
    rule("--imacros=", Joined, Preprocess),
    rule("-isystem", JoinedOrSeparate, Preprocess),
    rule("-iquote", JoinedOrSeparate, Preprocess),
    rule("-idirafter", JoinedOrSeparate, Preprocess),
    rule("-iprefix", JoinedOrSeparate, Preprocess),
    rule("-iwithprefix", JoinedOrSeparate, Preprocess),
    rule("-iwithprefixbefore", JoinedOrSeparate, Preprocess),
    rule("-imultilib", JoinedOrSeparate, Preprocess),
    rule("-imultiarch", Separate, Preprocess),
    rule("-cxx-isystem", JoinedOrSeparate, Preprocess),
    rule("-ivfsoverlay", JoinedOrSeparate, Preprocess),
    rule("-nostdinc", Nothing, Preprocess),
    rule("-nostdinc++", Nothing, Preprocess),
    rule("-undef", Nothing, Preprocess),
    rule("-C", Nothing, PreprocessForm),
    rule("-CC", Nothing, PreprocessForm),
    rule("-P", Nothing, PreprocessForm),
    rule("-H", Nothing, Preprocess),
    rule("-dD", Nothing, PreprocessForm),
    rule("-dI", Nothing, PreprocessForm),
    rule("-dM", Nothing, PreprocessForm),
    rule("-dN", Nothing, PreprocessForm),
    rule("-dU", Nothing, PreprocessForm),
    rule("-remap", Nothing, Preprocess),
    rule("-fpch-preprocess", Nothing, PreprocessForm),
    rule("-fdirectives-only", Nothing, PreprocessForm),
    rule("-Xpreprocessor", Separate, Preprocess),
    rule("-Wp,", Joined, Preprocess),
    // Language and warnings.
    rule("-std=", Joined, Dialect),
    rule("--std=", Joined, Dialect),
    rule("--std", Separate, Dialect),
    rule("-ansi", Nothing, Dialect),
    rule("-trigraphs", Nothing, Dialect),
    rule("-traditional", Nothing, Dialect),
    rule("-traditional-cpp", Nothing, Dialect),
    rule("-W", Joined, Warning),
    rule("-w", Nothing, Warning),
    rule("-Wopenacc-lost-value", Nothing, OwnWarning),
    rule("-Wno-openacc-lost-value", Nothing, OwnWarning),
    rule("-Werror=openacc-lost-value", Nothing, OwnWarning),
    rule("-Wno-error=openacc-lost-value", Nothing, OwnWarning),
    rule("-pedantic", Nothing, Warning),
    rule("-pedantic-errors", Nothing, Warning),
    rule("-Werror", Joined, Warning),
    rule("-fmax-errors=", Joined, Warning),
    rule("-fdiagnostics-", Joined, Warning),
    rule("-fno-diagnostics-", Joined, Warning),
    rule("-fmessage-length=", Joined, Warning),
    // Code.
    rule("-O", Joined, CodeGen),
    rule("-f", Joined, CodeGen),
    rule("-m", Joined, CodeGen),
    rule("-g", Joined, CodeGen),
    rule("--param", Separate, CodeGen),
    rule("--param=", Joined, CodeGen),
    rule("-pipe", Nothing, CodeGen),
    rule("-pthread", Nothing, CodeGen),
    rule("-B", JoinedOrSeparate, CodeGen),
    rule("--sysroot", Separate, CodeGen),
    rule("--sysroot=", Joined, CodeGen),
    rule("-isysroot", JoinedOrSeparate, CodeGen),
    rule("-target", Separate, CodeGen),
    rule("--target=", Joined, CodeGen),
    rule("--gcc-toolchain=", Joined, CodeGen),
    rule("-arch", Separate, CodeGen),
    rule("-specs", Separate, CodeGen),
    rule("-specs=", Joined, CodeGen),
    rule("--specs=", Joined, CodeGen),
    rule("-wrapper", Separate, CodeGen),
    rule("-mllvm", Separate, CodeGen),
    rule("-G", JoinedOrSeparate, CodeGen),
    rule("-Wa,", Joined, CodeGen),
    rule("-Xassembler", Separate, CodeGen),
    rule("-Xclang", Separate, HostOnly),
    rule("-p", Nothing, HostOnly),
    rule("-pg", Nothing, HostOnly),
    rule("-fopenmp", Nothing, HostOnly),
    rule("-fopenmp=", Joined, HostOnly),
    rule("-fplugin", Joined, HostOnly),
    rule("-finstrument-functions", Joined, HostOnly),
    rule("-fprofile-use", Joined, HostOnly),
    rule("-fprofile-generate", Joined, HostOnly),
    rule("-fanalyzer", Joined, HostOnly),
    rule("-fpreprocessed", Nothing, HostOnly),
    rule("-fwhole-program", Nothing, HostOnly),
    // Types as another machine has them.
    rule("-m16", Nothing, ForeignLayout),
    rule("-m32", Nothing, ForeignLayout),
    rule("-mx32", Nothing, ForeignLayout),
    rule("-mabi=ms", Nothing, ForeignLayout),
    rule("-mms-bitfields", Nothing, ForeignLayout),
    rule("-mlong-double-", Joined, ForeignLayout),
    rule("-fpack-struct", Joined, ForeignLayout),
    rule("-fsso-struct=", Joined, ForeignLayout),
    // Options that write more files.
    rule("-save-temps", Joined, AuxiliaryOutput),
    rule("--save-temps", Joined, AuxiliaryOutput),
    rule("--coverage", Nothing, AuxiliaryOutput),
    rule("-fprofile-arcs", Nothing, AuxiliaryOutput),
    rule("-ftest-coverage", Nothing, AuxiliaryOutput),
    rule("-fstack-usage", Nothing, AuxiliaryOutput),
    rule("-fcallgraph-info", Joined, AuxiliaryOutput),
    rule("-fdump-", Joined, AuxiliaryOutput),
    rule("-ftime-trace", Joined, AuxiliaryOutput),
    rule("-fsave-optimization-record", Joined, AuxiliaryOutput),
    rule("-gsplit-dwarf", Joined, AuxiliaryOutput),
    rule("-aux-info", Separate, AuxiliaryOutput),
    rule("-dumpbase", Separate, AuxiliaryOutput),
    rule("-dumpbase-ext", Separate, AuxiliaryOutput),
    rule("-dumpdir", Separate, AuxiliaryOutput),
    rule("--serialize-diagnostics", Separate, AuxiliaryOutput),
    rule("-serialize-diagnostics", Separate, AuxiliaryOutput),
    // Linker.
    rule("-l", JoinedOrSeparate, Link),
    rule("-L", JoinedOrSeparate, Link),
    rule("--library-directory", Separate, Link),
    rule("--library-directory=", Joined, Link),
    rule("-Wl,", Joined, Link),
    rule("-Xlinker", Separate, Link),
    rule("--for-linker", Separate, Link),
    rule("--for-linker=", Joined, Link),
    rule("-T", JoinedOrSeparate, Link),
    rule("-u", JoinedOrSeparate, Link),
    rule("-z", JoinedOrSeparate, Link),
    rule("-e", JoinedOrSeparate, Link),
    rule("--entry", Separate, Link),
    rule("--entry=", Joined, Link),
    rule("-h", JoinedOrSeparate, Link),
    rule("-R", JoinedOrSeparate, Link),
    rule("-F", JoinedOrSeparate, Link),
    rule("-framework", Separate, Link),
    rule("-install_name", Separate, Link),
    rule("-s", Nothing, Link),
    rule("-t", Nothing, Link),
    rule("-n", Nothing, Link),
    rule("-N", Nothing, Link),
    rule("-rdynamic", Nothing, Link),
    rule("-static", Nothing, Link),
    rule("-static-", Joined, Link),
    rule("-shared", Nothing, Link),
    rule("-shared-", Joined, Link),
    rule("-pie", Nothing, Link),
    rule("-no-pie", Nothing, Link),
    rule("-nopie", Nothing, Link),
    rule("-symbolic", Nothing, Link),
    rule("-nostartfiles", Nothing, Link),
    rule("-nolibc", Nothing, Link),
    rule("-nostdlib", Nothing, LinkWithoutLibraries),
    rule("-nodefaultlibs", Nothing, LinkWithoutLibraries),
    rule("-r", Nothing, LinkRelocatable),
    rule("-fuse-ld=", Joined, Link),
    rule("-fuse-linker-plugin", Nothing, Link),
    rule("-flinker-output=", Joined, Link),
];

/// The rule for one word of a command line that begins with `-`, or `None` for an option that is not in the table.
pub fn find(word: &[u8]) -> Option<&'static OptionRule> {
    OPTIONS
        .iter()
        .filter(|rule| {
            let name = rule.name.as_bytes();
            match rule.takes {
                Nothing | Separate => word == name,
                Joined | JoinedOrSeparate => word.starts_with(name),
            }
        })
        .max_by_key(|rule| rule.name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(word: &str) -> Option<Role> {
        find(word.as_bytes()).map(|rule| rule.role)
    }

    #[test]
    fn longest_name_wins() {
        assert_eq!(role("-Wall"), Some(Warning));
        assert_eq!(role("-Wl,-z,now"), Some(Link));
        assert_eq!(role("-Wp,-MD,x.d"), Some(Preprocess));
        assert_eq!(role("-MT"), Some(Depend(super::Depend::Target)));
        assert_eq!(role("-include"), Some(Preprocess));
        assert_eq!(role("-isysroot"), Some(CodeGen));
        assert_eq!(role("-static-libgcc"), Some(Link));
        assert_eq!(role("-ffast-math"), Some(CodeGen));
        assert_eq!(role("-fsyntax-only"), Some(Stage(super::Stage::Check)));
        assert_eq!(role("-fopenmp"), Some(HostOnly));
        assert_eq!(role("-fopenmp-simd"), Some(CodeGen));
    }

    #[test]
    fn names_are_unique() {
        for (k, rule) in OPTIONS.iter().enumerate() {
            assert!(
                OPTIONS[k + 1..].iter().all(|other| other.name != rule.name),
                "{} is listed twice",
                rule.name
            );
        }
    }

    #[test]
    fn unknown_options_are_not_claimed() {
        assert_eq!(role("-qversion"), None);
        assert_eq!(role("--gibberish"), None);
    }
}
