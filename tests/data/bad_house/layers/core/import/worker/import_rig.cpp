#include <assimp/scene.h>

#include "core/import/worker/import_rig.h"
