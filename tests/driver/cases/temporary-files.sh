# Temporary files go away, also on a signal; --keep keeps them and says where.
openacc_probe a.c
accrue cc -fopenacc --keep a.c -o p 2>kept.txt
contains kept.txt "$TMPDIR"
ls "$TMPDIR"/accrue-*/*.i >/dev/null
rm -r "$TMPDIR"/accrue-*

# needs: ps bash
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
for signal in INT TERM HUP QUIT ABRT ALRM BUS IO PROF SYS TRAP USR1 USR2 VTALRM XCPU XFSZ PWR STKFLT RTMIN RTMAX; do
    rm -f pids.txt
    # accrue in the foreground and the killer in the background: a shell makes background jobs ignore SIGINT.
    (
        while [ ! -s pids.txt ]; do sleep 0.05; done
        # sh may not know all names of signals.
        bash -c "kill -$signal $(cat accrue.pid)"
    ) &
    got=0
    sh -c 'ulimit -c 0; echo $$ >accrue.pid; exec accrue cc --accrue-cc=./hang -fopenacc -c a.c -o signalled.o' || got=$?
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

# What a compiler has started, and starts later, writes neither outputs nor temporary files after the end; nor does what was
# started by one that is dead already.
cat >leaves <<'END'
#!/bin/sh
case " $* " in
*" --version "*) exec cc "$@" ;;
esac
echo $$ >>pids.txt
(
    trap '' HUP
    sleep 0.4
    echo part >late.o
    echo part >"$TMPDIR/late.s"
) &
trap '(sleep 0.4; echo part >late.o; echo part >"$TMPDIR/later.s") & exit 1' TERM
sleep 60 &
wait
END
chmod +x leaves
for signal in HUP TERM USR1; do
    rm -f pids.txt
    (
        while [ ! -s pids.txt ]; do sleep 0.02; done
        kill -$signal "$(cat accrue.pid)"
    ) &
    got=0
    sh -c 'echo $$ >accrue.pid; exec accrue cc --accrue-cc=./leaves -fopenacc -c a.c -o late.o' || got=$?
    [ $got -gt 128 ] || fail "exit status $got after SIG$signal"
    wait
    sleep 0.9
    absent late.o
    no_temporary_files
done

# A signal to the whole group is not a mistake of the child that it ended first.
cat >group <<'END'
#!/bin/sh
case " $* " in
*" --version "*) exec cc "$@" ;;
esac
bash -c "kill -ALRM $$ $(cat accrue.pid)"
sleep 60
END
chmod +x group
got=0
sh -c 'echo $$ >accrue.pid; exec accrue cc --accrue-cc=./group -fopenacc -c a.c -o late.o' 2>err.txt || got=$?
[ $got -gt 128 ] || fail "exit status $got after SIGALRM to all: $(cat err.txt)"
lacks err.txt "was ended by signal"

# Signals that the parent has had ignored stay ignored: nohup.
cat >slow <<'END'
#!/bin/sh
sleep 0.3
exec cc "$@"
END
chmod +x slow
rm -f accrue.pid
(
    while [ ! -s accrue.pid ]; do sleep 0.05; done
    sleep 0.2
    kill -HUP "$(cat accrue.pid)"
) &
sh -c 'trap "" HUP; echo $$ >accrue.pid; exec accrue cc --accrue-cc=./slow -fopenacc -c a.c -o ignored.o'
wait
[ -f ignored.o ]

# A reader of our messages that goes away, or is not there at all.
directive_program d.c
for command in "-v -c d.c" "-### -c d.c" "-Minfo -c d.c" "-S d.c -o -" "-c missing.c" "-c bad.c"; do
    echo '#pragma acc parallel nonsense
int x' >bad.c
    (accrue cc -fopenacc $command 2>&1 || true) | :
    (accrue cc -fopenacc $command >&- 2>&- <&-) || true
    no_temporary_files
done
# A limit on the size of files.
(ulimit -f 8; accrue cc -fopenacc -c d.c -o limited.o 2>limited.txt) && fail "compiled under a limit of 4 KiB"
absent limited.o
no_temporary_files
# Few descriptors: whatever cannot be opened any more, it is said, and nothing is left. Those behind 2 that a shell has open
# count as well.
for number in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20; do
    for command in "cc -c d.c -o few.o" "cc d.c -o few.o" "cc -save-temps=obj -c d.c -o few.o" "run d.c" "explain d.c"; do
        rm -f few.o few*.i
        got=0
        (
            ulimit -n $number
            accrue ${command%% *} -fopenacc ${command#* }
        ) >few.out 2>few.txt 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- || got=$?
        [ $got -le 125 ] || [ $got = 127 ] || fail "ulimit -n $number, $command: exit status $got: $(cat few.txt)"
        [ $got = 0 ] || [ -s few.txt ] || fail "ulimit -n $number, $command: exit status $got without a word"
        [ $got = 0 ] || lacks few.txt "internal error"
        case "$got $command" in "0 cc"*) [ -f few.o ] || fail "ulimit -n $number, $command: no output" ;; "0 "*) ;; *) absent few.o ;; esac
        left=$(ls "$TMPDIR")
        [ -z "$left" ] || fail "ulimit -n $number, $command: leaves $left: $(cat few.txt)"
    done
done
