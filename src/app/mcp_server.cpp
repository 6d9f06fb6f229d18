// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/mcp_server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/mcp_tools.hpp"
#include "error.hpp"
#include "process/another_warpz.hpp"

namespace warpz {
namespace {

using json = nlohmann::ordered_json;

/// Newest first. A client that asks for another one gets the newest, and decides.
constexpr std::array<std::string_view, 2> protocol_versions{"2025-06-18", "2024-11-05"};

enum class rpc_error { parse = -32700, invalid_request = -32600, no_method = -32601, invalid_arguments = -32602 };

/// Lines of standard input, as they come.
class input_lines {
 public:
  bool is_over() const { return is_over_; }

  /// Takes what there is; waits for it where there is none.
  void read_some() {
    std::array<char, 65536> piece{};
    const ssize_t bytes = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) return;
    if (bytes <= 0) {
      is_over_ = true;
      return;
    }
    std::string_view text(piece.data(), static_cast<std::size_t>(bytes));
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      keep(text.substr(0, end));
      lines_.push_back(std::exchange(begun_, {}));
      text.remove_prefix(end + 1);
    }
    keep(text);
  }

  std::optional<std::string> next() {
    if (lines_.empty()) return {};
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  /// A line without end takes no more memory than this; it is no JSON then.
  void keep(std::string_view piece) {
    constexpr std::size_t longest = std::size_t{4} << 20;
    begun_ += piece.substr(0, longest - std::min(longest, begun_.size()));
  }

  std::deque<std::string> lines_;
  std::string begun_;
  bool is_over_ = false;
};

class mcp_server {
 public:
  mcp_server(std::string program, output_stream& out) : program_(std::move(program)), out_(out) {}

  int serve() {
    while (const std::optional<json> message = next_message()) answer(*message);
    return 0;
  }

 private:
  /// Nothing at the end of the input.
  std::optional<json> next_message() {
    if (!waiting_.empty()) {
      json message = std::move(waiting_.front());
      waiting_.pop_front();
      return message;
    }
    for (;;) {
      while (const auto line = input_.next()) {
        if (auto message = message_of(*line)) return message;
      }
      if (input_.is_over()) return {};
      input_.read_some();
    }
  }

  /// Answers what is no request. A notification has no id, and no answer.
  std::optional<json> message_of(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == line.npos) return {};
    json message = json::parse(line, nullptr, false);
    if (message.is_discarded()) {
      fail(nullptr, rpc_error::parse, "this line is no JSON");
      return {};
    }
    const bool is_request = message.is_object() && message.value("jsonrpc", json()) == "2.0" &&
                            message.contains("method") && message["method"].is_string();
    const bool has_id = message.is_object() && message.contains("id") &&
                        (message["id"].is_string() || message["id"].is_number_integer());
    if (is_request && (has_id || !message.contains("id"))) return message;
    fail(has_id ? message["id"] : json(), rpc_error::invalid_request, "this is no request of JSON-RPC 2.0");
    return {};
  }

  void answer(const json& message) {
    if (!message.contains("id")) return;
    const std::string method = message["method"];
    const json parameters = message.value("params", json::object());
    if (method == "initialize") return reply(message["id"], greeting(parameters));
    if (method == "ping") return reply(message["id"], json::object());
    if (method == "tools/list") return reply(message["id"], {{"tools", tools_json()}});
    if (method == "tools/call") return call(message["id"], parameters);
    fail(message["id"], rpc_error::no_method, fmt::format("there is no method {}", json(method).dump()));
  }

  static json greeting(const json& parameters) {
    const json asked = parameters.is_object() ? parameters.value("protocolVersion", json()) : json();
    const bool is_known = std::any_of(protocol_versions.begin(), protocol_versions.end(),
                                      [&](std::string_view each) { return asked == each; });
    return {
        {"protocolVersion", is_known ? asked : json(protocol_versions.front())},
        {"capabilities", {{"tools", json::object()}}},
        {"serverInfo", {{"name", "warpz"}, {"version", WARPZ_VERSION}}},
        {"instructions",
         "warpz checks HIP kernels and programs on the CPU: is this right with 32 and with 64 lanes per warp, what "
         "does each line cost a GPU, and what do the lanes do, step by step? Files are read where warpz was started."}};
  }

  void call(const json& id, const json& parameters) {
    std::optional<tool_request> request;
    try {
      if (!parameters.is_object() || !parameters.contains("name") || !parameters["name"].is_string())
        throw error(exit_code::bad_input, "tools/call needs the name of a tool");
      request = tool_request_of(parameters["name"].get<std::string>(), parameters.value("arguments", json::object()));
    } catch (const error& refused) {
      return fail(id, rpc_error::invalid_arguments, refused.what());
    }
    try {
      if (const std::optional<json> result = carry_out(id, *request)) reply(id, *result);
    } catch (const reader_left&) {
      throw;
    } catch (const error& failed) {
      reply(id, failed_tool_result(failed.what()));
    }
  }

  /// Nothing where the call was cancelled, or nobody reads answers any more.
  std::optional<json> carry_out(const json& id, const tool_request& request) {
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::duration<double>(std::min(request.seconds, 1e9));
    std::vector<std::string> words{program_};
    words.insert(words.end(), request.words.begin(), request.words.end());
    another_warpz ran(std::move(words));
    // At its end, standard input would always be ready.
    while (!ran.is_over({{input_.is_over() ? -1 : STDIN_FILENO, POLLIN, 0}})) {
      if (!read_meanwhile(id) || has_reader_left()) return {};
      if (clock::now() >= end) {
        return failed_tool_result(
            fmt::format("It did not end within {:g} seconds and was stopped. Does a loop not end? "
                        "`seconds` gives it more time.\n{}",
                        request.seconds, ran.messages()));
      }
    }
    return tool_result(request, ran.output(), ran.messages());
  }

  /// Takes the messages that have come, and answers those that need not wait; false where the call is not wanted any
  /// more.
  bool read_meanwhile(const json& id) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!input_.is_over() && poll(&input, 1, 0) > 0) input_.read_some();
    bool is_wanted = true;
    while (const auto line = input_.next()) {
      const auto message = message_of(*line);
      if (!message) continue;
      const std::string method = (*message)["method"];
      const json parameters = message->value("params", json::object());
      if (method == "notifications/cancelled" && parameters.is_object() &&
          parameters.value("requestId", json()) == id) {
        is_wanted = false;
      } else if (method == "ping") {
        answer(*message);
      } else {
        waiting_.push_back(*message);
      }
    }
    return is_wanted;
  }

  static bool has_reader_left() {
    pollfd output{STDOUT_FILENO, 0, 0};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
  }

  void reply(const json& id, const json& result) { send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}); }

  void fail(const json& id, rpc_error code, const std::string& message) {
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}});
  }

  void send(const json& message) {
    out_.write(message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
    out_.flush();
  }

  std::string program_;
  output_stream& out_;
  input_lines input_;
  std::deque<json> waiting_;  ///< requests that came during a call
};

}  // namespace

int serve_mcp(const std::string& program, output_stream& out) { return mcp_server(program, out).serve(); }

}  // namespace warpz
