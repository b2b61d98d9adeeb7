// A picture of 512 x 512 points by a radar with a synthetic aperture: a thread a point, in blocks of 16 x 16, whose echoes are close to each
// other; places of the antenna in shared memory; sine and cosine of multiples of pi.
#include "kernels.cuh"

constexpr int PULSES = 256, SAMPLES = 1024, SIDE = 512, X = 16, Y = 16;
constexpr double WAVE = 0.03125, NEAR = 6900, STEP = 0.5, PIXEL = 0.4;

__global__ void __launch_bounds__(X * Y)
focus(int rows, const double *__restrict__ px, const double *__restrict__ py, const double *__restrict__ pz,
      const float2 *__restrict__ echo, double2 *__restrict__ out)
{
    __shared__ double sx[PULSES], sy[PULSES], sz[PULSES];
    for (int p = threadIdx.y * X + threadIdx.x; p < PULSES; p += X * Y) {
        sx[p] = px[p];
        sy[p] = py[p];
        sz[p] = pz[p] * pz[p];
    }
    __syncthreads();
    int i = blockIdx.x * X + threadIdx.x, j = blockIdx.y * Y + threadIdx.y;
    if (j >= rows)
        return;
    double x = PIXEL * (i - SIDE / 2), y = PIXEL * (j - SIDE / 2);
    double2 sum = make_double2(0, 0);
    for (int p = 0; p < PULSES; p++) {
        double dx = sx[p] - x, dy = sy[p] - y, range = sqrt(dx * dx + dy * dy + sz[p]);
        double place = (range - NEAR) * (1 / STEP);
        int s = (int)place;
        if (place < 0 || s >= SAMPLES - 1)
            continue;
        double part = place - s, turns = range * (2 / WAVE), c, d;
        float2 e0 = echo[p * SAMPLES + s], e1 = echo[p * SAMPLES + s + 1];
        double a = (1 - part) * e0.x + part * e1.x, b = (1 - part) * e0.y + part * e1.y;
        sincospi(2 * (turns - floor(turns)), &d, &c);
        sum.x += a * c - b * d;
        sum.y += a * d + b * c;
    }
    out[j * SIDE + i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE;
    double px[PULSES], py[PULSES], pz[PULSES], sum = 0;
    float2 *echo = NEW(float2, PULSES * SAMPLES);
    double2 *out = NEW(double2, n);
    for (int p = 0; p < PULSES; p++) {
        double angle = 0.04 * (p - PULSES / 2) / PULSES;
        px[p] = 5000 * sin(angle) + 0.3 * number(p);
        py[p] = -5000 * cos(angle) + 0.3 * number(p + 1);
        pz[p] = 5000 + 0.5 * number(p + 2);
        for (int s = 0; s < SAMPLES; s++) {
            echo[p * SAMPLES + s].x = 0.2f * (float)(number(2 * (p * SAMPLES + s)) - 0.5);
            echo[p * SAMPLES + s].y = 0.2f * (float)(number(2 * (p * SAMPLES + s) + 1) - 0.5);
        }
        // eight bright things
        for (int b = 0; b < 8; b++) {
            double dx = px[p] - 80 * (number(b) - 0.5), dy = py[p] - 80 * (number(b + 20) - 0.5);
            double range = sqrt(dx * dx + dy * dy + pz[p] * pz[p]);
            for (int s = (int)((range - NEAR) / STEP) - 2; s < (range - NEAR) / STEP + 3; s++)
                if (s >= 0 && s < SAMPLES) {
                    double f = fmax(0, 1 - 0.5 * fabs(s - (range - NEAR) / STEP)), angle = -2 * M_PI * fmod(2 * range / WAVE, 1);
                    echo[p * SAMPLES + s].x += f * cos(angle);
                    echo[p * SAMPLES + s].y += f * sin(angle);
                }
        }
    }
    double *dpx = on_device(px, PULSES), *dpy = on_device(py, PULSES), *dpz = on_device(pz, PULSES);
    float2 *decho = on_device(echo, PULSES * SAMPLES);
    double2 *dout = device<double2>(n);
    double best = fastest(args.repeats, [&] {
        focus<<<dim3(SIDE / X, ceiling(rows, Y)), dim3(X, Y)>>>(rows, dpx, dpy, dpz, decho, dout);
    });
    to_host(out, dout, n);
    for (int k = 0; k < n; k++)
        sum += hypot(out[k].x, out[k].y) * (1 + k % 3);
    report("aperture", best, sum);
    return 0;
}
