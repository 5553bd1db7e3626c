# A step of a job for one architecture: the operator's image from the packed package in dist/js, pushed under nothing but its digest.
# The next job needs only digests/image. ARCHITECTURE, IMAGE and PUSH come from the job.
set -euo pipefail
version=$(cat dist/version.txt 2>/dev/null || echo 0.0.0)
mkdir context digests
tar -xzf dist/js/*.tgz --strip-components=1 -C context

# A tag can move: a release starts from images by their digests. The workflow upgrade-main writes them into the Dockerfile.
unpinned=$(sed -nE '/@sha256:[0-9a-f]{64}( |$)/d; s/^ARG [A-Z_]*IMAGE=//p; s/^FROM ([^ $]+[/:][^ ]*).*/\1/p' context/Dockerfile | paste -sd' ')
if [ -n "$unpinned" ]; then
  level=$(if [ "$PUSH" = true ]; then echo error; else echo warning; fi)
  echo "::$level::the Dockerfile names base images without a digest: $unpinned. Run the workflow upgrade-main, or node tools/release/pin-base-images.ts, and merge the change"
  if [ "$PUSH" = true ]; then exit 1; fi
fi
docker buildx create --use

output="type=oci,dest=image.tar"
if [ "$PUSH" = true ]; then output="type=image,name=$IMAGE,push=true,push-by-digest=true,name-canonical=true"; fi
docker buildx build context --platform "linux/$ARCHITECTURE" --pull --sbom=true --provenance=mode=max \
  --label "org.opencontainers.image.version=$version" \
  --label "org.opencontainers.image.revision=$GITHUB_SHA" \
  --label "org.opencontainers.image.source=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" \
  --label "org.opencontainers.image.licenses=Apache-2.0" \
  --output "$output" --metadata-file image.json
node -p 'JSON.parse(require("fs").readFileSync("image.json"))["containerimage.digest"]' >digests/image
grep -q '^sha256:' digests/image
