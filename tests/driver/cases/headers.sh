# Headers are compiled to what gcc and clang make of them, beside the header, and used.
cat >p.h <<'END'
#ifdef _OPENACC
#define VERSION _OPENACC
#else
#define VERSION 0
#endif
static inline int twice(int x) { return 2 * x; }
END
cat >a.c <<'END'
#include "p.h"
int main(void) {
    int s = 0;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < 10; i++) s += twice(i);
    return VERSION == 202506 ? s : 1;
}
END
echo '#include "p.h"
int f(void) { return VERSION; }' >plain.c
mkdir src
cp p.h src/q.h
compare() {
    for side in expected got; do
        rm -rf work
        mkdir work
        cp -r p.h a.c src work
        got=0
        if [ $side = expected ]; then
            (cd work && cc "$@" 2>../err.txt) || got=$?
        else
            (cd work && accrue cc -fopenacc "$@" 2>../err.txt) || got=$?
        fi
        (cd work && find . -type f | sort; echo "exit status $got") >$side.txt
    done
    same expected.txt got.txt
    no_temporary_files
}
compare p.h
compare -c p.h
compare -c src/q.h
compare p.h src/q.h
compare p.h -o x.gch
compare -x c-header a.c
compare -fsyntax-only p.h
compare -MMD -c p.h
compare p.h a.c
compare p.h a.c -o p
compare -c p.h a.c
compare -c p.h a.c -o a.o

accrue cc -fopenacc p.h
# The compiled header is taken: -Winvalid-pch would say why not.
accrue cc -fopenacc -Winvalid-pch -Werror -c plain.c
accrue cc -fopenacc a.c -o p
status 90 ./p
status 1 accrue run p.h
contains err.txt 'a header alone'
