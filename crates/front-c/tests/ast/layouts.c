/* The compiler computes the enumeration constants; the layouts of the reader must agree with them. */
struct plain { char c; double d; short s; };
struct nested { char c; struct { int x; char y; } in; union { float f; long l; } u; };
struct bits { int a : 3; unsigned b : 30; char c : 2; long d : 40; short e; int : 0; char f : 1; };
struct bits2 { char a; int b : 24; int c : 9; unsigned char d : 1; _Bool e : 1; };
struct unnamed_bits { char a; int : 5; char b; long : 0; char c; };
struct packed { char a; int b; short c : 3; long d; } __attribute__((packed));
struct member_packed { char a; int b __attribute__((packed)); long c; };
struct aligned { char a; int b __attribute__((aligned(16))); char c; } __attribute__((aligned(64)));
struct alignas_member { char a; _Alignas(32) short b; };
struct flexible { int n; double data[]; };
#pragma pack(push, 2)
struct pragma_packed { char a; int b; long c; };
#pragma pack(4)
struct pragma_packed4 { char a; double b; int c : 5; };
#pragma pack(pop)
struct after_pack { char a; int b; };
union mixed { char c[13]; int i; long double l; };
struct complexes { char a; float _Complex f; double _Complex d; long double l; __int128 i; };
struct list { struct list *next; void (*call)(struct list *, int); int (*row)[7]; };
enum small { S0, S1 };
enum negative { N0 = -1 };
enum large { L0 = 1ul << 40 };
enum __attribute__((packed)) tiny { T0 = 200 };
typedef struct { char tag[5]; enum tiny t; enum large l; } with_enums;
struct arrays { char c[3][5]; int i[2][3]; struct bits b[3]; };
enum sizes {
  size_plain = sizeof(struct plain), align_plain = _Alignof(struct plain),
  offset_plain_d = __builtin_offsetof(struct plain, d), offset_plain_s = __builtin_offsetof(struct plain, s),
  size_nested = sizeof(struct nested), offset_nested_in = __builtin_offsetof(struct nested, in), offset_nested_u = __builtin_offsetof(struct nested, u),
  size_bits = sizeof(struct bits), align_bits = _Alignof(struct bits), offset_bits_e = __builtin_offsetof(struct bits, e),
  size_bits2 = sizeof(struct bits2), align_bits2 = _Alignof(struct bits2),
  size_unnamed_bits = sizeof(struct unnamed_bits), align_unnamed_bits = _Alignof(struct unnamed_bits), offset_unnamed_bits_b = __builtin_offsetof(struct unnamed_bits, b), offset_unnamed_bits_c = __builtin_offsetof(struct unnamed_bits, c),
  size_packed = sizeof(struct packed), align_packed = _Alignof(struct packed), offset_packed_b = __builtin_offsetof(struct packed, b), offset_packed_d = __builtin_offsetof(struct packed, d),
  size_member_packed = sizeof(struct member_packed), offset_member_packed_b = __builtin_offsetof(struct member_packed, b),
  size_aligned = sizeof(struct aligned), align_aligned = _Alignof(struct aligned), offset_aligned_b = __builtin_offsetof(struct aligned, b), offset_aligned_c = __builtin_offsetof(struct aligned, c),
  size_alignas_member = sizeof(struct alignas_member), offset_alignas_member_b = __builtin_offsetof(struct alignas_member, b),
  size_flexible = sizeof(struct flexible), align_flexible = _Alignof(struct flexible),
  size_pragma_packed = sizeof(struct pragma_packed), offset_pragma_packed_b = __builtin_offsetof(struct pragma_packed, b),
  size_pragma_packed4 = sizeof(struct pragma_packed4), align_pragma_packed4 = _Alignof(struct pragma_packed4),
  size_after_pack = sizeof(struct after_pack),
  size_mixed = sizeof(union mixed), align_mixed = _Alignof(union mixed),
  size_complexes = sizeof(struct complexes), offset_complexes_f = __builtin_offsetof(struct complexes, f), offset_complexes_d = __builtin_offsetof(struct complexes, d), offset_complexes_i = __builtin_offsetof(struct complexes, i),
  size_list = sizeof(struct list),
  size_small = sizeof(enum small), size_negative = sizeof(enum negative), size_large = sizeof(enum large), size_tiny = sizeof(enum tiny),
  size_with_enums = sizeof(with_enums), offset_with_enums_l = __builtin_offsetof(with_enums, l),
  size_arrays = sizeof(struct arrays), offset_arrays_b = __builtin_offsetof(struct arrays, b),
};
