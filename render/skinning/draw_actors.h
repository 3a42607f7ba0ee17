#pragma once

#include <string>
#include <vector>

#include "render/skinning/skinner.h"

namespace ck::render {

// A method's part of shaders/crowd/actor.vert: the code that skins a vertex of an actor. File names
// are relative to shaders/.
struct PoseShader {
  std::string file;                                    // defines ckSkin()
  std::vector<ShaderDefine> defines = {};              // that the file reads
  std::string recordFile = "crowd/actor_record.glsl";  // defines ckActor(), which reads the record
};

// The program that draws `pass` of `character` with this pose shader. It is in use after the call,
// and compiled on first use. Vertices come from `pass.morphs` if that is not null. Fails with
// Internal (a shader does not compile).
Result<const Program*> programFor(ShaderLibrary& shaders, const PoseShader& pose,
                                  const DrawPass& pass, const CharacterGpu& character);

// Whether a pass shows tangents and the character has them. The tick must have been made with
// tangents.
bool showsTangents(const DrawPass& pass, const CharacterGpu& character);

// Whether a pass shows less than the character's triangles because of Material::alpha.
bool cutsSurfaces(const DrawPass& pass, const CharacterGpu& character);

// Prepares the morphs of a tick for drawing. Fails like MorphStage::makeRows().
Result<void> readyMorphs(const SkinningTick& tick);

// The vertex array of a character for a stream of actors, or, if `actors` is null, for actors in a
// uniform block.
GlHandle makeActorVertexArray(CharacterGpu& character, ActorStream* actors);

// As above, for packed influences: `influences` has a vec4 per vertex.
GlHandle makePackedVertexArray(CharacterGpu& character, ActorStream& actors, Buffer& influences);

// The index runs that a pass draws.
std::vector<IndexRun> drawnRuns(const CharacterGpu& character, const DrawPass& pass);

// One pass over actors. The constructor sets uniforms and state that all methods share, the
// destructor resets the state. The arguments must outlive it; the program must be in use with its
// own uniforms set.
class ActorPass {
 public:
  ActorPass(const Program& program, const GlHandle& vertexArray, const CharacterGpu& character,
            const ActorStream& actors, const DrawPass& pass);
  ~ActorPass();
  ActorPass(const ActorPass&) = delete;
  ActorPass& operator=(const ActorPass&) = delete;

  // Whether vertices are written to DrawPass::feedbackBuffer instead of drawn as triangles.
  bool feedsBack() const { return feedsBack_; }

  // Draws that many actors, from the one where the attributes start.
  void draw(std::size_t actors) const;

 private:
  const CharacterGpu& character_;
  const DrawPass& pass_;
  bool feedsBack_;
};

// A skinner that draws the character's vertex array, with what all of them share.
class ActorSkinner : public Skinner {
 protected:
  explicit ActorSkinner(const SkinnerInput& input)
      : input_(input), vertexArray_(makeActorVertexArray(input.character, &input.actors)) {}

  // The program for a pass, as programFor() has it.
  Result<const Program*> program(const PoseShader& pose, const DrawPass& pass) const {
    return programFor(input_.shaders, pose, pass, shapeOf(pass));
  }

  // Draws all actors in one call, or those of DrawPass::actors run by run, with a program that is
  // in use with its own uniforms set.
  Result<void> drawAll(const Result<const Program*>& program, const DrawPass& pass) const;

  // The drawn character: the skinner's own character if DrawPass::shape has none.
  CharacterGpu& shapeOf(const DrawPass& pass) const {
    return pass.shape != nullptr ? *pass.shape : input_.character;
  }

  SkinnerInput input_;
  GlHandle vertexArray_;
};

}  // namespace ck::render
