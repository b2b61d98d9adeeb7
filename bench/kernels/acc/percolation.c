// Site percolation in 2^17 squares of 32 x 32, whose sites are open by a linear congruential generator with one of 16 chances: a row is a word, and
// water from the top row flows down, sideways and up until nothing more gets wet.
#include "../kernels.h"

enum { TRIALS = 1 << 17, ROWS = 32, CHANCES = 16 };

#if SPELLING == 1
static long percolate(int n, const unsigned *restrict chance, int *restrict through, int *restrict wet)
{
    long total = 0;
#pragma acc data present(chance[0:CHANCES], through[0:CHANCES], wet[0:n])
    {
#pragma acc parallel loop
        for (int c = 0; c < CHANCES; c++)
            through[c] = 0;
#pragma acc parallel loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
        for (int i = 0; i < n; i++) {
            unsigned open[ROWS], water[ROWS];
            int changed = 1, sites = 0;
            for (int r = 0; r < ROWS; r++) {
                unsigned state = mix(i * ROWS + r);
                open[r] = 0;
                water[r] = 0;
                for (int b = 0; b < 32; b++) {
                    state = state * 1664525u + 1013904223u;
                    if (state >> 8 < chance[i % CHANCES])
                        open[r] |= 1u << b;
                }
            }
            water[0] = open[0];
            while (changed) {
                changed = 0;
                for (int r = 0; r < ROWS; r++) {
                    unsigned now = water[r], before;
                    if (r > 0)
                        now |= water[r - 1] & open[r];
                    if (r < ROWS - 1)
                        now |= water[r + 1] & open[r];
                    do {
                        before = now;
                        now |= (now << 1 | now >> 1) & open[r];
                    } while (now != before);
                    if (now != water[r]) {
                        water[r] = now;
                        changed = 1;
                    }
                }
            }
            for (int r = 0; r < ROWS; r++)
                for (unsigned left = water[r]; left != 0; left &= left - 1)
                    sites++;
            wet[i] = sites;
            total += sites;
            if (water[ROWS - 1] != 0) {
#pragma acc atomic update
#pragma omp atomic
                through[i % CHANCES]++;
            }
        }
    }
    return total;
}
#else
typedef unsigned int word;
struct site_row { word open, water; };

#define NEXT(s) ((s) = 1664525u * (s) + 1013904223u)
#define SPREAD(w) ((w) | (w) << 1 | (w) >> 1)

#pragma acc routine seq
static word draw(word seed, word threshold)
{
    word row = 0, bit = 1;
    do
        row |= NEXT(seed) >> 8 < threshold ? bit : 0;
    while (bit <<= 1);
    return row;
}

#pragma acc routine seq
static word flow(struct site_row row, word neighbours)
{
    word now = (row.water | neighbours) & row.open, more;
    while ((more = SPREAD(now) & row.open) != now)
        now = more;
    return now;
}

#pragma acc routine seq
static int count(word w)
{
    w = w - (w >> 1 & 0x55555555u);
    w = (w & 0x33333333u) + (w >> 2 & 0x33333333u);
    return (int)(((w + (w >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

static long percolate(size_t n, const word *chance, int *through, int *wet)
{
    long total = 0;
#pragma acc kernels loop independent present(through[0:CHANCES])
    for (size_t c = 0; c < CHANCES; ++c)
        through[c] = 0;
#pragma acc kernels present(chance[0:CHANCES], through[0:CHANCES], wet[0:n])
#pragma acc loop independent reduction(+ : total)
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 64)
    for (size_t i = 0; i < n; ++i) {
        struct site_row rows[ROWS + 2];
        int sites = 0, moved;
        rows[0].open = rows[0].water = rows[ROWS + 1].open = rows[ROWS + 1].water = 0;
        for (int r = 1; r <= ROWS; ++r) {
            rows[r].open = draw(mix((word)i * ROWS + (r - 1)), chance[i % CHANCES]);
            rows[r].water = r == 1 ? rows[r].open : 0;
        }
        do {
            moved = 0;
            struct site_row *p = &rows[1];
            for (int r = ROWS; r > 0; --r, ++p) {
                const word now = flow(*p, p[-1].water | p[1].water);
                moved |= now != p->water;
                p->water = now;
            }
        } while (moved);
        for (int r = 1; r <= ROWS; ++r)
            sites += count(rows[r].water);
        wet[i] = sites;
        total += sites;
        if (rows[ROWS].water) {
#pragma acc atomic
#pragma omp atomic
            through[i % CHANCES] += 1;
        }
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRIALS >> args.shift, *through = NEW(int, CHANCES), *wet = NEW(int, n);
    unsigned *chance = NEW(unsigned, CHANCES);
    double sum = 0;
    long total = 0;
    for (int c = 0; c < CHANCES; c++)
        chance[c] = (unsigned)((0.50 + 0.012 * c) * (1 << 24));
#pragma acc enter data copyin(chance[0:CHANCES]) create(through[0:CHANCES], wet[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        total = percolate(n, chance, through, wet);
#pragma acc update self(through[0:CHANCES], wet[0:n])
    for (int c = 0; c < CHANCES; c++)
        sum += (100.0 + c) * through[c];
    for (int i = 0; i < n; i++)
        sum += (double)wet[i] * (i % 11);
    report("percolation", t.best, sum + total);
    return 0;
}
