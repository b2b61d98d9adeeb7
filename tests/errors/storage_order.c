/* Bytes in an order that is not the machine's, by attribute and by pragma. */
struct __attribute__((scalar_storage_order("big-endian"))) first { int a; };
struct { int b; } __attribute__((scalar_storage_order("big-endian"))) second;
#pragma scalar_storage_order big-endian
typedef struct { int c; } third;
#pragma scalar_storage_order default
struct fourth { int d; } fourth;
struct __attribute__((scalar_storage_order("little-endian"))) fifth { int e; } fifth;
struct sixth { short f : 3; int g : 5; } __attribute__((ms_struct)) sixth;
struct first x;
third y;
int main(void) {
    y.c = 1;
#pragma acc parallel copy(x, second, y, fourth, fifth, sixth)
    {
        x.a = 1;
        second.b = 2;
        y.c = 3;
        fourth.d = 4;
        fifth.e = 5;
        sixth.g = 6;
    }
}
