// Fills a palette buffer: three vec4 (matrix rows) per joint, joints of an actor one after another.
// One thread per joint (x) and actor (y): dispatch (joints + 7) / 8 by (actors + 7) / 8 groups.
struct CkFill {
  seconds: f32,
  actorCount: i32,
}
@group(0) @binding(3) var<storage, read_write> ckPalette: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> ckFill: CkFill;

@compute @workgroup_size(8, 8)
fn fillPalette(@builtin(global_invocation_id) id: vec3<u32>) {
  let joint = i32(id.x);
  let actor = i32(id.y);
  if (joint >= CK_JOINT_COUNT || actor >= ckFill.actorCount) {
    return;
  }
  let m = ckRelativeMatrix(ckShownBy(actor, ckFill.seconds), joint);
  let at = (actor * CK_JOINT_COUNT + joint) * 3;
  ckPalette[at] = m.x;
  ckPalette[at + 1] = m.y;
  ckPalette[at + 2] = m.z;
}
