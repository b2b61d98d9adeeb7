// Forces of 2^21 torsions around the bonds of chains of 2^20 atoms, double: a thread a torsion, atomic additions, energy by shuffles.
#include "kernels.cuh"

enum { ATOMS = 1 << 20, KINDS = 16 };

__device__ double3 minus(double3 a, double3 b) { return make_double3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ double3 cross(double3 a, double3 b) { return make_double3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
__device__ double3 scaled(double s, double3 a) { return make_double3(s * a.x, s * a.y, s * a.z); }
__device__ double dot(double3 a, double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ void push(double3 *force, double3 by)
{
    atomicAdd(&force->x, by.x);
    atomicAdd(&force->y, by.y);
    atomicAdd(&force->z, by.z);
}

__global__ void torsions(int m, const double3 *__restrict__ at, const int4 *__restrict__ atoms, const int *__restrict__ kind,
                         const double *__restrict__ strength, const double *__restrict__ phase, const int *__restrict__ times, double3 *force, double *total)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double energy = 0;
    if (t < m) {
        int4 i = atoms[t];
        int k = kind[t];
        double3 j = at[i.y], l = at[i.z], a = minus(at[i.x], j), b = minus(l, j), c = minus(l, at[i.w]), u = cross(a, b), v = cross(b, c);
        double b2 = dot(b, b), length = sqrt(b2), inner = times[k] * atan2(length * dot(a, v), dot(u, v)) - phase[k], sine, cosine;
        sincos(inner, &sine, &cosine);
        energy = strength[k] * (1 + cosine);
        double slope = -strength[k] * times[k] * sine;
        double3 fi = scaled(-slope * length / dot(u, u), u), fl = scaled(slope * length / dot(v, v), v);
        double3 s = minus(scaled(dot(a, b) / b2, fi), scaled(dot(c, b) / b2, fl));
        push(&force[i.x], fi);
        push(&force[i.y], minus(s, fi));
        push(&force[i.z], minus(scaled(-1, s), fl));
        push(&force[i.w], fl);
    }
    for (int d = 16; d > 0; d /= 2)
        energy += __shfl_down_sync(0xffffffff, energy, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, energy);
}

static void chain(int i, double at[3])
{
    at[0] = 2 * cos(1.7 * i) + 0.3 * number(i);
    at[1] = 2 * sin(1.7 * i) + 0.3 * number(i + 500009);
    at[2] = 0.6 * (i % 1024) + 0.3 * number(i + 900001);
}

static void bonds(int n, int m, int t, int atom[4], int *kind)
{
    int first = (int)((long)t * n / m) / 1024 * 1024 + mix(t) % 1016, wide = t % 2;
    for (int k = 0; k < 4; k++)
        atom[k] = first + k * (1 + wide);
    *kind = mix(t + 77) % KINDS;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift, m = 2 * n, *kind = NEW(int, m), times[KINDS], *atoms = NEW(int, 4 * m);
    double *at = NEW(double, 3 * n), *force = NEW(double, 3 * n), strength[KINDS], phase[KINDS], sum = 0;
    for (int i = 0; i < n; i++)
        chain(i, at + 3 * i);
    for (int t = 0; t < m; t++)
        bonds(n, m, t, atoms + 4 * t, &kind[t]);
    for (int c = 0; c < KINDS; c++)
        strength[c] = 1 + number(c), phase[c] = 3 * number(c + 9), times[c] = 1 + c % 6;
    int *datoms = on_device(atoms, 4 * m), *dkind = on_device(kind, m), *dtimes = on_device(times, KINDS);
    double *dat = on_device(at, 3 * n), *dforce = device<double>(3 * n), *dstrength = on_device(strength, KINDS), *dphase = on_device(phase, KINDS),
           *denergy = device<double>(1), *energy = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        CHECK(cudaMemsetAsync(dforce, 0, 3 * n * sizeof(double)));
        torsions<<<ceiling(m, 128), 128>>>(m, (const double3 *)dat, (const int4 *)datoms, dkind, dstrength, dphase, dtimes, (double3 *)dforce, denergy);
        CHECK(cudaMemcpyAsync(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(force, dforce, 3 * n);
    for (int i = 0; i < 3 * n; i++)
        sum += fabs(force[i]);
    report("dihedral", best, sum + *energy);
    return 0;
}
