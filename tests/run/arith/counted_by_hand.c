// Places in an array of the thread that a program counts by hand: in a nest, by steps of two, and where a branch decides.
#include <stdio.h>

enum { N = 200 };

int main(void)
{
    static float in[N + 4][N + 4], out[N], back[N];
    static int few[N];
    for (int k = 0; k < N + 4; k++)
        for (int i = 0; i < N + 4; i++)
            in[k][i] = (float)((k * 31 + i * 17) % 101);
#pragma acc parallel loop copyin(in) copyout(out, back, few)
    for (int n = 0; n < N; n++) {
        float v[9], w[8];
        unsigned k = 0;
        for (int dy = 0; dy <= 2; dy++)
            for (int dx = 0; dx <= 2; dx++)
                v[k++] = in[n + dy][n + dx];
        int at = 6;
        for (int i = 0; i < 4; i++, at -= 2) {
            w[at] = v[i];
            w[at + 1] = v[8 - i];
        }
        float sum = 0;
        for (int i = 0; i < 8; i++)
            sum = sum * 0.5f + w[i];
        out[n] = sum + (float)k;
        back[n] = w[0] * 2 + w[7] + (float)at;
        float kept[9];
        int count = 0;
        for (int i = 0; i < 9; i++)
            if (v[i] > 50)
                kept[count++] = v[i];
        few[n] = count;
        for (int i = 0; i < count; i++)
            few[n] += (int)kept[i] * (i + 1);
    }
    double total = 0;
    for (int n = 0; n < N; n++)
        total += (out[n] + back[n]) * (n % 13) + few[n] * (n % 5);
    printf("%.3f\n", total);
    return 0;
}
