#include "ui/viewport/flight_keys.h"

#include <QKeyEvent>
#include <algorithm>

namespace ck::ui {
namespace {

struct Place {
  FlightKey key;
  quint32 scanCode;
  int letter;
};

// The codes of X11 and Wayland are those of the kernel plus 8; Windows has those of the PC.
#ifdef Q_OS_WIN
constexpr Place kPlaces[] = {
    {FlightKey::Forward, 0x11, Qt::Key_W}, {FlightKey::Back, 0x1f, Qt::Key_S},
    {FlightKey::Left, 0x1e, Qt::Key_A},    {FlightKey::Right, 0x20, Qt::Key_D},
    {FlightKey::Up, 0x12, Qt::Key_E},      {FlightKey::Down, 0x10, Qt::Key_Q}};
#else
constexpr Place kPlaces[] = {{FlightKey::Forward, 25, Qt::Key_W}, {FlightKey::Back, 39, Qt::Key_S},
                             {FlightKey::Left, 38, Qt::Key_A},    {FlightKey::Right, 40, Qt::Key_D},
                             {FlightKey::Up, 26, Qt::Key_E},      {FlightKey::Down, 24, Qt::Key_Q}};
#endif

glm::dvec3 directionOf(FlightKey key) {
  switch (key) {
    case FlightKey::Forward:
      return {0, 0, 1};
    case FlightKey::Back:
      return {0, 0, -1};
    case FlightKey::Left:
      return {-1, 0, 0};
    case FlightKey::Right:
      return {1, 0, 0};
    case FlightKey::Up:
      return {0, 1, 0};
    case FlightKey::Down:
      return {0, -1, 0};
  }
  return {};
}

std::optional<FlightKey> keyOf(const QKeyEvent& event) {
  return flightKeyOf(event.nativeScanCode(), event.key());
}

}  // namespace

std::optional<FlightKey> flightKeyOf(quint32 scanCode, int key) {
#ifdef Q_OS_MACOS
  scanCode = 0;  // macOS has none
#endif
  for (const Place& place : kPlaces) {
    if (scanCode != 0 ? scanCode == place.scanCode : key == place.letter) return place.key;
  }
  return std::nullopt;
}

bool FlightKeys::press(const QKeyEvent& event) {
  const auto key = keyOf(event);
  if (!key) return false;
  if (std::ranges::find(held_, *key) == held_.end()) held_.push_back(*key);
  return true;
}

bool FlightKeys::release(const QKeyEvent& event) {
  const auto key = keyOf(event);
  if (!key) return false;
  if (!event.isAutoRepeat()) std::erase(held_, *key);
  return true;
}

glm::dvec3 FlightKeys::direction() const {
  glm::dvec3 sum(0.0);
  for (const FlightKey key : held_) sum += directionOf(key);
  const double length = glm::length(sum);
  return length > 0.0 ? sum / length : sum;
}

}  // namespace ck::ui
