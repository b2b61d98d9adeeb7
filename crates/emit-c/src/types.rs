//! IR types as types of the C dialect.
//!
//! A signless `iN` is the signed C type of that width; where an operation means the unsigned value it casts. `i1` is
//! `_Bool`. Declarators are built from the inside out: a pointer to an array of five pointers is `double *(*p)[5]`.

use super::{
    dialect::{Dialect, Scalar},
    records::RecordNames,
};
use accrue_dialects::core::{
    AddressSpace, PointerType, VoidType, array_parts, complex_part, float_width, int_width,
    pointee_of, record_tag,
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
    pub dialect: &'a dyn Dialect,
    pub records: &'a RecordNames,
}

impl Types<'_> {
    /// The type itself, as in a cast.
    pub fn name(&self, ty: TypeHandle) -> TypeResult {
        self.declare(ty, "")
    }

    /// A declaration of `name` (or any declarator) with type `ty`, without the semicolon.
    pub fn declare(&self, ty: TypeHandle, name: &str) -> TypeResult {
        self.declare_in("", ty, name)
    }

    /// The same for an object in the memory that `space` names.
    pub fn declare_in(&self, space: &str, ty: TypeHandle, name: &str) -> TypeResult {
        if let Some(to) = pointee_of(self.ctx, ty) {
            let inner = match array_parts(self.ctx, to).is_some() || is_function(self.ctx, to) {
                true => format!("(*{space}{name})"),
                false => format!("*{space}{name}"),
            };
            return self.declare_in(self.space_behind(ty), to, &inner);
        }
        if let Some((length, of)) = array_parts(self.ctx, ty) {
            return self.declare_in(space, of, &format!("{name}[{length}]"));
        }
        if let Some((args, results)) = signature(self.ctx, ty) {
            return self.declare_function(&args, &results, name);
        }
        let base = format!("{space}{}", self.base(ty)?);
        Ok(if name.is_empty() {
            base
        } else {
            format!("{base} {name}")
        })
    }

    /// The type of pointers to the same object as a volatile one.
    pub fn volatile(&self, pointer: TypeHandle) -> TypeResult {
        let object = pointee_of(self.ctx, pointer).ok_or("an address was expected")?;
        let space = format!("volatile {}", self.space_behind(pointer));
        self.declare_in(&space, object, "*")
    }

    /// The word for the memory that pointers of this type lead to.
    fn space_behind(&self, pointer: TypeHandle) -> &'static str {
        self.dialect.space(space_of(self.ctx, pointer))
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
            let known = self.dialect.scalar(Scalar::Signed(width));
            return known
                .map(str::to_string)
                .ok_or_else(|| format!("an integer of {width} bits has no C type"));
        }
        if let Some(width) = float_width(ctx, ty) {
            let known = self.dialect.scalar(Scalar::Float(width));
            return known
                .map(str::to_string)
                .ok_or_else(|| format!("a float of {width} bits has no C type"));
        }
        if let Some(part) = complex_part(ctx, ty) {
            let known = float_width(ctx, part)
                .and_then(|width| self.dialect.scalar(Scalar::Complex(width)));
            return known.map(str::to_string).ok_or_else(|| {
                format!(
                    "a complex number of this precision has no C type on {}",
                    self.dialect.devices()
                )
            });
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

/// Where pointers of this type lead to.
pub fn space_of(ctx: &Context, pointer: TypeHandle) -> AddressSpace {
    let pointer = pointer.deref(ctx);
    let space = pointer.downcast_ref::<PointerType>().map(|p| p.space);
    space.unwrap_or(AddressSpace::Generic)
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
