#!/usr/bin/env bash
# scripts/pictures.sh: makes the pictures of the documentation (docs/images) and of the samples' cards on the start
# page anew, from a build of the preset dev and without a display. Look at them before they are committed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh dev
for sample in plaza meadow; do
  build/dev/bin/kiln render "resources/samples/$sample/$sample.crowd" -o "resources/samples/$sample/$sample.png" \
    --size 480x270 --no-grid --time 1.2
done
CK_IMAGES=write xvfb-run -a -s "-screen 0 2560x1600x24" build/dev/tests/ck_tests_ui tst_pictures
