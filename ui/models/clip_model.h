#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

class Document;
class Session;

// The project's clips: tick, length, frames, cost and how they loop.
class ClipModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Length, Frames, Cost, Loop };
  static constexpr int kColumns = 5;

  ClipModel(Document& document, const Session& session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  // One undo step each.
  void tickOnly(int row);
  void tickAll(bool ticked);
  // Nothing: as the seam says.
  void setLoop(int row, std::optional<LoopMode> loop);

  // Marks the clip that all actors play, or -1.
  void setSolo(int row);

 private:
  // What is known of a clip besides the project's own.
  struct Facts {
    double lengthSeconds = 0.0;
    int frames = 0;
    std::size_t bytes = 0;  // 0: not part of the bake
    Seam seam = Seam::None;
    double seamMm = 0.0;
    bool known = false;
  };

  void follow(const Project& project);
  void refreshFacts();
  QVariant display(int row, int column) const;
  QString loopText(int row) const;
  QString explanation(int row, int column) const;

  Document& document_;
  const Session& session_;
  std::vector<ProjectClip> clips_;
  std::vector<Facts> facts_;
  int solo_ = -1;
};

// "Loop", "Once", "Ping-pong".
QString loopTitle(LoopMode mode);

}  // namespace ck::ui
