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
contains a.txt '= 202506;'
accrue cc -fopenacc -E -P -DCOUNT2 a.c -o b.txt
lacks b.txt '# 1'
accrue cc -fopenacc -E -x c - <a.c | grep -q 202506
# Our header, not the compiler's.
echo '#include <openacc.h>' >h.c
accrue cc -fopenacc -M h.c >h.txt
grep -o '[^ ]*openacc\.h' h.txt >names.txt
lacks names.txt lib/gcc
# Options about the form of -E's output do not hide directives from a compilation.
echo '#pragma acc paralel' >wrong.c
for form in -P -dM -dD -C -CC -fdebug-cpp -fno-debug-cpp -fdirectives-only -Wp,-dM -Wp,-P,-DX "-Xpreprocessor -dM" "-Xpreprocessor -P"; do
    status 1 accrue cc -fopenacc $form -c wrong.c
    contains err.txt paralel
done
# Nor do they hide which text is a header's.
{ echo '#include <stdlib.h>'; cat a.c; } >with-header.c
for form in -P -Wp,-P -fdebug-cpp -fno-debug-cpp "-Xpreprocessor -P"; do
    accrue cc -fopenacc $form -c with-header.c -o with-header.o
done
