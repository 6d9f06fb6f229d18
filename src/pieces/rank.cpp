// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces/rank.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "error.hpp"
#include "pieces/bytes.hpp"
#include "pieces/frames.hpp"
#include "pieces/hub.hpp"
#include "pieces/rank_variables.hpp"
#include "pieces/ranks.h"
#include "pieces/worker_cores.hpp"
#include "system/installed.hpp"

namespace warpz {
namespace {

using clock = std::chrono::steady_clock;

/// Tells a process that it is a worker: its socket, its number, and how many there are.
constexpr const char* worker_variable = "WARPZ_WORKER";
constexpr const char* workers_variable = "WARPZ_WORKERS";
constexpr const char* module_name = "libwarpz-mpi.so";

constexpr std::size_t most_workers = 1024;

/// How often a worker is started before its rank does without it.
constexpr unsigned max_starts = 3;
/// Of what a worker says before it dies.
constexpr std::size_t max_tail = 2048;
/// MPI has nothing that poll() could wait for. Where a message is due it is looked for this often.
constexpr int message_milliseconds = 1;
constexpr int idle_milliseconds = 20;
/// How long a worker that is asked to end may take, and a rank to say that it is there.
constexpr std::chrono::seconds worker_grace{4}, rank_grace{10};
/// How often a rank asks whether the first one is there, and how long it goes on without an answer.
constexpr std::chrono::seconds greeting_pause{5}, longest_silence{30};
/// After which the first rank says that it waits for others to begin.
constexpr unsigned begin_seconds = 30;

enum class word : std::uint8_t { ask, lost, answer, greeting, reply, end, bye, leave };

/// How many workers each rank is to have; nothing: that is not said.
std::optional<std::size_t> wanted_workers() {
  const char* const text = getenv(workers_variable);
  if (text == nullptr || *text == '\0') return {};
  std::size_t wanted = 0;
  const char* const end = text + std::strlen(text);
  if (const auto read = std::from_chars(text, end, wanted);
      read.ec == std::errc() && read.ptr == end && wanted <= most_workers)
    return wanted;
  throw error(exit_code::bad_input,
              fmt::format("{} is not a whole number from 0 to {}", workers_variable, most_workers));
}

struct rank_of {
  int rank = 0, count = 1;
};

/// As Open MPI, PMI and PMIx under Slurm say it before MPI is started.
rank_of announced_rank() {
  const std::optional<int> rank = number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
  const std::optional<int> count = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  return rank && count && *count > 1 ? rank_of{*rank, *count} : rank_of{};
}

std::string module_file() {
  const std::vector<std::string> places = places_of(module_name);
  const std::string file = first_existing(places);
  if (!file.empty()) return file;
  throw error(exit_code::no_device,
              fmt::format("warpz runs under mpirun, and {} is missing", places.empty() ? module_name : places.back()),
              "Build warpz where MPI is (Debian: libopenmpi-dev). WARPZ_WORKERS=N divides the work on one machine.");
}

void tell(std::string_view line) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

void tell_of_slow_begin(int) {
  tell("warpz: MPI waits for all ranks: has one died? mpirun --timeout SECONDS ends such a wait\n");
}

const warpz_ranks& started_module(const std::string& file, const rank_of& where) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw error(exit_code::no_device, fmt::format("MPI can't be loaded: {}", dlerror()));
  const auto get = reinterpret_cast<warpz_get_ranks_function>(dlsym(library, "warpz_get_ranks"));
  if (get == nullptr || get()->version != WARPZ_RANKS_VERSION)
    throw error(exit_code::no_device, fmt::format("{} is of another warpz", file));
  rank_of known;
  if (where.rank == 0) {
    signal(SIGALRM, tell_of_slow_begin);
    alarm(begin_seconds);
  }
  if (const int failed = get()->begin(&known.rank, &known.count); failed != 0)
    throw error(exit_code::no_device, fmt::format("MPI can't be started: error {}", failed));
  alarm(0);
  if (known.rank != where.rank || known.count != where.count)
    throw error(exit_code::no_device,
                fmt::format("mpirun started {} ranks, and MPI knows {}", where.count, known.count),
                "warpz was built with another MPI than this mpirun's.");
  return *get();
}

struct started_worker {
  pid_t id = -1;  ///< -1: it has ended
  os::descriptor socket, messages;
  std::string arrived = {}, tail = {};
  unsigned starts = 0;
  bool awaits_answer = false;
};

/// The environment of a worker: it, and what it starts, is no rank.
std::vector<std::string> worker_environment(int socket, std::size_t number, std::size_t workers, bool is_of_rank) {
  std::vector<std::string> all;
  // mpirun gives a rank a terminal as its output, whatever mpirun itself writes to.
  if (is_of_rank && getenv("NO_COLOR") == nullptr) all.emplace_back("NO_COLOR=1");
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view one = *each;
    const auto begins = [&](std::string_view with) { return one.starts_with(with); };
    if (begins("OMPI_") || begins("PMIX_") || begins("PMI_") || begins("WARPZ_WORKER")) continue;
    all.emplace_back(one);
  }
  all.push_back(fmt::format("{}={},{},{}", worker_variable, socket, number, workers));
  return all;
}

std::vector<char*> c_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

class rank_process {
 public:
  rank_process(char** arguments, rank_of where, std::size_t workers)
      : arguments_(arguments), where_(where), workers_(workers) {
    // At a terminal the workers are interrupted as well, and the first of them says what it knows.
    if (where_.count == 1) on_interrupt_ = signal(SIGINT, SIG_IGN);
    if (where_.rank == 0) hub_.emplace();
    for (std::size_t i = 0; i < workers_.size(); ++i) start(i);
  }

  /// `module` is null on one machine. Returns the exit code.
  int run(const warpz_ranks* module) {
    module_ = module;
    while (!has_ended_) {
      wait();
      read_workers();
      reap();
      receive();
      if (hub_) {
        hand_out();
      } else {
        greet();
      }
    }
    stop_workers();
    return module_ == nullptr ? code_ : leave();
  }

 private:
  std::size_t number_of(std::size_t local) const { return where_.rank * workers_.size() + local; }
  bool is_shown(std::size_t local) const { return number_of(local) == 0; }

  void start(std::size_t local) {
    int sockets[2];
    std::optional<os::pipe_ends> messages = os::open_pipe();
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || !messages)
      throw error(exit_code::no_device, fmt::format("a worker can't be started: {}", std::strerror(errno)));
    os::descriptor own(sockets[0]), its(sockets[1]);
    fcntl(own.number(), F_SETFD, FD_CLOEXEC);
    std::vector<std::string> environment =
        worker_environment(its.number(), number_of(local), where_.count * workers_.size(), where_.count > 1);
    const std::vector<char*> variables = c_pointers(environment);
    const bool is_hidden = !is_shown(local), has_input = local == 0;
    const pid_t parent = getpid();
    const pid_t id = fork();
    if (id == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(0);
      take_cores(local, workers_.size());
      signal(SIGINT, on_interrupt_);
      if (!has_input) dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
      if (is_hidden) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(messages->writing.number(), STDERR_FILENO);
      }
      execve("/proc/self/exe", arguments_, variables.data());
      _exit(static_cast<int>(exit_code::no_device));
    }
    if (id < 0) throw error(exit_code::no_device, fmt::format("a worker can't be started: {}", std::strerror(errno)));
    const unsigned starts = workers_[local].starts + 1;
    workers_[local] = {id, std::move(own), std::move(messages->reading), {}, {}, starts};
  }

  /// Until a worker says something. A message of another rank does not end it, so it takes no longer than one may wait.
  void wait() const {
    std::vector<pollfd> polled;
    bool is_due = hub_.has_value();
    for (const started_worker& each : workers_) {
      polled.push_back({each.socket.number(), POLLIN, 0});
      polled.push_back({each.messages.number(), POLLIN, 0});
      is_due = is_due || each.awaits_answer;
    }
    poll(polled.data(), polled.size(), module_ != nullptr && is_due ? message_milliseconds : idle_milliseconds);
  }

  /// What can be read at once. Closes the descriptor at its end.
  static void read_some(os::descriptor& from, std::string& to) {
    std::vector<char> buffer(std::size_t{1} << 16);
    pollfd polled{from.number(), POLLIN, 0};
    while (from && poll(&polled, 1, 0) > 0) {
      const ssize_t size = read(from.number(), buffer.data(), buffer.size());
      if (size <= 0) return from.close();
      to.append(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  void read_workers() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      started_worker& each = workers_[i];
      read_some(each.messages, each.tail);
      if (each.tail.size() > max_tail) each.tail.erase(0, each.tail.size() - max_tail);
      read_some(each.socket, each.arrived);
      while (const std::optional<std::string> request = take_frame(each.arrived)) {
        each.awaits_answer = true;
        tell_hub(word::ask, number_of(i), *request);
      }
    }
  }

  void reap() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      started_worker& each = workers_[i];
      int status = 0;
      if (each.id < 0 || waitpid(each.id, &status, WNOHANG) != each.id) continue;
      each.id = -1;
      each.awaits_answer = false;
      if (is_shown(i)) {
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        has_ended_ = true;
      } else if (status != 0) {
        lose(i, status);
      }
    }
  }

  void lose(std::size_t local, int status) {
    started_worker& each = workers_[local];
    read_some(each.messages, each.tail);
    const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                              : fmt::format("signal {}", WTERMSIG(status));
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    std::string said = each.tail;
    said.erase(said.find_last_not_of('\n') + 1);
    const bool is_again = each.starts < max_starts;
    tell_hub(
        word::lost, number_of(local),
        fmt::format("worker {} on {} has died ({}), and {}. Another repeats its piece{}{}", number_of(local), host, how,
                    is_again ? "is started again" : "is not started again", said.empty() ? "" : ". It said: ", said));
    if (is_again) start(local);
  }

  void tell_hub(word what, std::size_t worker, const std::string& text) {
    if (hub_) return hear(what, worker, text);
    send(0, what, worker, text);
  }

  void send(int rank, word what, std::size_t worker, const std::string& text) {
    const std::string bytes = bytes_of(what, std::uint64_t{worker}, text);
    module_->send(rank, bytes.data(), bytes.size());
  }

  void receive() {
    if (module_ == nullptr) return;
    int from = 0;
    for (std::int64_t size = 0; (size = module_->next(&from)) >= 0;) {
      std::string bytes(static_cast<std::size_t>(size), '\0'), text;
      module_->receive(from, bytes.data(), bytes.size());
      word what{};
      std::uint64_t worker = 0;
      read_bytes(bytes, what, worker, text);
      heard_ = clock::now();
      hear(what, worker, text);
    }
  }

  /// Where the first rank has died, nobody else would say so: mpirun goes on with --enable-recovery.
  void greet() {
    const auto now = clock::now();
    if (now - heard_ > longest_silence) {
      tell(fmt::format("warpz: rank {} has heard nothing of the first one for {} s, and ends\n", where_.rank,
                       longest_silence.count()));
      _exit(static_cast<int>(exit_code::no_device));  // of which its workers are told by the system
    }
    if (now - greeted_ < greeting_pause) return;
    greeted_ = now;
    send(0, word::greeting, where_.rank, "");
  }

  void hear(word what, std::size_t worker, const std::string& text) {
    switch (what) {
      case word::ask: {
        piece_request request;
        read_bytes(text, request);
        return hub_->ask(worker, std::move(request), clock::now());
      }
      case word::lost:
        return hub_->lose(worker, text);
      case word::answer:
        return answer(worker - number_of(0), text);
      case word::greeting:
        return send(static_cast<int>(worker), word::reply, 0, "");
      case word::reply:
        return;
      case word::end:
        has_ended_ = true;
        return;
      case word::bye:
        ++gone_;
        return;
      case word::leave:
        may_leave_ = true;
        are_all_there_ = text.empty();
        return;
    }
  }

  void answer(std::size_t local, const std::string& bytes) {
    workers_[local].awaits_answer = false;
    write_frame(workers_[local].socket, bytes);
  }

  void hand_out() {
    for (const auto& [worker, given] : hub_->answers(clock::now())) {
      const int rank = static_cast<int>(worker / workers_.size());
      if (rank == 0) {
        answer(worker, bytes_of(given));
      } else {
        send(rank, word::answer, worker, bytes_of(given));
      }
    }
  }

  /// All at once: the other ranks don't wait for each of them in turn.
  void stop_workers() {
    for (const started_worker& each : workers_) {
      if (each.id >= 0) kill(each.id, SIGTERM);
    }
    const auto last = clock::now() + worker_grace;
    for (started_worker& each : workers_) {
      while (each.id >= 0 && waitpid(each.id, nullptr, WNOHANG) == 0) {
        if (clock::now() > last) kill(each.id, SIGKILL);
        usleep(1000);
      }
      each.id = -1;
    }
  }

  template <class Condition>
  void receive_until(Condition is_done, std::chrono::seconds longest) {
    const auto last = clock::now() + longest;
    while (!is_done() && clock::now() < last) {
      receive();
      usleep(1000 * message_milliseconds);
    }
  }

  /// A rank that has died would never end MPI with the others: then they leave without it.
  int leave() {
    if (where_.rank == 0) {
      for (int each = 1; each < where_.count; ++each) send(each, word::end, 0, "");
      receive_until([&] { return gone_ + 1 == where_.count; }, rank_grace);
      are_all_there_ = gone_ + 1 == where_.count;
      for (int each = 1; each < where_.count; ++each) send(each, word::leave, 0, are_all_there_ ? "" : "not all");
      tell_code();
      receive_until([] { return false; }, std::chrono::seconds(are_all_there_ ? 0 : 1));
    } else {
      send(0, word::bye, 0, "");
      receive_until([&] { return may_leave_; }, 2 * rank_grace);
    }
    if (are_all_there_) {
      module_->end();
    } else if (where_.rank == 0) {
      module_->abort(code_);
    }
    // It would wait forever for a rank of another machine that has ended with anything else.
    return has_recovery() ? 0 : code_;
  }

  /// Whether mpirun has --enable-recovery, with which it ends with 0.
  static bool has_recovery() { return getenv("OMPI_MCA_orte_enable_recovery") != nullptr; }

  void tell_code() const {
    if (code_ == 0 || (are_all_there_ && !has_recovery())) return;
    tell(fmt::format("warpz: the exit code is {}, whatever mpirun's is\n", code_));
  }

  char** arguments_;
  const warpz_ranks* module_ = nullptr;
  rank_of where_;
  std::vector<started_worker> workers_;
  std::optional<piece_hub> hub_;  ///< in rank 0
  void (*on_interrupt_)(int) = SIG_DFL;
  bool has_ended_ = false, may_leave_ = false, are_all_there_ = false;
  int gone_ = 0;  ///< ranks that have said so
  int code_ = 0;
  clock::time_point heard_ = clock::now(), greeted_ = heard_;  ///< when the first rank was last heard, and spoken to
};

std::unique_ptr<asking_runner> worker_of(const char* words) {
  int socket = -1;
  std::size_t number = 0, workers = 1;
  if (std::sscanf(words, "%d,%zu,%zu", &socket, &number, &workers) != 3)
    throw error(exit_code::bad_input, fmt::format("{} is warpz's own variable", worker_variable));
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  unsetenv(worker_variable);
  return std::make_unique<asking_runner>(os::descriptor(socket), number, workers);
}

}  // namespace

void divide_here(char** arguments, std::size_t workers) {
  if (wanted_workers()) return;
  rank_process own(arguments, {}, workers);
  _exit(own.run(nullptr));
}

std::unique_ptr<asking_runner> join_ranks(char** arguments) {
  if (const char* const words = getenv(worker_variable)) return worker_of(words);
  const rank_of where = announced_rank();
  const std::size_t workers = wanted_workers().value_or(1);
  if (workers == 0 || (where.count == 1 && workers == 1)) return {};
  try {
    const std::string file = where.count > 1 ? module_file() : "";
    // A rank that dies while MPI begins is one that the others wait for. So there is no work before all are there.
    const warpz_ranks* const module = file.empty() ? nullptr : &started_module(file, where);
    rank_process own(arguments, where, workers);
    _exit(own.run(module));
  } catch (const error& reason) {
    // The first rank says it for all.
    if (where.rank != 0) _exit(static_cast<int>(reason.code()));
    throw;
  }
}

}  // namespace warpz
