// The dispersion of 8192 atoms of five elements in pairs (Grimme's D3), double: blocks of 128 atoms go through a part of
// the others by tiles in shared memory, as is the table of coefficients.
#include "kernels.cuh"

constexpr int ATOMS = 8192, ELEMENTS = 5, STATES = 5, PAIRS = ELEMENTS * ELEMENTS * STATES * STATES;
constexpr int THREADS = 128, PARTS = 16;
constexpr double DAMP_A = 0.4289, DAMP_B = 4.4407, S8 = 0.7875;

__global__ void clear(int n, double *__restrict__ neighbours, double *__restrict__ energy, double *__restrict__ total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        neighbours[i] = energy[i] = 0;
    if (i == 0)
        *total = 0;
}

__global__ void __launch_bounds__(THREADS)
count(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z,
      const int *__restrict__ type, const double *__restrict__ radius, double *__restrict__ neighbours)
{
    __shared__ double sx[THREADS], sy[THREADS], sz[THREADS], sr[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x, part = (n + PARTS - 1) / PARTS, from = blockIdx.y * part;
    int to = min(n, from + part);
    double mx = 0, my = 0, mz = 0, mr = 0, sum = 0;
    if (i < n) {
        mx = x[i];
        my = y[i];
        mz = z[i];
        mr = radius[type[i]];
    }
    for (int first = from; first < to; first += THREADS) {
        int j = first + threadIdx.x, many = min(THREADS, to - first);
        __syncthreads();
        if (j < to) {
            sx[threadIdx.x] = x[j];
            sy[threadIdx.x] = y[j];
            sz[threadIdx.x] = z[j];
            sr[threadIdx.x] = radius[type[j]];
        }
        __syncthreads();
        for (int k = 0; k < many; k++) {
            double dx = mx - sx[k], dy = my - sy[k], dz = mz - sz[k];
            double inverse = rsqrt(dx * dx + dy * dy + dz * dz);
            if (first + k != i)
                sum += 1 / (1 + exp(16 - 64.0 / 3 * (mr + sr[k]) * inverse));
        }
    }
    if (i < n)
        atomicAdd(&neighbours[i], sum);
}

__global__ void weigh(int n, const int *__restrict__ type, const double *__restrict__ reference,
                      const double *__restrict__ neighbours, double *__restrict__ weight)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[STATES], norm = 0;
    for (int a = 0; a < STATES; a++) {
        double d = neighbours[i] - reference[type[i] * STATES + a];
        norm += w[a] = exp(-4 * d * d);
    }
    for (int a = 0; a < STATES; a++)
        weight[a * n + i] = w[a] / norm;
}

__global__ void __launch_bounds__(THREADS)
pairs(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z,
      const int *__restrict__ type, const double *__restrict__ q, const double *__restrict__ c6,
      const double *__restrict__ weight, double *__restrict__ energy, double *__restrict__ total)
{
    __shared__ double sx[THREADS], sy[THREADS], sz[THREADS], sw[STATES][THREADS], table[PAIRS];
    __shared__ double ratios[ELEMENTS][ELEMENTS], damp6[ELEMENTS][ELEMENTS], damp8[ELEMENTS][ELEMENTS];
    __shared__ double sums[THREADS / 32];
    __shared__ int st[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x, part = (n + PARTS - 1) / PARTS, from = blockIdx.y * part;
    int to = min(n, from + part), mine = 0;
    double mx = 0, my = 0, mz = 0, w[STATES] = {}, sum = 0;
    for (int k = threadIdx.x; k < PAIRS; k += THREADS)
        table[k] = c6[k];
    for (int k = threadIdx.x; k < ELEMENTS * ELEMENTS; k += THREADS) {
        double ratio = 3 * q[k / ELEMENTS] * q[k % ELEMENTS], f = DAMP_A * sqrt(ratio) + DAMP_B, f2 = f * f;
        ratios[k / ELEMENTS][k % ELEMENTS] = S8 * ratio;
        damp6[k / ELEMENTS][k % ELEMENTS] = f2 * f2 * f2;
        damp8[k / ELEMENTS][k % ELEMENTS] = f2 * f2 * f2 * f2;
    }
    if (i < n) {
        mx = x[i];
        my = y[i];
        mz = z[i];
        mine = type[i];
        for (int a = 0; a < STATES; a++)
            w[a] = weight[a * n + i];
    }
    for (int first = from; first < to; first += THREADS) {
        int j = first + threadIdx.x, many = min(THREADS, to - first);
        __syncthreads();
        if (j < to) {
            sx[threadIdx.x] = x[j];
            sy[threadIdx.x] = y[j];
            sz[threadIdx.x] = z[j];
            st[threadIdx.x] = type[j];
            for (int a = 0; a < STATES; a++)
                sw[a][threadIdx.x] = weight[a * n + j];
        }
        __syncthreads();
        for (int k = 0; k < many; k++) {
            int other = st[k];
            const double *c = table + (mine * ELEMENTS + other) * STATES * STATES;
            double all = 0;
#pragma unroll
            for (int a = 0; a < STATES; a++) {
                double one = 0;
#pragma unroll
                for (int b = 0; b < STATES; b++)
                    one += c[a * STATES + b] * sw[b][k];
                all += one * w[a];
            }
            double dx = mx - sx[k], dy = my - sy[k], dz = mz - sz[k], r2 = dx * dx + dy * dy + dz * dz;
            double r6 = r2 * r2 * r2;
            if (first + k != i)
                sum -= 0.5 * all * (1 / (r6 + damp6[mine][other]) + ratios[mine][other] / (r6 * r2 + damp8[mine][other]));
        }
    }
    if (i < n)
        atomicAdd(&energy[i], sum);
    else
        sum = 0;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            sum += sums[k];
        atomicAdd(total, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift, blocks = ceiling(n, THREADS), *type = NEW(int, n);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *neighbours = NEW(double, n);
    double *energy = NEW(double, n), *c6 = NEW(double, PAIRS), total = 0, sum = 0;
    double radius[ELEMENTS] = {0.35, 0.75, 0.7, 0.65, 1.1}, q[ELEMENTS] = {2.0, 3.1, 2.7, 2.6, 5.0};
    double reference[ELEMENTS * STATES];
    for (int i = 0; i < n; i++) {
        x[i] = 2.9 * (i % 16) + number(3 * i);
        y[i] = 2.9 * (i / 16 % 16) + number(3 * i + 1);
        z[i] = 2.9 * (i / 256) + number(3 * i + 2);
        type[i] = mix(i) % ELEMENTS;
    }
    for (int k = 0; k < ELEMENTS * STATES; k++)
        reference[k] = k % STATES + 0.3 * number(k);
    for (int k = 0; k < PAIRS; k++) {
        int a = k / STATES % STATES, b = k % STATES, s = k / (STATES * STATES) / ELEMENTS, t = k / (STATES * STATES) % ELEMENTS;
        c6[k] = (4 + 7 * s) * (4 + 7 * t) * (0.4 + 1 / (2.0 + a + b)) * (1 + 0.1 * (a * b) / (1 + a + b));
    }
    double *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *dradius = on_device(radius, ELEMENTS);
    double *dq = on_device(q, ELEMENTS), *dreference = on_device(reference, ELEMENTS * STATES);
    double *dc6 = on_device(c6, PAIRS), *dneighbours = device<double>(n), *dweight = device<double>(n * STATES);
    double *denergy = device<double>(n), *dtotal = device<double>(1);
    int *dtype = on_device(type, n);
    double best = fastest(args.repeats, [&] {
        clear<<<ceiling(n, 256), 256>>>(n, dneighbours, denergy, dtotal);
        count<<<dim3(blocks, PARTS), THREADS>>>(n, dx, dy, dz, dtype, dradius, dneighbours);
        weigh<<<ceiling(n, 256), 256>>>(n, dtype, dreference, dneighbours, dweight);
        pairs<<<dim3(blocks, PARTS), THREADS>>>(n, dx, dy, dz, dtype, dq, dc6, dweight, denergy, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof total, cudaMemcpyDeviceToHost));
    });
    to_host(neighbours, dneighbours, n);
    to_host(energy, denergy, n);
    for (int i = 0; i < n; i++)
        sum += neighbours[i] * 1e-3 - energy[i] * (1 + i % 7);
    report("dispersion", best, sum - total);
    return 0;
}
