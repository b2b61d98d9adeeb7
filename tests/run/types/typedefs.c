// Typedef names, also ones that hide others, const and volatile qualified.
// launches: 2
#include <stdint.h>
#include <stdio.h>

typedef uint16_t word;
typedef word row[8];
typedef row grid[4];
typedef struct node node;
struct node {
    word w;
    row r;
};
typedef const double cd;

int main(void)
{
    typedef int word_count;
    grid g;
    node n[3];
    cd half = 0.5;
    word_count c = 6;
#pragma acc parallel loop collapse(2) copyout(g)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            g[i][j] = (word)(i * 40000 + j * c);
#pragma acc parallel loop copyin(g) copyout(n)
    for (int i = 0; i < 3; i++) {
        typedef long word;
        word sum = 0;
        volatile int two = 2;
        for (int j = 0; j < 8; j++) {
            n[i].r[j] = (uint16_t)(g[i][j] * half);
            sum += n[i].r[j] * two;
        }
        n[i].w = (uint16_t)sum;
    }
    for (int i = 0; i < 3; i++)
        printf("%u %u\n", n[i].w, n[i].r[7]);
    return 0;
}
