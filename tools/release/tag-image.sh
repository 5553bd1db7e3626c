# A step: gives the image of a release its tag, an index of the pushed images for the architectures.
# A tag never moves. An existing tag is right if this commit made it, in an earlier run of the workflow; otherwise it ends the release.
# IMAGE comes from the job. The digest is an output of the step.
set -euo pipefail
version=$(cat dist/version.txt)
tag="$IMAGE:$version"
revision=org.opencontainers.image.revision

if index=$(docker buildx imagetools inspect --raw "$tag" 2>inspect.log); then
  made_by=$(node -p 'JSON.parse(require("fs").readFileSync(0)).annotations?.[process.argv[1]] ?? "an unknown commit"' "$revision" <<<"$index")
  if [ "$made_by" != "$GITHUB_SHA" ]; then
    echo "::error::$tag exists and was made from $made_by. Tags never move: release another version."
    exit 1
  fi
  echo "$tag exists and was made from this commit"
elif [[ $(tail -n 1 inspect.log) == *"$tag: not found" ]]; then
  sources=()
  for file in digests/*/image; do sources+=("$IMAGE@$(cat "$file")"); done
  if [ "${#sources[@]}" -ne 2 ]; then
    echo "::error::$tag needs two architectures, and there are digests of ${#sources[@]}"
    exit 1
  fi
  docker buildx imagetools create --tag "$tag" --annotation "index:$revision=$GITHUB_SHA" "${sources[@]}"
else
  cat inspect.log
  exit 1
fi

digest=$(docker buildx imagetools inspect "$tag" --format '{{.Manifest.Digest}}')
if [[ ! $digest =~ ^sha256:[0-9a-f]{64}$ ]]; then
  echo "::error::$tag has no digest: $digest"
  exit 1
fi
echo "digest=$digest" >>"$GITHUB_OUTPUT"
