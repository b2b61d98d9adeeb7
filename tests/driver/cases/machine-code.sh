# Machine code for GPUs beside PTX, made by ptxas where the user asks for it.
directive_program a.c
cat >ptxas <<'END'
#!/bin/sh
# A stand-in: its machine code is a line of text with some bytes that C's strings do not like.
for word; do
    case $word in
        --help) echo "Allowed values: 'sm_80','sm_90'"; exit ;;
        -arch=sm_120) echo "ptxas fatal   : Value 'sm_120' is not defined for option 'gpu-name'" >&2; exit 255 ;;
        -arch=sm_100) echo "ptxas a.ptx, line 7; error : no such instruction" >&2; exit 255 ;;
        -arch=*) gpu=${word#-arch=} ;;
        -*) ;;
        *.cubin) image=$word ;;
        *.ptx) text=$word ;;
    esac
done
grep -q '^.target sm_' "$text" || exit 3
printf 'machine code "%s" \000\0011\377\\??/' "$gpu" >"$image"
END
chmod +x ptxas
export ACCRUE_PTXAS=$PWD/ptxas

# The GPUs that a program has machine code for.
codes() { grep -ao 'machine code "sm_[0-9]*"' "$1" | grep -o 'sm_[0-9]*' | sort -u | tr '\n' ' '; }
says() {
    program=$1
    shift
    accrue cc -fopenacc "$@" a.c -o "$program"
    ACC_DEVICE_TYPE=sim ./"$program" >&2
    codes "$program"
}
[ "$(says a1)" = '' ] || fail 'machine code without being asked for'
[ "$(says a2 -gpu=cc90)" = '' ] || fail 'machine code for cc90'
[ "$(says a3 -gpu=sm_90)" = 'sm_90 ' ] || fail '-gpu=sm_90'
[ "$(says a4 -gpu=sm_80,sm_89 -O2 -flto)" = 'sm_80 sm_89 ' ] || fail '-gpu=sm_80,sm_89'
[ "$(says a5 -gpu=cc80,aot)" = 'sm_80 ' ] || fail '-gpu=cc80,aot'
[ "$(says a6 -gpu=aot)" = 'sm_80 sm_90 ' ] || fail '-gpu=aot'
[ "$(says a7 -gpu=sm_90,noaot)" = '' ] || fail '-gpu=noaot'
[ "$(says a8 -gpu=sm_90 -acc=multicore)" = '' ] || fail 'machine code without code for GPUs'
contains a3 '.target sm_90'
accrue cc -fopenacc -gpu=sm_90 -S a.c -o a.s
accrue cc -fopenacc a.s -o a9
[ "$(codes a9)" = 'sm_90 ' ] || fail '-S loses the machine code'

# Its bytes are kept.
printf 'machine code "sm_90" \000\0011\377\\??/' | od -An -c | tr -d ' \n' >expected
od -An -v -c a3 | tr -d ' \n' >out.txt
contains out.txt "$(cat expected)"

status 1 accrue cc -fopenacc -gpu=sm_120 a.c -o b
contains err.txt 'knows no GPU sm_120'
contains err.txt '-gpu=cc120'
status 1 accrue cc -fopenacc -gpu=sm_100 a.c -o b
contains err.txt 'no such instruction'
contains err.txt '-gpu=noaot'
ACCRUE_PTXAS=/nonexistent/ptxas status 1 accrue cc -fopenacc -gpu=sm_90 a.c -o b
contains err.txt 'ACCRUE_PTXAS names /nonexistent/ptxas'
absent b
status 0 accrue doctor
contains out.txt "$ACCRUE_PTXAS"
no_temporary_files
