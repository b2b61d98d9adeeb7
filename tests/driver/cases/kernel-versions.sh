# A kernel has a fast version where that pays; it runs when the runtime sees that nothing overlaps.
cat >sweep.c <<'END'
#include <stdio.h>
float all[300];
static void sweep(int n, const float *from, float *to)
{
#pragma acc parallel loop seq present(from[0:n], to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}
int main(void)
{
    float other[100];
    for (int i = 0; i < 100; i++)
        other[i] = i;
#pragma acc data copy(all, other)
    {
        sweep(100, other, all);
        sweep(100, all, all + 1);
        sweep(100, other, all);
    }
    return all[100] == 101 && all[99] == 100 ? 0 : 1;
}
END
accrue ir --emit=ptx -gpu=cc90 sweep.c >sweep.ptx
contains sweep.ptx '.visible .entry accrue_k0_0_disjoint('
contains sweep.ptx 'ld.global.nc.f32'
accrue cc -fopenacc sweep.c -o sweep
ACC_DEVICE_TYPE=sim ACCRUE_NOTIFY=1 status 0 ./sweep
sed -n 's/.*version=//p' err.txt >versions.txt
printf '%s\n' disjoint safe disjoint | same - versions.txt
ACC_DEVICE_TYPE=host ACCRUE_NOTIFY=1 status 0 ./sweep
lacks err.txt 'version='

# One version where loads come first anyway.
directive_program a.c
accrue ir --emit=ptx a.c >a.ptx
lacks a.ptx '_disjoint('

# So has the version for a grid that covers the loop, where a load comes after a store: all of that kernel is one iteration.
cat >twice.c <<'END'
enum { N = 100 };
void twice(int (*a)[N], int (*b)[N], int (*c)[N])
{
#pragma acc parallel loop collapse(2) present(a[0:N], b[0:N], c[0:N])
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            b[j][i] = a[j][i];
            c[j][i] = a[j][i];
        }
}
END
accrue ir --emit=ptx -gpu=cc90 twice.c >twice.ptx
contains twice.ptx '.visible .entry accrue_k0_0_grid_disjoint('
sed 's/b\[j\]\[i\] = a\[j\]\[i\];//' twice.c >once.c
accrue ir --emit=ptx -gpu=cc90 once.c >once.ptx
contains once.ptx '.visible .entry accrue_k0_0_grid('
lacks once.ptx '_grid_disjoint('
