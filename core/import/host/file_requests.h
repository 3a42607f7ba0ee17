#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/import/host/rig_folder.h"

namespace ck {

// A worker can open no file. It requests those that its rig names from the host, by its standard
// input, a socket of packets, and gets descriptors that can be read and nothing else.

enum class FileRequest : char {
  Open = 'o',  // RigFolder::open()
  Find = 'f',  // RigFolder::findByName()
};

struct FileAnswer {
  int descriptor = -1;  // of Open; the receiver closes it
  ErrorCode code = ErrorCode::FileUnreadable;
  std::string text = {};  // why Open was refused, or what Find has found; empty: nothing
};

// The answer of a folder to a worker.
FileAnswer answerTo(FileRequest request, std::string_view name, const RigFolder& folder);

// Sends the request to the host and waits for its answer. For workers.
FileAnswer requestFile(int socket, FileRequest request, std::string_view name);

// Answers the requests of one worker, on a thread of its own.
class FileServer {
 public:
  // Fails with Internal; the message is the system's reason.
  static Result<std::unique_ptr<FileServer>> start(const std::filesystem::path& rigFile);
  // Blocks until no answer is on its way.
  ~FileServer();
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;

  int workersEnd() const { return ends_[1]; }

 private:
  explicit FileServer(const std::filesystem::path& rigFile) : folder_(rigFile) {}
  void serve();

  RigFolder folder_;
  int ends_[2] = {-1, -1};  // of the host and of the worker
  std::thread thread_;
};

// All bytes of an open file, which is closed. Errors: FileUnreadable, LimitExceeded; messages do
// not name the file.
Result<std::vector<std::byte>> readAndClose(int descriptor, std::uint64_t limitBytes);

}  // namespace ck
