// Fluxes of 128 groups of energy along 8192 tracks of 12 segments through a reactor, float: in each segment a source from three heights, what
// the flux loses and gains, and what the region gets by atomic addition.
#include "../kernels.h"

enum { TRACKS = 8192, SEGMENTS = 12, GROUPS = 128, REGIONS = 1024, HEIGHTS = 8, FLUXES = REGIONS * HEIGHTS * GROUPS };

#define DZ 0.1f
#define ZIN 0.03f
#define WEIGHT 0.5f
#define MU 0.9f
#define MU2 0.3f
#define DS 0.7f

#if SPELLING == 1
static void attenuate(int tracks, const float *restrict source, const float *restrict sigma, const float *restrict in, float *restrict out,
                      float *restrict flux)
{
#pragma acc parallel loop present(flux[0:FLUXES])
#pragma omp parallel for
    for (int k = 0; k < FLUXES; k++)
        flux[k] = 0;
#pragma acc parallel loop gang vector_length(128) present(source[0:FLUXES], sigma[0:REGIONS * GROUPS]) \
    present(in[0:tracks * GROUPS], out[0:tracks * GROUPS], flux[0:FLUXES])
#pragma omp parallel for
    for (int t = 0; t < tracks; t++) {
#pragma acc loop vector
        for (int g = 0; g < GROUPS; g++) {
            float psi = in[t * GROUPS + g];
            for (int s = 0; s < SEGMENTS; s++) {
                unsigned random = mix(t * SEGMENTS + s);
                int region = random % REGIONS, height = random / REGIONS % HEIGHTS, at = (region * HEIGHTS + height) * GROUPS + g;
                float q0, q1, q2, y2 = source[at];
                if (height == 0) {
                    q1 = (source[at + GROUPS] - y2) / DZ;
                    q0 = y2 + q1 * ZIN;
                    q2 = 0;
                } else if (height == HEIGHTS - 1) {
                    q1 = (y2 - source[at - GROUPS]) / DZ;
                    q0 = y2 + q1 * ZIN;
                    q2 = 0;
                } else {
                    float y1 = source[at - GROUPS], y3 = source[at + GROUPS];
                    float c1 = (y3 - y1) / (2 * DZ), c2 = (y1 - 2 * y2 + y3) / (2 * DZ * DZ);
                    q0 = y2 + c1 * ZIN + c2 * ZIN * ZIN;
                    q1 = c1 + 2 * c2 * ZIN;
                    q2 = c2;
                }
                float sig = sigma[region * GROUPS + g], tau = sig * DS, sig2 = sig * sig, lost = 1 - expf(-tau);
                float reuse = (tau * (tau - 2) + 2 * lost) / (sig * sig2);
                float integral = (q0 * tau + (sig * psi - q0) * lost) / sig2 + q1 * MU * reuse +
                                 q2 * MU2 * (tau * (tau * (tau - 3) + 6) - 6 * lost) / (3 * sig2 * sig2);
#pragma acc atomic update
#pragma omp atomic update
                flux[at] += WEIGHT * integral;
                psi = q0 * lost / sig + q1 * MU * (tau - lost) / sig2 + q2 * MU2 * reuse + psi * (1 - lost);
            }
            out[t * GROUPS + g] = psi;
        }
    }
}
#else
typedef float spectrum[GROUPS];
struct region { spectrum source[HEIGHTS], sigma; };
struct quadratic { float q0, q1, q2; };

#pragma acc routine seq
static struct quadratic fit(const struct region *r, size_t height, size_t g)
{
    struct quadratic q = {r->source[height][g], 0, 0};
    if (height == 0 || height == HEIGHTS - 1) {
        size_t low = height == 0 ? 0 : HEIGHTS - 2;
        q.q1 = (r->source[low + 1][g] - r->source[low][g]) / DZ;
        q.q0 += q.q1 * ZIN;
        return q;
    }
    const float below = r->source[height - 1][g], above = r->source[height + 1][g];
    const float slope = (above - below) / (2 * DZ), bend = (below - 2 * q.q0 + above) / (2 * DZ * DZ);
    q.q0 += slope * ZIN + bend * ZIN * ZIN;
    q.q1 = slope + 2 * bend * ZIN;
    q.q2 = bend;
    return q;
}

static void attenuate(size_t tracks, struct region *regions, spectrum *in, spectrum *out, spectrum (*flux)[HEIGHTS])
{
#pragma acc data present(regions[0:REGIONS], in[0:tracks], out[0:tracks], flux[0:REGIONS])
    {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for
        for (size_t r = 0; r < REGIONS; ++r)
            for (size_t h = 0; h < HEIGHTS; ++h)
                for (size_t g = 0; g < GROUPS; ++g)
                    flux[r][h][g] = 0;
#pragma acc parallel loop gang vector collapse(2)
#pragma omp parallel for
        for (size_t t = 0; t < tracks; ++t)
            for (size_t g = 0; g < GROUPS; ++g) {
                float psi = in[t][g];
#pragma acc loop seq
                for (size_t s = 0; s < SEGMENTS; ++s) {
                    const unsigned random = mix((unsigned)(t * SEGMENTS + s));
                    const size_t id = random % REGIONS, height = random / REGIONS % HEIGHTS;
                    const struct region *r = &regions[id];
                    const struct quadratic q = fit(r, height, g);
                    const float sig = r->sigma[g], tau = sig * DS, sig2 = sig * sig, lost = 1 - expf(-tau);
                    const float reuse = (tau * (tau - 2) + 2 * lost) / (sig * sig2);
                    float tally = (q.q0 * tau + (sig * psi - q.q0) * lost) / sig2;
                    tally += q.q1 * MU * reuse;
                    tally += q.q2 * MU2 * (tau * (tau * (tau - 3) + 6) - 6 * lost) / (3 * sig2 * sig2);
#pragma acc atomic
#pragma omp atomic
                    flux[id][height][g] += WEIGHT * tally;
                    psi = q.q0 * lost / sig + q.q1 * MU * (tau - lost) / sig2 + q.q2 * MU2 * reuse + psi * (1 - lost);
                }
                out[t][g] = psi;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int tracks = TRACKS >> args.shift, all = tracks * GROUPS;
    float *source = NEW(float, FLUXES), *sigma = NEW(float, REGIONS *GROUPS), *in = NEW(float, all), *out = NEW(float, all),
          *flux = NEW(float, FLUXES);
    double sum = 0;
    for (int k = 0; k < FLUXES; k++)
        source[k] = 1 + 0.1f * number(k);
    for (int k = 0; k < REGIONS * GROUPS; k++)
        sigma[k] = 1 + number(k);
    FILL(in, all, 2);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(source[0:FLUXES], sigma[0:REGIONS * GROUPS], in[0:all]) create(out[0:all], flux[0:FLUXES])
    while (lap(&t))
        attenuate(tracks, source, sigma, in, out, flux);
#else
    struct region *regions = NEW(struct region, REGIONS);
    for (int k = 0; k < FLUXES; k++)
        regions[k / GROUPS / HEIGHTS].source[k / GROUPS % HEIGHTS][k % GROUPS] = source[k];
    for (int k = 0; k < REGIONS * GROUPS; k++)
        regions[k / GROUPS].sigma[k % GROUPS] = sigma[k];
#pragma acc enter data copyin(regions[0:REGIONS], in[0:all]) create(out[0:all], flux[0:FLUXES])
    while (lap(&t))
        attenuate(tracks, regions, (spectrum *)in, (spectrum *)out, (spectrum(*)[HEIGHTS])flux);
#endif
#pragma acc update self(out[0:all], flux[0:FLUXES])
    SUM(sum, out, all);
    SUM(sum, flux, FLUXES);
    report("attenuate", t.best, sum);
    return 0;
}
