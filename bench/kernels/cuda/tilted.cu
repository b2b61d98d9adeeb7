// A step of waves in rock whose axis of symmetry is tilted, in 160^3 cells, float: blocks of 32 x 8 columns walk through planes, with both fields and
// their slopes across the planes in shared memory and a queue of nine planes in registers.
#include "kernels.cuh"

constexpr int SIZE = 160, EDGE = 4, ACROSS = 32, DOWN = 8, PLANES = 20, TX = ACROSS + 2 * EDGE, TY = DOWN + 2 * EDGE, SX = ACROSS + 4, SY = DOWN + 4;
constexpr float STEP2 = 0.04f, D0 = -205.0f / 72, D1 = 8.0f / 5, D2 = -1.0f / 5, D3 = 8.0f / 315, D4 = -1.0f / 560, F1 = 2.0f / 3, F2 = -1.0f / 12;

__device__ float second(const float *f, int s)
{
    return D0 * f[0] + D1 * (f[-s] + f[s]) + D2 * (f[-2 * s] + f[2 * s]) + D3 * (f[-3 * s] + f[3 * s]) + D4 * (f[-4 * s] + f[4 * s]);
}

__device__ float first(const float *f, int s) { return F1 * (f[s] - f[-s]) + F2 * (f[2 * s] - f[-2 * s]); }

__device__ float slope(const float *__restrict__ f, int s)
{
    return F1 * (__ldg(f + s) - __ldg(f - s)) + F2 * (__ldg(f + 2 * s) - __ldg(f - 2 * s));
}

// Of one field: the sum of the second derivatives and that along the axis.
__device__ float2 derivatives(const float *plane, const float *across, const float (&column)[9], float ax, float ay, float az)
{
    float xx = second(plane, 1), yy = second(plane, TX), zz = second(column + 4, 1);
    float xy = F1 * (first(plane + TX, 1) - first(plane - TX, 1)) + F2 * (first(plane + 2 * TX, 1) - first(plane - 2 * TX, 1));
    float xz = first(across, 1), yz = first(across, SX);
    return make_float2(xx + yy + zz, ax * ax * xx + ay * ay * yy + az * az * zz + 2 * (ax * ay * xy + ay * az * yz + ax * az * xz));
}

__global__ void __launch_bounds__(ACROSS *DOWN)
    step(int w, const float *__restrict__ p, const float *__restrict__ q, const float *__restrict__ pold, const float *__restrict__ qold,
         const float *__restrict__ speed, const float *__restrict__ epsilon, const float *__restrict__ delta, const float *__restrict__ theta,
         const float *__restrict__ phi, float *__restrict__ pnew, float *__restrict__ qnew)
{
    __shared__ float ps[TY * TX], qs[TY * TX], pz[SY * SX], qz[SY * SX];
    int tid = threadIdx.y * ACROSS + threadIdx.x, sz = w * w, x0 = blockIdx.x * ACROSS, y0 = blockIdx.y * DOWN;
    int x = x0 + EDGE + threadIdx.x, y = y0 + EDGE + threadIdx.y, z0 = EDGE + blockIdx.z * PLANES, z1 = min(z0 + PLANES, w - EDGE);
    bool inside = x < w - EDGE && y < w - EDGE;
    int c = z0 * sz + min(y, w - 1) * w + min(x, w - 1);
    float pc[9], qc[9];
#pragma unroll
    for (int k = 1; k < 9; k++) {
        pc[k] = p[c + (k - 5) * sz];
        qc[k] = q[c + (k - 5) * sz];
    }
    for (int z = z0; z < z1; z++, c += sz) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            pc[k] = pc[k + 1];
            qc[k] = qc[k + 1];
        }
        pc[8] = p[c + 4 * sz];
        qc[8] = q[c + 4 * sz];
        __syncthreads();
        for (int k = tid; k < TY * TX; k += ACROSS * DOWN) {
            int from = z * sz + min(y0 + k / TX, w - 1) * w + min(x0 + k % TX, w - 1);
            ps[k] = __ldg(p + from);
            qs[k] = __ldg(q + from);
        }
        for (int k = tid; k < SY * SX; k += ACROSS * DOWN) {
            int from = z * sz + min(y0 + 2 + k / SX, w - 1) * w + min(x0 + 2 + k % SX, w - 1);
            pz[k] = slope(p + from, sz);
            qz[k] = slope(q + from, sz);
        }
        __syncthreads();
        if (!inside)
            continue;
        float st, ct, sp, cp;
        sincosf(theta[c], &st, &ct);
        sincosf(phi[c], &sp, &cp);
        float ax = st * cp, ay = st * sp;
        int here = (threadIdx.y + EDGE) * TX + threadIdx.x + EDGE, there = (threadIdx.y + 2) * SX + threadIdx.x + 2;
        float2 dp = derivatives(ps + here, pz + there, pc, ax, ay, ct), dq = derivatives(qs + here, qz + there, qc, ax, ay, ct);
        float across = dp.x - dp.y, v = STEP2 * speed[c] * speed[c];
        pnew[c] = 2 * pc[4] - pold[c] + v * ((1 + 2 * epsilon[c]) * across + dq.y);
        qnew[c] = 2 * qc[4] - qold[c] + v * ((1 + 2 * delta[c]) * across + dq.y);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = (SIZE >> (args.shift + 2) / 3) + 2 * EDGE, n = w * w * w, inner = w - 2 * EDGE;
    float *p = NEW(float, n), *q = NEW(float, n), *pold = NEW(float, n), *qold = NEW(float, n), *speed = NEW(float, n), *epsilon = NEW(float, n);
    float *delta = NEW(float, n), *theta = NEW(float, n), *phi = NEW(float, n), *pnew = NEW(float, n), *qnew = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        p[i] = number(i);
        q[i] = number(i + 1);
        pold[i] = number(i + 2);
        qold[i] = number(i + 3);
        speed[i] = 1 + number(i / w);
        epsilon[i] = 0.25 * number(i / w + 1);
        delta[i] = 0.1 * number(i / w + 2);
        theta[i] = 1.5 * number(i / 4);
        phi[i] = 6 * number(i / 4 + 5);
        pnew[i] = qnew[i] = 0;
    }
    float *dp = on_device(p, n), *dq = on_device(q, n), *dpold = on_device(pold, n), *dqold = on_device(qold, n), *dspeed = on_device(speed, n);
    float *depsilon = on_device(epsilon, n), *ddelta = on_device(delta, n), *dtheta = on_device(theta, n), *dphi = on_device(phi, n);
    float *dpnew = on_device(pnew, n), *dqnew = on_device(qnew, n);
    dim3 grid(ceiling(inner, ACROSS), ceiling(inner, DOWN), ceiling(inner, PLANES)), block(ACROSS, DOWN);
    double best = fastest(args.repeats, [&] {
        step<<<grid, block>>>(w, dp, dq, dpold, dqold, dspeed, depsilon, ddelta, dtheta, dphi, dpnew, dqnew);
    });
    to_host(pnew, dpnew, n);
    to_host(qnew, dqnew, n);
    for (int i = 0; i < n; i++)
        sum += fabs(pnew[i]) + fabs(qnew[i]);
    report("tilted", best, sum);
    return 0;
}
