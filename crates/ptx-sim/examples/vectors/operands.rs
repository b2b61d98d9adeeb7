//! Operands: what is in the columns that the instructions read.
//!
//! A column holds one operand of every row. The first rows of two columns combine the special values of their kinds, every
//! one with every other; then come random values, with a special one among eight. Random floating-point numbers have one of
//! several styles, the same one for all operands of a row, so that sums cancel and products round in interesting places.

/// Rows of every column and result: a multiple of the block's threads.
pub const ROWS: u64 = 2048;

/// How many of a kind's special values are combined with all others; the rest come among the random values.
const COMBINED: u64 = 20;

/// What a column is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Integers of 16, 32 or 64 bits.
    Integer(u32),
    Half,
    Brain,
    Single,
    Double,
    /// Two halves in a register.
    HalfPair,
    BrainPair,
    /// Shift amounts, positions, lengths: small, at the widths, beyond them.
    Amount,
    /// Single precision from -2π to 2π, where the error of `sin.approx` and `cos.approx` is bounded.
    Angle,
    /// Single precision whose size is from 2^-126 to 2^126, where the error of `div.approx` is bounded.
    Divisor,
    /// 0 to 3; whole warps with one value among them.
    Few(u32),
    /// Lane numbers and distances for `shfl`.
    Lane,
    /// Clamp and segment mask of `shfl`.
    Segment,
}

impl Kind {
    pub fn bytes(self) -> u64 {
        match self {
            Kind::Integer(bits) | Kind::Few(bits) => u64::from(bits / 8),
            Kind::Half | Kind::Brain => 2,
            Kind::Double => 8,
            Kind::Single
            | Kind::HalfPair
            | Kind::BrainPair
            | Kind::Amount
            | Kind::Angle
            | Kind::Divisor
            | Kind::Lane
            | Kind::Segment => 4,
        }
    }

    /// The format in which a report shows a value.
    pub fn format(self) -> String {
        match self {
            Kind::Integer(bits) | Kind::Few(bits) => format!("b{bits}"),
            Kind::Half => "f16".into(),
            Kind::Brain => "bf16".into(),
            Kind::Single | Kind::Angle | Kind::Divisor => "f32".into(),
            Kind::Double => "f64".into(),
            Kind::HalfPair => "f16x2".into(),
            Kind::BrainPair => "bf16x2".into(),
            Kind::Amount | Kind::Lane | Kind::Segment => "b32".into(),
        }
    }

    fn layout(self) -> Option<Layout> {
        match self {
            Kind::Half => Some(Layout {
                exponent: 5,
                fraction: 10,
            }),
            Kind::Brain => Some(Layout {
                exponent: 8,
                fraction: 7,
            }),
            Kind::Single | Kind::Divisor => Some(Layout {
                exponent: 8,
                fraction: 23,
            }),
            Kind::Double => Some(Layout {
                exponent: 11,
                fraction: 52,
            }),
            Kind::Integer(_)
            | Kind::HalfPair
            | Kind::BrainPair
            | Kind::Amount
            | Kind::Angle
            | Kind::Few(_)
            | Kind::Lane
            | Kind::Segment => None,
        }
    }
}

/// The operand number `position` (0, 1, 2) of a row.
pub fn value(kind: Kind, position: u64, row: u64) -> u64 {
    let pair = |half: Kind| {
        value(half, position, row) | value(half, position + 4, (row * 5 + 3) % ROWS) << 16
    };
    match kind {
        Kind::HalfPair => return pair(Kind::Half),
        Kind::BrainPair => return pair(Kind::Brain),
        _ => {}
    }
    let mut random = Random(row << 8 | position);
    let special = specials(kind);
    let combined = COMBINED.min(special.len() as u64);
    if row < combined * combined {
        let at = match position {
            0 => row % combined,
            1 => row / combined,
            _ => (row * 7 + row / combined * 3) % combined,
        };
        return special[at as usize];
    }
    if combined > 0 && random.next().is_multiple_of(8) {
        return special[(random.next() % special.len() as u64) as usize];
    }
    other(kind, row, &mut random)
}

fn other(kind: Kind, row: u64, random: &mut Random) -> u64 {
    if let Some(layout) = kind.layout() {
        let bits = layout.random(row, random);
        let field = bits >> layout.fraction & 0xff;
        let bounded = kind != Kind::Divisor || (1..=252).contains(&field);
        return if bounded { bits } else { layout.one() };
    }
    match kind {
        Kind::Integer(bits) => {
            let small = [0, 0, bits / 2, bits - 8][(row % 4) as usize];
            let value = random.next() >> (64 - bits + small);
            let negative = row % 8 >= 6;
            (if negative {
                value.wrapping_neg()
            } else {
                value
            }) & (u64::MAX >> (64 - bits))
        }
        Kind::Amount => random.next() % 70,
        Kind::Angle => {
            let turn = (random.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            u64::from(((turn * std::f64::consts::TAU) as f32).to_bits() & !1)
        }
        Kind::Few(_) => match row / 32 % 4 {
            0 => 1 + row / 128 % 3,
            1 => 0,
            _ => random.next() % 4,
        },
        Kind::Lane => random.next() % 36,
        Kind::Segment => {
            let mask = [0, 0x1c, 0x18, 0x10, random.next() & 31][(row / 32 % 5) as usize];
            mask << 8 | [31, 0, random.next() & 31][(row / 32 % 3) as usize]
        }
        _ => 0,
    }
}

fn specials(kind: Kind) -> Vec<u64> {
    if kind == Kind::Divisor {
        return [
            1.0f32, -1.0, 3.0, -0.5, 1.5e-38, 8.0e37, -8.0e37, 7.0, 1e10, 1e-10,
        ]
        .map(|x| u64::from(x.to_bits()))
        .to_vec();
    }
    if let Some(layout) = kind.layout() {
        return layout.specials();
    }
    match kind {
        Kind::Integer(bits) => {
            let mask = u64::MAX >> (64 - bits);
            let top = 1 << (bits - 1);
            let list = [
                0,
                1,
                !0,
                top,
                top - 1,
                2,
                !1,
                3,
                !2,
                top + 1,
                top - 2,
                7,
                10,
                0x80,
                0xff,
                0x100,
                0x7f,
                0x5555_5555_5555_5555,
                0x7fff,
                0x8000,
                0xffff,
                0xff_ffff,
                0x80_0000,
                0xffff_ffff,
                0x8000_0000,
                0x7fff_ffff,
                0x20_0000_0000_0001,
                0x1_0000_0001,
                0x0102_0304_0506_0708,
            ];
            list.map(|x| x & mask).to_vec()
        }
        Kind::Amount => vec![
            0,
            1,
            31,
            32,
            33,
            63,
            64,
            65,
            15,
            16,
            17,
            8,
            127,
            128,
            255,
            256,
            257,
            0x8000_0000,
            0xffff_ffff,
        ],
        Kind::Angle => {
            use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
            let list = [
                0.0f32,
                1e-40,
                1.2e-38,
                1e-20,
                1e-5,
                0.5,
                1.0,
                FRAC_PI_4,
                FRAC_PI_2,
                PI,
                1.5 * PI,
                TAU,
            ];
            let both = list.into_iter().flat_map(|x| [x, -x]);
            both.chain([f32::INFINITY, f32::NEG_INFINITY, f32::NAN])
                .map(|x| u64::from(x.to_bits()))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A floating-point format, by the widths of its fields.
#[derive(Clone, Copy)]
struct Layout {
    exponent: u32,
    fraction: u32,
}

impl Layout {
    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn one(self) -> u64 {
        self.bias() << self.fraction
    }

    fn specials(self) -> Vec<u64> {
        let sign = 1 << (self.exponent + self.fraction);
        let infinity = ((1 << self.exponent) - 1) << self.fraction;
        let quiet = 1 << (self.fraction - 1);
        let one = self.one();
        let power = |n: u64| (self.bias() + n).min((1 << self.exponent) - 2) << self.fraction;
        let least_normal = 1 << self.fraction;
        let positive = [
            0,
            one,
            infinity,
            1,
            least_normal,
            least_normal - 1,
            infinity - 1,
            power(1) | quiet,
            infinity | quiet | 5,
            one - least_normal,
        ];
        let more = [
            infinity | 1,
            infinity | quiet,
            one + 1,
            one - 1,
            one | quiet,
            power(1) | quiet >> 1,
            least_normal + 1,
            quiet,
            power(7) - 1,
            power(7),
            power(8),
            power(15) - 1,
            power(15),
            power(16),
            power(16) - 1,
            power(23),
            power(24) + 1,
            power(31) - 1,
            power(31),
            power(31) + 1,
            power(32),
            power(32) - 1,
            power(52),
            power(53) + 1,
            power(63) - 1,
            power(63),
            power(64),
            power(64) - 1,
            power(126),
            power(127),
            power(128),
        ];
        positive
            .into_iter()
            .chain(more)
            .flat_map(|x| [x, x | sign])
            .collect()
    }

    fn random(self, row: u64, random: &mut Random) -> u64 {
        let bits = random.next();
        let fraction = random.next() & ((1 << self.fraction) - 1);
        let sign = (bits & 1) << (self.exponent + self.fraction);
        let near = |reach: u64| {
            let field = self.bias() - reach + (bits >> 8) % (2 * reach + 1);
            sign | field << self.fraction | fraction
        };
        let wide = (self.bias() / 2).min(40);
        // Few bits of the fraction: exact halves, ties.
        let coarse = |keep: u32| !((1u64 << (self.fraction - keep)) - 1);
        match row % 8 {
            0 | 1 => bits >> (63 - self.exponent - self.fraction),
            2 | 3 => near(2),
            4 | 5 => near(wide),
            6 => {
                let field =
                    self.bias() + (bits >> 8) % (u64::from(self.fraction) + 2).min(self.bias());
                let integral = ((bits >> 8) % (u64::from(self.fraction) + 2)) as u32;
                let keep = (integral + 1).min(self.fraction);
                sign | field << self.fraction | fraction & coarse(keep)
            }
            _ => {
                let keep = [3, 7, 8, 10, 11, 23, 24][(bits >> 20) as usize % 7];
                near(wide) & coarse(u32::min(keep, self.fraction))
            }
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
