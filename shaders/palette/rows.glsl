// The rows of a palette that lies in a buffer. CK_PALETTE_STORAGE, where it is defined: read as a
// storage buffer instead of through a texture. To be included first: it asks for an extension,
// which OpenGL 4.3 has within.
#ifdef CK_PALETTE_STORAGE
#extension GL_ARB_shader_storage_buffer_object : require
layout(std430) readonly buffer CkPaletteRows { vec4 ckPaletteRows[]; };
vec4 ckPaletteRow(int at) { return ckPaletteRows[at]; }
#else
uniform samplerBuffer ckPalette;
vec4 ckPaletteRow(int at) { return texelFetch(ckPalette, at); }
#endif
