#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/import/character_file.h"
#include "tests/fuzz/struct_mutation.h"
#include "tests/fuzz/target_list.h"
#include "tests/support/rich_character.h"

// Reads any bytes as what kiln-import sends, mostly under a right checksum. Their end also gives
// the changes of a character that is sent. An input that passes is a valid character, and comes
// back from its own bytes as it is. Built and run by scripts/fuzz.sh.

namespace {

using ck::fuzz::Bytes;
using ck::fuzz::bytesOf;

// Changes characters as a worker that was taken over may write them: indices and counts that are
// out of range, lists that do not fit each other.
class Mutation : public ck::fuzz::StructMutation {
 public:
  using StructMutation::StructMutation;

  void change(ck::Character& character) {
    switch (random_() % 10) {
      case 9:
        changeNumbers(character);
        break;
      case 0:
        if (auto* joint = any(character.rig.joints)) changeJoint(*joint);
        break;
      case 1:
        if (auto* joint = any(character.rig.skinJoints)) {
          joint->joint = index();
          joint->isSocket = !joint->isSocket;
        }
        break;
      case 2:
        if (auto* mesh = any(character.meshes)) changeMesh(*mesh);
        break;
      case 3:
        if (auto* clip = any(character.clips)) changeClip(*clip);
        break;
      case 4:
        if (auto* material = any(character.materials)) changeMaterial(*material);
        break;
      case 5:
        if (auto* image = any(character.images)) {
          image->width = index();
          if (random_() % 2 == 0) resize(image->rgba);
        }
        break;
      case 6:
        changeOrder(character.rig.joints);
        break;
      case 7:
        changeOrder(character.meshes);
        break;
      default:
        changeOrder(character.clips);
        break;
    }
  }

 private:
  void changeJoint(ck::Joint& joint) {
    joint.parent = index();
    joint.preTransform[static_cast<int>(random_() % 4)][static_cast<int>(random_() % 4)] = number();
    joint.rest.translation.x = number();
    if (random_() % 4 == 0) joint.rest.rotation.w = number();
    if (random_() % 4 == 0) joint.name.assign(random_() % 300, 'j');
  }
  // One number of any list, mostly one that is none.
  void changeNumbers(ck::Character& character) {
    const auto value = random_() % 4 == 0 ? number() : std::numeric_limits<double>::quiet_NaN();
    const auto real = static_cast<float>(value);
    ck::Mesh* mesh = any(character.meshes);
    ck::MorphTarget* target = mesh == nullptr ? nullptr : any(mesh->morphTargets);
    const auto set = [real](auto* vector) {
      if (vector != nullptr) vector->x = real;
    };
    switch (random_() % 14) {
      case 0:
        if (auto* joint = any(character.rig.skinJoints)) joint->inverseBind[1][2] = value;
        return;
      case 1:
        if (auto* joint = any(character.rig.joints)) joint->rest.scale.y = value;
        return;
      case 2:
        return mesh == nullptr ? void() : set(any(mesh->positions));
      case 3:
        return mesh == nullptr ? void() : set(any(mesh->normals));
      case 4:
        return mesh == nullptr ? void() : set(any(mesh->tangents));
      case 5:
        return mesh == nullptr ? void() : set(any(mesh->uvs));
      case 6:
        if (mesh == nullptr) return;
        mesh->secondUvs.assign(mesh->positions.size() + random_() % 2, glm::vec2(real));
        return;
      case 7:
        return target == nullptr ? void() : set(any(target->positionDeltas));
      case 8:
        return target == nullptr ? void() : set(any(target->normalDeltas));
      case 9:
        if (target != nullptr) target->tangentDeltas.assign(random_() % 4, glm::vec3(real));
        return;
      case 10:
        if (mesh == nullptr) return;
        if (auto* weight = any(mesh->defaultMorphWeights)) *weight = real;
        return;
      case 11:
        if (auto* clip = any(character.clips)) clip->groundSpeedMetersPerSecond = value;
        return;
      case 12:
        if (auto* material = any(character.materials)) {
          material->emission.y = real;
          material->base.scale.x = real;
        }
        return;
      default:
        if (auto* clip = any(character.clips)) clip->startSeconds = value;
        return;
    }
  }
  void changeMesh(ck::Mesh& mesh) {
    switch (random_() % 12) {
      case 0:
        return resize(mesh.positions);
      case 1:
        return resize(mesh.normals);
      case 2:
        return resize(mesh.tangents);
      case 3:
        mesh.secondUvs.resize(mesh.positions.size());
        return resize(mesh.uvs);
      case 4:
        mesh.colors.assign(mesh.positions.size(), glm::vec4(static_cast<float>(number())));
        return;
      case 5:
        if (auto* start = any(mesh.influenceStarts)) *start = static_cast<std::uint32_t>(index());
        return;
      case 6:
        if (auto* influence = any(mesh.influences)) {
          influence->skinJoint = index();
          influence->weight = static_cast<float>(number());
        }
        return;
      case 7:
        if (auto* corner = any(mesh.indices)) *corner = static_cast<std::uint32_t>(index());
        return;
      case 8:
        return resize(mesh.indices);
      case 9:
        if (auto* target = any(mesh.morphTargets)) {
          if (auto* vertex = any(target->vertices)) *vertex = static_cast<std::uint32_t>(index());
          target->channel = index();
          if (random_() % 2 == 0) resize(target->normalDeltas);
        }
        return;
      case 10:
        changeOrder(mesh.morphTargets);
        return resize(mesh.defaultMorphWeights);
      default:
        mesh.material = index();
        return;
    }
  }
  template <class Value>
  void changeTrack(ck::Track<Value>& track) {
    if (random_() % 3 == 0) track.interpolation = static_cast<ck::Interpolation>(random_() % 4);
    if (random_() % 3 == 0) resize(track.values);
    if (random_() % 3 == 0) resize(track.times);
    if (auto* time = any(track.times)) *time = number();
  }
  void changeClip(ck::Clip& clip) {
    if (auto* tracks = any(clip.jointTracks); tracks != nullptr && random_() % 2 == 0) {
      if (random_() % 4 == 0) tracks->joint = index();
      changeTrack(tracks->translation);
      changeTrack(tracks->rotation);
      changeTrack(tracks->scale);
    } else if (auto* morphs = any(clip.morphTracks); morphs != nullptr && random_() % 2 == 0) {
      morphs->mesh = index();
      morphs->target = index();
      changeTrack(morphs->weight);
    } else if (auto* event = any(clip.events); event != nullptr && random_() % 2 == 0) {
      event->seconds = number();
    } else {
      clip.startSeconds = number();
      clip.durationSeconds = number();
    }
  }
  void changeMaterial(ck::Material& material) {
    const auto real = static_cast<float>(number());
    switch (below(10)) {
      case 0:
        material.base.image = index();
        return;
      case 1:
        material.base.uvSet = index();
        return;
      case 2:
        material.normal.rotation = real;
        return;
      case 3:
        material.baseColor.y = real;
        return;
      case 4:
        material.normalScale = real;
        return;
      case 5:
        material.metallic = real;
        return;
      case 6:
        material.roughness = real;
        return;
      case 7:
        material.alphaCutoff = real;
        return;
      case 8:
        material.emission.x = real;
        return;
      default:
        material.emissive.offset.x = real;
        return;
    }
  }
};

// The host refuses all that validate() refuses: a character that is changed before it is sent.
void sendChanged(unsigned seed) {
  ck::Character character = ck::test::richCharacter();
  Mutation mutation(seed);
  for (unsigned steps = 0; steps <= seed % 3; ++steps) mutation.change(character);
  const bool isSound = ck::validate(character).has_value();
  const auto received = ck::characterFromBytes(ck::characterToBytes(character));
  if (received && (!isSound || !(*received == character))) __builtin_trap();
}

int feedResult(const std::uint8_t* data, std::size_t size) {
  Bytes bytes = bytesOf(data, size);
  unsigned seed = 0;
  const std::size_t last = std::min(size, sizeof seed);
  std::memcpy(&seed, data + (size - last), last);
  sendChanged(seed);
  if (size < ck::blob::kHeaderBytes) {
    (void)ck::characterFromBytes(bytes);
    return 0;
  }
  if (data[size - 1] % 16 != 0) ck::test::sign(bytes);
  const auto character = ck::characterFromBytes(bytes);
  if (!character) return 0;
  if (const auto sound = ck::validate(*character); !sound) {
    std::fprintf(stderr, "not valid: %s\n", sound.error().message.c_str());
    __builtin_trap();
  }
  const auto again = ck::characterFromBytes(ck::characterToBytes(*character));
  if (!again || !(*again == *character)) __builtin_trap();
  for (const ck::Clip& clip : character->clips) {
    if (!ck::clipNamed(*character, clip.name)) __builtin_trap();
  }
  (void)ck::clipNamed(*character, "of no clip");
  (void)ck::scaled(*character, 0.5);
  return 0;
}

// Bytes that are no character become one first, so no seeds are needed.
std::size_t mutateResult(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  if (size < ck::blob::kHeaderBytes && size > 0 && seed % 4 != 0) {
    return LLVMFuzzerMutate(data, size, std::min(maxSize, ck::blob::kHeaderBytes - 1));
  }
  Bytes bytes = bytesOf(data, size);
  ck::test::sign(bytes);
  auto character = ck::characterFromBytes(bytes);
  const bool isOne = character.has_value();
  if (isOne && seed % 3 == 0) return LLVMFuzzerMutate(data, size, maxSize);
  if (!isOne && size > ck::blob::kHeaderBytes && seed % 16 != 0) {
    return LLVMFuzzerMutate(data, size, maxSize);
  }
  if (!isOne) character = ck::test::richCharacter();
  Mutation mutation(seed);
  mutation.change(*character);
  const Bytes changed = ck::characterToBytes(*character);
  if (changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace

CK_FUZZ_TARGET(result, feedResult, mutateResult)
