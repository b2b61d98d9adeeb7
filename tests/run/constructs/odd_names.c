// Variables, members, labels and functions with names that OpenACC uses as words.
#include <stdio.h>

struct data {
    int copy, loop;
};

static int parallel(int gang) { return gang * 2; }

int main(void)
{
    int acc[5], vector = 3, worker = 4, private = 5, async = 1;
    struct data data = {6, 7};
#pragma acc parallel loop gang vector copyout(acc) copyin(data) firstprivate(vector, worker)
    for (int loop = 0; loop < 5; loop++)
        acc[loop] = parallel(loop) + vector * worker + private + data.copy * data.loop + async;
    for (int i = 0; i < 5; i++)
        printf("%d ", acc[i]);
    printf("\n");
    return 0;
}
