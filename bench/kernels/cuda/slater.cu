// 16 moves of electrons in 1024 walkers, double: a block a walker, the inverse of its matrix of 64 x 64 in shared memory.
#include "kernels.cuh"

constexpr int WALKERS = 1024, N = 64, MOVES = 16, THREADS = 256, PARTS = THREADS / N;

__global__ void move(const double *__restrict__ start, const double *__restrict__ orbital, const double *__restrict__ chance,
                     double *__restrict__ inverse, double *__restrict__ amplitude, unsigned long long *taken)
{
    __shared__ double a[N][N], column[N], part[PARTS][N], phi[N];
    int w = blockIdx.x, j = threadIdx.x % N, y = threadIdx.x / N, many = 0;
    double all = 0;
    for (int i = y; i < N; i += PARTS)
        a[i][j] = start[(w * N + i) * N + j];
    for (int m = 0; m < MOVES; m++) {
        int e = (w + 5 * m) % N;
        if (y == 0)
            phi[j] = orbital[(w * MOVES + m) * N + j];
        __syncthreads();
        // phi times the matrix: its element e is the ratio
        double sum = 0;
        for (int i = y; i < N; i += PARTS)
            sum += phi[i] * a[i][j];
        part[y][j] = sum;
        if (y == 1)
            column[j] = a[j][e];
        __syncthreads();
        double ratio = 0, row = 0;
        for (int p = 0; p < PARTS; p++) {
            ratio += part[p][e];
            row += part[p][j];
        }
        if (ratio * ratio > chance[w * MOVES + m]) {
            row = (row - (j == e)) / ratio;
            for (int i = y; i < N; i += PARTS)
                a[i][j] -= column[i] * row;
            all += log(fabs(ratio));
            many++;
        }
        __syncthreads();
    }
    for (int i = y; i < N; i += PARTS)
        inverse[(w * N + i) * N + j] = a[i][j];
    if (threadIdx.x == 0) {
        amplitude[w] = all;
        atomicAdd(taken, (unsigned long long)many);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int walkers = WALKERS >> args.shift, all = walkers * N * N, phis = walkers * MOVES * N, tries = walkers * MOVES;
    double *start = NEW(double, all), *inverse = NEW(double, all), *orbital = NEW(double, phis), *chance = NEW(double, tries);
    double *amplitude = NEW(double, walkers), sum = 0;
    for (int k = 0; k < all; k++)
        start[k] = (k % N == k / N % N) + 0.1 * (number(k) - 0.5);
    for (int k = 0; k < phis; k++) {
        int w = k / N / MOVES, m = k / N % MOVES;
        orbital[k] = (k % N == (w + 5 * m) % N) + 0.2 * (number(3 * k) - 0.5);
    }
    for (int k = 0; k < tries; k++)
        chance[k] = 0.3 + number(k + 7);
    double *dstart = on_device(start, all), *dorbital = on_device(orbital, phis), *dchance = on_device(chance, tries);
    double *dinverse = device<double>(all), *damplitude = device<double>(walkers);
    unsigned long long *dtaken = device<unsigned long long>(1), *taken = pinned<unsigned long long>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtaken, 0, sizeof *dtaken));
        move<<<walkers, THREADS>>>(dstart, dorbital, dchance, dinverse, damplitude, dtaken);
        CHECK(cudaMemcpyAsync(taken, dtaken, sizeof *taken, cudaMemcpyDeviceToHost));
    });
    to_host(inverse, dinverse, all);
    to_host(amplitude, damplitude, walkers);
    for (int k = 0; k < all; k++)
        sum += inverse[k] * (1 + k % 3);
    for (int w = 0; w < walkers; w++)
        sum += fabs(amplitude[w]);
    report("slater", best, sum + *taken);
    return 0;
}
