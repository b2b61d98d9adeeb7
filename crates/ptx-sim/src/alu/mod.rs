//! Instructions that compute: every lane for itself, from registers to registers.
//!
//! A register is a row of 32 lanes. An instruction is decoded once into an `Alu`, whose `run` is a loop over the lanes made
//! for exactly this operation and type. Values are kept zero-extended in 64 bits; predicates are masks of 32 bits.

pub mod bits;
pub mod compare;
pub mod convert;
pub mod decode;
pub mod extremes;
pub mod float;
pub mod flow;
mod half;
pub mod integer;

use std::sync::Arc;

pub type Row = [u64; 32];
pub const ZERO_ROW: Row = [0; 32];

/// A source operand: register of the frame, constant of the program, or special register of the warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src(u32);

const BANK: u32 = 30;

impl Src {
    pub fn register(slot: u32) -> Src {
        Src(slot)
    }
    /// The register of the frame, if it is one.
    pub fn as_register(self) -> Option<u32> {
        (self.0 >> BANK == 0).then_some(self.0)
    }
    pub fn constant(index: u32) -> Src {
        Src(1 << BANK | index)
    }
    pub fn special(index: u32) -> Src {
        Src(2 << BANK | index)
    }
}

/// A predicate operand: register number and negation, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredSrc(u32);

impl PredSrc {
    pub const TRUE: PredSrc = PredSrc(u32::MAX);
    pub const FALSE: PredSrc = PredSrc(u32::MAX - 1);
    pub fn new(index: u32, negated: bool) -> PredSrc {
        PredSrc(index << 1 | u32::from(negated))
    }
    pub fn negate(self) -> PredSrc {
        PredSrc(self.0 ^ 1)
    }
}

/// Destination that is thrown away (`_`).
pub const SINK: u32 = u32::MAX;

/// A decoded instruction.
#[derive(Clone, Copy)]
pub struct Alu {
    pub run: AluFn,
    pub d: u32,
    /// Second destination: a predicate.
    pub e: u32,
    pub a: Src,
    pub b: Src,
    pub c: Src,
    /// Fourth source (`bfi`).
    pub x: Src,
    pub p: PredSrc,
    pub q: PredSrc,
    /// `d` is a predicate.
    pub to_pred: bool,
    /// What becomes of bits that were never written.
    pub flow: flow::Flow,
    /// Modifiers, with a meaning that `run` knows.
    pub imm: u32,
}

pub type AluFn = fn(&mut Registers, &Alu, u32);

/// The registers of a warp. `base` and `pred_base` are where the frame of the running function starts.
pub struct Registers {
    pub rows: Vec<Row>,
    pub preds: Vec<u32>,
    pub base: usize,
    pub pred_base: usize,
    pub special: Box<[Row]>,
    pub constants: Arc<[Row]>,
    /// Carry flags, `.cc`.
    pub carry: u32,
}

/// Types as lanes hold them.
pub trait Lane: Copy {
    fn get(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! integer_lane {
    ($($t:ty, $unsigned:ty);*) => {$(
        impl Lane for $t {
            #[inline(always)]
            fn get(bits: u64) -> Self { bits as $t }
            #[inline(always)]
            fn bits(self) -> u64 { self as $unsigned as u64 }
        }
    )*};
}
integer_lane!(u8, u8; u16, u16; u32, u32; u64, u64; i8, u8; i16, u16; i32, u32; i64, u64);

impl Lane for f32 {
    #[inline(always)]
    fn get(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Lane for f64 {
    #[inline(always)]
    fn get(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Registers {
    #[inline(always)]
    pub fn src(&self, s: Src) -> &Row {
        let index = (s.0 & ((1 << BANK) - 1)) as usize;
        match s.0 >> BANK {
            0 => &self.rows[self.base + index],
            1 => &self.constants[index],
            _ => &self.special[index],
        }
    }

    #[inline(always)]
    pub fn pred(&self, p: PredSrc) -> u32 {
        match p {
            PredSrc::TRUE => u32::MAX,
            PredSrc::FALSE => 0,
            PredSrc(code) => {
                let bits = self.preds[self.pred_base + (code >> 1) as usize];
                if code & 1 != 0 { !bits } else { bits }
            }
        }
    }

    /// Writes the active lanes of a register.
    #[inline(always)]
    pub fn put(&mut self, d: u32, active: u32, row: &Row) {
        if d == SINK {
            return;
        }
        let to = &mut self.rows[self.base + d as usize];
        if active == u32::MAX {
            *to = *row;
        } else {
            for (lane, (to, from)) in to.iter_mut().zip(row).enumerate() {
                *to = if active >> lane & 1 != 0 { *from } else { *to };
            }
        }
    }

    #[inline(always)]
    pub fn put_pred(&mut self, d: u32, active: u32, bits: u32) {
        if d != SINK {
            let to = &mut self.preds[self.pred_base + d as usize];
            *to = *to & !active | bits & active;
        }
    }

    #[inline(always)]
    pub fn un<A: Lane, R: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A) -> R) {
        let a = self.src(i.a);
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = f(A::get(a[l])).bits();
        }
        self.put(i.d, active, &out);
    }

    #[inline(always)]
    pub fn bin<A: Lane, R: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A, A) -> R) {
        let (a, b) = (self.src(i.a), self.src(i.b));
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = f(A::get(a[l]), A::get(b[l])).bits();
        }
        self.put(i.d, active, &out);
    }

    /// As `bin`; the second operand is a 32-bit number, as shifts have it.
    #[inline(always)]
    pub fn shift<A: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A, u32) -> A) {
        let (a, b) = (self.src(i.a), self.src(i.b));
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = f(A::get(a[l]), b[l] as u32).bits();
        }
        self.put(i.d, active, &out);
    }

    #[inline(always)]
    pub fn ter<A: Lane, R: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A, A, A) -> R) {
        let (a, b, c) = (self.src(i.a), self.src(i.b), self.src(i.c));
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = f(A::get(a[l]), A::get(b[l]), A::get(c[l])).bits();
        }
        self.put(i.d, active, &out);
    }

    /// `a * b + c` where `c` and the result are wider.
    #[inline(always)]
    pub fn wide<A: Lane, C: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A, A, C) -> C) {
        let (a, b, c) = (self.src(i.a), self.src(i.b), self.src(i.c));
        let mut out = ZERO_ROW;
        for l in 0..32 {
            out[l] = f(A::get(a[l]), A::get(b[l]), C::get(c[l])).bits();
        }
        self.put(i.d, active, &out);
    }

    /// `a + b + carry in`, with carries out; `f` gives the result and the carry.
    #[inline(always)]
    pub fn carried<A: Lane>(&mut self, i: &Alu, active: u32, f: impl Fn(A, A, bool) -> (A, bool)) {
        let (a, b) = (self.src(i.a), self.src(i.b));
        let (takes, gives) = (i.imm & 1 != 0, i.imm & 2 != 0);
        let mut out = ZERO_ROW;
        let mut carries = 0;
        for l in 0..32 {
            let (value, carry) = f(
                A::get(a[l]),
                A::get(b[l]),
                takes && self.carry >> l & 1 != 0,
            );
            out[l] = value.bits();
            carries |= u32::from(carry) << l;
        }
        if gives {
            self.carry = self.carry & !active | carries & active;
        }
        self.put(i.d, active, &out);
    }
}

/// A decoded operation: a function of its own for one closure at one type.
macro_rules! op {
    ($method:ident<$($t:ty),+>, $f:expr) => {{
        fn run(r: &mut $crate::alu::Registers, i: &$crate::alu::Alu, active: u32) {
            r.$method::<$($t),+>(i, active, $f)
        }
        run as $crate::alu::AluFn
    }};
}
pub(crate) use op;
