# accrue run: arguments, exit status, and a cache that notices changes.
cat >a.c <<'END'
#include <stdio.h>
#include "value.h"
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
    printf("%d %d\n", VALUE, _OPENACC);
    return VALUE;
}
END
echo '#define VALUE 3' >value.h
status 3 accrue run a.c -- -x 'a b' --
contains out.txt '[-x][a b][--]3 202506'
count() { find "$XDG_CACHE_HOME/accrue" -type f -name a | wc -l; }
[ "$(count)" = 1 ]
status 3 accrue run a.c
[ "$(count)" = 1 ] || fail "compiled again"
echo '#define VALUE 5' >value.h
status 5 accrue run a.c
status 5 accrue run -O0 a.c
[ "$(count)" = 3 ] || fail "$(count) programs in the cache instead of 3"
# A program that dies of a signal looks as if it had been started directly.
echo '#include <stdlib.h>
int main(void) { abort(); }' >dies.c
status 134 accrue run dies.c
echo 'int broken' >broken.c
status 1 accrue run broken.c
status 1 accrue run -c a.c
for option in -shared -r; do
    status 1 accrue run $option -fPIC a.c
    contains err.txt "\`$option\` makes no program"
done
status 1 accrue run
directive_program d.c
status 0 accrue run d.c
contains out.txt 499500
no_temporary_files
