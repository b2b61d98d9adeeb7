// Lines in a picture of 2048 x 2048 bytes (Hough): bright points are listed, a block for each direction and part of the list counts in shared memory; then peaks.
#include "kernels.cuh"

enum { SIDE = 2048, ANGLES = 180, BRIGHT = 245, PARTS = 16 };

constexpr int THREADS = 256, LONGEST = 2 * (SIDE * 3 / 2) + 1;

__global__ void list(int n, const unsigned char *__restrict__ picture, int *__restrict__ points, int *__restrict__ count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n * n && picture[k] >= BRIGHT)
        points[atomicAdd(count, 1)] = k / n << 16 | k % n;
}

__global__ void vote(int width, const int *__restrict__ points, const int *__restrict__ count, const int *__restrict__ cosine, const int *__restrict__ sine,
                     int *__restrict__ votes)
{
    __shared__ int mine[LONGEST];
    int a = blockIdx.x, c = cosine[a], s = sine[a], total = *count;
    for (int r = threadIdx.x; r < width; r += THREADS)
        mine[r] = 0;
    __syncthreads();
    for (int k = blockIdx.y * THREADS + threadIdx.x; k < total; k += PARTS * THREADS) {
        int p = points[k];
        atomicAdd(&mine[(((p & 0xffff) * c + (p >> 16) * s) >> 14) + width / 2], 1);
    }
    __syncthreads();
    for (int r = threadIdx.x; r < width; r += THREADS)
        if (mine[r])
            atomicAdd(&votes[a * width + r], mine[r]);
}

__global__ void peak(int width, const int *__restrict__ votes, int *__restrict__ peaks)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, a = blockIdx.y;
    if (r >= width)
        return;
    int v = votes[a * width + r], most = v;
    for (int aa = max(a - 1, 0); aa <= min(a + 1, ANGLES - 1); aa++)
        for (int rr = max(r - 1, 0); rr <= min(r + 1, width - 1); rr++)
            most = max(most, votes[aa * width + rr]);
    peaks[a * width + r] = v == most ? v : 0;
}

static void directions(int *cosine, int *sine)
{
    for (int a = 0; a < ANGLES; a++) {
        cosine[a] = (int)floor(16384 * cos(a * 3.14159265358979 / ANGLES) + 0.5);
        sine[a] = (int)floor(16384 * sin(a * 3.14159265358979 / ANGLES) + 0.5);
    }
}

static void draw(int n, unsigned char *picture)
{
    for (int k = 0; k < n * n; k++)
        picture[k] = mix(k) % 253;
    for (int x = 0; x < n; x++) {
        picture[x * n + x / 2] = 255;
        picture[x * n + (n - 1 - x)] = 255;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, reach = n * 3 / 2, width = 2 * reach + 1, all = ANGLES * width;
    int *cosine = NEW(int, ANGLES), *sine = NEW(int, ANGLES), *votes = NEW(int, all), *peaks = NEW(int, all);
    unsigned char *picture = NEW(unsigned char, n * n);
    double sum = 0;
    directions(cosine, sine);
    draw(n, picture);
    unsigned char *dpicture = on_device(picture, n * n);
    int *dcosine = on_device(cosine, ANGLES), *dsine = on_device(sine, ANGLES), *dvotes = device<int>(all), *dpeaks = device<int>(all),
        *dpoints = device<int>(n * n), *dcount = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcount, 0, sizeof(int)));
        CHECK(cudaMemsetAsync(dvotes, 0, all * sizeof(int)));
        list<<<ceiling(n * n, 256), 256>>>(n, dpicture, dpoints, dcount);
        vote<<<dim3(ANGLES, PARTS), THREADS>>>(width, dpoints, dcount, dcosine, dsine, dvotes);
        peak<<<dim3(ceiling(width, 256), ANGLES), 256>>>(width, dvotes, dpeaks);
    });
    to_host(votes, dvotes, all);
    to_host(peaks, dpeaks, all);
    for (int k = 0; k < all; k++)
        sum += votes[k] * (1 + k % 11) + peaks[k];
    report("hough", best, sum);
    return 0;
}
