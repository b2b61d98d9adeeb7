// A picture of 1024 x 1024 points: rays from an eye to the nearest of 64 spheres, with a shadow of a light and one reflection, float;
// a thread a point.
#include "kernels.cuh"

constexpr int BALLS = 64;
struct vec { float x, y, z; };
struct ball { vec at; float radius, grey; };

__device__ float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ vec add(vec a, float s, vec b) { return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
__device__ vec unit(vec a)
{
    float s = rsqrtf(dot(a, a));
    return {a.x * s, a.y * s, a.z * s};
}

__device__ int nearest(const ball *__restrict__ balls, vec from, vec to, float &distance)
{
    int hit = -1;
    for (int k = 0; k < BALLS; k++) {
        vec d = add(from, -1, balls[k].at);
        float b = dot(d, to), c = dot(d, d) - balls[k].radius * balls[k].radius, under = b * b - c;
        if (under > 0) {
            float t = -b - sqrtf(under);
            if (t > 1e-3f && t < distance) {
                distance = t;
                hit = k;
            }
        }
    }
    return hit;
}

__global__ void picture(int n, const ball *__restrict__ balls, float *__restrict__ grey)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    vec from = {0, 0, -4}, to = unit({(j + 0.5f) / n - 0.5f, (i + 0.5f) / n - 0.5f, 1}), light = unit({1, -1, -1});
    float sum = 0, weight = 1;
    for (int bounce = 0; bounce < 2; bounce++) {
        float distance = 1e30f;
        int hit = nearest(balls, from, to, distance);
        if (hit < 0) {
            sum += weight * 0.2f * (1 + to.y);
            break;
        }
        vec at = add(from, distance, to), normal = unit(add(at, -1, balls[hit].at));
        float shade = dot(normal, light), far = 1e30f;
        if (shade > 0 && nearest(balls, at, light, far) < 0)
            sum += weight * shade * balls[hit].grey;
        weight *= 0.5f;
        from = at;
        to = add(to, -2 * dot(to, normal), normal);
    }
    grey[i * n + j] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2;
    ball *balls = NEW(ball, BALLS);
    float *grey = NEW(float, n * n);
    double sum = 0;
    for (int k = 0; k < BALLS; k++)
        balls[k] = {{(float)(4 * number(k) - 2), (float)(4 * number(3 * k) - 2), (float)(4 * number(7 * k))},
                    (float)(0.2f + 0.3f * number(11 * k)), (float)number(13 * k)};
    ball *dballs = on_device(balls, BALLS);
    float *dgrey = device<float>(n * n);
    dim3 block(16, 16), grid(ceiling(n, 16), ceiling(n, 16));
    double best = fastest(args.repeats, [&] { picture<<<grid, block>>>(n, dballs, dgrey); });
    to_host(grey, dgrey, n * n);
    SUM(sum, grey, n * n);
    report("spheres", best, floor(sum / 1000));
    return 0;
}
