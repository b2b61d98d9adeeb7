//! Name and suffixes of a computing instruction → the function that executes it, and what its operands are.

use super::{
    AluFn, bits,
    compare::{self, FTZ, TO_FLOAT, TO_INTEGER, WITH_AND, WITH_OR, WITH_XOR},
    convert::{self, Conversion},
    extremes,
    float::{self, Mods},
    integer,
};
use crate::{ast::Ty, soft::Round};

/// Kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A register or constant of this type.
    Value(Ty),
    Pred,
    /// An integer constant that goes to `Alu::imm`.
    Immediate,
}

/// A decoded instruction without its operands.
pub struct Decoded {
    pub run: AluFn,
    pub imm: u32,
    pub dest: Kind,
    pub sources: Vec<Kind>,
    /// The product of `mad`/`madc` with carries is made first by this; `run` then adds.
    pub product: Option<AluFn>,
}

/// Suffixes of an instruction: types in order, and the other words until somebody takes them.
pub struct Suffixes<'a> {
    pub types: Vec<Ty>,
    words: Vec<&'a str>,
}

impl<'a> Suffixes<'a> {
    pub fn new(suffixes: &'a [String]) -> Suffixes<'a> {
        let types = suffixes.iter().filter_map(|s| Ty::named(s)).collect();
        let words = suffixes
            .iter()
            .map(String::as_str)
            .filter(|s| Ty::named(s).is_none())
            .collect();
        Suffixes { types, words }
    }

    /// Whether the word was there; it is taken out.
    pub fn take(&mut self, word: &str) -> bool {
        let at = self.words.iter().position(|w| *w == word);
        at.map(|at| self.words.remove(at)).is_some()
    }

    /// The first of these words that is there; it is taken out.
    pub fn take_one(&mut self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|w| self.take(w))
    }

    /// A word that nobody took: the instruction is not known in this form.
    pub fn left(&self) -> Option<&'a str> {
        self.words.first().copied()
    }

    pub fn ty(&self) -> Option<Ty> {
        self.types.first().copied()
    }

    fn round(&mut self) -> Option<Round> {
        Some(match self.take_one(&["rn", "rz", "rm", "rp"])? {
            "rn" => Round::Near,
            "rz" => Round::Zero,
            "rm" => Round::Down,
            _ => Round::Up,
        })
    }

    fn mods(&mut self) -> Mods {
        Mods {
            round: self.round().unwrap_or(Round::Near),
            ftz: self.take("ftz"),
            sat: self.take("sat"),
            nan: self.take("NaN"),
        }
    }
}

fn plain(run: AluFn, ty: Ty, sources: usize) -> Option<Decoded> {
    with(run, 0, ty, sources)
}

fn with(run: AluFn, imm: u32, ty: Ty, sources: usize) -> Option<Decoded> {
    Some(Decoded {
        run,
        imm,
        dest: Kind::Value(ty),
        sources: vec![Kind::Value(ty); sources],
        product: None,
    })
}

fn to_u32(run: AluFn, ty: Ty) -> Option<Decoded> {
    Some(Decoded {
        run,
        imm: 0,
        dest: Kind::Value(Ty::U32),
        sources: vec![Kind::Value(ty)],
        product: None,
    })
}

/// The instruction; `None` when it is not one of these, or not in this form. `width` is that of the destination register.
pub fn decode(name: &str, s: &mut Suffixes, width: u32) -> Option<Decoded> {
    if name == "dp4a" {
        let signed = |ty: Ty| u32::from(ty.signed());
        let (a, b) = (*s.types.first()?, *s.types.get(1)?);
        return with(integer::dp4a(), signed(a) | signed(b) << 1, Ty::U32, 3);
    }
    match name {
        "cvt" => return conversion(s, width),
        "set" | "setp" => return comparison(name, s),
        "prmt" => {
            let modes = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
            let mode = s
                .take_one(&modes)
                .and_then(|m| modes.iter().position(|n| *n == m))
                .map_or(0, |i| i as u32 + 1);
            return with(bits::prmt(), mode, Ty::B32, 3);
        }
        "fns" => {
            let sources = [Ty::B32, Ty::B32, Ty::S32].map(Kind::Value).to_vec();
            return Some(Decoded {
                run: bits::fns(),
                imm: 0,
                dest: Kind::Value(Ty::B32),
                sources,
                product: None,
            });
        }
        "shf" => {
            let left = s.take_one(&["l", "r"])? == "l";
            let wrap = s.take_one(&["wrap", "clamp"])? == "wrap";
            return plain(bits::shf(left, wrap), Ty::B32, 3);
        }
        _ => {}
    }
    let ty = s.ty()?;
    match name {
        "and" | "or" | "xor" | "not" | "mov" if ty == Ty::Pred => {
            let sources = vec![Kind::Pred; if matches!(name, "not" | "mov") { 1 } else { 2 }];
            Some(Decoded {
                run: compare::logic(name)?,
                imm: 0,
                dest: Kind::Pred,
                sources,
                product: None,
            })
        }
        "and" => plain(bits::and(ty)?, ty, 2),
        "or" => plain(bits::or(ty)?, ty, 2),
        "xor" => plain(bits::xor(ty)?, ty, 2),
        "not" => plain(bits::not(ty)?, ty, 1),
        "cnot" => plain(bits::cnot(ty)?, ty, 1),
        "mov" => plain(integer::mov(ty)?, ty, 1),
        "lop3" => Some(Decoded {
            run: bits::lop3(),
            imm: 0,
            dest: Kind::Value(ty),
            sources: vec![
                Kind::Value(ty),
                Kind::Value(ty),
                Kind::Value(ty),
                Kind::Immediate,
            ],
            product: None,
        }),
        "shl" | "shr" => Some(Decoded {
            run: if name == "shl" {
                bits::shl(ty)?
            } else {
                bits::shr(ty)?
            },
            imm: 0,
            dest: Kind::Value(ty),
            sources: vec![Kind::Value(ty), Kind::Value(Ty::U32)],
            product: None,
        }),
        "bfe" => Some(Decoded {
            run: bits::bfe(ty)?,
            imm: 0,
            dest: Kind::Value(ty),
            sources: vec![Kind::Value(ty), Kind::Value(Ty::U32), Kind::Value(Ty::U32)],
            product: None,
        }),
        "bfi" => Some(Decoded {
            run: bits::bfi(ty)?,
            imm: 0,
            dest: Kind::Value(ty),
            sources: vec![
                Kind::Value(ty),
                Kind::Value(ty),
                Kind::Value(Ty::U32),
                Kind::Value(Ty::U32),
            ],
            product: None,
        }),
        "clz" => to_u32(bits::clz(ty)?, ty),
        "popc" => to_u32(bits::popc(ty)?, ty),
        "bfind" => {
            let amount = s.take("shiftamt");
            to_u32(bits::bfind(ty, amount)?, ty)
        }
        "brev" => plain(bits::brev(ty)?, ty, 1),
        "sad" => plain(integer::sad(ty)?, ty, 3),
        "selp" => Some(Decoded {
            run: compare::select,
            imm: 0,
            dest: Kind::Value(ty),
            sources: vec![Kind::Value(ty), Kind::Value(ty), Kind::Pred],
            product: None,
        }),
        "slct" => {
            let control = *s.types.get(1)?;
            let ftz = s.take("ftz");
            Some(Decoded {
                run: compare::slct(control)?,
                imm: if ftz { FTZ } else { 0 },
                dest: Kind::Value(ty),
                sources: vec![Kind::Value(ty), Kind::Value(ty), Kind::Value(control)],
                product: None,
            })
        }
        "testp" => {
            let property = s.take_one(&[
                "finite",
                "infinite",
                "number",
                "notanumber",
                "normal",
                "subnormal",
            ])?;
            Some(Decoded {
                run: compare::test(property, ty)?,
                imm: 0,
                dest: Kind::Pred,
                sources: vec![Kind::Value(ty)],
                product: None,
            })
        }
        "copysign" => plain(float::copysign(ty)?, ty, 2),
        "mul24" | "mad24" => {
            let high = s.take_one(&["lo", "hi"])? == "hi";
            if name == "mul24" {
                plain(integer::mul24(ty, high)?, ty, 2)
            } else {
                plain(integer::mad24(ty, high)?, ty, 3)
            }
        }
        "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => approximation(name, ty, s),
        _ if ty.float() => floating(name, ty, s),
        _ => integral(name, ty, s),
    }
}

fn integral(name: &str, ty: Ty, s: &mut Suffixes) -> Option<Decoded> {
    let (sat, carry) = (s.take("sat") && ty == Ty::S32, s.take("cc"));
    match name {
        "add" if sat => plain(integer::add_sat(), ty, 2),
        "sub" if sat => plain(integer::sub_sat(), ty, 2),
        "add" if carry => with(integer::addc(ty)?, 2, ty, 2),
        "sub" if carry => with(integer::subc(ty)?, 2, ty, 2),
        "addc" => with(integer::addc(ty)?, 1 | u32::from(carry) << 1, ty, 2),
        "subc" => with(integer::subc(ty)?, 1 | u32::from(carry) << 1, ty, 2),
        "add" => plain(integer::add(ty)?, ty, 2),
        "sub" => plain(integer::sub(ty)?, ty, 2),
        "mul" | "mad" | "madc" => {
            let part = s.take_one(&["lo", "hi", "wide"])?;
            match (name, part) {
                ("mul", "lo") => plain(integer::mul_lo(ty)?, ty, 2),
                ("mul", "hi") => plain(integer::mul_hi(ty)?, ty, 2),
                (_, "lo" | "hi") if carry || name == "madc" => {
                    let imm = u32::from(name == "madc") | u32::from(carry) << 1;
                    let product = if part == "lo" {
                        integer::mul_lo(ty)?
                    } else {
                        integer::mul_hi(ty)?
                    };
                    let mut out = with(integer::addc(ty)?, imm, ty, 3)?;
                    out.product = Some(product);
                    Some(out)
                }
                ("mad", "hi") if sat => plain(integer::mad_hi_sat(), ty, 3),
                ("mad", "lo") => plain(integer::mad_lo(ty)?, ty, 3),
                ("mad", "hi") => plain(integer::mad_hi(ty)?, ty, 3),
                ("mul" | "mad", "wide") => {
                    let wide = match ty {
                        Ty::U16 => Ty::U32,
                        Ty::S16 => Ty::S32,
                        Ty::U32 => Ty::U64,
                        Ty::S32 => Ty::S64,
                        _ => return None,
                    };
                    let mul = name == "mul";
                    let mut sources = vec![Kind::Value(ty); 2];
                    if !mul {
                        sources.push(Kind::Value(wide));
                    }
                    let run = if mul {
                        integer::mul_wide(ty)?
                    } else {
                        integer::mad_wide(ty)?
                    };
                    Some(Decoded {
                        run,
                        imm: 0,
                        dest: Kind::Value(wide),
                        sources,
                        product: None,
                    })
                }
                _ => None,
            }
        }
        "div" => plain(integer::div(ty)?, ty, 2),
        "rem" => plain(integer::rem(ty)?, ty, 2),
        "min" => plain(integer::min(ty)?, ty, 2),
        "max" => plain(integer::max(ty)?, ty, 2),
        "abs" => plain(integer::abs(ty)?, ty, 1),
        "neg" => plain(integer::neg(ty)?, ty, 1),
        _ => None,
    }
}

fn floating(name: &str, ty: Ty, s: &mut Suffixes) -> Option<Decoded> {
    let approx = s.take("approx");
    let full = s.take("full");
    let mods = s.mods();
    let imm = mods.encode();
    match name {
        // The approximations are computed exactly rounded: closer than asked for.
        "rcp" if approx && ty == Ty::F64 => with(float::coarse(|x| 1.0 / x)?, imm, ty, 1),
        "div" if approx || full || ty == Ty::F64 || ty == Ty::F32 => {
            with(float::div(ty, imm)?, imm, ty, 2)
        }
        "add" => with(float::add(ty, imm)?, imm, ty, 2),
        "sub" => with(float::sub(ty, imm)?, imm, ty, 2),
        "mul" => with(float::mul(ty, imm)?, imm, ty, 2),
        "fma" | "mad" => with(float::fma(ty, imm)?, imm, ty, 3),
        "sqrt" => with(float::sqrt(ty, imm)?, imm, ty, 1),
        "rcp" => with(float::rcp(ty, imm)?, imm, ty, 1),
        "abs" => with(float::abs(ty, imm)?, imm, ty, 1),
        "neg" => with(float::neg(ty, imm)?, imm, ty, 1),
        "min" => with(extremes::extreme(ty, false)?, imm, ty, 2),
        "max" => with(extremes::extreme(ty, true)?, imm, ty, 2),
        _ => None,
    }
}

fn approximation(name: &str, ty: Ty, s: &mut Suffixes) -> Option<Decoded> {
    if !s.take("approx") {
        return None;
    }
    let mods = s.mods();
    let run = match (name, ty) {
        (_, Ty::F32) => float::approximate(name)?,
        ("rsqrt", Ty::F64) if mods.ftz => float::coarse(|x| 1.0 / x.sqrt())?,
        ("rsqrt", Ty::F64) => float::rsqrt64(),
        (_, Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2) => float::approximate_half(name, ty)?,
        _ => return None,
    };
    with(run, mods.encode(), ty, 1)
}

fn comparison(name: &str, s: &mut Suffixes) -> Option<Decoded> {
    const OPERATORS: [&str; 18] = [
        "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu",
        "gtu", "geu", "num", "nan",
    ];
    let operator = s.take_one(&OPERATORS)?;
    let ftz = s.take("ftz");
    let boolean = match s.take_one(&["and", "or", "xor"]) {
        None => 0,
        Some("and") => WITH_AND,
        Some("or") => WITH_OR,
        Some(_) => WITH_XOR,
    };
    let (dest, ty, kind) = match (name, s.types.as_slice()) {
        ("setp", [ty]) => (Kind::Pred, *ty, 0),
        ("set", [to @ (Ty::U32 | Ty::S32), ty]) => (Kind::Value(*to), *ty, TO_INTEGER),
        ("set", [Ty::F32, ty]) => (Kind::Value(Ty::F32), *ty, TO_FLOAT),
        _ => return None,
    };
    let mut sources = vec![Kind::Value(ty); 2];
    if boolean != 0 {
        sources.push(Kind::Pred);
    }
    Some(Decoded {
        run: compare::set(operator, ty, ftz)?,
        imm: boolean | kind,
        dest,
        sources,
        product: None,
    })
}

fn conversion(s: &mut Suffixes, width: u32) -> Option<Decoded> {
    let integral = s
        .take_one(&["rni", "rzi", "rmi", "rpi"])
        .map(|word| match word {
            "rni" => Round::Near,
            "rzi" => Round::Zero,
            "rmi" => Round::Down,
            _ => Round::Up,
        });
    let mods = s.mods();
    let [to, from] = s.types[..] else { return None };
    if let (Ty::F16x2 | Ty::Bf16x2, Ty::F32) = (to, from) {
        let run = convert::pack_halves(to == Ty::Bf16x2, mods.round)?;
        let sources = vec![Kind::Value(Ty::F32); 2];
        return Some(Decoded {
            run,
            imm: 0,
            dest: Kind::Value(to),
            sources,
            product: None,
        });
    }
    let (run, imm) = convert::decode(Conversion {
        to,
        from,
        integral,
        mods,
        width: width.clamp(16, 64),
    })?;
    Some(Decoded {
        run,
        imm,
        dest: Kind::Value(to),
        sources: vec![Kind::Value(from)],
        product: None,
    })
}
