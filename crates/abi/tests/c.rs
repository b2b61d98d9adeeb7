//! The declarations in C, read by C compilers; and what may only change together with the version.

use accrue_abi::{ABI_VERSION, c, codes, flags, functions, trip::Step, words};
use std::{fs, path::Path, process::Command};

/// Compiles a text; ends the test with the compiler's messages if it does not like it.
fn compile(name: &str, compiler: &str, flags: &[&str], text: &str) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("cannot write");
    let output = Command::new(compiler)
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
        .arg(&file)
        .output()
        .expect("no compiler");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {flags:?}: {messages}");
}

#[test]
fn compilers_lay_structures_out_as_rust_does() {
    let mut text = c::header();
    for condition in c::layout() {
        text.push_str(&format!("_Static_assert({condition}, \"{condition}\");\n"));
    }
    compile("layout.c", "cc", &["-std=c11", "-pedantic"], &text);
    let text = text.replace("_Static_assert", "static_assert");
    compile("layout.cpp", "c++", &["-std=c++17"], &text);
    let text = c::declarations() + &c::size_assertions();
    compile(
        "sizes.i",
        "cc",
        &["-std=c90", "-pedantic", "-Wno-long-long"],
        &text,
    );
}

/// A user's option that would have programs go wrong is an error. No structure has gaps, which packing would change.
#[test]
fn options_that_change_layouts_are_found() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packed.i");
    fs::write(&file, c::declarations() + &c::size_assertions()).expect("cannot write");
    let short_pointers = match cfg!(target_arch = "x86_64") {
        true => "-m32",
        false => "-mabi=ilp32",
    };
    let output = Command::new("gcc")
        .args([short_pointers, "-fsyntax-only"])
        .arg(&file)
        .output()
        .expect("no compiler");
    let messages = String::from_utf8_lossy(&output.stderr);
    let expected = "options change the layout of struct accrue_var";
    assert!(messages.contains(expected), "{messages}");
}

#[test]
fn hosts_declare_the_functions_of_the_table() {
    let declared = [
        functions::HOST_DECLARATIONS,
        functions::DEVICE_ADDRESS_DECLARATION,
        functions::DECLARE_LEAVE_DECLARATION,
        functions::DECLARE_GLOBAL_DECLARATION,
        functions::UNOBSERVED_DECLARATION,
        functions::REQUIRES_DECLARATION,
        functions::TARGET_IS_DECLARATION,
        functions::MAPPED_POINTER_DECLARATION,
    ]
    .concat();
    for function in functions::OF_HOSTS {
        let prototype = function
            .prototype()
            .replace("struct accrue_site", "struct __accrue_site")
            .replace("unsigned long long", "__accrue_word")
            .replace("unsigned)", "unsigned int)");
        let compact = |text: &str| {
            text.replace(" *", "*")
                .replace("* ", "*")
                .replace(", ", ",")
        };
        let prototype = compact(&prototype);
        assert!(declared.contains(&format!("{prototype};")), "{prototype}");
    }
}

/// Who changes what programs and library agree about raises [`ABI_VERSION`]: two versions would go wrong silently.
#[test]
fn the_version_stands_for_these_declarations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations.h");
    let declarations = c::header();
    if std::env::var_os("ACCRUE_BLESS").is_some() {
        fs::write(&path, &declarations).expect("cannot write");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == declarations,
        "{} is no longer what is declared: raise ABI_VERSION (it is {ABI_VERSION}) if one of them has been released, then \
         set ACCRUE_BLESS=1\n{declarations}",
        path.display()
    );
}

#[test]
fn no_two_flags_share_a_bit() {
    let dims = [true; 3];
    let var = flags::VarFlags::default();
    assert_eq!(var.bits(), 0);
    let gang_dims = flags::KernelFlags {
        gang_dims: [false, true, false],
        ..Default::default()
    };
    assert_eq!(gang_dims.bits(), flags::KERNEL_GANG_DIMS[1]);
    let all = flags::SimtFlags {
        workers: true,
        vector: true,
        scratch: true,
        gang_worker_loop: true,
        gang_vector_loop: true,
        no_gang_loop: true,
        several: true,
        gang_cost: true,
        gang_dims: dims,
        only_loops: true,
        doubles: true,
        halving: true,
        waits_in_branches: true,
        own_gang_loop: true,
        open_lanes: true,
    };
    assert_eq!(all.bits(), (1 << 17) - 1);
}

#[test]
fn numbers_and_steps_are_read_as_they_are_written() {
    for kind in 1..=14 {
        assert_eq!(
            codes::SiteKind::from_raw(kind).map(|k| k as u32),
            Some(kind)
        );
    }
    assert_eq!(codes::SiteKind::from_raw(15), None);
    assert_eq!(codes::Action::from_raw(0), None);
    for step in [
        Step::End,
        Step::Constant(i64::MIN),
        Step::Argument(7),
        Step::DivideUp,
        Step::ArgumentU32(u32::MAX),
        Step::Remainder,
    ] {
        assert_eq!(Step::decode(step.encode()), Some(step));
    }
    assert_eq!(Step::decode([77, 0]), None);
    assert_eq!(Step::decode([2, -1]), None);
}

#[test]
fn headers_keep_the_order_of_their_words() {
    let header = words::Header::from_words([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(header.words(), [&0, &1, &2, &3, &4, &5, &6, &7, &8, &9]);
    assert_eq!((header.gangs, header.device), ([3, 4, 5], 8));
}
