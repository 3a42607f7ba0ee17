#pragma once

#include "core/import/worker/assimp/assimp_library.h"

// The symbol that kiln-assimp.so is loaded for.
extern "C" const ck::worker::AssimpReader kAssimpReader;
