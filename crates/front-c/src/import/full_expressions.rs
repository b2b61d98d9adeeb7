//! Places in the host's text in front of which a pass may want something done.
//!
//! ```text
//! if (step % 10 == 0)
//!     printf("%d\n", count());     `call @count` and `call @printf` have the place of `printf`
//! double t = clock_now(), u[2] = {f(0), f(1)};
//!            `call @clock_now` has its own; the calls in braces have none
//! ```
//! A place is where a full expression of C begins (C17, 6.8): what is put there, with a comma behind it, is done before anything in
//! the expression. An initialiser is an expression, too, unless it is a list in braces.
//!
//! A function has a place if nothing in it does more than its operations say: no pragma of somebody else that lets other threads go on,
//! and no other definition that the linker may prefer.

use super::functions::Module;
use crate::ast::node::NodeId;
use crate::text::stretches;
use accrue_dialects::{
    View,
    core::CoreOp,
    source::{PLACE, TextPlace},
};
use pliron::{context::Ptr, operation::Operation};

impl Module<'_> {
    /// Imports something of the full expression `expression` by `import`.
    pub(super) fn full_expression<T>(
        &mut self,
        expression: NodeId,
        import: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.on_device() {
            return import(self);
        }
        let begin = self.source.ast.node(expression).begin as usize;
        let place = TextPlace(self.source.carriers.to_preprocessed(begin) as u64);
        let outer = self.function.full_expression.replace(place);
        let imported = import(self);
        self.function.full_expression = outer;
        imported
    }

    /// Imports a statement, which may stand in an expression, by `import`.
    pub(super) fn outside_expressions<T>(&mut self, import: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.function.full_expression.take();
        let imported = import(self);
        self.function.full_expression = outer;
        imported
    }

    /// Gives an operation that may be more than the host's own work the place of its expression.
    pub(super) fn place_in_expression(&mut self, op: Ptr<Operation>) {
        let Some(place) = self.function.full_expression else {
            return;
        };
        let needs_place = match View::of(self.ctx, op) {
            View::Core(
                CoreOp::Call(_)
                | CoreOp::AtomicLoad(_)
                | CoreOp::AtomicStore(_)
                | CoreOp::AtomicUpdate(_)
                | CoreOp::LoadBits(_)
                | CoreOp::StoreBits(_),
            ) => true,
            View::Core(CoreOp::Load(load)) => load.is_volatile(self.ctx),
            View::Core(CoreOp::Store(store)) => store.is_volatile(self.ctx),
            View::Core(_) | View::Source(_) | View::Par(_) | View::Simt(_) | View::Other => false,
        };
        if needs_place {
            PLACE.set(self.ctx, op, place);
        }
    }

    /// Gives a function of the host the place of its body, if its operations are all that it does.
    pub(super) fn vouch_for(
        &mut self,
        function: Ptr<Operation>,
        declaration: NodeId,
        body: NodeId,
    ) {
        let ast = self.source.ast;
        let whole = ast.node(declaration).begin as usize..ast.node(body).end as usize;
        let inside = ast.node(body).begin as usize..ast.node(body).end as usize;
        let (whole, inside) = (self.preprocessed(whole), self.preprocessed(inside));
        if stretches::is_all_there_is(self.source.unit, &whole, &inside) {
            PLACE.set(self.ctx, function, TextPlace(inside.start as u64));
        }
    }
}
