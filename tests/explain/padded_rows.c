// Rows that are longer than what is used of them: the same whether the length is a sum, a variable that is set once, or of another
// type; and rows that do reach into the next one.
#include <stddef.h>

void sum_of_lengths(int n, int m, double *a)
{
#pragma acc kernels copy(a[0:m * (n + 2)])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i * (n + 2) + j + 1] *= 2;
}

void variable(int n, int m, double *a)
{
    int ld = n + 2;
#pragma acc kernels copy(a[0:m * ld])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i * ld + j + 1] *= 2;
}

void sizes(size_t n, size_t m, double *a)
{
    const size_t ld = n + 2;
#pragma acc kernels copy(a[0:m * ld])
    for (size_t i = 0; i < m; i++) {
        double *row = a + i * ld;
        for (size_t j = 0; j < n; j++)
            row[1 + j] *= 2;
    }
}

void too_short(int n, int m, double *a)
{
    int ld = n + 2;
#pragma acc kernels copy(a[0:m * ld + 1])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i * ld + j + 3] *= 2;
}

void changed(int n, int m, double *a)
{
    int ld = n + 2;
    ld--;
#pragma acc kernels copy(a[0:m * ld])
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i * ld + j] *= 2;
}

int main(void)
{
    static double a[10 * 32];
    for (int k = 0; k < 10 * 32; k++)
        a[k] = 1;
    sum_of_lengths(30, 10, a);
    variable(30, 10, a);
    sizes(30, 10, a);
    too_short(29, 10, a);
    changed(29, 10, a);
    return a[31] != 4;
}
