//! `accrue doctor`: which compilers, libraries and devices there are, what is missing, and the command that repairs it.
//!
//! It ends by compiling a program with OpenACC the way a user would; the exit status says whether that worked.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cc::Program;
use crate::home::{HEADER, Home, LIBRARY, STATIC_LIBRARY};
use crate::host::{self, HostCompiler};
use crate::process::{Failure, print_result};
use crate::ptxas;
use crate::scratch::Scratch;

/// The clang versions whose syntax trees are read.
const CLANG_VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// Sums up on the device of the environment; with `nvidia` it names the GPUs, with `opencl` the devices that OpenCL offers.
const PROBE: &str = r#"
#include <openacc.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int n = 0;
#pragma acc parallel loop reduction(+ : n)
    for (int i = 0; i < 10; i++)
        n += i;
    if (argc > 1 && argv[1][0] == 'o')
        puts(accrue_opencl_report());
    if (argc > 1 && argv[1][0] == 'n')
        for (int k = 0; k < acc_get_num_devices(acc_device_nvidia); k++)
            printf("%s, %.1f GiB, driver %s\n", acc_get_property_string(k, acc_device_nvidia, acc_property_name),
                   acc_get_property(k, acc_device_nvidia, acc_property_memory) / 1073741824.0,
                   acc_get_property_string(k, acc_device_nvidia, acc_property_driver));
    return n != 45;
}
"#;

/// How one finding reads in the report.
enum State {
    Good,
    /// Worth knowing; nothing is broken.
    Absent,
    /// Compiling cannot work.
    Broken {
        repair: String,
    },
}

struct Finding {
    what: &'static str,
    state: State,
    detail: String,
}

pub fn main() -> Result<(), Failure> {
    let mut findings = vec![c_compiler(), clang()];
    findings.extend(installation());
    let (compilation, offered) = whole_compilation();
    findings.extend([cores(), nvidia(&offered.gpus), assembler()]);
    findings.extend(opencl(&offered.opencl));
    findings.extend(compilation);
    let text: String = findings.iter().map(line).collect();
    print_result(&text)?;
    let broken = findings
        .iter()
        .any(|finding| matches!(finding.state, State::Broken { .. }));
    if broken {
        Err(Failure::Step(1))
    } else {
        Ok(())
    }
}

/// The finding as the report has it.
fn line(finding: &Finding) -> String {
    let (mark, repair) = match &finding.state {
        State::Good => ("ok", None),
        State::Absent => ("absent", None),
        State::Broken { repair } => ("MISSING", Some(repair)),
    };
    let mut text = format!("{mark:<7} {:<18} {}\n", finding.what, finding.detail);
    if let Some(repair) = repair {
        text += &format!("{:26} to repair: {repair}\n", "");
    }
    text
}

fn good(what: &'static str, detail: String) -> Finding {
    Finding {
        what,
        state: State::Good,
        detail,
    }
}

fn absent(what: &'static str, detail: &str) -> Finding {
    Finding {
        what,
        state: State::Absent,
        detail: detail.to_string(),
    }
}

fn broken(what: &'static str, detail: String, repair: impl Into<String>) -> Finding {
    Finding {
        what,
        state: State::Broken {
            repair: repair.into(),
        },
        detail,
    }
}

fn c_compiler() -> Finding {
    let what = "C compiler";
    match HostCompiler::find(&host::C, None) {
        Err(message) => broken(what, message, "apt-get install gcc libc6-dev"),
        Ok(compiler) => {
            let words: Vec<_> = compiler
                .words()
                .iter()
                .map(|word| word.to_string_lossy())
                .collect();
            let version = compiler
                .version()
                .lines()
                .next()
                .unwrap_or("says nothing about its version");
            good(what, format!("{}: {version}", words.join(" ")))
        }
    }
}

fn clang() -> Finding {
    let what = "clang (reader)";
    let repair = "apt-get install clang (any version from 14 to 22), or name it in ACCRUE_CLANG";
    let Some((program, version)) = find_clang() else {
        return broken(
            what,
            "not found; it reads C for accrue, whatever compiler you use".to_string(),
            repair,
        );
    };
    match version {
        Some(version) if CLANG_VERSIONS.contains(&version) => {
            good(what, format!("{}: version {version}", program.display()))
        }
        Some(version) => broken(
            what,
            format!("{}: version {version} is not supported", program.display()),
            repair,
        ),
        None => broken(
            what,
            format!("{}: does not say its version", program.display()),
            repair,
        ),
    }
}

fn find_clang() -> Option<(PathBuf, Option<u32>)> {
    let named = env::var_os("ACCRUE_CLANG").filter(|value| !value.is_empty());
    let versioned = CLANG_VERSIONS
        .rev()
        .map(|version| OsString::from(format!("clang-{version}")));
    let candidates: Vec<OsString> = match named {
        Some(named) => vec![named],
        None => std::iter::once("clang".into()).chain(versioned).collect(),
    };
    let program = candidates
        .iter()
        .find_map(|name| host::find_program(name))?;
    let text = output_of(program.as_os_str(), &["--version"]).unwrap_or_default();
    let version = text
        .split("clang version ")
        .nth(1)
        .and_then(|rest| rest.split('.').next()?.trim().parse().ok());
    Some((program, version))
}

fn installation() -> [Finding; 3] {
    let home = Home::find();
    let repair =
        "make install PREFIX=… (or cargo build --workspace in the source tree), or set ACCRUE_HOME";
    let file = |what, folder: &Option<PathBuf>, name: &str| match folder {
        Some(folder) => good(what, folder.join(name).display().to_string()),
        None => broken(what, format!("{name} not found"), repair),
    };
    let static_library = home
        .library
        .clone()
        .filter(|folder| folder.join(STATIC_LIBRARY).is_file());
    [
        file("header", &home.include, HEADER),
        file("runtime library", &home.library, LIBRARY),
        match static_library {
            Some(_) => file("static library", &static_library, STATIC_LIBRARY),
            None => absent("static library", "programs cannot be linked with -static"),
        },
    ]
}

fn cores() -> Finding {
    let allowed = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let limit = env::var("ACC_NUM_CORES")
        .map(|limit| format!(", ACC_NUM_CORES={limit}"))
        .unwrap_or_default();
    good(
        "CPU cores",
        format!("{allowed} may be used by this process{limit}"),
    )
}

/// The driver, and the GPUs that a program sees through the runtime library.
fn nvidia(gpus: &[String]) -> Finding {
    let what = "NVIDIA driver";
    match (find_library("libcuda.so.1"), gpus) {
        (None, []) => absent(
            what,
            "no libcuda.so.1: programs run on a GPU behind OpenCL if there is one, else on the CPU cores",
        ),
        (Some(library), []) => good(
            what,
            format!(
                "{}, but it offers no GPU: programs run on one behind OpenCL if there is any, else on the CPU cores",
                library.display()
            ),
        ),
        (_, gpus) => good(what, gpus.join("; ")),
    }
}

/// NVIDIA's assembler: seldom needed, since the driver translates what the compiler makes.
fn assembler() -> Finding {
    let what = "ptxas";
    match ptxas::find() {
        Ok(Some(program)) => good(
            what,
            format!(
                "{} (for -gpu=sm_…, -gpu=aot and the figures of accrue explain)",
                program.display()
            ),
        ),
        Ok(None) => absent(
            what,
            "not needed but for -gpu=sm_… and -gpu=aot: the driver translates code for GPUs",
        ),
        Err(message) => absent(what, &message),
    }
}

/// What OpenCL's drivers offer, device by device, as the runtime library sees it.
fn opencl(devices: &[String]) -> Vec<Finding> {
    let what = "OpenCL";
    if devices.is_empty() {
        let detail = match find_library("libOpenCL.so.1") {
            Some(library) => format!("{}, but its drivers offer no device", library.display()),
            None => {
                "no libOpenCL.so.1 (apt-get install ocl-icd-libopencl1, and a driver)".to_string()
            }
        };
        return vec![absent(what, &detail)];
    }
    let finding = |line: &String| match line.contains(NOT_USED) {
        true => absent(what, line),
        false => good(what, line.clone()),
    };
    devices.iter().map(finding).collect()
}

/// In the runtime library's line about a device that cannot be used.
const NOT_USED: &str = " is not used: ";

/// Compiles and runs a program, on each kind of device: what the other findings are about. Gives the devices it sees, too.
fn whole_compilation() -> (Vec<Finding>, Offered) {
    let what = "OpenACC in C";
    match compile_and_run() {
        Ok(probed) => {
            let mut findings = vec![good(
                what,
                "a program with a parallel loop compiles and runs".to_string(),
            )];
            findings.extend(probed.devices);
            (findings, probed.offered)
        }
        Err(Failure::Step(code)) => {
            let detail = format!("a small program did not compile (exit status {code})");
            (
                vec![broken(what, detail, "see the messages above")],
                Offered::default(),
            )
        }
        Err(Failure::Message(message)) => (
            vec![broken(what, message, "see the findings above")],
            Offered::default(),
        ),
    }
}

/// What the small program has shown.
struct Probed {
    /// One finding per kind of device beside the CPU.
    devices: Vec<Finding>,
    offered: Offered,
}

/// A line for each device.
#[derive(Default)]
struct Offered {
    gpus: Vec<String>,
    opencl: Vec<String>,
}

fn compile_and_run() -> Result<Probed, Failure> {
    let scratch = Scratch::new(false).map_err(|error| error.to_string())?;
    let source = scratch.file("probe.c");
    let program = scratch.file("probe");
    fs::write(&source, PROBE).map_err(|error| format!("{}: {error}", source.display()))?;
    Program::new(&["-fopenacc".into(), source.into()])?.build(&program)?;
    let run = |device: &str, argument: &str| {
        Command::new(&program)
            .arg(argument)
            .env("ACC_DEVICE_TYPE", device)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))
    };
    let list = |kind: &str| {
        let output = run("host", kind)?;
        if !output.status.success() {
            return Err(format!(
                "a small program compiled but failed: {}\n{}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().map(str::to_string).collect::<Vec<_>>())
    };
    let offered = Offered {
        gpus: list("nvidia")?,
        opencl: list("opencl")?,
    };
    let opencl = offered.opencl.iter().any(|line| !line.contains(NOT_USED));
    let mut devices = vec![];
    for (what, device, there) in [
        ("GPU simulator", "sim", true),
        ("NVIDIA GPU", "nvidia", !offered.gpus.is_empty()),
        ("OpenCL device", "opencl", opencl),
    ] {
        if !there {
            continue;
        }
        let output = run(device, "")?;
        devices.push(if output.status.success() {
            good(what, "the same program runs on it".to_string())
        } else {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().next().unwrap_or("no message").to_string();
            broken(
                what,
                first,
                "ACC_DEVICE_TYPE=host runs programs on the CPU cores",
            )
        });
    }
    Ok(Probed { devices, offered })
}

fn output_of(program: &OsStr, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where the dynamic linker would find a library.
fn find_library(name: &str) -> Option<PathBuf> {
    let search = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let direct = env::split_paths(&search)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    direct.or_else(|| {
        let program = ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"]
            .iter()
            .find_map(|name| host::find_program(OsStr::new(name)))?;
        let listing = output_of(program.as_os_str(), &["-p"])?;
        let line = listing
            .lines()
            .find(|line| line.split_whitespace().next() == Some(name))?;
        line.rsplit("=> ")
            .next()
            .map(|path| Path::new(path).to_owned())
    })
}
