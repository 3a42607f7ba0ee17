#pragma once

#include <QMenu>

#include "render/view/drawable_view.h"

namespace ck::ui {

class ChoiceGroup;
class Document;
class Playback;
class Session;
class ViewportWidget;

// How the view reads the atlas: sampling, number of influences, where vertices are skinned, and how
// often actors are posed. Choices that the atlas does not support are disabled with a reason;
// others show their cost.
class VariantMenu : public QMenu {
  Q_OBJECT

 public:
  VariantMenu(Document& document, const Session& session, const Playback& playback,
              const ViewportWidget& viewport, QWidget* parent = nullptr);

  // A short text for a button: "Interpolated, 4".
  QString words() const;

 signals:
  void wordsChanged();

 private:
  // How an atlas would be read for `pose`: settings that can be drawn, resolved for the atlas.
  PoseSettings settled(const PoseSettings& pose) const;
  bool isSoftwareGl() const;
  bool isFading() const;
  void addHeading(const QString& text);
  void refresh();
  // Shows the cost that a setting has together with the other choices.
  void showCost(QAction& action, const PoseSettings& asked) const;

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  const ViewportWidget& viewport_;
  ChoiceGroup* samplings_;
  ChoiceGroup* influences_;
  ChoiceGroup* processors_;
  ChoiceGroup* turns_;
};

}  // namespace ck::ui
