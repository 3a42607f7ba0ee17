#pragma once

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QPoint>
#include <memory>
#include <optional>

#include "render/references.h"
#include "render/scene/camera.h"
#include "render/view/crowd_renderer.h"
#include "ui/document/frame_budget.h"
#include "ui/viewport/view_variant.h"

class QRubberBand;

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;

// The crowd on screen: draws through ck::render only, moves the camera and selects actors. Holds no
// state of the scene.
class ViewportWidget : public QOpenGLWidget {
  Q_OBJECT

 public:
  ViewportWidget(Document& document, const Session& session, Playback& playback,
                 Selection& selection, QWidget* parent = nullptr);
  ~ViewportWidget() override;

  void frameAll();
  void frameSelected();  // all, where nothing is selected
  const render::Camera& camera() const { return camera_; }
  void setShown(render::Shown shown);
  render::Shown shown() const { return shown_; }
  // What Shown::Compared compares with; nothing in other views.
  render::ReferencePtr reference() const;
  void setMorphs(const render::MorphView& morphs);
  const render::MorphView& morphs() const { return morphs_; }
  ViewVariant variant() const;
  double tickRateHz() const;  // as the project asks; 0: a tick for every picture
  const std::vector<std::uint32_t>& selectedVisible() const { return selectedVisible_; }

  // Nothing before the first frame.
  const render::CrowdRenderer* renderer() const { return renderer_.get(); }
  double frameMs() const { return frameMs_; }
  int framesPainted() const { return framesPainted_; }

 signals:
  // The renderer was made, or not (the reason).
  void ready(const QString& reason);
  void framePainted();
  void drawRefused(const QString& reason);

 protected:
  void initializeGL() override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  enum class Drag { None, Orbit, Pan, Dolly, Select };

  void release();
  void upload();
  void uploadProps();
  void onCharacter();
  render::RenderSettings settings() const;
  void fallBackForCast(render::RenderSettings& settings) const;
  void clickAt(const QPoint& place, Qt::KeyboardModifiers modifiers);
  void selectBox(const QRect& box, Qt::KeyboardModifiers modifiers);
  double aspect() const;
  void report(const Result<void>& drawn);
  void keepPace(bool refused);
  void comeCloser();
  bool isCastReading() const;

  Document& document_;
  const Session& session_;
  Playback& playback_;
  Selection& selection_;
  std::unique_ptr<render::CrowdRenderer> renderer_;
  bool castStale_ = true;
  bool propsStale_ = true;
  // The rig that the camera was put before, and in which size.
  std::string framedSource_;
  double framedScale_ = 0.0;
  bool frameAllPending_ = false;
  // Characters were still being read when the camera was put before all: it is put anew when they
  // are there, unless it was moved.
  bool framesNewcomers_ = false;
  render::Camera camera_;
  render::Shown shown_ = render::Shown::Baked;
  render::MorphView morphs_;
  std::vector<std::uint32_t> selectedVisible_;
  Drag drag_ = Drag::None;
  QPoint pressed_;
  QPoint last_;
  QRubberBand* band_ = nullptr;
  FrameBudget budget_;
  double frameMs_ = 0.0;
  int framesPainted_ = 0;
  QString refused_;
  // Fewer actors than were refused to be drawn; reading the atlas otherwise lifts it.
  std::size_t ceiling_ = SIZE_MAX;
};

}  // namespace ck::ui
