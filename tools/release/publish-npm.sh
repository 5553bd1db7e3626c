# A step: the packed package to npm, as the publisher that npm trusts, with signed provenance. A version that is there, from an earlier run, is left.
set -euo pipefail
version=$(cat dist/version.txt)
if [ -n "$(npm view "$PACKAGE@$version" version 2>/dev/null || true)" ]; then
  echo "$PACKAGE@$version is there"
else
  npm publish --access public --provenance dist/js/*.tgz
fi
