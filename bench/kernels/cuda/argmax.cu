// The largest of 2^25 floats and the first place where it stands, in two reductions as the OpenACC program has them.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void find_most(int n, const float4 *__restrict__ a, int *most)
{
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = a[i];
        mine = fmaxf(mine, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    mine = block_reduce(mine, 0.0f, [](float p, float q) { return fmaxf(p, q); });
    // The numbers are not negative, so that their bits have the same order.
    if (threadIdx.x == 0)
        atomicMax(most, __float_as_int(mine));
}

__global__ void find_where(int n, const float4 *__restrict__ a, const int *__restrict__ most, int *where)
{
    float m = __int_as_float(*most);
    int mine = n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = a[i];
        int at = v.x == m ? 4 * i : v.y == m ? 4 * i + 1 : v.z == m ? 4 * i + 2 : v.w == m ? 4 * i + 3 : n;
        mine = min(mine, at);
    }
    mine = block_reduce(mine, n, [](int p, int q) { return min(p, q); });
    if (threadIdx.x == 0)
        atomicMin(where, mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 25) >> args.shift;
    float *a = NEW(float, n);
    FILL(a, n, 1);
    float4 *da = reinterpret_cast<float4 *>(on_device(a, n));
    int *found = device<int>(2), *where = pinned<int>(), grid = full_grid(find_most, 256);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(found, 0, sizeof(int)));
        CHECK(cudaMemsetAsync(found + 1, 0x7f, sizeof(int)));
        find_most<<<grid, 256>>>(n, da, found);
        find_where<<<grid, 256>>>(n, da, found, found + 1);
        CHECK(cudaMemcpyAsync(where, found + 1, sizeof(int), cudaMemcpyDeviceToHost));
    });
    report("argmax", best, *where);
    return 0;
}
