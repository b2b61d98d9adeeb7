# Sizes that a device does not have are said, once.
cat >a.c <<'EOF'
#include <stdio.h>
int main(void) {
    int a[100], b[10][100], gangs = 2000000000, seen = 0;
    for (int round = 0; round < 3; round++) {
#pragma acc parallel loop gang vector vector_length(4096) copyout(a)
        for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc parallel num_gangs(gangs) num_workers(100) vector_length(128) copyout(b) copy(seen)
        {
#pragma acc atomic write
            seen = 1;
#pragma acc loop gang worker
            for (int i = 0; i < 10; i++)
#pragma acc loop vector
                for (int j = 0; j < 100; j++) b[i][j] = i;
        }
    }
    /* Gangs without iterations are not missed. */
#pragma acc parallel loop gang num_gangs(gangs) copyout(a)
    for (int i = 0; i < 100; i++) a[i] = i;
    printf("%d %d\n", a[99], b[9][99]);
}
EOF
accrue cc -fopenacc a.c -o a
status 0 env ACC_DEVICE_TYPE=sim ./a
contains out.txt "99 9"
contains err.txt "accrue: warning: a.c:5: vector_length(4096): device sim:0 uses 1024"
contains err.txt "accrue: warning: a.c:7: num_workers(100): device sim:0 uses"
contains err.txt "accrue: warning: a.c:7: num_gangs(2000000000): device sim:0 uses"
[ "$(wc -l <err.txt)" = 3 ] || { cat err.txt; fail "said more than once"; }
status 0 env ACC_DEVICE_TYPE=host ./a
contains out.txt "99 9"
contains err.txt "accrue: warning: a.c:7: num_gangs(2000000000): device cpu:0 uses 1048576"
contains err.txt "accrue: warning: a.c:18: num_gangs(2000000000): device cpu:0 uses 1048576"
[ "$(wc -l <err.txt)" = 2 ] || { cat err.txt; fail "said more than once"; }

# Loops without iterations have one gang, however they count.
cat >empty.c <<'EOF'
#include <stdio.h>
int main(int argc, char **argv)
{
    int none = argc - 1, sum = 0;
    (void)argv;
#pragma acc parallel loop gang num_gangs(100000) reduction(+:sum)
    for (int i = 0; i < none; i += 10) sum += i + 1;
#pragma acc parallel loop gang num_gangs(100000) reduction(+:sum)
    for (long i = none; i > 0; i -= 7) sum += i;
#pragma acc parallel loop gang num_gangs(100000) reduction(+:sum)
    for (unsigned i = 4; i <= (unsigned)none; i += 3) sum += i;
#pragma acc parallel loop gang num_gangs(100000) reduction(+:sum)
    for (size_t i = 5; i < (size_t)none; i += 2) sum += i;
#pragma acc parallel loop gang num_gangs(100000) reduction(+:sum)
    for (short i = 3; i <= none; i++) sum += i;
#pragma acc parallel num_gangs(100000) reduction(+:sum)
    {
#pragma acc loop gang reduction(+:sum)
        for (int i = none; i >= 2; i -= 4)
#pragma acc loop vector reduction(+:sum)
            for (int j = 0; j < 10; j++) sum += j;
    }
    printf("%d\n", sum);
}
EOF
accrue cc -fopenacc empty.c -o empty
ACC_DEVICE_TYPE=sim ACCRUE_NOTIFY=1 status 0 ./empty
contains out.txt "0"
grep -o ' gangs=[0-9]* ' err.txt | sort | uniq -c >gangs.txt
[ "$(cat gangs.txt)" = "      6  gangs=1 " ] || { cat err.txt; fail "gangs without iterations run"; }

# Sizes on loops of `parallel`: said, and whether they have an effect.
cat >loops.c <<'EOF'
void f(int *a, int n) {
#pragma acc parallel num_workers(2) copy(a[0:n])
    {
        int inside = 2;
#pragma acc loop gang(4) worker(2) vector(inside)
        for (int i = 0; i < n; i++) a[i] = i;
    }
}
EOF
accrue cc -fopenacc -c loops.c 2>err.txt
contains err.txt "warning: \`gang\` takes no size here: only loops in \`kernels\` have one"
contains err.txt "it is taken for that of a \`num_gangs\` clause of the construct, which is where it belongs"
contains err.txt "it has no effect; a \`num_workers\` clause of the construct has one"
contains err.txt "it has no effect; a \`vector_length\` clause of the construct has one"
accrue cc -fopenacc -w -c loops.c 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "-w"; }
