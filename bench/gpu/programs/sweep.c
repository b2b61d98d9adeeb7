// Vector addition, scalar product, matrix times vector and Newton's square roots over numbers of teams, threads in each, and elements:
// the four programs of the paper on OpenMP for GCC's NVPTX target. Built with -fopenacc, with -fopenmp, and with -fopenmp and
// -DWITH_SIMD, where the innermost loops are `simd`; sweep.cu in ../cuda is the same in CUDA.
//
//     sweep [REPEATS]
//
// Prints `point program=dot teams=1024 threads=128 size=16777216 seconds=0.000012345 checksum=131068` lines.
#include "../sweep.h"

#ifdef WITH_SIMD
#define SIMD simd
#else
#define SIMD
#endif

static long long vector_add(int n, int teams, int threads, int repeats, double *seconds, double *a, double *b, double *c)
{
    struct watch w = watch(repeats);
    while (lap(&w)) {
#pragma acc parallel loop gang vector num_gangs(teams) vector_length(threads) present(a[0:n], b[0:n], c[0:n])
#pragma omp target teams distribute parallel for SIMD num_teams(teams) thread_limit(threads)
        for (int i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    }
    *seconds = w.best;
#pragma acc update self(c[n / 2:1])
#pragma omp target update from(c[n / 2 : 1])
    return (long long)c[n / 2];
}

static long long dot(int n, int teams, int threads, int repeats, double *seconds, double *a, double *b)
{
    double sum = 0;
    struct watch w = watch(repeats);
    while (lap(&w)) {
        sum = 0;
#pragma acc parallel loop gang vector num_gangs(teams) vector_length(threads) reduction(+:sum) present(a[0:n], b[0:n])
#pragma omp target teams distribute parallel for SIMD num_teams(teams) thread_limit(threads) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += a[i] * b[i];
    }
    *seconds = w.best;
    return (long long)sum;
}

static long long matvec(int side, int teams, int threads, int repeats, double *seconds, double *a, double *x, double *y)
{
    struct watch w = watch(repeats);
    while (lap(&w)) {
#pragma acc parallel loop gang num_gangs(teams) vector_length(threads) present(a[0:side * side], x[0:side], y[0:side])
#ifdef WITH_SIMD
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(threads)
#else
#pragma omp target teams distribute num_teams(teams) thread_limit(threads)
#endif
        for (int i = 0; i < side; i++) {
            double s = 0;
#pragma acc loop vector reduction(+:s)
#ifdef WITH_SIMD
#pragma omp simd reduction(+ : s)
#else
#pragma omp parallel for reduction(+ : s)
#endif
            for (int j = 0; j < side; j++)
                s += a[i * side + j] * x[j];
            y[i] = s;
        }
    }
    *seconds = w.best;
#pragma acc update self(y[side / 2:1])
#pragma omp target update from(y[side / 2 : 1])
    return (long long)y[side / 2];
}

static long long newton(int n, int teams, int threads, int repeats, double *seconds, double *a, double *c)
{
    struct watch w = watch(repeats);
    while (lap(&w)) {
#pragma acc parallel loop gang vector num_gangs(teams) vector_length(threads) present(a[0:n], c[0:n])
#pragma omp target teams distribute parallel for SIMD num_teams(teams) thread_limit(threads)
        for (int i = 0; i < n; i++) {
            double x = a[i] + 1;
            for (int k = 0; k < STEPS; k++)
                x = 0.5 * (x + (a[i] + 1) / x);
            c[i] = x;
        }
    }
    *seconds = w.best;
#pragma acc update self(c[n / 2:1])
#pragma omp target update from(c[n / 2 : 1])
    return (long long)(c[n / 2] * 1048576);
}

int main(int argc, char **argv)
{
    int repeats = argc > 1 ? atoi(argv[1]) : 8, n = LARGEST;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c), seconds = 0;
    if (!a || !b || !c)
        return 1;
    for (int i = 0; i < n; i++) {
        a[i] = INPUT_A(i);
        b[i] = INPUT_B(i);
        c[i] = 0;
    }
#pragma acc enter data copyin(a[0:n], b[0:n], c[0:n])
#pragma omp target enter data map(to : a[0 : n], b[0 : n], c[0 : n])
    for (int k = 0; k < POINTS; k++) {
        struct point p = point(k);
        int size = p.side * p.side;
        long long sum = vector_add(size, p.teams, p.threads, repeats, &seconds, a, b, c);
        print_point("vector_add", p, seconds, sum);
        sum = dot(size, p.teams, p.threads, repeats, &seconds, a, b);
        print_point("dot", p, seconds, sum);
        sum = matvec(p.side, p.teams, p.threads, repeats, &seconds, a, b, c);
        print_point("matvec", p, seconds, sum);
        sum = newton(size, p.teams, p.threads, repeats, &seconds, a, c);
        print_point("newton", p, seconds, sum);
    }
    return 0;
}
