// The code of tinygltf, in a file of its own: its header changes what is included after it. It
// writes through <fstream> without including it where file access is switched off.
#include <fstream>

#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
