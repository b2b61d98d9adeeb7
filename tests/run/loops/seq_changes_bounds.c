// A loop with `seq` whose body changes what its bound or its step reads: variables, members, elements, memory behind pointers.
#include <stdio.h>

struct range {
    int begin, end, steps[2];
};

int main(void)
{
    int counts[8] = {0}, lengths[4] = {12, 9, 7, 30};
    struct range r = {0, 10, {1, 2}};
#pragma acc parallel num_gangs(1) copy(counts, lengths, r)
    {
        int end = 10, step = 1;
#pragma acc loop seq
        for (int j = 0; j < end; j++) {
            counts[0]++;
            end--;
        }
        end = 40;
#pragma acc loop seq
        for (int j = 0; j < end; j += step) {
            counts[1]++;
            step *= 2;
        }
#pragma acc loop seq
        for (int j = r.begin; j < r.end; j++) {
            counts[2]++;
            r.end -= 2;
        }
#pragma acc loop seq
        for (int j = 0; j < 20; j += r.steps[1]) {
            counts[3]++;
            r.steps[1]++;
        }
#pragma acc loop seq
        for (unsigned j = 0; j < (unsigned)lengths[j % 2]; ++j) {
            counts[4]++;
            lengths[j % 2] -= 1;
        }
    }
    int *half = lengths + 2;
#pragma acc serial copy(counts, lengths) present_or_copy(half[0:2])
    {
#pragma acc loop seq
        for (int j = 0; j < *half; j++) {
            counts[5]++;
            lengths[2]--;
        }
        int *end = &half[1];
#pragma acc loop seq
        for (int j = 0; j < half[1]; j++) {
            counts[6]++;
            *end = *end / 2;
        }
    }
    // What stays the same is counted as ever.
#pragma acc kernels copy(counts) copyin(lengths)
#pragma acc loop seq
    for (int j = 0; j < lengths[1]; j++)
        counts[7] += lengths[0];
    for (int k = 0; k < 8; k++)
        printf("%d ", counts[k]);
    printf("\n%d %d %d %d %d %d\n", r.end, r.steps[1], lengths[0], lengths[1], lengths[2], lengths[3]);
    return 0;
}
