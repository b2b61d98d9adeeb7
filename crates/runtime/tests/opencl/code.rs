//! Building kernels, and what is kept of them on disk.

use crate::gpu::{ADD, launch_add};
use crate::support::cases::Case;
use crate::support::{Ptx, directive};
use crate::{ON, not_on_host};
use accrue::abi::*;
use std::path::{Path, PathBuf};

pub const CASES: &[Case] = &[
    Case {
        name: "a kernel that cannot be built",
        environment: ON,
        body: || {
            let mut a = [0u64];
            let broken = directive(SiteKind::Parallel, 70)
                .slice(Action::Copy, 0, "a", a.as_mut_ptr(), 0, 1)
                .kernel(0, not_on_host)
                .opencl(&Ptx {
                    codes: &[(
                        0,
                        12,
                        "__kernel void broken_1(ulong a) { undeclared_name = a; }",
                    )],
                    entry: "broken_1",
                    args_words: 1,
                    ..ADD
                });
            broken.launch();
        },
        status: 1,
        expected: &[
            "accrue: fatal error: test.c:70: the OpenCL driver of ",
            "cannot build the code of test.c: CL_BUILD_PROGRAM_FAILURE",
            "undeclared_name",
        ],
    },
    Case {
        name: "binaries are kept, and built anew where they are damaged",
        environment: ON,
        body: kept,
        status: 0,
        expected: &[],
    },
    Case {
        name: "a kernel with more arguments than the device takes runs on the host",
        environment: ON,
        body: || {
            let mut many = directive(SiteKind::Parallel, 71);
            for _ in 0..100_000 {
                many = many.word(Action::Value, "x", 1);
            }
            let many = many.kernel(KERNEL_SINGLE_GANG, nothing).opencl(&Ptx {
                entry: "many",
                args_words: 100_000,
                ..ADD
            });
            assert!(many.launch());
        },
        status: 0,
        expected: &[
            "bytes of arguments, of which opencl:0 takes 1024 at most, and runs on the host",
        ],
    },
];

unsafe extern "C" fn nothing(_launch: *const CpuLaunch, _gang: u64) {}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).collect()
}

/// The same program three times: it builds, it finds what it has built, it finds that damaged.
fn kept() {
    const FOLDER: &str = "ACCRUE_OPENCL_CACHE";
    if std::env::var_os(FOLDER).is_some() {
        let mut a = [1u64; 10];
        launch_add(72, &mut a, 5, |builder| builder);
        assert_eq!(a, [6; 10]);
        return;
    }
    let folder = std::env::temp_dir().join(format!("accrue-opencl-{}", std::process::id()));
    let program = std::env::current_exe().unwrap();
    let run = || {
        let status = std::process::Command::new(&program)
            .args(["child", "--exact", "--nocapture", "--test-threads=1"])
            .env(FOLDER, &folder)
            .status();
        assert!(status.unwrap().success());
    };
    run();
    let [entry] = &entries(&folder)[..] else {
        panic!("not one entry: {:?}", entries(&folder));
    };
    let built = std::fs::read(entry).unwrap();
    let written = || std::fs::metadata(entry).unwrap().modified().unwrap();
    let before = written();
    run();
    assert_eq!(written(), before, "built again");
    for damaged in [&built[..built.len() / 2], b"", b"something else"] {
        std::fs::write(entry, damaged).unwrap();
        run();
        assert!(std::fs::read(entry).unwrap().len() > built.len() / 2);
    }
    std::fs::remove_dir_all(folder).unwrap();
}
