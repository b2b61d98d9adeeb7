// Burning of fuel: 48 nuclides in 2^16 zones, double complex, by a rational approximation of the exponential of each zone's matrix; a thread
// a zone, the chain of nuclides in shared memory, poles in constant memory.
#include "kernels.cuh"

constexpr int ZONES = 1 << 16, NUCLIDES = 48, PARENTS = 3, POLES = 8, SOURCES = NUCLIDES * PARENTS;
constexpr double DAYS = 1, LIMIT = 2.1248537104952237488e-16;

__constant__ double pole[POLES][2] = {
    {-10.843917078696988026, 19.277446167181652284}, {-5.2649713434426468895, 16.220221473167927305},
    {5.9481522689511774808, 3.5874573620183222829},  {3.5091036084149180974, 8.4361989858843750826},
    {6.4161776990994341923, 1.1941223933701386874},  {1.4193758971856659786, 10.925363484496722585},
    {4.9931747377179963991, 5.9968817136039422260},  {-1.4139284624888862114, 13.497725698892745389}};
__constant__ double residue[POLES][2] = {
    {-5.0901521865224915650e-7, -2.4220017652852287970e-5}, {2.1151742182466030907e-4, 4.3892969647380673918e-3},
    {113.39775178483930527, 101.9472170421585645},          {15.059585270023467528, -5.7514052776421819979},
    {-64.500878025539646595, -224.59440762652096056},       {-1.4793007113557999718, 1.7686588323782937906},
    {-62.518392463207918892, -11.190391094283228480},       {4.1023136835410021273e-2, -0.15743466173455468191}};

__global__ void burn(int n, const double *__restrict__ flux, const double *__restrict__ decay, const double *__restrict__ capture,
                     const int *__restrict__ parent, const double *__restrict__ decays, const double *__restrict__ captures,
                     const double *__restrict__ before, double *__restrict__ after)
{
    __shared__ double own_decay[NUCLIDES], own_capture[NUCLIDES], d[SOURCES], c[SOURCES];
    __shared__ int from[SOURCES];
    for (int k = threadIdx.x; k < SOURCES; k += blockDim.x) {
        d[k] = decays[k];
        c[k] = captures[k];
        from[k] = parent[k];
        if (k < NUCLIDES) {
            own_decay[k] = decay[k];
            own_capture[k] = capture[k];
        }
    }
    __syncthreads();
    int z = blockIdx.x * blockDim.x + threadIdx.x;
    if (z >= n)
        return;
    double2 x[NUCLIDES];
    double sum[NUCLIDES], strength = flux[z];
    for (int i = 0; i < NUCLIDES; i++)
        sum[i] = LIMIT * before[i * n + z];
    for (int p = 0; p < POLES; p++)
        for (int i = 0; i < NUCLIDES; i++) {
            double2 right = {before[i * n + z], 0};
#pragma unroll
            for (int k = 0; k < PARENTS; k++) {
                int j = from[i * PARENTS + k];
                if (j >= 0) {
                    double rate = DAYS * (d[i * PARENTS + k] + strength * c[i * PARENTS + k]);
                    right.x -= rate * x[j].x;
                    right.y -= rate * x[j].y;
                }
            }
            double re = -DAYS * (own_decay[i] + strength * own_capture[i]) - pole[p][0], im = -pole[p][1];
            double size = 1 / (re * re + im * im);
            x[i] = make_double2((right.x * re + right.y * im) * size, (right.y * re - right.x * im) * size);
            sum[i] += 2 * (residue[p][0] * x[i].x - residue[p][1] * x[i].y);
        }
    for (int i = 0; i < NUCLIDES; i++)
        after[i * n + z] = sum[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ZONES >> args.shift, all = NUCLIDES * n;
    double *flux = NEW(double, n), *decay = NEW(double, NUCLIDES), *capture = NEW(double, NUCLIDES), *decays = NEW(double, SOURCES),
           *captures = NEW(double, SOURCES), *before = NEW(double, all), *after = NEW(double, all), sum = 0;
    int *parent = NEW(int, SOURCES);
    for (int i = 0; i < NUCLIDES; i++) {
        decay[i] = pow(10, 4 * number(i) - 3);
        capture[i] = 0.05 * number(i + 1);
        for (int k = 0; k < PARENTS; k++) {
            int from = i - 1 - (k ? (int)(mix(i * PARENTS + k) % 8) : 0), at = i * PARENTS + k;
            parent[at] = from < 0 || k > 1 + i % 2 ? -1 : from;
            decays[at] = from < 0 ? 0 : 0.3 * decay[from];
            captures[at] = from < 0 ? 0 : 0.3 * capture[from];
        }
        // none comes after one that is missing
        if (parent[i * PARENTS + 1] < 0)
            parent[i * PARENTS + 2] = -1;
    }
    FILL(flux, n, 2);
    FILL(before, all, 1);
    double *dflux = on_device(flux, n), *ddecay = on_device(decay, NUCLIDES), *dcapture = on_device(capture, NUCLIDES),
           *ddecays = on_device(decays, SOURCES), *dcaptures = on_device(captures, SOURCES), *dbefore = on_device(before, all),
           *dafter = device<double>(all);
    int *dparent = on_device(parent, SOURCES);
    double best = fastest(args.repeats, [&] {
        burn<<<ceiling(n, 128), 128>>>(n, dflux, ddecay, dcapture, dparent, ddecays, dcaptures, dbefore, dafter);
    });
    to_host(after, dafter, all);
    SUM(sum, after, all);
    report("depletion", best, sum);
    return 0;
}
