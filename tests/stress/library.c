/* A library with directives, to be opened and closed by processes.c. */

/* Adds 1 to each element. */
void library_add(int *a, int n)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

/* The same on a queue. */
void library_start(int *a, int n, int queue)
{
#pragma acc parallel loop copy(a[0:n]) async(queue)
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

void library_wait(void)
{
#pragma acc wait
}
