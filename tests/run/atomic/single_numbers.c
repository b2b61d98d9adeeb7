// Numbers that all iterations update atomically, in structs, through pointers and of several types, some under conditions, and beside
// others whose values are captured, in nests of all levels: they may be added up by lanes first.
#include <stdio.h>

typedef struct {
    unsigned long long found;
    double sum;
    int odd, small;
    unsigned flags, turned;
} result;

static void count(const int *a, int n, long *negative)
{
#pragma acc parallel loop copyin(a[0:n]) copy(negative[0:1])
    for (int i = 0; i < n; i++)
        if (a[i] < 0) {
#pragma acc atomic
            *negative += 1;
        }
}

// The section names one element, and the pointer leads on: all of the array is there.
static void behind(long *sums, int n, int by)
{
#pragma acc parallel loop present(sums[0:1])
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        sums[3] += i;
#pragma acc atomic
        *(sums + by) += 2;
    }
}

int main(void)
{
    enum { N = 3000, ROWS = 40, COLUMNS = 75 };
    int a[N], order[N], rest = 1000;
    long negative = 5, sums[8] = {1, 2, 3};
    double by_row = 0.5;
    result r = {0, 0.25, 1, 0, 0, 0xff};
    for (int i = 0; i < N; i++)
        a[i] = i * 7919 % 1000 - 300;
#pragma acc data copy(r) copyin(a) copyout(order)
    {
#pragma acc parallel loop gang vector
        for (int i = 0; i < N; i++) {
            unsigned long long at;
#pragma acc atomic capture
            at = r.found++;
            order[at] = a[i];
#pragma acc atomic update
            r.sum += 0.5 * a[i];
            if (a[i] & 1) {
#pragma acc atomic
                ++r.odd;
            }
            if (a[i] > 690) {
#pragma acc atomic
                r.flags |= 1u << (i % 32);
#pragma acc atomic
                r.turned ^= i;
            }
        }
#pragma acc parallel loop gang copy(by_row, rest)
        for (int k = 0; k < ROWS; k++) {
#pragma acc loop vector
            for (int j = 0; j < COLUMNS; j++) {
#pragma acc atomic
                by_row += a[k * COLUMNS + j] * 2.0;
                if (j < k % 3) {
#pragma acc atomic
                    rest -= j + 1;
                }
            }
#pragma acc loop vector
            for (int j = 0; j < 10; j++) {
#pragma acc atomic
                by_row = by_row - 1;
            }
        }
#pragma acc parallel loop gang num_workers(4)
        for (int k = 0; k < ROWS; k++)
#pragma acc loop worker
            for (int w = 0; w < 5; w++)
#pragma acc loop vector
                for (int j = 0; j < 15; j++) {
#pragma acc atomic
                    r.small += a[(k * 5 + w) * 15 + j] < 0;
                }
    }
    count(a, N, &negative);
#pragma acc data copy(sums)
    behind(sums, N, 5);
    long seen = 0;
    for (int i = 0; i < N; i++)
        seen += order[i];
    printf("%llu %.2f %d %d %x %x %ld\n", r.found, r.sum, r.odd, r.small, r.flags, r.turned, seen);
    printf("%.2f %d %ld %ld %ld %ld\n", by_row, rest, negative, sums[0], sums[3], sums[5]);
    return 0;
}
