#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/bake/bake_window.h"
#include "core/project/project.h"

namespace ck::ui {

class ClipPictures;
class Document;
class Session;

// The clips of one character in the order of its atlas: tick, name, length, frames, cost, seam and
// what happens at their ends. They can be edited and dragged into another order, unless they come
// from another project.
class ClipModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Length, Frames, Cost, SeamColumn, Loop };
  static constexpr int kColumns = 6;
  static constexpr int kPicturePixels = 34;

  // Without `pictures` the rows have none.
  ClipModel(Document& document, const Session& session, ClipPictures* pictures = nullptr,
            QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  // Ticks, and renames (EditRole of the name). A name that is taken or empty is refused: returns
  // false and says why with refused().
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

  // The first unless told otherwise; numbered as Actor::character is.
  void setCharacter(int character);
  int character() const;
  bool isEditable() const;
  // Why it is not, for people.
  QString whyNotEditable() const;

  // One undo step each. Nothing happens to clips that cannot be edited.
  using Rows = std::vector<int>;
  void tickOnly(const Rows& rows);
  void tickAll(bool ticked);
  void invertTicks();
  // Nothing: as the seam says.
  void setLoop(const Rows& rows, std::optional<LoopMode> loop);
  void setSeam(const Rows& rows, SeamChoice seam);
  void setInPlace(const Rows& rows, bool inPlace);
  // The whole clip again, at the file's rate, under its own name, ending as measured.
  void reset(const Rows& rows);
  // Any change of some clips; steps with one merge key in a row become one.
  void edit(const QString& text, const Rows& rows,
            const std::function<void(ProjectClip&)>& changeOne, const QString& mergeKey = {});
  void endMerge();
  // Puts these rows, in their order, before row `before` (rowCount(): at the end).
  void move(Rows rows, int before);

  const ProjectClip& clip(int row) const { return clips_[std::size_t(row)]; }
  // As it would be baked, if that is known.
  const BakeWindow* window(int row) const;

  // The clip in the rig's file; null where the rig is not there.
  const Clip* source(int row) const;

  // Marks the clip that all actors play, or -1.
  void setSolo(int row);

 signals:
  void refused(const QString& why);
  // The rows are about to be clips of another rig; modelReset() follows.
  void rigChanged();

 private:
  void follow();
  void refresh();
  void change(const QString& text, const std::function<void(std::vector<ProjectClip>&)>& change,
              const QString& mergeKey = {});
  QVariant display(int row, int column) const;
  QVariant decoration(int row, int column) const;
  std::size_t bytesOf(int row) const;
  QString explanation(int row, int column) const;

  Document& document_;
  const Session& session_;
  ClipPictures* pictures_;
  std::vector<ProjectClip> clips_;
  int character_ = 0;
  int solo_ = -1;
  std::string rig_;  // where the rows come from; empty for the first character
};

// "Loop", "Once", "Ping-pong".
QString loopTitle(LoopMode mode);
// "Closes", "Adds a step", "Open".
QString seamTitle(Seam seam);

}  // namespace ck::ui
