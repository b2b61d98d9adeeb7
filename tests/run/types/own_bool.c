// A typedef called bool, as programs from before C99 have it.
#include <stdio.h>

typedef int bool;
enum { false, true };

struct node {
    bool visited;
    int cost;
};

#pragma acc routine seq
static bool both(bool a, bool b)
{
    return a + b;
}

int main(void)
{
    bool mask[10];
    struct node nodes[10] = {{0}};
    for (int i = 0; i < 10; i++)
        mask[i] = true;
#pragma acc parallel loop copy(mask[0:10], nodes)
    for (int i = 0; i < 10; i++) {
        bool t = i;
        if (i % 2)
            mask[i] = false;
        nodes[i].visited = t + both(mask[i], true);
        mask[i] += t;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", mask[i], nodes[i].visited);
    return 0;
}
