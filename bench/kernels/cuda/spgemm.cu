// The product of two sparse matrices of 2^16 rows with 2 to 13 entries each, double: a warp a row with its table of
// hashes in shared memory, eight lanes along each of four rows of B.
#include "kernels.cuh"

constexpr int MOST = 13, TABLE = 256, WARPS = 4, FREE = -1, LANES = 8;

__global__ void multiply(int n, const int *__restrict__ first, const int *__restrict__ column,
                         const double *__restrict__ value, const int *__restrict__ place, int *__restrict__ count,
                         int *__restrict__ out_column, double *__restrict__ out_value)
{
    __shared__ int all_keys[WARPS][TABLE];
    __shared__ double all_sums[WARPS][TABLE];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * WARPS + warp;
    if (row >= n)
        return;
    int *keys = all_keys[warp], used = 0;
    double *sums = all_sums[warp];
    for (int k = lane; k < TABLE; k += 32) {
        keys[k] = FREE;
        sums[k] = 0;
    }
    __syncwarp();
    for (int a = first[row] + lane / LANES, end = first[row + 1]; a < end; a += 32 / LANES) {
        int middle = column[a];
        double left = value[a];
        for (int b = first[middle] + lane % LANES, last = first[middle + 1]; b < last; b += LANES) {
            int key = column[b], slot = key * 107 & (TABLE - 1);
            while (true) {
                int was = atomicCAS(&keys[slot], FREE, key);
                if (was == FREE || was == key)
                    break;
                slot = (slot + 1) & (TABLE - 1);
            }
            atomicAdd(&sums[slot], left * value[b]);
        }
    }
    __syncwarp();
    int base = place[row];
    for (int k = lane; k < TABLE; k += 32) {
        bool taken = keys[k] != FREE;
        unsigned mask = __ballot_sync(0xffffffff, taken);
        if (taken) {
            int at = base + used + __popc(mask & ((1u << lane) - 1));
            out_column[at] = keys[k];
            out_value[at] = sums[k];
        }
        used += __popc(mask);
    }
    if (lane == 0)
        count[row] = used;
}

// Columns near the diagonal and some far from it, going up.
static int sparse(int n, int *first, int *column, double *value)
{
    int entries = 0;
    for (int row = 0; row < n; row++) {
        int length = 2 + mix(row + 5) % (MOST - 1), step = mix(row) % 4 ? 3 : n / 16,
            at = step == 3 ? row - length : mix(row + 9) % step;
        first[row] = entries;
        for (int k = 0; k < length && at < n; k++) {
            if (at >= 0) {
                column[entries] = at;
                value[entries] = number(entries) + 0.1;
                entries++;
            }
            at += 1 + mix(row * MOST + k) % step;
        }
    }
    first[n] = entries;
    return entries;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 16) >> args.shift, *first = NEW(int, n + 1), *column = NEW(int, n *MOST), *place = NEW(int, n + 1),
        *count = NEW(int, n);
    double *value = NEW(double, n * MOST), sum = 0;
    int entries = sparse(n, first, column, value);
    place[0] = 0;
    for (int row = 0; row < n; row++) {
        place[row + 1] = place[row];
        for (int a = first[row]; a < first[row + 1]; a++)
            place[row + 1] += first[column[a] + 1] - first[column[a]];
    }
    int room = place[n], *out_column = NEW(int, room);
    double *out_value = NEW(double, room);
    int *dfirst = on_device(first, n + 1), *dcolumn = on_device(column, entries), *dplace = on_device(place, n + 1);
    int *dcount = device<int>(n), *dout_column = device<int>(room);
    double *dvalue = on_device(value, entries), *dout_value = device<double>(room);
    double best = fastest(args.repeats, [&] {
        multiply<<<ceiling(n, WARPS), 32 * WARPS>>>(n, dfirst, dcolumn, dvalue, dplace, dcount, dout_column,
                                                    dout_value);
    });
    to_host(count, dcount, n);
    to_host(out_column, dout_column, room);
    to_host(out_value, dout_value, room);
    for (int row = 0; row < n; row++) {
        sum += count[row];
        for (int k = place[row]; k < place[row] + count[row]; k++)
            sum += out_value[k] * (1 + out_column[k] % 7);
    }
    report("spgemm", best, sum);
    return 0;
}
