// Local variables of kernels constructs that several of their parts use.
// launches: 21
#include <complex.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000 };
struct pair { float low, high; };
static double x[N], y[N];

// Behind such a variable come others: lengths of variable-length arrays.
static double scaled(int n, int m, double (*v)[m], double *extra)
{
    double most = 0;
#pragma acc kernels copy(v[0:n]) copy(extra[0:m])
    {
        double first = v[0][1], table[2];
        table[1] = 3;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) v[i][j] += first;
        table[0] = v[n - 1][m - 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) v[i][j] = v[i][j] * 2 + table[0] * table[1];
        for (int j = 0; j < m; j++) extra[j] += first + v[n - 1][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) most += v[i][j] * (1 + (i + j) % 3);
    for (int j = 0; j < m; j++) most += extra[j];
    return most;
}

int main(void)
{
    int failed = 0;
    double wanted[N], most = 0, all = 0;
    for (int i = 0; i < N; i++) x[i] = (i * 37) % 64, y[i] = 0;
    for (int i = 0; i < N; i++) most = x[i] > most ? x[i] : most, all += x[i];
    for (int i = 0; i < N; i++) wanted[i] = x[i] * 4 / (most + 1) + (x[i] > 5) * 2 + (int)all % 8 + 3 + 1.5;
#pragma acc kernels copy(x, y)
    {
        double scale, largest = 0, total = 0, table[4];
        struct pair pair = {1, 2};
        float _Complex z = 1 + 2 * I;
        int more, *place = &more;
        for (int i = 0; i < N; i++) largest = x[i] > largest ? x[i] : largest;
        for (int i = 0; i < N; i++) total += x[i];
        scale = 1 / (largest + 1);
        _Bool is_large = largest > 62;
        *place = 3;
        for (int i = 0; i < N; i++) y[i] = x[i] * 4 * scale;
        pair.high *= 1 + is_large - 1;
        table[0] = total, table[3] = 8;
        for (int i = 0; i < N; i++) y[i] += (x[i] > 5) * pair.high * pair.low;
        z *= 0.5f;
        for (int i = 0; i < N; i++) y[i] += (int)table[0] % (int)table[3] + more;
        for (int i = 0; i < N; i++) y[i] += crealf(z) + cimagf(z);
        if (is_large) x[0] = 77;
    }
    for (int i = 0; i < N; i++)
        if (y[i] != wanted[i] && !failed) printf("%d: %g, not %g\n", i, y[i], wanted[i]), failed = 1;
    if (x[0] != 77) printf("x[0]: %g\n", x[0]), failed = 1;

    // The same in each of several constructs in a queue.
    double sums[3];
    for (int k = 0; k < 3; k++) {
#pragma acc kernels copy(x) copyout(sums[k:1]) async(1)
        {
            double mean = 0;
            for (int i = 0; i < N; i++) mean += x[i];
            mean = (int)(mean / N);
            for (int i = 0; i < N; i++) x[i] += mean;
            sums[k] = mean;
        }
    }
#pragma acc wait
    x[0] -= 77;
    double mean[3], sum = all + 77;
    for (int k = 0; k < 3; k++) mean[k] = (int)(sum / N), sum += N * mean[k];
    if (memcmp(sums, mean, sizeof mean)) printf("%g %g %g, not %g %g %g\n", sums[0], sums[1], sums[2], mean[0], mean[1], mean[2]), failed = 1;

    static double v[6][5], extra[5];
    for (int i = 0; i < 30; i++) v[i / 5][i % 5] = i % 4 + 1;
    printf("%g\n", scaled(6, 5, v, extra));
    if (!failed) printf("all right\n");
    return failed;
}
