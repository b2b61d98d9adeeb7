// Sequential loops around loops of lanes that add up: several iterations at a time, some left over, spelled in different ways.
// launches: 72
#include <stdio.h>

enum { GANGS = 5, IMAGES = 11, AREA = 300 };

static int x[IMAGES][GANGS][AREA];
static float f[IMAGES * GANGS * AREA];
struct cell {
    unsigned char mark;
    long long value;
};
static struct cell cells[IMAGES][GANGS][AREA];

static void sums(int images, int area, long long *out, int *least, unsigned *bits)
{
#pragma acc parallel loop gang copyin(x) copyout(out[0:GANGS], least[0:GANGS], bits[0:GANGS])
    for (int c = 0; c < GANGS; c++) {
        long long sum = c;
        int smallest = 1 << 30;
        unsigned all = 0;
        for (int i = 0; i < images; i++) {
#pragma acc loop vector reduction(+ : sum) reduction(min : smallest) reduction(^ : all)
            for (int p = 0; p < area; p++) {
                int v = x[i][c][p];
                sum += v;
                sum -= i;
                smallest = v < smallest ? v : smallest;
                all ^= (unsigned)v * 2654435761u;
            }
        }
        out[c] = sum;
        least[c] = smallest;
        bits[c] = all;
    }
}

// Downwards, with an offset for each image, and a condition.
static void marked(size_t images, size_t area, long long *out, float *largest)
{
#pragma acc parallel copyin(cells, f) copyout(out[0:GANGS], largest[0:GANGS]) vector_length(64)
#pragma acc loop gang
    for (size_t c = 0; c < GANGS; ++c) {
        long long sum = 0;
        float most = -1;
#pragma acc loop seq
        for (size_t i = images; i-- > 0;) {
            size_t at = (i * GANGS + c) * AREA;
#pragma acc loop vector reduction(+ : sum) reduction(max : most)
            for (size_t p = 0; p < area; ++p) {
                if (cells[i][c][p].mark)
                    sum += cells[i][c][p].value * (long long)(i + 1);
                most = f[at + p] > most ? f[at + p] : most;
            }
        }
        out[c] = sum;
        largest[c] = most;
    }
}

// What comes behind each image sees the sum; rows become longer; the first of the largest is wanted.
static void in_order(unsigned images, unsigned area, long long *out, int *place)
{
#pragma acc parallel loop gang copyin(x) copyout(out[0:GANGS], place[0:GANGS])
    for (unsigned c = 0; c < GANGS; ++c) {
        long long sum = 0, weighted = 0;
        int most = -1, where = -1;
        for (unsigned i = 0; i < images; ++i) {
#pragma acc loop vector reduction(+ : sum)
            for (unsigned p = 0; p < area - i; ++p)
                sum += x[i][c][p];
            weighted += sum * (i + 1);
            sum = sum % 1000;
        }
        for (unsigned i = 0; i < images; ++i) {
            int row = -1;
#pragma acc loop vector reduction(max : row)
            for (unsigned p = 0; p < area; ++p)
                row = x[i][c][p] > row ? x[i][c][p] : row;
            if (row > most) {
                most = row;
                where = (int)i;
            }
        }
        out[c] = weighted;
        place[c] = where;
    }
}

int main(void)
{
    for (int i = 0; i < IMAGES; i++)
        for (int c = 0; c < GANGS; c++)
            for (int p = 0; p < AREA; p++) {
                int at = (i * GANGS + c) * AREA + p;
                x[i][c][p] = (at * 7919 + i * i * 31) % 1009;
                f[at] = (float)(at * 37 % 4099);
                cells[i][c][p] = (struct cell){(unsigned char)(at % 3 == 0), at % 101};
            }
    int areas[] = {1, 33, 300};
    for (int images = 0; images <= IMAGES; images += images < 5 ? 1 : 3)
        for (int k = 0; k < 3; k++) {
            long long a[GANGS], b[GANGS], d[GANGS], check = 0;
            int least[GANGS], place[GANGS];
            unsigned bits[GANGS];
            float largest[GANGS];
            sums(images, areas[k], a, least, bits);
            marked((size_t)images, (size_t)areas[k], b, largest);
            in_order((unsigned)images, (unsigned)areas[k] + 11u > 300u ? 300u : (unsigned)areas[k] + 11u, d, place);
            for (int c = 0; c < GANGS; c++)
                check = check * 31 + a[c] + least[c] + (long long)bits[c] + b[c] + (long long)largest[c] + d[c] + place[c];
            printf("%d images of %d: %lld\n", images, areas[k], check);
        }
    return 0;
}
