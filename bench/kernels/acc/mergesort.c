// 2^20 keys of 32 bits in order by merging: runs of 32 by insertion, then runs twice as long with each of 15 launches, where bisection finds places.
#include "../kernels.h"

enum { KEYS = 1 << 20, RUN = 32 };

#if SPELLING == 1
static unsigned *sort(int n, unsigned *restrict keys, unsigned *restrict a, unsigned *restrict b)
{
#pragma acc data present(keys[0:n], a[0:n], b[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int r = 0; r < n / RUN; r++) {
            unsigned run[RUN];
            for (int i = 0; i < RUN; i++) {
                unsigned key = keys[r * RUN + i];
                int j = i;
                while (j > 0 && run[j - 1] > key) {
                    run[j] = run[j - 1];
                    j--;
                }
                run[j] = key;
            }
            for (int i = 0; i < RUN; i++)
                a[r * RUN + i] = run[i];
        }
        for (int width = RUN; width < n; width *= 2) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int mine = i / width, begin = mine % 2 ? (mine - 1) * width : (mine + 1) * width, low = begin, high = begin + width;
                unsigned key = a[i];
                while (low < high) {
                    int middle = (low + high) / 2;
                    if (a[middle] < key || (mine % 2 && a[middle] == key))
                        low = middle + 1;
                    else
                        high = middle;
                }
                int at = mine / 2 * 2 * width + (i - mine * width) + (low - begin);
                b[at] = key;
            }
            unsigned *c = a;
            a = b;
            b = c;
        }
    }
    return a;
}
#else
typedef unsigned key;

static size_t split(key *x, size_t nx, key *y, size_t ny, size_t diagonal)
{
    size_t low = diagonal > ny ? diagonal - ny : 0, high = diagonal < nx ? diagonal : nx;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x[middle] <= y[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insertion(key *from, key *to)
{
    for (size_t i = 0; i < RUN; ++i) {
        key k = from[i];
        size_t j = i;
        for (; j > 0 && to[j - 1] > k; --j)
            to[j] = to[j - 1];
        to[j] = k;
    }
}

static key *sort(size_t n, key *keys, key *a, key *b)
{
    key *buffer[2] = {a, b};
    int from = 0;
#pragma acc kernels present(keys[0:n], a[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t r = 0; r < n; r += RUN)
        insertion(keys + r, a + r);
    for (size_t width = RUN; width < n; width *= 2, from = !from) {
        key *x = buffer[from], *y = buffer[!from];
#pragma acc parallel loop gang vector present(x[0:n], y[0:n])
#pragma omp parallel for
        for (size_t part = 0; part < n / RUN; ++part) {
            size_t begin = part * RUN / (2 * width) * (2 * width), diagonal = part * RUN - begin;
            key *left = x + begin, *right = left + width, *to = y + part * RUN;
            size_t i = split(left, width, right, width, diagonal), j = diagonal - i;
            for (int k = 0; k < RUN; ++k)
                if (j >= width || (i < width && left[i] <= right[j]))
                    *to++ = left[i++];
                else
                    *to++ = right[j++];
        }
    }
    return buffer[from];
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = KEYS >> args.shift;
    unsigned *keys = NEW(unsigned, n), *a = NEW(unsigned, n), *b = NEW(unsigned, n), *sorted = NULL;
    double sum = 0;
    for (int k = 0; k < n; k++)
        keys[k] = mix(k) ^ mix(k / 3 + 77);
#pragma acc enter data copyin(keys[0:n]) create(a[0:n], b[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sorted = sort(n, keys, a, b);
#pragma acc update self(sorted[0:n])
    for (int k = 0; k < n; k++)
        sum += (double)sorted[k] * (k % 1021 + 1);
    report("mergesort", t.best, sum);
    return 0;
}
