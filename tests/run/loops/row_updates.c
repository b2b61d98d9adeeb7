// Rows that a loop over lanes updates in each iteration of a loop in order around it, in the order of programs for cores.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 37, m = 150, l = 23 };

static double a[n][l], b[l][m], x[m], first[n][m], second[n][m];
static int where[m], failed;

// Sums in the same order are the same numbers.
#pragma STDC FP_CONTRACT OFF

#define REGION(name, directive, lanes, body)                                                                       \
    static void name##_host(double (*c)[m], int rows, int columns, int terms)                                      \
    {                                                                                                              \
        for (int i = 0; i < rows; i++) body(_Pragma(""))                                                           \
    }                                                                                                              \
    static void name##_device(double (*c)[m], int rows, int columns, int terms)                                    \
    {                                                                                                              \
        _Pragma(directive)                                                                                         \
        for (int i = 0; i < rows; i++) body(_Pragma(lanes))                                                        \
    }
#define GANGS "acc parallel loop gang copy(c[0:rows])"
#define KERNELS "acc kernels loop independent copy(c[0:rows])"
#define VECTOR "acc loop vector"
#define BOTH "acc loop worker vector"
#define INDEPENDENT "acc loop independent"

#define PRODUCT(LANES) {                                                                                           \
        LANES for (int j = 0; j < columns; j++) c[i][j] = 0;                                                       \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = 0; j < columns; j++) c[i][j] += a[i][k] * b[k][j];                                  \
        } }
REGION(product, GANGS, VECTOR, PRODUCT)
REGION(product_of_both, GANGS, BOTH, PRODUCT)
REGION(product_in_kernels, KERNELS, INDEPENDENT, PRODUCT)

#define SCALED(LANES) {                                                                                            \
        LANES for (size_t j = 0; j < columns; ++j) c[i][j] *= 0.5;                                                 \
        for (size_t k = 0; k < terms; ++k) {                                                                       \
            if (k % 3 == 1) continue;                                                                              \
            const double factor = 0.25 * (int)k;                                                                   \
            LANES for (size_t j = 0; j < columns; ++j) c[i][j] += factor * a[i][k] * b[k][j];                      \
        }                                                                                                          \
        LANES for (size_t j = 0; j < columns; ++j) c[i][j] = fmax(c[i][j], -1); }
REGION(scaled, GANGS, VECTOR, SCALED)
REGION(scaled_in_kernels, KERNELS, INDEPENDENT, SCALED)

#define NESTED(LANES) {                                                                                            \
        double *row = c[i];                                                                                        \
        for (int k = 0; k < terms; k++) {                                                                          \
            for (int h = 0; h < 3; h++) {                                                                          \
                LANES for (int j = 0; j < columns; j++) {                                                          \
                    double t = row[j];                                                                             \
                    for (int g = 0; g < 2; g++) t = 0.5 * t + a[i][k] * b[k][(j + h + g) % m];                     \
                    row[j] = t;                                                                                    \
                }                                                                                                  \
            }                                                                                                      \
        } }
REGION(nested, GANGS, VECTOR, NESTED)

// Where the loops stay as they are.
#define TRIANGULAR(LANES) {                                                                                        \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = k + 1; j < columns; j++) c[i][j] -= a[i][k] * c[i][k];                              \
        } }
REGION(triangular, GANGS, VECTOR, TRIANGULAR)

#define OF_ROW(LANES) {                                                                                            \
        for (int k = 0; k < terms; k++) {                                                                          \
            double pivot = c[i][k + 1];                                                                            \
            LANES for (int j = 0; j < columns; j++) c[i][j] = 0.5 * c[i][j] + 0.125 * pivot;                       \
        } }
REGION(of_row, GANGS, VECTOR, OF_ROW)

#define MOVED(LANES) {                                                                                             \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = 0; j < columns; j++) c[i][(j + k) % m] += b[k][j];                                  \
        } }
REGION(moved, GANGS, VECTOR, MOVED)

#define SOMETIMES(LANES) {                                                                                         \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = 0; j < columns; j++) if (j % 2 == k % 2) c[i][j] = 0.5 * c[i][j] + c[i][(j + 1) % m]; \
        } }
REGION(sometimes, GANGS, VECTOR, SOMETIMES)

#define SCATTERED(LANES) {                                                                                         \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = 0; j < columns; j++) c[i][where[j]] += a[i][k] * x[j];                              \
        } }
REGION(scattered, GANGS, VECTOR, SCATTERED)

#define NEIGHBOURS(LANES) {                                                                                        \
        double old[m], new[m];                                                                                     \
        LANES for (int j = 0; j < columns; j++) old[j] = c[i][j];                                                  \
        for (int k = 0; k < terms; k++) {                                                                          \
            LANES for (int j = 0; j < columns; j++) new[j] = (old[j > 0 ? j - 1 : j] + old[j] + old[j + 1 < columns ? j + 1 : j]) / 3; \
            LANES for (int j = 0; j < columns; j++) old[j] = new[j];                                               \
        }                                                                                                          \
        LANES for (int j = 0; j < columns; j++) c[i][j] = old[j]; }
REGION(neighbours, GANGS, VECTOR, NEIGHBOURS)

// The rows are arrays of the gang, which its lanes share.
#define OF_GANG(LANES) {                                                                                           \
        double row[m], other[m];                                                                                   \
        LANES for (int j = 0; j < columns; j++) row[j] = c[i][j];                                                  \
        for (int k = 0; k < terms; k++) {                                                                          \
            double pivot = row[(k + 1) % columns];                                                                 \
            LANES for (int j = 0; j < columns; j++) row[j] = 0.5 * row[j] + 0.125 * pivot;                         \
        }                                                                                                          \
        LANES for (int j = 0; j < columns; j++) { other[j] = 3 * row[j]; c[i][j] = 1; }                            \
        LANES for (int j = 0; j < columns; j++) for (int k = 0; k < terms; k++) c[i][j] += other[(j + k) % columns]; \
    }
REGION(of_gang, GANGS, VECTOR, OF_GANG)

static void compare(const char *name, void (*host)(double (*)[m], int, int, int), void (*device)(double (*)[m], int, int, int))
{
    int sizes[][3] = {{n, m, l}, {n, m, 0}, {n, 1, l}, {3, 40, 1}, {0, m, l}};
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) first[i][j] = second[i][j] = (i * 31 + j * 17) % 13 - 6;
        host(first, sizes[s][0], sizes[s][1], sizes[s][2]);
        device(second, sizes[s][0], sizes[s][1], sizes[s][2]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (!(fabs(first[i][j] - second[i][j]) <= 1e-12 * fabs(first[i][j]))) {
                    printf("%s: %.17g instead of %.17g at %d %d, sizes %d\n", name, second[i][j], first[i][j], i, j, s);
                    failed = 1;
                    return;
                }
    }
}

// The factor may be an element of the row itself: only the launch tells.
static void scaled_rows(int rows, int columns, int terms, double *to, const double *factors, const double *table)
{
#pragma acc parallel loop gang present(to[0:rows * columns], factors[0:rows * columns], table[0:terms * columns])
    for (int i = 0; i < rows; i++) {
#pragma acc loop vector
        for (int j = 0; j < columns; j++) to[i * columns + j] += 1;
        for (int k = 0; k < terms; k++) {
            double factor = factors[i * columns + k];
#pragma acc loop vector
            for (int j = 0; j < columns; j++) to[i * columns + j] = 0.5 * to[i * columns + j] + factor * table[k * columns + j];
        }
    }
}

static void scaled_rows_host(int rows, int columns, int terms, double *to, const double *factors, const double *table)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) to[i * columns + j] += 1;
        for (int k = 0; k < terms; k++) {
            double factor = factors[i * columns + k];
            for (int j = 0; j < columns; j++) to[i * columns + j] = 0.5 * to[i * columns + j] + factor * table[k * columns + j];
        }
    }
}

static void by_factors(void)
{
    static double to[n * m], right[n * m], other[n * m], table[l * m];
    for (int aliased = 0; aliased < 2; aliased++) {
        for (int k = 0; k < n * m; k++) to[k] = right[k] = k % 17 - 8, other[k] = k % 5 - 2;
        for (int k = 0; k < l * m; k++) table[k] = k % 7 * 0.125;
#pragma acc data copy(to) copyin(other, table)
        scaled_rows(n, m, l, to, aliased ? to : other, table);
        scaled_rows_host(n, m, l, right, aliased ? right : other, table);
        for (int k = 0; k < n * m; k++)
            if (!(fabs(to[k] - right[k]) <= 1e-12 * fabs(right[k]))) {
                printf("factors%s: %.17g instead of %.17g at %d\n", aliased ? " of the row" : "", to[k], right[k], k);
                failed = 1;
                break;
            }
    }
}

int main(void)
{
    for (int k = 0; k < l; k++) {
        for (int i = 0; i < n; i++) a[i][k] = (i * 7 + k * 5) % 11 - 5;
        for (int j = 0; j < m; j++) b[k][j] = (k * 3 + j) % 7 - 3;
    }
    for (int j = 0; j < m; j++) x[j] = j % 9, where[j] = j * 7 % m;
#pragma acc data copyin(a, b, x, where)
    {
#define COMPARE(name) compare(#name, name##_host, name##_device)
        COMPARE(product);
        COMPARE(product_of_both);
        COMPARE(product_in_kernels);
        COMPARE(scaled);
        COMPARE(scaled_in_kernels);
        COMPARE(nested);
        COMPARE(triangular);
        COMPARE(of_row);
        COMPARE(moved);
        COMPARE(sometimes);
        COMPARE(scattered);
        COMPARE(neighbours);
        COMPARE(of_gang);
    }
    by_factors();
    return failed;
}
