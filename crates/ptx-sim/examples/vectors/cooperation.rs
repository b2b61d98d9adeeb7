//! Forms in which threads work together: shuffles, votes, matches, reductions of a warp, barriers, atomics.
//!
//! `elect.sync` and `activemask` are left out: which lane is elected, and which lanes run together, is the GPU's choice.

use crate::{
    forms::{Form, bits, kind},
    operands::Kind,
};

pub fn warp() -> Vec<Form> {
    let word = Kind::Integer(32);
    let mut forms = Vec::new();
    for mode in ["up", "down", "bfly", "idx"] {
        let text = format!(
            "shfl.sync.{mode}.b32 %r|%p, %a, %b, %c, -1; selp.u32 %s, 1, 0, %p; mov.b64 %d, {{%r, %s}};"
        );
        forms.push(Form::new(text, "b64", &[word, Kind::Lane, Kind::Segment]));
    }
    let few = Kind::Few(32);
    let vote = |text: &str| Form::new(format!("setp.ne.s32 %q, %a, 0; {text}"), "b32", &[few]);
    let part = "mov.u32 %r, %laneid; setp.lt.u32 %p, %r, 13; mov.u32 %d, 7;";
    forms.push(vote("vote.sync.ballot.b32 %d, %q, -1;"));
    forms.push(vote(&format!(
        "{part} @%p vote.sync.ballot.b32 %d, %q, 0x1fff;"
    )));
    for kind in ["all", "any", "uni"] {
        forms.push(vote(&format!(
            "vote.sync.{kind}.pred %p, %q, -1; selp.u32 %d, 1, 0, %p;"
        )));
        forms.push(vote(&format!(
            "vote.sync.{kind}.pred %p, !%q, -1; selp.u32 %d, 1, 0, %p;"
        )));
    }
    for kind in ["and", "or"] {
        forms.push(vote(&format!(
            "bar.red.{kind}.pred %p, 0, %q; selp.u32 %d, 1, 0, %p;"
        )));
    }
    forms.push(vote("bar.red.popc.u32 %d, 0, %q;"));
    forms.push(vote("bar.red.popc.u32 %d, 1, 128, !%q;"));
    for width in [32, 64] {
        let few = &[Kind::Few(width)];
        forms.push(Form::new(
            format!("match.any.sync.b{width} %d, %a, -1;"),
            "b32",
            few,
        ));
        forms.push(Form::new(
            format!("{part} @%p match.any.sync.b{width} %d, %a, 0x1fff;"),
            "b32",
            few,
        ));
        let text = format!(
            "match.all.sync.b{width} %r|%p, %a, -1; selp.u32 %s, 1, 0, %p; mov.b64 %d, {{%r, %s}};"
        );
        forms.push(Form::new(text, "b64", few));
    }
    for (operations, types) in [
        (&["add", "min", "max"], &["u32", "s32"][..]),
        (&["and", "or", "xor"], &["b32"]),
    ] {
        for operation in operations {
            for ty in types {
                let instruction = format!("redux.sync.{operation}.{ty} %d, %a");
                forms.push(Form::new(format!("{instruction}, -1;"), "b32", &[word]));
                forms.push(Form::new(
                    format!("{part} @%p {instruction}, 0x1fff;"),
                    "b32",
                    &[word],
                ));
            }
        }
    }
    for register in [
        "laneid",
        "lanemask_eq",
        "lanemask_lt",
        "lanemask_le",
        "lanemask_gt",
        "lanemask_ge",
    ] {
        forms.push(Form::new(format!("mov.u32 %d, %{register};"), "b32", &[]));
    }
    forms
}

/// Each thread on a place of its own: the result is the place's new value, inverted when the atomic did not return the old
/// one. Then all threads of a block on one place in shared memory.
pub fn atomic() -> Vec<Form> {
    let mut forms = Vec::new();
    for (operation, types) in [
        (
            "add",
            &[
                "u32",
                "s32",
                "u64",
                "f32",
                "f64",
                "noftz.f16",
                "noftz.f16x2",
                "noftz.bf16",
                "noftz.bf16x2",
            ][..],
        ),
        ("min", &["u32", "s32", "u64", "s64"]),
        ("max", &["u32", "s32", "u64", "s64"]),
        ("and", &["b32", "b64"]),
        ("or", &["b32", "b64"]),
        ("xor", &["b32", "b64"]),
        ("exch", &["b32", "b64"]),
        ("inc", &["u32"]),
        ("dec", &["u32"]),
        ("cas", &["b16", "b32", "b64"]),
    ] {
        for ty in types {
            let name = format!("{operation}.{ty}");
            let plain = ty.trim_start_matches("noftz.");
            forms.push(own_place(&name, plain, operation == "cas"));
            if operation != "exch" && operation != "cas" {
                forms.push(own_place_red(&name, plain));
            }
        }
    }
    for name in ["add.f32", "add.f64"] {
        let (_, ty) = name.split_at(4);
        forms.push(own_shared_place(name, ty));
    }
    for (name, start) in [
        ("add.u32", 5u64),
        ("min.s32", 0x7fff_ffff),
        ("max.s32", 0x8000_0000),
        ("min.u32", 0xffff_ffff),
        ("max.u32", 0),
        ("and.b32", 0xffff_ffff),
        ("or.b32", 0),
        ("xor.b32", 0),
        ("add.u64", 7),
    ] {
        forms.push(one_place(name, start));
    }
    forms
}

fn own_place(name: &str, ty: &str, swap: bool) -> Form {
    let width = bits(ty);
    let operands: &[Kind] = if swap { &[kind(ty); 3] } else { &[kind(ty); 2] };
    // Half of the swaps find what they look for.
    let (select, swapped) = if swap {
        let old = if width == 16 {
            "%g"
        } else if width == 32 {
            "%r"
        } else {
            "%y"
        };
        (
            format!("and.b32 %s, %t, 1; setp.eq.u32 %p, %s, 0; selp.b{width} {old}, %a, %b, %p;"),
            format!("{old}, %c"),
        )
    } else {
        (String::new(), "%b".into())
    };
    let text = format!(
        "{select} st.global.b{width} [%o], %a; atom.global.{name} %d, [%o], {swapped}; setp.eq.b{width} %q, %d, %a; \
         ld.global.b{width} %d, [%o]; @!%q not.b{width} %d, %d;"
    );
    Form::new(text.trim_start(), dest(ty), operands)
}

fn own_place_red(name: &str, ty: &str) -> Form {
    let width = bits(ty);
    let text = format!(
        "st.global.b{width} [%o], %a; red.global.{name} [%o], %b; ld.global.b{width} %d, [%o];"
    );
    Form::new(text, dest(ty), &[kind(ty); 2])
}

fn own_shared_place(name: &str, ty: &str) -> Form {
    let (width, bytes) = (bits(ty), bits(ty) / 8);
    let text = format!(
        ".shared .align 8 .b8 place[1024]; mov.u64 %y, place; mad.wide.u32 %y, %t, {bytes}, %y; \
         st.shared.b{width} [%y], %a; red.shared.{name} [%y], %b; ld.shared.b{width} %d, [%y];"
    );
    Form::new(text, dest(ty), &[kind(ty); 2])
}

fn one_place(name: &str, start: u64) -> Form {
    let (_, ty) = name.split_at(name.len() - 3);
    let width = bits(ty);
    let scratch = if width == 32 { "%r" } else { "%y" };
    let text = format!(
        ".shared .align 8 .b64 place; setp.eq.u32 %p, %t, 0; mov.b{width} {scratch}, {start}; \
         @%p st.shared.b{width} [place], {scratch}; bar.sync 0; red.shared.{name} [place], %a; bar.sync 0; \
         ld.shared.b{width} %d, [place];"
    );
    Form::new(text, dest(ty), &[kind(ty)])
}

fn dest(ty: &str) -> &'static str {
    match ty {
        "f16" => "f16",
        "bf16" => "bf16",
        "f16x2" => "f16x2",
        "bf16x2" => "bf16x2",
        "f32" => "f32",
        "f64" => "f64",
        "b16" => "b16",
        "b64" | "u64" | "s64" => "b64",
        _ => "b32",
    }
}
