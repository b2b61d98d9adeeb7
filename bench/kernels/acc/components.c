// Connected components of a picture of 2048 x 2048 points, half of them set, with four neighbours each: in every round the larger of two different
// labels side by side is hung below the smaller, then all points look up their root; sizes by atomic counters once nothing changes.
#include "../kernels.h"

enum { SIZE = 2048 };

#if SPELLING == 1
static int label_all(int w, const unsigned char *restrict set, int *restrict label, int *restrict parent, int *restrict size, int *largest,
                     double *squares)
{
    int n = w * w, again = 1, count = 0, most = 0;
    double square = 0;
#pragma acc data present(set[0:n], label[0:n], parent[0:n], size[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            label[p] = set[p] ? p : -1;
            parent[p] = p;
            size[p] = 0;
        }
        while (again) {
            again = 0;
#pragma acc parallel loop collapse(2) reduction(max : again)
#pragma omp parallel for reduction(max : again)
            for (int y = 0; y < w; y++)
                for (int x = 0; x < w; x++) {
                    int p = y * w + x, a = label[p];
                    if (a < 0)
                        continue;
                    int right = x + 1 < w ? label[p + 1] : -1, below = y + 1 < w ? label[p + w] : -1;
                    if (right >= 0 && right != a) {
                        again = 1;
#pragma acc atomic write
#pragma omp atomic write
                        parent[a > right ? a : right] = a > right ? right : a;
                    }
                    if (below >= 0 && below != a) {
                        again = 1;
#pragma acc atomic write
#pragma omp atomic write
                        parent[a > below ? a : below] = a > below ? below : a;
                    }
                }
            if (!again)
                break;
#pragma acc parallel loop
#pragma omp parallel for
            for (int p = 0; p < n; p++) {
                int root = label[p];
                if (root < 0)
                    continue;
                while (parent[root] != root)
                    root = parent[root];
                label[p] = root;
            }
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int p = 0; p < n; p++)
            if (label[p] >= 0) {
#pragma acc atomic update
#pragma omp atomic
                size[label[p]]++;
            }
#pragma acc parallel loop reduction(+ : count, square) reduction(max : most)
#pragma omp parallel for reduction(+ : count, square) reduction(max : most)
        for (int p = 0; p < n; p++)
            if (size[p] > 0) {
                count++;
                square += (double)size[p] * size[p];
                most = size[p] > most ? size[p] : most;
            }
    }
    *largest = most;
    *squares = square;
    return count;
}
#else
struct point { unsigned label, parent, size; };
struct found { unsigned count, largest; unsigned long squares; };

#define NONE 0xffffffffu
#define EACH_POINT(y, x)                                                                                                                         \
    for (unsigned y = 0; y < rows; ++y)                                                                                                           \
        for (unsigned x = 0; x < columns; ++x)

// Hangs the larger of two labels below the smaller; whether there was something to do.
#pragma acc routine seq
static unsigned hang(struct point *all, unsigned a, unsigned b)
{
    if (b == NONE || a == b)
        return 0;
    const unsigned high = a > b ? a : b, low = a + b - high;
#pragma acc atomic write
#pragma omp atomic write
    all[high].parent = low;
    return 1;
}

static struct found label_all(unsigned rows, unsigned columns, const unsigned char *set, struct point *points)
{
    struct found f = {0, 0, 0};
    unsigned changes, n = rows * columns;
#pragma acc kernels loop independent collapse(2) present(set[0:n], points[0:n])
#pragma omp parallel for
    EACH_POINT(y, x)
    {
        const unsigned p = y * columns + x;
        const struct point fresh = {set[p] ? p : NONE, p, 0};
        points[p] = fresh;
    }
    do {
        changes = 0;
#pragma acc kernels present(points[0:n]) copy(changes)
#pragma acc loop independent tile(32, 8) reduction(+ : changes)
#pragma omp parallel for reduction(+ : changes)
        EACH_POINT(y, x)
        {
            const struct point *p = &points[y * columns + x];
            const unsigned mine = p->label;
            if (mine != NONE) {
                if (x + 1 < columns)
                    changes += hang(points, mine, p[1].label);
                if (y + 1 < rows)
                    changes += hang(points, mine, p[columns].label);
            }
        }
#pragma acc kernels loop independent present(points[0:n])
#pragma omp parallel for
        for (unsigned p = 0; p < n; ++p)
            if (points[p].label != NONE) {
                unsigned root = points[p].label, next;
                while ((next = points[root].parent) != root)
                    root = next;
                points[p].label = root;
            }
    } while (changes != 0);
#pragma acc kernels loop independent present(points[0:n])
#pragma omp parallel for
    for (unsigned p = 0; p < n; ++p) {
        const unsigned l = points[p].label;
        if (l == NONE)
            continue;
#pragma acc atomic
#pragma omp atomic
        points[l].size += 1;
    }
    unsigned count = 0, largest = 0;
    unsigned long squares = 0;
#pragma acc parallel loop present(points[0:n]) reduction(+ : count) reduction(+ : squares) reduction(max : largest)
#pragma omp parallel for reduction(+ : count, squares) reduction(max : largest)
    for (unsigned p = 0; p < n; ++p) {
        const unsigned long s = points[p].size;
        count += s != 0;
        squares += s * s;
        if (s > largest)
            largest = (unsigned)s;
    }
    f.count = count;
    f.largest = largest;
    f.squares = squares;
    return f;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIZE >> (args.shift + 1) / 2, n = w * w;
    unsigned char *set = NEW(unsigned char, n);
    double sum = 0;
    for (int p = 0; p < n; p++)
        set[p] = mix(p + 17) % 1000 < 520;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *label = NEW(int, n), *parent = NEW(int, n), *size = NEW(int, n), count = 0, largest = 0;
    double squares = 0;
#pragma acc enter data copyin(set[0:n]) create(label[0:n], parent[0:n], size[0:n])
    while (lap(&t))
        count = label_all(w, set, label, parent, size, &largest, &squares);
#pragma acc update self(label[0:n])
    for (int p = 0; p < n; p++)
        sum += 1e-3 * (label[p] + 1);
    report("components", t.best, sum + 1000.0 * count + largest + squares);
#else
    struct point *points = NEW(struct point, n);
    struct found f = {0, 0, 0};
#pragma acc enter data copyin(set[0:n]) create(points[0:n])
    while (lap(&t))
        f = label_all(w, w, set, points);
#pragma acc update self(points[0:n])
    for (int p = 0; p < n; p++)
        sum += 1e-3 * (points[p].label == NONE ? 0 : points[p].label + 1.0);
    report("components", t.best, sum + 1000.0 * f.count + f.largest + (double)f.squares);
#endif
    return 0;
}
