// Several sections of one variable in one directive: kernels have one address for it.
#include <stdio.h>

struct s {
    int n;
    int *x;
};

static int g[20];

static void on_construct(int *p, int n)
{
#pragma acc parallel loop copyin(p[0:1]) copy(p[1:n])
    for (int i = 1; i <= n; i++)
        p[i] += p[0];
#pragma acc parallel loop copyout(p[n - 5:5]) copyin(p[0:3])
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 5; k += 3)
            p[n - 5 + k] = p[i] + k;
}

static void halves(int *p, int n)
{
#pragma acc data copyin(p[0:n / 2]) copy(p[n / 2:n - n / 2])
    {
#pragma acc parallel loop
        for (int i = n / 2; i < n; i++)
            p[i] += p[i - n / 2] + p[0];
#pragma acc parallel loop present(p)
        for (int i = n / 2; i < n; i++)
            p[i] += p[1];
#pragma acc parallel loop present(p[0:n])
        for (int i = n / 2; i < n; i++)
            p[i] += p[2];
    }
}

static void unstructured(int *p, int n)
{
#pragma acc enter data create(p[n / 2:n - n / 2]) copyin(p[0:n / 2])
#pragma acc parallel loop
    for (int i = 0; i < 5; i++)
        p[n - 5 + i] = p[i] + 1;
#pragma acc exit data copyout(p[n - 5:5]) delete(p[0:n / 2])
}

static void behind_member(struct s *q)
{
#pragma acc parallel loop copyin(q->x[0:3]) copyin(q[0:1]) copy(q->x[4:q->n - 4])
    for (int i = 4; i < q->n; i++)
        q->x[i] += q->x[i % 3];
}

static void array(void)
{
#pragma acc data copyin(g[0:5]) copyout(g[10:5])
#pragma acc parallel loop
    for (int i = 0; i < 5; i++)
        g[10 + i] = g[i] + 2;
#pragma acc kernels copyin(g[0:5]) copyout(g[12:5])
    for (int i = 0; i < 5; i++)
        g[12 + i] = g[i] + 2;
}

static void table(int **r, int n, int m)
{
#pragma acc parallel loop copyin(r[0:n][0:2]) copy(r[0:n][3:m - 3])
    for (int i = 0; i < n; i++)
        for (int j = 3; j < m; j++)
            r[i][j] += r[i][j & 1];
}

int main(void)
{
    int m[40];
    for (int i = 0; i < 40; i++)
        m[i] = i + 1;
    for (int i = 0; i < 20; i++)
        g[i] = i;
    on_construct(m, 20);
    halves(m, 10);
    halves(m + 3, 17);
    unstructured(m, 20);
    struct s q = {12, m + 20};
    behind_member(&q);
    array();
    int *r[4] = {m, m + 10, m + 20, m + 30};
    table(r, 4, 10);
    for (int i = 0; i < 40; i++)
        printf("%d ", m[i]);
    for (int i = 0; i < 20; i++)
        printf("%d%c", g[i], i < 19 ? ' ' : '\n');
    return 0;
}
