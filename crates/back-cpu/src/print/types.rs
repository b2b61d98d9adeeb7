//! IR types as C types.
//!
//! A signless `iN` is the signed C type of that width; where an operation means the unsigned value it casts. `i1` is
//! `_Bool`. Declarators are built from the inside out: a pointer to an array of five pointers is `double *(*p)[5]`.

use super::records::RecordNames;
use accrue_dialects::core::{
    VoidType, array_parts, complex_part, float_width, int_width, pointee_of, record_tag,
};
use pliron::{
    builtin::{type_interfaces::FunctionTypeInterface, types::FunctionType},
    context::Context,
    r#type::TypeHandle,
};

/// Why a type has no C form.
pub type TypeResult = std::result::Result<String, String>;

/// Prints types.
#[derive(Clone, Copy)]
pub struct Types<'a> {
    pub ctx: &'a Context,
    pub records: &'a RecordNames,
}

impl Types<'_> {
    /// The type itself, as in a cast.
    pub fn name(&self, ty: TypeHandle) -> TypeResult {
        self.declare(ty, "")
    }

    /// A declaration of `name` (or any declarator) with type `ty`, without the semicolon.
    pub fn declare(&self, ty: TypeHandle, name: &str) -> TypeResult {
        if let Some(to) = pointee_of(self.ctx, ty) {
            let inner = match array_parts(self.ctx, to).is_some() || is_function(self.ctx, to) {
                true => format!("(*{name})"),
                false => format!("*{name}"),
            };
            return self.declare(to, &inner);
        }
        if let Some((length, of)) = array_parts(self.ctx, ty) {
            return self.declare(of, &format!("{name}[{length}]"));
        }
        if let Some((args, results)) = signature(self.ctx, ty) {
            return self.declare_function(&args, &results, name);
        }
        let base = self.base(ty)?;
        Ok(if name.is_empty() {
            base
        } else {
            format!("{base} {name}")
        })
    }

    /// A function declarator with unnamed parameters.
    fn declare_function(
        &self,
        args: &[TypeHandle],
        results: &[TypeHandle],
        name: &str,
    ) -> TypeResult {
        let params = args
            .iter()
            .map(|t| self.name(*t))
            .collect::<Result<Vec<_>, _>>()?;
        self.function_of(&params, results, name)
    }

    /// A function declarator with the given parameter declarations.
    pub fn function_of(&self, params: &[String], results: &[TypeHandle], name: &str) -> TypeResult {
        let params = if params.is_empty() {
            "void".to_string()
        } else {
            params.join(", ")
        };
        let inner = format!("{name}({params})");
        match results {
            [] => Ok(format!("void {inner}")),
            [one] => self.declare(*one, &inner),
            _ => Err("a function with several results has no C form".to_string()),
        }
    }

    /// Types that are no derived types.
    fn base(&self, ty: TypeHandle) -> TypeResult {
        let ctx = self.ctx;
        if let Some(width) = int_width(ctx, ty) {
            return signed(width)
                .map(str::to_string)
                .ok_or_else(|| format!("an integer of {width} bits has no C type"));
        }
        if let Some(width) = float_width(ctx, ty) {
            return float(width)
                .map(str::to_string)
                .ok_or_else(|| format!("a float of {width} bits has no C type"));
        }
        if let Some(part) = complex_part(ctx, ty) {
            return match float_width(ctx, part) {
                Some(width @ (32 | 64 | 80)) => {
                    Ok(format!("{} _Complex", float(width).unwrap_or("double")))
                }
                Some(_) | None => {
                    Err("a complex number of this precision has no C type on the CPU".to_string())
                }
            };
        }
        if let Some(tag) = record_tag(ctx, ty) {
            return self
                .records
                .c_name(&tag)
                .ok_or_else(|| format!("the record `{tag}` has no definition"));
        }
        if ty.deref(ctx).is::<VoidType>() {
            return Ok("void".to_string());
        }
        Err("a type of another dialect has no C form".to_string())
    }
}

/// Arguments and results of a function type.
pub fn signature(ctx: &Context, ty: TypeHandle) -> Option<(Vec<TypeHandle>, Vec<TypeHandle>)> {
    let ty = ty.deref(ctx);
    ty.downcast_ref::<FunctionType>()
        .map(|f| (f.arg_types(), f.res_types()))
}

/// Whether `ty` is a function type.
pub fn is_function(ctx: &Context, ty: TypeHandle) -> bool {
    ty.deref(ctx).is::<FunctionType>()
}

/// The signed C type of that width.
pub fn signed(width: u32) -> Option<&'static str> {
    Some(match width {
        1 => "_Bool",
        8 => "signed char",
        16 => "short",
        32 => "int",
        64 => "long",
        128 => "__int128",
        _ => return None,
    })
}

/// The unsigned C type of that width.
pub fn unsigned(width: u32) -> Option<&'static str> {
    Some(match width {
        1 => "_Bool",
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned",
        64 => "unsigned long",
        128 => "unsigned __int128",
        _ => return None,
    })
}

/// The C type of a float of that width.
pub fn float(width: u32) -> Option<&'static str> {
    Some(match width {
        16 => "_Float16",
        32 => "float",
        64 => "double",
        80 => "long double",
        128 => "__float128",
        _ => return None,
    })
}
