# Dependency files have the names and the contents that the user's compiler gives them.
mkdir out
echo '#define A 1' >a.h
printf '#include <stdio.h>\n#include "a.h"\nint main(void) { return 0; }\n' >a.c
printf '#include "a.h"\nint f(void) { return A; }\n' >b.c
echo '-MD' >words

compare() {
    rm -rf expected got
    mkdir expected got
    for side in expected got; do
        find . -name '*.[dos]' -o -name '*.mk' | xargs rm -f
        if [ $side = expected ]; then cc "$@" >deps.mk; else accrue cc -fopenacc "$@" >deps.mk; fi
        for file in *.d out/*.d *.mk; do
            [ ! -f "$file" ] || sed '/^#/d' "$file" >"$side/$(echo "$file" | tr / _).txt"
        done
    done
    diff -r expected got || fail "$*"
}
compare -MD -c a.c
compare -MMD -c a.c
compare -MMD -MP -c a.c -o out/b.o
compare -MD a.c b.c -o prog
compare -MD a.c -o out/prog.x
compare -MD a.c
compare -MMD -MF x.d -c a.c
compare -MMD -MFx.d -MT 'my target' -c a.c
compare -MMD -MQ 'my$target' -c a.c -o out/a.o
compare -MD -S a.c
compare -MMD -S a.c -o out/z.t.s
compare -Wp,-MMD,w.d -c a.c -o out/a.o
compare -c -MD @words a.c
compare -M a.c
compare -MM a.c b.c
compare -MM -MG -MP b.c
compare -MM -MF m.mk b.c
compare -MMD -c b.c a.c
no_temporary_files
