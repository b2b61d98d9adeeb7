// The first result of a process: one small kernel, data to the device and back. The script that starts the program
// takes the time from the start to the first line of output; `seconds` here counts from main().
#include "common.cuh"

#define N 1024

__global__ void twice(int n, const double *a, double *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 2 * a[i];
}

int main()
{
    double begin = now(), a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    double *da = device<double>(N), *db = device<double>(N);
    CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    twice<<<ceiling(N, 128), 128>>>(N, da, db);
    CHECK(cudaMemcpy(b, db, sizeof b, cudaMemcpyDeviceToHost));
    double t = now() - begin;
    print_row("first_result", N, t, t, 1, 'L', (long long)b[N - 1]);
    return 0;
}
