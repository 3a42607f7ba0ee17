#pragma once

#include <QString>
#include <functional>

#include "core/project/respawn.h"

namespace ck::ui {

class Document;
class Session;

// Deals the actors of the document anew when a setting of their formation changes. Actors that the
// artist has placed stay (core/project/respawn.h).
class CrowdDealer {
 public:
  // Both must outlive it.
  CrowdDealer(Document& document, const Session& session)
      : document_(document), session_(session) {}

  using Change = std::function<void(SpawnSettings&)>;
  // Changes the settings of a project that is being edited, and its actors. Does nothing without a
  // rig.
  void change(Project& project, const Change& change) const;
  // The same as an undo step; for the key see Document::edit().
  void edit(const QString& text, const Change& change, const QString& mergeKey = {}) const;

  // As PropSession::groundOf() for the document's project.
  GroundMeshPtr ground() const;

  Document& document() const { return document_; }
  const Session& session() const { return session_; }

 private:
  Document& document_;
  const Session& session_;
};

}  // namespace ck::ui
