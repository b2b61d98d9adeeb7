// The angles of a robot's arm of seven joints that bring its hand to 2^19 places, double: damped least squares from
// the Jacobian, three equations in each step, until the hand is there or 30 steps are done.
#include "../kernels.h"

enum { PLACES = 1 << 19, JOINTS = 7, STEPS = 30 };

#define DAMPING 1e-3
#define CLOSE 1e-12

// Cosine and sine of each link's twist, and its offset along the axis.
static const double arm[JOINTS][3] = {{0, -1, 0.34}, {0, 1, 0}, {0, 1, 0.4}, {0, -1, 0},
                                      {0, -1, 0.4},  {0, 1, 0}, {1, 0, 0.2}};

#if SPELLING == 1
static void reach(int n, const double *restrict target, const double *restrict start, double *restrict angles)
{
#pragma acc parallel loop gang vector vector_length(64) present(arm, target[0:n * 3]) \
    present(start[0:n * JOINTS], angles[0:n * JOINTS])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double q[JOINTS], axis[JOINTS][3], at[JOINTS][3], e[3], j[JOINTS][3];
        for (int k = 0; k < JOINTS; k++)
            q[k] = start[k * n + i];
        for (int step = 0; step < STEPS; step++) {
            double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, p[3] = {0, 0, 0}, a[3][3];
            for (int k = 0; k < JOINTS; k++) {
                double c = cos(q[k]), s = sin(q[k]), ct = arm[k][0], st = arm[k][1];
                for (int d = 0; d < 3; d++) {
                    axis[k][d] = z[d];
                    at[k][d] = p[d];
                    p[d] += arm[k][2] * z[d];
                    double u = c * x[d] + s * y[d], v = c * y[d] - s * x[d];
                    x[d] = u;
                    y[d] = ct * v + st * z[d];
                    z[d] = ct * z[d] - st * v;
                }
            }
            for (int d = 0; d < 3; d++) {
                p[d] += 0.1 * x[d];
                e[d] = target[d * n + i] - p[d];
            }
            if (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] < CLOSE)
                break;
            for (int k = 0; k < JOINTS; k++)
                for (int d = 0; d < 3; d++) {
                    int u = (d + 1) % 3, v = (d + 2) % 3;
                    j[k][d] = axis[k][u] * (p[v] - at[k][v]) - axis[k][v] * (p[u] - at[k][u]);
                }
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) {
                    a[c][d] = c == d ? DAMPING : 0;
                    for (int k = 0; k < JOINTS; k++)
                        a[c][d] += j[k][c] * j[k][d];
                }
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 3; r++)
                    if (r != c) {
                        double factor = a[r][c] / a[c][c];
                        for (int d = c; d < 3; d++)
                            a[r][d] -= factor * a[c][d];
                        e[r] -= factor * e[c];
                    }
            for (int k = 0; k < JOINTS; k++)
                for (int d = 0; d < 3; d++)
                    q[k] += j[k][d] * e[d] / a[d][d];
        }
        for (int k = 0; k < JOINTS; k++)
            angles[k * n + i] = q[k];
    }
}
#else
typedef struct { double x, y, z; } vector;

static inline vector sum(vector a, double s, vector b, double t)
{
    return (vector){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

static inline double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#pragma acc routine seq
static vector hand(const double (*link)[3], const double *q, vector *axis, vector *at)
{
    vector x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, p = {0, 0, 0};
    for (unsigned k = 0; k < JOINTS; ++k, ++link) {
        vector v = sum(y, cos(q[k]), x, -sin(q[k]));
        *at++ = p;
        *axis++ = z;
        p = sum(p, 1, z, (*link)[2]);
        x = sum(x, cos(q[k]), y, sin(q[k]));
        y = sum(v, (*link)[0], z, (*link)[1]);
        z = sum(z, (*link)[0], v, -(*link)[1]);
    }
    return sum(p, 1, x, 0.1);
}

static void reach(size_t n, double *target, double *start, double *angles)
{
#pragma acc data present(arm, target[0:n * 3], start[0:n * JOINTS], angles[0:n * JOINTS])
#pragma acc kernels
#pragma acc loop independent
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        double q[JOINTS];
        vector goal = {target[i], target[n + i], target[2 * n + i]}, at[JOINTS], j[JOINTS];
        for (unsigned k = 0; k < JOINTS; ++k)
            q[k] = start[k * n + i];
        for (int left = STEPS; left; --left) {
            vector a = {DAMPING, 0, 0}, b = {0, DAMPING, 0}, c = {0, 0, DAMPING}, p = hand(arm, q, j, at);
            vector e = sum(goal, 1, p, -1);
            if (dot(e, e) < CLOSE)
                break;
            for (unsigned k = 0; k < JOINTS; ++k) {
                j[k] = cross(j[k], sum(p, 1, at[k], -1));
                a = sum(a, 1, j[k], j[k].x);
                b = sum(b, 1, j[k], j[k].y);
                c = sum(c, 1, j[k], j[k].z);
            }
            vector bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
            vector y = sum(sum(bc, e.x, ca, e.y), 1, ab, e.z);
            for (unsigned k = 0; k < JOINTS; ++k)
                q[k] += dot(j[k], y) / dot(a, bc);
        }
        for (unsigned k = 0; k < JOINTS; ++k)
            angles[k * n + i] = q[k];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PLACES >> args.shift;
    double *target = NEW(double, n * 3), *start = NEW(double, n * JOINTS), *angles = NEW(double, n * JOINTS);
    double all = 0;
    for (int i = 0; i < n; i++) {
        double turn = 6.28 * number(3 * i), far = 0.4 + 0.4 * number(3 * i + 1);
        target[i] = far * cos(turn);
        target[n + i] = far * sin(turn);
        target[2 * n + i] = 0.1 + 0.5 * number(3 * i + 2);
        for (int k = 0; k < JOINTS; k++)
            start[k * n + i] = (k == 0 ? turn : k % 4 == 1 ? 0.6 : k == 3 ? -1.2 : 0) + 0.4 * number(7 * i + k);
    }
#pragma acc enter data copyin(arm, target[0:n * 3], start[0:n * JOINTS]) create(angles[0:n * JOINTS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        reach(n, target, start, angles);
#pragma acc update self(angles[0:n * JOINTS])
    for (int k = 0; k < n * JOINTS; k++)
        all += fabs(angles[k]) * (1 + k % 5);
    report("kinematics", t.best, all);
    return 0;
}
