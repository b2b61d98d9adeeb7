// Kalman filters of 2^16 tracks over 32 scans, double: a thread a track with its state and its covariance, in blocks of 3 x 3, in registers.
#include "kernels.cuh"

constexpr int TRACKS = 1 << 16, SCANS = 32, STATES = 6, SEEN = 3, THREADS = 128;
constexpr double STEP = 0.5, JERK = 0.8, NOISE = 4, GATE = 16;

__global__ void __launch_bounds__(THREADS) filter(int n, const double *__restrict__ z, double *__restrict__ state, double *__restrict__ spread,
                                                  double *__restrict__ score, int *__restrict__ hits)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    double x[3], v[3], pp[3][3], pv[3][3], vv[3][3], total = 0;
    int found = 0;
#pragma unroll
    for (int r = 0; r < 3; r++) {
        x[r] = z[r * n + i];
        v[r] = 0;
#pragma unroll
        for (int c = 0; c < 3; c++) {
            pp[r][c] = r == c ? NOISE : 0;
            pv[r][c] = 0;
            vv[r][c] = r == c ? 100 : 0;
        }
    }
    for (int scan = 1; scan < SCANS; scan++) {
        double y[3], s[3][3], si[3][3];
#pragma unroll
        for (int r = 0; r < 3; r++) {
            x[r] += STEP * v[r];
            y[r] = z[(scan * SEEN + r) * n + i] - x[r];
        }
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = r; c < 3; c++) {
                pp[r][c] += STEP * (pv[r][c] + pv[c][r]) + STEP * STEP * vv[r][c] + (r == c ? JERK * STEP * STEP * STEP / 3 : 0);
                pp[c][r] = pp[r][c];
                s[r][c] = s[c][r] = pp[r][c] + (r == c ? NOISE : 0);
            }
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++)
                pv[r][c] += STEP * vv[r][c] + (r == c ? JERK * STEP * STEP / 2 : 0);
#pragma unroll
        for (int r = 0; r < 3; r++)
            vv[r][r] += JERK * STEP;

        si[0][0] = s[1][1] * s[2][2] - s[1][2] * s[1][2];
        si[0][1] = s[0][2] * s[1][2] - s[0][1] * s[2][2];
        si[0][2] = s[0][1] * s[1][2] - s[0][2] * s[1][1];
        si[1][1] = s[0][0] * s[2][2] - s[0][2] * s[0][2];
        si[1][2] = s[0][1] * s[0][2] - s[0][0] * s[1][2];
        si[2][2] = s[0][0] * s[1][1] - s[0][1] * s[0][1];
        double det = s[0][0] * si[0][0] + s[0][1] * si[0][1] + s[0][2] * si[0][2], scale = 1 / det, distance = 0;
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = r; c < 3; c++) {
                si[r][c] *= scale;
                si[c][r] = si[r][c];
                distance += (r == c ? 1 : 2) * y[r] * si[r][c] * y[c];
            }
        if (distance > GATE)
            continue;
        found++;
        total += distance + log(det);

        double gain[3][3], swing[3][3];
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++) {
                gain[r][c] = pp[r][0] * si[0][c] + pp[r][1] * si[1][c] + pp[r][2] * si[2][c];
                swing[r][c] = pv[0][r] * si[0][c] + pv[1][r] * si[1][c] + pv[2][r] * si[2][c];
            }
#pragma unroll
        for (int r = 0; r < 3; r++) {
            x[r] += gain[r][0] * y[0] + gain[r][1] * y[1] + gain[r][2] * y[2];
            v[r] += swing[r][0] * y[0] + swing[r][1] * y[1] + swing[r][2] * y[2];
        }
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = r; c < 3; c++) {
                vv[r][c] -= swing[r][0] * pv[0][c] + swing[r][1] * pv[1][c] + swing[r][2] * pv[2][c];
                vv[c][r] = vv[r][c];
            }
        // What remains of the first two blocks is the noise times the gain and the swing.
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int c = 0; c < 3; c++) {
                pv[r][c] = NOISE * swing[c][r];
                pp[r][c] = NOISE * gain[r][c];
            }
    }
#pragma unroll
    for (int r = 0; r < 3; r++) {
        state[r * n + i] = x[r];
        state[(r + 3) * n + i] = v[r];
        spread[r * n + i] = pp[r][r];
        spread[(r + 3) * n + i] = vv[r][r];
    }
    score[i] = total;
    hits[i] = found;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRACKS >> args.shift;
    double *z = NEW(double, SCANS * SEEN * n), *state = NEW(double, STATES * n), *spread = NEW(double, STATES * n), *score = NEW(double, n);
    int *hits = NEW(int, n);
    double sum = 0;
    for (int scan = 0; scan < SCANS; scan++)
        for (int a = 0; a < SEEN; a++)
            for (int i = 0; i < n; i++) {
                double clutter = mix(scan * n + i) % 8 == 0 ? 60 : 4;
                z[(scan * SEEN + a) * n + i] = 1000 * number(3 * i + a) + STEP * scan * 20 * (number(5 * i + a) - 0.5) +
                                               clutter * (number((scan * SEEN + a) * n + i) - 0.5);
            }
    double *dz = on_device(z, SCANS * SEEN * n), *dstate = device<double>(STATES * n), *dspread = device<double>(STATES * n);
    double *dscore = device<double>(n);
    int *dhits = device<int>(n);
    double best = fastest(args.repeats, [&] { filter<<<ceiling(n, THREADS), THREADS>>>(n, dz, dstate, dspread, dscore, dhits); });
    to_host(state, dstate, STATES * n);
    to_host(spread, dspread, STATES * n);
    to_host(score, dscore, n);
    to_host(hits, dhits, n);
    for (int k = 0; k < STATES * n; k++)
        sum += fabs(state[k]) + spread[k];
    for (int i = 0; i < n; i++)
        sum += score[i] + hits[i];
    report("kalman", best, sum);
    return 0;
}
