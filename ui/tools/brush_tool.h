#pragma once

#include <memory>
#include <optional>

#include "core/project/actors/brush.h"
#include "ui/document/crowd_dealer.h"
#include "ui/viewport/viewport_tool.h"

namespace ck::ui {

class Playback;

// A brush over the ground: strokes place, erase, turn or vary actors (core/project/actors/brush.h).
// Shift makes it erase instead of placing; [ and ] change its size; Escape takes a stroke back. A
// stroke is one undo step.
class BrushTool : public ViewportTool {
  Q_OBJECT

 public:
  // All must outlive it.
  BrushTool(Document& document, const Session& session, const Playback& playback,
            Selection& selection, QObject* parent = nullptr);

  // The spacing is that of the project's formation, whatever these settings have.
  const BrushSettings& settings() const { return settings_; }
  void setSettings(const BrushSettings& settings);
  bool isStroking() const { return stroke_ != nullptr; }

  bool press(const QMouseEvent& event, const ViewProjection& view) override;
  void move(const QMouseEvent& event, const ViewProjection& view) override;
  void release(const QMouseEvent& event, const ViewProjection& view) override;
  bool wantsSecondPress(const QMouseEvent&, const ViewProjection&) const override { return true; }
  bool key(const QKeyEvent& event) override;
  void setModifiers(Qt::KeyboardModifiers held) override;
  void cancel() override;
  void leave() override;
  Qt::CursorShape cursor() const override { return Qt::CrossCursor; }
  void paint(QPainter& painter, const ViewProjection& view) override;

 signals:
  void settingsChanged();
  // The artist wants to leave the tool.
  void ended();
  // The stroke has placed actors that walk.
  void walkersPlaced();

 private:
  QString strokeTitle() const;
  QString strokeKey() const;  // of its edits
  std::vector<glm::dvec2> shownPlaces() const;
  void strokeTo(const glm::dvec2& place);
  void apply();
  void end();

  CrowdDealer dealer_;
  const Playback& playback_;
  BrushSettings settings_;
  std::optional<glm::dvec2> pointer_;  // on the ground
  glm::dvec2 ahead_{0.0};              // the way of the stroke at the pointer
  bool erases_ = false;                // Shift
  // The state of the stroke.
  std::vector<CharacterPtr> cast_;
  std::unique_ptr<BrushStroke> stroke_;
  Project before_;
  std::vector<int> selected_;  // when it began
  BrushMode mode_ = BrushMode::Place;
  glm::dvec2 last_{0.0};
  std::uint64_t strokes_ = 0;
};

// "Place", "Erase", "Turn", "Vary", and the icon of each.
QString brushModeTitle(BrushMode mode);
const char* brushModeIcon(BrushMode mode);

}  // namespace ck::ui
