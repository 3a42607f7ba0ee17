#version 330 core
#ifdef CK_PALETTE_STORAGE
#extension GL_ARB_shader_storage_buffer_object : require
#endif
// Processes one vertex of one actor, for all methods and passes.
// CK_POSE_FILE: the method's file, which skins the vertex. With CK_PALETTE_ROWS it reads palette rows.
// CK_RECORD_FILE: the file that reads the actor's record.
// CK_PASS: 0 colour, 1 actor ids, 2 positions for transform feedback, 3 depth only, 4 motion since the
//   previous tick, 5 tangents, 6 normals for transform feedback, 7 edges of triangles.
// CK_LIT_BEFORE: 1 if light is computed here, not at the pixels.
// CK_TANGENTS: 1 if the character has tangents and the pass shows them.
// CK_COLORS: 1 if vertices have colours and the pass shows them.
// CK_SECOND_UVS: 1 if vertices have a second set of texture coordinates and the pass shows it.
// CK_CUT: which part of surfaces that are not opaque the pass draws (crowd/surface.glsl), or 0.
// CK_ERROR: 1 if the pass shows the distance to the source.
// CK_DISSOLVE: 1 if the actors dissolve.
#include CK_RECORD_FILE
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"
#ifdef CK_PALETTE_ROWS
#include "palette/rows.glsl"
#endif

layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec4 aNormal;
layout(location = 2) in vec2 aUv;
#ifdef CK_PACKED_INFLUENCES
// Joint + weight / 2 (render/scene/welded_character.h).
layout(location = 3) in vec4 aInfluences;
int ckSkinJoint(int i) { return int(aInfluences[i]); }
float ckWeight(int i) { return fract(aInfluences[i]) * 2.0; }
#else
layout(location = 3) in uvec4 aSkinJoints;
layout(location = 4) in vec4 aWeights;
int ckSkinJoint(int i) { return int(aSkinJoints[i]); }
float ckWeight(int i) { return aWeights[i]; }
#endif
layout(location = 5) in uint aMaterial;
#if CK_COLORS
layout(location = 12) in vec4 aColor;
#endif
#if CK_SECOND_UVS
layout(location = 13) in vec2 aSecondUv;
#endif

uniform mat4 ckViewProjection;

#if CK_TANGENTS
#include "crowd/tangent.glsl"
#endif
#if CK_MORPHS
#include "crowd/morphs.glsl"

vec3 ckMorphedPosition;
vec4 ckMorphedNormal;

// Vertices that no target moves have aNormal.w = 0.
void ckMorphVertex() {
  ckMorphedPosition = aPosition;
  ckMorphedNormal = aNormal;
  if (aNormal.w == 0.0) return;
  vec3 tangent = vec3(0.0);
#if CK_TANGENTS
  tangent = ckBoundTangent.xyz;
#endif
  ckMorph(ckActorIndex(), gl_VertexID, ckMorphedPosition, ckMorphedNormal.xyz, tangent);
#if CK_TANGENTS
  ckBoundTangent.xyz = tangent;
#endif
}

// The included file skins the morphed vertex.
#define aPosition ckMorphedPosition
#define aNormal ckMorphedNormal
#endif

// A skinned vertex; the normal is not normalised. ckSkin() returns it in world space.
struct CkSkinned {
  vec3 position;
  vec3 normal;
#if CK_TANGENTS
  vec4 tangent;  // of any length; w as in crowd/tangent.glsl
#endif
#ifdef CK_ERROR
  float errorMeters;
#endif
};

CkSkinned ckBindVertex() {
  CkSkinned vertex;
  vertex.position = aPosition;
  vertex.normal = aNormal.xyz;
#if CK_TANGENTS
  vertex.tangent = ckBoundTangent;
#endif
  return vertex;
}

// The vertex moved by the sum of its matrices, each times its weight; `total` is the sum of the
// weights. A vertex without influences gets to the origin.
CkSkinned ckMovedBy(CkMatrix sum, float total) {
  CkSkinned moved;
  moved.position = ck_matrixPoint(sum, aPosition) / max(total, 1e-20);
  moved.normal = ck_matrixNormal(sum, aNormal.xyz);
#if CK_TANGENTS
  moved.tangent = ckTurnedTangent(sum.x.xyz, sum.y.xyz, sum.z.xyz);
#endif
  return moved;
}

// From the actor's own space to world space. The cofactors of the scale are correct for non-uniform
// and mirroring scales, and defined for zero.
CkSkinned ckInWorld(CkActor actor, CkSkinned own) {
  vec3 scale = actor.scaleAlphaB.xyz;
  own.position = actor.positionAlphaA.xyz + ck_rotate(actor.rotation, scale * own.position);
  own.normal = ck_rotate(actor.rotation, own.normal * (scale.yzx * scale.zxy));
#if CK_TANGENTS
  own.tangent = vec4(ck_rotate(actor.rotation, scale * own.tangent.xyz),
                     own.tangent.w * ckSideAfter(scale.x * scale.y * scale.z));
#endif
  return own;
}

#include CK_POSE_FILE
#ifdef CK_DISSOLVE
#include "crowd/dissolving.glsl"
#endif

#if !(CK_PASS == 0 && CK_LIT_BEFORE)
#if CK_COLORS
out vec4 vColor;
#endif
#if CK_SECOND_UVS
out vec2 vSecondUv;
#endif
#endif
#if CK_PASS != 0 && CK_CUT
out vec2 vUv;
flat out uint vMaterial;
#endif

#if CK_PASS == 0 && CK_LIT_BEFORE
#include "crowd/lit_before.glsl"
#elif CK_PASS == 0
// Few outputs, because software renderers process each of them for every triangle.
out vec4 vWorldU;
out vec4 vNormalV;
#ifdef CK_ERROR
out float vErrorMeters;
#endif
flat out uvec2 vMaterialLook;
#if CK_TANGENTS
out vec4 vTangent;
#endif
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#elif CK_PASS == 2
out vec3 vWorld;
#elif CK_PASS == 5
out vec3 vWorld;
out vec4 vTangent;
#elif CK_PASS == 6
out vec3 vNormal;
#elif CK_PASS == 7
uniform int ckOnlySelected;
#elif CK_PASS == 4
uniform samplerBuffer ckPrevious;  // world positions, one component per texel
uniform int ckMotionVertices;
uniform mat4 ckCameraStep;  // moves them to where the current camera sees them as the camera of
                            // their tick did
out vec3 vMotion;
out vec4 vNow;  // clip coordinates of the current position
out vec4 vBefore;

vec3 ckPreviousPosition() {
  int at = (ckActorIndex() * ckMotionVertices + gl_VertexID) * 3;
  return vec3(texelFetch(ckPrevious, at).x, texelFetch(ckPrevious, at + 1).x,
              texelFetch(ckPrevious, at + 2).x);
}
#endif

#if CK_PASS == 6 || (CK_PASS == 0 && (CK_LIT_BEFORE || CK_TANGENTS))
// The normal on the outer side. Cofactor matrices turn it inwards where a matrix mirrors; a pose
// file that does not use them defines CK_OUTWARD_NORMALS. A mirroring actor or joint has changed
// the sign of the tangent as well. Without a tangent only the actor's mirroring is known.
vec3 ckOutwardNormal(CkActor actor, CkSkinned skinned) {
#ifdef CK_OUTWARD_NORMALS
  return skinned.normal;
#else
  vec3 scale = actor.scaleAlphaB.xyz;
  float side = scale.x * scale.y * scale.z;
#if CK_TANGENTS
  float turned = skinned.tangent.w * ckUnpackTangent(int(aTangent)).w;
  side = turned != 0.0 ? turned : side;
#endif
  return skinned.normal * sign(side);
#endif
}
#endif

void main() {
  CkActor actor = ckActor();
#if CK_TANGENTS
  ckBindTangent();
#endif
#if CK_MORPHS
  ckMorphVertex();
#endif
  CkSkinned skinned = ckSkin(actor);
  gl_Position = ckViewProjection * vec4(skinned.position, 1.0);
#if !(CK_PASS == 0 && CK_LIT_BEFORE)
#if CK_COLORS
  vColor = aColor;
#endif
#if CK_SECOND_UVS
  vSecondUv = aSecondUv;
#endif
#endif
#if CK_PASS != 0 && CK_CUT
  vUv = aUv;
  vMaterial = aMaterial;
#endif
#if CK_PASS == 0
  // The actor's tint stays packed; the lowest bit marks a selected actor.
  uint look = (uint(actor.look) & 0xffff0000u) | uint(ckSelected());
#if CK_LIT_BEFORE || CK_TANGENTS
  vec3 outward = ckOutwardNormal(actor, skinned);
#else
  vec3 outward = skinned.normal;
#endif
#if CK_LIT_BEFORE
#if CK_COLORS
  ckLightVertex(skinned.position, outward, aUv, aMaterial, look, aColor.rgb);
#else
  ckLightVertex(skinned.position, outward, aUv, aMaterial, look, vec3(1.0));
#endif
#else
  vWorldU = vec4(skinned.position, aUv.x);
  vNormalV = vec4(outward, aUv.y);
#ifdef CK_ERROR
  vErrorMeters = skinned.errorMeters;
#endif
  vMaterialLook = uvec2(aMaterial, look);
#if CK_TANGENTS
  vTangent = ckUprightTangent(skinned.normal, skinned.tangent);
#endif
#endif
#elif CK_PASS == 1
#ifdef CK_STANDS
  vId = 0u;
#else
  vId = uint(ckFirstId + ckActorIndex());
#endif
#elif CK_PASS == 2
  vWorld = skinned.position;
#elif CK_PASS == 5
  vWorld = skinned.position;
#if CK_TANGENTS
  vTangent = ckUprightTangent(skinned.normal, skinned.tangent);
#else
  vTangent = vec4(0.0);
#endif
#elif CK_PASS == 6
  vNormal = ckOutwardNormal(actor, skinned);
#elif CK_PASS == 7
  // Outside of the image.
  if (ckOnlySelected == 1 && ckSelected() < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
#elif CK_PASS == 4
#ifdef CK_STANDS
  vec3 before = (ckCameraStep * vec4(skinned.position, 1.0)).xyz;
#else
  vec3 before = (ckCameraStep * vec4(ckPreviousPosition(), 1.0)).xyz;
#endif
  vMotion = skinned.position - before;
  vNow = gl_Position;
  vBefore = ckViewProjection * vec4(before, 1.0);
#endif
#ifdef CK_DISSOLVE
  ckDissolving(actor.look);
#endif
}
