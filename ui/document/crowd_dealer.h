#pragma once

#include <QString>
#include <functional>

#include "core/project/actors/respawn.h"

namespace ck::ui {

class Document;
class Selection;
class Session;

// Deals the actors of the chosen crowd of the document anew when a setting of its formation
// changes. Actors that the artist has placed stay (core/project/actors/respawn.h), and so does the
// selection of those that stay.
class CrowdDealer {
 public:
  // All must outlive it.
  CrowdDealer(Document& document, const Session& session, Selection& selection)
      : document_(document), session_(session), selection_(selection) {}

  using Change = std::function<void(SpawnSettings&)>;
  // Within Document::edit(): changes the settings of the chosen crowd, and its actors. Does nothing
  // without a rig.
  void change(Project& project, const Change& change) const;
  // The same as an undo step; for the key see Document::edit().
  void edit(const QString& text, const Change& change, const QString& mergeKey = {}) const;

  // The ground of the chosen crowd (PropSession::groundOf()).
  GroundMeshPtr ground() const;

  Document& document() const { return document_; }
  const Session& session() const { return session_; }
  Selection& selection() const { return selection_; }

 private:
  Document& document_;
  const Session& session_;
  Selection& selection_;
};

}  // namespace ck::ui
