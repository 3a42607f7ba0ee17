// docs/techniques.md 1.4 is there, docs/nowhere.md and core/nowhere.h are not.
