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
