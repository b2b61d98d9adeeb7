// Compound literals last as long as the block around them (6.5.2.5), also where they stand in an operand that is evaluated sometimes, and each
// iteration has its own.
#include <stdio.h>

struct point { int x, y; };

static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + p[i];
    return s;
}

static const int *pick(const int *a, const int *b, int first) { return first ? a : b; }

int main(void)
{
    int results[40][6];
#pragma acc parallel loop copyout(results)
    for (int i = 0; i < 40; i++) {
        const int *a = i % 3 ? (const int[]){1, 2, i} : (const int[]){10, 20, i + 5};
        const struct point *p = i % 2 ? &(struct point){i, 2} : &(struct point){3, -i};
        const int *b;
        int set = i % 5 && (b = (int[]){i, i + 1, i + 2}, 1);
        int other = i % 4 || (b = (int[]){7, 8, 9}, 0);
        int fill[8] = {i, i, i, i, i, i, i, i};
        const int *c = i > 7 ? i > 20 ? (int[]){i, 1} : (int[]){i, 2} : &(int){-i};
        results[i][0] = sum(a, 3);
        results[i][1] = p->x * 100 + p->y;
        results[i][2] = set || !other ? sum(b, 3) : 0;
        results[i][3] = sum(fill, 8) + c[0];
        results[i][4] = sum(pick((int[]){i, 4}, (int[]){5, i}, i % 2), 2);
        int last = 0;
        for (int k = 0; k < 3; k++) {
            const int *own = k % 2 ? (int[]){k, i} : (int[]){i, k};
            switch (k) {
            case 0:
                last += sum(own, 2);
                break;
            default:
                last -= own[0] > 1 ? *&(int){own[1]} : own[0];
            }
        }
        results[i][5] = last;
    }
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 6; k++)
            printf("%d%c", results[i][k], k < 5 ? ' ' : '\n');
    return 0;
}
