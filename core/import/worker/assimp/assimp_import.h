#pragma once

#include "core/import/worker/assimp/assimp_library.h"

// What kiln-assimp.so is loaded for.
extern "C" const ck::worker::AssimpReader kAssimpReader;
