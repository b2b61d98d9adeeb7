# Files that a compiler writes beside its output lie, and are called, as without directives; gcov and profiles work.
directive_program a.c
sed 's/int main(void)/int other(void)/' a.c >b.c
mkdir src out
cp a.c src/p.c

# Which files there are after a command of cc, and of accrue cc.
compare() {
    for side in expected got; do
        rm -rf work
        mkdir work
        cp -r a.c b.c src out work
        if [ $side = expected ]; then
            (cd work && cc "$@")
        else
            (cd work && accrue cc -fopenacc "$@")
        fi
        (cd work && find . -type f | sort) >$side.txt
    done
    same expected.txt got.txt
    no_temporary_files
}
compare --coverage a.c b.c -o p
compare --coverage a.c
compare --coverage -c a.c
compare --coverage -c a.c -o out/q.o
compare --coverage src/p.c -o p
compare --coverage src/p.c -o out/p.exe
compare -fprofile-arcs -ftest-coverage -S a.c
compare -fstack-usage a.c -o p
compare -g -gsplit-dwarf a.c b.c -o p
compare -g -gsplit-dwarf -c a.c -o out/q.o
compare -fprofile-generate a.c -o p
if cc --version | grep -q 'Free Software'; then
    compare -save-temps a.c -o p
    compare -save-temps a.c
    compare -save-temps -c a.c
    compare -save-temps -S a.c
    compare -save-temps=obj src/p.c -o out/p.exe
    compare -save-temps=obj -c src/p.c -o out/q.o
    compare --save-temps a.c -o a
    compare -fcallgraph-info a.c -o p
    compare --coverage -dumpdir out/x- a.c -o p
    compare --coverage -dumpbase base a.c -o p
fi

# A debugger finds what was split off.
accrue cc -fopenacc -g -gsplit-dwarf a.c -o p
dwo=$(readelf --debug-dump=info p 2>readelf.txt | sed -n 's/.*DW_AT_\(GNU_\)*dwo_name.*: *//p' | head -n 1)
[ -f "$dwo" ] || fail "no $dwo"

# needs: gcov
# gcov's numbers outside of regions are those of cc.
cat >counted.c <<'END'
#include <stdio.h>
int main(void) {
    int n = 0;
    double a[10];
    for (int i = 0; i < 7; i++)
        n += i;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++) a[i] = i;
    if (n > 3)
        puts("big");
    return a[3] != 3;
}
END
counts() { sed -n 's/^ *\([0-9#-]*\)\**: *\([1-6]\|9\|1[0-3]\):.*/\2 \1/p' "$1"; }
for side in expected got; do
    rm -f ./*.gcda ./*.gcno ./*.gcov p
    if [ $side = expected ]; then cc --coverage counted.c -o p; else accrue cc -fopenacc --coverage counted.c -o p; fi
    ./p
    for data in *.gcda; do gcov "$data" >gcov.txt; done
    counts counted.c.gcov >$side.txt
done
same expected.txt got.txt
contains got.txt '6 7'

# A profile is found again by a second compilation.
if cc --version | grep -q 'Free Software'; then
    rm -f ./*.gcda
    accrue cc -fopenacc -O2 -fprofile-generate counted.c -o p
    ./p
    [ -f p-counted.gcda ] || fail "no profile: $(ls)"
    accrue cc -fopenacc -O2 -fprofile-use -Werror=coverage-mismatch -fdump-ipa-profile counted.c -o p
    ./p
    grep -q 'Read edge.*count:7' p-counted.c.*profile || fail "the profile was not read"
    rm ./*.gcda
    # accrue run has no output of the user's.
    accrue run --coverage counted.c
    [ -f a-counted.gcno ] || fail "no notes: $(ls)"
    [ -f a-counted.gcda ] || fail "no data: $(ls)"
    rm a-counted.gcno
    accrue run --coverage counted.c
    [ -f a-counted.gcno ] || fail "not compiled again"
fi
no_temporary_files

# Compilers that name these files after the object.
if command -v clang >/dev/null && clang --version | grep -q clang; then
    rm -f ./*.gc* ./*.o ./*.dwo
    ACCRUE_CC=clang accrue cc -fopenacc -g -gsplit-dwarf -c counted.c -o out/q.o
    [ -f out/q.dwo ]
    ACCRUE_CC=clang accrue cc -fopenacc -ftest-coverage counted.c -o p
    [ -f counted.gcno ] || fail "no notes: $(ls)"
    absent counted.o
    echo mine >counted.o
    ACCRUE_CC=clang status 1 accrue cc -fopenacc -ftest-coverage counted.c -o p
    contains err.txt 'counted.o is in the way'
    [ "$(cat counted.o)" = mine ]
fi
no_temporary_files
# Warnings about the unit as a whole.
directive_program whole.c
accrue cc -fopenacc -O2 -fprofile-use -Wmissing-profile -c whole.c -o whole.o 2>err.txt
contains err.txt 'profile count data file not found'
contains err.txt 'whole.c:'
status 1 accrue cc -fopenacc -O2 -fprofile-use -Wmissing-profile -Werror -c whole.c -o whole.o
accrue cc -fopenacc -O2 -std=c99 -Wall -Wextra -pedantic -pedantic-errors -Wc99-c11-compat -Werror -c whole.c -o whole.o 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "a warning about generated text"; }
