#pragma once

#include "core/scene/character.h"

namespace ck {

// Moves the scale that all skin matrices of a mesh have at rest into the mesh.
//
// Files often have the mesh in one unit and the armature in another one, so that every skin matrix
// W * B (joint * inverse bind) holds the same scale s, e.g. 100. The picture stays the same with
//
//   v' = W * B * v = W * (B * S^-1) * (S * v),   S = s in all directions
//
// where the inverse bind matrices become B * S^-1, and positions and morph deltas are multiplied by
// s (Mesh::bindScale). The skin matrices then have scale 1: encodings without a scale (D16) can
// hold them, and bind space is metres of the model, as all figures in bind space expect.
//
// One s holds for all skin joints that a mesh uses, and for meshes that share one of them. No s
// is moved where there is none: axes that are not orthogonal, or differ in length by more
// than 1e-4 of it, on one joint or between joints. Nor is anything changed where s is 1 within
// 1e-4, so that rigs which need none of this stay the same to the bit. Skin joints that no vertex
// uses are treated each by itself.
//
// A stretch, which differs between directions, is moved as well if all skin joints of a mesh share
// it: S is then the symmetric factor of the polar decomposition W * B = R * S at rest, the same for
// all to 1e-4 (Mesh::bindStretch), and normals and tangents follow it. A rigid part below a node
// that is scaled unevenly then needs no encoding that stretches. R may mirror: encodings with a
// scale hold that as a scale below 0.
//
// The rest pose alone decides, not the clips: a mesh must not depend on which clips were read with
// it. If a clip scales joints, its skin matrices keep the ratio to their rest.
// Adds the note MeshesRescaled if there are any.
void foldSkinScale(Character& character);

}  // namespace ck
