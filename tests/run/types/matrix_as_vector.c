// A small matrix of a thread, taken for a vector: by a pointer to its first element, with indices that are constant, counted and read.
#include <stdio.h>

typedef struct { double at[3][4]; int row[2][2][2]; } tables;

static void fill(double *v, const int *order, int n, int i)
{
    for (int k = 0; k < n; k++)
        v[order[k]] = i * k + 0.5;
}

int main(int argc, char **argv)
{
    (void)argv;
    enum { N = 200 };
    int rows = 2 + argc, order[12];
    double out[N], sum = 0;
    for (int k = 0; k < 12; k++)
        order[k] = k * 5 % 12;
#pragma acc parallel loop copyin(order) copyout(out)
    for (int i = 0; i < N; i++) {
        int m[3][3], *p = &m[0][0];
        for (int k = 0; k < rows * rows; k++)
            p[k] = i * k;
        tables t;
        fill(&t.at[0][0], order, 12, i);
        int *q = t.row[0][0];
        for (int k = 0; k < 8; k++)
            q[k] = k - i;
        double s = *(*(t.at + 1) + 3) + (&t.at[1][1])[order[1]] + t.row[1][0][i % 2] + (&t.row[1][1][0])[-3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                s += (a + 1) * m[a][b] * (b + 7) + t.at[b][a + (i & 1)];
        out[i] = s;
    }
    for (int i = 0; i < N; i++)
        sum += out[i] * (i + 1);
    printf("%.2f\n", sum);
    return 0;
}
