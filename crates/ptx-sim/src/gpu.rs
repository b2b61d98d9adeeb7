//! The public face: a GPU, its modules and kernels, launches.

use crate::{
    AddressError, Fault, FaultKind, LoadError, Nearest, Newer, Options, Space, Stats,
    ast::Variable,
    exec::{Machine, races},
    initial::initial_bytes,
    lower::{self, Globals},
    memory::{GLOBAL, Memory, Origin, same_window},
    parse::parse,
    program::Program,
};
use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// A simulated GPU. Clones are handles of the same GPU; all methods can be called from any thread.
#[derive(Clone)]
pub struct Gpu {
    inner: Arc<Inner>,
}

struct Inner {
    options: Options,
    memory: Memory,
    launches: AtomicU64,
    races: races::Table,
    /// Held by everybody who is at work in here.
    at_work: RwLock<()>,
}

impl Inner {
    fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.at_work.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A loaded PTX text. Its variables live as long as it or one of its kernels does.
#[derive(Clone)]
pub struct Module {
    inner: Arc<ModuleInner>,
}

struct ModuleInner {
    gpu: Arc<Inner>,
    kernels: HashMap<String, KernelInner>,
    variables: HashMap<String, (u64, u64)>,
    /// All memory of the module, to be freed with it.
    owned: Vec<u64>,
}

impl Drop for ModuleInner {
    fn drop(&mut self) {
        let _at_work = self.gpu.enter();
        for address in &self.owned {
            self.gpu.memory.free_quietly(*address);
        }
    }
}

struct KernelInner {
    program: Program,
    params: Vec<Param>,
    max_block: Option<[u32; 3]>,
    required_block: Option<[u32; 3]>,
}

/// A kernel (`.entry`) of a module.
#[derive(Clone)]
pub struct Kernel {
    module: Arc<ModuleInner>,
    name: String,
}

/// A parameter of a kernel, in the parameter buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub offset: u32,
    pub bytes: u32,
    pub align: u32,
}

/// A launch of a kernel.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub kernel: &'a Kernel,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of `.extern .shared` memory per block.
    pub dynamic_shared: u32,
    /// The parameters, laid out as `Kernel::params` says; `Kernel::param_bytes` long.
    pub params: &'a [u8],
}

impl Gpu {
    pub fn new(options: Options) -> Gpu {
        let memory = Memory::new(options.memory, options.checks.uninitialised);
        let inner = Inner {
            options,
            memory,
            launches: AtomicU64::new(0),
            races: races::Table::default(),
            at_work: RwLock::default(),
        };
        Gpu {
            inner: Arc::new(inner),
        }
    }

    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// Waits until nobody is at work in here, kernels included, and keeps everybody out: what `fork` copies is then whole,
    /// and no lock in it belongs to a thread that the child does not have.
    pub fn freeze(&self) -> RwLockWriteGuard<'_, ()> {
        let at_work = &self.inner.at_work;
        at_work.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads and checks a PTX text, and allocates its variables.
    pub fn load(&self, ptx: &str) -> Result<Module, LoadError> {
        let text = parse(ptx)?;
        let mut module = ModuleInner {
            gpu: self.inner.clone(),
            kernels: HashMap::new(),
            variables: HashMap::new(),
            owned: Vec::new(),
        };
        // Dropped before the module, which comes in here again when it is dropped for an error.
        let _at_work = self.inner.enter();
        let mut globals = Globals::new();
        for variable in text.variables.iter().filter(|v| v.space != Space::Shared) {
            self.allocate(&mut module, &mut globals, variable)?;
        }
        for variable in &text.variables {
            if let (Some(init), Some((address, _))) = (&variable.init, globals.get(&variable.name))
            {
                let bytes = initial_bytes(&text, &globals, variable, init)?;
                // The bytes were made to fit the variable.
                let _ = self.inner.memory.write(*address, &bytes);
            }
        }
        let mut reached = HashSet::new();
        let with_body = || {
            text.functions
                .iter()
                .enumerate()
                .filter(|(_, f)| f.body.is_some())
        };
        for (index, function) in with_body().filter(|(_, f)| f.entry) {
            let program = lower::program(&text, &globals, index)?;
            reached.extend(program.functions.iter().map(|f| f.address));
            let params = lower::param_offsets(&function.params).unwrap_or_default();
            let kernel = KernelInner {
                program,
                params: params
                    .into_iter()
                    .map(|(offset, bytes, align)| Param {
                        offset,
                        bytes,
                        align,
                    })
                    .collect(),
                max_block: function.max_block,
                required_block: function.required_block,
            };
            if module
                .kernels
                .insert(function.name.clone(), kernel)
                .is_some()
            {
                return Err(LoadError::new(
                    function.line,
                    format!("kernel `{}` twice", function.name),
                ));
            }
        }
        // Functions that no kernel calls are lowered too, for the errors in them.
        for (index, _) in
            with_body().filter(|(index, _)| !reached.contains(&lower::function_address(*index)))
        {
            lower::program(&text, &globals, index)?;
        }
        Ok(Module {
            inner: Arc::new(module),
        })
    }

    fn allocate(
        &self,
        module: &mut ModuleInner,
        globals: &mut Globals,
        variable: &Variable,
    ) -> Result<(), LoadError> {
        let name = &variable.name;
        if variable.external {
            return Err(LoadError::new(
                variable.line,
                format!("`{name}` is defined in another module"),
            ));
        }
        let origin = if variable.space == Space::Const {
            Origin::Constant
        } else {
            Origin::Variable
        };
        let allocation = variable
            .bytes()
            .and_then(|bytes| self.inner.memory.alloc(bytes, origin, Some(name)));
        let Some(allocation) = allocation else {
            return Err(LoadError::new(
                variable.line,
                format!("no memory for the variable `{name}`"),
            ));
        };
        module.owned.push(allocation.base);
        module
            .variables
            .insert(name.clone(), (allocation.base, allocation.bytes));
        if globals
            .insert(name.clone(), (allocation.base, variable.space))
            .is_some()
        {
            return Err(LoadError::new(
                variable.line,
                format!("variable `{name}` twice"),
            ));
        }
        Ok(())
    }

    /// Device memory, aligned to 512 bytes; `None` when there is not enough. Size 0 gives an address of its own.
    pub fn alloc(&self, bytes: u64) -> Option<u64> {
        self.alloc_labelled(bytes, None)
    }

    /// As `alloc`; reports name the memory by `label`.
    pub fn alloc_labelled(&self, bytes: u64, label: Option<&str>) -> Option<u64> {
        let _at_work = self.inner.enter();
        self.inner
            .memory
            .alloc(bytes, Origin::Host, label)
            .map(|a| a.base)
    }

    /// Names the allocation that holds `address`, for reports.
    pub fn set_label(&self, address: u64, label: Option<&str>) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.set_label(address, label)
    }

    /// Gives memory back; `address` is what `alloc` gave.
    pub fn free(&self, address: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.free(address, Origin::Host)
    }

    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.write(address, bytes)
    }

    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.read(address, bytes)
    }

    pub fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.fill(address, byte, bytes)
    }

    /// Copies within device memory; the ranges may overlap.
    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.copy(to, from, bytes)
    }

    /// Begins to note which of the bytes of an allocation are newer here, and which on the host.
    pub fn track(&self, address: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.track(address)
    }

    /// Host and device have the same values of these bytes now.
    pub fn transferred(&self, address: u64, bytes: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.transferred(address, bytes)
    }

    /// The host writes its copy of the bytes.
    pub fn host_writes(&self, address: u64, bytes: u64) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.host_writes(address, bytes)
    }

    /// Compares bytes that neither side is known to have written since the last transfer with the host's copy of them:
    /// where they differ, the host has written.
    pub fn compare(&self, address: u64, host: &[u8]) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.compare(address, host)
    }

    /// The first of the bytes that a kernel has written since the last transfer.
    pub fn newer(&self, address: u64, bytes: u64) -> Option<Newer> {
        let _at_work = self.inner.enter();
        self.inner.memory.newer(address, bytes)
    }

    /// What the address is in, or near.
    pub fn nearest(&self, address: u64) -> Option<Nearest> {
        let _at_work = self.inner.enter();
        self.inner.memory.lost(address).nearest
    }

    /// Says whether the host has newer values of the bytes: kernels that read them, and not what a kernel or the host
    /// has written there since, fail.
    pub fn set_stale(&self, address: u64, bytes: u64, stale: bool) -> Result<(), AddressError> {
        let _at_work = self.inner.enter();
        self.inner.memory.set_stale(address, bytes, stale)
    }

    /// Whether the address is in the range of device addresses, allocated or not.
    pub fn owns(&self, address: u64) -> bool {
        same_window(address, GLOBAL)
    }

    /// Bytes allocated, those of variables and of kernels' `malloc` included.
    pub fn used(&self) -> u64 {
        let _at_work = self.inner.enter();
        self.inner.memory.used()
    }

    /// Runs a kernel to its end.
    #[expect(
        clippy::result_large_err,
        reason = "a fault is rare, and the end of the launch"
    )]
    pub fn launch(&self, launch: &Launch) -> Result<Stats, Fault> {
        let _at_work = self.inner.enter();
        let kernel = launch.kernel;
        let Some(inner) = kernel.module.kernels.get(&kernel.name) else {
            return Err(refused(
                kernel,
                "the kernel is not in its module".to_string(),
            ));
        };
        if let Some(reason) = self.objection(launch, inner) {
            return Err(refused(kernel, reason));
        }
        let number = self.inner.launches.fetch_add(1, Relaxed) + 1;
        Machine::new(
            &inner.program,
            &self.inner.memory,
            &self.inner.options,
            launch,
            number,
            &self.inner.races,
        )
        .run()
    }

    /// Why a launch cannot be.
    fn objection(&self, launch: &Launch, kernel: &KernelInner) -> Option<String> {
        let model = &self.inner.options.model;
        let threads: u64 = launch.block.iter().map(|n| u64::from(*n)).product();
        let limits = [model.threads_per_block, model.threads_per_block, 64];
        let (block, grid) = (launch.block, launch.grid);
        if grid.contains(&0) || block.contains(&0) {
            return Some(format!("grid {grid:?} or block {block:?} is empty"));
        }
        if grid[0] > i32::MAX as u32 || grid[1] > 65535 || grid[2] > 65535 {
            return Some(format!(
                "grid {grid:?} is larger than [2147483647, 65535, 65535]"
            ));
        }
        if threads > u64::from(model.threads_per_block)
            || block.iter().zip(limits).any(|(n, limit)| *n > limit)
        {
            return Some(format!(
                "block {block:?} has more than {} threads",
                model.threads_per_block
            ));
        }
        if let Some(required) = kernel.required_block
            && required != block
        {
            return Some(format!(
                "block {block:?}, but the kernel was made for {required:?} (.reqntid)"
            ));
        }
        if let Some(max) = kernel.max_block
            && threads > max.iter().map(|n| u64::from(*n)).product()
        {
            return Some(format!(
                "block {block:?}, but the kernel was made for at most {max:?} (.maxntid)"
            ));
        }
        let shared = u64::from(kernel.program.static_shared) + u64::from(launch.dynamic_shared);
        if shared > u64::from(model.shared_per_block) {
            return Some(format!(
                "{shared} bytes of shared memory, but a block can have {}",
                model.shared_per_block
            ));
        }
        let wanted = kernel.params.last().map_or(0, |p| p.offset + p.bytes) as usize;
        if launch.params.len() != wanted {
            return Some(format!(
                "{} bytes of parameters, but the kernel takes {wanted}",
                launch.params.len()
            ));
        }
        None
    }
}

fn refused(kernel: &Kernel, reason: String) -> Fault {
    Fault {
        kind: FaultKind::Launch { reason },
        kernel: kernel.name.clone(),
        thread: None,
        place: None,
        callers: Vec::new(),
    }
}

impl Module {
    pub fn kernel(&self, name: &str) -> Option<Kernel> {
        let module = self.inner.clone();
        module.kernels.contains_key(name).then(|| Kernel {
            module: module.clone(),
            name: name.to_string(),
        })
    }

    /// Names of the kernels, sorted.
    pub fn kernels(&self) -> Vec<String> {
        let mut names: Vec<String> = self.inner.kernels.keys().cloned().collect();
        names.sort();
        names
    }

    /// Address and size of a `.global` or `.const` variable.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        self.inner.variables.get(name).copied()
    }
}

impl Kernel {
    fn inner(&self) -> Option<&KernelInner> {
        self.module.kernels.get(&self.name)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of shared memory that the PTX text itself declares.
    pub fn static_shared(&self) -> u32 {
        self.inner().map_or(0, |k| k.program.static_shared)
    }

    pub fn params(&self) -> &[Param] {
        self.inner().map_or(&[], |k| &k.params)
    }

    /// Size of the parameter buffer.
    pub fn param_bytes(&self) -> u32 {
        self.params().last().map_or(0, |p| p.offset + p.bytes)
    }

    /// `.maxntid`.
    pub fn max_block(&self) -> Option<[u32; 3]> {
        self.inner().and_then(|k| k.max_block)
    }

    /// `.reqntid`.
    pub fn required_block(&self) -> Option<[u32; 3]> {
        self.inner().and_then(|k| k.required_block)
    }
}
