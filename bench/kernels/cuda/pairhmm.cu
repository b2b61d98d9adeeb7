// How likely each of 1024 reads of 96 bases comes from each of 16 haplotypes of 128, float: a warp a pair, three rows
// in the registers of each lane, a column behind the lane above it, whose last row comes by shuffles.
#include "kernels.cuh"

constexpr int READS = 1024, HAPLOTYPES = 16, READ = 96, HAPLOTYPE = 128, ROWS = READ / 32, WARPS = 4;
constexpr float START = 1e30f, OPEN = 0.001f, EXTEND = 0.1f;

__global__ void __launch_bounds__(32 * WARPS)
    forward(int n, const unsigned char *__restrict__ read, const float *__restrict__ error,
            const unsigned *__restrict__ haplotype, float *__restrict__ result)
{
    __shared__ unsigned words[WARPS][HAPLOTYPE / 4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = blockIdx.x * WARPS + warp;
    if (pair >= n)
        return;
    int r = pair / HAPLOTYPES, h = pair % HAPLOTYPES;
    const unsigned char *others = reinterpret_cast<unsigned char *>(words[warp]);
    words[warp][lane] = haplotype[h * (HAPLOTYPE / 4) + lane];
    __syncwarp();
    int base[ROWS];
    float right[ROWS], wrong[ROWS], m[ROWS], x[ROWS], y[ROWS], sum = 0;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        float e = error[r * READ + lane * ROWS + k];
        base[k] = read[r * READ + lane * ROWS + k];
        right[k] = 1 - e;
        wrong[k] = e / 3;
        m[k] = x[k] = y[k] = 0;
    }
    // the column before the first one of the row above the lane's first one
    float corner_m = 0, corner_x = 0, corner_y = lane == 0 ? START / HAPLOTYPE : 0;
    for (int step = 0; step < HAPLOTYPE + 31; step++) {
        float above_m = __shfl_up_sync(0xffffffff, m[ROWS - 1], 1),
              above_x = __shfl_up_sync(0xffffffff, x[ROWS - 1], 1);
        float above_y = __shfl_up_sync(0xffffffff, y[ROWS - 1], 1);
        if (lane == 0) {
            above_m = above_x = 0;
            above_y = START / HAPLOTYPE;
        }
        int j = step - lane;
        if (j < 0 || j >= HAPLOTYPE)
            continue;
        int other = others[j];
        float cm = corner_m, cx = corner_x, cy = corner_y;
        corner_m = above_m;
        corner_x = above_x;
        corner_y = above_y;
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            float left_m = m[k], left_x = x[k], left_y = y[k];
            m[k] = (base[k] == other ? right[k] : wrong[k]) * ((1 - 2 * OPEN) * cm + (1 - EXTEND) * (cx + cy));
            x[k] = OPEN * above_m + EXTEND * above_x;
            y[k] = OPEN * left_m + EXTEND * left_y;
            cm = left_m;
            cx = left_x;
            cy = left_y;
            above_m = m[k];
            above_x = x[k];
        }
        sum += m[ROWS - 1] + x[ROWS - 1];
    }
    if (lane == 31)
        result[pair] = log10f(sum) - log10f(START);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int reads = READS >> args.shift, bases = reads * READ, letters = HAPLOTYPES * HAPLOTYPE, n = reads * HAPLOTYPES;
    unsigned char *read = NEW(unsigned char, bases), *haplotype = NEW(unsigned char, letters);
    float *error = NEW(float, bases), *result = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < letters; k++)
        haplotype[k] = mix(mix(k) % 40 ? k % HAPLOTYPE : k) % 4;
    for (int r = 0; r < reads; r++)
        for (int i = 0, at = mix(r) % 24; i < READ; i++, at++) {
            int k = r * READ + i;
            error[k] = powf(10, -1 - 3 * (float)number(5 * k));
            at += mix(3 * k) % 200 == 0;
            read[k] =
                number(k) < error[k] ? mix(7 * k) % 4 : haplotype[mix(r + 9) % HAPLOTYPES * HAPLOTYPE + at % HAPLOTYPE];
        }
    unsigned char *dread = on_device(read, bases), *dhaplotype = on_device(haplotype, letters);
    float *derror = on_device(error, bases), *dresult = device<float>(n);
    double best = fastest(args.repeats, [&] {
        forward<<<ceiling(n, WARPS), 32 * WARPS>>>(n, dread, derror, reinterpret_cast<unsigned *>(dhaplotype), dresult);
    });
    to_host(result, dresult, n);
    SUM(sum, result, n);
    report("pairhmm", best, sum);
    return 0;
}
