#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/gl_stage.h"

namespace ck::test {

// The bar twice, side by side, on one skeleton.
Character twoMeshesOnOneSkeleton();

// The limb with joints that grow unevenly, which matrices shear and rotations with scales cannot.
Character stretchedLimb();

// The stretched limb whose second joint turns the rest of it inside out.
Character mirroredLimb();

// Every vertex gets a tangent across its normal, every third one on the other side.
void addTangents(Character& character);

struct NamedCharacter {
  std::string name;
  Character character;
};
// A bar, an arm, two meshes on one skeleton, and uneven scales.
std::vector<NamedCharacter> codedRigs();

// A crowd at a moment that is worth to be looked at.
struct Moment {
  std::string name;
  Crowd crowd;
  bool fades = false;
};
// The first pose, between two, on both sides of the seam (seeked and advanced over it), and actors
// in the middle of fades, held and timed.
std::vector<Moment> momentsOf(const BakedRig& rig, int actors);

// Actors in different places with fades to their next clip: even ones held, odd ones from 0.2 s to
// 0.7 s.
std::vector<Actor> fadingActors(int count, int clips);

// The methods that must refuse an atlas of that encoding, on every context: matrix blends whole
// matrices, which P16 and the T encodings do not hold. The others draw everything.
std::vector<Method> refusedOf(Encoding encoding);

// The rounding of an encoding on humans of 2 m, in millimetres, as docs/techniques.md 3.2 states
// it; nothing if it does not.
std::optional<double> documentedRoundingMm(Encoding encoding);

// How methods agree about an atlas.
struct Agreement {
  Encoding encoding = Encoding::P16;
  double farthestMeters = 0.0;  // from the origin, of all vertices as the reference draws them
  // From the reference that reads the atlas as the method does, of methods that read it.
  double worstMeters = 0.0;
  std::string where;                 // that is
  double worstLiveMeters = 0.0;      // of methods that pose clips, from the clips
  double worstOfSourceMeters = 0.0;  // from the file's own clips, where nothing fades
  double worstOnFramesMeters = 0.0;  // the same in the moment "start", which is a stored frame
  int compared = 0;
  std::map<std::string, std::string> refused;  // of those that cannot draw it, with the reason
  std::string problem;                         // what went wrong otherwise

  // Up to this worstMeters comes from floats. Methods decode the same texels as the reference,
  // which computes in double; where shaders mix rounded quaternions before they have unit length,
  // that weighs frames by their lengths.
  double toleranceMeters() const;
};
// Reads back what each method makes of the moments by `asked`, whose method is passed over.
// Anything but exactly the refusals of refusedOf() is a problem.
Agreement agreementOf(render::CrowdRenderer& renderer, const BakedRig& rig,
                      const std::vector<Moment>& moments, const render::RenderSettings& asked);

}  // namespace ck::test
