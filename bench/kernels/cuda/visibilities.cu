// Correlation of 128 antennas in 128 channels, signed bytes to ints: a block has 32 x 32 pairs of a channel and a thread four of them, samples
// of 32 times in shared memory.
#include "kernels.cuh"

constexpr int CHANNELS = 128, TIMES = 256, ANTENNAS = 128, PAIRS = ANTENNAS * (ANTENNAS + 1) / 2, TILE = 32, TILES = ANTENNAS / TILE;

__global__ void correlate(const char2 *__restrict__ sample, int *__restrict__ real, int *__restrict__ imag)
{
    __shared__ char2 rows[TILE][TILE], columns[TILE][TILE];
    int c = blockIdx.y, row = 0, first = blockIdx.x;
    while (first > row)
        first -= ++row;
    int i0 = row * TILE, j0 = first * TILE, thread = threadIdx.y * 16 + threadIdx.x;
    int re[2][2] = {}, im[2][2] = {};
    for (int from = 0; from < TIMES; from += TILE) {
        for (int k = thread; k < TILE * TILE; k += 256) {
            const char2 *line = sample + ((size_t)c * TIMES + from + k / TILE) * ANTENNAS + k % TILE;
            rows[k / TILE][k % TILE] = line[i0];
            columns[k / TILE][k % TILE] = line[j0];
        }
        __syncthreads();
#pragma unroll 8
        for (int t = 0; t < TILE; t++) {
            char2 x[2] = {rows[t][threadIdx.y], rows[t][threadIdx.y + 16]}, y[2] = {columns[t][threadIdx.x], columns[t][threadIdx.x + 16]};
#pragma unroll
            for (int a = 0; a < 2; a++)
#pragma unroll
                for (int b = 0; b < 2; b++) {
                    re[a][b] += x[a].x * y[b].x + x[a].y * y[b].y;
                    im[a][b] += x[a].y * y[b].x - x[a].x * y[b].y;
                }
        }
        __syncthreads();
    }
#pragma unroll
    for (int a = 0; a < 2; a++)
#pragma unroll
        for (int b = 0; b < 2; b++) {
            int i = i0 + threadIdx.y + 16 * a, j = j0 + threadIdx.x + 16 * b;
            if (j <= i) {
                real[c * PAIRS + i * (i + 1) / 2 + j] = re[a][b];
                imag[c * PAIRS + i * (i + 1) / 2 + j] = im[a][b];
            }
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = CHANNELS >> args.shift, samples = channels * TIMES * ANTENNAS * 2, pairs = channels * PAIRS;
    signed char *sample = NEW(signed char, samples);
    int *real = NEW(int, pairs), *imag = NEW(int, pairs);
    double sum = 0;
    for (int k = 0; k < samples; k++)
        sample[k] = (signed char)((int)(mix(k) % 255) - 127);
    char2 *dsample = reinterpret_cast<char2 *>(on_device(sample, samples));
    int *dreal = device<int>(pairs), *dimag = device<int>(pairs);
    dim3 grid(TILES * (TILES + 1) / 2, channels), block(16, 16);
    double best = fastest(args.repeats, [&] { correlate<<<grid, block>>>(dsample, dreal, dimag); });
    to_host(real, dreal, pairs);
    to_host(imag, dimag, pairs);
    for (int k = 0; k < pairs; k++)
        sum += fabs((double)real[k]) + imag[k] * 2.0 * (1 + k % 3);
    report("visibilities", best, sum);
    return 0;
}
