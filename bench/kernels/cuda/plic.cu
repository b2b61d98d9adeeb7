// Planes of the interface between two fluids in 256^3 cells, double: Youngs' normals and the distance at which a
// plane cuts off the cell's fraction. A block lists the mixed cells of eight rows, which are few, before its
// threads take them.
#include "kernels.cuh"

constexpr int SIDE = 256, ROWS = 8, THREADS = 256;
constexpr double THIN = 1e-8;

__device__ double across(double p, double q)
{
    double root = sqrt(p), s = cos(acos(fmin(1.0, fmax(-1.0, q / (p * root)))) / 3);
    return root * (sqrt(3 * fmax(0.0, 1 - s * s)) - s);
}

// m1 + m2 + m3 = 1, m1 <= m2 <= m3
__device__ double offset(double m1, double m2, double m3, double c)
{
    double m12 = m1 + m2, half = fmin(c, 1 - c), product = m1 * m2 * m3, alpha;
    double v1 = m1 * m1 / fmax(6 * m2 * m3, 1e-50), v2 = v1 + (m2 - m1) / (2 * m3), v3 = m12 / (2 * m3);
    if (m3 < m12)
        v3 = (m3 * m3 * (3 * m12 - m3) + m1 * m1 * (m1 - 3 * m3) + m2 * m2 * (m2 - 3 * m3)) / (6 * product);
    if (half < v1)
        alpha = cbrt(6 * product * half);
    else if (half < v2)
        alpha = 0.5 * (m1 + sqrt(m1 * m1 + 8 * m2 * m3 * (half - v1)));
    else if (half < v3)
        alpha = across(2 * m1 * m2, 1.5 * m1 * m2 * (m12 - 2 * m3 * half)) + m12;
    else if (m12 <= m3)
        alpha = m3 * half + 0.5 * m12;
    else
        alpha = across(m1 * (m2 + m3) + m2 * m3 - 0.25, 1.5 * product * (0.5 - half)) + 0.5;
    return c > 0.5 ? 1 - alpha : alpha;
}

__global__ void __launch_bounds__(THREADS)
planes(int depth, const double *__restrict__ c, double *__restrict__ normal, double *__restrict__ alpha,
       int *__restrict__ cut)
{
    __shared__ int list[ROWS * SIDE], found;
    constexpr int layer = SIDE * SIDE;
    int all = depth * layer, first = blockIdx.x * ROWS * SIDE, z = first / layer, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    for (int r = 0; r < ROWS; r++) {
        int i = first + r * SIDE + threadIdx.x, x = threadIdx.x, y = i / SIDE % SIDE;
        double v = c[i];
        bool inside = x > 0 && x < SIDE - 1 && y > 0 && y < SIDE - 1 && z > 0 && z < depth - 1;
        bool mixed = inside && v > THIN && v < 1 - THIN;
        unsigned mask = __ballot_sync(0xffffffff, mixed);
        int at = 0;
        if (lane == 0 && mask)
            at = atomicAdd(&found, __popc(mask));
        at = __shfl_sync(0xffffffff, at, 0) + __popc(mask & ((1u << lane) - 1));
        if (mixed)
            list[at] = i;
        else
            normal[i] = normal[all + i] = normal[2 * all + i] = alpha[i] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < found; k += THREADS) {
        int i = list[k];
        double gx = 0, gy = 0, gz = 0;
#pragma unroll
        for (int p = -1; p <= 1; p++)
#pragma unroll
            for (int q = -1; q <= 1; q++)
#pragma unroll
                for (int r = -1; r <= 1; r++) {
                    // weights of a plane are 1 2 1, 2 4 2, 1 2 1
                    double v = c[i + p * layer + q * SIDE + r];
                    gx -= r * (2 - (p != 0)) * (2 - (q != 0)) * v;
                    gy -= q * (2 - (p != 0)) * (2 - (r != 0)) * v;
                    gz -= p * (2 - (q != 0)) * (2 - (r != 0)) * v;
                }
        double scale = 1 / (fabs(gx) + fabs(gy) + fabs(gz) + 1e-30);
        gx *= scale;
        gy *= scale;
        gz *= scale;
        double low = fmin(fabs(gx), fabs(gy)), most = fmax(fabs(gx), fabs(gy)), m = fabs(gz);
        normal[i] = gx;
        normal[all + i] = gy;
        normal[2 * all + i] = gz;
        alpha[i] = offset(fmin(low, m), fmin(most, fmax(low, m)), fmax(most, m), c[i]);
    }
    if (threadIdx.x == 0 && found)
        atomicAdd(cut, found);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, cut = 0;
    double *c = NEW(double, n), *normal = NEW(double, 3 * (size_t)n), *alpha = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE, ball = (z / 16 * 16 + y / 16) * 16 + x / 16;
        double u = x % 16 - 7.5, v = y % 16 - 7.2, w = z % 16 - 7.9, r = 4 + 3 * number(ball);
        c[i] = fmin(1, fmax(0, 0.5 + r - sqrt(u * u + 1.2 * v * v + 0.9 * w * w)));
    }
    double *dc = on_device(c, n), *dnormal = device<double>(3 * (size_t)n), *dalpha = device<double>(n);
    int *dcut = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcut, 0, sizeof cut));
        planes<<<n / (ROWS * SIDE), THREADS>>>(depth, dc, dnormal, dalpha, dcut);
        CHECK(cudaMemcpy(&cut, dcut, sizeof cut, cudaMemcpyDeviceToHost));
    });
    to_host(normal, dnormal, 3 * (size_t)n);
    to_host(alpha, dalpha, n);
    for (int i = 0; i < n; i++)
        sum += fabs(normal[i]) + 2 * fabs(normal[n + i]) + 3 * fabs(normal[2 * n + i]) + alpha[i];
    report("plic", best, sum + cut);
    return 0;
}
