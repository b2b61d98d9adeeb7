// A hierarchy of boxes over 2^20 points in the order of Morton's code, as tracers of rays build it (Karras): for each
// inner node, all at once, in which direction and how far its range of codes goes and where their highest bit changes,
// by doubling and bisection; then how deep each leaf is.
#include "../kernels.h"

enum { LEAVES = 1 << 20 };

#if SPELLING == 1
static inline int zeros(unsigned x)
{
    int n = 0;
    if (x == 0)
        return 32;
    if (x <= 0x0000ffff) { n += 16; x <<= 16; }
    if (x <= 0x00ffffff) { n += 8; x <<= 8; }
    if (x <= 0x0fffffff) { n += 4; x <<= 4; }
    if (x <= 0x3fffffff) { n += 2; x <<= 2; }
    return n + (x <= 0x7fffffff);
}

// Leading bits that two codes share; places tell equal codes apart.
#pragma acc routine seq
static int common(const unsigned *restrict codes, int n, int i, int j)
{
    if (j < 0 || j >= n)
        return -1;
    return codes[i] == codes[j] ? 32 + zeros((unsigned)(i ^ j)) : zeros(codes[i] ^ codes[j]);
}

static void build(int n, const unsigned *restrict codes, int *restrict left, int *restrict right, int *restrict parent,
                  int *restrict depth)
{
#pragma acc parallel loop present(codes[0:n], left[0:n - 1], right[0:n - 1], parent[0:2 * n - 1])
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) {
        int d = common(codes, n, i, i + 1) > common(codes, n, i, i - 1) ? 1 : -1;
        int least = common(codes, n, i, i - d), most = 2, length = 0;
        while (common(codes, n, i, i + most * d) > least)
            most *= 2;
        for (int step = most / 2; step >= 1; step /= 2)
            if (common(codes, n, i, i + (length + step) * d) > least)
                length += step;
        int j = i + length * d, shared = common(codes, n, i, j), split = 0, step = length;
        do {
            step = (step + 1) / 2;
            if (common(codes, n, i, i + (split + step) * d) > shared)
                split += step;
        } while (step > 1);
        int at = i + split * d + (d < 0 ? -1 : 0), low = i < j ? i : j, high = i < j ? j : i;
        // leaves stand behind the n - 1 inner nodes
        left[i] = low == at ? n - 1 + at : at;
        right[i] = high == at + 1 ? n + at : at + 1;
        parent[left[i]] = i;
        parent[right[i]] = i;
        if (i == 0)
            parent[0] = -1;
    }
#pragma acc parallel loop present(parent[0:2 * n - 1], depth[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int levels = 0;
        for (int node = parent[n - 1 + i]; node >= 0; node = parent[node])
            levels++;
        depth[i] = levels;
    }
}
#else
struct node { unsigned left, right; };

// Codes with their places behind them never are equal.
#define KEY(i) ((unsigned long)codes[i] << 32 | (i))

static inline int same(unsigned long a, unsigned long b) { return __builtin_clzl(a ^ b); }

static inline int shared(const unsigned *codes, long n, long i, long j)
{
    return j < 0 || j >= n ? -1 : same(KEY(i), KEY(j));
}

static void build(long n, unsigned *codes, struct node *nodes, int *parent, int *depth)
{
#pragma acc kernels present(codes[0:n], nodes[0:n - 1], parent[0:2 * n - 1], depth[0:n])
    {
#pragma acc loop independent gang vector
#pragma omp parallel for
        for (long i = 0; i < n - 1; ++i) {
            long first = i, last = i;
            if (i == 0) {
                last = n - 1;
                parent[0] = -1;
            } else {
                int before = shared(codes, n, i, i - 1), after = shared(codes, n, i, i + 1);
                long way = after > before ? 1 : -1, reach = 1;
                int bound = after > before ? before : after;
                while (shared(codes, n, i, i + way * reach * 2) > bound)
                    reach *= 2;
                long far = i + way * reach;
                for (; reach; reach /= 2)
                    if (shared(codes, n, i, far + way * reach) > bound)
                        far += way * reach;
                if (way > 0)
                    last = far;
                else
                    first = far;
            }
            // the last one that shares more with the first than all do
            int prefix = same(KEY(first), KEY(last));
            long low = first, high = last;
            while (high - low > 1) {
                long middle = low + (high - low) / 2;
                if (same(KEY(first), KEY(middle)) > prefix)
                    low = middle;
                else
                    high = middle;
            }
            struct node made = {low, low + 1};
            if (low == first)
                made.left += n - 1;
            if (low + 1 == last)
                made.right += n - 1;
            nodes[i] = made;
            parent[made.left] = parent[made.right] = (int)i;
        }
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            int node = parent[n - 1 + i];
            depth[i] = 0;
            while (node >= 0) {
                ++depth[i];
                node = parent[node];
            }
        }
    }
}
#endif

static int less(const void *a, const void *b)
{
    return (*(unsigned *)a > *(unsigned *)b) - (*(unsigned *)a < *(unsigned *)b);
}

static unsigned spread(unsigned x)
{
    x = (x * 0x00010001u) & 0xff0000ffu;
    x = (x * 0x00000101u) & 0x0f00f00fu;
    x = (x * 0x00000011u) & 0xc30c30c3u;
    return (x * 0x00000005u) & 0x49249249u;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LEAVES >> args.shift, *children = NEW(int, 2 * n), *parent = NEW(int, 2 * n), *depth = NEW(int, n);
    unsigned *codes = NEW(unsigned, n);
    double sum = 0;
    // half of the points lie in a small corner
    for (int k = 0; k < n; k++) {
        unsigned shift = k % 2 ? 4 : 0, x = mix(3 * k) % 1024 >> shift, y = mix(3 * k + 1) % 1024 >> shift,
                 z = mix(3 * k + 2) % 1024 >> shift;
        codes[k] = spread(x) * 4 + spread(y) * 2 + spread(z);
    }
    qsort(codes, n, sizeof(unsigned), less);
#pragma acc enter data copyin(codes[0:n]) create(children[0:2 * n], parent[0:2 * n], depth[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        build(n, codes, children, children + n, parent, depth);
#else
        build(n, codes, (struct node *)children, parent, depth);
#endif
    }
#pragma acc update self(children[0:2 * n], parent[0:2 * n], depth[0:n])
    for (int k = 0; k < n - 1; k++) {
#if SPELLING == 1
        sum += children[k] * (k % 3 + 1.0) + children[n + k];
#else
        sum += children[2 * k] * (k % 3 + 1.0) + children[2 * k + 1];
#endif
    }
    for (int k = 0; k < n; k++)
        sum += depth[k] * 1000.0 + parent[n - 1 + k];
    report("hierarchy", t.best, sum);
    return 0;
}
