//! OpenMP's device routines, seen from C: the same program is compiled by each compiler with its own `omp.h` and OpenMP
//! library, linked with the shared and the static libaccrue, and run on each device.

use accrue::abi::openmp;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Environment = &'static [(&'static str, &'static str)];

const MODES: [(&str, Environment, &str); 4] = [
    ("shared", &[], "0 right\n"),
    ("discrete", DISCRETE, "1 right\n"),
    ("sim", &[("ACC_DEVICE_TYPE", "sim")], "1 right\n"),
    (
        "disabled",
        &[
            ("ACC_DEVICE_TYPE", "sim"),
            ("OMP_TARGET_OFFLOAD", " disabled"),
        ],
        "0 right\n",
    ),
];

const DISCRETE: Environment = &[("ACCRUE_CPU_MEMORY", "discrete")];

#[test]
fn routines_on_all_devices() {
    for (name, flags) in [
        ("gcc", &["gcc"][..]),
        ("gcc-lto", &["gcc", "-flto", "-O2"]),
        ("gcc-static", &["gcc", "-static"]),
        ("clang", &["clang", "-w"]),
    ] {
        let Some(program) = build(name, flags) else {
            continue;
        };
        for (mode, environment, expected) in MODES {
            let output = run(&program, &[], environment);
            let text = texts(&output);
            assert!(
                output.status.success() && text == expected,
                "{name} {mode}: {text}"
            );
        }
    }
}

/// What a program is told, and by which message it ends: argument, environment, exit status, text.
type Case = (&'static str, Environment, i32, &'static str);

const CASES: &[Case] = &[
    (
        "invalid",
        DISCRETE,
        1,
        "omp_target_is_present: device number -4 is omp_invalid_device",
    ),
    (
        "missing",
        &[("OMP_TARGET_OFFLOAD", "MANDATORY")],
        1,
        "omp_target_alloc: there is no device 99: the only device is the initial one, number 0, and OMP_TARGET_OFFLOAD is MANDATORY",
    ),
    (
        "free-on-missing",
        DISCRETE,
        1,
        "omp_target_free: there is no device 99: devices are 0 to 0, and the initial device is 1",
    ),
    (
        "free-host",
        DISCRETE,
        1,
        "is not memory of omp_target_alloc on device cpu:0 (freed twice?)",
    ),
    (
        "free-inside",
        DISCRETE,
        1,
        "is inside of the memory of omp_target_alloc at",
    ),
    (
        "free-mapped",
        DISCRETE,
        1,
        "the device's copy of mapped data, which `target exit data` ends: host=",
    ),
    (
        "copy-behind",
        DISCRETE,
        1,
        "omp_target_memcpy: 40 bytes from",
    ),
    (
        "copy-null",
        DISCRETE,
        1,
        "omp_target_memcpy: a null pointer with 40 bytes",
    ),
    ("number", DISCRETE, 7, "0 of 1"),
    ("number", &[("OMP_DEFAULT_DEVICE", "3")], 7, "3 of 0"),
    (
        "number",
        &[("OMP_TARGET_OFFLOAD", "Mandatory")],
        7,
        "-4 of 0",
    ),
    (
        "number",
        &[("OMP_TARGET_OFFLOAD", "never")],
        1,
        "OMP_TARGET_OFFLOAD=never: unknown value; it may be MANDATORY, DISABLED or DEFAULT",
    ),
];

#[test]
fn mistakes() {
    let program = build("mistakes", &["gcc"]).expect("gcc is needed");
    for (argument, environment, status, expected) in CASES {
        let output = run(&program, &[argument], environment);
        let text = texts(&output);
        assert!(
            output.status.code() == Some(*status) && text.contains(expected),
            "{argument} {environment:?}: {}\n{text}",
            output.status
        );
    }
}

/// Each routine that the linker is told of is in the library, and nothing is called as the host's are.
#[test]
fn names() {
    let library = libraries().join("libaccrue.so");
    let output = Command::new("nm").arg("-D").arg(library).output();
    let text = texts(&output.expect("nm is needed"));
    let mut ours: Vec<&str> = text
        .lines()
        .filter_map(|line| line.rsplit_once(" T ")?.1.strip_prefix("__wrap_"))
        .collect();
    ours.sort_unstable();
    assert_eq!(ours, openmp::ROUTINES);
    assert!(!text.contains(" T omp_"), "{text}");
}

/// None where there is no such compiler.
fn build(name: &str, flags: &[&str]) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = libraries();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("openmp-{name}"));
    let (compiler, flags) = flags.split_first().expect("no compiler");
    let options = openmp::ROUTINES.map(openmp::linker_option);
    let mut command = Command::new(compiler);
    command
        .args(["-fopenmp", "-I"])
        .arg(here.join("../../include"))
        .args(flags)
        .arg(here.join("tests/c/openmp.c"))
        .arg(format!("-Wl,{}", options.join(",")))
        .arg("-L")
        .arg(&libraries);
    match flags.contains(&"-static") {
        true => command.args([
            "-l:libaccrue.a",
            "-lpthread",
            "-ldl",
            "-lm",
            "-Wl,-z,muldefs",
        ]),
        false => command.arg("-laccrue"),
    };
    let output = command.arg("-o").arg(&program).output().ok()?;
    assert!(output.status.success(), "{command:?}\n{}", texts(&output));
    Some(program)
}

fn run(program: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("LD_LIBRARY_PATH", libraries())
        .envs(environment.iter().copied());
    command.output().expect("cannot start the program")
}

fn texts(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|text| String::from_utf8_lossy(text))
        .concat()
}

/// Where cargo put libaccrue.so and libaccrue.a: above the directory of this test program.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().expect("no path of the test program");
    let folder = program.parent().and_then(Path::parent);
    folder
        .expect("test programs are in target/PROFILE/deps")
        .into()
}
