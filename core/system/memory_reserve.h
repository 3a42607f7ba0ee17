#pragma once

namespace ck {

// Sets aside 64 MiB of address space. The allocation that finds no memory fails with
// std::bad_alloc, and the reserve is given back, so that destructors have it while the work is
// undone: that of the JSON library takes memory, and may not fail. Where even this is not enough,
// the program ends with lastWords() in place of an abort. Called early in main(), with its program
// ("kiln: "), and again where work goes on after such a failure; a reserve that is still there
// stays.
void keepMemoryReserve(const char* program);

}  // namespace ck
