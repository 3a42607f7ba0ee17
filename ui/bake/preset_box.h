#pragma once

#include <QString>

class QComboBox;

namespace ck::ui {

class Document;
class PresetFigures;
class ShownCharacter;

// The box of the bake presets, bound to the shown character. Its list says of every preset what it
// costs and how far off it is, before it is taken, judged by the limits of the document. Taking one
// is one undo step. All arguments must outlive the box.
QComboBox* makePresetBox(const Document& document, ShownCharacter& shown,
                         const PresetFigures& figures);

}  // namespace ck::ui
