// A product in the order of programs for cores: the loop over terms goes into that over lanes, which becomes one with the one that sets the row.
// launches: 2
#include <stdio.h>

static void product(int n, int m, int l, double *c, const double *a, const double *b)
{
#pragma acc parallel loop gang present(c[0:n * m], a[0:n * l], b[0:l * m])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            c[i * m + j] = 0;
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m; j++)
                c[i * m + j] += a[i * l + k] * b[k * m + j];
        }
    }
}

// What another lane may have stored is in the way: the element of the pivot, elements that the loop in order moves along, elements that are not always stored.
static void others(int n, int m, int l, float c[n][m], float x[m])
{
#pragma acc parallel loop gang present(c[0:n], x[0:m])
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < l; k++) {
            float pivot = c[i][k];
#pragma acc loop vector
            for (int j = l; j < m; j++)
                c[i][j] -= pivot * x[j];
        }
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m - l; j++)
                c[i][j + k] += x[j];
        }
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m; j++)
                if (x[j] > k)
                    c[i][j] += 1;
        }
    }
}

int main(void)
{
    enum { n = 9, m = 70, l = 5 };
    static double c[n * m], a[n * l], b[l * m], sum;
    static float d[n][m], x[m];
    for (int k = 0; k < n * l; k++) a[k] = k % 7;
    for (int k = 0; k < l * m; k++) b[k] = k % 5;
    for (int k = 0; k < m; k++) x[k] = k % 4;
#pragma acc data copyin(a, b, x) copyout(c) copy(d)
    {
        product(n, m, l, c, a, b);
        others(n, m, l, d, x);
    }
    for (int k = 0; k < n * m; k++) sum += k % 3 * (c[k] + d[k / m][k % m]);
    printf("%g\n", sum);
    return 0;
}
