// The relative reading, for the pass that fills a palette: each joint is interpolated, and two
// clips are blended, relative to its parent. Limbs keep their lengths.

// The clips that are shown at a time: clip a alone (blend 0), or `blend` of the way from a to b.
struct CkShown {
  CkMoment a;
  CkMoment b;
  float blend;
};

#if CK_FORM == 2
// A joint at the frames before and after both moments.
struct CkFour {
  CkMatrix a0;
  CkMatrix a1;
  CkMatrix b0;
  CkMatrix b1;
};

CK_FN CkFour ckStoredFour(CkShown shown, int joint) {
  CkFour four;
  four.a0 = ckStoredPose(shown.a.clipIndex, shown.a.frame, joint);
  four.a1 = four.a0;
  if (shown.a.alpha > 0.0f) {
    four.a1 = ckStoredPose(shown.a.clipIndex, shown.a.frame + 1, joint);
  }
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (shown.blend > 0.0f) {
    four.b0 = ckStoredPose(shown.b.clipIndex, shown.b.frame, joint);
    four.b1 = four.b0;
    if (shown.b.alpha > 0.0f) {
      four.b1 = ckStoredPose(shown.b.clipIndex, shown.b.frame + 1, joint);
    }
  }
  return four;
}

CK_FN CkFour ckFourSeenFrom(CkFour parent, CkFour child, CkShown shown) {
  CkFour four;
  four.a0 = ck_matrixSeenFrom(parent.a0, child.a0);
  four.a1 = ck_matrixSeenFrom(parent.a1, child.a1);
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (shown.blend > 0.0f) {
    four.b0 = ck_matrixSeenFrom(parent.b0, child.b0);
    four.b1 = ck_matrixSeenFrom(parent.b1, child.b1);
  }
  return four;
}

CK_FN int ckFourHasSpace(CkFour four) {
  return ck_matrixHasSpace(four.a0) * ck_matrixHasSpace(four.a1) * ck_matrixHasSpace(four.b0) *
         ck_matrixHasSpace(four.b1);
}

CK_FN CkMatrix ckAmong(CkFour four, CkShown shown) {
  CkMatrix pose = four.a0;
  if (shown.a.alpha > 0.0f) {
    pose = ck_matrixKept(pose, four.a1, shown.a.alpha);
  }
  if (shown.blend > 0.0f) {
    CkMatrix other = four.b0;
    if (shown.b.alpha > 0.0f) {
      other = ck_matrixKept(other, four.b1, shown.b.alpha);
    }
    pose = ck_matrixKept(pose, other, shown.blend);
  }
  return pose;
}

// The skin matrix of a joint. Walks from the joint to the root.
CK_FN CkMatrix ckRelativeMatrix(CkShown shown, int joint) {
  CkFour here = ckStoredFour(shown, joint);
  // At a stored frame the result is the stored pose.
  if (shown.a.alpha <= 0.0f && shown.blend <= 0.0f) {
    return ckSkinOf(here.a0, joint);
  }
  CkMatrix below = ck_trsMatrix(vec3(0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 1.0f),
                                vec3(1.0f, 1.0f, 1.0f));
  int parent = ckParentOf(joint);
  while (parent >= 0) {
    CkFour above = ckStoredFour(shown, parent);
    if (ckFourHasSpace(above) == 0) {
      break;
    }
    below = ck_matrixMul(ckAmong(ckFourSeenFrom(above, here, shown), shown), below);
    here = above;
    parent = ckParentOf(parent);
  }
  return ckSkinOf(ck_matrixMul(ckAmong(here, shown), below), joint);
}
#else
// A joint at the frames before and after both moments.
struct CkFour {
  CkPose a0;
  CkPose a1;
  CkPose b0;
  CkPose b1;
};

CK_FN CkFour ckStoredFour(CkShown shown, int joint) {
  CkFour four;
  four.a0 = ckStoredPose(shown.a.clipIndex, shown.a.frame, joint);
  four.a1 = four.a0;
  if (shown.a.alpha > 0.0f) {
    four.a1 = ckStoredPose(shown.a.clipIndex, shown.a.frame + 1, joint);
  }
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (shown.blend > 0.0f) {
    four.b0 = ckStoredPose(shown.b.clipIndex, shown.b.frame, joint);
    four.b1 = four.b0;
    if (shown.b.alpha > 0.0f) {
      four.b1 = ckStoredPose(shown.b.clipIndex, shown.b.frame + 1, joint);
    }
  }
  return four;
}

CK_FN CkFour ckFourSeenFrom(CkFour parent, CkFour child, CkShown shown) {
  CkFour four;
  four.a0 = ck_poseSeenFrom(parent.a0, child.a0);
  four.a1 = ck_poseSeenFrom(parent.a1, child.a1);
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (shown.blend > 0.0f) {
    four.b0 = ck_poseSeenFrom(parent.b0, child.b0);
    four.b1 = ck_poseSeenFrom(parent.b1, child.b1);
  }
  return four;
}

CK_FN int ckFourHasSpace(CkFour four) {
  return ck_poseHasSpace(four.a0) * ck_poseHasSpace(four.a1) * ck_poseHasSpace(four.b0) *
         ck_poseHasSpace(four.b1);
}

// Along the shorter arc: the signs of quaternions agree within a clip, but not between clips.
CK_FN CkPose ckPoseShort(CkPose a, CkPose b, float along) {
  CkPose pose = ck_poseBetween(a, b, along);
  pose.rotation = ck_quatNlerpShort(a.rotation, b.rotation, along);
  return pose;
}

CK_FN CkPose ckAmong(CkFour four, CkShown shown) {
  CkPose pose = four.a0;
  if (shown.a.alpha > 0.0f) {
    pose = ckPoseShort(pose, four.a1, shown.a.alpha);
  }
  if (shown.blend > 0.0f) {
    CkPose other = four.b0;
    if (shown.b.alpha > 0.0f) {
      other = ckPoseShort(other, four.b1, shown.b.alpha);
    }
    pose = ckPoseShort(pose, other, shown.blend);
  }
  return pose;
}

#if CK_LOCAL == 0
// The skin matrix of a joint. Walks from the joint to the root.
CK_FN CkMatrix ckRelativeMatrix(CkShown shown, int joint) {
  CkFour here = ckStoredFour(shown, joint);
  // At a stored frame the result is the stored pose.
  if (shown.a.alpha <= 0.0f && shown.blend <= 0.0f) {
    return ckSkinOf(here.a0, joint);
  }
  CkPose top = ckAmong(here, shown);
  CkPose pose = top;
  vec4 turned = vec4(0.0f, 0.0f, 0.0f, 1.0f);
  vec3 moved = vec3(0.0f, 0.0f, 0.0f);
  int parent = ckParentOf(joint);
  while (parent >= 0) {
    CkFour above = ckStoredFour(shown, parent);
    if (ckFourHasSpace(above) == 0) {
      break;
    }
    CkPose link = ckAmong(ckFourSeenFrom(above, here, shown), shown);
    top = ckAmong(above, shown);
    moved = top.scale * link.position + ck_rotate(link.rotation, moved);
    turned = ck_quatMul(link.rotation, turned);
    here = above;
    parent = ckParentOf(parent);
  }
  pose.rotation = normalize(ck_quatMul(top.rotation, turned));
  pose.position = top.position + ck_rotate(top.rotation, moved);
  return ckSkinOf(pose, joint);
}
#else
// The skin matrix of a joint, of which parents see what is stored. Walks from the joint to the root.
CK_FN CkMatrix ckRelativeMatrix(CkShown shown, int joint) {
  CkPose link = ckAmong(ckStoredFour(shown, joint), shown);
  CkPose pose = link;
  vec4 turned = vec4(0.0f, 0.0f, 0.0f, 1.0f);
  vec3 moved = vec3(0.0f, 0.0f, 0.0f);
  int parent = ckParentOf(joint);
  while (parent >= 0) {
    CkPose above = ckAmong(ckStoredFour(shown, parent), shown);
    moved = above.scale * link.position + ck_rotate(link.rotation, moved);
    turned = ck_quatMul(link.rotation, turned);
    link = above;
    parent = ckParentOf(parent);
  }
  pose.rotation = normalize(ck_quatMul(link.rotation, turned));
  pose.position = link.position + ck_rotate(link.rotation, moved);
  return ckSkinOf(pose, joint);
}
#endif
#endif
