#pragma once

#include <QString>

#include "core/bake/bake.h"
#include "core/project/project.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QWidget;

namespace ck::ui {

class Document;

// Reads and writes the bake settings of the first character, for the functions of bind.h.
template <class Get>
auto ofBake(Get get) {
  return [get](const Project& project) { return get(project.characters.front().bake); };
}
template <class Set>
auto toBake(Set set) {
  return [set](Project& project, auto value) { set(project.characters.front().bake, value); };
}

// The boxes of the bake panel, each bound to a setting. Each change is one undo step.
QComboBox* makePresetBox(Document& document);
QComboBox* makeEncodingBox(Document& document);
QComboBox* makeComponentsBox(Document& document);
QComboBox* makeRangeBox(Document& document);
QComboBox* makeLayoutBox(Document& document);
QSpinBox* makeTileBox(Document& document);
QCheckBox* makePowerOfTwoBox(Document& document);
// A fixed width or height; 0 shows "By need".
QSpinBox* makeSizeBox(Document& document, bool height);
QComboBox* makeInfluencesBox(Document& document);
QComboBox* makeReadingBox(Document& document);

// Enables or disables a box. The tool tip of a disabled box gives the reason.
void setBoxEnabled(QWidget& box, bool enabled, const QString& reason);

// Shows in each entry of the components box the loss that it causes, if it is known.
void showLosses(QComboBox& box, const Result<BakeCost>* cost);

// The cost of a bake as rich text of a few lines.
QString costText(const BakeCost& cost, bool interpolate);

}  // namespace ck::ui
