# Without an OpenACC option `accrue cc` is the compiler: the same commands, messages and exit codes.
openacc_probe a.c
echo 'int f(void) { return 1; }' >b.c
echo 'int broken' >broken.c

for options in "-c a.c" "-O2 -Wall -g a.c b.c -o p -lm" "-E a.c" "-MM a.c" "-S -fPIC b.c" "-x c a.c -x none -Wl,-z,now" \
    "-foffload=disable -c a.c" "-gno-such-option -c a.c" "-c missing.c"; do
    # Names of temporary files differ from run to run.
    cc -### $options 2>&1 | sed 's,[^ "]*/cc[A-Za-z0-9]\{6\}[^ "]*,TMP,g' >expected || true
    accrue cc -### $options 2>&1 | sed 's,[^ "]*/cc[A-Za-z0-9]\{6\}[^ "]*,TMP,g' >got || true
    same expected got
done

status 0 accrue cc a.c -o p
status 0 ./p
status 1 accrue cc -c broken.c
status 0 accrue-cc a.c -o q
status 0 ./q
for question in --version -dumpmachine -print-prog-name=cc1 -dumpversion; do
    cc $question >expected
    accrue cc $question >got
    same expected got
    accrue cc -fopenacc $question >got
    same expected got
done
# gcc does not compile what is beside such a question, however it is spelled.
for question in -fno-target-help -fversion -fno-version -fhelp; do
    status 0 accrue cc -fopenacc --accrue-cc=gcc $question a.c -o asked
    status 1 test -e asked
done
no_temporary_files
