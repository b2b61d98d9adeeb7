//! Pass `heap-arrays`: arrays whose length is known at run time only get memory of the device's heap, on GPUs.
//!
//! Problem: threads and groups of a GPU have memory of a size that is known when the kernel is made. Variable-length arrays and what
//! `alloca` gives have none such; without this pass the region runs on the host.
//!
//! An array whose length is a constant after all (`const int n = 8; double a[n];`) is one of that length.
//!
//! Steps, for each function, and for each iteration of a loop that threads share, which has its own arrays:
//! 1. An array gets a variable for its address, null at first. Where it is declared, the memory that an earlier execution of the
//!    declaration got is freed, whose lifetime is over, and new one is taken.
//! 2. What `alloca` gives lasts as long as the function: each piece leads to the one before it, in 16 bytes in front of it.
//! 3. Where the function or the iteration ends, all is freed.
//! 4. If there is no memory left, the program ends as by `assert`.
//!
//! ```text
//! par.loop … {                              par.loop … { %s = core.alloca   core.store null, %s
//!   %t = core.alloca %n                  →    core.call @free(core.load %s)   %t = core.call @malloc(8 * %n)   core.store %t, %s
//!   … %t … }                                  … %t …   core.call @free(core.load %s) }
//! ```
//! Cost: two calls of the heap for each array, which takes hundreds of cycles, and is shared by all threads.

use accrue_dialects::{
    core::{
        Alloca, BinKind, Call, Cast, CastKind, CmpKind, Extern, ExternFunc, ExternTraits, Load,
        Loop, Null, Store, StringConst, VoidType, Yield,
        emit::Emitter,
        fold::{constant, constant_expression, known_expression},
        int,
        layout::{Records, records, size_of},
        pointee_of, pointer,
    },
    flow::Flow,
    par,
};
use accrue_ir::{
    build::{file, line_column},
    walk::{directly_in, enclosing, nested, nested_ops, ops_of_block, results_of},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::{SingleBlockRegionInterface, SymbolOpInterface},
        ops::{FuncOp, ModuleOp},
        types::FunctionType,
    },
    context::{Context, Ptr},
    identifier::Identifier,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashSet;
use std::convert::Infallible;

use crate::{State, transform::inline::device_functions};

/// What `alloca` is called.
const ALLOCA: [&str; 2] = ["alloca", "__builtin_alloca"];
/// Bytes in front of what `alloca` gives: blocks of the heap are aligned so, too.
const HEADER: i128 = 16;

/// Most bytes of an array of known length that is not in the heap.
const LARGEST: i128 = 64 << 10;

/// Gives arrays of kernels, and of what they call, memory of the heap.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.has_heap {
        return;
    }
    let records = records(ctx, module);
    let mut heap = Heap::new(ctx, module);
    for func in device_functions(ctx, module) {
        give_known_lengths(ctx, func, &records);
        for scope in scopes(ctx, func, &records) {
            heap.replace(ctx, &scope, &records);
        }
    }
}

/// Lengths that are constants become constants: those arrays need no heap.
fn give_known_lengths(ctx: &mut Context, function: FuncOp, records: &Records) {
    for array in nested::<Alloca>(ctx, function.get_operation()) {
        let count = array.count(ctx).filter(|_| !array.is_of_thread(ctx));
        let known = count.and_then(|count| length(ctx, count));
        let Some(known) = known.filter(|known| is_small(ctx, records, &array, Some(*known))) else {
            continue;
        };
        let op = array.get_operation();
        let known = Emitter::before(ctx, op).i64(known);
        Operation::replace_operand(op, ctx, 0, known);
    }
}

/// Whether a thread has memory of its own for an array of this length.
fn is_small(ctx: &Context, records: &Records, array: &Alloca, length: Option<i128>) -> bool {
    let size = size_of(ctx, records, array.var_type(ctx));
    let bytes = size
        .zip(length)
        .map(|(size, length)| i128::from(size) * length);
    bytes.is_some_and(|bytes| bytes > 0 && bytes <= LARGEST)
}

/// The number that is computed from constants, and from variables that only one constant is ever stored to.
fn length(ctx: &Context, count: Value) -> Option<i128> {
    known_expression(ctx, count, &|value| only_constant(ctx, value))
}

/// What a value is that is loaded from a variable to which only this is stored.
fn only_constant(ctx: &Context, value: Value) -> Option<i128> {
    let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
    let variable = load.get_operand_address(ctx);
    Operation::get_op::<Alloca>(variable.defining_op()?, ctx)?;
    let mut stored = None;
    for using in variable.uses(ctx) {
        let user = using.user_op();
        if Operation::is_op::<Load>(user, ctx) {
            continue;
        }
        let store = Operation::get_op::<Store>(user, ctx)?;
        if stored.is_some() || store.get_operand_address(ctx) != variable {
            return None;
        }
        stored = Some(store.get_operand_value(ctx));
    }
    constant_expression(ctx, stored?)
}

/// What has arrays of its own: a function, or an iteration of a loop that threads share.
struct Scope {
    function: FuncOp,
    /// The loop, or the function.
    around: Ptr<Operation>,
    block: Ptr<BasicBlock>,
    arrays: Vec<Alloca>,
    pieces: Vec<Call>,
}

/// The scopes of a function that have such arrays.
fn scopes(ctx: &Context, function: FuncOp, records: &Records) -> Vec<Scope> {
    let mut found: Vec<Scope> = vec![];
    let mut of = |op: Ptr<Operation>| -> usize {
        let mut shared = enclosing::<par::Loop>(ctx, op);
        while let Some(lp) = shared.filter(|lp| lp.levels(ctx).is_sequential()) {
            shared = enclosing::<par::Loop>(ctx, lp.get_operation());
        }
        let around = shared.map_or(function.get_operation(), |lp| lp.get_operation());
        let known = found.iter().position(|scope| scope.around == around);
        known.unwrap_or_else(|| {
            found.push(Scope {
                function,
                around,
                block: shared.map_or(function.get_entry_block(ctx), |lp| lp.get_body(ctx, 0)),
                arrays: vec![],
                pieces: vec![],
            });
            found.len() - 1
        })
    };
    let arrays = nested::<Alloca>(ctx, function.get_operation()).into_iter();
    let needs_heap = |it: &Alloca| {
        let count = it.count(ctx).filter(|_| !it.is_of_thread(ctx));
        count.is_some_and(|count| !is_small(ctx, records, it, constant(ctx, count)))
    };
    let arrays = arrays.filter(needs_heap);
    let arrays: Vec<_> = arrays.map(|it| (of(it.get_operation()), it)).collect();
    let calls = nested::<Call>(ctx, function.get_operation()).into_iter();
    let pieces = calls.filter(|call| ALLOCA.contains(&call.callee(ctx).as_str()));
    let pieces: Vec<_> = pieces.map(|it| (of(it.get_operation()), it)).collect();
    for (scope, array) in arrays {
        found[scope].arrays.push(array);
    }
    for (scope, piece) in pieces {
        found[scope].pieces.push(piece);
    }
    found
}

/// Where the scope ends: the operations that lead out of it.
fn ends(ctx: &Context, scope: &Scope) -> Vec<Ptr<Operation>> {
    let is_function = scope.around == scope.function.get_operation();
    let last = ops_of_block(ctx, scope.block).last().copied();
    let mut ends: Vec<_> = last.into_iter().collect();
    for op in nested_ops(ctx, scope.around) {
        let leaves = match Flow::of(ctx, op) {
            Flow::Return => is_function,
            Flow::Continue => loop_of(ctx, op) == Some(scope.around),
            Flow::Next
            | Flow::Once
            | Flow::If(_)
            | Flow::Switch(_)
            | Flow::Loop(_)
            | Flow::For(_)
            | Flow::Shared
            | Flow::Yield
            | Flow::Break => false,
        };
        if leaves && !ends.contains(&op) {
            ends.push(op);
        }
    }
    ends
}

/// The loop that a `core.continue` goes on with.
fn loop_of(ctx: &Context, op: Ptr<Operation>) -> Option<Ptr<Operation>> {
    let mut around = op.deref(ctx).get_parent_op(ctx);
    while let Some(at) = around {
        match Flow::of(ctx, at) {
            Flow::Loop(_) | Flow::For(_) | Flow::Shared => return Some(at),
            Flow::Next
            | Flow::Once
            | Flow::If(_)
            | Flow::Switch(_)
            | Flow::Yield
            | Flow::Break
            | Flow::Continue
            | Flow::Return => around = at.deref(ctx).get_parent_op(ctx),
        }
    }
    None
}

/// The functions of the heap, as far as the module declares them.
struct Heap {
    module: ModuleOp,
    declared: HashSet<String>,
    /// `void *`, as these functions have it.
    anything: TypeHandle,
}

impl Heap {
    fn new(ctx: &mut Context, module: ModuleOp) -> Heap {
        let declared = directly_in::<ExternFunc>(ctx, module.get_operation()).into_iter();
        let declared = declared.map(|it| it.get_symbol_name(ctx).to_string());
        let declared = declared.collect();
        let void = VoidType::get(ctx).into();
        Heap {
            module,
            declared,
            anything: pointer(ctx, void),
        }
    }

    fn replace(&mut self, ctx: &mut Context, scope: &Scope, records: &Records) {
        let ends = ends(ctx, scope);
        let slots: Vec<Value> = scope.arrays.iter().map(|_| self.slot(ctx, scope)).collect();
        for (array, slot) in scope.arrays.iter().zip(&slots) {
            self.take_array(ctx, *array, *slot, records);
        }
        let list = (!scope.pieces.is_empty()).then(|| self.slot(ctx, scope));
        for (piece, list) in scope.pieces.iter().zip(list.iter().cycle()) {
            self.take_piece(ctx, *piece, *list);
        }
        for end in ends {
            let mut e = Emitter::before(ctx, end);
            for slot in &slots {
                let address = e.load(*slot);
                self.free(&mut e, address);
            }
            if let Some(list) = list {
                self.free_list(&mut e, list);
            }
        }
    }

    /// A variable of the scope for an address, null at first.
    fn slot(&self, ctx: &mut Context, scope: &Scope) -> Value {
        let first = ops_of_block(ctx, scope.block).first().copied();
        let mut e = Emitter::before(ctx, first.unwrap_or(scope.around));
        let slot = e.alloca(self.anything, None);
        let null = e.make(|ctx| Null::new(ctx, self.anything));
        e.store(null, slot);
        slot
    }

    fn take_array(&mut self, ctx: &mut Context, array: Alloca, slot: Value, records: &Records) {
        let element = array.var_type(ctx);
        let (Some(count), Some(size)) = (array.count(ctx), size_of(ctx, records, element)) else {
            return;
        };
        let name = array.variable(ctx).map_or_else(String::new, |it| it.name);
        let op = array.get_operation();
        let mut e = Emitter::before(ctx, op);
        let old = e.load(slot);
        self.free(&mut e, old);
        let count = e.widen(count, false);
        let size = e.i64(i128::from(size));
        let bytes = e.bin(BinKind::MulS, count, size);
        let memory = self.take(&mut e, bytes, op, &name);
        e.store(memory, slot);
        give(&mut e, op, memory);
    }

    fn take_piece(&mut self, ctx: &mut Context, piece: Call, list: Value) {
        let op = piece.get_operation();
        let bytes = op.deref(ctx).get_operand(0);
        let mut e = Emitter::before(ctx, op);
        let bytes = e.widen(bytes, true);
        let header = e.i64(HEADER);
        let all = e.bin(BinKind::Add, bytes, header);
        let memory = self.take(&mut e, all, op, "alloca");
        let before = e.load(list);
        let anything = pointer(e.ctx, self.anything);
        let link = e.make(|ctx| Cast::new(ctx, CastKind::PtrCast, memory, anything));
        e.store(before, link);
        e.store(memory, list);
        let byte = int(e.ctx, 8);
        let byte = pointer(e.ctx, byte);
        let start = e.make(|ctx| Cast::new(ctx, CastKind::PtrCast, memory, byte));
        let usable = e.ptr_add(start, header);
        give(&mut e, op, usable);
    }

    /// Memory, or the end of the program.
    fn take(&mut self, e: &mut Emitter, bytes: Value, op: Ptr<Operation>, name: &str) -> Value {
        let one = e.i64(1);
        let bytes = e.bin(BinKind::MaxS, bytes, one);
        let i64_ = int(e.ctx, 64);
        let traits = ExternTraits {
            allocates: true,
            ..ExternTraits::default()
        };
        let memory = self.call(
            e,
            "malloc",
            vec![bytes],
            vec![i64_],
            Some(self.anything),
            traits,
        );
        let Some(memory) = memory else {
            return bytes;
        };
        let null = e.make(|ctx| Null::new(ctx, self.anything));
        let failed = e.cmp(CmpKind::Eq, memory, null);
        let Ok(_) = e.when::<Infallible>(failed, |e| {
            self.complain(e, op, name);
            Ok(())
        });
        memory
    }

    /// Ends the program: there is no memory for the array.
    fn complain(&mut self, e: &mut Emitter, op: Ptr<Operation>, name: &str) {
        let what = match name {
            "" => "there is memory for the array".to_string(),
            name => format!("there is memory for `{name}`"),
        };
        let (path, line) = place_of(e.ctx, op);
        let byte = int(e.ctx, 8);
        let text = pointer(e.ctx, byte);
        let string = |e: &mut Emitter, of: &str| {
            let bytes = e.make(|ctx| StringConst::new(ctx, of.as_bytes()));
            match bytes.get_type(e.ctx) == text {
                true => bytes,
                false => e.make(|ctx| Cast::new(ctx, CastKind::PtrCast, bytes, text)),
            }
        };
        let (what, path) = (string(e, &what), string(e, &path));
        let function = string(e, "");
        let line = e.int(32, i128::from(line));
        let i32_ = int(e.ctx, 32);
        let types = vec![text, text, i32_, text];
        let operands = vec![what, path, line, function];
        self.call(
            e,
            "__assert_fail",
            operands,
            types,
            None,
            ExternTraits::default(),
        );
    }

    fn free(&mut self, e: &mut Emitter, address: Value) {
        let types = vec![self.anything];
        self.call(
            e,
            "free",
            vec![address],
            types,
            None,
            ExternTraits::default(),
        );
    }

    /// Frees all that a list leads to.
    fn free_list(&mut self, e: &mut Emitter, list: Value) {
        let (op, blocks) = Loop::new(e.ctx, false);
        e.push(op);
        let model = op.get_operation();
        let mut at = Emitter::at_end_of(e.ctx, blocks.cond, model);
        let first = at.load(list);
        let null = at.make(|ctx| Null::new(ctx, self.anything));
        let more = at.cmp(CmpKind::Ne, first, null);
        at.op(|ctx| Yield::new(ctx, vec![more]));
        let mut at = Emitter::at_end_of(e.ctx, blocks.body, model);
        let first = at.load(list);
        let anything = pointer(at.ctx, self.anything);
        let link = at.make(|ctx| Cast::new(ctx, CastKind::PtrCast, first, anything));
        let next = at.load(link);
        at.store(next, list);
        self.free(&mut at, first);
        at.op(|ctx| Yield::new(ctx, vec![]));
        let mut at = Emitter::at_end_of(e.ctx, blocks.step, model);
        at.op(|ctx| Yield::new(ctx, vec![]));
    }

    /// Calls a function of the C library.
    fn call(
        &mut self,
        e: &mut Emitter,
        name: &str,
        operands: Vec<Value>,
        types: Vec<TypeHandle>,
        result: Option<TypeHandle>,
        traits: ExternTraits,
    ) -> Option<Value> {
        let callee = Identifier::try_new(name.to_string()).ok()?;
        if self.declared.insert(name.to_string()) {
            let results = result.into_iter().collect();
            let declared = Extern {
                ty: FunctionType::get(e.ctx, types, results).into(),
                traits,
                known: None,
            };
            let declaration = ExternFunc::new(e.ctx, callee.clone(), declared);
            let body = self.module.get_body(e.ctx, 0);
            declaration.get_operation().insert_at_back(body, e.ctx);
        }
        let call = Call::new(e.ctx, callee, operands, result);
        e.push(call);
        results_of(e.ctx, call.get_operation()).first().copied()
    }
}

/// File and line of an operation in the source.
fn place_of(ctx: &Context, op: Ptr<Operation>) -> (String, u32) {
    let op = op.deref(ctx);
    let place = &op.loc();
    let path = file(ctx, place).map_or_else(String::new, |it| it.display().to_string());
    (path, line_column(place).map_or(0, |(line, _)| line))
}

/// Uses `memory` in the place of what `op` gives, and takes that away.
fn give(e: &mut Emitter, op: Ptr<Operation>, memory: Value) {
    for old in results_of(e.ctx, op) {
        let ty = old.get_type(e.ctx);
        let new = match pointee_of(e.ctx, ty).is_some() && memory.get_type(e.ctx) != ty {
            true => e.make(|ctx| Cast::new(ctx, CastKind::PtrCast, memory, ty)),
            false => memory,
        };
        old.replace_all_uses_with(e.ctx, &new);
    }
    Operation::erase(op, e.ctx);
}
