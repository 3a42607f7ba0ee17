// A library for LD_PRELOAD that tells how much of the heap in use was asked for by the driver of
// software OpenGL (Mesa, and LLVM, which compiles its shaders), and how much by all else. The
// memory of the driver depends on which of hundreds of variants of shaders were drawn lately; that
// of the program should depend on the project alone.
//
// A block belongs to the library whose code called malloc or operator new. The few that the
// driver asks for through another library, such as by strdup(), count as the program's. Code that
// is compiled while the program runs lies in mappings, not in the heap, and is not counted.
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <string.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

enum Owner : std::uint64_t { Program, Driver, kOwners };
constexpr const char* kDriver[] = {"libLLVM",     "_dri.so",  "libgallium", "libEGL_mesa",
                                   "libGLX_mesa", "libglapi", "libgbm"};

// The code of the driver's libraries. They are loaded late, with the first context of OpenGL.
struct Range {
  std::uintptr_t begin, end;
};
constexpr int kMostRanges = 64;
Range ranges[kMostRanges];
std::atomic<int> rangeCount{0};

std::atomic<long long> bytes[kOwners];

Owner ownerOf(const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  const int count = rangeCount.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    if (address >= ranges[i].begin && address < ranges[i].end) return Driver;
  }
  return Program;
}

int addRanges(dl_phdr_info* library, std::size_t, void*) {
  bool isDriver = false;
  for (const char* name : kDriver)
    isDriver = isDriver || strstr(library->dlpi_name, name) != nullptr;
  if (!isDriver) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& header = library->dlpi_phdr[i];
    const int count = rangeCount.load(std::memory_order_relaxed);
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 || count == kMostRanges) continue;
    const std::uintptr_t begin = library->dlpi_addr + header.p_vaddr;
    ranges[count] = {begin, begin + header.p_memsz};
    rangeCount.store(count + 1, std::memory_order_release);
  }
  return 0;
}

// The owner is written into the last bytes of a block, behind those that were asked for. A block
// without this mark is not counted.
constexpr std::uint64_t kMark = 0x9e3779b97f4a7c00;

std::uint64_t* markOf(void* block) {
  return reinterpret_cast<std::uint64_t*>(static_cast<char*>(block) +
                                          (malloc_usable_size(block) & ~std::size_t{7}) - 8);
}

void* taken(void* block, Owner owner) {
  if (block == nullptr) return nullptr;
  bytes[owner] += static_cast<long long>(malloc_usable_size(block));
  *markOf(block) = kMark | owner;
  return block;
}

void givenBack(void* block) {
  if (block == nullptr) return;
  std::uint64_t& mark = *markOf(block);
  if ((mark & ~std::uint64_t{0xff}) != kMark || (mark & 0xff) >= kOwners) return;
  bytes[mark & 0xff] -= static_cast<long long>(malloc_usable_size(block));
  mark = 0;
}

std::size_t withMark(std::size_t size) {
  return size > SIZE_MAX - 16 ? SIZE_MAX : (size < 16 ? 16 : size) + 8;
}

void* allocated(std::size_t size, const void* caller) {
  return taken(__libc_malloc(withMark(size)), ownerOf(caller));
}

void* aligned(std::size_t alignment, std::size_t size, const void* caller) {
  return taken(__libc_memalign(alignment, withMark(size)), ownerOf(caller));
}

void* orThrow(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

#define CK_CALLER __builtin_return_address(0)

extern "C" {

void* malloc(std::size_t size) {
  return allocated(size, CK_CALLER);
}

void* calloc(std::size_t count, std::size_t size) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
  void* block = __libc_calloc(1, withMark(all));
  return taken(block, ownerOf(CK_CALLER));
}

void* realloc(void* old, std::size_t size) {
  // Where memory has run out, the old block stays and is no longer counted: the test is over then.
  givenBack(old);
  if (old != nullptr && size == 0) {
    __libc_free(old);
    return nullptr;
  }
  return taken(__libc_realloc(old, withMark(size)), ownerOf(CK_CALLER));
}

void free(void* block) {
  const int kept = errno;
  givenBack(block);
  __libc_free(block);
  errno = kept;
}

void* memalign(std::size_t alignment, std::size_t size) {
  return aligned(alignment, size, CK_CALLER);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return aligned(alignment, size, CK_CALLER);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* made = aligned(alignment, size, CK_CALLER);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

// Finds the driver's libraries among those that are loaded; blocks that were asked for before
// count as the program's. To be called once.
void ckFindDriver() {
  dl_iterate_phdr(addRanges, nullptr);
}

long long ckHeapOfProgram() {
  return bytes[Program];
}

long long ckHeapOfDriver() {
  return bytes[Driver];
}

}  // extern "C"

void* operator new(std::size_t size) {
  return orThrow(allocated(size, CK_CALLER));
}

void* operator new[](std::size_t size) {
  return orThrow(allocated(size, CK_CALLER));
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocated(size, CK_CALLER);
}

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocated(size, CK_CALLER);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  return orThrow(aligned(static_cast<std::size_t>(alignment), size, CK_CALLER));
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
  return orThrow(aligned(static_cast<std::size_t>(alignment), size, CK_CALLER));
}

void operator delete(void* block) noexcept {
  free(block);
}

void operator delete[](void* block) noexcept {
  free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  free(block);
}

void operator delete[](void* block, std::size_t) noexcept {
  free(block);
}

void operator delete(void* block, std::align_val_t) noexcept {
  free(block);
}

void operator delete[](void* block, std::align_val_t) noexcept {
  free(block);
}
