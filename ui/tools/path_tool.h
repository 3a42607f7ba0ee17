#pragma once

#include <optional>
#include <vector>

#include "ui/document/crowd_dealer.h"
#include "ui/viewport/viewport_tool.h"

namespace ck::ui {

// Draws the path of the formation Path on the ground. A click adds a point at the end, or between
// two where the line is; a drag draws by hand; points are dragged; Delete removes the chosen one. A
// click on the first point closes the path. A double click, Enter or Escape ends it. Every change
// is one undo step, and the crowd follows at once.
class PathTool : public ViewportTool {
  Q_OBJECT

 public:
  // All must outlive it.
  PathTool(Document& document, const Session& session, Selection& selection,
           QObject* parent = nullptr);

  bool press(const QMouseEvent& event, const ViewProjection& view) override;
  void move(const QMouseEvent& event, const ViewProjection& view) override;
  void release(const QMouseEvent& event, const ViewProjection& view) override;
  bool wantsSecondPress(const QMouseEvent&, const ViewProjection&) const override { return true; }
  bool key(const QKeyEvent& event) override;
  void cancel() override;
  void leave() override;
  Qt::CursorShape cursor() const override { return Qt::CrossCursor; }
  void paint(QPainter& painter, const ViewProjection& view) override;

 signals:
  // The artist has finished the path.
  void ended();
  // The path has placed actors that walk.
  void walkersPlaced();

 private:
  enum class Drag { None, Draw, Point };
  using Path = std::vector<glm::vec2>;

  const SpawnSettings& spawn() const;
  std::optional<std::size_t> pointAt(const QPointF& place, const ViewProjection& view) const;
  // The leg of the path under a place of the view: the index of its first point.
  std::optional<std::size_t> legAt(const QPointF& place, const ViewProjection& view) const;
  std::optional<glm::vec2> groundAt(const QPointF& place, const ViewProjection& view) const;
  void change(const QString& text, const CrowdDealer::Change& change, const QString& key = {});
  void addDrawn(const ViewProjection& view);
  void clickAt(const QPointF& place, const ViewProjection& view);
  void removeChosen();
  bool hasWalkers() const;

  CrowdDealer dealer_;
  Drag drag_ = Drag::None;
  QPointF pressed_;
  bool moved_ = false;
  std::optional<std::size_t> chosen_;
  std::optional<std::size_t> under_;  // the pointer
  std::optional<glm::vec2> pointer_;  // on the ground
  Path drawn_;                        // by hand
};

}  // namespace ck::ui
