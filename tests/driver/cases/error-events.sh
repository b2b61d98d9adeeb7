# acc_ev_error: tools are told of the error before the program ends, with its kind; a callback may end the program itself.
cat >main.c <<'END'
#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *way;
static void told(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {
    const acc_error_event_info *error = &e->error_event;
    printf("event %d code %d construct %d line %d valid %d text %d\n", (int)p->event_type == acc_ev_error && e->event_type == acc_ev_error,
           (int)error->error_code, (int)error->parent_construct, p->line_no > 0, error->valid_bytes == (int)sizeof *error && a->valid_bytes > 0,
           strlen(error->error_message) > 10);
    if (!strcmp(way, "leave"))
        exit(7);
}
static void again(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {
    (void)p, (void)a;
    printf("again %d\n", (int)e->error_event.error_code);
}
static void routine(char *message) {
    printf("routine %d\n", strlen(message) > 10);
}
int main(int argc, char **argv) {
    static double table[100], other[100];
    way = argv[argc - 1];
    acc_prof_register(acc_ev_error, told, acc_reg);
    acc_prof_register(acc_ev_error, again, acc_reg);
    acc_set_error_routine(routine);
    if (!strcmp(way, "absent") || !strcmp(way, "leave")) {
#pragma acc parallel loop present(table)
        for (int i = 0; i < 100; i++)
            table[i] = i;
    } else if (!strcmp(way, "partly")) {
        acc_copyin(table, 80);
        acc_copyin(table, sizeof table);
    } else if (!strcmp(way, "update")) {
        acc_update_device(other, sizeof other);
    } else if (!strcmp(way, "queue")) {
        acc_wait(-9);
    } else if (!strcmp(way, "device")) {
        acc_set_device_num(99, acc_device_host);
    } else if (!strcmp(way, "null")) {
        acc_map_data(0, table, 8);
    } else if (!strcmp(way, "section")) {
        int n = -argc;
#pragma acc enter data copyin(table[0:n])
    } else if (!strcmp(way, "memory")) {
        acc_create((void *)16, (size_t)1 << 46);
    }
    printf("not reached\n");
    return 0;
}
END
accrue cc -fopenacc -Wall -Wextra main.c -o main
export ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete
for one in absent:10:0 partly:11:15 update:10:15 queue:14:15 device:6:15 null:15:15; do
    way=${one%%:*}
    rest=${one#*:}
    status 1 ./main "$way"
    line=0
    if [ "$way" = absent ]; then line=1; fi
    printf 'event 1 code %s construct %s line %s valid 1 text 1\nagain %s\nroutine 1\n' "${rest%:*}" "${rest#*:}" "$line" "${rest%:*}" >expected
    same out.txt expected
    contains err.txt 'accrue: fatal error: '
done
status 1 ./main section
contains out.txt 'event 1 code 16 construct 4 line 1 valid 1 text 1'
status 1 ./main memory
contains out.txt 'event 1 code 9 '
status 7 ./main leave
contains out.txt 'event 1 code 10 construct 0 line 1 valid 1 text 1'
