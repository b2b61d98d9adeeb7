# -E keeps directives, expands macros in them, and promises what is there.
cat >a.c <<'END'
#define COUNT 8
void f(int *a) {
#pragma acc parallel loop copy(a[0:COUNT])
    for (int i = 0; i < COUNT; i++) a[i] = _OPENACC;
}
END
accrue cc -fopenacc -E a.c >a.txt
contains a.txt '#pragma acc parallel loop copy(a[0:8])'
contains a.txt '= 201711;'
accrue cc -fopenacc -E -P -DCOUNT2 a.c -o b.txt
lacks b.txt '# 1'
accrue cc -fopenacc -E -x c - <a.c | grep -q 201711
# Our header, not the compiler's.
echo '#include <openacc.h>' >h.c
accrue cc -fopenacc -M h.c >h.txt
lacks h.txt lib/gcc
contains h.txt openacc.h
