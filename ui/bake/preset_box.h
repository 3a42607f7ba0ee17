#pragma once

#include <QString>

class QComboBox;

namespace ck::ui {

class Document;
class PresetFigures;

// The box of the bake presets, bound to the first character. Its list says of every preset what it
// costs and how far off it is, before it is taken. Taking one is one undo step. `figures` must
// outlive the box.
QComboBox* makePresetBox(Document& document, const PresetFigures& figures);

// Adds the presets to a box. Returns their names and summaries as rich text.
QString addPresets(QComboBox& box);

}  // namespace ck::ui
