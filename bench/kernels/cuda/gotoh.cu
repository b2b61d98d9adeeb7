// Local alignments of 8192 pairs of sequences of 128 letters with affine costs of gaps: a warp a pair, four rows in the registers of each lane,
// one column behind the lane above it, whose last row comes by shuffles.
#include "kernels.cuh"

constexpr int LENGTH = 128, ROWS = LENGTH / 32, WARPS = 4, MATCH = 2, MISMATCH = -3, OPEN = 5, EXTEND = 2, LOW = -1000000;

__global__ void align(int n, const uchar4 *__restrict__ a, const uchar4 *__restrict__ b, int *__restrict__ score)
{
    __shared__ uchar4 words[WARPS][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = blockIdx.x * WARPS + warp;
    if (pair >= n)
        return;
    const unsigned char *word = reinterpret_cast<unsigned char *>(words[warp]);
    uchar4 mine = a[pair * 32 + lane];
    words[warp][lane] = b[pair * 32 + lane];
    __syncwarp();
    int letter[ROWS] = {mine.x, mine.y, mine.z, mine.w}, h[ROWS] = {}, e[ROWS], f = LOW, corner = 0, best = 0;
    for (int r = 0; r < ROWS; r++)
        e[r] = LOW;
    for (int step = 0; step < LENGTH + 31; step++) {
        int above = __shfl_up_sync(0xffffffff, h[ROWS - 1], 1), gap = __shfl_up_sync(0xffffffff, f, 1), j = step - lane;
        if (lane == 0) {
            above = 0;
            gap = LOW;
        }
        if (j < 0 || j >= LENGTH)
            continue;
        int other = word[j], diagonal = corner;
        corner = above;
        f = gap;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            e[r] = max(e[r] - EXTEND, h[r] - OPEN);
            f = max(f - EXTEND, above - OPEN);
            int here = max(max(0, diagonal + (letter[r] == other ? MATCH : MISMATCH)), max(e[r], f));
            diagonal = h[r];
            h[r] = above = here;
            best = max(best, here);
        }
    }
    for (int d = 16; d > 0; d /= 2)
        best = max(best, __shfl_xor_sync(0xffffffff, best, d));
    if (lane == 0)
        score[pair] = best;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 8192 >> args.shift, all = n * LENGTH, *score = NEW(int, n);
    unsigned char *a = NEW(unsigned char, all), *b = NEW(unsigned char, all);
    double sum = 0;
    for (int s = 0; s < n; s++)
        for (int i = 0, from = 0; i < LENGTH; i++) {
            unsigned chance = mix(s * LENGTH + i + 7) % 100;
            a[s * LENGTH + i] = mix(s * LENGTH + i) % 4;
            from += chance < 5 ? 2 : chance < 10 ? 0 : 1;
            b[s * LENGTH + i] = mix(chance < 20 ? chance + i : s * LENGTH + from) % 4;
        }
    uchar4 *da = reinterpret_cast<uchar4 *>(on_device(a, all)), *db = reinterpret_cast<uchar4 *>(on_device(b, all));
    int *dscore = device<int>(n);
    double best = fastest(args.repeats, [&] { align<<<ceiling(n, WARPS), 32 * WARPS>>>(n, da, db, dscore); });
    to_host(score, dscore, n);
    SUM(sum, score, n);
    report("gotoh", best, sum);
    return 0;
}
