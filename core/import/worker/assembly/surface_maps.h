#pragma once

#include <glm/glm.hpp>

#include "core/import/worker/assembly/source_scene.h"

// Turns the images of other kinds of materials into those of Material.
namespace ck::worker {

// sRGB to linear, and back (IEC 61966-2-1). Values are from 0 to 1.
double linearOf(double value);
double displayOf(double value);
// Vertex colours of formats that hold them as they are seen, made linear. Alpha is kept. Numbers
// that are not finite, and negative ones, become 0.
glm::vec4 linearColor(const glm::vec4& color);

// The meaning of the alpha channel of an image.
enum class AlphaUse {
  None,    // nothing: every texel is there
  Cut,     // nearly every texel is there or is not: leaves, cards of hair
  Shaded,  // many texels lie between: glass, smoke
};
AlphaUse alphaUseOf(const Image& image);

// A copy of `colors` with an image of opacity as its alpha: the alpha channel of that image if it
// says anything, else the mean of its colours. `inverted`: it holds transparency. The result is as
// large as the larger of both.
Image withOpacity(const Image& colors, const Image& opacity, bool inverted);

// Makes a map of opacity part of a material: its image is the alpha of the base colour, which is
// cut or blended by what it holds. `inverted`: as above. Returns false if the map lies otherwise
// than the base colour's image; then nothing is changed.
bool setOpacity(const SurfaceMap& map, bool inverted, Material& material, SourceScene& scene);

// One image for Material::metalRoughness of two grey ones; nullptr is white. `glossy`: the
// second holds the opposite of roughness.
Image metalRoughnessOf(const Image* metallic, const Image* roughness, bool glossy);

// A surface by the colours that it scatters and reflects, as KHR_materials_pbrSpecularGlossiness
// describes it. Colours are linear.
struct GlossySurface {
  glm::dvec3 diffuse{1.0};
  glm::dvec3 specular{1.0};
  double glossiness = 1.0;
};
struct MetalSurface {
  glm::dvec3 base{1.0};
  double metallic = 0.0;
  double roughness = 1.0;
};
// The surface of metal and roughness that looks most like it: the conversion that Khronos published
// with the extension.
MetalSurface metalSurfaceOf(const GlossySurface& glossy);

// The same for images, texel by texel; nullptr is white. `colors` holds the scattered colour and
// opacity, `gloss` the reflected colour and, as alpha, glossiness; the surface is their factor. The
// results are as large as the larger of both.
struct MetalMaps {
  Image base;
  Image metalRoughness;
  // The values of all texels, where these are the same; then metalRoughness is not needed.
  bool isUniform = false;
  double metallic = 0.0;
  double roughness = 1.0;
};
MetalMaps metalMapsOf(const Image* colors, const Image* gloss, const GlossySurface& factor);

// One note (UvsMissing) for each mesh that lacks the texture coordinates of its material's maps;
// for normal maps completeTangents() says so. The meshes must be named.
void noteMissingUvs(SourceScene& scene);

// Whether two maps differ in their images alone.
bool isPlacedAs(const SurfaceMap& a, SurfaceMap b);

// Removes the images that no material shows.
void dropUnusedImages(SourceScene& scene);

}  // namespace ck::worker
