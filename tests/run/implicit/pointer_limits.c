// Pointers that end loops over other pointers: one past the end of mapped data, which is where other data begin, or inside of it.
#include <stdio.h>
#include <stdlib.h>

static struct {
    int a[100], b[100];
} s;

static long behind(const int *from, const int *to)
{
    long sum = 0;
#pragma acc parallel loop reduction(+ : sum) present(from)
    for (const int *p = from; p < to; p++)
        sum += *p * 3;
    return sum;
}

int main(void)
{
    static int a[120], b[120];
    int *heap = malloc(50 * sizeof *heap), last = -1, inside = 0;
    const int *end = a + 120, *middle = heap + 25, *all = heap + 50;
    for (int i = 0; i < 120; i++)
        a[i] = i * 7 % 31, b[i] = 0;
    for (int i = 0; i < 50; i++)
        heap[i] = i;
#pragma acc parallel loop copy(b) copyin(a) reduction(max : last)
    for (const int *p = a; p < end; p += 2) {
        b[p - a] += *p;
        if (*p > last)
            last = *p;
    }
#pragma acc parallel loop copy(heap[0 : 50]) reduction(+ : inside)
    for (int *p = heap; p != all; ++p) {
        *p += 1;
        inside += p < middle;
    }
    int *first = s.a, *second = s.b;
    for (int i = 0; i < 100; i++)
        s.a[i] = i, s.b[i] = -i;
    long sum = 0;
#pragma acc data copyin(first[0 : 100])
#pragma acc data copyin(second[0 : 100])
    sum = behind(first, first + 100) + behind(first, first + 10) + 1000 * behind(second, second + 100);
    for (int i = 0; i < 120; i++)
        sum = (long)(3 * (unsigned long)sum + b[i]);
    for (int i = 0; i < 50; i++)
        sum = (long)(3 * (unsigned long)sum + heap[i]);
    printf("%ld %d %d\n", sum, last, inside);
    return 0;
}
