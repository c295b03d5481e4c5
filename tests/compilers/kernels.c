/* Plain C of the kind that compilers of models emit: no intrinsics, no assembly. */

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;

void add(float *restrict a, const float *b, const float *c) { for (int i = 0; i < 1024; i++) a[i] = b[i] + c[i]; }
float sum(const float *a) { float s = 0; for (int i = 0; i < 1024; i++) s += a[i]; return s; }
void scale(double *restrict a, const double *b, double c) { for (int i = 0; i < 512; i++) a[i] = b[i] * c + a[i]; }
void matmul(float *restrict c, const float *a, const float *b) { for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) { float s = c[i * 16 + j]; for (int k = 0; k < 16; k++) s += a[i * 16 + k] * b[k * 16 + j]; c[i * 16 + j] = s; } }
i32 dot(const i8 *a, const i8 *b) { i32 s = 0; for (int i = 0; i < 1024; i++) s += a[i] * b[i]; return s; }
i32 dot_mixed(const u8 *a, const i8 *b) { i32 s = 0; for (int i = 0; i < 1024; i++) s += a[i] * b[i]; return s; }
u32 differences(const u8 *a, const u8 *b) { u32 s = 0; for (int i = 0; i < 256; i++) s += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]; return s; }
void average(u8 *restrict a, const u8 *b) { for (int i = 0; i < 256; i++) a[i] = (u8)((a[i] + b[i] + 1) >> 1); }
void saturate(i16 *restrict a, const i32 *b) { for (int i = 0; i < 256; i++) a[i] = b[i] > 32767 ? 32767 : b[i] < -32768 ? -32768 : (i16)b[i]; }
void largest(i32 *restrict a, const i32 *b) { for (int i = 0; i < 256; i++) a[i] = a[i] > b[i] ? a[i] : b[i]; }
float least(const float *a) { float m = a[0]; for (int i = 1; i < 256; i++) m = m < a[i] ? m : a[i]; return m; }
void gather(float *restrict a, const float *b, const i32 *index) { for (int i = 0; i < 256; i++) a[i] = b[index[i]]; }
void relu(float *a) { for (int i = 0; i < 256; i++) a[i] = a[i] > 0 ? a[i] : 0; }
void choose(u64 *restrict a, const u64 *b, const u64 *c) { for (int i = 0; i < 256; i++) a[i] = (a[i] & b[i]) ^ (~a[i] & c[i]); }
void mix(u64 *restrict a, const u64 *b, const u64 *c) { for (int i = 0; i < 256; i++) a[i] = a[i] ^ b[i] ^ c[i]; }
void turn(u32 *a) { for (int i = 0; i < 256; i++) a[i] = (a[i] << 13) | (a[i] >> 19); }
u64 turn_one(u64 a, int n) { return (a << (n & 63)) | (a >> (-n & 63)); }
int ones(u64 a) { return __builtin_popcountll(a); }
int leading(u64 a) { return a ? __builtin_clzll(a) : 64; }
int trailing(u64 a) { return a ? __builtin_ctzll(a) : 64; }
u64 swap(u64 a) { return __builtin_bswap64(a); }
void swap_all(u32 *a) { for (int i = 0; i < 256; i++) a[i] = __builtin_bswap32(a[i]); }
u64 lowest(u64 a) { return a & -a; }
u64 clear_lowest(u64 a) { return a & (a - 1); }
u64 low_bits(u64 a, int n) { return a & ((1ull << n) - 1); }
u64 field(u64 a) { return (a >> 11) & 0x3ff; }
u64 shifted_add(u64 a, u64 b) { return a + (b << 3); }
u64 wide(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }
i64 divide(i64 a, i64 b) { return b ? a / b + a % b : 0; }
i32 absolute(i32 a) { return a < 0 ? -a : a; }
i64 select(i64 a, i64 b, i64 c) { return a < b ? c : b; }
float fraction(i32 a) { return (float)a / 3; }
void round_all(i32 *restrict a, const float *b) { for (int i = 0; i < 256; i++) a[i] = (i32)b[i]; }
double root(double a) { return __builtin_sqrt(a); }
float floor_of(float a) { return __builtin_floorf(a); }
void to_half(_Float16 *restrict a, const float *b) { for (int i = 0; i < 256; i++) a[i] = (_Float16)b[i]; }
void add_halves(_Float16 *restrict a, const _Float16 *b) { for (int i = 0; i < 256; i++) a[i] += b[i]; }
void to_bfloat(__bf16 *restrict a, const float *b) { for (int i = 0; i < 256; i++) a[i] = (__bf16)b[i]; }
void complex_product(float *restrict c, const float *a, const float *b) { for (int i = 0; i < 256; i++) { c[2 * i] += a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1]; c[2 * i + 1] += a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i]; } }
void copy(u8 *a, const u8 *b, u64 n) { __builtin_memcpy(a, b, n); }
void clear(u8 *a) { __builtin_memset(a, 0, 512); }
i32 counter(i32 *a) { return __atomic_fetch_add(a, 1, __ATOMIC_SEQ_CST); }
i32 exchange(i64 *a, i64 b, i64 c) { return __atomic_compare_exchange_n(a, &b, c, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }
i64 load(i64 *a) { return __atomic_load_n(a, __ATOMIC_ACQUIRE); }
void fetch(const u8 *a) { __builtin_prefetch(a, 1); }
u16 checksum(const u8 *a, int n) { u16 c = 0; for (int i = 0; i < n; i++) { c ^= a[i]; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xa001 : c >> 1; } return c; }
