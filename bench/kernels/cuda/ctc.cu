// The loss of connectionist temporal classification and its gradient for 256 sentences, float: a block a sentence, a thread a
// state, whose sums of the frame before lie in shared memory, as do the shares of the letters.
#include "kernels.cuh"

constexpr int SENTENCES = 256, FRAMES = 256, LETTERS = 64, STATES = 2 * LETTERS + 1, CLASSES = 32, THREADS = 160;
constexpr float NEVER = -1e30f;

__device__ float logsum(float a, float b, float c)
{
    float most = fmaxf(a, fmaxf(b, c));
    return most <= NEVER ? NEVER : most + logf(expf(a - most) + expf(b - most) + expf(c - most));
}

__global__ void __launch_bounds__(THREADS)
ctc(const float *__restrict__ logs, const int *__restrict__ label, float *__restrict__ alpha, float *__restrict__ loss,
    float *__restrict__ gradient)
{
    // two states of no likelihood on either side
    __shared__ float sums[2][THREADS + 4], shares[2][CLASSES];
    const float *p = logs + blockIdx.x * FRAMES * CLASSES;
    const int *l = label + blockIdx.x * LETTERS;
    float *a = alpha + blockIdx.x * FRAMES * STATES, *g = gradient + blockIdx.x * FRAMES * CLASSES;
    int k = threadIdx.x, c = k < STATES && k % 2 ? l[k / 2] : 0;
    bool there = k < STATES, before = there && k % 2 && k > 1 && c != l[k / 2 - 1];
    bool after = there && k % 2 && k < STATES - 2 && c != l[k / 2 + 1];
    for (int i = k; i < THREADS + 4; i += THREADS)
        sums[0][i] = sums[1][i] = NEVER;
    __syncthreads();
    float mine = k == 0 || k == 1 ? p[c] : NEVER;
    if (there) {
        sums[0][k + 2] = mine;
        a[k] = mine;
    }
    for (int t = 1; t < FRAMES; t++) {
        const float *last = sums[(t - 1) % 2] + 2;
        float next = there ? p[t * CLASSES + c] : 0;
        __syncthreads();
        if (there) {
            mine = logsum(mine, last[k - 1], before ? last[k - 2] : NEVER) + next;
            sums[t % 2][k + 2] = mine;
            a[t * STATES + k] = mine;
        }
    }
    __syncthreads();
    const float *last = sums[(FRAMES - 1) % 2] + 2;
    float total = logsum(last[STATES - 1], last[STATES - 2], NEVER);
    if (k == 0)
        loss[blockIdx.x] = -total;
    if (k < CLASSES)
        shares[0][k] = shares[1][k] = 0;
    __syncthreads();
    for (int t = FRAMES - 1; t >= 0; t--) {
        const float *next = sums[(t + 1) % 2] + 2;
        float sum = k >= STATES - 2 ? 0 : NEVER, share = 0, letter = there ? p[t * CLASSES + c] : 0;
        if (there) {
            if (t < FRAMES - 1)
                sum = logsum(mine, next[k + 1], after ? next[k + 2] : NEVER);
            share = expf(a[t * STATES + k] + sum - total);
            mine = sum + letter;
        }
        float blank = k % 2 ? 0 : share;
        for (int d = 16; d > 0; d /= 2)
            blank += __shfl_xor_sync(0xffffffff, blank, d);
        if (there && k % 2)
            atomicAdd(&shares[t % 2][c], share);
        if (k % 32 == 0)
            atomicAdd(&shares[t % 2][0], blank);
        // the forward sums of the last frame have been read by all
        if (there)
            sums[t % 2][k + 2] = mine;
        __syncthreads();
        if (k < CLASSES) {
            g[t * CLASSES + k] = expf(p[t * CLASSES + k]) - shares[t % 2][k];
            shares[t % 2][k] = 0;
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SENTENCES >> args.shift, all = n * FRAMES * CLASSES, *label = NEW(int, n * LETTERS);
    float *logs = NEW(float, all), *gradient = NEW(float, all), *loss = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n * LETTERS; k++)
        label[k] = 1 + mix(k) % (CLASSES - 1);
    for (int k = 0; k < n * FRAMES; k++) {
        double norm = 0;
        int right = label[k / FRAMES * LETTERS + k % FRAMES * LETTERS / FRAMES];
        for (int c = 0; c < CLASSES; c++) {
            int i = k * CLASSES + c;
            logs[i] = 3 * number(i) + (c == right && k % 3 ? 3 : 0) + (c == 0 ? 1.5 : 0);
            norm += exp(logs[i]);
        }
        for (int c = 0; c < CLASSES; c++)
            logs[k * CLASSES + c] -= log(norm);
    }
    float *dlogs = on_device(logs, all), *dgradient = device<float>(all), *dloss = device<float>(n);
    float *dalpha = device<float>(n * FRAMES * STATES);
    int *dlabel = on_device(label, n * LETTERS);
    double best = fastest(args.repeats, [&] { ctc<<<n, THREADS>>>(dlogs, dlabel, dalpha, dloss, dgradient); });
    to_host(gradient, dgradient, all);
    to_host(loss, dloss, n);
    for (int s = 0; s < n; s++)
        sum += loss[s];
    for (int k = 0; k < all; k++)
        sum += 1e-3 * gradient[k] * (1 + k % CLASSES + k / CLASSES % 3);
    report("ctc", best, sum);
    return 0;
}
