#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/base/job.h"
#include "core/morph/morph_set.h"
#include "core/scene/character.h"

namespace ck {

// The vertices of a character in clusters, with what is needed to bound how far an atlas draws them
// from the source (docs/techniques.md 3.6). Immutable once made; threads share it.
struct VertexModel {
  // A skin joint of a vertex. The source has the weight drawn + lost; the drawing has `drawn`.
  struct Influence {
    std::uint32_t skinJoint = 0;
    float drawn = 0.0f;  // 0 if it is not drawn
    float lost = 0.0f;
  };
  // A morph that moves a vertex, in bind space.
  struct Delta {
    std::uint32_t morph = 0;  // into the MorphSet
    glm::vec3 position{0.0f};
  };
  // The largest values of a cluster.
  struct JointBound {
    std::uint32_t skinJoint = 0;
    float drawn = 0.0f;
    float lost = 0.0f;    // magnitude
    float mean = 0.0f;    // mean of `drawn`, over the vertices of the cluster
    float spread = 0.0f;  // how far `drawn` is from it at most
  };
  struct MorphBound {
    std::uint32_t morph = 0;
    float length = 0.0f;
  };
  struct Box {
    glm::vec3 center{0.0f};
    glm::vec3 half{0.0f};  // < 0: no vertex
  };
  struct Cluster {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Box box;  // in bind space, without morphs
    std::vector<JointBound> joints;
    std::vector<MorphBound> morphs;
    bool losesInfluences = false;
    float lostSum = 0.0f;  // largest magnitude of the sum of a vertex's lost weights
  };
  struct Place {
    int mesh = 0;
    int vertex = 0;  // in the mesh
  };

  std::vector<Place> places;  // one per vertex; vertices without duplicates, cluster by cluster
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> influenceStarts;  // places.size() + 1
  std::vector<Influence> influences;           // heaviest first
  std::vector<std::uint32_t> deltaStarts;      // places.size() + 1
  std::vector<Delta> deltas;
  std::vector<Cluster> clusters;
  std::vector<Box> jointBoxes;         // one per skin joint: all vertices that it influences
  std::vector<std::uint32_t> samples;  // an even choice of vertices, at most kMostSamples
  static constexpr std::size_t kMostSamples = 128;
};

// `influences`: how many influences are drawn, the heaviest, renormalised; > 0. The result is of no
// use if the job is stopped.
VertexModel vertexModelOf(const Character& character, const MorphSet& morphs, int influences,
                          const JobContext& job);

// The poses of the source and of the drawing at one moment. The matrices are skin matrices, one per
// skin joint; the weights have one entry per morph.
struct PosePair {
  std::span<const glm::dmat4> source;
  std::span<const glm::dmat4> drawn;
  std::span<const float> sourceMorphs;
  std::span<const float> drawnMorphs;
};

// Compares the posed vertices of one moment after the other. Holds scratch memory, so each thread
// needs its own. The model must outlive it.
class VertexComparison {
 public:
  explicit VertexComparison(const VertexModel& model);

  struct Worst {
    double meters = 0.0;
    int vertex = -1;  // into VertexModel::places; -1 if there are no vertices
  };
  // The vertex with the largest distance. Vertices are skipped only if a bound proves that they are
  // nearer, so the result is that of all vertices. `pair` must be finite.
  Worst worst(const PosePair& pair);

  // The distances of VertexModel::samples for the pair of the last call, in millimetres: of those
  // of the numbers first, first + step and so on.
  void sample(std::vector<float>& mm, std::size_t step = 1, std::size_t first = 0) const;

 private:
  struct Affine {
    glm::vec3 x, y, z, t;
  };
  void prepare(const PosePair& pair);
  float boundOf(const VertexModel::Cluster& cluster) const;
  float lostBound(const VertexModel::Cluster& cluster, const VertexModel::Box& box) const;
  float squaredError(std::uint32_t vertex) const;
  static float reachOf(const Affine& m, const VertexModel::Box& box);

  const VertexModel& model_;
  bool needsPoses_ = false;          // some vertex loses influences or has morphs
  std::vector<Affine> differences_;  // source - drawn
  std::vector<Affine> source_;
  std::vector<Affine> drawn_;
  std::vector<float> reaches_;       // largest distance of a joint's vertices under its difference
  std::vector<float> morphWeights_;  // of the source, one per morph
  std::vector<float> morphOffs_;     // source - drawn
  bool morphing_ = false;
  std::uint32_t lastWorst_ = 0;
};

}  // namespace ck
