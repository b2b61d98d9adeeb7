"""What is wanted of each row: the largest ratio to CUDA's time, or a share of what the memory can do.

Ratios compare accrue with CUDA in the same run. Two kinds of rows have a bound besides: sums of rows are compared with a
copy (`copy_27`, the fastest of accrue's and CUDA's), and ten reductions on one loop with the time that their bytes would
take at the best rate of the reductions over 2^27 elements that do one thing each.
"""

import dataclasses

STREAMING = 1.03
REDUCTIONS = [f"{operator}_{kind}" for kind in ("i32", "f32", "f64") for operator in ("sum", "min", "max")]
REDUCTIONS.append("sum_complex")
SHORT_SUMS = [f"sum_{kind}_{power}" for kind in ("f64", "i32") for power in range(10, 21, 2)]
ROW_SUMS = ["rows_4", "rows_4_lanes", "rows_32", "rows_100", "rows_1000", "rows_100000"]
TEN = "ten_reductions"
COPY = "copy_27"

# In the order of the table; None: no ratio is wanted.
RATIOS = {
    "vector_add": STREAMING,
    "stream_copy": STREAMING,
    "stream_mul": STREAMING,
    "stream_add": STREAMING,
    "stream_triad": STREAMING,
    "dot_24": STREAMING,
    "dot_27": STREAMING,
    "matvec": STREAMING,
    "newton": STREAMING,
    "jacobi": STREAMING,
    "matmul": STREAMING,
    "spmv": STREAMING,
    "row_sums": STREAMING,
    "histogram": 1.3,
    **dict.fromkeys(REDUCTIONS, STREAMING),
    **dict.fromkeys(SHORT_SUMS, 1.0),
    TEN: None,
    COPY: None,
    **dict.fromkeys(ROW_SUMS),
    "launch_empty": 1.0,
    "launch_one": None,
    "launch_eight": 1.05,
    "launch_async": 1.05,
    # Pageable memory by accrue against pinned memory by CUDA.
    "h2d": 1.25,
    "d2h": 1.25,
    "h2d_pageable": None,
    "d2h_pageable": None,
}
# OpenMP's time over OpenACC's; rows that have no other in OpenACC are compared with one in OpenMP.
OPENMP = 1.03
OPENMP_RATIOS = {"two_loops_generic": 1.2}
OPENMP_ROWS = {"two_loops_generic": "two_loops"}
# Of the CUDA runtime's time to the first result, with PTX that is translated anew.
FIRST_RESULT = 0.65
# Share of the copy's rate; shorter rows have nothing to reach.
ROW_SHARE = 0.85
ROW_SHARE_FROM = {"rows_32", "rows_100", "rows_1000", "rows_100000"}
TEN_FACTOR = 1.1


@dataclasses.dataclass
class Bound:
    """A row against what the memory can do."""

    name: str
    what: str
    limit: float  # bytes per second
    share: dict  # of the limit, by variant
    least: float | None

    def verdict(self):
        ours = self.share.get("accrue")
        if ours is None or self.least is None:
            return ""
        return "ok" if ours >= self.least else "slow"


def bounds(table):
    """The bounds of the rows that are in the table."""
    found = []
    copy = best_rate(table, [COPY])
    for name in ROW_SUMS:
        if name in table and copy:
            least = ROW_SHARE if name in ROW_SHARE_FROM else None
            found.append(bound(table, name, "copy", copy, least))
    single = best_rate(table, REDUCTIONS)
    if TEN in table and single:
        found.append(bound(table, TEN, "single reductions", single, 1 / TEN_FACTOR))
    return found


def bound(table, name, what, limit, least):
    return Bound(name, what, limit, {v: row.work / row.seconds / limit for v, row in table[name].items()}, least)


def best_rate(table, names):
    rates = [row.work / min(row.seconds, row.best) for name in names for row in table.get(name, {}).values()]
    return max(rates, default=None)
