//! Integer instructions against a model in 128 bits.

mod instruction;
#[path = "instruction/random.rs"]
mod random;

use instruction::run;
use random::Random;

const COUNT: usize = 2048;

/// Numbers with many edge cases among them.
fn integer_operands(bits: u32) -> Vec<[u64; 3]> {
    let mut random = Random(bits.into());
    let mask = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let mut one = || {
        let r = random.next();
        mask & match r % 8 {
            0 => r >> 8 & 3,
            1 => 0u64.wrapping_sub(r >> 8 & 3),
            2 => 1 << (bits - 1),
            3 => (1 << (bits - 1)) - 1,
            4 => r >> 8 & 63,
            _ => random.next(),
        }
    };
    (0..COUNT).map(|_| [one(), one(), one()]).collect()
}

fn signed(v: u64, bits: u32) -> i128 {
    i128::from((v << (64 - bits)) as i64 >> (64 - bits))
}

type IntegerModel = fn(i128, i128, i128, u32) -> i128;

#[test]
fn integers() {
    let models: &[(&str, usize, &[&str], IntegerModel)] = &[
        (
            "add",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| a + b,
        ),
        (
            "sub",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| a - b,
        ),
        ("add.sat", 2, &["s32"], |a, b, _, _| {
            (a + b).clamp(i32::MIN.into(), i32::MAX.into())
        }),
        ("sub.sat", 2, &["s32"], |a, b, _, _| {
            (a - b).clamp(i32::MIN.into(), i32::MAX.into())
        }),
        (
            "mul.lo",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| a.wrapping_mul(b),
        ),
        (
            "mul.hi",
            2,
            &["u16", "s16", "u32", "s32", "s64"],
            |a, b, _, n| (a * b) >> n,
        ),
        ("mul.hi", 2, &["u64"], |a, b, _, _| {
            ((a as u128 * b as u128) >> 64) as i128
        }),
        (
            "mad.lo",
            3,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, c, _| a.wrapping_mul(b).wrapping_add(c),
        ),
        (
            "mad.hi",
            3,
            &["u16", "s16", "u32", "s32", "s64"],
            |a, b, c, n| ((a * b) >> n) + c,
        ),
        ("mad.hi.sat", 3, &["s32"], |a, b, c, _| {
            (((a * b) >> 32) + c).clamp(i32::MIN.into(), i32::MAX.into())
        }),
        ("mul24.lo", 2, &["u32"], |a, b, _, _| {
            (a & 0xff_ffff) * (b & 0xff_ffff)
        }),
        ("mul24.hi", 2, &["u32"], |a, b, _, _| {
            ((a & 0xff_ffff) * (b & 0xff_ffff)) >> 16
        }),
        ("mad24.lo", 3, &["s32"], |a, b, c, _| {
            signed(a as u64 & 0xff_ffff, 24) * signed(b as u64 & 0xff_ffff, 24) + c
        }),
        (
            "sad",
            3,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, c, _| c + (a - b).abs(),
        ),
        (
            "div",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            // By zero: all ones, as measured on an H200; the ISA leaves it open. So for `rem`.
            |a, b, _, _| if b == 0 { -1 } else { a / b },
        ),
        (
            "rem",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| if b == 0 { -1 } else { a % b },
        ),
        (
            "min",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| a.min(b),
        ),
        (
            "max",
            2,
            &["u16", "s16", "u32", "s32", "u64", "s64"],
            |a, b, _, _| a.max(b),
        ),
        ("abs", 1, &["s16", "s32", "s64"], |a, _, _, _| a.abs()),
        ("neg", 1, &["s16", "s32", "s64"], |a, _, _, _| -a),
        ("and", 2, &["b16", "b32", "b64"], |a, b, _, _| a & b),
        ("or", 2, &["b16", "b32", "b64"], |a, b, _, _| a | b),
        ("xor", 2, &["b16", "b32", "b64"], |a, b, _, _| a ^ b),
        ("not", 1, &["b16", "b32", "b64"], |a, _, _, _| !a),
        ("cnot", 1, &["b16", "b32", "b64"], |a, _, _, _| {
            i128::from(a == 0)
        }),
        ("brev", 1, &["b32", "b64"], |a, _, _, n| {
            (0..n).fold(0, |r, i| r | (a >> i & 1) << (n - 1 - i))
        }),
    ];
    for (name, arity, types, model) in models {
        for ty in types.iter().copied() {
            let bits: u32 = ty[1..].parse().unwrap();
            let operands = integer_operands(bits);
            let names = &["%d, %a;", "%d, %a, %b;", "%d, %a, %b, %c;"][arity - 1];
            let out = run(
                &format!("{name}.{ty} {names}"),
                ty,
                &[ty, ty, ty][..*arity],
                &operands,
            );
            let mask = if bits == 64 {
                u64::MAX
            } else {
                (1 << bits) - 1
            };
            for (x, got) in operands.iter().zip(out) {
                let value = |v: u64| {
                    if ty.starts_with('s') {
                        signed(v, bits)
                    } else {
                        i128::from(v)
                    }
                };
                let expected = model(value(x[0]), value(x[1]), value(x[2]), bits) as u64 & mask;
                assert_eq!(got, expected, "{name}.{ty} of {x:x?}");
            }
        }
    }
}

#[test]
fn shifts_and_bit_fields() {
    // Instruction, type of the result, types of the operands, model of the raw bits.
    type Case = (
        &'static str,
        &'static str,
        &'static [&'static str],
        fn(u64, u64, u64) -> u64,
    );
    fn bit(x: u64, n: u64) -> u64 {
        if n < 64 { x >> n & 1 } else { 0 }
    }
    // Positions and lengths above 255 are outside the ISA. As measured on an H200, their low 8 bits count for 32-bit fields,
    // and all their bits for 64-bit fields.
    fn bfe(a: u64, pos: u64, len: u64, width: u64, signed: bool) -> u64 {
        let (pos, len) = match width {
            32 => (pos & 255, len & 255),
            _ => (pos, len),
        };
        let sign = if !signed || len == 0 {
            0
        } else {
            bit(a, (pos + len - 1).min(width - 1))
        };
        (0..width).fold(0, |r, i| {
            r | (if i < len && pos + i < width {
                bit(a, pos + i)
            } else {
                sign
            }) << i
        })
    }
    let cases: &[Case] = &[
        ("shl.b32 %d, %a, %b;", "b32", &["b32", "u32"], |a, n, _| {
            if n > 31 { 0 } else { a << n & 0xffff_ffff }
        }),
        ("shl.b64 %d, %a, %b;", "b64", &["b64", "u32"], |a, n, _| {
            if n & 0xffff_ffff > 63 {
                0
            } else {
                a << (n & 63)
            }
        }),
        ("shl.b16 %d, %a, %b;", "b16", &["b16", "u32"], |a, n, _| {
            if n & 0xffff_ffff > 15 {
                0
            } else {
                (a & 0xffff) << (n & 15) & 0xffff
            }
        }),
        ("shr.u32 %d, %a, %b;", "u32", &["u32", "u32"], |a, n, _| {
            if n > 31 { 0 } else { a >> n }
        }),
        ("shr.s32 %d, %a, %b;", "s32", &["s32", "u32"], |a, n, _| {
            (signed(a, 32) >> n.min(31)) as u32 as u64
        }),
        ("shr.s64 %d, %a, %b;", "s64", &["s64", "u32"], |a, n, _| {
            (a as i64 >> (n & 0xffff_ffff).min(63)) as u64
        }),
        (
            "shf.l.wrap.b32 %d, %a, %b, %c;",
            "b32",
            &["b32", "b32", "u32"],
            |a, b, c| ((u128::from(b << 32 | a) << (c & 31)) >> 32) as u32 as u64,
        ),
        (
            "shf.r.wrap.b32 %d, %a, %b, %c;",
            "b32",
            &["b32", "b32", "u32"],
            |a, b, c| (b << 32 | a) >> (c & 31) & 0xffff_ffff,
        ),
        (
            "shf.l.clamp.b32 %d, %a, %b, %c;",
            "b32",
            &["b32", "b32", "u32"],
            |a, b, c| ((u128::from(b << 32 | a) << c.min(32)) >> 32) as u32 as u64,
        ),
        (
            "shf.r.clamp.b32 %d, %a, %b, %c;",
            "b32",
            &["b32", "b32", "u32"],
            |a, b, c| (b << 32 | a) >> c.min(32) & 0xffff_ffff,
        ),
        (
            "bfe.u32 %d, %a, %b, %c;",
            "u32",
            &["u32", "u32", "u32"],
            |a, b, c| bfe(a, b, c, 32, false),
        ),
        (
            "bfe.s32 %d, %a, %b, %c;",
            "s32",
            &["s32", "u32", "u32"],
            |a, b, c| bfe(a, b, c, 32, true),
        ),
        (
            "bfe.u64 %d, %a, %b, %c;",
            "u64",
            &["u64", "u32", "u32"],
            |a, b, c| bfe(a, b, c, 64, false),
        ),
        (
            "bfe.s64 %d, %a, %b, %c;",
            "s64",
            &["s64", "u32", "u32"],
            |a, b, c| bfe(a, b, c, 64, true),
        ),
        (
            "bfi.b32 %d, %a, %b, %c, 5;",
            "b32",
            &["b32", "b32", "u32"],
            |a, b, c| {
                let c = c & 255;
                (0..32).fold(0, |r, i| {
                    r | (if i >= c && i < c + 5 {
                        bit(a, i - c)
                    } else {
                        bit(b, i)
                    }) << i
                })
            },
        ),
        (
            "bfi.b64 %d, %a, %b, %c, 40;",
            "b64",
            &["b64", "b64", "u32"],
            |a, b, c| {
                (0..64).fold(0, |r, i| {
                    r | (if i >= c && i < c + 40 {
                        bit(a, i - c)
                    } else {
                        bit(b, i)
                    }) << i
                })
            },
        ),
        (
            "bfi.b64 %d, %a, 0, 3, %b;",
            "b64",
            &["b64", "u32"],
            |a, len, _| {
                (3..64).fold(0, |r, i| {
                    r | (if i < len + 3 { bit(a, i - 3) } else { 0 }) << i
                })
            },
        ),
        ("clz.b32 %d, %a;", "u32", &["b32"], |a, _, _| {
            (0..32).rev().take_while(|i| bit(a, *i) == 0).count() as u64
        }),
        ("clz.b64 %d, %a;", "u32", &["b64"], |a, _, _| {
            (0..64).rev().take_while(|i| bit(a, *i) == 0).count() as u64
        }),
        ("popc.b64 %d, %a;", "u32", &["b64"], |a, _, _| {
            (0..64).map(|i| bit(a, i)).sum()
        }),
        ("bfind.u32 %d, %a;", "u32", &["u32"], |a, _, _| {
            (0..32)
                .rev()
                .find(|i| bit(a, *i) == 1)
                .unwrap_or(0xffff_ffff)
        }),
        ("bfind.s32 %d, %a;", "u32", &["s32"], |a, _, _| {
            (0..32)
                .rev()
                .find(|i| bit(a, *i) != bit(a, 31))
                .unwrap_or(0xffff_ffff)
        }),
        ("bfind.shiftamt.s64 %d, %a;", "u32", &["s64"], |a, _, _| {
            (0..64)
                .rev()
                .find(|i| bit(a, *i) != bit(a, 63))
                .map_or(0xffff_ffff, |i| 63 - i)
        }),
        (
            "lop3.b32 %d, %a, %b, %c, 0x1B;",
            "b32",
            &["b32", "b32", "b32"],
            |a, b, c| {
                (0..32).fold(0, |r, i| {
                    r | (0x1B >> (bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i)) & 1) << i
                })
            },
        ),
        (
            "prmt.b32 %d, %a, %b, %c;",
            "b32",
            &["b32", "b32", "b32"],
            |a, b, c| {
                let bytes: Vec<u64> = (0..8).map(|i| (b << 32 | a) >> (8 * i) & 255).collect();
                (0..4).fold(0, |r, i| {
                    let (byte, sign) = (
                        bytes[(c >> (4 * i) & 7) as usize],
                        c >> (4 * i + 3) & 1 == 1,
                    );
                    r | (if sign { (byte >> 7) * 255 } else { byte }) << (8 * i)
                })
            },
        ),
        (
            "dp4a.s32.u32 %d, %a, %b, %c;",
            "s32",
            &["s32", "u32", "s32"],
            |a, b, c| {
                let sum: i128 = (0..4)
                    .map(|i| signed(a >> (8 * i) & 255, 8) * i128::from(b >> (8 * i) & 255))
                    .sum();
                (sum + i128::from(c)) as u32 as u64
            },
        ),
        (
            "mul.wide.s32 %d, %a, %b;",
            "s64",
            &["s32", "s32"],
            |a, b, _| (signed(a, 32) * signed(b, 32)) as u64,
        ),
        (
            "mad.wide.u16 %d, %a, %b, %c;",
            "u32",
            &["u16", "u16", "u32"],
            |a, b, c| ((a & 0xffff) * (b & 0xffff) + c) & 0xffff_ffff,
        ),
        (
            "add.cc.u32 %d, %a, %b; addc.u32 %d, %c, 0;",
            "u32",
            &["u32", "u32", "u32"],
            |a, b, c| (c + ((a + b) >> 32)) & 0xffff_ffff,
        ),
        (
            "sub.cc.u64 %d, %a, %b; subc.u64 %d, %c, 0;",
            "u64",
            &["u64", "u64", "u64"],
            |a, b, c| c.wrapping_sub(u64::from(a < b)),
        ),
        (
            "mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 7;",
            "u32",
            &["u32", "u32", "u32"],
            |a, b, c| (((a * b) >> 32) + ((((a * b) & 0xffff_ffff) + c) >> 32) + 7) & 0xffff_ffff,
        ),
        (
            "slct.u32.s32 %d, %a, %b, %c;",
            "u32",
            &["u32", "u32", "s32"],
            |a, b, c| if signed(c, 32) >= 0 { a } else { b },
        ),
        (
            "setp.lt.s32 %p|%q, %a, %b; selp.u32 %d, 1, 2, %q;",
            "u32",
            &["s32", "s32"],
            |a, b, _| if signed(a, 32) < signed(b, 32) { 2 } else { 1 },
        ),
        (
            "setp.hi.u32 %p, %a, %b; setp.eq.and.s32 %p, %c, 0, !%p; selp.u32 %d, 1, 0, %p;",
            "u32",
            &["u32", "u32", "s32"],
            |a, b, c| u64::from(c == 0 && a <= b),
        ),
        (
            "set.ge.u32.s32 %d, %a, %b;",
            "u32",
            &["s32", "s32"],
            |a, b, _| {
                if signed(a, 32) >= signed(b, 32) {
                    0xffff_ffff
                } else {
                    0
                }
            },
        ),
        ("cvt.s32.s8 %d, %a;", "s32", &["b32"], |a, _, _| {
            a as i8 as u32 as u64
        }),
        ("cvt.u64.s16 %d, %a;", "u64", &["b16"], |a, _, _| {
            a as i16 as u64
        }),
        ("cvt.sat.u8.s32 %d, %a;", "u32", &["s32"], |a, _, _| {
            signed(a, 32).clamp(0, 255) as u64
        }),
        ("cvt.sat.s32.u64 %d, %a;", "s32", &["u64"], |a, _, _| {
            a.min(0x7fff_ffff)
        }),
        ("cvt.u32.u64 %d, %a;", "u32", &["u64"], |a, _, _| {
            a & 0xffff_ffff
        }),
    ];
    for (instruction, dest, sources, model) in cases {
        let mut operands = integer_operands(64);
        for row in &mut operands {
            for (value, ty) in row.iter_mut().zip(*sources) {
                let bits: u32 = ty[1..].parse().unwrap();
                *value = if bits == 64 {
                    *value
                } else {
                    (*value ^ *value >> 32) & ((1 << bits) - 1)
                };
            }
        }
        let out = run(instruction, dest, sources, &operands);
        for (x, got) in operands.iter().zip(out) {
            assert_eq!(got, model(x[0], x[1], x[2]), "{instruction} of {x:x?}");
        }
    }
}
