# bash completion for senteval: the program itself says what may follow.

_senteval()
{
    local program=${COMP_WORDS[0]/#\~\//$HOME/} rest=${COMP_LINE:0:COMP_POINT} words=() word i
    # Bash divides words at = and :, the program does not: what no blank divides belongs together.
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
            rest=${rest#"${rest%%[![:space:]]*}"}
            words+=("")
        fi
        ((i < COMP_CWORD)) || word=$rest
        words[-1]+=$word
        rest=${rest#"$word"}
    done
    words=("${words[@]//[\"\'\\]/}")
    local current=${words[-1]} paths=none prefix= candidates=()
    {
        IFS=$'\t' read -r paths prefix
        while IFS=$'\t' read -r word _; do
            candidates+=("$word")
        done
    } < <("$program" __complete "${words[@]:1}" 2>/dev/null)

    if [[ $paths == files || $paths == folders ]]; then
        compopt -o filenames 2>/dev/null
        local kind=-f found
        [[ $paths == files ]] || kind=-d
        while IFS= read -r found; do
            candidates+=("$prefix$found")
        done < <(compgen "$kind" -- "${current#"$prefix"}")
    elif [[ ${#candidates[@]} -eq 1 && ${candidates[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi

    # Readline puts a candidate behind the last = or : of an unquoted word.
    local tail=$current
    if [[ ${COMP_WORDS[COMP_CWORD]} != [\"\']* ]]; then
        [[ $COMP_WORDBREAKS != *=* ]] || tail=${tail##*=}
        [[ $COMP_WORDBREAKS != *:* ]] || tail=${tail##*:}
    fi
    COMPREPLY=("${candidates[@]#"${current%"$tail"}"}")
}

complete -F _senteval senteval
