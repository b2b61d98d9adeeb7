// What functions read from memory and write to it is read and written where they are called, whether or not and wherever their results
// are used.
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 4 };

int main(void)
{
    double x[N], whole[N], parts[N];
    int exponents[N], lengths[N], orders[N];
    char text[N][8] = {"a", "bcd", "efghij", ""}, found[N];
    for (int i = 0; i < N; i++)
        x[i] = i * 1.5 + 3.25;
#pragma acc parallel loop copyin(x) copyout(whole, parts, exponents)
    for (int i = 0; i < N; i++) {
        double p = -1, q = -1;
        int e = -1, f = -1;
        modf(x[i], &p);
        frexp(x[i], &e);
        whole[i] = p;
        double part = modf(x[i], &q);
        parts[i] = q * 100 + part;
        double m = frexp(x[i] * 8, &f);
        exponents[i] = e * 1000 + f * 64 + (int)(m * 64);
    }
#pragma acc parallel loop copy(text) copyout(lengths, orders, found)
    for (int i = 0; i < N; i++) {
        int length = (int)strlen(text[i]), order = strcmp(text[i], "bd"), same = memcmp(text[i], "efgh", 4);
        char *at = strchr(text[i], 'c');
        text[i][0] = 0;
        lengths[i] = length;
        orders[i] = (order > 0) - (order < 0) + 10 * (same == 0);
        found[i] = at ? *at : '-';
    }
    for (int i = 0; i < N; i++)
        printf("%g %g %d %d %d %c\n", whole[i], parts[i], exponents[i], lengths[i], orders[i], found[i]);
    return 0;
}
