#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "render/frame/frame_stats.h"

class QLabel;
class QTableWidget;

namespace ck::ui {

// How a crowd with levels of detail is drawn: a row for every way to draw a character, from its
// whole mesh to points, with what it costs, how far it is off and how many actors are drawn so.
class LevelsPage : public QWidget {
  Q_OBJECT

 public:
  explicit LevelsPage(QWidget* parent = nullptr);

  // `names` are those of the project's characters; `askedPixels` is what the artist allows, of
  // which the view may allow more to keep up. Nothing: the crowd is drawn at full detail.
  void setDetail(const std::optional<render::DetailStats>& detail, const QStringList& names,
                 double askedPixels);
  QTableWidget& table() { return *table_; }

 private:
  void showWay(int row, const render::DetailStats::Way& way, int level, const QString& name);

  QTableWidget* table_;
  QLabel* remark_;
  std::size_t inView_ = 0;
};

}  // namespace ck::ui
