#include <QTest>
#include <array>
#include <random>

#include "core/atlas/pose_code.h"
#include "tests/support/test_program.h"

namespace {

// One pose through the texels and back.
ck::JointPose throughTexels(const ck::JointPose& pose, const ck::TexelRange& range) {
  std::array<std::byte, 16> texels = {};
  ck::encodePose({}, pose, std::span(&range, 1), texels);
  return ck::decodePose({}, texels, std::span(&range, 1), {});
}

double angleDegrees(const glm::quat& a, const glm::quat& b) {
  const glm::dquat between =
      glm::conjugate(glm::normalize(glm::dquat(a))) * glm::normalize(glm::dquat(b));
  const double sine = glm::length(glm::dvec3(between.x, between.y, between.z));
  return glm::degrees(2.0 * std::atan2(sine, std::abs(between.w)));
}

}  // namespace

class tst_encoding : public QObject {
  Q_OBJECT
 private slots:
  void rejectsNamesItDoesNotKnow() {
    QVERIFY(!ck::encodingFromName("P17"));
    QVERIFY(!ck::encodingFromName("p16"));
    QVERIFY(!ck::encodingFromName(""));
  }

  void everyEncodingIsFoundByItsName() {
    QVERIFY(!ck::allEncodings().empty());
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      QVERIFY(ck::encodingFromName(info.name) == info.encoding);
      QCOMPARE(&ck::encodingInfo(info.encoding), &info);
      QVERIFY(info.texelsPerJoint > 0 && ck::bytesPerTexel(info.format) > 0);
      QVERIFY(!info.summary.empty() && !ck::texelFormatName(info.format).empty());
    }
  }

  void texelsAreLittleEndianFractions() {
    const ck::TexelRange range{glm::vec4(-1.0f, 0.0f, 2.0f, 1.0f),
                               glm::vec4(2.0f, 4.0f, 1.0f, 0.0f)};
    const ck::JointPose pose{
        {1.0f, 0.0f, 2.25f}, glm::vec3(1.0f), glm::quat(1.0f, 0.0f, 0.0f, 0.0f)};
    std::array<std::byte, 16> texels = {};
    ck::encodePose({}, pose, std::span(&range, 1), texels);
    // x at the top, y at the bottom, z at a quarter (16383.75 -> 16384), scale without a range;
    // the quaternion's zeros in the middle (32767.5 -> 32768), its one at the top.
    const std::array<unsigned, 16> wanted = {0xff, 0xff, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00,
                                             0x00, 0x80, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      QCOMPARE(std::to_integer<unsigned>(texels[i]), wanted[i]);
    }
  }

  void constantChannelsComeBackExactly() {
    const ck::JointPose pose{
        {0.1f, 1.7f, -0.3f}, glm::vec3(0.9f), glm::quat(0.5f, 0.5f, -0.5f, 0.5f)};
    const ck::TexelRange range = ck::rangesOf({}, std::span(&pose, 1)).front();
    const ck::JointPose back = throughTexels(pose, range);
    QCOMPARE(back.position, pose.position);
    QCOMPARE(back.scale, pose.scale);
  }

  // shaders/shared/packed.glsl, by hand: the three numbers of the position in ten bits each, the
  // middle of a quaternion's numbers at 511, which of them is left out above, its sign beside the
  // position.
  void tenBitsLieWhereThePageSays() {
    const ck::TexelCode code{.encoding = ck::Encoding::U64};
    const ck::TexelRange range{glm::vec4(0.0f, 0.0f, 0.0f, 2.0f),
                               glm::vec4(1.0f, 1.0f, 1.0f, 0.0f)};
    const auto wordsOf = [&](const ck::JointPose& pose) {
      std::array<std::byte, 8> bytes = {};
      ck::encodePose(code, pose, std::span(&range, 1), bytes);
      std::array<std::uint32_t, 2> words = {};
      for (std::size_t i = 0; i < 8; ++i) {
        words[i / 4] |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * (i % 4));
      }
      return words;
    };
    const auto upright = wordsOf({{1.0f, 0.0f, 0.5f}, glm::vec3(2.0f), {1.0f, 0.0f, 0.0f, 0.0f}});
    QCOMPARE(upright[0], 1023u | 0u << 10 | 512u << 20);
    QCOMPARE(upright[1], 511u | 511u << 10 | 511u << 20 | 3u << 30);
    // A quarter turn about x, of negative sign: x is left out, and w is -sqrt(1/2) as well.
    const float root = -std::sqrt(0.5f);
    const auto turned = wordsOf({{}, glm::vec3(2.0f), {0.999f * root, root, 0.0f, 0.0f}});
    QCOMPARE(turned[0], 1u << 30);
    QCOMPARE(turned[1], 511u | 511u << 10 | 0u << 20 | 0u << 30);
  }

  // Signs agree from frame to frame: the quaternion comes back, not its opposite. That of no turn
  // is exact, and the scale is that of the range.
  void tenBitsKeepSignAndScale() {
    const ck::TexelCode code{.encoding = ck::Encoding::U64};
    std::mt19937 random(11);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    std::vector<ck::JointPose> poses;
    for (int i = 0; i < 20000; ++i) {
      const glm::quat q(unit(random), unit(random), unit(random), unit(random));
      poses.push_back({glm::vec3(unit(random), unit(random), unit(random)),
                       glm::vec3(1.25f + 0.25f * unit(random)), glm::normalize(q)});
    }
    poses.push_back({{}, glm::vec3(1.0f), {-1.0f, 0.0f, 0.0f, 0.0f}});
    poses.push_back({{}, glm::vec3(1.5f), {1.0f, 0.0f, 0.0f, 0.0f}});
    // The number that is left out has three times the error of one step where all four are alike.
    const float step = 1.0f / (511.0f * std::sqrt(2.0f));
    poses.insert(poses.begin(), {{},
                                 glm::vec3(1.25f),
                                 glm::normalize(glm::quat(0.500682f, 361.5001f * step,
                                                          361.5001f * step, 360.5001f * step))});
    const ck::TexelRange range = ck::rangesOf(code, poses).front();
    QCOMPARE(range.low.w, 1.25f);
    QCOMPARE(range.size.w, 0.0f);
    double worstMm = 0.0;
    double worstDegrees = 0.0;
    ck::JointPose back;
    for (const ck::JointPose& pose : poses) {
      std::array<std::byte, 8> texels = {};
      ck::encodePose(code, pose, std::span(&range, 1), texels);
      back = ck::decodePose(code, texels, std::span(&range, 1), {});
      QVERIFY(glm::dot(back.rotation, pose.rotation) > 0.99f);
      QCOMPARE(back.scale, glm::vec3(1.25f));
      for (int axis = 0; axis < 3; ++axis) {
        worstMm = std::max(worstMm, 1000.0 * std::abs(back.position[axis] - pose.position[axis]));
      }
      worstDegrees = std::max(worstDegrees, angleDegrees(back.rotation, pose.rotation));
    }
    QCOMPARE(back.rotation, glm::quat(1.0f, 0.0f, 0.0f, 0.0f));
    // Half a step of two metres; docs/techniques.md 3.3.
    QVERIFY2(worstMm <= 0.98 && worstMm > 0.9, qPrintable(QString::number(worstMm)));
    QVERIFY2(worstDegrees <= 0.276 && worstDegrees > 0.27,
             qPrintable(QString::number(worstDegrees)));
  }

  // docs/techniques.md 3.3: half a step of the range for positions, 0.0034 degrees for rotations
  // (with unsigned texels, whose zero lies between two values).
  void errorStaysWithinHalfAStep() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    std::vector<ck::JointPose> poses;
    for (int i = 0; i < 20000; ++i) {
      const glm::quat q(unit(random), unit(random), unit(random), unit(random));
      poses.push_back({glm::vec3(unit(random), unit(random), unit(random)),
                       glm::vec3(1.0f + 0.5f * unit(random)), glm::normalize(q)});
    }
    const ck::TexelRange range = ck::rangesOf({}, poses).front();
    double worstMm = 0.0;
    double worstDegrees = 0.0;
    double worstScale = 0.0;
    for (const ck::JointPose& pose : poses) {
      const ck::JointPose back = throughTexels(pose, range);
      for (int axis = 0; axis < 3; ++axis) {
        worstMm = std::max(worstMm, 1000.0 * std::abs(back.position[axis] - pose.position[axis]));
      }
      worstScale = std::max(worstScale, double(std::abs(back.scale.x - pose.scale.x)));
      worstDegrees = std::max(worstDegrees, angleDegrees(back.rotation, pose.rotation));
      QVERIFY(std::abs(glm::length(back.rotation) - 1.0f) < 1e-6f);
    }
    QVERIFY2(worstMm <= 0.0155, qPrintable(QString::number(worstMm)));
    QVERIFY2(worstScale <= 1.0 / 131070 + 2e-7, qPrintable(QString::number(worstScale)));
    QVERIFY2(worstDegrees <= 0.0036, qPrintable(QString::number(worstDegrees)));
    QVERIFY(worstMm > 0.001 && worstDegrees > 0.0001);  // the texels do round
  }

  void signsOfQuaternionsAreKept() {
    const glm::quat q = glm::normalize(glm::quat(-0.2f, 0.4f, -0.6f, 0.1f));
    const ck::JointPose back = throughTexels({{}, glm::vec3(1.0f), q}, {});
    QVERIFY(glm::dot(back.rotation, q) > 0.999f);
  }

  // v' = A v + t for M32, v' = A (v - b) + p for M16F; both computed here by hand.
  void rowsOfMatricesAreStoredAsTheirFormSays() {
    ck::JointPose pose;
    pose.position = {1.0f, 2.0f, -3.0f};
    // Columns; sheared and mirrored.
    pose.linear = glm::mat3(1.0f, 0.0f, 0.0f, 0.5f, -2.0f, 0.0f, 0.0f, 0.25f, 1.0f);
    const ck::JointPose rest{.position = {0.0f, 1.0f, 4.0f}};
    std::array<float, 12> floats = {};
    ck::encodePose({ck::Encoding::M32}, pose, {}, std::as_writable_bytes(std::span(floats)), rest);
    // A b = (0.5, -2 + 1, 4), so t = (0.5, 3, -7).
    const std::array<float, 12> rows = {1.0f,  0.5f, 0.0f, 0.5f, 0.0f, -2.0f,
                                        0.25f, 3.0f, 0.0f, 0.0f, 1.0f, -7.0f};
    QVERIFY(floats == rows);
    std::array<std::uint16_t, 12> halves = {};
    ck::encodePose({ck::Encoding::M16F}, pose, {}, std::as_writable_bytes(std::span(halves)), rest);
    // 1, 0.5, 0, 1 / 0, -2, 0.25, 2 / 0, 0, 1, -3 as IEEE 754 has them.
    const std::array<std::uint16_t, 12> bits = {0x3c00, 0x3800, 0, 0x3c00, 0,      0xc000,
                                                0x3400, 0x4000, 0, 0,      0x3c00, 0xc200};
    QVERIFY(halves == bits);
    for (const ck::Encoding encoding : {ck::Encoding::M32, ck::Encoding::M16F}) {
      std::span<const std::byte> bytes = std::as_bytes(std::span(floats));
      if (encoding == ck::Encoding::M16F) bytes = std::as_bytes(std::span(halves));
      const ck::JointPose back = ck::decodePose({encoding}, bytes, {}, rest);
      QVERIFY(back.linear == pose.linear && back.position == pose.position);
    }
  }

  void numbersTooLargeForHalvesAreHeldAtTheLargest() {
    ck::JointPose pose;
    pose.position = {1e6f, -1e6f, 0.0f};
    pose.linear = glm::mat3(1.0f);
    std::array<std::uint16_t, 12> halves = {};
    ck::encodePose({ck::Encoding::M16F}, pose, {}, std::as_writable_bytes(std::span(halves)));
    const auto back =
        ck::decodePose({ck::Encoding::M16F}, std::as_bytes(std::span(halves)), {}, {});
    QVERIFY(back.position == glm::vec3(65504.0f, -65504.0f, 0.0f));
  }

  void valuesBeyondTheRangeAreHeldAtItsEnds() {
    const ck::TexelRange range{glm::vec4(0.0f), glm::vec4(1.0f)};
    const ck::JointPose back =
        throughTexels({{-5.0f, 7.0f, 0.5f}, glm::vec3(1.0f), glm::quat(1, 0, 0, 0)}, range);
    QCOMPARE(back.position.x, 0.0f);
    QCOMPARE(back.position.y, 1.0f);
  }
};

CK_TEST(tst_encoding)
#include "tst_encoding.moc"
