#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/scene/character.h"
#include "core/stage/character_stage.h"
#include "core/stage/pipeline.h"

namespace ck::ui {

// A message over the viewport, which stays until it is closed, one of its actions is used, or its
// cause is gone.
struct Notice {
  enum class Level { Hint, Warning, Error };
  struct Action {
    QString label;
    std::function<void()> run;
  };
  // A number that may be set here, with a button.
  struct Field {
    QString name;
    QString unit;  // begins with a blank
    double value = 0.0;
    double least = 0.0;
    double most = 0.0;
    QString label;  // of the button
    std::function<void(double value)> use;
  };
  Level level = Level::Hint;
  QString text;
  std::vector<Action> actions = {};
  // Whether what the message is about is still so; the bar takes a message away whose cause is
  // gone. Without it the message stays until it is closed or another project is opened.
  std::function<bool()> cause = {};
  std::optional<Field> field = {};
};

// Writes an error to the log and makes the message about it.
Notice errorNotice(const Error& error);

// The message about an import that was refused, which is written to the log, too.
Notice refusalNotice(const ImportInputs& inputs, const Error& error);

// The report about a source of a character; null for the rig and for a file that was not read.
const ClipFitReport* reportOf(const FitReports& fits, const ImportInputs& inputs, int source);

// Whether a file moves joints that were not matched.
bool leavesJointsOut(const ClipFitReport& report);
bool leavesJointsOut(const FitReports& fits);

// The height of the bind pose, in metres.
double heightOf(const Character& character);

// Writes notes to the log, each with the name of the character.
void logNotes(std::string_view name, const Notes& notes);

// "humanoid: 4,210 vertices, 52 joints, 7 clips".
QString summaryOf(const Character& character);

// The message about an imported rig: that it has no clips, or,
// if `warnings`, its first warning.
std::optional<Notice> importNotice(const Character& character, bool warnings);

// Offers to reimport a rig whose height suggests other units with smaller settings. Nothing if the
// settings already have a size, or if the rig has a usual height.
std::optional<Notice> offerSmallerRig(const Character& character, const ImportSettings& settings,
                                      const std::function<void(const ImportSettings&)>& again);

// Offers a field for the height of a rig whose file does not say its unit (MD5, X), or that
// has no usual one for a figure (HeightUnusual). Nothing if the settings already have a size.
std::optional<Notice> offerHeight(const Character& character, const ImportSettings& settings,
                                  const std::function<void(const ImportSettings&)>& again);

// Offers to scale the actors of such a rig by a power of ten, without changing the rig.
std::optional<Notice> offerSmallerActors(const Character& character, const QString& file,
                                         const std::function<void(double scale)>& shrink);

}  // namespace ck::ui
