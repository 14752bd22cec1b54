# SPDX-License-Identifier: Apache-2.0
# Whoever has installed crema gets this far with two commands.
set -eu
folder=$(mktemp -d)
crema demo -o "$folder/raters" --kind lesions --raters 5 >"$folder/log"
crema fuse "$folder"/raters/rater-*.nii.gz -o "$folder/consensus.nii.gz"
test -s "$folder/consensus.nii.gz"
rm -rf "$folder"
