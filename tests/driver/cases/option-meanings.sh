# Options that change types, constants or arithmetic mean the same in regions, or are refused by name.
cat >a.c <<'END'
#include <stdio.h>
#include <stddef.h>
enum small { RED, GREEN = 200 };
enum wide { LOW = -1, HIGH = 70000 };
typedef enum { ONE = 1, TWO } unnamed_enum;
struct item { enum small color; char c; enum wide w; unnamed_enum u; short s; };
typedef struct { struct item items[3]; double x; } table;
union either { long l; enum small e; };
enum small colors[8];
int main(void) {
    table t = {{{RED, -1, HIGH, TWO, 5}}, 0.5};
    table *p = &t;
    union either either = {7};
    char plain = (char)200;
    wchar_t wide[] = L"ab";
    long total = 0;
#pragma acc parallel loop copy(colors, p[0:1], either) copyin(wide, plain) reduction(+ : total)
    for (int i = 0; i < 8; i++) {
        enum small mine[4] = {GREEN, GREEN, RED, RED};
        colors[i] = i % 2 ? GREEN : RED;
        p->items[2].color = mine[0];
        p->items[1].w = HIGH;
        p->items[1].u = TWO;
        p->x = ONE;
        total += sizeof(mine) + sizeof(table) + wide[1] + plain + (p->items[0].c < 0) + either.l;
    }
    for (int i = 0; i < 8; i++) printf("%d ", colors[i]);
    printf("%d %d %d %g %ld\n", p->items[2].color, p->items[1].w, p->items[1].u, p->x, total);
    return 0;
}
END
agrees() {
    cc -w "$@" -o expected -lm
    ./expected >expected.txt
    accrue cc -w -fopenacc "$@" -o p -lm
    for device in host sim; do
        ACC_DEVICE_TYPE=$device ./p >got.txt
        same expected.txt got.txt
    done
}
agrees a.c
agrees -fshort-enums a.c
agrees -funsigned-char a.c
agrees -fshort-wchar -fsigned-char -O2 a.c
agrees -fshort-enums -fno-signed-char -fshort-wchar a.c
agrees -fshort-enums -fno-short-enums a.c
agrees --std=gnu99 -fshort-enums -malign-double -fno-strict-aliasing a.c
agrees -std=gnu99 -pedantic-errors a.c

# ISO C rounds every operation; so do regions, where the processor could do two at once.
cat >c.c <<'END'
#include <stdio.h>
double a[4] = {0.1, 0.3, 0.7, 0.9}, r[4];
int main(int n, char **v) {
#pragma acc parallel loop copyin(a) copyout(r)
    for (int i = 0; i < 4; i++) r[i] = a[i] * a[i] - 0.17320508075688773 * n * a[3 - i];
    for (int i = 0; i < 4; i++) printf("%a\n", r[i]);
}
END
if cc -march=haswell -E -x c /dev/null >/dev/null 2>&1 && grep -qw fma /proc/cpuinfo; then
    for dialect in -std=c99 --std=c11 -std=iso9899:1999 "-std=c99 -ffp-contract=off" "-std=gnu99 -std=c99"; do
        agrees -O2 -march=haswell $dialect c.c
    done
fi

# What an access leads to is told by its type, unless the option or an attribute of the type says that it is not.
aliases() {
    cat >alias.c <<END
#include <stdio.h>
typedef int $2 number;
float table[100] = {1};
int main(void) {
    number *p = (number *)(void *)table;
#pragma acc kernels copy(table, p[0:100])
    for (int i = 0; i < 99; i++) p[i + 1] = 0x3f800000 + 1000 * (int)(table[i] * 20) % 100000;
    for (int i = 0; i < 100; i++) printf("%g ", table[i]);
}
END
    agrees $1 alias.c
}
aliases -fno-strict-aliasing ""
aliases "-fstrict-aliasing -fno-strict-aliasing -O2" ""
aliases -O2 "__attribute__((may_alias))"

# Text in another character set is converted once.
printf '#include <stdio.h>\nint main(void) {\n int n = 0;\n#pragma acc parallel loop reduction(+:n)\n for (int i = 0; i < 3; i++) n++;\n puts("\344");\n return n != 3; }\n' >l.c
agrees -finput-charset=ISO-8859-1 l.c
agrees -finput-charset=ISO-8859-1 -fexec-charset=UTF-8 l.c

# What regions cannot follow is refused, with a way out, in files with directives only.
echo 'int main(void) { return 0; }' >plain.c
for option in -fpack-struct -fpack-struct=2 -funsigned-bitfields -fno-signed-bitfields -fsingle-precision-constant \
    -fexec-charset=IBM1047 -mms-bitfields -fsso-struct=big-endian -mlong-double-64 -mabi=ms -fleading-underscore; do
    case "$option $(cc -dumpmachine)" in -m*x86_64*) ;; -m*) continue ;; esac
    status 1 accrue cc -fopenacc $option -c a.c -o q.o
    contains err.txt "a.c: directives cannot be compiled with \`$option\`"
    absent q.o
    status 0 accrue cc -fopenacc $option -c plain.c -o plain.o
done
status 1 accrue cc --accrue-cc=clang -fopenacc -ObjC -c a.c -o q.o
contains err.txt 'a.c: directives cannot be compiled with `-ObjC`'
for option in -ObjC++ -fapple-kext -fexperimental-new-constant-interpreter; do
    status 1 accrue cc --accrue-cc=clang -fopenacc $option -ansi -c a.c -o q.o
    contains err.txt "a.c: directives cannot be compiled with \`$option\`"
    absent q.o
done
status 1 accrue cc -fopenacc -Mfcon -c a.c -o q.o
contains err.txt 'write them like `0.5f`'
case $(cc -dumpmachine) in
x86_64*)
    for options in "-std=c99 -mfpmath=387" "-mfpmath=387 -fexcess-precision=standard" "-std=gnu99 --std=c11 -mfpmath=both"; do
        status 1 accrue cc -fopenacc $options -c a.c -o q.o
        contains err.txt 'the precision of `long double`'
    done
    status 0 accrue cc -fopenacc -std=c99 -mfpmath=387 -fexcess-precision=fast -c a.c
    ;;
esac

# To clang this one means more than to gcc.
if [ "$(uname -m)" = x86_64 ] && command -v clang >/dev/null; then
    status 1 accrue cc --accrue-cc=clang -fopenacc -malign-double -c a.c -o q.o
    contains err.txt 'a.c: directives cannot be compiled with `-malign-double`: clang aligns `long double` to 8 bytes'
fi

# Options in the compiler's name count as well.
ACCRUE_CC="cc -fshort-enums" accrue cc -fopenacc a.c -o p
cc -fshort-enums a.c -o expected
./expected >expected.txt
./p >got.txt
same expected.txt got.txt
ACCRUE_CC="cc -fpack-struct" status 1 accrue cc -fopenacc -c a.c -o q.o
contains err.txt 'directives cannot be compiled with `-fpack-struct`'

# The net below the table: what nobody told accrue shows in the types themselves.
hidden() {
    printf '#!/bin/sh\nexec cc %s "$@"\n' "$1" >wrapper
    chmod +x wrapper
    status 1 accrue cc --accrue-cc="$PWD/wrapper" -fopenacc -c a.c -o q.o
    contains err.txt 'accrue: '
    contains err.txt "$2"
    contains err.txt 'compile this file with -fno-openacc'
    absent q.o
}
hidden -fpack-struct '`struct item` has another layout'
contains err.txt 'a.c:6'
hidden -fshort-enums '`enum small` has another size or sign'
contains err.txt '`unnamed_enum` has another size or sign'
hidden -funsigned-char 'plain `char` has another sign'
hidden -fsingle-precision-constant 'the fundamental types have other sizes'
hidden -fexec-charset=IBM1047 'characters have other codes'
no_temporary_files

# Atomic accesses of kernels that the host's compiler makes calls of its library of.
cat >atomics.c <<'EOF'
#include <stdio.h>
int main(void)
{
    long counts[3] = {0};
#pragma acc parallel loop copy(counts)
    for (int i = 0; i < 300; i++)
#pragma acc atomic
        counts[i % 3] += i;
    printf("%ld\n", counts[0] + counts[1] + counts[2]);
}
EOF
accrue cc -fopenacc -fno-inline-atomics atomics.c -o atomics
for device in host sim; do
    status 0 env ACC_DEVICE_TYPE=$device ./atomics
    contains out.txt "44850"
done
