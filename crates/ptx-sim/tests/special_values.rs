//! Infinities, NaNs, zeros and subnormal numbers; results that the PTX ISA leaves open are as measured on an H200.

mod instruction;

use instruction::run;

#[test]
fn single_precision() {
    // Instruction, type, operands, result.
    let (nan, inf, one) = (0x7fc0_0000, 0x7f80_0000u64, 0x3f80_0000u64);
    let (minus_zero, tiny, largest) = (0x8000_0000u64, 1u64, 0x7f7f_ffffu64);
    let cases: &[(&str, [u64; 3], u64)] = &[
        ("add.f32 %d, %a, %b;", [nan, one, 0], 0x7fff_ffff),
        ("add.f32 %d, %a, %b;", [inf, inf | 1 << 31, 0], 0x7fff_ffff),
        (
            "add.rm.f32 %d, %a, %b;",
            [one, one | 1 << 31, 0],
            minus_zero,
        ),
        ("add.rz.f32 %d, %a, %b;", [one, one | 1 << 31, 0], 0),
        ("add.rz.f32 %d, %a, %b;", [largest, largest, 0], largest),
        ("add.rp.f32 %d, %a, %b;", [largest, largest, 0], inf),
        ("add.rm.f32 %d, %a, %b;", [largest, largest, 0], largest),
        ("mul.rn.f32 %d, %a, %b;", [0, inf, 0], 0x7fff_ffff),
        ("mul.ftz.f32 %d, %a, %b;", [tiny, one, 0], 0),
        (
            "mul.ftz.f32 %d, %a, %b;",
            [tiny | 1 << 31, one, 0],
            minus_zero,
        ),
        ("mul.sat.f32 %d, %a, %b;", [0x4040_0000, one, 0], one),
        ("add.sat.f32 %d, %a, %b;", [nan, one, 0], 0),
        ("mul.rp.f32 %d, %a, %b;", [tiny, tiny, 0], tiny),
        ("mul.rz.f32 %d, %a, %b;", [tiny, tiny, 0], 0),
        ("min.f32 %d, %a, %b;", [nan, one, 0], one),
        ("min.f32 %d, %a, %b;", [nan, nan, 0], 0x7fff_ffff),
        ("min.f32 %d, %a, %b;", [0, minus_zero, 0], minus_zero),
        ("max.f32 %d, %a, %b;", [minus_zero, 0, 0], 0),
        ("max.NaN.f32 %d, %a, %b;", [nan, one, 0], 0x7fff_ffff),
        ("abs.f32 %d, %a;", [minus_zero, 0, 0], 0),
        ("abs.f32 %d, %a;", [nan | 1 << 31, 0, 0], 0x7fff_ffff),
        ("neg.f32 %d, %a;", [nan, 0, 0], 0x7fff_ffff),
        ("neg.f32 %d, %a;", [one, 0, 0], one | 1 << 31),
        (
            "copysign.f32 %d, %a, %b;",
            [minus_zero, one, 0],
            one | 1 << 31,
        ),
        ("div.rn.f32 %d, %a, %b;", [one, 0, 0], inf),
        (
            "div.rz.f32 %d, %a, %b;",
            [one, minus_zero, 0],
            inf | 1 << 31,
        ),
        ("sqrt.rn.f32 %d, %a;", [minus_zero, 0, 0], minus_zero),
        ("sqrt.rn.f32 %d, %a;", [one | 1 << 31, 0, 0], 0x7fff_ffff),
        ("sqrt.rp.f32 %d, %a;", [one | 1 << 31, 0, 0], 0x7fff_ffff),
        ("rcp.approx.f32 %d, %a;", [0x4000_0000, 0, 0], 0x3f00_0000),
        ("rsqrt.approx.f32 %d, %a;", [0x4080_0000, 0, 0], 0x3f00_0000),
        ("ex2.approx.f32 %d, %a;", [0x4040_0000, 0, 0], 0x4100_0000),
        ("lg2.approx.f32 %d, %a;", [0x4100_0000, 0, 0], 0x4040_0000),
        (
            "fma.rm.f32 %d, %a, %b, %c;",
            [one, one, one | 1 << 31],
            minus_zero,
        ),
        ("cvt.rzi.s32.f32 %d, %a;", [nan, 0, 0], 0),
        ("cvt.rzi.s32.f32 %d, %a;", [0x4f80_0000, 0, 0], 0x7fff_ffff),
        ("cvt.rzi.u32.f32 %d, %a;", [one | 1 << 31, 0, 0], 0),
        ("cvt.rni.s32.f32 %d, %a;", [0x4020_0000, 0, 0], 2),
        ("cvt.rmi.s32.f32 %d, %a;", [0xc020_0000, 0, 0], 0xffff_fffd),
        ("cvt.rpi.s32.f32 %d, %a;", [0x4020_0000, 0, 0], 3),
        ("cvt.rni.f32.f32 %d, %a;", [0x4060_0000, 0, 0], 0x4080_0000),
        ("cvt.rzi.s8.f32 %d, %a;", [0x4396_0000, 0, 0], 127),
        ("cvt.rn.f32.u32 %d, %a;", [0xffff_ffff, 0, 0], 0x4f80_0000),
        ("cvt.rz.f32.u32 %d, %a;", [0xffff_ffff, 0, 0], 0x4f7f_ffff),
        ("cvt.rm.f32.s32 %d, %a;", [0xfeff_ffff, 0, 0], 0xcb80_0001),
        (
            "cvt.rn.f16.f32 %b, %a; cvt.u32.u16 %d, %b;",
            [0x477f_e000, 0, 0],
            0x7bff,
        ),
        (
            "cvt.rn.bf16x2.f32 %d, %a, %b;",
            [one, 0x4000_0000, 0],
            0x3f80_4000,
        ),
        (
            "testp.subnormal.f32 %p, %a; selp.u32 %d, 1, 0, %p;",
            [tiny, 0, 0],
            1,
        ),
        (
            "testp.normal.f32 %p, %a; selp.u32 %d, 1, 0, %p;",
            [0, 0, 0],
            1,
        ),
        (
            "setp.ne.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;",
            [nan, one, 0],
            0,
        ),
        (
            "setp.neu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;",
            [nan, one, 0],
            1,
        ),
        (
            "setp.geu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;",
            [nan, one, 0],
            1,
        ),
        (
            "setp.num.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;",
            [nan, one, 0],
            0,
        ),
        (
            "setp.eq.ftz.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;",
            [tiny, 0, 0],
            1,
        ),
        ("set.lt.f32.f32 %d, %a, %b;", [0, one, 0], one),
    ];
    for (instruction, operands, expected) in cases {
        let sources = if instruction.contains("f16.f32 %b") {
            ["f32", "u16", "f32"]
        } else {
            ["f32"; 3]
        };
        let got = run(instruction, "b32", &sources, &[*operands])[0];
        assert_eq!(
            got, *expected,
            "{instruction} of {operands:x?} gave {got:x}"
        );
    }
}

#[test]
fn conversions_to_64_bits() {
    let wide: &[(&str, &str, u64, u64)] = &[
        (
            "cvt.rzi.s64.f64 %d, %a;",
            "f64",
            f64::NAN.to_bits(),
            1 << 63,
        ),
        (
            "cvt.rzi.u64.f64 %d, %a;",
            "f64",
            1e30f64.to_bits(),
            u64::MAX,
        ),
        ("cvt.rzi.u64.f64 %d, %a;", "f64", (-3.0f64).to_bits(), 0),
        ("cvt.f64.f32 %d, %a;", "f32", 0x3fc0_0000, 1.5f64.to_bits()),
        (
            "cvt.rn.f64.s64 %d, %a;",
            "s64",
            u64::MAX,
            (-1.0f64).to_bits(),
        ),
        (
            "cvt.rp.f64.u64 %d, %a;",
            "u64",
            u64::MAX,
            18446744073709551616f64.to_bits(),
        ),
        (
            "cvt.rm.f64.u64 %d, %a;",
            "u64",
            u64::MAX,
            18446744073709551616f64.next_down().to_bits(),
        ),
    ];
    for (instruction, source, operand, expected) in wide {
        assert_eq!(
            run(instruction, "b64", &[source], &[[*operand, 0, 0]])[0],
            *expected,
            "{instruction} of {operand:x}"
        );
    }
}

#[test]
fn half_precision() {
    // Least subnormal number, a NaN, -127.5 in bf16, whose power of two is subnormal.
    let (tiny, nan, low) = (0x0001, 0x7e05, 0xc2ff);
    let set = |test: &str| format!("setp.{test}.f16 %p, %a, %b; selp.u16 %d, 1, 0, %p;");
    let cases: &[(&str, &str, [u64; 2], u64)] = &[
        (&set("eq.ftz"), "b16", [tiny, 0], 1),
        (&set("eq"), "b16", [tiny, 0], 0),
        (&set("lt.ftz"), "b16", [0x8000 | tiny, 0], 0),
        ("abs.f16 %d, %a;", "b16", [nan, 0], 0x7fff),
        ("neg.f16 %d, %a;", "b16", [nan, 0], 0x7fff),
        ("neg.f16 %d, %a;", "b16", [tiny, 0], 0x8001),
        ("abs.ftz.f16 %d, %a;", "b16", [tiny, 0], 0),
        ("neg.ftz.f16 %d, %a;", "b16", [tiny, 0], 0x8000),
        ("abs.ftz.f16x2 %d, %a;", "b32", [0x83ff_3c00, 0], 0x3c00),
        ("neg.f16x2 %d, %a;", "b32", [0x7e05_8000, 0], 0x7fff_0000),
        ("abs.bf16 %d, %a;", "b16", [0xffc5, 0], 0x7fff),
        ("neg.bf16 %d, %a;", "b16", [tiny, 0], 0x8001),
        ("ex2.approx.ftz.bf16 %d, %a;", "b16", [low, 0], 0),
        (
            "ex2.approx.ftz.bf16x2 %d, %a;",
            "b32",
            [0x7f80_0000 | low, 0],
            0x7f80_0000,
        ),
        ("cvt.rn.bf16.f32 %d, 0f7FC00005;", "b16", [0, 0], 0x7fff),
    ];
    check(cases);
}

/// Which NaN comes out, as measured on an H200. Of two NaNs that is known for `.rn` only, and taken for the other modes.
#[test]
fn nans_of_double_precision() {
    let (plus, minus, invalid) = (0x7ff8_0000_0000_0005, 0xfff8_0000_0000_0005, 0xfff8 << 48);
    let (signalling, one) = (0x7ff0_0000_0000_0001, 1f64.to_bits());
    let (inf, minus_inf) = (f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits());
    for mode in ["rn", "rz", "rm", "rp"] {
        let two = |name: &str| format!("{name}.{mode}.f64 %d, %a, %b;");
        let one_of = |name: &str| format!("{name}.{mode}.f64 %d, %a;");
        check(&[
            (&two("add"), "b64", [plus, minus], minus),
            (&two("add"), "b64", [minus, one], minus),
            (&two("add"), "b64", [inf, minus_inf], invalid),
            (&two("add"), "b64", [signalling, one], signalling | 1 << 51),
            (&two("sub"), "b64", [plus, minus], minus),
            (&two("sub"), "b64", [one, plus], plus),
            (&two("mul"), "b64", [minus, plus], plus),
            (&two("mul"), "b64", [inf, 0], invalid),
            (&two("div"), "b64", [minus, plus], minus),
            (&two("div"), "b64", [0, 0], invalid),
            (&one_of("rcp"), "b64", [plus, 0], plus),
            (&one_of("sqrt"), "b64", [minus, 0], minus),
            (&one_of("sqrt"), "b64", [minus_inf, 0], invalid),
            (
                &format!("fma.{mode}.f64 %d, %a, %b, 0d3FF0000000000000;"),
                "b64",
                [minus, plus],
                plus,
            ),
            (
                &format!("fma.{mode}.f64 %d, %a, 0d3FF0000000000000, %b;"),
                "b64",
                [minus, plus],
                plus,
            ),
            (
                &format!("fma.{mode}.f64 %d, 0d3FF0000000000000, %a, %b;"),
                "b64",
                [minus, plus],
                minus,
            ),
            (
                &format!("cvt.{mode}i.f64.f64 %d, %a;"),
                "b64",
                [minus, 0],
                minus,
            ),
        ]);
    }
    check(&[
        ("abs.f64 %d, %a;", "b64", [minus, 0], minus),
        ("abs.f64 %d, %a;", "b64", [one | 1 << 63, 0], one),
        ("neg.f64 %d, %a;", "b64", [plus, 0], plus),
        (
            "neg.f64 %d, %a;",
            "b64",
            [signalling, 0],
            signalling | 1 << 51,
        ),
        (
            "rcp.approx.ftz.f64 %d, %a;",
            "b64",
            [minus, 0],
            0x7fff_ffff << 32,
        ),
        (
            "rsqrt.approx.ftz.f64 %d, %a;",
            "b64",
            [one | 1 << 63, 0],
            0x7fff_ffff << 32,
        ),
    ]);
}

/// What `cvt` makes of a NaN, which the ISA leaves open; as measured on an H200.
#[test]
fn converted_nans() {
    let cases: &[(&str, &str, &str, u64, u64)] = &[
        (
            "f64",
            "f32",
            "cvt.f64.f32",
            0x7fc0_0005,
            0x7ff8_0000_a000_0000,
        ),
        (
            "f64",
            "f32",
            "cvt.f64.f32",
            0xffc0_0000,
            0xfff8_0000_0000_0000,
        ),
        (
            "f64",
            "f32",
            "cvt.ftz.f64.f32",
            0x7fc0_0005,
            0x7fff_ffff_e000_0000,
        ),
        ("f64", "f16", "cvt.f64.f16", 0x7e05, 0x7ff8_1400_0000_0000),
        ("f64", "b16", "cvt.f64.bf16", 0x7fc5, 0x7ff8_a000_0000_0000),
        ("f32", "b16", "cvt.f32.bf16", 0x7fc5, 0x7fc5_0000),
        ("f32", "f32", "cvt.f32.f32", 0x7fc0_0005, 0x7fc0_0005),
        ("f32", "f32", "cvt.ftz.f32.f32", 0x7fc0_0005, 0x7fff_ffff),
        (
            "f32",
            "f64",
            "cvt.rn.f32.f64",
            0x7ff8_0000_0000_0005,
            0x7fc0_0000,
        ),
        (
            "f32",
            "f64",
            "cvt.rz.ftz.f32.f64",
            0x7ff8_0000_0000_0005,
            0x7fc0_0000,
        ),
        (
            "f16",
            "f64",
            "cvt.rn.f16.f64",
            0x7ff8_0000_0000_0005,
            0x7e00,
        ),
        (
            "b16",
            "f64",
            "cvt.rp.bf16.f64",
            0x7ff8_0000_0000_0005,
            0x7fc0,
        ),
        ("f16", "f32", "cvt.rn.f16.f32", 0x7fc0_0005, 0x7fff),
    ];
    for (to, from, name, operand, expected) in cases {
        let got = run(&format!("{name} %d, %a;"), to, &[from], &[[*operand, 0, 0]])[0];
        assert_eq!(got, *expected, "{name} of {operand:x} gave {got:x}");
    }
}

/// Sums in memory: `%a` is stored, `%b` added to it. Global memory flushes subnormal numbers of single precision (the ISA says
/// so), and passes on NaNs of double precision as they are (as measured on an H200); shared memory does neither.
#[test]
fn sums_in_memory() {
    let (tiny, least) = (1, 0x0080_0000);
    let (plus, minus, signalling) = (
        0x7ff8_0000_0000_0005,
        0xfff8_0000_0000_0005,
        0x7ff0_0000_0000_0001,
    );
    let one = 1f64.to_bits();
    let add = |place: &str, ty: &str| {
        let (declare, address) = match place {
            "shared" => (".shared .align 8 .b8 place[8];", "place"),
            _ => ("", "%rd2"),
        };
        let bits = &ty[1..];
        format!(
            "{declare} st.{place}.b{bits} [{address}], %a; red.{place}.add.{ty} [{address}], %b; ld.{place}.b{bits} %d, [{address}];"
        )
    };
    check(&[
        (&add("global", "f32"), "b32", [tiny, 0], 0),
        (&add("global", "f32"), "b32", [0, 1 << 31 | tiny], 0),
        (
            &add("global", "f32"),
            "b32",
            [least + 1, 1 << 31 | least],
            0,
        ),
        (&add("shared", "f32"), "b32", [tiny, 0], tiny),
        (
            &add("shared", "f32"),
            "b32",
            [least + 1, 1 << 31 | least],
            tiny,
        ),
        (&add("global", "f64"), "b64", [1, 0], 1),
        (&add("global", "f64"), "b64", [one, signalling], signalling),
        (&add("global", "f64"), "b64", [minus, plus], plus),
        (
            &add("shared", "f64"),
            "b64",
            [one, signalling],
            signalling | 1 << 51,
        ),
        (&add("shared", "f64"), "b64", [minus, plus], minus),
    ]);
}

/// Instruction, type of the result and the operands, operands, result.
fn check(cases: &[(&str, &str, [u64; 2], u64)]) {
    for (instruction, ty, [a, b], expected) in cases {
        let got = run(instruction, ty, &[ty, ty], &[[*a, *b, 0]])[0];
        assert_eq!(got, *expected, "{instruction} of {a:x}, {b:x} gave {got:x}");
    }
}
