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
#elif SPELLING == 3
static void pool(int channels, const float *in, float *out, int *where)
{
    const int count = channels * HALF * HALF;
#pragma acc parallel loop gang vector vector_length(256) present(in[0:channels * SIDE * SIDE], out[0:count], where[0:count])
    for (int index = 0; index < count; index++) {
        const int pw = index % HALF;
        const int ph = (index / HALF) % HALF;
        const int c = index / HALF / HALF;
        int hstart = ph * STRIDE - PAD, wstart = pw * STRIDE - PAD;
        const int hend = hstart + KERNEL < SIDE ? hstart + KERNEL : SIDE;
        const int wend = wstart + KERNEL < SIDE ? wstart + KERNEL : SIDE;
        if (hstart < 0)
            hstart = 0;
        if (wstart < 0)
            wstart = 0;
        float maxval = -FLT_MAX;
        int maxidx = -1;
        const float *slice = in + c * SIDE * SIDE;
        for (int h = hstart; h < hend; ++h)
            for (int w = wstart; w < wend; ++w)
                if (slice[h * SIDE + w] > maxval) {
                    maxidx = h * SIDE + w;
                    maxval = slice[maxidx];
                }
        out[index] = maxval;
        where[index] = maxidx;
    }
}
#elif SPELLING == 4
typedef float channel_in[SIDE][SIDE];
typedef float channel_out[HALF][HALF];
static void pool(size_t channels, float *fin, float *fout, int *fwhere)
{
    channel_in *in = (channel_in *)fin;
    channel_out *out = (channel_out *)fout;
    int(*where)[HALF][HALF] = (int(*)[HALF][HALF])fwhere;
#pragma acc parallel loop gang present(in[0:channels], out[0:channels], where[0:channels])
    for (size_t k = 0; k < channels; k++) {
#pragma acc loop vector collapse(2)
        for (int i = 0; i < HALF; i++)
            for (int j = 0; j < HALF; j++) {
                float max = -FLT_MAX;
                int max_i = -1;
                for (int n = 0; n < KERNEL; n++)
                    for (int m = 0; m < KERNEL; m++) {
                        int cur_h = i * STRIDE + n - PAD, cur_w = j * STRIDE + m - PAD;
                        int valid = cur_h >= 0 && cur_h < SIDE && cur_w >= 0 && cur_w < SIDE;
                        float val = valid ? in[k][cur_h][cur_w] : -FLT_MAX;
                        max_i = val > max ? cur_h * SIDE + cur_w : max_i;
                        max = val > max ? val : max;
                    }
                out[k][i][j] = max;
                where[k][i][j] = max_i;
            }
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
