// The reciprocal part of Ewald's sum for 8192 charges, double: structure factors of about 2000 waves as sums over the charges, the energy, and forces as
// sums over the waves.
#include "../kernels.h"

enum { CHARGES = 8192, LARGEST = 10, WAVES = 2176 };
#define TURN 6.283185307179586

#if SPELLING == 1
static double ewald(int n, int waves, const double *restrict x, const double *restrict y, const double *restrict z, const double *restrict q,
                    const double *restrict kx, const double *restrict ky, const double *restrict kz, const double *restrict weight, double *restrict re,
                    double *restrict im, double *restrict fx, double *restrict fy, double *restrict fz)
{
    double energy = 0;
#pragma acc data present(x[0:n], y[0:n], z[0:n], q[0:n], kx[0:waves], ky[0:waves], kz[0:waves], weight[0:waves], re[0:waves], im[0:waves], fx[0:n], \
                         fy[0:n], fz[0:n])
    {
#pragma acc parallel loop gang reduction(+ : energy)
#pragma omp parallel for reduction(+ : energy)
        for (int k = 0; k < waves; k++) {
            double c = 0, s = 0;
#pragma acc loop vector reduction(+ : c, s)
            for (int i = 0; i < n; i++) {
                double phase = kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i];
                c += q[i] * cos(phase);
                s += q[i] * sin(phase);
            }
            re[k] = c;
            im[k] = s;
            energy += weight[k] * (c * c + s * s);
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double gx = 0, gy = 0, gz = 0;
            for (int k = 0; k < waves; k++) {
                double phase = kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i];
                double f = 2 * weight[k] * (sin(phase) * re[k] - cos(phase) * im[k]);
                gx += f * kx[k];
                gy += f * ky[k];
                gz += f * kz[k];
            }
            fx[i] = q[i] * gx;
            fy[i] = q[i] * gy;
            fz[i] = q[i] * gz;
        }
    }
    return energy;
}
#else
typedef struct { double x, y, z, q; } charge;
typedef struct { double x, y, z, weight, re, im; } wave;
typedef double vector3[3];
#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

static double ewald(unsigned n, unsigned waves, charge *charges, wave *wave_, vector3 *force)
{
    double energy = 0;
#pragma acc kernels present(charges[0:n], wave_[0:waves], force[0:n])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (unsigned k = 0; k < waves; ++k) {
            double sums[2] = {0, 0}, c = 0, s = 0;
#pragma acc loop independent vector reduction(+ : c, s)
            for (unsigned i = 0; i < n; ++i) {
                double phase = DOT(wave_[k], charges[i]);
                c += charges[i].q * cos(phase);
                s += charges[i].q * sin(phase);
            }
            sums[0] = c, sums[1] = s;
            wave_[k].re = sums[0];
            wave_[k].im = sums[1];
        }
#pragma acc loop independent reduction(+ : energy)
        for (unsigned k = 0; k < waves; ++k)
            energy += wave_[k].weight * (wave_[k].re * wave_[k].re + wave_[k].im * wave_[k].im);
#pragma acc loop independent gang
#pragma omp parallel for
        for (unsigned i = 0; i < n; ++i) {
            double x = 0, y = 0, z = 0;
#pragma acc loop independent vector reduction(+ : x, y, z)
            for (unsigned k = 0; k < waves; ++k) {
                wave w = wave_[k];
                double phase = DOT(w, charges[i]), f = 2 * w.weight * (sin(phase) * w.re - cos(phase) * w.im);
                x += f * w.x;
                y += f * w.y;
                z += f * w.z;
            }
            force[i][0] = charges[i].q * x;
            force[i][1] = charges[i].q * y;
            force[i][2] = charges[i].q * z;
        }
    }
    return energy;
}
#endif

// Waves of one half of the space within a sphere; returns how many.
static int wave_vectors(double *kx, double *ky, double *kz, double *weight)
{
    int waves = 0;
    for (int a = 0; a <= LARGEST; a++)
        for (int b = -LARGEST; b <= LARGEST; b++)
            for (int c = -LARGEST; c <= LARGEST; c++) {
                int r2 = a * a + b * b + c * c;
                if (r2 == 0 || r2 > LARGEST * LARGEST || waves == WAVES || (a == 0 && (b < 0 || (b == 0 && c < 0))))
                    continue;
                kx[waves] = TURN * a;
                ky[waves] = TURN * b;
                kz[waves] = TURN * c;
                weight[waves++] = exp(-r2 * 0.02) / r2;
            }
    return waves;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CHARGES >> args.shift;
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *q = NEW(double, n), *kx = NEW(double, WAVES), *ky = NEW(double, WAVES),
           *kz = NEW(double, WAVES), *weight = NEW(double, WAVES), energy = 0, sum = 0;
    int waves = wave_vectors(kx, ky, kz, weight);
    for (int i = 0; i < n; i++) {
        x[i] = number(i);
        y[i] = number(i + 100003);
        z[i] = number(i + 200003);
        q[i] = i % 2 ? 1 : -1;
    }
#if SPELLING == 1
    double *re = NEW(double, WAVES), *im = NEW(double, WAVES), *fx = NEW(double, n), *fy = NEW(double, n), *fz = NEW(double, n);
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], q[0:n], kx[0:waves], ky[0:waves], kz[0:waves], weight[0:waves])
#pragma acc enter data create(re[0:waves], im[0:waves], fx[0:n], fy[0:n], fz[0:n])
#else
    charge *charges = NEW(charge, n);
    wave *all = NEW(wave, WAVES);
    vector3 *force = NEW(vector3, n);
    for (int i = 0; i < n; i++)
        charges[i] = (charge){x[i], y[i], z[i], q[i]};
    for (int k = 0; k < waves; k++)
        all[k] = (wave){kx[k], ky[k], kz[k], weight[k], 0, 0};
#pragma acc enter data copyin(charges[0:n], all[0:waves]) create(force[0:n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        energy = ewald(n, waves, x, y, z, q, kx, ky, kz, weight, re, im, fx, fy, fz);
#else
        energy = ewald(n, waves, charges, all, force);
#endif
    }
#if SPELLING == 1
#pragma acc update self(fx[0:n], fy[0:n], fz[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(fx[i]) + fabs(fy[i]) + fabs(fz[i]);
#else
#pragma acc update self(force[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(force[i][0]) + fabs(force[i][1]) + fabs(force[i][2]);
#endif
    report("ewald", t.best, sum + energy);
    return 0;
}
