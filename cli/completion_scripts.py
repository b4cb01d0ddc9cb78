"""The scripts that connect shells to `completion`: each hands over the words, and offers what comes back.

`git orefactor` is completed as well as `git-orefactor`. git's own completion for bash (and what it brings for zsh)
calls `_git_orefactor`, zsh's own calls `_git-orefactor`. What comes back may hold names that others have chosen, so it
is never evaluated, and quoted where a shell doesn't do that itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

# Written for bash 3.2 and newer; 3.2 has no `compopt`, and adds a space behind a folder's name.
_BASH = r"""# bash completion for git-orefactor.
# Now: eval "$(git-orefactor completion bash)". For good: put it into ~/.bashrc, or write its output to
# ~/.local/share/bash-completion/completions/git-orefactor

# The first argument: how many words stand before those of the command.
__git_orefactor_complete() {
    local kind= value rest quoted current=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    while IFS=$'\t' read -r value rest; do
        if [ -z "$kind" ]; then
            kind=$value
        else
            printf -v quoted %q "$value"
            COMPREPLY+=("$quoted")
        fi
    done < <(git-orefactor completion bash -- "${COMP_WORDS[@]:$1:COMP_CWORD-$1+1}" 2>/dev/null)
    if [ "$kind" = files ]; then
        case $current in = | :) current= ;; esac
        compopt -o filenames 2>/dev/null
        while IFS= read -r value; do
            COMPREPLY+=("$value")
        done < <(compgen -f -- "$current")
    fi
}

# For git's own completion: options of git may stand before the command.
_git_orefactor() {
    local number=1
    while [ "$number" -lt "$COMP_CWORD" ] && [ "${COMP_WORDS[number]}" != orefactor ]; do
        number=$((number + 1))
    done
    __git_orefactor_complete $((number + 1))
}

_git_orefactor_alone() {
    __git_orefactor_complete 1
}

complete -F _git_orefactor_alone git-orefactor
"""

_ZSH = r"""#compdef git-orefactor
# zsh completion for git-orefactor.
# Now: source <(git-orefactor completion zsh). For good: write its output to `_git-orefactor` in a folder of $fpath.

_git-orefactor() {
    local kind value rest
    local -a described
    # `git orefactor` comes with or without the words before the command.
    integer first=1
    if [[ $words[1] == git ]]; then
        first=${words[(i)orefactor]}
    fi
    while IFS=$'\t' read -r value rest; do
        if [[ -z $kind ]]; then
            kind=$value
        else
            described+=("${${value//\\/\\\\}//:/\\:}${rest:+:$rest}")
        fi
    done < <(git-orefactor completion zsh -- "${(@Q)words[first+1,CURRENT-1]}" "$PREFIX" 2>/dev/null)
    # The value of an option behind its `=`.
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    integer found=1
    if (( $#described )); then
        _describe -V git-orefactor described && found=0
    fi
    if [[ $kind == files ]]; then
        _files && found=0
    fi
    return found
}

# For the completion that git itself brings, which calls this in the manner of ksh.
_git_orefactor() {
    emulate -L zsh
    setopt localoptions $_comp_options
    _git-orefactor
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _git-orefactor "$@"
elif (( $+functions[compdef] )); then
    compdef _git-orefactor git-orefactor
fi
"""

_FISH = r"""# fish completion for git-orefactor.
# Now: git-orefactor completion fish | source. For good: write its output to ~/.config/fish/conf.d/git-orefactor.fish

function __git_orefactor_complete
    set -l words (commandline -opc)
    set -l first 1
    if string match -q -r -- '(^|/)git$' $words[1]
        set first (contains -i -- orefactor $words; or count $words)
    end
    set -l kind
    for line in (git-orefactor completion fish -- $words[(math $first + 1)..-1] (commandline -ct) 2>/dev/null)
        if test -z "$kind"
            set kind $line
        else
            echo $line
        end
    end
    if test "$kind" = files
        set -l parts (string match -r -- '^(--[^=]*=|)(.*)$' (commandline -ct))
        for path in (__fish_complete_path $parts[3])
            echo $parts[2]$path
        end
    end
end

# Whether `orefactor` is git's command: the first word that is no option of git nor the value of one.
function __git_orefactor_is_meant
    set -l words (commandline -opc)
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word -C -c --git-dir --work-tree --namespace
            set skip 1
        else if not string match -q -- '-*' $word
            test $word = orefactor
            return
        end
    end
    return 1
end

complete -c git-orefactor -f -a '(__git_orefactor_complete)'
complete -c git -n __git_orefactor_is_meant -f -a '(__git_orefactor_complete)'
complete -c git -n 'test (count (commandline -opc)) = 1' -f -a orefactor -d 'Refactor code with a language model'
"""

SCRIPTS: Mapping[Literal["bash", "zsh", "fish"], str] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
