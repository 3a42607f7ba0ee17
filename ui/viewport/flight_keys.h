#pragma once

#include <QtGlobal>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

class QKeyEvent;

namespace ck::ui {

// The keys that fly a camera. They are bound by place, W A S D Q E as on an English keyboard, where
// the system tells a key's place, and by letter elsewhere.
enum class FlightKey { Forward, Back, Left, Right, Up, Down };

// `scanCode` is QKeyEvent::nativeScanCode(), 0 if unknown; `key` a Qt::Key.
std::optional<FlightKey> flightKeyOf(quint32 scanCode, int key);

// Which of these keys are held.
class FlightKeys {
 public:
  // Return whether the event is of such a key.
  bool press(const QKeyEvent& event);
  bool release(const QKeyEvent& event);
  void clear() { held_.clear(); }
  bool any() const { return !held_.empty(); }
  // Right, up and forward; of length 1, or 0 where keys are opposite or none is held.
  glm::dvec3 direction() const;

 private:
  std::vector<FlightKey> held_;
};

}  // namespace ck::ui
