// The largest of 3 x 3 neighbours at every second point, with a border of one, and where it stands: 2048 channels of 112 x 112 floats.
#include "../kernels.h"
#include <float.h>

enum { CHANNELS = 2048, SIDE = 112, HALF = 56, KERNEL = 3, STRIDE = 2, PAD = 1 };

#if SPELLING == 1
static void pool(int channels, const float *restrict in, float *restrict out, int *restrict where)
{
#pragma acc parallel loop collapse(3) present(in[0:channels * SIDE * SIDE], out[0:channels * HALF * HALF], where[0:channels * HALF * HALF])
#pragma omp parallel for collapse(2)
    for (int c = 0; c < channels; c++)
        for (int oy = 0; oy < HALF; oy++)
            for (int ox = 0; ox < HALF; ox++) {
                float most = -FLT_MAX;
                int at = -1;
                for (int ky = 0; ky < KERNEL; ky++)
                    for (int kx = 0; kx < KERNEL; kx++) {
                        int y = oy * STRIDE - PAD + ky, x = ox * STRIDE - PAD + kx;
                        if (y >= 0 && y < SIDE && x >= 0 && x < SIDE) {
                            float v = in[(c * SIDE + y) * SIDE + x];
                            if (v > most) {
                                most = v;
                                at = y * SIDE + x;
                            }
                        }
                    }
                out[(c * HALF + oy) * HALF + ox] = most;
                where[(c * HALF + oy) * HALF + ox] = at;
            }
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

struct shape { long side, half, kernel, stride, pad; };

static void pool_with(struct shape s, long channels, float *in, float *out, int *where)
{
    const long outputs = channels * s.half * s.half;
#pragma acc kernels loop independent gang vector present(in[0:channels * s.side * s.side], out[0:outputs], where[0:outputs])
#pragma omp parallel for
    for (long index = 0; index < outputs; ++index) {
        const long ox = index % s.half, oy = index / s.half % s.half, c = index / s.half / s.half;
        long top = oy * s.stride - s.pad, left = ox * s.stride - s.pad;
        const long bottom = MIN(top + s.kernel, s.side), right = MIN(left + s.kernel, s.side);
        top = MAX(top, 0);
        left = MAX(left, 0);
        const float *slice = in + c * s.side * s.side;
        float value = -FLT_MAX;
        long at = -1;
        for (long y = top; y < bottom; ++y)
            for (long x = left; x < right; ++x)
                if (slice[y * s.side + x] > value) {
                    at = y * s.side + x;
                    value = slice[at];
                }
        out[index] = value;
        where[index] = (int)at;
    }
}

static void pool(int channels, float *in, float *out, int *where)
{
    struct shape s = {SIDE, HALF, KERNEL, STRIDE, PAD};
    pool_with(s, channels, in, out, where);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = CHANNELS >> args.shift, all = channels * SIDE * SIDE, outputs = channels * HALF * HALF, *where = NEW(int, outputs);
    float *in = NEW(float, all), *out = NEW(float, outputs);
    double sum = 0;
    for (int k = 0; k < all; k++)
        in[k] = number(k) - 0.5f;
#pragma acc enter data copyin(in[0:all]) create(out[0:outputs], where[0:outputs])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        pool(channels, in, out, where);
#pragma acc update self(out[0:outputs], where[0:outputs])
    for (int k = 0; k < outputs; k++)
        sum += out[k] + 1e-4 * where[k];
    report("pool", t.best, sum);
    return 0;
}
