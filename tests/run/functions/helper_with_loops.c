// A helper with nested loops, local arrays and switch: insertion sort and binary search per iteration.
#include <stdio.h>

#define LEN 12

static void sort(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], k = i;
        for (; k > 0 && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static int find(const int *v, int n, int x)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (v[mid] == x)
            return mid;
        if (v[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

int main(void)
{
    int rows[40][LEN], at[40];
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < LEN; k++)
            rows[i][k] = (i * 37 + k * 101) % 97;
#pragma acc parallel loop copy(rows) copyout(at)
    for (int i = 0; i < 40; i++) {
        int wanted = rows[i][5];
        sort(rows[i], LEN);
        at[i] = find(rows[i], LEN, wanted) * 100 + find(rows[i], LEN, 1000);
    }
    for (int i = 0; i < 40; i++)
        printf("%d %d %d\n", rows[i][0], rows[i][LEN - 1], at[i]);
    return 0;
}
