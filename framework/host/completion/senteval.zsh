#compdef senteval
# zsh completion for senteval: the program itself says what may follow.

_senteval()
{
    local -a candidates
    local line
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -z $line ]] || candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( $#candidates )); then
        _describe senteval candidates -M 'm:{[:lower:]}={[:upper:]}'
    else
        _files
    fi
}

# Loaded by compinit it is called; read with `source` it is only made known.
if [[ $funcstack[1] == _senteval ]]; then
    _senteval "$@"
else
    compdef _senteval senteval
fi
