// Sunlight in 4096 columns of 60 layers of air and clouds for 14 bands, double: reflection and transmission of each
// layer in the two-stream approximation (delta-Eddington, quadrature as Meador and Weaver have it), layers added up
// from the ground, and the fluxes of all bands.
#include "../kernels.h"

enum { COLUMNS = 4096, LAYERS = 60, BANDS = 14 };

#if SPELLING == 1
// Gases and clouds: [layer][column], factors of the bands; fluxes: [level][column], one for all bands.
static void sunlight(int n, const double *restrict gas, const double *restrict cloud, const double *restrict cosine,
                     const double *restrict ground, const double *restrict absorbs, const double *restrict albedo,
                     const double *restrict asymmetry, const double *restrict sun, double *restrict up,
                     double *restrict down)
{
#pragma acc parallel loop gang vector vector_length(64)                                                        \
    present(gas[0:LAYERS * n], cloud[0:LAYERS * n], cosine[0:n], ground[0:n], absorbs[0:BANDS], albedo[0:BANDS], \
                asymmetry[0:BANDS], sun[0:BANDS], up[0:(LAYERS + 1) * n], down[0:(LAYERS + 1) * n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double mu = cosine[c], total_up[LAYERS + 1], total_down[LAYERS + 1];
        for (int l = 0; l <= LAYERS; l++)
            total_up[l] = total_down[l] = 0;
        for (int b = 0; b < BANDS; b++) {
            double reflects[LAYERS], passes[LAYERS], direct_up[LAYERS], direct_down[LAYERS], beam[LAYERS + 1];
            double below[LAYERS + 1], source[LAYERS + 1];
            beam[0] = sun[b] * mu;
            for (int l = 0; l < LAYERS; l++) {
                double tg = gas[l * n + c] * absorbs[b], tc = cloud[l * n + c], tau = tg + tc + 1e-6;
                double w = fmin(tc * albedo[b] / tau, 0.999999), g = asymmetry[b], f = g * g;
                tau *= 1 - w * f;
                w = w * (1 - f) / (1 - w * f);
                g = g / (1 + g);
                double g1 = (7 - w * (4 + 3 * g)) / 4, g2 = -(1 - w * (4 - 3 * g)) / 4, g3 = (2 - 3 * mu * g) / 4,
                       g4 = 1 - g3;
                double k = sqrt(g1 * g1 - g2 * g2), e = exp(-k * tau), e2 = e * e, t0 = exp(-tau / mu);
                double den = 1 / (k + g1 + (k - g1) * e2), a1 = g1 * g4 + g2 * g3, a2 = g1 * g3 + g2 * g4, km = k * mu;
                double one = 1 - km * km;
                if (fabs(one) < 1e-6)
                    one = one < 0 ? -1e-6 : 1e-6;
                reflects[l] = g2 * (1 - e2) * den;
                passes[l] = 2 * k * e * den;
                direct_up[l] =
                    w * den / one *
                    ((1 - km) * (a2 + k * g3) - (1 + km) * (a2 - k * g3) * e2 - 2 * k * (g3 - a2 * mu) * e * t0);
                direct_down[l] =
                    -w * den / one *
                    ((1 + km) * (a1 + k * g4) * t0 - (1 - km) * (a1 - k * g4) * e2 * t0 - 2 * k * (g4 + a1 * mu) * e);
                beam[l + 1] = beam[l] * t0;
            }
            below[LAYERS] = ground[c];
            source[LAYERS] = ground[c] * beam[LAYERS];
            for (int l = LAYERS - 1; l >= 0; l--) {
                double s = 1 / (1 - below[l + 1] * reflects[l]), d = direct_down[l] * beam[l] / mu;
                below[l] = reflects[l] + passes[l] * passes[l] * below[l + 1] * s;
                source[l] = direct_up[l] * beam[l] / mu + passes[l] * (source[l + 1] + below[l + 1] * d) * s;
            }
            double flux = 0;
            total_up[0] += source[0];
            total_down[0] += beam[0];
            for (int l = 0; l < LAYERS; l++) {
                double s = 1 / (1 - below[l + 1] * reflects[l]), d = direct_down[l] * beam[l] / mu;
                flux = (passes[l] * flux + reflects[l] * source[l + 1] + d) * s;
                total_up[l + 1] += below[l + 1] * flux + source[l + 1];
                total_down[l + 1] += flux + beam[l + 1];
            }
        }
        for (int l = 0; l <= LAYERS; l++) {
            up[l * n + c] = total_up[l];
            down[l * n + c] = total_down[l];
        }
    }
}
#else
struct band { double absorbs, albedo, asymmetry, sun; };
struct air { double gas, cloud; };
struct layer { double r, t, up, down, beam; };

// What a layer does with light from all sides and from the sun.
#pragma acc routine seq
static inline struct layer two_stream(struct air air, struct band b, double mu)
{
    double scattered = air.cloud * b.albedo, tau = air.gas * b.absorbs + air.cloud + 1e-6, w = scattered / tau;
    if (w > 0.999999)
        w = 0.999999;
    double f = b.asymmetry * b.asymmetry, scale = 1 - w * f, g = b.asymmetry / (1 + b.asymmetry);
    tau *= scale;
    w *= (1 - f) / scale;
    double g1 = 0.25 * (7 - w * (4 + 3 * g)), g2 = -0.25 * (1 - w * (4 - 3 * g)), g3 = 0.25 * (2 - 3 * mu * g),
           g4 = 1 - g3;
    double k = sqrt((g1 - g2) * (g1 + g2)), e = exp(-k * tau), t0 = exp(-tau / mu), km = k * mu, one = 1 - km * km;
    double a1 = g1 * g4 + g2 * g3, a2 = g1 * g3 + g2 * g4, den = 1 / (k + g1 + (k - g1) * e * e);
    one = fabs(one) >= 1e-6 ? one : copysign(1e-6, one);
    struct layer l = {g2 * (1 - e * e) * den, 2 * k * e * den, 0, 0, t0};
    l.up = (1 - km) * (a2 + k * g3) - (1 + km) * (a2 - k * g3) * e * e - 2 * k * (g3 - a2 * mu) * e * t0;
    l.down = 2 * k * (g4 + a1 * mu) * e - (1 + km) * (a1 + k * g4) * t0 + (1 - km) * (a1 - k * g4) * e * e * t0;
    l.up *= w * den / one;
    l.down *= w * den / one;
    return l;
}

// A gang a column, a lane a band, and sums over the bands level by level.
static void sunlight(size_t n, struct air *air, double *cosine, double *ground, struct band *bands, double *up,
                     double *down)
{
#pragma acc parallel loop gang vector_length(32) \
    present(air[0:LAYERS * n], cosine[0:n], ground[0:n], bands[0:BANDS]) \
    present(up[0:(LAYERS + 1) * n], down[0:(LAYERS + 1) * n])
#pragma omp parallel for
    for (size_t c = 0; c < n; ++c) {
        double ups[LAYERS + 1][BANDS], downs[LAYERS + 1][BANDS];
#pragma acc loop vector
        for (int b = 0; b < BANDS; ++b) {
            const double mu = cosine[c];
            double direct = bands[b].sun * mu, below[LAYERS + 1], source[LAYERS + 1];
            struct layer layers[LAYERS];
            for (int l = 0; l < LAYERS; ++l) {
                struct layer own = two_stream(air[l * n + c], bands[b], mu);
                own.up *= direct / mu;
                own.down *= direct / mu;
                direct *= own.beam;
                own.beam = direct;
                layers[l] = own;
            }
            below[LAYERS] = ground[c];
            source[LAYERS] = ground[c] * direct;
            for (int l = LAYERS; l-- > 0;) {
                double many = 1 / (1 - below[l + 1] * layers[l].r);
                source[l] = layers[l].up + layers[l].t * many * (source[l + 1] + below[l + 1] * layers[l].down);
                below[l] = layers[l].r + layers[l].t * layers[l].t * many * below[l + 1];
            }
            double diffuse = 0;
            ups[0][b] = source[0];
            downs[0][b] = bands[b].sun * mu;
            for (int l = 0; l < LAYERS; ++l) {
                double many = 1 / (1 - below[l + 1] * layers[l].r);
                diffuse = many * (layers[l].t * diffuse + layers[l].r * source[l + 1] + layers[l].down);
                ups[l + 1][b] = below[l + 1] * diffuse + source[l + 1];
                downs[l + 1][b] = diffuse + layers[l].beam;
            }
        }
#pragma acc loop vector
        for (int l = 0; l <= LAYERS; ++l) {
            double u = 0, d = 0;
            for (int b = 0; b < BANDS; ++b) {
                u += ups[l][b];
                d += downs[l][b];
            }
            up[l * n + c] = u;
            down[l * n + c] = d;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = LAYERS * n, levels = (LAYERS + 1) * n;
    double *gas = NEW(double, all), *cloud = NEW(double, all), *cosine = NEW(double, n), *ground = NEW(double, n);
    double *up = NEW(double, levels), *down = NEW(double, levels), sum = 0;
    double absorbs[BANDS], albedo[BANDS], asymmetry[BANDS], sun[BANDS];
    for (int b = 0; b < BANDS; b++) {
        absorbs[b] = exp(-0.5 * b);
        albedo[b] = 0.999 - 0.02 * b;
        asymmetry[b] = 0.8 + 0.005 * b;
        sun[b] = 20 + 12 * number(b);
    }
    for (int k = 0; k < all; k++) {
        int l = k / n, c = k % n;
        gas[k] = 0.3 * exp(-(LAYERS - 1 - l) / 12.0) * (0.5 + number(k));
        cloud[k] = l > 25 && l < 50 && mix(c * 8 + l / 8) % 3 == 0 ? 3 * number(k + 3) : 0;
    }
    for (int c = 0; c < n; c++) {
        cosine[c] = 0.1 + 0.85 * number(c + 17);
        ground[c] = 0.05 + 0.5 * number(c + 23);
    }
#if SPELLING == 1
#pragma acc enter data copyin(gas[0:all], cloud[0:all], absorbs, albedo, asymmetry, sun)
#else
    struct air *air = NEW(struct air, all);
    struct band bands[BANDS];
    for (int k = 0; k < all; k++)
        air[k] = (struct air){gas[k], cloud[k]};
    for (int b = 0; b < BANDS; b++)
        bands[b] = (struct band){absorbs[b], albedo[b], asymmetry[b], sun[b]};
#pragma acc enter data copyin(air[0:all], bands)
#endif
#pragma acc enter data copyin(cosine[0:n], ground[0:n]) create(up[0:levels], down[0:levels])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        sunlight(n, gas, cloud, cosine, ground, absorbs, albedo, asymmetry, sun, up, down);
#else
        sunlight(n, air, cosine, ground, bands, up, down);
#endif
    }
#pragma acc update self(up[0:levels], down[0:levels])
    for (int k = 0; k < levels; k++)
        sum += (1 + k % 7) * (up[k] + 2 * down[k]);
    report("twostream", t.best, sum);
    return 0;
}
