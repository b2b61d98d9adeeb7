//! Which functions are imported, and how.
//!
//! Host functions are those that contain directives with an effect of their own. Device functions
//! are those that a compute construct calls, and those that device functions call, as far as their
//! bodies are in the unit. A function may be both: then it must be understood completely.
//!
//! A device thread that meets a `data` construct or an `update` shares the memory of the device that these are about, and has
//! no queues (2.6): they do nothing there. A function with such directives that regions call is imported twice:
//!
//! ```text
//! void f(int *p) {              func @f               { p[0]++ }                        what devices run
//! #pragma acc data copy(a)  →
//!   p[0]++; }                   func @__accrue_host_f { acc.data copy(a) { p[0]++ } }   for the sites of its directives
//! ```

use super::omp::variants::Variant;
use super::reach::{Calls, Contents, callers_of_directives};
use super::routines::RoutineInfo;
use super::state::{Function, Homes, Stop, Variable, Variables};
use super::symbols::identifier;
use super::{FunctionAddress, Imported, Source, Wanted, library};
use crate::ast::carrier::unread;
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::types::{CType, QualType, Types};
use accrue_diag::{Diagnostic, has_errors};
use accrue_dialects::acc::{self, DataClause};
use accrue_dialects::core::{self, Extern, InitialValues};
use accrue_directives::{AnyDirective, DirectiveKind};
use pliron::basic_block::BasicBlock;
use pliron::builtin::attributes::StringAttr;
use pliron::builtin::op_interfaces::SingleBlockRegionInterface;
use pliron::builtin::ops::{FuncOp, ModuleOp};
use pliron::context::{Context, Ptr};
use pliron::identifier::Identifier;
use pliron::linked_list::ContainsLinkedList;
use pliron::location::Location;
use pliron::op::Op;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The import of one unit.
pub struct Module<'a> {
    pub(super) ctx: &'a mut Context,
    pub(super) source: Source<'a>,
    pub(super) types: Types<'a>,
    /// The module's block.
    pub(super) body: Ptr<BasicBlock>,
    pub(super) module: ModuleOp,
    pub(super) messages: Vec<Diagnostic>,
    /// Tags of the records seen, by declaration.
    pub(super) record_tags: HashMap<NodeId, String>,
    /// Records, enumerations and constants of enumerations that regions and clauses use.
    pub(super) used: BTreeSet<NodeId>,
    /// Functions called.
    pub(super) called: BTreeMap<String, Extern>,
    /// Those among them whose bodies for devices are in other units: a declaration of each.
    pub(super) foreign: BTreeMap<String, NodeId>,
    /// Definitions by first declaration.
    definitions: HashMap<NodeId, NodeId>,
    /// What `routine` directives say, by the name of the function.
    pub(super) routines: HashMap<String, RoutineInfo>,
    /// The functions that `declare target` directives name.
    pub(super) targets: HashSet<String>,
    /// What `declare variant` directives say.
    pub(super) variants: Vec<Variant>,
    /// What `declare` directives outside of functions say, by the first declaration of the variable.
    pub(super) declared: HashMap<NodeId, DataClause>,
    /// What constant variables of the file hold, as far as somebody has asked.
    pub(super) initial_values: HashMap<NodeId, Option<InitialValues>>,
    /// The variables of all `declare` directives by function (its body) and first declaration: the directive, and the place in it.
    pub(super) declared_at: HashMap<(Option<NodeId>, NodeId), (u32, NodeId)>,
    /// The variables that the unit defines or uses, once somebody asks.
    pub(super) own_data: Option<Rc<HashSet<NodeId>>>,
    pub(super) renamed: Vec<crate::text::shadows::Renamed>,
    /// The functions whose addresses regions need.
    pub(super) addresses: BTreeSet<FunctionAddress>,
    /// The functions whose address the file takes, once somebody asks.
    pub(super) with_address: Option<Rc<Vec<NodeId>>>,
    /// The variables whose address the file takes, once somebody asks.
    pub(super) addressed: Option<Rc<HashSet<NodeId>>>,
    pub(super) function: Function,
    pub(super) location: Location,
}

/// For whom a function is imported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// For the sites of its directives: the host's compiler makes the code.
    Host,
    /// The same, beside one for devices.
    HostBeside,
    /// To be run on devices, and for the sites of its directives.
    Device,
}

impl<'a> Module<'a> {
    pub(super) fn new(ctx: &'a mut Context, source: Source<'a>, mut types: Types<'a>) -> Self {
        let module = ModuleOp::new(ctx, identifier(source.name));
        if let Some(unit) = source.unit_number {
            core::UNIT.set(ctx, module.get_operation(), StringAttr::new(unit.into()));
        }
        core::DATA_LAYOUT.set(ctx, module.get_operation(), core::DataLayout::LP64);
        core::ALIASING.set(ctx, module.get_operation(), aliasing(&source));
        if matches!(source.wanted, Wanted::Routines(_)) {
            accrue_dialects::omp::FOR_OTHERS.set(ctx, module.get_operation(), true.into());
        }
        let body = module.get_body(ctx, 0);
        let function = Function {
            strict: false,
            block: body,
            homes: Homes::all(body),
            terminated: false,
            variables: Variables::default(),
            construct: 0,
            constructs: 0,
            offers_loops: false,
            in_loop: false,
            compute: None,
            openmp: false,
            around: Vec::new(),
            shared: HashSet::new(),
            full_expression: None,
            nest: Vec::new(),
            labels: Vec::new(),
            scans: Vec::new(),
            pending: Vec::new(),
            scopes: Vec::new(),
            result: QualType::from(types.intern(CType::Void)),
            result_address: None,
            has_labels: false,
            common: Vec::new(),
            changed: None,
            used_outside_loops: None,
            reachable: None,
            in_data_clauses: HashSet::new(),
            body: source.ast.root(),
        };
        Module {
            ctx,
            source,
            types,
            body,
            module,
            messages: Vec::new(),
            record_tags: HashMap::new(),
            used: BTreeSet::new(),
            called: BTreeMap::new(),
            foreign: BTreeMap::new(),
            definitions: HashMap::new(),
            routines: HashMap::new(),
            targets: HashSet::new(),
            variants: Vec::new(),
            declared: HashMap::new(),
            initial_values: HashMap::new(),
            declared_at: HashMap::new(),
            own_data: None,
            renamed: Vec::new(),
            addresses: BTreeSet::new(),
            with_address: None,
            addressed: None,
            function,
            location: Location::Unknown,
        }
    }

    /// Imports everything that is to be imported.
    pub(super) fn import(mut self) -> Result<Imported, Vec<Diagnostic>> {
        let ast = self.source.ast;
        let mut functions = Vec::new();
        self.read_routines();
        self.read_variants();
        for declaration in ast.children(ast.root()) {
            if ast.kind(declaration) == Kind::FunctionDecl
                && self.has_body(declaration)
                && !self.is_library_inline(declaration)
            {
                self.definitions
                    .insert(ast.canonical(declaration), declaration);
                functions.push(declaration);
            }
        }
        let mut contents: HashMap<NodeId, Contents> = HashMap::new();
        for function in &functions {
            let found = self.contents(*function);
            contents.insert(*function, found);
        }
        let wanted = self.source.wanted;
        let of_devices = |calls| match wanted {
            Wanted::OfUnit => self.reachable_from_regions(&functions, &contents, calls),
            Wanted::Routines(names) => {
                self.reachable_from_routines(names, &functions, &contents, calls)
            }
        };
        let (on_device, called) = (of_devices(Calls::All), of_devices(Calls::ByName));
        let routines = self.routines_for_others(&functions);
        let callers = callers_of_directives(&contents);
        for function in functions {
            let Some(found) = contents.get(&function) else {
                continue;
            };
            let of_unit = wanted == Wanted::OfUnit;
            let versions: &[Version] = match (on_device.contains(&function), found.executable) {
                (true, _) if found.for_the_host && of_unit => {
                    &[Version::Device, Version::HostBeside]
                }
                (true, _) => &[Version::Device],
                (false, true) if of_unit => &[Version::Host],
                (false, false) if of_unit && callers.contains(&function) => &[Version::Host],
                (false, _) => &[],
            };
            for version in versions {
                let before = self.body.deref(self.ctx).get_tail();
                let said = self.messages.len();
                let imported = self.import_function(function, *version);
                let fails = imported.is_err() || has_errors(&self.messages[said..]);
                let is_wanted = called.contains(&function)
                    || self.routines.contains_key(ast.name(function))
                    || self.targets.contains(ast.name(function));
                if fails
                    && *version == Version::Device
                    && !is_wanted
                    && !self.source.carriers.wants_whole()
                {
                    self.messages.truncate(said);
                    self.forget_behind(before);
                    self.import_failing(function);
                    continue;
                }
                match imported {
                    Err(_) if !found.executable && *version == Version::Host => {
                        self.forget_behind(before);
                    }
                    Err(stop) => self.report(stop),
                    Ok(()) => {}
                }
            }
        }
        if has_errors(&self.messages) {
            return Err(self.messages);
        }
        self.declare_called();
        Ok(Imported {
            renamed: std::mem::take(&mut self.renamed),
            addresses: std::mem::take(&mut self.addresses),
            assertions: self.assertions(),
            module: self.module,
            routines,
        })
    }

    /// The definition of the function that `declaration` declares, if it is in the unit.
    pub(super) fn definition(&self, declaration: NodeId) -> Option<NodeId> {
        self.definitions
            .get(&self.source.ast.canonical(declaration))
            .copied()
    }

    /// The definition of the function with that name.
    pub(super) fn definition_named(&self, name: &str) -> Option<NodeId> {
        let mut all = self.definitions.values().copied();
        all.find(|definition| self.source.ast.name(*definition) == name)
    }

    /// True for definitions whose body clang was given to read.
    fn has_body(&self, declaration: NodeId) -> bool {
        let ast = self.source.ast;
        let end = |body| ast.node(body).end as usize;
        ast.body(declaration)
            .is_some_and(|body| self.source.carriers.is_read(end(body)))
    }

    /// True for the C library's inline versions of functions that every device has: they use what only the host has, such
    /// as `stdout` and tables of characters.
    fn is_library_inline(&self, definition: NodeId) -> bool {
        let ast = self.source.ast;
        let at = ast.node(definition).at as usize;
        library::is_known(ast.name(definition))
            && self
                .source
                .unit
                .lines
                .in_system_header(self.source.carriers.to_preprocessed(at))
    }

    /// True when a device may call the function though its body is not in the unit: it is of a
    /// library.
    pub(super) fn may_be_called(&self, declaration: NodeId) -> bool {
        let ast = self.source.ast;
        let node = ast.node(declaration);
        let name = ast.name(declaration);
        let at = self.source.carriers.to_preprocessed(node.at as usize);
        node.has(Flags::IMPLICIT)
            || library::is_known(name)
            || self.source.unit.lines.in_system_header(at)
    }

    fn import_function(
        &mut self,
        declaration: NodeId,
        version: Version,
    ) -> super::state::Result<()> {
        let ast = self.source.ast;
        let Some(body) = ast.body(declaration) else {
            return Ok(());
        };
        if version == Version::Device {
            self.no_host_directives(body);
        }
        let parameters: Vec<NodeId> = ast.parameters(declaration).collect();
        let block = self.begin_function(declaration, body, version)?;
        self.import_parameters(block, &parameters)?;
        self.statement(body);
        self.end_function(body)
    }

    /// Makes a function whose body is still empty, and gives its block.
    fn begin_function(
        &mut self,
        declaration: NodeId,
        body: NodeId,
        version: Version,
    ) -> super::state::Result<Ptr<BasicBlock>> {
        let ast = self.source.ast;
        let strict = version == Version::Device;
        self.locate(declaration);
        let ty = self.type_of(declaration)?;
        let CType::Function {
            result, variadic, ..
        } = self.types.get(ty).clone()
        else {
            return Err(Stop::at(
                declaration,
                "this function's type is not understood",
            ));
        };
        let parameters: Vec<NodeId> = ast.parameters(declaration).collect();
        if strict && variadic && !parameters.is_empty() {
            return Err(
                Stop::at(declaration, "a device cannot call a function with `...`")
                    .help("pass the arguments one by one, or in an array"),
            );
        }
        let mut parameter_types = Vec::new();
        for parameter in &parameters {
            parameter_types.push(self.type_of(*parameter)?);
        }
        let (arguments, results) = self.function_type(result.ty, &parameter_types, declaration)?;
        let signature = self.function_handle(arguments, results);
        let prefix = match version {
            Version::Host | Version::Device => "",
            Version::HostBeside => acc::HOST_VERSION,
        };
        let name = format!("{prefix}{}", ast.name(declaration));
        let name = self.symbol_of(declaration, &name, declaration)?;
        let function = FuncOp::new(self.ctx, name, signature);
        function
            .get_operation()
            .deref_mut(self.ctx)
            .set_loc(self.location.clone());
        function.get_operation().insert_at_back(self.body, self.ctx);
        if let Some(info) = self.routines.get(ast.name(declaration))
            && version != Version::HostBeside
        {
            acc::set_routine(self.ctx, &function, info.levels.clone());
            if info.nohost {
                self.hint(acc::HintKind::Nohost, function.get_operation());
            }
        }
        if !strict {
            self.vouch_for(function.get_operation(), declaration, body);
        }
        let around = match strict {
            true => self.constructs_of_function(declaration),
            false => Vec::new(),
        };
        let block = function.get_entry_block(self.ctx);
        let mut has_labels = false;
        ast.walk(body, &mut |id| {
            // Code that was not read may have labels and jumps.
            has_labels |= ast.kind(id) == Kind::LabelStmt
                || ast.kind(id) == Kind::CallExpr && unread(&mut self.types, id).is_some();
            true
        });
        self.function = Function {
            strict,
            block,
            homes: Homes::all(block),
            terminated: false,
            variables: Variables::default(),
            construct: 0,
            constructs: 0,
            offers_loops: false,
            in_loop: false,
            compute: None,
            openmp: false,
            around,
            shared: HashSet::new(),
            full_expression: None,
            nest: Vec::new(),
            labels: Vec::new(),
            scans: Vec::new(),
            pending: Vec::new(),
            scopes: Vec::new(),
            result,
            result_address: None,
            has_labels,
            common: Vec::new(),
            changed: None,
            used_outside_loops: None,
            reachable: None,
            in_data_clauses: HashSet::new(),
            body,
        };
        Ok(block)
    }

    /// A function that only pointers lead to, and that devices cannot run: whoever calls it there ends the program.
    fn import_failing(&mut self, declaration: NodeId) {
        let ast = self.source.ast;
        let Some(body) = ast.body(declaration) else {
            return;
        };
        let made = self.begin_function(declaration, body, Version::Device);
        let name = ast.name(declaration);
        let text = format!("a device can run `{name}`");
        let ended = made.and_then(|_| {
            self.failing_assertion(declaration, &text)?;
            self.end_function(body)
        });
        if let Err(stop) = ended {
            self.report(stop);
        }
    }

    /// Parameters become variables: each argument is stored into one of the parameter's name.
    fn import_parameters(
        &mut self,
        block: Ptr<BasicBlock>,
        parameters: &[NodeId],
    ) -> super::state::Result<()> {
        let values: Vec<_> = block.deref(self.ctx).arguments().collect();
        let mut values = values.into_iter();
        if self.is_record(self.function.result.ty) {
            self.function.result_address = values.next();
        }
        for (parameter, value) in parameters.iter().zip(values) {
            let ty = self
                .types
                .of(*parameter)
                .map_err(|e| Stop::at(*parameter, e.to_string()))?;
            let name = self.source.ast.name(*parameter);
            let record = self.is_record(ty.ty);
            let address = if record && self.function.strict {
                // The callee owns the temporary it is given.
                value
            } else {
                let ir = self.ir_type(ty.ty, *parameter)?;
                let user = self.user_variable(name, ty.ty, *parameter)?;
                let variable = core::Alloca::new(self.ctx, ir, Some(user));
                if ty.is_restrict {
                    variable.set_leads_apart(self.ctx);
                }
                let address = self.emit_value(variable);
                if record {
                    let copy = core::Copy::new(self.ctx, address, value);
                    self.emit(copy);
                } else {
                    self.store(value, address, false);
                }
                address
            };
            let construct = self.function.construct;
            let variable = Variable {
                address,
                ty,
                dims: Vec::new(),
                construct,
            };
            self.function.variables.insert(*parameter, variable);
        }
        // Dimensions may name any of the parameters.
        for parameter in parameters {
            let dims = self.declared_dims(*parameter)?;
            if let Some(variable) = self.function.variables.get_mut(parameter) {
                variable.dims = dims;
            }
        }
        Ok(())
    }

    /// Ends a function that runs off its end.
    fn end_function(&mut self, body: NodeId) -> super::state::Result<()> {
        if self.function.terminated {
            return Ok(());
        }
        let result = self.function.result.ty;
        let value = if self.is_void(result) || self.is_record(result) {
            None
        } else {
            // Nothing may use this value, unless in `main`, which returns 0.
            let ty = self.ir_type(result, body)?;
            match core::int_width(self.ctx, ty) {
                Some(width) => Some(self.constant(width, 0)),
                None => {
                    let nothing = self.temporary(ty);
                    Some(self.load(nothing, false))
                }
            }
        };
        let end = core::Return::new(self.ctx, value);
        self.terminate(end);
        Ok(())
    }

    /// Declares the functions that are called and have no body here.
    fn declare_called(&mut self) {
        let mut defined = HashSet::new();
        for op in accrue_ir::walk::ops_of_block(self.ctx, self.body) {
            if let Some(function) = pliron::operation::Operation::get_op::<FuncOp>(op, self.ctx) {
                let name = pliron::builtin::op_interfaces::SymbolOpInterface::get_symbol_name(
                    &function, self.ctx,
                );
                defined.insert(name.to_string());
            }
        }
        for (name, declared) in std::mem::take(&mut self.called) {
            if !defined.contains(&name)
                && let Ok(name) = Identifier::try_new(name)
            {
                let foreign = self.foreign.remove(&name.to_string());
                let declaration = core::ExternFunc::new(self.ctx, name, declared);
                self.note_foreign(declaration, foreign);
                declaration
                    .get_operation()
                    .insert_at_back(self.body, self.ctx);
            }
        }
    }
}

/// What types say in the unit: by C's rules, other types are other objects, unless an attribute of a type says something else.
fn aliasing(source: &Source) -> core::Aliasing {
    let word = b"may_alias";
    let mut places = source.carriers.text.windows(word.len());
    let mut excepted = || places.any(|text| text == word);
    match source.target.strict_aliasing && !excepted() {
        true => core::Aliasing::EffectiveTypes,
        false => core::Aliasing::Any,
    }
}

/// Whether a directive has an effect of its own, not only in a construct or routine.
pub(super) fn is_executable(directive: &AnyDirective) -> bool {
    match directive {
        AnyDirective::Acc(acc) => !matches!(
            acc.kind,
            DirectiveKind::Loop
                | DirectiveKind::Cache
                | DirectiveKind::Routine
                | DirectiveKind::Atomic
        ),
        AnyDirective::Omp(omp) => omp.kind.is_for_host(),
    }
}

/// Whether a directive does nothing where a device thread meets it: in memory that is the device's own already, and without
/// queues.
pub(super) fn does_nothing_on_devices(kind: DirectiveKind) -> bool {
    matches!(
        kind,
        DirectiveKind::Data
            | DirectiveKind::HostData
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Update
            | DirectiveKind::Wait
            | DirectiveKind::Declare
    )
}
