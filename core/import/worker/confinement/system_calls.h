#pragma once

namespace ck::worker {

// Leaves this process only the system calls that decoding open files and writing the result to an
// open pipe need: memory, time, its own threads and signals. Calls that name a file fail, because
// libraries try some; every other call ends the process with SIGSYS, but for a few that the C
// library tries before an older one. Calls that can do more are allowed for certain arguments only:
// mmap and mprotect without code, clone for threads, tgkill for this process. Needs no privileges
// but PR_SET_NO_NEW_PRIVS; cannot be undone. False if the system has no seccomp filters.
bool allowReadingOnly();

// The same for a program that this process becomes: it may also run code that it loads, and open,
// make, rename and remove files, as far as Landlock lets it. It gets no process beside its own, no
// socket, and no call that changes rights, owners, limits, priorities or the kernel. All other
// calls fail with EPERM, so that a library that merely tries one continues. False as above.
bool allowOwnFilesOnly();

}  // namespace ck::worker
