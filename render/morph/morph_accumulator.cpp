#include "render/morph/morph_accumulator.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/base/shared_glsl.h"

namespace ck::render {
namespace {

constexpr std::size_t kPlaceBytes = 8 * sizeof(std::int32_t);
constexpr std::size_t kDifferenceBytes = 6 * sizeof(float);

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

// A number in the representation of the sums.
std::int32_t stored(float value, float scale, MorphSums sums) {
  if (sums == MorphSums::Float) return std::bit_cast<std::int32_t>(value);
  return gpu::ck_morphStep(1.0f, value * scale);
}

}  // namespace

std::string whyNotAccumulated(MorphPath path, MorphSums sums, const ContextFacts& facts) {
  if (path != MorphPath::Compute) return {};
  if (!facts.compute) {
    return fmt::format(
        "morph targets by compute shader need OpenGL 4.3, and this is {}; use transform feedback",
        facts.version);
  }
  if (sums == MorphSums::Float) {
    return "morph targets by compute shader are added as integers alone; use transform feedback "
           "for "
           "float sums";
  }
  return {};
}

int largestMorphBatch() {
  GLint attributes = 0;
  glGetIntegerv(GL_MAX_VERTEX_ATTRIBS, &attributes);
  return std::clamp((static_cast<int>(attributes) - 2) / 2, 1, kLargestMorphBatch);
}

MorphAccumulator::MorphAccumulator(const DifferenceSet& differences,
                                   const AccumulatorSettings& settings, ShaderLibrary& shaders)
    : differences_(differences),
      settings_(settings),
      shaders_(shaders),
      planner_(differences.morphs.size(), settings.sums),
      vertexArray_(GlHandle::generate(GlKind::VertexArray)) {}

Result<std::unique_ptr<MorphAccumulator>> MorphAccumulator::make(
    const DifferenceSet& differences, const AccumulatorSettings& settings, ShaderLibrary& shaders,
    const ContextFacts& facts) {
  std::string refusal = whyNotAccumulated(settings.path, settings.sums, facts);
  if (!refusal.empty()) return fail(ErrorCode::Unsupported, std::move(refusal));
  if (settings.batch < 1 || settings.batch > largestMorphBatch()) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} morph targets cannot be added in one pass here; 1 to {} can",
                            settings.batch, largestMorphBatch()));
  }
  std::unique_ptr<MorphAccumulator> made(new MorphAccumulator(differences, settings, shaders));
  if (auto ok = made->uploadBase(); !ok) return tl::unexpected(ok.error());
  auto nowhere = Target::make(1, 1, TargetFormat::Rgba8);
  if (!nowhere) return tl::unexpected(nowhere.error());
  made->nowhere_ = std::move(*nowhere);
  auto ok = settings.path == MorphPath::Compute ? made->uploadSparse() : made->uploadDense();
  if (!ok) return tl::unexpected(ok.error());
  return made;
}

Result<void> MorphAccumulator::uploadBase() {
  std::vector<std::int32_t> numbers;
  const auto add = [&](const glm::vec3& value, float scale) {
    for (int i = 0; i < 3; ++i) numbers.push_back(stored(value[i], scale, settings_.sums));
    numbers.push_back(0);
  };
  for (std::size_t place = 0; place < differences_.positions.size(); ++place) {
    add(differences_.positions[place], differences_.scale.position);
    add(differences_.normals[place], differences_.scale.normal);
  }
  if (numbers.empty()) numbers.resize(8);
  auto ok = base_.upload(numbers, BufferUse::Static, "the shape without morphs");
  if (!ok) return ok;
  for (BufferTexture& sums : sums_) {
    if (ok = sums.allocate(base_.sizeBytes(), "the sums of morphs"); !ok) return ok;
  }
  return {};
}

Result<void> MorphAccumulator::uploadDense() {
  const bool fixed = settings_.sums == MorphSums::Fixed;
  const float positionScale = fixed ? differences_.scale.position : 1.0f;
  const float normalScale = fixed ? differences_.scale.normal : 1.0f;
  const std::size_t places = differences_.positions.size();
  std::vector<glm::vec3> dense(differences_.morphs.size() * places * 2, glm::vec3(0.0f));
  for (std::size_t m = 0; m < differences_.morphs.size(); ++m) {
    const DifferenceMesh& morph = differences_.morphs[m];
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      const std::size_t at = (m * places + morph.places[i]) * 2;
      dense[at] = morph.positions[i] * positionScale;
      dense[at + 1] = morph.normals[i] * normalScale;
    }
  }
  if (dense.empty()) return {};
  return dense_.upload(dense, BufferUse::Static, "the difference meshes");
}

Result<void> MorphAccumulator::uploadSparse() {
  std::vector<std::int32_t> entries;
  firstEntry_ = {0};
  const auto add = [&entries](const glm::vec3& value, float scale) {
    for (int i = 0; i < 3; ++i) entries.push_back(std::bit_cast<std::int32_t>(value[i] * scale));
  };
  for (const DifferenceMesh& morph : differences_.morphs) {
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      entries.push_back(static_cast<std::int32_t>(morph.places[i]));
      add(morph.positions[i], differences_.scale.position);
      add(morph.normals[i], differences_.scale.normal);
      entries.push_back(0);
    }
    firstEntry_.push_back(static_cast<std::int32_t>(entries.size() / 8));
  }
  if (entries.empty()) return {};
  return sparse_.upload(entries, BufferUse::Static, "the sparse differences");
}

const BufferTexture& MorphAccumulator::current() const {
  return at_ < 0 ? base_ : sums_[static_cast<std::size_t>(at_)];
}
BufferTexture& MorphAccumulator::current() {
  return at_ < 0 ? base_ : sums_[static_cast<std::size_t>(at_)];
}

// Reads the current sums and writes the other buffer, which then is current.
Result<void> MorphAccumulator::runPass(std::span<const MorphChange> changes) {
  const bool fixed = settings_.sums == MorphSums::Fixed;
  auto found = shaders_.program(
      {.vertex = "morph/accumulate.vert",
       .fragment = "",
       .defines = {{"CK_BATCH", static_cast<int>(changes.size())}, {"CK_FIXED", fixed}},
       .feedback = {"vPosition", "vNormal"}});
  if (!found) return tl::unexpected(found.error());
  const Program& program = **found;
  glBindVertexArray(vertexArray_.name());
  glBindBuffer(GL_ARRAY_BUFFER, current().name());
  for (GLuint attribute = 0; attribute < 2; ++attribute) {
    glEnableVertexAttribArray(attribute);
    const void* from = offset(attribute * kPlaceBytes / 2);
    if (fixed) {
      glVertexAttribIPointer(attribute, 4, GL_INT, kPlaceBytes, from);
    } else {
      glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, kPlaceBytes, from);
    }
  }
  const std::size_t places = differences_.positions.size();
  glBindBuffer(GL_ARRAY_BUFFER, dense_.name());
  for (std::size_t i = 0; i < static_cast<std::size_t>(kLargestMorphBatch); ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      const auto attribute = static_cast<GLuint>(2 + 2 * i + half);
      if (i >= changes.size()) {
        if (attribute < static_cast<GLuint>(2 + 2 * settings_.batch)) {
          glDisableVertexAttribArray(attribute);
        }
        continue;
      }
      const std::size_t first = static_cast<std::size_t>(changes[i].morph) * places;
      glEnableVertexAttribArray(attribute);
      glVertexAttribPointer(attribute, 3, GL_FLOAT, GL_FALSE, kDifferenceBytes,
                            offset(first * kDifferenceBytes + half * sizeof(glm::vec3)));
    }
    if (i < changes.size()) {
      program.set(fmt::format("ckWeights[{}]", i).c_str(),
                  glm::vec2(changes[i].before, changes[i].now));
    }
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  const int next = at_ == 0 ? 1 : 0;
  BufferTexture& into = sums_[static_cast<std::size_t>(next)];
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, into.name());
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(places));
  glEndTransformFeedback();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glDisable(GL_RASTERIZER_DISCARD);
  glBindVertexArray(0);
  at_ = next;
  return {};
}

Result<void> MorphAccumulator::runScatter(const MorphPlan& plan) {
  if (plan.rebase) {
    at_ = 0;
    glBindBuffer(GL_COPY_READ_BUFFER, base_.name());
    glBindBuffer(GL_COPY_WRITE_BUFFER, current().name());
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                        static_cast<GLsizeiptr>(base_.sizeBytes()));
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  }
  std::vector<glm::ivec4> changes;
  std::int32_t most = 0;
  for (const MorphChange& change : plan.changes) {
    const auto morph = static_cast<std::size_t>(change.morph);
    const std::int32_t count = firstEntry_[morph + 1] - firstEntry_[morph];
    most = std::max(most, count);
    changes.emplace_back(firstEntry_[morph], count, std::bit_cast<std::int32_t>(change.before),
                         std::bit_cast<std::int32_t>(change.now));
  }
  if (most == 0) return {};
  auto stream = changes_.upload(changes, BufferUse::Stream, "the morph targets that changed");
  if (!stream) return stream;
  auto found = shaders_.program(
      {.vertex = "morph/scatter.comp", .fragment = "", .defines = {}, .feedback = {}});
  if (!found) return tl::unexpected(found.error());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, current().name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, sparse_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, changes_.name());
  glDispatchCompute(static_cast<GLuint>((most + 63) / 64), static_cast<GLuint>(changes.size()), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
  for (GLuint binding = 0; binding < 3; ++binding) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
  }
  return {};
}

Result<MorphWork> MorphAccumulator::update(std::span<const float> weights, bool jumped) {
  const MorphPlan plan = planner_.next(weights, jumped, settings_.onlyChanged);
  MorphWork work;
  work.rebased = plan.rebase;
  for (const MorphChange& change : plan.changes) work.changed.push_back(change.morph);
  if (differences_.positions.empty()) return work;
  if (settings_.path == MorphPath::Compute) {
    if (plan.changes.empty() && !plan.rebase) return work;
    if (auto ok = runScatter(plan); !ok) return tl::unexpected(ok.error());
    work.passes = plan.changes.empty() ? 0 : 1;
    return work;
  }
  if (plan.rebase) at_ = -1;
  const KeptFramebuffer kept;
  glBindFramebuffer(GL_FRAMEBUFFER, nowhere_->name());
  const std::span<const MorphChange> changes(plan.changes);
  const auto batch = static_cast<std::size_t>(settings_.batch);
  for (std::size_t first = 0; first < changes.size(); first += batch) {
    auto ok = runPass(changes.subspan(first, std::min(batch, changes.size() - first)));
    if (!ok) return tl::unexpected(ok.error());
    ++work.passes;
  }
  return work;
}

std::size_t MorphAccumulator::heldBytes() const {
  return base_.sizeBytes() + sums_[0].sizeBytes() + sums_[1].sizeBytes() + dense_.sizeBytes() +
         sparse_.sizeBytes() + changes_.sizeBytes();
}

void MorphAccumulator::wait() const {
  glFinish();
}

std::vector<std::int32_t> MorphAccumulator::read() const {
  std::vector<std::int32_t> numbers(current().sizeBytes() / sizeof(std::int32_t));
  current().read(numbers);
  std::vector<std::int32_t> sums;
  for (std::size_t place = 0; place < differences_.positions.size(); ++place) {
    for (std::size_t k = 0; k < 6; ++k) sums.push_back(numbers[place * 8 + k + k / 3]);
  }
  return sums;
}

}  // namespace ck::render
