#pragma once

// Cites a section that is not there (docs/techniques.md
// 9.9).
