// A step of training of a layer of 65536 inputs and 16 hidden units, float: sums of weighted inputs, by blocks of 16 x 16 and a tree
// in shared memory, and the weights' changes.
#include "kernels.cuh"

__global__ void forward(int n, int m, const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ sums)
{
    __shared__ float part[16][17];
    int j = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int k = blockIdx.x * 16 + y; k <= n; k += gridDim.x * 16)
        sum += w[k * m + j] * in[k];
    part[y][j] = sum;
    for (int d = 8; d > 0; d /= 2) {
        __syncthreads();
        if (y < d)
            part[y][j] += part[y + d][j];
    }
    if (y == 0)
        atomicAdd(&sums[j], part[0][j]);
}

__global__ void errors(int m, const float *__restrict__ sums, const float *__restrict__ target, float *__restrict__ out,
                       float *__restrict__ delta)
{
    int j = threadIdx.x;
    float o = 1 / (1 + expf(-sums[j]));
    out[j] = o;
    delta[j] = o * (1 - o) * (target[j] - o);
}

__global__ void adjust(int n, int m, const float *__restrict__ in, const float *__restrict__ delta, float *__restrict__ w,
                       float *__restrict__ old)
{
    int j = threadIdx.x, k = blockIdx.x * blockDim.y + threadIdx.y;
    if (k > n)
        return;
    float change = 0.3f * delta[j] * in[k] + 0.3f * old[k * m + j];
    w[k * m + j] += change;
    old[k * m + j] = change;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 65536 >> args.shift, m = 16, all = (n + 1) * m;
    float *in = NEW(float, n + 1), *w = NEW(float, all), *old = NEW(float, all), *out = NEW(float, m), *target = NEW(float, m);
    double sum = 0;
    FILL(in, n + 1, 1);
    FILL(target, m, 1);
    for (int k = 0; k < all; k++) {
        w[k] = (number(3 * k) - 0.5f) * 0.01f;
        old[k] = 0;
    }
    float *din = on_device(in, n + 1), *dw = on_device(w, all), *dold = on_device(old, all), *dtarget = on_device(target, m),
          *dout = device<float>(m), *ddelta = device<float>(m), *dsums = device<float>(m);
    auto train = [&] {
        CHECK(cudaMemsetAsync(dsums, 0, m * sizeof(float)));
        forward<<<256, dim3(16, 16)>>>(n, m, din, dw, dsums);
        errors<<<1, m>>>(m, dsums, dtarget, dout, ddelta);
        adjust<<<ceiling(n + 1, 16), dim3(16, 16)>>>(n, m, din, ddelta, dw, dold);
    };
    train();
    to_host(w, dw, all);
    to_host(out, dout, m);
    for (int k = 0; k < all; k++)
        sum += fabs(w[k]);
    for (int j = 0; j < m; j++)
        sum += out[j];
    double best = fastest(args.repeats, train);
    report("backprop", best, sum);
    return 0;
}
