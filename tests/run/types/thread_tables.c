// Small arrays that each iteration looks up by numbers of its own: counts, stacks, permutations, of all sizes of elements, whole and
// in parts, in nests of all levels.
#include <stdio.h>

static int sorted(const unsigned char *order, const short *key, int n)
{
    int inversions = 0;
    for (int i = 0; i + 1 < n; i++)
        inversions += key[order[i]] > key[order[i + 1]];
    return inversions;
}

int main(void)
{
    enum { N = 700, ROWS = 20 };
    int in[N], out[N][5];
    double sums[ROWS];
    for (int i = 0; i < N; i++)
        in[i] = (i * 7919 + i * i % 31) % 4096;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int i = 0; i < N; i++) {
        int count[16] = {0}, x = in[i];
        for (int k = 0; k < 12; k++)
            count[(x >> k) & 15]++;
        int most = 0;
        for (int k = 1; k < 16; k++)
            if (count[k] > count[most])
                most = k;
        out[i][0] = most * 100 + count[most] + count[x & 7];
        unsigned char bytes[10];
        for (int k = 0; k < 10; k++)
            bytes[k] = k;
        for (int k = 9; k > 0; k--) {
            int at = (x * (k + 3) >> 2) % (k + 1);
            unsigned char swap = bytes[k];
            bytes[k] = bytes[at];
            bytes[at] = swap;
        }
        out[i][1] = bytes[x % 10] * 10 + bytes[9];
        short key[8];
        for (int k = 0; k < 8; k++)
            key[k] = (short)(x * (k + 1) % 101 - 50);
        unsigned char order[8];
        for (int k = 0; k < 8; k++) {
            int at = k;
            for (; at > 0 && key[order[at - 1]] > key[k]; at--)
                order[at] = order[at - 1];
            order[at] = k;
        }
        out[i][2] = sorted(order, key, 8) * 1000 + key[order[0]] + key[order[7]];
        int stack[12], top = 0, seen = 0;
        stack[top++] = x % 63 + 1;
        while (top > 0) {
            int node = stack[--top];
            seen += node;
            if (node < 32) {
                stack[top++] = 2 * node;
                if (node & 1)
                    stack[top++] = 2 * node + 1;
            }
        }
        out[i][3] = seen;
        long long wide[4] = {x, -x, 3, 1LL << 40};
        wide[x & 3] += wide[(x >> 3) & 3] >> 5;
        out[i][4] = (int)(wide[(x >> 5) & 3] % 1000);
    }
#pragma acc parallel loop gang copyin(in) copyout(sums)
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < N / ROWS; j++) {
            float weight[6];
            for (int k = 0; k < 6; k++)
                weight[k] = k * 0.5f;
            weight[in[r * (N / ROWS) + j] % 6] += j;
            sum += weight[in[j] % 6];
        }
        sums[r] = sum;
    }
    for (int c = 0; c < 5; c++) {
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += (long)out[i][c] * (i + 1);
        printf("%ld\n", sum);
    }
    double all = 0;
    for (int r = 0; r < ROWS; r++)
        all += sums[r] * (r + 1);
    printf("%.2f\n", all);
    return 0;
}
