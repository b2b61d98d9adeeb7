//! `openacc.h` and the interface to compiled code, seen from C and C++: the same program is
//! compiled by each compiler, linked with the shared and the static library, and run in both
//! memory modes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}",
        output.status
    );
    text
}

/// Where cargo put libaccrue.so and libaccrue.a: above the directory of this test program.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().expect("no path of the test program");
    let dir = program.parent().and_then(Path::parent);
    dir.expect("test programs are in target/PROFILE/deps")
        .into()
}

#[test]
fn c_and_cxx_programs_compile_link_and_run() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = libraries();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let compilers: [(&str, &[&str]); 4] = [
        ("gcc", &["-std=c99", "-pedantic", "-xc"]),
        ("gcc", &["-std=gnu17", "-xc"]),
        ("g++", &["-std=c++17", "-xc++"]),
        (
            "g++",
            &[
                "-std=c++98",
                "-Wno-long-long",
                "-Wno-variadic-macros",
                "-xc++",
            ],
        ),
    ];
    let interface = out.join("interface");
    fs::create_dir_all(&interface).expect("no directory");
    fs::write(interface.join("accrue_abi.h"), accrue::abi::c::header()).expect("cannot write");
    for (index, (compiler, flags)) in compilers.iter().enumerate() {
        for shared in [true, false] {
            let program = out.join(format!("program-{index}-{shared}"));
            let mut build = Command::new(compiler);
            build
                .args(*flags)
                .args(["-Wall", "-Wextra", "-Werror", "-I"])
                .arg(here.join("../../include"))
                .arg("-I")
                .arg(&interface)
                .arg(here.join("tests/c/program.c"))
                .args(["-xnone", "-o"])
                .arg(&program);
            if shared {
                build.arg("-L").arg(&libraries).arg("-laccrue");
            } else {
                build
                    .arg(libraries.join("libaccrue.a"))
                    .args(["-lpthread", "-ldl", "-lm"]);
            }
            run(&mut build);
            for mode in ["shared", "discrete"] {
                let output = run(Command::new(&program)
                    .env("LD_LIBRARY_PATH", &libraries)
                    .env("ACCRUE_CPU_MEMORY", mode));
                assert_eq!(
                    output, "right\n",
                    "{compiler} {flags:?} shared={shared} {mode}"
                );
            }
        }
    }
}
