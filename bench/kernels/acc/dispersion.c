// The dispersion of 8192 atoms of five elements in pairs (Grimme's D3 with the damping of Becke and Johnson), double: how
// many neighbours each atom has, from these weights of its five reference states, and energies of all pairs by a table.
#include "../kernels.h"

enum { ATOMS = 8192, ELEMENTS = 5, STATES = 5 };

#define DAMP_A 0.4289
#define DAMP_B 4.4407
#define S8 0.7875

#if SPELLING == 1
static double dispersion(int n, const double *restrict x, const double *restrict y, const double *restrict z,
                         const int *restrict type, const double *restrict radius, const double *restrict q,
                         const double *restrict reference, const double *restrict c6, double *restrict neighbours,
                         double *restrict weight, double *restrict energy)
{
    double total = 0;
#pragma acc data present(x[0:n], y[0:n], z[0:n], type[0:n], radius[0:ELEMENTS], q[0:ELEMENTS]) \
    present(reference[0:ELEMENTS * STATES], c6[0:ELEMENTS * ELEMENTS * STATES * STATES]) \
    present(neighbours[0:n], weight[0:n * STATES], energy[0:n])
    {
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < n; j++)
                if (j != i) {
                    double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
                    double r = sqrt(dx * dx + dy * dy + dz * dz);
                    sum += 1 / (1 + exp(-16 * (4.0 / 3 * (radius[type[i]] + radius[type[j]]) / r - 1)));
                }
            neighbours[i] = sum;
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double norm = 0;
            for (int a = 0; a < STATES; a++) {
                double d = neighbours[i] - reference[type[i] * STATES + a];
                weight[i * STATES + a] = exp(-4 * d * d);
                norm += weight[i * STATES + a];
            }
            for (int a = 0; a < STATES; a++)
                weight[i * STATES + a] /= norm;
        }
#pragma acc parallel loop gang reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < n; i++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int j = 0; j < n; j++) {
                if (j == i)
                    continue;
                double c = 0;
                for (int a = 0; a < STATES; a++)
                    for (int b = 0; b < STATES; b++)
                        c += weight[i * STATES + a] * weight[j * STATES + b] *
                             c6[((type[i] * ELEMENTS + type[j]) * STATES + a) * STATES + b];
                double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r2 = dx * dx + dy * dy + dz * dz;
                double ratio = 3 * q[type[i]] * q[type[j]], f = DAMP_A * sqrt(ratio) + DAMP_B, f2 = f * f;
                double r6 = r2 * r2 * r2, f6 = f2 * f2 * f2;
                sum -= 0.5 * c * (1 / (r6 + f6) + S8 * ratio / (r6 * r2 + f6 * f2));
            }
            energy[i] = sum;
            total += sum;
        }
    }
    return total;
}
#else
struct element { double radius, q, reference[STATES]; };
struct atom { double x, y, z; int type; };

#pragma acc routine seq
static double squared(const struct atom *a, const struct atom *b)
{
    double d[3] = {a->x - b->x, a->y - b->y, a->z - b->z};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static double dispersion(size_t n, const struct atom *atoms, const struct element *kinds,
                         double (*c6)[ELEMENTS][STATES][STATES], double *neighbours, double (*weight)[STATES],
                         double *energy)
{
    double total = 0;
#pragma acc parallel loop gang vector present(atoms[0:n], kinds[0:ELEMENTS], neighbours[0:n], weight[0:n], energy[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        double sum = 0, norm = 0, w[STATES];
        for (size_t j = 0; j < n; ++j) {
            if (i == j)
                continue;
            double together = kinds[atoms[i].type].radius + kinds[atoms[j].type].radius;
            sum += 1 / (1 + exp(16 - 64 * together / (3 * sqrt(squared(atoms + i, atoms + j)))));
        }
        neighbours[i] = sum;
        for (int a = 0; a < STATES; ++a) {
            double d = sum - kinds[atoms[i].type].reference[a];
            norm += w[a] = exp(-4 * d * d);
        }
        for (int a = 0; a < STATES; ++a)
            weight[i][a] = w[a] / norm;
        energy[i] = 0;
    }
    // each pair once
#pragma acc parallel loop gang reduction(+ : total) present(atoms[0:n], kinds[0:ELEMENTS], c6[0:ELEMENTS]) \
    present(weight[0:n], energy[0:n])
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 16)
    for (size_t i = 1; i < n; ++i) {
        const struct atom me = atoms[i];
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (size_t j = 0; j < i; ++j) {
            const struct atom other = atoms[j];
            double c = 0, r2 = squared(&me, &other), ratio = 3 * kinds[me.type].q * kinds[other.type].q;
            for (int a = 0; a < STATES; ++a) {
                double part = 0;
                for (int b = 0; b < STATES; ++b)
                    part += c6[me.type][other.type][a][b] * weight[j][b];
                c += part * weight[i][a];
            }
            double f2 = pow(DAMP_A * sqrt(ratio) + DAMP_B, 2), r6 = r2 * r2 * r2, f6 = f2 * f2 * f2;
            double e = c / (r6 + f6) + S8 * c * ratio / (r6 * r2 + f6 * f2);
            sum -= e;
#pragma acc atomic update
#pragma omp atomic
            energy[j] -= 0.5 * e;
        }
#pragma acc atomic update
#pragma omp atomic
        energy[i] += 0.5 * sum;
        total += sum;
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift, pairs = ELEMENTS * ELEMENTS * STATES * STATES;
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *neighbours = NEW(double, n);
    double *weight = NEW(double, n * STATES), *energy = NEW(double, n), *c6 = NEW(double, pairs), total = 0, sum = 0;
    double radius[ELEMENTS] = {0.35, 0.75, 0.7, 0.65, 1.1}, q[ELEMENTS] = {2.0, 3.1, 2.7, 2.6, 5.0};
    double reference[ELEMENTS * STATES];
    int *type = NEW(int, n);
    for (int i = 0; i < n; i++) {
        x[i] = 2.9 * (i % 16) + number(3 * i);
        y[i] = 2.9 * (i / 16 % 16) + number(3 * i + 1);
        z[i] = 2.9 * (i / 256) + number(3 * i + 2);
        type[i] = mix(i) % ELEMENTS;
    }
    for (int k = 0; k < ELEMENTS * STATES; k++)
        reference[k] = k % STATES + 0.3 * number(k);
    for (int k = 0; k < pairs; k++) {
        int a = k / STATES % STATES, b = k % STATES, s = k / (STATES * STATES) / ELEMENTS, t = k / (STATES * STATES) % ELEMENTS;
        c6[k] = (4 + 7 * s) * (4 + 7 * t) * (0.4 + 1 / (2.0 + a + b)) * (1 + 0.1 * (a * b) / (1 + a + b));
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], type[0:n], radius, q, reference, c6[0:pairs]) \
    create(neighbours[0:n], weight[0:n * STATES], energy[0:n])
    while (lap(&t))
        total = dispersion(n, x, y, z, type, radius, q, reference, c6, neighbours, weight, energy);
#pragma acc update self(neighbours[0:n], energy[0:n])
#else
    struct atom *atoms = NEW(struct atom, n);
    struct element kinds[ELEMENTS];
    double(*table)[ELEMENTS][STATES][STATES] = (double(*)[ELEMENTS][STATES][STATES])c6;
    double(*weights)[STATES] = (double(*)[STATES])weight;
    for (int i = 0; i < n; i++)
        atoms[i] = (struct atom){x[i], y[i], z[i], type[i]};
    for (int e = 0; e < ELEMENTS; e++) {
        kinds[e].radius = radius[e];
        kinds[e].q = q[e];
        for (int a = 0; a < STATES; a++)
            kinds[e].reference[a] = reference[e * STATES + a];
    }
#pragma acc enter data copyin(atoms[0:n], kinds, table[0:ELEMENTS]) create(neighbours[0:n], weights[0:n], energy[0:n])
    while (lap(&t))
        total = dispersion(n, atoms, kinds, table, neighbours, weights, energy);
#pragma acc update self(neighbours[0:n], energy[0:n])
#endif
    for (int i = 0; i < n; i++)
        sum += neighbours[i] * 1e-3 - energy[i] * (1 + i % 7);
    report("dispersion", t.best, sum - total);
    return 0;
}
