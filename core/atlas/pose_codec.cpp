#include "core/atlas/pose_codec.h"

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr std::string_view kDirect =
    "between two frames: p and s lerp by a, quaternions lerp by a and are normalised; their signs "
    "agree within a clip";
constexpr std::string_view kRelative =
    "for a joint with a parent q: Q = conj(Rq) Rj and w = conj(Rq) (pj - pq) / sq at both frames; "
    "Rj = Rq nlerp(Q0, Q1, a) along the shorter arc, pj = pq + Rq (sq * lerp(w0, w1, a)), scales "
    "by "
    "axes, s lerps; parents come first; roots as in direct";
#define CK_ROWS_OF(last)                                                                    \
  "texels 0, 1 and 2 are the rows (a, b, c, d) of a matrix: (a, b, c) those of A, d those " \
  "of " last
#define CK_RELATIVE_ROWS                                                                           \
  "for a joint with a parent q: L = inverse(Aq) Aj and w = inverse(Aq) (pj - pq) at both frames; " \
  "Aj = Aq M, pj = pq + Aq lerp(w0, w1, a), with M = lerp(L0, L1, a) brought to the lengths of "   \
  "columns that are between those of L0 and L1 and the cosines between them, by the polar "        \
  "iteration of docs/atlas-json.md; parents come first; roots with L = A, w = p"

constexpr PoseCodec kPivotCodec = {
    .name = "pivot",
    .kinds = {TexelKind::PositionScale, TexelKind::Rotation},
    .shader = "shared/pose.glsl",
    .decode = "ck_decodePivot(first, second)",
    .skin = "ck_pivotSkinMatrix(pose, ckPivotOf(joint))",
    .stored = {"texel 0: (px, py, pz, s); texel 1: quaternion (x, y, z, w), then normalised"},
    .vertex = "(s * rotate(quaternion, v - pivot) + p)",
    .direct = kDirect,
    .relative = kRelative,
    .lost = "stretches or shears",
    .held = "one scale per joint",
    .instead = "M16"};

constexpr PoseCodec kDualCodec = [] {
  PoseCodec codec = kPivotCodec;
  codec.name = "dual-quaternion";
  codec.kinds = {TexelKind::DualPart, TexelKind::Rotation};
  codec.readsRest = true;
  codec.hasScale = false;
  codec.unmixed = "dual quaternions";
  codec.shader = "shared/dual_pose.glsl";
  codec.decode = "ck_decodeDual(first, second, ckPivotOf(joint))";
  codec.stored = {
      "texel 1: a quaternion q (x, y, z, w), texel 0: the dual part d; both are divided "
      "by the length of q; t is the vector part of 2 d conj(q), p = rotate(q, pivot) + t, "
      "s = 1"};
  codec.lost = "stretches, shears or has another scale than 1";
  codec.held = "a dual quaternion";
  codec.instead = "P16";
  return codec;
}();

constexpr PoseCodec kLocalCodec = [] {
  PoseCodec codec = kPivotCodec;
  codec.name = "local";
  codec.stored = {
      "; this is what the parent q sees: Rj = Rq R, pj = pq + sq * rotate(Rq, p), s "
      "stays; parents come first"};
  codec.direct =
      "between two frames: p and s lerp by a, quaternions lerp by a along the shorter arc "
      "and are normalised";
  codec.relative =
      "what the parents see at both frames: p and s lerp by a, quaternions lerp by a "
      "along the shorter arc and are normalised; then from parent to joint as in pose";
  return codec;
}();

constexpr PoseCodec kTrsCodec = {
    .name = "trs",
    .kinds = {TexelKind::Position, TexelKind::Rotation, TexelKind::Scale},
    .shader = "shared/pose.glsl",
    .decode = "ck_decodeTrs(first, second, third)",
    .skin = "ck_trsSkinMatrix(pose, ckInverseBindOf(joint))",
    .stored =
        {"texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; texel 2: "
         "scale (sx, sy, sz)",
         "texel 0: (px, py, pz); texel 1: quaternion (x, y, z, w), then normalised; the scale "
         "is 1",
         "texel 0: quaternion (x, y, z, w), then normalised; the position is the joint's "
         "pivot; the scale is 1"},
    .vertex =
        "(rotate(quaternion, s * (inverseBind * v)) + p), s by axes, inverseBind its three "
        "upper rows",
    .direct = kDirect,
    .relative = kRelative};

constexpr PoseCodec kMatrixCodec = {
    .name = "pivot-matrix",
    .kinds = {TexelKind::MatrixRow, TexelKind::MatrixRow, TexelKind::MatrixRow},
    .shader = "shared/matrix_pose.glsl",
    .decode = "ck_decodeMatrix(first, second, third)",
    .skin = "ck_matrixFromPivot(pose, ckPivotOf(joint))",
    .stored = {CK_ROWS_OF("p")},
    .vertex = "(A (v - pivot) + p)",
    .direct = "between two frames: rows lerp by a",
    .relative = CK_RELATIVE_ROWS};

constexpr PoseCodec kSkinCodec = [] {
  PoseCodec codec = kMatrixCodec;
  codec.name = "matrix";
  codec.readsRest = true;
  codec.decode = "ck_matrixToPivot(ck_decodeMatrix(first, second, third), ckPivotOf(joint))";
  codec.stored = {CK_ROWS_OF("t")};
  codec.vertex = "(A v + t)";
  codec.relative = "p = A pivot + t; " CK_RELATIVE_ROWS;
  return codec;
}();

constexpr PackingWords kPackings[] = {
    {TexelKind::Packed, "ck_place128(words)", "ck_turn128(words)",
     "a word w is two numbers of 16 bits, w mod 65536 and floor(w / 65536), each divided by "
     "65535; R and G are value 0, B and A value 1; (px, py, pz, s) is low + value 0 * size "
     "with the range of the joint; quaternion (x, y, z, w) = value 1 * 2 - 1, then "
     "normalised"},
    {TexelKind::Packed, "ck_place64(words)", "ck_turn64(words)",
     "bits 0 to 9, 10 to 19 and 20 to 29 of R, each divided by 1023, and a 0 are value 0; (px, "
     "py, pz, s) is low + value 0 * size with the range of the joint; bits 30 and 31 of G say "
     "which of x, y, z, w the quaternion's largest number is; the others in this order are (q "
     "- 511) / (511 * sqrt(2)) with q = bits 0 to 9, 10 to 19 and 20 to 29 of G; the largest "
     "is sqrt(1 - the sum of their squares), negative where bit 30 of R is 1"},
    {TexelKind::Turn, "ck_seenScale64(words)", "ck_seenTurn64(words)",
     "with bit 0 the lowest, bits 30 and 31 of R say which of x, y, z, w the quaternion's "
     "largest number is; the others in this order are (q - 16383) / (16383 * sqrt(2)) with q "
     "= bits 0 to 14 and 15 to 29 of R and 0 to 14 of G; the largest is sqrt(1 - the sum of "
     "their squares); s is low.w + bits 15 to 31 of G / 131071 * size.w with the range of "
     "the "
     "joint; p is low of that range, or for a joint with a track low + (x, y, z) / 2097151 * "
     "size, with R + G * 2^32 of the texel joints + track of the frame: x is its bits 0 to "
     "20, y 21 to 41, z 42 to 62"},
    {TexelKind::Turn, "vec4(0.0f, 0.0f, 0.0f, 0.0f)", "ck_seenTurn32(words)",
     "A says which of x, y, z, w the quaternion's largest number is; the others in this "
     "order are (q - 511) / (511 * sqrt(2)) with q = R, G, B; the largest is sqrt(1 - the "
     "sum of their squares); s is low.w with the range of the joint; p is low of that range, "
     "or for a joint with a track low + (1024 * (R, G, B) + (R', G', B')) / 1048575 * size, "
     "with R, G, B of texel joints + 2 * track of the frame and R', G', B' of the next one"}};

}  // namespace

const PoseCodec& codecOf(const EncodingInfo& info) {
  if (info.form == PoseForm::Trs) return kTrsCodec;
  if (info.form == PoseForm::Matrix) return info.atOrigin ? kSkinCodec : kMatrixCodec;
  if (isLocal(info)) return kLocalCodec;
  return info.dual ? kDualCodec : kPivotCodec;
}

const PackingWords& wordsOf(Packing packing) {
  CK_ASSERT(packing != Packing::None);
  return kPackings[static_cast<std::size_t>(packing) - 1];
}

TexelKind valueKind(TexelCode code, int value) {
  const auto first = static_cast<std::size_t>(code.components == Components::R ? 1 : 0);
  return codecOf(encodingInfo(code.encoding)).kinds[first + static_cast<std::size_t>(value)];
}

PoseShader poseShader(TexelCode code) {
  const EncodingInfo& info = encodingInfo(code.encoding);
  const PoseCodec& codec = codecOf(info);
  PoseShader shader = {.numbers = {{"CK_FORM", static_cast<int>(info.form)},
                                   {"CK_AT_ORIGIN", info.atOrigin},
                                   {"CK_MIXES", codec.unmixed.empty()},
                                   {"CK_LOCAL", isLocal(info)},
                                   {"CK_TRACK_TEXELS", info.trackTexels},
                                   {"CK_PACKED", isPacked(info)},
                                   {"CK_VALUES", valuesPerJoint(code)},
                                   {"CK_SIGNED", !isFloat(info.format) && !isPacked(info)}},
                       .words = {{"CkLink", storesMatrices(info) ? "CkMatrix" : "CkPose"},
                                 {"CK_DECODE", codec.decode},
                                 {"CK_SKIN", codec.skin}}};
  if (!isPacked(info)) return shader;
  const PackingWords& packing = wordsOf(info.packing);
  shader.words.insert(shader.words.end(), {{"CK_PLACE", packing.place}, {"CK_TURN", packing.turn}});
  return shader;
}

}  // namespace ck
