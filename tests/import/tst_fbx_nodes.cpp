#include <fmt/format.h>

#include <QTest>
#include <cmath>
#include <random>
#include <span>

#include "core/anim/clip_sampler.h"
#include "core/import/worker/fbx/fbx_clips.h"
#include "core/import/worker/fbx/fbx_nodes.h"
#include "core/import/worker/fbx/fbx_shapes.h"
#include "tests/support/fbx_text.h"
#include "tests/support/test_program.h"

using ck::test::fbxProperty;
using ck::test::FbxText;
using ck::worker::FbxInherit;
using ck::worker::FbxScaleLink;
using ck::worker::FbxScales;

namespace {

// A file as addFbxNodes() wants it; it owns what it refers to.
struct ReadFile {
  std::string text;
  ck::worker::FbxTree tree;
  ck::worker::FbxScene file;
  ck::worker::SourceScene scene;
  std::vector<ck::worker::FbxAnimation> animations;
  ck::worker::FbxNodes nodes;

  explicit ReadFile(std::string from) : text(std::move(from)) {
    auto read = ck::worker::readFbxTree(std::as_bytes(std::span(text)));
    if (!read) qFatal("%s", read.error().message.c_str());
    tree = std::move(*read);
    auto made = ck::worker::makeFbxScene(tree);
    if (!made) qFatal("%s", made.error().message.c_str());
    file = std::move(*made);
    animations = ck::worker::readFbxAnimations(file, scene.notes);
    auto added = ck::worker::addFbxNodes(file, animations, scene);
    if (!added) qFatal("%s", added.error().message.c_str());
    nodes = std::move(*added);
  }
};

// The scales of a chain of unturned nodes along x. Powers of two, so that products are exact.
struct Chain {
  std::vector<int> types;
  std::vector<double> scales;
  std::vector<double> globals;  // the scale of each node in the scene, by Autodesk's definition
  std::vector<double> places;   // on the x axis; each node is 1 from its parent in its space

  // `factor` multiplies the scale of the root, which all other nodes inherit.
  explicit Chain(std::size_t count, double factor = 1.0) {
    std::mt19937 random(5);
    for (std::size_t n = 0; n < count; ++n) {
      types.push_back(n < 2 ? 1 : static_cast<int>(random() % 3));
      // Segment scale compensation takes the scale of the parent out again.
      const double above = n == 0 ? 1.0 : globals[n - 1];
      const double inherited = types[n] == 2 ? above / scales[n - 1] : above;
      scales.push_back(inherited > 4.0 ? 0.5 : inherited < 0.25 ? 2.0 : random() % 2 ? 0.5 : 2.0);
      globals.push_back(inherited * scales[n]);
    }
    for (std::size_t n = 0; n < count; ++n) {
      globals[n] *= factor;
      places.push_back(n == 0 ? 0.0 : places[n - 1] + globals[n - 1]);
    }
  }

  std::string text(bool moving) const {
    FbxText file;
    int parent = 0;
    std::vector<int> ids;
    for (std::size_t n = 0; n < scales.size(); ++n) {
      parent = file.limb(fmt::format("n{}", n), parent,
                         fbxProperty("Lcl Translation", glm::dvec3(n == 0 ? 0.0 : 1.0, 0, 0)) +
                             fbxProperty("Lcl Scaling", glm::dvec3(scales[n])) +
                             fbxProperty("InheritType", types[n]));
      ids.push_back(parent);
    }
    if (!moving) return file.text();
    file.stack(1.0);
    for (std::size_t n = 0; n < ids.size(); ++n) {
      for (const char component : {'X', 'Y', 'Z'}) {
        const double last = n == 0 ? 3.0 : 1.0;
        file.curve(ids[n], "Lcl Scaling", component, {0.0, 1.0}, {scales[n], last * scales[n]},
                   FbxText::attributes(4, 2));
      }
    }
    return file.text();
  }
};

}  // namespace

// Hierarchies of FBX that are thousands of nodes deep. Work is counted, because a test that asserts
// a time depends on the machine.
class tst_fbx_nodes : public QObject {
  Q_OBJECT
 private slots:
  // Exponents of two are added up by hand. Every model is asked for every time.
  void inheritedScalesOfADeepChain() {
    constexpr int kCount = 60'000;
    constexpr int kTimes = 3;
    std::mt19937 random(3);
    std::vector<FbxScaleLink> links(kCount);
    std::vector<int> order;
    std::vector<int> exponents(kCount, 0);  // of the inherited scale at time 0
    std::vector<int> movers(kCount, 0);     // how many moving scales are part of it
    for (int n = 0; n < kCount; ++n) {
      FbxScaleLink& link = links[static_cast<std::size_t>(n)];
      link.parent = n - 1;
      link.inherit = random() % 5 == 0 ? FbxInherit::None : FbxInherit::Rotated;
      if (n == kCount / 2) link.inherit = FbxInherit::Plain;
      link.scale = glm::dvec3(n % 2 ? 2.0 : 0.5);
      link.moves = random() % 3 != 0;
      order.push_back(n);
      const auto at = static_cast<std::size_t>(n);
      if (n == 0 || link.inherit == FbxInherit::Plain) continue;
      exponents[at] = exponents[at - 1];
      movers[at] = movers[at - 1];
      if (link.inherit == FbxInherit::None) continue;
      exponents[at] += n % 2 ? -1 : 1;
      movers[at] += links[at - 1].moves ? 1 : 0;
    }
    FbxScales scales(links, order);
    long long evaluations = 0;
    int most = 0;
    for (int n = 0; n < kCount; ++n) {
      const auto at = static_cast<std::size_t>(n);
      most = std::max(most, movers[at]);
      const double rest = std::ldexp(1.0, exponents[at]);
      QCOMPARE(scales.inheritedAtRest(n).x, rest);
      QCOMPARE(scales.moverAbove(n) >= 0, movers[at] > 0);
      for (int time = 0; time < kTimes; ++time) {
        // At time 1 every moving scale has the other sign, so that each of them counts.
        const auto own = [&](int model) {
          ++evaluations;
          if (!links[static_cast<std::size_t>(model)].moves) qFatal("asked for a constant scale");
          return links[static_cast<std::size_t>(model)].scale * (time == 1 ? -1.0 : 1.0);
        };
        const double sign = time == 1 && movers[at] % 2 == 1 ? -1.0 : 1.0;
        QCOMPARE(scales.inherited(n, 0.25 * time, 0, own).x, sign * rest);
      }
    }
    qInfo("%d models, chains of up to %d moving scales, %lld evaluations", kCount, most,
          evaluations);
    QVERIFY(most > kCount / 10);
    QVERIFY(evaluations < 20ll * kCount * kTimes);
  }

  void branchesShareNothingButTheirAncestors() {
    // 0 moves; 1 and 2 are its children; 3 below 1 leaves out the scale of 1.
    const std::vector<FbxScaleLink> links = {
        {-1, FbxInherit::Rotated, glm::dvec3(2.0), true},
        {0, FbxInherit::Rotated, glm::dvec3(3.0), false},
        {0, FbxInherit::Plain, glm::dvec3(5.0), true},
        {1, FbxInherit::None, glm::dvec3(7.0), false},
        {1, FbxInherit::Rotated, glm::dvec3(11.0), false},
    };
    FbxScales scales(links, {0, 1, 3, 4, 2});
    const auto own = [](int model) { return glm::dvec3(model == 0 ? 10.0 : 1000.0); };
    const double atRest[] = {1, 2, 1, 2, 6};
    const double moved[] = {1, 10, 1, 10, 30};
    for (int n = 0; n < 5; ++n) {
      QCOMPARE(scales.inheritedAtRest(n).y, atRest[n]);
      QCOMPARE(scales.inherited(n, 0.5, 0, own).y, moved[n]);
    }
  }

  // More results than are kept, from the first time to the last and again.
  void resultsThatWereForgottenAreTheSame() {
    constexpr int kCount = 64;
    constexpr int kTimes = 900'000;
    std::vector<FbxScaleLink> links;
    std::vector<int> order;
    for (int n = 0; n < kCount; ++n) {
      links.push_back({n - 1, FbxInherit::Rotated, glm::dvec3(1.0), true});
      order.push_back(n);
    }
    FbxScales scales(links, order);
    for (int round = 0; round < 2; ++round) {
      for (int time = 0; time < kTimes; ++time) {
        const double seconds = time;
        // The time is the scale of the root, and all others are 1.
        const auto own = [&](int model) { return glm::dvec3(model == 0 ? seconds + 1.0 : 1.0); };
        const double found = scales.inherited(kCount - 1, seconds, 0, own).x;
        if (found != seconds + 1.0) QFAIL("another scale");
      }
    }
  }

  void tooManyTimesOfScalesAreRefused() {
    ReadFile read(Chain(100).text(true));
    const auto made = ck::worker::addFbxClips(read.animations, read.nodes, {}, read.scene, 1);
    QVERIFY(!made.has_value());
    QCOMPARE(int(made.error().code), int(ck::ErrorCode::LimitExceeded));
    QVERIFY2(QString::fromStdString(made.error().message)
                 .contains("model 'n0': the moving scales up to here have more than 1 times"),
             made.error().message.c_str());
  }

  void restOfADeepChainIsTheFormula() {
    const Chain chain(20'000);
    const ReadFile read(chain.text(false));
    compare(read, chain, [](const ck::worker::SourceNode& node, std::size_t) {
      return std::pair(node.rest.translation.x, node.rest.scale.x);
    });
  }

  // All scales have keys, that of the root moves. Without sharing, the scales of all ancestors are
  // evaluated at every time of every model.
  void clipOfADeepChainIsTheFormula() {
    const std::size_t count = 3'000;
    ReadFile read(Chain(count).text(true));
    QVERIFY(ck::worker::addFbxClips(read.animations, read.nodes, {}, read.scene).has_value());
    QCOMPARE(read.scene.clips.size(), std::size_t{1});
    std::vector<const ck::worker::SourceNodeTracks*> tracks(read.scene.nodes.size(), nullptr);
    for (const auto& node : read.scene.clips[0].nodeTracks) {
      tracks[static_cast<std::size_t>(node.node)] = &node;
    }
    for (const double time : {0.0, 0.25, 1.0}) {
      compare(read, Chain(count, 1.0 + 2.0 * time),
              [&](const ck::worker::SourceNode& node, std::size_t n) {
                double place = node.rest.translation.x;
                double scale = node.rest.scale.x;
                if (tracks[n] && !tracks[n]->translation.empty()) {
                  place = double(ck::sampleTrack(tracks[n]->translation, time).x);
                }
                if (tracks[n] && !tracks[n]->scale.empty()) {
                  scale = double(ck::sampleTrack(tracks[n]->scale, time).x);
                }
                return std::pair(place, scale);
              });
    }
  }

 private:
  // Compares places and scales of all models in the scene. `localOf` gives place and scale of a
  // node in its parent.
  template <class LocalOf>
  static void compare(const ReadFile& read, const Chain& chain, const LocalOf& localOf) {
    const auto& nodes = read.scene.nodes;
    std::vector<std::pair<double, double>> global(nodes.size());
    for (const int index : parentsFirst(nodes)) {
      const auto n = static_cast<std::size_t>(index);
      const auto [place, scale] = localOf(nodes[n], n);
      const std::pair<double, double> above =
          nodes[n].parent < 0 ? std::pair(0.0, 1.0)
                              : global[static_cast<std::size_t>(nodes[n].parent)];
      global[n] = {above.first + above.second * place, above.second * scale};
    }
    QCOMPARE(read.nodes.models.size(), chain.scales.size());
    for (std::size_t m = 0; m < chain.scales.size(); ++m) {
      const auto [place, scale] = global[static_cast<std::size_t>(read.nodes.models[m].whole)];
      if (std::abs(scale / chain.globals[m] - 1.0) < 1e-3 &&
          std::abs(place - chain.places[m]) <= 1e-4 * (1.0 + chain.places[m])) {
        continue;
      }
      QFAIL(qPrintable(QString("model %1: place %2, scale %3; due %4, %5")
                           .arg(m)
                           .arg(place)
                           .arg(scale)
                           .arg(chain.places[m])
                           .arg(chain.globals[m])));
    }
  }

  static std::vector<int> parentsFirst(const std::vector<ck::worker::SourceNode>& nodes) {
    std::vector<std::vector<int>> below(nodes.size());
    std::vector<int> order;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].parent < 0) {
        order.push_back(static_cast<int>(n));
      } else {
        below[static_cast<std::size_t>(nodes[n].parent)].push_back(static_cast<int>(n));
      }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::vector<int> next = below[static_cast<std::size_t>(order[i])];
      order.insert(order.end(), next.begin(), next.end());
    }
    return order;
  }
};

CK_TEST(tst_fbx_nodes)
#include "tst_fbx_nodes.moc"
