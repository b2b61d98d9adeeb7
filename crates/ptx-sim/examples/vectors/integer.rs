//! Integer arithmetic and bit operations.

use crate::{
    forms::{Form, INTEGERS, UNTYPED, bits, kind},
    operands::Kind,
};

pub fn integer() -> Vec<Form> {
    let mut forms = Vec::new();
    for ty in INTEGERS {
        for (name, arity) in [
            ("add", 2),
            ("sub", 2),
            ("mul.lo", 2),
            ("mul.hi", 2),
            ("mad.lo", 3),
            ("mad.hi", 3),
            ("sad", 3),
            ("div", 2),
            ("rem", 2),
            ("min", 2),
            ("max", 2),
            ("abs", 1),
            ("neg", 1),
        ] {
            if arity > 1 || ty.starts_with('s') {
                forms.push(Form::plain(
                    &format!("{name}.{ty}"),
                    ty,
                    &[kind(ty); 3][..arity],
                ));
            }
        }
    }
    for (name, arity) in [("add.sat", 2), ("sub.sat", 2), ("mad.hi.sat", 3)] {
        forms.push(Form::plain(
            &format!("{name}.s32"),
            "s32",
            &[kind("s32"); 3][..arity],
        ));
    }
    for ty in ["u32", "s32"] {
        for part in ["lo", "hi"] {
            forms.push(Form::plain(
                &format!("mul24.{part}.{ty}"),
                ty,
                &[kind(ty); 2],
            ));
            forms.push(Form::plain(
                &format!("mad24.{part}.{ty}"),
                ty,
                &[kind(ty); 3],
            ));
        }
        for second in ["u32", "s32"] {
            let dest = if ty == "u32" { second } else { ty };
            forms.push(Form::plain(
                &format!("dp4a.{ty}.{second}"),
                dest,
                &[kind(ty); 3],
            ));
        }
    }
    for (ty, wide) in [
        ("u16", "u32"),
        ("s16", "s32"),
        ("u32", "u64"),
        ("s32", "s64"),
    ] {
        forms.push(Form::plain(&format!("mul.wide.{ty}"), wide, &[kind(ty); 2]));
        let sources = [kind(ty), kind(ty), kind(wide)];
        forms.push(Form::plain(&format!("mad.wide.{ty}"), wide, &sources));
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        let other = if bits(ty) == 32 { "%r" } else { "%x" };
        for text in [
            format!("add.cc.{ty} {other}, %a, %b; addc.{ty} %d, %c, 0;"),
            format!(
                "add.cc.{ty} {other}, %a, %b; addc.cc.{ty} {other}, %c, %a; addc.{ty} %d, %b, %c;"
            ),
            format!("sub.cc.{ty} {other}, %a, %b; subc.{ty} %d, %c, 0;"),
            format!(
                "sub.cc.{ty} {other}, %a, %b; subc.cc.{ty} {other}, %c, %a; subc.{ty} %d, %b, %c;"
            ),
            format!("mad.lo.cc.{ty} {other}, %a, %b, %c; madc.hi.{ty} %d, %a, %b, 7;"),
            format!(
                "mad.hi.cc.{ty} {other}, %a, %b, %c; madc.lo.cc.{ty} {other}, %a, %c, %b; addc.{ty} %d, {other}, 0;"
            ),
        ] {
            forms.push(Form::new(text, ty, &[kind(ty); 3]));
        }
    }
    forms
}

pub fn bit() -> Vec<Form> {
    let mut forms = Vec::new();
    for ty in UNTYPED {
        for (name, arity) in [
            ("and", 2),
            ("or", 2),
            ("xor", 2),
            ("not", 1),
            ("cnot", 1),
            ("mov", 1),
        ] {
            forms.push(Form::plain(
                &format!("{name}.{ty}"),
                ty,
                &[kind(ty); 2][..arity],
            ));
        }
        forms.push(Form::plain(
            &format!("shl.{ty}"),
            ty,
            &[kind(ty), Kind::Amount],
        ));
        forms.push(Form::plain(
            &format!("shr.{ty}"),
            ty,
            &[kind(ty), Kind::Amount],
        ));
    }
    for ty in INTEGERS {
        forms.push(Form::plain(
            &format!("shr.{ty}"),
            ty,
            &[kind(ty), Kind::Amount],
        ));
        if bits(ty) < 32 {
            continue;
        }
        for name in ["bfind", "bfind.shiftamt"] {
            forms.push(Form::plain(&format!("{name}.{ty}"), "u32", &[kind(ty)]));
        }
        let sources = [kind(ty), Kind::Amount, Kind::Amount];
        forms.push(Form::plain(&format!("bfe.{ty}"), ty, &sources));
    }
    for ty in ["b32", "b64"] {
        forms.push(Form::plain(&format!("clz.{ty}"), "u32", &[kind(ty)]));
        forms.push(Form::plain(&format!("popc.{ty}"), "u32", &[kind(ty)]));
        forms.push(Form::plain(&format!("brev.{ty}"), ty, &[kind(ty)]));
        let sources = [kind(ty), kind(ty), Kind::Amount];
        for length in [0, 1, 5, 40, 200] {
            forms.push(Form::new(
                format!("bfi.{ty} %d, %a, %b, %c, {length};"),
                ty,
                &sources,
            ));
        }
        let text = format!("and.b32 %r, %c, 31; bfi.{ty} %d, %a, %b, %r, %c;");
        forms.push(Form::new(text, ty, &sources));
    }
    let word = kind("b32");
    for table in [0x00, 0x1b, 0x80, 0x96, 0xca, 0xe8, 0xfe, 0xff] {
        forms.push(Form::new(
            format!("lop3.b32 %d, %a, %b, %c, {table};"),
            "b32",
            &[word; 3],
        ));
    }
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"] {
        forms.push(Form::plain(&format!("prmt.b32{mode}"), "b32", &[word; 3]));
    }
    for side in ["l", "r"] {
        for end in ["wrap", "clamp"] {
            let sources = [word, word, Kind::Amount];
            forms.push(Form::plain(
                &format!("shf.{side}.{end}.b32"),
                "b32",
                &sources,
            ));
        }
    }
    for (text, ty) in [
        ("mov.b64 {%r, %s}, %a; mov.b64 %d, {%s, %r};", "b64"),
        ("mov.b32 {%g, %h}, %a; mov.b32 %d, {%h, %g};", "b32"),
    ] {
        forms.push(Form::new(text, ty, &[kind(ty)]));
    }
    forms
}
