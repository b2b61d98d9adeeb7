// Warm rain in 2^15 columns of air of 48 levels, float: a thread a column whose drops fall level by level, with the speeds of the level above
// at hand, then a thread a point.
#include "kernels.cuh"

constexpr int COLUMNS = 1 << 15, LEVELS = 48;
constexpr float STEP = 120, HEIGHT = 250;

__device__ float terminal(float ground, float rho, float q) { return 36.34f * powf(0.001f * rho * fmaxf(q, 0), 0.1364f) * sqrtf(ground / rho); }

__global__ void fall(int n, const float *__restrict__ rho, float *__restrict__ drops, float *__restrict__ fallen)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    float fastest = 0, ground = rho[c], sum = 0;
    for (int k = 0; k < LEVELS; k++)
        fastest = fmaxf(fastest, terminal(ground, rho[k * n + c], drops[k * n + c]) * STEP / HEIGHT);
    int steps = (int)ceilf(fastest);
    float dt = STEP / steps;
    for (int s = 0; s < steps; s++) {
        float q = drops[c], density = ground, flow = density * q * terminal(ground, density, q);
        sum += flow * dt;
        for (int k = 0; k < LEVELS; k++) {
            float above = 0, next = 0, next_density = 0;
            if (k < LEVELS - 1) {
                next = drops[(k + 1) * n + c];
                next_density = rho[(k + 1) * n + c];
                above = next_density * next * terminal(ground, next_density, next);
            }
            drops[k * n + c] = q + dt * (above - flow) / (density * HEIGHT);
            q = next, density = next_density, flow = above;
        }
    }
    fallen[c] += sum;
}

__global__ void change(int all, const float *__restrict__ rho, const float *__restrict__ pressure, float *__restrict__ theta,
                       float *__restrict__ vapour, float *__restrict__ cloud, float *__restrict__ drops)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= all)
        return;
    float qc = cloud[at], qv = vapour[at], q = drops[at], p = pressure[at], exner = powf(p / 1000, 0.286f), wet_rho = 0.001f * rho[at];
    float converted = qc - (qc - STEP * fmaxf(0.001f * (qc - 0.001f), 0)) / (1 + STEP * 2.2f * powf(fmaxf(q, 0), 0.875f));
    converted = fminf(fmaxf(converted, 0), qc);
    qc -= converted;
    q += converted;
    float t = exner * theta[at], saturated = 3.8f / p * expf(17.27f * (t - 273) / (t - 36));
    float excess = (qv - saturated) / (1 + saturated * 4093 * 2.5e6f / 1004 / ((t - 36) * (t - 36))), evaporated = 0;
    if (qv < saturated && q > 0) {
        float wet = wet_rho * q;
        float rate = (1.6f + 30.3922f * powf(wet, 0.2046f)) * powf(wet, 0.525f) / (2.55e8f / (p * saturated) + 5.4e5f) * (saturated - qv) /
                     (wet_rho * saturated);
        evaporated = fminf(STEP * rate, fminf(fmaxf(-excess - qc, 0), q));
    }
    float condensed = fmaxf(excess, -qc);
    theta[at] += 2.5e6f / (1004 * exner) * (condensed - evaporated);
    vapour[at] = fmaxf(qv - condensed + evaporated, 0);
    cloud[at] = qc + condensed;
    drops[at] = q - evaporated;
}

__global__ void begin(int all, const float *__restrict__ from, float *__restrict__ theta, float *__restrict__ vapour, float *__restrict__ cloud,
                      float *__restrict__ drops)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all)
        theta[i] = from[i], vapour[i] = from[all + i], cloud[i] = from[2 * all + i], drops[i] = from[3 * all + i];
}

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
        drops[i] = k > 30 ? 0 : 0.004f * number(i + 4) * ((i % n) / 64 % 8) / 7;
    }
    for (int i = 0; i < all; i++)
        from[i] = theta[i], from[all + i] = vapour[i], from[2 * all + i] = cloud[i], from[3 * all + i] = drops[i];
    for (int c = 0; c < n; c++)
        fallen[c] = 0;
    float *drho = on_device(rho, all), *dpressure = on_device(pressure, all), *dfrom = on_device(from, 4 * all), *dfallen = on_device(fallen, n);
    float *dtheta = device<float>(all), *dvapour = device<float>(all), *dcloud = device<float>(all), *ddrops = device<float>(all);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(all, 256), 256>>>(all, dfrom, dtheta, dvapour, dcloud, ddrops);
        fall<<<ceiling(n, 128), 128>>>(n, drho, ddrops, dfallen);
        change<<<ceiling(all, 256), 256>>>(all, drho, dpressure, dtheta, dvapour, dcloud, ddrops);
    });
    to_host(theta, dtheta, all);
    to_host(vapour, dvapour, all);
    to_host(cloud, dcloud, all);
    to_host(drops, ddrops, all);
    to_host(fallen, dfallen, n);
    for (int i = 0; i < all; i++)
        sum += theta[i] - 300 + 1000.0 * (vapour[i] + 2 * cloud[i] + 3 * drops[i]);
    SUM(sum, fallen, n);
    report("rain", best, sum);
    return 0;
}
