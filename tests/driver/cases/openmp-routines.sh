# With -fopenmp the device routines of omp.h are the library's, and all others those of the host's OpenMP library.
cat >r.c <<'EOF'
#include <omp.h>
#include <openacc.h>
#include <stdio.h>
int other_devices(void);
int main(void) {
    static int a[100];
    int threads = 0, numbers = 0, device = 0;
#pragma omp parallel num_threads(4) reduction(+ : threads, numbers)
    threads++, numbers += omp_get_thread_num() + 100 * omp_get_num_threads();
    int *p = omp_target_alloc(sizeof a, device);
#pragma acc parallel loop deviceptr(p)
    for (int i = 0; i < 100; i++) p[i] = i;
    int status = omp_target_memcpy(a, p, sizeof a, 0, 0, omp_get_initial_device(), device);
    omp_target_free(p, device);
    acc_copyin(a, sizeof a);
    int present = omp_target_is_present(a, device);
    acc_delete(a, sizeof a);
    printf("%d %d, %d devices, %d elsewhere, %d %d %d\n", threads, numbers, omp_get_num_devices(), other_devices(), status, a[99],
           present);
    return 0;
}
EOF
# A library of others: its devices are those of its own compiler.
cat >other.c <<'EOF'
#include <omp.h>
int other_devices(void) { return omp_get_num_devices(); }
EOF
cc -fopenmp -fPIC -shared other.c -o libother.so
cc -fopenmp -c other.c

# program environment… expected: what it prints.
prints() {
    program=$1 expected=$2
    shift 2
    env "$@" "$program" >printed.txt 2>&1 || { cat printed.txt; fail "$program $*"; }
    contains printed.txt "$expected"
}
everywhere() {
    prints "$1" "4 1606, 0 devices, $2 elsewhere, 0 99 1" ACC_DEVICE_TYPE=host
    prints "$1" "4 1606, 1 devices, $3 elsewhere, 0 99 1" ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete
    prints "$1" "4 1606, 1 devices, $3 elsewhere, 0 99 1" ACC_DEVICE_TYPE=sim
}

accrue cc -fopenacc -fopenmp -O2 r.c -L. -lother -Wl,-rpath,. -o shared
everywhere ./shared 0 0
# What is linked with the program is part of it.
accrue cc -fopenacc -fopenmp r.c other.o -o together
everywhere ./together 0 1
accrue cc -fopenacc -fopenmp -c r.c
accrue cc -fopenacc -fopenmp -static r.o other.o -o static
everywhere ./static 0 1
accrue cc -fopenacc -fopenmp -O2 -flto r.c other.c -o optimised
everywhere ./optimised 0 1

# The same with libomp, which is not on every machine with clang.
if clang -fopenmp other.o -shared -o probe.so 2>/dev/null; then
    accrue cc --accrue-cc=clang -fopenacc -fopenmp -O2 r.c -L. -lother -Wl,-rpath,. -o with-clang
    everywhere ./with-clang 0 0
fi

# Programs that neither have regions nor call these routines have nothing of it.
cat >plain.c <<'EOF'
#include <omp.h>
int main(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n) num_threads(2)
    n += omp_get_thread_num();
    return n;
}
EOF
accrue cc -fopenmp plain.c -o plain
status 1 ./plain
readelf -d plain >plain.txt
lacks plain.txt libaccrue
directive_program a.c
accrue cc -fopenacc -### a.c -o a >words.txt 2>&1
lacks words.txt wrap=
accrue cc -fopenacc -fopenmp -fno-openmp -### a.c -o a >words.txt 2>&1
lacks words.txt wrap=
no_temporary_files
