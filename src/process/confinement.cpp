// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/confinement.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "process/system_call_filter.hpp"
#include "system/descriptor.hpp"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace warpz {
namespace {

/// The system calls that are needed to print, to allocate, for threads, clocks, signals to oneself, and to load a
/// library.
constexpr int harmless_calls[] = {
    // open descriptors
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek),
    SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select),
    SCMP_SYS(pselect6), SCMP_SYS(recvmsg),
    // pipes, through which sanitizers ask whether memory can be read
    SCMP_SYS(pipe), SCMP_SYS(pipe2),
    // information about files
    SCMP_SYS(fstat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    // memory
    SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(brk),
    SCMP_SYS(membarrier),
    // threads
    SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
    // signals
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack), SCMP_SYS(pause), SCMP_SYS(alarm),
    SCMP_SYS(restart_syscall),
    // time, and information about the process
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrlimit), SCMP_SYS(getpid),
    SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getcpu), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom)};

/// Beside opening a file for writing.
constexpr int changing_calls[] = {
    // files
    SCMP_SYS(creat), SCMP_SYS(truncate), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(unlink),
    SCMP_SYS(unlinkat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(link), SCMP_SYS(linkat),
    SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(chmod), SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime),
    SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(mount),
    SCMP_SYS(umount2), SCMP_SYS(open_by_handle_at),
    // other processes, which could do the same
    SCMP_SYS(socket), SCMP_SYS(shmget), SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(mq_open), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_send_signal), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve),
    SCMP_SYS(execveat)};

/// Returns the errno; 0 if the filter is in force.
int filter_system_calls(const libseccomp& library) {
  const system_call_filter rules(library, SCMP_ACT_ERRNO(EPERM));
  for (const int each : harmless_calls) rules.allow(each);
  constexpr std::uint64_t writes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  rules.allow(SCMP_SYS(open), {has_bits(1, writes, O_RDONLY)});
  rules.allow(SCMP_SYS(openat), {has_bits(2, writes, O_RDONLY)});
  // Private memory and files only: shared memory without a file stays allocated after MADV_DONTNEED, and is no longer
  // counted.
  rules.allow(SCMP_SYS(mmap), {has_bits(3, MAP_SHARED, 0)});
  rules.allow(SCMP_SYS(mmap), {has_bits(3, MAP_ANONYMOUS, 0)});
  // Only to the peer of an open socket.
  rules.allow(SCMP_SYS(sendto), {equals(4, 0)});
  // Threads that share the descriptors of their process: a table of their own would escape its limit.
  constexpr std::uint64_t thread = CLONE_THREAD | CLONE_FILES;
  rules.allow(SCMP_SYS(clone), {has_bits(0, thread, thread)});
  // A filter cannot see the flags of clone3. The C library uses clone instead.
  rules.fail(SCMP_SYS(clone3), ENOSYS);
  const auto self = static_cast<std::uint64_t>(getpid());
  rules.allow(SCMP_SYS(kill), {equals(0, self)});
  rules.allow(SCMP_SYS(tgkill), {equals(0, self)});
  // Not the commands that send signals to other processes.
  for (const int each : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC}) {
    rules.allow(SCMP_SYS(fcntl), {equals(1, static_cast<std::uint64_t>(each))});
  }
  for (const std::uint64_t process : {std::uint64_t{0}, self}) {
    rules.allow(SCMP_SYS(prlimit64), {equals(0, process), equals(2, 0)});
  }
  for (const int each : {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE}) {
    rules.allow(SCMP_SYS(prctl), {equals(0, static_cast<std::uint64_t>(each))});
  }
  // The error of a descriptor that is not a terminal.
  rules.fail(SCMP_SYS(ioctl), ENOTTY);
  return rules.load();
}

/// Closes warpz's descriptors: a kernel needs hardly any, and could write to all.
int close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = STDERR_FILENO + 1;
  for (const int each : kept) {
    const auto number = static_cast<unsigned>(each);
    if (number > first && close_range(first, number - 1, 0) != 0) return errno;
    first = std::max(first, number + 1);
  }
  return close_range(first, ~0U, 0) == 0 ? 0 : errno;
}

/// Memory in a pipe counts for no process.
void limit_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(limit.rlim_cur, 256);
  setrlimit(RLIMIT_NOFILE, &limit);
}

void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  syscall(SYS_capset, &header, none);
}

#ifdef LANDLOCK_ACCESS_FS_READ_FILE

/// The folders in which the C and C++ libraries look for files.
constexpr const char* libraries_and_system[] = {
    "/usr",       "/lib",      "/lib64",         "/proc/self",    "/proc/cpuinfo",          "/etc/ld.so.cache",
    "/proc/stat", "/dev/null", "/etc/localtime", "/proc/meminfo", "/sys/devices/system/cpu"};

/// Returns the errno; 0 if only these and the libraries can be read.
int restrict_reading(const std::vector<std::string>& readable) {
  constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = read_file | LANDLOCK_ACCESS_FS_READ_DIR;
  const os::descriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (!rules) return errno;
  const auto add = [&rules](const char* path) {
    const os::descriptor target(open(path, O_PATH | O_CLOEXEC));
    struct stat found {};
    if (!target || fstat(target.number(), &found) != 0) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = S_ISDIR(found.st_mode) ? read_file | LANDLOCK_ACCESS_FS_READ_DIR : read_file;
    rule.parent_fd = target.number();
    syscall(SYS_landlock_add_rule, rules.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  };
  for (const char* const each : libraries_and_system) add(each);
  for (const std::string& each : readable) add(each.c_str());
  return syscall(SYS_landlock_restrict_self, rules.number(), 0) == 0 ? 0 : errno;
}

#else

int restrict_reading(const std::vector<std::string>&) { return ENOSYS; }

#endif

std::string call_failure(const char* call, int reason) { return std::string(call) + ": " + std::strerror(reason); }

}  // namespace

confinement_gaps confine(const confinement& allowed) {
  const libseccomp library;
  if (!library.is_loaded()) return {dlerror(), {}};
  if (const int reason = close_all_but(allowed.open)) return {call_failure("close_range", reason), {}};
  limit_descriptors();
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {call_failure("PR_SET_NO_NEW_PRIVS", errno), {}};
  const int reading = restrict_reading(allowed.readable);
  if (const int reason = filter_system_calls(library)) return {call_failure("seccomp", reason), {}};
  return {{}, reading == 0 ? "" : call_failure("Landlock", reading)};
}

std::string end_at_changes() {
  const libseccomp library;
  if (!library.is_loaded()) return dlerror();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return call_failure("PR_SET_NO_NEW_PRIVS", errno);
  const system_call_filter rules(library, SCMP_ACT_ALLOW);
  for (const int each : changing_calls) rules.end(each);
  for (const auto& [call, flags] : {std::pair(SCMP_SYS(open), 1U), std::pair(SCMP_SYS(openat), 2U)}) {
    for (const std::uint64_t each : {O_WRONLY, O_RDWR}) rules.end(call, {has_bits(flags, O_ACCMODE, each)});
    for (const std::uint64_t each : {O_CREAT, O_TRUNC}) rules.end(call, {has_bits(flags, each, each)});
  }
  rules.end(SCMP_SYS(clone), {has_bits(0, CLONE_THREAD, 0)});
  for (const int each : {SCMP_SYS(kill), SCMP_SYS(tgkill)})
    rules.end(each, {differs(0, static_cast<std::uint64_t>(getpid()))});
  // A filter cannot see what these do. The C library does without them.
  for (const int each : {SCMP_SYS(openat2), SCMP_SYS(clone3), SCMP_SYS(io_uring_setup)}) rules.fail(each, ENOSYS);
  const int reason = rules.load();
  return reason == 0 ? "" : call_failure("seccomp", reason);
}

void forbid_inspection() { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void allow_inspection() { prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

}  // namespace warpz
