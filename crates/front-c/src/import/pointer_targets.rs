//! Which functions a call through a pointer may call: those whose address the file takes, and whose type fits that of the call.
//!
//! ```text
//! static int (*const table[])(int) = {one, &two};      one, two     their addresses are taken
//! f = three;   four(4);                                three        four is only called
//! int (*g)(double) = five;   table[i](x);              one, two, three: five has another parameter
//! ```
//! Steps: one walk over the tree, once, finds whose address is taken; what devices cannot have is left out. Each call then looks at the
//! types of these. Types fit if they are the same but for signs and qualifiers: more than C allows, which costs a comparison.

use super::functions::Module;
use super::library;
use super::types::Scalar;
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::{CType, TypeId};
use std::collections::HashSet;
use std::rc::Rc;

impl Module<'_> {
    /// What a call through a pointer may call, in the order of the file: what fits of the functions whose address is taken.
    pub(super) fn targets_of(&mut self, call: NodeId) -> Vec<NodeId> {
        let taken = self.functions_with_address();
        let Some(wanted) = self.type_of_call(call) else {
            return Vec::new();
        };
        let arguments: Vec<NodeId> = self.source.ast.children(call).skip(1).collect();
        let arguments = arguments.into_iter();
        let arguments: Vec<TypeId> = arguments.filter_map(|it| self.type_of(it).ok()).collect();
        let mut targets = taken.to_vec();
        targets.retain(|function| {
            // The definition knows the parameters also where the first declaration does not.
            let declaration = self.definition(*function).unwrap_or(*function);
            self.type_of(declaration)
                .is_ok_and(|ty| self.fits(wanted, &arguments, ty))
        });
        targets
    }

    /// The type of the function that a call calls.
    fn type_of_call(&mut self, call: NodeId) -> Option<TypeId> {
        let callee = self.child(call, 0).ok()?;
        let ty = self.type_of(callee).ok()?;
        match self.types.pointee(ty) {
            Some(target) => Some(target.ty),
            None => Some(ty),
        }
    }

    /// The functions whose address the file takes, and that devices may have, once somebody asks.
    fn functions_with_address(&mut self) -> Rc<Vec<NodeId>> {
        if let Some(known) = &self.with_address {
            return known.clone();
        }
        let ast = self.source.ast;
        let mut taken = HashSet::new();
        let mut pending: Vec<NodeId> = ast.children(ast.root()).collect();
        while let Some(node) = pending.pop() {
            match ast.kind(node) {
                // The arguments of directives.
                Kind::StaticAssertDecl => continue,
                Kind::CallExpr if !self.is_pointer_call(node) => {
                    pending.extend(ast.children(node).skip(1));
                    continue;
                }
                Kind::DeclRefExpr => {
                    let function = ast.referenced(node).map(|it| ast.canonical(it));
                    taken.extend(function.filter(|it| ast.kind(*it) == Kind::FunctionDecl));
                }
                _ => {}
            }
            pending.extend(ast.children(node));
        }
        let functions = ast.children(ast.root()).filter(|declaration| {
            ast.kind(*declaration) == Kind::FunctionDecl
                && ast.canonical(*declaration) == *declaration
        });
        let functions = functions.filter(|function| {
            let name = ast.name(*function);
            let on_devices = self.definition(*function).is_some()
                || self.is_foreign(*function)
                || library::is_known(name) && !library::is_jump(name);
            on_devices && (taken.contains(function) || self.source.carriers.is_unread(name))
        });
        let found = Rc::new(functions.collect::<Vec<_>>());
        self.with_address = Some(found.clone());
        found
    }

    /// Whether a function of type `found` may be called as one of type `wanted`, with arguments of these types. What C forbids may be
    /// among them.
    fn fits(&mut self, wanted: TypeId, arguments: &[TypeId], found: TypeId) -> bool {
        let (wanted, found) = (
            self.types.get(wanted).clone(),
            self.types.get(found).clone(),
        );
        let (
            CType::Function {
                result,
                parameters,
                variadic,
            },
            CType::Function {
                result: found_result,
                parameters: found_parameters,
                variadic: found_variadic,
            },
        ) = (wanted, found)
        else {
            return false;
        };
        if found_variadic && !found_parameters.is_empty()
            || !self.is_alike(result.ty, found_result.ty)
        {
            return false;
        }
        let wanted: Vec<TypeId> = match variadic && parameters.is_empty() {
            // Declared without parameters: the call says which.
            true => arguments.to_vec(),
            false => parameters.iter().map(|it| it.ty).collect(),
        };
        let mut pairs = wanted.iter().zip(&found_parameters);
        wanted.len() == found_parameters.len() && pairs.all(|(a, b)| self.is_alike(*a, b.ty))
    }

    /// Whether two types are the same but for signs and qualifiers; what pointers lead to may be anything behind `void *`.
    fn is_alike(&mut self, one: TypeId, other: TypeId) -> bool {
        let (Some(first), Some(second)) = (self.scalar(one), self.scalar(other)) else {
            return match (self.types.get(one), self.types.get(other)) {
                (CType::Void, CType::Void) => true,
                (CType::Record(one), CType::Record(other)) => {
                    self.source.ast.canonical(*one) == self.source.ast.canonical(*other)
                }
                (one, other) => one == other,
            };
        };
        match (first, second) {
            (Scalar::Int { bits, .. }, Scalar::Int { bits: others, .. }) => bits == others,
            (Scalar::Pointer, Scalar::Pointer) => {
                let (Some(one), Some(other)) = (self.types.pointee(one), self.types.pointee(other))
                else {
                    return true;
                };
                self.is_void(one.ty) || self.is_void(other.ty) || self.is_alike(one.ty, other.ty)
            }
            (
                Scalar::Bool
                | Scalar::Int { .. }
                | Scalar::Float(_)
                | Scalar::Complex(_)
                | Scalar::Pointer,
                _,
            ) => first == second,
        }
    }
}
