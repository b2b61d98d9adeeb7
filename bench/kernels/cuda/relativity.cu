// A step of gas near the speed of light in a plane of 1024 x 1024 cells, double: a thread a cell for the pressures; then blocks of 32 x 8 cells with
// states and fluxes in shared memory, so that each face is done once in a block.
#include "kernels.cuh"

constexpr int SIDE = 1024, EDGE = 2, MOST = 40, ACROSS = 32, DOWN = 8, TX = ACROSS + 2 * EDGE, TY = DOWN + 2 * EDGE, THREADS = ACROSS * DOWN;
constexpr double GAMMA = 4.0 / 3, STEP = 0.1, SMALL = 1e-10;

__global__ void __launch_bounds__(THREADS) recover(int n, const double *__restrict__ u, double *__restrict__ prim)
{
    int c = blockIdx.x * THREADS + threadIdx.x;
    if (c >= n)
        return;
    double d = u[c], sx = u[n + c], sy = u[2 * n + c], tau = u[3 * n + c], s2 = sx * sx + sy * sy, e = tau + d, p = fmax(1., 1.01 * sqrt(s2) - e);
    for (int k = 0; k < MOST; k++) {
        double inverse = 1 / (e + p), v2 = s2 * inverse * inverse, root = sqrt(1 - v2), lorentz = 1 / root;
        double energy = (tau + d * (1 - lorentz) + p * (1 - lorentz * lorentz)) * root / d;
        double sound2 = GAMMA * (GAMMA - 1) * energy / (1 + GAMMA * energy);
        double change = ((GAMMA - 1) * d * root * energy - p) / (v2 * sound2 - 1);
        p -= change;
        if (fabs(change) < SMALL * p)
            break;
    }
    double inverse = 1 / (e + p);
    prim[c] = d * sqrt(1 - s2 * inverse * inverse);
    prim[n + c] = sx * inverse;
    prim[2 * n + c] = sy * inverse;
    prim[3 * n + c] = p;
}

__device__ double slope(double l, double c, double r)
{
    double a = c - l, b = r - c;
    return a * b > 0 ? 2 * a * b / (a + b) : 0;
}

struct side {
    double q[4], f[4];
};

// Of a state with its velocity v across the face and u along it.
__device__ side of_state(double rho, double v, double u, double p, double &low, double &high)
{
    double v2 = v * v + u * u, lorentz2 = 1 / (1 - v2), h = rho + GAMMA / (GAMMA - 1) * p;
    double a = GAMMA * p / h, m = h * lorentz2, d = rho * sqrt(lorentz2);
    double root = sqrt(a * (1 - v2) * (1 - v2 * a - v * v * (1 - a))), below = 1 / (1 - v2 * a);
    low = fmin(low, (v * (1 - a) - root) * below);
    high = fmax(high, (v * (1 - a) + root) * below);
    return {{d, m * v, m * u, m - p - d}, {d * v, m * v * v + p, m * u * v, (m - d) * v}};
}

// Through the face before the cell at `at`; `across` and `along` say which velocity is which.
__device__ void flux(const double (&w)[4][TY * TX], int at, int stride, int across, int along, double (&f)[4])
{
    double l[4], r[4], low = 0, high = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        double a = w[k][at - 2 * stride], b = w[k][at - stride], c = w[k][at], d = w[k][at + stride];
        l[k] = b + 0.5 * slope(a, b, c);
        r[k] = c - 0.5 * slope(b, c, d);
    }
    side left = of_state(l[0], l[across], l[along], l[3], low, high), right = of_state(r[0], r[across], r[along], r[3], low, high);
    double inverse = 1 / (high - low), g[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        g[k] = (high * left.f[k] - low * right.f[k] + high * low * (right.q[k] - left.q[k])) * inverse;
    f[0] = g[0];
    f[across] = g[1];
    f[along] = g[2];
    f[3] = g[3];
}

__global__ void __launch_bounds__(THREADS) advance(int w, const double *__restrict__ u, const double *__restrict__ prim, double *__restrict__ next)
{
    // Fluxes take the place of states: first all across, then all down.
    __shared__ double s[4][TY * TX], shared[4][(DOWN + 1) * (ACROSS + 1)];
    int n = w * w, x0 = blockIdx.x * ACROSS, y0 = blockIdx.y * DOWN, tid = threadIdx.y * ACROSS + threadIdx.x;
    int x = x0 + EDGE + threadIdx.x, y = y0 + EDGE + threadIdx.y, c = y * w + x;
    for (int i = tid; i < TY * TX; i += THREADS) {
        int from = min(y0 + i / TX, w - 1) * w + min(x0 + i % TX, w - 1);
#pragma unroll
        for (int k = 0; k < 4; k++)
            s[k][i] = prim[k * n + from];
    }
    __syncthreads();
    double change[4], f[4];
    for (int i = tid; i < DOWN * (ACROSS + 1); i += THREADS) {
        flux(s, (i / (ACROSS + 1) + EDGE) * TX + i % (ACROSS + 1) + EDGE, 1, 1, 2, f);
#pragma unroll
        for (int k = 0; k < 4; k++)
            shared[k][i] = f[k];
    }
    __syncthreads();
    int here = threadIdx.y * (ACROSS + 1) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        change[k] = shared[k][here + 1] - shared[k][here];
    __syncthreads();
    for (int i = tid; i < (DOWN + 1) * ACROSS; i += THREADS) {
        flux(s, (i / ACROSS + EDGE) * TX + i % ACROSS + EDGE, TX, 2, 1, f);
#pragma unroll
        for (int k = 0; k < 4; k++)
            shared[k][i] = f[k];
    }
    __syncthreads();
    if (x >= w - EDGE || y >= w - EDGE)
        return;
#pragma unroll
    for (int k = 0; k < 4; k++)
        next[k * n + c] = u[k * n + c] - STEP * (change[k] + shared[k][tid + ACROSS] - shared[k][tid]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = (SIDE >> (args.shift + 1) / 2) + 2 * EDGE, n = w * w, inner = w - 2 * EDGE;
    double *u = NEW(double, 4 * n), *next = NEW(double, 4 * n), sum = 0;
    for (int i = 0; i < n; i++) {
        double rho = 1 + number(i / 3), p = 0.5 + 2 * number(i / 5 + 1), vx = 1.3 * number(i / 4 + 2) - 0.65, vy = 1.3 * number(i / 4 + 3) - 0.65;
        double lorentz = 1 / sqrt(1 - vx * vx - vy * vy), m = (rho + GAMMA / (GAMMA - 1) * p) * lorentz * lorentz;
        u[i] = rho * lorentz;
        u[n + i] = m * vx;
        u[2 * n + i] = m * vy;
        u[3 * n + i] = m - p - u[i];
        next[i] = next[n + i] = next[2 * n + i] = next[3 * n + i] = 0;
    }
    double *du = on_device(u, 4 * n), *dnext = on_device(next, 4 * n), *dprim = device<double>(4 * n);
    dim3 grid(ceiling(inner, ACROSS), ceiling(inner, DOWN)), block(ACROSS, DOWN);
    double best = fastest(args.repeats, [&] {
        recover<<<ceiling(n, THREADS), THREADS>>>(n, du, dprim);
        advance<<<grid, block>>>(w, du, dprim, dnext);
    });
    to_host(next, dnext, 4 * n);
    for (int i = 0; i < n; i++)
        sum += fabs(next[i]) + fabs(next[n + i]) + 2 * fabs(next[2 * n + i]) + fabs(next[3 * n + i]);
    report("relativity", best, sum);
    return 0;
}
