# The user's compiler is clang.
# needs: clang
export ACCRUE_CC=clang
openacc_probe probe.c
directive_program a.c
sed -i 's/#define N 1000/#include "n.h"/' a.c
printf '#define N SIZE\n#define SIZE 1000\n' >n.h
accrue cc -fopenacc probe.c -o p
status 4 ./p
for options in -O2 "-O1 -g" "-Wall -Wextra -Werror -std=c11"; do
    accrue cc -fopenacc $options a.c -o p
    ./p
done
accrue cc -fopenacc -S -O2 a.c -o a.s
accrue cc -fopenacc a.s -o p
./p
accrue cc -fopenacc -MMD -c a.c
contains a.d n.h
# Macros in directives are expanded, and the values of the user's macros survive.
sed 's/copy(a)/copy(a[0:SIZE])/' a.c >b.c
accrue cc -fopenacc b.c -o p
./p
no_temporary_files
# Clang's other form of line markers says nothing of headers; it is for what -E prints.
echo '#include <stdlib.h>' >with-header.c
cat a.c >>with-header.c
accrue cc --accrue-cc=clang -fopenacc -fuse-line-directives -c with-header.c -o with-header.o
# clang's modules: with directives the headers are text, whatever the options say of them.
printf '#include <stddef.h>\n#include <stdarg.h>\n' >modular.c
cat a.c >>modular.c
for options in -fmodules -fimplicit-module-maps -fbuiltin-module-map "-fmodules -fmodules-cache-path=cache" "-fmodules -fmodule-name=m" \
    "-fmodules -fno-implicit-modules" -fmodules-ts "-fmodules -fmodules-decluse" -fprebuilt-module-path=.; do
    accrue cc -fopenacc $options modular.c -o p
    ./p
done
ACCRUE_CC="clang -fmodules" accrue cc -fopenacc modular.c -o p
./p
ACCRUE_CC="clang -fimplicit-module-maps" accrue cc -fopenacc modular.c -o p
./p
# A file without directives is compiled as it would be.
printf '#include <stddef.h>\nint main(void) { return (int)sizeof(max_align_t) - 32; }\n' >plain.c
accrue cc -fopenacc -fmodules -fmodules-cache-path=cache plain.c -o p
./p
ls cache/*/*.pcm >/dev/null
