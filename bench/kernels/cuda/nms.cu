// Which of 1024 boxes in each of 128 pictures stay when boxes that a better one covers by half are dropped: words of bits say who covers whom; a warp a picture.
#include "kernels.cuh"

enum { PICTURES = 128, BOXES = 1024, WORDS = BOXES / 64 };

typedef unsigned long long word;

__global__ void cover(const float4 *__restrict__ box, word *__restrict__ covers)
{
    __shared__ float4 others[64];
    int w = blockIdx.x, i = blockIdx.y * 64 + threadIdx.x, p = blockIdx.z;
    others[threadIdx.x] = box[p * BOXES + w * 64 + threadIdx.x];
    __syncthreads();
    float4 a = box[p * BOXES + i];
    float area = (a.z - a.x) * (a.w - a.y);
    word bits = 0;
    for (int k = max(i + 1 - w * 64, 0); k < 64; k++) {
        float4 b = others[k];
        float common = fmaxf(fminf(a.z, b.z) - fmaxf(a.x, b.x), 0) * fmaxf(fminf(a.w, b.w) - fmaxf(a.y, b.y), 0);
        if (common > 0.5f * (area + (b.z - b.x) * (b.w - b.y) - common))
            bits |= 1ull << k;
    }
    covers[(p * BOXES + i) * WORDS + w] = bits;
}

__global__ void keep(const word *__restrict__ covers, unsigned char *__restrict__ kept)
{
    int p = blockIdx.x, lane = threadIdx.x;
    word dropped = 0;
    for (int i = 0; i < BOXES; i++) {
        word mine = lane < WORDS ? covers[(p * BOXES + i) * WORDS + lane] : 0;
        int stays = !(__shfl_sync(0xffffffff, dropped, i / 64) >> i % 64 & 1);
        if (stays)
            dropped |= mine;
        if (lane == 0)
            kept[p * BOXES + i] = stays;
    }
}

static void corners(int k, float at[4])
{
    at[0] = (float)(mix(k) % 600);
    at[1] = (float)(mix(k + 1000003) % 400);
    at[2] = at[0] + (float)(40 + mix(k + 2000003) % 80);
    at[3] = at[1] + (float)(40 + mix(k + 3000017) % 80);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PICTURES >> args.shift, all = n * BOXES;
    unsigned char *kept = NEW(unsigned char, all);
    float *box = NEW(float, 4 * all);
    double sum = 0;
    for (int k = 0; k < all; k++)
        corners(k, box + 4 * k);
    float *dbox = on_device(box, 4 * all);
    word *dcovers = device<word>(all * WORDS);
    unsigned char *dkept = device<unsigned char>(all);
    double best = fastest(args.repeats, [&] {
        cover<<<dim3(WORDS, BOXES / 64, n), 64>>>((const float4 *)dbox, dcovers);
        keep<<<n, 32>>>(dcovers, dkept);
    });
    to_host(kept, dkept, all);
    for (int k = 0; k < all; k++)
        sum += kept[k] * (1 + k % 13);
    report("nms", best, sum);
    return 0;
}
