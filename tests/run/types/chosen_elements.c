// Elements of small private arrays and structs that an index of the program chooses.
#include <complex.h>
#include <stdio.h>

enum { N = 300, R = 4 };
struct entry {
    int key, *where;
    float value[2];
};

static void run(int n, const double *in, double *out, int *keys)
{
#pragma acc parallel loop copyin(in[0:n * R * R]) copyout(out[0:n * 8]) copy(keys[0:n])
    for (int m = 0; m < n; m++) {
        double a[R][R], largest = 0;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++)
                a[i][j] = in[(m * R + i) * R + j];
        int row = 0, column = 0;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++)
                if (a[i][j] > largest) {
                    largest = a[i][j];
                    row = i;
                    column = j;
                }
        // Both indices.
        a[row][column] = -a[row][column];
        for (int j = 0; j < R; j++) {
            double t = a[0][j];
            a[0][j] = a[row][j];
            a[row][j] = t;
        }
        unsigned char permutation[R];
        for (unsigned char i = 0; i < R; i++)
            permutation[i] = i;
        permutation[row] = permutation[column]++;
        struct entry table[3] = {{1, keys + m, {1, 2}}, {2, keys + m, {3, 4}}, {3, keys + m, {5, 6}}};
        struct entry *chosen = &table[(row + column) % 3];
        chosen->key += 10;
        chosen->value[column % 2] *= 2;
        table[row % 3].where[0] += table[column % 3].key;
        double complex z[2] = {1 + 2 * I, 3};
        z[row % 2] += column * I;
        long big = row * 2L;
        short few[8] = {0};
        few[big]++;
        few[big + 1] += 2;
        double sum = 0;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++)
                sum += a[i][j] * (i * 3 + j);
        double *o = out + 8 * m;
        o[0] = sum;
        o[1] = permutation[0] + permutation[1] * 10 + permutation[2] * 100 + permutation[3] * 1000;
        o[2] = table[0].value[0] + 10 * table[1].value[1] + 100 * table[2].value[0] + table[2].value[1];
        o[3] = creal(z[0] * z[1]);
        o[4] = cimag(z[column & 1]);
        o[5] = few[0] + few[1] * 3 + few[2] * 9 + few[3] * 27 + few[4] + few[5] + few[6] + few[7];
        o[6] = a[0][column];
        o[7] = table[0].key * table[1].key + table[2].key;
    }
}

int main(void)
{
    static double in[N * R * R], out[N * 8];
    static int keys[N];
    for (int k = 0; k < N * R * R; k++)
        in[k] = (k * 7919 + k / 5 * 31) % 1009;
    run(N, in, out, keys);
    for (int k = 0; k < 8; k++) {
        double sum = 0;
        for (int m = 0; m < N; m++)
            sum += out[8 * m + k] * (m % 7 + 1);
        printf("%.10g ", sum);
    }
    int all = 0;
    for (int m = 0; m < N; m++)
        all += keys[m] * (m % 5);
    printf("%d\n", all);
    return 0;
}
