#include "tests/support/gl_exported_shader.h"

#include <epoxy/gl.h>

#include "core/export/targets/joint_table.h"

namespace ck::test {
namespace {

struct Format {
  GLint internal;
  GLenum layout;
  GLenum channel;
};

Format formatOf(TexelFormat format, AtlasTexture texture) {
  const bool integer = texture == AtlasTexture::Integer;
  switch (format) {
    case TexelFormat::Rgba16:
      return integer ? Format{GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT}
                     : Format{GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT};
    case TexelFormat::Rgba8:
      return integer ? Format{GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE}
                     : Format{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
    case TexelFormat::Rgba32F:
      return {GL_RGBA32F, GL_RGBA, GL_FLOAT};
    case TexelFormat::Rgba16F:
      return {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT};
    case TexelFormat::Rgba32Ui:
      return {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};
    case TexelFormat::Rg32Ui:
      return {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT};
    case TexelFormat::Rgb10A2Ui:
      return {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT};
  }
  return {};
}

unsigned makeTexture(int width, int height, const Format& format, const void* texels) {
  unsigned name = 0;
  glGenTextures(1, &name);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, format.internal, width, height, 0, format.layout, format.channel,
               texels);
  glBindTexture(GL_TEXTURE_2D, 0);
  return name;
}

// Adds a compiled shader to a program. Returns what the compiler says, or nothing.
std::string attach(unsigned program, GLenum kind, const std::string& text) {
  const unsigned shader = glCreateShader(kind);
  const char* start = text.c_str();
  glShaderSource(shader, 1, &start, nullptr);
  glCompileShader(shader);
  GLint good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  std::string said;
  if (good == 0) {
    said.resize(4000);
    GLsizei length = 0;
    glGetShaderInfoLog(shader, 4000, &length, said.data());
    said.resize(static_cast<std::size_t>(length));
  }
  glAttachShader(program, shader);
  glDeleteShader(shader);
  return said;
}

Result<unsigned> link(unsigned program, std::string said) {
  glLinkProgram(program);
  GLint good = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &good);
  if (good == 0) {
    glDeleteProgram(program);
    return fail(ErrorCode::Internal, "the shader does not compile: " + said);
  }
  glUseProgram(program);
  constexpr const char* kSamplers[] = {"ckAtlas",    "ckTable",    "ckActors",
                                       "ckPaletteX", "ckPaletteY", "ckPaletteZ"};
  for (int unit = 0; unit < 6; ++unit) {
    glUniform1i(glGetUniformLocation(program, kSamplers[unit]), unit);
  }
  glUniform1i(glGetUniformLocation(program, "ckPalette"), 3);
  return program;
}

void bindTextures(const unsigned (&names)[6]) {
  for (unsigned unit = 0; unit < 6; ++unit) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, names[unit]);
  }
  glActiveTexture(GL_TEXTURE0);
}

void unbindTextures() {
  constexpr unsigned kNone[6] = {};
  bindTextures(kNone);
}

}  // namespace

ExportedShader::ExportedShader(const Atlas& atlas, AtlasTexture texture) {
  bound_[0] = makeTexture(atlasWidth(atlas), atlasHeight(atlas),
                          formatOf(texelFormatOf(atlas), texture), atlas.texels.data());
  const JointTable table = jointTable(atlas);
  bound_[1] = makeTexture(table.width, table.height, {GL_RGBA32F, GL_RGBA, GL_FLOAT},
                          jointTableBytes(table).data());
}

ExportedShader::~ExportedShader() {
  glDeleteTextures(6, bound_);
  glDeleteTextures(3, targets_);
}

void ExportedShader::setActors(std::span<const glm::vec4> texels, int perRow) {
  std::vector<glm::vec4> padded(texels.begin(), texels.end());
  while (padded.size() % static_cast<std::size_t>(perRow) != 0) padded.emplace_back(-9.0f);
  glDeleteTextures(1, &bound_[2]);
  bound_[2] = makeTexture(perRow, static_cast<int>(padded.size()) / perRow,
                          {GL_RGBA32F, GL_RGBA, GL_FLOAT}, padded.data());
}

Result<std::vector<std::vector<glm::vec4>>> ExportedShader::draw(const std::string& vertex,
                                                                 const std::string& fragment,
                                                                 int targets,
                                                                 const FillNumbers& numbers) {
  const unsigned made = glCreateProgram();
  std::string said = attach(made, GL_VERTEX_SHADER, vertex);
  said += attach(made, GL_FRAGMENT_SHADER, fragment);
  const auto program = link(made, said);
  if (!program) return tl::unexpected(program.error());
  glUniform1f(glGetUniformLocation(*program, "ckSeconds"), numbers.seconds);
  glUniform1i(glGetUniformLocation(*program, "ckActorCount"), numbers.actors);
  glUniform1i(glGetUniformLocation(*program, "ckPaletteRows"), numbers.rows);

  glDeleteTextures(3, targets_);
  unsigned framebuffer = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
  for (int target = 0; target < targets; ++target) {
    targets_[target] =
        makeTexture(numbers.width, numbers.rows, {GL_RGBA32F, GL_RGBA, GL_FLOAT}, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[target], GL_TEXTURE_2D, targets_[target], 0);
  }
  glDrawBuffers(targets, buffers);
  glViewport(0, 0, numbers.width, numbers.rows);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  unsigned vertexArray = 0;
  glGenVertexArrays(1, &vertexArray);
  glBindVertexArray(vertexArray);
  bindTextures(bound_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  unbindTextures();
  std::vector<std::vector<glm::vec4>> texels;
  for (int target = 0; target < targets; ++target) {
    texels.emplace_back(static_cast<std::size_t>(numbers.width * numbers.rows));
    glReadBuffer(buffers[target]);
    glReadPixels(0, 0, numbers.width, numbers.rows, GL_RGBA, GL_FLOAT, texels.back().data());
  }
  glBindVertexArray(0);
  glDeleteVertexArrays(1, &vertexArray);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &framebuffer);
  glUseProgram(0);
  glDeleteProgram(*program);
  return texels;
}

void ExportedShader::usePalette() {
  for (int target = 0; target < 3; ++target) std::swap(bound_[3 + target], targets_[target]);
}

Result<std::vector<glm::vec4>> ExportedShader::compute(const std::string& text, int joints,
                                                       const FillNumbers& numbers) {
  const unsigned made = glCreateProgram();
  std::string said = attach(made, GL_COMPUTE_SHADER, text);
  const auto program = link(made, said);
  if (!program) return tl::unexpected(program.error());
  std::vector<glm::vec4> palette(static_cast<std::size_t>(3 * joints * numbers.actors));
  struct {
    float seconds;
    int actors;
    int unused[2];
  } const block = {numbers.seconds, numbers.actors, {}};
  unsigned names[2] = {};
  glGenBuffers(2, names);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, names[0]);
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(16 * palette.size()), nullptr,
               GL_STATIC_READ);
  glBindBufferBase(GL_UNIFORM_BUFFER, 4, names[1]);
  glBufferData(GL_UNIFORM_BUFFER, sizeof(block), &block, GL_STATIC_DRAW);
  bindTextures(bound_);
  glDispatchCompute(static_cast<GLuint>((joints + 7) / 8),
                    static_cast<GLuint>((numbers.actors + 7) / 8), 1);
  unbindTextures();
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(16 * palette.size()),
                     palette.data());
  glDeleteBuffers(2, names);
  glUseProgram(0);
  glDeleteProgram(*program);
  return palette;
}

}  // namespace ck::test
