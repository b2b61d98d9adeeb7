# Sources with directives, in every form in which sources reach a compiler.
directive_program a.c
export ACCRUE_NOTIFY=1
run() {
    ./p >result.txt 2>launches.txt
    contains result.txt 499500
    contains launches.txt 'launch file='
}
for options in "" -O2 "-O3 -g -march=native" "-O2 -std=c99" "-Wall -Wextra -Werror -pedantic -std=gnu11" "-O2 -flto" \
    "-fsanitize=undefined" "-pipe -fno-strict-aliasing" "-O2 -fopenmp"; do
    accrue cc -fopenacc $options a.c -o p
    run
done
accrue cc -fopenacc -c a.c -o a.o
accrue cc -fopenacc a.o -o p
run
accrue cc -fopenacc -O2 -S a.c
accrue cc -fopenacc a.s -o p
run
accrue cc -fopenacc -g -S a.c -o - | accrue cc -fopenacc -x assembler - -o p
run
accrue cc -fopenacc -x c - -o p <a.c
run
accrue cc -fopenacc -E a.c -o a.i
accrue cc -fopenacc a.i -o p
run
accrue cc -fopenacc -fsyntax-only a.c
accrue cc -fno-openacc a.c -o p
./p >result.txt
contains result.txt 499500
# Two units with directives in one program, each with static functions of the same name.
sed 's/int main(void)/int other(void)/' a.c >other.c
printf 'int other(void);\n#define main first\n#include "a.c"\n#undef main\nint main(void) { return first() + other(); }\n' >both.c
accrue cc -fopenacc both.c other.c -o p
./p
# A directive in a header counts, too.
sed '/^#include/d; /^#define/d; s/int main(void)/static int inner(void)/' a.c >inner.h
printf '#include <stdio.h>\n#define N 1000\n#include "inner.h"\nint main(void) { return inner(); }\n' >outer.c
accrue cc -fopenacc -O2 outer.c -o p
run

# The same source gives the same object, whatever the temporary files were called.
accrue cc -fopenacc -O2 -g -c a.c -o once.o
accrue cc -fopenacc -O2 -g -c a.c -o twice.o
cmp once.o twice.o
no_temporary_files
