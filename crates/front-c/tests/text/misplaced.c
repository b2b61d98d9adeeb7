// A directive is not a member.
struct S {
#pragma acc parallel
    int x;
};
