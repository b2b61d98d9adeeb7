//! One description of a site for all devices, from what the lowerings for two kinds of devices say of it.
//!
//! ```text
//! for CPU cores:           accrue_k0_0, loop over gangs, [a, n]                    }   accrue_k0_0, loop over gangs, [a, n],
//! for groups of threads:   accrue_k0_0, loop over gangs and lanes, [a, n], trip    }   trip of groups of threads
//! ```
//! The library has one table of a site, and decides at each launch which device it is for: what a directive's call contains must
//! be the same for all. Clauses with a `device_type` can make it differ; then there is no such description.

use crate::{
    form::{Form, Made, OpenClForm, SimtForm},
    kernel::Kernel,
    site::{Site, SiteVar},
};

impl Site {
    /// Adds what the lowering for groups of threads says of the site. False: it differs in what must be the same, and nothing is
    /// added.
    pub fn join_groups(&mut self, groups: &Site) -> bool {
        // Workers and lanes are for groups of threads: a CPU has one of each, whatever a call says.
        let mut own = self.clone();
        let (workers, vector) = (&groups.call.header.workers, &groups.call.header.vector);
        own.call.header.workers.clone_from(workers);
        own.call.header.vector.clone_from(vector);
        let same = own.is_same_for(groups);
        if same {
            *self = own;
            self.leads_somewhere(groups);
            let pairs = self.kernels.iter_mut().zip(&groups.kernels);
            pairs.for_each(|(own, groups)| own.join_groups(groups));
        }
        same
    }

    /// Adds OpenCL C for the kernels that it was made for, as the lowering for such devices describes them, as a `form`. False: as above.
    pub fn add_opencl(
        &mut self,
        other: &Site,
        made: &Made<SimtForm>,
        form: fn(OpenClForm) -> Form,
    ) -> bool {
        let same = self.is_same_for(other);
        if same {
            self.leads_somewhere(other);
            for (own, kernel) in self.kernels.iter_mut().zip(&other.kernels) {
                let found = SimtForm::of(kernel, made).map(|form| OpenClForm {
                    // Whether there is a loop over gangs is in the table of all devices; a form says what is different for it.
                    kernel: Box::new(Kernel {
                        gang_loop: own.gang_loop,
                        ..kernel.clone()
                    }),
                    form,
                });
                own.forms.extend(found.map(form));
            }
        }
        same
    }

    /// A pointer is only looked at if it is in the code for all devices. What the region accesses of a variable is the same for all: who
    /// can tell, tells.
    fn leads_somewhere(&mut self, other: &Site) {
        for (own, other) in self.vars.iter_mut().zip(&other.vars) {
            own.flags.value &= other.flags.value;
            if own.reach.is_none() {
                own.reach.clone_from(&other.reach);
            }
        }
    }

    /// Whether all that must be the same for all devices is what another lowering says. Where results are while a kernel runs is
    /// decided afterwards; what each has made of a pointer's uses shows or hides that it is a limit.
    fn is_same_for(&self, groups: &Site) -> bool {
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
            rounds,
        } = groups;
        let same_var = |(own, other): (&SiteVar, &SiteVar)| {
            let mut other = other.clone();
            other.flags.result = own.flags.result;
            other.flags.limit = own.flags.limit;
            other.flags.value = own.flags.value;
            other.limited = own.limited;
            if own.reach.is_none() || other.reach.is_none() {
                other.reach.clone_from(&own.reach);
            }
            *own == other
        };
        self.directive == *directive
            && self.kind == *kind
            && self.function == *function
            && (self.line, self.column) == (*line, *column)
            && (self.finalize, self.if_present) == (*finalize, *if_present)
            && self.default_present == *default_present
            && self.openmp == *openmp
            && self.call == *call
            && self.vars.len() == vars.len()
            && self.vars.iter().zip(vars).all(same_var)
            && self.kernels.len() == kernels.len()
            && self.rounds == *rounds
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
            pointers: _,
            num_gangs: _,
            num_workers,
            vector_length,
            trip,
            inner,
            each,
            grid,
            nest,
            forms: _,
        } = groups.clone();
        *self = Kernel {
            num_workers,
            vector_length,
            trip,
            inner,
            each,
            grid,
            nest,
            ..self.clone()
        };
    }
}
