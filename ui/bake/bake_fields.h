#pragma once

#include <QString>

#include "core/bake/bake.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QWidget;

namespace ck::ui {

class Document;

// The boxes of the bake panel, each bound to its setting: one undo step a change.
QComboBox* makePresetBox(Document& document);
QComboBox* makeEncodingBox(Document& document);
QComboBox* makeComponentsBox(Document& document);
QComboBox* makeRangeBox(Document& document);
QComboBox* makeLayoutBox(Document& document);
QSpinBox* makeTileBox(Document& document);
QCheckBox* makePowerOfTwoBox(Document& document);
// Width or height by hand; 0 shows "By need".
QSpinBox* makeSizeBox(Document& document, bool height);
QComboBox* makeInfluencesBox(Document& document);
QComboBox* makeReadingBox(Document& document);

// Enables or disables; the tool tip of a disabled box says why.
void setBoxEnabled(QWidget& box, bool enabled, const QString& reason);

// Says in the entries of the components box what each would lose, where that is known.
void showLosses(QComboBox& box, const Result<BakeCost>* cost);

// What a bake costs, as rich text of a few lines.
QString costText(const BakeCost& cost, bool interpolate);

}  // namespace ck::ui
