#pragma acc parallel loop copy(a)
        for (int i = 0; i < 8; i++)
            a[i] = a[i] * 2 + t;
