// Half a step of alternating least squares for recommendations, double: a block a user, which brings the factors of 16 films at a time to
// shared memory; a thread an entry of the matrix; one warp for Cholesky's method.
#include "kernels.cuh"

constexpr int USERS = 1 << 15, FILMS = 1 << 14, K = 16, THREADS = K * K, BATCH = 16, WARPS = 8;
constexpr double DAMPING = 0.08;

__global__ void __launch_bounds__(THREADS)
solve(const int *__restrict__ first, const int *__restrict__ film, const float *__restrict__ rating,
      const double *__restrict__ films, double *__restrict__ users)
{
    __shared__ double f[BATCH][K + 1], a[K][K + 1], b[K], stars[BATCH];
    int u = blockIdx.x, t = threadIdx.x, i = t / K, j = t % K, from = first[u], to = first[u + 1];
    double sum = i == j ? DAMPING * (to - from) : 0, right = 0;
    for (int r = from; r < to; r += BATCH) {
        int many = min(BATCH, to - r);
        __syncthreads();
        f[i][j] = i < many ? films[film[r + i] * K + j] : 0;
        if (t < BATCH)
            stars[t] = t < many ? rating[r + t] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            sum += f[k][i] * f[k][j];
        if (t < K)
            for (int k = 0; k < BATCH; k++)
                right += stars[k] * f[k][t];
    }
    a[i][j] = sum;
    if (t < K)
        b[t] = right;
    __syncthreads();
    if (t >= 32)
        return;
    // lane i has row i; those from 16 on have nothing to do
    for (int k = 0; k < K; k++) {
        double pivot = 1 / sqrt(a[k][k]);
        __syncwarp();
        if (t >= k && t < K)
            a[t][k] *= pivot;
        __syncwarp();
        if (t > k && t < K) {
            double l = a[t][k];
            for (int c = k + 1; c <= t; c++)
                a[t][c] -= l * a[c][k];
        }
        __syncwarp();
    }
    double x = t < K ? b[t] : 0;
    for (int k = 0; k < K; k++) {
        double y = __shfl_sync(0xffffffff, x, k) / a[k][k];
        if (t == k)
            x = y;
        else if (t > k && t < K)
            x -= a[t][k] * y;
    }
    for (int k = K - 1; k >= 0; k--) {
        double y = __shfl_sync(0xffffffff, x, k) / a[k][k];
        if (t == k)
            x = y;
        else if (t < k)
            x -= a[k][t] * y;
    }
    if (t < K)
        users[u * K + t] = x;
}

__global__ void __launch_bounds__(32 * WARPS)
errors(int n, const int *__restrict__ first, const int *__restrict__ film, const float *__restrict__ rating,
       const double *__restrict__ films, const double *__restrict__ users, double *__restrict__ error)
{
    __shared__ double sums[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, u = blockIdx.x * WARPS + warp;
    double sum = 0;
    if (u < n) {
        double mine[K];
#pragma unroll
        for (int i = 0; i < K; i++)
            mine[i] = users[u * K + i];
        for (int r = first[u] + lane; r < first[u + 1]; r += 32) {
            const double2 *f = (const double2 *)(films + film[r] * K);
            double e = rating[r];
#pragma unroll
            for (int i = 0; i < K / 2; i++)
                e -= mine[2 * i] * f[i].x + mine[2 * i + 1] * f[i].y;
            sum += e * e;
        }
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < WARPS; k++)
            sum += sums[k];
        atomicAdd(error, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = USERS >> args.shift, *first = NEW(int, n + 1);
    double *films = NEW(double, FILMS * K), *users = NEW(double, n * K), error = 0, sum = 0;
    first[0] = 0;
    for (int u = 0; u < n; u++)
        first[u + 1] = first[u] + 8 + mix(u) % 128;
    int total = first[n], *film = NEW(int, total);
    float *rating = NEW(float, total);
    for (int r = 0; r < total; r++) {
        unsigned any = mix(r + 17) % FILMS;
        film[r] = (int)((unsigned long)any * any / FILMS);
        rating[r] = 1 + 0.5f * (mix(r) % 9);
    }
    FILL(films, FILMS * K, 1);
    int *dfirst = on_device(first, n + 1), *dfilm = on_device(film, total);
    float *drating = on_device(rating, total);
    double *dfilms = on_device(films, FILMS * K), *dusers = device<double>(n * K), *derror = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(derror, 0, sizeof error));
        solve<<<n, THREADS>>>(dfirst, dfilm, drating, dfilms, dusers);
        errors<<<ceiling(n, WARPS), 32 * WARPS>>>(n, dfirst, dfilm, drating, dfilms, dusers, derror);
        CHECK(cudaMemcpy(&error, derror, sizeof error, cudaMemcpyDeviceToHost));
    });
    to_host(users, dusers, n * K);
    for (int k = 0; k < n * K; k++)
        sum += users[k] * (1 + k % K);
    report("ratings", best, sum + error);
    return 0;
}
