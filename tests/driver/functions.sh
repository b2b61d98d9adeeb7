# What the scripts in cases/ share.

fail() {
    echo "FAILED: $*"
    exit 1
}

# status N command…: the command ends with exit status N.
status() {
    expected=$1
    shift
    got=0
    "$@" >out.txt 2>err.txt || got=$?
    if [ "$got" != "$expected" ]; then
        cat out.txt err.txt
        fail "exit status $got instead of $expected: $*"
    fi
}

# same a b: the two files are equal.
same() {
    diff "$1" "$2" || fail "$1 and $2 differ"
}

# contains file text: the file holds the text.
contains() {
    grep -qF -- "$2" "$1" || { cat "$1"; fail "$1 does not contain: $2"; }
}

# lacks file text: it does not.
lacks() {
    if grep -qF -- "$2" "$1"; then cat "$1"; fail "$1 contains: $2"; fi
}

# absent path…: there is no such file.
absent() {
    for path in "$@"; do
        [ ! -e "$path" ] || fail "$path exists"
    done
}

# no_temporary_files: accrue has removed everything it made.
no_temporary_files() {
    left=$(ls "$TMPDIR")
    [ -z "$left" ] || fail "left behind: $left"
}

# A program whose exit status says which OpenACC version it was compiled for: 0 without, 4 with.
openacc_probe() {
    cat >"$1" <<'END'
#ifdef _OPENACC
int main(void) { return _OPENACC == 202506 ? 4 : 5; }
#else
int main(void) { return 0; }
#endif
END
}

# A program with directives; exit status 0 when its results are right.
directive_program() {
    cat >"$1" <<'END'
#include <stdio.h>
#define N 1000
int main(void) {
    static double a[N];
    double sum = 0;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++) a[i] = i;
#pragma acc parallel loop reduction(+ : sum) copyin(a)
    for (int i = 0; i < N; i++) sum += a[i];
    printf("%g\n", sum);
    return sum != 499500;
}
END
}
