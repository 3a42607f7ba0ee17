#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/project/actors/spawn.h"
#include "core/project/ground_mesh.h"
#include "core/project/project.h"

namespace ck {

// The effect of a brush on the crowd.
enum class BrushMode {
  Place,  // adds actors where there is room
  Erase,  // removes actors
  Turn,   // lets actors look the way the stroke goes
  Vary,   // gives actors other random values
};
inline constexpr BrushMode kBrushModes[] = {BrushMode::Place, BrushMode::Erase, BrushMode::Turn,
                                            BrushMode::Vary};

struct BrushSettings {
  BrushMode mode = BrushMode::Place;
  double radiusMeters = 2.0;
  // In (0, 1]. Place: how full the circle becomes. Erase and Vary: the share of the actors that a
  // stroke changes. Turn: how far they turn each time, of the way to the stroke's.
  double strength = 1.0;
  double spacingMeters = 1.6;  // Place: no actor comes nearer to another
  int character = -1;          // Place: the character; -1: by the shares of the project
  int clip = -1;               // Place: into the clips of `character`; -1: as the crowd is dealt
  // Vary: what is given another value. Rates and sizes come from 1 - spread to 1 + spread.
  bool varyOffset = true;
  bool varyTint = true;
  double rateSpread = 0.1;  // 0: rates stay
  double sizeSpread = 0.0;  // 0: sizes stay
  bool operator==(const BrushSettings&) const = default;
};

// One stroke of a brush over the crowd of a project: the actors as they are after every dab. Crowds
// that are off are left alone. The same dabs on the same project give the same actors. Actors that
// it places or turns are byHand.
class BrushStroke {
 public:
  // `parts` as spawnParts(); `ground` may be null, then actors stand at y = 0. On a ground mesh
  // actors are placed on the surface only. `number` tells strokes apart that are otherwise equal.
  // `shown`: where every actor is shown (x, z), for Erase, Turn and Vary; empty: at time 0.
  BrushStroke(const Project& project, const BrushSettings& settings,
              std::span<const SpawnPart> parts, GroundMeshPtr ground, std::uint64_t number,
              std::vector<glm::dvec2> shown = {});

  // Presses the brush at a place on the ground (x, z), in metres. `ahead` is the way that the
  // stroke goes there, of any length; zero at its beginning.
  void dab(const glm::dvec2& place, const glm::dvec2& ahead);

  // Replaces the actors of a project that is as the given one was, its number of actors and the
  // actors that were selected on its desk.
  void apply(Project& project) const;

  // Actors added, removed, turned or varied so far.
  int changed() const { return changed_; }

 private:
  void place(const glm::dvec2& center);
  void changeInside(const glm::dvec2& center, const glm::dvec2& ahead);
  void change(std::size_t actor, const glm::dvec2& ahead);
  const Actor& nextDealt();
  bool hasRoom(const glm::dvec2& place) const;
  double random(std::uint64_t index, std::uint64_t stream) const;
  std::uint64_t squareOf(const glm::dvec2& place) const;

  BrushSettings settings_;
  int crowd_;
  SpawnSettings dealing_;
  std::vector<SpawnPart> parts_;
  GroundMeshPtr ground_;
  std::uint64_t seed_;
  std::vector<Actor> actors_;
  std::vector<glm::dvec2> shown_;
  std::vector<char> hidden_;   // of each actor that was there: whether its crowd is off
  std::vector<char> gone_;     // the same: whether it goes
  std::vector<char> touched_;  // of each actor, by this stroke
  std::vector<Actor> pool_;    // dealt for Place
  std::size_t nextInPool_ = 0;
  std::uint64_t tries_ = 0;
  int changed_ = 0;
  // The actors of every square of the ground, one spacing wide; for Place.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> squares_;
};

}  // namespace ck
