#include "core/import/host/file_requests.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>

namespace ck {
namespace {

constexpr int kMostRequests = 4'096;  // of one rig
constexpr std::size_t kLongestPacket = 8'192;

// A packet is a byte, the kind of the request or the error code of the answer, and a text. An
// answer may carry a descriptor.
using Control = std::array<char, CMSG_SPACE(sizeof(int))>;

msghdr messageOf(iovec& part, Control& control) {
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  return message;
}

bool sendAnswer(int socket, const FileAnswer& answer) {
  std::string packet = std::string(1, static_cast<char>(answer.code)) + answer.text;
  iovec part = {packet.data(), packet.size()};
  alignas(cmsghdr) Control control = {};
  msghdr message = messageOf(part, control);
  if (answer.descriptor < 0) {
    message.msg_controllen = 0;
  } else {
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &answer.descriptor, sizeof(int));
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

}  // namespace

FileAnswer answerTo(FileRequest request, std::string_view name, const RigFolder& folder) {
  if (request == FileRequest::Find) return {.text = folder.findByName(name).value_or("")};
  const auto opened = folder.open(name);
  if (!opened) return {.code = opened.error().code, .text = opened.error().message};
  return {.descriptor = *opened};
}

FileAnswer requestFile(int socket, FileRequest request, std::string_view name) {
  const FileAnswer none = {.text = "the program that started the reader does not answer"};
  std::string packet = std::string(1, static_cast<char>(request)) + std::string(name);
  if (packet.size() > kLongestPacket) return {.text = "its name is too long"};
  if (::write(socket, packet.data(), packet.size()) < 0) return none;
  packet.resize(kLongestPacket);
  iovec part = {packet.data(), packet.size()};
  alignas(cmsghdr) Control control = {};
  msghdr message = messageOf(part, control);
  ssize_t got = -1;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return none;
  FileAnswer answer = {.code = static_cast<ErrorCode>(packet[0]),
                       .text = packet.substr(1, static_cast<std::size_t>(got) - 1)};
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&answer.descriptor, CMSG_DATA(head), sizeof(int));
  }
  return answer;
}

Result<std::unique_ptr<FileServer>> FileServer::start(const std::filesystem::path& rigFile) {
  auto server = std::unique_ptr<FileServer>(new FileServer(rigFile));
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, server->ends_) != 0) {
    return fail(ErrorCode::Internal, std::strerror(errno));
  }
  try {
    server->thread_ = std::thread([end = server.get()] { end->serve(); });
  } catch (const std::system_error& error) {
    return fail(ErrorCode::Internal, error.code().message());
  }
  return server;
}

FileServer::~FileServer() {
  if (thread_.joinable()) {
    ::shutdown(ends_[0], SHUT_RDWR);
    thread_.join();
  }
  for (const int end : ends_) {
    if (end >= 0) ::close(end);
  }
}

// Trusts nothing of a packet: the worker may have been taken over.
void FileServer::serve() try {
  std::array<char, kLongestPacket> packet;
  for (int requests = 0; requests < kMostRequests; ++requests) {
    const ssize_t got = ::recv(ends_[0], packet.data(), packet.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    const std::string_view name(packet.data() + 1, static_cast<std::size_t>(got) - 1);
    const auto request =
        packet[0] == static_cast<char>(FileRequest::Find) ? FileRequest::Find : FileRequest::Open;
    const FileAnswer answer = answerTo(request, name, folder_);
    const bool isSent = sendAnswer(ends_[0], answer);
    if (answer.descriptor >= 0) ::close(answer.descriptor);
    if (!isSent) break;
  }
  ::shutdown(ends_[0], SHUT_RDWR);
} catch (const std::exception&) {
  ::shutdown(ends_[0], SHUT_RDWR);  // without memory there are no more answers
}

Result<std::vector<std::byte>> readAndClose(int descriptor, std::uint64_t limitBytes) {
  const auto end = [descriptor](ErrorCode code, std::string why) {
    ::close(descriptor);
    return fail(code, std::move(why));
  };
  // A confined worker may not ask for the facts of a file.
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  if (size < 0) return end(ErrorCode::FileUnreadable, std::strerror(errno));
  if (static_cast<std::uint64_t>(size) > limitBytes) {
    return end(ErrorCode::LimitExceeded,
               fmt::format("it has {} bytes, more than the limit of {}", size, limitBytes));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return end(ErrorCode::FileUnreadable, std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  ::close(descriptor);
  return bytes;
}

}  // namespace ck
