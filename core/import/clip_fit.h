#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// Which way is up in a file that does not say.
enum class UpAxis { Auto, X, Y, Z };
std::string_view upAxisName(UpAxis axis);  // "auto", "x", "y", "z"

// The treatment of joints that rest turned against those of the rig.
enum class RestFit {
  Auto,           // Offset if the two files rest in different poses, else Keep
  KeepRotations,  // the keys' local rotations are used as they are
  ApplyOffset,    // the motion is carried over in model space, relative to both rest poses
};
std::string_view restFitName(RestFit fit);  // "auto", "keep", "offset"

// The artist's choices for a file whose clips are fitted to the rig of another. The defaults find
// everything by themselves.
struct ClipFit {
  // Joint of the file -> joint of the rig, or "" if it shall move none. Goes before all rules.
  std::map<std::string, std::string> joints = {};
  RestFit rest = RestFit::Auto;
  UpAxis up = UpAxis::Auto;    // for files without axes
  double metersPerUnit = 0.0;  // for files without units; 0: found from the skeleton
  bool operator==(const ClipFit&) const = default;
};

// By which rule a joint was matched, the strictest first.
enum class MatchRule { None, Exact, Case, Prefix, Synonym, ByHand };
std::string_view matchRuleName(
    MatchRule rule);  // "none", "exact", "case", "prefix", "synonym", "by hand"

// How a file's clips were fitted, for the matching table. Filled in for refused files, too.
struct ClipFitReport {
  std::string path;  // of the file, as given
  Rig skeleton;      // of the file
  struct Row {
    int joint = -1;  // of the rig that was read, or -1
    MatchRule rule = MatchRule::None;
    bool moves = false;        // whether a clip moves the file's joint
    double restDegrees = 0.0;  // how far the two rest turned against each other in model space
  };
  std::vector<Row> rows;       // one per joint of `skeleton`
  bool refused = false;        // nothing that moves was matched
  bool offset = false;         // what RestFit::Auto came to, or was chosen
  UpAxis up = UpAxis::Y;       // of the file, as found or chosen
  double metersPerUnit = 1.0;  // as found or chosen
  bool foundAxes = false;      // whether the file has no axes and units of its own
};

}  // namespace ck
