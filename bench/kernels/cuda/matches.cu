// Which of 512 words of 5 to 12 letters begins at each of 2^23 places of a genome: a block takes 1024 places and the letters after them into
// shared memory; how many are found is summed by warps.
#include "kernels.cuh"

constexpr int WORDS = 512, LONGEST = 12, STATES = WORDS * LONGEST + 1, THREADS = 256, PLACES = 4 * THREADS;

__global__ void match(int n, const uchar4 *__restrict__ text, const int *__restrict__ next, const int *__restrict__ ends, int *__restrict__ found,
                      int *__restrict__ total)
{
    __shared__ uchar4 tile[PLACES / 4 + LONGEST / 4];
    int first = blockIdx.x * PLACES, words = 0;
    for (int k = threadIdx.x; k < PLACES / 4 + LONGEST / 4; k += THREADS)
        if (first / 4 + k < n / 4)
            tile[k] = text[first / 4 + k];
    __syncthreads();
    const unsigned char *letters = reinterpret_cast<unsigned char *>(tile);
    for (int i = threadIdx.x; i < PLACES && first + i < n; i += THREADS) {
        int state = 0, word = 0;
        for (int p = i; first + p < n; p++) {
            state = next[4 * state + letters[p]];
            if (state < 0)
                break;
            int end = ends[state];
            if (end)
                word = end;
        }
        found[first + i] = word;
        words += word != 0;
    }
    for (int d = 16; d > 0; d /= 2)
        words += __shfl_xor_sync(0xffffffff, words, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, words);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 23) >> args.shift, states = 1, *next = NEW(int, 4 * STATES), *ends = NEW(int, STATES), *found = NEW(int, n);
    unsigned char *text = NEW(unsigned char, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        text[i] = mix(i) % 4;
    for (int k = 0; k < 4 * STATES; k++)
        next[k] = -1;
    for (int k = 0; k < STATES; k++)
        ends[k] = 0;
    for (int w = 0; w < WORDS; w++) {
        int state = 0;
        for (int k = 0; k < 5 + w % (LONGEST - 4); k++) {
            int *branch = &next[4 * state + mix(mix(w) + k) % 4];
            if (*branch < 0)
                *branch = states++;
            state = *branch;
        }
        ends[state] = w + 1;
    }
    uchar4 *dtext = reinterpret_cast<uchar4 *>(on_device(text, n));
    int *dnext = on_device(next, 4 * STATES), *dends = on_device(ends, STATES), *dfound = device<int>(n), *dtotal = device<int>(1),
        *total = pinned<int>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(int)));
        match<<<ceiling(n, PLACES), THREADS>>>(n, dtext, dnext, dends, dfound, dtotal);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(found, dfound, n);
    SUM(sum, found, n);
    report("matches", best, sum + *total);
    return 0;
}
