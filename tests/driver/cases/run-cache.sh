# accrue run does not run what others could have put into its cache, and does not let them.
echo 'int main(void) { return 3; }' >a.c
sleep 0.05
status 3 accrue run a.c
program=$(find "$XDG_CACHE_HOME/accrue" -type f -name a)
[ "$(stat -c %a "$program")" = 700 ] || fail "mode $(stat -c %a "$program")"

# Whatever the umask, nobody else may write, or reach, what is made.
for mask in 0 002 077; do
    cache=$PWD/cache-$mask
    (umask $mask; XDG_CACHE_HOME=$cache status 3 accrue run a.c)
    loose=$(find "$cache" -perm /077)
    [ -z "$loose" ] || fail "umask $mask: others may use $loose"
done

# Directories that others can write, above and below.
refused() {
    status 1 accrue run a.c
    contains err.txt "$1"
    contains err.txt 'set XDG_CACHE_HOME'
}
for mode in 777 770 707; do
    mkdir -p open-$mode/below
    chmod $mode open-$mode
    XDG_CACHE_HOME=$PWD/open-$mode/below refused "$PWD/open-$mode can be written by other users"
done
mkdir -p sticky/below
chmod 1777 sticky
XDG_CACHE_HOME=$PWD/sticky/below status 3 accrue run a.c
ln -s open-777/below link
XDG_CACHE_HOME=$PWD/link refused "$PWD/open-777 can be written by other users"
chmod 777 "$XDG_CACHE_HOME/accrue"
refused "$XDG_CACHE_HOME/accrue can be written by other users"
chmod 700 "$XDG_CACHE_HOME/accrue"

# A program that others can write is not run.
printf '#!/bin/sh\nexit 66\n' >"$program"
status 66 accrue run a.c
chmod 777 "$program"
status 3 accrue run a.c
# What is damaged is made again.
program=$(find "$XDG_CACHE_HOME/accrue" -type f -name a -perm 700)
printf damaged >"$program.inputs"
status 3 accrue run a.c

if [ "$(id -u)" = 0 ]; then
    mkdir -p foreign/below
    chown 12345 foreign
    XDG_CACHE_HOME=$PWD/foreign/below refused "$PWD/foreign belongs to another user"
    ln -s "$XDG_CACHE_HOME" foreign-link
    chown -h 12345 foreign-link
    XDG_CACHE_HOME=$PWD/foreign-link refused "$PWD/foreign-link belongs to another user"
fi
# Names that could be mistaken for files of the cache.
for name in inputs a.inputs; do
    cp a.c $name.c
    status 3 accrue run $name.c
    status 3 accrue run $name.c
done
no_temporary_files
