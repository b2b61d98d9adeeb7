// Alignment of two sequences of 2048 letters by Needleman and Wunsch: a launch for each of 4095 diagonals.
#include "kernels.cuh"

constexpr int GAP = 10;

__global__ void begin(int w, int *score)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < w)
        score[k] = score[k * w] = -GAP * k;
}

__global__ void diagonal(int w, int d, int from, int to, const int *__restrict__ likeness, int *score)
{
    int i = from + blockIdx.x * blockDim.x + threadIdx.x, j = d - i;
    if (i > to)
        return;
    int best = score[(i - 1) * w + j - 1] + likeness[i * w + j];
    score[i * w + j] = max(best, max(score[(i - 1) * w + j], score[i * w + j - 1]) - GAP);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, w = n + 1, *likeness = NEW(int, w *w), *score = NEW(int, w *w);
    double sum = 0;
    for (int k = 0; k < w * w; k++)
        likeness[k] = (int)(mix(k) % 21) - 10;
    int *dlikeness = on_device(likeness, w * w), *dscore = device<int>(w * w);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(w, 128), 128>>>(w, dscore);
        for (int d = 2; d <= 2 * n; d++) {
            int from = d > n ? d - n : 1, to = d > n ? n : d - 1;
            diagonal<<<ceiling(to - from + 1, 128), 128>>>(w, d, from, to, dlikeness, dscore);
        }
    });
    to_host(score, dscore, w * w);
    SUM(sum, score, w *w);
    report("wavefront", best, sum);
    return 0;
}
