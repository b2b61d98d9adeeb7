// Memory of the heap that functions take: lists that all threads build and give back again and again, of sizes that
// differ, handed from function to function and kept over kernels; arrays whose length is a constant after all.
// launches: 6
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define N 400

struct node {
    struct node *next;
    int value;
    char room[];
};

#pragma acc routine seq
static struct node *pushed(struct node *list, int value, int bytes)
{
    struct node *node = malloc(sizeof *node + bytes);
    assert(node != NULL);
    node->next = list;
    node->value = value;
    for (int k = 0; k < bytes; k++)
        node->room[k] = (char)k;
    return node;
}

#pragma acc routine seq
static long sum_and_free(struct node *list)
{
    long sum = 0;
    while (list != NULL) {
        struct node *next = list->next;
        assert(list->value >= 0);
        sum = 3 * sum + list->value;
        sum %= 1000003;
        free(list);
        list = next;
    }
    return sum;
}

// Not inlined, since lanes share its loop.
#pragma acc routine vector
static void sort_rows(long *row, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++) {
        int *own = calloc(i + 1, sizeof *own);
        assert(own != NULL && own[i] == 0);
        for (int k = 0; k <= i; k++) {
            int value = k * 7 % 11, at = k;
            for (; at > 0 && own[at - 1] > value; at--)
                own[at] = own[at - 1];
            own[at] = value;
        }
        row[i] += own[i / 2] + own[i];
        free(own);
    }
}

int main(void)
{
    static long sums[N];
    static struct node *lists[N];
    for (int round = 0; round < 2; round++) {
#pragma acc parallel loop copyout(sums) vector_length(64)
        for (int i = 0; i < N; i++) {
            struct node *list = NULL;
            long all = 0;
            for (int again = 0; again < 3; again++) {
                for (int k = 0; k < i % 17; k++)
                    list = pushed(list, i + k, k * (i % 5) * (again + 1));
                all += sum_and_free(list);
                list = NULL;
            }
            sums[i] = all;
        }
        for (int i = 0; i < N; i += 37)
            printf("%ld ", sums[i]);
        printf("\n");
    }
#pragma acc data create(lists)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            lists[i] = pushed(pushed(NULL, i, i), 2 * i, 1);
#pragma acc parallel loop copyout(sums)
        for (int i = 0; i < N; i++)
            sums[i] = sum_and_free(lists[N - 1 - i]);
    }
    for (int i = 0; i < N; i += 37)
        printf("%ld ", sums[i]);
    printf("\n");
#pragma acc parallel loop gang copy(sums)
    for (int row = 0; row < 8; row++)
        sort_rows(sums + row * (N / 8), N / 8);
    for (int i = 0; i < N; i += 37)
        printf("%ld ", sums[i]);
    printf("\n");
#pragma acc parallel loop copyout(sums)
    for (int i = 0; i < N; i++) {
        const int n = 8;
        double few[n], scaled[2 * n];
        for (int k = 0; k < n; k++)
            few[k] = scaled[2 * k] = scaled[2 * k + 1] = k * i;
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += few[k * i % 8] + scaled[(k + i) % 16];
        sums[i] = (long)sum;
    }
    for (int i = 0; i < N; i += 37)
        printf("%ld ", sums[i]);
    printf("\n");
    return 0;
}
