# Routines that call themselves and have variables that lanes or workers share, or reductions over several warps: each activation
# would need its own. It is said, where and why, and the region runs on the host.
cat >tree.c <<'END'
#include <stdio.h>
#define N 64
/* a shared array per activation */
#pragma acc routine vector
static int tree(const int *x, int depth)
{
    int part[N];
#pragma acc loop vector
    for (int i = 0; i < N; i++)
        part[i] = x[i] + depth;
    int below = depth > 0 ? tree(x, depth - 1) : 0;
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += part[i];
    return sum + 3 * below;
}
int main(void)
{
    int x[N], out[1];
    for (int i = 0; i < N; i++) x[i] = i % 7;
#pragma acc parallel num_gangs(1) copyin(x) copyout(out)
    out[0] = tree(x, 3);
    printf("%d\n", out[0]);
}
END
cat >warps.c <<'END'
#include <stdio.h>
#define N 64
#pragma acc routine vector
static int tree(const int *x, int depth)
{
    int sum = 0;
#pragma acc loop vector reduction(+:sum)
    for (int i = 0; i < N; i++)
        sum += x[i] + depth;
    int below = depth > 0 ? tree(x, depth - 1) : 0;
#pragma acc loop vector reduction(max:sum)
    for (int i = 0; i < N; i++)
        sum = sum > x[i] * below ? sum : x[i] * below;
    return sum + 3 * below;
}
#pragma acc routine worker
static int wtree(const int *x, int depth)
{
    int sum = 0;
    int below = depth > 0 ? wtree(x, depth - 1) : 0;
#pragma acc loop worker reduction(+:sum)
    for (int i = 0; i < N; i++)
        sum += x[i] + depth;
    if (depth > 1) below += wtree(x, depth - 2);
#pragma acc loop worker vector reduction(max:sum)
    for (int i = 0; i < N; i++)
        sum = sum > x[i] * below ? sum : x[i] * below;
    return sum + 3 * below;
}
int main(void)
{
    int x[N], out[3];
    for (int i = 0; i < N; i++) x[i] = i % 7;
#pragma acc parallel num_gangs(1) num_workers(4) copyin(x) copyout(out)
    { out[0] = tree(x, 3); out[1] = wtree(x, 3); }
#pragma acc parallel num_gangs(1) num_workers(4) vector_length(64) copyin(x) copyout(out[2:1])
    { 
     int s = 0;
#pragma acc loop worker reduction(+:s)
     for (int i = 0; i < 4; i++)
     s += tree(x, 3); out[2] = s; }
    printf("%d %d %d\n", out[0], out[1], out[2]);
}
END
cat >mutual.c <<'END'
#include <stdio.h>
#define N 64
static int odd(const int *x, int depth);
#pragma acc routine worker
static int even(const int *x, int depth)
{
    int part[N], most = 0;
#pragma acc loop worker vector
    for (int i = 0; i < N; i++)
        part[i] = x[i] + depth;
    int below = depth > 0 ? odd(x, depth - 1) : 0;
#pragma acc loop worker vector reduction(max : most)
    for (int i = 0; i < N; i++)
        most = most > part[N - 1 - i] ? most : part[N - 1 - i];
    return most + 3 * below;
}
#pragma acc routine worker
static int odd(const int *x, int depth)
{
    int flag = 0;
#pragma acc loop worker
    for (int i = 0; i < N; i++)
        if (i == depth) flag = x[i] + 1;
    int below = depth > 0 ? even(x, depth - 1) : 0;
    return flag + below;
}
int main(void)
{
    int x[N], out[1];
    for (int i = 0; i < N; i++) x[i] = i % 7;
#pragma acc parallel num_gangs(1) num_workers(4) copyin(x) copyout(out)
    out[0] = even(x, 6);
    printf("%d\n", out[0]);
}
END
for name in tree warps mutual; do
    accrue cc -O1 -fopenacc $name.c -o $name 2>$name.messages
    cc $name.c -o $name.host 2>/dev/null
    ./$name.host >$name.wanted
    ACC_DEVICE_TYPE=sim ./$name >$name.got 2>$name.log
    same $name.wanted $name.got
    contains $name.log 'this region has no GPU code and runs on the host'
done
contains tree.messages 'share `part` in `tree`, which calls itself'
contains tree.messages 'tree.c:7:5'
contains warps.messages 'share the partial results of this reduction in `wtree`, which calls itself'
contains warps.messages 'warps.c:21:13'
contains mutual.messages 'share `part` in `even`, which calls itself'
contains mutual.messages 'mutual.c:7:5'
