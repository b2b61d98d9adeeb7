// Sums of absolute differences as video coders search for motion: 8 x 8 blocks of a frame of 1024 x 1024 bytes against 17 x 17
// places of the frame before; a block of threads for each, a thread for each place.
#include "kernels.cuh"

constexpr int BLOCK = 8, REACH = 8, PLACES = 2 * REACH + 1;

__global__ void differences(int n, const unsigned char *__restrict__ now, const unsigned char *__restrict__ before,
                            unsigned short *__restrict__ result)
{
    int blocks = n / BLOCK, pitch = n + 2 * REACH, bx = blockIdx.x, by = blockIdx.y;
    for (int place = threadIdx.x; place < PLACES * PLACES; place += blockDim.x) {
        int dy = place / PLACES, dx = place % PLACES, sum = 0;
#pragma unroll
        for (int y = 0; y < BLOCK; y++)
#pragma unroll
            for (int x = 0; x < BLOCK; x++)
                sum += abs(now[(by * BLOCK + y) * n + bx * BLOCK + x] -
                           before[(by * BLOCK + y + dy) * pitch + bx * BLOCK + x + dx]);
        result[(by * blocks + bx) * PLACES * PLACES + place] = sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> args.shift / 2, pitch = n + 2 * REACH, results = n / BLOCK * (n / BLOCK) * PLACES * PLACES;
    unsigned char *now = NEW(unsigned char, n *n), *before = NEW(unsigned char, pitch *pitch);
    unsigned short *result = NEW(unsigned short, results);
    double sum = 0;
    FILL(now, n * n, 255);
    FILL(before, pitch * pitch, 255);
    unsigned char *dnow = on_device(now, n * n), *dbefore = on_device(before, pitch * pitch);
    unsigned short *dresult = device<unsigned short>(results);
    dim3 grid(n / BLOCK, n / BLOCK);
    double best = fastest(args.repeats, [&] { differences<<<grid, 160>>>(n, dnow, dbefore, dresult); });
    to_host(result, dresult, results);
    SUM(sum, result, results);
    report("sad", best, sum);
    return 0;
}
