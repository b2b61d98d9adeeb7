// Bags of a recommendation model: for each of 2^14 bags the weighted mean of 1 to 63 rows of a table of 2^18 rows of 64 floats; a thread a
// column, four bags a block.
#include "kernels.cuh"

constexpr int BAGS = 1 << 14, TABLE = 1 << 18, WIDTH = 64;

__global__ void bags(int n, const int *__restrict__ offset, const int *__restrict__ index, const float *__restrict__ weight,
                     const float *__restrict__ table, float *__restrict__ out)
{
    int b = blockIdx.x * blockDim.y + threadIdx.y, c = threadIdx.x;
    if (b >= n)
        return;
    int first = offset[b], last = offset[b + 1];
    float sum = 0, all = 0;
    for (int k = first; k < last; k++) {
        float w = weight[k];
        sum += w * table[index[k] * WIDTH + c];
        all += w;
    }
    out[b * WIDTH + c] = sum / all;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BAGS >> args.shift, rows = TABLE >> args.shift, total = 0, *offset = NEW(int, n + 1);
    for (int b = 0; b < n; b++) {
        offset[b] = total;
        total += 1 + mix(b) % 63;
    }
    offset[n] = total;
    int *index = NEW(int, total);
    float *weight = NEW(float, total), *table = NEW(float, rows * WIDTH), *out = NEW(float, n * WIDTH);
    double sum = 0;
    for (int k = 0; k < total; k++) {
        index[k] = mix(k + 12345) % rows;
        weight[k] = 0.5f + number(k);
    }
    FILL(table, rows * WIDTH, 1);
    int *doffset = on_device(offset, n + 1), *dindex = on_device(index, total);
    float *dweight = on_device(weight, total), *dtable = on_device(table, rows * WIDTH), *dout = device<float>(n * WIDTH);
    double best = fastest(args.repeats, [&] { bags<<<ceiling(n, 4), dim3(WIDTH, 4)>>>(n, doffset, dindex, dweight, dtable, dout); });
    to_host(out, dout, n * WIDTH);
    for (int k = 0; k < n * WIDTH; k++)
        sum += out[k] * (1 + k % 5);
    report("embedding", best, sum);
    return 0;
}
