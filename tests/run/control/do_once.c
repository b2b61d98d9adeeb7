// Bodies that run once, as macros have them: with and without jumps that are about them, in loops, in each other and in a switch.
#include <stdio.h>

enum { N = 300 };

#define ORDER(a, b)                                                                                  \
    do {                                                                                             \
        double low_ = (a) < (b) ? (a) : (b);                                                         \
        (b) = (a) < (b) ? (b) : (a);                                                                 \
        (a) = low_;                                                                                  \
    } while (0)

#define ADD_UNLESS(sum, value, not)                                                                  \
    do {                                                                                             \
        if ((value) == (not))                                                                        \
            break;                                                                                   \
        (sum) += (value);                                                                            \
    } while (0)

#define TWICE(x)                                                                                     \
    do {                                                                                             \
        do {                                                                                         \
            (x) += (x);                                                                              \
        } while (sizeof(int) == 1);                                                                  \
    } while (0)

static int weight(int k)
{
    int w = 0;
    do {
        switch (k % 3) {
        case 0:
            w = 5;
            break;
        case 1:
            w = 7;
            break;
        default:
            do {
                if (k % 2)
                    continue;
                w = 9;
            } while (0);
        }
        for (int i = 0; i < 3; i++) {
            if (i == 1)
                continue;
            w += i;
        }
    } while (0);
    return w;
}

int main(void)
{
    static double in[N][5], out[N];
    static int sums[N], weights[N];
    for (int k = 0; k < N * 5; k++)
        in[k / 5][k % 5] = k * 7919 % 1013;
#pragma acc parallel loop copyin(in) copyout(out, sums, weights)
    for (int n = 0; n < N; n++) {
        double v[5];
        for (int i = 0; i < 5; i++)
            v[i] = in[n][i];
        for (int i = 0; i < 3; i++)
            for (int j = i + 1; j < 5; j++)
                ORDER(v[i], v[j]);
        out[n] = v[2];
        int sum = 0;
        for (int i = 0; i < 5; i++)
            ADD_UNLESS(sum, (int)in[n][i] % 4, 2);
        if (n % 2)
            TWICE(sum);
        else
            sum = -sum;
        sums[n] = sum;
        weights[n] = weight(n);
    }
    double total = 0;
    long all = 0;
    for (int n = 0; n < N; n++) {
        total += out[n] * (n % 11);
        all += sums[n] * (n % 5) + weights[n] * (n % 7);
    }
    printf("%g %ld\n", total, all);
    return 0;
}
