// Loops over gangs whose inner loops are as long as the data say: sparse rows, ranges in structs, several inner loops in turn, sums over
// all rows, private variables, what gangs have for themselves, rows in order.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 700 };

struct range {
    int from, to;
};

static void multiply(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
    int entries = start[n];
#pragma acc parallel loop gang copyin(start[0 : n + 1], column[0 : entries], value[0 : entries], x[0 : n]) copyout(y[0 : n])
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+ : s)
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}

static double scale(size_t n, const struct range *rows, double *value, size_t entries)
{
    double total = 0, factor = 1;
#pragma acc kernels copyin(rows[0 : n]) copy(value[0 : entries])
    {
#pragma acc loop gang independent reduction(+ : total) private(factor)
        for (size_t i = 0; i < n; i++) {
            const int from = rows[i].from, to = rows[i].to;
            double most = 0;
#pragma acc loop vector reduction(max : most)
            for (int k = from; k < to; k++)
                most = value[k] > most ? value[k] : most;
            factor = most > 0 ? 8 / most : 1;
#pragma acc loop vector
            for (int k = from; k < to; k++)
                value[k] *= factor;
            total += most;
        }
    }
    return total;
}

static int own(int n, const int *start, int *first)
{
    int shared = 0;
#pragma acc parallel copyin(start[0 : n + 1]) copyout(first[0 : n]) num_gangs(5) reduction(max : shared)
    {
        int mine[4] = {1, 2, 3, 4};
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
            int s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int k = start[i]; k < start[i + 1]; k++)
                s += k;
            first[i] = s + mine[i % 4];
        }
        shared = mine[3];
    }
    return shared;
}

static int in_order(int n, const int *start)
{
    int last = 0;
#pragma acc parallel copyin(start[0 : n + 1]) num_gangs(1) copy(last)
#pragma acc loop gang
    for (int i = 0; i < n; i++) {
        int s = 0;
#pragma acc loop vector reduction(+ : s)
        for (int k = start[i]; k < start[i + 1]; k++)
            s++;
        last = last * 3 % 1000003 + s;
    }
    return last;
}

int main(void)
{
    static int start[ROWS + 1], first[ROWS];
    static struct range rows[ROWS];
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + (i * 37) % 91;
        rows[i] = (struct range){start[i], start[i + 1]};
    }
    int entries = start[ROWS];
    int *column = malloc(entries * sizeof *column);
    double *value = malloc(entries * sizeof *value), x[ROWS], y[ROWS], sum = 0;
    for (int k = 0; k < entries; k++) {
        column[k] = (k * 7919) % ROWS;
        value[k] = k % 9 - 3;
    }
    for (int i = 0; i < ROWS; i++)
        x[i] = i % 13;
    multiply(ROWS, start, column, value, x, y);
    for (int i = 0; i < ROWS; i++)
        sum += y[i] * (i % 7 + 1);
    printf("%.1f\n", sum);
    printf("%.1f\n", scale(ROWS, rows, value, entries));
    sum = 0;
    for (int k = 0; k < entries; k++)
        sum += value[k] * (k % 5);
    printf("%.4f\n", sum);
    printf("%d ", own(ROWS, start, first));
    long all = 0;
    for (int i = 0; i < ROWS; i++)
        all += (long)first[i] * (i % 11);
    printf("%ld\n", all);
    printf("%d\n", in_order(ROWS, start));
    return 0;
}
