#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <span>

#include "core/project/project.h"
#include "ui/actors/actor_field.h"

namespace ck::ui {

class Document;

// The project's actors as a table, one row each, one column per ActorField. Setting a value edits
// the project; what is shown follows the project.
class ActorModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit ActorModel(Document& document, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  // Changes one field of many actors as one undo step; `change` gets each actor with its place in
  // `actors`.
  void editActors(std::span<const int> actors, ActorField field,
                  const std::function<void(Actor&, std::size_t place)>& change);
  // Gives them all one value, of the kind that data() has for the EditRole or CheckStateRole. A
  // value that the field cannot have changes nothing and returns false. A clip is one of the actor
  // `reference`, of the first where that is none; actors of other characters get their clip of the
  // same title, where they have one. Another character brings its clip of the same name along.
  bool setActors(std::span<const int> actors, ActorField field, const QVariant& value,
                 int reference = -1);

  const Actor& actor(int row) const { return actors_[std::size_t(row)]; }
  bool playsUntickedClip(const Actor& actor) const;
  int characterCount() const { return 1 + int(cast_.size()); }
  // The words of a choice field, from firstChoice() on, for actors of this character.
  QStringList choices(ActorField field, int character = 0) const;
  QVariant display(const Actor& actor, ActorField field) const;
  // One number per actor that orders the actors by a field.
  std::vector<double> sortKeys(ActorField field) const;

 private:
  void follow(const Project& project);
  const std::vector<ProjectClip>& clipsOf(int character) const;
  QString clipName(int character, int clip) const;
  int clipOf(int character, int other, int clip) const;
  std::vector<double> clipSortKeys(ActorField field) const;
  QVariant value(const Actor& actor, ActorField field) const;
  bool assign(Actor& actor, ActorField field, const QVariant& value) const;

  Document& document_;
  ActorList actors_;  // what the views have been told of
  std::vector<ProjectClip> clips_;
  std::vector<JointMask> masks_;
  std::vector<CastMember> cast_;
  QString ownTitle_;
};

}  // namespace ck::ui
