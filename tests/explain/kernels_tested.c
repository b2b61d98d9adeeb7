// Nests of kernels that are tested where they run, and others that run in order.
struct grid {
    int n, m;
    double *p, *q;
};

void products(unsigned n, double *restrict a, double *restrict b)
{
#pragma acc kernels present(a[0:n * n], b[0:n * n])
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            a[i * n + j] = 2 * b[j * n + i];
}

void two_nests(int n, double *a, double *b)
{
#pragma acc kernels present(a[0:n], b[0:n])
    {
        for (int i = 0; i < n; i++)
            a[i] = 2 * b[i];
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1;
    }
}

void members(struct grid *g)
{
#pragma acc kernels present(g[0:1])
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->m; j++)
            g->p[i * g->m + j] += g->q[j];
}

void in_order(int n, struct grid *g, double **rows, int *index, double *a, double *restrict b)
{
#pragma acc kernels present(rows[0:n][0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rows[i][j] = i + j;
#pragma acc kernels present(g[0:1], b[0:n])
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            g->p[i] = g->q[i];
#pragma acc kernels present(index[0:n], a[0:n], g[0:1])
    for (int i = 0; i < n; i++)
        a[index[i]] = g->q[i];
#pragma acc kernels present(g[0:1])
    for (int i = 1; i < n; i++)
        g->p[i] += g->p[i - 1];
}

int main(void)
{
    enum { N = 8 };
    static double a[N * N], b[N * N];
    struct grid g = {N, N, a, b};
#pragma acc data copy(a, b) copyin(g) attach(g.p, g.q)
    {
        products(N, a, b);
        two_nests(N, a, b);
        members(&g);
    }
    return 0;
}
