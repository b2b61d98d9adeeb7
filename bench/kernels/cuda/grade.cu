// Colours of 2^23 pixels of three bytes changed by a table of 33 x 33 x 33 colours (floats), between the corners of a tetrahedron; a
// thread a pixel.
#include "kernels.cuh"

constexpr int PIXELS = 1 << 23, GRID = 33;

__device__ float3 corner(const float *__restrict__ lut, int at) { return make_float3(lut[at], lut[at + 1], lut[at + 2]); }

__global__ void grade(int n, const float *__restrict__ lut, const uchar3 *__restrict__ in, uchar3 *__restrict__ out)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    uchar3 v = in[p];
    float r = v.x * ((GRID - 1) / 255.0f), g = v.y * ((GRID - 1) / 255.0f), b = v.z * ((GRID - 1) / 255.0f);
    int ir = min((int)r, GRID - 2), ig = min((int)g, GRID - 2), ib = min((int)b, GRID - 2);
    r -= ir, g -= ig, b -= ib;
    constexpr int dr = GRID * GRID * 3, dg = GRID * 3, db = 3;
    int at = ((ir * GRID + ig) * GRID + ib) * 3;
    float high = fmaxf(r, fmaxf(g, b)), low = fminf(r, fminf(g, b)), middle = fmaxf(fminf(r, g), fminf(fmaxf(r, g), b));
    int one = r > g ? (r > b ? dr : db) : b > g ? db : dg;
    // all but the direction of the least
    int two = dr + dg + db - (r > g ? (g > b ? db : dg) : b > r ? dr : db);
    float3 p0 = corner(lut, at), p1 = corner(lut, at + one), p2 = corner(lut, at + two), p3 = corner(lut, at + dr + dg + db);
    float w0 = 1 - high, w1 = high - middle, w2 = middle - low;
    v.x = (unsigned char)(w0 * p0.x + w1 * p1.x + w2 * p2.x + low * p3.x + 0.5f);
    v.y = (unsigned char)(w0 * p0.y + w1 * p1.y + w2 * p2.y + low * p3.y + 0.5f);
    v.z = (unsigned char)(w0 * p0.z + w1 * p1.z + w2 * p2.z + low * p3.z + 0.5f);
    out[p] = v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PIXELS >> args.shift, entries = GRID * GRID * GRID * 3;
    unsigned char *in = NEW(unsigned char, 3 * n), *out = NEW(unsigned char, 3 * n);
    float *lut = NEW(float, entries);
    double sum = 0;
    // a colour near to the pixel's own
    for (int k = 0; k < entries; k++) {
        int place = k / 3, along[3] = {place / GRID / GRID, place / GRID % GRID, place % GRID};
        lut[k] = along[k % 3] * 7.0f + 30.0f * (float)number(k);
    }
    // a picture whose colours change slowly
    for (int k = 0; k < 3 * n; k++)
        in[k] = (k / 3 / (64 << k % 3) + mix(k) % 24) % 256;
    float *dlut = on_device(lut, entries);
    uchar3 *din = reinterpret_cast<uchar3 *>(on_device(in, 3 * n)), *dout = device<uchar3>(n);
    double best = fastest(args.repeats, [&] { grade<<<ceiling(n, 256), 256>>>(n, dlut, din, dout); });
    to_host(out, reinterpret_cast<unsigned char *>(dout), 3 * n);
    for (int k = 0; k < 3 * n; k++)
        sum += out[k] * (1 + k % 5);
    report("grade", best, sum);
    return 0;
}
