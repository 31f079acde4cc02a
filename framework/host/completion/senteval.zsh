#compdef senteval
# zsh completion for senteval: the program itself says what may follow.

_senteval()
{
    local -a answer candidates before suffix
    local line word help paths prefix
    (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
    answer=("${(@f)$(${~words[1]} __complete "${(@)before}" "${(Q)PREFIX}" 2>/dev/null)}")
    paths=${answer[1]%%$'\t'*}
    prefix=${answer[1]#*$'\t'}
    suffix=(-S '')
    for line in "${(@)answer[2,-1]}"; do
        word=${line%%$'\t'*}
        help=${line#*$'\t'}
        [[ $word == *= ]] || suffix=()
        candidates+=("${word//:/\\:}${help:+:$help}")
    done
    if (( $#candidates )); then
        _describe senteval candidates -M 'm:{[:lower:]}={[:upper:]}' "${(@)suffix}"
    fi
    if [[ $paths == files || $paths == folders ]]; then
        compset -p $#prefix
        if [[ $paths == files ]]; then _files; else _files -/; fi
    fi
}

# Loaded by compinit it is called; read with `source` it is only made known.
if [[ $funcstack[1] == _senteval ]]; then
    _senteval "$@"
else
    compdef _senteval senteval
fi
