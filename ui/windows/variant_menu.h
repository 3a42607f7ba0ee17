#pragma once

#include <QMenu>
#include <vector>

#include "render/view/drawable_view.h"

class QActionGroup;

namespace ck::ui {

class Document;
class Playback;
class Session;

// How the view reads the atlas: sampling, number of influences, where vertices are skinned, and how
// often actors are posed. Choices that the atlas does not support are disabled with a reason;
// others show their cost.
class VariantMenu : public QMenu {
  Q_OBJECT

 public:
  VariantMenu(Document& document, const Session& session, const Playback& playback,
              QWidget* parent = nullptr);

  // A short text for a button: "Interpolated, 4".
  QString words() const;
  // With software OpenGL, other costs are shown.
  void setSoftwareGl(bool software);
  QList<QAction*> samplings() const;
  QList<QAction*> influences() const;
  QList<QAction*> processors() const;
  QList<QAction*> turns() const;

 signals:
  void wordsChanged();

 private:
  bool isFading() const;
  // The view that would be drawn for `pose`.
  render::DrawableView drawableOf(const PoseSettings& pose) const;
  void refresh();
  void addHeading(const QString& text);
  void addInfluences();
  void addProcessors();
  void addTurns();
  void refreshSkinning();

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  QActionGroup* samplings_;
  QActionGroup* influences_;
  QActionGroup* processors_;
  QActionGroup* turns_;
  bool softwareGl_ = false;
};

}  // namespace ck::ui
