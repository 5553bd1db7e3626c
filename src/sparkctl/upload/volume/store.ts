/** What the script says when it waits for the bytes. */
export const BEGIN = 'sparkctl:begin';

/** What it says if a file of this content is there already. */
export const PRESENT = 'sparkctl:present';

/** What it says when all is in its place. */
export const STORED = 'sparkctl:stored';

/**
 * A script for any POSIX shell, with `head`, `wc`, `mkdir`, `mv` and, where there is one, `sha256sum`: takes so many bytes from its standard input and makes a file of them. It counts them, as it cannot be told
 * that there are no more. What has not arrived as a whole is removed. Its arguments: the path, the size, and the SHA-256.
 */
export const STORE = `set -eu
umask 022
sum() { if command -v sha256sum > /dev/null; then sha256sum < "$1" | cut -d ' ' -f 1; else echo "$2"; fi; }
size() { wc -c < "$1" | tr -d ' '; }
if [ -f "$1" ] && [ "$(size "$1")" = "$2" ] && [ "$(sum "$1" "$3")" = "$3" ]; then echo ${PRESENT}; exit 0; fi
mkdir -p "\${1%/*}"
part="$1.part.$$"
trap 'rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
: > "$part"
echo ${BEGIN}
head -c "$2" > "$part"
if [ "$(size "$part")" != "$2" ] || [ "$(sum "$part" "$3")" != "$3" ]; then echo 'what has arrived is not what was sent' >&2; exit 1; fi
mv -f "$part" "$1"
echo ${STORED}
`;
