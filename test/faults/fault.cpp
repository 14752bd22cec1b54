// SPDX-License-Identifier: Apache-2.0
// Preloaded into the program by the fault suites: makes one call of the C library fail.
//   FAULT=write:3:ENOSPC    the third write fails, once
//   FAULT=write:3+:ENOSPC   the third and every later one
//   FAULT=write:1:SHORT     the first write takes half of its bytes only
//   FAULT=rename:2:KILL     the process is killed before its second rename, as with kill -9
//   FAULT_FOLDER=DIR        counts only files opened for writing, and names, below DIR (an absolute path)
//   FAULT_HIT=FILE          made when the fault strikes
// Calls: open write fsync close rename link unlink mkdir, and alloc (malloc and its relatives, after main has
// begun).
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Plan {
  char call[16] = "";
  long first = 0;
  bool lasting = false;
  int error = 0;  ///< 0: a short write
  const char* folder = "";
  const char* hit = nullptr;
};

struct ErrorName {
  const char* name;
  int number;
};
constexpr int kKill = -1;
constexpr ErrorName kErrors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},
                                 {"EDQUOT", EDQUOT}, {"ENOMEM", ENOMEM}, {"EINVAL", EINVAL},
                                 {"EACCES", EACCES}, {"KILL", kKill}};

Plan plan;
std::atomic<bool> armed{false};
std::atomic<long> calls{0};
std::atomic<bool> watched[1024];
/// While a library is looked for: glibc 2.36 itself falls over when it lacks memory for saying that there is
/// none, and oneTBB looks for one that need not be there.
thread_local bool loading = false;

void read_plan() {
  const char* const text = std::getenv("FAULT");
  if (text == nullptr) return;
  char count[16] = "", error[16] = "";
  if (std::sscanf(text, "%15[^:]:%15[^:]:%15s", plan.call, count, error) != 3) std::abort();
  plan.first = std::strtol(count, nullptr, 10);
  plan.lasting = std::strchr(count, '+') != nullptr;
  for (const ErrorName& row : kErrors)
    if (std::strcmp(row.name, error) == 0) plan.error = row.number;
  if (plan.error == 0 && std::strcmp(error, "SHORT") != 0) std::abort();
  if (const char* const folder = std::getenv("FAULT_FOLDER")) plan.folder = folder;
  plan.hit = std::getenv("FAULT_HIT");
}

/// Whether this call of that name is one to fail.
bool strikes(const char* call) {
  if (!armed || loading || std::strcmp(call, plan.call) != 0) return false;
  const long now = ++calls;
  if (now != plan.first && !(plan.lasting && now > plan.first)) return false;
  if (plan.hit != nullptr) {
    const auto file = static_cast<int>(syscall(SYS_open, plan.hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (file >= 0) syscall(SYS_close, file);
  }
  if (plan.error == kKill) ::raise(SIGKILL);
  errno = plan.error;
  return true;
}

bool in_folder(const char* path) {
  const std::size_t length = std::strlen(plan.folder);
  return length > 0 && std::strncmp(path, plan.folder, length) == 0 &&
         (path[length] == '/' || path[length] == 0);
}

bool is_watched(int file) { return file >= 0 && file < 1024 && watched[file]; }

int watch(int file, const char* path) {
  if (file >= 0 && file < 1024 && in_folder(path)) watched[file] = true;
  return file;
}

template <class Function>
Function* real(const char* name, Function* /*like*/) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_plan();
  armed = plan.first > 0;
  const int code = real_main(argc, argv, environment);
  armed = false;
  return code;
}

int open_watched(const char* path, int flags, mode_t mode) {
  const bool output = (flags & (O_ACCMODE | O_DIRECTORY)) != O_RDONLY;
  if (output && in_folder(path) && strikes("open")) return -1;
  const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  return output ? watch(file, path) : file;
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld)(),
                      void* stack) {
  real_main = main;
  static const auto next = real("__libc_start_main", &__libc_start_main);
  return next(armed_main, argc, argv, init, fini, rtld, stack);
}

void* dlopen(const char* file, int mode) {
  static const auto next = real("dlopen", &dlopen);
  loading = true;
  void* const library = next(file, mode);
  loading = false;
  return library;
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_watched(path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int file, const void* bytes, size_t count) {
  static const auto next = real("write", &write);
  if (!is_watched(file) || !strikes("write")) return next(file, bytes, count);
  if (plan.error != 0) return -1;
  return next(file, bytes, count > 1 ? count / 2 : count);
}

int fsync(int file) {
  static const auto next = real("fsync", &fsync);
  return is_watched(file) && strikes("fsync") ? -1 : next(file);
}

int close(int file) {
  static const auto next = real("close", &close);
  if (!is_watched(file)) return next(file);
  watched[file] = false;
  // As on Linux: the descriptor is gone even when closing it brings bad news.
  const int result = next(file);
  return strikes("close") ? -1 : result;
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real("rename", &rename);
  return in_folder(to) && strikes("rename") ? -1 : next(from, to);
}

int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) noexcept {
  static const auto next = real("renameat2", &renameat2);
  return in_folder(to) && strikes("rename") ? -1 : next(folder, from, other, to, flags);
}

int link(const char* from, const char* to) noexcept {
  static const auto next = real("link", &link);
  return in_folder(to) && strikes("link") ? -1 : next(from, to);
}

int unlink(const char* path) noexcept {
  static const auto next = real("unlink", &unlink);
  return in_folder(path) && strikes("unlink") ? -1 : next(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = real("mkdir", &mkdir);
  return in_folder(path) && strikes("mkdir") ? -1 : next(path, mode);
}

#ifdef FAULT_ALLOCATIONS
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) { return strikes("alloc") ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return strikes("alloc") ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return strikes("alloc") ? nullptr : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return strikes("alloc") ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(size_t alignment, size_t size) {
  return strikes("alloc") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (strikes("alloc")) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
#endif
}
