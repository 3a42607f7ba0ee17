#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "core/view/detail_settings.h"
#include "render/frame/frame_stats.h"

class QLabel;
class QSpinBox;
class QTableWidget;

namespace ck::ui {

class Document;

// How a crowd with levels of detail is drawn: a row for every way to draw a character, from its
// whole mesh to points, with what it costs, how far it is off and how many actors are drawn so.
class LevelsPage : public QWidget {
  Q_OBJECT

 public:
  explicit LevelsPage(QWidget* parent = nullptr);

  // Binds the budgets to the project, which must outlive the page.
  void bind(Document& document);
  // `names` are those of the project's characters; `asked` is what the artist allows, of which the
  // view may allow more pixels to keep up. Nothing: the crowd is drawn at full detail.
  void setDetail(const std::optional<render::DetailStats>& detail, const QStringList& names,
                 const DetailSettings& asked);
  QTableWidget& table() { return *table_; }
  QString remark() const;

 private:
  void showWay(int row, const render::DetailStats::Way& way, const QString& name);

  QTableWidget* table_;
  QLabel* remark_;
  QSpinBox* triangles_;
  QSpinBox* memory_;
  std::size_t inView_ = 0;
};

}  // namespace ck::ui
