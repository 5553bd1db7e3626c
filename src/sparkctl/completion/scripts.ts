/** Shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/*
 * Each script calls `sparkctl __complete` with the words up to the cursor, and passes the answer
 * on. A line is a candidate with a tab before its description, or `:files` for names of files. The
 * scripts contain no commands or options, so that they stay valid when those change.
 */

/** Script for bash 3.2 and later, with or without the package bash-completion. */
const BASH = String.raw`# bash completion of sparkctl: source <(sparkctl completion bash)
_sparkctl() {
  # bash splits words at = and :, sparkctl does not: pieces without a blank between them are joined again.
  local line=\${COMP_LINE:0:COMP_POINT} index count=-1 piece
  local -a words
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=\${COMP_WORDS[index]}
    if ((count < 0)) || [[ $line == [[:space:]]* ]]; then
      line=\${line#"\${line%%[![:space:]]*}"}
      count=$((count + 1))
      words[count]=$piece
    else
      words[count]+=$piece
    fi
    line=\${line#"$piece"}
  done
  local current=\${words[count]} last=\${COMP_WORDS[COMP_CWORD]} tab=$'\t' candidate
  [[ $last == [=:] ]] && last=
  # bash has already inserted this part of the word.
  local known=\${current%"$last"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$last")
      return
    fi
    candidate=\${candidate%%"$tab"*}
    COMPREPLY+=("\${candidate#"$known"}")
  done < <("\${words[0]/#\~/$HOME}" __complete "\${words[@]:1}" 2>/dev/null)
  # A list or a kind continues, so no blank follows.
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/,=] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _sparkctl sparkctl
`.replaceAll('\\${', '${');

/** Script for zsh 5: as _sparkctl in a folder of fpath, or by source. */
const ZSH = String.raw`#compdef sparkctl
# zsh completion of sparkctl: source <(sparkctl completion zsh)
_sparkctl() {
  local -a lines candidates
  local line tab=$'\t'
  lines=("\${(@f)$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :files ]]; then
      # After --option= only the rest is the name.
      [[ $PREFIX == --*=* ]] && compset -P '*='
      _files
      return
    fi
    candidates+=("\${\${line%%$tab*}//:/\\:}:\${line#*$tab}")
  done
  (( \${#candidates} )) && _describe sparkctl candidates
}
if [[ \${funcstack[1]} == _sparkctl ]]; then
  _sparkctl "$@"
else
  compdef _sparkctl sparkctl
fi
`.replaceAll('\\${', '${');

/** Script for fish 3. */
const FISH = `# fish completion of sparkctl: sparkctl completion fish | source
function __sparkctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program __complete $words "$current" 2>/dev/null)
        if test "$line" = :files
            # After --option= only the rest is the name.
            if string match -qr '^--[^=]+=' -- "$current"
                set -l option (string replace -r '=.*$' '=' -- "$current")
                for path in (__fish_complete_path (string replace -r '^--[^=]+=' '' -- "$current"))
                    echo -- $option$path
                end
            else
                __fish_complete_path "$current"
            end
            return
        end
        echo -- $line
    end
end
complete -c sparkctl -e
complete -c sparkctl -f -a '(__sparkctl_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Returns the completion script of a shell. */
export function scriptFor(shell: Shell): string {
  return SCRIPTS[shell];
}
