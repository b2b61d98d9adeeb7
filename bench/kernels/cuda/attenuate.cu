// Fluxes of 128 groups of energy along 8192 tracks of 12 segments through a reactor, float: a block a track, a thread a group, whose flux stays
// in a register; the regions' by atomic addition.
#include "kernels.cuh"

constexpr int SEGMENTS = 12, GROUPS = 128, REGIONS = 1024, HEIGHTS = 8, FLUXES = REGIONS * HEIGHTS * GROUPS;
constexpr float DZ = 0.1f, ZIN = 0.03f, WEIGHT = 0.5f, MU = 0.9f, MU2 = 0.3f, DS = 0.7f;

__global__ void attenuate(const float *__restrict__ source, const float *__restrict__ sigma, const float *__restrict__ in,
                          float *__restrict__ out, float *__restrict__ flux)
{
    int t = blockIdx.x, g = threadIdx.x;
    float psi = in[t * GROUPS + g];
    for (int s = 0; s < SEGMENTS; s++) {
        unsigned random = mix(t * SEGMENTS + s);
        int region = random % REGIONS, height = random / REGIONS % HEIGHTS, at = (region * HEIGHTS + height) * GROUPS + g;
        float q0 = source[at], q1, q2 = 0, sig = sigma[region * GROUPS + g];
        if (height == 0) {
            q1 = (source[at + GROUPS] - q0) * (1 / DZ);
            q0 += q1 * ZIN;
        } else if (height == HEIGHTS - 1) {
            q1 = (q0 - source[at - GROUPS]) * (1 / DZ);
            q0 += q1 * ZIN;
        } else {
            float y1 = source[at - GROUPS], y3 = source[at + GROUPS], c1 = (y3 - y1) * (0.5f / DZ);
            q2 = (y1 - 2 * q0 + y3) * (0.5f / (DZ * DZ));
            q0 += c1 * ZIN + q2 * ZIN * ZIN;
            q1 = c1 + 2 * q2 * ZIN;
        }
        float tau = sig * DS, over = 1 / sig, over2 = over * over, lost = 1 - expf(-tau);
        float reuse = (tau * (tau - 2) + 2 * lost) * over * over2;
        float integral = (q0 * tau + (sig * psi - q0) * lost) * over2 + q1 * MU * reuse +
                         q2 * MU2 * (tau * (tau * (tau - 3) + 6) - 6 * lost) * (over2 * over2 / 3);
        atomicAdd(&flux[at], WEIGHT * integral);
        psi = q0 * lost * over + q1 * MU * (tau - lost) * over2 + q2 * MU2 * reuse + psi * (1 - lost);
    }
    out[t * GROUPS + g] = psi;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int tracks = 8192 >> args.shift, all = tracks * GROUPS;
    float *source = NEW(float, FLUXES), *sigma = NEW(float, REGIONS * GROUPS), *in = NEW(float, all), *out = NEW(float, all),
          *flux = NEW(float, FLUXES);
    double sum = 0;
    for (int k = 0; k < FLUXES; k++)
        source[k] = 1 + 0.1f * number(k);
    for (int k = 0; k < REGIONS * GROUPS; k++)
        sigma[k] = 1 + number(k);
    FILL(in, all, 2);
    float *dsource = on_device(source, FLUXES), *dsigma = on_device(sigma, REGIONS * GROUPS), *din = on_device(in, all), *dout = device<float>(all),
          *dflux = device<float>(FLUXES);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dflux, 0, FLUXES * sizeof(float)));
        attenuate<<<tracks, GROUPS>>>(dsource, dsigma, din, dout, dflux);
    });
    to_host(out, dout, all);
    to_host(flux, dflux, FLUXES);
    SUM(sum, out, all);
    SUM(sum, flux, FLUXES);
    report("attenuate", best, sum);
    return 0;
}
