// Lines in a picture of 2048 x 2048 bytes (Hough): each bright point votes in 180 directions for its distance, atomically; then the peaks of the votes.
#include "../kernels.h"

enum { SIDE = 2048, ANGLES = 180, BRIGHT = 245, PARTS = 16 };

#if SPELLING == 1
static void lines(int n, int reach, const unsigned char *restrict picture, const int *restrict cosine, const int *restrict sine, int *restrict votes,
                  int *restrict peaks)
{
    int width = 2 * reach + 1, all = ANGLES * width;
#pragma acc data present(picture[0:n * n], cosine[0:ANGLES], sine[0:ANGLES], votes[0:all], peaks[0:all])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++)
            votes[k] = 0;
#pragma acc parallel loop collapse(2)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                if (picture[y * n + x] >= BRIGHT)
                    for (int a = 0; a < ANGLES; a++) {
                        int rho = ((x * cosine[a] + y * sine[a]) >> 14) + reach;
#pragma acc atomic update
                        votes[a * width + rho]++;
                    }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int a = 0; a < ANGLES; a++)
            for (int r = 0; r < width; r++) {
                int v = votes[a * width + r], most = v;
                for (int da = -1; da <= 1; da++)
                    for (int dr = -1; dr <= 1; dr++) {
                        int aa = a + da, rr = r + dr;
                        if (aa >= 0 && aa < ANGLES && rr >= 0 && rr < width && votes[aa * width + rr] > most)
                            most = votes[aa * width + rr];
                    }
                peaks[a * width + r] = v == most ? v : 0;
            }
    }
}
#else
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static void lines(size_t n, size_t reach, unsigned char *in, int *cosine, int *sine, int *votes_, int *peaks_)
{
    unsigned char(*picture)[n] = (void *)in;
    int(*votes)[2 * reach + 1] = (void *)votes_, (*peaks)[2 * reach + 1] = (void *)peaks_;
#pragma acc data present(picture[0:n], cosine[0:ANGLES], sine[0:ANGLES], votes[0:ANGLES], peaks[0:ANGLES])
    {
#pragma acc kernels
        for (size_t a = 0; a < ANGLES; ++a)
            for (size_t r = 0; r < 2 * reach + 1; ++r)
                votes[a][r] = 0;
#pragma acc parallel loop gang
        for (size_t y = 0; y < n; ++y)
#pragma acc loop worker
            for (size_t x = 0; x < n; ++x) {
                if (picture[y][x] < BRIGHT)
                    continue;
#pragma acc loop vector
                for (size_t a = 0; a < ANGLES; ++a) {
                    size_t rho = (((int)x * cosine[a] + (int)y * sine[a]) >> 14) + (int)reach;
#pragma acc atomic
                    votes[a][rho] += 1;
                }
            }
#pragma acc kernels loop independent collapse(2)
#pragma omp parallel for
        for (size_t a = 0; a < ANGLES; ++a)
            for (size_t r = 0; r < 2 * reach + 1; ++r) {
                int most = 0;
                size_t first = a > 0 ? a - 1 : 0, last = a + 1 < ANGLES ? a + 1 : a, left = r > 0 ? r - 1 : 0, right = r < 2 * reach ? r + 1 : r;
                for (size_t aa = first; aa <= last; ++aa)
                    for (size_t rr = left; rr <= right; ++rr)
                        most = LARGER(most, votes[aa][rr]);
                peaks[a][r] = votes[a][r] < most ? 0 : most;
            }
    }
}
#endif

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
    int n = SIDE >> (args.shift + 1) / 2, reach = n * 3 / 2, all = ANGLES * (2 * reach + 1);
    int *cosine = NEW(int, ANGLES), *sine = NEW(int, ANGLES), *votes = NEW(int, all), *peaks = NEW(int, all);
    unsigned char *picture = NEW(unsigned char, n *n);
    double sum = 0;
    directions(cosine, sine);
    draw(n, picture);
#pragma acc enter data copyin(picture[0:n * n], cosine[0:ANGLES], sine[0:ANGLES]) create(votes[0:all], peaks[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        lines(n, reach, picture, cosine, sine, votes, peaks);
#pragma acc update self(votes[0:all], peaks[0:all])
    for (int k = 0; k < all; k++)
        sum += votes[k] * (1 + k % 11) + peaks[k];
    report("hough", t.best, sum);
    return 0;
}
