// Two small steps of a cloth of 512 x 512 particles that falls onto a ball, float: particles of four floats, whose last is the inverse of
// the mass; a launch a colour of threads.
#include "kernels.cuh"

constexpr int SIDE = 512, COLOURS = 8, ROUNDS = 3, STEPS = 2, THREADS = 256;
constexpr float DT = 0.004f, SPACING = 0.01f, SOFT = 1e-7f, RADIUS = 1, FRICTION = 0.3f;

__global__ void begin(int n, const float4 *__restrict__ start, float4 *__restrict__ x, float4 *__restrict__ v)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        x[i] = start[i];
        v[i] = make_float4(0, 0, 0, 0);
    }
}

__global__ void predict(int n, float4 *__restrict__ x, float4 *__restrict__ old, const float4 *__restrict__ v)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float4 p = x[i], s = v[i];
    if (p.w > 0)
        s.y -= 9.81f * DT;
    old[i] = p;
    x[i] = make_float4(p.x + DT * s.x, p.y + DT * s.y, p.z + DT * s.z, p.w);
}

__global__ void solve(int many, bool first, const int2 *__restrict__ ends, const float *__restrict__ rest,
                      float *__restrict__ lambda, float4 *__restrict__ x)
{
    int k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= many)
        return;
    int2 e = ends[k];
    float4 p = x[e.x], q = x[e.y];
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, length = sqrtf(dx * dx + dy * dy + dz * dz);
    float before = first ? 0 : lambda[k], soft = SOFT / (DT * DT);
    float change = (rest[k] - length - soft * before) / (p.w + q.w + soft), s = change / length;
    lambda[k] = before + change;
    x[e.x] = make_float4(p.x + p.w * s * dx, p.y + p.w * s * dy, p.z + p.w * s * dz, p.w);
    x[e.y] = make_float4(q.x - q.w * s * dx, q.y - q.w * s * dy, q.z - q.w * s * dz, q.w);
}

__global__ void finish(int n, float4 *__restrict__ x, const float4 *__restrict__ old, float4 *__restrict__ v)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float4 p = x[i], o = old[i];
    float r = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z), keep = 1 / DT;
    if (p.w > 0 && r < RADIUS) {
        float s = RADIUS / r;
        p = make_float4(s * p.x, s * p.y, s * p.z, p.w);
        x[i] = p;
        keep = (1 - FRICTION) / DT;
    }
    v[i] = make_float4(keep * (p.x - o.x), keep * (p.y - o.y), keep * (p.z - o.z), 0);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, first[COLOURS + 1] = {0}, m = 0;
    int2 *ends = NEW(int2, 4 * n);
    float *rest = NEW(float, 4 * n);
    float4 *start = NEW(float4, n), *x = NEW(float4, n), *v = NEW(float4, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        start[i].w = i == 0 || i == SIDE - 1 ? 0 : 0.8f + 0.4f * (float)number(i);
        start[i].x = SPACING * (i % SIDE - SIDE / 2) + 0.003f * (float)number(3 * i);
        start[i].y = 0.9f + 0.2f * (float)number(3 * i + 1) * (i % 7 == 0) + 0.003f * (float)number(3 * i + 1);
        start[i].z = SPACING * (i / SIDE - rows / 2) + 0.003f * (float)number(3 * i + 2);
    }
    for (int colour = 0; colour < COLOURS; colour++) {
        int di = colour / 2 == 1 ? 0 : 1, dj = colour / 2 == 0 ? 0 : 1, back = colour / 2 == 3;
        for (int j = 0; j + dj < rows; j++)
            for (int i = 0; i + di < SIDE; i++)
                if ((di ? i : j) % 2 == colour % 2) {
                    ends[m] = make_int2(j * SIDE + (back ? i + 1 : i), (j + dj) * SIDE + (back ? i : i + di));
                    rest[m++] = SPACING * (di + dj == 2 ? 1.41421356f : 1);
                }
        first[colour + 1] = m;
    }
    int2 *dends = on_device(ends, m);
    float *drest = on_device(rest, m), *dlambda = device<float>(m);
    float4 *dstart = on_device(start, n), *dx = device<float4>(n), *dold = device<float4>(n), *dv = device<float4>(n);
    int blocks = ceiling(n, THREADS);
    double best = fastest(args.repeats, [&] {
        begin<<<blocks, THREADS>>>(n, dstart, dx, dv);
        for (int step = 0; step < STEPS; step++) {
            predict<<<blocks, THREADS>>>(n, dx, dold, dv);
            for (int round = 0; round < ROUNDS; round++)
                for (int c = 0; c < COLOURS; c++) {
                    int from = first[c], many = first[c + 1] - from;
                    if (many > 0)
                        solve<<<ceiling(many, THREADS), THREADS>>>(many, round == 0, dends + from, drest + from, dlambda + from, dx);
                }
            finish<<<blocks, THREADS>>>(n, dx, dold, dv);
        }
    });
    to_host(x, dx, n);
    to_host(v, dv, n);
    for (int i = 0; i < n; i++) {
        float place[3] = {x[i].x, x[i].y, x[i].z}, speed[3] = {v[i].x, v[i].y, v[i].z};
        for (int c = 0; c < 3; c++)
            sum += fabsf(place[c]) * (1 + (3 * i + c) % 5) + 0.01 * fabsf(speed[c]);
    }
    report("cloth", best, sum);
    return 0;
}
