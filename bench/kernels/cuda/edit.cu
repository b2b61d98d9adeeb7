// Edit distances of 16384 pairs of words of 48 letters, a thread a pair, a row of the table in registers and local memory.
#include "kernels.cuh"

constexpr int LETTERS = 48;

__global__ void distances(int n, const char *__restrict__ a, const char *__restrict__ b, int *__restrict__ distance)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    int row[LETTERS + 1];
    for (int j = 0; j <= LETTERS; j++)
        row[j] = j;
    for (int i = 1; i <= LETTERS; i++) {
        int before = row[0], letter = a[p * LETTERS + i - 1];
        row[0] = i;
#pragma unroll
        for (int j = 1; j <= LETTERS; j++) {
            int above = row[j];
            row[j] = min(min(above, row[j - 1]) + 1, before + (letter != b[p * LETTERS + j - 1]));
            before = above;
        }
    }
    distance[p] = row[LETTERS];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 14) >> args.shift, *distance = NEW(int, n);
    char *a = NEW(char, n * LETTERS), *b = NEW(char, n * LETTERS);
    double sum = 0;
    for (int k = 0; k < n * LETTERS; k++)
        a[k] = 'a' + mix(k) % 4, b[k] = mix(k + 7) % 3 ? a[k] : 'a' + mix(k + 11) % 4;
    char *da = on_device(a, n * LETTERS), *db = on_device(b, n * LETTERS);
    int *ddistance = device<int>(n);
    double best = fastest(args.repeats, [&] { distances<<<ceiling(n, 64), 64>>>(n, da, db, ddistance); });
    to_host(distance, ddistance, n);
    for (int p = 0; p < n; p++)
        sum += distance[p] * (1 + p % 7);
    report("edit", best, sum);
    return 0;
}
