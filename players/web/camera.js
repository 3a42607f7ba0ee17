// A camera that turns about a target, and 4 by 4 matrices (column-major).

export function multiplied(a, b) {
  const m = new Float32Array(16);
  for (let c = 0; c < 4; ++c) {
    for (let r = 0; r < 4; ++r) {
      for (let k = 0; k < 4; ++k) m[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
    }
  }
  return m;
}

const minus = (a, b) => a.map((v, i) => v - b[i]);
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((v) => v / Math.hypot(...a));

export class Camera {
  constructor() {
    this.target = [0, 0.9, 0];
    this.distance = 6;
    this.yaw = 0.6;
    this.pitch = 0.3;
    this.fieldOfView = 0.7; // vertical, radians
  }

  eye() {
    const flat = Math.cos(this.pitch) * this.distance;
    return [
      this.target[0] + Math.sin(this.yaw) * flat,
      this.target[1] + Math.sin(this.pitch) * this.distance,
      this.target[2] + Math.cos(this.yaw) * flat,
    ];
  }

  lookFrom(eye, target) {
    const away = minus(eye, target);
    this.target = [...target];
    this.distance = Math.hypot(...away);
    this.yaw = Math.atan2(away[0], away[2]);
    this.pitch = Math.asin(away[1] / this.distance);
  }

  /** The axes of the picture in the world: right, up, towards the eye. */
  axes() {
    const back = unit(minus(this.eye(), this.target));
    const right = unit(cross([0, 1, 0], back));
    return [right, cross(back, right), back];
  }

  /** World to clip coordinates, and back. */
  matrices(aspect) {
    const [right, up, back] = this.axes();
    const eye = this.eye();
    const near = this.distance * 0.02;
    const far = this.distance * 60;
    const tall = Math.tan(this.fieldOfView / 2);
    const wide = tall * aspect;
    // prettier-ignore
    const view = [
      right[0], up[0], back[0], 0,
      right[1], up[1], back[1], 0,
      right[2], up[2], back[2], 0,
      -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
    // prettier-ignore
    const projection = [1 / wide, 0, 0, 0, 0, 1 / tall, 0, 0,
      0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
    // prettier-ignore
    const fromView = [
      right[0], right[1], right[2], 0,
      up[0], up[1], up[2], 0,
      back[0], back[1], back[2], 0,
      eye[0], eye[1], eye[2], 1];
    // prettier-ignore
    const fromProjection = [wide, 0, 0, 0, 0, tall, 0, 0,
      0, 0, 0, (near - far) / (2 * far * near), 0, 0, -1, (far + near) / (2 * far * near)];
    return { worldToClip: multiplied(projection, view), clipToWorld: multiplied(fromView, fromProjection) };
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, 0.02), 1.5);
  }

  zoom(steps) {
    this.distance = Math.min(Math.max(this.distance * Math.exp(-0.16 * steps), 0.2), 5000);
  }

  /** Moves the target so that the scene follows the pointer. Pixels, y down. */
  pan(dx, dy, viewportHeight) {
    const meters = (2 * this.distance * Math.tan(this.fieldOfView / 2)) / viewportHeight;
    const [right] = this.axes();
    const ahead = [-Math.sin(this.yaw), 0, -Math.cos(this.yaw)];
    const lift = this.pitch < 0.5 ? 0 : 1;
    for (const i of [0, 1, 2]) {
      this.target[i] += -right[i] * dx * meters + ahead[i] * dy * meters * (lift || 1.6);
    }
  }
}
