#pragma once

#include <QString>

#include "core/bake/bake.h"
#include "core/project/project.h"

class QCheckBox;
class QComboBox;
class QFormLayout;

namespace ck::ui {

class ShownCharacter;

// The boxes of the bake panel, each bound to a setting of the shown character. Each change is one
// undo step. Boxes that do not apply are disabled, and their tool tips give the reason.
struct BakeBoxes {
  QComboBox* encoding;
  QComboBox* components;
  QCheckBox* interpolate;
};
// Adds a row for every setting, with a sentence about what is chosen. Returns the boxes whose texts
// depend on the cost.
BakeBoxes addBakeRows(QFormLayout& form, ShownCharacter& shown);

// Shows in the entry for an automatic encoding which one it is, if it is chosen and known.
void showChosen(QComboBox& box, const ProjectCharacter& character, const Result<BakeCost>* cost);

// Shows in each entry of the components box the loss that it causes, if it is known.
void showLosses(QComboBox& box, const Result<BakeCost>* cost);

// The cost of a bake as rich text: in a line, and in a few more.
QString costLine(const BakeCost& cost, bool interpolate);
QString costText(const BakeCost& cost, bool interpolate);

}  // namespace ck::ui
