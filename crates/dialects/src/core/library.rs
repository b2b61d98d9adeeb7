//! Functions of libraries whose meaning passes and back ends know.
//!
//! A front end says which one a function from outside is, whatever its language calls it: `sqrtf`, `std::sqrt` and Fortran's `SQRT`
//! are all [`Known::Sqrt`], and the type says of what. Passes ask for the meaning, and back ends have names of their own for it:
//!
//! ```text
//! core.extern_func @sqrtf[known : Sqrt] : builtin.function <(core.float <32>) -> (core.float <32>)>
//!
//! C: sqrtf(x)          OpenCL C: sqrt(x)          PTX: sqrt.rn.f32
//! ```

use super::{ExternFunc, ExternTraits, complex_part, float_width};
use accrue_ir::walk::directly_in;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface, type_interfaces::FunctionTypeInterface,
        types::FunctionType,
    },
    context::{Context, Ptr},
    derive::pliron_attr,
    operation::Operation,
    r#type::TypeHandle,
};
use std::collections::BTreeMap;

/// Declares the functions, each with the stem of its name in `libm`.
macro_rules! known {
    ($($(#[$doc:meta])* $function:ident $stem:literal),* $(,)?) => {
        /// A function that passes and back ends know.
        #[pliron_attr(name = "core.known_function", format, verifier = "succ")]
        #[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
        pub enum Known {
            $($(#[$doc])* $function),*
        }

        impl Known {
            /// All of them.
            pub const ALL: &[Known] = &[$(Known::$function),*];

            /// What the libraries of the system and of devices call it for 64 bits.
            pub fn stem(self) -> &'static str {
                match self {
                    $(Known::$function => $stem),*
                }
            }
        }
    };
}

known! {
    Acos "acos", Acosh "acosh", Asin "asin", Asinh "asinh", Atan "atan", Atan2 "atan2", Atanh "atanh",
    Cbrt "cbrt", Ceil "ceil",
    /// Of a complex number.
    ComplexExp "cexp",
    CopySign "copysign", Cos "cos", Cosh "cosh",
    Erf "erf", Erfc "erfc", Exp "exp", Exp10 "exp10", Exp2 "exp2", Expm1 "expm1",
    /// Of a float, or of a signed integer.
    Abs "fabs",
    Dim "fdim", Floor "floor",
    /// Product and sum with one rounding.
    Fma "fma",
    /// The other number if one is NaN.
    Max "fmax",
    Min "fmin",
    Mod "fmod", Hypot "hypot",
    /// x * 2^n.
    Ldexp "ldexp",
    Lgamma "lgamma", Log "log", Log10 "log10", Log1p "log1p", Log2 "log2",
    /// As [`Known::Rint`], without the flag for inexact results.
    Nearbyint "nearbyint",
    Nextafter "nextafter", Pow "pow", Remainder "remainder",
    /// To the nearest integer in the current direction of rounding.
    Rint "rint",
    /// To the nearest integer, halves away from zero.
    Round "round",
    /// The same, halves to even.
    RoundEven "roundeven",
    /// `1 / sqrt(x)`.
    Rsqrt "rsqrt",
    Sin "sin",
    /// Stores sine and cosine through two pointers.
    SinCos "sincos",
    Sinh "sinh", Sqrt "sqrt", Tan "tan", Tanh "tanh", Tgamma "tgamma", Trunc "trunc",
    /// What an angle is of a turn: the rest in [-π/4, π/4] and for 32 bits the quarter, in one word. Passes make these four.
    Turn "turn",
    /// For 64 bits the quarter.
    TurnQuarter "turn_quarter",
    /// The sine of that; for 64 bits of the two.
    TurnSin "turn_sin",
    TurnCos "turn_cos",
    /// 1 / b for the quotients of several numbers and b.
    Reciprocal "reciprocal",
    /// a / b by means of it, rounded as a division is: of a, b, and the reciprocal of b. Passes make these two.
    Quotient "quotient",
    /// Prints by a format of C's.
    Print "printf",
    /// Comparisons of floats that are false if one is no number, but for the last, which is true then.
    IsGreater "isgreater",
    IsGreaterEqual "isgreaterequal",
    IsLess "isless",
    IsLessEqual "islessequal",
    IsLessGreater "islessgreater",
    IsUnordered "isunordered",
    IsFinite "isfinite", IsInf "isinf",
    /// 1 or -1 for an infinity, by its sign.
    IsInfSign "isinf_sign",
    IsNan "isnan", IsNormal "isnormal", SignBit "signbit",
    /// Of an integer: the number of ones, whether it is odd, and of zeros in front and behind.
    PopCount "popcount",
    Parity "parity",
    LeadingZeros "clz",
    TrailingZeros "ctz",
    /// The place of the last one, counted from 1; 0 if there is none.
    FirstSet "ffs",
    ByteSwap "bswap",
    /// Ends the program.
    Trap "trap",
    /// All that the thread has read and written before is so for all others before what it does behind it.
    Fence "fence",
    /// The position of the thread in a level of OpenACC's, by a number: gang, worker, vector.
    LevelPosition "goacc_parlevel_id",
    /// How many there are of it.
    LevelSize "goacc_parlevel_size",
}

impl Known {
    /// The name in `libm`, and in the libraries of devices, for floats of `width` bits.
    pub fn library_name(self, width: u32) -> String {
        let suffix = match width {
            32 => "f",
            80 | 128 => "l",
            _ => "",
        };
        format!("{}{suffix}", self.stem())
    }

    /// The symbol of a call that a pass makes: no program has a function of that name.
    pub fn symbol(self, width: u32) -> String {
        format!("__accrue_known_{}", self.library_name(width))
    }
}

/// A function that a module declares and does not define.
#[derive(Clone, Copy)]
pub struct Extern {
    /// A `builtin.function`.
    pub ty: TypeHandle,
    pub traits: ExternTraits,
    pub known: Option<Known>,
}

impl Extern {
    /// The width of the floats that it takes or gives, by themselves or as parts of complex numbers.
    pub fn float_width(&self, ctx: &Context) -> Option<u32> {
        let ty = self.ty.deref(ctx);
        let signature = ty.downcast_ref::<FunctionType>()?;
        let types = signature
            .arg_types()
            .into_iter()
            .chain(signature.res_types());
        let part = |ty| complex_part(ctx, ty).unwrap_or(ty);
        types.into_iter().find_map(|ty| float_width(ctx, part(ty)))
    }
}

/// The functions that a module declares and does not define, by their symbols.
#[derive(Clone, Default)]
pub struct Externs(BTreeMap<String, Extern>);

impl Externs {
    /// Those declared under `module`.
    pub fn of_module(ctx: &Context, module: Ptr<Operation>) -> Self {
        let declared = directly_in::<ExternFunc>(ctx, module);
        let named = |f: ExternFunc| (f.get_symbol_name(ctx).to_string(), f.declared(ctx));
        Self(declared.into_iter().map(named).collect())
    }

    pub fn get(&self, symbol: &str) -> Option<&Extern> {
        self.0.get(symbol)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Extern)> {
        self.0.iter()
    }

    /// What is known about a function; nothing, if the module does not declare it.
    pub fn traits(&self, symbol: &str) -> ExternTraits {
        self.get(symbol)
            .map_or_else(ExternTraits::default, |f| f.traits)
    }

    /// Which known function it is; `None` also for one that the module defines itself.
    pub fn known(&self, symbol: &str) -> Option<Known> {
        self.get(symbol)?.known
    }
}
