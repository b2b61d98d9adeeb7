// Loops with `seq` need not be in canonical form: left by a jump, along lists, with two counters, without a condition, in every level.
#include <stdio.h>

struct node {
    int value, next;
};

#pragma acc routine seq
static int first_above(const int *v, int n, int limit)
{
    int k;
#pragma acc loop seq
    for (k = 0; k < n; k++)
        if (v[k] > limit)
            return k;
    return -1;
}

int main(void)
{
    enum { R = 20, C = 30 };
    int a[R][C], found[R], length[R], halves[R], pairs[R], steps[R], k, sum = 0;
    struct node list[40];
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            a[i][j] = (i * 7 + j * 5) % 23;
    for (int i = 0; i < 40; i++)
        list[i] = (struct node){i * 3 % 11, (i + 7) % 41 == 40 ? -1 : (i + 7) % 40};
#pragma acc parallel loop gang vector copyin(a, list) copyout(found, length, halves, pairs, steps)
    for (int i = 0; i < R; i++) {
        int j, n = 0;
        found[i] = -1;
#pragma acc loop seq
        for (j = 0; j < C; j++) {
            if (a[i][j] < 3)
                continue;
            if (a[i][j] == i) {
                found[i] = j;
                break;
            }
        }
#pragma acc loop seq
        for (int at = i; at >= 0 && n < 50; at = list[at].next)
            n++;
        length[i] = n;
        n = 0;
#pragma acc loop seq reduction(+ : n)
        for (unsigned h = 1000 + i; h; h /= 2)
            n += h & 1;
        halves[i] = n;
        n = 0;
#pragma acc loop seq
        for (int l = 0, r = C - 1; l < r; l++, r--)
            n += a[i][l] * a[i][r];
        pairs[i] = n;
#pragma acc loop seq
        for (n = i;;) {
            if (n > 100)
                break;
            n += n / 3 + 1;
        }
        steps[i] = first_above(a[i], C, 10 + i % 9) + (n > 100);
    }
#pragma acc parallel num_gangs(1) copyin(a) copy(sum)
    {
#pragma acc loop seq
        for (int i = 0; i < R; i++) {
            int count = 0;
#pragma acc loop vector reduction(+ : count)
            for (int j = 0; j < C; j++)
                count += a[i][j] > 11;
            sum += count;
            if (sum > 150)
                break;
        }
    }
    long t = 0;
#pragma acc serial loop seq copy(t)
    for (k = 1; k < 1000; k *= 3)
        t += k;
    for (int i = 0; i < R; i++)
        t = t * 3 % 1000003 + found[i] + length[i] * 2 + halves[i] * 4 + pairs[i] + steps[i];
    printf("%ld %d\n", t, sum);
    return 0;
}
