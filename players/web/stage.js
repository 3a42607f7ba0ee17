// Sky, ground and soft shadows: the editor's own shaders (shaders/crowd), which are part of the page.
import { listTexture, program, use } from './gl.js';

const SKY = { CK_ACROSS: 24, CK_UP: 16 };
const GROUND = { CK_RINGS: 20, CK_SPOKES: 48, CK_GRID: 1 };
// Darkness of the key light's shadow and of the contact shadow.
const SUN = 0.46;
const CONTACT = 0.6;

// Two quads per actor: the shadow of the light, and the one where it stands.
const shadowVertex = (crowd, shape) => `${crowd.common}${crowd.atlas}${crowd.actors}${shape}
uniform mat4 ckViewProjection;
uniform sampler2D ckFootprints;
uniform float ckSeconds;
layout(location = 5) in vec4 aPlace;
layout(location = 6) in vec4 aTurn;
out vec2 vSpread;
out vec3 vWorld;
flat out float vStrength;
flat out int vRing;
flat out int vContact;

vec4 ckFootprint(int i) {
  int width = textureSize(ckFootprints, 0).x;
  return texelFetch(ckFootprints, ivec2(i % width, i / width), 0);
}
CkCloud ckCloudAt(CkMoment moment) {
  int next = moment.alpha > 0.0 ? moment.frame + 1 : moment.frame;
  CkCloud cloud;
  cloud.meanLow = mix(ckFootprint(moment.frame * 3), ckFootprint(next * 3), moment.alpha);
  cloud.diagonal = mix(ckFootprint(moment.frame * 3 + 1), ckFootprint(next * 3 + 1), moment.alpha).xyz;
  cloud.mixed = mix(ckFootprint(moment.frame * 3 + 2), ckFootprint(next * 3 + 2), moment.alpha).xyz;
  return cloud;
}

void main() {
  vContact = gl_VertexID / 6;
  vRing = 0;
  CkShown shown = ckShownBy(gl_InstanceID, ckSeconds);
  CkCloud cloud = ckCloudAt(shown.a);
  if (shown.blend > 0.0) {
    CkCloud second = ckCloudAt(shown.b);
    cloud.meanLow = mix(cloud.meanLow, second.meanLow, shown.blend);
    cloud.diagonal = mix(cloud.diagonal, second.diagonal, shown.blend);
    cloud.mixed = mix(cloud.mixed, second.mixed, shown.blend);
  }
  vec2 slant = vContact == 0 ? kToLight.xz / kToLight.y : vec2(0.0);
  CkEllipse ellipse = ckEllipseOf(cloud, aPlace.xyz, aTurn, vec3(aPlace.w), slant);
  vStrength = (vContact == 0 ? ${SUN} : ${CONTACT}) * exp(-ellipse.low / (3.0 * ellipse.size + 1e-6));
  int corner = gl_VertexID % 6;
  vec2 unit = vec2(corner == 1 || corner == 2 || corner == 4 ? 1.0 : -1.0,
                   corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0);
  vSpread = unit * (vContact == 0 ? 2.3 : 2.6);
  vec2 place = ellipse.center + (vContact == 0 ? 1.0 : 1.25) * (ellipse.axes * vSpread);
  vWorld = vec3(place.x, 0.0, place.y);
  gl_Position = ckViewProjection * vec4(vWorld, 1.0);
}
`;

export class Stage {
  /** @param scene shader texts by name. @param crowd those of the set. @param footprints Float32Array. */
  constructor(gl, scene, crowd, footprints) {
    this.gl = gl;
    this.sky = program(gl, scene['sky.vert'], scene['sky.frag'], SKY);
    this.ground = program(gl, scene['ground.vert'], scene['ground.frag'], GROUND);
    this.shadow = program(gl, shadowVertex(crowd, scene['look.glsl'] + scene['footprint_shape.glsl']), scene['footprint.frag']);
    this.footprints = listTexture(gl, footprints);
    this.empty = gl.createVertexArray();
  }

  /** Sets what all programs of the scene read: the eye and the fog. */
  look({ at }, view) {
    const { gl } = this;
    gl.uniform3fv(at.ckEye, view.eye);
    gl.uniform1f(at.ckFogMeters, view.fogMeters);
    if (at.ckViewProjection) gl.uniformMatrix4fv(at.ckViewProjection, false, view.worldToClip);
  }

  drawSky(view) {
    const { gl } = this;
    use(gl, this.sky);
    this.look(this.sky, view);
    gl.uniformMatrix4fv(this.sky.at.ckWorldFromClip, false, view.clipToWorld);
    gl.bindVertexArray(this.empty);
    gl.depthMask(false);
    gl.depthFunc(gl.LEQUAL);
    gl.drawArrays(gl.TRIANGLES, 0, SKY.CK_ACROSS * SKY.CK_UP * 6);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
  }

  /** The floor, with lines at every power of ten metres that suits the distance. */
  drawGround(view) {
    const { gl } = this;
    const decade = Math.log10(Math.max(view.distance, 0.01) / 6);
    use(gl, this.ground);
    this.look(this.ground, view);
    const { at } = this.ground;
    gl.uniform2f(at.ckGroundCenter, view.target[0], view.target[2]);
    gl.uniform1f(at.ckGroundRadius, Math.max(view.distance * 14, 30));
    gl.uniform1f(at.ckCellMeters, 10 ** Math.floor(decade));
    gl.uniform1f(at.ckCellFade, Math.min(1, (1 - (decade - Math.floor(decade))) * 1.6));
    gl.bindVertexArray(this.empty);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 4);
    gl.drawArrays(gl.TRIANGLES, 0, GROUND.CK_RINGS * GROUND.CK_SPOKES * 6);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  drawShadows(view, figures) {
    const { gl } = this;
    use(gl, this.shadow, { ...figures.textures, ckFootprints: this.footprints });
    this.look(this.shadow, view);
    gl.uniform1f(this.shadow.at.ckSeconds, figures.seconds);
    gl.bindVertexArray(figures.places);
    gl.depthMask(false);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(-1, -2);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 12, figures.count);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
  }
}
