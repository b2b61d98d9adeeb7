# What is not C, and C that does not look like it.
openacc_probe a.c
cp a.c text
accrue cc -fopenacc -x c text -x none -o p
status 4 ./p
accrue cc -fopenacc -x c - -o p <a.c
status 4 ./p
accrue cc -fopenacc -E a.c -o a.i
accrue cc -fopenacc a.i -o p
status 4 ./p
cc -S a.c -o a.s
accrue cc -fopenacc a.s -o p
status 0 ./p
printf '#define F main\n.globl F\nF: xor %%eax, %%eax\nret\n.section .note.GNU-stack\n' >b.S
case $(cc -dumpmachine) in
x86_64*)
    accrue cc -fopenacc b.S -o p
    status 0 ./p
    ;;
esac
accrue cc -c a.c
accrue cc -fopenacc a.o -o p
status 0 ./p
echo '#define M 1' >h.h
accrue cc -fopenacc -c h.h -o h.h.gch
[ -s h.h.gch ]

# C++ around kernels in C: the library is linked, and what the program asks of OpenACC is there.
directive_program k.c
sed -i 's/int main(void)/int kernel(void)/' k.c
cat >main.cpp <<'END'
#include <vector>
#include <openacc.h>
extern "C" int kernel(void);
int main() {
    std::vector<int> v(3);
    return kernel() + (_OPENACC != 202506) + (acc_get_num_devices(acc_device_host) != 1) + (v.size() != 3);
}
END
accrue cc -fopenacc -c k.c
accrue c++ -fopenacc -MMD -c main.cpp
contains main.d main.cpp
accrue c++ -fopenacc main.o k.o -o p
status 0 ./p
contains out.txt 499500
accrue c++ -fopenacc main.cpp k.o -o p
status 0 ./p
accrue c++ -fopenacc main.cpp -x c k.c -o p
status 0 ./p
accrue cc -fopenacc main.cpp k.c -o p -lstdc++
status 0 ./p
accrue c++ -fopenacc -S main.cpp -o main.s
[ -s main.s ]
accrue c++ -fopenacc -E main.cpp -o main.ii
accrue c++ -fopenacc main.ii k.o -o p
status 0 ./p

# Fortran around them.
cat >main.f90 <<'END'
program main
  use iso_c_binding
  interface
    integer(c_int) function kernel() bind(c)
      import c_int
    end function
  end interface
  ! acc is only a word here: !$acc loop
  call exit(kernel())
end program
END
if command -v gfortran >/dev/null; then
    accrue fc -fopenacc -c main.f90
    accrue fc -fopenacc main.o k.o -o p
    status 0 ./p
    cp main.f90 main2.F90
    accrue fc -fopenacc main2.F90 k.c -o p
    status 0 ./p
fi

# Directives in these languages are refused by name and place; without the option they are compiled.
printf '#define REGION _Pragma("acc parallel loop")\nint a[9];\nint main() {\nREGION\nfor (int i = 0; i < 9; i++) a[i] = 0; }\n' >c.cpp
for compiler in cc c++; do
    status 1 accrue $compiler -fopenacc -c c.cpp
    contains err.txt 'c.cpp:4: OpenACC directives in C++'
    contains err.txt 'in a C file'
done
absent c.o
# A file of C is one of C++ to a C++ compiler.
status 1 accrue c++ -fopenacc -c k.c -o k2.o
contains err.txt 'k.c:6: OpenACC directives in C++'
absent k2.o
accrue c++ -c c.cpp
[ -f c.o ]
mkdir inc
printf '      i = 1\nC$ACC kernels\n' >inc/body.inc
printf "      program p\n      include 'body.inc'\n      end\n" >f.f
printf 'program p\n#ifdef _OPENACC\n  use openacc\n#endif\nend\n' >u.F90
if command -v gfortran >/dev/null; then
    status 1 accrue fc -fopenacc -Iinc -c f.f
    contains err.txt 'inc/body.inc:2: OpenACC directives in Fortran'
    accrue fc -Iinc -c f.f
    status 1 accrue fc -fopenacc -c u.F90
    contains err.txt 'u.F90:3:'
    contains err.txt 'interface for Fortran'
fi
no_temporary_files
