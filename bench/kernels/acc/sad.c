// Sums of absolute differences as video coders search for motion: 8 x 8 blocks of a frame of 1024 x 1024 bytes against 17 x 17
// places of the frame before.
#include "../kernels.h"

enum { SIDE = 1024, BLOCK = 8, REACH = 8, PLACES = 2 * REACH + 1, PITCH = SIDE + 2 * REACH };

#if SPELLING == 1
static void differences(int n, const unsigned char *restrict now, const unsigned char *restrict before,
                        unsigned short *restrict result)
{
    int blocks = n / BLOCK, pitch = n + 2 * REACH;
#pragma acc parallel loop collapse(4) present(now[0:n * n], before[0:pitch * pitch],                                    \
                                                  result[0:blocks * blocks * PLACES * PLACES])
#pragma omp parallel for collapse(2)
    for (int by = 0; by < blocks; by++)
        for (int bx = 0; bx < blocks; bx++)
            for (int dy = 0; dy < PLACES; dy++)
                for (int dx = 0; dx < PLACES; dx++) {
                    int sum = 0;
                    for (int y = 0; y < BLOCK; y++)
                        for (int x = 0; x < BLOCK; x++)
                            sum += abs(now[(by * BLOCK + y) * n + bx * BLOCK + x] -
                                       before[(by * BLOCK + y + dy) * pitch + bx * BLOCK + x + dx]);
                    result[((by * blocks + bx) * PLACES + dy) * PLACES + dx] = (unsigned short)sum;
                }
}
#else
typedef unsigned char byte;

#pragma acc routine seq
static unsigned block_difference(const byte *a, size_t pitch_a, const byte *b, size_t pitch_b)
{
    unsigned sum = 0;
    for (const byte *end = a + BLOCK * pitch_a; a != end; a += pitch_a, b += pitch_b)
        for (unsigned x = 0; x < BLOCK; ++x)
            sum += a[x] > b[x] ? a[x] - b[x] : b[x] - a[x];
    return sum;
}

static void differences(size_t n, byte *now, byte *before, unsigned short *result)
{
    size_t blocks = n / BLOCK, pitch = n + 2 * REACH;
    unsigned short(*places)[PLACES][PLACES] = (unsigned short(*)[PLACES][PLACES])result;
#pragma acc parallel loop gang present(now[0:n * n], before[0:pitch * pitch], places[0:blocks * blocks])
#pragma omp parallel for
    for (size_t block = 0; block < blocks * blocks; ++block) {
        const byte *here = now + block / blocks * BLOCK * n + block % blocks * BLOCK;
        const byte *there = before + block / blocks * BLOCK * pitch + block % blocks * BLOCK;
#pragma acc loop vector collapse(2)
        for (unsigned dy = 0; dy < PLACES; ++dy)
            for (unsigned dx = 0; dx < PLACES; ++dx)
                places[block][dy][dx] = block_difference(here, n, there + dy * pitch + dx, pitch);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> args.shift / 2, pitch = n + 2 * REACH, results = n / BLOCK * (n / BLOCK) * PLACES * PLACES;
    unsigned char *now = NEW(unsigned char, n *n), *before = NEW(unsigned char, pitch *pitch);
    unsigned short *result = NEW(unsigned short, results);
    double sum = 0;
    FILL(now, n * n, 255);
    FILL(before, pitch * pitch, 255);
#pragma acc enter data copyin(now[0:n * n], before[0:pitch * pitch]) create(result[0:results])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        differences(n, now, before, result);
#pragma acc update self(result[0:results])
    SUM(sum, result, results);
    report("sad", t.best, sum);
    return 0;
}
