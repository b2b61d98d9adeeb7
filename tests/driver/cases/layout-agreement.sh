# Types that regions use lie in memory as the reader says, whatever options reach the user's compiler past accrue's table: types
# of functions, types without a tag, members without a name, bit-fields. Each type below lies alone in a program of its own, so
# that nothing else can tell.
program() {
    printf '#include <stdio.h>\n%s\nint main(void) {\n%s\n#pragma acc parallel loop copy(x)\nfor (int i = 0; i < 3; i++) {\n%s\n}\nreturn 0;\n}\n' "$1" "$2" "$3" >p.c
}
# refused OPTION TEXT [PLACE]: p.c is compiled, but not by a compiler that adds OPTION in secret; the message contains TEXT.
refused() {
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        accrue cc --accrue-cc=$compiler -fopenacc -w -g -O1 -c p.c -o p.o
        accrue cc --accrue-cc=$compiler -fopenacc -std=c99 -pedantic -Wall -Wextra -Wdeclaration-after-statement -Wno-unused -c p.c -o p.o 2>err.txt
        lacks err.txt 'tatic_assert'
        case "$compiler $1" in "clang -fshort-enums" | "gcc -"* | "clang -fpack-struct" | "clang -mms-bitfields") ;; *) continue ;; esac
        printf '#!/bin/sh\nexec %s %s "$@"\n' $compiler "$1" >wrapper
        chmod +x wrapper
        rm p.o
        status 1 accrue cc --accrue-cc="$PWD/wrapper" -fopenacc -w -c p.c -o p.o
        contains err.txt "$2"
        contains err.txt 'than in OpenACC regions'
        contains err.txt "${3:-p.c}"
        absent p.o
    done
}

# Without a tag, at file scope: a variable, a pointer, arrays, members of structs with and without a tag.
program 'static struct { char c; double d; } x[3];' '' 'x[i].d = 1;'
refused -fpack-struct 'the type of `x` has another layout'
program 'static struct { char c; double d; } y, *(*x)[3];' 'x = 0;' '(*x)[i]->d = 1;'
refused -fpack-struct 'the type of `y` has another layout'
program 'typedef struct { char c; double d; } *p; static p x[3];' '' 'x[i]->d = 1;'
refused -fpack-struct 'the type of `p` has another layout'
program 'struct around { long l; struct { char c; double d; } in[2]; }; static struct around x[3];' '' 'x[i].in[1].d = 1;'
refused -fpack-struct 'the type of `in` has another layout'
program 'struct around { union { struct { char c; double d; }; long l; }; }; static struct around x[3];' '' 'x[i].d = 1;'
refused -fpack-struct '`struct around` has another layout'
program 'static enum { A, B } x[3];' '' 'x[i] = B;'
refused -fshort-enums 'the type of `x` has another size or sign'

# Of a function.
program '' 'struct local { char c; double d; } x[3];' 'x[i].d = 1;'
refused -fpack-struct '`struct local` has another layout'
program 'struct local { double d; };' 'struct local { char c; double d; }; struct local x[3];' 'x[i].d = 1;'
refused -fpack-struct '`struct local` has another layout'
program '' 'struct { char c; double d; } x[3], *p = x;' 'p[i].d = 1;'
refused -fpack-struct 'the type of `x` has another layout'
program '' 'typedef struct { char c; struct { char c; double d; } s; } t; static t x[3];' 'x[i].s.d = 1;'
refused -fpack-struct 'the type of `s` has another layout'
program '' 'if (1) { enum local { A, B }; enum local x[3];' 'x[i] = B; }'
refused -fshort-enums '`enum local` has another size or sign'
program '' 'for (struct { char c; double d; } x[3] = {{0}}, *p = x; p == x; p++) {' 'x[i].d = 1; }'
refused -fpack-struct 'the type of `x` has another layout'
program '' 'for (struct { char c; double d; } x[3] = {{0}}, *p = x; p == x; p++)' 'x[i].d = 1;'
refused -fpack-struct 'the type of `x` has another layout'
program '' 'for (struct { long l; struct { char c; double d; } s; } x[3] = {{0}}, *p = x; p == x; p++) for (int k = 0; k < 1; k++)' 'x[i].s.d = 1;'
refused -fpack-struct 'the type of `s` has another layout'

# Bit-fields, whose places cannot be asked for: the compiler's rules can. In the second the sizes are the same by both.
program 'struct bits { char a : 4; int b : 4; }; static struct bits x[3];' '' 'x[i].b = 1;'
refused -mms-bitfields 'bit-fields of `struct bits` have other places or another sign'
program 'struct bits { long a : 10; int b : 30, c : 30; }; static struct bits x[3];' '' 'x[i].c = 1;'
refused -mms-bitfields 'bit-fields of `struct bits` have other places or another sign'
program '' 'struct { int a : 3; } x[3];' 'x[i].a -= 1;'
refused -funsigned-bitfields 'bit-fields of the type of `x` have other places or another sign' 'p.c:4'
# Who uses none need not care; nor who packs by a pragma that never ends.
program '#pragma pack(push, 1)
struct bits { char a; int b : 20; double d; }; static struct bits x[3];' '' 'x[i].b = 1;'
accrue cc -fopenacc -c p.c
program 'static int x[3];' '' 'x[i] = 1;'
printf '#!/bin/sh\nexec cc -funsigned-bitfields "$@"\n' >wrapper
accrue cc --accrue-cc="$PWD/wrapper" -fopenacc -c p.c
no_temporary_files
