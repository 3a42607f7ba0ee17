#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#include <meshoptimizer.h>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

constexpr int kByte = 5120;
constexpr int kShort = 5122;

std::uint32_t wordAt(const std::vector<std::byte>& bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

// A GLB in parts: its document, and the bytes of each buffer view. Views beyond those of the
// document stand alone and are named by their place.
struct Parts {
  Json json;
  std::vector<Bytes> views;

  static Parts of(const std::filesystem::path& path) {
    const auto bytes = ck::readFile(path, 1u << 26);
    const std::uint32_t length = wordAt(*bytes, 12);
    const auto* text = reinterpret_cast<const char*>(bytes->data()) + 20;
    Parts parts;
    parts.json = Json::parse(text, text + length);
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes->data()) + 28 + length;
    for (const Json& view : parts.json["bufferViews"]) {
      const std::uint8_t* first = data + view["byteOffset"].get<std::size_t>();
      parts.views.emplace_back(first, first + view["byteLength"].get<std::size_t>());
    }
    return parts;
  }

  Json& accessor(int index) { return json["accessors"][static_cast<std::size_t>(index)]; }
  Bytes& bytesOf(int index) { return views[accessor(index)["bufferView"].get<std::size_t>()]; }
  void require(const char* extension) {
    json["extensionsUsed"].push_back(extension);
    json["extensionsRequired"].push_back(extension);
  }

  // The file. Packed views (which `json` marks by an extension) lie in the buffer; what they unpack
  // to would lie in a second one, which is not there.
  std::string glb(const char* extension = nullptr) const {
    Json document = json;
    std::string data;
    std::size_t unpacked = 0;
    for (std::size_t v = 0; v < views.size(); ++v) {
      data.resize((data.size() + 3) / 4 * 4);
      Json& view = document["bufferViews"][v];
      const bool packed = extension != nullptr && view.contains("extensions");
      Json& place = packed ? view["extensions"][extension] : view;
      place["buffer"] = 0;
      place["byteOffset"] = data.size();
      place["byteLength"] = views[v].size();
      if (packed) {
        view["buffer"] = 1;
        view["byteOffset"] = unpacked;
        unpacked += (view["byteLength"].get<std::size_t>() + 3) / 4 * 4;
      }
      data.append(views[v].begin(), views[v].end());
    }
    data.resize((data.size() + 3) / 4 * 4);
    document["buffers"] = Json::array({{{"byteLength", data.size()}}});
    if (unpacked > 0) {
      document["buffers"].push_back(
          {{"byteLength", unpacked}, {"extensions", {{extension, {{"fallback", true}}}}}});
    }
    std::string text = document.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::string file = "glTF";
    const auto number = [&file](std::size_t value) {
      const auto word = static_cast<std::uint32_t>(value);
      file.append(reinterpret_cast<const char*>(&word), 4);
    };
    number(2);
    number(28 + text.size() + data.size());
    number(text.size());
    file += "JSON" + text;
    number(data.size());
    return file + std::string("BIN\0", 4) + data;
  }
};

std::size_t rowBytes(const Json& accessor) {
  const std::map<std::string, std::size_t> rows = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const int type = accessor["componentType"].get<int>();
  const std::size_t size = type == 5126 || type == 5125 ? 4 : type == 5120 || type == 5121 ? 1 : 2;
  return rows.at(accessor["type"].get<std::string>()) * size;
}

// Packs the rows of an accessor as gltfpack does.
void packRows(Parts& parts, int index, const char* extension, const std::string& filter = "NONE") {
  const Json& accessor = parts.accessor(index);
  const std::size_t count = accessor["count"].get<std::size_t>();
  Bytes& bytes = parts.bytesOf(index);
  const std::size_t stride = bytes.size() / count;
  Bytes packed(meshopt_encodeVertexBufferBound(count, stride));
  packed.resize(
      meshopt_encodeVertexBuffer(packed.data(), packed.size(), bytes.data(), count, stride));
  Json& view = parts.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  view["byteLength"] = bytes.size();
  bytes = packed;
  view["extensions"][extension] = {
      {"count", count}, {"byteStride", stride}, {"mode", "ATTRIBUTES"}, {"filter", filter}};
  if (stride != rowBytes(accessor)) view["byteStride"] = stride;
}

void packIndices(Parts& parts, int index, const char* extension, bool asTriangles) {
  const Json& accessor = parts.accessor(index);
  const std::size_t count = accessor["count"].get<std::size_t>();
  Bytes& bytes = parts.bytesOf(index);
  std::vector<unsigned> corners(count);
  for (std::size_t i = 0; i < count; ++i) corners[i] = bytes[2 * i] + 256u * bytes[2 * i + 1];
  Bytes packed(asTriangles ? meshopt_encodeIndexBufferBound(count, 65'536)
                           : meshopt_encodeIndexSequenceBound(count, 65'536));
  packed.resize(
      asTriangles
          ? meshopt_encodeIndexBuffer(packed.data(), packed.size(), corners.data(), count)
          : meshopt_encodeIndexSequence(packed.data(), packed.size(), corners.data(), count));
  bytes = packed;
  Json& view = parts.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  view["extensions"][extension] = {
      {"count", count}, {"byteStride", 2}, {"mode", asTriangles ? "TRIANGLES" : "INDICES"}};
}

std::vector<float> floatsOf(const Bytes& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

// Everything of the sample that has rows, and its triangles.
void packAll(Parts& parts, const char* extension, bool asTriangles) {
  const int indices = parts.json["meshes"][0]["primitives"][0]["indices"].get<int>();
  for (int a = 0; a < static_cast<int>(parts.json["accessors"].size()); ++a) {
    // Accessors of nothing but zeros lie nowhere, and some share their rows.
    const auto view = parts.accessor(a).find("bufferView");
    if (view == parts.accessor(a).end()) continue;
    if (parts.json["bufferViews"][view->get<std::size_t>()].contains("extensions")) continue;
    if (a == indices) {
      packIndices(parts, a, extension, asTriangles);
    } else {
      packRows(parts, a, extension);
    }
  }
  parts.require(extension);
}

// Every triangle from its smallest corner on, which packing may turn.
std::vector<std::uint32_t> turned(std::vector<std::uint32_t> indices) {
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const auto first = indices.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(first, std::min_element(first, first + 3), first + 3);
  }
  return indices;
}

Bytes packedByDraco(const Parts& parts, const Json& primitive, bool exact,
                    std::map<std::string, int>& ids) {
  Parts source = parts;
  draco::Mesh mesh;
  const auto& attributes = primitive["attributes"];
  const int positions = attributes["POSITION"].get<int>();
  const auto count = source.accessor(positions)["count"].get<std::uint32_t>();
  mesh.set_num_points(count);
  const std::map<std::string, draco::GeometryAttribute::Type> types = {
      {"POSITION", draco::GeometryAttribute::POSITION},
      {"NORMAL", draco::GeometryAttribute::NORMAL},
      {"TEXCOORD_0", draco::GeometryAttribute::TEX_COORD},
      {"JOINTS_0", draco::GeometryAttribute::GENERIC},
      {"WEIGHTS_0", draco::GeometryAttribute::GENERIC}};
  draco::Encoder encoder;
  for (const auto& [name, type] : types) {
    const int index = attributes[name].get<int>();
    const Bytes& bytes = source.bytesOf(index);
    const std::size_t stride = bytes.size() / count;
    const bool isBytes = source.accessor(index)["componentType"] == 5121;
    draco::GeometryAttribute form;
    form.Init(type, nullptr, static_cast<std::int8_t>(isBytes ? stride : stride / 4),
              isBytes ? draco::DT_UINT8 : draco::DT_FLOAT32, false,
              static_cast<std::int64_t>(stride), 0);
    const int id = mesh.AddAttribute(form, true, count);
    for (std::uint32_t v = 0; v < count; ++v) {
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v), &bytes[v * stride]);
    }
    ids[name] = static_cast<int>(mesh.attribute(id)->unique_id());
  }
  const Bytes& corners = source.bytesOf(primitive["indices"].get<int>());
  for (std::size_t i = 0; i + 5 < corners.size(); i += 6) {
    const auto corner = [&](std::size_t c) {
      return draco::PointIndex(corners[i + 2 * c] + 256u * corners[i + 2 * c + 1]);
    };
    mesh.AddFace({corner(0), corner(1), corner(2)});
  }
  if (exact) {
    encoder.SetEncodingMethod(draco::MESH_SEQUENTIAL_ENCODING);
  } else {
    encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 14);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, 10);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::TEX_COORD, 12);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::GENERIC, 12);
  }
  draco::EncoderBuffer out;
  if (!encoder.EncodeMeshToBuffer(mesh, &out).ok()) return {};
  return Bytes(out.data(), out.data() + out.size());
}

// The sample with its primitive packed; exactly, or as exporters do.
Parts packedSample(bool exact) {
  Parts parts = Parts::of(ck::test::sampleHumanoid());
  Json& primitive = parts.json["meshes"][0]["primitives"][0];
  // Draco reorders vertices, which the targets beside it would have to follow.
  primitive.erase("targets");
  parts.json["meshes"][0].erase("weights");
  std::map<std::string, int> ids;
  const Bytes packed = packedByDraco(parts, primitive, exact, ids);
  for (const auto& [name, id] : ids) {
    Json& accessor = parts.accessor(primitive["attributes"][name].get<int>());
    parts.bytesOf(primitive["attributes"][name].get<int>()) = {0, 0, 0, 0};
    accessor.erase("bufferView");
  }
  parts.bytesOf(primitive["indices"].get<int>()) = {0, 0, 0, 0};
  parts.accessor(primitive["indices"].get<int>()).erase("bufferView");
  parts.views.push_back(packed);
  parts.json["bufferViews"].push_back(Json::object());
  primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", parts.views.size() - 1},
                                                           {"attributes", ids}};
  parts.require("KHR_draco_mesh_compression");
  return parts;
}

double areaOf(const ck::Mesh& mesh) {
  double area = 0.0;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const glm::dvec3 a(mesh.positions[mesh.indices[i]]);
    const glm::dvec3 b(mesh.positions[mesh.indices[i + 1]]);
    const glm::dvec3 c(mesh.positions[mesh.indices[i + 2]]);
    area += 0.5 * glm::length(glm::cross(b - a, c - a));
  }
  return area;
}

// The weight of every joint of a vertex.
std::map<int, float> weightsOf(const ck::Mesh& mesh, std::size_t vertex) {
  std::map<int, float> weights;
  for (const ck::Influence& influence : ck::influencesOf(mesh, vertex)) {
    weights[influence.skinJoint] += influence.weight;
  }
  return weights;
}

// The text of a GLB with its buffer inside. The buffer comes before the nodes.
std::string textWithBytes(const std::string& glb, const std::string& type, bool escapes,
                          bool pads) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, sizeof length);
  const Json document = Json::parse(glb.substr(20, length));
  const QByteArray data = QByteArray::fromStdString(glb.substr(28 + length));
  const auto options = pads ? QByteArray::KeepTrailingEquals : QByteArray::OmitTrailingEquals;
  QByteArray digits = data.toBase64(options);
  if (escapes) digits.replace("/", "\\/");
  const std::string uri = "data:" + type + ";base64," + digits.toStdString();
  std::string text = document.dump();
  const std::size_t buffers = text.find("\"buffers\":[{");
  return text.insert(buffers + 12, "\"uri\" :\n \"" + uri + "\",");
}

}  // namespace

// Files that pack their data, against the same data unpacked.
class tst_gltf_packed : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  ck::Character plain_;

  ck::Result<ck::Character> import(const std::string& bytes,
                                   const char* name = "packed.glb") const {
    const std::filesystem::path path = std::filesystem::path(folder_.path().toStdString()) / name;
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    if (!ck::writeFileAtomically(path, {first, bytes.size()})) std::abort();
    return ck::importCharacter(path);
  }

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    auto plain = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(plain.has_value());
    plain_ = std::move(*plain);
  }

  void rejectsPackedViewsThatMakeNoSense_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* change, const char* says) {
      QTest::newRow(name) << QString(change) << QString(says);
    };
    row("mode", R"({"mode": "POINTS"})", "unknown mode 'POINTS'");
    row("no rows", R"({"count": 0})", "0 rows");
    row("many rows", R"({"count": 500000000})", "more than 2 GB");
    row("more than is packed", R"({"count": 40000000})", "can hold");
    row("stride", R"({"byteStride": 6})", "rows of 6 bytes");
    row("wide stride", R"({"byteStride": 260})", "rows of 260 bytes");
    row("filter", R"({"filter": "QUATERNION"})", "'QUATERNION', which its rows do not allow");
    row("newer filter", R"({"filter": "COLOR"})", "came after EXT_meshopt_compression");
    row("other count", R"({"count": 17})", "is damaged");
    row("negative", R"({"count": -3})", "0 rows");
  }
  void rejectsPackedViewsThatMakeNoSense() {
    QFETCH(QString, change);
    QFETCH(QString, says);
    const char* extension = "EXT_meshopt_compression";
    Parts parts = Parts::of(ck::test::sampleHumanoid());
    packRows(parts, 0, extension);
    parts.json["bufferViews"][0]["extensions"][extension].update(Json::parse(change.toStdString()));
    const auto character = import(parts.glb(extension));
    QVERIFY(!character.has_value());
    QVERIFY2(character.error().message.find(says.toStdString()) != std::string::npos,
             character.error().message.c_str());
  }

  void meshoptimizerUnpacksWhatItPacked_data() {
    QTest::addColumn<QString>("extension");
    QTest::addColumn<bool>("asTriangles");
    QTest::newRow("triangles") << "EXT_meshopt_compression" << true;
    QTest::newRow("sequence") << "EXT_meshopt_compression" << false;
    QTest::newRow("its later name") << "KHR_meshopt_compression" << true;
  }
  void meshoptimizerUnpacksWhatItPacked() {
    QFETCH(QString, extension);
    QFETCH(bool, asTriangles);
    const std::string name = extension.toStdString();
    Parts parts = Parts::of(ck::test::sampleHumanoid());
    packAll(parts, name.c_str(), asTriangles);
    const std::string file = parts.glb(name.c_str());
    QVERIFY(file.size() < std::filesystem::file_size(ck::test::sampleHumanoid()));
    auto character = import(file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(character->rig == plain_.rig);
    QVERIFY(character->clips == plain_.clips);
    QCOMPARE(character->meshes.size(), plain_.meshes.size());
    ck::Mesh mesh = character->meshes[0];
    ck::Mesh other = plain_.meshes[0];
    mesh.indices = turned(mesh.indices);
    other.indices = turned(other.indices);
    QVERIFY(mesh == other);
  }

  // Rotations in 16 bits, normals in 8, translations with 15 bits of mantissa: what gltfpack
  // writes.
  void filtersOfMeshoptimizerAreUndone() {
    const char* extension = "EXT_meshopt_compression";
    Parts parts = Parts::of(ck::test::sampleHumanoid());
    const auto repack = [&](int index, int type, const char* filter, std::size_t stride,
                            const auto& encode) {
      const std::vector<float> numbers = floatsOf(parts.bytesOf(index));
      Json& accessor = parts.accessor(index);
      const auto count = accessor["count"].get<std::size_t>();
      Bytes bytes(count * stride);
      encode(bytes.data(), count, stride, numbers);
      parts.bytesOf(index) = bytes;
      if (type != 0) {
        accessor["componentType"] = type;
        accessor["normalized"] = true;
        accessor.erase("min");
        accessor.erase("max");
      }
      packRows(parts, index, extension, filter);
    };
    const Json primitive = parts.json["meshes"][0]["primitives"][0];
    repack(primitive["attributes"]["NORMAL"].get<int>(), kByte, "OCTAHEDRAL", 4,
           [](void* out, std::size_t count, std::size_t stride, const std::vector<float>& numbers) {
             std::vector<float> four;
             for (std::size_t i = 0; i < numbers.size(); i += 3) {
               four.insert(four.end(), {numbers[i], numbers[i + 1], numbers[i + 2], 0.0f});
             }
             meshopt_encodeFilterOct(out, count, stride, 8, four.data());
           });
    int rotations = 0;
    int translations = 0;
    std::map<int, bool> done;
    for (const Json& animation : parts.json["animations"]) {
      for (const Json& channel : animation["channels"]) {
        const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
        const int output = sampler["output"].get<int>();
        const bool linear = sampler.value("interpolation", "LINEAR") == "LINEAR";
        if (!linear || done[output]) continue;
        if (channel["target"]["path"] == "rotation") {
          repack(output, kShort, "QUATERNION", 8,
                 [](void* out, std::size_t count, std::size_t stride,
                    const std::vector<float>& numbers) {
                   meshopt_encodeFilterQuat(out, count, stride, 16, numbers.data());
                 });
          ++rotations;
        } else if (channel["target"]["path"] == "translation") {
          repack(output, 0, "EXPONENTIAL", 12,
                 [](void* out, std::size_t count, std::size_t stride,
                    const std::vector<float>& numbers) {
                   meshopt_encodeFilterExp(out, count, stride, 15, numbers.data());
                 });
          ++translations;
        } else {
          continue;
        }
        done[output] = true;
      }
    }
    QVERIFY(rotations > 50 && translations > 3);
    parts.require(extension);
    parts.require("KHR_mesh_quantization");
    const auto character = import(parts.glb(extension));
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    double normals = 0.0;
    for (std::size_t v = 0; v < plain_.meshes[0].normals.size(); ++v) {
      normals = std::max(normals, double(glm::distance(character->meshes[0].normals[v],
                                                       plain_.meshes[0].normals[v])));
    }
    double turns = 0.0;
    double moves = 0.0;
    QCOMPARE(character->clips.size(), plain_.clips.size());
    for (std::size_t c = 0; c < plain_.clips.size(); ++c) {
      const auto& tracks = plain_.clips[c].jointTracks;
      QCOMPARE(character->clips[c].jointTracks.size(), tracks.size());
      for (std::size_t t = 0; t < tracks.size(); ++t) {
        const ck::JointTracks& got = character->clips[c].jointTracks[t];
        for (std::size_t k = 0; k < tracks[t].rotation.values.size(); ++k) {
          const float same = glm::dot(got.rotation.values[k], tracks[t].rotation.values[k]);
          turns =
              std::max(turns, double(glm::length(got.rotation.values[k] * (same < 0 ? -1.f : 1.f) -
                                                 tracks[t].rotation.values[k])));
        }
        for (std::size_t k = 0; k < tracks[t].translation.values.size(); ++k) {
          moves = std::max(moves, double(glm::distance(got.translation.values[k],
                                                       tracks[t].translation.values[k])));
        }
      }
    }
    qInfo("normals off by %g, rotations by %g, translations by %g m", normals, turns, moves);
    QVERIFY(normals > 1e-4 && normals < 0.025);
    QVERIFY(turns > 1e-7 && turns < 2e-4);
    QVERIFY(moves > 1e-7 && moves < 2e-4);  // 1 m in 2^14 steps
  }

  void laterFormsOfMeshoptimizerAreRefusedByName() {
    const char* extension = "KHR_meshopt_compression";
    Parts parts = Parts::of(ck::test::sampleHumanoid());
    packRows(parts, 0, extension);
    parts.views[0][0] = 0xa1;
    const auto character = import(parts.glb(extension));
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::Unsupported));
    QVERIFY(character.error().message.find("gltfpack -c") != std::string::npos);
  }

  void packedFileOfTheWildIsRead() {
    const auto file = ck::test::sharedModel("invalid/meshoptimizer_pirate.glb");
    if (!file) QSKIP("the shared models are not there");
    const auto character = ck::importCharacter(*file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Bounds bounds = ck::bindBounds(*character);
    const glm::dvec3 size = glm::dvec3(bounds.high) - glm::dvec3(bounds.low);
    qInfo("%zu meshes, %g x %g x %g m", character->meshes.size(), size.x, size.y, size.z);
    QVERIFY(!character->meshes.empty() && size.y > 0.1 && size.y < 1'000.0);
  }

  void dracoUnpacksWhatItPackedExactly() {
    const auto character = import(packedSample(true).glb());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Mesh& mesh = character->meshes[0];
    const ck::Mesh& other = plain_.meshes[0];
    QCOMPARE(mesh.positions, other.positions);
    QCOMPARE(mesh.normals, other.normals);
    QCOMPARE(mesh.uvs, other.uvs);
    QCOMPARE(mesh.indices, other.indices);
    QVERIFY(mesh.influences == other.influences);
    QVERIFY(character->rig == plain_.rig);
  }

  void dracoUnpacksWhatExportersPack() {
    const auto character = import(packedSample(false).glb());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Mesh& mesh = character->meshes[0];
    const ck::Mesh& other = plain_.meshes[0];
    QCOMPARE(mesh.indices.size(), other.indices.size());
    QVERIFY(std::abs(areaOf(mesh) / areaOf(other) - 1.0) < 1e-3);
    // 14 bits of the largest extent, 1.8 m.
    constexpr double kTolerance = 2e-4;
    double far = 0.0;
    double heavy = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); v += 7) {
      const auto weights = weightsOf(mesh, v);
      double best = 1e9;
      double bestWeights = 1e9;
      for (std::size_t o = 0; o < other.positions.size(); ++o) {
        const double distance = glm::distance(mesh.positions[v], other.positions[o]);
        if (distance > kTolerance || glm::distance(mesh.normals[v], other.normals[o]) > 0.02f) {
          continue;
        }
        double apart = 0.0;
        auto expected = weightsOf(other, o);
        for (const auto& [joint, weight] : weights) {
          apart = std::max(apart, std::abs(double(weight) - double(expected[joint])));
        }
        if (apart < bestWeights) best = distance;
        bestWeights = std::min(bestWeights, apart);
      }
      far = std::max(far, best);
      heavy = std::max(heavy, bestWeights);
    }
    qInfo("positions off by %g m, weights by %g", far, heavy);
    QVERIFY(far < kTolerance);
    QVERIFY(heavy < 1e-3);
  }

  void rejectsDracoThatMakesNoSense() {
    const Parts good = packedSample(false);
    const auto refusal = [this](const Parts& parts) {
      const auto character = import(parts.glb());
      return character ? std::string("imported") : character.error().message;
    };
    const auto extensionOf = [](Parts& parts) -> Json& {
      return parts.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
    };
    Parts parts = good;
    parts.views.back()[0] = 'x';
    QVERIFY(refusal(parts).find("is no Draco data") != std::string::npos);
    parts = good;
    parts.views.back().resize(parts.views.back().size() / 2);
    QVERIFY(refusal(parts).find("is damaged") != std::string::npos);
    parts = good;
    extensionOf(parts)["bufferView"] = 9'999;
    QVERIFY(refusal(parts).find("not there") != std::string::npos);
    parts = good;
    extensionOf(parts)["attributes"]["NORMAL"] = 77;
    QVERIFY(refusal(parts).find("packed NORMAL is not in the packed form") != std::string::npos);
    parts = good;
    extensionOf(parts)["attributes"]["COLOR_0"] = 0;
    QVERIFY(refusal(parts).find("has no accessor") != std::string::npos);
    parts = good;
    extensionOf(parts).erase("attributes");
    QVERIFY(refusal(parts).find("does not say how it is packed") != std::string::npos);
  }

  // Damaged in a few bytes: read or refused in one sentence, and the host lives.
  void bytesWithinTheTextAreThoseOfAFile_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<bool>("escapes");
    QTest::addColumn<bool>("pads");
    QTest::newRow("octets") << QByteArray("application/octet-stream") << false << true;
    QTest::newRow("buffer") << QByteArray("application/gltf-buffer") << false << true;
    QTest::newRow("any type") << QByteArray("application/x-of-mine") << false << true;
    QTest::newRow("escaped slashes") << QByteArray("application/octet-stream") << true << true;
    QTest::newRow("no padding") << QByteArray("application/octet-stream") << false << false;
  }

  void bytesWithinTheTextAreThoseOfAFile() {
    QFETCH(QByteArray, type);
    QFETCH(bool, escapes);
    QFETCH(bool, pads);
    Parts parts = Parts::of(ck::test::sampleHumanoid());
    // A node whose name looks like a reference stays one.
    parts.json["nodes"].push_back({{"name", "bytes within the file:0"}});
    const std::string glb = parts.glb();
    const auto plain = import(glb);
    QVERIFY(plain.has_value());
    const std::string text = textWithBytes(glb, type.toStdString(), escapes, pads);
    const auto same = import(text, "packed.gltf");
    QVERIFY2(same.has_value(), same ? "" : same.error().message.c_str());
    QVERIFY(same->clips == plain->clips && same->rig.skinJoints.size() > 0);
    QCOMPARE(same->meshes.size(), plain->meshes.size());
    for (std::size_t m = 0; m < same->meshes.size(); ++m) {
      QVERIFY(same->meshes[m].positions == plain->meshes[m].positions);
    }
    QVERIFY(same->images.size() == plain->images.size());
    for (std::size_t i = 0; i < same->images.size(); ++i) {
      QVERIFY(same->images[i].rgba == plain->images[i].rgba);
    }
  }

  void bytesWithinTheTextThatMakeNoSenseAreRefused() {
    const std::string glb = Parts::of(ck::test::sampleHumanoid()).glb();
    const std::string text = textWithBytes(glb, "application/octet-stream", false, true);
    const std::size_t digits = text.find(";base64,") + 8;
    std::string wrong = text;
    wrong[digits + 40] = '*';
    const auto damaged = import(wrong, "packed.gltf");
    QVERIFY(!damaged && damaged.error().code == ck::ErrorCode::ImportFailed);
    QVERIFY2(damaged.error().message.size() < 400, damaged.error().message.c_str());
    const auto shorter = import(text.substr(0, digits) + text.substr(digits + 4), "packed.gltf");
    QVERIFY(!shorter && shorter.error().code == ck::ErrorCode::ImportFailed);
    QVERIFY2(shorter.error().message.find("bytes within the file") != std::string::npos,
             shorter.error().message.c_str());
    // Places are those of the file as it lies there.
    std::string broken = text;
    const std::size_t place = broken.find("\"nodes\"");
    QVERIFY(place != std::string::npos && place > digits);
    broken[place] = '}';
    const auto refused = import(broken, "packed.gltf");
    QVERIFY(!refused);
    const std::string said = "broken at byte " + std::to_string(place + 1);
    QVERIFY2(refused.error().message.find(said) != std::string::npos,
             refused.error().message.c_str());
  }

  void damagedPacksLeaveTheHostUnharmed() {
    const char* extension = "EXT_meshopt_compression";
    Parts meshopt = Parts::of(ck::test::sampleHumanoid());
    meshopt.json.erase("animations");
    const Json primitive = meshopt.json["meshes"][0]["primitives"][0];
    for (const auto& [name, accessor] : primitive["attributes"].items()) {
      packRows(meshopt, accessor.get<int>(), extension);
    }
    packIndices(meshopt, primitive["indices"].get<int>(), extension, true);
    Parts draco = packedSample(false);
    draco.json.erase("animations");
    std::mt19937 random(5);
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 120; ++round) {
      Parts parts = round % 2 == 0 ? meshopt : draco;
      const std::size_t view = round % 2 == 0 ? random() % 6 : parts.views.size() - 1;
      Bytes& bytes = parts.views[view];
      // Heads decide about sizes, and are hit as often as all the rest.
      const std::size_t reach =
          round % 4 < 2 ? std::min<std::size_t>(bytes.size(), 40) : bytes.size();
      for (std::uint32_t n = 0; n <= random() % 4; ++n) {
        bytes[random() % reach] = static_cast<std::uint8_t>(random());
      }
      const auto character = import(parts.glb(extension));
      if (character) {
        QVERIFY(ck::validate(*character).has_value());
        ++read;
      } else {
        QVERIFY(!character.error().message.empty());
        QCOMPARE(character.error().message.find('\n'), std::string::npos);
        ++refused;
      }
    }
    qInfo("%d read, %d refused", read, refused);
    QVERIFY(read > 0 && refused > 0);
  }
};

CK_TEST(tst_gltf_packed)
#include "tst_gltf_packed.moc"
