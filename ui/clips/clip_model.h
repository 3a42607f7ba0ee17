#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/bake/bake_window.h"
#include "core/project/project.h"
#include "ui/parts/row_model.h"

namespace ck::ui {

class ClipThumbnails;
class Document;
class Examination;
class Session;

// The clips of one character in the order of its atlas: tick, name, length, frames, cost, seam and
// loop mode. They can be edited and reordered, unless they come from another project.
class ClipModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Name, Length, Frames, Cost, SeamColumn, Loop, Findings };
  static constexpr int kThumbnailPixels = 34;

  // Without `thumbnails` the rows have no thumbnails.
  ClipModel(Document& document, const Session& session, ClipThumbnails* thumbnails = nullptr,
            QObject* parent = nullptr);

  // The column Findings is about what it finds, and empty without it.
  void setExamination(const Examination& examination);

  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  // Sets ticks and titles (EditRole of the name). A title that is empty or in use is refused:
  // returns false and emits refused() with the reason.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

  // The character whose clips are shown, numbered as Actor::character. Initially the first.
  void setCharacter(int character);
  int character() const;
  bool isEditable() const;
  // Why the clips cannot be edited.
  QString whyNotEditable() const;
  // The rig whose clips are shown; null while it is not loaded.
  CharacterPtr rig() const;

  // One undo step each. Clips that cannot be edited are unchanged.
  using Rows = std::vector<int>;
  void tickOnly(const Rows& rows);
  void tickAll(bool ticked);
  void invertTicks();
  // Nothing: determined by the seam.
  void setLoop(const Rows& rows, std::optional<LoopMode> loop);
  void setSeam(const Rows& rows, SeamChoice seam);
  // Extracted, the actors that play these clips walk (Actor::travels) by their ways.
  void setRootMotion(const Rows& rows, RootMotion motion);
  // Removes trim, rate, title, loop mode, seam choice and root motion.
  void reset(const Rows& rows);
  // Edits some clips. Consecutive edits with the same merge key become one undo step.
  void edit(const QString& text, const Rows& rows,
            const std::function<void(ProjectClip&)>& changeOne, const QString& mergeKey = {});
  void endMerge();
  void takeBack(const QString& mergeKey);  // as Document::takeBack()
  // Moves these rows, in their order, before row `before` (rowCount(): to the end).
  void move(const Rows& rows, int before);

  const ProjectClip& clip(int row) const { return clips_[std::size_t(row)]; }
  // The window that a bake would use, if it is known.
  const BakeWindow* window(int row) const;

  // The clip in the rig's file; null if the rig is not loaded.
  const Clip* source(int row) const;
  // Whether the clip of the file is one frame: a pose.
  bool isPose(int row) const;
  // The files of the character are read and lack this clip.
  bool isMissing(int row) const;
  // The clip as it is cut, in seconds of its file. Empty if it is not cut and the rig not loaded.
  Trim cut(int row) const;

  // Marks the clip that all actors play, or -1.
  void setSolo(int row);

 signals:
  void refused(const QString& why);
  // The rows are about to become clips of another rig; modelReset() follows.
  void rigChanged();

 protected:
  QVariant cell(int row, int column, int role) const override;
  Qt::ItemFlags abilities(int row, int column) const override;

 private:
  void follow();
  void refresh();
  void change(const QString& text, const std::function<void(std::vector<ProjectClip>&)>& change,
              const QString& mergeKey = {});
  void tick(const QString& text, const std::function<bool(int row, bool ticked)>& wanted);
  QVariant display(int row, int column) const;
  QVariant decoration(int row, int column) const;
  bool isKnown(int row) const;
  QString explanation(int row, int column) const;
  QString findings(int row) const;  // a line each

  Document& document_;
  const Session& session_;
  ClipThumbnails* thumbnails_;
  const Examination* examination_ = nullptr;
  std::vector<ProjectClip> clips_;
  int character_ = 0;
  int solo_ = -1;
  std::string rig_;  // where the rows come from; empty for the first character
};

// "Loop", "Once", "Ping-pong".
QString loopTitle(LoopMode mode);
// The choices for the end of a clip: as measured, then the modes.
QList<std::pair<QString, std::optional<LoopMode>>> loopChoices();
// The choices for a clip's motion over the ground: "Keep", "In place", "Actors walk by it".
QList<std::pair<QString, RootMotion>> rootMotionChoices();
// "Closes", "Adds a step", "Open".
QString seamTitle(Seam seam);

}  // namespace ck::ui
