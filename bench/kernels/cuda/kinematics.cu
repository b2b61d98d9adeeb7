// The angles of a robot's arm of seven joints that bring its hand to 2^19 places, double: damped least squares, a
// thread a place with all loops unrolled, so that axes and angles stay in registers; twists are right angles or
// none.
#include "kernels.cuh"

constexpr int PLACES = 1 << 19, JOINTS = 7, STEPS = 30, THREADS = 64;
constexpr double DAMPING = 1e-3, CLOSE = 1e-12;

struct vector {
    double x, y, z;
};

__device__ vector operator+(vector a, vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ vector operator-(vector a, vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ vector operator*(double s, vector a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ vector cross(vector a, vector b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

__global__ void __launch_bounds__(THREADS)
reach(int n, const double *__restrict__ target, const double *__restrict__ start, double *__restrict__ angles)
{
    constexpr int twist[JOINTS] = {-1, 1, 1, -1, -1, 1, 0};
    constexpr double offset[JOINTS] = {0.34, 0, 0.4, 0, 0.4, 0, 0.2};
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    double q[JOINTS];
    vector goal = {target[i], target[n + i], target[2 * n + i]};
#pragma unroll
    for (int k = 0; k < JOINTS; k++)
        q[k] = start[k * n + i];
    for (int step = 0; step < STEPS; step++) {
        vector x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, p = {0, 0, 0}, j[JOINTS], at[JOINTS];
#pragma unroll
        for (int k = 0; k < JOINTS; k++) {
            double s, c;
            sincos(q[k], &s, &c);
            j[k] = z;
            at[k] = p;
            if (offset[k] != 0)
                p = p + offset[k] * z;
            vector v = c * y - s * x;
            x = c * x + s * y;
            y = twist[k] == 0 ? v : twist[k] * z;
            z = twist[k] == 0 ? z : -twist[k] * v;
        }
        p = p + 0.1 * x;
        vector e = goal - p;
        if (dot(e, e) < CLOSE)
            break;
        double xx = DAMPING, yy = DAMPING, zz = DAMPING, xy = 0, xz = 0, yz = 0;
#pragma unroll
        for (int k = 0; k < JOINTS; k++) {
            vector d = cross(j[k], p - at[k]);
            j[k] = d;
            xx += d.x * d.x;
            yy += d.y * d.y;
            zz += d.z * d.z;
            xy += d.x * d.y;
            xz += d.x * d.z;
            yz += d.y * d.z;
        }
        vector a = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
        vector b = {a.y, xx * zz - xz * xz, xy * xz - xx * yz}, c = {a.z, b.z, xx * yy - xy * xy};
        vector w = (1 / (xx * a.x + xy * a.y + xz * a.z)) * e, f = {dot(a, w), dot(b, w), dot(c, w)};
#pragma unroll
        for (int k = 0; k < JOINTS; k++)
            q[k] += dot(j[k], f);
    }
#pragma unroll
    for (int k = 0; k < JOINTS; k++)
        angles[k * n + i] = q[k];
}

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
    double *dtarget = on_device(target, n * 3), *dstart = on_device(start, n * JOINTS);
    double *dangles = device<double>(n * JOINTS);
    double best =
        fastest(args.repeats, [&] { reach<<<ceiling(n, THREADS), THREADS>>>(n, dtarget, dstart, dangles); });
    to_host(angles, dangles, n * JOINTS);
    for (int k = 0; k < n * JOINTS; k++)
        all += fabs(angles[k]) * (1 + k % 5);
    report("kinematics", best, all);
    return 0;
}
