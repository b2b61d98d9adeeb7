# Installed under a prefix, accrue finds its header and library there; ACCRUE_HOME overrides.
directive_program a.c
accrue doctor >doctor.txt
header=$(sed -n 's/^ok *header *//p' doctor.txt)
library=$(dirname "$(sed -n 's/^ok *runtime library *//p' doctor.txt)")
for prefix in one two; do
    mkdir -p $prefix/bin $prefix/lib/accrue $prefix/include/accrue
    cp "$(readlink -f "$(command -v accrue)")" $prefix/bin/accrue
    ln -s accrue $prefix/bin/accrue-cc
    cp "$header" $prefix/include/accrue/
    cp "$library"/libaccrue.so "$library"/libaccrue.a $prefix/lib/accrue/
done
unset ACCRUE_HOME
one/bin/accrue-cc -fopenacc a.c -o p
readelf -d p >p.txt
contains p.txt "$PWD/one/lib/accrue"
./p
ACCRUE_HOME=$PWD/two one/bin/accrue cc -fopenacc a.c -o p
readelf -d p >p.txt
contains p.txt "$PWD/two/lib/accrue"
./p
ln -s "$PWD/one/bin/accrue-cc" linked
mv linked "$TMPDIR/accrue-cc"
"$TMPDIR/accrue-cc" -fopenacc a.c -o p
./p

# Directories that the loader would take for something else.
for name in 'a:b' 'a$ORIGIN' 'a${LIB}' 'a b,c=$x'; do
    mkdir "$name"
    cp -r one/lib one/include "$name/"
    rm -f p
    got=0
    ACCRUE_HOME=$PWD/$name accrue cc -fopenacc a.c -o p 2>err.txt || got=$?
    case $name in
    *' '*)
        [ $got = 0 ] || fail "$(cat err.txt)"
        ./p
        ;;
    *)
        [ $got = 1 ] || fail "exit status $got for $name"
        contains err.txt "$PWD/$name/lib/accrue"
        contains err.txt 'symbolic link'
        absent p
        ln -sfn "$name" way-out
        ACCRUE_HOME=$PWD/way-out accrue cc -fopenacc a.c -o p
        ./p
        ACCRUE_HOME=$PWD/$name accrue cc -fopenacc -static a.c -o p
        ./p
        ;;
    esac
done
