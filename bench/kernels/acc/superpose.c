// How far all pairs of 2048 conformations of a molecule of 64 atoms are from each other when one is turned to fit the other, double: nine sums
// over the atoms, the largest root of a polynomial by Newton's method (Theobald), and how many earlier ones are near to each.
#include "../kernels.h"

enum { FRAMES = 2048, ATOMS = 64, ROUNDS = 50 };

#define CUTOFF 1.75

#if SPELLING == 1
// Coordinate c of atom a of all frames together. The result of i and j is for j < i.
static double superpose(int n, const double *restrict x, const double *restrict square, float *restrict rmsd, int *restrict near)
{
    double total = 0;
#pragma acc parallel loop gang reduction(+ : total) present(x[0:3 * ATOMS * n], square[0:n], rmsd[0:n * n], near[0:n])
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) {
        int count = 0;
#pragma acc loop vector reduction(+ : total, count)
        for (int j = 0; j < i; j++) {
            double xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0;
            for (int a = 0; a < ATOMS; a++) {
                double x1 = x[(3 * a) * n + i], y1 = x[(3 * a + 1) * n + i], z1 = x[(3 * a + 2) * n + i];
                double x2 = x[(3 * a) * n + j], y2 = x[(3 * a + 1) * n + j], z2 = x[(3 * a + 2) * n + j];
                xx += x1 * x2;
                xy += x1 * y2;
                xz += x1 * z2;
                yx += y1 * x2;
                yy += y1 * y2;
                yz += y1 * z2;
                zx += z1 * x2;
                zy += z1 * y2;
                zz += z1 * z2;
            }
            double m11 = xx * xx + yx * yx + zx * zx, m22 = xy * xy + yy * yy + zy * zy, m33 = xz * xz + yz * yz + zz * zz;
            double m12 = xx * xy + yx * yy + zx * zy, m13 = xx * xz + yx * yz + zx * zz, m23 = xy * xz + yy * yz + zy * zz;
            double trace = m11 + m22 + m33, c2 = -2 * trace;
            double c1 = -8 * (xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx));
            double c0 = 2 * (m11 * m11 + m22 * m22 + m33 * m33 + 2 * (m12 * m12 + m13 * m13 + m23 * m23)) - trace * trace;
            double half = 0.5 * (square[i] + square[j]), root = half;
            for (int round = 0; round < ROUNDS; round++) {
                double r2 = root * root;
                double change = (r2 * (r2 + c2) + c1 * root + c0) / (root * (4 * r2 + 2 * c2) + c1);
                root -= change;
                if (fabs(change) < 1e-12 * root)
                    break;
            }
            double d = sqrt(fmax(0, 2 * (half - root) / ATOMS));
            rmsd[i * n + j] = d;
            count += d < CUTOFF;
            total += d;
        }
        near[i] = count;
    }
    return total;
}
#else
typedef double place[3];

#pragma acc routine seq
static double largest(double start, double c2, double c1, double c0)
{
    double x = start, old;
    int left = ROUNDS;
    do {
        const double x2 = x * x;
        old = x;
        x -= (x2 * x2 + c2 * x2 + c1 * x + c0) / (4 * x2 * x + 2 * c2 * x + c1);
    } while (fabs(x - old) >= 1e-12 * x && --left > 0);
    return x;
}

#pragma acc routine seq
static double deviation(const place *p, const place *q, double half)
{
    double s[3][3] = {{0}}, trace = 0, norm = 0;
    for (int a = 0; a < ATOMS; ++a)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                s[i][j] += p[a][i] * q[a][j];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double m = s[0][i] * s[0][j] + s[1][i] * s[1][j] + s[2][i] * s[2][j];
            norm += m * m;
            trace += i == j ? m : 0;
        }
    double determinant = 0;
    for (int i = 0; i < 3; ++i)
        determinant += s[0][i] * (s[1][(i + 1) % 3] * s[2][(i + 2) % 3] - s[1][(i + 2) % 3] * s[2][(i + 1) % 3]);
    const double d2 = 2 * (half - largest(half, -2 * trace, -8 * determinant, 2 * norm - trace * trace)) / ATOMS;
    return d2 > 0 ? sqrt(d2) : 0;
}

// All pairs by one number.
static double superpose(long n, const place (*frames)[ATOMS], const double *square, float *rmsd, int *near)
{
    double total = 0;
#pragma acc data present(frames[:n], square[:n], rmsd[:n * n], near[:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
            near[i] = 0;
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
        for (long pair = 0; pair < n * (n - 1) / 2; ++pair) {
            long i = (long)(0.5 * (1 + sqrt(1 + 8.0 * pair)));
            if (i * (i - 1) / 2 > pair)
                --i;
            else if (i * (i + 1) / 2 <= pair)
                ++i;
            const long j = pair - i * (i - 1) / 2;
            const double d = deviation(frames[i], frames[j], 0.5 * (square[i] + square[j]));
            rmsd[i * n + j] = d;
            if (d < CUTOFF) {
#pragma acc atomic update
#pragma omp atomic
                ++near[i];
            }
            total += d;
        }
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = FRAMES >> args.shift, *near = NEW(int, n);
    double(*frames)[ATOMS][3] = (double(*)[ATOMS][3])NEW(double, n * ATOMS * 3), *square = NEW(double, n), total = 0, sum = 0;
    float *rmsd = NEW(float, n * n);
    for (int f = 0; f < n; f++) {
        int kind = mix(f) % 4;
        double turn = 6.28 * number(f + 5), tilt = 3.14 * number(f + 6), mean[3] = {0}, c = cos(turn), s = sin(turn);
        double ct = cos(tilt), st = sin(tilt);
        square[f] = 0;
        for (int a = 0; a < ATOMS; a++) {
            double wide = 2 + 0.03 * kind * a, x = wide * cos(0.6 * a), y = wide * sin(0.6 * a), z = 0.25 * a + sin(kind * 0.1 * a);
            x += 2 * number(3 * (f * ATOMS + a));
            y += 2 * number(3 * (f * ATOMS + a) + 1);
            z += 2 * number(3 * (f * ATOMS + a) + 2);
            double u = c * x - s * y, v = s * x + c * y;
            frames[f][a][0] = u;
            frames[f][a][1] = ct * v - st * z;
            frames[f][a][2] = st * v + ct * z;
            for (int i = 0; i < 3; i++)
                mean[i] += frames[f][a][i] / ATOMS;
        }
        for (int a = 0; a < ATOMS; a++)
            for (int i = 0; i < 3; i++) {
                frames[f][a][i] -= mean[i];
                square[f] += frames[f][a][i] * frames[f][a][i];
            }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *x = NEW(double, 3 * ATOMS * n);
    for (int k = 0; k < 3 * ATOMS * n; k++)
        x[k] = frames[k % n][k / n / 3][k / n % 3];
#pragma acc enter data copyin(x[0:3 * ATOMS * n], square[0:n]) create(rmsd[0:n * n], near[0:n])
    while (lap(&t))
        total = superpose(n, x, square, rmsd, near);
#else
#pragma acc enter data copyin(frames[:n], square[:n]) create(rmsd[:n * n], near[:n])
    while (lap(&t))
        total = superpose(n, (const place(*)[ATOMS])frames, square, rmsd, near);
#endif
#pragma acc update self(rmsd[0:n * n], near[0:n])
    for (int i = 0; i < n; i++) {
        sum += near[i] * (1.0 + i % 3);
        for (int j = 0; j < i; j++)
            sum += rmsd[i * n + j] * (j % 4);
    }
    report("superpose", t.best, sum + total);
    return 0;
}
