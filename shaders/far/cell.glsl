// The pixels of a far actor's pictures (render/far/impostor_plan.h). A direction has two layers:
//   color: the base colour, as the root of linear light; a: the share that the tint applies to
//   form: x and y of the normal on the viewer's side, along the picture's axes; depth towards the eye;
//     a: the covered share of the pixel
// Numbers below 0 are stored as 0.5 + 0.5 n. Around bodies colours and normals go on for a pixel, so
// that filtering does not mix in what is not there.

vec2 ckStoredSigned(vec2 n) { return n * 0.5 + 0.5; }
vec2 ckSigned(vec2 stored) { return stored * 2.0 - 1.0; }
