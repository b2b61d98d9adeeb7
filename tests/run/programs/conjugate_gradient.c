// Conjugate gradients on the 1-D Laplacian; the iteration count and the rounded solution are printed.
// launches: 97
#include <math.h>
#include <stdio.h>

#define N 64

int main(void)
{
    static double x[N], r[N], p[N], q[N];
    double rr = 0;
    int it = 0;
    for (int i = 0; i < N; i++)
        r[i] = p[i] = 1;
#pragma acc data copy(x) copyin(r, p) create(q)
    {
#pragma acc parallel loop present(r) reduction(+:rr)
        for (int i = 0; i < N; i++)
            rr += r[i] * r[i];
        while (rr > 1e-16 && it < 200) {
            double pq = 0, next = 0;
#pragma acc parallel loop present(p, q) reduction(+:pq)
            for (int i = 0; i < N; i++) {
                q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
                pq += p[i] * q[i];
            }
            double alpha = rr / pq;
#pragma acc parallel loop present(x, r, p, q) reduction(+:next)
            for (int i = 0; i < N; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                next += r[i] * r[i];
            }
            double beta = next / rr;
#pragma acc parallel loop present(p, r)
            for (int i = 0; i < N; i++)
                p[i] = r[i] + beta * p[i];
            rr = next;
            it++;
        }
    }
    printf("%d %.6f %.6f\n", it <= N, floor(x[0] * 1e6 + 0.5) / 1e6, floor(x[N / 2] * 1e6 + 0.5) / 1e6);
    return 0;
}
