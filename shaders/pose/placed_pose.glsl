// A static object at the place of its record. It has no actor and no motion.
#define CK_STANDS

CkSkinned ckSkin(CkActor actor) { return ckInWorld(actor, ckBindVertex()); }
