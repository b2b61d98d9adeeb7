// Helpers that return enums, structs with arrays, and pointers into their arguments.
#include <stdio.h>

enum sign { neg = -1, zero, pos };
struct stats {
    int count[3];
    int max;
};

static enum sign sign_of(int x) { return x < 0 ? neg : x > 0 ? pos : zero; }

static struct stats analyse(const int *v, int n)
{
    struct stats s = {{0}, v[0]};
    for (int i = 0; i < n; i++) {
        s.count[sign_of(v[i]) + 1]++;
        if (v[i] > s.max)
            s.max = v[i];
    }
    return s;
}

static const int *last(const int *v, int n) { return v + n - 1; }

int main(void)
{
    int v[10][6], tail[10];
    struct stats s[10];
    for (int i = 0; i < 60; i++)
        v[i / 6][i % 6] = i * 17 % 11 - 5;
#pragma acc parallel loop copyin(v) copyout(s, tail)
    for (int i = 0; i < 10; i++) {
        s[i] = analyse(v[i], 6);
        tail[i] = *last(v[i], 6) + analyse(v[i], 2).max;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %d %d %d %d\n", s[i].count[0], s[i].count[1], s[i].count[2], s[i].max, tail[i]);
    return 0;
}
