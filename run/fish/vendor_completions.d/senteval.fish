# fish completion for senteval: the program itself says what may follow.

function __senteval_complete
    set -l words (commandline -opc)
    type -q -- $words[1]; or return
    set -l current (string unescape -- (commandline -ct))
    set -l answer ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    test -n "$answer"; or return
    printf '%s\n' $answer[2..-1]
    set -l offered (string split \t -- $answer[1])
    set -l path (string sub --start (math 1 + (string length -- "$offered[2]")) -- "$current")
    switch "$offered[1]"
        case files
            printf "$offered[2]"'%s\n' (__fish_complete_path "$path")
        case folders
            printf "$offered[2]"'%s\n' (__fish_complete_directories "$path")
    end
end

complete -c senteval -f -a '(__senteval_complete)'
