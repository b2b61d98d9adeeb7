// Pointers to the end of sections of one and few elements, which are no longer than a scalar: loops that compare with them, forward and
// by halves, with the data of the construct and with data around.
#include <stdio.h>

static int forward(int *from, int n)
{
    int *p = from, *end = from + n, s = 0;
#pragma acc serial copyin(from[0:n]) copy(s)
    while (p < end)
        s = s * 3 + *p++;
    return s;
}

static double unequal(double *from, int n)
{
    double *p = from, *end = from + n, s = 0;
#pragma acc serial present(from) copy(s)
    for (; p != end; ++p)
        s += *p;
    return s;
}

static int place(char *in, int n, char key)
{
    char *low = in, *high = in + n;
    int found = -1;
#pragma acc serial copyin(in[0:n]) copy(found)
    {
        while (low < high) {
            char *middle = low + (high - low) / 2;
            if (*middle < key)
                low = middle + 1;
            else
                high = middle;
        }
        found = low - in;
    }
    return found;
}

int main(void)
{
    int a[40];
    double d[40];
    char c[40];
    for (int i = 0; i < 40; i++)
        a[i] = i + 1, d[i] = i * 0.5, c[i] = 2 * i;
    for (int n = 1; n <= 20; n += n < 6 ? 1 : 7)
        for (int at = 0; at < 3; at++) {
            double s = 0, *from = d + at;
#pragma acc data copyin(from[0:n])
            s = unequal(from, n);
            printf("%d %d: %d %g %d\n", n, at, forward(a + at, n), s, place(c + at, n, 2 * at + n));
        }
    return 0;
}
