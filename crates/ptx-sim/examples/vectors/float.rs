//! Floating-point arithmetic: single, double and half precision, approximations.

use crate::{
    forms::{Form, ROUNDINGS, kind},
    operands::Kind,
};

/// A bound of so many units in the last place.
const fn ulps(count: u32) -> [f64; 3] {
    [count as f64, 0.0, 0.0]
}

fn power(exponent: f64) -> f64 {
    exponent.exp2()
}

pub fn single() -> Vec<Form> {
    let mut forms = Vec::new();
    let float = Kind::Single;
    for flush in ["", ".ftz"] {
        for rounding in ROUNDINGS {
            for saturate in ["", ".sat"] {
                for (name, arity) in [("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)] {
                    let name = format!("{name}.{rounding}{flush}{saturate}.f32");
                    forms.push(Form::plain(&name, "f32", &[float; 3][..arity]));
                }
            }
            for (name, arity) in [("div", 2), ("rcp", 1), ("sqrt", 1)] {
                forms.push(Form::plain(
                    &format!("{name}.{rounding}{flush}.f32"),
                    "f32",
                    &[float; 2][..arity],
                ));
            }
        }
        for name in ["min", "max", "min.NaN", "max.NaN"] {
            let (name, nan) = name.split_at(3);
            forms.push(Form::plain(
                &format!("{name}{flush}{nan}.f32"),
                "f32",
                &[float; 2],
            ));
        }
        forms.push(Form::plain(&format!("abs{flush}.f32"), "f32", &[float]));
        forms.push(Form::plain(&format!("neg{flush}.f32"), "f32", &[float]));
        // The bounds are those of the PTX ISA.
        for (name, sources, [ulps, relative, absolute]) in [
            ("div.approx", &[float, Kind::Divisor][..], ulps(2)),
            ("div.full", &[float; 2], ulps(2)),
            ("rcp.approx", &[float], ulps(1)),
            ("sqrt.approx", &[float], [1.0, power(-23.0), 0.0]),
            ("rsqrt.approx", &[float], [0.0, power(-22.9), 0.0]),
            ("sin.approx", &[Kind::Angle], [0.0, 0.0, power(-20.5)]),
            ("cos.approx", &[Kind::Angle], [0.0, 0.0, power(-20.5)]),
            // From 0.5 to 2 the error is absolute; the simulator's own result is up to half a unit off there.
            (
                "lg2.approx",
                &[float],
                [0.0, power(-22.0), power(-22.6) + power(-25.0)],
            ),
            ("ex2.approx", &[float], ulps(2)),
        ] {
            let form = Form::plain(&format!("{name}{flush}.f32"), "f32", sources);
            forms.push(form.within(ulps as u32, relative, absolute));
        }
    }
    forms.push(Form::plain("tanh.approx.f32", "f32", &[float]).within(0, power(-11.0), 0.0));
    for name in ["add", "sub", "mul"] {
        forms.push(Form::plain(&format!("{name}.f32"), "f32", &[float; 2]));
    }
    forms.push(Form::plain("mad.rn.f32", "f32", &[float; 3]));
    forms.push(Form::plain("copysign.f32", "f32", &[float; 2]));
    forms
}

pub fn double() -> Vec<Form> {
    let mut forms = Vec::new();
    let double = Kind::Double;
    for rounding in ROUNDINGS {
        for (name, arity) in [
            ("add", 2),
            ("sub", 2),
            ("mul", 2),
            ("fma", 3),
            ("div", 2),
            ("rcp", 1),
            ("sqrt", 1),
        ] {
            forms.push(Form::plain(
                &format!("{name}.{rounding}.f64"),
                "f64",
                &[double; 3][..arity],
            ));
        }
    }
    for (name, arity) in [
        ("add", 2),
        ("sub", 2),
        ("mul", 2),
        ("min", 2),
        ("max", 2),
        ("copysign", 2),
        ("abs", 1),
        ("neg", 1),
    ] {
        forms.push(Form::plain(
            &format!("{name}.f64"),
            "f64",
            &[double; 2][..arity],
        ));
    }
    // The ISA gives no bounds for these. The coarse ones have 20 bits of the fraction.
    forms.push(Form::plain("rcp.approx.ftz.f64", "f64", &[double]).within(0, power(-18.0), 0.0));
    forms.push(Form::plain("rsqrt.approx.ftz.f64", "f64", &[double]).within(0, power(-18.0), 0.0));
    forms.push(Form::plain("rsqrt.approx.f64", "f64", &[double]).within(2, 0.0, 0.0));
    forms
}

pub fn half() -> Vec<Form> {
    let mut forms = Vec::new();
    for (ty, brain) in [
        ("f16", false),
        ("f16x2", false),
        ("bf16", true),
        ("bf16x2", true),
    ] {
        let kind = kind(ty);
        let mut form = |name: &str, arity: usize| {
            forms.push(Form::plain(
                &format!("{name}.{ty}"),
                ty,
                &[kind; 3][..arity],
            ));
        };
        let modifiers: &[&str] = if brain {
            &[""]
        } else {
            &["", ".ftz", ".sat", ".ftz.sat"]
        };
        for modifier in modifiers {
            for (name, arity) in [("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)] {
                form(&format!("{name}.rn{modifier}"), arity);
            }
        }
        for flush in if brain { &[""][..] } else { &["", ".ftz"] } {
            for name in ["min", "max"] {
                form(&format!("{name}{flush}"), 2);
                form(&format!("{name}{flush}.NaN"), 2);
            }
            form(&format!("abs{flush}"), 1);
            form(&format!("neg{flush}"), 1);
        }
        let (exponential, tangent) = if brain {
            (
                ("ex2.approx.ftz", power(-7.0), 0.0),
                ("tanh.approx", power(-8.0), 0.0),
            )
        } else {
            (
                ("ex2.approx", power(-9.9), 0.0),
                ("tanh.approx", 0.0, power(-10.987)),
            )
        };
        for (name, relative, absolute) in [exponential, tangent] {
            let form = Form::plain(&format!("{name}.{ty}"), ty, &[kind]);
            forms.push(form.within(1, relative, absolute));
        }
    }
    forms
}
