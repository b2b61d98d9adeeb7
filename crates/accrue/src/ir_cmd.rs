//! `accrue ir FILE [--target=cpu|gpu] [--after=PASS] [--emit=ptx|opencl|pragmas] [cc options]`: prints what becomes of a source on the
//! way down.
//!
//! ```text
//! accrue ir heat.c                                   the IR as imported
//! accrue ir heat.c --after=partition --target=gpu    after a pass of the lowering for GPUs
//! accrue ir heat.c --emit=ptx -gpu=cc90              the code for GPUs
//! accrue ir heat.c --emit=opencl                     … for devices behind OpenCL
//! accrue ir heat.c --emit=pragmas                    the preprocessed source, with directives made anew of the IR
//! ```

use std::ffi::OsString;

use accrue_diag::{Diagnostic, SourceFiles};
use accrue_ir::text;
use accrue_opt::Target;
use accrue_pipeline::{Options, PASSES, lower};
use pliron::context::Context;
use pliron::op::Op;

use crate::cc;
use crate::gpu::{self, Code};
use crate::kernels::Modules;
use crate::opencl;
use crate::opt_cmd::find_pass;
use crate::pragmas;
use crate::process::{Failure, print_messages, print_result};
use crate::program;
use crate::unit;

/// The name of the point before the first pass.
const IMPORT: &str = "import";

/// What is to be printed.
struct Request {
    after: Option<String>,
    target: Target,
    text: Option<Text>,
    /// The user's source, with the directives that the IR stands for.
    pragmas: bool,
}

/// A text for devices, instead of the IR.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Ptx,
    OpenCl,
    OpenClCores,
}

/// `words` are a source and options of `accrue cc`, with our own options anywhere among them.
pub fn main(words: &[OsString]) -> Result<(), Failure> {
    let (request, compiler_words) = read(words)?;
    let source = cc::preprocess(&compiler_words)?;
    let files = SourceFiles::default();
    let show = |messages: &[Diagnostic]| print_messages(unit::render(messages, &files).as_bytes());
    let failed = |messages: Vec<Diagnostic>| {
        show(&messages);
        Failure::Step(1)
    };
    let scanned =
        unit::scan(&source.name, source.text, source.languages, &files).map_err(failed)?;
    let program = program::read(&scanned, &source.name, &source.reader_options).map_err(failed)?;
    if let Some(text) = request.text {
        let Some(settings) = &source.gpu else {
            return Err("the options ask for no code for GPUs".to_string().into());
        };
        let import =
            |ctx: &mut Context, target| program.import(ctx, target).map(|unit| unit.module);
        let modules = Modules {
            of: &import,
            after: None,
        };
        if text != Text::Ptx {
            let code = opencl::generate(&modules, settings, &mut []).map_err(failed)?;
            for kernel in &code.on_host {
                let name = accrue_abi::symbols::shown(&kernel.function);
                print_messages(format!("{name} runs on the host: {}\n", kernel.reason).as_bytes());
            }
            let printed = match text {
                Text::OpenClCores => code.cores,
                Text::OpenCl | Text::Ptx => code.text,
            };
            return print_result(&printed.unwrap_or_default());
        }
        let code = gpu::generate(&modules, &source.name, settings, &mut []).map_err(failed)?;
        show(&code.warnings);
        return print_result(&texts(&code));
    }
    let mut ctx = Context::new();
    let module = program
        .import(&mut ctx, request.target)
        .map_err(failed)?
        .module;
    if request.pragmas {
        if source.languages.omp {
            return Err(
                "`--emit=pragmas` makes directives of OpenACC: leave out -fopenmp"
                    .to_string()
                    .into(),
            );
        }
        return print_result(&pragmas::text(&ctx, module.get_operation(), &scanned));
    }
    if request.after.as_deref() != Some(IMPORT) {
        let options = Options {
            target: request.target,
            fast_math: source
                .gpu
                .as_ref()
                .is_some_and(|settings| settings.fast_math),
            plain_math: source
                .gpu
                .as_ref()
                .is_some_and(|settings| settings.plain_math),
            start_after: None,
            stop_after: request.after,
            off: source.gpu.as_ref().map(|gpu| gpu.off).unwrap_or_default(),
        };
        lower(&mut ctx, module, &options).map_err(failed)?;
    }
    print_result(&format!("{}\n", text::print(&ctx, module.get_operation())))
}

/// Our own options, and the words that are left for `accrue cc`.
fn read(words: &[OsString]) -> Result<(Request, Vec<OsString>), Failure> {
    let mut request = Request {
        after: None,
        target: Target::CPU,
        text: None,
        pragmas: false,
    };
    let mut named_target = false;
    let mut rest = vec![];
    for word in words {
        let text = word.to_string_lossy();
        if let Some(pass) = text.strip_prefix("--after=") {
            if pass != IMPORT {
                find_pass(pass)?;
            }
            request.after = Some(pass.to_string());
        } else if let Some(target) = text.strip_prefix("--target=").and_then(Target::named) {
            // Other targets are clang's.
            request.target = target;
            named_target = true;
        } else if text == "--emit=pragmas" {
            request.pragmas = true;
        } else if let Some(form) = text.strip_prefix("--emit=") {
            request.text = Some(match form {
                "ptx" => Text::Ptx,
                "opencl" => Text::OpenCl,
                "opencl-cores" => Text::OpenClCores,
                _ => {
                    return Err(format!(
                        "`--emit={form}`: the forms are ptx, opencl, opencl-cores and pragmas"
                    )
                    .into());
                }
            });
        } else {
            rest.push(word.clone());
        }
    }
    if request.after.is_none() {
        // Who names a target wants to see what is special about it.
        let last = PASSES.last().map_or(IMPORT, |pass| pass.name);
        request.after = Some(if named_target { last } else { IMPORT }.to_string());
    }
    Ok((request, rest))
}

fn texts(code: &Code) -> String {
    let texts = code.variants.iter().map(|variant| variant.text.as_str());
    texts.collect()
}
