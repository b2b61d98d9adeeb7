// Events of a tool that is a part of the program: their order, their constructs and what they say of data and launches.
// modes: discrete sim (where the device has memory of its own)
// launches: 2
// expect-output: events.expect
#include <acc_prof.h>
#include <stdio.h>
#include <string.h>

#define N 100

static const char *const names[] = {
    "none", "device_init_start", "device_init_end", "device_shutdown_start", "device_shutdown_end", "runtime_shutdown",
    "create", "delete", "alloc", "free", "enter_data_start", "enter_data_end", "exit_data_start", "exit_data_end",
    "update_start", "update_end", "compute_construct_start", "compute_construct_end", "enqueue_launch_start",
    "enqueue_launch_end", "enqueue_upload_start", "enqueue_upload_end", "enqueue_download_start", "enqueue_download_end",
    "wait_start", "wait_end"};

static int depth, wrong;
static int marks[32], nmarks;
static void *device_of_a;

static int is_end(acc_event_t e)
{
    return strstr(names[e], "_end") != NULL;
}

static void show(acc_prof_info *p, acc_event_info *e, acc_api_info *a)
{
    acc_event_t event = p->event_type;
    if (e->event_type != event || e->other_event.event_type != event) wrong |= 1;
    if (p->version != 202506 || p->valid_bytes != sizeof *p || a->valid_bytes != sizeof *a) wrong |= 2;
    if (a->device_type != p->device_type || p->device_number != 0 || p->thread_id == 0) wrong |= 4;
    if (p->async != p->async_queue) wrong |= 8;
    /* What the start leaves there comes back with its end. */
    if (strstr(names[event], "_start")) {
        marks[nmarks] = event;
        e->other_event.tool_info = &marks[nmarks++];
    } else if (is_end(event)) {
        int *mark = e->other_event.tool_info;
        if (!mark || mark != &marks[--nmarks] || *mark != event - 1) wrong |= 16;
        depth--;
    }
    printf("%*s%s construct=%d implicit=%d async=%d", 2 * depth, "", names[event], e->other_event.parent_construct,
           e->other_event.implicit, (int)p->async);
    switch (event) {
    case acc_ev_create: case acc_ev_delete: case acc_ev_alloc: case acc_ev_free:
    case acc_ev_enqueue_upload_start: case acc_ev_enqueue_download_start: case acc_ev_enqueue_upload_end:
    case acc_ev_enqueue_download_end:
        if (e->data_event.valid_bytes != sizeof e->data_event) wrong |= 32;
        printf(" name=%s bytes=%d host=%d", e->data_event.var_name ? e->data_event.var_name : "-", (int)e->data_event.bytes,
               e->data_event.host_ptr != NULL);
        if (event == acc_ev_create && e->data_event.var_name && !strcmp(e->data_event.var_name, "a"))
            device_of_a = (void *)e->data_event.device_ptr;
        break;
    case acc_ev_enqueue_launch_start: case acc_ev_enqueue_launch_end:
        if (e->launch_event.valid_bytes != sizeof e->launch_event) wrong |= 64;
        printf(" kernel=%d", e->launch_event.kernel_name && *e->launch_event.kernel_name);
        if (p->device_type == acc_device_cpu ? e->launch_event.num_gangs != (p->async == 3 ? 4 : 2)
                                             : e->launch_event.num_gangs == 0) wrong |= 4096;
        if (e->launch_event.num_workers == 0 || e->launch_event.vector_length == 0) wrong |= 128;
        break;
    default:
        if (e->other_event.valid_bytes != sizeof e->other_event) wrong |= 256;
    }
    if (p->src_file) {
        const char *name = strrchr(p->src_file, '/');
        printf(" at=%s %s%s", name ? name + 1 : p->src_file, p->func_name, p->line_no > 0 ? "" : " without a line");
    }
    printf("\n");
    if (strstr(names[event], "_start")) depth++;
    if (event == acc_ev_runtime_shutdown) printf("wrong=%d depth=%d\n", wrong, depth);
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup)
{
    for (int e = acc_ev_none + 1; e < acc_ev_last; e++) reg((acc_event_t)e, show, acc_reg);
    if ((acc_prof_reg)lookup("acc_prof_register") != reg || (acc_prof_reg)lookup("acc_prof_unregister") != unreg) wrong |= 512;
    if (lookup("no_such_function")) wrong |= 1024;
}

int main(void)
{
    static int a[N];
    for (int i = 0; i < N; i++) a[i] = i;
#pragma acc data copy(a)
    {
        if (acc_deviceptr(a) != device_of_a) wrong |= 2048;
#pragma acc parallel loop num_gangs(4) async(3)
        for (int i = 0; i < N; i++) a[i] += 1;
#pragma acc wait(3)
#pragma acc update self(a[10:5])
        printf("a[10] = %d\n", a[10]);
    }
    int b[8];
#pragma acc parallel num_gangs(2) copyout(b)
#pragma acc loop gang
    for (int i = 0; i < 8; i++) b[i] = i * a[0];
    acc_copyin(b, sizeof b);
    acc_delete(b, sizeof b);
    void *p = acc_malloc(64);
    acc_memcpy_to_device(p, b, sizeof b);
    acc_free(p);
    printf("b[7] = %d\n", b[7]);
    return 0;
}
