//! What a variable of a module holds when it is loaded.

use crate::{
    LoadError,
    ast::{self, Init, Ty, Variable},
    lower::{self, Globals},
};

/// The bytes of a variable with an initialiser.
pub fn initial_bytes(
    module: &ast::Module,
    globals: &Globals,
    variable: &Variable,
    init: &Init,
) -> Result<Vec<u8>, LoadError> {
    let mut bytes = vec![0; variable.bytes().unwrap_or(0) as usize];
    let mut writer = Initialiser {
        module,
        globals,
        variable,
        bytes: &mut bytes,
    };
    writer.fill(init, &variable.dims, 0)?;
    Ok(bytes)
}

struct Initialiser<'a> {
    module: &'a ast::Module,
    globals: &'a Globals,
    variable: &'a Variable,
    bytes: &'a mut [u8],
}

impl Initialiser<'_> {
    fn error<T>(&self, message: &str) -> Result<T, LoadError> {
        Err(LoadError::new(
            self.variable.line,
            format!("initialiser of `{}`: {message}", self.variable.name),
        ))
    }

    fn fill(&mut self, init: &Init, dims: &[u64], at: u64) -> Result<(), LoadError> {
        let size = u64::from(self.variable.ty.bytes());
        match (init, dims) {
            (Init::List(list), [n, inner @ ..]) => {
                if list.len() as u64 > *n {
                    return self.error("too many elements");
                }
                let stride = inner.iter().product::<u64>() * size;
                list.iter()
                    .enumerate()
                    .try_for_each(|(i, element)| self.fill(element, inner, at + i as u64 * stride))
            }
            (Init::List(_), []) => self.error("nested too deep"),
            (value, _) => {
                let bits = self.value(value)?;
                let (start, size) = (at as usize, (size as usize).min(8));
                match self.bytes.get_mut(start..start + size) {
                    Some(slot) => slot.copy_from_slice(&bits.to_le_bytes()[..size]),
                    None => return self.error("too many elements"),
                }
                Ok(())
            }
        }
    }

    fn value(&self, init: &Init) -> Result<u64, LoadError> {
        match (init, self.variable.ty) {
            (Init::Int(n), Ty::F32) => Ok(u64::from((*n as i64 as f32).to_bits())),
            (Init::Int(n), Ty::F64) => Ok((*n as i64 as f64).to_bits()),
            (Init::Int(n), _) => Ok(*n),
            (Init::Single(bits), Ty::F64) => Ok(f64::from(f32::from_bits(*bits)).to_bits()),
            (Init::Single(bits), _) => Ok(u64::from(*bits)),
            (Init::Double(bits), Ty::F32) => {
                Ok(u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            (Init::Double(bits), _) => Ok(*bits),
            (Init::Symbol(name, offset), _) => {
                let function = self
                    .module
                    .functions
                    .iter()
                    .position(|f| f.name == *name && f.body.is_some());
                let address = match (self.globals.get(name), function) {
                    (Some((address, _)), _) => *address,
                    (None, Some(index)) => lower::function_address(index),
                    (None, None) => return self.error(&format!("unknown name `{name}`")),
                };
                Ok(address.wrapping_add(*offset as u64))
            }
            (Init::List(_), _) => self.error("nested too deep"),
        }
    }
}
