# An object of another accrue than the library's does not run with it, and the message says which is old.
cat >heat.c <<'END'
#include <stdio.h>
int main(void)
{
    int s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 10; i++) s += i;
    printf("%d\n", s);
    return 0;
}
END
status 0 accrue cc -fopenacc -S heat.c -o heat.s
version=$(sed -n '/^accrue_image:/{n;s/^.*[^0-9]//p;}' heat.s)
# The version of the image is its first word.
with_version() {
    sed "/^accrue_image:/{n;s/[0-9][0-9]*\$/$1/;}" heat.s >"$2.s"
    status 0 accrue cc -fopenacc "$2.s" -o "$2"
}

with_version "$version" same
status 0 ./same
contains out.txt 45

with_version $((version - 1)) older
status 1 ./older
contains err.txt "heat.c (in ./older): compiled by an older accrue: its interface to libaccrue has version $((version - 1)), "
contains err.txt "libaccrue.so, has version $version; compile heat.c again"

with_version $((version + 1)) newer
status 1 ./newer
contains err.txt "heat.c (in ./newer): compiled by a newer accrue: its interface to libaccrue has version $((version + 1)), "
contains err.txt "use the library of that accrue, or compile heat.c again with this one"
