//! The forms of code that a kernel has: one for each kind of device that can run it.
//!
//! | form | made by | run by |
//! | --- | --- | --- |
//! | [`Form::Cpu`] | `back-cpu`: a C function that runs one gang | CPU cores |
//! | [`Form::Ptx`] | `simt`, then `back-ptx`: an entry of the unit's PTX | NVIDIA GPUs, the simulator |
//! | [`Form::OpenCl`] | `simt`, then `back-opencl`: a kernel of the unit's OpenCL C | devices behind OpenCL |
//! | [`Form::OpenClCores`] | the same, with one work item for a gang | CPU cores behind OpenCL |
//!
//! A new kind of device is one more form. Those for groups of threads all are [`SimtForm`]s: how groups are launched is not a vendor's.

use crate::kernel::Kernel;
use accrue_abi::FormKind;
use std::collections::BTreeMap;

/// The forms that a back end has made, by the functions in the IR, kernels and their versions alike.
pub type Made<F> = BTreeMap<String, F>;

/// One form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    Cpu(CpuForm),
    Ptx(SimtForm),
    OpenCl(OpenClForm),
    OpenClCores(OpenClForm),
}

impl Form {
    /// What the library's tables call it.
    pub fn kind(&self) -> FormKind {
        match self {
            Form::Cpu(_) => FormKind::Cpu,
            Form::Ptx(_) => FormKind::Ptx,
            Form::OpenCl(_) => FormKind::OpenCl,
            Form::OpenClCores(_) => FormKind::OpenClCores,
        }
    }
}

/// A kernel as C functions; the text is one unit's, and its functions are `static`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuForm {
    /// Runs one gang.
    pub entry: String,
    /// To be called after the last gang.
    pub finish: Option<String>,
    /// Bytes of a gang's slot; 0 for none.
    pub slot_bytes: u64,
}

/// A kernel as an entry that groups of threads run: a gang is a group, a lane a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimtForm {
    /// The entry in the text.
    pub entry: String,
    /// Words of the entry's first parameter; 0: there is none.
    pub args_words: u32,
    /// Has a loop spread over gangs. Which loops are is each lowering's own.
    pub gang_loop: bool,
    /// The gang dimensions, from 1 to 3, that its loops are spread over one by one. None: the grid has one dimension.
    pub gang_dims: [bool; 3],
    pub worker_partitioned: bool,
    pub vector_partitioned: bool,
    /// Most workers that a launch may have; at least 1.
    pub max_workers: u32,
    /// Most lanes that a launch may have, a multiple of the sub-group's; or, below that, the lanes of every launch, where several
    /// workers share a sub-group. Then the workers fill whole sub-groups.
    pub max_vector: u32,
    /// The lanes of every launch; the code relies on it.
    pub exact_lanes: Option<u32>,
    /// The launch chooses how many lanes there are, by the number of iterations.
    pub open_lanes: bool,
    /// Dynamic shared memory per worker; a multiple of 16.
    pub shared_worker_bytes: u64,
    /// Scratch memory per gang; a multiple of 16.
    pub scratch_gang_bytes: u64,
    /// Scratch memory per worker; a multiple of 16.
    pub scratch_worker_bytes: u64,
    /// Uses the launch's scratch memory, be it only its head.
    pub needs_scratch: bool,
    /// Computes with floating-point numbers of 64 bits, and devices of its kind need not have them.
    pub doubles: bool,
    /// A launch of several gangs leaves a record of each, which launches of another entry bring together, whose name ends in
    /// [`accrue_abi::launch::HALVING`].
    pub halving: bool,
    /// All work items of a group wait for each other in a branch in a loop: a compiler may have its difficulties with that.
    pub waits_in_branches: bool,
    /// The host runs the kernel where this does not hold.
    pub apart: Option<Apart>,
    /// The fast version, if there is one.
    pub disjoint: Option<Disjoint>,
    /// The versions for short and for long inner loops ([`Kernel::inner_versions`]), if both could be made.
    pub inner: Option<Box<[SimtForm; 2]>>,
    /// The version with a gang for each iteration ([`Kernel::each_version`]), if it could be made.
    pub each: Option<Box<SimtForm>>,
    /// The version for a grid that covers its loop ([`Kernel::grid_version`]), if it could be made.
    pub grid: Option<Box<SimtForm>>,
    /// That for a grid of several dimensions.
    pub nest: Option<Box<SimtForm>>,
}

/// A kernel as one of the unit's OpenCL C. Its sizes and programs are those of its own lowering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClForm {
    /// The kernel, without forms, as the lowering for such devices describes it.
    pub kernel: Box<Kernel>,
    pub form: SimtForm,
}

/// What a kernel is right for only: nothing that it writes is behind another of its arguments. Bit n of a mask is argument word n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Addresses of memory that is only read, and of memory that is written.
    pub read_words: u64,
    pub written_words: u64,
}

/// The entry for launches in which certain memory does not overlap; bit n of a mask is argument word n.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disjoint {
    pub entry: String,
    /// Addresses of memory that is only read: it must not overlap …
    pub read_words: u64,
    /// … memory behind these, which is written.
    pub written_words: u64,
    /// Addresses that must be multiples of 16.
    pub aligned_words: u64,
    /// What is written may not be behind two arguments either.
    pub written_once: bool,
}

impl Disjoint {
    /// What is checked for `other` at a launch says that this one may be taken as well.
    fn needs_no_more_than(&self, other: &Disjoint) -> bool {
        self.read_words & !other.read_words == 0
            && self.written_words & !other.written_words == 0
            && self.aligned_words & !other.aligned_words == 0
            && (other.written_once || !self.written_once)
    }
}

impl SimtForm {
    /// The form of `kernel` together with those of its versions. What is checked for the fast version at a launch is checked for
    /// the kernel, so that a version has a fast one only if it needs no more. A kernel without one is checked for what the fast
    /// ones of its versions need, and is its own fast version; the same goes for what versions need that are right only then.
    pub fn of(kernel: &Kernel, made: &Made<SimtForm>) -> Option<SimtForm> {
        let mut own = made.get(&kernel.function)?.clone();
        if own.disjoint.is_none() {
            let versions = kernel.versions().into_iter();
            let made_ones = versions.filter_map(|version| made.get(&version.function));
            let fast = made_ones.filter_map(|version| version.disjoint.as_ref());
            let all = fast.fold(None, |all: Option<Disjoint>, fast| {
                let all = all.unwrap_or_default();
                Some(Disjoint {
                    entry: own.entry.clone(),
                    read_words: all.read_words | fast.read_words,
                    written_words: all.written_words | fast.written_words,
                    aligned_words: all.aligned_words | fast.aligned_words,
                    written_once: false,
                })
            });
            own.disjoint = all;
        }
        let each = kernel.each.as_ref().map(|each| &each.function);
        let grid = kernel.grid.as_ref().map(|grid| &grid.function);
        let nest = kernel.nest.as_ref().map(|nest| &nest.function);
        let made_ones = [each, grid, nest]
            .into_iter()
            .flatten()
            .filter_map(|name| made.get(name));
        for apart in made_ones.filter_map(|version| version.apart) {
            let checked = own.disjoint.take().unwrap_or_else(|| Disjoint {
                entry: own.entry.clone(),
                ..Disjoint::default()
            });
            let written_words = checked.written_words | apart.written_words;
            let read_words = (checked.read_words | apart.read_words) & !written_words;
            // What an entry takes as pointers are the words that it was made for.
            let is_same = read_words == checked.read_words;
            own.disjoint = Some(Disjoint {
                entry: match is_same {
                    true => checked.entry.clone(),
                    false => own.entry.clone(),
                },
                read_words,
                written_words,
                written_once: true,
                ..checked
            });
        }
        let version = |function: &String| {
            let mut version = made.get(function)?.clone();
            version.disjoint = version.disjoint.filter(|fast| {
                let checked = own.disjoint.as_ref();
                checked.is_some_and(|checked| fast.needs_no_more_than(checked))
            });
            Some(version)
        };
        let inner = kernel.inner.as_ref();
        let inner = inner.and_then(|i| Some([version(&i.short)?, version(&i.long)?]));
        let each = kernel.each.as_ref().and_then(|e| version(&e.function));
        let grid = kernel.grid.as_ref().and_then(|g| version(&g.function));
        let nest = kernel.nest.as_ref().and_then(|n| version(&n.function));
        Some(SimtForm {
            inner: inner.map(Box::new),
            each: each.map(Box::new),
            grid: grid.map(Box::new),
            nest: nest.map(Box::new),
            ..own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{EachGang, GridVersion};

    fn form(entry: &str, read_and_written: Option<(u64, u64)>) -> SimtForm {
        let disjoint = read_and_written.map(|(read_words, written_words)| Disjoint {
            entry: format!("{entry}_disjoint"),
            read_words,
            written_words,
            aligned_words: 0,
            written_once: false,
        });
        SimtForm {
            entry: entry.to_string(),
            disjoint,
            ..SimtForm::default()
        }
    }

    /// What is checked for the kernel, and the fast entries of the kernel and of its version for a grid.
    fn fast(own: Option<(u64, u64)>, grid: Option<(u64, u64)>) -> (Option<Disjoint>, bool) {
        let kernel = Kernel {
            function: "k".to_string(),
            grid: Some(GridVersion {
                function: "g".to_string(),
                columns: vec![],
                rows: None,
                outer: None,
                lanes: None,
            }),
            ..Kernel::default()
        };
        let made = [("k", own), ("g", grid)];
        let made = made.map(|(name, words)| (name.to_string(), form(name, words)));
        let form = SimtForm::of(&kernel, &made.into_iter().collect()).expect("a form");
        let has_grid = form.grid.expect("a version").disjoint.is_some();
        (form.disjoint, has_grid)
    }

    #[test]
    fn a_version_has_a_fast_one_if_what_it_needs_is_checked() {
        let entry = |of: &Option<Disjoint>| of.as_ref().map(|fast| fast.entry.clone());
        let (own, grid) = fast(Some((3, 4)), Some((1, 4)));
        assert_eq!((entry(&own).as_deref(), grid), (Some("k_disjoint"), true));
        let (own, grid) = fast(Some((1, 4)), Some((3, 4)));
        assert_eq!((entry(&own).as_deref(), grid), (Some("k_disjoint"), false));
        assert_eq!(fast(None, None), (None, false));
    }

    #[test]
    fn what_a_version_needs_that_is_right_only_then_is_checked() {
        for (each, grid) in [(true, false), (false, true), (true, true)] {
            let version = |name: &str| name.to_string();
            let kernel = Kernel {
                function: version("k"),
                each: each.then(|| EachGang {
                    function: version("e"),
                    threads: vec![],
                    gangs: None,
                    least: 1,
                    most: 8,
                    lanes: 128,
                }),
                grid: grid.then(|| GridVersion {
                    function: version("g"),
                    columns: vec![],
                    rows: None,
                    outer: None,
                    lanes: None,
                }),
                ..Kernel::default()
            };
            let apart = |name: &str, read_words, written_words| {
                let apart = Some(Apart {
                    read_words,
                    written_words,
                });
                let form = SimtForm {
                    apart,
                    ..form(name, None)
                };
                (version(name), form)
            };
            let own = (version("k"), form("k", None));
            let made = [own, apart("e", 1, 6), apart("g", 1, 6)];
            let form = SimtForm::of(&kernel, &made.into_iter().collect()).expect("a form");
            let asked = form.disjoint.expect("a check");
            assert!(asked.written_once, "two written arguments may be one");
            assert_eq!((asked.read_words, asked.written_words), (1, 6));
        }
    }

    #[test]
    fn a_kernel_is_its_own_fast_version_for_the_sake_of_another() {
        let (own, grid) = fast(None, Some((3, 4)));
        let own = own.expect("a check");
        assert_eq!(
            (own.entry.as_str(), own.read_words, own.written_words),
            ("k", 3, 4)
        );
        assert!(grid);
    }
}
