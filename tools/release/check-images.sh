# A step: both images of a release can be pulled by anyone, for both architectures, before packages that name them are published. IMAGE comes from the job.
set -euo pipefail
version=$(cat dist/version.txt)
DOCKER_CONFIG=$(mktemp -d) # no credentials
export DOCKER_CONFIG
for tag in "$IMAGE:$version" "$IMAGE:$version-spark-submit"; do
  if ! index=$(docker buildx imagetools inspect --raw "$tag" 2>inspect.log); then
    cat inspect.log
    echo "::error::$tag cannot be read without credentials: make the package public, then re-run failed jobs"
    exit 1
  fi
  platforms=$(node -p 'JSON.parse(require("fs").readFileSync(0)).manifests?.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(" ")' <<<"$index")
  for architecture in amd64 arm64; do
    if [[ " $platforms " != *" linux/$architecture "* ]]; then
      echo "::error::$tag has no image for $architecture: it has $platforms"
      exit 1
    fi
  done
done
