// In host_data the names of pointers and arrays mean the device's addresses, as host code and as what it hands on.
// launches: 2
// expect-output: host_data_pointers.expect
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

static void add(float *device, int n, float value)
{
#pragma acc parallel loop deviceptr(device)
    for (int i = 0; i < n; i++)
        device[i] += value;
}

struct pair {
    int first, second;
};

static int check(double (*rows)[4], void *raw, const struct pair *const pairs, int n)
{
    int right = 0;
    double vla[n][3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            vla[i][j] = 0;
#pragma acc data copyin(rows[0:2], pairs[0:n], vla)
    {
        void *of_rows = acc_deviceptr(rows), *of_pairs = acc_deviceptr((void *)pairs), *of_vla = acc_deviceptr(vla);
#pragma acc host_data use_device(rows, pairs, vla)
        {
            right += (void *)rows == of_rows;
            right += (char *)&rows[1][2] - (char *)rows == 6 * sizeof(double);
            right += (void *)pairs == of_pairs;
            right += (void *)&pairs[2].second == (void *)((char *)of_pairs + 2 * sizeof(struct pair) + sizeof(int));
            right += (void *)vla == of_vla;
            right += (char *)&vla[1][1] - (char *)vla == 4 * sizeof(double);
        }
        /* Nothing of `raw` is present: allowed, and the host's address. */
        void *host = raw;
#pragma acc host_data use_device(raw) if_present
        right += raw == host;
    }
    return right;
}

int main(void)
{
    int n = 100, right = 0;
    float *p = malloc(n * sizeof *p), a[50];
    double rows[2][4] = {{0}};
    struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    char raw[4];
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < 50; i++)
        a[i] = -i;
    float *host_p = p, *host_a = a;
#pragma acc data copy(p[0:n], a)
    {
#pragma acc host_data use_device(p, a)
        {
            right += p == acc_deviceptr(host_p) && a == acc_deviceptr(host_a);
            add(p, n, 1000);
            for (int k = 0; k < 2; k++) {
                if (k == 0)
                    continue;
                add(a + 10, 5, 100);
                break;
            }
        }
        right += p == host_p;
        for (int when = 0; when < 2; when++)
#pragma acc host_data use_device(p) if(when == 1)
            right += p == (when ? acc_deviceptr(host_p) : host_p);
        right += p == host_p;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    for (int i = 0; i < 50; i++)
        sum += a[i];
    printf("%g %d\n", sum, right + check(rows, raw, pairs, 3));
    free(p);
    return 0;
}
