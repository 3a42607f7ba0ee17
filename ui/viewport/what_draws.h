#pragma once

#include <QString>

#include "core/project/project.h"

namespace ck::ui {

class Session;

// The source of a view, in words: "Source: clips of humanoid.glb, skinned on the CPU".
QString sourceWords(const Project& project, const Session& session);
// "Baked: atlas P16, 1.4 MB, method Palette", with the method that draws. Of several characters
// the encoding is named if all have the same.
QString bakedWords(const Project& project, const Session& session, Method method);

}  // namespace ck::ui
