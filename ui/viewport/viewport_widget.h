#pragma once

#include <QImage>
#include <QOpenGLWidget>
#include <memory>
#include <vector>

#include "core/view/stand_ins.h"
#include "render/references.h"
#include "render/view/crowd_renderer.h"
#include "render/view/drawable_view.h"
#include "ui/playback/frame_budget.h"
#include "ui/viewport/actor_picker.h"
#include "ui/viewport/camera_controller.h"
#include "ui/viewport/wipe_handle.h"

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;
class SpotGuide;
class ViewProjection;
class ViewportTool;

// Draws the crowd through ck::render and keeps uploads up to date. Its controller moves the camera,
// its picker selects actors, its pacer limits the shown actors. It holds no state of the scene.
class ViewportWidget : public QOpenGLWidget {
  Q_OBJECT

 public:
  ViewportWidget(Document& document, const Session& session, Playback& playback,
                 Selection& selection, QWidget* parent = nullptr);
  ~ViewportWidget() override;

  // Both change the view smoothly (CameraController::go). Frames that show nobody, or a camera that
  // is lost, end where a new camera stands.
  void frameAll();
  // A camera of this direction that shows one visible actor, as frameSelected() does.
  render::Camera framedFrom(const render::Camera& camera, std::size_t visible) const;
  // The action of this view that a key of the keypad stands for, or null. X11 does not lead such
  // keys to shortcuts that name the keypad, and leads them to those that do not.
  QAction* keypadAction(const QKeyEvent& key) const;
  void frameSelected();  // the whole crowd if nothing is selected
  const render::Camera& camera() const { return controller_.camera(); }
  // Where a change of the view that is under way leads to, or camera().
  const render::Camera& destination() const { return controller_.destination(); }
  // Changes the view smoothly.
  void goTo(const render::Camera& camera);
  void orbit(double deltaYaw, double deltaPitch) { controller_.turn(deltaYaw, deltaPitch); }
  // The view as a project keeps it. Placed, it is there at once, and stays when the rig is read.
  CameraPlace cameraPlace() const { return placeOf(controller_.destination()); }
  void placeCamera(const CameraPlace& place) { controller_.place(place); }
  // The document's actor that is drawn at a place of the widget, or -1.
  int actorAt(const QPoint& place);
  // The tool that the left button has, or null: it selects. The tool must outlive the widget, or be
  // taken away before.
  void setTool(ViewportTool* tool);
  ViewportTool* tool() const { return tool_; }
  // Ends what a press of the tool has begun, as if it had not been.
  void cancelTool();
  ViewProjection projection() const;
  // Paints its mark over the view. As for a tool, it must outlive the widget; null for none.
  void setGuide(const SpotGuide* guide) { guide_ = guide; }
  const WipeHandle& wipe() const { return wipe_; }
  // Whether the view has two halves: the mode is a divided one, and something is baked.
  bool isDivided() const;
  void setViewMode(ViewMode mode);
  ViewMode viewMode() const { return viewMode_; }
  // The reference method of ViewMode::Compared; null in other modes.
  render::ReferencePtr reference() const;
  // How the morphs of the first selected actor are added up.
  void setAccumulator(const AccumulatorSettings& accumulator);
  const AccumulatorSettings& accumulator() const { return accumulator_; }
  // The project's view as it can be drawn. Requires the renderer.
  render::DrawableView drawable() const;
  // Off for pictures that must not depend on the time: actors switch their level of detail at once.
  void setDissolving(bool on) { dissolves_ = on; }
  // The last frame as it was painted, which a large crowd need not be drawn again for; drawn now if
  // it shows other characters or another size.
  QImage shownPicture();
  const std::vector<std::uint32_t>& selectedVisible() const { return selectedVisible_; }

  // Null before the first frame.
  const render::CrowdRenderer* renderer() const { return renderer_.get(); }
  double frameMs() const { return frameMs_; }  // of the last frame; 0 before the first

 signals:
  // The renderer was created, or failed with a reason.
  void ready(const QString& reason);
  void framePainted();
  void viewModeChanged();
  void toolChanged();
  void drawRefused(const QString& reason);
  void cameraMoved();
  // A right click that moved nothing, or the menu key. `actor` is the document's actor under the
  // pointer, which is selected now; -1: none is.
  void contextMenuAsked(const QPoint& global, int actor);

 protected:
  void initializeGL() override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void connectScene();
  void release();
  void upload();
  void tapSpace();
  void askContextMenu(const QPoint& place);
  Result<void> drawCrowd(const MixedCrowd& crowd);
  void followDetail();
  void paintOver();
  void followWipe();
  void showCursor();
  void uploadProps();
  void complain(const Error& error);
  void onCharacter();
  int pixels(int length) const;  // in device pixels
  Result<std::vector<std::uint32_t>> pick(const QRect& box);
  bool isCastReading() const;

  Document& document_;
  const Session& session_;
  Playback& playback_;
  Selection& selection_;
  CameraController controller_;
  ActorPicker picker_;
  WipeHandle wipe_;
  const SpotGuide* guide_ = nullptr;
  ViewportTool* tool_ = nullptr;
  bool toolHasPress_ = false;
  FramePacer pacer_;
  std::unique_ptr<render::CrowdRenderer> renderer_;
  StandIns standIns_;
  bool castStale_ = true;
  bool dissolves_ = true;
  QSize paintedPixels_;  // of the last frame; empty before the first
  bool propsStale_ = true;
  ViewMode viewMode_ = ViewMode::Baked;
  AccumulatorSettings accumulator_;
  std::vector<std::uint32_t> selectedVisible_;
  std::size_t knownActors_ = 0;                // of the crowd that frames were last paced for
  std::vector<render::CharacterEntry> paced_;  // that they were paced with
  double frameMs_ = 0.0;
};

}  // namespace ck::ui
