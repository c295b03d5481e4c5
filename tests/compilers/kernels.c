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
#ifdef __SIZEOF_INT128__
u64 wide(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }
#endif
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
void reverse_bits(u8 *a) { for (int i = 0; i < 256; i++) a[i] = __builtin_bitreverse8(a[i]); }
u32 reverse_bits_of_one(u32 a) { return __builtin_bitreverse32(a); }
void shift_bytes(u8 *a) { for (int i = 0; i < 256; i++) a[i] = (u8)(a[i] << 3); }
void shift_bytes_by(u8 *restrict a, const u8 *b) { for (int i = 0; i < 256; i++) a[i] = (u8)(a[i] >> (b[i] & 7)); }
void turn_bytes(u8 *a) { for (int i = 0; i < 256; i++) a[i] = (u8)((a[i] << 3) | (a[i] >> 5)); }
void turn_and_mix(u64 *restrict a, const u64 *b) { for (int i = 0; i < 256; i++) a[i] ^= (b[i] << 1) | (b[i] >> 63); }
void count_ones(u32 *a) { for (int i = 0; i < 256; i++) a[i] = (u32)__builtin_popcount(a[i]); }
u64 multiply_without_carry(u64 a, u64 b) { u64 r = 0; for (int i = 0; i < 64; i++) if (b >> i & 1) r ^= a << i; return r; }
u32 checksum_of_word(u32 c, u32 a) { c ^= a; for (int k = 0; k < 32; k++) c = c & 1 ? (c >> 1) ^ 0x82f63b78u : c >> 1; return c; }
void long_sum(u64 *restrict a, const u64 *b, const u64 *c) { u64 carry = 0; for (int i = 0; i < 8; i++) a[i] = __builtin_addcll(b[i], c[i], carry, &carry); }
void look_up(i8 *restrict a, const u8 *b) { static const i8 t[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113}; for (int i = 0; i < 256; i++) a[i] = t[b[i] & 15]; }
void clamp(float *a, float least, float most) { for (int i = 0; i < 256; i++) a[i] = __builtin_fminf(__builtin_fmaxf(a[i], least), most); }
i32 dot_of_shorts(const i16 *a, const i16 *b) { i32 s = 0; for (int i = 0; i < 1024; i++) s += a[i] * b[i]; return s; }
float dot_of_halves(const _Float16 *a, const _Float16 *b) { float s = 0; for (int i = 0; i < 256; i++) s += (float)a[i] * (float)b[i]; return s; }
float dot_of_bfloats(const __bf16 *a, const __bf16 *b) { float s = 0; for (int i = 0; i < 256; i++) s += (float)a[i] * (float)b[i]; return s; }
void add_saturating(i8 *restrict a, const i8 *b) { for (int i = 0; i < 256; i++) { i32 x = a[i] + b[i]; a[i] = (i8)(x > 127 ? 127 : x < -128 ? -128 : x); } }
void scatter(float *restrict a, const float *b, const i32 *index) { for (int i = 0; i < 256; i++) a[index[i]] = b[i]; }
void histogram(u32 *restrict h, const u8 *a) { for (int i = 0; i < 256; i++) h[a[i]]++; }
int compress(i32 *restrict a, const i32 *b) { int n = 0; for (int i = 0; i < 256; i++) if (b[i] > 0) a[n++] = b[i]; return n; }
void planes(u8 *restrict r, u8 *restrict g, u8 *restrict b, const u8 *p) { for (int i = 0; i < 256; i++) { r[i] = p[3 * i]; g[i] = p[3 * i + 1]; b[i] = p[3 * i + 2]; } }
void stream(u64 *a, u64 b) { for (int i = 0; i < 256; i++) __builtin_nontemporal_store(b, a + i); }
void add_unread(u32 *a, u32 b) { __atomic_fetch_add(a, b, __ATOMIC_RELAXED); }
i32 swap_bytes_of(i32 *a, u8 *b, u8 c) { return __atomic_fetch_max(a, 3, __ATOMIC_ACQ_REL) + __atomic_exchange_n(b, c, __ATOMIC_SEQ_CST); }
i32 to_integer(double a) { return (i32)a; }
double rounded(double a) { return __builtin_roundeven(a); }
void add_products_of_halves(float *restrict a, const _Float16 *b, const _Float16 *c) { for (int i = 0; i < 256; i++) a[i] += (float)b[i] * (float)c[i]; }
u32 unaligned(const u8 *a) { u32 b; __builtin_memcpy(&b, a + 1, 4); return b; }
void unaligned_all(u32 *restrict a, const u8 *b) { for (int i = 0; i < 256; i++) { u32 c; __builtin_memcpy(&c, b + 4 * i + 1, 4); a[i] += c; } }
