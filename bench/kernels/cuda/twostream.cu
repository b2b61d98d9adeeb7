// Sunlight in 4096 columns of 60 layers of air and clouds for 14 bands, double: a thread a column and band, columns
// side by side in a block, what a layer does in arrays of the thread; the bands are added up atomically into fluxes
// that are cleared before.
#include "kernels.cuh"

constexpr int LAYERS = 60, BANDS = 14, THREADS = 64;

struct band { double absorbs, albedo, asymmetry, sun; };
struct layer { double r, t, up, down, beam; };
__constant__ band bands[BANDS];

__device__ layer two_stream(double gas, double cloud, const band &b, double mu)
{
    double tau = gas * b.absorbs + cloud + 1e-6, w = fmin(cloud * b.albedo / tau, 0.999999), g = b.asymmetry, f = g * g;
    tau *= 1 - w * f;
    w = w * (1 - f) / (1 - w * f);
    g = g / (1 + g);
    double g1 = (7 - w * (4 + 3 * g)) / 4, g2 = -(1 - w * (4 - 3 * g)) / 4, g3 = (2 - 3 * mu * g) / 4, g4 = 1 - g3;
    double k = sqrt(g1 * g1 - g2 * g2), e = exp(-k * tau), e2 = e * e, t0 = exp(-tau / mu), km = k * mu,
           one = 1 - km * km;
    double den = 1 / (k + g1 + (k - g1) * e2), a1 = g1 * g4 + g2 * g3, a2 = g1 * g3 + g2 * g4;
    if (fabs(one) < 1e-6)
        one = one < 0 ? -1e-6 : 1e-6;
    double scale = w * den / one;
    return {g2 * (1 - e2) * den, 2 * k * e * den,
            scale * ((1 - km) * (a2 + k * g3) - (1 + km) * (a2 - k * g3) * e2 - 2 * k * (g3 - a2 * mu) * e * t0),
            -scale * ((1 + km) * (a1 + k * g4) * t0 - (1 - km) * (a1 - k * g4) * e2 * t0 - 2 * k * (g4 + a1 * mu) * e),
            t0};
}

__global__ void sunlight(int n, const double *__restrict__ gas, const double *__restrict__ cloud,
                         const double *__restrict__ cosine, const double *__restrict__ ground, double *__restrict__ up,
                         double *__restrict__ down)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    band b = bands[blockIdx.y];
    double mu = cosine[c], beam = b.sun * mu, below[LAYERS + 1], source[LAYERS + 1];
    layer layers[LAYERS];
    for (int l = 0; l < LAYERS; l++) {
        layer own = two_stream(gas[l * n + c], cloud[l * n + c], b, mu);
        own.up *= beam / mu;
        own.down *= beam / mu;
        beam *= own.beam;
        own.beam = beam;
        layers[l] = own;
    }
    below[LAYERS] = ground[c];
    source[LAYERS] = ground[c] * beam;
    for (int l = LAYERS - 1; l >= 0; l--) {
        layer own = layers[l];
        double s = 1 / (1 - below[l + 1] * own.r);
        below[l] = own.r + own.t * own.t * below[l + 1] * s;
        source[l] = own.up + own.t * (source[l + 1] + below[l + 1] * own.down) * s;
    }
    double flux = 0;
    atomicAdd(&up[c], source[0]);
    atomicAdd(&down[c], b.sun * mu);
    for (int l = 0; l < LAYERS; l++) {
        layer own = layers[l];
        double s = 1 / (1 - below[l + 1] * own.r);
        flux = (own.t * flux + own.r * source[l + 1] + own.down) * s;
        atomicAdd(&up[(l + 1) * n + c], below[l + 1] * flux + source[l + 1]);
        atomicAdd(&down[(l + 1) * n + c], flux + own.beam);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift, all = LAYERS * n, levels = (LAYERS + 1) * n;
    double *gas = NEW(double, all), *cloud = NEW(double, all), *cosine = NEW(double, n), *ground = NEW(double, n);
    double *up = NEW(double, levels), *down = NEW(double, levels), sum = 0;
    band host[BANDS];
    for (int b = 0; b < BANDS; b++)
        host[b] = {exp(-0.5 * b), 0.999 - 0.02 * b, 0.8 + 0.005 * b, 20 + 12 * number(b)};
    for (int k = 0; k < all; k++) {
        int l = k / n, c = k % n;
        gas[k] = 0.3 * exp(-(LAYERS - 1 - l) / 12.0) * (0.5 + number(k));
        cloud[k] = l > 25 && l < 50 && mix(c * 8 + l / 8) % 3 == 0 ? 3 * number(k + 3) : 0;
    }
    for (int c = 0; c < n; c++) {
        cosine[c] = 0.1 + 0.85 * number(c + 17);
        ground[c] = 0.05 + 0.5 * number(c + 23);
    }
    CHECK(cudaMemcpyToSymbol(bands, host, sizeof host));
    double *dgas = on_device(gas, all), *dcloud = on_device(cloud, all), *dcosine = on_device(cosine, n),
           *dground = on_device(ground, n);
    double *fluxes = device<double>(2 * levels), *dup = fluxes, *ddown = fluxes + levels;
    dim3 grid(ceiling(n, THREADS), BANDS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(fluxes, 0, 2 * levels * sizeof(double)));
        sunlight<<<grid, THREADS>>>(n, dgas, dcloud, dcosine, dground, dup, ddown);
    });
    to_host(up, dup, levels);
    to_host(down, ddown, levels);
    for (int k = 0; k < levels; k++)
        sum += (1 + k % 7) * (up[k] + 2 * down[k]);
    report("twostream", best, sum);
    return 0;
}
