#pragma once

namespace ck::worker {

// Leaves this process only the system calls that reading one file and writing the result to an open
// pipe need: memory, time, its own threads and signals, and opening files for reading. Every other
// call ends the process with SIGSYS; a few that the C library tries before an older one fail
// instead. Calls that can do more than reading are allowed for certain arguments only: openat
// without creating, writing or truncating, mmap and mprotect without code, clone for threads,
// tgkill for this process. Needs no privileges but PR_SET_NO_NEW_PRIVS; cannot be undone. False if
// the system has no seccomp filters.
bool allowReadingOnly();

// Refuses this process, and the program that it becomes, sockets, other processes outside of its
// own children, name spaces and what few programs ask of the kernel. They fail with EPERM, so that
// a library that merely tries one continues. False as above.
bool refuseOutsideCalls();

}  // namespace ck::worker
