#pragma once

// What actors play.
struct Clip {
  int first = 0;  // Those that are stored come first.
};

// The clip that an actor plays. What it shows at a time follows from it.
struct Play {};
