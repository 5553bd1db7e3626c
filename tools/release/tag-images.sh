# A step: gives both images of a release their tags, each an index of what the jobs before have pushed for the architectures.
# A tag never moves. One that is there already is right if this commit made it, in an earlier run of the workflow, and ends the release otherwise.
# The step inspects all tags before it creates the first one. IMAGE comes from the job. The digests of both are outputs of the step.
set -euo pipefail
version=$(cat dist/version.txt)
revision=org.opencontainers.image.revision
declare -A tags=([plain]="$IMAGE:$version" [spark-submit]="$IMAGE:$version-spark-submit")

missing=()
for variant in plain spark-submit; do
  tag=${tags[$variant]}
  if index=$(docker buildx imagetools inspect --raw "$tag" 2>inspect.log); then
    made_by=$(node -p 'JSON.parse(require("fs").readFileSync(0)).annotations?.[process.argv[1]] ?? "an unknown commit"' "$revision" <<<"$index")
    if [ "$made_by" != "$GITHUB_SHA" ]; then
      echo "::error::$tag exists and was made from $made_by. Tags never move: release another version."
      exit 1
    fi
    echo "$tag exists and was made from this commit"
  elif [[ $(tail -n 1 inspect.log) == *"$tag: not found" ]]; then
    missing+=("$variant")
  else
    cat inspect.log
    exit 1
  fi
done

for variant in "${missing[@]}"; do
  sources=()
  for file in digests/*/"$variant"; do sources+=("$IMAGE@$(cat "$file")"); done
  if [ "${#sources[@]}" -ne 2 ]; then
    echo "::error::${tags[$variant]} needs two architectures, and there are digests of ${#sources[@]}"
    exit 1
  fi
  docker buildx imagetools create --tag "${tags[$variant]}" --annotation "index:$revision=$GITHUB_SHA" "${sources[@]}"
done

for variant in plain spark-submit; do
  digest=$(docker buildx imagetools inspect "${tags[$variant]}" --format '{{.Manifest.Digest}}')
  if [[ ! $digest =~ ^sha256:[0-9a-f]{64}$ ]]; then
    echo "::error::${tags[$variant]} has no digest: $digest"
    exit 1
  fi
  echo "${variant//-/_}=$digest" >>"$GITHUB_OUTPUT"
done
