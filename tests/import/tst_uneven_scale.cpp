#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <functional>
#include <glm/gtc/quaternion.hpp>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/import/import_process.h"
#include "core/scene/mesh.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/made_glb.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::Glb;
using ck::test::Json;

// Scales that differ between axes: those that last go into the vertices, so that P16 holds them;
// for others the bake takes M16 by itself. Places come from the formula of the file's nodes.
namespace {

constexpr double kSeconds = 2.0;
constexpr int kKeys = 9;

// A part below a node that turns, which is below the only root.
struct Part {
  glm::dvec3 axis{0, 1, 0};
  double turn = 1.1;  // radians over the clip
  glm::dvec3 place{0, 1, 0};
  glm::dquat rest{1, 0, 0, 0};  // of the scaled node
  glm::dvec3 scale{1, 1, 1};
  glm::dvec3 lastScale{1, 1, 1};  // where it is animated
  bool stretches = false;
  double childTurn = 0.0;  // of the part against the scaled node, which then is above it
};

std::vector<float> corners() {
  std::vector<float> numbers;
  for (int corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) {
      numbers.push_back((corner >> axis & 1) != 0 ? 0.5f : -0.5f);
    }
  }
  return numbers;
}

Json listOf(const glm::dvec3& v) {
  return {v.x, v.y, v.z};
}

Json listOf(const glm::dquat& q) {
  return {q.x, q.y, q.z, q.w};
}

// The times of the clip's keys.
std::vector<float> keyTimes() {
  std::vector<float> times;
  for (int key = 0; key < kKeys; ++key) times.push_back(float(kSeconds * key / (kKeys - 1)));
  return times;
}

glm::dquat turnAt(const glm::dvec3& axis, double whole, double share) {
  return glm::angleAxis(whole * share, glm::normalize(axis));
}

int rotations(Glb& glb, const glm::dvec3& axis, double turn) {
  std::vector<float> numbers;
  for (int key = 0; key < kKeys; ++key) {
    const glm::dquat q = turnAt(axis, turn, double(key) / (kKeys - 1));
    for (const double number : {q.x, q.y, q.z, q.w}) numbers.push_back(float(number));
  }
  return glb.floats(numbers, "VEC4", 4);
}

Glb glbOf(const Part& part) {
  Glb glb;
  const int positions = glb.floats(corners(), "VEC3", 3);
  const int indices = glb.add<std::uint16_t>({0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5},
                                             ck::test::kUnsignedShort, "SCALAR", 1);
  glb.json["meshes"] = {
      {{"name", "box"},
       {"primitives", {{{"attributes", {{"POSITION", positions}}}, {"indices", indices}}}}}};
  glb.json["nodes"] = {{{"name", "hand"}, {"children", {1}}},
                       {{"name", "part"},
                        {"translation", listOf(part.place)},
                        {"rotation", listOf(part.rest)},
                        {"scale", listOf(part.scale)}}};
  const int times = glb.floats(keyTimes(), "SCALAR", 1);
  Json channels = Json::array();
  Json samplers = Json::array();
  const auto animate = [&](int node, const char* path, int values) {
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back({{"input", times}, {"output", values}});
  };
  animate(0, "rotation", rotations(glb, part.axis, part.turn));
  if (part.childTurn != 0.0) {
    glb.json["nodes"][1]["children"] = {2};
    glb.json["nodes"].push_back({{"name", "child"}, {"mesh", 0}});
    animate(2, "rotation", rotations(glb, {0, 0, 1}, part.childTurn));
  } else {
    glb.json["nodes"][1]["mesh"] = 0;
  }
  if (part.stretches) {
    std::vector<float> numbers;
    for (int key = 0; key < kKeys; ++key) {
      const glm::dvec3 scale = glm::mix(part.scale, part.lastScale, double(key) / (kKeys - 1));
      for (const double number : {scale.x, scale.y, scale.z}) numbers.push_back(float(number));
    }
    animate(1, "scale", glb.floats(numbers, "VEC3", 3));
  }
  glb.json["animations"] = {{{"name", "turn"}, {"channels", channels}, {"samplers", samplers}}};
  return glb;
}

// Where a corner of the file is after a share of the clip, by the nodes.
glm::dvec3 placeOf(const Part& part, const glm::dvec3& corner, double share) {
  const glm::dvec3 scale =
      part.stretches ? glm::mix(part.scale, part.lastScale, share) : part.scale;
  const glm::dvec3 own = turnAt({0, 0, 1}, part.childTurn, share) * corner;
  return turnAt(part.axis, part.turn, share) * (part.place + part.rest * (scale * own));
}

ck::Character read(Glb glb) {
  const QTemporaryDir folder;
  auto character =
      ck::importCharacter(glb.write(ck::pathFromText(folder.path().toStdString()) / "part.glb"));
  if (!character) throw std::runtime_error(character.error().message);
  return std::move(*character);
}

ck::BakeResult baked(const ck::Character& character, std::optional<ck::Encoding> encoding = {}) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  auto result = ck::bake(character, settings);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// The largest distance of a vertex, as an atlas draws it on its keys, from where it should be.
double furthestMm(const ck::Character& character, const ck::Atlas& atlas,
                  const std::function<glm::dvec3(std::size_t vertex, double share)>& due) {
  double most = 0.0;
  for (int key = 0; key < kKeys; ++key) {
    const double share = double(key) / (kKeys - 1);
    const auto skins = ck::atlasSkinMatrices(atlas, 0, share, ck::Reading::Direct);
    const ck::SkinnedMesh posed = ck::skinMesh(character.meshes.at(0), skins);
    for (std::size_t v = 0; v < posed.positions.size(); ++v) {
      most = std::max(most, 1000.0 * glm::distance(posed.positions[v], due(v, share)));
    }
  }
  return most;
}

// The vertices of a file's part, in its order.
std::vector<glm::dvec3> pointsOf(const ck::Character& character) {
  std::vector<glm::dvec3> points;
  const ck::Mesh& mesh = character.meshes.at(0);
  for (const glm::vec3& position : mesh.positions) {
    points.push_back(glm::inverse(mesh.bindStretch) * glm::dvec3(position) / mesh.bindScale);
  }
  return points;
}

double furthestMm(const Part& part, const ck::Character& character, const ck::Atlas& atlas) {
  const std::vector<glm::dvec3> points = pointsOf(character);
  return furthestMm(character, atlas,
                    [&](std::size_t v, double share) { return placeOf(part, points[v], share); });
}

// The millimetres that a note states.
double statedMm(const ck::Notes& notes, const char* code) {
  for (const ck::Note& note : notes) {
    const auto found = note.message.find("up to ");
    if (note.code == code && found != std::string::npos)
      return std::stod(note.message.substr(found + 6));
  }
  return -1.0;
}

}  // namespace

class tst_uneven_scale : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void whatLastsGoesIntoTheVertices_data() {
    QTest::addColumn<glm::dvec3>("scale");
    QTest::addColumn<glm::dquat>("rest");
    const glm::dquat none(1, 0, 0, 0);
    const glm::dquat turned = glm::angleAxis(0.6, glm::normalize(glm::dvec3(1, 2, -1)));
    QTest::newRow("a flat plank") << glm::dvec3(2, 0.1, 0.3) << none;
    QTest::newRow("turned") << glm::dvec3(0.4, 1.7, 0.9) << turned;
    QTest::newRow("mirrored") << glm::dvec3(-1.5, 0.4, 1) << turned;
    QTest::newRow("mirrored twice") << glm::dvec3(-1.5, -0.4, 1) << none;
  }
  void whatLastsGoesIntoTheVertices() {
    QFETCH(glm::dvec3, scale);
    QFETCH(glm::dquat, rest);
    const Part part{.axis = {1, 3, 2}, .rest = rest, .scale = scale};
    const ck::Character character = read(glbOf(part));
    QVERIFY(ck::test::hasNote(character.notes, "MeshesRescaled", "1 of 1 meshes"));
    const ck::BakeResult result = baked(character);
    QVERIFY(result.atlas.recipe.encoding == ck::Encoding::P16);
    QVERIFY(!ck::test::hasNote(result.notes, "ScaleDropped"));
    QVERIFY(!ck::test::hasNote(result.notes, "EncodingChosen"));
    const double mm = furthestMm(part, character, result.atlas);
    QVERIFY2(mm < 0.1, qPrintable(QString::number(mm)));
  }

  // Files of one kind whose skin matrices all stretch alike at rest, along axes of their own.
  void skinsOfOneStretchKeepIt() {
    const glm::dmat3 turn =
        glm::mat3_cast(glm::angleAxis(0.8, glm::normalize(glm::dvec3(2, 1, 3))));
    const glm::dmat3 stretch =
        turn * glm::dmat3(3, 0, 0, 0, 0.5, 0, 0, 0, 1) * glm::transpose(turn);
    Glb glb = ck::test::quad();
    std::vector<float> numbers;
    const std::vector<glm::dvec3> model = {{0.2, 0, 0}, {-0.2, 0.9, 0}, {0.1, 1.2, 0.3}, {0, 2, 0}};
    for (const glm::dvec3& point : model) {
      const glm::dvec3 own = glm::inverse(stretch) * point;
      for (const double number : {own.x, own.y, own.z}) numbers.push_back(float(number));
    }
    ck::test::primitive(glb)["attributes"] = {
        {"POSITION", glb.floats(numbers, "VEC3", 3)},
        {"JOINTS_0", glb.add<std::uint8_t>({0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0},
                                           ck::test::kUnsignedByte, "VEC4", 4)},
        {"WEIGHTS_0",
         glb.floats({1, 0, 0, 0, .5f, .5f, 0, 0, .25f, .75f, 0, 0, 1, 0, 0, 0}, "VEC4", 4)}};
    std::vector<float> binds;
    for (const double height : {0.0, 1.0}) {
      glm::dmat4 bind(stretch);
      bind[3].y = -height;
      for (int i = 0; i < 16; ++i) binds.push_back(float(bind[i / 4][i % 4]));
    }
    glb.json["skins"] = {
        {{"joints", {1, 2}}, {"inverseBindMatrices", glb.floats(binds, "MAT4", 16)}}};
    glb.json["nodes"] = {{{"name", "root"}, {"children", {1, 3}}},
                         {{"name", "low"}, {"children", {2}}},
                         {{"name", "high"}, {"translation", {0, 1, 0}}},
                         {{"name", "quad"}, {"mesh", 0}, {"skin", 0}}};
    const int times = glb.floats(keyTimes(), "SCALAR", 1);
    const int turns = rotations(glb, {0, 0, 1}, 1.2);
    glb.json["animations"] = {
        {{"name", "bend"},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
         {"samplers", {{{"input", times}, {"output", turns}}}}}};
    const ck::Character character = read(glb);
    const ck::BakeResult result = baked(character);
    QVERIFY(result.atlas.recipe.encoding == ck::Encoding::P16);
    const std::array<double, 4> ofHigh = {0, 0.5, 0.75, 1};
    const double mm = furthestMm(character, result.atlas, [&](std::size_t v, double share) {
      const glm::dvec3 up(0, 1, 0);
      const glm::dvec3 bent = up + turnAt({0, 0, 1}, 1.2, share) * (model[v] - up);
      return glm::mix(model[v], bent, ofHigh[v]);
    });
    QVERIFY2(mm < 0.1, qPrintable(QString::number(mm)));
  }

  // Against the inverse of the scale, of the normals of the same box without it.
  void normalsFollowTheStretch() {
    const glm::dvec3 scale(2, 0.1, 0.3);
    const auto resting = [](const glm::dvec3& by) {
      const ck::Character character = read(glbOf({.scale = by}));
      const auto skins = ck::skinMatrices(character.rig, ck::restMatrices(character.rig));
      return ck::skinMesh(character.meshes[0], skins).normals;
    };
    const auto normals = resting(scale);
    const auto before = resting(glm::dvec3(1.0));
    QCOMPARE(normals.size(), before.size());
    for (std::size_t v = 0; v < normals.size(); ++v) {
      QVERIFY(glm::distance(normals[v], glm::normalize(before[v] / scale)) < 1e-5);
    }
  }

  void whatStretchesIsBakedAsMatrices_data() {
    QTest::addColumn<glm::dvec3>("scale");
    QTest::addColumn<glm::dvec3>("lastScale");
    QTest::addColumn<double>("childTurn");
    QTest::newRow("a part that grows longer")
        << glm::dvec3(1, 1, 1) << glm::dvec3(1, 2.5, 1) << 0.0;
    QTest::newRow("from uneven to even") << glm::dvec3(2, 0.5, 1) << glm::dvec3(1, 1, 1) << 0.0;
    QTest::newRow("a child that turns below")
        << glm::dvec3(2, 0.3, 1) << glm::dvec3(2, 0.3, 1) << 0.9;
  }
  void whatStretchesIsBakedAsMatrices() {
    QFETCH(glm::dvec3, scale);
    QFETCH(glm::dvec3, lastScale);
    QFETCH(double, childTurn);
    const Part part{.scale = scale,
                    .lastScale = lastScale,
                    .stretches = scale != lastScale,
                    .childTurn = childTurn};
    const ck::Character character = read(glbOf(part));
    const ck::BakeResult result = baked(character);
    QVERIFY(result.atlas.recipe.encoding == ck::Encoding::M16);
    QVERIFY(!ck::test::hasNote(result.notes, "ScaleDropped"));
    const double mm = furthestMm(part, character, result.atlas);
    QVERIFY2(mm < 0.2, qPrintable(QString::number(mm)));
    // The figure of the note is what P16 loses on its frames.
    const ck::BakeResult pivots = baked(character, ck::Encoding::P16);
    QVERIFY(pivots.atlas.recipe.encoding == ck::Encoding::P16);
    const double lost = furthestMm(part, character, pivots.atlas);
    QVERIFY(lost > 10.0);
    for (const double stated :
         {statedMm(result.notes, "EncodingChosen"), statedMm(pivots.notes, "ScaleDropped"),
          pivots.components.loss->trs.mm}) {
      QVERIFY2(std::abs(stated - lost) < 0.15, qPrintable(QString("%1 %2").arg(stated).arg(lost)));
    }
  }

  // Half a thousandth of the size is the limit: a box of 1 m may lose half a millimetre.
  void smallStretchesStayPivots() {
    for (const auto& [longer, wanted] :
         {std::pair(1.0005, ck::Encoding::P16), std::pair(1.006, ck::Encoding::M16)}) {
      const Part part{.lastScale = {1, longer, 1}, .stretches = true};
      QVERIFY(baked(read(glbOf(part))).atlas.recipe.encoding == wanted);
    }
  }

  void evenScalesAndPartsThatHideStayPivots() {
    for (const double last : {3.0, 0.0, -1.0}) {
      const Part part{.lastScale = glm::dvec3(last), .stretches = true};
      const ck::Character character = read(glbOf(part));
      const ck::BakeResult result = baked(character);
      QVERIFY(result.atlas.recipe.encoding == ck::Encoding::P16);
      QVERIFY(!ck::test::hasNote(result.notes, "ScaleDropped"));
      const double mm = furthestMm(part, character, result.atlas);
      QVERIFY2(mm < 0.2, qPrintable(QString::number(mm)));
    }
  }

  void costsAndAtlasesKnowWhatWasChosen() {
    const ck::Character character = read(glbOf({.lastScale = {1, 2, 1}, .stretches = true}));
    const auto cost = ck::bakeCost(character, {});
    QVERIFY(cost && cost->encoding == ck::Encoding::M16);
    ck::BakeSettings named;
    named.encoding = ck::Encoding::M16;
    const ck::BakeResult one = baked(character);
    const ck::BakeResult other = baked(character, ck::Encoding::M16);
    QVERIFY(one.atlas == other.atlas);
    QCOMPARE(cost->bytes, one.atlas.texels.size());
  }
};

CK_TEST(tst_uneven_scale)
#include "tst_uneven_scale.moc"
