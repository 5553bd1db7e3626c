# A step: anyone can pull the image of a release, for both architectures, before packages that name it are published. IMAGE comes from the job.
set -euo pipefail
tag="$IMAGE:$(cat dist/version.txt)"
DOCKER_CONFIG=$(mktemp -d) # no credentials
export DOCKER_CONFIG
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
