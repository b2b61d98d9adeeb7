// Data assimilation by an ensemble Kalman filter in the space of its 16 members, double, at 2^15 points: a warp a point, a lane half a column of the matrix,
// which is inverted by Gauss and Jordan in registers.
#include "kernels.cuh"

enum { POINTS = 1 << 15, OBSERVATIONS = 4096, K = 16, NEAR = 20, VARIABLES = 8 };

constexpr int WARPS = 4, HALF = K / 2;

__global__ void __launch_bounds__(WARPS * 32) analyse(int n, const int *__restrict__ near, const double *__restrict__ weight, const double *__restrict__ y,
                                                      const double *__restrict__ departure, const double *__restrict__ x, double *__restrict__ next)
{
    __shared__ double own[WARPS][NEAR][K], column[WARPS][K], matrix[WARPS][K][K], gain[WARPS][K], state[WARPS][VARIABLES][K];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, p = blockIdx.x * WARPS + warp, j = lane % K, first = lane / K * HALF;
    if (p >= n)
        return;
    double a[HALF], right = 0;
#pragma unroll
    for (int l = 0; l < NEAR; l += 2) {
        int which = l + lane / K, o = near[p * NEAR + which];
        double certain = weight[p * NEAR + which], member = y[o * K + j];
        own[warp][which][j] = sqrt(certain) * member;
        right += certain * member * departure[o];
    }
    right += __shfl_xor_sync(0xffffffff, right, 16);
#pragma unroll
    for (int v = 0; v < VARIABLES; v += 2)
        state[warp][v + lane / K][j] = x[((long)p * VARIABLES + v + lane / K) * K + j];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < HALF; i++)
        a[i] = first + i == j ? K - 1 : 0;
    for (int l = 0; l < NEAR; l++) {
        double mine = own[warp][l][j];
#pragma unroll
        for (int i = 0; i < HALF; i++)
            a[i] += own[warp][l][first + i] * mine;
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (j == k) {
#pragma unroll
            for (int i = 0; i < HALF; i++)
                column[warp][first + i] = a[i];
        }
        __syncwarp();
        double inverse = 1 / column[warp][k], row = __shfl_sync(0xffffffff, a[k % HALF], k / HALF * K + j) * inverse;
        if (j == k)
            row = inverse;
#pragma unroll
        for (int i = 0; i < HALF; i++)
            a[i] = first + i == k ? row : (j == k ? 0 : a[i]) - column[warp][first + i] * row;
        __syncwarp();
    }
    if (lane < K)
        column[warp][j] = right;
#pragma unroll
    for (int i = 0; i < HALF; i++)
        matrix[warp][first + i][j] = a[i];
    __syncwarp();
    double sum = 0;
    for (int k = 0; k < K; k++)
        sum += matrix[warp][k][j] * column[warp][k];
    if (lane < K)
        gain[warp][j] = sum;
    __syncwarp();
    double factor[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        factor[k] = gain[warp][k] + 0.5 * (K - 1) * matrix[warp][k][j];
    for (int v = lane / K; v < VARIABLES; v += 2) {
        double mine = state[warp][v][j], mean = mine, change = 0;
#pragma unroll
        for (int d = HALF; d > 0; d /= 2)
            mean += __shfl_xor_sync(0xffffffff, mean, d);
        mean /= K;
#pragma unroll
        for (int k = 0; k < K; k++)
            change += (state[warp][v][k] - mean) * factor[k];
        next[((long)p * VARIABLES + v) * K + j] = mine + change - 0.5 * (mine - mean);
    }
}

static void forecast(int n, int *near, double *weight, double *y, double *departure, double *x)
{
    for (int p = 0; p < n; p++)
        for (int l = 0; l < NEAR; l++) {
            near[p * NEAR + l] = (p / 8 + mix(p * NEAR + l) % 64) % OBSERVATIONS;
            weight[p * NEAR + l] = 0.1 + number(p + 77 * l);
        }
    for (int o = 0; o < OBSERVATIONS; o++) {
        double mean = 0;
        for (int m = 0; m < K; m++)
            mean += number(o * K + m) / K;
        for (int m = 0; m < K; m++)
            y[o * K + m] = 3 * (number(o * K + m) - mean);
        departure[o] = number(o + 3000001) - 0.5;
    }
    FILL(x, n * VARIABLES * K, 10);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, all = n * VARIABLES * K, *near = NEW(int, n * NEAR);
    double *weight = NEW(double, n * NEAR), *y = NEW(double, OBSERVATIONS * K), *departure = NEW(double, OBSERVATIONS), *x = NEW(double, all),
           *next = NEW(double, all), sum = 0;
    forecast(n, near, weight, y, departure, x);
    int *dnear = on_device(near, n * NEAR);
    double *dweight = on_device(weight, n * NEAR), *dy = on_device(y, OBSERVATIONS * K), *ddeparture = on_device(departure, OBSERVATIONS),
           *dx = on_device(x, all), *dnext = device<double>(all);
    double best = fastest(args.repeats, [&] { analyse<<<ceiling(n, WARPS), WARPS * 32>>>(n, dnear, dweight, dy, ddeparture, dx, dnext); });
    to_host(next, dnext, all);
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("ensemble", best, sum);
    return 0;
}
