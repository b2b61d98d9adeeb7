// Reductions over rows of many lengths, in three spellings: a lane has iterations for groups of sixteen, for groups of four, for one
// at a time, or for all of these. All numbers are whole, so that the order of sums does not show.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 5, MOST = 4500 };
static float x[ROWS * MOST];
static double sums[ROWS];
static float largest[ROWS];

static void indexed(int rows, int n)
{
#pragma acc parallel loop gang copyin(x[0:rows * n]) copyout(sums[0:rows], largest[0:rows])
    for (int i = 0; i < rows; i++) {
        float most = -1;
        double sum = 0;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < n; j++)
            if (x[i * n + j] > most)
                most = x[i * n + j];
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += x[i * n + j] + (j % 3) - most;
        sums[i] = sum;
        largest[i] = most;
    }
}

static void by_pointer(size_t rows, size_t n, const float *from)
{
#pragma acc parallel loop gang vector_length(128) copyin(from[0:rows * n]) copyout(sums[0:rows], largest[0:rows])
    for (size_t i = 0; i < rows; i++) {
        const float *row = from + i * n;
        float most = -1;
        double sum = 0;
#pragma acc loop vector reduction(max : most)
        for (size_t j = 0; j < n; j++)
            most = row[j] > most ? row[j] : most;
#pragma acc loop vector reduction(+ : sum)
        for (size_t j = 0; j < n; j++)
            sum += row[j] + (int)(j % 3) - most;
        sums[i] = sum;
        largest[i] = most;
    }
}

static void of_arrays(unsigned rows, unsigned n, float (*from)[n])
{
#pragma acc parallel copyin(from[0:rows][0:n]) copyout(sums[0:rows], largest[0:rows])
#pragma acc loop gang worker
    for (unsigned i = 0; i < rows; i++) {
        float most = -1;
        double sum = 0;
#pragma acc loop vector reduction(max : most)
        for (unsigned j = 0; j < n; j++)
            most = most < from[i][j] ? from[i][j] : most;
#pragma acc loop vector reduction(+ : sum)
        for (unsigned j = 0; j < n; j++)
            sum += from[i][j] + (int)(j % 3) - most;
        sums[i] = sum;
        largest[i] = most;
    }
}

static void show(const char *what, int n)
{
    double all = 0;
    for (int i = 0; i < ROWS; i++) {
        all += sums[i] * (i + 1) + largest[i];
        sums[i] = largest[i] = 0;
    }
    printf("%s %d: %.17g\n", what, n, all);
}

int main(void)
{
    static const int lengths[] = {1, 3, 31, 32, 33, 127, 128, 129, 500, 511, 512, 513, 640, 1024, 1025, 1900, 2047, 2048, 2049, 2600, 4224, 4500};
    for (int k = 0; k < ROWS * MOST; k++)
        x[k] = (k * 37 + 11) % 1009;
    for (int k = 0; k < (int)(sizeof lengths / sizeof lengths[0]); k++) {
        int n = lengths[k];
        indexed(ROWS, n);
        show("indexed", n);
        by_pointer(ROWS, n, x);
        show("by pointer", n);
        of_arrays(ROWS, n, (float(*)[n])x);
        show("of arrays", n);
    }
    return 0;
}
