# What debuggers and sanitizers are told are the user's files and lines; objects do not depend on temporary directories.
mkdir src one two
cat >src/sum.h <<'END'
static inline double scaled(const double *a, int i, int stride) {
    return 2 *
           a[i * stride];
}
END
cat >src/d.c <<'END'
#include "sum.h"
#include <stdio.h>
#include <stdlib.h>
#define N 1000
int main(int argc, char **argv) {
    static double a[2 * N];
    double sum = 0;
    int stride = argc > 1 ? atoi(argv[1]) : 1;
#pragma acc parallel loop reduction(+ : sum) copyin(a)
    for (int i = 0; i < N; i++) {
        int k = i +
                2147483600 * (stride > 1);
        sum += k % 2;
        sum += scaled(a, i, stride);
    }
    printf("%g\n", sum);
    return 0;
}
END
for compiler in gcc clang-14 clang-16; do
    command -v $compiler >/dev/null || continue
    export ACCRUE_CC=$compiler
    for options in "" "-g3 -O1" "-g -gdwarf-4 -fPIC" "-fsanitize=address,undefined" "-pg -gpu=none"; do
        for folder in one two; do
            TMPDIR=$PWD/$folder accrue cc -fopenacc $options -c src/d.c -o d.o
            mv d.o $folder.o
        done
        cmp one.o two.o || fail "$compiler $options: not the same object again"
        strings -a one.o >strings.txt
        for generated in "$PWD/two" "$PWD/one" .acc. .host.; do
            if grep -F -- "$generated" strings.txt; then fail "$compiler $options: $generated in the object"; fi
        done
    done
    accrue cc -fopenacc -g -c src/d.c -o d.o
    readelf --debug-dump=decodedline d.o >lines.txt
    # A kernel has lines of the directive's loop and of the function in the header.
    grep -q 'd\.c *12' lines.txt || fail "$compiler: no line 12"
    grep -q 'sum\.h *2' lines.txt || fail "$compiler: no line of sum.h"
    accrue cc -fopenacc -g -fsanitize=undefined src/d.c -o d
    ./d 2 2>report.txt || true
    grep -q 'src/d\.c:1[12]:.*signed integer overflow' report.txt || fail "$compiler: $(cat report.txt)"
    accrue cc -fopenacc -g -fsanitize=address src/d.c -o d
    ACC_NUM_CORES=1 ASAN_OPTIONS=detect_leaks=0 ./d 100000000 2>report.txt && fail "no error found"
    grep -q 'sum\.h:[123]' report.txt || fail "$compiler: $(cat report.txt)"
    lacks report.txt .acc.
done
unset ACCRUE_CC
# The code is the same with lines and without.
for options in -O2 -O3; do
    accrue cc -fopenacc $options -c src/d.c -o without.o
    accrue cc -fopenacc $options -g -c src/d.c -o with.o
    for object in with without; do objdump -d --no-show-raw-insn $object.o | sed 1,3d >$object.txt; done
    same with.txt without.txt
done
no_temporary_files
