//! Pointers in the initial values of variables that devices have for the whole program.
//!
//! ```text
//! static int a[4];
//! static int *p[2] = {a, a + 2};                 pointers of `p`: at 0 and 8, to a variable; `a` is declared with it
//! static const char *names[] = {"x", "yz"};      pointers of `names`: at 0 to 2 bytes, at 8 to 3 bytes
//! #pragma omp declare target enter(p, names)
//! ```
//! What they lead to is on the device as well (OpenMP 5.2, section 7.8.3: what such an initialiser names is declared with the variable),
//! and its copy there is what the device's pointers lead to. OpenACC has no such rule: pointers lead to what other directives declare.
//! Functions are told by the host's addresses ([`super::pointer_calls`]).
//!
//! Cost: each part of an initialiser is looked at once.

use super::data_clauses::Entry;
use super::directive::View;
use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::address::{self, StaticAddress};
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::types::{CType, TypeId};
use accrue_dialects::acc::{
    self, DataClause, DataInfo, INITIAL_POINTERS, InitialPointer, InitialPointers,
};

/// A pointer of an initial value.
struct Found {
    /// Where in the variable.
    offset: u64,
    leads_to: StaticAddress,
    /// Its initialiser.
    at: NodeId,
}

impl Module<'_> {
    /// Lets the entries about variables say which pointers are in their initial values; gives the variables that are declared with them.
    pub(super) fn initial_pointers(
        &mut self,
        view: &View<'_>,
        entries: &[(NodeId, Entry)],
    ) -> Result<Vec<(NodeId, Entry)>> {
        let mut implied = Vec::new();
        for (variable, entry) in entries {
            self.note_initial_pointers(view, *variable, entry, &mut implied)?;
        }
        // What they lead to may have pointers of its own.
        let mut next = 0;
        while let Some((variable, entry)) = implied.get(next).cloned() {
            self.note_initial_pointers(view, variable, &entry, &mut implied)?;
            next += 1;
        }
        Ok(implied)
    }

    fn note_initial_pointers(
        &mut self,
        view: &View<'_>,
        variable: NodeId,
        entry: &Entry,
        implied: &mut Vec<(NodeId, Entry)>,
    ) -> Result<()> {
        let Some(op) = entry.value.defining_op() else {
            return Ok(());
        };
        if entry.clause() != DataClause::Copyin {
            return Ok(());
        }
        let Some(initialiser) = self.static_initialiser(variable) else {
            return Ok(());
        };
        let mut found = Vec::new();
        self.find_pointers(initialiser, 0, &mut found)?;
        let mut pointers = Vec::new();
        for Found {
            offset,
            leads_to,
            at,
        } in found
        {
            let object = leads_to.object;
            let (before, bytes) = match self.source.ast.kind(object) {
                Kind::VarDecl => {
                    if view.scanned.directive.omp().is_some() {
                        implied.extend(self.implied_entry(object, at)?);
                    }
                    self.part_of_object(leads_to, at)
                        .map(|(before, _)| (before, 0))?
                }
                _ => {
                    self.no_pointers_inside(object, at)?;
                    self.part_of_object(leads_to, at)?
                }
            };
            pointers.push(InitialPointer {
                offset,
                before,
                bytes,
            });
        }
        if !pointers.is_empty() {
            INITIAL_POINTERS.set(self.ctx, op, InitialPointers(pointers));
        }
        Ok(())
    }

    /// The initialiser of a variable of the program, where the unit has one.
    pub(super) fn static_initialiser(&self, variable: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let variable = ast.canonical(variable);
        let mut declarations = ast.children(ast.root()).filter(|declaration| {
            ast.kind(*declaration) == Kind::VarDecl && ast.canonical(*declaration) == variable
        });
        declarations.find_map(|declaration| ast.initialiser(declaration))
    }

    fn find_pointers(
        &mut self,
        initialiser: NodeId,
        offset: u64,
        found: &mut Vec<Found>,
    ) -> Result<()> {
        let ast = self.source.ast;
        let ty = self.type_of(initialiser)?;
        match (ast.kind(initialiser), self.types.get(ty).clone()) {
            (
                Kind::ParenExpr
                | Kind::ConstantExpr
                | Kind::CompoundLiteralExpr
                | Kind::ImplicitCastExpr,
                CType::Record(_) | CType::Array { .. },
            ) => {
                let inner = self.child(initialiser, 0)?;
                self.find_pointers(inner, offset, found)
            }
            (Kind::InitListExpr, CType::Array { element, .. }) if self.is_number(element.ty) => {
                Ok(())
            }
            (Kind::InitListExpr, CType::Array { element, .. }) => {
                let size = self.bytes_of(element.ty, initialiser)?;
                for (index, item) in (0..).zip(self.items_of(initialiser)) {
                    self.find_pointers(item, offset + index * size, found)?;
                }
                Ok(())
            }
            (Kind::InitListExpr, CType::Record(declaration)) => {
                let layout = (self.types.layout(declaration))
                    .map_err(|e| Stop::at(initialiser, e.to_string()))?;
                for (index, item) in self.members_of(initialiser, &layout.record) {
                    let place = layout.places[index].bit / 8;
                    self.find_pointers(item, offset + place, found)?;
                }
                Ok(())
            }
            (Kind::InitListExpr, CType::Pointer(_)) => match ast.child(initialiser, 0) {
                Some(inner) => self.find_pointers(inner, offset, found),
                None => Ok(()),
            },
            (_, CType::Pointer(_)) => {
                let leads_to = address::pointer(&mut self.types, initialiser);
                found.extend(leads_to.map(|leads_to| Found {
                    offset,
                    leads_to,
                    at: initialiser,
                }));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The entry of a variable that is declared because a declared one leads to it, the first time.
    fn implied_entry(&mut self, variable: NodeId, at: NodeId) -> Result<Option<(NodeId, Entry)>> {
        let ast = self.source.ast;
        let variable = ast.canonical(variable);
        let ty = self.type_of(variable)?;
        let unknown = self.types.size_of(ty).is_err() || ast.node(variable).has(Flags::THREAD);
        if unknown || self.declared.contains_key(&variable) {
            return Ok(None);
        }
        self.declared.insert(variable, DataClause::Copyin);
        let address = self.global_address(variable, at)?;
        let shape = self.shape(ty, at)?;
        let mut info = DataInfo::new(DataClause::Copyin, ast.name(variable), shape);
        info.implicit = true;
        let op = acc::Copyin::new(self.ctx, info.clone(), address, vec![]);
        let value = self.emit_value(op);
        let entry = Entry::implied(value, address, info);
        Ok(Some((variable, entry)))
    }

    /// How far behind the beginning of its object an address is, and the bytes of the object.
    fn part_of_object(&mut self, address: StaticAddress, at: NodeId) -> Result<(u64, u64)> {
        let ty = self.type_of(address.object)?;
        // An array that another file defines may not say how long it is.
        let bytes = self.types.size_of(ty).unwrap_or(i64::MAX as u64);
        let before = u64::try_from(address.offset).ok();
        let before = before.filter(|before| *before <= bytes);
        before.map(|before| (before, bytes)).ok_or_else(|| {
            let text = "this initial value does not lead into the object that it names";
            Stop::at(at, text).help("initialise it when the program runs")
        })
    }

    /// Refuses compound literals with pointers: nothing names them.
    fn no_pointers_inside(&mut self, literal: NodeId, at: NodeId) -> Result<()> {
        if self.source.ast.kind(literal) != Kind::CompoundLiteralExpr {
            return Ok(());
        }
        let mut inside = Vec::new();
        self.find_pointers(literal, 0, &mut inside)?;
        inside.first().map_or(Ok(()), |pointer| {
            let text = "this pointer in an object without a name would lead to memory of the host on devices";
            Err(Stop::at(pointer.at, text)
                .related(at, "the object is reached from here")
                .help("make the object a variable"))
        })
    }

    /// Whether there are no pointers in what has this type: tables of numbers may be long.
    fn is_number(&self, ty: TypeId) -> bool {
        matches!(
            self.types.get(ty),
            CType::Bool | CType::Int { .. } | CType::Float(_) | CType::Complex(_) | CType::Enum(_)
        )
    }

    fn bytes_of(&mut self, ty: TypeId, at: NodeId) -> Result<u64> {
        let bytes = self.types.size_of(ty);
        bytes.map_err(|error| Stop::at(at, error.to_string()))
    }
}
