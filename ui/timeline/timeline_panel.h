#pragma once

#include <QWidget>
#include <functional>

class QAction;
class QLabel;

namespace ck::ui {

class Document;
class ClipModel;
class ClipThumbnails;
class ClipSelection;
class ErrorGraph;
class Playback;
class Selection;
class Session;
class TimelineRuler;

// Controls of the crowd's clock: play, step, scrub and speed.
class TimelinePanel : public QWidget {
  Q_OBJECT

 public:
  TimelinePanel(Document& document, const Session& session, Playback& playback, ClipModel& clips,
                ClipSelection& selected, ClipThumbnails* thumbnails, QWidget* parent = nullptr);

  // Lets the reading tell how these actors play by their commands. They must outlive the panel.
  void setActors(const Selection& actors);

  QAction& markAction() { return *mark_; }
  TimelineRuler& ruler() { return *ruler_; }
  ErrorGraph& errorGraph() { return *graph_; }

 private:
  // Adds an action and its button. Its key works in the timeline and the viewport only. Its object
  // name is `id`.
  QAction* addTransport(const char* id, const QString& iconName, const QString& text,
                        const QKeySequence& key, const std::function<void()>& run);
  void addTransports();
  QWidget* makeBar();
  void showReading();
  QString commandReading() const;

  Document& document_;
  Playback& playback_;
  TimelineRuler* ruler_;
  ErrorGraph* graph_;
  QLabel* reading_;
  QLabel* clock_;
  const Selection* actors_ = nullptr;
  QAction* mark_ = nullptr;
};

}  // namespace ck::ui
