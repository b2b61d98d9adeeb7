# Where a covering grid would have too few gangs for all multiprocessors, its gangs have fewer lanes, in whatever spelling the loop
# is; not where a clause says how many, nor where the user does not want it.
program() {
    cat >$1.c <<END
#include <stddef.h>
static double a[8 * 40000], b[40000];
static void sums($2 n)
{
#pragma acc $3
    for ($2 j = 0; j < n; j++) {
        double s = 0;
        for ($2 i = 0; i < 8; i++)
            s += a[i * n + j];
        b[j] = s;
    }
}
int main(void)
{
    for (int i = 0; i < 8 * 40000; i++)
        a[i] = i % 10;
#pragma acc data copyin(a) copyout(b)
    {
        sums(100);
        sums(4096);
        sums(10000);
        sums(40000);
    }
    return 0;
}
END
}
lanes() {
    accrue cc -fopenacc $2 $1.c -o $1
    ACC_DEVICE_TYPE=sim ACCRUE_SIM_GPU=h200 ACCRUE_NOTIFY=1 status 0 ./$1
    sed -n 's/.* vector=\([0-9]*\).*/\1/p' err.txt | tr '\n' ' ' >lanes.txt
    echo >>lanes.txt
    echo "$3" | same - lanes.txt
}
program int int 'parallel loop'
lanes int '' '32 32 64 128 '
lanes int -gpu=nospread '128 128 128 128 '
program unsigned unsigned 'kernels loop independent'
lanes unsigned '' '32 32 64 128 '
program size size_t 'parallel loop gang vector'
lanes size '' '32 32 64 128 '
program given int 'parallel loop vector_length(64)'
lanes given '' '64 64 64 64 '
accrue explain int.c >explained.txt
contains explained.txt 'gangs have fewer lanes'
accrue explain given.c >explained.txt
lacks explained.txt 'gangs have fewer lanes'
