//! Where the lanes of a divergent branch meet again: at the immediate post-dominator of the branch.
//!
//! Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the reversed graph of basic blocks, with one node more
//! for the end of the function.

use crate::program::{Inst, NO_GUARD, NO_PC, Op};

/// Fills in `join` of every branch of a function whose code starts at `entry`.
pub fn set_joins(code: &mut [Inst], entry: u32) {
    let blocks = Blocks::new(code, entry);
    let joins = blocks.post_dominators();
    for (block, range) in blocks.starts.iter().enumerate() {
        let last = blocks
            .starts
            .get(block + 1)
            .map_or(code.len(), |next| *next as usize)
            - 1;
        debug_assert!(last >= *range as usize);
        let join_pc = match joins[block] {
            Some(b) if b < blocks.starts.len() => entry + blocks.starts[b],
            _ => NO_PC,
        };
        if let Op::Branch { join, .. } | Op::BranchTable { join, .. } = &mut code[last].op {
            *join = join_pc;
        }
    }
}

struct Blocks {
    /// First instruction of each block, relative to the function.
    starts: Vec<u32>,
    successors: Vec<Vec<usize>>,
}

fn falls_through(inst: &Inst) -> bool {
    match inst.op {
        Op::Branch { .. } | Op::Return | Op::Exit | Op::Trap => inst.guard != NO_GUARD,
        Op::BranchTable { .. } => inst.guard != NO_GUARD,
        _ => true,
    }
}

fn targets(inst: &Inst) -> &[u32] {
    match &inst.op {
        Op::Branch { target, .. } => std::slice::from_ref(target),
        Op::BranchTable { targets, .. } => targets,
        _ => &[],
    }
}

impl Blocks {
    fn new(code: &[Inst], entry: u32) -> Blocks {
        let mut leader = vec![false; code.len() + 1];
        leader[0] = true;
        for (at, inst) in code.iter().enumerate() {
            for target in targets(inst) {
                leader[(target - entry) as usize] = true;
            }
            if !targets(inst).is_empty() || matches!(inst.op, Op::Return | Op::Exit | Op::Trap) {
                leader[at + 1] = true;
            }
        }
        let starts: Vec<u32> = (0..code.len() as u32)
            .filter(|at| leader[*at as usize])
            .collect();
        let block_of = |at: usize| starts.partition_point(|s| *s as usize <= at) - 1;
        let end = starts.len();
        let successors = (0..starts.len())
            .map(|block| {
                let last = starts
                    .get(block + 1)
                    .map_or(code.len(), |next| *next as usize)
                    - 1;
                let inst = &code[last];
                let mut out: Vec<usize> = targets(inst)
                    .iter()
                    .map(|t| block_of((*t - entry) as usize))
                    .collect();
                if falls_through(inst) {
                    out.push(if last + 1 < code.len() {
                        block_of(last + 1)
                    } else {
                        end
                    });
                }
                if matches!(inst.op, Op::Return | Op::Exit | Op::Trap) {
                    out.push(end);
                }
                out.sort_unstable();
                out.dedup();
                out
            })
            .collect();
        Blocks { starts, successors }
    }

    /// The immediate post-dominator of each block; the end of the function has the number behind the last block.
    fn post_dominators(&self) -> Vec<Option<usize>> {
        let end = self.starts.len();
        let mut predecessors = vec![Vec::new(); end + 1];
        for (block, successors) in self.successors.iter().enumerate() {
            for s in successors {
                predecessors[*s].push(block);
            }
        }
        // Postorder of the reversed graph from the end.
        let mut order = Vec::new();
        let mut number = vec![usize::MAX; end + 1];
        let mut seen = vec![false; end + 1];
        let mut stack = vec![(end, 0)];
        seen[end] = true;
        while let Some((node, next)) = stack.last_mut() {
            if let Some(p) = predecessors[*node].get(*next) {
                *next += 1;
                if !seen[*p] {
                    seen[*p] = true;
                    stack.push((*p, 0));
                }
            } else {
                number[*node] = order.len();
                order.push(*node);
                stack.pop();
            }
        }
        let mut dominator: Vec<Option<usize>> = vec![None; end + 1];
        dominator[end] = Some(end);
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().rev().copied().filter(|n| *n != end) {
                let mut new = None;
                for s in &self.successors[node] {
                    if dominator[*s].is_some() {
                        new = Some(match new {
                            None => *s,
                            Some(other) => intersect(&dominator, &number, *s, other),
                        });
                    }
                }
                if new.is_some() && dominator[node] != new {
                    dominator[node] = new;
                    changed = true;
                }
            }
        }
        dominator.truncate(end);
        dominator
    }
}

fn intersect(dominator: &[Option<usize>], number: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while number[a] < number[b] {
            match dominator[a] {
                Some(up) => a = up,
                None => return b,
            }
        }
        while number[b] < number[a] {
            match dominator[b] {
                Some(up) => b = up,
                None => return a,
            }
        }
    }
    a
}
