// Several callbacks for an event: their order, references to them, and all the ways to switch them off and on.
// launches: 10
// expect-output: registration.expect
#include <acc_prof.h>
#include <stdio.h>

static void first(acc_prof_info *p, acc_event_info *e, acc_api_info *a)
{
    printf(" 1%s", p->event_type == e->event_type && a->valid_bytes ? "" : "?");
}
static void second(acc_prof_info *p, acc_event_info *e, acc_api_info *a)
{
    printf(" 2%s", p->event_type == e->event_type && a->valid_bytes ? "" : "?");
}

static void run(const char *what)
{
    int x = 1;
    printf("%s:", what);
#pragma acc parallel copy(x)
    x++;
    printf(" x=%d\n", x);
}

int main(void)
{
    const acc_event_t start = acc_ev_compute_construct_start, end = acc_ev_compute_construct_end;
    run("none");
    acc_prof_register(start, first, acc_reg);
    acc_prof_register(start, second, acc_reg);
    acc_prof_register(end, first, acc_reg);
    acc_prof_register(end, second, acc_reg);
    run("both");
    acc_prof_register(start, first, acc_reg);
    acc_prof_unregister(start, first, acc_reg);
    run("one reference of two");
    acc_prof_unregister(start, first, acc_reg);
    run("none of two");
    acc_prof_unregister(start, first, acc_reg);
    acc_prof_unregister(end, second, acc_toggle);
    run("second at the end off");
    acc_prof_register(end, second, acc_toggle);
    acc_prof_unregister(end, NULL, acc_toggle);
    run("end off");
    acc_prof_register(end, NULL, acc_toggle);
    acc_prof_unregister(acc_ev_none, NULL, acc_toggle);
    run("all off");
    acc_prof_register(acc_ev_none, NULL, acc_toggle);
    acc_prof_unregister(acc_ev_none, NULL, acc_toggle_per_thread);
    run("thread off");
    acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
    acc_prof_register((acc_event_t)1000, first, acc_reg);
    acc_prof_register(acc_ev_none, first, acc_reg);
    acc_prof_register(start, NULL, acc_reg);
    acc_prof_register(start, first, (acc_register_t)7);
    acc_prof_unregister(end, first, acc_toggle_per_thread);
    run("what means nothing");
    acc_prof_unregister(start, second, acc_reg);
    acc_prof_unregister(end, first, acc_reg);
    acc_prof_unregister(end, second, acc_reg);
    run("gone");
    return 0;
}
