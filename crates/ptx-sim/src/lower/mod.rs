//! Module → `Program`, one per kernel.
//!
//! 1. `reach`: which functions and shared variables the kernel needs; shared variables get their places.
//! 2. `function`: each function's names are resolved, and its instructions (`instruction`, `call`) become `Op`s.
//! 3. `flow`: every branch gets the place where its lanes meet again.
//!
//! ```text
//! @%p1 bra $L1;            Branch { target: 7, join: 9 }, guard %p1
//! add.s32 %r3, %r1, 8;     Alu { run: add at s32, d: 2, a: register 0, b: constant 1 }
//! ```

mod async_copy;
mod call;
mod flow;
mod function;
mod instruction;
mod memory;
mod operands;
mod reach;
mod sync;
mod wide;

use crate::{
    LoadError, Place, Space,
    alu::{Row, Src},
    ast::{Module, Single},
    program::{Function, Inst, Program},
};
use reach::Reach;
use std::collections::HashMap;

pub use function::{function_address, param_offsets};

/// Addresses of the module's `.global` and `.const` variables.
pub type Globals = HashMap<String, (u64, Space)>;

/// Makes a kernel (`root` is its index in `module.functions`) ready to run.
pub fn program(module: &Module, globals: &Globals, root: usize) -> Result<Program, LoadError> {
    let reach = reach::reach(module, root)?;
    let mut lowering = Lowering {
        module,
        globals,
        code: Vec::new(),
        place_of: Vec::new(),
        single_of: Vec::new(),
        places: Vec::new(),
        place_index: HashMap::new(),
        constants: Vec::new(),
        constant_index: HashMap::new(),
        slots: 0,
        reach: &reach,
    };
    let mut functions: Vec<Function> = Vec::new();
    for index in &reach.functions {
        functions.push(function::lower(&mut lowering, *index)?);
    }
    let Lowering {
        code,
        place_of,
        single_of,
        places,
        constants,
        slots,
        ..
    } = lowering;
    Ok(Program {
        code,
        place_of,
        single_of,
        places,
        constants: constants.into(),
        functions,
        static_shared: reach.static_shared,
        shared_variables: reach.shared_variables,
        slots,
    })
}

/// What the functions of a program have in common while they are lowered.
struct Lowering<'m> {
    module: &'m Module,
    globals: &'m Globals,
    reach: &'m Reach,
    code: Vec<Inst>,
    place_of: Vec<u32>,
    single_of: Vec<Single>,
    places: Vec<Place>,
    place_index: HashMap<Place, u32>,
    constants: Vec<Row>,
    constant_index: HashMap<u64, u32>,
    slots: u32,
}

impl Lowering<'_> {
    fn constant(&mut self, value: u64) -> Src {
        let constants = &mut self.constants;
        let index = *self.constant_index.entry(value).or_insert_with(|| {
            constants.push([value; 32]);
            constants.len() as u32 - 1
        });
        Src::constant(index)
    }

    fn place(&mut self, place: Place) -> u32 {
        if let Some(index) = self.place_index.get(&place) {
            return *index;
        }
        let index = self.places.len() as u32;
        self.places.push(place.clone());
        self.place_index.insert(place, index);
        index
    }
}
