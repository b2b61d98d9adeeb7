// The edges of an image of 2048 x 2048 bytes in whole numbers: a block blurs, slopes and thins 32 x 16 points in shared memory; weak edges are kept
// by passes of four points a thread, until the host sees that none has changed.
#include "kernels.cuh"

constexpr int WIDTH = 2048, HEIGHT = 2048, PASSES = 12, WEAK = 60, STRONG = 150, ACROSS = 32, DOWN = 16, THREADS = 256;

__constant__ int weight[25] = {2, 4, 5, 4, 2, 4, 9, 12, 9, 4, 5, 12, 15, 12, 5, 4, 9, 12, 9, 4, 2, 4, 5, 4, 2};

__global__ void __launch_bounds__(THREADS) thin(int h, int w, const unsigned char *__restrict__ image, unsigned char *__restrict__ edge)
{
    constexpr int WI = ACROSS + 8, HI = DOWN + 8, WB = ACROSS + 4, HB = DOWN + 4, WS = ACROSS + 2, HS = DOWN + 2;
    __shared__ unsigned char pixel[HI][WI], blurred[HB][WB];
    __shared__ short size[HS][WS];
    __shared__ unsigned char way[HS][WS];
    int left = blockIdx.x * ACROSS, top = blockIdx.y * DOWN;
    for (int k = threadIdx.x; k < HI * WI; k += THREADS) {
        int y = min(max(top + k / WI - 4, 0), h - 1), x = min(max(left + k % WI - 4, 0), w - 1);
        pixel[k / WI][k % WI] = image[y * w + x];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < HB * WB; k += THREADS) {
        int sum = 0;
#pragma unroll
        for (int d = 0; d < 25; d++)
            sum += weight[d] * pixel[k / WB + d / 5][k % WB + d % 5];
        blurred[k / WB][k % WB] = sum / 159;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < HS * WS; k += THREADS) {
        int r = k / WS, c = k % WS, y = top + r - 1, x = left + c - 1, s = 0, sector = 0;
        if (y > 0 && y < h - 1 && x > 0 && x < w - 1) {
            int a = blurred[r][c], b = blurred[r][c + 2], d = blurred[r + 2][c], e = blurred[r + 2][c + 2];
            int gx = b - a + e - d + 2 * (blurred[r + 1][c + 2] - blurred[r + 1][c]);
            int gy = d - a + e - b + 2 * (blurred[r + 2][c + 1] - blurred[r][c + 1]);
            int ax = abs(gx), ay = abs(gy);
            s = ax + ay;
            sector = 1000 * ay < 414 * ax ? 0 : 1000 * ay > 2414 * ax ? 2 : (gx > 0) == (gy > 0) ? 1 : 3;
        }
        size[r][c] = s;
        way[r][c] = sector;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < DOWN * ACROSS; k += THREADS) {
        int r = k / ACROSS + 1, c = k % ACROSS + 1, y = top + r - 1, x = left + c - 1, s = size[r][c], sector = way[r][c], level = 0;
        if (s > WEAK) {
            int dy = sector > 0, dx = sector == 3 ? -1 : sector != 2;
            if (s >= size[r - dy][c - dx] && s > size[r + dy][c + dx])
                level = s > STRONG ? 2 : 1;
        }
        if (y < h && x < w)
            edge[y * w + x] = level;
    }
}

// The width is a multiple of four.
__global__ void __launch_bounds__(THREADS) touch(int h, int w, const unsigned char *__restrict__ edge, unsigned char *__restrict__ next, int *changed)
{
    int k = 4 * (blockIdx.x * THREADS + threadIdx.x);
    if (k >= h * w)
        return;
    uchar4 e = *(const uchar4 *)(edge + k);
    int grown = 0;
    if (e.x == 1 || e.y == 1 || e.z == 1 || e.w == 1) {
        unsigned char mine[4] = {e.x, e.y, e.z, e.w};
        // No edges lie on the border of the image.
#pragma unroll
        for (int c = 0; c < 4; c++)
            if (mine[c] == 1) {
                const unsigned char *p = edge + k + c;
                if (p[-w - 1] == 2 || p[-w] == 2 || p[-w + 1] == 2 || p[-1] == 2 || p[1] == 2 || p[w - 1] == 2 || p[w] == 2 || p[w + 1] == 2) {
                    mine[c] = 2;
                    grown = 1;
                }
            }
        e = make_uchar4(mine[0], mine[1], mine[2], mine[3]);
    }
    *(uchar4 *)(next + k) = e;
    if (grown)
        *changed = 1;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int h = HEIGHT >> (args.shift + 1) / 2, w = WIDTH >> args.shift / 2, n = h * w, passes = 0, *changed;
    unsigned char *image = NEW(unsigned char, n), *edge = NEW(unsigned char, n);
    double sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int cx = x % 96 - 48, cy = y % 80 - 40, r = 400 + mix(x / 96 * 131 + y / 80) % 900;
            int shade = mix(x / 96 + 57 * (y / 80)) % 160, fade = (x % 96 * 2 + y % 80) / 4;
            image[y * w + x] = (cx * cx + cy * cy < r ? 30 + shade : 20 + fade) + mix(y * w + x) % 24;
        }
    unsigned char *dimage = on_device(image, n), *from = device<unsigned char>(n), *to = device<unsigned char>(n);
    int *dchanged = device<int>(1);
    CHECK(cudaMallocHost((void **)&changed, sizeof(int)));
    dim3 grid(ceiling(w, ACROSS), ceiling(h, DOWN));
    double best = fastest(args.repeats, [&] {
        thin<<<grid, THREADS>>>(h, w, dimage, from);
        passes = 0;
        do {
            CHECK(cudaMemsetAsync(dchanged, 0, sizeof(int)));
            touch<<<ceiling(n / 4, THREADS), THREADS>>>(h, w, from, to, dchanged);
            CHECK(cudaMemcpy(changed, dchanged, sizeof(int), cudaMemcpyDeviceToHost));
            unsigned char *other = from;
            from = to;
            to = other;
            passes++;
        } while (*changed && passes < PASSES);
    });
    to_host(edge, from, n);
    for (int k = 0; k < n; k++)
        sum += edge[k] * (k % 31 + 1);
    report("canny", best, sum + 1000 * passes);
    return 0;
}
