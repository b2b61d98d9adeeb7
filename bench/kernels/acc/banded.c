// 2^14 symmetric positive systems of 96 unknowns with 8 diagonals below, double: Cholesky's factor of the band in place, whose columns change those behind
// them, and both triangles solved.
#include "../kernels.h"

enum { SYSTEMS = 1 << 14, UNKNOWNS = 96, BAND = 8, WIDE = BAND + 1 };

static inline double entry(int s, int k, int d) { return d == 0 ? 8.5 + number(97 * s + k) : k + d < UNKNOWNS ? -0.5 * number(1031 * s + 17 * k + d) : 0; }

static inline double side(int s, int k) { return 1 + number(s + 8191 * k); }

#if SPELLING == 1
// Bands are [system][column][diagonal].
static void solve(int n, const double *restrict a, const double *restrict b, double *restrict l, double *restrict x)
{
#pragma acc parallel loop gang vector_length(32) present(a[0:n * UNKNOWNS * WIDE], b[0:n * UNKNOWNS], l[0:n * UNKNOWNS * WIDE], x[0:n * UNKNOWNS])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        int band = s * UNKNOWNS * WIDE, at = s * UNKNOWNS;
#pragma acc loop vector
#pragma omp simd
        for (int k = 0; k < UNKNOWNS * WIDE; k++)
            l[band + k] = a[band + k];
#pragma acc loop vector
#pragma omp simd
        for (int k = 0; k < UNKNOWNS; k++)
            x[at + k] = b[at + k];
#pragma acc loop seq
        for (int k = 0; k < UNKNOWNS; k++) {
            int column = band + k * WIDE, last = k + BAND < UNKNOWNS ? BAND : UNKNOWNS - 1 - k;
            double pivot = sqrt(l[column]);
#pragma acc loop vector
            for (int d = 0; d <= last; d++)
                l[column + d] = d == 0 ? pivot : l[column + d] / pivot;
#pragma acc loop vector collapse(2)
            for (int p = 1; p <= last; p++)
                for (int q = 1; q <= last; q++)
                    if (q >= p)
                        l[column + p * WIDE + q - p] -= l[column + p] * l[column + q];
            double known = x[at + k] / pivot;
#pragma acc loop vector
            for (int d = 0; d <= last; d++)
                x[at + k + d] = d == 0 ? known : x[at + k + d] - l[column + d] * known;
        }
#pragma acc loop seq
        for (int k = UNKNOWNS - 1; k >= 0; k--) {
            int column = band + k * WIDE, last = k + BAND < UNKNOWNS ? BAND : UNKNOWNS - 1 - k;
            double rest = 0;
#pragma acc loop vector reduction(+ : rest)
            for (int d = 1; d <= last; d++)
                rest += l[column + d] * x[at + k + d];
            x[at + k] = (x[at + k] - rest) / l[column];
        }
    }
}
#else
// Bands are [column][diagonal][system]; the columns that a pivot changes are in a window of the iteration's own.
static void solve(size_t n, double (*a)[WIDE][n], double (*b)[n], double (*l)[WIDE][n], double (*x)[n])
{
#pragma acc parallel loop gang vector vector_length(64) present(a[0:UNKNOWNS], b[0:UNKNOWNS], l[0:UNKNOWNS], x[0:UNKNOWNS])
#pragma omp parallel for
    for (size_t s = 0; s < n; ++s) {
        double window[WIDE][WIDE], right[WIDE];
        for (int c = 0; c < BAND; ++c) {
            for (int d = 0; d < WIDE; ++d)
                window[c][d] = a[c][d][s];
            right[c] = b[c][s];
        }
        for (int k = 0; k < UNKNOWNS; ++k) {
            for (int d = 0; d < WIDE; ++d)
                window[BAND][d] = k + BAND < UNKNOWNS ? a[k + BAND][d][s] : 0;
            right[BAND] = k + BAND < UNKNOWNS ? b[k + BAND][s] : 0;
            double inverse = 1 / sqrt(window[0][0]), column[WIDE], known = right[0] * inverse;
            l[k][0][s] = inverse;
            x[k][s] = known;
            for (int d = 1; d < WIDE; ++d) {
                column[d] = window[0][d] * inverse;
                l[k][d][s] = column[d];
            }
            for (int p = 1; p < WIDE; ++p) {
                for (int q = p; q < WIDE; ++q)
                    window[p][q - p] -= column[p] * column[q];
                right[p] -= column[p] * known;
            }
            for (int p = 0; p < BAND; ++p) {
                for (int d = 0; d < WIDE; ++d)
                    window[p][d] = window[p + 1][d];
                right[p] = right[p + 1];
            }
        }
        double behind[WIDE] = {0};
        for (int k = UNKNOWNS; k-- > 0;) {
            double sum = x[k][s];
            for (int d = 1; d < WIDE; ++d)
                sum -= l[k][d][s] * behind[d];
            for (int d = BAND; d > 1; --d)
                behind[d] = behind[d - 1];
            behind[1] = sum * l[k][0][s];
            x[k][s] = behind[1];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SYSTEMS >> args.shift, unknowns = n * UNKNOWNS, all = unknowns * WIDE;
    double *a = NEW(double, all), *b = NEW(double, unknowns), *l = NEW(double, all), *x = NEW(double, unknowns), sum = 0;
    for (int s = 0; s < n; s++)
        for (int k = 0; k < UNKNOWNS; k++) {
#if SPELLING == 1
            int first = (s * UNKNOWNS + k) * WIDE, step = 1, at = s * UNKNOWNS + k;
#else
            int first = k * WIDE * n + s, step = n, at = k * n + s;
#endif
            for (int d = 0; d < WIDE; d++)
                a[first + d * step] = entry(s, k, d);
            b[at] = side(s, k);
        }
#pragma acc enter data copyin(a[0:all], b[0:unknowns]) create(l[0:all], x[0:unknowns])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        solve(n, a, b, l, x);
#else
        solve(n, (void *)a, (void *)b, (void *)l, (void *)x);
#endif
    }
#pragma acc update self(x[0:unknowns])
    for (int s = 0; s < n; s++)
        for (int k = 0; k < UNKNOWNS; k++)
#if SPELLING == 1
            sum += x[s * UNKNOWNS + k] * (1 + k % 3);
#else
            sum += x[k * n + s] * (1 + k % 3);
#endif
    report("banded", t.best, sum);
    return 0;
}
