@group(0) @binding(3) var<storage, read> ckPalette: array<vec4<f32>>;
fn ckPaletteRow(actor: i32, joint: i32, row: i32) -> vec4<f32> {
  return ckPalette[(actor * CK_JOINT_COUNT + joint) * 3 + row];
}
