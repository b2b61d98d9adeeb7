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

# OpenACC in other languages is refused by name; without the option they are compiled.
echo 'int main() { return 0; }' >c.cpp
status 1 accrue cc -fopenacc -c c.cpp
contains err.txt 'C++'
status 1 accrue c++ -fopenacc -c c.cpp
contains err.txt 'C++'
absent c.o
ACCRUE_CXX=cc accrue c++ -c c.cpp
[ -f c.o ]
no_temporary_files
