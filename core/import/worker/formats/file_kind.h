#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace ck::worker {

// What a file is, by its content; the ending decides only where the content does not tell.
enum class FileKind { Gltf, Fbx, Collada, Md5Mesh, Md5Anim, Bvh, X, Iqm, Unknown };

FileKind kindOf(std::span<const std::byte> bytes, const std::filesystem::path& file);

// "FBX", "Collada" and so on, as SourceInfo::format has it.
std::string kindName(FileKind kind);

}  // namespace ck::worker
