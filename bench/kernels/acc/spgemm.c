// The product of two sparse matrices of 2^16 rows with 2 to 13 entries each, double: the rows of B that a row of A
// needs meet in a table of hashes, and what has come together in it are the columns and values of the product's row.
#include "../kernels.h"

enum { ROWS = 1 << 16, MOST = 13, TABLE = 256, FREE = -1 };

#if SPELLING == 1
static void multiply(int n, int entries, int room, const int *restrict first, const int *restrict column,
                     const double *restrict value, const int *restrict place, int *restrict count,
                     int *restrict out_column, double *restrict out_value)
{
#pragma acc parallel loop gang vector vector_length(64)                                                            \
    present(first[0:n + 1], column[0:entries], value[0:entries], place[0:n + 1], count[0:n], out_column[0:room], \
                out_value[0:room])
#pragma omp parallel for
    for (int row = 0; row < n; row++) {
        int keys[TABLE], used = 0;
        double sums[TABLE];
        for (int k = 0; k < TABLE; k++)
            keys[k] = FREE;
        for (int a = first[row]; a < first[row + 1]; a++)
            for (int b = first[column[a]]; b < first[column[a] + 1]; b++) {
                int key = column[b], slot = key * 107 & (TABLE - 1);
                while (keys[slot] != FREE && keys[slot] != key)
                    slot = (slot + 1) & (TABLE - 1);
                if (keys[slot] == FREE) {
                    keys[slot] = key;
                    sums[slot] = 0;
                }
                sums[slot] += value[a] * value[b];
            }
        for (int k = 0; k < TABLE; k++)
            if (keys[k] != FREE) {
                out_column[place[row] + used] = keys[k];
                out_value[place[row] + used] = sums[k];
                used++;
            }
        count[row] = used;
    }
}
#else
struct entry { double value; unsigned column; };
struct matrix { const unsigned *first; const struct entry *entries; };

// The table is in the product's own row: what comes is looked for among what is there, in order, and put between.
static void multiply(unsigned n, size_t entries, size_t room, struct matrix m, const unsigned *place, unsigned *count,
                     struct entry *out)
{
    const unsigned *first = m.first;
    const struct entry *list = m.entries;
#pragma acc parallel loop independent present(first[0:n + 1], list[0:entries], place[0:n + 1], count[0:n], out[0:room])
#pragma omp parallel for
    for (unsigned row = 0; row < n; ++row) {
        struct entry *own = out + place[row];
        unsigned used = 0;
        for (unsigned a = first[row]; a != first[row + 1]; ++a) {
            const struct entry left = list[a];
            unsigned at = 0;
            for (unsigned b = first[left.column], end = first[left.column + 1]; b != end; ++b) {
                // the columns of a row of B go up, so that the search goes on from the last
                while (at < used && own[at].column < list[b].column)
                    ++at;
                if (at == used || own[at].column != list[b].column) {
                    for (unsigned k = used++; k > at; --k)
                        own[k] = own[k - 1];
                    own[at].column = list[b].column;
                    own[at].value = 0;
                }
                own[at].value += left.value * list[b].value;
            }
        }
        count[row] = used;
    }
}
#endif

// Columns near the diagonal and some far from it, going up.
static int sparse(int n, int *first, int *column, double *value)
{
    int entries = 0;
    for (int row = 0; row < n; row++) {
        int length = 2 + mix(row + 5) % (MOST - 1), step = mix(row) % 4 ? 3 : n / 16,
            at = step == 3 ? row - length : mix(row + 9) % step;
        first[row] = entries;
        for (int k = 0; k < length && at < n; k++) {
            if (at >= 0) {
                column[entries] = at;
                value[entries] = number(entries) + 0.1;
                entries++;
            }
            at += 1 + mix(row * MOST + k) % step;
        }
    }
    first[n] = entries;
    return entries;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *first = NEW(int, n + 1), *column = NEW(int, n *MOST), *place = NEW(int, n + 1),
        *count = NEW(int, n);
    double *value = NEW(double, n * MOST), sum = 0;
    int entries = sparse(n, first, column, value);
    // room for as many entries of a row as there are products
    place[0] = 0;
    for (int row = 0; row < n; row++) {
        place[row + 1] = place[row];
        for (int a = first[row]; a < first[row + 1]; a++)
            place[row + 1] += first[column[a] + 1] - first[column[a]];
    }
    int room = place[n];
#pragma acc enter data copyin(first[0:n + 1], place[0:n + 1]) create(count[0:n])
#if SPELLING == 1
    int *out_column = NEW(int, room);
    double *out_value = NEW(double, room);
#pragma acc enter data copyin(column[0:entries], value[0:entries]) create(out_column[0:room], out_value[0:room])
#else
    struct entry *list = NEW(struct entry, entries), *out = NEW(struct entry, room);
    for (int k = 0; k < entries; k++)
        list[k] = (struct entry){value[k], column[k]};
    const struct matrix m = {(unsigned *)first, list};
#pragma acc enter data copyin(list[0:entries]) create(out[0:room])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        multiply(n, entries, room, first, column, value, place, count, out_column, out_value);
#else
        multiply(n, entries, room, m, (unsigned *)place, (unsigned *)count, out);
#endif
    }
#pragma acc update self(count[0:n])
#if SPELLING == 1
#pragma acc update self(out_column[0:room], out_value[0:room])
#else
#pragma acc update self(out[0:room])
#endif
    for (int row = 0; row < n; row++) {
        sum += count[row];
        for (int k = place[row]; k < place[row] + count[row]; k++)
#if SPELLING == 1
            sum += out_value[k] * (1 + out_column[k] % 7);
#else
            sum += out[k].value * (1 + out[k].column % 7);
#endif
    }
    report("spgemm", t.best, sum);
    return 0;
}
