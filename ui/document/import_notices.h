#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/import/import_process.h"
#include "core/scene/character.h"
#include "ui/document/notice.h"

namespace ck::ui {

// Writes notes to the log, each behind the name of the character.
void logNotes(std::string_view name, const Notes& notes);

// "humanoid: 4,210 vertices, 52 joints, 7 clips".
QString summaryOf(const Character& character);

// What the artist is told of a rig: that it has no clips or, where `warnings`, its first warning.
std::optional<Notice> importNotice(const Character& character, bool warnings);

// Offers to import a rig that is too tall for metres again with smaller settings. None where the
// settings say a size already or the rig is no giant.
std::optional<Notice> offerSmallerRig(const Character& character, const ImportSettings& settings,
                                      const std::function<void(const ImportSettings&)>& again);

// Offers to scale the actors of such a rig by a power of ten, and leave the rig as it is.
std::optional<Notice> offerSmallerActors(const Character& character, const QString& file,
                                         const std::function<void(double scale)>& shrink);

}  // namespace ck::ui
