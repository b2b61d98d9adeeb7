//! One description of a site for all devices, from what the lowerings for two kinds of devices say of it.
//!
//! ```text
//! for CPU cores:           accrue_k0_0, loop over gangs, [a, n]                    }   accrue_k0_0, loop over gangs, [a, n],
//! for groups of threads:   accrue_k0_0, loop over gangs and lanes, [a, n], trip    }   trip of groups of threads
//! ```
//! The library has one table of a site, and decides at each launch which device it is for: what a directive's call contains must
//! be the same for all. Clauses with a `device_type` can make it differ; then there is no such description.

use crate::{kernel::Kernel, site::Site};

impl Site {
    /// Adds what the lowering for groups of threads says of the site. False: it differs in what must be the same, and nothing is
    /// added.
    pub fn join_groups(&mut self, groups: &Site) -> bool {
        let Site {
            directive,
            kind,
            function,
            line,
            column,
            finalize,
            if_present,
            default_present,
            openmp,
            call,
            vars,
            kernels,
        } = groups;
        let same = self.directive == *directive
            && self.kind == *kind
            && self.function == *function
            && (self.line, self.column) == (*line, *column)
            && (self.finalize, self.if_present) == (*finalize, *if_present)
            && self.default_present == *default_present
            && self.openmp == *openmp
            && self.call == *call
            && self.vars == *vars
            && self.kernels.len() == kernels.len();
        if same {
            let pairs = self.kernels.iter_mut().zip(kernels);
            pairs.for_each(|(own, groups)| own.join_groups(groups));
        }
        same
    }

    /// Results of reductions are in the host's memory while a kernel runs if one thread of it reads and writes them once. Where
    /// every gang updates them, that would be one trip to the host for each.
    pub fn keep_results_on_device(&mut self) {
        for var in &mut self.vars {
            var.flags.result = false;
        }
    }
}

impl Kernel {
    /// Which loops are spread over what is each lowering's own. The sizes and the programs for numbers of iterations are for groups
    /// of threads: a CPU's gang has one worker and one lane, and as many gangs as there are cores.
    fn join_groups(&mut self, groups: &Kernel) {
        let Kernel {
            function: _,
            line: _,
            gang_loop: _,
            single_gang: _,
            gang_dims: _,
            uneven: _,
            num_workers,
            vector_length,
            trip,
            inner,
            grid,
            forms: _,
        } = groups.clone();
        *self = Kernel {
            num_workers,
            vector_length,
            trip,
            inner,
            grid,
            ..self.clone()
        };
    }
}
