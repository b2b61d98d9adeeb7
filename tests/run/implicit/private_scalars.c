// Scalars from outside of worker and vector loops that iterations assign before they use them, without a private clause; and
// others, which look alike, but whose values stay.
// launches: 9
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { M = 13, N = 70 };
static double x[M][N], y[M][N], z[M];
static int last, global;

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            sum += y[i][j] * (i + 2 * j) + z[i];
    printf("%s %.10g\n", what, sum);
}

#pragma acc routine vector
static void scale(int n, const double *from, double *to)
{
    int j, k;
    double t;
#pragma acc loop vector
    for (j = 0; j < n; j++) {
        t = from[j];
        for (k = 0; k < 3; k++)
            t += k * j;
        to[j] = t;
    }
}

int main(void)
{
    int i, j, k, m = M, n = N, count, found = -1, seen[M];
    double t, u, sum, *row;
    float _Complex c;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            x[i][j] = i * j % 17 + 0.5 * i;
#pragma acc data copyin(x) copy(y, z)
    {
#pragma acc parallel loop gang num_gangs(3) num_workers(4) vector_length(32)
        for (i = 0; i < m; i++) {
            u = i;
#pragma acc loop worker
            for (k = 0; k < 2; k++) {
                count = k + 3;
#pragma acc loop vector
                for (j = k; j < n; j += 2) {
                    t = x[i][j] + u;
                    if (t > 5)
                        global = 2;
                    else
                        global = count;
                    c = t + j * I;
                    y[i][j] = t * global + cimagf(c);
                }
            }
        }
#pragma acc update self(y)
        show("nest");
        // Jumps, and loops that run at least once.
#pragma acc parallel loop gang vector collapse(2) vector_length(64)
        for (i = 0; i < m; i++)
            for (j = 0; j < n; j++) {
                k = 0;
                do {
                    t = x[i][j] * k;
                    if (t > 20)
                        break;
                    if (k % 2)
                        continue;
                    u = t + k;
                } while (++k < 5);
                switch (k) {
                case 3:
                    count = 1;
                    break;
                default:
                    count = 7;
                }
                y[i][j] = t + k;
            }
#pragma acc update self(y)
        show("jumps");
        // An inner loop reduces it; a pointer.
#pragma acc parallel loop gang worker num_gangs(2)
        for (i = 0; i < m; i++) {
            row = x[i];
            sum = i;
#pragma acc loop vector reduction(+:sum)
            for (j = 0; j < n; j++) {
                t = row[j];
                sum += t * t;
            }
            z[i] = sum;
        }
#pragma acc update self(z)
        show("reduction");
#pragma acc parallel loop gang
        for (i = 0; i < m; i++)
            scale(n, x[i], y[i]);
#pragma acc update self(y)
        show("routine");
        // Behind the loop the value is used: one lane assigns it.
#pragma acc parallel loop gang vector_length(32) copyout(seen)
        for (i = 0; i < m; i++) {
            count = -1;
#pragma acc loop vector
            for (j = 0; j < n; j++)
                if (j == 3 * i)
                    count = j;
            seen[i] = count;
        }
        for (i = 0; i < m; i++)
            printf("%d ", seen[i]);
        // In the next round it is.
#pragma acc parallel num_gangs(1) vector_length(32) copyout(last)
        {
            count = 1;
            for (k = 0; k < 4; k++) {
                t = count;
#pragma acc loop vector
                for (j = 0; j < n; j++) {
                    if (j == k)
                        count = t + j;
                }
            }
            last = count;
        }
        printf("%d\n", last);
        // Some path leads round the assignment.
#pragma acc parallel num_gangs(1) vector_length(32)
        {
            t = 100;
#pragma acc loop vector
            for (j = 0; j < n; j++) {
                if (j > 1000)
                    t = j;
                y[0][j] = t;
            }
        }
#pragma acc update self(y)
        show("path");
        // It is mapped: the host sees what the only iteration leaves.
#pragma acc parallel loop gang vector copy(found)
        for (j = 0; j < 1; j++) {
            found = 5 + j;
            y[0][j] = found;
        }
        // What was assigned in a loop before counts for nothing.
#pragma acc parallel num_gangs(1) vector_length(32)
        {
            u = 2;
#pragma acc loop vector
            for (j = 0; j < n; j++) {
                t = j;
                y[1][j] = t;
            }
            t = u;
#pragma acc loop vector
            for (j = 0; j < n; j++) {
                y[2][j] = t;
            }
        }
    }
    show("end");
    printf("%d\n", found);
    return 0;
}
