#pragma once

#include <functional>

class QMainWindow;

namespace ck::ui {

class ActorsPanel;
class BakePanel;
class ClipsPanel;
class Document;
class HistoryPanel;
class Playback;
class ProjectFiles;
class Selection;
class Session;
class SourceWatch;
class SpotGuide;
class StatusStrip;
class TaskRunner;
class TimelinePanel;
class ViewportFrame;
class WindowLayout;

// The parts of a window that its menus act on. All outlive the menus, which are children of
// `window`.
struct AppContext {
  QMainWindow& window;
  Document& document;
  Session& session;
  Playback& playback;
  Selection& selection;
  TaskRunner& tasks;
  SourceWatch& sourceWatch;
  ProjectFiles& files;
  ViewportFrame& view;
  SpotGuide& guide;
  WindowLayout& layout;
  StatusStrip& status;
  ActorsPanel& actors;
  BakePanel& bake;
  ClipsPanel& clips;
  HistoryPanel& history;
  TimelinePanel& timeline;
  std::function<void()> fitFiles;  // shows how the files of the shown character fit
};

}  // namespace ck::ui
