static void roots(__global double *p, __local double *p_2, int p_3)
{
    p_2[(int)get_local_id(0)] = p[(int)get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < p_3; i += (int)get_local_size(0)) {
        double t1 = sqrt(p_2[i]);
        p[i] = ((t1 < INFINITY) | (INFINITY != INFINITY)) ? t1 : INFINITY;
    }
    return;
}
