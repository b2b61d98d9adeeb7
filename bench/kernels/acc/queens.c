// Placements of 14 queens, 32-bit integers: each iteration takes the queens of the first four rows from its number and goes
// through those of the others by backtracking, with a stack of its own; the sum is a reduction.
#include "../kernels.h"

enum { QUEENS = 14, FIXED = 4 };

#if SPELLING == 1
static long placements(int n, int queens)
{
    long total = 0;
    int all = (1 << queens) - 1;
#pragma acc parallel loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
    for (int i = 0; i < n; i++) {
        int columns = 0, left = 0, right = 0, rest = i, valid = 1;
        for (int row = 0; row < FIXED; row++) {
            int bit = 1 << rest % queens;
            rest /= queens;
            if ((columns | left | right) & bit)
                valid = 0;
            columns |= bit;
            left = (left | bit) << 1;
            right = (right | bit) >> 1;
        }
        if (!valid)
            continue;
        int open[QUEENS], c[QUEENS], l[QUEENS], r[QUEENS], row = 0, count = 0;
        c[0] = columns, l[0] = left, r[0] = right;
        open[0] = all & ~(columns | left | right);
        while (row >= 0) {
            if (open[row] == 0) {
                row--;
                continue;
            }
            int bit = open[row] & -open[row];
            open[row] ^= bit;
            if (row + 1 == queens - FIXED) {
                count++;
                continue;
            }
            c[row + 1] = c[row] | bit;
            l[row + 1] = (l[row] | bit) << 1;
            r[row + 1] = (r[row] | bit) >> 1;
            row++;
            open[row] = all & ~(c[row] | l[row] | r[row]);
        }
        total += count;
    }
    return total;
}
#else
struct state {
    unsigned open, columns, left, right;
};

#pragma acc routine seq
static int place(struct state *s, unsigned bit)
{
    int fits = ((s->columns | s->left | s->right) & bit) == 0;
    s->columns |= bit;
    s->left = (s->left | bit) << 1;
    s->right = (s->right | bit) >> 1;
    return fits;
}

#pragma acc routine seq
static unsigned count_below(struct state first, int rows, unsigned all)
{
    struct state stack[QUEENS], *top = stack;
    unsigned found = 0;
    *top = first;
    top->open = all & ~(first.columns | first.left | first.right);
    for (;;) {
        if (!top->open) {
            if (top == stack)
                break;
            --top;
            continue;
        }
        unsigned bit = top->open & (0u - top->open);
        top->open &= ~bit;
        if (top - stack == rows - 1)
            found += 1;
        else {
            top[1] = top[0];
            ++top;
            place(top, bit);
            top->open = all & ~(top->columns | top->left | top->right);
        }
    }
    return found;
}

static long placements(long n, int queens)
{
    long total = 0;
    unsigned all = (1u << queens) - 1u;
#pragma acc parallel loop gang vector reduction(+ : total)
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
    for (long i = 0; i < n; ++i) {
        struct state s = {0, 0, 0, 0};
        long rest = i;
        int fits = 1;
        for (int row = 0; row < FIXED; ++row, rest /= queens)
            fits &= place(&s, 1u << (rest % queens));
        if (fits)
            total += count_below(s, queens - FIXED, all);
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int queens = QUEENS - args.shift / 2, n = queens * queens * queens * queens;
    long total = 0;
    struct watch t = watch(args.repeats);
    while (lap(&t))
        total = placements(n, queens);
    report("queens", t.best, total);
    return 0;
}
