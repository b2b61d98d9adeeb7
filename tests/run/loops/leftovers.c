// What is left over where a loop does several iterations at a time: every number of iterations up to a few groups, in loops over lanes and in
// loops that a thread runs by itself; with branches, indices that are looked up or moved by hand, stores, atomics, and variables whose
// last value is used.
#include <stdio.h>

enum { ROWS = 70, MOST = 300 };
static double a[ROWS][MOST], sums[ROWS][6];
static float f[MOST], out[ROWS][MOST];
static int next_of[MOST], count[8], last[ROWS];

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < MOST; k++)
            a[i][k] = (i * 31 + k * 17) % 23 - 7;
    for (int k = 0; k < MOST; k++) {
        f[k] = k % 13 - 6;
        next_of[k] = (k * 7 + 3) % MOST;
    }
#pragma acc data copyin(a, f, next_of) copy(sums, out, count, last)
    {
        // Lanes: up to 70 iterations for 32 of them.
#pragma acc parallel loop gang vector_length(32)
        for (int n = 0; n < ROWS; n++) {
            double sum = 0, most = -100, through = 0;
#pragma acc loop vector reduction(+ : sum, through) reduction(max : most)
            for (int k = 0; k < n * 4; k++) {
                sum += a[n][k] * f[k];
                if (a[n][k] > most)
                    most = a[n][k];
                through += a[n][next_of[k]] / (k + 1);
            }
            sums[n][0] = sum;
            sums[n][1] = n ? most : 0;
            sums[n][2] = through;
        }
#pragma acc parallel loop gang vector_length(32)
        for (int n = 0; n < ROWS; n++) {
#pragma acc loop vector
            for (int k = 0; k < n * 4; k++) {
                out[n][k] = f[k] > 0 ? f[next_of[k]] / f[k] : f[k];
#pragma acc atomic
                count[(unsigned)next_of[k] % 8]++;
            }
        }
        // A thread by itself.
#pragma acc parallel loop
        for (int n = 0; n < ROWS; n++) {
            double sum = 0, product = 1, inverse = 0;
            int at = n, where = -1;
            for (int k = 0; k < n; k++)
                sum += a[n][k] * f[next_of[k]];
            for (int k = n; k < 2 * n; k++) {
                product = product * 0.75 + a[n][at];
                if (f[k] < 0)
                    where = k;
                at += 2;
            }
            for (int k = n / 2; k < n; k++)
                inverse += a[n][k] / (f[k] + 100);
            sums[n][3] = sum;
            sums[n][4] = product + at;
            sums[n][5] = inverse;
            last[n] = where;
        }
        // Unsigned and long counters.
#pragma acc parallel loop
        for (unsigned n = 0; n < ROWS; n++) {
            double sum = 0;
            for (unsigned k = ROWS - n; k < ROWS; k++)
                sum += a[n][k];
            for (long k = -(long)n; k < 0; k++)
                sum -= a[n][-k] * f[-k];
            sums[n][3] += sum;
        }
    }
    double all[6] = {0};
    for (int n = 0; n < ROWS; n++)
        for (int k = 0; k < 6; k++)
            all[k] += sums[n][k] * (n % 5 + 1);
    for (int k = 0; k < 6; k++)
        printf("%.8g ", all[k]);
    double total = 0;
    long places = 0;
    for (int n = 0; n < ROWS; n++) {
        places += last[n] * (n % 7 + 1);
        for (int k = 0; k < MOST; k++)
            total += out[n][k] * (k % 3 + 1);
    }
    printf("%.8g %ld", total, places);
    for (int k = 0; k < 8; k++)
        printf(" %d", count[k]);
    printf("\n");
}
