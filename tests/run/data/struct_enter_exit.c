// Deep copy by enter data: the struct, then its members; used through a pointer to the struct.
#include <stdio.h>
#include <stdlib.h>

struct csr {
    int rows;
    int *start;
    double *value;
};

static struct csr *make(int rows)
{
    struct csr *m = malloc(sizeof *m);
    m->rows = rows;
    m->start = malloc((unsigned)(rows + 1) * sizeof *m->start);
    m->start[0] = 0;
    for (int i = 0; i < rows; i++)
        m->start[i + 1] = m->start[i] + i % 3 + 1;
    m->value = malloc((unsigned)m->start[rows] * sizeof *m->value);
    for (int k = 0; k < m->start[rows]; k++)
        m->value[k] = k;
#pragma acc enter data copyin(m[0:1])
#pragma acc enter data copyin(m->start[0:rows + 1], m->value[0:m->start[rows]])
    return m;
}

int main(void)
{
    struct csr *m = make(25);
    double sum[25];
#pragma acc parallel loop present(m[0:1]) copyout(sum)
    for (int i = 0; i < m->rows; i++) {
        sum[i] = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            sum[i] += m->value[k];
            m->value[k] = -1;
        }
    }
    int last = m->start[25];
#pragma acc exit data copyout(m->value[0:last]) delete(m->start[0:26])
#pragma acc exit data delete(m[0:1])
    double s = 0;
    for (int i = 0; i < 25; i++)
        s += sum[i] * i;
    printf("%g %g %g\n", s, m->value[0], m->value[last - 1]);
    free(m->start);
    free(m->value);
    free(m);
    return 0;
}
