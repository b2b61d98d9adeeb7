// Search for faces in a picture of 2048 x 2048 bytes by Viola and Jones: rows are added up by a block each, columns by a block for 32 of them, windows go
// through the cascade a thread each, with the features in constant memory.
#include "kernels.cuh"

enum { SIDE = 2048, WINDOW = 24, STRIDE = 2, STAGES = 10, MOST = 256 };

struct feature {
    short x, y, w, h, dx, dy;
    int threshold, weight;
};

constexpr int THREADS = 256, GROUPS = 32;
__constant__ feature cascade[MOST];
__constant__ int starts[STAGES + 1];

// Row blockIdx.x + 1 of the sums; row 0 is zero.
__global__ void __launch_bounds__(THREADS) along_rows(int n, const unsigned char *__restrict__ image, unsigned *__restrict__ total)
{
    __shared__ unsigned part[THREADS / 32];
    int i = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned *to = total + (i + 1) * (n + 1), before = 0;
    if (threadIdx.x == 0)
        to[0] = 0;
    if (i == 0)
        for (int j = threadIdx.x; j <= n; j += THREADS)
            total[j] = 0;
    for (int first = 0; first < n; first += THREADS) {
        int j = first + threadIdx.x;
        unsigned sum = j < n ? image[i * n + j] : 0;
        for (int d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d)
                sum += left;
        }
        if (lane == 31)
            part[warp] = sum;
        __syncthreads();
        unsigned all = 0;
        for (int w = 0; w < THREADS / 32; w++) {
            if (w < warp)
                sum += part[w];
            all += part[w];
        }
        if (j < n)
            to[j + 1] = before + sum;
        before += all;
        __syncthreads();
    }
}

__global__ void __launch_bounds__(32 * GROUPS) along_columns(int n, unsigned *__restrict__ total)
{
    __shared__ unsigned part[GROUPS][32];
    int j = blockIdx.x * 32 + threadIdx.x + 1, g = threadIdx.y, height = n / GROUPS;
    unsigned *p = total + (size_t)(g * height + 1) * (n + 1) + j, sum = 0;
    if (j <= n)
#pragma unroll 4
        for (int k = 0; k < height; k++)
            sum += p[k * (n + 1)];
    part[g][threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < g; k++)
        sum += part[k][threadIdx.x];
    if (j <= n)
#pragma unroll 4
        for (int k = 0; k < height; k++)
            p[k * (n + 1)] = sum += p[k * (n + 1)];
}

__device__ int rectangle(const unsigned *__restrict__ total, int pitch, int x, int y, int w, int h)
{
    const unsigned *p = total + y * pitch + x, *q = p + h * pitch;
    return q[w] - p[w] - q[0] + p[0];
}

__global__ void search(int pitch, int windows, const unsigned *__restrict__ total, int *__restrict__ passed)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= windows || j >= windows)
        return;
    const unsigned *corner = total + i * STRIDE * pitch + j * STRIDE;
    int stage = 0;
    for (; stage < STAGES; stage++) {
        int balance = 0;
        for (int f = starts[stage]; f < starts[stage + 1]; f++) {
            const feature &t = cascade[f];
            int difference = rectangle(corner, pitch, t.x, t.y, t.w, t.h) - rectangle(corner, pitch, t.x + t.dx, t.y + t.dy, t.w, t.h);
            balance += difference > t.threshold ? t.weight : -t.weight;
        }
        if (balance < 0)
            break;
    }
    passed[i * windows + j] = stage;
}

// Features that a window of 24 x 24 points has two equal parts of, side by side or one above the other; a stage has four more of them than the one before
// it, and ends the search in a window unless half of its features speak for a face.
static int detector(struct feature *f, int *begin)
{
    int count = 0;
    for (int s = 0; s < STAGES; s++) {
        begin[s] = count;
        for (int k = 0; k < 4 + 4 * s; k++, count++) {
            int across = mix(5 * count) % 2, w = 2 + mix(5 * count + 1) % 9, h = 2 + mix(5 * count + 2) % 9;
            int width = across ? 2 * w : w, height = across ? h : 2 * h;
            f[count].x = mix(5 * count + 3) % (WINDOW - width + 1);
            f[count].y = mix(5 * count + 4) % (WINDOW - height + 1);
            f[count].w = w;
            f[count].h = h;
            f[count].dx = across ? w : 0;
            f[count].dy = across ? 0 : h;
            f[count].threshold = (int)(mix(count + 999) % 64 - 32) * w * h / 16;
            f[count].weight = 1 + mix(count + 4321) % 3;
        }
    }
    begin[STAGES] = count;
    return count;
}

static void photograph(int n, unsigned char *image)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            image[i * n + j] = mix(i * n + j) % 64 + mix(i / 7 * 1000 + j / 7) % 96 + mix(i / 29 * 1000 + j / 29 + 55) % 96;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n, pitch = n + 1, windows = (n - WINDOW) / STRIDE + 1, begin[STAGES + 1];
    unsigned char *image = NEW(unsigned char, all);
    struct feature features[MOST];
    int *passed = NEW(int, windows * windows);
    double sum = 0;
    detector(features, begin);
    photograph(n, image);
    CHECK(cudaMemcpyToSymbol(cascade, features, sizeof features));
    CHECK(cudaMemcpyToSymbol(starts, begin, sizeof begin));
    unsigned char *dimage = on_device(image, all);
    unsigned *total = device<unsigned>(pitch * pitch);
    int *dpassed = device<int>(windows * windows);
    dim3 block(32, 4), grid(ceiling(windows, 32), ceiling(windows, 4));
    double best = fastest(args.repeats, [&] {
        along_rows<<<n, THREADS>>>(n, dimage, total);
        along_columns<<<ceiling(n, 32), dim3(32, GROUPS)>>>(n, total);
        search<<<grid, block>>>(pitch, windows, total, dpassed);
    });
    to_host(passed, dpassed, windows * windows);
    for (int k = 0; k < windows * windows; k++)
        sum += passed[k] * (1 + k % 7);
    report("faces", best, sum);
    return 0;
}
