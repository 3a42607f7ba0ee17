// A library for LD_PRELOAD in which the time of day runs backwards, as if the clock were set back
// all the time: where a second passes, it is a second earlier. Clocks that count what has passed
// (CLOCK_MONOTONIC) are left alone.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr long long kSecond = 1'000'000'000;

long long nanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

long long now(clockid_t clock) {
  timespec time = {};
  syscall(SYS_clock_gettime, clock, &time);
  return nanoseconds(time);
}

long long backward() {
  static const long long start = now(CLOCK_REALTIME);
  return 2 * start - now(CLOCK_REALTIME);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
    return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  }
  const long long moment = backward();
  *time = {static_cast<time_t>(moment / kSecond), static_cast<long>(moment % kSecond)};
  return 0;
}

int gettimeofday(timeval* time, void*) {
  const long long moment = backward();
  *time = {static_cast<time_t>(moment / kSecond),
           static_cast<suseconds_t>(moment % kSecond / 1'000)};
  return 0;
}

time_t time(time_t* out) {
  const auto moment = static_cast<time_t>(backward() / kSecond);
  if (out != nullptr) *out = moment;
  return moment;
}

}  // extern "C"
