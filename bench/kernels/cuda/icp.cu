// Ten steps that find a depth camera's place (iterative closest points, KinectFusion), 1280 x 960 points: a grid that fills the device takes
// 29 sums in registers, which go through warps and shared memory to atomic additions.
#include "kernels.cuh"

constexpr int COLUMNS = 1280, ROWS = 960, STEPS = 10, SUMS = 29, THREADS = 256;
constexpr float FOCUS = 1050, NEAR_BY = 0.1f, ALIKE = 0.8f;

struct pose {
    float r[9], t[3];
};

__global__ void __launch_bounds__(THREADS)
sums_of(int rows, struct pose pose, const float *__restrict__ place, const float *__restrict__ normal,
        const float *__restrict__ there, const float *__restrict__ theirs, double *__restrict__ sums)
{
    __shared__ double parts[THREADS / 32][SUMS];
    int n = rows * COLUMNS, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double s[SUMS] = {};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        float x = place[i], y = place[n + i], z = place[2 * n + i];
        float px = pose.r[0] * x + pose.r[1] * y + pose.r[2] * z + pose.t[0];
        float py = pose.r[3] * x + pose.r[4] * y + pose.r[5] * z + pose.t[1];
        float pz = pose.r[6] * x + pose.r[7] * y + pose.r[8] * z + pose.t[2];
        if (z <= 0 || pz <= 0)
            continue;
        int u = (int)floorf(FOCUS * px / pz + COLUMNS / 2 + 0.5f), v = (int)floorf(FOCUS * py / pz + ROWS / 2 + 0.5f);
        if (u < 0 || u >= COLUMNS || v < 0 || v >= rows)
            continue;
        int j = v * COLUMNS + u;
        float tz = there[2 * n + j], dx = there[j] - px, dy = there[n + j] - py, dz = tz - pz;
        if (tz <= 0 || dx * dx + dy * dy + dz * dz > NEAR_BY * NEAR_BY)
            continue;
        float nx = theirs[j], ny = theirs[n + j], nz = theirs[2 * n + j];
        x = normal[i];
        y = normal[n + i];
        z = normal[2 * n + i];
        float mx = pose.r[0] * x + pose.r[1] * y + pose.r[2] * z, my = pose.r[3] * x + pose.r[4] * y + pose.r[5] * z;
        float mz = pose.r[6] * x + pose.r[7] * y + pose.r[8] * z;
        if (nx * mx + ny * my + nz * mz < ALIKE)
            continue;
        float row[7] = {py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx, nx, ny, nz, nx * dx + ny * dy + nz * dz};
        int at = 0;
#pragma unroll
        for (int a = 0; a < 7; a++)
#pragma unroll
            for (int b = a; b < 7; b++)
                s[at++] += row[a] * row[b];
        s[28] += 1;
    }
#pragma unroll
    for (int k = 0; k < SUMS; k++) {
        for (int d = 16; d > 0; d /= 2)
            s[k] += __shfl_xor_sync(0xffffffff, s[k], d);
        if (lane == 0)
            parts[warp][k] = s[k];
    }
    __syncthreads();
    if (threadIdx.x < SUMS) {
        double sum = 0;
        for (int w = 0; w < THREADS / 32; w++)
            sum += parts[w][threadIdx.x];
        atomicAdd(&sums[threadIdx.x], sum);
    }
}

// A turn and a shift from the sums, by elimination, put before the pose.
static void improve(const double *sums, struct pose *pose)
{
    double a[6][7], old[12];
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 7; j++) {
            a[i][j] = sums[at++];
            if (j < 6)
                a[j][i] = a[i][j];
        }
    for (int i = 0; i < 6; i++)
        for (int k = i + 1; k < 6; k++) {
            double f = a[k][i] / a[i][i];
            for (int j = i; j < 7; j++)
                a[k][j] -= f * a[i][j];
        }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++)
            a[i][6] -= a[i][j] * a[j][6];
        a[i][6] /= a[i][i];
    }
    double x = a[0][6], y = a[1][6], z = a[2][6], cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    double r[9] = {cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, sz * cy, sz * sy * sx + cz * cx,
                   sz * sy * cx - cz * sx, -sy, cy * sx, cy * cx};
    for (int k = 0; k < 9; k++)
        old[k] = pose->r[k];
    for (int k = 0; k < 3; k++)
        old[9 + k] = pose->t[k];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pose->r[3 * i + j] = (float)(r[3 * i] * old[j] + r[3 * i + 1] * old[3 + j] + r[3 * i + 2] * old[6 + j]);
        pose->t[i] = (float)(r[3 * i] * old[9] + r[3 * i + 1] * old[10] + r[3 * i + 2] * old[11] + a[3 + i][6]);
    }
}

// How far the scene is, which the camera at `shift` sees, and its normal.
static void scene(int u, int v, double shift, float *place, float *normal)
{
    double x = (u - COLUMNS / 2) / FOCUS, y = (v - ROWS / 2) / FOCUS, z = 2;
    for (int k = 0; k < 8; k++)
        z = 2 + 0.2 * sin(3 * (x * z + shift)) * cos(2 * y * z + shift) + 0.3 * (x * z + shift) - shift;
    double gx = 0.6 * cos(3 * (x * z + shift)) * cos(2 * y * z + shift) + 0.3;
    double gy = -0.4 * sin(3 * (x * z + shift)) * sin(2 * y * z + shift), size = sqrt(1 + gx * gx + gy * gy);
    int hole = u % 97 == 0 || v % 89 == 3;
    place[0] = hole ? 0 : (float)(x * z);
    place[1] = hole ? 0 : (float)(y * z);
    place[2] = hole ? 0 : (float)z;
    normal[0] = (float)(gx / size);
    normal[1] = (float)(gy / size);
    normal[2] = (float)(-1 / size);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, n = rows * COLUMNS;
    float *place = NEW(float, 3 * n), *normal = NEW(float, 3 * n), *there = NEW(float, 3 * n), *theirs = NEW(float, 3 * n);
    double *sums = pinned<double>(SUMS), sum = 0;
    struct pose pose;
    for (int i = 0; i < n; i++) {
        float p[3], q[3];
        scene(i % COLUMNS, i / COLUMNS, 0.02, p, q);
        for (int k = 0; k < 3; k++) {
            place[k * n + i] = p[k];
            normal[k * n + i] = q[k];
        }
        scene(i % COLUMNS, i / COLUMNS, 0, p, q);
        for (int k = 0; k < 3; k++) {
            there[k * n + i] = p[k];
            theirs[k * n + i] = q[k];
        }
    }
    float *dplace = on_device(place, 3 * n), *dnormal = on_device(normal, 3 * n), *dthere = on_device(there, 3 * n);
    float *dtheirs = on_device(theirs, 3 * n);
    double *dsums = device<double>(SUMS);
    int grid = full_grid(sums_of, THREADS);
    double best = fastest(args.repeats, [&] {
        pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
        for (int s = 0; s < STEPS; s++) {
            CHECK(cudaMemsetAsync(dsums, 0, SUMS * sizeof(double)));
            sums_of<<<grid, THREADS>>>(rows, pose, dplace, dnormal, dthere, dtheirs, dsums);
            CHECK(cudaMemcpy(sums, dsums, SUMS * sizeof(double), cudaMemcpyDeviceToHost));
            improve(sums, &pose);
        }
    });
    for (int k = 0; k < 9; k++)
        sum += pose.r[k] * (k + 1);
    for (int k = 0; k < 3; k++)
        sum += pose.t[k] * (k + 1);
    report("icp", best, sum + sums[28] / n);
    return 0;
}
