# Temporary files go away, also on a signal; --keep keeps them and says where.
openacc_probe a.c
accrue cc -fopenacc --keep a.c -o p 2>kept.txt
contains kept.txt "$TMPDIR"
ls "$TMPDIR"/accrue-*/*.i >/dev/null
rm -r "$TMPDIR"/accrue-*

# needs: ps
# A compiler that hangs in every step but the first questions.
cat >hang <<'END'
#!/bin/sh
case " $* " in
*" --version "*) exec cc "$@" ;;
esac
echo $$ >>pids.txt
exec sleep 60
END
chmod +x hang
for signal in INT TERM HUP; do
    rm -f pids.txt
    # accrue in the foreground and the killer in the background: a shell makes background jobs ignore SIGINT.
    (
        while [ ! -s pids.txt ]; do sleep 0.1; done
        sleep 0.1
        kill -$signal "$(cat accrue.pid)"
    ) &
    got=0
    sh -c 'echo $$ >accrue.pid; exec accrue cc --accrue-cc=./hang -fopenacc -c a.c -o signalled.o' || got=$?
    [ $got -gt 128 ] || fail "exit status $got after SIG$signal"
    wait
    absent signalled.o
    no_temporary_files
    sleep 0.2
    for pid in $(cat pids.txt); do
        # Where nobody reaps orphans, an ended child stays in the table as a zombie.
        state=$(ps -o stat= -p "$pid" || true)
        case "$state" in "" | Z*) ;; *) fail "child $pid is still there after SIG$signal" ;; esac
    done
done
