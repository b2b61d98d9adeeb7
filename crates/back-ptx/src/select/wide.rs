//! Integers of 128 bits: two registers, low half first.
//!
//! Shifts use that PTX shifts by 64 and more give 0 (or the sign): a part that a shift moves by a "negative" amount,
//! which is a very large one, vanishes by itself. Division is a function, [`DIVISION`].

use super::integer::IntUn;
use super::{function::Selector, operand::Part, types::Class};
use accrue_dialects::core::IntBin;

/// Quotient and remainder of unsigned numbers, one bit after another.
pub const DIVISION: &str = include_str!("wide.ptx");

/// The function's name.
const DIVISION_NAME: &str = "accrue_wide_divide";

type Pair = [String; 2];

/// Two registers or literals as the parts of a value.
fn parts([low, high]: Pair) -> Vec<Part> {
    vec![Part::new(Class::B64, low), Part::new(Class::B64, high)]
}

impl Selector<'_> {
    fn op64(&mut self, opcode: &str, operands: &[&str]) -> String {
        self.compute(Class::B64, opcode, operands)
    }

    pub(super) fn wide_bin(&mut self, kind: IntBin, a: &Pair, b: &Pair) -> Vec<Part> {
        parts(match kind {
            IntBin::Add | IntBin::AddS => self.wide_add(a, b),
            IntBin::Sub | IntBin::SubS => self.wide_sub(a, b),
            IntBin::Mul | IntBin::MulS => self.wide_mul(a, b),
            IntBin::DivU => self.wide_divide(a, b).0,
            IntBin::RemU => self.wide_divide(a, b).1,
            IntBin::DivS => {
                let sign = self.op64("xor.b64", &[&a[1], &b[1]]);
                let (x, y) = (self.wide_abs(a), self.wide_abs(b));
                let quotient = self.wide_divide(&x, &y).0;
                self.wide_negate_if(&sign, &quotient)
            }
            IntBin::RemS => {
                let (x, y) = (self.wide_abs(a), self.wide_abs(b));
                let remainder = self.wide_divide(&x, &y).1;
                self.wide_negate_if(&a[1], &remainder)
            }
            IntBin::Shl | IntBin::ShrS | IntBin::ShrU => {
                let amount = self.shift_amount(&b[0]);
                self.wide_shift(kind, a, &amount)
            }
            IntBin::And => self.halves("and.b64", a, b),
            IntBin::Or => self.halves("or.b64", a, b),
            IntBin::Xor => self.halves("xor.b64", a, b),
            IntBin::MinS => self.wide_choose("lt", false, a, b),
            IntBin::MaxS => self.wide_choose("gt", false, a, b),
            IntBin::MinU => self.wide_choose("lt", true, a, b),
            IntBin::MaxU => self.wide_choose("gt", true, a, b),
        })
    }

    pub(super) fn wide_un(&mut self, kind: IntUn, value: &Pair) -> Vec<Part> {
        parts(match kind {
            IntUn::Not => {
                let low = self.op64("xor.b64", &[&value[0], "-1"]);
                let high = self.op64("xor.b64", &[&value[1], "-1"]);
                [low, high]
            }
            IntUn::Neg => self.wide_negative(value),
        })
    }

    fn halves(&mut self, opcode: &str, a: &Pair, b: &Pair) -> Pair {
        [
            self.op64(opcode, &[&a[0], &b[0]]),
            self.op64(opcode, &[&a[1], &b[1]]),
        ]
    }

    fn wide_add(&mut self, a: &Pair, b: &Pair) -> Pair {
        let low = self.op64("add.s64", &[&a[0], &b[0]]);
        let carry = self.compute(Class::Pred, "setp.lt.u64", &[&low, &a[0]]);
        let carry = self.op64("selp.b64", &["1", "0", &carry]);
        let high = self.op64("add.s64", &[&a[1], &b[1]]);
        let high = self.op64("add.s64", &[&high, &carry]);
        [low, high]
    }

    fn wide_sub(&mut self, a: &Pair, b: &Pair) -> Pair {
        let borrow = self.compute(Class::Pred, "setp.lt.u64", &[&a[0], &b[0]]);
        let borrow = self.op64("selp.b64", &["1", "0", &borrow]);
        let low = self.op64("sub.s64", &[&a[0], &b[0]]);
        let high = self.op64("sub.s64", &[&a[1], &b[1]]);
        let high = self.op64("sub.s64", &[&high, &borrow]);
        [low, high]
    }

    fn wide_negative(&mut self, value: &Pair) -> Pair {
        self.wide_sub(&["0".to_string(), "0".to_string()], value)
    }

    fn wide_mul(&mut self, a: &Pair, b: &Pair) -> Pair {
        let low = self.op64("mul.lo.s64", &[&a[0], &b[0]]);
        let high = self.op64("mul.hi.u64", &[&a[0], &b[0]]);
        let high = self.op64("mad.lo.s64", &[&a[0], &b[1], &high]);
        let high = self.op64("mad.lo.s64", &[&a[1], &b[0], &high]);
        [low, high]
    }

    /// `value`, or its negative if bit 63 of `sign` is set.
    fn wide_negate_if(&mut self, sign: &str, value: &Pair) -> Pair {
        let is_negative = self.compute(Class::Pred, "setp.lt.s64", &[sign, "0"]);
        let negative = self.wide_negative(value);
        self.wide_select(&is_negative, &negative, value)
    }

    fn wide_abs(&mut self, value: &Pair) -> Pair {
        self.wide_negate_if(&value[1], value)
    }

    fn wide_select(&mut self, cond: &str, yes: &Pair, no: &Pair) -> Pair {
        [
            self.op64("selp.b64", &[&yes[0], &no[0], cond]),
            self.op64("selp.b64", &[&yes[1], &no[1], cond]),
        ]
    }

    fn wide_choose(&mut self, operator: &str, unsigned: bool, a: &Pair, b: &Pair) -> Pair {
        let first = self.wide_comparison(operator, unsigned, a, b);
        self.wide_select(&first, a, b)
    }

    fn wide_shift(&mut self, kind: IntBin, [low, high]: &Pair, amount: &str) -> Pair {
        let rest = self.compute(Class::B32, "sub.s32", &["64", amount]);
        let beyond = self.compute(Class::B32, "sub.s32", &[amount, "64"]);
        if kind == IntBin::Shl {
            let kept = self.op64("shl.b64", &[high, amount]);
            let moved = self.op64("shr.u64", &[low, &rest]);
            let far = self.op64("shl.b64", &[low, &beyond]);
            let joined = self.op64("or.b64", &[&kept, &moved]);
            let high = self.op64("or.b64", &[&joined, &far]);
            let low = self.op64("shl.b64", &[low, amount]);
            return [low, high];
        }
        let opcode = if kind == IntBin::ShrS {
            "shr.s64"
        } else {
            "shr.u64"
        };
        let kept = self.op64("shr.u64", &[low, amount]);
        let moved = self.op64("shl.b64", &[high, &rest]);
        let near = self.op64("or.b64", &[&kept, &moved]);
        let far = self.op64(opcode, &[high, &beyond]);
        let is_far = self.compute(Class::Pred, "setp.ge.u32", &[amount, "64"]);
        let low = self.op64("selp.b64", &[&far, &near, &is_far]);
        let high = self.op64(opcode, &[high, amount]);
        [low, high]
    }

    /// Quotient and remainder of unsigned numbers.
    fn wide_divide(&mut self, a: &Pair, b: &Pair) -> (Pair, Pair) {
        self.needs.wide_division = true;
        self.code.brace("{");
        self.code.directive(".param .align 16 .b8 result[32]");
        let mut names = vec![];
        for (i, part) in a.iter().chain(b).enumerate() {
            let name = format!("a{i}");
            self.code.directive(format!(".param .b64 {name}"));
            self.code
                .emit("st.param.b64", &[&format!("[{name}]"), part]);
            names.push(name);
        }
        let list = format!("({})", names.join(", "));
        self.code.emit("call", &["(result)", DIVISION_NAME, &list]);
        let mut results = [0, 8, 16, 24].map(|offset| {
            let register = self.code.register(Class::B64);
            let place = format!("[result+{offset}]");
            self.code.write(&[&register], "ld.param.b64", &[&place]);
            register
        });
        self.code.brace("}");
        let [q0, q1, r0, r1] = &mut results;
        let take = std::mem::take::<String>;
        ([take(q0), take(q1)], [take(r0), take(r1)])
    }

    /// `a operator b` as a predicate; `operator` as in `setp`.
    pub(super) fn wide_comparison(
        &mut self,
        operator: &str,
        unsigned: bool,
        a: &Pair,
        b: &Pair,
    ) -> String {
        if matches!(operator, "eq" | "ne") {
            let low = self.op64("xor.b64", &[&a[0], &b[0]]);
            let high = self.op64("xor.b64", &[&a[1], &b[1]]);
            let difference = self.op64("or.b64", &[&low, &high]);
            let opcode = format!("setp.{operator}.s64");
            return self.compute(Class::Pred, &opcode, &[&difference, "0"]);
        }
        let sign = if unsigned { "u" } else { "s" };
        // Strictly, by the high half; or by the low half where the high ones are equal.
        let strict = &operator[..1].to_string();
        let strict = format!("setp.{strict}t.{sign}64");
        let high = self.compute(Class::Pred, &strict, &[&a[1], &b[1]]);
        let equal = self.compute(Class::Pred, "setp.eq.s64", &[&a[1], &b[1]]);
        let opcode = format!("setp.{operator}.u64");
        let low = self.compute(Class::Pred, &opcode, &[&a[0], &b[0]]);
        let low = self.compute(Class::Pred, "and.pred", &[&equal, &low]);
        self.compute(Class::Pred, "or.pred", &[&high, &low])
    }

    /// The number as a float of `width` bits, correctly rounded: the upper 64 bits that are not zero are converted, their
    /// last bit standing for all that are cut off, and scaled.
    pub(super) fn wide_to_float(&mut self, value: &Pair, width: u32, signed: bool) -> String {
        let [low, high] = match signed {
            true => self.wide_abs(value),
            false => value.clone(),
        };
        let high = self.settle(&Part::new(Class::B64, high));
        let zeros = self.compute(Class::B32, "clz.b64", &[&high]);
        let [rest, top] = self.wide_shift(IntBin::Shl, &[low, high], &zeros);
        let more = self.compute(Class::Pred, "setp.ne.s64", &[&rest, "0"]);
        let more = self.op64("selp.b64", &["1", "0", &more]);
        let top = self.op64("or.b64", &[&top, &more]);
        let (class, name, bias, fraction) = match width {
            64 => (Class::F64, "f64", 1023, 52),
            _ => (Class::F32, "f32", 127, 23),
        };
        let number = self.compute(class, &format!("cvt.rn.{name}.u64"), &[&top]);
        let power = self.compute(Class::B32, "sub.s32", &[&(64 + bias).to_string(), &zeros]);
        let scale = match class {
            Class::F64 => {
                let power = self.op64("cvt.u64.u32", &[&power]);
                let bits = self.op64("shl.b64", &[&power, &fraction.to_string()]);
                self.compute(class, "mov.b64", &[&bits])
            }
            _ => {
                let bits = self.compute(Class::B32, "shl.b32", &[&power, &fraction.to_string()]);
                self.compute(class, "mov.b32", &[&bits])
            }
        };
        let size = self.compute(class, &format!("mul.rn.{name}"), &[&number, &scale]);
        let result = match signed {
            true => {
                let is_negative = self.compute(Class::Pred, "setp.lt.s64", &[&value[1], "0"]);
                let negative = self.compute(class, &format!("neg.{name}"), &[&size]);
                let opcode = format!("selp.{name}");
                self.compute(class, &opcode, &[&negative, &size, &is_negative])
            }
            false => size,
        };
        match width {
            16 => self.narrow_half(&result),
            _ => result,
        }
    }

    /// A float of `from` bits without its fraction: both halves are exact, since a power of two divides without loss.
    pub(super) fn float_to_wide(&mut self, value: &str, from: u32, signed: bool) -> Vec<Part> {
        let value = match from {
            64 => value.to_string(),
            _ => self.compute(Class::F64, &format!("cvt.f64.f{from}"), &[value]),
        };
        let size = self.compute(Class::F64, "abs.f64", &[&value]);
        // 2^-64 and -2^64.
        let scaled = self.compute(Class::F64, "mul.rn.f64", &[&size, "0d3BF0000000000000"]);
        let high = self.op64("cvt.rzi.u64.f64", &[&scaled]);
        let taken = self.compute(Class::F64, "cvt.rn.f64.u64", &[&high]);
        let rest = self.fma(Class::F64, &taken, "0dC3F0000000000000", &size);
        let low = self.op64("cvt.rzi.u64.f64", &[&rest]);
        let number = [low, high];
        parts(match signed {
            true => {
                let bits = self.op64("mov.b64", &[&value]);
                self.wide_negate_if(&bits, &number)
            }
            false => number,
        })
    }
}
