#include "core/export/pose_text.h"

namespace ck {
namespace {

std::string rangeText(RangedTexels ranged) {
  switch (ranged) {
    case RangedTexels::None:
      return "texels are values as they are; ";
    case RangedTexels::First:
      return "texel 0 is low + value * size with the range of the joint, texel 1 value * 2 - 1; ";
    case RangedTexels::Each:
      return "each texel k is low + value * size with range k of the joint; ";
  }
  return {};
}

// How words become the values of a pose in pivot form.
std::string packedText(Packing packing) {
  if (packing == Packing::Bits16) {
    return "a word w is two numbers of 16 bits, w mod 65536 and floor(w / 65536), each divided by "
           "65535; R and G are value 0, B and A value 1; (px, py, pz, s) is low + value 0 * size "
           "with the range of the joint; quaternion (x, y, z, w) = value 1 * 2 - 1, then "
           "normalised";
  }
  if (packing == Packing::Turn15) {
    return "with bit 0 the lowest, bits 30 and 31 of R say which of x, y, z, w the quaternion's "
           "largest number is; the others in this order are (q - 16383) / (16383 * sqrt(2)) with q "
           "= bits 0 to 14 and 15 to 29 of R and 0 to 14 of G; the largest is sqrt(1 - the sum of "
           "their squares); s is low.w + bits 15 to 31 of G / 131071 * size.w with the range of "
           "the "
           "joint; p is low of that range, or for a joint with a track low + (x, y, z) / 2097151 * "
           "size, with R + G * 2^32 of the texel joints + track of the frame: x is its bits 0 to "
           "20, y 21 to 41, z 42 to 62";
  }
  if (packing == Packing::Turn10) {
    return "A says which of x, y, z, w the quaternion's largest number is; the others in this "
           "order are (q - 511) / (511 * sqrt(2)) with q = R, G, B; the largest is sqrt(1 - the "
           "sum of their squares); s is low.w with the range of the joint; p is low of that range, "
           "or for a joint with a track low + (1024 * (R, G, B) + (R', G', B')) / 1048575 * size, "
           "with R, G, B of texel joints + 2 * track of the frame and R', G', B' of the next one";
  }
  return "bits 0 to 9, 10 to 19 and 20 to 29 of R, each divided by 1023, and a 0 are value 0; (px, "
         "py, pz, s) is low + value 0 * size with the range of the joint; bits 30 and 31 of G say "
         "which of x, y, z, w the quaternion's largest number is; the others in this order are (q "
         "- 511) / (511 * sqrt(2)) with q = bits 0 to 9, 10 to 19 and 20 to 29 of G; the largest "
         "is sqrt(1 - the sum of their squares), negative where bit 30 of R is 1";
}

std::string movedText(Encoding encoding) {
  switch (encodingInfo(encoding).form) {
    case PoseForm::Pivot:
      return "(s * rotate(quaternion, v - pivot) + p)";
    case PoseForm::Trs:
      return "(rotate(quaternion, s * (inverseBind * v)) + p), s by axes, inverseBind its three "
             "upper rows";
    case PoseForm::Matrix:
      return encodingInfo(encoding).atOrigin ? "(A v + t)" : "(A (v - pivot) + p)";
  }
  return {};
}

}  // namespace

std::string poseText(const Atlas& atlas) {
  const EncodingInfo& encoding = encodingInfo(atlas.recipe);
  if (isLocal(encoding)) {
    return packedText(encoding.packing) +
           "; this is what the parent q sees: Rj = Rq R, pj = pq + sq * rotate(Rq, p), s stays; "
           "parents come first";
  }
  if (isPacked(encoding)) return packedText(encoding.packing);
  const std::string value = rangeText(encoding.ranged);
  if (encoding.dual) {
    return value +
           "texel 1: a quaternion q (x, y, z, w), texel 0: the dual part d; both are divided by "
           "the length of q; t is the vector part of 2 d conj(q), p = rotate(q, pivot) + t, s = 1";
  }
  if (formOf(atlas) == PoseForm::Pivot) {
    return value + "texel 0: (px, py, pz, s); texel 1: quaternion (x, y, z, w), then normalised";
  }
  if (formOf(atlas) == PoseForm::Matrix) {
    return value +
           "texels 0, 1 and 2 are the rows (a, b, c, d) of a matrix: (a, b, c) those of A, d "
           "those of " +
           (encodingInfo(atlas.recipe).atOrigin ? "t" : "p");
  }
  switch (*atlas.recipe.components) {
    case Components::Trs:
      return value +
             "texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; texel 2: "
             "scale (sx, sy, sz)";
    case Components::Tr:
      return value +
             "texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; the scale "
             "is 1";
    case Components::R:
      return value +
             "texel 0: quaternion (x, y, z, w), then normalised; the position is the joint's "
             "pivot; the scale is 1";
  }
  return {};
}

std::string vertexText(Encoding encoding) {
  const std::string moved = movedText(encoding);
  return "v' = sum over influences of weight * " + moved + "; v in metres, Y up, at bind time";
}

std::string directText(Encoding encoding) {
  if (isLocal(encodingInfo(encoding))) {
    return "between two frames: p and s lerp by a, quaternions lerp by a along the shorter arc and "
           "are normalised";
  }
  if (encodingInfo(encoding).form == PoseForm::Matrix) return "between two frames: rows lerp by a";
  return "between two frames: p and s lerp by a, quaternions lerp by a and are normalised; their "
         "signs agree within a clip";
}

std::string relativeText(Encoding encoding) {
  if (isLocal(encodingInfo(encoding))) {
    return "what the parents see at both frames: p and s lerp by a, quaternions lerp by a along "
           "the "
           "shorter arc and are normalised; then from parent to joint as in pose";
  }
  if (encodingInfo(encoding).form != PoseForm::Matrix) {
    return "for a joint with a parent q: Q = conj(Rq) Rj and w = conj(Rq) (pj - pq) / sq at both "
           "frames; Rj = Rq nlerp(Q0, Q1, a) along the shorter arc, pj = pq + Rq (sq * lerp(w0, "
           "w1, a)), scales by axes, s lerps; parents come first; roots as in direct";
  }
  return std::string(encodingInfo(encoding).atOrigin ? "p = A pivot + t; " : "") +
         "for a joint with a parent q: L = inverse(Aq) Aj and w = inverse(Aq) (pj - pq) at both "
         "frames; Aj = Aq M, pj = pq + Aq lerp(w0, w1, a), with M = lerp(L0, L1, a) brought to the "
         "lengths of columns that are between those of L0 and L1 and the cosines between them, by "
         "the polar iteration of docs/atlas-json.md; parents come first; roots with L = A, w = p";
}

}  // namespace ck
