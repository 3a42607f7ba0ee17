#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>
#include <array>
#include <cstdint>
#include <vector>

#include "core/atlas/atlas.h"
#include "ui/atlas_view/atlas_image.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"

class QBoxLayout;
class QDoubleSpinBox;
class QLabel;
class QMenu;
class QToolButton;

namespace ck::ui {

class AtlasCanvas;
class Document;
class Playback;
class Selection;
class Session;

// Shows the atlas of the shown character: its texture with a choice of channels and range, its
// clips, the playback position, and the values of the texel under the cursor. A panel of the
// window, or with Qt::Tool a window that stays above it.
class AtlasPanel : public QWidget {
  Q_OBJECT

 public:
  AtlasPanel(const Document& document, const Session& session, const Playback& playback,
             const Selection& selection, QWidget* parent = nullptr, Qt::WindowFlags flags = {});

  ~AtlasPanel() override;  // closes its window

  AtlasCanvas& canvas() { return *canvas_; }
  // The context menu for the texel under the cursor. The caller shows and deletes it.
  QMenu* makeMenu();
  // The layout adapts to the panel's size.
  QSize minimumSizeHint() const override;
  // Opens the same view in a window of its own beside or over this one's, or raises it. A window
  // does nothing.
  void openWindow();

 signals:
  void noticed(const ck::ui::Notice& notice);
  // The user wants to see this frame, counted in time, of a clip of the shown character.
  void frameAsked(int clip, int frame);
  // The crowd is to play, or to pause.
  void playAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QBoxLayout* makeChannelBar();
  QBoxLayout* makeRangeBar();
  QList<QToolButton*> makeViewButtons();
  bool isBeside() const;  // whether the controls are beside the texture, not below
  QToolButton* makeButton(const QString& text, const QString& name, const QString& tip);
  QDoubleSpinBox* makeLimit(const QString& name, double usual);
  void setLook(const AtlasLook& look);
  void fitRange();
  void setRange(float low, float high);
  AtlasPtr atlas() const;  // of the shown character
  void follow();
  void showAtlas();
  void showMarkers();
  void showReadout();
  int clipOf(int atlasClip) const;

  const Document& document_;
  const Session& session_;
  const Playback& playback_;
  const Selection& selection_;
  TaskRunner fitting_;
  AtlasCanvas* canvas_;
  std::array<QToolButton*, 4> channels_ = {};
  QDoubleSpinBox* low_;
  QDoubleSpinBox* high_;
  QLabel* where_;
  QLabel* value_;
  QLabel* raw_;
  QBoxLayout* layout_;
  QBoxLayout* bars_;  // two groups of controls, side by side or one below the other
  QWidget* side_;
  bool isApart_;                // a window of its own
  QPointer<AtlasPanel> apart_;  // the view in a window
  std::vector<std::uint32_t> selectedVisible_;
};

}  // namespace ck::ui
