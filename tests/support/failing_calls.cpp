// A library for LD_PRELOAD that makes one call of a program fail, or ends the program there.
//
//   CK_FAILING=KIND:N     the N-th call of that kind fails (from 1); KIND:N+ fails it and all later
//   ones CK_FAILING=KIND:N!    the program is killed at the N-th call, before the call does
//   anything CK_FAILING_IN=NAME    only in the program of that name, so not in those that it starts
//   CK_FAILING_COUNT=FILE where the number of calls is written to when the program ends by itself
//
// Kinds: "memory" (malloc, calloc, realloc and the aligned ones; operator new ends there), "write"
// (calls that change files or folders), "read" (open and read of files), "lock" (flock, as on file
// systems without it). Calls count from the start of main(): what libraries do before it, a program
// cannot answer for.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum class Kind { None, Memory, Write, Read, Lock };
Kind wanted = Kind::None;
long nth = 0;
bool sticky = false;
bool kills = false;
const char* countFile = nullptr;
std::atomic<long> calls{0};
std::atomic<bool> inMain{false};
int (*realMain)(int, char**, char**) = nullptr;

__attribute__((constructor)) void choose() {
  const char* text = getenv("CK_FAILING");
  if (text == nullptr) return;
  const char* program = getenv("CK_FAILING_IN");
  if (program != nullptr && strcmp(program, program_invocation_short_name) != 0) return;
  const char* colon = strchr(text, ':');
  if (colon == nullptr) return;
  char* end = nullptr;
  nth = strtol(colon + 1, &end, 10);
  sticky = *end == '+';
  kills = *end == '!';
  countFile = getenv("CK_FAILING_COUNT");
  wanted = *text == 'm'   ? Kind::Memory
           : *text == 'w' ? Kind::Write
           : *text == 'l' ? Kind::Lock
                          : Kind::Read;
}

__attribute__((destructor)) void tell() {
  if (wanted == Kind::None || countFile == nullptr) return;
  wanted = Kind::None;
  FILE* file = fopen(countFile, "w");
  if (file == nullptr) return;
  fprintf(file, "%ld\n", calls.load());
  fclose(file);
}

// Whether this call is to fail.
bool fails(Kind kind) {
  if (kind != wanted || !inMain) return false;
  const long call = ++calls;
  if (call != nth && !(sticky && call > nth)) return false;
  if (kills) kill(getpid(), SIGKILL);
  return true;
}

int countedMain(int argc, char** argv, char** environment) {
  inMain = true;
  return realMain(argc, argv, environment);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Pipes and terminals do not fail as disks do; libraries end the program where their own pipe does.
bool isFile(int file) {
  struct stat facts = {};
  return fstatat(file, "", &facts, AT_EMPTY_PATH) == 0 && S_ISREG(facts.st_mode);
}

bool changes(int flags) {
  return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
}

int failed(int code) {
  errno = code;
  return -1;
}

}  // namespace

// The C library declares some of these with attributes that differ between versions.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmissing-attributes"
#endif

extern "C" {

// Calls main(), after the constructors of static objects.
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*ended)(), void* stack) {
  using Start =
      int(decltype(main), int, char**, decltype(init), decltype(fini), decltype(ended), void*);
  realMain = main;
  return real<Start>("__libc_start_main")(countedMain, argc, argv, init, fini, ended, stack);
}

void* malloc(std::size_t size) {
  if (!fails(Kind::Memory)) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(std::size_t count, std::size_t size) {
  if (!fails(Kind::Memory)) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* old, std::size_t size) {
  if (!fails(Kind::Memory)) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (!fails(Kind::Memory)) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (fails(Kind::Memory)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

#define CK_FAILING(result, name, when, code, parameters, arguments) \
  result name parameters {                                          \
    if (when) return failed(code);                                  \
    static auto* const call = real<result parameters>(#name);       \
    return call arguments;                                          \
  }
CK_FAILING(ssize_t, write, isFile(file) && fails(Kind::Write), ENOSPC,
           (int file, const void* bytes, std::size_t count), (file, bytes, count))
CK_FAILING(int, fsync, isFile(file) && fails(Kind::Write), EIO, (int file), (file))
CK_FAILING(int, fchmod, isFile(file) && fails(Kind::Write), EPERM, (int file, mode_t mode),
           (file, mode))
CK_FAILING(int, rename, fails(Kind::Write), EACCES, (const char* from, const char* to), (from, to))
CK_FAILING(int, link, fails(Kind::Write), EPERM, (const char* from, const char* to), (from, to))
CK_FAILING(int, renameat, fails(Kind::Write), EACCES,
           (int folder, const char* from, int toFolder, const char* to),
           (folder, from, toFolder, to))
CK_FAILING(int, linkat, fails(Kind::Write), EPERM,
           (int folder, const char* from, int toFolder, const char* to, int flags),
           (folder, from, toFolder, to, flags))
CK_FAILING(int, mkdirat, fails(Kind::Write), ENOSPC, (int folder, const char* path, mode_t mode),
           (folder, path, mode))
CK_FAILING(int, flock, fails(Kind::Lock), EBADF, (int file, int operation), (file, operation))
CK_FAILING(int, unlink, fails(Kind::Write), EBUSY, (const char* path), (path))
CK_FAILING(int, unlinkat, fails(Kind::Write), EBUSY, (int folder, const char* path, int flags),
           (folder, path, flags))
CK_FAILING(int, remove, fails(Kind::Write), EBUSY, (const char* path), (path))
CK_FAILING(int, rmdir, fails(Kind::Write), EBUSY, (const char* path), (path))
CK_FAILING(int, mkdir, fails(Kind::Write), ENOSPC, (const char* path, mode_t mode), (path, mode))
CK_FAILING(int, mkostemp, fails(Kind::Write), ENOSPC, (char* name, int flags), (name, flags))
CK_FAILING(int, mkostemp64, fails(Kind::Write), ENOSPC, (char* name, int flags), (name, flags))
CK_FAILING(ssize_t, read, isFile(file) && fails(Kind::Read), EIO,
           (int file, void* bytes, std::size_t count), (file, bytes, count))

char* mkdtemp(char* name) {
  if (fails(Kind::Write)) {
    errno = ENOSPC;
    return nullptr;
  }
  static auto* const call = real<char*(char*)>("mkdtemp");
  return call(name);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(changes(flags) ? Kind::Write : Kind::Read)) return failed(EMFILE);
  static auto* const call = real<int(const char*, int, ...)>("open");
  return call(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(changes(flags) ? Kind::Write : Kind::Read)) return failed(EMFILE);
  static auto* const call = real<int(int, const char*, int, ...)>("openat");
  return call(folder, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(changes(flags) ? Kind::Write : Kind::Read)) return failed(EMFILE);
  static auto* const call = real<int(const char*, int, ...)>("open64");
  return call(path, flags, mode);
}

}  // extern "C"
