#pragma once

#include <QObject>
#include <QPointF>
#include <QString>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "core/error/bake_error.h"
#include "core/scene/character.h"
#include "core/view/pose_settings.h"
#include "render/view/spot_place.h"

class QPainter;

namespace ck::render {
struct Camera;
}

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;
class ViewportWidget;

// Leads to a moment of a clip: pauses, shows the clip and a moment of it on an actor that plays it,
// selects and frames the actor from where no other one hides the spot, and marks a spot on it with
// a ring and a label until others are selected or the crowd plays on. Where no visible actor plays
// the clip, all play it (solo).
class SpotGuide : public QObject {
  Q_OBJECT

 public:
  // `viewport` may be null, without OpenGL; then nothing is framed or marked. All must outlive it.
  SpotGuide(Document& document, const Session& session, Playback& playback, Selection& selection,
            ViewportWidget* viewport, QObject* parent = nullptr);

  // Where a figure of the character's error is worst. Does nothing if the figure has no place or
  // the atlas no such clip.
  void goToWorst(const ErrorFigure& figure, int character);
  // A moment of an atlas clip of the character, by the index of the clip in the atlas.
  void goToMoment(const ErrorMoment& moment, int character, int atlasClip);

  // Why there is no worst place of the shown character to go to; empty if there is one.
  QString whyNoWorst() const;
  // The worst vertex of the shown character, as the view reads the atlas.
  void goToWorst();

  bool isMarked() const { return mark_.has_value(); }
  // The marked spot in the view, in logical pixels; nothing if none is in front of the eye.
  std::optional<QPointF> markedPlace() const;
  QString markedText() const { return mark_ ? mark_->label : QString(); }
  void clearMark();

  // Over the view, in logical pixels.
  void paint(QPainter& painter) const;

 signals:
  // The crowd is where it was asked to be.
  void arrived();

 private:
  struct Mark {
    int actor = 0;  // into Project::actors
    render::Spot spot;
    QString label;
  };
  struct Goal {
    int character = 0;
    int atlasClip = 0;
    double unit = 0.0;  // of the clip
    render::Spot spot;
    QString label;
  };
  // The place that was found last, and what it depends on.
  struct Seen {
    CharacterPtr character;
    AtlasPtr atlas;
    CrowdStamp stamp;
    std::uint32_t index = 0;
    PoseSettings pose;
    std::optional<glm::dvec3> world;
    bool isOf(const Seen& other) const;
  };
  void go(const Goal& goal);
  void frameFreely(std::size_t visible);
  int bodiesBefore(const render::Camera& camera, const glm::dvec3& spot, std::size_t visible) const;
  std::optional<glm::dvec3> worldOf(std::size_t visible) const;  // of the mark on this actor
  // The visible actor that shows a clip of the project, or nothing.
  std::optional<std::size_t> playerOf(int character, int clip) const;

  Document& document_;
  const Session& session_;
  Playback& playback_;
  Selection& selection_;
  ViewportWidget* viewport_;
  std::optional<Mark> mark_;
  mutable std::optional<Seen> seen_;
  bool going_ = false;
};

}  // namespace ck::ui
