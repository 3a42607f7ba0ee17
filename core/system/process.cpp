#include "core/system/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "core/system/files.h"

namespace ck {
namespace {

using LineSink = std::function<void(std::string_view)>;

constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
constexpr std::size_t kLongestLine = 4'096;
constexpr std::uint64_t kLookEveryMs = 1'000;
// How long pipes that another process holds are read after the program has ended.
constexpr std::uint64_t kRestMs = 500;

// Whether a process is suspended (proc(5), stat: the letter after the name in parentheses).
bool isSuspended(int process) {
  std::ifstream facts(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(facts, line);
  const std::size_t name = line.rfind(')');
  return name != std::string::npos && name + 2 < line.size() && line[name + 2] == 'T';
}

// One child process. The object lives on the loop's thread, from start() until its three handles
// and its timers are closed.
class Child : public std::enable_shared_from_this<Child> {
 public:
  Child(const ProcessRequest& request, const LineSink& onLine)
      : request_(request), onLine_(onLine) {}

  std::future<Result<ProcessOutcome>> outcome() { return promise_.get_future(); }

  void start(uv_loop_t* loop) {
    self_ = shared_from_this();
    for (uv_handle_t* handle : handles()) handle->data = this;
    uv_pipe_init(loop, &output_, 0);
    uv_pipe_init(loop, &errors_, 0);
    uv_timer_init(loop, &timer_);
    uv_timer_init(loop, &look_);
    open_ = 4;
    const int code = spawn(loop);
    // libuv requires the handle to be closed even if the start failed.
    ++open_;
    if (code != 0) {
      failure_ = uv_strerror(code);
      closeAll();
      return;
    }
    running_ = true;
    uv_read_start(reinterpret_cast<uv_stream_t*>(&output_), giveBuffer, onOutput);
    uv_read_start(reinterpret_cast<uv_stream_t*>(&errors_), giveBuffer, onErrors);
    if (request_.wallSeconds > 0.0) {
      const auto wait = static_cast<std::uint64_t>(request_.wallSeconds * 1000.0);
      uv_timer_start(
          &timer_, [](uv_timer_t* t) { of(t)->kill(ProcessOutcome::End::TimedOut); }, wait, 0);
    }
    uv_timer_start(
        &look_, [](uv_timer_t* t) { of(t)->look(); }, kLookEveryMs, kLookEveryMs);
  }

  // Ends a process that was seen suspended twice.
  void look() {
    suspended_ = running_ && isSuspended(process_.pid) ? suspended_ + 1 : 0;
    if (suspended_ < 2) return;
    result_.signalNumber = SIGSTOP;
    kill(ProcessOutcome::End::Signalled);
  }

  // Kills the process. Only the first reason is kept.
  void kill(ProcessOutcome::End why) {
    if (!killed_) result_.end = why;
    killed_ = true;
    if (running_) uv_process_kill(&process_, SIGKILL);
    endGroup();
  }

 private:
  template <class Handle>
  static Child* of(Handle* handle) {
    return static_cast<Child*>(reinterpret_cast<uv_handle_t*>(handle)->data);
  }

  std::vector<uv_handle_t*> handles() {
    return {reinterpret_cast<uv_handle_t*>(&process_), reinterpret_cast<uv_handle_t*>(&output_),
            reinterpret_cast<uv_handle_t*>(&errors_), reinterpret_cast<uv_handle_t*>(&timer_),
            reinterpret_cast<uv_handle_t*>(&look_)};
  }

  int spawn(uv_loop_t* loop) {
    std::string program = request_.program.string();
    std::vector<char*> arguments{program.data()};
    for (std::string& argument : request_.arguments) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    uv_stdio_container_t streams[3] = {};
    streams[0].flags = request_.input < 0 ? UV_IGNORE : UV_INHERIT_FD;
    streams[0].data.fd = request_.input;
    const auto pipe = [](uv_stdio_container_t& slot, uv_pipe_t& handle) {
      slot.flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
      slot.data.stream = reinterpret_cast<uv_stream_t*>(&handle);
    };
    pipe(streams[1], output_);
    pipe(streams[2], errors_);
    uv_process_options_t options = {};
    options.file = program.c_str();
    options.args = arguments.data();
    options.stdio = streams;
    options.stdio_count = 3;
    options.flags = UV_PROCESS_WINDOWS_HIDE;
    if (request_.endsGroup) options.flags |= UV_PROCESS_DETACHED;  // its number is the group's, too
    options.exit_cb = [](uv_process_t* process, std::int64_t status, int signalNumber) {
      of(process)->onExit(status, signalNumber);
    };
    return uv_spawn(loop, &process_, &options);
  }

  void endGroup() {
    if (request_.endsGroup && process_.pid > 0) uv_kill(-process_.pid, SIGKILL);
  }

  static void giveBuffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    Child* child = of(handle);
    // Both pipes share one buffer: this thread handles one read at a time.
    *buffer = uv_buf_init(child->chunk_.data(), static_cast<unsigned>(child->chunk_.size()));
  }

  static void onOutput(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
    Child* child = of(stream);
    if (size < 0) return child->close(reinterpret_cast<uv_handle_t*>(stream));
    const auto* first = reinterpret_cast<const std::byte*>(buffer->base);
    if (!child->take({first, static_cast<std::size_t>(size)})) {
      child->refuse();
    }
  }

  // Ends a program whose output is not kept.
  void refuse() {
    result_.output = {};
    kill(ProcessOutcome::End::OutputTooLarge);
  }

  // Keeps output; false if it is more than the program may send or has announced. Memory that is
  // missing ends the program, and is told on the thread that waits for it.
  bool take(std::span<const std::byte> bytes) try {
    return keep(bytes);
  } catch (const std::bad_alloc&) {
    isOutOfMemory_ = true;
    refuse();
    return true;
  }

  bool keep(std::span<const std::byte> bytes) {
    std::vector<std::byte>& output = result_.output;
    if (killed_ || output.size() + bytes.size() > outputLimit_) return killed_;
    output.insert(output.end(), bytes.begin(), bytes.end());
    if (!request_.announced || isAnnounced_ || output.size() < request_.announcementBytes) {
      return true;
    }
    isAnnounced_ = true;
    const std::uint64_t size =
        request_.announced(std::span(output).first(request_.announcementBytes));
    // An invalid size is kept as it is; the caller reports it.
    outputLimit_ = size == 0 ? output.size() : std::min(outputLimit_, size);
    if (output.size() > outputLimit_ || size > request_.outputLimitBytes) return false;
    output.reserve(static_cast<std::size_t>(outputLimit_));
    return true;
  }

  static void onErrors(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
    Child* child = of(stream);
    if (size < 0) {
      child->flushLine();
      return child->close(reinterpret_cast<uv_handle_t*>(stream));
    }
    child->errorBytes_ += static_cast<std::uint64_t>(size);
    if (child->errorBytes_ > 64 * child->request_.errorLimitBytes) {
      return child->refuse();
    }
    if (child->errorBytes_ > child->request_.errorLimitBytes) return;
    for (ssize_t i = 0; i < size; ++i) {
      if (buffer->base[i] == '\n') {
        child->flushLine();
      } else if (child->line_.size() < kLongestLine) {
        child->line_ += buffer->base[i];
      }
    }
  }

  void flushLine() {
    if (!line_.empty() && onLine_) onLine_(line_);
    line_.clear();
  }

  void onExit(std::int64_t status, int signalNumber) {
    running_ = false;
    endGroup();
    if (!killed_) {
      result_.end =
          signalNumber != 0 ? ProcessOutcome::End::Signalled : ProcessOutcome::End::Exited;
      result_.exitCode = static_cast<int>(status);
      result_.signalNumber = signalNumber;
    }
    close(reinterpret_cast<uv_handle_t*>(&process_));
    close(reinterpret_cast<uv_handle_t*>(&look_));
    // After a kill the rest of the pipes is ignored; otherwise both are read to their end, unless
    // another process keeps them open.
    if (killed_) return closeAll();
    uv_timer_start(
        &timer_, [](uv_timer_t* t) { of(t)->giveUpOnRest(); }, kRestMs, kRestMs);
  }

  // Between two calls everything that is there has been read.
  void giveUpOnRest() {
    const std::uint64_t read = result_.output.size() + errorBytes_;
    if (read == readAtRest_) closeAll();
    readAtRest_ = read;
  }

  void closeAll() {
    for (uv_handle_t* handle : handles()) close(handle);
  }

  void close(uv_handle_t* handle) {
    if (uv_is_closing(handle) != 0) return;
    uv_close(handle, [](uv_handle_t* closed) {
      Child* child = of(closed);
      --child->open_;
      child->endIfRead();
    });
  }

  // When the process and both pipes are closed, the timer is left.
  void endIfRead() {
    if (open_ == 0) return finish();
    if (open_ == 1) close(reinterpret_cast<uv_handle_t*>(&timer_));
  }

  void finish() {
    if (isOutOfMemory_) {
      promise_.set_exception(std::make_exception_ptr(std::bad_alloc()));
    } else if (failure_.empty()) {
      promise_.set_value(std::move(result_));
    } else {
      promise_.set_value(fail(ErrorCode::Internal, failure_));
    }
    self_.reset();
  }

  ProcessRequest request_;
  const LineSink& onLine_;
  std::promise<Result<ProcessOutcome>> promise_;
  std::shared_ptr<Child> self_;
  uv_process_t process_ = {};
  uv_pipe_t output_ = {};
  uv_pipe_t errors_ = {};
  uv_timer_t timer_ = {};
  uv_timer_t look_ = {};
  int suspended_ = 0;  // how often in a row it was seen so
  std::uint64_t outputLimit_ = request_.outputLimitBytes;
  bool isAnnounced_ = false;
  bool isOutOfMemory_ = false;
  int open_ = 0;
  bool running_ = false;
  bool killed_ = false;
  std::string failure_;
  ProcessOutcome result_;
  std::vector<char> chunk_ = std::vector<char>(kChunkBytes);
  std::string line_;
  std::uint64_t errorBytes_ = 0;
  std::uint64_t readAtRest_ = ~std::uint64_t{0};
};

// The thread that starts all children. It lives as long as the program, because a child with
// PR_SET_PDEATHSIG dies when the thread that started it ends.
class SpawnThread {
 public:
  // Starts it where it does not run yet. Fails where the system gives no thread or no descriptors.
  static Result<SpawnThread*> instance() {
    static std::mutex starting;
    static std::unique_ptr<SpawnThread> thread;
    const std::lock_guard lock(starting);
    if (!thread) {
      auto made = std::unique_ptr<SpawnThread>(new SpawnThread);
      if (auto ok = made->start(); !ok) return tl::unexpected(ok.error());
      thread = std::move(made);
    }
    return thread.get();
  }

  ~SpawnThread() {
    if (!thread_.joinable()) return;
    // Ending this thread kills children that still run. A task would take memory, of which a
    // program that ends may have none.
    isEnding_ = true;
    uv_async_send(&wake_);
    thread_.join();
    uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
    uv_run(&loop_, UV_RUN_NOWAIT);
    uv_loop_close(&loop_);  // stays open where children have left handles
  }
  SpawnThread(const SpawnThread&) = delete;
  SpawnThread& operator=(const SpawnThread&) = delete;

  void post(std::function<void(uv_loop_t*)> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    uv_async_send(&wake_);
  }

 private:
  SpawnThread() = default;

  // Whether the process may open the descriptors that a loop needs. libuv ends the program where
  // its own, which all loops share, cannot be opened.
  static bool hasDescriptors() {
    constexpr std::size_t kOfLoop = 8;
    std::array<int, kOfLoop> opened;
    for (int& descriptor : opened) descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool all = std::ranges::find(opened, -1) == opened.end();
    for (const int descriptor : opened) {
      if (descriptor >= 0) ::close(descriptor);
    }
    return all;
  }

  Result<void> start() {
    if (!hasDescriptors()) return fail(ErrorCode::Internal, uv_strerror(UV_EMFILE));
    if (const int code = uv_loop_init(&loop_); code != 0) {
      return fail(ErrorCode::Internal, uv_strerror(code));
    }
    const int code = uv_async_init(&loop_, &wake_, [](uv_async_t* wake) {
      static_cast<SpawnThread*>(wake->data)->runTasks();
    });
    if (code != 0) {
      uv_loop_close(&loop_);
      return fail(ErrorCode::Internal, uv_strerror(code));
    }
    wake_.data = this;
    try {
      thread_ = std::thread([this] { uv_run(&loop_, UV_RUN_DEFAULT); });
    } catch (const std::system_error& error) {
      uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
      uv_run(&loop_, UV_RUN_DEFAULT);
      uv_loop_close(&loop_);
      return fail(ErrorCode::Internal, error.code().message());
    }
    return {};
  }

  void runTasks() {
    std::vector<std::function<void(uv_loop_t*)>> tasks;
    {
      const std::lock_guard lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task(&loop_);
    if (isEnding_) uv_stop(&loop_);
  }

  uv_loop_t loop_ = {};
  uv_async_t wake_ = {};
  std::atomic<bool> isEnding_{false};
  std::mutex mutex_;
  std::vector<std::function<void(uv_loop_t*)>> tasks_;
  std::thread thread_;
};

}  // namespace

Result<ProcessOutcome> runProcess(const ProcessRequest& request, const LineSink& onErrorLine,
                                  std::stop_token stop) {
  const auto child = std::make_shared<Child>(request, onErrorLine);
  auto outcome = child->outcome();
  const auto thread = SpawnThread::instance();
  if (!thread) return tl::unexpected(thread.error());
  (*thread)->post([child](uv_loop_t* loop) { child->start(loop); });
  const std::stop_callback onStop(std::move(stop), [&thread, child] {
    (*thread)->post([child](uv_loop_t*) { child->kill(ProcessOutcome::End::Stopped); });
  });
  return outcome.get();
}

}  // namespace ck
