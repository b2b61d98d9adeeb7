// Forces between the 64000 atoms of a warm silicon crystal by Stillinger and Weber's potential, double: a thread an atom, its bonds in an
// array of its own, forces added atomically.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 20, NEAR = 16;
constexpr double CELL = 2.5923, A = 7.049556277, B = 0.6022245584, CUT = 1.8, LAMBDA = 21, GAMMA = 1.2;

__global__ void forces(int n, double wide, double deep, const int *__restrict__ list, const double *__restrict__ x,
                       const double *__restrict__ y, const double *__restrict__ z, double *fx, double *fy, double *fz, double *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, many = 0;
    double energy = 0;
    if (i < n) {
        double ux[NEAR], uy[NEAR], uz[NEAR], r[NEAR], px = 0, py = 0, pz = 0, xi = x[i], yi = y[i], zi = z[i];
        int who[NEAR];
        for (int k = 0; k < NEAR; k++) {
            int j = list[k * n + i];
            double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
            dx -= wide * rint(dx / wide);
            dy -= wide * rint(dy / wide);
            dz -= deep * rint(dz / deep);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= CUT * CUT)
                continue;
            double one = rsqrt(r2), d = r2 * one, r4 = one * one * one * one, beyond = 1 / (d - CUT), away = A * exp(beyond);
            ux[many] = dx * one;
            uy[many] = dy * one;
            uz[many] = dz * one;
            r[many] = d;
            who[many] = j;
            energy += 0.5 * (B * r4 - 1) * away;
            double slope = -away * (4 * B * r4 * one + (B * r4 - 1) * beyond * beyond);
            px += slope * ux[many];
            py += slope * uy[many];
            pz += slope * uz[many];
            many++;
        }
        for (int a = 0; a < many - 1; a++) {
            double xa = ux[a], ya = uy[a], za = uz[a], ra = r[a], ga = GAMMA / (ra - CUT), ax = 0, ay = 0, az = 0;
            for (int b = a + 1; b < many; b++) {
                double xb = ux[b], yb = uy[b], zb = uz[b], gb = GAMMA / (r[b] - CUT), cosine = xa * xb + ya * yb + za * zb;
                double c = cosine + 1.0 / 3, e = LAMBDA * exp(ga + gb), h = e * c * c, ta = 2 * e * c / ra, tb = 2 * e * c / r[b];
                double ka = h * ga * ga / GAMMA + ta * cosine, kb = h * gb * gb / GAMMA + tb * cosine;
                energy += h;
                ax += ka * xa - ta * xb;
                ay += ka * ya - ta * yb;
                az += ka * za - ta * zb;
                double bx = kb * xb - tb * xa, by = kb * yb - tb * ya, bz = kb * zb - tb * za;
                px -= bx;
                py -= by;
                pz -= bz;
                atomicAdd(&fx[who[b]], bx);
                atomicAdd(&fy[who[b]], by);
                atomicAdd(&fz[who[b]], bz);
            }
            px -= ax;
            py -= ay;
            pz -= az;
            atomicAdd(&fx[who[a]], ax);
            atomicAdd(&fy[who[a]], ay);
            atomicAdd(&fz[who[a]], az);
        }
        atomicAdd(&fx[i], px);
        atomicAdd(&fy[i], py);
        atomicAdd(&fz[i], pz);
    }
    energy = block_reduce(energy, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        atomicAdd(total, energy);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE, layers = SIDE >> (args.shift + 1) / 2, n = 8 * side * side * layers, *list = NEW(int, NEAR * n);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *f = NEW(double, 3 * n), sum = 0;
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
                if ((far == 8 && a * b * c == 0) || (far == 3 && a * b * c * sign > 0))
                    list[found++ * n + at[p]] = at[((k + c + d) % d * w + (j + b + w) % w) * w + (i + a + w) % w];
            }
        }
    int *dlist = on_device(list, NEAR * n);
    double *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *df = device<double>(3 * n), *total = device<double>(1),
           *energy = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(df, 0, 3 * n * sizeof(double)));
        CHECK(cudaMemsetAsync(total, 0, sizeof(double)));
        forces<<<ceiling(n, 128), 128>>>(n, side * CELL, layers * CELL, dlist, dx, dy, dz, df, df + n, df + 2 * n, total);
        CHECK(cudaMemcpyAsync(energy, total, sizeof *energy, cudaMemcpyDeviceToHost));
    });
    to_host(f, df, 3 * n);
    for (int i = 0; i < 3 * n; i++)
        sum += fabs(f[i]);
    report("silicon", best, sum + fabs(*energy));
    return 0;
}
