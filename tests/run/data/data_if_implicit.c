// A data construct whose `if` is false maps nothing (2.6.5); what regions inside use without a clause is then copied by them, and
// is present, as ever, where it is true.
// launches: 22
#include <stdio.h>

struct pair {
    int n;
    double x[10];
};

static int table[10];

static void arrays(int *shown, int use)
{
    int a[100], b[100];
    for (int i = 0; i < 100; i++)
        a[i] = b[i] = i;
#pragma acc data copy(a) copyin(b[20:60]) if (use)
    {
#pragma acc parallel loop
        for (int i = 20; i < 80; i++)
            a[i] += 2 * b[i];
#pragma acc kernels
        for (int i = 20; i < 80; i++)
            a[i] += b[i] + table[i % 10];
    }
    *shown += a[0] + a[20] + a[79] + b[33];
}

static void scalars(int *shown, int use)
{
    int count = 1, step = 3;
    double scale = 0.5;
#pragma acc data copy(count) copyin(step, scale) if (use != 0)
    {
#pragma acc serial
        count += step * (int)(4 * scale);
#pragma acc kernels
        count *= 2;
    }
    *shown += count;
}

static void structures(int *shown, int use)
{
    struct pair p = {7, {0}}, q = {2, {0}};
#pragma acc data copy(p) copy(q.x) if (use > 0)
    {
#pragma acc parallel loop default(none)
        for (int i = 0; i < 10; i++)
            p.x[i] = i + p.n;
#pragma acc parallel loop
        for (int i = 0; i < 10; i++)
            q.x[i] += p.x[i] * q.n;
    }
    *shown += (int)(p.x[9] + q.x[9]);
}

static void nested(int *shown, int outer, int inner)
{
    int a[30], sum = 0;
    for (int i = 0; i < 30; i++)
        a[i] = i;
#pragma acc data copy(a[5:10]) if (outer)
    {
#pragma acc data copy(a[5:10]) copy(table) if (inner)
        {
#pragma acc parallel loop reduction(+ : sum)
            for (int i = 5; i < 15; i++) {
                a[i] += 1;
                sum += a[i] + table[0];
            }
        }
    }
    *shown += a[5] + a[14] + sum;
}

static void constants(int *shown)
{
    int a[10] = {1}, b[10] = {2}, c[10] = {3};
#pragma acc data copy(a) if (0)
#pragma acc data copy(b) if (1)
#pragma acc data copy(c) if (2 > 3)
    {
#pragma acc parallel loop default(present) copy(a, c)
        for (int i = 0; i < 10; i++)
            a[i] += b[i] + c[i];
#pragma acc parallel loop
        for (int i = 0; i < 10; i++)
            c[i] += a[i] + b[i];
    }
    *shown += a[0] + 10 * c[0];
}

static void dynamic(int *shown, int use)
{
    int a[10] = {5}, *p = a;
#pragma acc enter data copyin(a) if (use)
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
        a[i] += 1;
#pragma acc host_data use_device(p) if (use)
    *shown += p != 0;
#pragma acc exit data copyout(a) if (use)
    *shown += a[0];
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int use = 0; use < 2; use++) {
        int shown = 0;
        arrays(&shown, use);
        printf("%d ", shown);
        scalars(&shown, use);
        printf("%d ", shown);
        structures(&shown, use);
        printf("%d ", shown);
        for (int inner = 0; inner < 2; inner++)
            nested(&shown, use, inner);
        printf("%d ", shown);
        constants(&shown);
        printf("%d ", shown);
        dynamic(&shown, use && argc);
        printf("%d\n", shown);
    }
    return 0;
}
