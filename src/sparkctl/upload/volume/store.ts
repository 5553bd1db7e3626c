/** Line that the script prints when it reads its input. */
export const BEGIN = 'sparkctl:begin';

/** Line that the script prints if a file with this content exists. */
export const PRESENT = 'sparkctl:present';

/** Line that the script prints when the file is complete. */
export const STORED = 'sparkctl:stored';

/**
 * Script for any POSIX shell with `head`, `wc`, `mkdir`, `mv` and, if available, `sha256sum`. It
 * reads a number of bytes from its standard input and writes them to a file. It counts the bytes,
 * as the input has no end. It removes an incomplete file. Its arguments: the path, the size, and
 * the SHA-256.
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
