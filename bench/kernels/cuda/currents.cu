// A step of 2^20 relativistic electrons in a periodic plane of 512 x 512 cells with cubic shapes, float: a thread an electron, fields of a point in
// one float4, shapes in registers, currents added atomically where they are not zero.
#include "kernels.cuh"

constexpr int SIZE = 512, EACH = 4, POINTS = 6, THREADS = 128;
constexpr float STEP = 0.5f, HALF = -0.5f * STEP;

__device__ float shape(float d)
{
    d = fabsf(d);
    float far = 2 - d;
    return d < 1 ? 2.0f / 3 - d * d + 0.5f * d * d * d : d < 2 ? far * far * far * (1.0f / 6) : 0;
}

__global__ void __launch_bounds__(THREADS) step(int n, int w, const float4 *__restrict__ field, const int2 *__restrict__ cell,
                                                const float4 *__restrict__ in, float4 *__restrict__ out, float *jx, float *jy)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    int2 at = cell[i];
    float4 e = in[i];
    float x0[POINTS], y0[POINTS], x1[POINTS], y1[POINTS], e0 = 0, e1 = 0, b = 0;
    int column[POINTS], row[POINTS];
#pragma unroll
    for (int k = 0; k < POINTS; k++) {
        x0[k] = shape(e.x - (k - 2));
        y0[k] = shape(e.y - (k - 2));
        column[k] = (at.x + k - 2) & (w - 1);
        row[k] = ((at.y + k - 2) & (w - 1)) * w;
    }
#pragma unroll
    for (int l = 1; l < POINTS - 1; l++)
#pragma unroll
        for (int k = 1; k < POINTS - 1; k++) {
            float4 f = __ldg(&field[row[l] + column[k]]);
            float s = x0[k] * y0[l];
            e0 += s * f.x;
            e1 += s * f.y;
            b += s * f.z;
        }
    float ux = e.z + HALF * e0, uy = e.w + HALF * e1;
    float t = HALF * b / sqrtf(1 + ux * ux + uy * uy), s = 2 * t / (1 + t * t), vx = ux + uy * t, vy = uy - ux * t;
    ux += vy * s + HALF * e0;
    uy += -vx * s + HALF * e1;
    float by = STEP / sqrtf(1 + ux * ux + uy * uy), x = e.x + by * ux, y = e.y + by * uy;
    out[i] = make_float4(x, y, ux, uy);
#pragma unroll
    for (int k = 0; k < POINTS; k++) {
        x1[k] = shape(x - (k - 2)) - x0[k];
        y1[k] = shape(y - (k - 2)) - y0[k];
    }
#pragma unroll
    for (int l = 0; l < POINTS; l++) {
        float flow = 0, weight = y0[l] + 0.5f * y1[l];
#pragma unroll
        for (int k = 0; k < POINTS - 1; k++) {
            flow += x1[k] * weight;
            if (flow != 0)
                atomicAdd(&jx[row[l] + column[k]], flow);
        }
    }
#pragma unroll
    for (int k = 0; k < POINTS; k++) {
        float flow = 0, weight = x0[k] + 0.5f * x1[k];
#pragma unroll
        for (int l = 0; l < POINTS - 1; l++) {
            flow += y1[l] * weight;
            if (flow != 0)
                atomicAdd(&jy[row[l] + column[k]], flow);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIZE >> (args.shift + 1) / 2, cells = w * w, n = cells * EACH;
    float4 *field = NEW(float4, cells), *electron = NEW(float4, n);
    int2 *cell = NEW(int2, n);
    float *j = NEW(float, 2 * cells);
    double sum = 0;
    for (int c = 0; c < cells; c++) {
        field[c].x = number(3 * c) - 0.5;
        field[c].y = number(3 * c + 1) - 0.5;
        field[c].z = 0.5 + number(3 * c + 2);
        field[c].w = 0;
    }
    for (int i = 0; i < n; i++) {
        cell[i].x = i / EACH % w;
        cell[i].y = i / EACH / w;
        electron[i].x = number(4 * i);
        electron[i].y = number(4 * i + 1);
        electron[i].z = 2 * number(4 * i + 2) + 0.2;
        electron[i].w = 2 * number(4 * i + 3) - 0.6;
    }
    float4 *dfield = on_device(field, cells), *in = on_device(electron, n), *out = device<float4>(n);
    int2 *dcell = on_device(cell, n);
    float *dj = device<float>(2 * cells);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dj, 0, 2 * cells * sizeof(float)));
        step<<<ceiling(n, THREADS), THREADS>>>(n, w, dfield, dcell, in, out, dj, dj + cells);
    });
    to_host(electron, out, n);
    to_host(j, dj, 2 * cells);
    for (int c = 0; c < 2 * cells; c++)
        sum += fabs(j[c]);
    for (int i = 0; i < n; i++)
        sum += electron[i].x + electron[i].y + fabs(electron[i].z) + fabs(electron[i].w);
    report("currents", best, sum);
    return 0;
}
