// Forces between the 64000 atoms of a warm silicon crystal by Stillinger and Weber's potential, double: pairs, and triplets around each atom
// whose forces are added to both of its neighbours; lists of the 16 nearest, and the energy.
#include "../kernels.h"

enum { SIDE = 20, NEAR = 16 };

#define CELL 2.5923
#define A 7.049556277
#define B 0.6022245584
#define CUT 1.8
#define LAMBDA 21.0
#define GAMMA 1.2

#if SPELLING == 1
static double forces(int n, double wide, double deep, const int *restrict list, const double *restrict x, const double *restrict y,
                     const double *restrict z, double *restrict fx, double *restrict fy, double *restrict fz)
{
    double energy = 0;
#pragma acc parallel loop present(fx[0:n], fy[0:n], fz[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        fx[i] = fy[i] = fz[i] = 0;
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : energy)                                          \
    present(list[0:NEAR * n], x[0:n], y[0:n], z[0:n], fx[0:n], fy[0:n], fz[0:n])
#pragma omp parallel for reduction(+ : energy)
    for (int i = 0; i < n; i++) {
        double ux[NEAR], uy[NEAR], uz[NEAR], r[NEAR], px = 0, py = 0, pz = 0;
        int who[NEAR], many = 0;
        for (int k = 0; k < NEAR; k++) {
            int j = list[k * n + i];
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            dx -= wide * round(dx / wide);
            dy -= wide * round(dy / wide);
            dz -= deep * round(dz / deep);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= CUT * CUT)
                continue;
            double d = sqrt(r2), r4 = 1 / (r2 * r2), away = exp(1 / (d - CUT));
            ux[many] = dx / d;
            uy[many] = dy / d;
            uz[many] = dz / d;
            r[many] = d;
            who[many] = j;
            energy += 0.5 * A * (B * r4 - 1) * away;
            double slope = -A * away * (4 * B * r4 / d + (B * r4 - 1) / ((d - CUT) * (d - CUT)));
            px += slope * ux[many];
            py += slope * uy[many];
            pz += slope * uz[many];
            many++;
        }
        for (int a = 0; a < many - 1; a++) {
            double ga = GAMMA / (r[a] - CUT), ax = 0, ay = 0, az = 0;
            for (int b = a + 1; b < many; b++) {
                double gb = GAMMA / (r[b] - CUT), cosine = ux[a] * ux[b] + uy[a] * uy[b] + uz[a] * uz[b], c = cosine + 1.0 / 3;
                double e = LAMBDA * exp(ga + gb), la = e * c * c * ga / (r[a] - CUT), lb = e * c * c * gb / (r[b] - CUT);
                double ta = 2 * e * c / r[a], tb = 2 * e * c / r[b];
                energy += e * c * c;
                ax += la * ux[a] - ta * (ux[b] - cosine * ux[a]);
                ay += la * uy[a] - ta * (uy[b] - cosine * uy[a]);
                az += la * uz[a] - ta * (uz[b] - cosine * uz[a]);
                double bx = lb * ux[b] - tb * (ux[a] - cosine * ux[b]), by = lb * uy[b] - tb * (uy[a] - cosine * uy[b]),
                       bz = lb * uz[b] - tb * (uz[a] - cosine * uz[b]);
                px -= bx;
                py -= by;
                pz -= bz;
#pragma acc atomic update
#pragma omp atomic
                fx[who[b]] += bx;
#pragma acc atomic update
#pragma omp atomic
                fy[who[b]] += by;
#pragma acc atomic update
#pragma omp atomic
                fz[who[b]] += bz;
            }
            px -= ax;
            py -= ay;
            pz -= az;
#pragma acc atomic update
#pragma omp atomic
            fx[who[a]] += ax;
#pragma acc atomic update
#pragma omp atomic
            fy[who[a]] += ay;
#pragma acc atomic update
#pragma omp atomic
            fz[who[a]] += az;
        }
#pragma acc atomic update
#pragma omp atomic
        fx[i] += px;
#pragma acc atomic update
#pragma omp atomic
        fy[i] += py;
#pragma acc atomic update
#pragma omp atomic
        fz[i] += pz;
    }
    return energy;
}
#else
struct vec { double x, y, z; };
struct bond { struct vec u; double r, g; int to; };

static inline double folded(double d, double length) { return d > length / 2 ? d - length : d < -length / 2 ? d + length : d; }
static inline double dot(const struct vec *a, const struct vec *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

static inline void scaled_add(struct vec *to, double s, const struct vec *v)
{
    to->x += s * v->x;
    to->y += s * v->y;
    to->z += s * v->z;
}

static inline void give(double *fx, double *fy, double *fz, int atom, struct vec f)
{
#pragma acc atomic
#pragma omp atomic
    fx[atom] += f.x;
#pragma acc atomic
#pragma omp atomic
    fy[atom] += f.y;
#pragma acc atomic
#pragma omp atomic
    fz[atom] += f.z;
}

static double forces(unsigned n, double wide, double deep, const int *list_, double *x, double *y, double *z, double *fx, double *fy, double *fz)
{
    const int(*list)[n] = (const int(*)[n])list_;
    double pairs = 0, triplets = 0;
#pragma acc parallel present(list[0:NEAR], x[0:n], y[0:n], z[0:n], fx[0:n], fy[0:n], fz[0:n])
    {
#pragma acc loop gang vector
#pragma omp parallel for
        for (unsigned i = 0; i < n; ++i) {
            fx[i] = 0;
            fy[i] = 0;
            fz[i] = 0;
        }
    }
#pragma acc parallel loop reduction(+ : pairs, triplets) present(list[0:NEAR], x[0:n], y[0:n], z[0:n], fx[0:n], fy[0:n], fz[0:n])
#pragma omp parallel for reduction(+ : pairs, triplets)
    for (unsigned i = 0; i < n; ++i) {
        struct bond bonds[NEAR], *end = bonds;
        struct vec own = {0, 0, 0};
        for (int k = 0; k != NEAR; ++k) {
            struct bond *b = end;
            b->to = list[k][i];
            b->u = (struct vec){folded(x[b->to] - x[i], wide), folded(y[b->to] - y[i], wide), folded(z[b->to] - z[i], deep)};
            b->r = sqrt(dot(&b->u, &b->u));
            if (b->r < CUT) {
                double inverse = 1 / b->r, beyond = 1 / (b->r - CUT), r4 = inverse * inverse * inverse * inverse, away = A * exp(beyond);
                b->u = (struct vec){b->u.x * inverse, b->u.y * inverse, b->u.z * inverse};
                b->g = GAMMA * beyond;
                pairs += 0.5 * (B * r4 - 1) * away;
                scaled_add(&own, -away * (4 * B * r4 * inverse + (B * r4 - 1) * beyond * beyond), &b->u);
                ++end;
            }
        }
        for (struct bond *a = bonds; a < end; ++a) {
            struct vec fa = {0, 0, 0};
            for (struct bond *b = a + 1; b < end; ++b) {
                double cosine = dot(&a->u, &b->u), c = cosine + 1.0 / 3, e = LAMBDA * exp(a->g + b->g), h = e * c * c;
                struct vec fb = {0, 0, 0};
                triplets += h;
                scaled_add(&fa, h * a->g / (a->r - CUT) + 2 * e * c * cosine / a->r, &a->u);
                scaled_add(&fa, -2 * e * c / a->r, &b->u);
                scaled_add(&fb, h * b->g / (b->r - CUT) + 2 * e * c * cosine / b->r, &b->u);
                scaled_add(&fb, -2 * e * c / b->r, &a->u);
                give(fx, fy, fz, b->to, fb);
                scaled_add(&own, -1, &fb);
            }
            give(fx, fy, fz, a->to, fa);
            scaled_add(&own, -1, &fa);
        }
        give(fx, fy, fz, i, own);
    }
    return pairs + triplets;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE, layers = SIDE >> (args.shift + 1) / 2, n = 8 * side * side * layers, *list = NEW(int, NEAR * n);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *fx = NEW(double, n), *fy = NEW(double, n), *fz = NEW(double, n),
           energy = 0, sum = 0;
    // In quarters of a cell, an atom is where all are even and their sum a multiple of four, and at one more of each.
    int *at = NEW(int, 64 * side * side * layers), many = 0, w = 4 * side, d = 4 * layers;
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < w * w * d; p++) {
            int i = p % w, j = p / w % w, k = p / w / w, odd = i & 1, here[3] = {i - odd, j - odd, k - odd}, found = 0;
            if ((j & 1) != odd || (k & 1) != odd || (here[0] + here[1] + here[2]) % 4)
                continue;
            if (pass == 0) {
                x[many] = 0.25 * CELL * i + 0.2 * number(3 * many);
                y[many] = 0.25 * CELL * j + 0.2 * number(3 * many + 1);
                z[many] = 0.25 * CELL * k + 0.2 * number(3 * many + 2);
                at[p] = many++;
                continue;
            }
            for (int q = 0; q < 125; q++) {
                int a = q % 5 - 2, b = q / 5 % 5 - 2, c = q / 25 - 2, far = a * a + b * b + c * c, sign = odd ? -1 : 1;
                if (far == 8 && a * b * c == 0 || far == 3 && a * b * c * sign > 0)
                    list[found++ * n + at[p]] = at[((k + c + d) % d * w + (j + b + w) % w) * w + (i + a + w) % w];
            }
        }
#pragma acc enter data copyin(list[0:NEAR * n], x[0:n], y[0:n], z[0:n]) create(fx[0:n], fy[0:n], fz[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        energy = forces(n, side * CELL, layers * CELL, list, x, y, z, fx, fy, fz);
#pragma acc update self(fx[0:n], fy[0:n], fz[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(fx[i]) + fabs(fy[i]) + fabs(fz[i]);
    report("silicon", t.best, sum + fabs(energy));
    return 0;
}
