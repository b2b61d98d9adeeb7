// Decoding of 512 frames of a low-density parity-check code with 2048 bits, float: ten iterations of minima and sums; a block 128 frames of a
// check or of a bit, with the messages of a check in registers.
#include "kernels.cuh"

constexpr int BITS = 2048, FRAMES = 512, DEGREE = 3, LARGEST = 8, ITERATIONS = 10, THREADS = 128;

__global__ void begin(const int *__restrict__ bit, const float *__restrict__ received, float *__restrict__ message)
{
    int f = blockIdx.y * THREADS + threadIdx.x, e = blockIdx.x;
    message[e * FRAMES + f] = received[bit[e] * FRAMES + f];
}

__global__ void check_nodes(const int *__restrict__ start, float *__restrict__ message)
{
    int f = blockIdx.y * THREADS + threadIdx.x, first = start[blockIdx.x], degree = start[blockIdx.x + 1] - first;
    float m[LARGEST], least = 1e30f, second = 1e30f;
    int where = 0;
    unsigned sign = 0;
    message += first * FRAMES + f;
#pragma unroll
    for (int k = 0; k < LARGEST; k++)
        m[k] = k < degree ? message[k * FRAMES] : 1e30f;
#pragma unroll
    for (int k = 0; k < LARGEST; k++) {
        float size = fabsf(m[k]);
        sign ^= m[k] < 0;
        if (size < least) {
            second = least;
            least = size;
            where = k;
        } else
            second = fminf(second, size);
    }
    least *= 0.75f;
    second *= 0.75f;
#pragma unroll
    for (int k = 0; k < LARGEST; k++)
        if (k < degree) {
            float size = k == where ? second : least;
            message[k * FRAMES] = (sign ^ (m[k] < 0)) ? -size : size;
        }
}

__global__ void bit_nodes(const int *__restrict__ edge, const float *__restrict__ received, float *__restrict__ message, float *__restrict__ total)
{
    int f = blockIdx.y * THREADS + threadIdx.x, b = blockIdx.x;
    float m[DEGREE], sum = received[b * FRAMES + f];
    int place[DEGREE];
#pragma unroll
    for (int d = 0; d < DEGREE; d++) {
        place[d] = edge[b * DEGREE + d] * FRAMES + f;
        m[d] = message[place[d]];
    }
#pragma unroll
    for (int d = 0; d < DEGREE; d++)
        sum += m[d];
#pragma unroll
    for (int d = 0; d < DEGREE; d++)
        message[place[d]] = sum - m[d];
    total[b * FRAMES + f] = sum;
}

__global__ void syndrome(const int *__restrict__ start, const int *__restrict__ bit, const float *__restrict__ total, int *__restrict__ failed)
{
    int f = blockIdx.y * THREADS + threadIdx.x, c = blockIdx.x, odd = 0;
    for (int e = start[c]; e < start[c + 1]; e++)
        odd ^= total[bit[e] * FRAMES + f] < 0;
    int many = __syncthreads_count(odd);
    if (threadIdx.x == 0 && many)
        atomicAdd(failed, many);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bits = BITS >> args.shift, checks = bits / 2, edges = DEGREE * bits, many[BITS] = {0};
    int *start = NEW(int, checks + 1), *bit = NEW(int, edges), *edge = NEW(int, edges);
    float *received = NEW(float, bits * FRAMES), *total = NEW(float, bits * FRAMES);
    double sum = 0;
    start[0] = 0;
    for (int c = 0; c < checks; c++)
        start[c + 1] = start[c] + 4 + (c % 4 == 0 ? 0 : c % 4 == 3 ? 4 : 2);
    for (int e = 0; e < edges; e++)
        bit[e] = e % bits;
    for (int e = edges - 1; e > 0; e--) {
        int other = mix(e) % (e + 1), b = bit[e];
        bit[e] = bit[other];
        bit[other] = b;
    }
    for (int e = 0; e < edges; e++)
        edge[bit[e] * DEGREE + many[bit[e]]++] = e;
    for (int k = 0; k < bits * FRAMES; k++) {
        double noise = -6;
        for (int r = 0; r < 12; r++)
            noise += number(12 * k + r);
        received[k] = 2 * (1 + 0.8 * noise);
    }
    int *dstart = on_device(start, checks + 1), *dbit = on_device(bit, edges), *dedge = on_device(edge, edges);
    int *dfailed = device<int>(1), *failed = pinned<int>();
    float *dreceived = on_device(received, bits * FRAMES), *message = device<float>(edges * FRAMES), *dtotal = device<float>(bits * FRAMES);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dfailed, 0, sizeof(int)));
        begin<<<dim3(edges, FRAMES / THREADS), THREADS>>>(dbit, dreceived, message);
        for (int k = 0; k < ITERATIONS; k++) {
            check_nodes<<<dim3(checks, FRAMES / THREADS), THREADS>>>(dstart, message);
            bit_nodes<<<dim3(bits, FRAMES / THREADS), THREADS>>>(dedge, dreceived, message, dtotal);
        }
        syndrome<<<dim3(checks, FRAMES / THREADS), THREADS>>>(dstart, dbit, dtotal, dfailed);
        CHECK(cudaMemcpyAsync(failed, dfailed, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(total, dtotal, bits * FRAMES);
    for (int k = 0; k < bits * FRAMES; k++)
        sum += fabsf(total[k]) + (total[k] < 0);
    report("parity", best, sum + *failed);
    return 0;
}
