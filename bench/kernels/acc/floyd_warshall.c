// All shortest paths by Floyd and Warshall, int, 1024 nodes: 1024 launches from a loop of the host.
#include "../kernels.h"

enum { N = 1024 };

#if SPELLING == 1
static void paths(int n, int *restrict d)
{
    for (int k = 0; k < n; k++) {
#pragma acc parallel loop collapse(2) present(d[0:n * n])
#pragma omp parallel for
        for (int i = 0; i < n; i++)
#pragma omp simd
            for (int j = 0; j < n; j++) {
                int way = d[i * n + k] + d[k * n + j];
                if (way < d[i * n + j])
                    d[i * n + j] = way;
            }
    }
}
#elif SPELLING == 3
static void paths(int n, int *d)
{
    int(*dist)[n] = (int(*)[n])d;
#pragma acc data present(dist[0:n])
    for (int k = 0; k < n; k++) {
#pragma acc parallel loop gang async(1)
        for (int i = 0; i < n; i++) {
            const int ik = dist[i][k];
#pragma acc loop vector
            for (int j = 0; j < n; j++)
                if (dist[i][j] > ik + dist[k][j])
                    dist[i][j] = ik + dist[k][j];
        }
    }
#pragma acc wait(1)
}
#elif SPELLING == 4
static void paths(unsigned n, int *path)
{
    const unsigned cells = n * n;
    for (unsigned k = 0; k < n; k++) {
#pragma acc kernels loop independent present(path[0:cells])
        for (unsigned c = 0; c < cells; c++) {
            unsigned y = c / n, x = c % n;
            int through = path[y * n + k] + path[k * n + x];
            if (through < path[c])
                path[c] = through;
        }
    }
}
#else
static void paths(size_t n, int *d)
{
    for (size_t k = 0; k < n; k++) {
#pragma acc kernels loop independent collapse(2) present(d[0:n * n])
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
#pragma omp simd
            for (size_t j = 0; j < n; j++) {
                int old = d[i * n + j], way = d[i * n + k] + d[k * n + j];
                if (!(old <= way))
                    d[i * n + j] = way;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, *d = NEW(int, n * n);
    double sum = 0;
    FILL(d, n * n, 10000);
#pragma acc enter data copyin(d[0:n * n])
    struct watch t = watch(args.repeats / 10 + 1);
    while (lap(&t))
        paths(n, d);
#pragma acc update self(d[0:n * n])
    SUM(sum, d, n * n);
    report("floyd_warshall", t.best, sum);
    return 0;
}
