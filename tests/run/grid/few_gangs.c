// Loops over gangs of few iterations around long loops over lanes, with what is the gang's own, sums and barriers between them: launches
// take gangs of more lanes. Also around short ones, around loops of which only one is long, and without iterations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 5000 };
static double in[20 * LENGTH], out[20 * LENGTH], norm[20];

static void scale(int rows, int n)
{
#pragma acc parallel loop gang copyin(in[0:rows * n]) copyout(out[0:rows * n], norm[0:rows])
    for (int i = 0; i < rows; i++) {
        double sum = 0, most = -1;
#pragma acc loop vector reduction(+ : sum) reduction(max : most)
        for (int j = 0; j < n; j++) {
            sum += in[i * n + j] * in[i * n + j];
            most = fmax(most, in[i * n + j]);
        }
        double by = most / (1 + sum);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            out[i * n + j] = in[i * n + j] * by + in[i * n + (j + 1) % n];
        norm[i] = sum;
    }
}

static void windows(size_t rows, size_t n, double (*a)[LENGTH])
{
    double part[8];
#pragma acc parallel loop gang private(part) copy(a[0:rows])
    for (size_t i = 0; i < rows; ++i) {
#pragma acc loop vector
        for (int k = 0; k < 8; ++k)
            part[k] = a[i][k] + k;
        double first = a[i][0];
#pragma acc loop vector
        for (size_t j = 1; j < n; ++j) {
            double s = first;
            for (int k = 0; k < 8; ++k)
                s += part[k] * (j % 8 == k);
            a[i][j] += s;
        }
    }
}

int main(void)
{
    for (int k = 0; k < 20 * LENGTH; k++)
        in[k] = k * 7 % 23 - 4;
    for (int rows = 0; rows <= 20; rows += rows < 2 ? 1 : 9) {
        for (int n = 40; n <= LENGTH; n = n < 2200 ? n * 7 + 300 : LENGTH + (n == LENGTH)) {
            scale(rows, n);
            double sum = 0;
            for (int k = 0; k < rows * n; k++)
                sum += out[k] * (k % 5 + 1);
            printf("%d %d %.10g %.10g\n", rows, n, sum, rows ? norm[rows - 1] : 0);
        }
        windows(rows, LENGTH, (double(*)[LENGTH])in);
        double sum = 0;
        for (int k = 0; k < 20 * LENGTH; k++)
            sum += in[k] * (k % 3);
        printf("%.10g\n", sum);
    }
    return 0;
}
