# fish completion for senteval: the program itself says what may follow.

function __senteval_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    if test -n "$answer"
        printf '%s\n' $answer
    else
        __fish_complete_path "$current"
    end
end

complete -c senteval -f -a '(__senteval_complete)'
