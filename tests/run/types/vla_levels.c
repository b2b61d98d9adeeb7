// Variable-length arrays at every level: of a gang, whose lanes share them, of workers, of lanes, in loops that are left early, in
// functions with several ways out, in routines, and so many that memory which is not freed would not suffice.
#include <stdio.h>

static int early(int n, int k)
{
    int a[n + 1];
    for (int i = 0; i <= n; i++)
        a[i] = i * k;
    if (k % 3 == 0)
        return a[n];
    for (int i = 0; i < n; i++) {
        int b[i + 1][2];
        b[i][1] = a[i];
        if (b[i][1] > 20)
            return b[i][1] + 1000;
        if (i % 2)
            continue;
        b[0][0] = 7;
        if (b[0][0] + i == k)
            break;
    }
    return a[n / 2];
}

#pragma acc routine vector
static void turned(double *x, int n)
{
    double copy[n];
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        copy[i] = x[i];
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        x[i] = copy[n - 1 - i];
}

int main(void)
{
    enum { ROWS = 12, COLUMNS = 70, MANY = 3000 };
    static double x[ROWS][COLUMNS], y[ROWS][COLUMNS];
    static int r[MANY];
    int n = COLUMNS;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            x[i][j] = i * 100 + j;
#pragma acc parallel loop gang copy(x)
    for (int i = 0; i < ROWS; i++) {
        double row[n], sum = 0;
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            row[j] = 2 * x[i][j];
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += row[n - 1 - j] * j;
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            x[i][j] = row[(j + 1) % n] + sum;
    }
#pragma acc parallel loop gang num_gangs(3) num_workers(2) copyin(x) copyout(y)
    for (int i = 0; i < ROWS; i += 4) {
#pragma acc loop worker
        for (int k = i; k < i + 4; k++) {
            double part[k + 1];
            for (int j = 0; j <= k; j++)
                part[j] = x[k][j];
#pragma acc loop vector
            for (int j = 0; j < n; j++) {
                double own[j % 3 + 1];
                own[j % 3] = part[j % (k + 1)];
                y[k][j] = own[j % 3] + j;
            }
        }
    }
#pragma acc parallel loop gang copy(y)
    for (int i = 0; i < ROWS; i++)
        turned(y[i], n);
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < MANY; i++) {
        int m = i % 40 + 1, s = 0;
        for (int k = 0; k < 9; k++) {
            long big[m * 8];
            if (k == 7)
                continue;
            big[m * 8 - 1] = i + k;
            s += (int)big[m * 8 - 1];
            if (s > 20000)
                break;
        }
        r[i] = s + early(i % 13, i);
    }
    int last = 0;
#pragma acc parallel num_gangs(1) copy(last)
    {
        int z[n];
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            z[j] = j * j;
        last = z[n - 1];
    }
    double s = 0;
    long t = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            s = s * 0.5 + x[i][j] + 3 * y[i][j];
    for (int i = 0; i < MANY; i++)
        t = t * 3 % 1000003 + r[i];
    printf("%.10g %ld %d\n", s, t, last);
    return 0;
}
