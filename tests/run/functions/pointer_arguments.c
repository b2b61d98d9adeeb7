// Functions that write through pointer parameters: to private variables and to mapped arrays.
#include <stdio.h>

static void divmod(int a, int b, int *q, int *r)
{
    *q = a / b;
    *r = a % b;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static int sum(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

int main(void)
{
    int a[20], b[20], s[20];
#pragma acc parallel loop copyout(a, b, s)
    for (int i = 0; i < 20; i++) {
        int q, r, local[3] = {i, i + 1, i + 2};
        divmod(i * 10 - 50, 7, &q, &r);
        swap(&q, &r);
        swap(&local[0], &local[2]);
        a[i] = q * 1000 + r + local[0];
        divmod(i, 3, &b[i], &q);
        s[i] = sum(local, 3) + sum(local + 1, 1) * 100;
    }
    for (int i = 0; i < 20; i++)
        printf("%d %d %d\n", a[i], b[i], s[i]);
    return 0;
}
