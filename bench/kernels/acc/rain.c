// Warm rain in 2^15 columns of air of 48 levels, float: rain falls in as many short steps as the fastest drops of the column need, then cloud
// water becomes rain, and vapour condenses or rain evaporates with the heat that takes.
#include "../kernels.h"

enum { COLUMNS = 1 << 15, LEVELS = 48 };
#define STEP 120.0f
#define HEIGHT 250.0f

#if SPELLING == 1
static void rain(int n, const float *restrict rho, const float *restrict pressure, float *restrict theta, float *restrict vapour,
                 float *restrict cloud, float *restrict drops, float *restrict fallen)
{
    int all = n * LEVELS;
#pragma acc parallel loop present(rho[0:all], pressure[0:all], theta[0:all], vapour[0:all], cloud[0:all], drops[0:all], fallen[0:n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        float speed[LEVELS], qr[LEVELS], density[LEVELS], fastest = 0;
        for (int k = 0; k < LEVELS; k++) {
            density[k] = rho[k * n + c];
            qr[k] = drops[k * n + c];
            speed[k] = 36.34f * powf(0.001f * density[k] * fmaxf(qr[k], 0), 0.1364f) * sqrtf(density[0] / density[k]);
            fastest = fmaxf(fastest, speed[k] * STEP / HEIGHT);
        }
        int steps = (int)ceilf(fastest);
        float ground = 0;
        for (int s = 0; s < steps; s++) {
            float dt = STEP / steps;
            ground += density[0] * qr[0] * speed[0] * dt;
            for (int k = 0; k < LEVELS - 1; k++)
                qr[k] += dt * (density[k + 1] * qr[k + 1] * speed[k + 1] - density[k] * qr[k] * speed[k]) / (density[k] * HEIGHT);
            qr[LEVELS - 1] -= dt * qr[LEVELS - 1] * speed[LEVELS - 1] / HEIGHT;
            for (int k = 0; k < LEVELS; k++)
                speed[k] = 36.34f * powf(0.001f * density[k] * fmaxf(qr[k], 0), 0.1364f) * sqrtf(density[0] / density[k]);
        }
        fallen[c] += ground;
        for (int k = 0; k < LEVELS; k++) {
            int at = k * n + c;
            float qc = cloud[at], qv = vapour[at], q = qr[k], exner = powf(pressure[at] / 1000, 0.286f);
            float converted = qc - (qc - STEP * fmaxf(0.001f * (qc - 0.001f), 0)) / (1 + STEP * 2.2f * powf(fmaxf(q, 0), 0.875f));
            converted = fminf(fmaxf(converted, 0), qc);
            qc -= converted;
            q += converted;
            float t = exner * theta[at], saturated = 3.8f / pressure[at] * expf(17.27f * (t - 273) / (t - 36));
            float excess = (qv - saturated) / (1 + saturated * 4093 * 2.5e6f / 1004 / ((t - 36) * (t - 36)));
            float evaporated = 0;
            if (qv < saturated && q > 0) {
                float wet = 0.001f * density[k] * q;
                float rate = (1.6f + 30.3922f * powf(wet, 0.2046f)) * powf(wet, 0.525f) /
                             (2.55e8f / (pressure[at] * saturated) + 5.4e5f) * (saturated - qv) / (0.001f * density[k] * saturated);
                evaporated = fminf(STEP * rate, fminf(fmaxf(-excess - qc, 0), q));
            }
            float condensed = fmaxf(excess, -qc);
            theta[at] += 2.5e6f / (1004 * exner) * (condensed - evaporated);
            vapour[at] = fmaxf(qv - condensed + evaporated, 0);
            cloud[at] = qc + condensed;
            drops[at] = q - evaporated;
        }
    }
}
#else
struct air { float *rho, *pressure, *theta, *vapour, *cloud, *drops; };

// Speed of drops at the ground's density and theirs.
static float terminal(float ground, float rho, float q)
{
    return q > 0 ? 36.34f * powf(1e-3f * rho * q, 0.1364f) * sqrtf(ground / rho) : 0;
}

static float saturation(float pressure, float t) { return 3.8f / pressure * expf(17.27f * (t - 273.0f) / (t - 36.0f)); }

#define BETWEEN(low, x, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

// Two kernels: columns whose drops fall, then all points.
static void rain(size_t n, struct air air, float *fallen)
{
    float(*rho)[n] = (float(*)[n])air.rho, (*pressure)[n] = (float(*)[n])air.pressure, (*theta)[n] = (float(*)[n])air.theta,
        (*vapour)[n] = (float(*)[n])air.vapour, (*cloud)[n] = (float(*)[n])air.cloud, (*drops)[n] = (float(*)[n])air.drops;
#pragma acc data present(rho[0:LEVELS], pressure[0:LEVELS], theta[0:LEVELS], vapour[0:LEVELS], cloud[0:LEVELS], drops[0:LEVELS], fallen[0:n])
    {
#pragma acc parallel loop gang vector vector_length(64)
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c) {
            const float ground = rho[0][c];
            float q[LEVELS], flow[LEVELS + 1], most = 0;
            for (size_t k = 0; k < LEVELS; ++k) {
                q[k] = drops[k][c];
                float courant = terminal(ground, rho[k][c], q[k]) * (STEP / HEIGHT);
                most = courant > most ? courant : most;
            }
            const unsigned steps = (unsigned)ceilf(most);
            const float dt = STEP / (float)steps;
            unsigned left = steps;
            float sum = 0;
            flow[LEVELS] = 0;
            while (left-- > 0) {
                for (size_t k = 0; k < LEVELS; ++k)
                    flow[k] = rho[k][c] * q[k] * terminal(ground, rho[k][c], q[k]);
                sum += flow[0] * dt;
                for (size_t k = 0; k < LEVELS; ++k)
                    q[k] += dt * (flow[k + 1] - flow[k]) / (rho[k][c] * HEIGHT);
            }
            fallen[c] += sum;
            for (size_t k = 0; k < LEVELS; ++k)
                drops[k][c] = q[k];
        }
#pragma acc kernels
#pragma acc loop independent collapse(2)
#pragma omp parallel for collapse(2)
        for (size_t k = 0; k < LEVELS; ++k)
            for (size_t c = 0; c < n; ++c) {
                float qc = cloud[k][c], qv = vapour[k][c], q = drops[k][c], p = pressure[k][c], wet_rho = 1e-3f * rho[k][c];
                float exner = powf(p / 1000.0f, 0.286f), grown = q > 0 ? powf(q, 0.875f) : 0;
                float began = qc > 1e-3f ? 1e-3f * (qc - 1e-3f) : 0;
                float converted = qc - (qc - STEP * began) / (1 + STEP * 2.2f * grown);
                converted = BETWEEN(0, converted, qc);
                qc -= converted;
                q += converted;
                float t = exner * theta[k][c], qs = saturation(p, t);
                float excess = (qv - qs) / (1 + qs * 4093 * 2.5e6f / 1004 / ((t - 36) * (t - 36))), evaporated = 0;
                if (qv < qs && q > 0) {
                    float ventilation = 1.6f + 30.3922f * powf(wet_rho * q, 0.2046f);
                    float rate = ventilation * powf(wet_rho * q, 0.525f) / (2.55e8f / (p * qs) + 5.4e5f) * (qs - qv) / (wet_rho * qs);
                    float room = -excess - qc > 0 ? -excess - qc : 0;
                    room = room < q ? room : q;
                    evaporated = STEP * rate < room ? STEP * rate : room;
                }
                float condensed = excess > -qc ? excess : -qc, now = qv - condensed + evaporated;
                theta[k][c] += 2.5e6f / (1004 * exner) * (condensed - evaporated);
                vapour[k][c] = now > 0 ? now : 0;
                cloud[k][c] = qc + condensed;
                drops[k][c] = q - evaporated;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = n * LEVELS;
    float *rho = NEW(float, all), *pressure = NEW(float, all), *theta = NEW(float, all), *vapour = NEW(float, all), *cloud = NEW(float, all);
    float *drops = NEW(float, all), *fallen = NEW(float, n), *from = NEW(float, 4 * all);
    double sum = 0;
    for (int i = 0; i < all; i++) {
        int k = i / n;
        float height = HEIGHT * k;
        pressure[i] = 1000 * expf(-height / 8000);
        theta[i] = 300 + 0.004f * height + number(i);
        float t = theta[i] * powf(pressure[i] / 1000, 0.286f);
        rho[i] = 100 * pressure[i] / (287 * t);
        vapour[i] = 3.8f / pressure[i] * expf(17.27f * (t - 273) / (t - 36)) * (0.7f + 0.5f * number(i + 1));
        cloud[i] = number(i + 2) < 0.5 ? 0 : 0.003f * number(i + 3);
        // the more rain, the further the column
        drops[i] = k > 30 ? 0 : 0.004f * number(i + 4) * ((i % n) / 64 % 8) / 7;
    }
    for (int i = 0; i < all; i++)
        from[i] = theta[i], from[all + i] = vapour[i], from[2 * all + i] = cloud[i], from[3 * all + i] = drops[i];
    for (int c = 0; c < n; c++)
        fallen[c] = 0;
#pragma acc enter data copyin(rho[0:all], pressure[0:all], from[0:4 * all], fallen[0:n]) create(theta[0:all], vapour[0:all], cloud[0:all], drops[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#pragma acc parallel loop present(from[0:4 * all], theta[0:all], vapour[0:all], cloud[0:all], drops[0:all])
#pragma omp parallel for
        for (int i = 0; i < all; i++)
            theta[i] = from[i], vapour[i] = from[all + i], cloud[i] = from[2 * all + i], drops[i] = from[3 * all + i];
#if SPELLING == 1
        rain(n, rho, pressure, theta, vapour, cloud, drops, fallen);
#else
        rain(n, (struct air){rho, pressure, theta, vapour, cloud, drops}, fallen);
#endif
    }
#pragma acc update self(theta[0:all], vapour[0:all], cloud[0:all], drops[0:all], fallen[0:n])
    for (int i = 0; i < all; i++)
        sum += theta[i] - 300 + 1000.0 * (vapour[i] + 2 * cloud[i] + 3 * drops[i]);
    SUM(sum, fallen, n);
    report("rain", t.best, sum);
    return 0;
}
