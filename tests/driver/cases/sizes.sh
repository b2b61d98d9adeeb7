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
