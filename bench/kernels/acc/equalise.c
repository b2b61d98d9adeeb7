// A picture of 4096 x 4096 bytes with its contrast evened out place by place (CLAHE): a histogram of each tile of 64 x 64 points, cut off at a limit,
// becomes a map of grey levels by running sums; each point is looked up in the maps of the four tiles around it. Whole numbers.
#include "../kernels.h"

enum { SIDE = 4096, TILE = 64, LEVELS = 256, AREA = TILE * TILE, LIMIT = 4 * AREA / LEVELS };

#if SPELLING == 1
static inline int clamp(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

static void equalise(int w, const unsigned char *restrict in, unsigned char *restrict map, unsigned char *restrict out)
{
    int n = w / TILE;
#pragma acc data present(in[0:w * w], map[0:n * n * LEVELS], out[0:w * w])
    {
#pragma acc parallel loop gang collapse(2)
#pragma omp parallel for collapse(2)
        for (int ty = 0; ty < n; ty++)
            for (int tx = 0; tx < n; tx++) {
                int bins[LEVELS], excess = 0, sum = 0;
#pragma acc loop vector
                for (int v = 0; v < LEVELS; v++)
                    bins[v] = 0;
#pragma acc loop vector collapse(2)
                for (int y = 0; y < TILE; y++)
                    for (int x = 0; x < TILE; x++) {
#pragma acc atomic update
                        bins[in[(ty * TILE + y) * w + tx * TILE + x]]++;
                    }
#pragma acc loop vector reduction(+ : excess)
                for (int v = 0; v < LEVELS; v++)
                    if (bins[v] > LIMIT) {
                        excess += bins[v] - LIMIT;
                        bins[v] = LIMIT;
                    }
#pragma acc loop seq
                for (int v = 0; v < LEVELS; v++) {
                    sum += bins[v] + excess / LEVELS + (v < excess % LEVELS);
                    map[(ty * n + tx) * LEVELS + v] = (sum * (LEVELS - 1) + AREA / 2) / AREA;
                }
            }
        // In halves of a point, from the middle of the tile before.
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 0; y < w; y++)
            for (int x = 0; x < w; x++) {
                int px = 2 * x + 1 + TILE, py = 2 * y + 1 + TILE, fx = px % (2 * TILE), fy = py % (2 * TILE), v = in[y * w + x];
                int left = clamp(px / (2 * TILE) - 1, n), right = clamp(px / (2 * TILE), n);
                int above = clamp(py / (2 * TILE) - 1, n), below = clamp(py / (2 * TILE), n);
                int upper = (2 * TILE - fx) * map[(above * n + left) * LEVELS + v] + fx * map[(above * n + right) * LEVELS + v];
                int lower = (2 * TILE - fx) * map[(below * n + left) * LEVELS + v] + fx * map[(below * n + right) * LEVELS + v];
                out[y * w + x] = ((2 * TILE - fy) * upper + fy * lower + 2 * AREA) / (4 * AREA);
            }
    }
}
#else
typedef unsigned char byte;
typedef byte levels[LEVELS];

// Where a point lies between the middles of tiles: the one before, the one behind, and the weight of that.
typedef struct { unsigned before, behind, weight; } between;

#pragma acc routine seq
static between place(unsigned i, unsigned tiles)
{
    const unsigned p = 2 * i + 1 + TILE, tile = p / (2 * TILE);
    between b = {tile > 0 ? tile - 1 : 0, tile, p % (2 * TILE)};
    if (b.behind == tiles)
        b.behind = tiles - 1;
    return b;
}

#pragma acc routine seq
static unsigned mixed(unsigned a, unsigned b, unsigned weight)
{
    return (2 * TILE - weight) * a + weight * b;
}

static void equalise(size_t w, const byte *in, levels *map, byte *out)
{
    const size_t tiles = w / TILE;
#pragma acc parallel loop gang vector_length(256) present(in[0:w * w], map[0:tiles * tiles])
#pragma omp parallel for
    for (size_t t = 0; t < tiles * tiles; ++t) {
        const byte *tile = in + t / tiles * TILE * w + t % tiles * TILE;
        unsigned bins[LEVELS], sums[2][LEVELS], excess = 0, now = 0;
#pragma acc loop vector
        for (unsigned v = 0; v < LEVELS; ++v)
            bins[v] = 0;
#pragma acc loop vector
        for (unsigned i = 0; i < AREA; ++i) {
            const byte v = tile[i / TILE * w + i % TILE];
#pragma acc atomic
            bins[v] += 1;
        }
#pragma acc loop vector reduction(+ : excess)
        for (unsigned v = 0; v < LEVELS; ++v)
            excess += bins[v] > LIMIT ? bins[v] - LIMIT : 0;
#pragma acc loop vector
        for (unsigned v = 0; v < LEVELS; ++v)
            sums[0][v] = (bins[v] > LIMIT ? LIMIT : bins[v]) + excess / LEVELS + (v < excess % LEVELS ? 1 : 0);
        for (unsigned reach = 1; reach < LEVELS; reach *= 2) {
#pragma acc loop vector
            for (unsigned v = 0; v < LEVELS; ++v)
                sums[1 - now][v] = sums[now][v] + (v >= reach ? sums[now][v - reach] : 0);
            now = 1 - now;
        }
#pragma acc loop vector
        for (unsigned v = 0; v < LEVELS; ++v)
            map[t][v] = (byte)((sums[now][v] * (LEVELS - 1) + AREA / 2) / AREA);
    }
#pragma acc kernels present(in[0:w * w], map[0:tiles * tiles], out[0:w * w])
#pragma acc loop independent
#pragma omp parallel for
    for (unsigned y = 0; y < w; ++y)
#pragma acc loop independent
        for (unsigned x = 0; x < w; ++x) {
            const between h = place(x, tiles), v = place(y, tiles);
            const byte grey = in[y * w + x];
            const unsigned upper = mixed(map[v.before * tiles + h.before][grey], map[v.before * tiles + h.behind][grey], h.weight);
            const unsigned lower = mixed(map[v.behind * tiles + h.before][grey], map[v.behind * tiles + h.behind][grey], h.weight);
            out[y * w + x] = (byte)((mixed(upper, lower, v.weight) + 2 * AREA) / (4 * AREA));
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, n = w / TILE * (w / TILE);
    unsigned char *in = NEW(unsigned char, w *w), *out = NEW(unsigned char, w *w);
    double sum = 0;
    // Dark at the left, with a pattern of low contrast, noise and some bright spots.
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++)
            in[y * w + x] = 20 + x * 120 / w + (x / 24 + y / 40) % 3 * 9 + mix(y * w + x) % 13 + (mix(y / 16 * w + x / 16) % 61 == 0) * 70;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    unsigned char *map = NEW(unsigned char, n *LEVELS);
#pragma acc enter data copyin(in[0:w * w]) create(map[0:n * LEVELS], out[0:w * w])
#else
    levels *map = NEW(levels, n);
#pragma acc enter data copyin(in[0:w * w]) create(map[0:n], out[0:w * w])
#endif
    while (lap(&t))
        equalise(w, in, map, out);
#pragma acc update self(out[0:w * w])
    for (int i = 0; i < w * w; i++)
        sum += out[i] * (i % 7 + 1);
    report("equalise", t.best, sum);
    return 0;
}
