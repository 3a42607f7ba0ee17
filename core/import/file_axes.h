#pragma once

#include <string_view>
#include <vector>

#include "core/import/clip_fit.h"
#include "core/scene/character.h"

namespace ck {

// Whether files of this format say which way is up and how long their unit is. BVH does not.
bool saysAxes(const SourceInfo& source);

// A figure of a file that does not say its axes, at rest as one moment of its clip shows it, if its
// own rest is none that it could stand in: head and feet on the same side of the hips (OFFSETs of a
// BVH that all point one way), or lying while the clip stands upright. The moment is that in which
// it stands straightest, with its feet together; it is rotated to face along the nearest axis and
// moved above the origin. `up` is a choice that goes before what the clip shows, if it is not Auto.
// No pose of the clip changes. Joints are known by their names; without them nothing changes.
Character restedInMotion(Character character, UpAxis up);

// Whether files of a format (SourceInfo::format) say which way is up. BVH, MD5 and X do not.
bool saysUp(std::string_view format);
// SourceInfo::upAxis, never Auto.
UpAxis upOf(const SourceInfo& source);

// How a file's space becomes model space.
struct FileAxes {
  UpAxis up = UpAxis::Y;
  double metersPerUnit = 1.0;
  int quarterTurns = 0;  // about the vertical axis, from +Z towards +X
};

// Finds up axis, facing and unit from the skeleton of a file that was read as Y up and in metres.
// Up is where the head is and the feet are not, as the joints' names tell; forward is where the
// left side is left. The unit makes the figure between 0.3 and 3 metres tall; of the usual ones
// that which comes nearest to a person. Without names the file stays as it is, but for its size.
// `up` and `metersPerUnit` are choices that go before, if they are not Auto and 0.
FileAxes findAxes(const Rig& skeleton, UpAxis up, double metersPerUnit);

// The same beside a rig, whose joints the file's are matched to (one per joint of `skeleton`, or
// -1): the axes and the unit in which both rest alike.
FileAxes findAxes(const Rig& skeleton, const Rig& rig, const std::vector<int>& rigJoints, UpAxis up,
                  double metersPerUnit);

// Converts a character that was read as Y up and in metres.
Character withAxes(Character character, const FileAxes& axes);

// Converts a character whose file does not say which way is up, and which was read by the usual
// axis of its format: Z of MD5, Y of X. Auto keeps that axis.
Character withUp(Character character, UpAxis up);

}  // namespace ck
