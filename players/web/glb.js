// Reads the GLB that Crowdkiln writes: one primitive per mesh, pictures inside, sparse morph targets.

const COMPONENTS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export function readGlb(bytes) {
  const view = new DataView(bytes);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, jsonLength)));
  const binary = 20 + jsonLength + 8;

  const values = (bufferView, offset, type, count) => {
    const { byteOffset = 0 } = json.bufferViews[bufferView];
    return new COMPONENTS[type](bytes, binary + byteOffset + (offset ?? 0), count);
  };
  const accessor = (index) => {
    if (index === undefined) return null;
    const { bufferView, byteOffset, componentType, count, type, sparse } = json.accessors[index];
    const width = WIDTHS[type];
    const array =
      bufferView === undefined
        ? new COMPONENTS[componentType](count * width)
        : values(bufferView, byteOffset, componentType, count * width);
    if (!sparse) return array;
    const full = array.slice();
    const { indices, values: own } = sparse;
    const places = values(indices.bufferView, indices.byteOffset, indices.componentType, sparse.count);
    const floats = values(own.bufferView, own.byteOffset, componentType, sparse.count * width);
    places.forEach((place, i) => full.set(floats.subarray(i * width, i * width + width), place * width));
    return full;
  };

  const meshes = json.meshes.map(({ primitives: [primitive] }) => ({
    positions: accessor(primitive.attributes.POSITION),
    normals: accessor(primitive.attributes.NORMAL),
    uvs: accessor(primitive.attributes.TEXCOORD_0),
    secondUvs: accessor(primitive.attributes.TEXCOORD_1),
    colors: accessor(primitive.attributes.COLOR_0),
    joints: accessor(primitive.attributes.JOINTS_0),
    weights: accessor(primitive.attributes.WEIGHTS_0),
    indices: accessor(primitive.indices),
    material: primitive.material ?? -1,
    targets: (primitive.targets ?? []).map((one) => ({ positions: accessor(one.POSITION), normals: accessor(one.NORMAL) })),
  }));
  // A picture as it lies on a surface: place = offset + turn * uv, `turn` by columns.
  const mapOf = (info) => {
    if (!info) return null;
    const { source, sampler } = json.textures[info.index];
    const { offset = [0, 0], rotation = 0, scale = [1, 1] } = info.extensions?.KHR_texture_transform ?? {};
    const [c, s] = [Math.cos(rotation), Math.sin(rotation)];
    const { wrapS = 10497, wrapT = 10497 } = json.samplers?.[sampler] ?? {};
    return { image: source, set: info.texCoord ?? 0, offset, turn: [c * scale[0], -s * scale[0], s * scale[1], c * scale[1]], wraps: [wrapS, wrapT] };
  };
  const materials = (json.materials ?? []).map((material) => {
    const surface = material.pbrMetallicRoughness ?? {};
    const strength = material.extensions?.KHR_materials_emissive_strength?.emissiveStrength ?? 1;
    return {
      color: surface.baseColorFactor ?? [1, 1, 1, 1],
      map: mapOf(surface.baseColorTexture),
      glow: (material.emissiveFactor ?? [0, 0, 0]).map((value) => value * strength),
      glowMap: mapOf(material.emissiveTexture),
      alpha: material.alphaMode ?? 'OPAQUE',
      cutoff: material.alphaCutoff ?? 0.5,
      unlit: material.extensions?.KHR_materials_unlit !== undefined,
      masked: material.extras?.tintMask !== undefined,
      doubleSided: material.doubleSided === true,
    };
  });
  const images = (json.images ?? []).map(({ bufferView, mimeType }) => {
    const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    return new Blob([new Uint8Array(bytes, binary + byteOffset, byteLength)], { type: mimeType });
  });
  return { meshes, materials, images };
}
